"""What initializers draw: the formulas of their distributions, apart from where the random numbers come from.

``draw`` is a source of numbers: an object with methods ``normal(shape, mean, stddev, dtype)``,
``truncated_normal`` of the same arguments, and ``uniform(shape, low, high, dtype)``. Sources: X. Glorot and
Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS 2010; K. He et al.,
"Delving deep into rectifiers", ICCV 2015; A. Saxe et al., "Exact solutions to the nonlinear dynamics of learning in
deep linear networks", ICLR 2014.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

from gradtape._src.api import random, stateless_random
from gradtape._src.api.decompositions import qr
from gradtape._src.api.diagonals import diag_part
from gradtape._src.api.elementwise import sign
from gradtape._src.api.reordering import transpose
from gradtape._src.ops.arrays import reshape

# Of a normal distribution cut off at two standard deviations, over that of the whole one.
_TRUNCATED = 0.87962566103423978
_MODES = ("fan_in", "fan_out", "fan_avg")
DISTRIBUTIONS = ("normal", "uniform", "truncated_normal", "untruncated_normal")


class Draw(Protocol):
    """A source of random numbers."""

    def normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any: ...
    def truncated_normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any: ...
    def uniform(self, shape: Any, low: Any, high: Any, dtype: Any) -> Any: ...


class Stream:
    """Numbers of TensorFlow's operations with a state: others at each call. ``seed`` is that of an operation."""

    def __init__(self, seed: Any) -> None:
        self.seed = seed

    def normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        return random.normal(shape, mean, stddev, dtype, self.seed)

    def truncated_normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        return random.truncated_normal(shape, mean, stddev, dtype, self.seed)

    def uniform(self, shape: Any, low: Any, high: Any, dtype: Any) -> Any:
        return random.uniform(shape, low, high, dtype, self.seed)


class Seeded:
    """Numbers that are a function of the seed, two integers: the same at each call."""

    def __init__(self, seed: Any) -> None:
        self.seed = seed

    def normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        return stateless_random.stateless_normal(shape, self.seed, mean, stddev, dtype)

    def truncated_normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        return stateless_random.stateless_truncated_normal(shape, self.seed, mean, stddev, dtype)

    def uniform(self, shape: Any, low: Any, high: Any, dtype: Any) -> Any:
        return stateless_random.stateless_uniform(shape, self.seed, low, high, dtype)


def as_dims(shape: Any) -> tuple[int, ...]:
    """A shape as integers: of a TensorShape, a tensor, a list, or one number."""
    dims = shape.as_list() if hasattr(shape, "as_list") else shape
    return tuple(int(n) for n in (dims if hasattr(dims, "__iter__") and getattr(dims, "ndim", 1) else [dims]))


def fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """The numbers of inputs and outputs of a unit: of a matrix its sides, of a convolution with its receptive field."""
    if len(shape) < 2:
        n = float(shape[0]) if shape else 1.0
        return n, n
    field = math.prod(shape[:-2])
    return float(shape[-2] * field), float(shape[-1] * field)


def check_variance_scaling(scale: Any, mode: str, distribution: str) -> None:
    """Raises a ValueError for a scale that is not positive, an unknown mode or distribution."""
    if scale <= 0.0:
        raise ValueError(f"Argument `scale` must be a positive float. Received: scale={scale}")
    if mode not in _MODES:
        raise ValueError(f"Argument `mode` should be one of {_MODES}. Received: mode={mode}")
    if distribution not in DISTRIBUTIONS:
        raise ValueError(
            f"Argument `distribution` should be one of {DISTRIBUTIONS}. Received: distribution={distribution}"
        )


def variance_scaled(
    draw: Draw, shape: Any, sides: tuple[float, float], scale: float, mode: str, distribution: str, dtype: Any
) -> Any:
    """Numbers with the variance scale / n, where n counts a unit's inputs, outputs (``sides``), or their average."""
    fan_in, fan_out = sides
    n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[mode]
    variance = scale / max(1.0, n)
    if distribution == "uniform":
        limit = math.sqrt(3.0 * variance)
        return draw.uniform(shape, -limit, limit, dtype)
    if distribution == "untruncated_normal":
        return draw.normal(shape, 0.0, math.sqrt(variance), dtype)
    return draw.truncated_normal(shape, 0.0, math.sqrt(variance) / _TRUNCATED, dtype)


def orthogonal(draw: Draw, shape: tuple[int, ...], gain: float, dtype: Any) -> Any:
    """A matrix with orthonormal rows or columns, times ``gain``; more axes are those of the rows (Saxe et al.)."""
    if len(shape) < 2:
        raise ValueError(
            "The tensor to initialize, specified by argument `shape` must be at least two-dimensional. "
            f"Received shape={shape}"
        )
    rows, columns = math.prod(shape[:-1]), shape[-1]
    q, r = qr(draw.normal((max(rows, columns), min(rows, columns)), 0.0, 1.0, dtype))
    q = q * sign(diag_part(r))  # else it would not be distributed evenly
    if rows < columns:
        q = transpose(q)
    return gain * reshape(q, shape)
