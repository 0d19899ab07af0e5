"""Keras's constraints: what a weight is replaced by after each step of training."""

from __future__ import annotations

from typing import Any, Self

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.comparison import greater_equal
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.elementwise import sqrt
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.keras.serialization import Family, serialize_keras_object
from gradtape._src.keras.settings import epsilon


class Constraint:
    """What constraints have in common; users' own ones define ``__call__(self, w)``.

    >>> import gradtape as tf
    >>> class Half(tf.keras.constraints.Constraint):
    ...     def __call__(self, w):
    ...         return w / 2
    >>> Half()(tf.constant([1.0])).numpy()
    array([0.5], dtype=float32)
    """

    def __call__(self, w: Any) -> Any:
        raise NotImplementedError("Constraint subclasses must implement the `__call__()` method.")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The constraint of `get_config`."""
        return cls(**config)


def _norms(w: Any, axis: Any) -> Any:
    return sqrt(reduce_sum(w * w, axis=axis, keepdims=True))


class MaxNorm(Constraint):
    """Vectors along ``axis`` that are longer than ``max_value`` get that length.

    >>> import gradtape as tf
    >>> tf.keras.constraints.MaxNorm(2.5)(tf.constant([[3.0], [4.0]])).numpy().tolist()
    [[1.5], [2.0]]

    N. Srivastava et al., "Dropout", JMLR 15, 2014.
    """

    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        w = as_tensor(w)
        norms = _norms(w, self.axis)
        return w * (clip_by_value(norms, 0, self.max_value) / (epsilon() + norms))

    def get_config(self):
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """Negative numbers become 0.

    >>> import gradtape as tf
    >>> tf.keras.constraints.NonNeg()(tf.constant([1.0, -2.0])).numpy().tolist()
    [1.0, 0.0]
    """

    def __call__(self, w):
        w = as_tensor(w)
        return where(greater_equal(w, 0.0), w, zeros_like(w))


class UnitNorm(Constraint):
    """Vectors along ``axis`` get the length 1.

    >>> import gradtape as tf
    >>> tf.keras.constraints.UnitNorm()(tf.constant([[3.0], [4.0]])).numpy().tolist()
    [[0.6000000238418579], [0.800000011920929]]
    """

    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        w = as_tensor(w)
        return w / (epsilon() + _norms(w, self.axis))

    def get_config(self):
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Vectors along ``axis`` are moved towards a length between ``min_value`` and ``max_value``.

    Args:
      min_value, max_value: the bounds.
      rate: how far: 1 goes all the way.
      axis: an integer, or several.

    >>> import gradtape as tf
    >>> tf.keras.constraints.MinMaxNorm(0.0, 2.5)(tf.constant([[3.0], [4.0]])).numpy().tolist()
    [[1.5], [2.0]]
    """

    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        w = as_tensor(w)
        norms = _norms(w, self.axis)
        kept: Any = clip_by_value(norms, self.min_value, self.max_value)
        wanted = self.rate * kept + (1 - self.rate) * norms
        return w * (wanted / (epsilon() + norms))

    def get_config(self):
        return {
            "min_value": self.min_value,
            "max_value": self.max_value,
            "rate": self.rate,
            "axis": self.axis,
        }


_ALIASES = {"max_norm": MaxNorm, "min_max_norm": MinMaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm}
_FAMILY = Family("constraint", "keras.constraints", [MaxNorm, MinMaxNorm, NonNeg, UnitNorm], _ALIASES)


def get(identifier):
    """The constraint that is meant by a name, a configuration, a class, or itself; None for None.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.constraints.get("max_norm").max_value
    2
    """
    return _FAMILY.get(identifier)


def serialize(constraint):
    """The configuration of a constraint."""
    return serialize_keras_object(constraint)


def deserialize(config, custom_objects=None):
    """The constraint of a configuration."""
    return _FAMILY.deserialize(config, custom_objects)
