"""Rows of ``ops/pooling.py``: against a loop over the windows."""

import numpy as np

from gradtape._src.ops import pooling as p

from .case import Case, const, distinct, integers, normal
from .convolution import linear_transpose, sliding, taps


def over_windows(x, fill, reduce, ksize, **sliding):
    pads, _, places = taps(x.shape, (*ksize, 1, 1), **sliding)
    padded = np.pad(x.astype(np.float64), pads, constant_values=fill)
    return reduce(np.stack([padded[where] for _, where in places]))


def biggest(x, **params):
    return over_windows(x, -np.inf, lambda parts: parts.max(0), **params)


def mean(x, **params):
    return over_windows(x, np.nan, lambda parts: np.nanmean(parts, 0), **params)


def patches(x, **params):
    return over_windows(x, 0, lambda parts: np.concatenate(list(parts), -1), **params)


def back(forward):
    return lambda g, like, **params: linear_transpose(
        lambda x: forward(x, **params), like.shape, g.astype(float)
    )


def picked(v, x, y, **params):
    """The elements of v in the place of the first maxima of x."""
    pads, _, places = taps(x.shape, (*params.pop("ksize"), 1, 1), **params)
    xs = np.pad(x.astype(np.float64), pads, constant_values=-np.inf)
    vs = np.pad(v, pads)
    first = np.stack([xs[where] for _, where in places]).argmax(0)
    return np.choose(first, [vs[where] for _, where in places])


def routed(g, x, y, **params):
    return linear_transpose(lambda v: picked(v, x, y, **params), x.shape, g)


def places(x, y, dtype, include_batch, **params):
    index = np.arange(x.size).reshape(x.shape)
    index = index if include_batch else np.broadcast_to(index[:1], x.shape)
    return picked(index, x, y, **params).astype(dtype)


def pool(*ksize, strides=None, padding="VALID", dilations=None):
    return {"ksize": ksize, **sliding(*(strides or ksize), padding=padding, dilations=dilations)}


FLOATS = ("float64", "float32", "bfloat16", "float16")
SLIDINGS = [
    ((2, 4, 4, 2), pool(2, 2)),
    ((1, 5, 3, 2), pool(2, 2, padding="SAME")),
    ((1, 4, 4, 1), pool(3, 2, strides=(1, 2), padding="SAME")),
    ((1, 5, 5, 1), pool(2, 2, strides=(1, 1), dilations=(2, 1))),
    ((2, 4, 2), pool(3, strides=(1,), padding="SAME")),
]
PADDED = ((1, 3, 3, 1), pool(2, 2, padding=((1, 0), (0, 1))))
SOLID = ((1, 4, 2, 3, 1), pool(2, 1, 2, strides=(2, 1, 1), padding="SAME"))


def maxima(op, shape, params, **more):
    x = distinct(*shape)(np.random.default_rng(5))
    y = biggest(x, **params)
    return [
        Case(op, [distinct(*shape)], biggest, params, **more),
        Case(p.max_pool_scatter, [normal(*y.shape), const(x), const(y)], routed, params),
        Case(p.max_pool_pick, [normal(*shape), const(x), const(y)], picked, params),
        *[
            Case(p.first_places, [const(x), const(y)], places, {"dtype": d, "include_batch": b, **params})
            for d, b in (("int64", False), ("int32", True))
        ],
    ]


def averages(ops, shape, params, **more):
    out = mean(np.zeros(shape), **params).shape
    return [
        Case(ops[0], [normal(*shape)], mean, params, **more),
        Case(ops[1], [normal(*out), normal(*shape)], back(mean), params, wrt=[0], **more),
    ]


def cut_out(shape, params, **more):
    out = patches(np.zeros(shape), **params).shape
    return [
        Case(p.extract_patches, [normal(*shape)], patches, params, **more),
        Case(p.patches_back, [normal(*out), normal(*shape)], back(patches), params, wrt=[0]),
    ]


TIES = np.array([[[[1.0], [1.0]], [[1.0], [-np.inf]]]])

CASES = [
    *[row for shape, params in [*SLIDINGS, PADDED] for row in maxima(p.max_pool, shape, params)],
    *maxima(p.max_pool3d, *SOLID),
    Case(p.max_pool, [distinct(1, 4, 4, 1)], biggest, pool(2, 2), dtypes=(*FLOATS, "int32", "int8", "uint8")),
    Case(
        p.max_pool, [normal(1, 2, 2, 1)], biggest, pool(2, 2), edges=[[const(TIES)], [const(TIES * np.inf)]]
    ),
    *[row for shape, params in SLIDINGS for row in averages((p.avg_pool, p.avg_pool_back), shape, params)],
    *averages((p.avg_pool3d, p.avg_pool3d_back), *SOLID),
    *averages((p.avg_pool, p.avg_pool_back), *SLIDINGS[1], dtypes=FLOATS),
    *[row for shape, params in SLIDINGS for row in cut_out(shape, params)],
    Case(p.extract_patches, [integers(0, 9, 1, 3, 3, 2)], patches, pool(2, 2)),
]
