"""Rows of ``ops/scattering.py``."""

import numpy as np

from gradtape._src.ops import scattering as s

from .case import Case, const, integers, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64", "int32")
MOVING = ALL[:6]
REAL = ("float64", "float32", "bfloat16", "float16", "int32")

TWICE = const([[1], [3], [1]], np.int32)
PAIRS = const([[[2, 1], [0, 3]], [[2, 1], [1, 0]]], np.int64)


def scattered(indices, updates, shape):
    out = np.zeros(shape, updates.dtype)
    np.add.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)
    return out


def into(how):
    def ref(x, indices, updates):
        out = x.copy()
        for i in np.ndindex(indices.shape[:-1]):
            at = tuple(indices[i])
            out[at] = how(out[at], updates[i])
        return out

    return ref


def ties(y, x, indices, updates):
    taken = y[tuple(np.moveaxis(indices, -1, 0))]
    from_x, from_updates = (x == y).astype(y.dtype), (updates == taken).astype(y.dtype)
    count = from_x + scattered(indices, from_updates, y.shape)
    return from_x / count, from_updates / count[tuple(np.moveaxis(indices, -1, 0))]


FUNCTIONS = {
    s.tensor_scatter_update: lambda old, new: new,
    s.tensor_scatter_add: lambda old, new: old + new,
    s.tensor_scatter_sub: lambda old, new: old - new,
    s.tensor_scatter_min: np.minimum,
    s.tensor_scatter_max: np.maximum,
}
IGNORE = {"bad_indices_policy": "IGNORE"}
OUTSIDE = const([[1], [9]], np.int32)

CASES = [
    Case(s.scatter_nd, [TWICE, normal(3), (4,)], scattered, dtypes=ALL),
    Case(s.scatter_nd, [TWICE, normal(3, 2), (4, 2)], scattered),
    Case(s.scatter_nd, [PAIRS, normal(2, 2, 5), const([3, 4, 5], np.int64)], scattered),
    Case(s.scatter_nd, [integers(0, 30, 40, 1), normal(40, 10), (30, 10)], scattered, order=1),
    Case(s.scatter_nd, [OUTSIDE, normal(2), (4,)], lambda i, u, shape, **_: np.eye(4)[1] * u[0], IGNORE),
    *(
        Case(op, [normal(4), TWICE, normal(3)], into(how), dtypes=ALL if i < 3 else REAL)
        for i, (op, how) in enumerate(FUNCTIONS.items())
    ),
    *(Case(op, [normal(3, 4, 2), PAIRS, normal(2, 2, 2)], into(how)) for op, how in FUNCTIONS.items()),
    *(
        Case(
            op,
            [normal(3), OUTSIDE, normal(2)],
            lambda x, i, u, bad_indices_policy, how=how: into(how)(x, i[:1], u),
            IGNORE,
        )
        for op, how in list(FUNCTIONS.items())[1:]
    ),
    Case(s.cleared, [normal(4), TWICE], lambda x, i: x * [1, 0, 1, 0], dtypes=("float64", "complex128")),
    Case(s.cleared, [normal(3, 4, 2), PAIRS], None),
    Case(s.numbered, [PAIRS], None),
    Case(s.writes_that_stay, [normal(4), TWICE], lambda x, i: np.array([False, True, True]), wrt=[]),
    Case(
        s.ties, [const([5.0, 2.0]), const([1.0, 2.0]), const([[0], [1], [0]]), const([5.0, 2.0, 5.0])], ties
    ),
]
