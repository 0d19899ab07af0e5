"""Public functions of one number: roots, exponentials, logarithms, trigonometry, sigmoids, steps.

Each takes anything that converts to a tensor, and gives a tensor of its shape and, unless stated, its dtype.
What has no value is NaN; integers raise InvalidArgumentError unless stated.
"""

from __future__ import annotations

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_integer_np
from gradtape._src.core.values import dtype_of
from gradtape._src.ops import complex as complex_ops
from gradtape._src.ops import elementwise as ops
from gradtape._src.ops.arithmetic import negative


def abs(x, name=None):
    """|x|: the size of a real number, the modulus of a complex one.

    x: floating-point, signed integer or complex; of complex64 the result is float32, of complex128 float64.
    The gradient at 0 is 0.

    >>> import gradtape as tf
    >>> print(tf.abs([-1.5, 2.0]).numpy())
    [1.5 2. ]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    op = complex_ops.complex_abs if complex_ops.is_complex(x) else complex_ops.real_abs
    return op.of(x, name)


def sign(x, name=None):
    """x / |x|, and 0 at 0: -1, 0 or 1 for a real number.

    x: floating-point, signed integer or complex. The gradient of a real number's sign is 0.

    >>> import gradtape as tf
    >>> print(tf.sign([-2.0, 0.0, 3.0]).numpy())
    [-1.  0.  1.]

    As TensorFlow 2.21.
    """
    return complex_ops.sign.of(x, name)


def sqrt(x, name=None):
    """The square root of x, for complex numbers the one with a non-negative real part.

    Floating-point or complex. The gradient at 0 is infinite.

    >>> import gradtape as tf
    >>> print(tf.sqrt([4.0, 9.0]).numpy().round(4))
    [2. 3.]

    As TensorFlow 2.21.
    """
    return ops.sqrt.of(x, name)


def rsqrt(x, name=None):
    """1 / sqrt(x).

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.rsqrt([4.0, 16.0]).numpy().round(4))
    [0.5  0.25]

    As TensorFlow 2.21.
    """
    return ops.rsqrt.of(x, name)


def reciprocal(x, name=None):
    """1 / x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.reciprocal([2.0, -4.0]).numpy())
    [ 0.5  -0.25]

    As TensorFlow 2.21.
    """
    return ops.reciprocal.of(x, name)


def exp(x, name=None):
    """e^x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.exp([0.0, 1.0]).numpy().round(4))
    [1.     2.7183]

    As TensorFlow 2.21.
    """
    return ops.exp.of(x, name)


def expm1(x, name=None):
    """e^x - 1, with all digits for a small x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.expm1([0.0, 1.0]).numpy().round(4))
    [0.     1.7183]

    As TensorFlow 2.21.
    """
    return ops.expm1.of(x, name)


def log(x, name=None):
    """The natural logarithm of x; of a complex number the principal one.

    Floating-point or complex. -inf at 0.

    >>> import gradtape as tf
    >>> print(tf.math.log([1.0, 0.0]).numpy().round(4))
    [  0. -inf]

    As TensorFlow 2.21.
    """
    return ops.log.of(x, name)


def log1p(x, name=None):
    """log(1 + x), with all digits for a small x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.log1p([0.0, 1.0]).numpy().round(4))
    [0.     0.6931]

    As TensorFlow 2.21.
    """
    return ops.log1p.of(x, name)


def sin(x, name=None):
    """The sine of x, which is in radians.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.sin([0.0, 1.0]).numpy().round(4))
    [0.     0.8415]

    As TensorFlow 2.21.
    """
    return ops.sin.of(x, name)


def cos(x, name=None):
    """The cosine of x, which is in radians.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.cos([0.0, 1.0]).numpy().round(4))
    [1.     0.5403]

    As TensorFlow 2.21.
    """
    return ops.cos.of(x, name)


def tan(x, name=None):
    """The tangent of x, which is in radians.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.tan([0.0, 0.5]).numpy().round(4))
    [0.     0.5463]

    As TensorFlow 2.21.
    """
    return ops.tan.of(x, name)


def asin(x, name=None):
    """The angle in radians, from -pi/2 to pi/2, whose sine is x.

    Floating-point or complex. The gradient at -1 and 1 is infinite.

    >>> import gradtape as tf
    >>> print(tf.asin([0.0, 0.5]).numpy().round(4))
    [0.     0.5236]

    As TensorFlow 2.21.
    """
    return ops.asin.of(x, name)


def acos(x, name=None):
    """The angle in radians, from 0 to pi, whose cosine is x.

    Floating-point or complex. The gradient at -1 and 1 is infinite.

    >>> import gradtape as tf
    >>> print(tf.acos([1.0, 0.5]).numpy().round(4))
    [0.     1.0472]

    As TensorFlow 2.21.
    """
    return ops.acos.of(x, name)


def atan(x, name=None):
    """The angle in radians, from -pi/2 to pi/2, whose tangent is x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.atan([0.0, 1.0]).numpy().round(4))
    [0.     0.7854]

    As TensorFlow 2.21.
    """
    return ops.atan.of(x, name)


def atan2(y, x, name=None):
    """The angle in radians, from -pi to pi, of the point (x, y).

    Floating-point numbers of one dtype, which broadcast. The gradient at the origin is 0.

    >>> import gradtape as tf
    >>> print(tf.atan2([1.0, 0.0], [0.0, -1.0]).numpy().round(4))
    [1.5708 3.1416]

    As TensorFlow 2.21.
    """
    return ops.atan2.of(y, x, name)


def sinh(x, name=None):
    """The hyperbolic sine, (e^x - e^-x) / 2.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.sinh([0.0, 1.0]).numpy().round(4))
    [0.     1.1752]

    As TensorFlow 2.21.
    """
    return ops.sinh.of(x, name)


def cosh(x, name=None):
    """The hyperbolic cosine, (e^x + e^-x) / 2.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.cosh([0.0, 1.0]).numpy().round(4))
    [1.     1.5431]

    As TensorFlow 2.21.
    """
    return ops.cosh.of(x, name)


def tanh(x, name=None):
    """The hyperbolic tangent, sinh(x) / cosh(x), between -1 and 1.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.tanh([0.0, 0.5]).numpy().round(4))
    [0.     0.4621]

    As TensorFlow 2.21.
    """
    return ops.tanh.of(x, name)


def asinh(x, name=None):
    """The number whose hyperbolic sine is x.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.asinh([0.0, 1.0]).numpy().round(4))
    [0.     0.8814]

    As TensorFlow 2.21.
    """
    return ops.asinh.of(x, name)


def acosh(x, name=None):
    """The number, 0 or more, whose hyperbolic cosine is x.

    Floating-point or complex. NaN for a real x below 1.

    >>> import gradtape as tf
    >>> print(tf.acosh([1.0, 2.0]).numpy().round(4))
    [0.    1.317]

    As TensorFlow 2.21.
    """
    return ops.acosh.of(x, name)


def atanh(x, name=None):
    """The number whose hyperbolic tangent is x.

    Floating-point or complex. Infinite at -1 and 1.

    >>> import gradtape as tf
    >>> print(tf.atanh([0.0, 0.5]).numpy().round(4))
    [0.     0.5493]

    As TensorFlow 2.21.
    """
    return ops.atanh.of(x, name)


def sigmoid(x, name=None):
    """1 / (1 + e^-x), between 0 and 1.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.sigmoid([0.0, 2.0]).numpy().round(4))
    [0.5    0.8808]

    As TensorFlow 2.21.
    """
    return ops.sigmoid.of(x, name)


def log_sigmoid(x, name=None):
    """log(1 / (1 + e^-x)), without underflow.

    Floating-point numbers.

    >>> import gradtape as tf
    >>> print(tf.math.log_sigmoid([0.0, -100.0]).numpy().round(4))
    [  -0.6931 -100.    ]

    As TensorFlow 2.21.
    """
    return negative.of(ops.softplus.of(negative.of(x)), name)


def softplus(features, name=None):
    """log(1 + e^x), a smooth max(x, 0), without overflow.

    Floating-point numbers.

    >>> import gradtape as tf
    >>> print(tf.math.softplus([0.0, 100.0]).numpy().round(4))
    [  0.6931 100.    ]

    As TensorFlow 2.21.
    """
    return ops.softplus.of(features, name)


def softsign(features, name=None):
    """x / (1 + |x|), between -1 and 1.

    Floating-point numbers.

    >>> import gradtape as tf
    >>> print(tf.math.softsign([-1.0, 3.0]).numpy().round(4))
    [-0.5   0.75]

    As TensorFlow 2.21.
    """
    return ops.softsign.of(features, name)


def floor(x, name=None):
    """The largest whole number that is not above x.

    Floating-point numbers. There is no gradient.

    >>> import gradtape as tf
    >>> print(tf.floor([-1.5, 1.5]).numpy())
    [-2.  1.]

    As TensorFlow 2.21.
    """
    return ops.floor.of(x, name)


def ceil(x, name=None):
    """The smallest whole number that is not below x.

    Floating-point numbers. There is no gradient.

    >>> import gradtape as tf
    >>> print(tf.math.ceil([-1.5, 1.5]).numpy())
    [-1.  2.]

    As TensorFlow 2.21.
    """
    return ops.ceil.of(x, name)


def rint(x, name=None):
    """The whole number nearest to x; of two the even one.

    Floating-point numbers. There is no gradient.

    >>> import gradtape as tf
    >>> print(tf.math.rint([0.5, 1.5, -1.7]).numpy())
    [ 0.  2. -2.]

    As TensorFlow 2.21.
    """
    return ops.rint.of(x, name)


def round(x, name=None):
    """The whole number nearest to x; of two the even one. Integers are returned as they are.

    Floating-point or integer. There is no gradient of what is rounded.

    >>> import gradtape as tf
    >>> print(tf.round([0.5, 1.5, 2.6]).numpy())
    [0. 2. 3.]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    return x if is_integer_np(dtype_of(x)) else ops.round_half_even.of(x, name)


def nextafter(x1, x2, name=None):
    """The next number of the dtype after x1, on the way to x2.

    float32 or float64, which broadcast. The gradient is 1 for x1 and none for x2.

    >>> import gradtape as tf
    >>> print(tf.math.nextafter([1.0], [2.0]).numpy() > 1)
    [ True]

    As TensorFlow 2.21.
    """
    return ops.nextafter.of(x1, x2, name)
