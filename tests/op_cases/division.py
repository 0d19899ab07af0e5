"""Rows of ``ops/division.py``."""

import numpy as np

from gradtape._src.ops.division import (
    divide_no_nan,
    floordiv,
    floormod,
    integer_divide_no_nan,
    integer_quotient,
    multiply_no_nan,
    not_zero,
    truncatediv,
    truncatemod,
    xdivy,
)

from .arithmetic import ALL, INF, NAN, REAL, ZERO, same
from .case import Case, away_from_zero, const, integers, normal, uniform


def _with_zeros(f, which):
    """f, and 0 where the argument number ``which`` is 0."""

    def g(*args):
        with np.errstate(all="ignore"):
            return np.where(args[which] == 0, args[which].dtype.type(0), f(*args))

    return g


SOME_ZEROS = same([[1.5, 0.0, -2.0], [0.0, 3.0, 0.5]])
BAD = const([np.inf, np.nan, 1.0])

CASES = [
    Case(integer_quotient, [integers(-9, 9, 3, 4), integers(1, 9, 4)], np.divide),
    Case(integer_quotient, [integers(-9, 9, 3, dtype=np.int8), integers(1, 9, 3, dtype=np.int8)]),
    Case(
        integer_quotient, [integers(0, 9, 3, dtype=np.uint64), integers(1, 9, 3, dtype=np.uint64)], np.divide
    ),
    Case(integer_divide_no_nan, [integers(-9, 9, 2, 1), const([2, 0], np.int32)], _with_zeros(np.divide, 1)),
    Case(
        divide_no_nan,
        [normal(3, 4), away_from_zero(4)],
        _with_zeros(np.divide, 1),
        dtypes=ALL,
        edges=[[INF, ZERO], [NAN, ZERO], [ZERO, ZERO], [ZERO, NAN]],
    ),
    Case(divide_no_nan, [normal(2, 3), SOME_ZEROS], _with_zeros(np.divide, 1), wrt=[0]),
    Case(
        multiply_no_nan,
        [normal(3, 4), away_from_zero(4)],
        np.multiply,
        dtypes=ALL,
        edges=[[INF, ZERO], [ZERO, INF]],
    ),
    Case(multiply_no_nan, [normal(2, 3), SOME_ZEROS], np.multiply, wrt=[0]),
    Case(multiply_no_nan, [BAD, const([0.0, 0.0, 2.0])], lambda a, b: np.array([0.0, 0.0, 2.0])),
    Case(not_zero, [SOME_ZEROS], lambda x: (x != 0).astype(x.dtype)),
    Case(not_zero, [normal(2)], lambda x: np.ones_like(x), dtypes=ALL),
    Case(
        xdivy,
        [away_from_zero(3, 4), away_from_zero(4)],
        np.divide,
        dtypes=ALL,
        edges=[[ZERO, ZERO], [ZERO, NAN], [INF, ZERO]],
    ),
    Case(
        xdivy,
        [SOME_ZEROS, away_from_zero(2, 3)],
        _with_zeros(np.divide, 0),
        wrt=[1],
        edges=[[SOME_ZEROS, const(0.0)]],
    ),
    Case(floordiv, [uniform(3, 3.4, 3, 1), uniform(0.7, 0.8, 4)], lambda a, b: np.floor(a / b), dtypes=REAL),
    Case(floordiv, [integers(-9, 9, 5, 1), const([2, -3], np.int32)], np.floor_divide),
    Case(
        truncatediv,
        [uniform(-3.4, -3.1, 3, 1), uniform(0.7, 0.75, 4)],
        lambda a, b: np.trunc(a / b),
        dtypes=REAL,
    ),
    Case(
        truncatediv,
        [integers(-9, 9, 5, 1), const([2, -3], np.int32)],
        lambda a, b: np.trunc(a / b).astype(np.int32),
    ),
    Case(
        floormod,
        [uniform(-3.4, -3.1, 3, 1), uniform(0.85, 0.95, 4)],
        lambda a, b: a - b * np.floor(a / b),
        dtypes=("float64",),
        edges=[[const([1.0, 2.0]), ZERO], [INF, INF]],
    ),
    Case(floormod, [integers(-9, 9, 5, 1), const([2, -3], np.int32)], np.remainder),
    Case(
        truncatemod,
        [uniform(-3.4, -3.1, 3, 1), uniform(0.85, 0.95, 4)],
        np.fmod,
        dtypes=REAL,
        edges=[[const([1.0, 2.0]), ZERO], [INF, INF]],
    ),
    Case(truncatemod, [integers(-9, 9, 5, 1), const([2, -3], np.int32)], np.fmod),
]
