"""Public convolutions.

What is called convolution here is, as in TensorFlow, a cross-correlation: the filter is not mirrored. For one
spatial dimension, with stride s, dilation d and a window of k elements,

    y[b, i, o] = ∑ over 0 <= j < k and channels c of  x[b, s i + d j - margin, c] * filters[j, c, o]

Arguments that mean the same in all functions:

- ``padding``: "VALID" keeps the windows inside the array; "SAME" adds margins of zeros, as equal as can be, so that
  there are ceil(size / stride) windows; a list gives a pair of margins for every axis (zeros for batch and channels).
- ``strides``, ``dilations``: one number, one for each spatial dimension, or one for every axis.
- ``data_format``: where the channels are; "N…C" (the default) or "NC…".
- A filter for fewer channels than the array has works on groups of channels, each with its share of the filters.

Floating-point numbers (conv2d: also int32) of one dtype. Shapes that do not fit raise InvalidArgumentError.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.nn_sliding import (
    along_space,
    channels_first,
    merged_batch,
    padding_of,
    to_first,
    to_last,
    unmerged_batch,
)
from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops import convolution as ops
from gradtape._src.ops.arrays import reshape


def operands(input: Any, filters: Any) -> tuple[Any, Any]:
    """The array and the filter as tensors; what is a list or a NumPy array takes the other's dtype."""
    x, w = as_operands(input, filters)
    return as_tensor(x), as_tensor(w)


def sliding_of(rank: int, strides: Any, padding: Any, dilations: Any, first: bool, op: str) -> dict[str, Any]:
    """The parameters of a convolution."""
    return {
        "strides": along_space(strides, rank, "strides" if rank > 1 else "stride", first, op),
        "padding": padding_of(padding, rank, first, op),
        "dilations": along_space(dilations, rank, "dilations", first, op),
    }


def _convolve(
    rank: int,
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: Any,
) -> Any:
    op = ops.conv3d if rank == 3 else ops.conv2d
    first = channels_first(data_format, rank, op.name)
    sliding = sliding_of(rank, strides, padding, dilations, first, op.name)
    x, w = operands(input, filters)
    _check_ranks(x, w, rank, op.name)
    x, batch = merged_batch(x, rank)
    if first:
        return unmerged_batch(to_first(op.of(to_last(x, rank), w, name=name, **sliding), rank), batch)
    return unmerged_batch(op.of(x, w, name=name, **sliding), batch)


def _check_ranks(x: Any, w: Any, rank: int, op: str) -> None:
    have, window = shape_of(x), shape_of(w)
    if window is not None and len(window) != rank + 2:
        raise InvalidArgumentError.of(
            f"convolution filter must be {rank + 2}-dimensional: {in_brackets(window)} [Op:{op}]"
        )
    if have is not None and len(have) < rank + 2:
        raise InvalidArgumentError.of(
            f"convolution input must be {rank + 2}-dimensional: {in_brackets(have)} [Op:{op}]"
        )


def conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, name=None):
    """Convolution along one spatial dimension.

    Args:
      input: (..., width, channels).
      filters: (window, channels / groups, filters).
      stride, padding, data_format, dilations: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (..., windows, filters).

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0, 8.0], [1, 4, 1])
    >>> print(tf.nn.conv1d(x, tf.reshape([-1.0, 1.0], [2, 1, 1]), 1, "VALID").numpy().ravel())
    [1. 2. 4.]

    As TensorFlow 2.21.
    """
    return _convolve(1, input, filters, stride, padding, data_format, dilations, name)


def conv2d(input, filters, strides, padding, data_format="NHWC", dilations=None, name=None):
    """Convolution of images.

    Args:
      input: (..., height, width, channels).
      filters: (window height, window width, channels / groups, filters).
      strides, padding, data_format, dilations: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (..., rows of windows, columns of windows, filters).

    >>> import gradtape as tf
    >>> x = tf.reshape(tf.constant([1.0, 2.0, 3.0, 4.0]), [1, 2, 2, 1])
    >>> print(tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), strides=1, padding="SAME").numpy().reshape(2, 2))
    [[10.  6.]
     [ 7.  4.]]

    As TensorFlow 2.21.
    """
    return _convolve(2, input, filters, strides, padding, data_format, dilations, name)


def conv3d(input, filters, strides, padding, data_format="NDHWC", dilations=None, name=None):
    """Convolution of volumes.

    Args:
      input: (..., depth, height, width, channels).
      filters: (window depth, window height, window width, channels / groups, filters).
      strides, padding, data_format, dilations: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (..., windows in each of the three dimensions, filters).

    >>> import gradtape as tf
    >>> y = tf.nn.conv3d(tf.ones([1, 4, 4, 4, 1]), tf.ones([2, 2, 2, 1, 3]), [1, 2, 2, 2, 1], "VALID")
    >>> print(y.shape, y.numpy().max())
    (1, 2, 2, 2, 3) 8.0

    As TensorFlow 2.21.
    """
    return _convolve(3, input, filters, strides, padding, data_format, dilations, name)


def convolution(input, filters, strides=None, padding="VALID", data_format=None, dilations=None, name=None):
    """Convolution along as many spatial dimensions (1 to 3, else ValueError) as the filter has.

    Args:
      input: (..., *space, channels).
      filters: (*window, channels / groups, filters).
      strides, padding, data_format, dilations: see this module.
      name: of the operation in a graph.

    Returns:
      A tensor (..., *windows, filters).

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0, 8.0], [1, 4, 1])
    >>> print(tf.nn.convolution(x, tf.reshape([-1.0, 1.0], [2, 1, 1])).numpy().ravel())
    [1. 2. 4.]

    As TensorFlow 2.21.
    """
    x, w = operands(input, filters)
    window = shape_of(w)
    have = shape_of(x)
    if window is None and have is None:
        raise ValueError("rank of input or filter must be known.")
    rank = len(window if window is not None else have) - 2  # type: ignore[arg-type]
    if rank not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={rank}.")
    return _convolve(rank, x, w, strides, padding, data_format, dilations, name)


# --- Depthwise and separable --------------------------------------------------------------------------------


def depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None):
    """Convolution of images, each channel with filters of its own.

    Args:
      input: (batch, height, width, channels).
      filter: (window height, window width, channels, multiplier).
      strides: a list of 4, one for every axis.
      padding, data_format: see this module.
      dilations: None, or a list of 2.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, rows of windows, columns of windows, channels * multiplier).

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 10.0, 2.0, 20.0], [1, 1, 2, 2])
    >>> print(tf.nn.depthwise_conv2d(x, tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], "VALID").numpy().ravel())
    [ 3. 30.]

    As TensorFlow 2.21.
    """
    first = _depthwise_format(data_format, strides, dilations)
    x, w = operands(input, filter)
    channels = None if shape_of(x) is None else shape_of(x)[1 if first else -1]
    w = depthwise_filter(w, channels)
    return _convolve(2, x, w, strides, padding, data_format, dilations, name)


def _depthwise_format(data_format: Any, strides: Any, dilations: Any) -> bool:
    for what, value in (("strides", strides), ("dilations", dilations)):
        if isinstance(value, int):
            raise TypeError(
                f"Expected list for '{what}' argument to 'depthwise_conv2d_native' Op, not {value}."
            )
    return channels_first(data_format, 2, "DepthwiseConv2dNative")


def depthwise_filter(w: Any, channels: int | None) -> Any:
    """The filter of a depthwise convolution as one of as many groups as there are channels."""
    shape = shape_of(w)
    if shape is None or len(shape) != 4 or None in shape[2:]:
        raise ValueError(f"`filter` must have 4 dimensions, of which the last two are known, not {shape}.")
    if channels is not None and channels != shape[2]:
        raise InvalidArgumentError.of(
            f"input and filter must have the same depth: {channels} vs {shape[2]} [Op:DepthwiseConv2dNative]"
        )
    height, width = (-1 if n is None else n for n in shape[:2])
    return reshape.of(w, (height, width, 1, shape[2] * shape[3]))


def separable_conv2d(
    input,
    depthwise_filter,
    pointwise_filter,
    strides,
    padding,
    data_format=None,
    dilations=None,
    name=None,
):
    """A depthwise convolution, and a mixing of the channels.

    Args:
      input: (batch, height, width, channels).
      depthwise_filter: (window height, window width, channels, multiplier).
      pointwise_filter: (1, 1, channels * multiplier, filters); ValueError for another window.
      strides, padding, data_format, dilations: those of `tf.nn.depthwise_conv2d`.
      name: of the operation in a graph.

    Returns:
      A tensor (batch, rows of windows, columns of windows, filters).

    >>> import gradtape as tf
    >>> x = tf.reshape([1.0, 10.0, 2.0, 20.0], [1, 1, 2, 2])
    >>> mix = tf.ones([1, 1, 2, 1])
    >>> print(tf.nn.separable_conv2d(x, tf.ones([1, 2, 2, 1]), mix, [1, 1, 1, 1], "VALID").numpy().ravel())
    [33.]

    Chollet: Xception, arXiv:1610.02357.
    """
    mixing = as_tensor(pointwise_filter)
    window = shape_of(mixing)
    if window is not None and (len(window) != 4 or any(n not in (1, None) for n in window[:2])):
        raise ValueError(f"`pointwise_filter` must be of shape (1, 1, channels, filters), not {window}.")
    y = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return _convolve(2, y, mixing, 1, "VALID", data_format, None, name)


def atrous_conv2d(value, filters, rate, padding, name=None):
    """Convolution of images with dilation ``rate``: `tf.nn.conv2d` with ``dilations=rate`` and strides 1.

    A rate that is not positive raises ValueError.

    >>> import gradtape as tf
    >>> print(tf.nn.atrous_conv2d(tf.ones([1, 5, 5, 1]), tf.ones([3, 3, 1, 1]), 2, "VALID").numpy().ravel())
    [9.]

    Chen et al.: Semantic image segmentation with deep convolutional nets and fully connected CRFs, arXiv:1412.7062.
    """
    check_rate(rate)
    return _convolve(2, value, filters, 1, padding, "NHWC", rate, name)


def check_rate(rate: Any) -> None:
    if int(rate) <= 0:
        raise ValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate={rate}")
