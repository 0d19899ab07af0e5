"""How a gamma number moves with the shape parameter of its distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.ops.elementwise import log
from gradtape._src.ops.gamma import gamma_density, igamma_in_a
from gradtape._src.ops.special import digamma, scipy_special

_TERMS = 30  # of the series below, for x <= 2


def _series(a: Any, x: Any) -> Any:
    """-x e^x Σ (-x)^k / k! (L / (a + k) - 1 / (a + k)^2), where L = log x - ψ(a).

    That is the integral of -p(t) (log t - ψ(a)) / p(x) from 0 to x, with t = x e^-s, term by term.
    """
    level = np.log(x) - scipy_special().psi(a)
    total, factor = np.zeros_like(x), np.ones_like(x)
    for k in range(_TERMS):
        total += factor * (level - 1 / (a + k)) / (a + k)
        factor *= -x / (k + 1)
    return -x * np.exp(x) * total


def _random_gamma_grad(alpha: Any, sample: Any) -> Any:
    a, x = np.broadcast_arrays(alpha.astype(np.float64), sample.astype(np.float64))
    out = np.full(x.shape, np.nan)
    good = (a > 0) & (a < np.inf) & (x < np.inf)
    out[good & (x == 0)] = 0.0
    small = good & (x > 0) & (x <= 2)
    large = good & (x > 2)
    out[small] = _series(a[small], x[small])
    a, x = a[large], x[large]
    log_density = (a - 1) * np.log(x) - x - scipy_special().gammaln(a)
    out[large] = -igamma_in_a.kernel(a, x, order=1) / np.exp(log_density)
    return out.astype(sample.dtype)


def _slope_in_alpha(g: Any, y: Any, alpha: Any, sample: Any) -> Any:
    curvature = igamma_in_a(alpha, sample, order=2) / gamma_density(alpha, sample)
    return -g * (curvature + y * (log(sample) - digamma(alpha)))


def _slope_in_sample(g: Any, y: Any, alpha: Any, sample: Any) -> Any:
    return -g * (log(sample) - digamma(alpha) + y * ((alpha - 1) / sample - 1))


random_gamma_grad = Op(
    "RandomGammaGrad",
    _random_gamma_grad,
    vjp=(_slope_in_alpha, _slope_in_sample),
    elementwise=True,
    same_dtype=True,
)
"""dx/dα of a sample x of the gamma distribution of shape α, at a fixed P(α, x): -(∂P/∂α) / p(α, x).

Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", NeurIPS 2018.
"""
