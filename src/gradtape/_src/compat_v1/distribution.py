"""What the distributions of ``tf.distributions`` have in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from gradtape._src.api.arrays import broadcast_dynamic_shape, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import exp, log, sqrt
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.joining import concat
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32
from gradtape._src.core.shapes import broadcast
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import reshape

_kl: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


class Distribution:
    """A distribution, or one for each element of its parameters.

    A subclass gives ``_parameters`` (their names), ``_log_prob(value)``, ``_draw(shape, seed)`` and its moments.
    """

    _parameters: tuple[str, ...] = ()

    def __init__(self, name: str | None, **parameters: Any) -> None:
        self._name = name or type(self).__name__
        for key, value in parameters.items():
            setattr(self, f"_{key}", value)

    @property
    def name(self):
        """The name."""
        return self._name

    @property
    def dtype(self):
        """The dtype of samples."""
        return self._given()[0].dtype

    @property
    def parameters(self):
        """The parameters by name."""
        return {name: getattr(self, f"_{name}") for name in self._parameters}

    def _given(self) -> list[Any]:
        return [value for value in self.parameters.values() if value is not None]

    # --- Shapes

    @property
    def batch_shape(self):
        """The shape of the parameters: how many distributions there are."""
        shapes = [shape_of(x) for x in self._given()]
        return TensorShape(None if None in shapes else broadcast(*shapes))

    @property
    def event_shape(self):
        """The shape of one sample of one distribution: a scalar."""
        return TensorShape([])

    def batch_shape_tensor(self, name=None):
        """`batch_shape` as a tensor."""
        known = self.batch_shape
        if known.is_fully_defined():
            return as_tensor(known.as_list(), int32)
        return reduce(broadcast_dynamic_shape, [shape(x) for x in self._given()])

    def event_shape_tensor(self, name=None):
        """`event_shape` as a tensor."""
        return as_tensor([], int32)

    # --- Samples and probabilities

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Samples, of the shape ``sample_shape + batch_shape``."""
        with scope_of(f"{self._name}/{name}"):
            first = reshape(
                cast(as_tensor(sample_shape, None if _typed(sample_shape) else int32), int32), (-1,)
            )
            known, batch = _numbers(sample_shape), self.batch_shape
            if known is not None and batch.is_fully_defined():
                return self._draw([*known, *batch.as_list()], seed)
            return self._draw(concat([first, self.batch_shape_tensor()], 0), seed)

    def log_prob(self, value, name="log_prob"):
        """The logarithm of the probability, or of its density, of values."""
        with scope_of(f"{self._name}/{name}"):
            return self._log_prob(self._value(value))

    def prob(self, value, name="prob"):
        """The probability, or its density, of values."""
        return exp(self.log_prob(value, name))

    def cdf(self, value, name="cdf"):
        """The probability of what is not greater than a value."""
        with scope_of(f"{self._name}/{name}"):
            return self._cdf(self._value(value))

    def log_cdf(self, value, name="log_cdf"):
        """The logarithm of `cdf`."""
        return log(self.cdf(value, name))

    def survival_function(self, value, name="survival_function"):
        """The probability of what is greater than a value."""
        return 1 - self.cdf(value, name)

    def _value(self, value: Any) -> Any:
        return as_tensor(value, self.dtype)

    # --- Moments

    def mean(self, name="mean"):
        """The mean."""
        return self._mean()

    def variance(self, name="variance"):
        """The variance."""
        return self._variance()

    def stddev(self, name="stddev"):
        """The standard deviation."""
        return sqrt(self.variance())

    def mode(self, name="mode"):
        """The most probable value."""
        return self._mode()

    def entropy(self, name="entropy"):
        """The entropy, in natural units."""
        return self._entropy()

    def kl_divergence(self, other, name="kl_divergence"):
        """The Kullback-Leibler divergence from another distribution: see `tf.distributions.kl_divergence`."""
        return kl_divergence(self, other)

    def cross_entropy(self, other, name="cross_entropy"):
        """The entropy, plus the divergence from another distribution."""
        return self.entropy() + self.kl_divergence(other)

    # --- What a subclass says

    def _missing(self, what: str) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no {what}.")

    def _draw(self, sizes: Any, seed: Any) -> Any:
        return self._missing("samples")

    def _log_prob(self, value: Any) -> Any:
        return self._missing("log_prob")

    def _cdf(self, value: Any) -> Any:
        return self._missing("cdf")

    def _mean(self) -> Any:
        return self._missing("mean")

    def _variance(self) -> Any:
        return self._missing("variance")

    def _mode(self) -> Any:
        return self._missing("mode")

    def _entropy(self) -> Any:
        return self._missing("entropy")

    def __repr__(self) -> str:
        return (
            f'tf.distributions.{type(self).__name__}("{self._name}/", batch_shape={self.batch_shape}, '
            f"event_shape={self.event_shape}, dtype={self.dtype.name})"
        )


def _typed(value: Any) -> bool:
    return hasattr(value, "dtype")


def _numbers(sizes: Any) -> list[int] | None:
    """A shape as numbers, if it is given so."""
    if isinstance(sizes, int):
        return [sizes]
    if isinstance(sizes, TensorShape):
        return None if None in sizes.as_list() else [int(n or 0) for n in sizes.as_list()]
    if isinstance(sizes, (list, tuple)) and all(isinstance(n, int) for n in sizes):
        return list(sizes)
    return None


def register_kl(first: type, second: type) -> Callable[[Any], Any]:
    """A decorator: of the function that computes the divergence of two kinds of distribution."""

    def register(function: Any) -> Any:
        _kl[first, second] = function
        return function

    return register


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """The Kullback-Leibler divergence: the mean over a of ``log_prob_a - log_prob_b``.

    Raises:
      NotImplementedError: it is not known for these two kinds.

    >>> import gradtape.compat.v1 as tf
    >>> normal = tf.distributions.Normal
    >>> tf.distributions.kl_divergence(normal(0.0, 1.0), normal(1.0, 1.0)).numpy()
    np.float32(0.5)
    """
    kinds = [(a, b) for a in type(distribution_a).__mro__ for b in type(distribution_b).__mro__]
    found = next((_kl[pair] for pair in kinds if pair in _kl), None)
    if found is None:
        raise NotImplementedError(
            f"No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{type(distribution_a).__name__} and distribution_b type {type(distribution_b).__name__}. Use the mean "
            "of distribution_a.log_prob(x) - distribution_b.log_prob(x) over samples."
        )
    return found(distribution_a, distribution_b)
