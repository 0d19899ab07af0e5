"""Public functions of grayscale morphology: dilation and erosion of images by a filter."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.nn_convolution import operands
from gradtape._src.api.nn_sliding import along_space, padding_of
from gradtape._src.core.errors import UnimplementedError
from gradtape._src.ops.morphology import dilation
from gradtape._src.ops.reordering import reverse


def dilation2d(input, filters, strides, padding, data_format, dilations, name=None):
    """The largest sum of an element of a window and the element of the filter that lies over it.

    y[b, i, j, c] = max over (k, l) of input[b, s i + d k, s j + d l, c] + filters[k, l, c], for each channel.

    Args:
      input: real numbers (batch, height, width, channels).
      filters: (window height, window width, channels).
      strides, dilations: lists of 4, with ones for batch and channels.
      padding: "VALID", or "SAME" for windows that hang over, of which only the inner part counts.
      data_format: "NHWC" (else ValueError).
      name: of the operation in a graph.

    Returns:
      A tensor (batch, rows of windows, columns of windows, channels). The gradient goes to the first of the
      largest sums, in row-major order.

    >>> import gradtape as tf
    >>> x = tf.reshape([2.0, 5.0, 3.0], [1, 1, 3, 1])
    >>> print(tf.nn.dilation2d(x, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel())
    [6. 5.]

    Serra: Image analysis and mathematical morphology (1982).
    """
    return _dilated(*operands(input, filters), strides, padding, data_format, dilations, name)


def _dilated(x: Any, w: Any, strides: Any, padding: Any, data_format: Any, dilations: Any, name: Any) -> Any:
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    for what, value in (("strides", strides), ("dilations", dilations)):
        if isinstance(value, int):
            raise TypeError(f"Expected list for '{what}' argument to 'dilation2d' Op, not {value}.")
    try:
        found = {
            "strides": along_space(strides, 2, "strides", False, dilation.name),
            "dilations": along_space(dilations, 2, "dilations", False, dilation.name),
        }
    except UnimplementedError:
        raise UnimplementedError.of(
            f"Stride is only supported across spatial dimensions. [Op:{dilation.name}]"
        ) from None
    margins = padding_of(padding, 2, False, dilation.name, explicit=False)
    return dilation.of(x, w, name=name, padding=margins, **found)


def erosion2d(value, filters, strides, padding, data_format, dilations, name=None):
    """The smallest difference of an element of a window and the element of the mirrored filter that lies over it.

    The negative of the dilation of ``-value`` by the mirrored filter; the arguments are those of `tf.nn.dilation2d`.

    >>> import gradtape as tf
    >>> x = tf.reshape([2.0, 5.0, 3.0], [1, 1, 3, 1])
    >>> print(tf.nn.erosion2d(x, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel())
    [1. 3.]

    Serra: Image analysis and mathematical morphology (1982).
    """
    x, w = operands(value, filters)
    return -_dilated(-x, reverse.of(w, axis=(0, 1)), strides, padding, data_format, dilations, name)
