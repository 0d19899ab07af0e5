"""Keras's regularizers: a number that is added to the loss, a function of a weight."""

from __future__ import annotations

import math
from typing import Any, Self

from gradtape._src.api.creation import eye
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.norms import l2_normalize
from gradtape._src.api.products import matmul
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.serialization import Family, serialize_keras_object


class Regularizer:
    """What regularizers have in common; users' own ones define ``__call__(self, x)``.

    >>> import gradtape as tf
    >>> class Sum(tf.keras.regularizers.Regularizer):
    ...     def __call__(self, x):
    ...         return tf.reduce_sum(x)
    >>> Sum()(tf.constant([1.0, 2.0])).numpy()
    np.float32(3.0)
    """

    def __call__(self, x: Any) -> Any:
        return 0.0

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a regularizer like this one."""
        raise NotImplementedError(f"{self} does not implement get_config()")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The regularizer of `get_config`."""
        return cls(**config)


def _factor(value: Any, name: str) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
        or value < 0
    ):
        raise ValueError(
            f"Invalid value for argument {name}: expected a non-negative float. Received: {name}={value}"
        )
    return value


class L1L2(Regularizer):
    """``l1 * sum(|x|) + l2 * sum(x**2)``.

    Raises:
      ValueError: a factor that is not a number from 0 on.

    >>> import gradtape as tf
    >>> tf.keras.regularizers.L1L2(1.0, 0.5)(tf.constant([1.0, -2.0])).numpy()
    np.float32(5.5)
    """

    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = _factor(0.0 if l1 is None else l1, "l1"), _factor(0.0 if l2 is None else l2, "l2")

    def __call__(self, x):
        x = as_tensor(x)
        total = as_tensor(0.0, like=x)
        if self.l1:
            total = total + self.l1 * reduce_sum(absolute(x))
        if self.l2:
            total = total + self.l2 * reduce_sum(x * x)
        return total

    def get_config(self):
        return {"l1": float(self.l1), "l2": float(self.l2)}


class L1(Regularizer):
    """``l1 * sum(|x|)``.

    >>> import gradtape as tf
    >>> tf.keras.regularizers.L1(0.5)(tf.constant([1.0, -2.0])).numpy()
    np.float32(1.5)
    """

    def __init__(self, l1=0.01, l=None):
        self.l1 = _factor(l1 if l is None else l, "l1")

    def __call__(self, x):
        return self.l1 * reduce_sum(absolute(as_tensor(x)))

    def get_config(self):
        return {"l1": float(self.l1)}


class L2(Regularizer):
    """``l2 * sum(x**2)``.

    >>> import gradtape as tf
    >>> tf.keras.regularizers.L2(0.5)(tf.constant([1.0, -2.0])).numpy()
    np.float32(2.5)
    """

    def __init__(self, l2=0.01, l=None):
        self.l2 = _factor(l2 if l is None else l, "l2")

    def __call__(self, x):
        x = as_tensor(x)
        return self.l2 * reduce_sum(x * x)

    def get_config(self):
        return {"l2": float(self.l2)}


class OrthogonalRegularizer(Regularizer):
    """``factor`` times the mean of ``|cos|`` over all pairs of rows, or columns, of a matrix.

    Args:
      factor: a number from 0 on.
      mode: ``"rows"`` or ``"columns"``.

    Raises:
      ValueError: another mode; when it is called, no matrix.

    >>> import gradtape as tf
    >>> tf.keras.regularizers.OrthogonalRegularizer(1.0)(tf.constant([[1.0, 0.0], [3.0, 4.0]])).numpy()
    np.float32(0.6)
    """

    def __init__(self, factor=0.01, mode="rows"):
        if mode not in {"rows", "columns"}:
            raise ValueError(
                "Invalid value for argument mode: expected one of {'rows', 'columns'}. Received: "
                f"mode={mode}"
            )
        self.factor, self.mode = _factor(factor, "factor"), mode

    def __call__(self, inputs):
        x = as_tensor(inputs)
        shape = shape_of(x)
        if shape is None or len(shape) != 2:
            raise ValueError(
                f"Inputs to OrthogonalRegularizer must have rank 2. Received: inputs.shape={shape}"
            )
        rows = self.mode == "rows"
        x = l2_normalize(x, axis=1 if rows else 0)
        size = shape[0 if rows else 1]
        products = matmul(x, x, transpose_b=rows, transpose_a=not rows)
        products = products * (1.0 - eye(size, dtype=from_numpy(dtype_of(x))))
        return self.factor * 0.5 * reduce_sum(absolute(products)) / (size * (size - 1.0) / 2.0)

    def get_config(self):
        return {"factor": float(self.factor), "mode": self.mode}


_ALIASES = {
    "l1": L1,
    "l2": L2,
    "l1_l2": L1L2,
    "orthogonal_regularizer": OrthogonalRegularizer,
}
_FAMILY = Family("regularizer", "keras.regularizers", [L1, L2, L1L2, OrthogonalRegularizer], _ALIASES)


def get(identifier):
    """The regularizer that is meant by a name, a configuration, a class, or itself; None for None.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.regularizers.get("l2").l2
    0.01
    """
    return _FAMILY.get(identifier)


def serialize(regularizer):
    """The configuration of a regularizer."""
    return serialize_keras_object(regularizer)


def deserialize(config, custom_objects=None):
    """The regularizer of a configuration."""
    return _FAMILY.deserialize(config, custom_objects)
