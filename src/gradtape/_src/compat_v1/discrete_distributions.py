"""The discrete distributions of TensorFlow 1's ``tf.distributions``; their samples have no gradients."""

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
from gradtape._src.compat_v1.distributions import floats
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import shape_of


def _one_of(logits: Any, probs: Any) -> tuple[Any, Any]:
    """The one of the two that was given, as a tensor."""
    if (logits is None) == (probs is None):
        raise ValueError(f"Must pass probs or logits{', but not both' if probs is not None else ''}.")
    return tuple(None if x is None else floats(x)[0] for x in (logits, probs))  # type: ignore[return-value]


class Bernoulli(Distribution):
    """1 with a probability, else 0; given by ``probs`` or by ``logits``, of which one is None.

    Raises:
      ValueError: both or neither of them.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.distributions.Bernoulli(probs=0.25).prob([0, 1]).numpy())
    [0.75 0.25]

    As TensorFlow 1.15.
    """

    _parameters = ("logits", "probs")
    _logits: Any
    _probs: Any
    _of: Any

    def __init__(
        self,
        logits=None,
        probs=None,
        dtype=int32,
        validate_args=False,
        allow_nan_stats=True,
        name="Bernoulli",
    ):
        logits, probs = _one_of(logits, probs)
        super().__init__(name, logits=logits, probs=probs, of=as_dtype(dtype))

    @property
    def dtype(self):
        """The dtype of samples."""
        return self._of

    @property
    def logits(self):
        """The logarithm of the odds."""
        return self._logits if self._logits is not None else log(self._probs) - log1p(-self._probs)

    @property
    def probs(self):
        """The probability of 1."""
        return self._probs if self._probs is not None else sigmoid(self._logits)

    def _draw(self, sizes, seed):
        probs = self.probs
        return cast(random.uniform(sizes, dtype=probs.dtype, seed=seed) < probs, self.dtype)

    def _log_prob(self, value):
        logits = self.logits
        one: Any = cast(value, logits.dtype)
        # log p(1) = -softplus(-l), log p(0) = -softplus(l)
        return -one * softplus(-logits) - (1 - one) * softplus(logits)

    def _value(self, value: Any) -> Any:
        return as_tensor(value)

    def _mean(self):
        return self.probs

    def _variance(self):
        return self.probs * (1 - self.probs)

    def _mode(self):
        return cast(self.probs > 0.5, self.dtype)

    def _entropy(self):
        return softplus(-self.logits) + (1 - self.probs) * self.logits


class Categorical(Distribution):
    """One of several classes, by its number; the last dimension of ``logits`` or ``probs`` is over the classes.

    Raises:
      ValueError: both or neither of them.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.distributions.Categorical(probs=[0.5, 0.25, 0.25]).prob([0, 2]).numpy())
    [0.5  0.25]

    As TensorFlow 1.15.
    """

    _parameters = ("logits", "probs")
    _logits: Any
    _probs: Any
    _of: Any

    def __init__(
        self,
        logits=None,
        probs=None,
        dtype=int32,
        validate_args=False,
        allow_nan_stats=True,
        name="Categorical",
    ):
        logits, probs = _one_of(logits, probs)
        super().__init__(name, logits=logits, probs=probs, of=as_dtype(dtype))

    dtype = Bernoulli.dtype

    @property
    def logits(self):
        """The logarithms of the probabilities, up to a number."""
        return self._logits if self._logits is not None else log(self._probs)

    @property
    def probs(self):
        """The probabilities."""
        return self._probs if self._probs is not None else softmax(self._logits)

    @property
    def event_size(self):
        """The number of classes, as a tensor."""
        return shape(self.logits)[-1]

    @property
    def batch_shape(self):
        """The shape of the parameters without the classes."""
        known = shape_of(self._given()[0])
        return TensorShape(None if known is None else known[:-1])

    def batch_shape_tensor(self, name=None):
        """`batch_shape` as a tensor."""
        return shape(self._given()[0])[:-1]

    def _draw(self, sizes, seed):
        logits = self.logits
        all_of_them = concat([as_tensor(sizes, int32), shape(logits)[-1:]], 0)
        tiny: Any = float(np.finfo(np.float32).tiny)
        u: Any = random.uniform(all_of_them, tiny, 1.0, logits.dtype, seed)
        return argmax(logits - log(-log(u)), -1, self.dtype)  # E. Gumbel, 1954: the greatest is a sample

    def _value(self, value: Any) -> Any:
        return as_tensor(value)

    def _log_prob(self, value):
        value, logits = cast(value, int32), self.logits
        places = value + zeros_like(reduce_sum(logits, -1), value.dtype)
        wide = logits + zeros_like(cast(places, logits.dtype))[..., None]
        return -sparse_softmax_cross_entropy_with_logits(labels=places, logits=wide)

    def _mode(self):
        return argmax(self.logits, -1, self.dtype)

    def _entropy(self):
        logs = log_softmax(self.logits)
        return -reduce_sum(exp(logs) * where(exp(logs) > 0, logs, zeros_like(logs)), -1)


# --- Divergences --------------------------------------------------------------------------------------------


@register_kl(Bernoulli, Bernoulli)
def _bernoullis(a: Bernoulli, b: Bernoulli) -> Any:
    p = a.probs
    return p * (softplus(-b.logits) - softplus(-a.logits)) + (1 - p) * (
        softplus(b.logits) - softplus(a.logits)
    )


@register_kl(Categorical, Categorical)
def _categoricals(a: Categorical, b: Categorical) -> Any:
    logs = log_softmax(a.logits)
    return reduce_sum(exp(logs) * (logs - log_softmax(b.logits)), -1)
