"""Activations as layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.casting import cast
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.elementwise import exp
from gradtape._src.api.reduction import reduce_logsumexp
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_floating_np
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras import activations
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.kernel import KernelLayer, known_size


class Activation(Layer):
    """An activation function, given by itself or by its name, as a layer.

    >>> import gradtape as tf
    >>> tf.keras.layers.Activation("relu")(tf.constant([-1.0, 2.0])).numpy()
    array([0., 2.], dtype=float32)
    """

    _config = ("activation",)

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.activation = True, activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)


class ReLU(Layer):
    """x above ``threshold``, at most ``max_value``; below it ``negative_slope * (x - threshold)``.

    >>> import gradtape as tf
    >>> tf.keras.layers.ReLU(max_value=1.0)(tf.constant([-1.0, 2.0])).numpy()
    array([0., 1.], dtype=float32)
    """

    _config = ("max_value", "negative_slope", "threshold")

    def __init__(self, max_value=None, negative_slope=0.0, threshold=0.0, **kwargs):
        super().__init__(**kwargs)
        for name, value in (
            ("max_value", max_value),
            ("negative_slope", negative_slope),
            ("threshold", threshold),
        ):
            if (value is None and name != "max_value") or (value is not None and value < 0.0):
                raise ValueError(
                    f"{name} of a ReLU layer cannot be a negative value. Received: {name}={value}"
                )
        self.supports_masking = True
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs):
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """x where it is positive, ``negative_slope * x`` elsewhere. Keras 2 calls the slope ``alpha``.

    >>> import gradtape as tf
    >>> tf.keras.layers.LeakyReLU(0.5)(tf.constant([-1.0, 2.0])).numpy()
    array([-0.5,  2. ], dtype=float32)
    """

    _config = ("negative_slope",)

    def __init__(self, negative_slope=0.3, **kwargs):
        negative_slope = kwargs.pop("alpha", negative_slope)
        super().__init__(**kwargs)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(
                "The negative_slope value of a Leaky ReLU layer cannot be None or negative value. Expected a float. "
                f"Received: negative_slope={negative_slope}"
            )
        self.supports_masking, self.negative_slope = True, negative_slope

    def call(self, inputs):
        return activations.leaky_relu(inputs, self.negative_slope)


class PReLU(KernelLayer):
    """x where it is positive, ``alpha * x`` elsewhere, with trained slopes, one for each element of an input.

    Args:
      alpha_initializer, alpha_regularizer, alpha_constraint: of the slopes.
      shared_axes: the axes along which the slope is the same.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.PReLU("ones")(tf.constant([[-1.0, 2.0]])).numpy()
    array([[-1.,  2.]], dtype=float32)

    K. He et al., "Delving deep into rectifiers", 2015.
    """

    _config = ("alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes")

    def __init__(
        self,
        alpha_initializer="Zeros",
        alpha_regularizer=None,
        alpha_constraint=None,
        shared_axes=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes
        self._keep(
            alpha_initializer=alpha_initializer,
            alpha_regularizer=alpha_regularizer,
            alpha_constraint=alpha_constraint,
            shared_axes=None if axes is None else list(axes),
        )
        self.supports_masking = True

    def build(self, input_shape):
        shared = {axis % len(input_shape) for axis in self.shared_axes or ()}
        shape = [1 if i in shared else known_size(input_shape, i, self) for i in range(1, len(input_shape))]
        self.alpha = self._make("alpha", tuple(shape))

    def call(self, inputs):
        return activations.relu(inputs) - self.alpha * activations.relu(-inputs)


class ELU(Layer):
    """x where it is positive, ``alpha * (exp(x) - 1)`` elsewhere.

    >>> import gradtape as tf
    >>> tf.keras.layers.ELU()(tf.constant([0.0, 2.0])).numpy()
    array([0., 2.], dtype=float32)
    """

    _config = ("alpha",)

    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self.alpha, self.supports_masking = alpha, True

    def call(self, inputs):
        return activations.elu(inputs, alpha=self.alpha)


class Softmax(Layer):
    """exp(x) divided by its sum along an axis, or along several together; where a mask is False, 0.

    Where it is False all along the axis, all is 0.

    >>> import gradtape as tf
    >>> tf.keras.layers.Softmax()(tf.constant([1.0, 1.0, 9.0]), mask=tf.constant([True, True, False])).numpy()
    array([0.5, 0.5, 0. ], dtype=float32)
    """

    _config = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.axis = True, axis

    def call(self, inputs, mask=None):
        if mask is None:
            return self._softmax(inputs)
        mask = as_tensor(mask)
        ours, theirs = shape_of(mask), shape_of(inputs)
        if ours is not None and theirs is not None and not _fits(ours, theirs):
            raise ValueError(
                "The `mask` must be broadcastable to `inputs`: each of its dimensions is 1 or that of the inputs. "
                f"Received: inputs.shape={theirs}, mask.shape={ours}"
            )
        if dtype_of(mask) != np.bool_:
            mask = mask > 0.5 if is_floating_np(dtype_of(mask)) else mask > 0
        return where(
            mask,
            self._softmax(where(mask, inputs, cast(most_negative(inputs), inputs.dtype))),
            zeros_like(inputs),
        )

    def _softmax(self, x: Any) -> Any:
        if not isinstance(self.axis, (list, tuple)):
            return activations.softmax(x, axis=self.axis)
        if len(self.axis) == 1:
            return activations.softmax(x, axis=self.axis[0])
        return exp(x - reduce_logsumexp(x, axis=list(self.axis), keepdims=True))


def _fits(mask: Any, inputs: Any) -> bool:
    """Whether a mask of this shape can stand for one of the inputs' shape."""
    pairs = zip(reversed(mask), reversed(inputs))
    return len(mask) <= len(inputs) and all(m in (None, 1, n) or n is None for m, n in pairs)


def most_negative(x: Any) -> float:
    """A number whose exponential is 0."""
    return -3e4 if x.dtype.name == "float16" else -1e9


class ThresholdedReLU(Layer):
    """x above ``theta``, and 0 below.

    >>> import gradtape as tf
    >>> tf.keras.layers.ThresholdedReLU(1.0)(tf.constant([0.5, 2.0])).numpy()
    array([0., 2.], dtype=float32)

    As Keras 2.
    """

    _config = ("theta",)

    def __init__(self, theta=1.0, **kwargs):
        super().__init__(**kwargs)
        if theta is None or theta < 0:
            raise ValueError(
                f"Theta of a Thresholded ReLU layer cannot be None, expecting a float >= 0. Received: {theta}"
            )
        self.supports_masking, self.theta = True, theta

    def call(self, inputs):
        return inputs * cast(inputs > self.theta, inputs.dtype)
