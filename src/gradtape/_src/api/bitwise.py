"""Public functions on the bits of integers. None has a gradient."""

from __future__ import annotations

from gradtape._src.ops import bitwise as ops


def bitwise_and(x, y, name=None):
    """The bits that are set in both. Integers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.bitwise.bitwise_and([5, 6], 3).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    return ops.bitwise_and.of(x, y, name)


def bitwise_or(x, y, name=None):
    """The bits that are set in x or y. Integers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.bitwise.bitwise_or([5, 6], 3).numpy())
    [7 7]

    As TensorFlow 2.21.
    """
    return ops.bitwise_or.of(x, y, name)


def bitwise_xor(x, y, name=None):
    """The bits that are set in one, but not in both. Integers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.bitwise.bitwise_xor([5, 6], 3).numpy())
    [6 5]

    As TensorFlow 2.21.
    """
    return ops.bitwise_xor.of(x, y, name)


def invert(x, name=None):
    """All bits turned over: -1 - x for a signed integer.

    >>> import gradtape as tf
    >>> print(tf.bitwise.invert([0, 5]).numpy())
    [-1 -6]

    As TensorFlow 2.21.
    """
    return ops.invert.of(x, name)


def left_shift(x, y, name=None):
    """The bits of x moved y places to higher ones.

    Integers of one dtype, which broadcast. A negative y counts as 0, and one beyond the width as one less
    than it.

    >>> import gradtape as tf
    >>> print(tf.bitwise.left_shift([1, 5], 2).numpy())
    [ 4 20]

    As TensorFlow 2.21.
    """
    return ops.left_shift.of(x, y, name)


def right_shift(x, y, name=None):
    """The bits of x moved y places to lower ones; the sign of a signed integer is kept.

    Integers of one dtype, which broadcast. A negative y counts as 0, and one beyond the width as one less
    than it.

    >>> import gradtape as tf
    >>> print(tf.bitwise.right_shift([5, -5], 1).numpy())
    [ 2 -3]

    As TensorFlow 2.21.
    """
    return ops.right_shift.of(x, y, name)
