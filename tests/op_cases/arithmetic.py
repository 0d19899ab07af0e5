"""Rows of ``ops/arithmetic.py``."""

import numpy as np

from gradtape._src.ops.arithmetic import (
    add,
    add_n,
    log_or_zero,
    multiply,
    negative,
    power,
    power_slope,
    real_divide,
    square,
    squared_difference,
    subtract,
)

from .case import Case, Make, away_from_zero, const, normal, uniform

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64")
REAL = ("float64", "float32", "bfloat16", "float16")


def same(value):
    """These very numbers, in the dtype of the other arguments, not differentiated."""
    return Make(lambda rng, dtype: np.array(value).astype(dtype), moves=False)


def at(value):
    """These very numbers, differentiated."""
    return Make(lambda rng, dtype: np.array(value).astype(dtype))


ZERO, INF, NAN = const([0.0, -0.0]), const([np.inf, -np.inf]), const([np.nan, np.nan])

CASES = [
    Case(add, [normal(3, 4), normal(4)], np.add, dtypes=ALL),
    Case(subtract, [normal(3, 1), normal(1, 4)], np.subtract, dtypes=ALL),
    Case(multiply, [normal(3, 4), normal(4)], np.multiply, dtypes=ALL, edges=[[INF, ZERO], [NAN, INF]]),
    Case(
        real_divide,
        [normal(3, 4), away_from_zero(4)],
        np.divide,
        dtypes=ALL,
        edges=[[INF, ZERO], [ZERO, ZERO]],
    ),
    Case(negative, [normal(3, 4)], np.negative, dtypes=ALL),
    Case(square, [normal(3, 4)], np.square, dtypes=ALL, edges=[[INF], [NAN]]),
    Case(
        squared_difference,
        [normal(3, 1), normal(4)],
        lambda a, b: (a - b) ** 2,
        dtypes=REAL,
        edges=[[INF, INF], [NAN, ZERO]],
    ),
    Case(
        power,
        [uniform(0.5, 2, 3, 4), normal(4)],
        np.power,
        dtypes=ALL,
        edges=[[ZERO, const(-1.5)], [INF, INF]],
    ),
    *(
        Case(power, [normal(3, 2), same(p)], np.power, wrt=[0], edges=[[ZERO, const(p)], [INF, const(p)]])
        for p in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    ),
    *(
        Case(power, [away_from_zero(3), same(p)], np.power, wrt=[0], edges=[[ZERO, const(p)]])
        for p in (-1.0, -2.0)
    ),
    Case(power, [normal(3), same(2.0)], np.power, wrt=[0], dtypes=("complex128",)),
    Case(
        power_slope,
        [uniform(0.5, 2, 3, 4), normal(4)],
        lambda a, b: b * a ** (b - 1),
        dtypes=ALL,
        edges=[[ZERO, const(0.0)], [ZERO, const(0.5)]],
    ),
    *(
        Case(power_slope, [normal(3), same(p)], lambda a, b: b * a ** (b - 1), wrt=[0])
        for p in (1.0, 2.0, 3.0, 4.0)
    ),
    Case(power_slope, [normal(3), same(0.0)], lambda a, b: 0 * a, wrt=[0], edges=[[ZERO, const(0.0)]]),
    Case(log_or_zero, [uniform(0.5, 2, 3)], np.log, dtypes=ALL, edges=[[ZERO]]),
    Case(add_n, [normal(3, 4), normal(3, 4), normal(3, 4)], lambda *xs: sum(xs), dtypes=ALL),
    Case(add_n, [normal(2)], lambda x: x, dtypes=ALL),
]
