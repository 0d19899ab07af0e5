"""``tf.sparse``: functions of sparse tensors. What they give is differentiable in the values and in dense operands."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import divide, multiply
from gradtape._src.api.arrays import broadcast_to
from gradtape._src.api.arrays import reshape as reshape_dense
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import not_equal
from gradtape._src.api.complex import conj
from gradtape._src.api.counting import unique
from gradtape._src.api.creation import ones, zeros_like
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.cumulative import cumprod
from gradtape._src.api.gathering import gather, gather_nd
from gradtape._src.api.joining import concat as concat_dense
from gradtape._src.api.joining import stack
from gradtape._src.api.reduction import reduce_max, reduce_prod
from gradtape._src.api.reduction import reduce_sum as reduce_sum_dense
from gradtape._src.api.reordering import transpose as transpose_dense
from gradtape._src.api.scattering import tensor_scatter_nd_add
from gradtape._src.api.segment import unsorted_segment_sum
from gradtape._src.api.selection import boolean_mask
from gradtape._src.api.selection import where as where_true
from gradtape._src.api.sorting import argsort
from gradtape._src.api.sparse_tensor import SparseTensor, as_sparse, static_sizes
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32, int64
from gradtape._src.core.values import shape_of
from gradtape._src.ops import sparse as ops


def _linear(indices: Any, sizes: Any) -> Any:
    """The places as single numbers, in the order of rows."""
    return reduce_sum_dense(indices * cumprod(as_tensor(sizes), exclusive=True, reverse=True), axis=1)


def _from_linear(linear: Any, sizes: Any) -> Any:
    """The places of single numbers."""
    sizes = as_tensor(sizes)
    strides = cumprod(sizes, exclusive=True, reverse=True)
    return reshape_dense(linear, [-1, 1]) // strides % sizes


# --- Between dense and sparse -------------------------------------------------------------------------------


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """The dense tensor, with ``default_value``, zero by default, where there is no element.

    Raises:
      InvalidArgumentError: an index lies outside; or, if ``validate_indices``, they are out of order or one is twice.

    >>> import gradtape as tf
    >>> print(tf.sparse.to_dense(tf.SparseTensor([[0], [2]], [1, 2], [3])).numpy())
    [1 0 2]
    """
    sparse = as_sparse(sp_input)
    if default_value is None:
        default_value = "" if sparse.dtype.name == "string" else False if sparse.dtype.is_bool else 0
    default = as_tensor(default_value, sparse.dtype)
    return ops.to_dense.of(
        sparse.indices,
        static_sizes(sparse),
        sparse.values,
        default,
        validate=bool(validate_indices),
        name=name,
    )


def sparse_to_dense(
    sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None
):
    """The dense tensor of elements at places, with a default elsewhere: TensorFlow 1's `to_dense`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.sparse_to_dense([[0], [2]], [3], [1, 2]).numpy())
    [1 0 2]
    """
    indices = as_tensor(sparse_indices)
    values = as_tensor(sparse_values)
    if len(shape_of(indices) or (0, 0)) < 2:  # of a vector
        indices = reshape_dense(indices, [-1, 1])
    values = broadcast_to(values, shape_of_tensor(indices)[:1])
    sparse = SparseTensor(cast(indices, int64), values, cast(as_tensor(output_shape), int64))
    return to_dense(sparse, default_value, validate_indices, name)


def from_dense(tensor, name=None):
    """The sparse tensor of the elements that are not zero.

    >>> import gradtape as tf
    >>> tf.sparse.from_dense([[0, 2], [0, 0]]).indices.numpy().tolist()
    [[0, 1]]
    """
    tensor = as_tensor(tensor)
    zero = as_tensor("") if tensor.dtype.name == "string" else zeros_like(tensor)
    indices = where_true(not_equal(tensor, zero))
    return SparseTensor(indices, gather_nd(tensor, indices), shape_of_tensor(tensor, int64))


def eye(num_rows, num_columns=None, dtype=float32, name=None):
    """The identity matrix.

    >>> import gradtape as tf
    >>> print(tf.sparse.to_dense(tf.sparse.eye(2)).numpy())
    [[1. 0.]
     [0. 1.]]
    """
    columns = num_rows if num_columns is None else num_columns
    n = min(num_rows, columns)
    diagonal = range_of(n, dtype=int64)
    return SparseTensor(stack([diagonal, diagonal], axis=1), ones([n], dtype), [num_rows, columns])


# --- Order and form -----------------------------------------------------------------------------------------


def reorder(sp_input, name=None):
    """The elements in the order of rows, which most functions of sparse tensors ask for.

    >>> import gradtape as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[1, 0], [0, 1]], [3, 2], [2, 2])).values.numpy().tolist()
    [2, 3]
    """
    sparse = as_sparse(sp_input)
    order = argsort(_linear(sparse.indices, sparse.dense_shape), stable=True)
    return SparseTensor(gather(sparse.indices, order), gather(sparse.values, order), sparse.dense_shape)


def transpose(sp_input, perm=None, name=None):
    """The axes in another order, reversed by default.

    >>> import gradtape as tf
    >>> tf.sparse.transpose(tf.SparseTensor([[0, 1]], [3], [2, 5])).dense_shape.numpy().tolist()
    [5, 2]
    """
    sparse = as_sparse(sp_input)
    rank = (shape_of(sparse.dense_shape) or (None,))[0]
    if perm is None:
        perm = range_of(rank - 1, -1, -1) if rank is not None else None
    turned = SparseTensor(
        gather(sparse.indices, perm, axis=1), sparse.values, gather(sparse.dense_shape, perm)
    )
    return reorder(turned)


def reshape(sp_input, shape, name=None):
    """The same elements, in the order of rows, in another shape; one dimension may be -1.

    >>> import gradtape as tf
    >>> tf.sparse.reshape(tf.SparseTensor([[0, 1]], [3], [2, 2]), [4, -1]).indices.numpy().tolist()
    [[1, 0]]
    """
    sparse = as_sparse(sp_input)
    wanted: Any = cast(as_tensor(shape), int64)
    known = -reduce_prod(wanted)
    wanted = where_true(
        wanted < 0, reduce_prod(sparse.dense_shape) // where_true(known < 1, 1, known), wanted
    )
    linear = _linear(sparse.indices, sparse.dense_shape)
    return SparseTensor(_from_linear(linear, wanted), sparse.values, wanted)


def concat(axis, sp_inputs, expand_nonconcat_dims=False, name=None):
    """Sparse tensors one after the other along an axis.

    expand_nonconcat_dims: whether the other sizes may differ; then they are the greatest.

    >>> import gradtape as tf
    >>> s = tf.SparseTensor([[0, 1]], [3], [1, 2])
    >>> tf.sparse.concat(0, [s, s]).indices.numpy().tolist()
    [[0, 1], [1, 1]]
    """
    parts = [as_sparse(part) for part in (sp_inputs if isinstance(sp_inputs, (list, tuple)) else [sp_inputs])]
    rank = (shape_of(parts[0].dense_shape) or (None,))[0]
    if rank is None:
        raise ValueError("tf.sparse.concat needs sparse tensors of known rank.")
    axis = axis % rank
    along = as_tensor([int(i == axis) for i in range(rank)], int64)
    start, indices = as_tensor(0, int64), []
    for part in parts:
        indices.append(part.indices + start * along)
        start = start + part.dense_shape[axis]
    sizes = reduce_max(stack([part.dense_shape for part in parts]), axis=0)
    sizes = where_true(along > 0, start, sizes)
    values = concat_dense([part.values for part in parts], 0)
    return reorder(SparseTensor(concat_dense(indices, 0), values, sizes))


def retain(sp_input, to_retain):
    """The elements for which a vector of booleans is true.

    >>> import gradtape as tf
    >>> tf.sparse.retain(tf.SparseTensor([[0], [2]], [1, 2], [3]), [False, True]).values.numpy().tolist()
    [2]
    """
    sparse = as_sparse(sp_input)
    keep = as_tensor(to_retain)
    return SparseTensor(
        boolean_mask(sparse.indices, keep), boolean_mask(sparse.values, keep), sparse.dense_shape
    )


def map_values(op, *args, **kwargs):
    """A function of the values of sparse tensors that have their elements in the same places.

    Raises:
      ValueError: there is no sparse tensor among the arguments.

    >>> import gradtape as tf
    >>> tf.sparse.map_values(tf.square, tf.SparseTensor([[0], [2]], [1, 2], [3])).values.numpy().tolist()
    [1, 4]
    """
    given = [x for x in [*args, *kwargs.values()] if isinstance(x, SparseTensor)]
    if not given:
        raise ValueError("No SparseTensor in argument list of map_values")
    bare = [x.values if isinstance(x, SparseTensor) else x for x in args]
    named = {name: x.values if isinstance(x, SparseTensor) else x for name, x in kwargs.items()}
    return given[0].with_values(op(*bare, **named))


# --- Arithmetic ---------------------------------------------------------------------------------------------


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """The product of a sparse matrix and a dense one, or the other way round, without making anything dense.

    Args:
      sp_a, b: matrices, one of which is a `tf.SparseTensor`.
      adjoint_a, adjoint_b: whether to take the conjugate transpose of the first, of the second.

    Returns:
      A dense matrix.

    Raises:
      InvalidArgumentError: the sizes do not go together.

    >>> import gradtape as tf
    >>> s = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
    >>> print(tf.sparse.sparse_dense_matmul(s, tf.constant([[1.0], [10.0]])).numpy())
    [[20.]
     [ 3.]]
    """
    if isinstance(b, SparseTensor):  # the transpose of the product of the transposes
        turned = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a, name)
        return transpose_dense(turned, conjugate=turned.dtype.is_complex)
    sparse, b = as_sparse(sp_a), as_tensor(b)
    values = sparse.values
    if adjoint_a and values.dtype.is_complex:
        values = conj(values)
    if adjoint_b:
        b = transpose_dense(b, conjugate=b.dtype.is_complex)
    if values.dtype != b.dtype:
        raise ValueError(
            f"The sparse matrix is of dtype {values.dtype.name} and the dense one of {b.dtype.name}. Use tf.cast to "
            "bring both to one dtype."
        )
    sizes = static_sizes(sparse)
    return ops.matrix_product.of(sparse.indices, values, sizes, b, transposed=bool(adjoint_a), name=name)


def add(a, b, threshold=0):
    """The sum of two tensors, of which one at least is sparse: sparse if both are.

    threshold: of two sparse tensors, elements of the sum that are less than this in size are left out.

    >>> import gradtape as tf
    >>> s = tf.SparseTensor([[0], [2]], [1, 2], [3])
    >>> tf.sparse.add(s, s).values.numpy().tolist(), tf.sparse.add(s, tf.constant([10, 10, 10])).numpy().tolist()
    ([2, 4], [11, 10, 12])
    """
    if not isinstance(a, SparseTensor):
        a, b = b, a
    a = as_sparse(a)
    if not isinstance(b, SparseTensor):
        return tensor_scatter_nd_add(as_tensor(b), a.indices, a.values)
    both = SparseTensor(
        concat_dense([a.indices, b.indices], 0), concat_dense([a.values, b.values], 0), a.dense_shape
    )
    both = reorder(both)
    linear, segments = unique(_linear(both.indices, both.dense_shape))
    values = unsorted_segment_sum(both.values, segments, shape_of_tensor(linear)[0])
    total = SparseTensor(_from_linear(linear, both.dense_shape), values, both.dense_shape)
    plain = not hasattr(threshold, "dtype") and threshold == 0
    return total if plain else retain(total, abs(values) >= cast(as_tensor(threshold), values.dtype))


def reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """The sum over axes, all by default, as a dense tensor.

    >>> import gradtape as tf
    >>> tf.sparse.reduce_sum(tf.SparseTensor([[0, 1], [1, 0]], [2, 3], [2, 3]), axis=1).numpy().tolist()
    [2, 3]
    """
    sparse = as_sparse(sp_input)
    if axis is None:
        total = reduce_sum_dense(sparse.values)
        rank = (shape_of(sparse.dense_shape) or (0,))[0] or 0
        return from_dense(total) if output_is_sparse else reshape_dense(total, [1] * rank if keepdims else [])
    rank = (shape_of(sparse.dense_shape) or (None,))[0]
    if rank is None:
        raise ValueError("tf.sparse.reduce_sum along an axis needs a sparse tensor of known rank.")
    axes = {one % rank for one in (axis if isinstance(axis, (list, tuple)) else [axis])}
    kept = [i for i in range(rank) if i not in axes]
    sizes = gather(sparse.dense_shape, as_tensor(kept, int64))
    places = _linear(gather(sparse.indices, as_tensor(kept, int64), axis=1), sizes)
    sums = unsorted_segment_sum(sparse.values, places, reduce_prod(sizes))
    if keepdims:
        one = as_tensor([int(i in axes) for i in range(rank)], int64)
        sizes = where_true(one > 0, one, sparse.dense_shape)
    out = reshape_dense(sums, sizes)
    return from_dense(out) if output_is_sparse else out


def _scaled(function: Any) -> Any:
    """The operator of a sparse tensor and a dense one that broadcasts: of the elements that there are."""

    def operator(self: Any, other: Any) -> Any:
        other = as_tensor(other, self.dtype)
        there = gather_nd(broadcast_to(other, self.dense_shape), self.indices)
        return self.with_values(function(self.values, there))

    return operator


SparseTensor.__mul__ = SparseTensor.__rmul__ = _scaled(multiply)  # type: ignore[attr-defined]
SparseTensor.__truediv__ = SparseTensor.__div__ = _scaled(divide)  # type: ignore[attr-defined]
SparseTensor.__neg__ = lambda self: self.with_values(-self.values)  # type: ignore[attr-defined]
