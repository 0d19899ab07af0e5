"""Rows of ``ops/reduction.py``."""

import numpy as np

from gradtape._src.ops import reduction as r

from .case import Case, Make, booleans, const, distinct, integers, normal, uniform

REAL = ("float64", "float32", "bfloat16", "float16")
ALL = (*REAL, "complex128", "complex64")
INF, NAN = np.inf, np.nan


def wide(x):
    if x.dtype.kind == "f" or x.dtype.name == "bfloat16":
        return x.astype(np.float64)
    return x


def numpy(function):
    return lambda x, axis=None, keepdims=False: function(wide(x), axis=axis, keepdims=keepdims)


def spread(g, like, axis=None, keepdims=False):
    if not keepdims:
        g = np.expand_dims(g, tuple(range(like.ndim)) if axis is None else axis)
    return np.broadcast_to(g, like.shape)


def count(like, axis):
    return np.prod([like.shape[a] for a in (range(like.ndim) if axis is None else axis)])


def last(x, axis=None):
    axes = tuple(range(x.ndim)) if axis is None else axis
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    return x.reshape(*x.shape[: x.ndim - len(axes)], -1)


def shares(x, y, axis=None, keepdims=False):
    same = x == spread(y, x, axis, keepdims)
    return same / same.sum(axis, keepdims=True)


ways = [
    {},
    {"axis": (1,)},
    {"axis": (0, 2), "keepdims": True},
    {"axis": (-1, 0)},
    {"axis": ()},
    {"keepdims": True},
]

CASES = [
    *(
        Case(op, [normal(2, 3, 4)], numpy(ref), params=way, dtypes=ALL)
        for op, ref in [(r.reduce_sum, np.sum), (r.reduce_mean, np.mean), (r.reduce_prod, np.prod)]
        for way in ways
    ),
    *(
        Case(op, [distinct(2, 3, 4)], numpy(ref), params=way, dtypes=REAL)
        for op, ref in [(r.reduce_max, np.max), (r.reduce_min, np.min)]
        for way in ways
    ),
    *(
        Case(op, [booleans(2, 3, 4)], ref, params=way)
        for op, ref in [(r.reduce_all, np.all), (r.reduce_any, np.any)]
        for way in ways
    ),
    *(Case(op, [normal()], numpy(ref)) for op, ref in [(r.reduce_sum, np.sum), (r.reduce_prod, np.prod)]),
    Case(r.reduce_sum, [normal(2, 0)], numpy(np.sum), params={"axis": (1,)}),
    Case(r.reduce_prod, [normal(0, 2)], numpy(np.prod), params={"axis": (0,)}),
    Case(r.reduce_max, [normal(0, 2)], lambda x, axis: np.full(2, -INF), params={"axis": (0,)}, order=0),
    Case(r.reduce_min, [integers(0, 9, 0, 2)], lambda x, axis: np.full(2, 2**31 - 1), params={"axis": (0,)}),
    Case(r.reduce_sum, [integers(-9, 9, 3, 4, dtype=np.int8)], lambda x: np.sum(x, dtype=np.int8)),
    Case(
        r.reduce_mean,
        [integers(-9, 9, 3, 4)],
        lambda x, axis: np.trunc(np.mean(x, axis)),
        params={"axis": (1,)},
    ),
    Case(r.reduce_prod, [integers(-9, 9, 3, 4, dtype=np.uint8)], lambda x: np.prod(x, dtype=np.uint8)),
    Case(r.reduce_max, [integers(-9, 9, 3, 4)], np.max),
    Case(
        r.reduce_prod,
        [Make(lambda rng, dtype: np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 1.0]], dtype))],
        edges=[[const([0.0, INF, 0.0])], [const([[NAN, 0.0], [INF, 2.0]])]],
    ),
    Case(r.reduce_max, [uniform(0, 1, 3)], numpy(np.max), edges=[[const([NAN, 1.0])], [const([INF, INF])]]),
    *(
        Case(r.spread_like, [normal(2), normal(3, 2, 4)], spread, params={"axis": axis})
        for axis in [(0, 2), (-1, 0)]
    ),
    Case(r.spread_like, [normal(3, 1, 4), normal(3, 2, 4)], spread, params={"axis": (1,), "keepdims": True}),
    Case(r.spread_like, [normal(), normal(100, 100)], spread),
    Case(
        r.spread_mean_like,
        [normal(2), normal(3, 2, 4)],
        lambda g, like, axis: spread(g, like, axis) / count(like, axis),
        params={"axis": (0, 2)},
        dtypes=ALL,
    ),
    Case(r.spread_mean_like, [normal(), normal(3, 2)], lambda g, like: spread(g, like) / 6),
    *(
        Case(r.axes_last, [normal(2, 3, 4)], last, params={"axis": axis})
        for axis in [None, (0, 2), (-2,), (2, 1), ()]
    ),
    *(
        Case(
            r.axes_back_like,
            [normal(*shape), normal(2, 3, 4)],
            lambda z, like, axis: np.moveaxis(
                z.reshape(shape_split(z, like, axis)), range(-len(axis), 0), axis
            ),
            params={"axis": axis},
        )
        for shape, axis in [((3, 8), (0, 2)), ((2, 4, 3), (-2,)), ((24,), (2, 0, 1))]
    ),
    Case(
        r.share, [const([[1.0, 2.0, 2.0], [3.0, 0.0, 1.0]]), const([2.0, 3.0])], shares, params={"axis": (1,)}
    ),
    Case(r.share, [const([[1.0, 2.0]]), const(2.0)], shares),
    Case(r.share, [const([[1.0], [1.0]]), const([[1.0]])], shares, params={"axis": (0,), "keepdims": True}),
    Case(
        r.count_nonzero,
        [const([[0.0, -0.0, NAN], [1.0, 2.0, 0.0]])],
        lambda x, axis: np.array([1, 2]),
        params={"axis": (1,)},
    ),
    Case(
        r.count_nonzero,
        [const([[0, 1]])],
        lambda x, **_: np.full((1, 1), 1, np.int32),
        params={"keepdims": True, "dtype": "int32"},
    ),
    Case(r.count_nonzero, [normal(2, 3)], lambda x, axis: np.full(3, 2), params={"axis": (0,)}),
    Case(r.zero_fraction, [const([0, 1, 0, 0], np.int32)], lambda x: np.float32(0.75)),
]


def shape_split(z, like, axis):
    return (*z.shape[:-1], *[like.shape[a] for a in axis])
