"""Pooling of TensorFlow 1's `tf.layers`: of sequences, images and volumes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import nn_pooling
from gradtape._src.compat_v1.layer import Layer
from gradtape._src.compat_v1.layers import channels_first


class _Pooling(Layer):
    _rank = 2
    _function: Any = None

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        first = channels_first(data_format)
        window = self._numbers(pool_size, "pool_size")
        steps = window if strides is None else self._numbers(strides, "strides")
        around = lambda sizes: [1, 1, *sizes] if first else [1, *sizes, 1]
        space = "DHW"[-self._rank :] if self._rank > 1 else "W"
        layout = f"NC{space}" if first else f"N{space}C"
        self._how = (around(window), around(steps), str(padding).upper(), layout)

    def _numbers(self, value: Any, what: str) -> list[int]:
        found = [value] * self._rank if isinstance(value, (int, np.integer)) else list(value)
        if len(found) != self._rank:
            raise ValueError(
                f"The `{what}` argument must be a tuple of {self._rank} integers. Received: {value}"
            )
        return [int(n) for n in found]

    def call(self, inputs):
        return type(self)._function(inputs, *self._how)


class MaxPooling1D(_Pooling):
    """The layer of `tf.layers.max_pooling1d`."""

    _snake = "max_pooling1d"
    _rank = 1
    _function = staticmethod(nn_pooling.max_pool1d)


class MaxPooling2D(_Pooling):
    """The layer of `tf.layers.max_pooling2d`."""

    _snake = "max_pooling2d"
    _rank = 2
    _function = staticmethod(nn_pooling.max_pool2d)


class MaxPooling3D(_Pooling):
    """The layer of `tf.layers.max_pooling3d`."""

    _snake = "max_pooling3d"
    _rank = 3
    _function = staticmethod(nn_pooling.max_pool3d)


class AveragePooling1D(_Pooling):
    """The layer of `tf.layers.average_pooling1d`."""

    _snake = "average_pooling1d"
    _rank = 1
    _function = staticmethod(nn_pooling.avg_pool1d)


class AveragePooling2D(_Pooling):
    """The layer of `tf.layers.average_pooling2d`."""

    _snake = "average_pooling2d"
    _rank = 2
    _function = staticmethod(nn_pooling.avg_pool2d)


class AveragePooling3D(_Pooling):
    """The layer of `tf.layers.average_pooling3d`."""

    _snake = "average_pooling3d"
    _rank = 3
    _function = staticmethod(nn_pooling.avg_pool3d)


def max_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest element of each window of sequences.

    Args:
      inputs: (batch, steps, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.max_pooling1d(tf.ones([1, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 3]

    As TensorFlow 1.15.
    """
    return MaxPooling1D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest element of each window of images.

    Args:
      inputs: (batch, height, width, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer or 2.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.max_pooling2d(tf.ones([1, 8, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 4, 3]

    As TensorFlow 1.15.
    """
    return MaxPooling2D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest element of each window of volumes.

    Args:
      inputs: (batch, depth, height, width, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer or 3.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.max_pooling3d(tf.ones([1, 8, 8, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 4, 4, 3]

    As TensorFlow 1.15.
    """
    return MaxPooling3D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The average of each window of sequences.

    Args:
      inputs: (batch, steps, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.average_pooling1d(tf.ones([1, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 3]

    As TensorFlow 1.15.
    """
    return AveragePooling1D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The average of each window of images.

    Args:
      inputs: (batch, height, width, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer or 2.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.average_pooling2d(tf.ones([1, 8, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 4, 3]

    As TensorFlow 1.15.
    """
    return AveragePooling2D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The average of each window of volumes.

    Args:
      inputs: (batch, depth, height, width, channels), or the channels behind the batch for "channels_first".
      pool_size, strides: of the windows: one integer or 3.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.average_pooling3d(tf.ones([1, 8, 8, 8, 3]), 2, 2).shape.as_list()
    [1, 4, 4, 4, 3]

    As TensorFlow 1.15.
    """
    return AveragePooling3D(pool_size, strides, padding, data_format, name)(inputs)
