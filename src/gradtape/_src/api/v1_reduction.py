"""TensorFlow 1's spellings of reductions, segments, sorting and counts (`tf.compat.v1`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.api import counting, reduction, segment
from gradtape._src.core.dtypes import int32, int64

_NUMBERS = "[[1., 2.], [3., 4.]]"
_TRUTHS = "[[False, True], [True, True]]"


def _one_of(old: str, old_value: Any, new: str, new_value: Any) -> Any:
    """The argument that was given under its new name or its old one."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old}' and '{new}'.")
    return old_value


def _v1(function: Callable[..., Any], printed: str, values: str = _NUMBERS) -> Callable[..., Any]:
    """The reduction with TensorFlow 1's arguments; ``printed`` is what its documented example prints."""

    def reduce(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        axis = _one_of("reduction_indices", reduction_indices, "axis", axis)
        keepdims = _one_of("keep_dims", keep_dims, "keepdims", keepdims)
        return function(input_tensor, axis, bool(keepdims), name)

    name = function.__name__
    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = (
        f"`tf.{name}`, whose axis may be called `reduction_indices`, and its keepdims `keep_dims`.\n\n"
        "    ValueError if an argument is given under both names.\n\n"
        "    >>> import gradtape.compat.v1 as tf\n"
        f"    >>> print(tf.{name}({values}, reduction_indices=[0, 1]).numpy())\n"
        f"    {printed}\n\n"
        "    As TensorFlow 2.21.\n    "
    )
    return reduce


reduce_sum = _v1(reduction.reduce_sum, "10.0")
reduce_mean = _v1(reduction.reduce_mean, "2.5")
reduce_prod = _v1(reduction.reduce_prod, "24.0")
reduce_max = _v1(reduction.reduce_max, "4.0")
reduce_min = _v1(reduction.reduce_min, "1.0")
reduce_all = _v1(reduction.reduce_all, "False", _TRUTHS)
reduce_any = _v1(reduction.reduce_any, "True", _TRUTHS)
reduce_logsumexp = _v1(reduction.reduce_logsumexp, "1000.0", "[[1000., 0.]]")


def count_nonzero(
    input_tensor=None,
    axis=None,
    keepdims=None,
    dtype=int64,
    name=None,
    reduction_indices=None,
    keep_dims=None,
    input=None,
):
    """`tf.math.count_nonzero` with the old names of its arguments.

    ValueError if an argument is given under both names.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.count_nonzero([[0., 1.], [2., 3.]], reduction_indices=0).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    value = _one_of("input_tensor", input_tensor, "input", input)
    axis = _one_of("reduction_indices", reduction_indices, "axis", axis)
    keepdims = _one_of("keep_dims", keep_dims, "keepdims", keepdims)
    return reduction.count_nonzero(value, axis, keepdims, dtype, name)


def argmax(input, axis=None, name=None, dimension=None, output_type=int64):
    """`tf.argmax`, whose axis may be called `dimension`.

    ValueError if both are given.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.argmax([[1., 5.], [3., 2.]], dimension=1).numpy())
    [1 0]

    As TensorFlow 2.21.
    """
    axis = _one_of("dimension", dimension, "axis", axis)
    return reduction.argmax(input, axis, output_type, name)


def argmin(input, axis=None, name=None, dimension=None, output_type=int64):
    """`tf.argmin`, whose axis may be called `dimension`.

    ValueError if both are given.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.argmin([[1., 5.], [3., 2.]], dimension=1).numpy())
    [0 1]

    As TensorFlow 2.21.
    """
    axis = _one_of("dimension", dimension, "axis", axis)
    return reduction.argmin(input, axis, output_type, name)


def arg_max(input, dimension, output_type=int64, name=None):
    """`tf.argmax` under an older name.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.arg_max([[1., 5.], [3., 2.]], 1).numpy())
    [1 0]

    As TensorFlow 2.21.
    """
    return reduction.argmax(input, dimension, output_type, name)


def arg_min(input, dimension, output_type=int64, name=None):
    """`tf.argmin` under an older name.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.arg_min([[1., 5.], [3., 2.]], 1).numpy())
    [0 1]

    As TensorFlow 2.21.
    """
    return reduction.argmin(input, dimension, output_type, name)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=int32):
    """`tf.math.bincount` of all of an array.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.bincount([1, 1, 3]).numpy())
    [0 2 0 1]

    As TensorFlow 2.21.
    """
    return counting.bincount(arr, weights, minlength, maxlength, dtype)


def confusion_matrix(labels, predictions, num_classes=None, dtype=int32, name=None, weights=None):
    """`tf.math.confusion_matrix`, with the weights last.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy())
    [[1 0]
     [1 1]]

    As TensorFlow 2.21.
    """
    return counting.confusion_matrix(labels, predictions, num_classes, weights, dtype, name)


def in_top_k(predictions, targets, k, name=None):
    """`tf.math.in_top_k`, with the predictions first.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.in_top_k([[.1, .7, .2], [.1, .7, .2]], [0, 1], k=1).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    return counting.in_top_k(targets, predictions, k, name)


def sparse_segment_sum(data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False):
    """`tf.sparse.segment_sum`, with the name before the number of segments.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.sparse_segment_sum([1., 2., 4.], [0, 2, 2], [0, 0, 1]).numpy())
    [5. 4.]

    As TensorFlow 2.21.
    """
    return segment.sparse_segment_sum(data, indices, segment_ids, num_segments, name, sparse_gradient)


def sparse_segment_mean(data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False):
    """`tf.sparse.segment_mean`, with the name before the number of segments.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.sparse_segment_mean([1., 2., 4.], [0, 2, 2], [0, 0, 1]).numpy())
    [2.5 4. ]

    As TensorFlow 2.21.
    """
    return segment.sparse_segment_mean(data, indices, segment_ids, num_segments, name, sparse_gradient)


def sparse_segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False):
    """`tf.sparse.segment_sqrt_n`, with the name before the number of segments.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.sparse_segment_sqrt_n([1., 2., 4.], [0, 2, 2], [0, 1, 2]).numpy())
    [1. 4. 4.]

    As TensorFlow 2.21.
    """
    return segment.sparse_segment_sqrt_n(data, indices, segment_ids, num_segments, name, sparse_gradient)
