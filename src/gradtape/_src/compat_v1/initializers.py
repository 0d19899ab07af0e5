"""TensorFlow 1's initializers: what a new variable's first value is drawn from.

An initializer is called with a shape, and gives a tensor. The formulas are in `api/drawing.py`.
"""

from __future__ import annotations

import math
from typing import Any, Self

from gradtape._src.api import creation, tensors
from gradtape._src.api.drawing import (
    Stream,
    as_dims,
    check_variance_scaling,
    fans,
    orthogonal,
    variance_scaled,
)
from gradtape._src.core.dtypes import as_dtype, float32


class Initializer:
    """What initializers have in common: ``initializer(shape, dtype=None, partition_info=None)`` gives a tensor."""

    _arguments: tuple[str, ...] = ()
    dtype: Any = float32

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return self._value(as_dims(shape), self.dtype if dtype is None else as_dtype(dtype))

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        raise TypeError(
            f"{type(self).__name__} does not say what it gives: define __call__(self, shape, dtype=None)."
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        config = {name: getattr(self, name) for name in self._arguments}
        return {**config, "dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The initializer of `get_config`."""
        return cls(**config)


class zeros_initializer(Initializer):
    """Zeros.

    >>> import gradtape.compat.v1 as tf
    >>> tf.zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)

    def _value(self, shape, dtype):
        return creation.zeros(shape, dtype)


class ones_initializer(Initializer):
    """Ones.

    >>> import gradtape.compat.v1 as tf
    >>> tf.ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)

    def _value(self, shape, dtype):
        return creation.ones(shape, dtype)


class constant_initializer(Initializer):
    """A constant: one number for all elements, or as many as there are elements.

    Args:
      value: a number, a list or an array.
      dtype: where none is asked for.
      verify_shape: the value must have the very shape.

    Raises:
      TypeError: the value does not have as many elements as the shape, or not the shape.

    >>> import gradtape.compat.v1 as tf
    >>> tf.constant_initializer(0.1)([2]).numpy()
    array([0.1, 0.1], dtype=float32)
    """

    _arguments = ("value",)

    def __init__(self, value=0, dtype=float32, verify_shape=False):
        self.value, self.dtype, self._verify_shape = value, as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        dims = as_dims(shape)
        dtype = self.dtype if dtype is None else as_dtype(dtype)
        if self._verify_shape if verify_shape is None else verify_shape:
            have = tuple(tensors.constant(self.value, dtype).shape.as_list())
            if have != dims:
                raise TypeError(f"Expected Tensor's shape: {dims}, got {have}.")
        return tensors.constant(self.value, dtype, dims)


class random_uniform_initializer(Initializer):
    """Numbers of a uniform distribution in [minval, maxval); maxval is 1 by default, and needed for integers.

    >>> import gradtape.compat.v1 as tf
    >>> tf.random_uniform_initializer(-1.0, 1.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("minval", "maxval", "seed")

    def __init__(self, minval=0.0, maxval=None, seed=None, dtype=float32):
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        return Stream(self.seed).uniform(shape, self.minval, self.maxval, dtype)


class random_normal_initializer(Initializer):
    """Numbers of a normal distribution.

    >>> import gradtape.compat.v1 as tf
    >>> tf.random_normal_initializer(stddev=0.1)([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("mean", "stddev", "seed")

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        return Stream(self.seed).normal(shape, self.mean, self.stddev, dtype)


class truncated_normal_initializer(random_normal_initializer):
    """Numbers of a normal distribution; those more than two standard deviations from the mean are drawn again.

    >>> import gradtape.compat.v1 as tf
    >>> tf.truncated_normal_initializer(stddev=0.1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def _value(self, shape, dtype):
        return Stream(self.seed).truncated_normal(shape, self.mean, self.stddev, dtype)


class uniform_unit_scaling_initializer(Initializer):
    """Uniform in ±factor·sqrt(3 / n), where n is the number of inputs: the scale of the input is kept.

    >>> import gradtape.compat.v1 as tf
    >>> tf.uniform_unit_scaling_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("factor", "seed")

    def __init__(self, factor=1.0, seed=None, dtype=float32):
        self.factor, self.seed, self.dtype = factor, seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        limit = math.sqrt(3 / max(1.0, math.prod(shape[:-1]))) * self.factor
        return Stream(self.seed).uniform(shape, -limit, limit, dtype)


class variance_scaling_initializer(Initializer):
    """Numbers with the variance scale / n, where n counts a unit's inputs, outputs, or their average.

    Args:
      scale: positive.
      mode: ``"fan_in"``, ``"fan_out"`` or ``"fan_avg"``.
      distribution: ``"truncated_normal"`` (also ``"normal"``), ``"untruncated_normal"`` or ``"uniform"``.
      seed: of the random numbers.
      dtype: where none is asked for.

    Raises:
      ValueError: a scale that is not positive, an unknown mode or distribution.

    >>> import gradtape.compat.v1 as tf
    >>> tf.variance_scaling_initializer(2.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("scale", "mode", "distribution", "seed")

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=float32):
        distribution = distribution.lower()
        check_variance_scaling(scale, mode, distribution)
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed, self.dtype = seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        args = (self.scale, self.mode, self.distribution)
        return variance_scaled(Stream(self.seed), shape, fans(shape), *args, dtype)


class glorot_uniform_initializer(variance_scaling_initializer):
    """Uniform in ±sqrt(6 / (inputs + outputs)) (Glorot & Bengio): what `tf.get_variable` uses by default.

    >>> import gradtape.compat.v1 as tf
    >>> tf.glorot_uniform_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("seed",)

    def __init__(self, seed=None, dtype=float32):
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class glorot_normal_initializer(variance_scaling_initializer):
    """Truncated normal with the variance 2 / (inputs + outputs) (Glorot & Bengio).

    >>> import gradtape.compat.v1 as tf
    >>> tf.glorot_normal_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    _arguments = ("seed",)

    def __init__(self, seed=None, dtype=float32):
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


class orthogonal_initializer(Initializer):
    """A matrix with orthonormal rows or columns, times ``gain`` (Saxe et al.).

    >>> import gradtape.compat.v1 as tf
    >>> q = tf.orthogonal_initializer()([3, 3])
    >>> bool(tf.reduce_max(tf.abs(q @ tf.transpose(q) - tf.eye(3))) < 1e-5)
    True
    """

    _arguments = ("gain", "seed")

    def __init__(self, gain=1.0, seed=None, dtype=float32):
        self.gain, self.seed, self.dtype = gain, seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        return orthogonal(Stream(self.seed), shape, self.gain, dtype)


class identity_initializer(Initializer):
    """The identity matrix, times ``gain``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.initializers.identity(2.0)([2, 2]).numpy().tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    _arguments = ("gain",)

    def __init__(self, gain=1.0, dtype=float32):
        self.gain, self.dtype = gain, as_dtype(dtype)

    def _value(self, shape, dtype):
        if len(shape) != 2:
            raise ValueError(
                f"The tensor to initialize, specified by argument `shape` must be at least two-dimensional. "
                f"Received shape={shape}"
            )
        return self.gain * creation.eye(*shape, dtype=dtype)


def he_normal(seed=None):
    """Truncated normal with the variance 2 / inputs (He et al.).

    >>> import gradtape.compat.v1 as tf
    >>> tf.initializers.he_normal()([2, 3]).shape
    TensorShape([2, 3])
    """
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed=None):
    """Uniform in ±sqrt(6 / inputs) (He et al.)."""
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed=None):
    """Truncated normal with the variance 1 / inputs."""
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed=None):
    """Uniform in ±sqrt(3 / inputs)."""
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)
