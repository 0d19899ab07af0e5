"""`tf.layers.conv2d_transpose`: the gradient of a convolution with regard to its images, as a layer."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import nn_transposed
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.compat_v1.initializers import zeros_initializer
from gradtape._src.compat_v1.layers import Conv2D
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of

_ZEROS = zeros_initializer()


class Conv2DTranspose(Conv2D):
    """The layer of `tf.layers.conv2d_transpose`."""

    _snake = "conv2d_transpose"

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format="channels_last",
        *args,
        **kwargs,
    ):
        super().__init__(filters, kernel_size, strides, padding, data_format, (1, 1), *args, **kwargs)
        del self._how["dilations"]

    def _kernel_shape(self, channels):
        return [*self.kernel_size, self.filters, channels]

    def call(self, inputs):
        x = as_tensor(inputs)
        known, sizes = shape_of(x) or (None,) * 4, shape_of_tensor(x)
        space = (2, 3) if self._first else (1, 2)
        out: list[Any] = [sizes[0] if known[0] is None else known[0], self.filters]
        for i, (axis, window) in enumerate(zip(space, self.kernel_size, strict=True)):
            step = self._how["strides"][axis]
            n = (sizes[axis] if known[axis] is None else known[axis]) * step
            if self._how["padding"] == "VALID":
                n = n + max(window - step, 0)
            out.insert(2 + i if self._first else 1 + i, n)
        y = nn_transposed.conv2d_transpose(x, self.kernel, out, **self._how)
        return self._activated(y, self._how["data_format"])


def conv2d_transpose(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=_ZEROS,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """activation(images spread out by a convolution's transpose + bias): sizes are multiplied by the strides.

    Args: those of `tf.layers.conv2d`; the kernel is of shape (height, width, filters, channels).

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.conv2d_transpose(tf.ones([2, 4, 4, 1]), 3, 5, strides=2, padding="same").shape.as_list()
    [2, 8, 8, 3]

    As TensorFlow 1.15.
    """
    layer = Conv2DTranspose(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)
