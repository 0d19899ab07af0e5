"""Is a gradient right? The recorded program is executed again in float64, and its differences are compared.

    <g, v> = (F(x + h v) - F(x - h v)) / 2h + O(h^2)        for random directions v

where g is the tape's gradient and F the sum of the target. If they differ, the operations are compared one by one, and
the one whose rule is wrong is named: the user's own, a ``custom_gradient``, as a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import sweep, vjp
from gradtape._src.core import notes
from gradtape._src.core.context import under
from gradtape._src.core.errors import frame_at
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.values import EagerTensor, Ghost, ghost_of
from gradtape._src.explain import names
from gradtape._src.explain.diagnosis import function_of
from gradtape._src.explain.explanation import GradientCheck
from gradtape._src.ops.arrays import ones_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.variables import Variable

TOLERANCE = 1e-3  # of gradients in float32
_STEP = 1e-5
_FLOATS = np.dtype(np.float64)


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
        program = Replay(recording)
        ghosts = [ghost_of(x) for x in targets]
        checks = [_checked(program, ghosts, x, g) for x, g in zip(flat, found, strict=True)]
    return pack_sequence_as(sources, checks)


def _checked(program: Replay, targets: Sequence[Ghost], source: Any, g: Any) -> GradientCheck:
    name = names.called(source, "the source")
    x = np.asarray(source._data)
    if x.dtype.kind not in "f" and x.dtype.char != "E":
        return GradientCheck(True, 0.0, 0.0, None, None, "", "Only real floating sources are checked.", name)
    x = x.astype(_FLOATS)
    gradient = np.zeros_like(x) if g is None else np.asarray(dense(g)._data, _FLOATS)
    ghost = ghost_of(source)
    total = lambda value: sum(float(np.sum(program({ghost: value}, t))) for t in targets)
    ok, given, measured, why = compared(total, x, gradient)
    if ok:
        return GradientCheck(True, given, measured, None, None, "", why, name)
    node = program.wrong(ghost)
    location = None if node is None else _line(node)
    file, line, text = (None, None, "") if location is None else frame_at(location)
    culprit = "" if node is None else f" The gradient of {_described(node)} is wrong."
    message = (
        f"The gradient gives {given:.6g} in a direction in which differences give {measured:.6g}.{culprit}"
    )
    return GradientCheck(False, given, measured, file, line, text, message, name)


def compared(f: Callable[[Any], float], x: Any, gradient: Any) -> tuple[bool, float, float, str]:
    """Whether <gradient, v> is the derivative of f in random directions v; the two numbers that differ most."""
    rng = np.random.default_rng(20)
    worst = (True, 0.0, 0.0, "It agrees with differences in float64.")
    for _ in range(3):
        v = rng.standard_normal(x.shape)
        h = _STEP * max(1.0, float(np.abs(x).max(initial=0.0)))
        ahead, here, behind = f(x + h * v), f(x), f(x - h * v)
        measured, given = (ahead - behind) / (2 * h), float(np.sum(gradient * v))
        size = float(np.linalg.norm(gradient) * np.linalg.norm(v)) + abs(measured) + 1e-6
        if not np.isfinite([measured, given]).all():
            return True, given, measured, "Differences are not finite here, and say nothing."
        if abs(measured - given) > TOLERANCE * size:
            kink = abs((ahead - here) - (here - behind)) / h
            if kink > TOLERANCE * size:
                return True, given, measured, "The function has a kink here, where differences say nothing."
            return False, given, measured, ""
        worst = (True, given, measured, worst[3])
    return worst


def _line(node: Node) -> tuple[str, int] | None:
    if notes.journal is None:
        return None
    number = notes.journal.known(node.out[0] if node.op.multi else node.out)
    event = None if number is None else notes.journal.events.get(number)
    return None if event is None else event.location


def _described(node: Node) -> str:
    return (
        "this @tf.custom_gradient function" if node.op.name == "WithGradient" else function_of(node.op.name)
    )


class Replay:
    """A recorded program as a function, in float64."""

    def __init__(self, recording: Recording) -> None:
        self.nodes = [Node._make(node) for node in recording.nodes]
        self.values: dict[Ghost, Any] = {v._ghost: _wide(v._data) for v in recording.variables.values()}

    def __call__(self, given: dict[Ghost, Any], target: Ghost, first: int = 0) -> Any:
        """The value of ``target`` if the tensors ``given`` have these values."""
        values = {**self.values, **given}
        for node in self.nodes[first:]:
            if (
                not any(key in values for key in node.keys if key is not None)
                and node.op.name != "ReadVariableOp"
            ):
                continue
            outs = node.out if node.op.multi else (node.out,)
            if node.op.stateful:
                results: Any = node.y
            else:
                inputs = [_input(values, key, x) for key, x in zip(node.keys, node.xs, strict=True)]
                with _holding(node.xs, inputs):
                    results = node.op.run(inputs, _params(node.params))
            results = results if node.op.multi else (results,)
            values.update((out, _wide(r)) for out, r in zip(outs, results, strict=True) if out not in given)
        return values[target] if target in values else self._recorded(target)

    def _recorded(self, target: Ghost) -> Any:
        for node in self.nodes:
            if node.out is target:
                return _wide(node.y)
        return np.zeros(target.shape)

    def wrong(self, source: Ghost) -> Node | None:
        """The operation whose rule does not agree with its differences; the user's own come first."""
        reached: set[Any] = {source}
        nodes = []
        for node in self.nodes:
            if not reached.isdisjoint(node.keys):
                reached.update(node.out if node.op.multi else (node.out,))
                nodes.append(node)
        for node in sorted(nodes, key=lambda node: node.op.name != "WithGradient"):
            if not self._agrees(node):
                return node
        return None

    def _agrees(self, node: Node) -> bool:
        n = len(node.out) if node.op.name == "WithGradient" else 0
        rng = np.random.default_rng(7)
        y = node.y if node.op.multi else (node.y,)
        g = [EagerTensor(rng.standard_normal(np.shape(part._data)).astype(part._data.dtype)) for part in y]
        wanted = [i >= n and key is not None for i, key in enumerate(node.keys)]
        xs = [EagerTensor(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in node.xs]
        found = vjp(node.op, wanted, tuple(g) if node.op.multi else g[0], node.y, xs, node.params)
        for i, ct in enumerate(found):
            key, x = node.keys[i], node.xs[i]
            if not wanted[i] or not isinstance(x, EagerTensor) or x._data.dtype.kind != "f":
                continue
            gradient = np.zeros(x._data.shape) if ct is None else np.asarray(dense(ct)._data, _FLOATS)
            if gradient.shape != tuple(x.shape):  # the sweep sums it
                continue

            def f(value: Any, i: int = i, key: Any = key) -> float:
                if n:
                    outs = [self({key: value}, out) for out in node.keys[:n] if out is not None]
                else:
                    inputs = [value if j == i else _wide(x) for j, x in enumerate(node.xs)]
                    outs = node.op.run(inputs, _params(node.params))
                    outs = outs if node.op.multi else (outs,)
                return sum(float(np.sum(out * part._data)) for out, part in zip(outs, g, strict=False))

            if not compared(f, np.asarray(x._data, _FLOATS), gradient)[0]:
                return False
        return True


@contextmanager
def _holding(xs: Sequence[Any], values: Sequence[Any]) -> Iterator[None]:
    """Gives variables other values for a while: the body of a function reads them itself."""
    variables = [(x, x._data, value) for x, value in zip(xs, values, strict=True) if isinstance(x, Variable)]
    try:
        for variable, _, value in variables:
            variable._data = value
        yield
    finally:
        for variable, old, _ in variables:
            variable._data = old


def _input(values: dict[Ghost, Any], key: Any, x: Any) -> Any:
    return values[key] if key is not None and key in values else _wide(x)


def _wide(x: Any) -> Any:
    x = getattr(x, "_data", x)
    if isinstance(x, (np.ndarray, np.generic)) and (x.dtype.kind == "f" or x.dtype.char == "E"):
        return np.asarray(x, _FLOATS)
    return x


def _params(params: dict[str, Any]) -> dict[str, Any]:
    """A cast to another floating dtype stays in float64."""
    dtype = params.get("dtype")
    return {**params, "dtype": _FLOATS} if isinstance(dtype, np.dtype) and dtype.kind == "f" else params
