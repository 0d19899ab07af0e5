"""Rows of ``ops/indexed_slices.py``."""

import numpy as np

from gradtape._src.ops.flattening import flat_rows, unflat_rows
from gradtape._src.ops.indexed_slices import gather, gather_grad

from .case import Case, const, integers, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64", "int32", "bool")
MOVING = ALL[:6]


def gather_batch(x, indices, axis, batch_dims):
    one = lambda p, i: np.take(p, i, axis - batch_dims)
    for _ in range(batch_dims):
        one = lambda p, i, inner=one: np.stack([inner(*both) for both in zip(p, i)])
    return one(x, indices)


def spread(g, indices, like):
    out = np.zeros(like.shape, g.dtype)
    np.add.at(out, indices, g)
    return out


CASES = [
    Case(gather, [normal(4, 3), const([2, 0, 2], np.int32)], lambda x, i: x[i], dtypes=ALL),
    Case(gather, [normal(4, 3), const([[2, 0], [1, 1]], np.int64)], lambda x, i: x[i]),
    Case(gather, [normal(4), const(2, np.int16)], lambda x, i: x[i]),
    Case(gather, [normal(4, 3), const(np.zeros((0,)), np.int32)], lambda x, i: x[i]),
    Case(gather, [normal(3, 4, 2), integers(0, 4, 2, 3)], np.take, {"axis": 1}),
    Case(gather, [normal(3, 4, 2), integers(0, 2, 5, dtype=np.int64)], np.take, {"axis": -1}),
    *(
        Case(
            gather, [normal(2, 3, 4, 5), integers(0, 3, *ids)], gather_batch, {"axis": axis, "batch_dims": b}
        )
        for b, axis, ids in [
            (1, 1, (2, 4)),
            (1, 2, (2, 2, 2)),
            (1, 3, (2,)),
            (2, 2, (2, 3, 2)),
            (2, 3, (2, 3)),
        ]
    ),
    Case(
        gather_grad, [normal(3, 2), const([2, 0, 2], np.int32), normal(4, 2)], spread, wrt=[0], dtypes=MOVING
    ),
    Case(gather_grad, [normal(300, 4), integers(0, 40, 300), normal(40, 4)], spread, wrt=[0], order=1),
    Case(gather_grad, [normal(3, 2, 2), integers(0, 4, 2), normal(3, 4, 2)], None, {"axis": 1}, wrt=[0]),
    Case(
        gather_grad,
        [normal(2, 3, 2), integers(0, 4, 2, 2), normal(2, 3, 4)],
        None,
        {"axis": 2, "batch_dims": 1},
        wrt=[0],
    ),
    Case(flat_rows, [normal(2, 3, 4), integers(0, 3, 2, 3)], lambda g, i: g.reshape(6, 4), dtypes=MOVING),
    Case(unflat_rows, [normal(6, 4), integers(0, 3, 2, 3)], lambda x, i: x.reshape(2, 3, 4), dtypes=MOVING),
]
