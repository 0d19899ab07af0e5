"""Special functions: error functions, gamma and its relatives, exponential, Fresnel and Dawson integrals.

Kernels are SciPy's, in float32 for half precision. Bessel functions are in ``ops/bessel.py``, the derivatives
of the incomplete gamma functions in ``ops/gamma.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.elementwise import cos, exp, rounded_once, sin


@cache
def scipy_special() -> Any:
    import scipy.special  # start-up cost: SciPy is loaded when first used

    return scipy.special


def scipy_kernel(function: str) -> Callable[..., Any]:
    """A function of SciPy as a kernel, by name."""

    @rounded_once
    def kernel(*xs: Any) -> Any:
        out = getattr(scipy_special(), function)(*xs)
        return out if out.dtype == xs[-1].dtype else out.astype(xs[-1].dtype)

    return kernel


def _in_float64(kernel: Callable[..., Any]) -> Callable[..., Any]:
    def wide(*xs: Any, **params: Any) -> Any:
        return kernel(*[x.astype(np.float64) for x in xs], **params).astype(xs[-1].dtype)

    return wide


def _unary(name: str, function: str, vjp: Any, reads: str) -> Unary:
    return Unary(name, scipy_kernel(function), vjp=vjp, reads=reads, elementwise=True, accepts=FLOAT)


# --- Error functions ----------------------------------------------------------------------------------------

_SLOPE_OF_ERF = 2 / math.sqrt(math.pi)

erf = _unary("Erf", "erf", lambda g, y, x: g * (exp(-(x * x)) * _SLOPE_OF_ERF), "x")
erfc = _unary("Erfc", "erfc", lambda g, y, x: g * (exp(-(x * x)) * -_SLOPE_OF_ERF), "x")
erfinv = _unary("Erfinv", "erfinv", lambda g, y, x: g * (exp(y * y) / _SLOPE_OF_ERF), "y")

ndtri = _unary("Ndtri", "ndtri", lambda g, y, x: g * (exp(y * y * 0.5) * math.sqrt(2 * math.pi)), "y")
"""The quantile of the standard normal distribution."""

dawsn = _unary("Dawsn", "dawsn", lambda g, y, x: g * (1 - (x * y) * 2), "y x")
"""e^(-x²) ∫₀ˣ e^(t²) dt"""


# --- The gamma function and its derivatives -----------------------------------------------------------------

lgamma = _unary("Lgamma", "gammaln", lambda g, y, x: g * digamma(x), "x")
"""log |Γ(x)|"""

digamma = _unary("Digamma", "psi", lambda g, y, x: g * polygamma_of_order(x, order=1), "x")
"""The derivative of lgamma."""


def _polygamma_kernel(a: Any, x: Any) -> Any:
    special = scipy_special()
    sign = np.where(a % 2 == 0, -1.0, 1.0)
    higher = sign * special.gamma(a + 1) * special.zeta(a + 1, x)
    higher = np.where((a == np.floor(a)) & (a > 0), higher, np.nan)
    return np.where(a == 0, special.psi(x), higher)


polygamma = Binary(
    "Polygamma",
    _in_float64(_polygamma_kernel),
    vjp=(None, lambda g, y, a, x: g * polygamma(a + 1, x)),
    reads=("", "a x"),
    elementwise=True,
    accepts="float32 float64",
    same_dtype=True,
)
"""The derivative of digamma of order a, a whole number."""


polygamma_of_order = Op(
    "PolygammaOfOrder",
    _in_float64(lambda x, order: _polygamma_kernel(np.float64(order), x)),
    vjp=lambda g, y, x, order: g * polygamma_of_order(x, order=order + 1),
    elementwise=True,
    accepts=FLOAT,
)
"""Polygamma for a known order, a parameter."""


zeta = Binary(
    "Zeta",
    scipy_kernel("zeta"),
    vjp=(None, lambda g, y, x, q: -(g * (x * zeta(x + 1, q)))),
    reads=("", "x q"),
    elementwise=True,
    accepts="float32 float64",
    same_dtype=True,
)
"""Hurwitz's zeta function, the sum of (q + n)^(-x) over n = 0, 1, ..."""


# --- Integrals of elementary functions ----------------------------------------------------------------------

expint = _unary("Expint", "expi", lambda g, y, x: g * (exp(x) / x), "x")
"""Ei(x), the integral of e^t / t from -∞ to x (principal value)."""

_fresnel = lambda part: rounded_once(lambda x: scipy_special().fresnel(x)[part])

fresnel_sin = Unary(
    "FresnelSin",
    _fresnel(0),
    vjp=lambda g, y, x: g * sin(x * x * (math.pi / 2)),
    reads="x",
    elementwise=True,
    accepts=FLOAT,
)
"""The integral of sin(π t² / 2) from 0 to x."""

fresnel_cos = Unary(
    "FresnelCos",
    _fresnel(1),
    vjp=lambda g, y, x: g * cos(x * x * (math.pi / 2)),
    reads="x",
    elementwise=True,
    accepts=FLOAT,
)
"""The integral of cos(π t² / 2) from 0 to x."""

spence = _unary("Spence", "spence", lambda g, y, x: g * _log_over_rest(x, order=0), "x")
"""The dilogarithm of 1 - x: the integral of log(t) / (1 - t) from 1 to x."""


def _log_over_rest_kernel(x: Any, order: int) -> Any:
    """The derivative of order n of h(x) = log(x) / (1 - x), which has no singularity at 1.

    From (1 - x) h = log x: (1 - x) h^(n) = n h^(n-1) + (-1)^(n-1) (n-1)! / x^n; by Taylor's series near 1.
    """
    u = x - 1
    with np.errstate(all="ignore"):  # both forms are computed everywhere, each is good in its own region
        far = np.log(x) / -u
        for n in range(1, order + 1):
            far = (n * far + (-1) ** (n - 1) * math.factorial(n - 1) / x**n) / -u
        near = np.zeros_like(u)
        for k in range(
            order + 80, order - 1, -1
        ):  # Horner's scheme; |u| < 0.5 leaves 2^-80 of the first term
            near = near * u - (-1) ** k * math.perm(k, order) / (k + 1)
    return np.where(np.abs(u) < 0.5, near, far)


_log_over_rest = Op(
    "LogOverRest",
    _in_float64(_log_over_rest_kernel),
    vjp=lambda g, y, x, order: g * _log_over_rest(x, order=order + 1),
    elementwise=True,
)
