"""Operations that give booleans, without derivative: comparisons, logic, tests of floating-point numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.core.shapes import broadcast
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT, INT
from gradtape._src.ops.arrays import ones_behind_first

_ORDERED = f"{FLOAT} {INT}"
_ANY = f"{FLOAT} {INT} {COMPLEX} bool string"


def _comparison(name: str, kernel: Any, accepts: str = _ORDERED) -> Binary:
    return Binary(name, kernel, dtype=bool, elementwise=True, accepts=accepts, same_dtype=True)


equal = _comparison("Equal", np.equal, _ANY)
not_equal = _comparison("NotEqual", np.not_equal, _ANY)
less = _comparison("Less", np.less)
less_equal = _comparison("LessEqual", np.less_equal)
greater = _comparison("Greater", np.greater)
greater_equal = _comparison("GreaterEqual", np.greater_equal)


def _lenient(name: str, compare: Callable[[Any, Any], Any], otherwise: bool) -> Op:
    def kernel(a: Any, b: Any) -> Any:
        try:
            return compare(a, b)
        except ValueError:
            return np.bool_(otherwise)

    def shape(a: Any, b: Any) -> Any:
        try:
            return broadcast(shape_of(a), shape_of(b))
        except ValueError:
            return ()

    def batch(n: int, xs: Sequence[Any], has_axis: Sequence[bool]) -> Any:
        shapes = [shape_of(x)[has:] for x, has in zip(xs, has_axis, strict=True)]
        try:
            rank = len(broadcast(*shapes) or ())
        except ValueError:
            return np.full(n, otherwise)
        return compare(
            *[ones_behind_first(x, rank) if has else x for x, has in zip(xs, has_axis, strict=True)]
        )

    return Op(name, kernel, dtype=bool, batch=batch, shape=shape, accepts=_ANY, same_dtype=True)


equal_or_false = _lenient("Equal", equal, False)
"""What ``==`` means for tensors: one False, instead of an error, for shapes that do not broadcast."""

not_equal_or_true = _lenient("NotEqual", not_equal, True)
"""What ``!=`` means for tensors."""


# --- Logic --------------------------------------------------------------------------------------------------

logical_and = _comparison("LogicalAnd", np.logical_and, "bool")
logical_or = _comparison("LogicalOr", np.logical_or, "bool")
logical_xor = _comparison("LogicalXor", np.logical_xor, "bool")
logical_not = Unary("LogicalNot", np.logical_not, dtype=bool, elementwise=True, accepts="bool")


# --- Tests of one number ------------------------------------------------------------------------------------

is_finite = Unary("IsFinite", np.isfinite, dtype=bool, elementwise=True, accepts=FLOAT)
is_inf = Unary("IsInf", np.isinf, dtype=bool, elementwise=True, accepts=FLOAT)
is_nan = Unary("IsNan", np.isnan, dtype=bool, elementwise=True, accepts=FLOAT)
