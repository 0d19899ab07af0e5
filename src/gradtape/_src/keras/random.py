"""Random numbers of Keras: functions of a seed, and generators whose seed changes from call to call."""

from __future__ import annotations

import random as python_random
from typing import Any

import numpy as np

from gradtape._src.api import stateless_random as stateless
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.gathering import gather
from gradtape._src.api.nn_dropout import stateless_dropout
from gradtape._src.api.random import set_seed
from gradtape._src.api.sorting import argsort
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32, int64
from gradtape._src.core.values import EagerTensor
from gradtape._src.function.func_graph import init_scope
from gradtape._src.keras.settings import as_floatx
from gradtape._src.ops.variables import Variable

_MOST = 2**31 - 2  # seeds of the stateless operations are taken modulo this, as Keras does


class SeedGenerator:
    """A seed for each call of a random function, all of them determined by the first.

    Args:
      seed: an integer; by default one that Python's ``random`` gives.
      name: a name.

    Raises:
      ValueError: the seed is not an integer.

    >>> import gradtape as tf
    >>> seeds = tf.keras.random.SeedGenerator(7)
    >>> seeds.next().numpy().tolist(), seeds.next().numpy().tolist()
    ([7, 0], [7, 1])

    As Keras 3.
    """

    def __init__(self, seed: int | None = None, name: str | None = None, **kwargs: Any) -> None:
        self.name, self._initial_seed = name or "seed_generator", seed
        seed = make_default_seed() if seed is None else seed
        if not isinstance(seed, (int, np.integer)):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed}")
        with init_scope():
            self.state = Variable(np.array([seed, 0], np.int64), trainable=False, name="seed_generator_state")

    def next(self, ordered: bool = True) -> Any:
        """The seed of this call, a tensor of two integers.

        Args:
          ordered: whether to count; else the next seed is mixed from this one.
        """
        seed = self.state.read_value()
        self.state.assign(
            seed + np.array([0, 1]) if ordered else (seed + 1) * 5387 % 933199, read_value=False
        )
        return seed

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a generator like this one."""
        return {"seed": self._initial_seed, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> SeedGenerator:
        """The generator of `get_config`."""
        return cls(**config)


_global: list[SeedGenerator] = []  # for calls without a seed; made when it is first needed


def make_default_seed() -> int:
    """A seed that Python's ``random`` gives."""
    return python_random.randint(1, int(1e9))


def set_random_seed(seed: int) -> None:
    """Seeds Python's ``random``, NumPy's global generator, and all random numbers of this library.

    Raises:
      ValueError: the seed is not an integer.

    >>> import gradtape as tf
    >>> tf.keras.utils.set_random_seed(3)
    >>> a = tf.keras.initializers.GlorotUniform()([2])
    >>> tf.keras.utils.set_random_seed(3)
    >>> bool(tf.reduce_all(a == tf.keras.initializers.GlorotUniform()([2])))
    True
    """
    if not isinstance(seed, int):
        raise ValueError(
            f"Expected `seed` argument to be an integer. Received: seed={seed} (of type {type(seed)})"
        )
    python_random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)
    _global.clear()  # it takes its seed from `random` when it is next needed


def draw_seed(seed: Any) -> Any:
    """The two integers of a seed: of an integer, of the next call of a generator, or of the global one for None."""
    drawn: Any
    if seed is None:
        if not _global:
            _global.append(SeedGenerator())
        drawn = _global[0].next(ordered=False)
    elif isinstance(seed, SeedGenerator) or hasattr(seed, "next"):
        drawn = seed.next()
    elif isinstance(seed, (int, np.integer)):
        drawn = EagerTensor(np.array([int(seed) & 0xFFFFFFFF, 0], np.int64))
    else:
        raise ValueError(
            "Argument `seed` must be either an integer or an instance of `SeedGenerator`. Received: "
            f"seed={seed} (of type {type(seed)})"
        )
    return cast(drawn % _MOST, int32)


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Numbers of a normal distribution.

    Args:
      shape: of the tensor.
      mean, stddev: of the distribution.
      dtype: floating-point; that of `tf.keras.backend.floatx` by default.
      seed: an integer, which gives the same numbers each time; a `SeedGenerator`; None: a global one.

    >>> import gradtape as tf
    >>> print(tf.keras.random.normal([2], seed=1).numpy())
    [ 0.1266503  -0.49301657]

    As Keras 3.
    """
    return stateless.stateless_normal(shape, draw_seed(seed), mean, stddev, as_floatx(dtype))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Numbers of a normal distribution, drawn again if they are two standard deviations away; see `normal`."""
    return stateless.stateless_truncated_normal(shape, draw_seed(seed), mean, stddev, as_floatx(dtype))


def uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    """Numbers of a uniform distribution in [minval, maxval); see `normal`.

    >>> import gradtape as tf
    >>> tf.keras.random.uniform([2, 3], -1.0, 1.0, seed=1).shape
    TensorShape([2, 3])
    """
    dtype = as_floatx(dtype)
    low: Any
    low, high = (cast(as_tensor(bound), dtype) for bound in (minval, maxval))
    return stateless.stateless_uniform(shape, draw_seed(seed), low, high, dtype)


def randint(shape, minval, maxval, dtype="int32", seed=None):
    """Integers in [minval, maxval), each as likely; see `normal`.

    >>> import gradtape as tf
    >>> tf.keras.random.randint([3], 0, 1).numpy()
    array([0, 0, 0], dtype=int32)
    """
    wanted = as_dtype(dtype)
    drawn = wanted if wanted in (int32, int64) else int64
    return cast(stateless.stateless_uniform(shape, draw_seed(seed), minval, maxval, drawn), wanted)


def categorical(logits, num_samples, dtype="int32", seed=None):
    """Classes drawn from each row of unnormalized log-probabilities: shape (rows, num_samples); see `normal`."""
    return cast(stateless.stateless_categorical(logits, num_samples, draw_seed(seed)), as_dtype(dtype))


def shuffle(x, axis=0, seed=None):
    """The slices along an axis in a random order; see `normal`."""
    x = as_tensor(x)
    keys = stateless.stateless_uniform([shape_of_tensor(x)[axis]], draw_seed(seed))
    return gather(x, argsort(keys), axis=axis)


def gamma(shape, alpha, dtype=None, seed=None):
    """Numbers of a gamma distribution of shape alpha and rate 1; see `normal`."""
    return stateless.stateless_gamma(shape, draw_seed(seed), alpha, dtype=as_floatx(dtype))


def beta(shape, alpha, beta, dtype=None, seed=None):
    """Numbers of a beta distribution; see `normal`."""
    dtype, seed = as_floatx(dtype), draw_seed(seed)
    a, b = (cast(as_tensor(parameter), dtype) for parameter in (alpha, beta))
    first = stateless.stateless_gamma(shape, seed, a, dtype=dtype)
    second = stateless.stateless_gamma(shape, seed + 12, b, dtype=dtype)
    return first / (first + second)


def binomial(shape, counts, probabilities, dtype=None, seed=None):
    """How often of ``counts`` something happens that has a probability; see `normal`."""
    return stateless.stateless_binomial(shape, draw_seed(seed), counts, probabilities, as_floatx(dtype))


def dropout(inputs, rate, noise_shape=None, seed=None):
    """Sets elements to 0 with the probability ``rate``, and divides the others by ``1 - rate``.

    Args:
      inputs: a floating-point tensor.
      rate: in [0, 1].
      noise_shape: broadcasts to the shape of the inputs; where it is 1, elements go together.
      seed: as in `normal`.

    >>> import gradtape as tf
    >>> tf.keras.random.dropout(tf.ones([2]), 0.0).numpy()
    array([1., 1.], dtype=float32)

    N. Srivastava et al., "Dropout", JMLR 15, 2014.
    """
    x = as_tensor(inputs)
    if rate == 1.0:
        return zeros_like(x)
    return x if rate == 0.0 else stateless_dropout(x, rate, draw_seed(seed), noise_shape=noise_shape)
