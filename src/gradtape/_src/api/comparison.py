"""Public functions that give booleans: comparisons, logic, tests of numbers. None has a gradient."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor
from gradtape._src.ops import comparison as ops
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.reduction import reduce_all


def _as_bool(x: Any) -> Any:
    return x if isinstance(x, Tensor) else as_tensor(x, "bool")


def equal(x, y, name=None):
    """x == y, element by element. NaN equals nothing.

    Any dtype; both operands of one, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.equal([1, 2], 2).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    return ops.equal.of(x, y, name)


def not_equal(x, y, name=None):
    """x != y, element by element.

    Any dtype; both operands of one, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.not_equal([1, 2], 2).numpy())
    [ True False]

    As TensorFlow 2.21.
    """
    return ops.not_equal.of(x, y, name)


def less(x, y, name=None):
    """x < y, element by element.

    Integers or floating-point numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.less([1, 2, 3], 2).numpy())
    [ True False False]

    As TensorFlow 2.21.
    """
    return ops.less.of(x, y, name)


def less_equal(x, y, name=None):
    """x <= y, element by element.

    Integers or floating-point numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.less_equal([1, 2, 3], 2).numpy())
    [ True  True False]

    As TensorFlow 2.21.
    """
    return ops.less_equal.of(x, y, name)


def greater(x, y, name=None):
    """x > y, element by element.

    Integers or floating-point numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.greater([1, 2, 3], 2).numpy())
    [False False  True]

    As TensorFlow 2.21.
    """
    return ops.greater.of(x, y, name)


def greater_equal(x, y, name=None):
    """x >= y, element by element.

    Integers or floating-point numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.greater_equal([1, 2, 3], 2).numpy())
    [False  True  True]

    As TensorFlow 2.21.
    """
    return ops.greater_equal.of(x, y, name)


def logical_and(x, y, name=None):
    """Whether both are true. Booleans, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.logical_and([True, False], True).numpy())
    [ True False]

    As TensorFlow 2.21.
    """
    return ops.logical_and.of(_as_bool(x), _as_bool(y), name)


def logical_or(x, y, name=None):
    """Whether one is true, or both are. Booleans, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.logical_or([True, False], False).numpy())
    [ True False]

    As TensorFlow 2.21.
    """
    return ops.logical_or.of(_as_bool(x), _as_bool(y), name)


def logical_xor(x, y, name="LogicalXor"):
    """Whether one is true, but not both. Booleans, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.math.logical_xor([True, False], True).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    return ops.logical_xor.of(_as_bool(x), _as_bool(y), name)


def logical_not(x, name=None):
    """Whether x is false. Booleans.

    >>> import gradtape as tf
    >>> print(tf.logical_not([True, False]).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    return ops.logical_not.of(_as_bool(x), name)


def is_finite(x, name=None):
    """Whether a floating-point number is neither infinite nor NaN.

    >>> import gradtape as tf
    >>> print(tf.math.is_finite([1.0, float("inf"), float("nan")]).numpy())
    [ True False False]

    As TensorFlow 2.21.
    """
    return ops.is_finite.of(x, name)


def is_inf(x, name=None):
    """Whether a floating-point number is infinite, of either sign.

    >>> import gradtape as tf
    >>> print(tf.math.is_inf([1.0, float("inf"), float("nan")]).numpy())
    [False  True False]

    As TensorFlow 2.21.
    """
    return ops.is_inf.of(x, name)


def is_nan(x, name=None):
    """Whether a floating-point number is NaN.

    >>> import gradtape as tf
    >>> print(tf.math.is_nan([1.0, float("inf"), float("nan")]).numpy())
    [False False  True]

    As TensorFlow 2.21.
    """
    return ops.is_nan.of(x, name)


def is_non_decreasing(x, name=None):
    """Whether x[0] <= x[1] <= …, of all elements in row-major order; True for fewer than two.

    Returns a scalar boolean tensor.

    >>> import gradtape as tf
    >>> print(tf.math.is_non_decreasing([1.0, 1.0, 2.0]))
    tf.Tensor(True, shape=(), dtype=bool)

    As TensorFlow 2.21.
    """
    return _in_order(ops.less_equal, x, name)


def is_strictly_increasing(x, name=None):
    """Whether x[0] < x[1] < …, of all elements in row-major order; True for fewer than two.

    Returns a scalar boolean tensor.

    >>> import gradtape as tf
    >>> print(tf.math.is_strictly_increasing([1.0, 1.0, 2.0]))
    tf.Tensor(False, shape=(), dtype=bool)

    As TensorFlow 2.21.
    """
    return _in_order(ops.less, x, name)


def _in_order(compare: Any, x: Any, name: str | None) -> Any:
    flat: Any = reshape(as_tensor(x), (-1,))
    return reduce_all.of(compare.of(flat[:-1], flat[1:]), name=name)
