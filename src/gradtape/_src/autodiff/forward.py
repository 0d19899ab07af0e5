"""Forward mode: the tangent of an operation's output from the tangents of its inputs.

Few operations need a rule of their own. One that is linear is its own derivative; one that is elementwise has a
diagonal Jacobian, which its vjp already knows; and any other can transpose its vjp, which is linear in the
cotangent, by sweeping it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.sweep import sweep, vjp
from gradtape._src.core.context import current, under
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Tensor, ghost_of, shape_of
from gradtape._src.ops.arrays import broadcast_like, sum_to, zeros_like
from gradtape._src.ops.indexed_slices import dense


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
    if op.linear is not None and set(moving) <= set(op.linear):
        zero = [zeros_like(x) if i in op.linear and ts[i] is None else x for i, x in enumerate(xs)]
        return op(*[x if t is None else t for t, x in zip(ts, zero, strict=True)], **params)
    if op.multilinear is not None and set(moving) <= set(op.multilinear):
        return reduce(add, [op(*xs[:i], ts[i], *xs[i + 1 :], **params) for i in moving])
    if op.elementwise and op.vjps is not None:
        parts = [op.vjps[i](ts[i], y, *xs, **params) for i in moving if op.vjps[i] is not None]
        total = reduce(add, parts) if parts else None
        return total if total is None or shape_of(total) == shape_of(y) else broadcast_like(total, y)
    return _transposed(op, ts, y, xs, params)


def _transposed(op: Op, ts: Sequence[Any], y: Any, xs: Sequence[Any], params: dict[str, Any]) -> Any:
    """J t as the derivative of g -> g^T J, which is linear, in the direction t."""
    raw = not any(isinstance(value, Tensor) for value in [*ts, *xs])
    box: Any = EagerTensor if raw else lambda x: x if isinstance(x, Tensor) else EagerTensor(x)
    g = tuple(box(zeros_like(part)) for part in y) if op.multi else box(zeros_like(y))
    recording = Recording()
    for part in g if op.multi else (g,):
        recording.follow(ghost_of(part))
    interpreter, recorders = current()
    with under(interpreter, (*recorders, recording)):
        cts = vjp(op, [t is not None for t in ts], g, y, xs, params)
        cts = [None if ct is None else sum_to(dense(ct), x) for ct, x in zip(cts, xs, strict=False)]
    seeds = {ghost_of(ct): box(t) for ct, t in zip(cts, ts, strict=False) if isinstance(ct, Tensor)}
    found = sweep(recording, seeds, [ghost_of(part) for part in (g if op.multi else (g,))])
    found = [
        zeros_like(part) if t is None else t._data if raw else t
        for t, part in zip(found, y if op.multi else (y,))
    ]
    return tuple(found) if op.multi else found[0]
