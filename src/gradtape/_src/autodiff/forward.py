"""Forward mode: the tangent of an operation's output from the tangents of its inputs, and the walk over a recording.

A recording holds all that is needed to sweep it forwards as well as backwards: ``Path.push``. Few operations need a
rule of their own. One that is linear is its own derivative; one that is elementwise has a diagonal Jacobian, which its
vjp already knows; and any other can transpose its vjp, which is linear in the cotangent, by sweeping it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from math import prod
from operator import add
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import Absorbing, raw_of, sweep, vjp
from gradtape._src.autodiff.vanishing import Carrying, carrying_nodes
from gradtape._src.core.context import current, current_interpreter, under
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of, shape_of
from gradtape._src.graph.ir import Symbol, SymbolGhost
from gradtape._src.graph.plan import needed
from gradtape._src.ops.arrays import broadcast_like, sum_to, zeros_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import is_sequence, zero_like


def jvp(op: Op, ts: Sequence[Any], y: Any, xs: Sequence[Any], params: dict[str, Any]) -> Any:
    """The output's tangent (a tuple for several outputs); None if no tangent reaches it.

    Args:
      ts: the inputs' tangents, None for zero.
      y, xs: the output and the inputs; a Ghost may stand for data that the operation's rules do not read.
    """
    found = _tangents(op, ts, y, xs, params)
    return tuple([part() if callable(part) else part for part in found]) if type(found) is tuple else found


def _tangents(op: Op, ts: Sequence[Any], y: Any, xs: Sequence[Any], params: dict[str, Any]) -> Any:
    """As ``jvp``; of several outputs a tangent may be a function still that gives it."""
    if isinstance(op, Carrying):
        found = _tangents(op.op, ts, y, xs, params)
        return zero_like(y) if found is None and any(ts[i] is not None for i in op.vanishing) else found
    moving = [i for i, t in enumerate(ts) if t is not None]
    if op.jvp is not None:
        return op.jvp(ts, y, *xs, **params) if moving else None
    if not op.differentiable or not moving:
        return None
    if (
        op.linear is not None
        and set(moving) <= set(op.linear)
        and not any(type(x) is Ghost for i, x in enumerate(xs) if i not in op.linear)
    ):
        zero = [zeros_like(x) if i in op.linear and ts[i] is None else x for i, x in enumerate(xs)]
        return op(*[x if t is None else t for t, x in zip(ts, zero, strict=True)], **params)
    if op.multilinear is not None and set(moving) <= set(op.multilinear):
        return reduce(add, [op(*xs[:i], ts[i], *xs[i + 1 :], **params) for i in moving])
    if op.elementwise and op.vjps is not None:
        parts = [op.vjps[i](ts[i], y, *xs, **params) for i in moving if op.vjps[i] is not None]
        total = reduce(add, parts) if parts else None
        return total if total is None or shape_of(total) == shape_of(y) else broadcast_like(total, y)
    return _transposed(op, ts, y, xs, params)


def has_forward_rule(op: Op) -> bool:
    """Whether the tangent of an operation costs about as much as its cotangents."""
    diagonal = op.elementwise and op.vjps is not None
    return op.jvp is not None or op.linear is not None or op.multilinear is not None or diagonal


class NoTangent(LookupError):
    """An operation has no forward rule, and the gradient that could be transposed is not differentiable itself."""


def _transposed(op: Op, ts: Sequence[Any], y: Any, xs: Sequence[Any], params: dict[str, Any]) -> Any:
    """J t as the derivative of g -> g^T J, which is linear, in the direction t.

    Of an operation with outputs for the sake of its gradient (the call of a function) these have no tangents.
    """
    raw = not any(isinstance(value, Tensor) for value in [*ts, *xs])
    box: Any = EagerTensor if raw else lambda x: x if isinstance(x, Tensor) else EagerTensor(x)
    own = y[: getattr(op, "n_results", len(y))] if op.multi else (y,)
    gs = [box(zero_like(part)) for part in own]
    g = (*gs, *[None] * (len(y) - len(gs))) if op.multi else gs[0]
    recording = Recording()
    for part in gs:
        recording.follow(ghost_of(part))
    interpreter, recorders = current()
    with under(interpreter, (*recorders, recording)):
        cts = vjp(op, [t is not None for t in ts], g, y, xs, params)
        cts = [
            ct if ct is None or is_sequence(x) else sum_to(dense(ct), x)
            for ct, x in zip(cts, xs, strict=False)
        ]
    pairs = [(ct, t) for ct, t in zip(cts, ts, strict=False) if isinstance(ct, Tensor) and t is not None]
    live = recording.leading_from(map(ghost_of, gs))
    lost = [ct for ct, _ in pairs if ghost_of(ct) not in live and not is_sequence(ct)]
    again = lambda: vjp(op, [t is not None for t in ts], _random(g), y, xs, params)
    if lost and (_lead_to(lost, gs) if isinstance(lost[0], Symbol) else any(map(_is_something, again()))):
        raise NoTangent(
            f"The gradient of {op.name} is computed by operations that have no gradient themselves, so that it cannot "
            "be taken forwards. Take a gradient, or a Jacobian with mode='reverse'."
        )
    seeds = {ghost_of(ct): box(t) for ct, t in pairs}
    if not seeds:
        return None
    found = sweep(recording, seeds, [ghost_of(part) for part in gs])
    found = [
        zero_like(part) if t is None else dense(t)._data if raw else dense(t) for t, part in zip(found, own)
    ]
    return tuple(found) if op.multi else found[0]


def _lead_to(fetches: Sequence[Any], gs: Sequence[Any]) -> bool:
    """Whether symbols are computed from others, in whatever way."""
    read = {s._ghost for op in needed(fetches, [], fetches[0].graph.operations) for s in op.inputs}
    return not read.isdisjoint(map(ghost_of, gs))


def _random(g: Any) -> Any:
    """A cotangent, or several, that a linear map is not likely to take to zero."""
    if isinstance(g, tuple):
        return tuple([None if part is None else _random(part) for part in g])
    return EagerTensor(np.random.default_rng(0).uniform(1, 2, g._ghost.shape).astype(g._ghost.dtype))


def _is_something(ct: Any) -> bool:
    ct = raw_of(dense(ct)) if ct is not None else 0
    return bool(np.any(getattr(ct, "value", ct)))


class Path:
    """The nodes of a recording between some sources and some targets.

    Attributes:
      nodes: those that are computed from a source and lead to a target, in order of creation.
      connected: whether there is a way from a source to a target.
      largest: the number of elements of the largest tensor on the way, of those whose shapes are known.
    """

    def __init__(self, recording: Recording, sources: Sequence[Ghost], targets: Sequence[Ghost]) -> None:
        live = set(recording.leading_from(sources))
        needed: set[Ghost | None] = set(targets)
        self.targets = targets
        self.connected = not needed.isdisjoint(live)
        self.nodes: list[Node] = []
        self._last: list[list[Ghost]] = []  # of each node: whose tangents nobody reads after it
        read: set[Ghost | None] = set(targets)
        for node in reversed(recording.nodes):
            op, keys, _, out, _, _ = node
            if (needed.isdisjoint(out) if op.multi else out not in needed) or live.isdisjoint(keys):
                continue
            self.nodes.append(node)
            last = {key for key in keys if key in live} - read
            read |= last
            self._last.append([key for key in last if key is not None])
            needed.update(key for key in keys if key in live)
        self.nodes.reverse()
        self._last.reverse()
        self._live = live
        self._read = read
        shapes = [ghost.shape for ghost in {*sources, *targets, *read} if ghost and is_known(ghost.shape)]
        self.largest = max(map(prod, shapes), default=0)

    @cached_property
    def carrying(self) -> list[Node] | None:
        """The nodes with zeros for derivatives that vanish; None if none does."""
        return carrying_nodes(self.nodes, self._live)

    def push(self, tangents: Mapping[Ghost, Any]) -> list[Any]:
        """The tangents of the targets from those of the sources; None for one that nothing reaches."""
        found = self._pushed(self.nodes, tangents)
        if all(t is not None for t in found) or self.carrying is None:
            return found
        zeros = self._pushed(self.carrying, tangents)
        return [zero if t is None else t for t, zero in zip(found, zeros, strict=True)]

    def _pushed(self, nodes: Sequence[Node], tangents: Mapping[Ghost, Any]) -> list[Any]:
        moving = dict(tangents)
        interpreter = current_interpreter()
        symbolic = interpreter is not None and interpreter.symbolic
        for (op, keys, params, out, xs, y), last in zip(nodes, self._last, strict=True):
            ts = [moving.get(key) if key is not None else None for key in keys]
            if symbolic:  # a rule that makes zeros of a shape has to say whose shape it is
                xs, y = tuple(map(_symbol, xs)), tuple(map(_symbol, y)) if op.multi else _symbol(y)
            t = _tangents(op, ts, y, xs, params)
            for key in last:
                moving.pop(key, None)
            if t is None:
                continue
            for ghost, part in zip(out, t, strict=False) if op.multi else ((out, t),):
                if part is not None and ghost in self._read and ghost not in tangents:
                    moving[ghost] = part() if callable(part) else part  # type: ignore[index]
        return [moving.get(target) for target in self.targets]

    def pushed(self, tangents: Mapping[Ghost, Any]) -> list[Any]:
        """As ``push``, in the graph that is being built: in absorbing arithmetic, since there may come a NaN."""
        interpreter, recorders = current()
        with under(Absorbing(interpreter), recorders):
            return self.push(tangents)


def _symbol(value: Any) -> Any:
    return value.stands_for if isinstance(value, SymbolGhost) else value
