"""A plan as a Python function: one line a step, values in local variables.

Worth its making for plans that are executed often, the steps of loops above all: a step then costs little more than the
call of its kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any

_FILE = "<plan>"


def compiled(
    steps: Sequence[Any], start: Sequence[Any], n_feeds: int, fetched: Sequence[int | None]
) -> Callable[..., Any]:
    """The function of the feeds that executes the steps of a ``Plan`` and gives the fetched values in a list."""
    names: dict[str, Any] = {}
    used: set[int] = set(range(n_feeds))

    def name(slot: int) -> str:
        if slot < 0:
            names[f"c{-slot}"] = start[slot]
            return f"c{-slot}"
        used.add(slot)
        return f"v{slot}"

    lines = []
    for i, (kernel, _, _, _, ins, params, out, dead) in enumerate(steps):
        names[f"k{i}"] = partial(kernel, **params) if params else kernel
        call = f"k{i}({', '.join(map(name, ins))})"
        if type(out) is int:
            call = f"{name(out)} = {call}"
        elif out:
            call = f"{', '.join(map(name, out))}, = {call}"
        emptied = "".join(f"{name(slot)} = " for slot in dead)
        lines.append(f"    {call}; {emptied}None" if emptied else f"    {call}")
    results = ", ".join("None" if slot is None else name(slot) for slot in fetched)
    feeds = ", ".join(f"v{i}" for i in range(n_feeds))
    source = "\n".join([f"def run({feeds}):", *lines, f"    return [{results}]"])
    exec(compile(source, _FILE, "exec"), names)
    return names["run"]


def step_of(traceback: TracebackType | None) -> int:
    """The number of the step of the outermost compiled plan in which an error was raised; -1 if in none."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == _FILE:
            return traceback.tb_lineno - 2
        traceback = traceback.tb_next
    return -1
