"""Rows of ``ops/statistics.py``."""

import numpy as np
from scipy.special import logsumexp

from gradtape._src.ops import statistics as s

from .case import Case, booleans, const, distinct, integers, normal
from .reduction import ways, wide

REAL = ("float64", "float32", "bfloat16", "float16")
ALL = (*REAL, "complex128", "complex64")
INF, NAN = np.inf, np.nan


def reduced(function):
    return lambda x, axis=None, keepdims=False: function(wide(x), axis=axis, keepdims=keepdims)


def norm(x, axis=None, keepdims=False):
    return np.sqrt(np.sum(np.abs(wide(x)) ** 2, axis=axis, keepdims=keepdims))


def position(find):
    return lambda x, axis=0, output_type="int64": find(wide(x), axis)


some = [ways[0], ways[1], ways[2], ways[3]]

CASES = [
    *(
        Case(op, [normal(2, 3, 4)], reduced(ref), params=way, dtypes=REAL)
        for op, ref in [(s.reduce_logsumexp, logsumexp), (s.reduce_variance, np.var), (s.reduce_std, np.std)]
        for way in some
    ),
    *(Case(s.reduce_euclidean_norm, [normal(2, 3, 4)], norm, params=way, dtypes=ALL) for way in some),
    Case(
        s.reduce_logsumexp,
        [normal(3)],
        reduced(logsumexp),
        edges=[[const([-INF, -INF])], [const([INF, 1.0])], [const([NAN, 1.0])], [const([INF, INF, -INF])]],
    ),
    Case(s.reduce_variance, [normal(1)], reduced(np.var), edges=[[const([INF, 1.0])]]),
    Case(s.reduce_std, [normal(4)], reduced(np.std), edges=[[const([0.7])], [const([2.0, 2.0])]]),
    Case(
        s.reduce_euclidean_norm,
        [normal(3)],
        norm,
        edges=[[const([0.0, -0.0])], [const([INF, 1.0])], [const([NAN])]],
    ),
    Case(s.reduce_euclidean_norm, [normal()], norm, params={"axis": ()}),
    Case(
        s.reduce_euclidean_norm,
        [const([[3e200, 4e200], [3e-200, 4e-200]])],
        lambda x, axis: [5e200, 5e-200],
        {"axis": (1,)},
    ),
    Case(
        s.reduce_euclidean_norm,
        [const([1e30, 1e30], np.float32)],
        lambda x: np.float32(1e30 * 2**0.5),
        rtol=1e-6,
    ),
    Case(s.reduce_euclidean_norm, [integers(0, 9, 4)], lambda x: np.int32(norm(x))),
    Case(s.unit, [normal(3, 4), normal(4)], np.divide, dtypes=ALL),
    Case(s.argmax, [distinct(3, 4)], position(np.argmax), dtypes=REAL),
    Case(s.argmax, [distinct(2, 3, 4)], position(np.argmax), params={"axis": 1, "output_type": "int32"}),
    Case(s.argmin, [distinct(2, 3, 4)], position(np.argmin), params={"axis": -1}),
    Case(s.argmin, [integers(0, 9, 5)], position(np.argmin)),
    Case(s.argmax, [booleans(5)], position(np.argmax)),
    Case(s.argmax, [const([NAN, 1.0, 3.0])], lambda x: np.int64(2)),
    Case(
        s.argmin,
        [const([[1.0, NAN, 0.5], [NAN, NAN, NAN]])],
        lambda x, axis: np.array([2, 0]),
        params={"axis": 1},
    ),
]
