"""Random operations, stateful: their numbers come from a stream that moves on.

Each takes a shape (a tuple, or an integer tensor in a graph) or a tensor, and has a parameter ``stream``: a
``core.philox.Stream``, or anything with its ``take``. The stream is the operation's state: a plan that is to
repeat another's numbers is given copies of the streams. Operations without a state are in
``ops/stateless_random.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.philox import LOW64, LOW128
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import distributions, rejection
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import reshape, static
from gradtape._src.ops.distributions import RESERVED
from gradtape._src.ops.gamma_samples import random_gamma_grad
from gradtape._src.ops.reordering import invert_permutation, transpose

# --- Shapes -------------------------------------------------------------------------------------------------


def sizes(shape: Any, op: str) -> tuple[int, ...]:
    """A shape that is to be allocated, checked."""
    known = shape if type(shape) is tuple else tuple(np.asarray(shape).tolist())
    for n in known:
        if n < 0:
            raise InvalidArgumentError.of(f"Dimension {n} must be >= 0 [Op:{op}]")
    if math.prod(known) >= 1 << 63:
        raise InvalidArgumentError.of(
            f"Shape {in_brackets(known)} would have more than 2**63 - 1 elements [Op:{op}]"
        )
    return known


def shape_then(shape: Any, parameter: Any) -> Shape:
    """The shape of as many samples for each element of a parameter."""
    head, tail = static(shape), shape_of(parameter)
    return None if head is None or tail is None else (*head, *tail)


def first_is_shape(shape: Any, *_: Any, **params: Any) -> Shape:
    return static(shape)


def param_dtype(*_: Any, dtype: Any, **params: Any) -> Any:
    return dtype


class VariableStream:
    """The stream whose place is a variable's value: int64[3], the two halves of the counter and the key."""

    __slots__ = ("variable",)

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def take(self, n: int) -> tuple[int, int]:
        """As ``Stream.take``."""
        place: list[int] = []

        def moved_on(state: Any) -> Any:
            low, high, key = (int(word) & LOW64 for word in state.tolist())
            place[:] = key, low | high << 64
            counter = place[1] + n & LOW128
            return np.array([counter & LOW64, counter >> 64, key], np.uint64).view(np.int64)

        self.variable._update(moved_on, read_value=False)
        return place[0], place[1]


def _read_and_skip(delta: Any, stream: Any) -> Any:
    key, counter = stream.take(int(delta) * RESERVED)
    return np.array([counter & LOW64, counter >> 64, key], np.uint64).view(np.int64)


rng_read_and_skip = Op(
    "RngReadAndSkip",
    _read_and_skip,
    shape=lambda delta, stream: (3,),
    dtype=np.int64,
    stateful=True,
)
"""Moves a stream on as far as ``delta`` numbers would, and gives its place from before."""

# --- Numbers of a shape -------------------------------------------------------------------------------------


def _drawn(name: str, draw: Callable[..., Any]) -> Op:
    """The operation ``(shape; dtype, stream)`` of a function of ``ops/distributions.py``."""

    def kernel(shape: Any, dtype: Any, stream: Any) -> Any:
        shape = sizes(shape, name)
        return draw(shape, *stream.take(math.prod(shape) * RESERVED), dtype)

    def batch(n: int, xs: Sequence[Any], batched: Sequence[bool], **params: Any) -> Any:
        return op((n, *xs[0]), **params) if type(xs[0]) is tuple else NotImplemented

    op = Op(name, kernel, batch=batch, shape=first_is_shape, dtype=param_dtype, stateful=True)
    return op


random_uniform = _drawn("RandomUniform", distributions.uniform)
random_uniform_full_int = _drawn("RandomUniformFullInt", distributions.uniform_full_int)
random_standard_normal = _drawn("RandomStandardNormal", distributions.normal)
truncated_normal = _drawn("TruncatedNormal", distributions.truncated_normal)


def interval(low: Any, high: Any, op: str) -> tuple[int, int]:
    """The bounds of random integers, checked."""
    for name, x in (("minval", low), ("maxval", high)):
        if x.ndim:
            raise InvalidArgumentError.of(f"{name} must be 0-D, got shape {in_brackets(x.shape)} [Op:{op}]")
    if low >= high:
        raise InvalidArgumentError.of(f"Need minval < maxval, got {low} >= {high} [Op:{op}]")
    return int(low), int(high)


def _uniform_int(shape: Any, low: Any, high: Any, stream: Any) -> Any:
    shape = sizes(shape, "RandomUniformInt")
    bounds = interval(low, high, "RandomUniformInt")
    key, counter = stream.take(math.prod(shape) * RESERVED)
    return distributions.uniform_int(shape, key, counter, low.dtype, *bounds)


def _uniform_int_batched(n: int, xs: Any, batched: Any, **params: Any) -> Any:
    if any(batched) or type(xs[0]) is not tuple:
        return NotImplemented
    return random_uniform_int((n, *xs[0]), *xs[1:], **params)


random_uniform_int = Op(
    "RandomUniformInt",
    _uniform_int,
    batch=_uniform_int_batched,
    shape=first_is_shape,
    dtype=lambda shape, low, high, stream: dtype_of(low),
    stateful=True,
)

# --- Numbers for each element of a parameter ----------------------------------------------------------------


def for_each(parameter: Any, shape: tuple[int, ...], samples: Any, dtype: Any) -> Any:
    """Samples of shape (size of the parameter, n) in the order of the result: (*shape, *parameter.shape)."""
    return samples.T.astype(dtype).reshape((*shape, *parameter.shape))


def _batched_parameter(op: Callable[[], Op]) -> Callable[..., Any]:
    """The batch rule of ``(shape, parameter)``: the axis of the parameter goes to the front of the result."""

    def batch(n: int, xs: Sequence[Any], batched: Sequence[bool], **params: Any) -> Any:
        shape, parameter = xs
        if type(shape) is not tuple:
            return NotImplemented
        if not batched[1]:
            return op()((n, *shape), parameter, **params)
        out = op()(shape, parameter, **params)
        place, rank = len(shape), len(shape_of(out))
        return transpose(out, (place, *range(place), *range(place + 1, rank)))

    return batch


def _gamma(shape: Any, alpha: Any, stream: Any) -> Any:
    shape = sizes(shape, "RandomGamma")
    n = math.prod(shape)
    key, counter = stream.take(n * alpha.size * RESERVED)
    return for_each(alpha, shape, rejection.gamma(n, key, counter, alpha.reshape(-1)), alpha.dtype)


random_gamma = Op(
    "RandomGamma",
    _gamma,
    vjp=(None, lambda g, y, shape, alpha, stream: g * random_gamma_grad(alpha, y)),
    reads="y alpha",
    jvp=lambda ts, y, shape, alpha, stream: ts[1] * random_gamma_grad(alpha, y),
    batch=_batched_parameter(lambda: random_gamma),
    shape=lambda shape, alpha, stream: shape_then(shape, alpha),
    dtype=lambda shape, alpha, stream: dtype_of(alpha),
    stateful=True,
)
"""Gamma numbers of scale 1, ``shape`` of them for each ``alpha``; a gradient moves them at their quantile."""


def _poisson(shape: Any, rate: Any, dtype: Any, stream: Any) -> Any:
    shape = sizes(shape, "RandomPoissonV2")
    n = math.prod(shape)
    key, counter = stream.take(n * rate.size * RESERVED)
    return for_each(rate, shape, rejection.poisson(n, key, counter, rate.reshape(-1)), dtype)


random_poisson = Op(
    "RandomPoissonV2",
    _poisson,
    batch=_batched_parameter(lambda: random_poisson),
    shape=lambda shape, rate, dtype, stream: shape_then(shape, rate),
    dtype=param_dtype,
    stateful=True,
)


def binomial_samples(
    shape: Any, counts: Any, probs: Any, dtype: Any, op: str, place: Callable[[int], Any]
) -> Any:
    """Binomial numbers; the shape ends with that of the parameters. ``place(n)`` gives key and counter."""
    shape = sizes(shape, op)
    counts, probs = np.broadcast_arrays(counts, probs)
    check_ends_with(shape, probs.shape, op)
    n = math.prod(shape) // probs.size if probs.size else 0
    reserved = 2 * probs.size * 100 * (n + 3) // 4 * RESERVED
    key, counter = place(reserved)
    samples = rejection.binomial(n, key, counter, counts.reshape(-1), probs.reshape(-1))
    return samples.T.astype(dtype).reshape(shape)


def check_ends_with(shape: tuple[int, ...], end: tuple[int, ...], op: str) -> None:
    if shape[len(shape) - len(end) :] != end:
        raise InvalidArgumentError.of(
            f"Shape passed in must end with broadcasted shape. [Op:{op}]: {in_brackets(shape)} does not end "
            f"with {in_brackets(end)}, the shape of the parameters."
        )


random_binomial = Op(
    "StatefulRandomBinomial",
    lambda shape, counts, probs, dtype, stream: binomial_samples(
        shape, counts, probs, dtype, "StatefulRandomBinomial", stream.take
    ),
    shape=first_is_shape,
    dtype=param_dtype,
    stateful=True,
)

# --- Classes and orders -------------------------------------------------------------------------------------


def _multinomial(logits: Any, num_samples: Any, dtype: Any, stream: Any) -> Any:
    return class_numbers(logits, num_samples, dtype, "Multinomial", stream.take)


def class_numbers(logits: Any, num_samples: Any, dtype: Any, op: str, place: Callable[[int], Any]) -> Any:
    """Class numbers for rows of logits, checked. ``place(n)`` gives key and counter."""
    if logits.ndim != 2:
        raise InvalidArgumentError.of(
            f"logits should be a matrix, got shape {in_brackets(logits.shape)} [Op:{op}]"
        )
    if np.ndim(num_samples):
        raise InvalidArgumentError.of(
            f"num_samples should be a scalar, got shape {in_brackets(num_samples.shape)} [Op:{op}]"
        )
    n, rows = int(num_samples), len(logits)
    if n < 0:
        raise InvalidArgumentError.of(f"num_samples should be non-negative, got {n} [Op:{op}]")
    if logits.shape[1] == 0:
        raise InvalidArgumentError.of(f"num_classes should be positive, got 0 [Op:{op}]")
    reserved = rows * (-(-n // 4) * 4) * 2 * RESERVED
    return distributions.categorical(logits, n, *place(reserved)).astype(dtype, copy=False)


def classes_shape(logits: Any, num_samples: Any, *_: Any, **params: Any) -> Shape:
    rows = shape_of(logits)
    return (None if rows is None else rows[0], num_samples if type(num_samples) is int else None)


def _multinomial_batched(n: int, xs: Any, batched: Any, **params: Any) -> Any:
    logits, num_samples = xs
    if batched[1] or type(num_samples) is not int:
        return NotImplemented
    rows, classes = shape_of(logits)[-2:]
    if not batched[0]:
        out = multinomial(logits, n * num_samples, **params)  # (rows, n * num_samples)
        return transpose(reshape(out, (rows, n, num_samples)), (1, 0, 2))
    return reshape(
        multinomial(reshape(logits, (n * rows, classes)), num_samples, **params), (n, rows, num_samples)
    )


multinomial = Op(
    "Multinomial",
    _multinomial,
    batch=_multinomial_batched,
    shape=classes_shape,
    dtype=param_dtype,
    accepts=FLOAT,
    stateful=True,
)


def order_of(value: Any, place: Callable[[int], Any]) -> Any:
    """A random order of the rows of a value. ``place(n)`` gives key and counter."""
    rows = len(value) if value.ndim else 0
    return distributions.permutation(rows, *(place(-(-(rows - 1) // 4)) if rows > 1 else (0, 0)))


def order_shape(value: Any, *_: Any, **params: Any) -> Shape:
    dims = shape_of(value)
    return (None if dims is None else dims[0] if dims else 0,)


random_order = Op(
    "RandomShuffle",
    lambda value, stream: order_of(value, stream.take),
    shape=order_shape,
    dtype=np.int64,
    stateful=True,
)
"""A random order of the rows of ``value``, whose data is not read."""

permute_rows = Op(
    "PermuteRows",
    lambda value, order: value[order] if value.ndim else value,
    vjp=(lambda g, y, value, order: permute_rows(g, invert_permutation(order)), None),
    reads="order",
    linear=(0,),
    shape=lambda value, order: shape_of(value),
    holomorphic=False,
)
"""The rows of ``value`` in this order."""
