"""Division in other senses than a / b: of integers, rounded, with remainder, and without NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands
from gradtape._src.core.dtypes import from_numpy, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Unary
from gradtape._src.core.values import EagerTensor, dtype_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT, INT, constant, real_divide

_CONTINUOUS = f"{FLOAT} {COMPLEX}"


# --- a / b of any numbers -----------------------------------------------------------------------------------


def _quotient_dtype(a: Any, b: Any) -> np.dtype:
    return np.dtype(np.float32 if dtype_of(a).itemsize <= 2 else np.float64)


def _integer_quotient(a: Any, b: Any) -> Any:
    dtype = _quotient_dtype(a, b)
    return np.divide(a.astype(dtype), b.astype(dtype))


integer_quotient = Binary(
    "IntegerQuotient",
    _integer_quotient,
    dtype=_quotient_dtype,
    elementwise=True,
    accepts=INT,
    same_dtype=True,
)
"""a / b of integers, in float32 if they have 8 or 16 bits and in float64 else. It has no derivative."""

integer_divide_no_nan = Binary(
    "IntegerDivideNoNan",
    lambda a, b: np.where(
        b == 0, _zero_quotient(a), _integer_quotient(a, np.where(b == 0, b.dtype.type(1), b))
    ),
    dtype=_quotient_dtype,
    elementwise=True,
    accepts=INT,
    same_dtype=True,
)
"""Likewise, and 0 where b = 0."""


def _zero_quotient(a: Any) -> Any:
    return constant(0, _quotient_dtype(a, a))


def true_divide(x: Any, y: Any, name: str | None = None) -> Any:
    """What ``/`` means for tensors: a quotient of numbers of one dtype, of integers in floating point."""
    if type(x) is not EagerTensor or type(y) is not EagerTensor:
        x, y = as_operands(x, y)
    return divide_op(x, y).of(x, y, name)


def divide_op(x: Any, y: Any) -> Binary:
    """The operation that divides operands of one dtype; TypeError if they have two, or are no numbers."""
    a, b = dtype_of(x), dtype_of(y)
    if a != b:
        raise TypeError(
            f"`x` and `y` must have the same dtype, got {from_numpy(a)!r} != {from_numpy(b)!r}. "
            "Use tf.cast to convert one of them."
        )
    if is_integer_np(a):
        return integer_quotient
    if a.num not in real_divide.accepts:
        raise TypeError(f"Invalid dtype {from_numpy(a)!r} in a division. Expected a number.")
    return real_divide  # type: ignore[return-value]


# --- No NaN -------------------------------------------------------------------------------------------------


def _zero(x: Any) -> Any:
    return constant(0, x.dtype)


def _divide_no_nan(a: Any, b: Any) -> Any:
    undefined = b == 0
    return np.where(undefined, _zero(a), np.divide(a, np.where(undefined, constant(1, b.dtype), b)))


def _divide_no_nan_absorbing(a: Any, b: Any) -> Any:
    return np.where(a == 0, _zero(a), _divide_no_nan(a, b))


_divide_no_nan_rules = {
    "vjp": (lambda g, y, a, b: divide_no_nan(g, b), lambda g, y, a, b: divide_no_nan(-(g * y), b)),
    "reads": ("b", "y b"),
    "elementwise": True,
    "accepts": _CONTINUOUS,
    "same_dtype": True,
}

divide_no_nan = Binary(
    "DivNoNan",
    _divide_no_nan,
    absorbing=Binary("DivNoNanAbsorbing", _divide_no_nan_absorbing, **_divide_no_nan_rules),
    **_divide_no_nan_rules,
)
"""a / b, and 0 where b = 0."""


def _multiply_no_nan(a: Any, b: Any) -> Any:
    gone = b == 0
    return np.where(gone, _zero(a), np.multiply(np.where(gone, _zero(a), a), b))


multiply_no_nan = Binary(
    "MulNoNan",
    _multiply_no_nan,
    vjp=(lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
    reads=("b", "a"),
    elementwise=True,
    multilinear=(0, 1),
    accepts=_CONTINUOUS,
    same_dtype=True,
)
"""a b, and 0 where b = 0, whatever a is."""


not_zero = Unary("NotZero", lambda x: (x != 0).astype(x.dtype), elementwise=True, accepts=_CONTINUOUS)
"""1 where x is not 0, and 0 where it is."""


def _xdivy(a: Any, b: Any) -> Any:
    gone = a == 0
    return np.where(gone, _zero(a), np.divide(a, np.where(gone, constant(1, b.dtype), b)))


xdivy = Binary(
    "Xdivy",
    _xdivy,
    vjp=(lambda g, y, a, b: g * xdivy(not_zero(a), b), lambda g, y, a, b: g * xdivy(-y, b)),
    reads=("a b", "y b"),
    elementwise=True,
    accepts=_CONTINUOUS,
    same_dtype=True,
)
"""a / b, and 0 where a = 0, whatever b is."""


# --- Rounded quotients and remainders -----------------------------------------------------------------------


def _checked(op: str, kernel: Any) -> Any:
    """A kernel that refuses to divide integers by zero, where NumPy would give 0."""

    def checked(a: Any, b: Any) -> Any:
        if is_integer_np(b.dtype) and not b.all():
            raise InvalidArgumentError.of(
                f"Integer division by zero [Op:{op}]. Use tf.where to replace the zeros first."
            )
        return kernel(a, b)

    return checked


def _floordiv(a: Any, b: Any) -> Any:
    return np.floor_divide(a, b) if is_integer_np(a.dtype) else np.floor(np.divide(a, b))


def _truncatediv(a: Any, b: Any) -> Any:
    if is_integer_np(a.dtype):
        return np.floor_divide(a - np.fmod(a, b), b)
    return np.trunc(np.divide(a, b))


_rounded = {"elementwise": True, "accepts": f"{FLOAT} {INT}", "same_dtype": True}

floordiv = Binary("FloorDiv", _checked("FloorDiv", _floordiv), **_rounded)
"""The largest whole number that is not above a / b."""

truncatediv = Binary("TruncateDiv", _checked("TruncateDiv", _truncatediv), **_rounded)
"""a / b without its fraction."""

floormod = Binary(
    "FloorMod",
    _checked("FloorMod", np.remainder),
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: -(g * floordiv(a, b))),
    reads=("", "a b"),
    **_rounded,
)
"""a - b floordiv(a, b), which has the sign of b."""

truncatemod = Binary(
    "TruncateMod",
    _checked("TruncateMod", np.fmod),
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: -(g * truncatediv(a, b))),
    reads=("", "a b"),
    elementwise=True,
    accepts=f"{FLOAT} int32 int64",
    same_dtype=True,
)
"""a - b truncatediv(a, b), which has the sign of a."""
