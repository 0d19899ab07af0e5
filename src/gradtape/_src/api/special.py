"""Public special functions: error functions, gamma and beta, integrals of elementary functions.

All take and give floating-point numbers of one dtype; several operands broadcast. Formulas are in the NIST
Handbook of Mathematical Functions (DLMF), by the section given.
"""

from __future__ import annotations

import math

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.ops import gamma
from gradtape._src.ops import special as ops
from gradtape._src.ops.arithmetic import multiply, subtract
from gradtape._src.ops.reduction import reduce_sum


def _together(*xs):
    """Operands of one dtype: that of the first tensor, or array, among them."""
    first = next((x for x in xs if isinstance(x, Tensor)), None)
    if first is None:
        first = next((as_tensor(x) for x in xs if hasattr(x, "dtype")), as_tensor(xs[0]))
    return [x if isinstance(x, Tensor) else as_tensor(x, like=first) for x in xs]


def erf(x, name=None):
    """The error function, 2 / sqrt(pi) times the integral of e^(-t²) from 0 to x (DLMF 7.2).

    >>> import gradtape as tf
    >>> print(tf.math.erf([0.0, 0.5]).numpy().round(4))
    [0.     0.5205]

    As TensorFlow 2.21.
    """
    return ops.erf.of(x, name)


def erfc(x, name=None):
    """1 - erf(x), with all digits for a large x (DLMF 7.2).

    >>> import gradtape as tf
    >>> print(tf.math.erfc([0.0, 1.0]).numpy().round(4))
    [1.     0.1573]

    As TensorFlow 2.21.
    """
    return ops.erfc.of(x, name)


def erfinv(x, name=None):
    """The number whose error function is x (DLMF 7.17).

    x: from -1 to 1; infinite at these, with an infinite gradient.

    >>> import gradtape as tf
    >>> print(tf.math.erfinv([0.0, 0.5]).numpy().round(4))
    [0.     0.4769]

    As TensorFlow 2.21.
    """
    return ops.erfinv.of(x, name)


def erfcinv(x, name=None):
    """The number whose complementary error function is x, between 0 and 2.

    >>> import gradtape as tf
    >>> print(tf.math.erfcinv([1.0, 0.5]).numpy().round(4))
    [-0.      0.4769]

    As TensorFlow 2.21.
    """
    return multiply.of(ops.ndtri.of(multiply.of(x, 0.5)), -math.sqrt(0.5), name)


def ndtri(x, name=None):
    """The quantile of the standard normal distribution: the fraction x of it lies below.

    >>> import gradtape as tf
    >>> print(tf.math.ndtri([0.5, 0.975]).numpy().round(4))
    [0.   1.96]

    As TensorFlow 2.21.
    """
    return ops.ndtri.of(x, name)


def lgamma(x, name=None):
    """log |Γ(x)|; infinite at 0 and the negative whole numbers (DLMF 5.2).

    >>> import gradtape as tf
    >>> print(tf.math.lgamma([1.0, 5.0]).numpy().round(4))
    [0.     3.1781]

    As TensorFlow 2.21.
    """
    return ops.lgamma.of(x, name)


def digamma(x, name=None):
    """ψ(x), the derivative of log Γ(x) (DLMF 5.2).

    >>> import gradtape as tf
    >>> print(tf.math.digamma([1.0, 2.0]).numpy().round(4))
    [-0.5772  0.4228]

    As TensorFlow 2.21.
    """
    return ops.digamma.of(x, name)


def polygamma(a, x, name=None):
    """The derivative of order a of the digamma function (DLMF 5.15).

    a: whole numbers, 0 or more, in floating point; NaN for others. There is no gradient for a.

    >>> import gradtape as tf
    >>> print(tf.math.polygamma(1.0, [1.0, 2.0]).numpy().round(4))
    [1.6449 0.6449]

    As TensorFlow 2.21.
    """
    return ops.polygamma.of(a, x, name)


def zeta(x, q, name=None):
    """Hurwitz's zeta function, the sum of (q + n)^(-x) over n = 0, 1, ... (DLMF 25.11).

    x: above 1. There is no gradient for x.

    >>> import gradtape as tf
    >>> print(tf.math.zeta(2.0, [1.0, 2.0]).numpy().round(4))
    [1.6449 0.6449]

    As TensorFlow 2.21.
    """
    return ops.zeta.of(x, q, name)


def igamma(a, x, name=None):
    """P(a, x), the integral of t^(a-1) e^(-t) from 0 to x, divided by Γ(a) (DLMF 8.2).

    a: above 0. x: 0 or more. NaN for others. There are gradients for both, to any order.

    >>> import gradtape as tf
    >>> print(tf.math.igamma([1.0, 2.0], [1.0, 2.0]).numpy().round(4))
    [0.6321 0.594 ]

    As TensorFlow 2.21.
    """
    return gamma.igamma.of(a, x, name)


def igammac(a, x, name=None):
    """Q(a, x) = 1 - P(a, x), with all digits for a large x (DLMF 8.2).

    a: above 0. x: 0 or more. NaN for others. There are gradients for both, to any order.

    >>> import gradtape as tf
    >>> print(tf.math.igammac([1.0, 2.0], [1.0, 2.0]).numpy().round(4))
    [0.3679 0.406 ]

    As TensorFlow 2.21.
    """
    return gamma.igammac.of(a, x, name)


def betainc(a, b, x, name=None):
    """The regularized incomplete beta function (DLMF 8.17).

    It is the integral of t^(a-1) (1-t)^(b-1) from 0 to x, divided by the one from 0 to 1.

    a, b: above 0. x: from 0 to 1. There is no gradient for a and b.

    >>> import gradtape as tf
    >>> print(tf.math.betainc(2.0, 2.0, [0.0, 0.5]).numpy().round(4))
    [0.  0.5]

    As TensorFlow 2.21.
    """
    return gamma.betainc.of(*_together(a, b, x), name=name)


def lbeta(x, name=None):
    """log |B(x)| along the last axis (DLMF 5.12).

    B(x) is the product of the Γ(x_i), divided by Γ of their sum. The result has one axis less; it is -inf for
    an empty axis.

    >>> import gradtape as tf
    >>> print(tf.math.lbeta([[1.0, 1.0], [2.0, 3.0]]).numpy().round(4))
    [ 0.     -2.4849]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    if shape_of(x) == ():
        raise InvalidArgumentError.of(
            "Invalid reduction dimension (-1 for input with 0 dimension(s): x must have an axis [Op:Sum]"
        )
    logs = reduce_sum.of(ops.lgamma(x), axis=(-1,))
    return subtract.of(logs, ops.lgamma(reduce_sum.of(x, axis=(-1,))), name)


def dawsn(x, name=None):
    """Dawson's integral, e^(-x²) times the integral of e^(t²) from 0 to x (DLMF 7.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.dawsn([0.0, 1.0]).numpy().round(4))
    [0.     0.5381]

    As TensorFlow 2.21.
    """
    return ops.dawsn.of(x, name)


def expint(x, name=None):
    """Ei(x), the principal value of the integral of e^t / t from -infinity to x (DLMF 6.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.expint([1.0, 2.0]).numpy().round(4))
    [1.8951 4.9542]

    As TensorFlow 2.21.
    """
    return ops.expint.of(x, name)


def fresnel_cos(x, name=None):
    """The integral of cos(pi t² / 2) from 0 to x (DLMF 7.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.fresnel_cos([0.0, 1.0]).numpy().round(4))
    [0.     0.7799]

    As TensorFlow 2.21.
    """
    return ops.fresnel_cos.of(x, name)


def fresnel_sin(x, name=None):
    """The integral of sin(pi t² / 2) from 0 to x (DLMF 7.2).

    >>> import gradtape as tf
    >>> print(tf.math.special.fresnel_sin([0.0, 1.0]).numpy().round(4))
    [0.     0.4383]

    As TensorFlow 2.21.
    """
    return ops.fresnel_sin.of(x, name)


def spence(x, name=None):
    """The dilogarithm of 1 - x: the integral of log(t) / (1 - t) from 1 to x (DLMF 25.12).

    NaN for a negative x.

    >>> import gradtape as tf
    >>> print(tf.math.special.spence([1.0, 2.0]).numpy().round(4))
    [ 0.     -0.8225]

    As TensorFlow 2.21.
    """
    return ops.spence.of(x, name)
