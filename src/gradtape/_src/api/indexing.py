"""Slices: `x[...]`, `tf.slice`, `tf.strided_slice`, and assignment to slices of variables.

`getitem` is what stands behind the brackets of tensors and variables. It makes of what is between them a
*key* (see ``ops/indexing.py``): integers that are known are in the key, integers that a graph computes are
arguments.
"""

from __future__ import annotations

import builtins
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.api.selection import boolean_mask
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.notes import note
from gradtape._src.core.tensor_shape import Dimension
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import indexing as ops
from gradtape._src.ops.indexed_slices import strided_slice as strided_slice_op
from gradtape._src.ops.keys import HOLE

_INDEX_DTYPES = frozenset(map(np.dtype, (np.int16, np.int32, np.int64)))
_INTEGER_KINDS = "iu"


# --- Between the brackets -----------------------------------------------------------------------------------


def getitem(x: Tensor, key: Any) -> Any:
    """`x[key]` of a tensor.

    The key is an integer, a slice (steps may be negative), `...`, `tf.newaxis`, or a tuple of these. Integers
    may be scalar tensors of dtype int16, int32 or int64. A key that is one boolean tensor or array selects by
    `tf.boolean_mask`.

    Raises:
      TypeError: another kind of index. Lists of indices: see `tf.gather`.
      InvalidArgumentError: an index out of range, more indices than axes.
    """
    if type(key) is int:
        return strided_slice_op.of(x, key=(key,))
    if _is_mask(key):
        return boolean_mask(x, key)
    template, dynamic = parsed(key)
    return strided_slice_op.of(x, *dynamic, key=template)


def _is_mask(key: Any) -> bool:
    if isinstance(key, (bool, np.ndarray)):
        return isinstance(key, bool) or key.dtype.kind == "b"
    return isinstance(key, Tensor) and dtype_of(key).kind == "b"


def parsed(key: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """The key of what is between the brackets, and the tensors that fill its holes."""
    parts = key if isinstance(key, (tuple, list)) else (key,)
    if parts and isinstance(parts[0], bool):
        other = next((part for part in parts if not isinstance(part, bool)), None)
        if other is not None:
            raise TypeError(
                f"Cannot convert {other!r} to EagerTensor of dtype bool. Indices are integers, not bools."
            )
        raise InvalidArgumentError.of(
            "Value for attr 'Index' of bool is not in the list of allowed values: int16, int32, int64 "
            f"[Op:StridedSlice]. To select by the list {key!r}, use tf.boolean_mask."
        )
    dynamic: list[Any] = []
    return tuple([_entry(part, dynamic) for part in parts]), dynamic


def _entry(part: Any, dynamic: list[Any]) -> Any:
    if type(part) is int or part is None or part is ...:
        return part
    if type(part) is builtins.slice:
        return tuple(
            [
                n if n is None or type(n) is int else _integer(n, dynamic)
                for n in (part.start, part.stop, part.step)
            ]
        )
    return _integer(part, dynamic)


def _integer(value: Any, dynamic: list[Any]) -> Any:
    """A number in a key: an int, or a hole and one more dynamic number."""
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, Dimension) and value.value is not None:
        return value.value
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in _INTEGER_KINDS:
        return int(value)
    if hasattr(value, "__tf_tensor__"):  # a variable
        tensor = as_tensor(value)
    else:
        tensor = value
    if not isinstance(tensor, Tensor) or dtype_of(tensor) not in _INDEX_DTYPES or shape_of(tensor):
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors "
            f"are valid indices, got {value!r}"
        )
    if type(tensor) is EagerTensor:
        if tensor._ghost is not None:  # somebody follows it
            note("choice", "an index", (tensor,))
        return int(tensor._data)
    dynamic.append(tensor)
    return HOLE


def assigned(array: np.ndarray, key: Any, value: Any) -> np.ndarray:
    """A copy of the array of a variable, with a value at `[key]`; what `v[key].assign(value)` does.

    The value is brought to the array's dtype and broadcasts to what it replaces.
    """
    template, dynamic = parsed(key)
    if dynamic:
        raise TypeError(f"Assignment to a slice needs indices that are known now, got {dynamic[0]!r}")
    return ops.assigned(array, template, as_tensor(value, from_numpy(array.dtype))._data)


# --- Functions ----------------------------------------------------------------------------------------------


def _integers(values: Any, op: str, allowed: str) -> Any:
    """A vector of integers: a tuple if they are known, else a tensor."""
    if type(values) in (list, tuple) and all(type(value) is int for value in values):
        return tuple(values)
    tensor = as_tensor(values)
    dtype = from_numpy(dtype_of(tensor)).name
    if dtype not in allowed.split(", "):
        dtype = {"float32": "float", "float64": "double", "float16": "half"}.get(dtype, dtype)
        raise InvalidArgumentError.of(
            f"Value for attr 'Index' of {dtype} is not in the list of allowed values: {allowed} [Op:{op}]. "
            f"Expected a vector of integers, received {values!r}."
        )
    if type(tensor) is EagerTensor and tensor._data.ndim == 1:
        return tuple(tensor._data.tolist())
    return tensor


def slice(input_, begin, size, name=None):
    """The box of a tensor that starts at `begin` and is `size` large: `x[b0:b0+s0, b1:b1+s1, ...]`.

    Args:
      input_: a tensor with n axes, of any dtype.
      begin: n integers; unlike in `x[...]` they count from the front only.
      size: n integers; -1 stands for all that is left.
      name: of the operation in a graph.

    Raises InvalidArgumentError if the box does not lie inside the tensor.

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(12), [3, 4])
    >>> print(tf.slice(x, [1, 0], [-1, 2]).numpy())
    [[4 5]
     [8 9]]

    As TensorFlow 2.21.
    """
    begin, size = (_integers(values, "Slice", "int32, int64") for values in (begin, size))
    return ops.slice_.of(as_tensor(input_), begin, size, name=name)


def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    var=None,
    name=None,
):
    """What `x[b0:e0:s0, b1:e1:s1, ...]` is; bit i of a mask says what is special about entry i.

    Args:
      input_: a tensor, of any dtype.
      begin, end, strides: as many integers each; strides are 1 by default.
      begin_mask: the slice starts where it can (`:e`).
      end_mask: it ends where it can (`b:`).
      ellipsis_mask: the entry stands for `...`.
      new_axis_mask: the entry stands for `tf.newaxis`.
      shrink_axis_mask: the entry stands for the integer `begin[i]`.
      var: not used; assign to `variable[...]` instead.
      name: of the operation in a graph.

    Raises InvalidArgumentError for an integer out of range, a stride of 0, or more entries than axes.

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(12), [3, 4])
    >>> print(tf.strided_slice(x, [0, 3], [3, 0], [2, -2]).numpy())
    [[ 3  1]
     [11  9]]

    As TensorFlow 2.21.
    """
    del var
    allowed = "int16, int32, int64"
    begin, end = (_integers(values, "StridedSlice", allowed) for values in (begin, end))
    strides = (1,) * _length(begin) if strides is None else _integers(strides, "StridedSlice", allowed)
    lengths = [
        shape_of(vector) if isinstance(vector, Tensor) else (len(vector),) for vector in (begin, end, strides)
    ]
    if len(lengths[0]) != 1 or len(set(lengths)) > 1:
        shown = "[{}], [{}], and [{}]".format(*(",".join(map(str, shape)) for shape in lengths))
        raise InvalidArgumentError.of(
            f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes {shown} instead. "
            "[Op:StridedSlice]"
        )
    key: list[Any] = []
    dynamic: list[Any] = []
    for i in range(lengths[0][0]):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(...)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            if not isinstance(strides, Tensor) and strides[i] <= 0:
                raise InvalidArgumentError.of(
                    "only stride 1 allowed on non-range indexing. [Op:StridedSlice]"
                )
            key.append(_number(begin, i, dynamic))
        else:
            first = None if begin_mask & bit else _number(begin, i, dynamic)
            last = None if end_mask & bit else _number(end, i, dynamic)
            key.append((first, last, _number(strides, i, dynamic)))
    return strided_slice_op.of(as_tensor(input_), *dynamic, key=tuple(key), name=name)


def _length(vector: Any) -> int:
    if not isinstance(vector, Tensor):
        return len(vector)
    shape = shape_of(vector)
    return shape[0] if shape and shape[0] is not None else 0


def _number(vector: Sequence[int] | Tensor, i: int, dynamic: list[Any]) -> Any:
    return _integer(getitem(vector, i), dynamic) if isinstance(vector, Tensor) else vector[i]
