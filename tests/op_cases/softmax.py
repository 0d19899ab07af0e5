"""Rows of ``ops/softmax.py``."""

import numpy as np
from scipy.special import expit, log_softmax, softmax

from gradtape._src.ops import softmax as s

from .case import Case, const, integers, normal, uniform

FLOATS = ("float64", "float32", "bfloat16", "float16")
wide = lambda f: lambda *xs, **params: f(*[x.astype(np.float64) for x in xs], **params)
NO_CHANCE = const([[0.0, -np.inf, 1.0]])
LABELS = integers(0, 4, 3)


def xent(x, p, axis):
    return -(p * log_softmax(x, axis=axis)).sum(axis)


def sparse_xent(x, labels):
    x = x.astype(np.float64)
    return -np.take_along_axis(log_softmax(x, axis=-1), labels[..., None], -1)[..., 0]


def sparse_slope(x, labels):
    x = x.astype(np.float64)
    return softmax(x, axis=-1) - np.eye(x.shape[-1])[labels]


def sigmoid_xent(x, z):
    return -z * np.log(expit(x)) - (1 - z) * np.log(expit(-x))


CASES = [
    Case(s.softmax, [normal(3, 4)], wide(softmax), {"axis": -1}, dtypes=FLOATS, edges=[[NO_CHANCE]]),
    Case(s.softmax, [normal(2, 3, 4)], wide(softmax), {"axis": -2}),
    Case(s.softmax, [normal(2, 3, 4)], wide(softmax), {"axis": 0}),
    Case(s.softmax, [uniform(700, 800, 4)], wide(softmax), {"axis": -1}),
    Case(s.softmax, [normal(2, 0)], params={"axis": -1}),
    Case(s.log_softmax, [normal(3, 4)], wide(log_softmax), {"axis": -1}, dtypes=FLOATS, edges=[[NO_CHANCE]]),
    Case(s.log_softmax, [normal(2, 3, 4)], wide(log_softmax), {"axis": -3}),
    Case(s.log_softmax, [normal(2, 3, 4)], wide(log_softmax), {"axis": 1}),
    Case(
        s.softmax_cross_entropy,
        [normal(3, 4), uniform(0, 1, 3, 4)],
        wide(xent),
        {"axis": -1},
        dtypes=FLOATS,
        edges=[[NO_CHANCE, const([[0.0, 0.0, 1.0]])], [NO_CHANCE, const([[0.0, 1.0, 0.0]])]],
    ),
    Case(s.softmax_cross_entropy, [normal(2, 3, 4), uniform(0, 1, 2, 3, 4)], wide(xent), {"axis": -2}),
    Case(s.softmax_cross_entropy, [normal(2, 3), uniform(0, 1, 2, 3)], wide(xent), {"axis": 0}),
    Case(s.sparse_softmax_cross_entropy, [normal(3, 4), LABELS], sparse_xent, dtypes=FLOATS),
    Case(
        s.sparse_softmax_cross_entropy, [normal(2, 3, 4), integers(0, 4, 2, 3, dtype=np.int64)], sparse_xent
    ),
    Case(s.sparse_softmax_cross_entropy, [normal(4), integers(0, 4)], sparse_xent),
    Case(s.sparse_xent_slope, [normal(3, 4), LABELS], sparse_slope, dtypes=FLOATS),
    Case(
        s.sigmoid_cross_entropy,
        [normal(3, 4), uniform(0, 1, 3, 4)],
        wide(sigmoid_xent),
        dtypes=FLOATS,
        edges=[[const([-np.inf, np.inf]), const([0.5, 0.5])]],
    ),
    Case(
        s.l2_loss,
        [normal(3, 4)],
        wide(lambda x: 0.5 * (x * x).sum()),
        dtypes=FLOATS,
        edges=[[const([np.inf, 1.0])]],
    ),
    Case(s.l2_loss, [normal()], wide(lambda x: 0.5 * x * x)),
]
