"""Public pooling functions, and image patches.

A pool slides a window over the spatial dimensions of each channel, and takes the largest or the mean of what
the window holds. Arguments that mean the same in all functions:

- ``ksize``, ``strides``: one number, one for each spatial dimension, or one for every axis;
- ``padding``: "VALID" keeps the windows inside the array; "SAME" lets them hang over, as equally as can be, so that
  there are ceil(size / stride) of them, and counts only what lies inside; a list (maxima only) gives a pair
  of margins for every axis;
- ``data_format``: where the channels are; "N…C" (the default) or "NC…".

The gradient of a maximum goes to the first of the largest, in row-major order. Maxima take real numbers,
means floating-point ones. Windows that do not fit raise InvalidArgumentError.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gradtape._src.api.nn_sliding import channels_first, padding_of, per_axis, to_first, to_last
from gradtape._src.api.selection import require
from gradtape._src.api.static import kernel_name
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int64
from gradtape._src.core.errors import InvalidArgumentError, UnimplementedError
from gradtape._src.core.shapes import as_text
from gradtape._src.core.values import shape_of
from gradtape._src.ops import pooling as ops
from gradtape._src.ops.arrays import reshape


class _Kind(NamedTuple):
    """A maximum or a mean: its operations for up to two, and for three spatial dimensions."""

    flat: Any
    solid: Any
    explicit: bool  # whether margins can be given

    def op(self, rank: int) -> Any:
        return self.solid if rank == 3 else self.flat


_MAX = _Kind(ops.max_pool, ops.max_pool3d, True)
_AVG = _Kind(ops.avg_pool, ops.avg_pool3d, False)


def _pooled(
    kind: _Kind,
    rank: int,
    x: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    name: Any,
    dilations: Any = None,
) -> Any:
    op = kind.op(rank)
    first = channels_first(data_format, rank, op.name)
    x = as_tensor(x)
    _check_rank(x, rank, op.name)
    window, batch, depth = per_axis(ksize, rank, "ksize", first)
    steps, batch_step, depth_step = per_axis(strides, rank, "strides", first)
    if batch != 1 or batch_step != 1:
        raise UnimplementedError.of(f"Pooling is not yet supported on the batch dimension. [Op:{op.name}]")
    margins = padding_of(padding, rank, first, op.name, kind.explicit)
    _check_window(window, steps, margins, op.name)
    if depth != 1 or depth_step != 1:
        return _over_depth(kind, x, first, window, depth, depth_step, name)
    spread = per_axis(dilations, rank, "dilations", first)[0]
    sliding = {"ksize": window, "strides": steps, "padding": margins, "dilations": spread}
    if first:
        return to_first(op.of(to_last(x, rank), name=name, **sliding), rank)
    return op.of(x, name=name, **sliding)


def _check_rank(x: Any, rank: int, op: str) -> None:
    shape = shape_of(x)
    if shape is not None and len(shape) != rank + 2:
        raise InvalidArgumentError.of(
            f"tensor_in_shape must have {rank} spatial dimensions, so that the input must be {rank + 2}-dimensional, "
            f"not {len(shape)}-dimensional [Op:{op}]"
        )


def _check_window(window: Any, steps: Any, margins: Any, op: str) -> None:
    if min(window) <= 0:
        shown = ",".join(map(str, (1, *window, 1)))
        raise InvalidArgumentError.of(
            f"Sliding window ksize must be positive. The specified or inferred ksize is: {shown} [Op:{op}]"
        )
    if min(steps) <= 0:
        raise InvalidArgumentError.of(f"Stride must be > 0, but got {min(steps)} [Op:{op}]")
    if not isinstance(margins, str):
        for size, pair in zip(window, margins):
            if max(pair) >= size:
                raise InvalidArgumentError.of(
                    f"padding {max(pair)} needs to be smaller than the window size {size} [Op:{op}]"
                )


def _over_depth(kind: _Kind, x: Any, first: bool, window: Any, depth: int, step: int, name: Any) -> Any:
    """A maximum over groups of channels."""
    op = kind.op(2).name
    if kind is not _MAX:
        raise UnimplementedError.of(f"Non-spatial pooling is not yet supported. [Op:{op}]")
    if max(window) > 1:
        raise UnimplementedError.of(
            "MaxPooling supports exactly one of pooling across depth or pooling across width/height. "
            f"[Op:{op}]"
        )
    x = to_last(x, len(window)) if first else x
    shape = shape_of(x)
    if shape is None or None in shape or depth != step or shape[-1] % depth:
        raise UnimplementedError.of(
            "Depthwise max pooling requires the depth window to equal the depth stride, and to evenly divide the input "
            f"depth, but they are {depth}, {step} and {None if shape is None else shape[-1]} [Op:{op}]"
        )
    rows = reshape.of(x, (-1, shape[-1], 1))
    sliding = {"ksize": (depth,), "strides": (depth,), "padding": "VALID", "dilations": (1,)}
    y = reshape.of(kind.op(1).of(rows, name=name, **sliding), (*shape[:-1], shape[-1] // depth))
    return to_first(y, len(window)) if first else y


def _rank_of(x: Any) -> int:
    shape = shape_of(x)
    if shape is None or len(shape) not in (3, 4, 5):
        rank = None if shape is None else len(shape)
        raise ValueError(
            f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={as_text(shape)} of rank {rank}."
        )
    return len(shape) - 2


# --- Maximum ------------------------------------------------------------------------------------------------


def max_pool(input, ksize, strides, padding, data_format=None, name=None):
    """The largest element of each window, along all dimensions but the first and the channels.

    Args:
      input: (batch, *space, channels), with 1 to 3 spatial dimensions (else ValueError).
      ksize, strides, padding, data_format: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, *windows, channels).

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.max_pool(x, 2, 2, "VALID").numpy().reshape(2, 2))
    [[ 5.  7.]
     [13. 15.]]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    return _pooled(_MAX, _rank_of(x), x, ksize, strides, padding, data_format, name)


def max_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The largest element of each window of ``input`` (batch, width, channels).

    >>> import gradtape as tf
    >>> print(tf.nn.max_pool1d(tf.reshape([1.0, 3.0, 2.0], [1, 3, 1]), 2, 1, "VALID").numpy().ravel())
    [3. 3.]

    As TensorFlow 2.21.
    """
    return _pooled(_MAX, 1, input, ksize, strides, padding, data_format, name)


def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The largest element of each window of ``input`` (batch, height, width, channels).

    One number of ``ksize`` and ``strides`` for every axis may also pool over groups of channels, instead of space.

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.max_pool2d(x, 2, 2, "VALID").numpy().reshape(2, 2))
    [[ 5.  7.]
     [13. 15.]]

    As TensorFlow 2.21.
    """
    return _pooled(_MAX, 2, input, ksize, strides, padding, data_format, name)


def max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The largest element of each window of ``input`` (batch, depth, height, width, channels).

    >>> import gradtape as tf
    >>> print(tf.nn.max_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2, 2, "VALID").numpy().ravel())
    [7.]

    As TensorFlow 2.21.
    """
    return _pooled(_MAX, 3, input, ksize, strides, padding, data_format, name)


class MaxPoolWithArgmax(NamedTuple):
    """What `max_pool_with_argmax` gives."""

    output: Any
    argmax: Any


def max_pool_with_argmax(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    output_dtype=int64,
    include_batch_in_index=False,
    name=None,
):
    """The largest element of each window, and where it is.

    Args:
      input: (batch, height, width, channels).
      ksize, strides, padding: see this module.
      data_format: "NHWC" (else ValueError).
      output_dtype: int32 or int64.
      include_batch_in_index: whether the positions count through the whole batch, or through one of its arrays.
      name: of the operation in a graph.

    Returns:
      A pair (output, argmax) of tensors (batch, rows of windows, columns of windows, channels); argmax has
      the flat positions ((b * height + y) * width + x) * channels + c, with b = 0 if the batch is not
      included. It has no gradient.

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 3.0, 2.0, 0.0], [1, 2, 2, 1])
    >>> output, argmax = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")
    >>> print(output.numpy().ravel(), argmax.numpy().ravel())
    [3.] [1]

    As TensorFlow 2.21.
    """
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    dtype = as_dtype(output_dtype)
    if dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError.of(
            f"Value for attr 'Targmax' of {kernel_name(dtype.np)} is not in the list of allowed values: int32, int64 "
            "[Op:MaxPoolWithArgmax]"
        )
    x = as_tensor(input)
    y = _pooled(_MAX, 2, x, ksize, strides, padding, data_format, name)
    places = ops.first_places.of(
        x,
        y,
        ksize=per_axis(ksize, 2, "ksize", False)[0],
        strides=per_axis(strides, 2, "strides", False)[0],
        padding=padding_of(padding, 2, False, "MaxPoolWithArgmax"),
        dilations=(1, 1),
        dtype=dtype.name,
        include_batch=bool(include_batch_in_index),
    )
    return MaxPoolWithArgmax(y, places)


# --- Mean ---------------------------------------------------------------------------------------------------


def avg_pool(input, ksize, strides, padding, data_format=None, name=None):
    """The mean of each window, along all dimensions but the first and the channels.

    Args:
      input: (batch, *space, channels), with 1 to 3 spatial dimensions (else ValueError).
      ksize, strides, padding, data_format: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, *windows, channels).

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.avg_pool(x, 2, 2, "VALID").numpy().reshape(2, 2))
    [[ 2.5  4.5]
     [10.5 12.5]]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    return _pooled(_AVG, _rank_of(x), x, ksize, strides, padding, data_format, name)


def avg_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The mean of each window of ``input`` (batch, width, channels).

    >>> import gradtape as tf
    >>> print(tf.nn.avg_pool1d(tf.reshape([1.0, 3.0, 2.0], [1, 3, 1]), 2, 1, "VALID").numpy().ravel())
    [2.  2.5]

    As TensorFlow 2.21.
    """
    return _pooled(_AVG, 1, input, ksize, strides, padding, data_format, name)


def avg_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The mean of each window of ``input`` (batch, height, width, channels).

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.avg_pool2d(x, 2, 2, "VALID").numpy().reshape(2, 2))
    [[ 2.5  4.5]
     [10.5 12.5]]

    As TensorFlow 2.21.
    """
    return _pooled(_AVG, 2, input, ksize, strides, padding, data_format, name)


def avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The mean of each window of ``input`` (batch, depth, height, width, channels).

    >>> import gradtape as tf
    >>> print(tf.nn.avg_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2, 2, "VALID").numpy().ravel())
    [3.5]

    As TensorFlow 2.21.
    """
    return _pooled(_AVG, 3, input, ksize, strides, padding, data_format, name)


# --- Either -------------------------------------------------------------------------------------------------


def pool(
    input,
    window_shape,
    pooling_type,
    strides=None,
    padding="VALID",
    data_format=None,
    dilations=None,
    name=None,
):
    """Pooling along 1 to 3 spatial dimensions, with dilations.

    Args:
      input: (batch, *space, channels).
      window_shape: a number for each spatial dimension.
      pooling_type: "MAX" or "AVG".
      strides, dilations: a number for each spatial dimension; ones by default.
      padding, data_format: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, *windows, channels).

    Raises:
      ValueError: another number of dimensions, or another type.

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> print(tf.nn.pool(x, [2], "MAX", dilations=[2]).numpy().ravel())
    [2. 5.]

    As TensorFlow 2.21.
    """
    rank = len(window_shape)
    if rank not in (1, 2, 3):
        raise ValueError(
            f"`len(window_shape)` must be 1, 2, or 3. Received: window_shape={window_shape} of length {rank}"
        )
    kind = {"MAX": _MAX, "AVG": _AVG}.get(pooling_type)
    if kind is None:
        raise ValueError(f"{rank}-D {pooling_type} pooling is not supported.")
    x = as_tensor(input)
    shape = shape_of(x)
    if shape is not None and len(shape) != rank + 2:
        raise ValueError(f"Shape {as_text(shape)} must have rank {rank + 2}")
    return _pooled(kind, rank, x, tuple(window_shape), strides, padding, data_format, name, dilations)


# --- Patches ------------------------------------------------------------------------------------------------


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """The windows of images as vectors.

    Args:
      images: numbers or bools (batch, height, width, channels).
      sizes: of the windows, [1, height, width, 1].
      strides: between the windows, [1, rows, columns, 1].
      rates: between the elements of a window, [1, rows, columns, 1].
      padding: "VALID", or "SAME" for margins of zeros.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, rows of windows, columns of windows, height * width * channels of a window).

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.range(9), [1, 3, 3, 1])
    >>> print(tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy()[0, 0])
    [[0 1 3 4]
     [1 2 4 5]]

    As TensorFlow 2.21.
    """
    op = ops.extract_patches
    x = as_tensor(images)
    require(x, _PATCH_DTYPES, "T", op.name)
    _check_rank(x, 2, op.name)
    found = {}
    for key, attr, value in (
        ("ksize", "ksizes", sizes),
        ("strides", "strides", strides),
        ("dilations", "rates", rates),
    ):
        if len(value) != 4:
            raise InvalidArgumentError.of(
                f"Length for attr '{attr}' of {len(value)} must be at least minimum 4 [Op:{op.name}]"
            )
        found[key], batch, depth = per_axis(value, 2, attr, False)
        if batch != 1 or depth != 1:
            raise UnimplementedError.of(f"Only support {attr} across space. [Op:{op.name}]")
        if min(found[key]) <= 0:
            raise InvalidArgumentError.of(f"{attr} must be positive, got {value} [Op:{op.name}]")
    margins = padding_of(padding, 2, False, op.name, explicit=False)
    return op.of(x, name=name, padding=margins, **found)


_PATCH_DTYPES = (
    "bfloat16, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, "
    "complex128, bool"
)
