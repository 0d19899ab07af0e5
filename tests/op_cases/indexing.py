"""Rows of ``ops/indexing.py``, and of the slices in ``ops/indexed_slices.py``."""

import numpy as np

from gradtape._src.ops.indexed_slices import counted_from_front, slices_sum, strided_slice, strided_slice_grad
from gradtape._src.ops.indexing import slice_, slice_grad
from gradtape._src.ops.keys import ALL as FULL
from gradtape._src.ops.keys import HOLE, index_of

from .case import Case, const, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64", "int32", "bool")
MOVING = ALL[:6]

KEYS = [
    (1,),
    (-1, FULL, 0),
    ((1, None, None),),
    ((None, None, -1), (2, 0, -1)),
    (..., 1),
    (None, 0, ..., None, (None, 2, None)),
    ((5, 9, None), ...),
    ((-100, 100, 2), (100, -100, -3)),
    (0, 1, 2),
    (),
]


def getitem(x, *dynamic, key):
    return x[index_of(key, dynamic)]


def setitem(g, like, *dynamic, key):
    out = np.zeros(like.shape, g.dtype)
    out[index_of(key, dynamic)] = g
    return out


CASES = [
    *(Case(strided_slice, [normal(3, 4, 3)], getitem, {"key": key}) for key in KEYS),
    Case(strided_slice, [normal(3, 4)], getitem, {"key": (1,)}, dtypes=ALL),
    Case(
        strided_slice,
        [normal(3, 4), const(1, np.int32), const(3, np.int64)],
        lambda x, i, j, key: x[1, 0:3],
        {"key": (HOLE, (0, HOLE, None))},
        wrt=[0],
    ),
    *(
        Case(
            strided_slice_grad,
            [normal(*np.empty((3, 4))[index_of(key)].shape), normal(3, 4)],
            setitem,
            {"key": key},
            wrt=[0],
            dtypes=MOVING,
        )
        for key in [(1,), ((None, None, -2), 1), (None, ..., 2)]
    ),
    Case(
        strided_slice_grad,
        [normal(4), normal(3, 4), const(1, np.int32)],
        lambda g, like, i, key: setitem(g, like, key=(1,)),
        {"key": (HOLE,)},
        wrt=[0],
    ),
    Case(
        slices_sum,
        [normal(3, 4), normal(4), normal(3), normal(4)],
        lambda like, a, b, c, keys: (
            setitem(a, like, key=(1,)) + setitem(b, like, key=(FULL, 0)) + setitem(c, like, key=(1,))
        ),
        {"keys": ((1,), (FULL, 0), (1,))},
        wrt=[1, 2, 3],
        dtypes=MOVING,
    ),
    Case(
        counted_from_front,
        [const([-1, 2, 0]), normal(2, 4)],
        lambda i, like, axis: np.array([3, 2, 0]),
        {"axis": 1},
        wrt=[],
    ),
    Case(slice_, [normal(3, 4), (1, 0), (1, 2)], lambda x, b, s: x[1:2, 0:2], dtypes=ALL),
    Case(slice_, [normal(3, 4), (1, 0), (-1, 0)], lambda x, b, s: x[1:, 0:0]),
    Case(
        slice_,
        [normal(3, 4), const([1, 0], np.int32), const([1, -1], np.int64)],
        lambda x, b, s: x[1:2],
        wrt=[0],
    ),
    Case(
        slice_grad,
        [normal(1, 2), normal(3, 4), (1, 0), (1, 2)],
        lambda g, like, b, s: np.pad(g, ((1, 1), (0, 2))),
        wrt=[0],
    ),
    Case(
        slice_grad,
        [normal(1, 2), normal(3, 4), const([1, 0], np.int32), const([1, 2], np.int32)],
        lambda g, like, b, s: np.pad(g, ((1, 1), (0, 2))),
        wrt=[0],
    ),
]
