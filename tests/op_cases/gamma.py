"""Rows of ``ops/gamma.py``."""

import numpy as np
import scipy.special as sp

from gradtape._src.ops import gamma as ops

from .arithmetic import REAL, ZERO, same
from .case import Case, const, uniform
from .elementwise import ONE, OUTSIDE

_A, _X = uniform(0.4, 3, 3, 1), uniform(0.4, 5, 4)


def _at(ref):
    return lambda *xs: ref(*[x.astype(np.float64) for x in xs]).astype(xs[0].dtype)


def _by_differences(a, x, order):
    a, x = a.astype(np.float64), x.astype(np.float64)
    h = 1e-3
    p = [sp.gammainc(a + k * h, x) for k in (-2, -1, 0, 1, 2)]
    if order == 1:
        return (8 * (p[3] - p[1]) - (p[4] - p[0])) / (12 * h)
    return (16 * (p[3] + p[1]) - (p[4] + p[0]) - 30 * p[2]) / (12 * h * h)


CASES = [
    Case(
        ops.igamma, [_A, _X], _at(sp.gammainc), dtypes=REAL, edges=[[ONE, ZERO], [ZERO, ONE], [OUTSIDE, ONE]]
    ),
    Case(
        ops.igammac,
        [_A, _X],
        _at(sp.gammaincc),
        dtypes=REAL,
        edges=[[ONE, ZERO], [ZERO, ONE], [OUTSIDE, ONE]],
    ),
    *(
        Case(
            ops.igamma_in_a,
            [_A, _X],
            _by_differences,
            {"order": n},
            rtol=1e-6,
            edges=[[ONE, ZERO], [ONE, OUTSIDE]],
        )
        for n in (1, 2)
    ),
    Case(
        ops.betainc,
        [same([[0.5], [2.0]]), same([1.0, 3.0, 0.7]), uniform(0.1, 0.9, 3)],
        sp.betainc,
        edges=[[const(0.5), const(0.5), ZERO], [const(0.5), const(0.5), ONE]],
    ),
    Case(
        ops.betainc,
        [uniform(0.5, 3, 3), uniform(0.5, 3, 3), uniform(0.1, 0.9, 3)],
        _at(sp.betainc),
        dtypes=REAL,
    ),
]
