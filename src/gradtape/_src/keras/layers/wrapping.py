"""Layers around a layer: `Wrapper` to subclass, and `SpectralNormalization`; layers as configurations."""

from __future__ import annotations

import importlib
from typing import Any

from gradtape._src.api.arrays import reshape, stop_gradient
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal
from gradtape._src.api.norms import l2_normalize
from gradtape._src.api.products import matmul
from gradtape._src.api.reduction import reduce_all
from gradtape._src.api.reordering import transpose
from gradtape._src.control.cond import cond
from gradtape._src.core.values import shape_of
from gradtape._src.keras.initializers import TruncatedNormal
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.serialization import Family, deserialize_keras_object, serialize_keras_object


def serialize(layer):
    """The configuration of a layer, a dictionary; `deserialize` reads it."""
    return serialize_keras_object(layer)


def deserialize(config, custom_objects=None):
    """The layer of a configuration, of Keras 3 or of Keras 2.

    >>> import gradtape as tf
    >>> tf.keras.layers.deserialize({"class_name": "Dense", "config": {"units": 3}}).units
    3
    """
    # The public module is the registry of the layers.
    layers = vars(importlib.import_module("gradtape.keras.layers"))
    return deserialize_keras_object(config, custom_objects, module_objects=layers)


class Wrapper(Layer):
    """A layer around another, its attribute ``layer``, which it builds and saves with itself.

    Args:
      layer: the layer.
      **kwargs: of `Layer`.

    Raises:
      ValueError: it is no layer.

    >>> import gradtape as tf
    >>> class Twice(tf.keras.layers.Wrapper):
    ...     def call(self, inputs):
    ...         return self.layer(self.layer(inputs))
    >>> Twice(tf.keras.layers.Rescaling(3.0))(tf.constant([1.0])).numpy()
    array([9.], dtype=float32)
    """

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `{type(self).__name__}` layer with a `keras.layers.Layer` instance. Received: "
                f"{layer}"
            )
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "layer": serialize_keras_object(self.layer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The layer of `get_config`."""
        return cls(**{**config, "layer": deserialize_keras_object(config["layer"], custom_objects)})


class SpectralNormalization(Wrapper):
    """A layer whose kernel is divided by its largest singular value in each call for training.

    The singular value is estimated by power iteration, which goes on from call to call.

    Args:
      layer: with a ``kernel`` or ``embeddings``.
      power_iterations: in each call.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.SpectralNormalization(tf.keras.layers.Conv2D(2, 2))
    >>> layer(tf.ones([1, 5, 5, 3]), training=True).shape
    TensorShape([1, 4, 4, 2])

    T. Miyato et al., "Spectral normalization for generative adversarial networks", 2018. As Keras 3.
    """

    _config = ("power_iterations",)

    def __init__(self, layer, power_iterations=1, **kwargs):
        super().__init__(layer, **kwargs)
        if power_iterations <= 0:
            raise ValueError(
                "`power_iterations` should be greater than zero. Received: "
                f"`power_iterations={power_iterations}`"
            )
        self.power_iterations = power_iterations

    def build(self, input_shape):
        super().build(input_shape)
        kernel = getattr(self.layer, "kernel", None)
        kernel = getattr(self.layer, "embeddings", None) if kernel is None else kernel
        if kernel is None:
            raise ValueError(f"{type(self.layer).__name__} object has no attribute 'kernel' nor 'embeddings'")
        self.kernel = kernel
        self.vector_u = self.add_weight(
            shape=(1, shape_of(kernel)[-1]), initializer=TruncatedNormal(stddev=0.02), trainable=False,
            name="vector_u", dtype=kernel.dtype,
        )  # fmt: skip

    def call(self, inputs, training=False):
        if training:
            zero = reduce_all(equal(self.kernel, 0))
            u, kernel = cond(
                zero, lambda: (self.vector_u.read_value(), self.kernel.read_value()), self.normalized_weights
            )
            self.vector_u.assign(u)
            self.kernel.assign(kernel)
        return cast(self.layer(inputs), inputs.dtype)

    def normalized_weights(self) -> tuple[Any, Any]:
        """The vector after the power iterations, and the kernel divided by the singular value."""
        shape = tuple(shape_of(self.kernel))
        weights = reshape(self.kernel, [-1, shape[-1]])
        u, v = self.vector_u.read_value(), None
        for _ in range(self.power_iterations):
            v = l2_normalize(matmul(u, transpose(weights)))
            u = l2_normalize(matmul(v, weights))
        u, v = stop_gradient(u), stop_gradient(v)
        sigma = matmul(matmul(v, weights), transpose(u))
        return u, reshape(self.kernel / sigma, shape)


Family("layer", "keras.layers", [Wrapper, SpectralNormalization])
