"""Keras's initializers: what a new weight's first value is.

An initializer is called with a shape, and gives a tensor. One that draws random numbers gives the same ones each time
it is called with a shape: its seed is chosen when it is made. The formulas are in `api/drawing.py`.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np

from gradtape._src.api import creation
from gradtape._src.api.casting import cast
from gradtape._src.api.drawing import (
    Seeded,
    as_dims,
    check_variance_scaling,
    fans,
    orthogonal,
    variance_scaled,
)
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor
from gradtape._src.keras.random import SeedGenerator, draw_seed, make_default_seed
from gradtape._src.keras.serialization import Family, serialize_keras_object
from gradtape._src.keras.settings import as_floatx


class Initializer:
    """What initializers have in common; users' own ones define ``__call__(self, shape, dtype=None)``.

    >>> import gradtape as tf
    >>> class Sevens(tf.keras.initializers.Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return tf.fill(shape, 7.0)
    >>> Sevens()([2]).numpy()
    array([7., 7.], dtype=float32)
    """

    _arguments: tuple[str, ...] = ()

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """A tensor of a shape. ``dtype`` is that of `tf.keras.backend.floatx` by default."""
        return self._value(as_dims(shape), as_floatx(dtype))

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The initializer of `get_config`; a dtype, which Keras 2 kept there, is left out."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})

    def clone(self) -> Self:
        """Another one of the same configuration."""
        return self.from_config(self.get_config())


class Zeros(Initializer):
    """Zeros.

    >>> import gradtape as tf
    >>> tf.keras.initializers.Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def _value(self, shape, dtype):
        return creation.zeros(shape, dtype)


class Ones(Initializer):
    """Ones.

    >>> import gradtape as tf
    >>> tf.keras.initializers.Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def _value(self, shape, dtype):
        return creation.ones(shape, dtype)


class Constant(Initializer):
    """A number, or an array that broadcasts to the shape.

    >>> import gradtape as tf
    >>> tf.keras.initializers.Constant(0.5)([2]).numpy()
    array([0.5, 0.5], dtype=float32)
    """

    _arguments = ("value",)

    def __init__(self, value=0.0):
        self.value = value

    def _value(self, shape, dtype):
        return cast(as_tensor(self.value), dtype) * creation.ones(shape, dtype)

    def get_config(self):
        return {"value": serialize_keras_object(self.value)}


class Identity(Initializer):
    """The identity matrix, times ``gain``.

    Raises:
      ValueError: when it is called, a shape that is no matrix's.

    >>> import gradtape as tf
    >>> tf.keras.initializers.Identity(2.0)([2, 2]).numpy().tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    _arguments = ("gain",)

    def __init__(self, gain=1.0):
        self.gain = gain

    def _value(self, shape, dtype):
        if len(shape) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        return self.gain * creation.eye(*shape, dtype=dtype)


class RandomInitializer(Initializer):
    """An initializer with a seed: an integer, a `tf.keras.random.SeedGenerator`, or None for one by chance."""

    def __init__(self, seed=None):
        self._init_seed = seed
        if seed is None:
            seed = make_default_seed()
        elif not isinstance(seed, (int, np.integer, SeedGenerator)):
            raise ValueError(
                "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an integer. "
                f"Received: seed={seed}"
            )
        self.seed = seed

    @property
    def _draw(self) -> Seeded:
        return Seeded(draw_seed(self.seed))

    def get_config(self):
        config = {name: getattr(self, name) for name in self._arguments}
        return {"seed": serialize_keras_object(self._init_seed), **config}


class RandomNormal(RandomInitializer):
    """Numbers of a normal distribution.

    >>> import gradtape as tf
    >>> tf.keras.initializers.RandomNormal(stddev=1.0, seed=1)([2]).numpy()
    array([ 0.1266503 , -0.49301657], dtype=float32)
    """

    _arguments = ("mean", "stddev")

    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def _value(self, shape, dtype):
        return self._draw.normal(shape, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Numbers of a normal distribution; those more than two standard deviations from the mean are drawn again.

    >>> import gradtape as tf
    >>> tf.keras.initializers.TruncatedNormal()([2, 3]).shape
    TensorShape([2, 3])
    """

    def _value(self, shape, dtype):
        return self._draw.truncated_normal(shape, self.mean, self.stddev, dtype)


class RandomUniform(RandomInitializer):
    """Numbers of a uniform distribution in [minval, maxval).

    >>> import gradtape as tf
    >>> tf.keras.initializers.RandomUniform()([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("minval", "maxval")

    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def _value(self, shape, dtype):
        return self._draw.uniform(shape, self.minval, self.maxval, dtype)


class VarianceScaling(RandomInitializer):
    """Numbers with the variance scale / n, where n counts a unit's inputs, outputs, or their average.

    Args:
      scale: positive.
      mode: ``"fan_in"``, ``"fan_out"`` or ``"fan_avg"``.
      distribution: ``"truncated_normal"`` (also ``"normal"``), ``"untruncated_normal"`` or ``"uniform"``.
      seed: an integer, a `tf.keras.random.SeedGenerator`, or None.
      input_axes, output_axes: the axes of the shape that count inputs and outputs; by default the last two, times the
        sizes of those before them.

    Raises:
      ValueError: a scale that is not positive, an unknown mode or distribution, only one of the axes.

    >>> import gradtape as tf
    >>> tf.keras.initializers.VarianceScaling(2.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("scale", "mode", "distribution", "input_axes", "output_axes")

    def __init__(
        self,
        scale=1.0,
        mode="fan_in",
        distribution="truncated_normal",
        seed=None,
        input_axes=None,
        output_axes=None,
    ):
        check_variance_scaling(scale, mode, distribution)
        if (input_axes is None) != (output_axes is None):
            raise ValueError("`input_axes` and `output_axes` must be given together.")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.input_axes, self.output_axes = input_axes, output_axes
        super().__init__(seed)

    def of_axes(self, inputs: list[int], outputs: list[int]) -> Self:
        """The same initializer, which draws the same numbers, for kernels with these axes."""
        found = copy(self)
        found.input_axes, found.output_axes = inputs, outputs
        return found

    def _value(self, shape, dtype):
        sides = fans(shape)
        if self.input_axes is not None and self.output_axes is not None:
            inputs, outputs = ([shape[i] for i in axes] for axes in (self.input_axes, self.output_axes))
            sides = float(np.prod(inputs)), float(np.prod(outputs))
        args = (self.scale, self.mode, self.distribution)
        return variance_scaled(self._draw, shape, sides, *args, dtype)


class _Scaled(VarianceScaling):
    """A variance scaling with a name."""

    _arguments = ("input_axes", "output_axes")
    _scaling: tuple[float, str, str]

    def __init__(self, seed=None, input_axes=None, output_axes=None):
        super().__init__(*self._scaling, seed, input_axes, output_axes)


class GlorotUniform(_Scaled):
    """Uniform in ±sqrt(6 / (inputs + outputs)) (Glorot & Bengio, 2010): what layers use by default.

    >>> import gradtape as tf
    >>> tf.keras.initializers.GlorotUniform(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    _scaling = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Scaled):
    """Truncated normal with the variance 2 / (inputs + outputs) (Glorot & Bengio, 2010)."""

    _scaling = (1.0, "fan_avg", "truncated_normal")


class HeNormal(_Scaled):
    """Truncated normal with the variance 2 / inputs (He et al., 2015)."""

    _scaling = (2.0, "fan_in", "truncated_normal")


class HeUniform(_Scaled):
    """Uniform in ±sqrt(6 / inputs) (He et al., 2015)."""

    _scaling = (2.0, "fan_in", "uniform")


class LecunNormal(_Scaled):
    """Truncated normal with the variance 1 / inputs."""

    _scaling = (1.0, "fan_in", "truncated_normal")


class LecunUniform(_Scaled):
    """Uniform in ±sqrt(3 / inputs)."""

    _scaling = (1.0, "fan_in", "uniform")


class Orthogonal(RandomInitializer):
    """A matrix with orthonormal rows or columns, times ``gain`` (Saxe et al., 2014).

    Raises:
      ValueError: when it is called, a shape with less than two axes.

    >>> import gradtape as tf
    >>> q = tf.keras.initializers.Orthogonal(seed=1)([3, 3])
    >>> bool(tf.reduce_max(tf.abs(q @ tf.transpose(q) - tf.eye(3))) < 1e-5)
    True
    """

    _arguments = ("gain",)

    def __init__(self, gain=1.0, seed=None):
        self.gain = gain
        super().__init__(seed)

    def _value(self, shape, dtype):
        return orthogonal(self._draw, shape, self.gain, dtype)


_CLASSES = [
    Constant,
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    Identity,
    LecunNormal,
    LecunUniform,
    Ones,
    Orthogonal,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    VarianceScaling,
    Zeros,
]
_ALIASES = {
    "constant": Constant,
    "glorot_normal": GlorotNormal,
    "glorot_uniform": GlorotUniform,
    "he_normal": HeNormal,
    "he_uniform": HeUniform,
    "identity": Identity,
    "IdentityInitializer": Identity,
    "lecun_normal": LecunNormal,
    "lecun_uniform": LecunUniform,
    "one": Ones,
    "ones": Ones,
    "orthogonal": Orthogonal,
    "OrthogonalInitializer": Orthogonal,
    "normal": RandomNormal,
    "random_normal": RandomNormal,
    "uniform": RandomUniform,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "variance_scaling": VarianceScaling,
    "zero": Zeros,
    "zeros": Zeros,
}
_FAMILY = Family("initializer", "keras.initializers", _CLASSES, _ALIASES)


def get(identifier):
    """The initializer that is meant by a name, a configuration, a class, an array, or itself; None for None.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.initializers.get("he_normal").scale
    2.0
    """
    if isinstance(identifier, (Tensor, np.ndarray, np.generic)):
        return _Given(identifier)
    if isinstance(identifier, str):
        identifier = _FAMILY.deserialize(identifier)
    return _FAMILY.get(identifier)


class _Given(Initializer):
    """An array that is the value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def _value(self, shape, dtype):
        have = tuple(self.value.shape)
        if shape != have:
            raise ValueError(
                f"Expected `shape` to be {have} for direct tensor as initializer. Received shape={shape}"
            )
        return cast(as_tensor(self.value), dtype)


def serialize(initializer):
    """The configuration of an initializer."""
    return serialize_keras_object(initializer)


def deserialize(config, custom_objects=None):
    """The initializer of a configuration."""
    return _FAMILY.deserialize(config, custom_objects)
