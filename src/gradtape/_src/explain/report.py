"""``gradtape run --explain`` and ``--strict``: each gradient of a script that is None is reported, or refused.

``--check-numerics`` reports results that are not finite.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from gradtape._src.core import notes
from gradtape._src.core.errors import user_location
from gradtape._src.core.nest import flatten
from gradtape._src.explain import answers, check, check_graph, journal, numerics
from gradtape._src.explain.explanation import Explanation, GradientCheck, grouped, listed
from gradtape._src.graph.ir import current_graph

_reported: set[Any] = set()


def start(mode: str) -> None:
    """From now on. Modes: "explain", "strict", "numerics", "check"."""
    if mode == "numerics":
        journal.enable()
        numerics.enable(numerics.report)
        return
    journal.enable()
    if mode == "check":
        notes.keeps_all, notes.on_gradient = True, check_one
        notes.graph_checks = check_graph.GraphChecks(_tell)
        atexit.register(_summary)
        return
    notes.on_none = report if mode == "explain" else refuse


def refuse(asked: tuple[str, int] | None, explain: Callable[[], Sequence[Explanation]]) -> None:
    """Raises a `tf.debugging.NoGradientError`."""
    answers.lacking(explain, True)


def report(asked: tuple[str, int] | None, explain: Callable[[], Sequence[Explanation]]) -> None:
    """Writes ``FILE:LINE: gradient is None: CAUSE: message``, and a hint below it, once for each line that asks."""
    if asked in _reported:
        return
    _reported.add(asked)
    try:
        found = flatten(explain())
    except Exception as error:  # the script must run as it does without
        print(f"gradtape: a gradient is None, and the reason was not found: {error!r}", file=sys.stderr)
        return
    for group in grouped(found):
        print(_line(group, asked), file=sys.stderr)
        print(f"    hint: {group[0].fix}", file=sys.stderr)


def _line(group: Sequence[Explanation], asked: tuple[str, int] | None) -> str:
    first = group[0]
    file, line = (first.file, first.line) if first.file is not None else asked or ("?", 0)
    others = f" The same holds for {listed([e.source for e in group[1:]])}." if len(group) > 1 else ""
    where = ""
    if asked and asked != (file, line):
        place = f"on line {asked[1]}" if asked[0] == file else f"at {os.path.basename(asked[0])}:{asked[1]}"
        where = f" (The gradient by {first.source} is asked for {place}.)"
    return f"{file}:{line}: gradient is None: {first.cause}: {first.message}{others}{where}"


_checked: dict[Any, bool] = {}


def check_one(tape: Any, target: Any, sources: Any, weights: Any) -> None:
    """Compares a gradient with differences, the first time that a line asks for one without weights."""
    asked, recording = user_location(), tape._recording
    if weights is not None or asked in _checked or recording is None or not recording.complete:
        return
    if not all(hasattr(x, "_ghost") for x in flatten(target)):  # refused by the tape
        return
    if current_graph() is not None:  # compared when it is executed: see `check_graph`
        return
    _checked[asked] = True
    try:
        found = flatten(check.check_tape(tape, target, sources))
    except Exception as error:  # the script must run as it does without
        del _checked[asked]
        print(f"gradtape: a gradient could not be checked: {error!r}", file=sys.stderr)
        return
    for one in found:
        _tell(asked, one)


def _tell(asked: tuple[str, int] | None, one: GradientCheck) -> None:
    """Reports a gradient if it is wrong."""
    _checked.setdefault(asked, True)
    if not one.ok:
        _checked[asked] = False
        file, line = (one.file, one.line) if one.file is not None else asked or ("?", 0)
        print(f"{file}:{line}: gradient by {one.source} is wrong: {one.message}", file=sys.stderr)


def _summary() -> None:
    wrong = list(_checked.values()).count(False)
    print(f"gradtape: {len(_checked)} gradients checked, {wrong} wrong", file=sys.stderr)
