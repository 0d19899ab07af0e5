"""Random operations without a state: the numbers are a function of a seed, a pair of integers.

The seed is turned into a key and a counter first, ``uint64[1]`` and ``uint64[2]``; after the shape, these are
the arguments of every operation here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.philox import LOW64, all_scrambled, scrambled
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import distributions, rejection
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import static, with_axis
from gradtape._src.ops.gamma_samples import random_gamma_grad
from gradtape._src.ops.random import (
    binomial_samples,
    check_ends_with,
    class_numbers,
    classes_shape,
    first_is_shape,
    interval,
    order_of,
    order_shape,
    param_dtype,
    sizes,
)
from gradtape._src.ops.truncated import bounds_slopes

# --- Seeds --------------------------------------------------------------------------------------------------


def _key_counter(seed: Any) -> tuple[Any, Any]:
    if seed.ndim == 2 and seed.shape[1] == 2:
        keys, counters = all_scrambled(seed)
        return keys[:, None], counters
    if seed.shape != (2,):
        raise InvalidArgumentError.of(
            f"seed must have shape [2], not {in_brackets(seed.shape)} [Op:StatelessRandomGetKeyCounter]"
        )
    key, counter = scrambled(tuple(seed.tolist()))
    return np.array([key], np.uint64), np.array([counter & LOW64, counter >> 64], np.uint64)


def _key_counter_batch(n: int, xs: Any, batched: Any) -> Any:
    return get_key_counter(xs[0]) if shape_of(xs[0]) == (n, 2) else NotImplemented


def _front(x: Any) -> tuple[int | None, ...]:
    """The leading axis of seeds, keys and counters that are several ones."""
    shape = shape_of(x)
    return () if shape is None else shape[:-1]


get_key_counter = Op(
    "StatelessRandomGetKeyCounter",
    _key_counter,
    multi=True,
    batch=_key_counter_batch,
    shape=lambda seed: [(*_front(seed), 1), (*_front(seed), 2)],
    dtype=np.uint64,
    accepts="int",
)
"""The key and the counter of a seed, or of each of several ones along a leading axis."""


def _place(key: Any, counter: Any) -> tuple[Any, Any]:
    """Key and counter as integers; of several ones as arrays."""
    if key.ndim == 2:
        return key[:, 0], counter
    low, high = counter.tolist()
    return int(key[0]), low | high << 64


# --- Numbers of a shape -------------------------------------------------------------------------------------


def _drawn_shape(shape: Any, key: Any, *_: Any, **params: Any) -> Shape:
    one = static(shape)
    return None if one is None else (*_front(key), *one)


def _drawn(name: str, draw: Callable[..., Any], several: bool = True) -> Op:
    """The operation ``(shape, key, counter; dtype)`` of a function of ``ops/distributions.py``.

    Args:
      several: whether the function takes several keys at once.
    """

    def kernel(shape: Any, key: Any, counter: Any, dtype: Any) -> Any:
        return draw(sizes(shape, name), *_place(key, counter), dtype)

    def batch(n: int, xs: Any, batched: Any, dtype: Any) -> Any:
        shape, key, counter = xs
        if batched[0]:
            return NotImplemented
        key, counter = with_axis(n, xs[1:], batched[1:])
        return op(shape, key, counter, dtype=dtype) if len(shape_of(key)) == 2 else NotImplemented

    op = Op(name, kernel, batch=batch if several else None, shape=_drawn_shape, dtype=param_dtype)
    return op


stateless_uniform = _drawn("StatelessRandomUniformV2", distributions.uniform)
stateless_uniform_full_int = _drawn("StatelessRandomUniformFullIntV2", distributions.uniform_full_int)
stateless_normal = _drawn("StatelessRandomNormalV2", distributions.normal)
stateless_truncated_normal = _drawn(
    "StatelessTruncatedNormalV2", distributions.truncated_normal, several=False
)


def _uniform_int(shape: Any, key: Any, counter: Any, low: Any, high: Any) -> Any:
    bounds = interval(low, high, "StatelessRandomUniformIntV2")
    shape = sizes(shape, "StatelessRandomUniformIntV2")
    return distributions.uniform_int(shape, *_place(key, counter), low.dtype, *bounds)


def _uniform_int_batch(n: int, xs: Any, batched: Any) -> Any:
    shape, key, counter, low, high = xs
    if batched[0] or batched[3] or batched[4]:
        return NotImplemented
    key, counter = with_axis(n, [key, counter], batched[1:3])
    return (
        stateless_uniform_int(shape, key, counter, low, high) if len(shape_of(key)) == 2 else NotImplemented
    )


stateless_uniform_int = Op(
    "StatelessRandomUniformIntV2",
    _uniform_int,
    batch=_uniform_int_batch,
    shape=_drawn_shape,
    dtype=lambda shape, key, counter, low, high: dtype_of(low),
)

# --- Numbers for each element of parameters -----------------------------------------------------------------


def _for_each(shape: Any, parameter: Any, op: str) -> tuple[tuple[int, ...], int]:
    """The shape, checked, and how many samples there are for each element of a parameter."""
    shape = sizes(shape, op)
    check_ends_with(shape, parameter.shape, op)
    return shape, math.prod(shape) // parameter.size if parameter.size else 0


def _gamma(shape: Any, key: Any, counter: Any, alpha: Any) -> Any:
    shape, n = _for_each(shape, alpha, "StatelessRandomGammaV3")
    samples = rejection.gamma(n, *_place(key, counter), alpha.reshape(-1))
    return samples.T.astype(alpha.dtype).reshape(shape)


stateless_gamma = Op(
    "StatelessRandomGammaV3",
    _gamma,
    vjp=(None, None, None, lambda g, y, shape, key, counter, alpha: g * random_gamma_grad(alpha, y)),
    reads="y alpha",
    jvp=lambda ts, y, shape, key, counter, alpha: ts[3] * random_gamma_grad(alpha, y),
    shape=first_is_shape,
    dtype=lambda shape, key, counter, alpha: dtype_of(alpha),
)


def _poisson(shape: Any, key: Any, counter: Any, rate: Any, dtype: Any) -> Any:
    shape, n = _for_each(shape, rate, "StatelessRandomPoisson")
    samples = rejection.poisson(n, *_place(key, counter), rate.reshape(-1))
    return samples.T.astype(dtype).reshape(shape)


stateless_poisson = Op("StatelessRandomPoisson", _poisson, shape=first_is_shape, dtype=param_dtype)

stateless_binomial = Op(
    "StatelessRandomBinomial",
    lambda shape, key, counter, counts, probs, dtype: binomial_samples(
        shape, counts, probs, dtype, "StatelessRandomBinomial", lambda n: _place(key, counter)
    ),
    shape=first_is_shape,
    dtype=param_dtype,
)


def _parameterized(shape: Any, key: Any, counter: Any, mean: Any, stddev: Any, low: Any, high: Any) -> Any:
    op = "StatelessParameterizedTruncatedNormal"
    parameters = np.broadcast_arrays(mean, stddev, low, high)
    shape, n = _for_each(shape, parameters[0], op)
    mean, stddev, low, high = (x.reshape(-1) for x in parameters)
    good = (stddev > 0) & (low < high) & (np.isfinite(low) | np.isfinite(high))
    if not good.all():
        raise InvalidArgumentError.of(
            f"Invalid parameters [Op:{op}]: the standard deviation must be positive, minval must be less "
            "than maxval, and one of them must be finite."
        )
    return rejection.bounded_normal(n, *_place(key, counter), mean, stddev, low, high).T.reshape(shape)


def _parameterized_vjp(
    wanted: Sequence[bool],
    g: Any,
    y: Any,
    shape: Any,
    key: Any,
    counter: Any,
    mean: Any,
    stddev: Any,
    low: Any,
    high: Any,
) -> list[Any]:
    slopes = bounds_slopes(y, mean, stddev, low, high)
    cts = [g * slope if want else None for slope, want in zip(slopes, wanted[3:], strict=True)]
    return [None, None, None, *cts]


def _parameterized_jvp(
    ts: Sequence[Any], y: Any, shape: Any, key: Any, counter: Any, mean: Any, stddev: Any, low: Any, high: Any
) -> Any:
    slopes = bounds_slopes(y, mean, stddev, low, high)
    moving = [t * slope for t, slope in zip(ts[3:], slopes, strict=True) if t is not None]
    return sum(moving[1:], moving[0])


stateless_parameterized_truncated_normal = Op(
    "StatelessParameterizedTruncatedNormal",
    _parameterized,
    vjp_all=_parameterized_vjp,
    jvp=_parameterized_jvp,
    reads="y mean stddev low high",
    shape=first_is_shape,
    dtype=lambda shape, key, counter, mean, *_: dtype_of(mean),
)

# --- Classes and orders -------------------------------------------------------------------------------------

stateless_multinomial = Op(
    "StatelessMultinomial",
    lambda logits, num_samples, key, counter, dtype: class_numbers(
        logits, num_samples, dtype, "StatelessMultinomial", lambda n: _place(key, counter)
    ),
    shape=classes_shape,
    dtype=param_dtype,
    accepts=FLOAT,
)


stateless_order = Op(
    "StatelessShuffle",
    lambda value, key, counter: order_of(value, lambda n: _place(key, counter)),
    shape=order_shape,
    dtype=np.int64,
)
"""A random order of the rows of ``value``, whose data is not read; ``permute_rows`` brings them into it."""
