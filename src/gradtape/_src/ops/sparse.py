"""Products of sparse matrices and dense ones, and sparse arrays made dense.

A sparse array is given by the indices of its elements, of shape (n, rank), their values, and its shape. The two
operations of matrices are each other's rules, so that they are differentiable to any order and no rule makes anything
dense:

    S b:        y[i] = sum over n with row n = i of values[n] * b[column n]
    dots(g, b): t[n] = sum over k of g[row n, k] * b[column n, k]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import lead, reshape, with_axis
from gradtape._src.ops.gathering import gather_nd
from gradtape._src.ops.joining import concat
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.rows import data_of


def _places(indices: Any, sizes: Any, transposed: bool) -> tuple[Any, Any, tuple[int, int]]:
    """Rows, columns and shape of a sparse matrix; of several ones as the blocks along the diagonal of one.

    Raises:
      InvalidArgumentError: an index lies outside.
    """
    outside = (indices < 0) | (indices >= np.asarray(sizes))
    if outside.any():
        *which, axis = np.argwhere(outside)[0]
        raise InvalidArgumentError.of(
            f"index {indices[*which].tolist()} of element {which[-1]} is out of bounds on axis {axis} of the shape "
            f"{list(sizes)}"
        )
    height, width = int(sizes[0]), int(sizes[1])
    n = 1
    if indices.ndim > 2:
        n = len(indices)
        indices = (indices + np.arange(n)[:, None, None] * np.asarray(sizes)).reshape(-1, 2)
    rows, columns = indices[:, 0], indices[:, 1]
    height, width = n * height, n * width
    return (columns, rows, (width, height)) if transposed else (rows, columns, (height, width))


def _product(indices: Any, values: Any, sizes: Any, b: Any, *, transposed: bool) -> Any:
    from scipy.sparse import csr_matrix  # start-up cost: SciPy takes a quarter of a second

    indices = np.asarray(indices)
    rows, columns, shape = _places(indices, sizes, transposed)
    front = b.shape[: indices.ndim - 2]
    b = _one_above_the_other(b) if front else b
    if b.ndim != 2 or b.shape[0] != shape[1]:
        raise InvalidArgumentError.of(
            f"Cannot multiply A and B because inner dimension does not match: {shape[1]} vs. "
            f"{b.shape[0] if b.ndim else b.shape}. Did you forget a transpose? Dimensions of A: {list(shape)}). "
            f"Dimensions of B: {list(b.shape)}"
        )
    dtype = b.dtype
    wide = np.float32 if dtype.kind in "fV" and dtype.itemsize == 2 else dtype
    matrix = csr_matrix((values.reshape(-1).astype(wide, copy=False), (rows, columns)), shape=shape)
    found = np.asarray(matrix @ b.astype(wide, copy=False), dtype)
    return found.reshape(*front, shape[0] // front[0], b.shape[1]) if front else found


def _one_above_the_other(x: Any) -> Any:
    return x.reshape(x.shape[0] * x.shape[1], x.shape[2])


def _product_shape(indices: Any, values: Any, sizes: Any, b: Any, *, transposed: bool) -> Any:
    shape, known = shape_of(b), data_of(sizes)
    rows = None if known is None else int(known[1 if transposed else 0])
    if shape is None:
        return None if shape_of(indices) is None or len(shape_of(indices)) > 2 else (rows, None)
    return (*shape[:-2], rows, shape[-1])


def _dots(indices: Any, sizes: Any, g: Any, b: Any, *, transposed: bool) -> Any:
    indices = np.asarray(indices)
    rows, columns, _ = _places(indices, sizes, transposed)
    if indices.ndim > 2:
        g, b = _one_above_the_other(g), _one_above_the_other(b)
    return np.asarray(np.einsum("nk,nk->n", g[rows], b[columns]), g.dtype).reshape(indices.shape[:-1])


def _product_batch(n: int, xs: Any, batched: Any, *, transposed: bool) -> Any:
    """Products of one sparse matrix as one product with all columns; those of several side by side."""
    indices, values, sizes, b = xs
    if any(batched[:3]):
        return _apart(matrix_product, n, xs, batched, 2, transposed)
    _, rows, columns = shape_of(b)
    joined = reshape(transpose(b, (1, 0, 2)), (rows, n * columns))
    found = matrix_product(indices, values, sizes, joined, transposed=transposed)
    return transpose(reshape(found, (-1, n, columns)), (1, 0, 2))


def _apart(op: Any, n: int, xs: Any, batched: Any, sizes: int, transposed: bool) -> Any:
    """With matrices of different elements: all arguments but the sizes, at position ``sizes``, get the leading axis."""
    ranks = [len(shape_of(x)) - has for x, has in zip(xs, batched, strict=True)]
    if batched[sizes] or ranks[0] > 2:  # the results may be of different shapes; or there are two such axes
        return NotImplemented
    xs = [
        x if i == sizes or has else lead(x, n=n) for i, (x, has) in enumerate(zip(xs, batched, strict=True))
    ]
    return op(*xs, transposed=transposed)


def _dots_batch(n: int, xs: Any, batched: Any, *, transposed: bool) -> Any:
    return _apart(dots, n, xs, batched, 1, transposed)


matrix_product = Op(
    "SparseTensorDenseMatMul",
    _product,
    vjp=(
        None,
        lambda g, y, indices, values, sizes, b, *, transposed: dots(
            indices, sizes, g, b, transposed=transposed
        ),
        None,
        lambda g, y, indices, values, sizes, b, *, transposed: matrix_product(
            indices, values, sizes, g, transposed=not transposed
        ),
    ),
    reads="indices values sizes b",
    multilinear=(1, 3),
    batch=_product_batch,
    shape=_product_shape,
    dtype=lambda indices, values, sizes, b, *, transposed: dtype_of(b),
    same_dtype=False,
    accepts="int32 int64",
)
"""``S @ b``, or ``S.T @ b``, for a sparse matrix S; for several ones if indices, values and b have a leading axis."""

dots = Op(
    "SparseDots",
    _dots,
    vjp=(
        None,
        None,
        lambda h, y, indices, sizes, g, b, *, transposed: matrix_product(
            indices, h, sizes, b, transposed=transposed
        ),
        lambda h, y, indices, sizes, g, b, *, transposed: matrix_product(
            indices, h, sizes, g, transposed=not transposed
        ),
    ),
    reads="indices sizes g b",
    multilinear=(2, 3),
    batch=_dots_batch,
    shape=lambda indices, sizes, g, b, *, transposed: (
        (None,) if shape_of(indices) is None else shape_of(indices)[:-1]
    ),
    dtype=lambda indices, sizes, g, b, *, transposed: dtype_of(g),
    same_dtype=False,
    accepts="int32 int64",
)
"""``g[row] . b[column]`` for each element of a sparse matrix."""


def _dense(indices: Any, sizes: Any, values: Any, default: Any, *, validate: bool) -> Any:
    indices, sizes = np.asarray(indices), np.asarray(sizes)
    outside = (indices < 0) | (indices >= sizes)
    if outside.any():
        n = int(np.argwhere(outside)[0, 0])
        raise InvalidArgumentError.of(
            f"indices[{n}] = {indices[n].tolist()} is out of bounds: need 0 <= index < {sizes.tolist()}"
        )
    if validate and len(indices) > 1:
        steps = indices[1:] - indices[:-1]
        first = (steps != 0).argmax(axis=1)
        change = steps[np.arange(len(steps)), first]
        if (change <= 0).any():
            n = int(np.argmax(change <= 0)) + 1
            what = "repeated" if change[n - 1] == 0 else "out of order"
            raise InvalidArgumentError.of(
                f"indices[{n}] = {indices[n].tolist()} is {what}. Many sparse ops require sorted indices.\n"
                "  Use `tf.sparse.reorder` to create a correctly ordered copy."
            )
    out = np.full(tuple(int(n) for n in sizes), default, dtype=values.dtype)
    out[tuple(indices.T)] = values
    return out


def _dense_shape(indices: Any, sizes: Any, values: Any, default: Any, *, validate: bool) -> Any:
    known = data_of(sizes)
    if known is not None:
        return tuple(int(n) for n in known)
    shape = shape_of(sizes)
    return None if shape is None or shape[0] is None else (None,) * shape[0]


def _dense_batch(n: int, xs: Any, batched: Any, *, validate: bool) -> Any:
    """The number of the example becomes the first index."""
    indices, sizes, values, default = xs
    dims = shape_of(indices)[batched[0] :]
    if batched[1] or batched[3] or None in dims:
        return NotImplemented
    m, rank = dims
    indices, values = with_axis(n, [indices, values], [batched[0], batched[2]])
    dtype = dtype_of(indices)
    number = np.broadcast_to(np.arange(n, dtype=dtype)[:, None, None], (n, m, 1))
    indices = reshape(concat(number, indices, axis=2), (n * m, rank + 1))
    sizes = concat(np.array([n], dtype_of(sizes)), sizes, axis=0)
    return to_dense(indices, sizes, reshape(values, (n * m,)), default, validate=validate)


to_dense = Op(
    "SparseToDense",
    _dense,
    vjp=(
        None,
        None,
        lambda g, y, indices, sizes, values, default, *, validate: gather_nd(g, indices),
        lambda g, y, indices, sizes, values, default, *, validate: (
            reduce_sum(g) - reduce_sum(gather_nd(g, indices))
        ),
    ),
    reads="indices",
    linear=(2, 3),
    batch=_dense_batch,
    shape=_dense_shape,
    dtype=lambda indices, sizes, values, default, *, validate: dtype_of(values),
    same_dtype=False,
    accepts="int32 int64",
)
"""The dense array, with a default where there is no element."""
