"""``tf.distributions`` of TensorFlow 1: probabilities, moments and samples, differentiable in the parameters.

Samples of a normal, uniform, exponential or Laplace distribution are functions of numbers that do not depend on the
parameters (D. Kingma & M. Welling, ICLR 2014), so gradients flow through them; those of the discrete ones have none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape._src.api import random
from gradtape._src.api.arithmetic import xlogy
from gradtape._src.api.arrays import broadcast_to, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.elementwise import exp, expm1, log, log1p, sigmoid, sign, softplus
from gradtape._src.api.joining import concat
from gradtape._src.api.nn_losses import log_softmax, softmax, sparse_softmax_cross_entropy_with_logits
from gradtape._src.api.reduction import argmax, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.api.special import betainc, digamma, erfc, igamma, lgamma, ndtri
from gradtape._src.compat_v1.distribution import Distribution, register_kl
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import shape_of

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


def floats(*values: Any) -> list[Any]:
    """Parameters as tensors of one floating-point dtype."""
    given = next(
        (x.dtype for x in values if hasattr(x, "dtype") and as_dtype(x.dtype).is_floating), "float32"
    )
    return [as_tensor(x, given) for x in values]


class Normal(Distribution):
    """The normal distribution of a mean ``loc`` and a standard deviation ``scale``.

    >>> import gradtape.compat.v1 as tf
    >>> normal = tf.distributions.Normal(loc=0.0, scale=[1.0, 2.0])
    >>> print(normal.prob(0.0).numpy(), normal.sample(3).shape)
    [0.3989423  0.19947115] (3, 2)

    As TensorFlow 1.15.
    """

    _parameters = ("loc", "scale")
    _loc: Any
    _scale: Any
    loc = property(lambda self: self._loc, doc="The mean.")
    scale = property(lambda self: self._scale, doc="The standard deviation.")

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        loc, scale = floats(loc, scale)
        super().__init__(name, loc=loc, scale=scale)

    def _draw(self, sizes, seed):
        return self._loc + self._scale * random.normal(sizes, dtype=self.dtype, seed=seed)

    def _z(self, x):
        return (x - self._loc) / self._scale

    def _log_prob(self, value):
        return -0.5 * self._z(value) ** 2 - _HALF_LOG_2PI - log(self._scale)

    def _cdf(self, value):
        return 0.5 * erfc(-self._z(value) * math.sqrt(0.5))

    def _everywhere(self, x):
        return x + zeros_like(self._loc) + zeros_like(self._scale)

    def _mean(self):
        return self._everywhere(self._loc)

    _mode = _mean

    def _variance(self):
        return self._everywhere(self._scale**2)

    def _entropy(self):
        return self._everywhere(0.5 + _HALF_LOG_2PI + log(self._scale))

    def quantile(self, value, name="quantile"):
        """What is greater than a part ``value`` of the distribution."""
        return self._loc + self._scale * ndtri(self._value(value))


class Uniform(Distribution):
    """The uniform distribution from ``low`` to ``high``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.distributions.Uniform(0.0, 4.0).prob([1.0, 5.0]).numpy())
    [0.25 0.  ]

    As TensorFlow 1.15.
    """

    _parameters = ("low", "high")
    _low: Any
    _high: Any
    low = property(lambda self: self._low, doc="The least value.")
    high = property(lambda self: self._high, doc="What all values are less than.")

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        low, high = floats(low, high)
        super().__init__(name, low=low, high=high)

    def range(self, name="range"):
        """high - low."""
        return self._high - self._low

    def _draw(self, sizes, seed):
        return self._low + self.range() * random.uniform(sizes, dtype=self.dtype, seed=seed)

    def _log_prob(self, value):
        inside = (value >= self._low) & (value < self._high)
        density = -log(self.range()) + zeros_like(value)
        return where(inside, density, as_tensor(-np.inf, self.dtype))

    def _cdf(self, value):
        part = (value - self._low) / self.range()
        one = as_tensor(1.0, self.dtype)
        return where(part < 0, zeros_like(part), where(part > 1, one, part))

    def _mean(self):
        return (self._low + self._high) / 2

    def _variance(self):
        return self.range() ** 2 / 12

    def _entropy(self):
        return log(self.range())


class Exponential(Distribution):
    """The exponential distribution of a ``rate``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.distributions.Exponential(2.0).mean().numpy()
    np.float32(0.5)

    As TensorFlow 1.15.
    """

    _parameters = ("rate",)
    _rate: Any
    rate = property(lambda self: self._rate, doc="How often in a unit of time.")

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        super().__init__(name, rate=floats(rate)[0])

    def _draw(self, sizes, seed):
        return -log1p(-random.uniform(sizes, dtype=self.dtype, seed=seed)) / self._rate

    def _log_prob(self, value):
        return log(self._rate) - self._rate * value

    def _cdf(self, value):
        return -expm1(-self._rate * value)

    def _mean(self):
        return 1 / self._rate

    def _variance(self):
        return 1 / self._rate**2

    def _mode(self):
        return zeros_like(self._rate)

    def _entropy(self):
        return 1 - log(self._rate)


class Laplace(Distribution):
    """The Laplace distribution around ``loc``, which falls by e over ``scale`` at both sides.

    >>> import gradtape.compat.v1 as tf
    >>> tf.distributions.Laplace(0.0, 1.0).prob(0.0).numpy()
    np.float32(0.5)

    As TensorFlow 1.15.
    """

    _parameters = ("loc", "scale")
    _loc: Any
    _scale: Any
    loc = property(lambda self: self._loc, doc="The mean.")
    scale = property(lambda self: self._scale, doc="Over what the density falls by e.")

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        loc, scale = floats(loc, scale)
        super().__init__(name, loc=loc, scale=scale)

    def _draw(self, sizes, seed):
        least: Any = -1.0 + float(np.finfo(self.dtype.as_numpy_dtype).eps)
        u: Any = random.uniform(sizes, least, 1.0, self.dtype, seed)
        return self._loc - self._scale * sign(u) * log1p(-absolute(u))

    def _log_prob(self, value):
        return -absolute(value - self._loc) / self._scale - math.log(2) - log(self._scale)

    def _cdf(self, value):
        z = (value - self._loc) / self._scale
        return 0.5 - 0.5 * sign(z) * expm1(-absolute(z))

    def _mean(self):
        return self._loc + zeros_like(self._scale)

    _mode = _mean

    def _variance(self):
        return 2 * self._scale**2 + zeros_like(self._loc)

    def _entropy(self):
        return 1 + math.log(2) + log(self._scale) + zeros_like(self._loc)


class Gamma(Distribution):
    """The gamma distribution of a ``concentration`` and a ``rate``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.distributions.Gamma(3.0, 2.0).mean().numpy()
    np.float32(1.5)

    As TensorFlow 1.15.
    """

    _parameters = ("concentration", "rate")
    _concentration: Any
    _rate: Any
    concentration = property(lambda self: self._concentration, doc="The shape of the distribution.")
    rate = property(lambda self: self._rate, doc="One over the scale.")

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        concentration, rate = floats(concentration, rate)
        super().__init__(name, concentration=concentration, rate=rate)

    def _draw(self, sizes, seed):
        alpha, beta = (broadcast_to(x, sizes) for x in (self._concentration, self._rate))
        return random.gamma([], alpha, beta, self.dtype, seed)

    def _log_prob(self, value):
        a, b = self._concentration, self._rate
        return xlogy(a - 1, value) - b * value + a * log(b) - lgamma(a)

    def _cdf(self, value):
        a = self._concentration + zeros_like(value)
        return igamma(a, self._rate * value + zeros_like(a))

    def _mean(self):
        return self._concentration / self._rate

    def _variance(self):
        return self._concentration / self._rate**2

    def _mode(self):
        mode = (self._concentration - 1) / self._rate
        return where(self._concentration > 1, mode, as_tensor(np.nan, self.dtype))

    def _entropy(self):
        a = self._concentration
        return a - log(self._rate) + lgamma(a) + (1 - a) * digamma(a)


class Beta(Distribution):
    """The beta distribution of two concentrations, on the numbers from 0 to 1.

    >>> import gradtape.compat.v1 as tf
    >>> tf.distributions.Beta(1.0, 3.0).mean().numpy()
    np.float32(0.25)

    As TensorFlow 1.15.
    """

    _parameters = ("concentration1", "concentration0")
    _concentration1: Any
    _concentration0: Any
    concentration1 = property(lambda self: self._concentration1, doc="The one of x.")
    concentration0 = property(lambda self: self._concentration0, doc="The one of 1 - x.")
    total_concentration = property(
        lambda self: self._concentration1 + self._concentration0, doc="The sum of both."
    )

    def __init__(
        self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name="Beta"
    ):
        one, zero = floats(
            1.0 if concentration1 is None else concentration1,
            1.0 if concentration0 is None else concentration0,
        )
        super().__init__(name, concentration1=one, concentration0=zero)

    def _draw(self, sizes, seed):
        a, b = (broadcast_to(x, sizes) for x in (self._concentration1, self._concentration0))
        x = random.gamma([], a, dtype=self.dtype, seed=seed)
        return x / (x + random.gamma([], b, dtype=self.dtype, seed=None if seed is None else seed + 1))

    def _log_normalizer(self):
        a, b = self._concentration1, self._concentration0
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    def _log_prob(self, value):
        a, b = self._concentration1, self._concentration0
        return xlogy(a - 1, value) + (b - 1) * log1p(-value) - self._log_normalizer()

    def _cdf(self, value):
        a, b = (x + zeros_like(value) for x in (self._concentration1, self._concentration0))
        return betainc(a, b, value + zeros_like(a))

    def _mean(self):
        return self._concentration1 / self.total_concentration

    def _variance(self):
        m = self._mean()
        return m * (1 - m) / (1 + self.total_concentration)

    def _mode(self):
        a, b = self._concentration1, self._concentration0
        return where((a > 1) & (b > 1), (a - 1) / (a + b - 2), as_tensor(np.nan, self.dtype))

    def _entropy(self):
        a, b = self._concentration1, self._concentration0
        total = self.total_concentration
        return (
            self._log_normalizer()
            - (a - 1) * digamma(a)
            - (b - 1) * digamma(b)
            + (total - 2) * digamma(total)
        )


# --- Discrete -----------------------------------------------------------------------------------------------


@register_kl(Normal, Normal)
def _normals(a: Normal, b: Normal) -> Any:
    ratio = (a.scale / b.scale) ** 2
    return ((a.loc - b.loc) / b.scale) ** 2 / 2 + (ratio - 1 - log(ratio)) / 2


@register_kl(Uniform, Uniform)
def _uniforms(a: Uniform, b: Uniform) -> Any:
    divergence = log(b.range() / a.range())
    return where((b.low <= a.low) & (a.high <= b.high), divergence, as_tensor(np.inf, a.dtype))


@register_kl(Exponential, Exponential)
def _exponentials(a: Exponential, b: Exponential) -> Any:
    return log(a.rate) - log(b.rate) + (b.rate - a.rate) / a.rate
