"""The normal distribution between bounds, and how its samples move with its parameters.

Where z is the standardized sample and [a, b] the standardized bounds, a sample is moved at a fixed level u =
(Φ(z) - Φ(a)) / (Φ(b) - Φ(a)): Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", NeurIPS
2018.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.ops.comparison import is_finite
from gradtape._src.ops.elementwise import exp
from gradtape._src.ops.selection import select
from gradtape._src.ops.special import scipy_special


def _log_tail(x: Any) -> Any:
    """log(1 - Φ(x))"""
    return scipy_special().log_ndtr(-x)


def _wide(*xs: Any) -> list[Any]:
    return [np.asarray(x, np.float64) for x in xs]


def _level(z: Any, a: Any, b: Any) -> Any:
    dtype = z.dtype
    z, a, b = np.broadcast_arrays(*_wide(z, a, b))
    left = b < 0  # mirrored, because tails are exact to the right
    z, a, b = np.where(left, -z, z), np.where(left, -b, a), np.where(left, -a, b)
    top = _log_tail(a)
    with np.errstate(all="ignore"):
        u = np.expm1(_log_tail(z) - top) / np.expm1(_log_tail(b) - top)
    return np.where(left, 1 - u, u).astype(dtype)


def _density(t: Any, a: Any, b: Any) -> Any:
    dtype = t.dtype
    t, a, b = np.broadcast_arrays(*_wide(t, a, b))
    left = b < 0
    t, a, b = np.where(left, -t, t), np.where(left, -b, a), np.where(left, -a, b)
    top = _log_tail(a)
    with np.errstate(all="ignore"):
        log_mass = top + np.log(-np.expm1(_log_tail(b) - top))
    return np.exp(-0.5 * t * t - 0.5 * math.log(2 * math.pi) - log_mass).astype(dtype)


truncated_density = Op(
    "TruncatedNormalDensity",
    _density,
    vjp=(
        lambda g, y, t, a, b: -(g * (t * y)),
        lambda g, y, t, a, b: g * (y * truncated_density(a, a, b)),
        lambda g, y, t, a, b: -(g * (y * truncated_density(b, a, b))),
    ),
    elementwise=True,
    same_dtype=True,
)
"""φ(t) / (Φ(b) - Φ(a))"""

truncated_level = Op(
    "TruncatedNormalLevel",
    _level,
    vjp=(
        lambda g, y, z, a, b: g * truncated_density(z, a, b),
        lambda g, y, z, a, b: -(g * ((1 - y) * truncated_density(a, a, b))),
        lambda g, y, z, a, b: -(g * (y * truncated_density(b, a, b))),
    ),
    elementwise=True,
    same_dtype=True,
)
"""(Φ(z) - Φ(a)) / (Φ(b) - Φ(a))"""


def bounds_slopes(y: Any, mean: Any, stddev: Any, low: Any, high: Any) -> tuple[Any, Any, Any, Any]:
    """The derivatives of samples y in mean, standard deviation, lower and upper bound."""
    z, a, b = (y - mean) / stddev, (low - mean) / stddev, (high - mean) / stddev
    level = truncated_level(z, a, b)
    in_low = (1 - level) * exp((z - a) * (z + a) * 0.5)
    in_high = level * exp((z - b) * (z + b) * 0.5)
    # Of an infinite bound nothing moves, but infinity times 0 would be NaN.
    a, b = (select(is_finite(bound), bound, level - level) for bound in (a, b))
    return 1 - in_low - in_high, z - a * in_low - b * in_high, in_low, in_high
