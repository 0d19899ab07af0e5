"""Is a gradient right? The recorded program is executed again in float64, and its differences are compared.

    <g, v> = (F(x + h v) - F(x - h v)) / 2h + O(h^2)        for random directions v

where g is the tape's gradient and F the sum of the target. If they differ, the operations are compared one by one, and
the one whose rule is wrong is named: the user's own, a ``custom_gradient``, as a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.core.context import under
from gradtape._src.core.errors import frame_at
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.values import Ghost, ghost_of
from gradtape._src.explain import names
from gradtape._src.explain.explanation import GradientCheck
from gradtape._src.explain.replay import CannotReplay, Replay, compared, line_of, rules_in
from gradtape._src.explain.wording import function_of
from gradtape._src.ops.arrays import ones_like
from gradtape._src.ops.indexed_slices import dense


def check_tape(tape: Any, target: Any, sources: Any) -> Any:
    """See `GradientTape.check`."""
    recording: Recording | None = tape._recording
    if recording is None:
        raise RuntimeError(
            "This tape has been used. Check before `gradient`, or with tf.GradientTape(persistent=True)."
        )
    if not recording.complete:
        raise RuntimeError(
            "This tape has not kept all numbers. Call tf.debugging.enable_gradient_checks() before it is made, or use "
            "`gradtape run --check`."
        )
    targets = list(flatten(target, expand_composites=True))
    flat = flatten(sources)
    with under(None, ()), np.errstate(all="ignore"):
        seeds = {ghost_of(x): ones_like.of(ghost_of(x)) for x in targets}
        found = sweep(recording, seeds, [ghost_of(x) for x in flat])
        nodes = recording.nodes
        start = {v._ghost: v._data for v in recording.variables.values()}
        total = lambda program, given: sum(float(np.sum(program(given, ghost_of(t)))) for t in targets)
        checks = []
        for x, g in zip(flat, found, strict=True):
            name, given = names.called(x, "the source"), None if g is None else dense(g)._data
            if ghost_of(x) not in recording.followed:  # None is no derivative, and not a wrong one
                checks.append(unchecked("The tape does not watch it.", name))
            else:
                checks.append(checked(lambda: Replay(nodes, start), total, ghost_of(x), x._data, given, name))
    return pack_sequence_as(sources, checks)


def unchecked(why: str, name: str) -> GradientCheck:
    """Of a gradient that nothing can be said of."""
    return GradientCheck(True, 0.0, 0.0, None, None, "", why, name)


def checked(
    program: Callable[[], Replay],
    total: Callable[[Replay, dict[Ghost, Any]], float],
    source: Ghost,
    x: Any,
    g: Any,
    name: str,
) -> GradientCheck:
    """Compares the gradient ``g`` at ``x`` with differences of ``total(program, {source: x})``."""
    x = np.asarray(x)
    if x.dtype.kind not in "f" and x.dtype.char != "E":
        return unchecked("Only real floating sources are checked.", name)
    x = x.astype(np.float64)
    gradient = np.zeros_like(x) if g is None else np.asarray(g, np.float64)
    try:
        replay = program()
    except CannotReplay as why:
        return unchecked(str(why), name)
    ok, given, measured, why = compared(lambda value: total(replay, {source: value}), x, gradient)
    if ok:
        return GradientCheck(True, given, measured, None, None, "", why, name)
    node = replay.wrong(source)
    location = None if node is None else line_of(node)
    file, line, text = (None, None, "") if location is None else frame_at(location)
    culprit = "" if node is None else f" The gradient of {_described(node)} is wrong."
    message = (
        f"The gradient gives {given:.6g} in a direction in which differences give {measured:.6g}.{culprit}"
    )
    return GradientCheck(False, given, measured, file, line, text, message, name)


def _described(node: Node) -> str:
    rules = rules_in(node)
    if not rules:
        return function_of(node.op.name)
    name = getattr(rules[0].op.vjp_all, "registered", None)
    return (
        "this @tf.custom_gradient function"
        if name is None
        else f"{rules[0].op.name} that is registered as {name!r}"
    )
