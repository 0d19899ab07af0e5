"""Public counts: of integers, pairs, bins of a histogram; distinct elements; targets among the largest."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.api.axes import integer
from gradtape._src.api.selection import require
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, from_numpy, int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import counting as ops
from gradtape._src.ops.arrays import ones_like, squeeze
from gradtape._src.ops.casting import cast

_INDEX = "int32, int64"


class Unique(NamedTuple):
    """What `tf.unique` returns."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What `tf.unique_with_counts` returns."""

    y: Any
    idx: Any
    count: Any


class ListDiff(NamedTuple):
    """What `tf.compat.v1.setdiff1d` returns."""

    out: Any
    idx: Any


def _integer_dtype(dtype: Any, attr: str, op: str) -> np.dtype:
    found = as_dtype(dtype).np
    require(EagerTensor(np.zeros((), found)), _INDEX, attr, op)
    return found


# --- Counts -------------------------------------------------------------------------------------------------


def bincount(
    arr,
    weights=None,
    minlength=None,
    maxlength=None,
    dtype=int32,
    name=None,
    axis=None,
    binary_output=False,
):
    """How often each of 0, 1, 2, ... comes in an array; with weights, the sum of their weights.

    Args:
      arr: integers that are not negative.
      weights: of the shape of `arr`; int32, int64, float32 or float64. It is differentiated.
      minlength: how many counts there are at least.
      maxlength: how many there are at most; larger integers are not counted.
      dtype: of the counts, if there are no weights.
      name: of the operation in a graph.
      axis: None or 0 to count in all of the array, -1 in each row of a matrix.
      binary_output: whether to give 1 in place of any positive count. ValueError together with weights.

    Returns a tensor of shape (max(arr) + 1,), or (number of rows, max(arr) + 1).

    Raises InvalidArgumentError for negative integers and weights of another shape.

    >>> import gradtape as tf
    >>> print(tf.math.bincount([1, 1, 3]).numpy(), tf.math.bincount([1, 1, 3], weights=[.5, 1., 2.]).numpy())
    [0 2 0 1] [0.  1.5 0.  2. ]

    As TensorFlow 2.21, which has no gradient for the weights.
    """
    if axis not in (None, 0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )
    if weights is not None and binary_output:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one."
        )
    values = as_tensor(arr)
    found = from_numpy(dtype_of(values))
    if found.is_floating or found.is_bool:
        values = cast(values, dtype=int32.np)
    require(values, _INDEX, "Tidx", "DenseBincount")
    low = 0 if minlength is None else _limit(minlength)
    high = -1 if maxlength is None else _limit(maxlength)
    if maxlength is not None and not isinstance(high, Tensor) and high < 0:
        raise InvalidArgumentError.of(f"size ({high}) must be non-negative [Op:DenseBincount]")
    params = {"by_row": axis == -1, "name": name}
    if weights is not None:
        weights = as_tensor(weights)
        require(weights, "int32, int64, float32, float64", "T", "DenseBincount")
        return ops.weighted_bincount.of(values, weights, low, high, **params)
    dtype = as_dtype(dtype).np
    require(EagerTensor(np.zeros((), dtype)), "int32, int64, float32, float64", "T", "DenseBincount")
    return ops.bincount.of(values, low, high, binary=bool(binary_output), dtype=dtype, **params)


def _limit(length: Any) -> Any:
    return integer(length, "Tidx", "DenseBincount", "Shape must be rank 0, not")


def confusion_matrix(labels, predictions, num_classes=None, weights=None, dtype=int32, name=None):
    """The matrix whose element (i, j) counts the examples of class i that were taken for class j.

    Args:
      labels, predictions: integers below num_classes of one shape (n,); one of them may be of shape (n, 1).
      num_classes: how many classes there are; by default as many as the largest number says.
      weights: of the same shape: what each example counts for, by default 1. It is differentiated.
      dtype: of the matrix.
      name: of the operation in a graph.

    Raises InvalidArgumentError for numbers out of range, ValueError for weights of another shape.

    >>> import gradtape as tf
    >>> print(tf.math.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy())
    [[1 0]
     [1 1]]

    As TensorFlow 2.21.
    """
    labels, predictions = as_tensor(labels), as_tensor(predictions)
    labels, predictions = _of_equal_rank(labels, predictions)
    labels, predictions = cast(labels, dtype=int64.np), cast(predictions, dtype=int64.np)
    dtype = as_dtype(dtype).np
    if num_classes is not None:
        num_classes = integer(num_classes, "Tidx", "ConfusionMatrix", "num_classes must be a scalar, not")
    if weights is None:
        weights = ones_like.of(labels, dtype=dtype)
    else:
        weights = as_tensor(weights)
        if not compatible(shape_of(predictions), shape_of(weights)):
            raise ValueError(
                f"Shapes {as_text(shape_of(predictions))} and {as_text(shape_of(weights))} are incompatible: "
                "weights must have the shape of predictions."
            )
        weights = cast(weights, dtype=dtype)
    given = () if num_classes is None else (num_classes,)
    return ops.confusion_matrix.of(labels, predictions, weights, *given, name=name)


def _of_equal_rank(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Takes a last axis of length 1 away from the one that has an axis more."""
    a, b = shape_of(labels), shape_of(predictions)
    if a is not None and b is not None:
        if len(a) == len(b) + 1 and a[-1] in (1, None):
            return squeeze(labels, axis=(len(a) - 1,)), predictions
        if len(b) == len(a) + 1 and b[-1] in (1, None):
            return labels, squeeze(predictions, axis=(len(b) - 1,))
    return labels, predictions


# --- Histograms ---------------------------------------------------------------------------------------------


def histogram_fixed_width(values, value_range, nbins=100, dtype=int32, name=None):
    """How many values there are in each of `nbins` equal parts of a range.

    Values outside of the range count in the first and the last part.

    Args:
      values: int32, int64, float32 or float64, of any shape.
      value_range: two numbers, the first less than the second.
      nbins: the number of parts, an int or a scalar tensor.
      dtype: int32 or int64.
      name: of the operation in a graph.

    Raises InvalidArgumentError for a range or number of parts that is none, and for NaN.

    >>> import gradtape as tf
    >>> print(tf.histogram_fixed_width([-1., 0., 1.5, 2., 5., 15.], [0., 5.], nbins=5).numpy())
    [2 1 1 0 2]

    As TensorFlow 2.21.
    """
    x = as_tensor(values)
    ends = as_tensor(value_range, like=None if isinstance(value_range, Tensor) else x)
    n = integer(nbins, "Tidx", "HistogramFixedWidth", "nbins must be a scalar, not shape")
    dtype = _integer_dtype(dtype, "dtype", "HistogramFixedWidth")
    return ops.histogram_fixed_width.of(x, ends, n, dtype=dtype, name=name)


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=int32, name=None):
    """For each value the number of its part among `nbins` equal parts of a range.

    Values outside of the range are in the first and the last part; NaN gives the least integer.

    Args:
      values: floating point, of any shape.
      value_range: two numbers, the first less than the second.
      nbins: the number of parts, an int or a scalar tensor.
      dtype: not used: the result is int32, as in TensorFlow.
      name: of the operation in a graph.

    >>> import gradtape as tf
    >>> print(tf.histogram_fixed_width_bins([-1., 0., 1.5, 2., 5., 15.], [0., 5.], nbins=5).numpy())
    [0 0 1 2 4 4]

    As TensorFlow 2.21.
    """
    del dtype
    x = as_tensor(values)
    ends = as_tensor(value_range, like=None if isinstance(value_range, Tensor) else x)
    n = integer(nbins, "Tidx", "HistogramFixedWidth", "nbins must be a scalar, not shape")
    if not isinstance(n, Tensor) and n <= 0:
        raise InvalidArgumentError.of(f"nbins {n} must > 0")
    return ops.histogram_bins.of(x, ends, n, dtype=int32.np, name=name)


# --- Distinct elements --------------------------------------------------------------------------------------


def unique(x, out_idx=int32, name=None):
    """The distinct elements of a vector as they first come, and which of them each element is.

    Any dtype; every NaN is distinct. Returns a named tuple `(y, idx)` with `y[idx[i]] == x[i]`; `idx` is
    int32 or int64. InvalidArgumentError if x is not a vector.

    >>> import gradtape as tf
    >>> y, idx = tf.unique([3, 1, 3])
    >>> print(y.numpy(), idx.numpy())
    [3 1] [0 1 0]

    As TensorFlow 2.21.
    """
    out_idx = _integer_dtype(out_idx, "out_idx", "Unique")
    return Unique(*ops.unique.of(as_tensor(x), out_idx=out_idx, name=name))


def unique_with_counts(x, out_idx=int32, name=None):
    """`tf.unique`, and how often each distinct element comes: a named tuple `(y, idx, count)`.

    >>> import gradtape as tf
    >>> print(tf.unique_with_counts([3, 1, 3]).count.numpy())
    [2 1]

    As TensorFlow 2.21.
    """
    out_idx = _integer_dtype(out_idx, "out_idx", "UniqueWithCounts")
    return UniqueWithCounts(*ops.unique_with_counts.of(as_tensor(x), out_idx=out_idx, name=name))


def setdiff1d(x, y, index_dtype=int32, name=None):
    """The elements of a vector x that are not in the vector y, and their places: a named tuple `(out, idx)`.

    Both of one dtype. InvalidArgumentError if one is not a vector.

    >>> import gradtape.compat.v1 as tf
    >>> out, idx = tf.setdiff1d([1, 2, 3, 4], [1, 3])
    >>> print(out.numpy(), idx.numpy())
    [2 4] [1 3]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    y = as_tensor(y) if isinstance(y, Tensor) else as_tensor(y, like=x)
    index_dtype = _integer_dtype(index_dtype, "out_idx", "ListDiff")
    return ListDiff(*ops.list_diff.of(x, y, out_idx=index_dtype, name=name))


# --- Targets among the largest ------------------------------------------------------------------------------


def in_top_k(targets, predictions, k, name=None):
    """Whether each target is among the k largest predictions of its row; what is equal to the k-th counts.

    Args:
      targets: int32 or int64 of shape (n,), columns of the predictions.
      predictions: float32 of shape (n, classes).
      k: an int or a scalar tensor.
      name: of the operation in a graph.

    Returns bool of shape (n,): False for a target out of range, and for a row with an infinity or a NaN.

    Raises InvalidArgumentError for other shapes.

    >>> import gradtape as tf
    >>> print(tf.math.in_top_k([0, 1], [[.1, .7, .2], [.1, .7, .2]], k=1).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    targets = as_tensor(targets)
    require(targets, _INDEX, "T", "InTopKV2")
    predictions = (
        as_tensor(predictions) if isinstance(predictions, Tensor) else as_tensor(predictions, float32)
    )
    k = integer(k, "T", "InTopKV2", "k must be a scalar, not shape")
    return ops.in_top_k.of(predictions, targets, k, name=name)
