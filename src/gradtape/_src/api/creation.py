"""Public functions that make tensors from a few numbers: constants, ranges, identity matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.static import static_int, static_ints
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, bool_, float32, from_numpy, is_complex_np, is_floating_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import arrays
from gradtape._src.ops import creation as ops
from gradtape._src.ops.casting import cast

_VECTOR = "dims must represent a vector, got shape {shape}"


def _no_strings(dtype: np.dtype, value: int = 1) -> np.dtype:
    if dtype.kind == "O":
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype {from_numpy(dtype).name}")
    return dtype


# --- One value ----------------------------------------------------------------------------------------------


def zeros(shape, dtype=float32, name=None, layout=None):
    """Zeros of a shape; False for bool, empty strings for string.

    layout: how to distribute the tensor over devices; there is one device, and it is ignored.

    Raises:
      InvalidArgumentError: a length is negative.
      TypeError: the shape is not of integers.

    >>> import gradtape as tf
    >>> print(tf.zeros([2, 3]).numpy())
    [[0. 0. 0.]
     [0. 0. 0.]]

    As TensorFlow 2.21.
    """
    return ops.zeros.of(
        static_ints(shape, "Fill", None, _VECTOR, scalar=True), dtype=as_dtype(dtype).np, name=name
    )


def ones(shape, dtype=float32, name=None, layout=None):
    """Ones of a shape; True for bool.

    layout: ignored, see ``zeros``.

    Raises:
      InvalidArgumentError: a length is negative.
      TypeError: the shape is not of integers, or the dtype is string.

    >>> import gradtape as tf
    >>> print(tf.ones([3], tf.int32).numpy())
    [1 1 1]

    As TensorFlow 2.21.
    """
    return ops.ones.of(
        static_ints(shape, "Fill", None, _VECTOR, scalar=True),
        dtype=_no_strings(as_dtype(dtype).np),
        name=name,
    )


def fill(dims, value, name=None, layout=None):
    """A tensor of a shape with one value everywhere.

    dims: the shape.
    value: a scalar, whose dtype is the result's.
    layout: ignored, see ``zeros``.

    Raises:
      InvalidArgumentError: a length is negative, or the value is no scalar.

    >>> import gradtape as tf
    >>> print(tf.fill([2, 2], 7).numpy())
    [[7 7]
     [7 7]]

    As TensorFlow 2.21.
    """
    value = as_tensor(value)
    if shape_of(value) == (1,):
        value = arrays.reshape(value, ())
    return ops.fill.of(static_ints(dims, "Fill", "index_type", _VECTOR, scalar=True), value, name=name)


def zeros_like(input, dtype=None, name=None, layout=None):
    """Zeros of the shape of a tensor, and of its dtype unless another is given.

    layout: ignored, see ``zeros``.

    >>> import gradtape as tf
    >>> print(tf.zeros_like([1.5, 2.5]).numpy())
    [0. 0.]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    if dtype is None:
        return arrays.zeros_like.of(x, name=name)
    return arrays.zeros_like.of(x, dtype=as_dtype(dtype).np, name=name)


def ones_like(input, dtype=None, name=None, layout=None):
    """Ones of the shape of a tensor, and of its dtype unless another is given.

    layout: ignored, see ``zeros``.

    Raises:
      TypeError: the dtype is string.

    >>> import gradtape as tf
    >>> print(tf.ones_like([1.5, 2.5]).numpy())
    [1. 1.]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    if dtype is None:
        if dtype_of(x).kind == "O":
            raise InvalidArgumentError.of(
                "Value for attr 'T' of string is not in the list of allowed values: numbers and bool "
                "[Op:OnesLike]"
            )
        return arrays.ones_like.of(x, name=name)
    return arrays.ones_like.of(x, dtype=_no_strings(as_dtype(dtype).np), name=name)


# --- Ranges -------------------------------------------------------------------------------------------------

_USUAL = frozenset(np.dtype(d).num for d in ("int32", "int64", "float32", "float64"))
_RANKED = ("int32", "int64", "float16", "bfloat16", "float32", "float64")


def range(start, limit=None, delta=1, dtype=None, name="range"):
    """start, start + delta, start + 2 delta, ... as long as it is before limit.

    ``range(limit)`` begins at 0. Element i is computed as start + i * delta.

    dtype: by default the widest of the arguments' dtypes: an int, or a float if one of them is.

    Raises:
      InvalidArgumentError: delta is 0, or has the wrong sign, or the arguments are no scalars.
      TypeError: a dtype that is neither an integer nor a floating-point one, or that cannot hold the
      arguments.

    >>> import gradtape as tf
    >>> print(tf.range(5).numpy(), tf.range(3, 18, 5).numpy(), tf.range(0.0, 1.0, 0.25).numpy())
    [0 1 2 3 4] [ 3  8 13] [0.   0.25 0.5  0.75]

    As TensorFlow 2.21, and differentiable in start and delta too.
    """
    if limit is None:
        start, limit = 0, start
    given = None if dtype is None else as_dtype(dtype)
    numbers = [x if isinstance(x, Tensor) else as_tensor(x, given) for x in (start, limit, delta)]
    if given is None:
        first = dtype_of(numbers[0])
        if first.num in _USUAL and first is dtype_of(numbers[1]) is dtype_of(numbers[2]):
            return ops.range_.of(*numbers, name=name)
        names = [from_numpy(dtype_of(x)).name for x in numbers]
        for one in names:
            if one not in _RANKED:
                raise TypeError(
                    f"tf.range: expected numbers of dtype {', '.join(_RANKED)}, received {one}. "
                    "Convert them with tf.cast, or say which dtype the result should have."
                )
        wanted = as_dtype(max(names, key=_RANKED.index)).np
    else:
        wanted = given.np
    numbers = [x if dtype_of(x) == wanted else cast(x, dtype=wanted) for x in numbers]
    return ops.range_.of(*numbers, name=name)


def linspace(start, stop, num, name=None, axis=0):
    """``num`` numbers in equal steps from start to stop, both included, along a new axis.

    start, stop: numbers of one dtype or tensors of them, which broadcast. Of integers the result is
    floating-point: float64 of int32 and int64.
    num: how many; with 1 it is start alone.
    axis: where the new axis is.

    Element i is start + i * (stop - start) / (num - 1); the last one is exactly stop.

    Raises:
      InvalidArgumentError: num is negative, the shapes do not broadcast, or there is no such axis.
      TypeError: num is not an integer.
      ValueError: stop is a tensor of another dtype.

    >>> import gradtape as tf
    >>> print(tf.linspace(0.0, 1.0, 5).numpy())
    [0.   0.25 0.5  0.75 1.  ]

    As TensorFlow 2.21.
    """
    start = as_tensor(start)
    stop = as_tensor(stop, like=start)
    count = as_tensor(num)
    if not from_numpy(dtype_of(count)).is_integer and dtype_of(count) != bool_.np:
        raise TypeError(
            f"Argument `tensor` (name: num) must be of type integer. Received `tensor` = {num} of dtype: "
            f"{from_numpy(dtype_of(count))!s}"
        )
    if type(count) is EagerTensor:
        if count._data.size != 1 or count._data.ndim > 1:
            raise InvalidArgumentError.of(
                f"limit must be a scalar, not shape [{','.join(map(str, count._data.shape))}] [Op:Range]"
            )
        count = int(count._data.reshape(()))
        if count < 0:
            raise InvalidArgumentError.of(f"Requires num >= 0: {count} [Op:LinSpace]")
    dtype = dtype_of(start)
    if dtype.kind == "b":
        raise InvalidArgumentError.of(
            "Value for attr 'T' of bool is not in the list of allowed values: numbers [Op:Sub]. Use tf.cast."
        )
    if not is_floating_np(dtype) and not is_complex_np(dtype):
        wide = np.dtype(np.float64 if dtype.itemsize > 2 else np.float32)
        start, stop = cast(start, dtype=wide), cast(stop, dtype=wide)
    return ops.linspace.of(start, stop, count, axis=_new_axis(axis, start, stop), name=name)


def _new_axis(axis: Any, *tensors: Any) -> int:
    axis = static_int(axis, "ExpandDims", "Tdim")
    shapes = [shape_of(x) for x in tensors]
    if None not in shapes:
        rank = max(map(len, shapes))  # type: ignore[arg-type]
        if not -rank - 1 <= axis <= rank:
            raise InvalidArgumentError.of(
                f"Tried to expand dim index {axis} for tensor with {rank} dimensions. [Op:ExpandDims]"
            )
    return axis


# --- Matrices -----------------------------------------------------------------------------------------------


def eye(num_rows, num_columns=None, batch_shape=None, dtype=float32, name=None):
    """The identity matrix, or one with more rows than columns or the reverse; a batch of them with
    batch_shape.

    num_columns: as many as rows by default.
    batch_shape: the shape of the batch.

    Raises:
      TypeError: the sizes are not integers, or the dtype is string.
      InvalidArgumentError: a size is negative.

    >>> import gradtape as tf
    >>> print(tf.eye(2, 3).numpy())
    [[1. 0. 0.]
     [0. 1. 0.]]

    As TensorFlow 2.21.
    """
    rows, columns = num_rows, num_rows if num_columns is None else num_columns
    for n in (rows, columns):
        whole = isinstance(n, (int, np.integer)) and not isinstance(n, bool)
        if not whole and not (isinstance(n, Tensor) and from_numpy(dtype_of(n)).is_integer):
            raise TypeError(
                "Arguments `num_rows` and `num_columns` must be positive integer values. "
                f"Received: num_rows={rows}, num_columns={columns}"
            )
    if batch_shape is None:
        batch_shape = ()
    elif not isinstance(batch_shape, Tensor):
        batch_shape = list(batch_shape)
    return ops.eye.of(
        static_int(rows, "Eye", "num_rows"),
        static_int(columns, "Eye", "num_columns"),
        static_ints(batch_shape, "Eye", "batch_shape"),
        dtype=_no_strings(as_dtype(dtype).np),
        name=name,
    )
