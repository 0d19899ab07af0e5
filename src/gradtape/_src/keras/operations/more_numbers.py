"""More of NumPy's elementwise functions and reductions in `tf.keras.ops`: bits, rounding, NaN-aware, statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import arithmetic, bitwise, comparison, elementwise, special
from gradtape._src.api import complex as complex_numbers
from gradtape._src.api.arrays import reshape
from gradtape._src.api.bessel import bessel_i0
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import ones_like, zeros_like
from gradtape._src.api.products import tensordot
from gradtape._src.api.selection import where
from gradtape._src.api.sorting import sort
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.operations import numbers, shapes
from gradtape._src.keras.operations.promotion import as_float, named, on_floats, on_two, promoted

_LOG2 = float(np.log(2))

# --- Of one tensor ------------------------------------------------------------------------------------------

erfc = on_floats(special.erfc, "erfc", "1 - erf(x)")
erfinv = on_floats(special.erfinv, "erfinv", "The inverse of erf")
i0 = on_floats(bessel_i0, "i0", "The modified Bessel function of order 0")
fabs = on_floats(elementwise.abs, "fabs", "abs(x)")
cbrt = on_floats(
    lambda x: elementwise.sign(x) * arithmetic.pow(elementwise.abs(x), as_tensor(1 / 3, x.dtype)),
    "cbrt",
    "The cube root of x",
)
trunc = on_floats(
    lambda x: elementwise.sign(x) * elementwise.floor(elementwise.abs(x)), "trunc", "x without its decimals"
)
angle = on_floats(complex_numbers.angle, "angle", "The angle of a complex number")


def sinc(x):
    """sin(πx) / (πx), and 1 where x is 0."""
    x = as_float(x) * np.pi
    nothing = comparison.equal(x, zeros_like(x))
    safe = where(nothing, ones_like(x), x)
    return where(nothing, ones_like(x), elementwise.sin(safe) / safe)


def signbit(x):
    """Whether x is below 0, or -0."""
    x = as_tensor(x)
    if dtype_of(x).kind in "ub":
        return cast(zeros_like(x), "bool")
    if dtype_of(x).kind == "i":
        return comparison.less(x, zeros_like(x))
    # -0 differs from 0 only by where it lies as a second coordinate.
    return comparison.less(elementwise.atan2(x, -ones_like(x)), zeros_like(x))


def isposinf(x):
    """Whether x is infinity."""
    x = as_float(x)
    return comparison.equal(x, as_tensor(float("inf"), x.dtype))


def isneginf(x):
    """Whether x is minus infinity."""
    x = as_float(x)
    return comparison.equal(x, as_tensor(float("-inf"), x.dtype))


def isreal(x):
    """Whether x has no imaginary part."""
    x = as_tensor(x)
    if dtype_of(x).kind != "c":
        return cast(ones_like(x), "bool")
    part = complex_numbers.imag(x)
    return comparison.equal(part, zeros_like(part))


# --- Of two tensors -----------------------------------------------------------------------------------------

nextafter = on_two(elementwise.nextafter, "nextafter", "The number next to x1 towards x2")
fmod = on_two(arithmetic.truncatemod, "fmod", "What is left of x1 divided by x2, with the sign of x1")


def _on_bits(function: Any, name: str, text: str) -> Any:
    def operation(x, y):
        return function(*promoted(x, y))

    return named(operation, name, f"{text}, elementwise, of integers. As Keras 3.")


bitwise_and = _on_bits(bitwise.bitwise_and, "bitwise_and", "The bits that both have")
bitwise_or = _on_bits(bitwise.bitwise_or, "bitwise_or", "The bits that one has")
bitwise_xor = _on_bits(bitwise.bitwise_xor, "bitwise_xor", "The bits that only one has")
bitwise_left_shift = _on_bits(bitwise.left_shift, "bitwise_left_shift", "x times 2^y")
bitwise_right_shift = _on_bits(bitwise.right_shift, "bitwise_right_shift", "x divided by 2^y")


def bitwise_invert(x):
    """The bits that x does not have."""
    return bitwise.invert(as_tensor(x))


def _without_nan(choose: Any, name: str, text: str) -> Any:
    def operation(x1, x2):
        a, b = promoted(x1, x2)
        if dtype_of(a).kind in "iub":
            return choose(a, b)
        return where(comparison.is_nan(a), b, where(comparison.is_nan(b), a, choose(a, b)))

    return named(operation, name, f"{text}, elementwise; where one is NaN, the other. As Keras 3.")


fmax = _without_nan(arithmetic.maximum, "fmax", "The larger one")
fmin = _without_nan(arithmetic.minimum, "fmin", "The smaller one")


def hypot(x1, x2):
    """sqrt(x1² + x2²), without overflow."""
    a, b = (elementwise.abs(as_float(x)) for x in promoted(x1, x2))
    large, small = arithmetic.maximum(a, b), arithmetic.minimum(a, b)
    ratio = arithmetic.divide_no_nan(small, large)
    return large * elementwise.sqrt(1.0 + ratio * ratio)


def heaviside(x1, x2):
    """0 below 0, 1 above, and x2 at 0."""
    a, b = (as_float(x) for x in promoted(x1, x2))
    step = cast(comparison.greater(a, zeros_like(a)), a.dtype)
    return where(comparison.equal(a, zeros_like(a)), b + zeros_like(a), step + zeros_like(b))


def ldexp(x1, x2):
    """x1 times 2^x2."""
    x = as_float(x1)
    return x * arithmetic.pow(as_tensor(2, x.dtype), cast(x2, x.dtype))


def logaddexp2(x1, x2):
    """log2(2^x1 + 2^x2), without overflow."""
    a, b = (as_float(x) * _LOG2 for x in promoted(x1, x2))
    return numbers.logaddexp(a, b) / _LOG2


def inner(x1, x2):
    """The sums over the last axes of both."""
    a, b = promoted(x1, x2)
    if not shape_of(a) or not shape_of(b):
        return a * b
    return tensordot(a, b, [[-1], [-1]])


def vdot(x1, x2):
    """The sum of products of all elements, of the first one's conjugates."""
    a, b = promoted(x1, x2)
    return tensordot(complex_numbers.conj(reshape(a, [-1])), reshape(b, [-1]), 1)


def digitize(x, bins):
    """How many of the increasing ``bins`` are not above each element."""
    x, edges = promoted(x, bins)
    return numbers.sum(cast(comparison.greater_equal(shapes.expand_dims(x, -1), edges), int32), axis=-1)


def isin(x1, x2, assume_unique=False, invert=False):
    """Whether each element of x1 is among those of x2."""
    a, b = promoted(x1, x2)
    found = numbers.any(comparison.equal(shapes.expand_dims(a, -1), reshape(b, [-1])), axis=-1)
    return comparison.logical_not(found) if invert else found


# --- Reductions ---------------------------------------------------------------------------------------------


def _filled(x: Any, value: Any) -> Any:
    x = as_tensor(x)
    if dtype_of(x).kind in "iub":
        return x
    return where(comparison.is_nan(x), as_tensor(value, x.dtype), x)


def _ignoring(function: Any, value: float, name: str, text: str) -> Any:
    def operation(x, axis=None, keepdims=False):
        return function(_filled(x, value), axis=axis, keepdims=keepdims)

    return named(operation, name, f"{text} along ``axis``, or of all elements, without those that are NaN.")


nansum = _ignoring(numbers.sum, 0.0, "nansum", "The sum")
nanprod = _ignoring(numbers.prod, 1.0, "nanprod", "The product")
nanargmax = _ignoring(numbers.argmax, float("-inf"), "nanargmax", "The place of the largest element")
nanargmin = _ignoring(numbers.argmin, float("inf"), "nanargmin", "The place of the smallest element")


def _only_nan_is_nan(function: Any, value: float, name: str, text: str) -> Any:
    def operation(x, axis=None, keepdims=False):
        x = as_tensor(x)
        found = function(_filled(x, value), axis=axis, keepdims=keepdims)
        if dtype_of(x).kind in "iub":
            return found
        nothing = numbers.all(comparison.is_nan(x), axis=axis, keepdims=keepdims)
        return where(nothing, as_tensor(float("nan"), found.dtype), found)

    return named(operation, name, f"{text} along ``axis``, or of all elements, without those that are NaN.")


nanmax = _only_nan_is_nan(numbers.max, float("-inf"), "nanmax", "The largest element")
nanmin = _only_nan_is_nan(numbers.min, float("inf"), "nanmin", "The smallest element")


def nanmean(x, axis=None, keepdims=False):
    """The mean along ``axis``, or of all elements, of those that are not NaN."""
    x = as_float(x)
    there = cast(comparison.logical_not(comparison.is_nan(x)), x.dtype)
    return nansum(x, axis, keepdims) / numbers.sum(there, axis=axis, keepdims=keepdims)


def nanvar(x, axis=None, keepdims=False):
    """The variance along ``axis``, or of all elements, of those that are not NaN."""
    x = as_float(x)
    return nanmean(numbers.power(x - nanmean(x, axis, True), 2), axis, keepdims)


def nanstd(x, axis=None, keepdims=False):
    """The standard deviation along ``axis``, or of all elements, of those that are not NaN."""
    return elementwise.sqrt(nanvar(x, axis, keepdims))


def nancumsum(x, axis=None, dtype=None):
    """The sums of the first elements along ``axis``, of those that are not NaN."""
    return numbers.cumsum(_filled(x, 0.0), axis, dtype)


def nancumprod(x, axis=None, dtype=None):
    """The products of the first elements along ``axis``, of those that are not NaN."""
    return numbers.cumprod(_filled(x, 1.0), axis, dtype)


def ptp(x, axis=None, keepdims=False):
    """The largest element less the smallest."""
    return numbers.max(x, axis, keepdims) - numbers.min(x, axis, keepdims)


def quantile(x, q, axis=None, method="linear", keepdims=False):
    """What the share q of the elements along ``axis`` is not above; between two elements as ``method`` says.

    The methods are linear, lower, higher, nearest and midpoint. Where q is a vector, its axis comes first.
    """
    x, q = as_float(x), np.asarray(q, float)
    axes = list(range(len(shape_of(x)))) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    axes = [a % len(shape_of(x)) for a in axes]
    kept = [a for a in range(len(shape_of(x))) if a not in axes]
    flat = reshape(shapes.transpose(x, kept + axes), [*(shape_of(x)[a] for a in kept), -1])
    rows = sort(flat, -1)
    n = shape_of(rows)[-1]
    found = shapes.stack([_between(rows, at, method) for at in (q.ravel() * (n - 1)).tolist()], axis=0)
    if keepdims:
        found = reshape(found, [q.size, *(1 if a in axes else size for a, size in enumerate(shape_of(x)))])
    return reshape(found, [*q.shape, *shape_of(found)[1:]])


def _between(rows: Any, at: float, method: str) -> Any:
    low, high = int(np.floor(at)), int(np.ceil(at))
    share = {
        "linear": at - low, "lower": 0.0, "higher": 1.0, "midpoint": 0.5 * (high - low),
        "nearest": float(np.round(at) - low),
    }[method]  # fmt: skip
    return rows[..., low] + share * (rows[..., high] - rows[..., low])


def percentile(x, q, axis=None, method="linear", keepdims=False):
    """`quantile` of q per cent."""
    return quantile(x, np.asarray(q, float) / 100, axis, method, keepdims)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by the trapezoidal rule."""
    y = shapes.moveaxis(as_float(y), axis, -1)
    width = dx if x is None else as_float(x)[..., 1:] - as_float(x)[..., :-1]
    return numbers.sum((y[..., 1:] + y[..., :-1]) * 0.5 * width, axis=-1)


def corrcoef(x):
    """The correlations of the rows."""
    x = as_float(x)
    x = x - numbers.mean(x, axis=-1, keepdims=True)
    products = tensordot(x, x, [[-1], [-1]])
    scale = elementwise.sqrt(numbers.sum(x * x, axis=-1))
    if not shape_of(scale):
        return products / (scale * scale)
    return products / (shapes.expand_dims(scale, -1) * shapes.expand_dims(scale, -2))


def in_top_k(targets, predictions, k):
    """Whether the prediction of each target is among the k largest of its row."""
    targets, predictions = as_tensor(targets), as_tensor(predictions)
    own = shapes.take_along_axis(predictions, shapes.expand_dims(cast(targets, int32), -1), axis=-1)
    return comparison.less(numbers.sum(cast(comparison.greater(predictions, own), int32), axis=-1), k)
