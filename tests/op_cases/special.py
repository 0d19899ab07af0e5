"""Rows of ``ops/special.py``."""

import numpy as np
import scipy.special as sp

from gradtape._src.ops import special as ops

from .arithmetic import INF, NAN, REAL, ZERO, at, same
from .case import Case, away_from_zero, const, normal, uniform
from .elementwise import MINUS_ONE, ONE, OUTSIDE

_ANY, _POSITIVE, _INSIDE = normal(3, 4), uniform(0.4, 3, 3, 4), uniform(0.2, 0.8, 3, 4)


def _unary(op, ref, arg, *edges):
    ref_ = lambda x: ref(x.astype(np.float64)).astype(x.dtype)
    return Case(op, [arg], ref_, dtypes=REAL, edges=[[edge] for edge in (*edges, INF, NAN)])


def _polygamma(a, x):
    return sp.polygamma(a.astype(int), x)


CASES = [
    _unary(ops.erf, sp.erf, _ANY),
    _unary(ops.erfc, sp.erfc, _ANY),
    _unary(ops.erfinv, sp.erfinv, _INSIDE, ONE, MINUS_ONE, OUTSIDE),
    _unary(ops.ndtri, sp.ndtri, _INSIDE, ZERO, ONE, OUTSIDE),
    _unary(ops.dawsn, sp.dawsn, _ANY),
    _unary(ops.lgamma, sp.gammaln, _POSITIVE, ZERO, MINUS_ONE),
    _unary(ops.lgamma, sp.gammaln, uniform(-1.8, -1.2, 3)),
    _unary(ops.digamma, sp.psi, _POSITIVE, ZERO, MINUS_ONE),
    Case(
        ops.polygamma,
        [same([[0.0], [1.0], [4.0]]), uniform(0.4, 3, 4)],
        _polygamma,
        edges=[[const(1.0), ZERO], [const(1.5), ONE]],
    ),
    *(
        Case(
            ops.polygamma_of_order,
            [uniform(0.4, 3, 4)],
            lambda x, order: _polygamma(np.array(order), x),
            {"order": n},
        )
        for n in (1, 2, 3)
    ),
    Case(
        ops.zeta,
        [same([[2.0], [3.5]]), uniform(0.4, 3, 4)],
        sp.zeta,
        edges=[[const(2.0), ZERO], [const(0.5), ONE]],
    ),
    _unary(ops.expint, sp.expi, away_from_zero(3, 4), ZERO),
    _unary(ops.fresnel_sin, lambda x: sp.fresnel(x)[0], _ANY),
    _unary(ops.fresnel_cos, lambda x: sp.fresnel(x)[1], _ANY),
    _unary(ops.spence, sp.spence, _POSITIVE, ZERO, MINUS_ONE),
    Case(ops.spence, [at([1.0, 1.0 + 1e-9, 1.4999, 1.5001, 0.5, 1e3])], sp.spence, rtol=1e-11),
    *(
        Case(
            ops._log_over_rest,
            [at([1.0, 1.0 + 1e-9, 1.49, 1.51, 0.51, 0.49, 0.2, 1e2])],
            (lambda x, order: np.where(x == 1, -1.0, np.log(x) / np.where(x == 1, 1, 1 - x)))
            if n == 0
            else None,
            {"order": n},
            rtol=1e-7,
        )
        for n in (0, 1, 2, 3)
    ),
]
