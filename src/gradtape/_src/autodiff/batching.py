"""Many applications of an operation at once, along a new leading axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import reshape, stack


def batched(op: Op, n: int, xs: Sequence[Any], has_axis: Sequence[bool], params: dict[str, Any]) -> Any:
    """``stack([op(*one) for one in ...])``: where ``has_axis[i]``, ``xs[i]`` has a leading axis of length n."""
    if op.batch is not None:
        out = op.batch(n, xs, has_axis, **params)
        if out is not NotImplemented:  # the rule is for other arguments than these
            return out
    elif op.elementwise:
        return op(*aligned(n, xs, has_axis), **params)
    many = [
        op(*[x[i] if has else x for x, has in zip(xs, has_axis, strict=True)], **params) for i in range(n)
    ]
    return tuple(map(stack, zip(*many, strict=True))) if op.multi else stack(many)


def aligned(n: int, xs: Sequence[Any], has_axis: Sequence[bool]) -> list[Any]:
    """The arguments with ones put in their shapes, so that they broadcast behind the leading axis."""
    rank = max(len(shape_of(x)) - has for x, has in zip(xs, has_axis, strict=True))
    return [
        reshape(x, (n, *(1,) * (rank - len(shape_of(x)) + 1), *shape_of(x)[1:])) if has else x
        for x, has in zip(xs, has_axis, strict=True)
    ]
