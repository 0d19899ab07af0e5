"""The shape of an array as a value in a program: for graphs, where it may not be known while one is built.

The public functions answer at once where a shape is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, broadcast, compatible, in_brackets, merge, size_of
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import lead, one_of, rank_of, reshape, static
from gradtape._src.ops.reordering import transpose


def _of_one(measure: Callable[..., Any]) -> Callable[..., Any]:
    """Batch rule: all arrays of a batch have one shape."""
    return lambda n, xs, batched, out_type: lead(measure(one_of(xs[0]), out_type=out_type), n=n)


shape = Op(
    "Shape",
    lambda x, out_type: np.array(x.shape, out_type),
    batch=_of_one(lambda x, out_type: shape(x, out_type=out_type)),
    shape=lambda x, out_type: (None if shape_of(x) is None else rank_of(x),),
    dtype=lambda x, out_type: out_type,
)
size = Op(
    "Size",
    lambda x, out_type: np.array(prod(x.shape), out_type),
    batch=_of_one(lambda x, out_type: size(x, out_type=out_type)),
    shape=lambda x, out_type: (),
    dtype=lambda x, out_type: out_type,
)
rank = Op(
    "Rank",
    lambda x: np.array(x.ndim, np.int32),
    batch=lambda n, xs, batched: lead(rank(one_of(xs[0])), n=n),
    shape=lambda x: (),
    dtype=np.int32,
)


def _broadcast_args(a: Any, b: Any) -> Any:
    a, b = np.asarray(a), np.asarray(b)
    for i, one in enumerate((a, b)):
        if one.ndim != 1:
            shape = in_brackets(one.shape)
            raise InvalidArgumentError.of(f"In[{i}] must be a vector.{shape} [Op:BroadcastArgs]")
    try:
        return np.array(broadcast(tuple(a.tolist()), tuple(b.tolist())), a.dtype)
    except ValueError as error:
        raise InvalidArgumentError.of(f"{error} [Op:BroadcastArgs]") from None


def _broadcast_args_shape(a: Any, b: Any) -> Shape:
    lengths = [size_of(shape_of(x)) for x in (a, b)]
    return (None,) if None in lengths else (max(lengths),)  # type: ignore[type-var]


broadcast_args = Op(
    "BroadcastArgs", _broadcast_args, accepts="int", same_dtype=True, shape=_broadcast_args_shape
)


def _ensure_shape(x: Any, shape: Shape) -> Any:
    if not compatible(x.shape, shape):
        raise InvalidArgumentError.of(
            f"Shape of tensor input {in_brackets(x.shape)} is not compatible with expected shape "
            f"{in_brackets(shape)}. [Op:EnsureShape]"
        )
    return x


ensure_shape = Op(
    "EnsureShape",
    _ensure_shape,
    vjp=lambda g, y, x, shape: g,
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, shape: ensure_shape(xs[0], shape=None if shape is None else (n, *shape)),
    shape=lambda x, shape: merge(shape_of(x), shape),
)


def _unravel_index(indices: Any, dims: Any) -> Any:
    def refuse(why: str) -> InvalidArgumentError:
        return InvalidArgumentError.of(f"{why} [Op:UnravelIndex]")

    if indices.ndim > 1:
        raise refuse(f'The indices can only be scalar or vector, got "{in_brackets(indices.shape)}"')
    dims = np.asarray(dims, indices.dtype)
    for i, n in enumerate(dims.tolist()):
        if n == 0:
            raise refuse(f"Input dims cannot contain a dim of zero, but dims contains zero at index {i}")
    if np.any(indices >= prod(dims.tolist())) or np.any(indices < 0):
        raise refuse("index is out of bound as with dims")
    strides = np.array([prod(dims[i + 1 :].tolist()) for i in range(len(dims))], indices.dtype).reshape(-1, 1)
    out = indices.reshape(1, -1) // strides % dims.reshape(-1, 1)
    return out.reshape(len(dims), *indices.shape)


def _unravel_index_shape(indices: Any, dims: Any) -> Shape:
    have, n = shape_of(indices), static(dims)
    return None if have is None else (None if n is None else len(n), *have)


def _unravel_index_batch(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
    indices, dims = xs
    if batched[1]:
        return NotImplemented
    rows = reshape(unravel_index(reshape(indices, (-1,)), dims), (-1, n, *shape_of(indices)[1:]))
    return transpose(rows, (1, 0, *range(2, len(shape_of(indices)) + 1)))


unravel_index = Op(
    "UnravelIndex", _unravel_index, accepts="int", batch=_unravel_index_batch, shape=_unravel_index_shape
)
"""Positions in a flattened array of shape ``dims`` as one row of indices an axis."""
