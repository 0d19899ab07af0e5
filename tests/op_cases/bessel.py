"""Rows of ``ops/bessel.py``."""

import numpy as np
import scipy.special as sp

from gradtape._src.ops import bessel as ops

from .arithmetic import INF, NAN, ZERO
from .case import Case, away_from_zero, normal, uniform

_ANY, _POSITIVE = normal(3, 4), uniform(0.4, 3, 3, 4)
_DTYPES = ("float64", "float32", "float16")


def _at(ref):
    return lambda x: ref(x.astype(np.float64)).astype(x.dtype)


CASES = [
    *(
        Case(op, [arg], _at(ref), dtypes=_DTYPES, edges=[[ZERO], [INF], [NAN]])
        for op, ref, arg in [
            (ops.bessel_j0, sp.j0, _ANY),
            (ops.bessel_j1, sp.j1, _ANY),
            (ops.bessel_y0, sp.y0, _POSITIVE),
            (ops.bessel_y1, sp.y1, _POSITIVE),
            (ops.bessel_i0, sp.i0, _ANY),
            (ops.bessel_i1, sp.i1, _ANY),
            (ops.bessel_i0e, sp.i0e, away_from_zero(3, 4)),
            (ops.bessel_i1e, sp.i1e, away_from_zero(3, 4)),
            (ops.bessel_k0, sp.k0, _POSITIVE),
            (ops.bessel_k1, sp.k1, _POSITIVE),
            (ops.bessel_k0e, sp.k0e, _POSITIVE),
            (ops.bessel_k1e, sp.k1e, _POSITIVE),
        ]
    ),
    *(
        Case(op, [arg], lambda x, n, ref=ref: ref(n, x), {"n": n})
        for op, ref, arg in [
            (ops.bessel_j, sp.jv, _ANY),
            (ops.bessel_y, sp.yv, _POSITIVE),
            (ops.bessel_i, sp.iv, _ANY),
            (ops.bessel_ie, sp.ive, away_from_zero(3, 4)),
            (ops.bessel_k, sp.kv, _POSITIVE),
            (ops.bessel_ke, sp.kve, _POSITIVE),
        ]
        for n in (0, 2)
    ),
]
