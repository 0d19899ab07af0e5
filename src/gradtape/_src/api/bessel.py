"""Public Bessel functions, of floating-point numbers.

Formulas are in the NIST Handbook of Mathematical Functions (DLMF), by the section given.
"""

from __future__ import annotations

from gradtape._src.ops import bessel as ops


def bessel_i0(x, name=None):
    """The modified Bessel function of the first kind, of order 0, I_0 (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_i0([0.5, 1.0]).numpy().round(4))
    [1.0635 1.2661]

    As TensorFlow 2.21.
    """
    return ops.bessel_i0.of(x, name)


def bessel_i0e(x, name=None):
    """e^(-|x|) I_0(x), where I_0 is the modified Bessel function of the first kind (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_i0e([0.5, 1.0]).numpy().round(4))
    [0.645  0.4658]

    As TensorFlow 2.21.
    """
    return ops.bessel_i0e.of(x, name)


def bessel_i1(x, name=None):
    """The modified Bessel function of the first kind, of order 1, I_1 (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_i1([0.5, 1.0]).numpy().round(4))
    [0.2579 0.5652]

    As TensorFlow 2.21.
    """
    return ops.bessel_i1.of(x, name)


def bessel_i1e(x, name=None):
    """e^(-|x|) I_1(x), where I_1 is the modified Bessel function of the first kind (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_i1e([0.5, 1.0]).numpy().round(4))
    [0.1564 0.2079]

    As TensorFlow 2.21.
    """
    return ops.bessel_i1e.of(x, name)


def bessel_j0(x, name=None):
    """The Bessel function of the first kind, of order 0, J_0 (DLMF 10.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_j0([0.5, 1.0]).numpy().round(4))
    [0.9385 0.7652]

    As TensorFlow 2.21.
    """
    return ops.bessel_j0.of(x, name)


def bessel_j1(x, name=None):
    """The Bessel function of the first kind, of order 1, J_1 (DLMF 10.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_j1([0.5, 1.0]).numpy().round(4))
    [0.2423 0.4401]

    As TensorFlow 2.21.
    """
    return ops.bessel_j1.of(x, name)


def bessel_k0(x, name=None):
    """The modified Bessel function of the second kind, of order 0, K_0 (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_k0([0.5, 1.0]).numpy().round(4))
    [0.9244 0.421 ]

    As TensorFlow 2.21.
    """
    return ops.bessel_k0.of(x, name)


def bessel_k0e(x, name=None):
    """e^x K_0(x), where K_0 is the modified Bessel function of the second kind (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_k0e([0.5, 1.0]).numpy().round(4))
    [1.5241 1.1445]

    As TensorFlow 2.21.
    """
    return ops.bessel_k0e.of(x, name)


def bessel_k1(x, name=None):
    """The modified Bessel function of the second kind, of order 1, K_1 (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_k1([0.5, 1.0]).numpy().round(4))
    [1.6564 0.6019]

    As TensorFlow 2.21.
    """
    return ops.bessel_k1.of(x, name)


def bessel_k1e(x, name=None):
    """e^x K_1(x), where K_1 is the modified Bessel function of the second kind (DLMF 10.25).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_k1e([0.5, 1.0]).numpy().round(4))
    [2.731  1.6362]

    As TensorFlow 2.21.
    """
    return ops.bessel_k1e.of(x, name)


def bessel_y0(x, name=None):
    """The Bessel function of the second kind, of order 0, Y_0 (DLMF 10.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_y0([0.5, 1.0]).numpy().round(4))
    [-0.4445  0.0883]

    As TensorFlow 2.21.
    """
    return ops.bessel_y0.of(x, name)


def bessel_y1(x, name=None):
    """The Bessel function of the second kind, of order 1, Y_1 (DLMF 10.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.bessel_y1([0.5, 1.0]).numpy().round(4))
    [-1.4715 -0.7812]

    As TensorFlow 2.21.
    """
    return ops.bessel_y1.of(x, name)
