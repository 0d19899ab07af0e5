"""Arithmetic that only TensorFlow 1 has by name: division as in Python 2."""

from __future__ import annotations

from gradtape._src.core.convert import as_operands
from gradtape._src.ops import division


def div(x, y, name=None):
    """x / y as in Python 2: of integers the largest whole number that is not above it, else the quotient.

    Numbers of one dtype, which broadcast; two dtypes raise TypeError.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.div([7, -7], 2).numpy(), tf.div([7.0], 2.0).numpy())
    [ 3 -4] [3.5]

    As TensorFlow 2.21.
    """
    x, y = as_operands(x, y)
    op = division.divide_op(x, y)
    return (division.floordiv if op is division.integer_quotient else op).of(x, y, name)


def floor_div(x, y, name=None):
    """The largest whole number that is not above x / y: `tf.math.floordiv`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.floor_div([7, -7], 2).numpy())
    [ 3 -4]

    As TensorFlow 2.21.
    """
    return division.floordiv.of(x, y, name)
