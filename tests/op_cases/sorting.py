"""Rows of ``ops/sorting.py``."""

import numpy as np

from gradtape._src.ops import sorting as s

from .case import Case, const, distinct, integers, normal

REAL = ("float64", "float32", "bfloat16", "float16")
INF, NAN = np.inf, np.nan
COLUMNS = const(np.array([[2, 0], [1, 3], [0, 1]]))


def wide(x):
    return x.astype(np.float64) if x.dtype.kind not in "iu" else x


def ordered(x, axis=-1, descending=False):
    y = np.argsort(-wide(x) if descending else x, axis, kind="stable")
    return y.astype(np.int32)


def top(x, k, axis=-1, largest=True, index_type="int32"):
    indices = np.take(ordered(wide(x), axis, largest), np.arange(k), axis)
    return np.take_along_axis(wide(x), indices, axis), indices


def put(g, indices, like, axis=-1):
    y = np.zeros(like.shape)
    np.put_along_axis(y, indices, g, axis)
    return y


def placed(side):
    def ref(rows, values, out_type="int32"):
        pairs = zip(rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]))
        return np.array([np.searchsorted(row, some, side) for row, some in pairs]).reshape(values.shape)

    return ref


def ties(*shape: int):
    return integers(0, 5, *shape)


CASES = [
    Case(s.take_along, [normal(3, 4), COLUMNS], lambda x, i: np.take_along_axis(x, i, -1)),
    Case(
        s.take_along, [normal(4, 2), COLUMNS], lambda x, i, axis: np.take_along_axis(x, i, axis), {"axis": 0}
    ),
    Case(s.put_along_like, [normal(3, 2), COLUMNS, normal(3, 4)], put),
    Case(
        s.put_along_like,
        [normal(3, 2), const(np.array([[1, 0], [3, 1], [2, 2]])), normal(4, 2)],
        put,
        {"axis": 0},
    ),
    *(
        Case(op, [distinct(3, 5)], ref, params=way, dtypes=REAL)
        for op, ref in [
            (
                s.sort,
                lambda x, axis=-1, descending=False: (
                    np.flip(np.sort(wide(x), axis), axis) if descending else np.sort(wide(x), axis)
                ),
            ),
            (s.argsort, ordered),
        ]
        for way in [{}, {"axis": 0}, {"descending": True}, {"axis": -2, "descending": True}]
    ),
    Case(s.argsort, [ties(4, 20)], ordered, params={"descending": True}),
    Case(
        s.argsort,
        [const(np.array([0, 255, 255, 1], np.uint8))],
        lambda x, **_: np.array([1, 2, 3, 0]),
        {"descending": True},
    ),
    Case(s.sort, [const([1.0, NAN, 3.0, 0.0])], lambda x: np.array([0.0, 1.0, 3.0, NAN])),
    Case(s.top_k, [distinct(3, 5), 2], top, dtypes=REAL),
    Case(s.top_k, [distinct(5, 3), 2], top, params={"axis": 0, "largest": False, "index_type": "int64"}),
    Case(s.top_k, [distinct(2, 3), 1], top),
    Case(s.top_k, [distinct(2, 3), 0], lambda x, k: (np.zeros((2, 0)), np.zeros((2, 0)))),
    Case(s.top_k, [ties(4, 100), 7], top, order=0),
    Case(s.top_k, [distinct(2, 100), 7], top),
    Case(s.top_k, [ties(4, 100), 7], top, params={"largest": False}, order=0),
    Case(
        s.top_k,
        [const([1.0, NAN, 3.0] * 40), 3],
        lambda x, k: (np.full(3, NAN), np.array([1, 4, 7])),
        order=0,
    ),
    *(
        Case(
            op,
            [const(np.array([[1.0, 3.0, 3.0], [2.0, 4.0, 6.0]])), const(np.array([[3.0, 0.0], [5.0, 7.0]]))],
            placed(side),
        )
        for op, side in [(s.lower_bound, "left"), (s.upper_bound, "right")]
    ),
    Case(s.lower_bound, [const(np.arange(4.0)), normal(1)], placed("left"), params={"out_type": "int64"}),
]
