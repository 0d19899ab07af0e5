"""Public sorting: sorted tensors, orders, the largest elements, places in a sorted sequence.

Of equal elements the earlier one comes first, upwards and downwards. NaN counts as larger than any number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.api.axes import integer
from gradtape._src.api.selection import require
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.ops import sorting as ops


class TopKV2(NamedTuple):
    """What `tf.math.top_k` returns."""

    values: Any
    indices: Any


class ApproxTopK(NamedTuple):
    """What `tf.nn.approx_max_k` returns."""

    values: Any
    indices: Any


def _descending(direction: Any) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction={direction}"
        )
    return direction == "DESCENDING"


def _known_axis(axis: Any, x: Any, op: str) -> int:
    if axis is None:
        raise ValueError(
            f"Attempt to convert a value (None) with an unsupported type ({type(None)}) to a Tensor."
        )
    axis = integer(axis, "Tidx", op, "axis must be a scalar, not shape")
    if isinstance(axis, Tensor):
        raise ValueError(f"The axis of {op} must be known while the graph is built, received {axis!r}.")
    shape = shape_of(x)
    if shape is not None and not -len(shape) <= axis < len(shape):
        raise InvalidArgumentError.of(
            f"slice index {axis if axis >= 0 else axis + len(shape)} of dimension 0 out of bounds: axis "
            f"{axis} of a tensor with {len(shape)} dimension(s) [Op:{op}]"
        )
    return axis


def sort(values, axis=-1, direction="ASCENDING", name=None):
    """The elements along an axis in increasing (`"DESCENDING"`: decreasing) order.

    Real numbers; the gradient follows the elements. ValueError for another direction;
    InvalidArgumentError for an axis that is not there.

    >>> import gradtape as tf
    >>> print(tf.sort([3., 1., 2.]).numpy(), tf.sort([3., 1., 2.], direction="DESCENDING").numpy())
    [1. 2. 3.] [3. 2. 1.]

    As TensorFlow 2.21, where the places of NaNs are not defined.
    """
    descending = _descending(direction)
    x = as_tensor(values)
    return ops.sort.of(x, axis=_known_axis(axis, x, "Sort"), descending=descending, name=name)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """The indices that sort a tensor along an axis, int32. The order is always stable.

    Real numbers. ValueError for another direction; InvalidArgumentError for an axis that is not there.

    >>> import gradtape as tf
    >>> print(tf.argsort([3., 1., 2.]).numpy())
    [1 2 0]

    As TensorFlow 2.21.
    """
    del stable
    descending = _descending(direction)
    x = as_tensor(values)
    return ops.argsort.of(x, axis=_known_axis(axis, x, "ArgSort"), descending=descending, name=name)


def top_k(input, k=1, sorted=True, index_type=int32, name=None):
    """The k largest elements of each row (last axis) in decreasing order, and their indices.

    Args:
      input: real numbers, with at least one axis.
      k: an int or a scalar tensor, at most the length of a row.
      sorted: the elements are sorted in any case.
      index_type: int16, int32 or int64.
      name: of the operation in a graph.

    Returns a named tuple `(values, indices)` of shape (..., k). The gradient goes to the chosen elements.

    Raises InvalidArgumentError for a k that is negative or too large.

    >>> import gradtape as tf
    >>> values, indices = tf.math.top_k([1., 4., 2., 4.], k=2)
    >>> print(values.numpy(), indices.numpy())
    [4. 4.] [1 3]

    As TensorFlow 2.21.
    """
    del sorted
    x = as_tensor(input)
    k = integer(k, "Tk", "TopKV2", "k must be scalar, got shape")
    index_type = as_dtype(index_type).np
    require(EagerTensor(np.zeros((), index_type)), "int16, int32, int64", "index_type", "TopKV2")
    return TopKV2(*ops.top_k.of(x, k, index_type=index_type, name=name))


def _approx(operand: Any, k: Any, axis: Any, largest: bool, name: Any) -> ApproxTopK:
    x = as_tensor(operand)
    require(x, "float16, bfloat16, float32", "T", "ApproxTopK")
    k = integer(k, "k", "ApproxTopK", "k must be scalar, got shape")
    return ApproxTopK(
        *ops.top_k.of(x, k, axis=_known_axis(axis, x, "ApproxTopK"), largest=largest, name=name)
    )


def approx_max_k(
    operand,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """The k largest elements along an axis and their indices. Found exactly, whatever recall is asked for.

    float16, bfloat16 or float32. Returns a named tuple `(values, indices)`, with k in place of the axis.

    >>> import gradtape as tf
    >>> values, indices = tf.nn.approx_max_k([1., 4., 2.], k=2)
    >>> print(values.numpy(), indices.numpy())
    [4. 2.] [1 2]

    As TensorFlow 2.21, which may miss some.
    """
    del recall_target, reduction_input_size_override, aggregate_to_topk
    return _approx(operand, k, reduction_dimension, True, name)


def approx_min_k(
    operand,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """The k smallest elements along an axis and their indices. Found exactly, whatever recall is asked for.

    float16, bfloat16 or float32. Returns a named tuple `(values, indices)`, with k in place of the axis.

    >>> import gradtape as tf
    >>> values, indices = tf.nn.approx_min_k([1., 4., 2.], k=2)
    >>> print(values.numpy(), indices.numpy())
    [1. 2.] [0 2]

    As TensorFlow 2.21, which may miss some.
    """
    del recall_target, reduction_input_size_override, aggregate_to_topk
    return _approx(operand, k, reduction_dimension, False, name)


def approx_top_k(
    input,
    k,
    reduction_dimension=-1,
    recall_target=0.95,
    is_max_k=True,
    reduction_input_size_override=-1,
    aggregate_to_topk=True,
    name=None,
):
    """`tf.nn.approx_max_k`, or `tf.nn.approx_min_k` if `is_max_k` is False.

    >>> import gradtape as tf
    >>> print(tf.approx_top_k([1., 4., 2.], k=2).values.numpy())
    [4. 2.]

    As TensorFlow 2.21, which may miss some.
    """
    del recall_target, reduction_input_size_override, aggregate_to_topk
    return _approx(input, k, reduction_dimension, bool(is_max_k), name)


def searchsorted(sorted_sequence, values, side="left", out_type=int32, name=None):
    """For each value the place in its sorted row where it can be put in, left or right of equal elements.

    Args:
      sorted_sequence: real numbers of shape (..., m), increasing along the last axis.
      values: of the same dtype, of shape (..., k) with as many rows.
      side: `"left"` counts the elements that are less, `"right"` those that are less or equal.
      out_type: int32 or int64.
      name: of the operation in a graph.

    Returns a tensor of the shape of the values.

    Raises ValueError for another side; InvalidArgumentError for scalars, other dtypes and numbers of rows.

    >>> import gradtape as tf
    >>> print(tf.searchsorted([1., 3., 5.], [0., 3., 9.]).numpy())
    [0 1 3]

    As TensorFlow 2.21.
    """
    if side not in ("left", "right"):
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = {side!r}.")
    op = ops.lower_bound if side == "left" else ops.upper_bound
    out_type = as_dtype(out_type).np
    require(EagerTensor(np.zeros((), out_type)), "int32, int64", "out_type", op.name)
    rows, values = as_tensor(sorted_sequence), as_tensor(values)
    for tensor, called in (rows, "sorted_sequence"), (values, "values"):
        if shape_of(tensor) == ():
            raise InvalidArgumentError.of(
                f"slice index -1 of dimension 0 out of bounds: {called} is a scalar, and must have an axis. "
                f"[Op:{op.name}]"
            )
    return op.of(rows, values, out_type=out_type, name=name)
