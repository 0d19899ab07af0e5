"""Public reductions of rows that share a segment id.

Row i of `data` belongs to segment `segment_ids[i]`. The sorted functions (`tf.math.segment_sum`, ...) want
increasing ids and give as many rows as the last id says. The unsorted ones take ids in any order, of any
shape that `data` starts with, ignore negative ids, and give `num_segments` rows. The sparse ones
look up rows first.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.axes import integer
from gradtape._src.api.selection import require
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import segment as ops
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.division import true_divide
from gradtape._src.ops.segment_rows import merge_leading, segment_counts

_INDEX = "int32, int64"
_NO_ROWS = "num_segments should be a scalar, not shape"


# --- Sorted -------------------------------------------------------------------------------------------------


def _sorted(op: Any, data: Any, segment_ids: Any, name: Any) -> Any:
    ids = as_tensor(segment_ids)
    require(ids, _INDEX, "Tindices", op.name)
    return op.of(as_tensor(data), ids, name=name)


def segment_sum(data, segment_ids, name=None):
    """The sum of the rows of each segment; 0 for one without rows.

    Args:
      data: numbers of shape (n, ...).
      segment_ids: increasing int32 or int64 of shape (n,).
      name: of the operation in a graph.

    Returns a tensor of shape (last id + 1, ...).

    Raises InvalidArgumentError for ids that decrease, are negative or do not fit the data.

    >>> import gradtape as tf
    >>> print(tf.math.segment_sum([1., 2., 3., 4.], [0, 0, 1, 3]).numpy())
    [3. 3. 0. 4.]

    As TensorFlow 2.21.
    """
    return _sorted(ops.segment_sum, data, segment_ids, name)


def segment_mean(data, segment_ids, name=None):
    """The mean of the rows of each segment; 0 for one without rows. Of integers it is rounded towards zero.

    Arguments and errors as of `tf.math.segment_sum`.

    >>> import gradtape as tf
    >>> print(tf.math.segment_mean([1., 2., 3., 4.], [0, 0, 1, 3]).numpy())
    [1.5 3.  0.  4. ]

    As TensorFlow 2.21.
    """
    return _sorted(ops.segment_mean, data, segment_ids, name)


def segment_prod(data, segment_ids, name=None):
    """The product of the rows of each segment; 1 for one without rows.

    Arguments and errors as of `tf.math.segment_sum`. Gradients are right where elements are zero.

    >>> import gradtape as tf
    >>> print(tf.math.segment_prod([2., 3., 4., 5.], [0, 0, 1, 3]).numpy())
    [6. 4. 1. 5.]

    As TensorFlow 2.21.
    """
    return _sorted(ops.segment_prod, data, segment_ids, name)


def segment_max(data, segment_ids, name=None):
    """The largest elements of the rows of each segment; 0 for one without rows.

    Arguments and errors as of `tf.math.segment_sum`; real numbers. Equal elements share the gradient.

    >>> import gradtape as tf
    >>> print(tf.math.segment_max([1., 2., 3., 4.], [0, 0, 1, 3]).numpy())
    [2. 3. 0. 4.]

    As TensorFlow 2.21.
    """
    return _sorted(ops.segment_max, data, segment_ids, name)


def segment_min(data, segment_ids, name=None):
    """The smallest elements of the rows of each segment; 0 for one without rows.

    Arguments and errors as of `tf.math.segment_sum`; real numbers. Equal elements share the gradient.

    >>> import gradtape as tf
    >>> print(tf.math.segment_min([1., 2., 3., 4.], [0, 0, 1, 3]).numpy())
    [1. 3. 0. 4.]

    As TensorFlow 2.21.
    """
    return _sorted(ops.segment_min, data, segment_ids, name)


# --- Unsorted -----------------------------------------------------------------------------------------------


def _unsorted(op: Any, data: Any, segment_ids: Any, num_segments: Any, name: Any) -> tuple[Any, Any]:
    """The reduction, and the ids as a vector."""
    data, ids = as_tensor(data), as_tensor(segment_ids)
    require(ids, "int16, int32, int64", "Tindices", op.name)
    n = integer(num_segments, "Tnumsegments", op.name, _NO_ROWS, exact=True)
    shape = shape_of(ids)
    if shape is None or len(shape) != 1:
        data, ids = merge_leading(data, ids), reshape(ids, (-1,))
    return op.of(data, ids, n, name=name), ids


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    """The sum of the rows of each segment, with ids in any order; 0 for one without rows.

    Args:
      data: numbers, of a shape that starts with that of the ids.
      segment_ids: int16, int32 or int64, below num_segments. Rows with a negative id are left out.
      num_segments: how many segments there are, an int or a scalar tensor.
      name: of the operation in a graph.

    Returns a tensor of shape (num_segments, ...).

    Raises InvalidArgumentError for ids that are too large or do not fit the data.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_sum([1., 2., 3., 4.], [2, 0, 2, -1], 3).numpy())
    [2. 0. 4.]

    As TensorFlow 2.21.
    """
    return _unsorted(ops.unsorted_segment_sum, data, segment_ids, num_segments, name)[0]


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """The mean of the rows of each segment, with ids in any order; 0 for one without rows.

    Arguments and errors as of `tf.math.unsorted_segment_sum`; of integers the result is floating point.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_mean([1., 2., 4.], [1, 0, 1], 3).numpy())
    [2.  2.5 0. ]

    As TensorFlow 2.21.
    """
    total, ids = _unsorted(ops.unsorted_segment_sum, data, segment_ids, num_segments, name)
    return true_divide(total, segment_counts(ids, total))


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """The sum of the n rows of each segment, divided by the root of n; 0 for one without rows.

    Arguments and errors as of `tf.math.unsorted_segment_sum`; floating point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_sqrt_n([1., 2., 1., 1., 1.], [1, 0, 1, 1, 1], 3).numpy())
    [2. 2. 0.]

    As TensorFlow 2.21.
    """
    total, ids = _unsorted(ops.unsorted_segment_sum, data, segment_ids, num_segments, name)
    if from_numpy(dtype_of(total)).is_integer:
        require(total, "bfloat16, half, float, double, complex64, complex128", "T", "Sqrt")
    return true_divide(total, segment_counts(ids, total, root=True))


def unsorted_segment_prod(data, segment_ids, num_segments, name=None):
    """The product of the rows of each segment, with ids in any order; 1 for one without rows.

    Arguments and errors as of `tf.math.unsorted_segment_sum`.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_prod([2., 3., 4.], [1, 0, 1], 3).numpy())
    [3. 8. 1.]

    As TensorFlow 2.21.
    """
    return _unsorted(ops.unsorted_segment_prod, data, segment_ids, num_segments, name)[0]


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    """The largest elements of the rows of each segment; the least finite number for one without rows.

    Arguments and errors as of `tf.math.unsorted_segment_sum`; real numbers. Equal largest elements share the
    gradient.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_max([2, 3, 4], [1, 0, 1], 2).numpy())
    [3 4]

    As TensorFlow 2.21.
    """
    return _unsorted(ops.unsorted_segment_max, data, segment_ids, num_segments, name)[0]


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    """The smallest elements of the rows of each segment; the largest finite number for one without rows.

    Arguments and errors as of `tf.math.unsorted_segment_sum`; real numbers. Equal smallest elements share the
    gradient.

    >>> import gradtape as tf
    >>> print(tf.math.unsorted_segment_min([2, 3, 4], [1, 0, 1], 2).numpy())
    [3 2]

    As TensorFlow 2.21.
    """
    return _unsorted(ops.unsorted_segment_min, data, segment_ids, num_segments, name)[0]


# --- Sparse -------------------------------------------------------------------------------------------------


def _sparse(
    op: Any, data: Any, indices: Any, ids: Any, num_segments: Any, sparse_gradient: Any, name: Any
) -> Any:
    data, indices, ids = as_tensor(data), as_tensor(indices), as_tensor(ids)
    require(indices, _INDEX, "Tidx", op.name)
    require(ids, _INDEX, "Tsegmentids", op.name)
    params = {"sparse_gradient": bool(sparse_gradient), "name": name}
    if num_segments is None:
        return op.of(data, indices, ids, **params)
    return op.of(
        data, indices, ids, integer(num_segments, "Tnumsegments", op.name, _NO_ROWS, exact=True), **params
    )


def sparse_segment_sum(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """The sum of chosen rows: segment s is the sum of `data[indices[i]]` where `segment_ids[i] == s`.

    Args:
      data: real numbers of shape (m, ...).
      indices: int32 or int64 of shape (n,), which rows.
      segment_ids: increasing int32 or int64 of shape (n,).
      num_segments: how many segments there are; by default as many as the last id says.
      name: of the operation in a graph.
      sparse_gradient: whether the gradient of the data is a `tf.IndexedSlices`.

    Returns a tensor of shape (number of segments, ...), with 0 for segments without rows.

    Raises InvalidArgumentError for an index or id out of range, and for ids that decrease.

    >>> import gradtape as tf
    >>> print(tf.sparse.segment_sum([1., 2., 4.], [0, 2, 2], [0, 0, 1]).numpy())
    [5. 4.]

    As TensorFlow 2.21.
    """
    return _sparse(ops.sparse_segment_sum, data, indices, segment_ids, num_segments, sparse_gradient, name)


def sparse_segment_mean(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """The mean of chosen rows, as `tf.sparse.segment_sum` is their sum. Floating point.

    >>> import gradtape as tf
    >>> print(tf.sparse.segment_mean([1., 2., 4.], [0, 2, 2], [0, 0, 1]).numpy())
    [2.5 4. ]

    As TensorFlow 2.21.
    """
    return _sparse(ops.sparse_segment_mean, data, indices, segment_ids, num_segments, sparse_gradient, name)


def sparse_segment_sqrt_n(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """The sum of the n chosen rows of a segment, divided by the root of n. Floating point.

    Arguments as of `tf.sparse.segment_sum`.

    >>> import gradtape as tf
    >>> print(tf.sparse.segment_sqrt_n([1., 2., 1.], [0, 2, 0, 2, 1], [0, 0, 0, 0, 1]).numpy())
    [2. 2.]

    As TensorFlow 2.21.
    """
    return _sparse(ops.sparse_segment_sqrt_n, data, indices, segment_ids, num_segments, sparse_gradient, name)
