"""Public functions between real and complex numbers.

The gradient of a real target in a complex z is the direction of steepest ascent: a small step dz changes the
target by Re(conj(gradient) dz).
"""

from __future__ import annotations

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.op import dtype_numbers
from gradtape._src.core.values import dtype_of
from gradtape._src.ops import complex as ops
from gradtape._src.ops.arithmetic import NUMBER
from gradtape._src.ops.arrays import zeros_like

_NUMBERS = dtype_numbers(NUMBER)


def complex(real, imag, name=None):
    """real + i imag: complex64 of float32, complex128 of float64.

    The parts broadcast. Other dtypes, or two of them, raise TypeError.

    >>> import gradtape as tf
    >>> print(tf.complex([1.0, 2.0], [3.0, 4.0]).numpy())
    [1.+3.j 2.+4.j]

    As TensorFlow 2.21.
    """
    real, imag = as_tensor(real), as_tensor(imag)
    names = [from_numpy(dtype_of(x)).name for x in (real, imag)]
    if names not in (["float32"] * 2, ["float64"] * 2):
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {names[0]} {names[1]}. "
            "They must be consistent, and one of [tf.float32, tf.float64]"
        )
    return ops.make_complex.of(real, imag, name)


def real(input, name=None):
    """The real part: float32 of complex64, float64 of complex128. Real numbers are returned as they are.

    Booleans and strings raise TypeError.

    >>> import gradtape as tf
    >>> print(tf.math.real([1 + 2j, 3 - 4j]).numpy())
    [1. 3.]

    As TensorFlow 2.21.
    """
    input = as_tensor(input)
    if ops.is_complex(input):
        return ops.real.of(input, name)
    if dtype_of(input).num not in _NUMBERS:
        raise TypeError(
            f"input must be a numeric tensor, but got tensor with dtype {from_numpy(dtype_of(input))!r}"
        )
    return input


def imag(input, name=None):
    """The imaginary part: float32 of complex64, float64 of complex128; zeros for real numbers.

    >>> import gradtape as tf
    >>> print(tf.math.imag([1 + 2j, 3 - 4j]).numpy())
    [ 2. -4.]

    As TensorFlow 2.21.
    """
    input = as_tensor(input)
    return ops.imag.of(input, name) if ops.is_complex(input) else zeros_like.of(input, name=name)


def conj(x, name=None):
    """The complex conjugate. Real numbers are returned as they are.

    Booleans and strings raise TypeError.

    >>> import gradtape as tf
    >>> print(tf.math.conj([1 + 2j, 3 - 4j]).numpy())
    [1.-2.j 3.+4.j]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    if ops.is_complex(x):
        return ops._conj.of(x, name)
    if dtype_of(x).num not in _NUMBERS:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {from_numpy(dtype_of(x))!r}.")
    return x


def angle(input, name=None):
    """The angle of a complex number in radians, from -pi to pi: pi for a negative number.

    Floating-point or complex; of complex64 the result is float32, of complex128 float64. The gradient at 0 is
    0; real numbers have none. Integers raise TypeError.

    >>> import gradtape as tf
    >>> print(tf.math.angle([1 + 1j, 2j]).numpy())
    [0.78539816 1.57079633]

    As TensorFlow 2.21.
    """
    input = as_tensor(input)
    if ops.is_complex(input):
        return ops.angle.of(input, name)
    if dtype_of(input).num not in ops.angle_of_real.accepts:
        raise TypeError(
            f"input must be floating-point or complex, but has dtype {from_numpy(dtype_of(input))!r}"
        )
    return ops.angle_of_real.of(input, name)
