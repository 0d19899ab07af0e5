"""Rows of ``ops/elementwise.py``."""

import numpy as np
import scipy.special

from gradtape._src.ops import elementwise as ops

from .arithmetic import ALL, INF, NAN, REAL, ZERO, same
from .case import Case, away_from_zero, const, distinct, integers, normal, uniform
from .division import SOME_ZEROS

ONE, MINUS_ONE = const([1.0, 1.0]), const([-1.0, -1.0])
OUTSIDE = const([-2.0, 2.0])
_ANY, _INSIDE = normal(3, 4), uniform(-0.9, 0.9, 3, 4)
_POSITIVE, _ABOVE_1 = uniform(0.3, 3, 3, 4), uniform(1.2, 3, 3, 4)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _unary(op, ref, arg, *edges, dtypes=ALL):
    return Case(op, [arg], ref, dtypes=dtypes, edges=[[edge] for edge in (*edges, INF, NAN)])


CASES = [
    _unary(ops.sqrt, np.sqrt, _POSITIVE, ZERO, MINUS_ONE),
    _unary(ops.rsqrt, lambda x: 1 / np.sqrt(x), _POSITIVE, ZERO, MINUS_ONE),
    _unary(ops.reciprocal, lambda x: 1 / x, away_from_zero(3, 4), ZERO),
    _unary(ops.exp, np.exp, _ANY, const([800.0, -800.0])),
    _unary(ops.expm1, np.expm1, _ANY, const([800.0, -800.0])),
    _unary(ops.log, np.log, _POSITIVE, ZERO, MINUS_ONE),
    _unary(ops.log1p, np.log1p, _POSITIVE, MINUS_ONE, OUTSIDE),
    _unary(ops.sin, np.sin, _ANY),
    _unary(ops.cos, np.cos, _ANY),
    _unary(ops.tan, np.tan, _INSIDE),
    _unary(ops.asin, np.arcsin, _INSIDE, ONE, MINUS_ONE, OUTSIDE),
    _unary(ops.acos, np.arccos, _INSIDE, ONE, MINUS_ONE, OUTSIDE),
    _unary(ops.atan, np.arctan, _INSIDE),
    _unary(ops.sinh, np.sinh, _ANY),
    _unary(ops.cosh, np.cosh, _ANY),
    _unary(ops.tanh, np.tanh, _ANY),
    _unary(ops.asinh, np.arcsinh, _INSIDE, const([1e300, -1e300])),
    _unary(ops.acosh, np.arccosh, _ABOVE_1, ONE, MINUS_ONE),
    _unary(ops.atanh, np.arctanh, _INSIDE, ONE, MINUS_ONE, OUTSIDE),
    _unary(ops.sigmoid, _sigmoid, _ANY, const([800.0, -800.0])),
    _unary(ops.softplus, lambda x: np.log1p(np.exp(x)), _ANY, const([800.0, -800.0]), dtypes=REAL),
    _unary(ops.softsign, lambda x: x / (1 + np.abs(x)), away_from_zero(3, 4), ZERO, dtypes=REAL),
    Case(
        ops.atan2,
        [normal(3, 1), away_from_zero(4)],
        np.arctan2,
        dtypes=REAL,
        edges=[[ZERO, ZERO], [INF, INF]],
    ),
    Case(
        ops.radius, [normal(3, 1), away_from_zero(4)], np.hypot, dtypes=REAL, edges=[[ZERO, ZERO], [INF, INF]]
    ),
    *(
        case
        for op, ref in [(ops.maximum, np.maximum), (ops.minimum, np.minimum)]
        for case in (
            Case(
                op,
                [distinct(3, 4), same([0.12, -0.31, 0.01, 0.33])],
                ref,
                edges=[[INF, INF], [NAN, INF], [NAN, NAN]],
            ),
            Case(op, [same([0.12, -0.31, 0.01, 0.33]), distinct(3, 4)], ref),
            Case(op, [distinct(3, 4), uniform(0.26, 0.27, 4)], ref, edges=[[ONE, ONE]]),
            Case(op, [integers(-5, 5, 3, 4), integers(-5, 5, 4)], ref),
            Case(op, [normal(3, 4), normal(4)], ref, dtypes=REAL),
        )
    ),
    *(
        case
        for op, ref in [
            (ops.where_ge, lambda g, a, b: np.where(a >= b, g, g.dtype.type(0))),
            (ops.where_not_ge, lambda g, a, b: np.where(a >= b, g.dtype.type(0), g)),
        ]
        for case in (
            Case(op, [normal(3, 4), same([0.0, 1.0, 2.0, np.nan]), same(1.0)], ref, wrt=[0], dtypes=REAL),
            Case(op, [normal(), same(2.0), same(1.0)], ref, wrt=[0]),
        )
    ),
    Case(
        ops.xlogy,
        [away_from_zero(3, 4), uniform(0.3, 2, 4)],
        lambda x, y: x * np.log(y),
        dtypes=ALL,
        edges=[[ZERO, ZERO], [ONE, ZERO], [ZERO, NAN], [INF, ZERO]],
    ),
    Case(
        ops.xlogy,
        [SOME_ZEROS, uniform(0.3, 2, 2, 3)],
        scipy.special.xlogy,
        wrt=[1],
        edges=[[SOME_ZEROS, const(0.0)]],
    ),
    Case(
        ops.xlog1py,
        [away_from_zero(3, 4), uniform(-0.7, 2, 4)],
        lambda x, y: x * np.log1p(y),
        dtypes=ALL,
        edges=[[ZERO, MINUS_ONE], [ONE, MINUS_ONE], [ZERO, NAN], [INF, MINUS_ONE]],
    ),
    Case(ops.xlog1py, [SOME_ZEROS, uniform(-0.7, 2, 2, 3)], scipy.special.xlog1py, wrt=[1]),
    Case(ops.floor, [_ANY], np.floor, dtypes=REAL),
    Case(ops.ceil, [_ANY], np.ceil, dtypes=REAL),
    Case(ops.rint, [const([-1.5, -0.5, 0.5, 1.5, 2.5])], lambda x: np.array([-2.0, -0.0, 0.0, 2.0, 2.0])),
    Case(ops.round_half_even, [_ANY], np.rint, dtypes=REAL),
    Case(ops.nextafter, [normal(3, 1), normal(4)], np.nextafter),
]
