"""Public transposes of convolutions, which make an array from what a convolution would make of it.

Their arguments are those of the convolution of the larger array (see ``nn_convolution.py``): its ``filters``
have the channels of the result next to last, and those of ``input`` last. ``output_shape`` is needed because several
sizes give the same number of windows: a list or integer tensor, for every axis or for the spatial dimensions only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.nn_convolution import check_rate, depthwise_filter, operands, sliding_of
from gradtape._src.api.nn_sliding import channels_first, size_to_last, to_first, to_last
from gradtape._src.api.static import static_ints
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import Ghost, Tensor, dtype_of, shape_of
from gradtape._src.ops import convolution as ops
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.indexed_slices import gather


def _transposed(
    rank: int,
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: Any,
) -> Any:
    op = ops.conv3d_transpose if rank == 3 else ops.conv2d_transpose
    label = f"Conv{max(rank, 2)}DBackpropInput"
    first = channels_first(data_format, rank, label)
    sliding = sliding_of(rank, strides, padding, dilations, first, label)
    x, w = operands(input, filters)
    have = shape_of(x)
    if have is not None and len(have) != rank + 2:
        raise InvalidArgumentError.of(
            f"input must be {rank + 2}-dimensional, got {in_brackets(have)} [Op:{label}]"
        )
    sizes = _sizes(output_shape, x, w, rank, first, label)
    if not first:
        return op.of(w, x, sizes, name=name, **sliding)
    return to_first(op.of(w, to_last(x, rank), sizes, name=name, **sliding), rank)


def _sizes(output_shape: Any, x: Any, w: Any, rank: int, first: bool, op: str) -> Any:
    """The shape of the result, with channels last: a tuple, or a tensor in a graph."""
    sizes = static_ints(output_shape, op, "int32")
    if isinstance(sizes, Tensor):
        order = np.array((0, *range(2, rank + 2), 1), np.int32)
        return gather.of(sizes, order, axis=0, batch_dims=0) if first else sizes
    if len(sizes) == rank:
        return (shape_of(x)[0], *sizes, shape_of(w)[-2])  # type: ignore[index]
    return size_to_last(sizes) if first and len(sizes) == rank + 2 else sizes


def conv1d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None, name=None
):
    """The transpose of `tf.nn.conv1d`: the cotangent of its input, as a function of that of its output.

    Args:
      input: (batch, windows, filters).
      filters: (window, channels, filters).
      output_shape: of the result, (batch, width, channels).
      strides, padding, data_format, dilations: those of the convolution.
      name: of the operation in a graph.

    Returns:
      A tensor of shape ``output_shape``.

    Raises:
      InvalidArgumentError: an array of that shape has another number of windows.

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> print(tf.nn.conv1d_transpose(x, tf.ones([2, 1, 1]), [1, 4, 1], 2).numpy().ravel())
    [1. 1. 2. 2.]

    As TensorFlow 2.21.
    """
    return _transposed(1, input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv2d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NHWC", dilations=None, name=None
):
    """The transpose of `tf.nn.conv2d`: the cotangent of its input, as a function of that of its output.

    Args:
      input: (batch, rows of windows, columns of windows, filters).
      filters: (window height, window width, channels, filters).
      output_shape: of the result, (batch, height, width, channels).
      strides, padding, data_format, dilations: those of the convolution.
      name: of the operation in a graph.

    Returns:
      A tensor of shape ``output_shape``.

    Raises:
      InvalidArgumentError: an array of that shape has another number of windows.

    >>> import gradtape as tf
    >>> y = tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 5, 3]), [1, 4, 4, 5], strides=2)
    >>> print(y.shape, y.numpy().max())
    (1, 4, 4, 5) 3.0

    Zeiler et al.: Deconvolutional networks (2010).
    """
    return _transposed(2, input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv3d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NDHWC", dilations=None, name=None
):
    """The transpose of `tf.nn.conv3d`: the cotangent of its input, as a function of that of its output.

    Args:
      input: (batch, *windows in three dimensions, filters).
      filters: (window depth, window height, window width, channels, filters).
      output_shape: of the result, (batch, depth, height, width, channels).
      strides, padding, data_format, dilations: those of the convolution.
      name: of the operation in a graph.

    Returns:
      A tensor of shape ``output_shape``.

    Raises:
      InvalidArgumentError: an array of that shape has another number of windows.

    >>> import gradtape as tf
    >>> y = tf.nn.conv3d_transpose(tf.ones([1, 2, 2, 2, 1]), tf.ones([2, 2, 2, 3, 1]), [1, 4, 4, 4, 3], 2)
    >>> print(y.shape)
    (1, 4, 4, 4, 3)

    As TensorFlow 2.21.
    """
    return _transposed(3, input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None
):
    """The transpose of a convolution along 1, 2 or 3 spatial dimensions, as ``output_shape`` has entries.

    Another number of entries than 3, 4 or 5 raises ValueError.

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> print(tf.nn.conv_transpose(x, tf.ones([2, 1, 1]), [1, 4, 1], 2).numpy().ravel())
    [1. 1. 2. 2.]

    As TensorFlow 2.21.
    """
    if isinstance(output_shape, Tensor):
        shape = shape_of(output_shape)
        entries = shape[0] if shape else None
    elif hasattr(output_shape, "__len__"):
        entries = len(output_shape)
    else:
        raise ValueError(
            f"`output_shape` must be a tensor or sized collection. Received: output_shape={output_shape}"
        )
    if entries not in (3, 4, 5):
        raise ValueError(
            f"`output_shape` must be of length 3, 4 or 5. Received: output_shape={output_shape} of length {entries}."
        )
    return _transposed(
        entries - 2, input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose of `tf.nn.atrous_conv2d`: `tf.nn.conv2d_transpose` with ``dilations=rate`` and strides 1.

    A rate that is not positive, or another padding than "SAME" or "VALID", raises ValueError.

    >>> import gradtape as tf
    >>> x, w = tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 1, 1])
    >>> print(tf.nn.atrous_conv2d_transpose(x, w, [1, 3, 3, 1], 2, "VALID").numpy().reshape(3, 3))
    [[1. 0. 1.]
     [0. 0. 0.]
     [1. 0. 1.]]

    As TensorFlow 2.21.
    """
    check_rate(rate)
    if padding not in ("SAME", "VALID"):
        raise ValueError(f"`padding` must be either 'VALID' or 'SAME'. Received: padding={padding}")
    return _transposed(2, value, filters, output_shape, 1, padding, "NHWC", rate, name)


# --- By their names as cotangents ---------------------------------------------------------------------------


def depthwise_conv2d_backprop_input(
    input_sizes,
    filter,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
):
    """The cotangent of the input of `tf.nn.depthwise_conv2d`, of shape ``input_sizes``.

    ``out_backprop`` is the cotangent of its output; the other arguments are its own.

    >>> import gradtape as tf
    >>> g, w = tf.ones([1, 1, 1, 2]), tf.ones([1, 2, 2, 1])
    >>> print(tf.nn.depthwise_conv2d_backprop_input([1, 1, 2, 2], w, g, [1, 1, 1, 1], "VALID").numpy().ravel())
    [1. 1. 1. 1.]

    As TensorFlow 2.21.
    """
    g, w = operands(out_backprop, filter)
    w = depthwise_filter(w, None)
    return _transposed(2, g, w, input_sizes, strides, padding, data_format, dilations, name)


def depthwise_conv2d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
):
    """The cotangent of the filter of `tf.nn.depthwise_conv2d`, of shape ``filter_sizes``.

    ``out_backprop`` is the cotangent of its output; the other arguments are its own.

    >>> import gradtape as tf
    >>> x, g = tf.reshape([1.0, 2.0], [1, 1, 2, 1]), tf.ones([1, 1, 1, 1])
    >>> print(tf.nn.depthwise_conv2d_backprop_filter(x, [1, 2, 1, 1], g, [1, 1, 1, 1], "VALID").numpy().ravel())
    [1. 2.]

    As TensorFlow 2.21.
    """
    sizes = static_ints(filter_sizes, "DepthwiseConv2dNativeBackpropFilter", "int32")
    height, width, channels, each = sizes
    grouped = (height, width, 1, channels * each)
    return reshape.of(
        to_filter(2, input, grouped, out_backprop, strides, padding, data_format, dilations, name), sizes
    )


def to_filter(
    rank: int,
    input: Any,
    sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: Any,
) -> Any:
    """The cotangent of a filter of these sizes, which are known."""
    op = ops.conv3d_to_filter if rank == 3 else ops.conv2d_to_filter
    first = channels_first(data_format, rank, op.name)
    sliding = sliding_of(rank, strides, padding, dilations, first, op.name)
    x, g = operands(input, out_backprop)
    if first:
        x, g = to_last(x, rank), to_last(g, rank)
    return op.of(x, g, Ghost(tuple(sizes), dtype_of(x)), name=name, **sliding)
