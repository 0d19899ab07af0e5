"""Functions of one number (roots, logarithms, trigonometry, sigmoids), and the larger and smaller of two.

A rule reads the output where that saves work, or digits: near an end of the domain sinh(acosh x) is exact
where sqrt(x*x - 1) has lost half of them. At the end itself a slope is infinite, and absorbing arithmetic
keeps a zero cotangent zero there: rules need no case for it, as long as they multiply and divide with
operators.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT, INT, constant
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.complex import absolute
from gradtape._src.ops.division import not_zero, xdivy

CONTINUOUS = f"{FLOAT} {COMPLEX}"


def rounded_once(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel of several steps, which computes half precision in float32 and rounds at the end."""

    @wraps(kernel)
    def wide(*xs: Any) -> Any:
        if xs[0].dtype.itemsize == 2:
            return kernel(*[x.astype(np.float32) for x in xs]).astype(xs[0].dtype)
        return kernel(*xs)

    return wide


def _unary(name: str, kernel: Any, vjp: Any, reads: str, accepts: str = CONTINUOUS) -> Unary:
    return Unary(name, kernel, vjp=vjp, reads=reads, elementwise=True, accepts=accepts)


# --- Roots, exponentials, logarithms ------------------------------------------------------------------------

sqrt = _unary("Sqrt", np.sqrt, lambda g, y, x: g / (y + y), "y")

rsqrt = _unary(
    "Rsqrt",
    rounded_once(lambda x: np.reciprocal(np.sqrt(x))),
    lambda g, y, x: g * (y * y * y) * -0.5,
    "y",
)

reciprocal = _unary("Reciprocal", np.reciprocal, lambda g, y, x: -(g * y * y), "y")

exp = _unary("Exp", np.exp, lambda g, y, x: g * y, "y")
expm1 = _unary(
    "Expm1", np.expm1, lambda g, y, x: g * exp(x), "x"
)  # y + 1 would lose the digits of a small e^x
log = _unary("Log", np.log, lambda g, y, x: g / x, "x")
log1p = _unary("Log1p", np.log1p, lambda g, y, x: g / (x + 1), "x")


# --- Trigonometric and hyperbolic functions -----------------------------------------------------------------

sin = _unary("Sin", np.sin, lambda g, y, x: g * cos(x), "x")
cos = _unary("Cos", np.cos, lambda g, y, x: -(g * sin(x)), "x")
tan = _unary("Tan", np.tan, lambda g, y, x: g + g * (y * y), "y")
asin = _unary("Asin", np.arcsin, lambda g, y, x: g / _leg(x), "x")
acos = _unary("Acos", np.arccos, lambda g, y, x: -g / _leg(x), "x")
atan = _unary("Atan", np.arctan, lambda g, y, x: g / (x * x + 1), "x")


def _leg(x: Any) -> Any:
    """sqrt(1 - x²): the other leg of a right triangle of hypotenuse 1."""
    return sqrt((1 - x) * (1 + x))


sinh = _unary("Sinh", np.sinh, lambda g, y, x: g * cosh(x), "x")
cosh = _unary("Cosh", np.cosh, lambda g, y, x: g * sinh(x), "x")
tanh = _unary("Tanh", np.tanh, lambda g, y, x: g - g * (y * y), "y")
asinh = _unary("Asinh", np.arcsinh, lambda g, y, x: g / cosh(y), "y")
acosh = _unary("Acosh", np.arccosh, lambda g, y, x: g / sinh(y), "y")
atanh = _unary("Atanh", np.arctanh, lambda g, y, x: g / ((1 - x) * (1 + x)), "x")

atan2 = Binary(
    "Atan2",
    np.arctan2,
    vjp=(
        lambda g, z, y, x: g * (x / radius(y, x)) / radius(y, x),
        lambda g, z, y, x: -(g * (y / radius(y, x)) / radius(y, x)),
    ),
    reads=("y x", "y x"),
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""The angle of the point (x, y). Its slopes are x / r² and -y / r², where r² itself may overflow."""

radius = Binary(
    "Radius",
    np.hypot,
    vjp=(lambda g, r, y, x: g * (y / r), lambda g, r, y, x: g * (x / r)),
    reads=("r y", "r x"),
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""sqrt(x² + y²), without overflow."""


# --- Sigmoids -----------------------------------------------------------------------------------------------


@rounded_once
def _sigmoid(x: Any) -> Any:
    if x.dtype.kind == "c":  # the quotient of exponentials would be inf / inf
        return np.tanh(x * 0.5) * 0.5 + 0.5
    one = constant(1, x.dtype)
    return one / (one + np.exp(-x))


sigmoid = _unary("Sigmoid", _sigmoid, lambda g, y, x: g * (y - y * y), "y")

softplus = _unary(
    "Softplus",
    rounded_once(lambda x: np.logaddexp(x, constant(0, x.dtype))),
    lambda g, y, x: g * sigmoid(x),
    "x",
    FLOAT,
)
"""log(1 + e^x)"""


@rounded_once
def _softsign(x: Any) -> Any:
    return x / (np.abs(x) + constant(1, x.dtype))


def _softsign_rule(g: Any, y: Any, x: Any) -> Any:
    root = absolute(x) + 1
    return g / (root * root)


softsign = _unary("Softsign", _softsign, _softsign_rule, "x", FLOAT)
"""x / (1 + |x|)"""


# --- The larger and the smaller of two ----------------------------------------------------------------------

_two_numbers = {"elementwise": True, "accepts": f"{FLOAT} {INT}", "same_dtype": True}

maximum = Binary(
    "Maximum",
    np.maximum,
    vjp=(lambda g, y, a, b: where_ge(g, a, b), lambda g, y, a, b: where_not_ge(g, a, b)),
    reads=("a b", "a b"),
    **_two_numbers,
)
"""NaN if one of them is. Of equals the first is taken."""

minimum = Binary(
    "Minimum",
    np.minimum,
    vjp=(lambda g, y, a, b: where_ge(g, b, a), lambda g, y, a, b: where_not_ge(g, b, a)),
    reads=("a b", "a b"),
    **_two_numbers,
)


def _kept(g: Any, mask: Any) -> Any:
    """g where the mask is, and 0 elsewhere."""
    if mask.shape != g.shape or not g.shape:
        return np.where(mask, g, constant(0, g.dtype))
    out = np.zeros(g.shape, g.dtype)  # half the time of np.where for a small array
    np.copyto(out, g, where=mask)
    return out


def _selection(name: str, compare: Callable[[Any, Any], Any]) -> Op:
    op = Op(
        name,
        lambda g, a, b: _kept(g, compare(a, b)),
        vjp=(lambda h, y, g, a, b: op(h, a, b), None, None),
        reads="a b",
        elementwise=True,
        linear=(0,),
    )
    return op


where_ge = _selection("WhereGreaterEqual", np.greater_equal)
"""g where a >= b, and 0 elsewhere."""

where_not_ge = _selection("WhereNotGreaterEqual", lambda a, b: ~np.greater_equal(a, b))
"""g where not a >= b: where where_ge has 0. NaN belongs here."""


# --- Products with a logarithm, 0 where the factor is 0 -----------------------------------------------------


def _times(f: Any) -> Any:
    """The kernel of x f(y) that is 0 where x is 0, whatever f(y) is."""

    def kernel(x: Any, y: Any) -> Any:
        gone = x == 0
        return np.where(gone, constant(0, x.dtype), x * f(np.where(gone, constant(1, y.dtype), y)))

    return rounded_once(kernel)


xlogy = Binary(
    "Xlogy",
    _times(np.log),
    vjp=(lambda g, z, x, y: g * xlogy(not_zero(x), y), lambda g, z, x, y: g * xdivy(x, y)),
    reads=("x y", "x y"),
    elementwise=True,
    accepts=CONTINUOUS,
    same_dtype=True,
)
"""x log y"""

xlog1py = Binary(
    "Xlog1py",
    _times(np.log1p),
    vjp=(lambda g, z, x, y: g * xlog1py(not_zero(x), y), lambda g, z, x, y: g * xdivy(x, y + 1)),
    reads=("x y", "x y"),
    elementwise=True,
    accepts=CONTINUOUS,
    same_dtype=True,
)
"""x log(1 + y)"""


# --- Steps: no derivative -----------------------------------------------------------------------------------


def _step(name: str, kernel: Any, accepts: str = FLOAT) -> Unary:
    return Unary(name, kernel, elementwise=True, accepts=accepts)


floor = _step("Floor", np.floor)
ceil = _step("Ceil", np.ceil)
rint = _step("Rint", np.rint)
round_half_even = _step("Round", np.rint)


nextafter = Binary(
    "NextAfter",
    np.nextafter,
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: zeros_like(g)),
    reads="",
    elementwise=True,
    accepts="float32 float64",
    same_dtype=True,
)
"""The next number of the dtype after a, on the way to b."""
