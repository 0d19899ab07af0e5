"""A recorded program as a function in float64, and the search for the operation whose rule is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.autodiff.graph_gradients import recorded
from gradtape._src.autodiff.recording import Node
from gradtape._src.autodiff.sweep import vjp
from gradtape._src.core import notes
from gradtape._src.core.values import EagerTensor, Ghost
from gradtape._src.function.body import Call
from gradtape._src.graph.ir import Symbol, SymbolGhost
from gradtape._src.graph.plan import Plan
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.variables import Variable

TOLERANCE = 1e-3  # of gradients in float32
_STEP = 1e-5
_FLOATS = np.dtype(np.float64)
_STOPS = ("StopGradient", "PreventGradient")


class CannotReplay(Exception):
    """The program cannot be executed again: its text says why."""


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


def parts_of(node: Any) -> list[Any]:
    """The bodies that an operation executes: of a call, a loop, a conditional."""
    called = [node.op.body] if isinstance(node.op, Call) else []
    values = [v for value in node.params.values() for v in (value if isinstance(value, tuple) else (value,))]
    return called + [value for value in values if hasattr(value, "operations")]


def check_replayable(node: Any) -> None:
    """Raises CannotReplay for an operation that does something else the second time, or stops gradients inside."""
    if node.op.stateful and node.op.name != "ReadVariableOp":
        raise CannotReplay(f"Not checked: {node.op.name} may do something else when it is executed again.")
    for part in parts_of(node):
        for inner in part.operations:
            if inner.op.name in _STOPS and not isinstance(node.op, Call):
                raise CannotReplay("Not checked: a gradient is stopped inside of a loop or a branch.")
            check_replayable(inner)


def expanded(nodes: Sequence[Any]) -> list[Node]:
    """The nodes of a program, with those of the functions that it calls in the place of calls.

    What differences say of a whole call is the derivative also where the function stops gradients.
    """
    found = []
    for node in map(Node._make, nodes):
        check_replayable(node)
        found += _inside(node) if isinstance(node.op, Call) else [node]
    return found


def _inside(node: Node) -> list[Node]:
    """A call as the nodes of its body. Their keys are pairs, because a function may be called twice."""
    body, call = node.op.body, node.out  # type: ignore[attr-defined]
    symbols = list({s._ghost: s for op in body.operations for s in op.outputs}.values())
    arguments = [getattr(x, "_data", x) if isinstance(x, EagerTensor) else x for x in node.xs]
    results = Plan(symbols, body.inputs, body.operations)(*arguments)
    values = dict(zip((s._ghost for s in symbols), results, strict=True))
    outside = {x._ghost: key for x, key in zip(body.inputs, node.keys, strict=True)}
    values.update((x._ghost, arg) for x, arg in zip(body.inputs, arguments, strict=True))

    def key_of(ghost: Any) -> Any:
        return None if ghost is None else outside[ghost] if ghost in outside else (call, ghost)

    def value_of(x: Any) -> Any:
        return as_tensor(values[x._ghost]) if isinstance(x, Symbol) else x

    followed = [x._ghost for x, key in zip(body.inputs, node.keys, strict=True) if key is not None]
    inner = [
        Node(
            op,
            tuple(map(key_of, keys)),
            all_used(op, params, y),
            tuple(map(key_of, out)) if op.multi else key_of(out),
            tuple(map(value_of, xs)),
            tuple(map(value_of, y)) if op.multi else value_of(y),
        )
        for op, keys, params, out, xs, y in recorded(body.operations, followed).nodes
    ]
    outputs = [
        Node(identity, (key_of(inside._ghost),), {}, ghost, (value_of(inside),), value_of(inside))
        for inside, ghost in zip(body.outputs, node.out, strict=True)
        if isinstance(inside, Symbol)
    ]
    return expanded(inner) + outputs


def as_tensor(value: Any) -> Any:
    """An array as a tensor; a sequence of a loop as it is."""
    return EagerTensor(value) if isinstance(value, (np.ndarray, np.generic)) else value


def all_used(op: Any, params: dict[str, Any], y: Any) -> dict[str, Any]:
    """The parameters with which an operation computes all its outputs."""
    return {**params, "used": [True] * len(y)} if op.lazy else params


class Replay:
    """``replay(given, target)``: the value of a tensor if others have given values.

    Args:
      nodes: the program, with all numbers.
      values: of what it begins with: variables.
    """

    def __init__(self, nodes: Sequence[Any], values: Mapping[Ghost, Any]) -> None:
        self.nodes = expanded(nodes)
        self.values = {ghost: wide(value) for ghost, value in values.items()}

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
            inputs = [_input(values, key, x) for key, x in zip(node.keys, node.xs, strict=True)]
            with _holding(node.xs, inputs):
                results: Any = node.op.run(inputs, _params(node.params))
            results = results if node.op.multi else (results,)
            values.update((out, wide(r)) for out, r in zip(outs, results, strict=True) if out not in given)
        return values[target] if target in values else self._recorded(target)

    def _recorded(self, target: Ghost) -> Any:
        for node in self.nodes:
            if node.out is target:
                return wide(node.y)
        return np.zeros(target.shape)

    def wrong(self, source: Ghost) -> Node | None:
        """The operation whose rule does not agree with its differences; the user's own come first."""
        reached: set[Any] = {source}
        nodes = []
        for node in self.nodes:
            if not reached.isdisjoint(node.keys):
                reached.update(node.out if node.op.multi else (node.out,))
                nodes.append(node)
        suspects = [node for node in nodes if rules_in(node)]
        for node in [*suspects, *(node for node in nodes if not parts_of(node))]:
            try:
                if not self._agrees(node):
                    return node
            except Exception:
                continue
        return suspects[0] if suspects else None

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
                    inputs = [value if j == i else wide(x) for j, x in enumerate(node.xs)]
                    outs = node.op.run(inputs, _params(node.params))
                    outs = outs if node.op.multi else (outs,)
                return sum(float(np.sum(out * part._data)) for out, part in zip(outs, g, strict=False))

            if not compared(f, np.asarray(x._data, _FLOATS), gradient)[0]:
                return False
        return True


def line_of(node: Node) -> tuple[str, int] | None:
    """Where an operation was executed, or made: of a loop, where the gradient function in it is called."""
    inside = [op for part in parts_of(node) for op in part.operations]
    rules = [rule for op in inside for rule in rules_in(op)]
    if rules:
        return rules[0].location
    out = node.out[0] if type(node.out) is tuple and node.op.multi else node.out
    ghost = out[1] if isinstance(out, tuple) else out  # of a call
    if isinstance(ghost, SymbolGhost):
        return ghost.stands_for.op.location
    if notes.journal is None:
        return None
    number = notes.journal.known(ghost)
    event = None if number is None else notes.journal.events.get(number)
    return None if event is None else event.location


def rules_in(node: Any) -> list[Any]:
    """The operations with gradients of the user's own: this one, or those in a loop or a branch."""
    if node.op.name == "WithGradient" or hasattr(node.op.vjp_all, "registered"):
        return [node]
    return [rule for part in parts_of(node) for op in part.operations for rule in rules_in(op)]


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
    return values[key] if key is not None and key in values else wide(x)


def wide(x: Any) -> Any:
    x = getattr(x, "_data", x)
    if isinstance(x, (np.ndarray, np.generic)) and (x.dtype.kind == "f" or x.dtype.char == "E"):
        return np.asarray(x, _FLOATS)
    return x


def _params(params: dict[str, Any]) -> dict[str, Any]:
    """A cast to another floating dtype stays in float64."""
    dtype = params.get("dtype")
    return {**params, "dtype": _FLOATS} if isinstance(dtype, np.dtype) and dtype.kind == "f" else params
