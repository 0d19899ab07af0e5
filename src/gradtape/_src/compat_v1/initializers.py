"""TensorFlow 1's initializers: what a new variable's first value is drawn from.

An initializer is called with a shape, and gives a tensor. Sources: X. Glorot and Y. Bengio, "Understanding the
difficulty of training deep feedforward neural networks", AISTATS 2010; K. He et al., "Delving deep into rectifiers",
ICCV 2015; A. Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear networks", ICLR 2014.
"""

from __future__ import annotations

import math
from typing import Any, Self

from gradtape._src.api import creation, random, tensors
from gradtape._src.api.decompositions import qr
from gradtape._src.api.diagonals import diag_part
from gradtape._src.api.elementwise import sign
from gradtape._src.api.reordering import transpose
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.ops.arrays import reshape

# Of a normal distribution cut off at two standard deviations, over that of the whole one.
_TRUNCATED = 0.87962566103423978


class Initializer:
    """What initializers have in common: ``initializer(shape, dtype=None, partition_info=None)`` gives a tensor."""

    _arguments: tuple[str, ...] = ()
    dtype: Any = float32

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return self._value(_dims(shape), self.dtype if dtype is None else as_dtype(dtype))

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


def _uniform(shape: Any, low: Any, high: Any, dtype: Any, seed: Any) -> Any:
    return random.uniform(shape, low, high, dtype, seed)


def _dims(shape: Any) -> tuple[int, ...]:
    dims = shape.as_list() if hasattr(shape, "as_list") else shape
    return tuple(int(n) for n in (dims if hasattr(dims, "__iter__") else [dims]))


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
        dims = _dims(shape)
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
        return _uniform(shape, self.minval, self.maxval, dtype, self.seed)


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
        return random.normal(shape, self.mean, self.stddev, dtype, self.seed)


class truncated_normal_initializer(random_normal_initializer):
    """Numbers of a normal distribution; those more than two standard deviations from the mean are drawn again.

    >>> import gradtape.compat.v1 as tf
    >>> tf.truncated_normal_initializer(stddev=0.1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def _value(self, shape, dtype):
        return random.truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


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
        return _uniform(shape, -limit, limit, dtype, self.seed)


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
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError(
                f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {mode}"
            )
        distribution = distribution.lower()
        known = ("normal", "uniform", "truncated_normal", "untruncated_normal")
        if distribution not in known:
            raise ValueError(f"Argument `distribution` should be one of {known}. Received: {distribution}")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed, self.dtype = seed, as_dtype(dtype)

    def _value(self, shape, dtype):
        fan_in, fan_out = _fans(shape)
        n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, n)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return _uniform(shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, math.sqrt(variance), dtype, self.seed)
        return random.truncated_normal(shape, 0.0, math.sqrt(variance) / _TRUNCATED, dtype, self.seed)


def _fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """The numbers of inputs and outputs of a unit: of a matrix its sides, of a convolution with its receptive field."""
    if len(shape) < 2:
        n = float(shape[0]) if shape else 1.0
        return n, n
    field = math.prod(shape[:-2])
    return float(shape[-2] * field), float(shape[-1] * field)


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
        if len(shape) < 2:
            raise ValueError(
                f"The tensor to initialize, specified by argument `shape` must be at least two-dimensional. "
                f"Received shape={shape}"
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        q, r = qr(random.normal((max(rows, columns), min(rows, columns)), dtype=dtype, seed=self.seed))
        q = q * sign(diag_part(r))  # else it would not be distributed evenly
        if rows < columns:
            q = transpose(q)
        return self.gain * reshape(q, shape)


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
