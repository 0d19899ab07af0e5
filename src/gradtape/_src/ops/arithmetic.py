"""The arithmetic that every rule is written in, + - * / **, and its absorbing form.

In absorbing arithmetic zero times anything is zero, and so is zero divided by anything. It serves the sweep's
second attempt, after a NaN: see ``autodiff/sweep.py``. Division in its other senses is in
``ops/division.py``.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nan import has_nan
from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.core.shapes import in_brackets, merge
from gradtape._src.core.values import shape_of

# Dtypes, for ``accepts``.
FLOAT = "bfloat16 float16 float32 float64"
COMPLEX = "complex64 complex128"
SIGNED = "int8 int16 int32 int64"
INT = f"{SIGNED} uint8 uint16 uint32 uint64"
NUMBER = f"{FLOAT} {INT} {COMPLEX}"


@lru_cache(1024)
def constant(value: float, dtype: np.dtype) -> np.ndarray:
    """A number as an array: NumPy takes it in half the time that a Python number needs."""
    return np.array(value, dtype)


def bilinear(name: str, kernel: Any, vjp: tuple[Any, ...], *, kind: type[Op] = Op, **rules: Any) -> Op:
    """An operation that is linear in each of its first two inputs, and its absorbing form.

    Further inputs say no more than a shape. In the absorbing form, results that owe a NaN to terms with a
    zero factor only are those of the finite factors.
    """

    def absorbed(a: Any, b: Any, *rest: Any, **params: Any) -> Any:
        y = kernel(a, b, *rest, **params)
        if not has_nan(y):
            return y
        a_bad, b_bad = ~np.isfinite(a), ~np.isfinite(b)
        count = lambda p, q: kernel(p.astype(np.float32), q.astype(np.float32), *rest, **params)
        genuine = count(a_bad, b != 0) + count(a != 0, b_bad) > 0
        return np.where(genuine, y, kernel(_without(a, a_bad), _without(b, b_bad), *rest, **params))

    rules = {"vjp": vjp, "multilinear": (0, 1), "reads": ("b", "a"), **rules}
    return kind(name, kernel, absorbing=kind(name + "Absorbing", absorbed, **rules), **rules)


def _without(x: Any, bad: Any) -> Any:
    return np.where(bad, x.dtype.type(0), x)


add = Binary(
    "AddV2",
    np.add,
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: g),
    reads="",
    elementwise=True,
    linear=(0, 1),
    accepts=NUMBER,
    same_dtype=True,
)

subtract = Binary(
    "Sub",
    np.subtract,
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: -g),
    reads="",
    elementwise=True,
    linear=(0, 1),
    accepts=NUMBER,
    same_dtype=True,
)

multiply = bilinear(
    "Mul",
    np.multiply,
    vjp=(lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
    kind=Binary,
    elementwise=True,
    accepts=NUMBER,
    same_dtype=True,
)

_divide_rules = {
    "vjp": (lambda g, y, a, b: g / b, lambda g, y, a, b: -(g * y) / b),
    "reads": ("b", "y b"),
    "elementwise": True,
    "accepts": f"{FLOAT} {COMPLEX}",
    "same_dtype": True,
}


def _divide_absorbing(a: Any, b: Any) -> Any:
    y = np.divide(a, b)
    return np.where(a == 0, a.dtype.type(0), y) if has_nan(y) else y


real_divide = Binary(
    "RealDiv",
    np.divide,
    absorbing=Binary("RealDivAbsorbing", _divide_absorbing, **_divide_rules),
    **_divide_rules,
)

negative = Unary(
    "Neg",
    np.negative,
    vjp=lambda g, y, x: -g,
    reads="",
    elementwise=True,
    linear=(0,),
    accepts=f"{FLOAT} {SIGNED} {COMPLEX}",
    takes_slices=True,
    holomorphic=False,  # a real factor: nothing to conjugate
)

square = Unary(
    "Square", np.square, vjp=lambda g, y, x: g * (x + x), reads="x", elementwise=True, accepts=NUMBER
)

squared_difference = Binary(
    "SquaredDifference",
    lambda a, b: np.square(a - b),
    vjp=(lambda g, y, a, b: _twice(g, a - b), lambda g, y, a, b: _twice(g, b - a)),
    reads=("a b", "a b"),
    elementwise=True,
    accepts=f"{FLOAT} int32 int64",
    same_dtype=True,
)
"""(a - b)² of real numbers; see ``complex_squared_difference``."""


def _twice(g: Any, d: Any) -> Any:
    return g * (d + d)


# --- Powers -------------------------------------------------------------------------------------------------

# Whole exponents that are common: faster than pow, and exact where the result is.
_POWERS = {
    0: lambda a: np.ones(a.shape, a.dtype),
    1: lambda a: a,
    2: np.square,
    3: lambda a: a * a * a,
    4: lambda a: np.square(np.square(a)),
}


def _power(a: Any, b: Any) -> Any:
    if b.ndim == 0 and (whole := _POWERS.get(b.item())) is not None:
        return whole(a)
    if a.dtype.kind in "iu" and (b < 0).any():
        raise InvalidArgumentError.of(
            "Integers to negative integer powers are not allowed [Op:Pow]. "
            "Use tf.cast to convert to floating point first."
        )
    return np.power(a, b)


power = Binary(
    "Pow",
    _power,
    vjp=(lambda g, y, a, b: g * power_slope(a, b), lambda g, y, a, b: g * (y * log_or_zero(a))),
    reads=("a b", "y a"),
    elementwise=True,
    accepts=f"{FLOAT} {SIGNED} {COMPLEX}",
    same_dtype=True,
)

_SLOPES = {
    0: lambda a: np.zeros(a.shape, a.dtype),
    1: lambda a: np.ones(a.shape, a.dtype),
    2: lambda a: a + a,
}


def _power_slope(a: Any, b: Any) -> Any:
    if b.ndim == 0:
        slope = _SLOPES.get(b.item())
        return b * _power(a, b - constant(1, b.dtype)) if slope is None else slope(a)
    return np.where(b == 0, b.dtype.type(0), b * np.power(a, b - constant(1, b.dtype)))


power_slope = Binary(
    "PowSlope",
    _power_slope,
    vjp=(
        lambda g, y, a, b: g * (b * power_slope(a, b - 1)),
        lambda g, y, a, b: g * (power(a, b - 1) * (b * log_or_zero(a) + 1)),
    ),
    reads=("a b", "a b"),
    elementwise=True,
    same_dtype=True,
)
"""b a^(b-1), the slope of a^b in a; 0 for b = 0, at a = 0 too: no derivative of a polynomial is singular."""


def _log_or_zero(x: Any) -> Any:
    ok = x > 0 if x.dtype.kind != "c" else x != 0
    if ok.all():
        return np.log(x)
    return np.where(ok, np.log(np.where(ok, x, x.dtype.type(1))), x.dtype.type(0))


log_or_zero = Unary("LogOrZero", _log_or_zero, vjp=lambda g, y, x: g / x, reads="x", elementwise=True)
"""log x, and 0 where x is not positive: the slope of x**p in p, where 0**p stays 0."""


# --- Sums of many -------------------------------------------------------------------------------------------


def _add_n(*xs: Any) -> Any:
    for i, x in enumerate(xs):
        if x.shape != xs[0].shape:
            raise InvalidArgumentError.of(
                f"Inputs to operation AddN must have the same size and shape.  Input 0: "
                f"{in_brackets(xs[0].shape)} != input {i}: {in_brackets(x.shape)} [Op:AddN]"
            )
    return reduce(np.add, xs)


add_n = Op(
    "AddN",
    _add_n,
    vjp_all=lambda wanted, g, y, *xs: [g if want else None for want in wanted],
    reads="",
    jvp=lambda ts, y, *xs: reduce(add, [t for t in ts if t is not None]),
    batch=lambda n, xs, batched: reduce(add, xs),
    shape=lambda *xs: reduce(merge, map(shape_of, xs)),
    accepts=NUMBER,
    same_dtype=True,
)
"""The sum of any number of arrays of one shape."""
