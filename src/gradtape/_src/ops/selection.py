"""Choosing by a condition: ``where``, ``boolean_mask``, ``one_hot``."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import like_with_axis, reshape, with_axis, zeros_array
from gradtape._src.ops.rows import data_of


def _select(condition: Any, x: Any, y: Any) -> Any:
    try:
        return np.where(condition, x, y)
    except ValueError:
        c, a, b = map(in_brackets, map(np.shape, (condition, x, y)))
        raise InvalidArgumentError.of(
            f"condition {c}, then {a}, and else {b} must be broadcastable [Op:SelectV2]"
        ) from None


def _nothing(g: Any) -> Any:
    return np.zeros((), dtype_of(g))


select = Op(
    "SelectV2",
    _select,
    vjp=(
        None,
        lambda g, out, condition, x, y: select(condition, g, _nothing(g)),
        lambda g, out, condition, x, y: select(condition, _nothing(g), g),
    ),
    reads="condition",
    elementwise=True,
    linear=(1, 2),
    dtype=lambda condition, x, y: dtype_of(x),
    holomorphic=False,
)
"""x where the condition holds, y elsewhere; all three broadcast. A cotangent goes to the chosen side only."""


def _where(condition: Any) -> Any:
    if condition.ndim == 0:
        raise InvalidArgumentError.of("WhereOp : Unhandled input dimensions: 0 [Op:Where]")
    return np.argwhere(condition).astype(np.int64, copy=False)


def _where_shape(condition: Any) -> Any:
    shape, known = shape_of(condition), data_of(condition)
    return None if shape is None else (None if known is None else np.count_nonzero(known), len(shape))


where = Op(
    "Where",
    _where,
    shape=_where_shape,
    dtype=np.int64,
    accepts="float int complex bool",
)
"""The index vectors of what is not zero, in row-major order."""


# --- boolean_mask -------------------------------------------------------------------------------------------


def _masked(mask: Any, axis: int) -> tuple[Any, ...]:
    return (*[slice(None)] * axis, mask if mask.dtype == bool else mask != 0)


def _boolean_mask_grad(g: Any, mask: Any, like: Any, axis: int = 0) -> Any:
    out = zeros_array(like.shape, g.dtype)
    out[_masked(mask, axis)] = g
    return out


def _boolean_mask_shape(x: Any, mask: Any, axis: int = 0) -> Any:
    shape, rank, known = shape_of(x), shape_of(mask), data_of(mask)
    if shape is None or rank is None:
        return None
    n = None if known is None else np.count_nonzero(known)
    return (*shape[:axis], n, *shape[axis + len(rank) :])


def _boolean_mask_batch(n: int, xs: Any, batched: Any, axis: int = 0) -> Any:
    if batched[1]:  # only if all masks hold equally often does it fit into one array
        return NotImplemented
    return boolean_mask(*xs, axis=axis + 1)


def _boolean_mask_grad_batch(n: int, xs: Any, batched: Any, axis: int = 0) -> Any:
    if batched[1]:
        return NotImplemented
    (g,) = with_axis(n, xs[:1], batched[:1])
    return boolean_mask_grad(g, xs[1], like_with_axis(n, xs[2], batched[2]), axis=axis + 1)


boolean_mask = Op(
    "BooleanMask",
    lambda x, mask, axis=0: x[_masked(mask, axis)],
    vjp=(lambda g, y, x, mask, axis=0: boolean_mask_grad(g, mask, x, axis=axis), None),
    reads="mask",
    linear=(0,),
    batch=_boolean_mask_batch,
    shape=_boolean_mask_shape,
    holomorphic=False,
)
"""The slices of x for which the mask holds; the mask's axes are those of x from ``axis`` on."""

boolean_mask_grad = Op(
    "BooleanMaskGrad",
    _boolean_mask_grad,
    vjp=(lambda h, y, g, mask, like, axis=0: boolean_mask(h, mask, axis=axis), None, None),
    reads="mask",
    linear=(0,),
    batch=_boolean_mask_grad_batch,
    shape=lambda g, mask, like, axis=0: shape_of(like),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with the slices of g where the mask holds."""


# --- one_hot ------------------------------------------------------------------------------------------------


def _one_hot(indices: Any, depth: Any, on: Any, off: Any, axis: int = -1) -> Any:
    depth = _depth(depth)
    if not -1 <= axis <= indices.ndim:
        raise InvalidArgumentError.of(
            f"Expected axis to be -1 or between [0, {indices.ndim + 1}).  But received: {axis} [Op:OneHot]"
        )
    for value, name in (on, "on_value"), (off, "off_value"):
        if value.ndim:
            raise InvalidArgumentError.of(
                f"{name} must be a scalar, but got: {in_brackets(value.shape)} [Op:OneHot]"
            )
    flat = indices.reshape(-1)
    inside = (flat >= 0) & (flat < depth)
    out = (
        np.full((flat.size, depth), off, off.dtype)
        if off.dtype == object or off
        else zeros_array((flat.size, depth), on.dtype)
    )
    out[np.flatnonzero(inside), flat[inside]] = on
    out = out.reshape(*indices.shape, depth)
    return out if axis in (-1, indices.ndim) else np.moveaxis(out, -1, axis)


def _depth(depth: Any) -> int:
    if np.ndim(depth):
        raise InvalidArgumentError.of(
            f"depth must be a scalar, but got: {in_brackets(np.shape(depth))} [Op:OneHot]"
        )
    depth = int(depth)
    if depth < 0:
        raise InvalidArgumentError.of(f"depth must be non-negative, got: {depth} [Op:OneHot]")
    return depth


def _one_hot_shape(indices: Any, depth: Any, on: Any, off: Any, axis: int = -1) -> Any:
    shape = shape_of(indices)
    if shape is None:
        return None
    depth = depth if type(depth) is int else data_of(depth)
    depth = None if depth is None else int(depth)
    at = len(shape) if axis == -1 else axis
    return (*shape[:at], depth, *shape[at:])


def _one_hot_batch(n: int, xs: Any, batched: Any, axis: int = -1) -> Any:
    indices, depth, on, off = xs
    if batched[1]:
        return NotImplemented
    axis = axis + 1 if batched[0] and axis != -1 else axis
    if not batched[2] and not batched[3]:
        return one_hot(indices, depth, on, off, axis=axis)
    hot = one_hot(indices, depth, np.True_, np.False_, axis=axis)
    rank = len(shape_of(hot)) - batched[0]
    on, off = [
        reshape(x, (n, *(1,) * rank)) if has else x for x, has in ((on, batched[2]), (off, batched[3]))
    ]
    return select(hot, on, off)


def _one_hot_vjp(on: int, off: int) -> Any:
    def rule(g: Any, y: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, axis: int = -1) -> Any:
        dtype = dtype_of(g)
        return g * one_hot(indices, depth, np.asarray(on, dtype), np.asarray(off, dtype), axis=axis)

    return rule


one_hot = Op(
    "OneHot",
    _one_hot,
    vjp=(None, None, _one_hot_vjp(1, 0), _one_hot_vjp(0, 1)),
    reads="indices depth",
    linear=(2, 3),
    batch=_one_hot_batch,
    shape=_one_hot_shape,
    dtype=lambda indices, depth, on, off, axis=-1: dtype_of(on),
    holomorphic=False,
)
"""``on`` where the position along ``axis`` is the index, ``off`` elsewhere; the axis has length ``depth``."""


# --- sequence_mask ------------------------------------------------------------------------------------------


def _sequence_mask(lengths: Any, *maxlen: Any, dtype: np.dtype) -> Any:
    n = int(maxlen[0]) if maxlen else max(int(lengths.max()), 0) if lengths.size else 0
    return (np.arange(n) < lengths[..., None]).astype(dtype)


def _sequence_mask_shape(lengths: Any, *maxlen: Any, dtype: np.dtype) -> Any:
    shape = shape_of(lengths)
    if shape is None:
        return None
    known = data_of(maxlen[0] if maxlen else lengths)
    return (*shape, None if known is None else max(int(known.max(initial=0)), 0))


sequence_mask = Op(
    "SequenceMask",
    _sequence_mask,
    shape=_sequence_mask_shape,
    dtype=lambda lengths, *maxlen, dtype: dtype,
    batch=lambda n, xs, batched, dtype: (
        sequence_mask(*xs, dtype=dtype) if len(xs) == 2 and not batched[1] else NotImplemented
    ),
)
"""Along a new last axis, 1 in the first ``lengths`` places; its length is given, or the longest length."""

absent = Op(
    "Absent",
    lambda x, others: ~np.isin(x, others),
    shape=lambda x, others: shape_of(x),
    dtype=np.bool_,
)
"""Whether an element of x is none of the others."""
