"""Choosing by a condition: `tf.where`, `tf.boolean_mask`, `tf.one_hot`, `tf.sequence_mask`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import DType, as_dtype, bool_, float32, from_numpy, int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import selection as ops

_KERNEL_NAMES = {"float32": "float", "float64": "double", "float16": "half"}


def require(tensor: Any, allowed: str, attr: str, op: str) -> None:
    """Refuses dtypes that are not in a list of names, as TensorFlow words it."""
    found = from_numpy(dtype_of(tensor)).name
    if found not in _names(allowed):
        raise InvalidArgumentError.of(
            f"Value for attr '{attr}' of {_KERNEL_NAMES.get(found, found)} is not in the list of allowed "
            "values: "
            f"{allowed} [Op:{op}]. Use tf.cast to convert it."
        )


@cache
def _names(allowed: str) -> frozenset[str]:
    return frozenset(allowed.split(", "))


def require_same(op: str, x: Any, y: Any, place: int) -> None:
    """Refuses two tensors of different dtypes; ``place`` is the position of y among the op's inputs."""
    a, b = dtype_of(x), dtype_of(y)
    if a != b:
        first, second = (_KERNEL_NAMES.get(name, name) for name in (from_numpy(a).name, from_numpy(b).name))
        raise InvalidArgumentError.of(
            f"cannot compute {op} as input #{place}(zero-based) was expected to be a {first} tensor but is "
            f"a {second} "
            f"tensor [Op:{op}]. Use tf.cast to bring both to one dtype."
        )


def where(condition, x=None, y=None, name=None):
    """x where the condition holds and y elsewhere; with the condition alone, where it holds.

    The three broadcast. The gradient of each side is that of the elements taken from it and exactly 0 for the
    others, also where they are infinite or NaN, to any order: `tf.where(x > 0., tf.sqrt(x), 0.)` has the
    gradient 0 at 0.

    Args:
      condition: a bool tensor; alone also numbers, which hold if they are not 0.
      x, y: tensors of one dtype, any; a number takes the other's dtype.
      name: of the operation in a graph.

    Returns:
      A tensor of the dtype of x and y. Without them an int64 tensor of shape (number of places, rank of the
      condition) with the index vectors of the places where it holds, in row-major order.

    Raises:
      ValueError: x or y alone.
      InvalidArgumentError: shapes that do not broadcast, x and y of different dtypes.

    >>> import gradtape as tf
    >>> x = tf.constant([-1., 0., 4.])
    >>> print(tf.where(x > 0., tf.sqrt(x), 0.).numpy())
    [0. 0. 2.]
    >>> print(tf.where(x > 0.).numpy())
    [[2]]

    As TensorFlow 2.21, whose gradient at 0 is NaN to second order.
    """
    if x is None and y is None:
        return ops.where.of(as_tensor(condition), name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    condition = as_tensor(condition, bool_)
    x, y = as_operands(x, y)
    require_same("SelectV2", x, y, 2)
    return ops.select.of(condition, x, y, name=name)


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """The slices of a tensor for which a mask holds: `tensor[mask]`, one under the other.

    Args:
      tensor: a tensor of any dtype.
      mask: a bool tensor (or numbers, which hold if they are not 0) with the shape of the tensor's axes from
        `axis` on.
      axis: where the mask's axes start; 0 by default.
      name: of the operation in a graph.

    Returns a tensor whose shape has, in place of the mask's axes, one as long as the mask holds often.

    Raises ValueError if the mask is a scalar or its shape does not fit.

    >>> import gradtape as tf
    >>> print(tf.boolean_mask([[1, 2], [3, 4], [5, 6]], [True, False, True]).numpy())
    [[1 2]
     [5 6]]

    As TensorFlow 2.21.
    """
    tensor, mask = as_tensor(tensor), as_tensor(mask)
    shape, mask_shape = shape_of(tensor), shape_of(mask)
    if mask_shape is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. "
            "shape=[None] is ok, "
            "but shape=None is not."
        )
    if not mask_shape:
        raise ValueError("mask cannot be scalar.")
    require(mask, _MASKS, "T", "Where")
    axis = 0 if axis is None else _static(axis, "axis")
    if shape is not None:
        axis = axis + len(shape) if axis < 0 else axis
        part = shape[axis : axis + len(mask_shape)] if axis >= 0 else ()
        if not compatible(part, mask_shape):
            raise ValueError(f"Shapes {as_text(part)} and {as_text(mask_shape)} are incompatible")
    return ops.boolean_mask.of(tensor, mask, axis=axis, name=name)


_MASKS = (
    "float32, float64, int32, uint8, int16, int8, complex64, int64, bfloat16, uint16, complex128, float16, "
    "uint32, "
    "uint64, bool"
)


def _static(value: Any, what: str) -> int:
    """A number that has to be known while a graph is built."""
    if isinstance(value, Tensor) and type(value) is not EagerTensor:
        raise ValueError(f"{what} must be known while the graph is built, got {value!r}")
    return int(value._data if type(value) is EagerTensor else value)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """A new axis along which `on_value` stands at the index, `off_value` elsewhere.

    An index outside of [0, depth) gives `off_value` all along the axis.

    Args:
      indices: an integer tensor (uint8, int8, int32 or int64).
      depth: an integer, the length of the axis.
      on_value, off_value: scalars; 1 and 0 by default. Gradients flow to them.
      axis: where the new axis goes; the last one (-1) by default.
      dtype: of the result; else that of the values, else float32.
      name: of the operation in a graph.

    Raises TypeError if the values are of different dtypes or not of `dtype`; InvalidArgumentError for a
    negative depth, or an axis that is not possible.

    >>> import gradtape as tf
    >>> print(tf.one_hot([0, 2, -1], 3).numpy())
    [[1. 0. 0.]
     [0. 0. 1.]
     [0. 0. 0.]]

    As TensorFlow 2.21, which gives no gradients.
    """
    on, off, dtype = _on_and_off(on_value, off_value, None if dtype is None else as_dtype(dtype))
    if type(depth) is not int:
        depth = as_tensor(depth, int32)
        depth = depth._data if type(depth) is EagerTensor else depth
    if isinstance(indices, (list, tuple)) and len(indices) == 0:
        indices = as_tensor(indices, int64)
    indices = as_tensor(indices)
    require(indices, "uint8, int8, int32, int64", "TI", "OneHot")
    return ops.one_hot.of(indices, depth, on, off, axis=-1 if axis is None else int(axis), name=name)


def _on_and_off(on_value: Any, off_value: Any, dtype: Any) -> tuple[Any, Any, Any]:
    """Both values as tensors of one dtype, and that dtype."""
    found = {}
    for what, value in ("on_value", on_value), ("off_value", off_value):
        if value is not None:
            found[what] = _hinted(value, dtype)
    dtypes = {what: from_numpy(dtype_of(value)) for what, value in found.items()}
    for what, own in dtypes.items():
        if dtype is not None and own != dtype:
            raise TypeError(f"dtype {own} of {what} does not match dtype parameter {dtype}")
    if len(dtypes) == 2 and dtypes["on_value"] != dtypes["off_value"]:
        raise TypeError(
            f"dtype {dtypes['on_value']} of on_value does not match dtype {dtypes['off_value']} of off_value"
        )
    dtype = dtype or next(iter(dtypes.values()), float32)
    on = found["on_value"] if on_value is not None else _number(1, dtype)
    off = found["off_value"] if off_value is not None else _number(0, dtype)
    return on, off, dtype


@cache
def _number(value: int, dtype: DType) -> np.ndarray:
    return as_tensor(value, dtype)._data


def _hinted(value: Any, dtype: Any) -> Any:
    """A value as a tensor, of the dtype if it can be."""
    if dtype is not None and not isinstance(value, Tensor):
        try:
            return as_tensor(value, dtype)
        except (TypeError, ValueError):
            pass
    return as_tensor(value)


def sequence_mask(lengths, maxlen=None, dtype=bool_, name=None):
    """True in the first `lengths[i, j, ...]` places of row `[i, j, ...]`, False behind them.

    Args:
      lengths: a tensor of integers.
      maxlen: the length of the rows; the longest length by default.
      dtype: of the result; True becomes 1.
      name: of the operation in a graph.

    Returns a tensor of shape `lengths.shape + (maxlen,)`.

    Raises ValueError if `maxlen` is no scalar.

    >>> import gradtape as tf
    >>> print(tf.sequence_mask([1, 3, 2], dtype=tf.int32).numpy())
    [[1 0 0]
     [1 1 1]
     [1 1 0]]

    As TensorFlow 2.21.
    """
    lengths = as_tensor(lengths)
    if maxlen is None:
        limits = ()
    else:
        maxlen = as_tensor(maxlen)
        if shape_of(maxlen):
            raise ValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {maxlen} with "
                "shape "
                f"'{shape_of(maxlen)}' instead"
            )
        limits = (maxlen._data if type(maxlen) is EagerTensor else maxlen,)
    return ops.sequence_mask.of(lengths, *limits, dtype=np.dtype(as_dtype(dtype).np), name=name)
