"""Rows of ``ops/segment.py`` and ``ops/segment_rows.py``."""

import numpy as np

from gradtape._src.ops import segment as s
from gradtape._src.ops import segment_rows as r

from .case import Case, Make, const, distinct, normal

REAL = ("float64", "float32", "bfloat16", "float16")
ALL = (*REAL, "complex128", "complex64")
INF, NAN = np.inf, np.nan

SORTED = const(np.array([0, 0, 0, 2, 3, 3], np.int32))
UNSORTED = const(np.array([3, 0, -1, 3, 0, 3], np.int64))
LIKE = normal(5, 2)


def by_segment(reduce, empty=0.0, n=None):
    """The definition: one segment after the other, in double precision."""

    def ref(data, ids, num_segments=None):
        wide = data.astype(np.float64) if data.dtype.kind not in "ciu" else data
        count = num_segments if num_segments is not None else ids[-1] + 1
        low = empty(data.dtype) if callable(empty) else empty
        rows = [
            reduce(wide[ids == i]) if (ids == i).any() else np.full(data.shape[1:], low) for i in range(count)
        ]
        return np.array(rows).astype(wide.dtype)

    return ref


def rows_with_zeros(*shape: int) -> Make:
    rows = np.random.default_rng(7).normal(size=shape)
    rows.flat[::3] = 0
    return Make(lambda rng, dtype: rows.astype(dtype))


def total(x):
    return x.sum(0)


def taken(rows, ids):
    return np.where((ids >= 0).reshape(-1, *(1,) * (rows.ndim - 1)), rows[np.maximum(ids, 0)], 0)


def added(rows, ids, like):
    return by_segment(total)(rows, ids, like.shape[0])


def counted(ids, like, root=False):
    counts = np.maximum(np.bincount(ids[ids >= 0], minlength=len(like)), 1)
    return (np.sqrt(counts) if root else counts).reshape(-1, *(1,) * (like.ndim - 1))


def looked_up(reduce):
    return lambda data, indices, ids, n=None, **_: by_segment(reduce)(data[indices], ids, n)


def root_mean(x):
    return x.sum(0) / np.sqrt(len(x))


def links(ids, like, starts=False, reverse=False):
    same = np.append(ids[1:] == ids[:-1], False) if reverse else np.insert(ids[1:] == ids[:-1], 0, False)
    return (same != starts).astype(float).reshape(-1, *(1,) * (like.ndim - 1))


LOOKUP = [const(np.array([4, 0, 4, 2], np.int32)), const(np.array([0, 0, 2, 3], np.int64))]

CASES = [
    *(
        Case(op, [data(6, *rest), SORTED], by_segment(ref), dtypes=dtypes)
        for op, ref, data, dtypes in [
            (s.segment_sum, total, normal, ALL),
            (s.segment_mean, lambda x: x.mean(0), normal, ALL),
            (s.segment_max, lambda x: x.max(0), distinct, REAL),
            (s.segment_min, lambda x: x.min(0), distinct, REAL),
        ]
        for rest in [(), (2, 3)]
    ),
    *(
        Case(s.segment_prod, [normal(6, *rest), SORTED], by_segment(lambda x: x.prod(0), 1), dtypes=ALL)
        for rest in [(), (2,)]
    ),
    *(
        Case(op, [data(6, *rest), UNSORTED, 5], by_segment(ref, empty), dtypes=dtypes)
        for op, ref, data, dtypes, empty in [
            (s.unsorted_segment_sum, total, normal, ALL, 0),
            (s.unsorted_segment_prod, lambda x: x.prod(0), normal, ALL, 1),
        ]
        for rest in [(), (2,)]
    ),
    Case(
        s.segment_prod,
        [rows_with_zeros(6, 2), SORTED],
        edges=[[const([0.0, INF, 0.0, NAN, INF, 0.0]), SORTED]],
    ),
    Case(
        s.unsorted_segment_prod,
        [rows_with_zeros(6, 3), UNSORTED, 4],
        edges=[[const([0.0, INF, INF, 0.0, NAN, 0.0]), UNSORTED, 4]],
    ),
    Case(s.segment_max, [distinct(6), SORTED], edges=[[const([INF, INF, 0.0, NAN, 1.0, 1.0]), SORTED]]),
    *(
        Case(op, [distinct(6, *rest), const(np.array([2, 0, -1, 1, 0, 2])), 3], by_segment(ref), dtypes=REAL)
        for op, ref in [
            (s.unsorted_segment_max, lambda x: x.max(0)),
            (s.unsorted_segment_min, lambda x: x.min(0)),
        ]
        for rest in [(), (2,)]
    ),
    # Without rows, the farthest finite number: too far for differences.
    *(
        Case(
            op,
            [distinct(6, 2), UNSORTED, 5],
            by_segment(ref, far),
            dtypes=("float64", "float32", "float16"),
            order=0,
        )
        for op, ref, far in [
            (s.unsorted_segment_max, lambda x: x.max(0), lambda dtype: np.finfo(dtype).min),
            (s.unsorted_segment_min, lambda x: x.min(0), lambda dtype: np.finfo(dtype).max),
        ]
    ),
    Case(
        s.unsorted_segment_min, [distinct(6), UNSORTED, 4], order=0, edges=[[const([NAN] * 6), UNSORTED, 4]]
    ),
    Case(s.segment_sum, [normal(0, 2), const(np.zeros(0, np.int32))], lambda data, ids: np.zeros((0, 2))),
    Case(
        s.unsorted_segment_sum,
        [normal(0, 2), const(np.zeros(0, np.int32)), 3],
        lambda data, ids, n: np.zeros((3, 2)),
    ),
    Case(
        s.segment_mean,
        [const(np.array([1, 2, -3, -4])), const(np.array([0, 0, 1, 1]))],
        lambda d, i: np.array([1, -3]),
    ),
    Case(r.take_rows, [normal(5, 2), UNSORTED], taken, dtypes=ALL),
    Case(r.add_rows_like, [normal(6, 3), UNSORTED, LIKE], added, dtypes=ALL),
    Case(r.segment_counts, [UNSORTED, LIKE], counted),
    Case(r.segment_counts, [UNSORTED, LIKE], counted, params={"root": True}),
    Case(r.merge_leading, [normal(2, 3, 4), const(np.zeros((2, 3), int))], lambda x, ids: x.reshape(6, 4)),
    Case(r.merge_leading, [normal(2), const(0)], lambda x, ids: x[None]),
    Case(r.swap_leading, [normal(2, 3, 4)], lambda x: x.swapaxes(0, 1)),
    Case(r.segment_order, [UNSORTED], lambda ids: np.array([2, 1, 4, 0, 3, 5])),
    *(
        Case(r.segment_links, [SORTED, LIKE], links, params={"starts": starts, "reverse": reverse})
        for starts in (False, True)
        for reverse in (False, True)
    ),
    Case(
        r.segment_share,
        [const([[1.0], [2.0], [2.0]]), const([[2.0]]), const(np.zeros(3, int))],
        lambda data, y, ids: np.array([[0.0], [0.5], [0.5]]),
    ),
    Case(
        r.segment_share,
        [const([1.0, 9.0]), const([1.0]), const(np.array([0, -1]))],
        lambda data, y, ids: np.array([1.0, 0]),
    ),
    Case(s.sparse_segment_sum, [normal(5, 2), *LOOKUP], looked_up(total), dtypes=REAL),
    Case(s.sparse_segment_sum, [normal(5), *LOOKUP, 6], looked_up(total)),
    Case(
        s.sparse_segment_sum,
        [normal(5), *LOOKUP],
        looked_up(total),
        params={"sparse_gradient": True},
        order=1,
    ),
    Case(s.sparse_segment_mean, [normal(5, 2), *LOOKUP], looked_up(lambda x: x.mean(0)), dtypes=REAL),
    Case(s.sparse_segment_sqrt_n, [normal(5, 2), *LOOKUP, 5], looked_up(root_mean), dtypes=REAL),
]
