"""Forward mode: the tangent of an operation's output from the tangents of its inputs, and the walk over a recording.

A recording holds all that is needed to sweep it forwards as well as backwards: ``Path.push``. Few operations need a
rule of their own. One that is linear is its own derivative; one that is elementwise has a diagonal Jacobian, which its
vjp already knows; and any other can transpose its vjp, which is linear in the cotangent, by sweeping it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import prod
from operator import add
from typing import Any

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import Absorbing, sweep, vjp
from gradtape._src.core.context import current, under
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of, shape_of
from gradtape._src.graph.ir import SymbolGhost
from gradtape._src.ops.arrays import broadcast_like, sum_to, zeros_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import is_sequence, zero_like


def jvp(op: Op, ts: Sequence[Any], y: Any, xs: Sequence[Any], params: dict[str, Any]) -> Any:
    """The output's tangent (a tuple for several outputs); None if no tangent reaches it.

    Args:
      ts: the inputs' tangents, None for zero.
      y, xs: the output and the inputs; a Ghost may stand for data that the operation's rules do not read.
    """
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
    pairs = zip(cts, ts, strict=False)
    seeds = {ghost_of(ct): box(t) for ct, t in pairs if isinstance(ct, Tensor) and t is not None}
    if not seeds:
        return None
    found = sweep(recording, seeds, [ghost_of(part) for part in gs])
    found = [
        zero_like(part) if t is None else dense(t)._data if raw else dense(t) for t, part in zip(found, own)
    ]
    return tuple(found) if op.multi else found[0]


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
        outs = [ghost for op, _, _, out, _, _ in self.nodes for ghost in (out if op.multi else (out,))]
        shapes = [ghost.shape for ghost in (*sources, *targets, *outs) if is_known(ghost.shape)]
        self.largest = max(map(prod, shapes), default=0)

    def push(self, tangents: Mapping[Ghost, Any]) -> list[Any]:
        """The tangents of the targets from those of the sources; None for one that nothing reaches."""
        moving = dict(tangents)
        interpreter = current().interpreter
        symbolic = interpreter is not None and interpreter.symbolic
        for (op, keys, params, out, xs, y), last in zip(self.nodes, self._last, strict=True):
            ts = [moving.get(key) if key is not None else None for key in keys]
            if symbolic:  # a rule that makes zeros of a shape has to say whose shape it is
                xs, y = tuple(map(_symbol, xs)), tuple(map(_symbol, y)) if op.multi else _symbol(y)
            t = jvp(op, ts, y, xs, params)
            for key in last:
                moving.pop(key, None)
            if t is None:
                continue
            parts = zip(out, t, strict=False) if op.multi else ((out, t),)
            moving.update(
                (ghost, part) for ghost, part in parts if part is not None and ghost not in tangents
            )
        return [moving.get(target) for target in self.targets]

    def pushed(self, tangents: Mapping[Ghost, Any]) -> list[Any]:
        """As ``push``, in the graph that is being built: in absorbing arithmetic, since there may come a NaN."""
        interpreter, recorders = current()
        with under(Absorbing(interpreter), recorders):
            return self.push(tangents)


def _symbol(value: Any) -> Any:
    return value.stands_for if isinstance(value, SymbolGhost) else value
