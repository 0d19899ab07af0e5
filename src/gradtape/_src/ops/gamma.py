"""The incomplete gamma and beta functions, and the derivatives of the first in its parameter.

P(a, x) is the integral from 0 to x of the gamma density p(a, t) = t^(a-1) e^(-t) / Γ(a), and Q(a, x) is the
rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Op
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.elementwise import exp, log, log1p
from gradtape._src.ops.special import digamma, lgamma, polygamma_of_order, scipy_kernel, scipy_special

_two = {"elementwise": True, "accepts": FLOAT, "same_dtype": True}

igamma = Binary(
    "Igamma",
    scipy_kernel("gammainc"),
    vjp=(lambda g, y, a, x: g * igamma_in_a(a, x, order=1), lambda g, y, a, x: g * gamma_density(a, x)),
    reads=("a x", "a x"),
    **_two,
)
"""P(a, x)"""

igammac = Binary(
    "Igammac",
    scipy_kernel("gammaincc"),
    vjp=(lambda g, y, a, x: -(g * igamma_in_a(a, x, order=1)), lambda g, y, a, x: -(g * gamma_density(a, x))),
    reads=("a x", "a x"),
    **_two,
)
"""Q(a, x) = 1 - P(a, x)"""


def gamma_density(a: Any, x: Any) -> Any:
    """p(a, x)"""
    return exp((a - 1) * log(x) - x - lgamma(a))


# --- Derivatives in a ---------------------------------------------------------------------------------------


def bell(cumulants: Sequence[Any]) -> Any:
    """The complete Bell polynomial of these.

    The n-th derivative of p is p times that of the first n derivatives of log p.
    """
    moments: list[Any] = [1]
    for n in range(len(cumulants)):
        moments.append(sum(math.comb(n, i) * moments[n - i] * cumulants[i] for i in range(n + 1)))
    return moments[-1]


def _slope_in_x(g: Any, y: Any, a: Any, x: Any, order: int) -> Any:
    """The derivative of p in a, of this order."""
    cumulants = [log(x) - digamma(a)]
    cumulants += [-polygamma_of_order(a, order=n) for n in range(1, order)]
    return g * (gamma_density(a, x) * bell(cumulants))


@cache
def _gauss_legendre() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(64)
    return (nodes + 1) / 2, weights / 2


_NEGLIGIBLE = 45.0  # e^-45 is below the rounding of 1


def _lower_range(a: Any, x: Any) -> Any:
    """Where p(a, x e^-s) x e^-s has fallen by e^-45, for x <= a: Newton's root of a s - x (1 - e^-s) = 45."""
    s = _NEGLIGIBLE / a + np.sqrt(2 * _NEGLIGIBLE / a)
    for _ in range(8):
        s = s - (a * s + x * np.expm1(-s) - _NEGLIGIBLE) / (a - x * np.exp(-s))
    return s


def _upper_range(a: Any, x: Any) -> Any:
    """Likewise of p(a, x e^s) x e^s, x > a: the root of x (e^s - 1) - a s = 45."""
    s = np.minimum(np.sqrt(2 * _NEGLIGIBLE / x), _NEGLIGIBLE / (x - a))
    for _ in range(4):
        s = np.minimum(s, np.log1p((_NEGLIGIBLE + a * s) / x))
    for _ in range(8):
        s = s - (x * np.expm1(s) - a * s - _NEGLIGIBLE) / (x * np.exp(s) - a)
    return s


def _log_peak(a: Any) -> Any:
    """log of a^a e^-a / Γ(a), the density of log t at its peak; by Stirling's series for a large a."""
    large = a > 16
    b = np.where(large, a, 17.0)
    r = 1 / (b * b)
    rest = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - r * 691 / 360360))))) / b
    stirling = 0.5 * np.log(b / (2 * math.pi)) - rest
    small = np.where(large, 1.0, a)
    return np.where(large, stirling, small * np.log(small) - small - scipy_special().gammaln(small))


def _igamma_in_a(a: Any, x: Any, order: int) -> Any:
    """∂ⁿP/∂aⁿ = ∫ p(a, t) Bₙ(log t - ψ(a), ...) dt over t < x, or minus that over t > x: the smaller side.

    With t = x e^∓s the density is smooth, and Gauss's rule with 64 nodes is exact to rounding.
    """
    a, x = np.broadcast_arrays(a, x)
    good = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    outside = np.where((a >= 0) & ((x == 0) | np.isposinf(x)), 0.0, np.nan)
    a, x = np.where(good, a, 1.0), np.where(good, x, 1.0)
    lower = x <= a
    side = np.where(lower, -1.0, 1.0)
    with np.errstate(all="ignore"):  # each side's formula is tried on the other's points too
        width = np.where(lower, _lower_range(a, x), _upper_range(a, x))
    nodes, weights = _gauss_legendre()
    u = side[..., None] * width[..., None] * nodes  # log(t / x)
    a_, x_ = a[..., None], x[..., None]
    z = np.log(x_ / a_) + u  # log(t / a), so that log p = peak - a (t/a - 1 - log(t/a))
    density = np.exp(_log_peak(a)[..., None] - a_ * (np.expm1(z) - z))
    special = scipy_special()
    cumulants = [z + (np.log(a_) - special.psi(a_))]
    cumulants += [-special.polygamma(n, a_) for n in range(1, order)]
    integral = (density * bell(cumulants)) @ weights * width
    return np.where(good, -side * integral, outside)


igamma_in_a = Op(
    "IgammaInA",
    lambda a, x, order: _igamma_in_a(a.astype(np.float64), x.astype(np.float64), order).astype(a.dtype),
    vjp=(lambda g, y, a, x, order: g * igamma_in_a(a, x, order=order + 1), _slope_in_x),
    reads="a x",
    elementwise=True,
    same_dtype=True,
)
"""The derivative of P(a, x) in a, of the order n = 1, 2, ...; n = 1 is TensorFlow's IgammaGradA."""


# --- Beta ---------------------------------------------------------------------------------------------------


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    return exp((a - 1) * log(x) + (b - 1) * log1p(-x) + (lgamma(a + b) - lgamma(a) - lgamma(b)))


betainc = Op(
    "Betainc",
    scipy_kernel("betainc"),
    vjp=(None, None, lambda g, y, a, b, x: g * _beta_density(a, b, x)),
    reads="a b x",
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""The integral of the beta density with parameters a, b from 0 to x."""
