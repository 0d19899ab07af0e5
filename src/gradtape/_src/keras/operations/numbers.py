"""Elementwise functions and reductions of `tf.keras.ops`."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from gradtape._src.api import arithmetic, comparison, elementwise, reduction
from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.cumulative import cumprod as cumprod_along
from gradtape._src.api.cumulative import cumsum as cumsum_along
from gradtape._src.api.selection import where as where_of
from gradtape._src.api.sorting import sort
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.operations.promotion import as_float, on_axes, on_floats, on_two, promoted

# --- Of one tensor ------------------------------------------------------------------------------------------

exp = on_floats(elementwise.exp, "exp", "e^x")
expm1 = on_floats(elementwise.expm1, "expm1", "e^x - 1")
log = on_floats(elementwise.log, "log", "The natural logarithm of x")
log1p = on_floats(elementwise.log1p, "log1p", "log(1 + x)")
log2 = on_floats(lambda x: elementwise.log(x) / float(np.log(2)), "log2", "The logarithm of x to the base 2")
log10 = on_floats(
    lambda x: elementwise.log(x) / float(np.log(10)), "log10", "The logarithm of x to the base 10"
)
exp2 = on_floats(lambda x: elementwise.exp(x * float(np.log(2))), "exp2", "2^x")
sqrt = on_floats(elementwise.sqrt, "sqrt", "The square root of x")
rsqrt = on_floats(elementwise.rsqrt, "rsqrt", "1 / sqrt(x)")
reciprocal = on_floats(elementwise.reciprocal, "reciprocal", "1 / x")
sin = on_floats(elementwise.sin, "sin", "The sine of x")
cos = on_floats(elementwise.cos, "cos", "The cosine of x")
tan = on_floats(elementwise.tan, "tan", "The tangent of x")
arcsin = on_floats(elementwise.asin, "arcsin", "The inverse sine of x")
arccos = on_floats(elementwise.acos, "arccos", "The inverse cosine of x")
arctan = on_floats(elementwise.atan, "arctan", "The inverse tangent of x")
sinh = on_floats(elementwise.sinh, "sinh", "The hyperbolic sine of x")
cosh = on_floats(elementwise.cosh, "cosh", "The hyperbolic cosine of x")
tanh = on_floats(elementwise.tanh, "tanh", "The hyperbolic tangent of x")
arcsinh = on_floats(elementwise.asinh, "arcsinh", "The inverse hyperbolic sine of x")
arccosh = on_floats(elementwise.acosh, "arccosh", "The inverse hyperbolic cosine of x")
arctanh = on_floats(elementwise.atanh, "arctanh", "The inverse hyperbolic tangent of x")
sigmoid = on_floats(elementwise.sigmoid, "sigmoid", "1 / (1 + e^-x)")
floor = on_floats(elementwise.floor, "floor", "The largest integer that is not above x")
ceil = on_floats(elementwise.ceil, "ceil", "The smallest integer that is not below x")
deg2rad = on_floats(lambda x: x * (pi / 180), "deg2rad", "Degrees as radians")
rad2deg = on_floats(lambda x: x * (180 / pi), "rad2deg", "Radians as degrees")


def round(x, decimals=0):
    """x rounded to so many decimals, halves to the even neighbour."""
    if not decimals:
        return elementwise.round(x)
    factor = 10.0**decimals
    return elementwise.round(as_float(x) * factor) / factor


def clip(x, x_min, x_max):
    """x, but not below ``x_min`` and not above ``x_max``."""
    return arithmetic.minimum(*promoted(arithmetic.maximum(*promoted(x, x_min)), x_max))


def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    """x with numbers in the place of NaN and infinities: by default 0, and the largest ones of the dtype."""
    x = as_tensor(x)
    if dtype_of(x).kind in "iub":
        return x
    limits = as_dtype(dtype_of(x))
    x = where_of(comparison.is_nan(x), as_tensor(nan, x.dtype), x)
    for bad, value in ((float("inf"), limits.max if posinf is None else posinf),
                       (float("-inf"), limits.min if neginf is None else neginf)):  # fmt: skip
        x = where_of(comparison.equal(x, as_tensor(bad, x.dtype)), as_tensor(value, x.dtype), x)
    return x


# --- Of two tensors -----------------------------------------------------------------------------------------

add = on_two(arithmetic.add, "add", "x1 + x2")
subtract = on_two(arithmetic.subtract, "subtract", "x1 - x2")
multiply = on_two(arithmetic.multiply, "multiply", "x1 x2")
power = on_two(arithmetic.pow, "power", "x1 to the power x2")
mod = on_two(arithmetic.floormod, "mod", "What is left of x1 divided by x2, with the sign of x2")
floor_divide = on_two(arithmetic.floordiv, "floor_divide", "x1 / x2 rounded down")
maximum = on_two(arithmetic.maximum, "maximum", "The larger one")
minimum = on_two(arithmetic.minimum, "minimum", "The smaller one")
divide_no_nan = on_two(arithmetic.divide_no_nan, "divide_no_nan", "x1 / x2, and 0 where x2 is 0")
equal = on_two(comparison.equal, "equal", "Whether x1 = x2")
not_equal = on_two(comparison.not_equal, "not_equal", "Whether x1 and x2 differ")
less = on_two(comparison.less, "less", "Whether x1 < x2")
less_equal = on_two(comparison.less_equal, "less_equal", "Whether x1 <= x2")
greater = on_two(comparison.greater, "greater", "Whether x1 > x2")
greater_equal = on_two(comparison.greater_equal, "greater_equal", "Whether x1 >= x2")
arctan2 = on_two(
    lambda y, x: elementwise.atan2(as_float(y), as_float(x)), "arctan2", "The angle of the point (x2, x1)"
)


def divide(x1, x2):
    """x1 / x2, of floating-point numbers."""
    a, b = promoted(x1, x2)
    return arithmetic.truediv(as_float(a), as_float(b))


def logaddexp(x1, x2):
    """log(e^x1 + e^x2), without overflow."""
    a, b = (as_float(x) for x in promoted(x1, x2))
    return arithmetic.maximum(a, b) + elementwise.log1p(elementwise.exp(-elementwise.abs(a - b)))


def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether ``abs(x1 - x2) <= atol + rtol * abs(x2)``, elementwise."""
    a, b = (as_float(x) for x in promoted(x1, x2))
    close = (elementwise.abs(a - b) <= atol + rtol * elementwise.abs(b)) | comparison.equal(a, b)
    return close | (comparison.is_nan(a) & comparison.is_nan(b)) if equal_nan else close


def allclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether `isclose` holds for all elements."""
    return reduction.reduce_all(isclose(x1, x2, rtol, atol, equal_nan))


# --- Reductions ---------------------------------------------------------------------------------------------

sum = on_axes(reduction.reduce_sum, "sum", "The sum")
mean = on_axes(reduction.reduce_mean, "mean", "The mean", floats=True)
std = on_axes(reduction.reduce_std, "std", "The standard deviation", floats=True)
var = on_axes(reduction.reduce_variance, "var", "The variance", floats=True)
logsumexp = on_axes(reduction.reduce_logsumexp, "logsumexp", "log(sum(e^x))", floats=True)


def max(x, axis=None, keepdims=False, initial=None):
    """The largest element along ``axis``, or of all; at least ``initial``."""
    y = reduction.reduce_max(as_tensor(x), axis, keepdims)
    return y if initial is None else maximum(y, initial)


def min(x, axis=None, keepdims=False, initial=None):
    """The smallest element along ``axis``, or of all; at most ``initial``."""
    y = reduction.reduce_min(as_tensor(x), axis, keepdims)
    return y if initial is None else minimum(y, initial)


def prod(x, axis=None, keepdims=False, dtype=None):
    """The product along ``axis``, or of all elements."""
    x = as_tensor(x)
    return reduction.reduce_prod(x if dtype is None else cast(x, dtype), axis, keepdims)


def all(x, axis=None, keepdims=False):
    """Whether all elements along ``axis`` are true (other than 0)."""
    return reduction.reduce_all(cast(x, "bool"), axis, keepdims)


def any(x, axis=None, keepdims=False):
    """Whether one element along ``axis`` is true (other than 0)."""
    return reduction.reduce_any(cast(x, "bool"), axis, keepdims)


def argmax(x, axis=None, keepdims=False):
    """The place of the largest element along ``axis``; of all elements in a row by default."""
    return _place(reduction.argmax, x, axis, keepdims)


def argmin(x, axis=None, keepdims=False):
    """The place of the smallest element along ``axis``; of all elements in a row by default."""
    return _place(reduction.argmin, x, axis, keepdims)


def _place(function: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    x = as_tensor(x)
    if axis is not None:
        y = function(x, axis, int32)
        return y if not keepdims else expand_dims(y, axis)
    y = function(reshape(x, [-1]), 0, int32)
    return reshape(y, [1] * len(shape_of(x))) if keepdims else y


def count_nonzero(x, axis=None):
    """How many elements along ``axis`` are not 0."""
    return reduction.count_nonzero(x, axis, dtype=int32)


def cumsum(x, axis=None, dtype=None):
    """The sums of the first elements along ``axis``; of all elements in a row by default."""
    return _running(cumsum_along, x, axis, dtype)


def cumprod(x, axis=None, dtype=None):
    """The products of the first elements along ``axis``; of all elements in a row by default."""
    return _running(cumprod_along, x, axis, dtype)


def _running(function: Any, x: Any, axis: Any, dtype: Any) -> Any:
    x = as_tensor(x) if dtype is None else cast(x, dtype)
    return function(reshape(x, [-1]), 0) if axis is None else function(x, axis)


def average(x, axis=None, weights=None):
    """The mean along ``axis``, with weights if they are given."""
    if weights is None:
        return mean(x, axis)
    a, w = (as_float(v) for v in promoted(x, weights))
    if axis is not None and len(shape_of(w)) < len(shape_of(a)):
        w = reshape(w, [-1 if i == axis % len(shape_of(a)) else 1 for i in range(len(shape_of(a)))])
    return sum(a * w, axis) / sum(w + 0.0 * a, axis)


def median(x, axis=None, keepdims=False):
    """The middle element along ``axis``, or the mean of the two in the middle."""
    x = as_float(x)
    rank = len(shape_of(x))
    y = sort(reshape(x, [-1]) if axis is None else x, -1 if axis is None else axis)
    at = 0 if axis is None else axis % rank
    n = shape_of(y)[at] or shape_of_tensor(y)[at]
    front = (slice(None),) * at
    middle = (y[(*front, (n - 1) // 2)] + y[(*front, n // 2)]) / 2
    if not keepdims:
        return middle
    return reshape(middle, [1] * rank) if axis is None else expand_dims(middle, axis)
