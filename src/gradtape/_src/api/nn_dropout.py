"""Public dropout functions: some elements are set to 0, and the others scaled so that the expected sum stays.

With probability ``rate`` an element of x becomes 0, else x / (1 - rate). x: floating-point numbers (else
ValueError). ``rate`` is a number in [0, 1) or a scalar tensor (else ValueError); rate 0 gives x.

``noise_shape`` is a shape that broadcasts to that of x, the shape itself by default (and its sizes in place
of None): where it has a 1, elements are kept or dropped together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.api.random import uniform
from gradtape._src.api.stateless_random import stateless_uniform
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_floating_np
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops.activations import dropped
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import greater_equal
from gradtape._src.ops.measuring import shape as shape_op


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Sets elements to 0 at random.

    Args:
      x, rate, noise_shape: see this module.
      seed: an integer that, with `tf.random.set_seed`, makes the choice repeatable.
      name: of the operation in a graph.

    Returns:
      A tensor of the shape and dtype of x. The gradient passes through what is kept, scaled likewise.

    >>> import gradtape as tf
    >>> tf.random.set_seed(1)
    >>> kept = tf.nn.dropout(tf.ones([1000]), rate=0.5).numpy()
    >>> print(sorted(set(kept.tolist())), 400 < (kept > 0).sum() < 600)
    [0.0, 2.0] True

    Srivastava et al.: Dropout, a simple way to prevent neural networks from overfitting (2014).
    """
    return _dropout(x, rate, lambda shape, dtype: uniform(shape, dtype=dtype, seed=seed), noise_shape, name)


def general_dropout(x, rate, uniform_sampler, noise_shape=None, name=None):
    """Sets elements to 0 where numbers of your own say so: where they are below the rate.

    ``uniform_sampler(shape, dtype)`` gives numbers between 0 and 1; the other arguments are those of `tf.nn.dropout`.

    >>> import gradtape as tf
    >>> half = lambda shape, dtype: tf.reshape(tf.linspace(0.0, 1.0, 4), shape)
    >>> print(tf.nn.experimental.general_dropout(tf.ones([4]), 0.5, half).numpy())
    [0. 0. 2. 2.]

    As TensorFlow 2.21.
    """
    return _dropout(x, rate, uniform_sampler, noise_shape, name)


def stateless_dropout(x, rate, seed, rng_alg=None, noise_shape=None, name=None):
    """Sets elements to 0, always the same for one seed.

    ``seed``: two integers. ``rng_alg``: an algorithm of `tf.random.Algorithm`, chosen by the device if None.
    The other arguments are those of `tf.nn.dropout`.

    >>> import gradtape as tf
    >>> a, b = (tf.nn.experimental.stateless_dropout(tf.ones([8]), 0.5, seed=[1, 2]) for _ in range(2))
    >>> print((a == b).numpy().all())
    True

    As TensorFlow 2.21.
    """
    alg = "auto_select" if rng_alg is None else rng_alg
    sampler = lambda shape, dtype: stateless_uniform(shape, seed, dtype=dtype, alg=alg)
    return _dropout(x, rate, sampler, noise_shape, name)


def _dropout(x: Any, rate: Any, sampler: Callable[[Any, Any], Any], noise_shape: Any, name: Any) -> Any:
    x = as_tensor(x)
    dtype = from_numpy(dtype_of(x))
    if not is_floating_np(dtype.np):
        raise ValueError(
            f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={dtype}"
        )
    rate = _checked_rate(rate, dtype)
    if type(rate) is float and rate == 0:
        return x
    kept = greater_equal.of(sampler(_noise_shape(x, noise_shape), dtype), rate)
    return dropped.of(x, cast.of(kept, dtype=dtype.np) * (1 / (1 - rate)), name)


def _checked_rate(rate: Any, dtype: Any) -> Any:
    if isinstance(rate, (int, float)) and not hasattr(rate, "dtype"):
        if not 0 <= rate < 1:
            raise ValueError(
                f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
            )
        return float(rate)
    if not hasattr(rate, "dtype"):
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    rate = as_tensor(rate)
    if shape_of(rate) not in ((), None):
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    if from_numpy(dtype_of(rate)) is not dtype:
        raise ValueError(
            "`x.dtype` must be compatible with `rate.dtype`. "
            f"Received: x.dtype={dtype} and rate.dtype={from_numpy(dtype_of(rate))}. Use tf.cast to convert "
            "one of them."
        )
    return rate


def _noise_shape(x: Any, noise_shape: Any) -> Any:
    dims = shape_of(x)
    if noise_shape is None:
        return dims if is_known(dims) else shape_op.of(x, out_type="int32")
    if isinstance(noise_shape, Tensor) or dims is None:
        return noise_shape
    given = list(noise_shape)
    if len(given) == len(dims):
        given = [n if want is None else want for want, n in zip(given, dims)]
    return given
