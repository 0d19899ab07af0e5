"""TensorFlow 2's own initializers, at its top level: what a new variable's first value is drawn from.

With a seed they give the same numbers at each call; without one they take them from TensorFlow's stream.
"""

from __future__ import annotations

from typing import Any, Self

from gradtape._src.api import creation, tensors
from gradtape._src.api.drawing import Seeded, Stream, as_dims
from gradtape._src.core.dtypes import as_dtype, float32


class Initializer:
    """What initializers have in common: ``initializer(shape, dtype=tf.float32)`` gives a tensor."""

    _arguments: tuple[str, ...] = ()

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Any:
        return self._value(as_dims(shape), as_dtype(float32 if dtype is None else dtype))

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        raise TypeError(
            f"{type(self).__name__} does not say what it gives: define __call__(self, shape, dtype)."
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The initializer of `get_config`."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


class Zeros(Initializer):
    """Zeros.

    >>> import gradtape as tf
    >>> tf.zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def _value(self, shape, dtype):
        return creation.zeros(shape, dtype)


class Ones(Initializer):
    """Ones.

    >>> import gradtape as tf
    >>> tf.ones_initializer()([2], tf.int32).numpy()
    array([1, 1], dtype=int32)
    """

    def _value(self, shape, dtype):
        return creation.ones(shape, dtype)


class Constant(Initializer):
    """One number for all elements, or as many numbers as there are elements.

    Raises:
      ValueError: a value that is no number, list or array.

    >>> import gradtape as tf
    >>> tf.constant_initializer([1, 2])([2]).numpy()
    array([1, 2], dtype=int32)
    """

    _arguments = ("value",)

    def __init__(self, value=0, support_partition=False):
        self.value = value

    def __call__(self, shape, dtype=None, **kwargs):
        return tensors.constant(self.value, dtype, as_dims(shape))


class _Random(Initializer):
    def __init__(self, seed: Any) -> None:
        self.seed = seed
        self._draw = Seeded([seed, 0]) if seed else Stream(seed)


class RandomUniform(_Random):
    """Numbers of a uniform distribution in [minval, maxval).

    >>> import gradtape as tf
    >>> tf.random_uniform_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])

    As TensorFlow 2.21.
    """

    _arguments = ("minval", "maxval", "seed")

    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def _value(self, shape, dtype):
        return self._draw.uniform(shape, self.minval, self.maxval, dtype)


class RandomNormal(_Random):
    """Numbers of a normal distribution.

    >>> import gradtape as tf
    >>> tf.random_normal_initializer(stddev=1.0, seed=1)([2]).numpy()
    array([ 0.1266503 , -0.49301657], dtype=float32)

    As TensorFlow 2.21.
    """

    _arguments = ("mean", "stddev", "seed")

    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def _value(self, shape, dtype):
        return self._draw.normal(shape, self.mean, self.stddev, dtype)
