"""Pooling: the largest or the mean of the elements in each window, or of all."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.casting import cast
from gradtape._src.api.nn_pooling import pool
from gradtape._src.api.reduction import reduce_max, reduce_mean, reduce_sum
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.windows import FORMATS, checked_padding, checked_tuple
from gradtape._src.keras.settings import image_data_format


class BasePooling(Layer):
    """Pooling in windows."""

    _rank: int
    _mode: str
    _config = ("pool_size", "padding", "strides", "data_format")

    def __init__(self, pool_size=2, strides=None, padding="valid", data_format=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.pool_size = checked_tuple(pool_size, self._rank, "pool_size")
        self.strides = checked_tuple(pool_size if strides is None else strides, self._rank, "strides")
        self.padding = checked_padding(padding)
        self.data_format = data_format or image_data_format()
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def call(self, inputs):
        layout = FORMATS[self.data_format][self._rank]
        return pool(inputs, self.pool_size, self._mode, self.strides, self.padding.upper(), layout)


class MaxPooling1D(BasePooling):
    """The largest element of each window of steps; see `tf.keras.layers.MaxPooling2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.MaxPooling1D()(tf.reshape([1.0, 2.0, 4.0, 3.0], [1, 4, 1])).numpy().ravel()
    array([2., 4.], dtype=float32)
    """

    _rank, _mode = 1, "MAX"


class MaxPooling2D(BasePooling):
    """The largest element of each window of images.

    Args:
      pool_size: an integer, or a pair.
      strides: likewise; by default the windows lie side by side.
      padding: ``"valid"`` or ``"same"``.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.MaxPooling2D()(tf.ones([1, 4, 6, 3])).shape
    TensorShape([1, 2, 3, 3])

    As Keras 3.
    """

    _rank, _mode = 2, "MAX"


class MaxPooling3D(BasePooling):
    """The largest element of each window of volumes; see `tf.keras.layers.MaxPooling2D`."""

    _rank, _mode = 3, "MAX"


class AveragePooling1D(BasePooling):
    """The mean of each window of steps; see `tf.keras.layers.MaxPooling2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.AveragePooling1D()(tf.reshape([1.0, 2.0, 4.0, 3.0], [1, 4, 1])).numpy().ravel()
    array([1.5, 3.5], dtype=float32)
    """

    _rank, _mode = 1, "AVG"


class AveragePooling2D(BasePooling):
    """The mean of each window of images; see `tf.keras.layers.MaxPooling2D`."""

    _rank, _mode = 2, "AVG"


class AveragePooling3D(BasePooling):
    """The mean of each window of volumes; see `tf.keras.layers.MaxPooling2D`."""

    _rank, _mode = 3, "AVG"


class BaseGlobalPooling(Layer):
    """Pooling over all places."""

    _rank: int
    _reduce: Any
    _config = ("data_format", "keepdims")

    def __init__(self, data_format=None, keepdims=False, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format or image_data_format()
        self.keepdims = keepdims
        self.input_spec = InputSpec(ndim=self._rank + 2)

    @property
    def _axes(self) -> list[int]:
        first = 2 if self.data_format == "channels_first" else 1
        return list(range(first, first + self._rank))

    def call(self, inputs):
        return type(self)._reduce(inputs, axis=self._axes, keepdims=self.keepdims)


class GlobalMaxPooling1D(BaseGlobalPooling):
    """The largest of all steps, for each channel: (batch, steps, channels) -> (batch, channels).

    >>> import gradtape as tf
    >>> tf.keras.layers.GlobalMaxPooling1D()(tf.ones([2, 5, 3])).shape
    TensorShape([2, 3])
    """

    _rank, _reduce = 1, staticmethod(reduce_max)


class GlobalMaxPooling2D(BaseGlobalPooling):
    """The largest of all places of an image, for each channel."""

    _rank, _reduce = 2, staticmethod(reduce_max)


class GlobalMaxPooling3D(BaseGlobalPooling):
    """The largest of all places of a volume, for each channel."""

    _rank, _reduce = 3, staticmethod(reduce_max)


class GlobalAveragePooling1D(BaseGlobalPooling):
    """The mean of all steps, for each channel, or of those that a mask says.

    >>> import gradtape as tf
    >>> x = tf.constant([[[1.0], [5.0]]])
    >>> tf.keras.layers.GlobalAveragePooling1D()(x, mask=tf.constant([[True, False]])).numpy()
    array([[1.]], dtype=float32)
    """

    _rank, _reduce = 1, staticmethod(reduce_mean)

    def __init__(self, data_format=None, keepdims=False, **kwargs):
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        if mask is None:
            return super().call(inputs)
        axis = self._axes[0]
        weights = expand_dims(cast(mask, inputs.dtype), 2 if axis == 1 else 1)
        total = reduce_sum(inputs * weights, axis=axis, keepdims=self.keepdims)
        return total / reduce_sum(weights, axis=axis, keepdims=self.keepdims)

    def compute_mask(self, inputs, previous_mask=None):
        return None


class GlobalAveragePooling2D(BaseGlobalPooling):
    """The mean of all places of an image, for each channel.

    >>> import gradtape as tf
    >>> tf.keras.layers.GlobalAveragePooling2D()(tf.ones([2, 5, 5, 3])).shape
    TensorShape([2, 3])
    """

    _rank, _reduce = 2, staticmethod(reduce_mean)


class GlobalAveragePooling3D(BaseGlobalPooling):
    """The mean of all places of a volume, for each channel."""

    _rank, _reduce = 3, staticmethod(reduce_mean)
