"""Public functions of arithmetic: sums, products, quotients, remainders, powers, bounds.

Operands must have one dtype (a Python number takes the other operand's) and shapes that broadcast; else
InvalidArgumentError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops import arithmetic as ops
from gradtape._src.ops import division, elementwise
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.complex import complex_squared_difference, is_complex
from gradtape._src.ops.indexed_slices import IndexedSlices, dense
from gradtape._src.ops.strings import add_or_join


def _as_list(inputs: Any) -> Iterable[Any]:
    return [inputs] if isinstance(inputs, IndexedSlices) else inputs


def _check_shape_kept(t: Any, out: Any) -> None:
    if not compatible(shape_of(t), shape_of(out)):
        raise ValueError(
            f"Shapes {as_text(shape_of(t))} and {as_text(shape_of(out))} are incompatible: "
            "the bounds must broadcast to the shape of t."
        )


def add(x, y, name=None):
    """x + y. Strings are joined.

    Numbers of one dtype, or strings, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.add([1, 2], 3).numpy())
    [4 5]

    As TensorFlow 2.21.
    """
    return add_or_join(x, y, name)


def subtract(x, y, name=None):
    """x - y.

    Numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.subtract([1, 2], 3).numpy())
    [-2 -1]

    As TensorFlow 2.21.
    """
    return ops.subtract.of(x, y, name)


def multiply(x, y, name=None):
    """x y, element by element; of matrices see `tf.matmul`.

    Numbers of one dtype, which broadcast.

    >>> import gradtape as tf
    >>> print(tf.multiply([1, 2], 3).numpy())
    [3 6]

    As TensorFlow 2.21.
    """
    return ops.multiply.of(x, y, name)


def divide(x, y, name=None):
    """x / y.

    Of integers the result is float32 if they have 8 or 16 bits, and float64 else. Numbers of one dtype, which
    broadcast. Two dtypes raise TypeError.

    >>> import gradtape as tf
    >>> print(tf.divide([1, 2], 4).numpy())
    [0.25 0.5 ]

    As TensorFlow 2.21.
    """
    return division.true_divide(x, y, name)


def truediv(x, y, name=None):
    """x / y, as Python's `/`: the same as `tf.divide`.

    >>> import gradtape as tf
    >>> print(tf.truediv([1.0, 2.0], 4.0).numpy())
    [0.25 0.5 ]

    As TensorFlow 2.21.
    """
    return division.true_divide(x, y, name)


def realdiv(x, y, name=None):
    """x / y of floating-point or complex numbers.

    >>> import gradtape as tf
    >>> print(tf.realdiv([1.0, 2.0], 4.0).numpy())
    [0.25 0.5 ]

    As TensorFlow 2.21.
    """
    return ops.real_divide.of(x, y, name)


def divide_no_nan(x, y, name=None):
    """x / y, and 0 where y is 0; the gradients are 0 there too.

    Dtypes as of `tf.divide`.

    >>> import gradtape as tf
    >>> print(tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]).numpy())
    [0.  0.5]

    As TensorFlow 2.21.
    """
    x, y = as_operands(x, y)
    op = division.divide_op(x, y)
    integers = op is division.integer_quotient
    return (division.integer_divide_no_nan if integers else division.divide_no_nan).of(x, y, name)


def reciprocal_no_nan(x, name=None):
    """1 / x, and 0 where x is 0; the gradient is 0 there too.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.reciprocal_no_nan([0.0, 4.0]).numpy())
    [0.   0.25]

    As TensorFlow 2.21.
    """
    return division.divide_no_nan.of(1, as_tensor(x), name)


def multiply_no_nan(x, y, name=None):
    """x y, and 0 where y is 0, even if x is infinite or NaN.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.multiply_no_nan([float("nan"), 2.0], [0.0, 4.0]).numpy())
    [0. 8.]

    As TensorFlow 2.21.
    """
    return division.multiply_no_nan.of(x, y, name)


def xdivy(x, y, name=None):
    """x / y, and 0 where x is 0, whatever y is; the gradients are 0 there too.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy())
    [0.  0.5]

    As TensorFlow 2.21.
    """
    return division.xdivy.of(x, y, name)


def xlogy(x, y, name=None):
    """x log(y), and 0 where x is 0, whatever y is; the gradients are 0 there too.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy())
    [0. 0.]

    As TensorFlow 2.21.
    """
    return elementwise.xlogy.of(x, y, name)


def xlog1py(x, y, name=None):
    """x log(1 + y), and 0 where x is 0, whatever y is; the gradients are 0 there too.

    Floating-point or complex.

    >>> import gradtape as tf
    >>> print(tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy())
    [0. 0.]

    As TensorFlow 2.21.
    """
    return elementwise.xlog1py.of(x, y, name)


def negative(x, name=None):
    """-x.

    Floating-point, signed integer or complex.

    >>> import gradtape as tf
    >>> print(tf.negative([1, -2]).numpy())
    [-1  2]

    As TensorFlow 2.21.
    """
    return ops.negative.of(x, name)


def square(x, name=None):
    """x².

    Any numbers.

    >>> import gradtape as tf
    >>> print(tf.square([3, -2]).numpy())
    [9 4]

    As TensorFlow 2.21.
    """
    return ops.square.of(x, name)


def squared_difference(x, y, name=None):
    """(x - y)², and |x - y|² of complex numbers.

    Floating-point, complex, int32 or int64.

    >>> import gradtape as tf
    >>> print(tf.math.squared_difference([1.0, 2.0], 4.0).numpy())
    [9. 4.]

    As TensorFlow 2.21.
    """
    x, y = as_operands(x, y)
    op = complex_squared_difference if is_complex(x) else ops.squared_difference
    return op.of(x, y, name)


def pow(x, y, name=None):
    """x^y.

    Floating-point, signed integer or complex. Integers to a negative power raise InvalidArgumentError. The
    gradient for x is y x^(y-1), and 0 where y is 0, to any order; for y it is x^y log(x), and 0 where x is
    not positive.

    >>> import gradtape as tf
    >>> print(tf.pow([2.0, 3.0], 2).numpy())
    [4. 9.]

    As TensorFlow 2.21.
    """
    return ops.power.of(x, y, name)


def scalar_mul(scalar, x, name=None):
    """scalar x, where x is a tensor or IndexedSlices, of which only the values are multiplied.

    Raises ValueError if `scalar` is not a scalar, or has another dtype than x.

    >>> import gradtape as tf
    >>> print(tf.scalar_mul(2, tf.constant([1.0, 2.0])).numpy())
    [2. 4.]

    As TensorFlow 2.21.
    """
    slices = isinstance(x, IndexedSlices)
    values = x.values if slices else as_tensor(x)
    scalar = as_tensor(scalar, like=values)
    if shape_of(scalar) not in ((), None):
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {as_text(shape_of(scalar))}.")
    out = ops.multiply.of(scalar, values, name)
    return IndexedSlices(out, x.indices, x.dense_shape) if slices else out


def floordiv(x, y, name=None):
    """The largest whole number that is not above x / y, as Python's `//`.

    Integers or floating-point numbers of one dtype, which broadcast. Integers divided by 0 raise
    InvalidArgumentError. There is no gradient.

    >>> import gradtape as tf
    >>> print(tf.math.floordiv([7, -7], 2).numpy())
    [ 3 -4]

    As TensorFlow 2.21.
    """
    return division.floordiv.of(x, y, name)


def floormod(x, y, name=None):
    """x - y floordiv(x, y), which has the sign of y, as Python's `%`.

    Integers or floating-point numbers of one dtype, which broadcast. Integers divided by 0 raise
    InvalidArgumentError.

    >>> import gradtape as tf
    >>> print(tf.math.floormod([7, -7], 3).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    return division.floormod.of(x, y, name)


def truncatediv(x, y, name=None):
    """x / y without its fraction, as C divides integers.

    Integers or floating-point numbers of one dtype, which broadcast. Integers divided by 0 raise
    InvalidArgumentError. There is no gradient.

    >>> import gradtape as tf
    >>> print(tf.truncatediv([7, -7], 2).numpy())
    [ 3 -3]

    As TensorFlow 2.21.
    """
    return division.truncatediv.of(x, y, name)


def truncatemod(x, y, name=None):
    """x - y truncatediv(x, y), which has the sign of x, as C's remainder.

    Integers or floating-point numbers of one dtype, which broadcast. Integers divided by 0 raise
    InvalidArgumentError.

    >>> import gradtape as tf
    >>> print(tf.truncatemod([7, -7], 3).numpy())
    [ 1 -1]

    As TensorFlow 2.21.
    """
    return division.truncatemod.of(x, y, name)


def maximum(x, y, name=None):
    """The larger of x and y; NaN if one of them is.

    Integers or floating-point numbers. Where they are equal the gradient is that of x.

    >>> import gradtape as tf
    >>> print(tf.maximum([1, 5], 3).numpy())
    [3 5]

    As TensorFlow 2.21.
    """
    return elementwise.maximum.of(x, y, name)


def minimum(x, y, name=None):
    """The smaller of x and y; NaN if one of them is.

    Integers or floating-point numbers. Where they are equal the gradient is that of x.

    >>> import gradtape as tf
    >>> print(tf.minimum([1, 5], 3).numpy())
    [1 3]

    As TensorFlow 2.21.
    """
    return elementwise.minimum.of(x, y, name)


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """max(min(t, clip_value_max), clip_value_min): t with what is outside the bounds moved onto them.

    t: a tensor of integers or floating-point numbers, or IndexedSlices. The bounds must broadcast to its
    shape, else ValueError. The gradient for t is 1 between the bounds and on them, and 0 outside.

    >>> import gradtape as tf
    >>> print(tf.clip_by_value([-2.0, 0.5, 2.0], -1.0, 1.0).numpy())
    [-1.   0.5  1. ]

    As TensorFlow 2.21.
    """
    slices = isinstance(t, IndexedSlices)
    values = t.values if slices else as_tensor(t)
    out = elementwise.minimum.of(values, clip_value_max)
    _check_shape_kept(values, out)
    out = elementwise.maximum.of(out, clip_value_min, name)
    _check_shape_kept(values, out)
    return IndexedSlices(out, t.indices, t.dense_shape) if slices else out


def add_n(inputs, name=None):
    """The sum of tensors of one shape and dtype.

    Raises ValueError for an empty list, InvalidArgumentError for different shapes or dtypes.

    >>> import gradtape as tf
    >>> print(tf.add_n([[1, 2], [3, 4], [5, 6]]).numpy())
    [ 9 12]

    As TensorFlow 2.21.
    """
    tensors = [dense(x) if isinstance(x, IndexedSlices) else as_tensor(x) for x in _as_list(inputs)]
    if not tensors:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    return ops.add_n.of(*tensors, name=name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """The sum of tensors of one shape and dtype, which `shape` and `tensor_dtype` may state.

    Raises ValueError for an empty list, different shapes or dtypes, TypeError for another dtype than the
    stated one.

    >>> import gradtape as tf
    >>> print(tf.math.accumulate_n([[1, 2], [3, 4]]).numpy())
    [4 6]

    As TensorFlow 2.21.
    """
    tensors = [as_tensor(x) for x in inputs] if isinstance(inputs, (list, tuple)) else []
    if not tensors or any(dtype_of(x) != dtype_of(tensors[0]) for x in tensors):
        raise ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    dtype = from_numpy(dtype_of(tensors[0]))
    if tensor_dtype is not None and as_dtype(tensor_dtype) != dtype:
        raise TypeError(f"The `tensor_dtype` argument is {tensor_dtype!r}, but `input` is of type {dtype!r}.")
    known = TensorShape(shape)
    for x in tensors:
        known = known.merge_with(TensorShape(shape_of(x)))
    return ops.add_n.of(*tensors, name=name)


def polyval(coeffs, x, name=None):
    """The polynomial coeffs[0] x^n + ... + coeffs[n], by Horner's scheme.

    coeffs: a list of numbers or tensors that broadcast with x, the highest power first. No coefficients give
    0. Raises ValueError if it is not a list.

    >>> import gradtape as tf
    >>> print(tf.math.polyval([1.0, 2.0, 3.0], [2.0, 0.0]).numpy())
    [11.  3.]

    As TensorFlow 2.21.
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = as_tensor(x)
    if not coeffs:
        return zeros_like.of(x, name=name)
    out = as_tensor(coeffs[0]) if isinstance(coeffs[0], Tensor) else as_tensor(coeffs[0], like=x)
    for c in coeffs[1:]:
        out = ops.add.of(c, ops.multiply.of(out, x))
    return out


mod = floormod
