"""Rows of ``ops/selection.py``."""

import numpy as np

from gradtape._src.ops.selection import (
    absent,
    boolean_mask,
    boolean_mask_grad,
    one_hot,
    select,
    sequence_mask,
    where,
)

from .case import Case, booleans, const, integers, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64", "int32", "bool")
MOVING = ALL[:6]

MASK = const([True, False, True])
GRID = const([[True, False, True, True], [False, False, True, False]])


def hot(indices, depth, on, off, axis=-1):
    return np.moveaxis(np.where(indices[..., None] == np.arange(depth), on, off), -1, axis)


def masked(x, mask, axis=0):
    return np.moveaxis(np.moveaxis(x, axis, 0)[mask], 0, axis) if mask.ndim == 1 else x[mask]


def unmasked(g, mask, like, axis=0):
    out = np.zeros(like.shape, g.dtype)
    out[(slice(None),) * axis + (mask,)] = g
    return out


CASES = [
    Case(select, [booleans(3, 4), normal(3, 4), normal(3, 4)], np.where, dtypes=ALL),
    Case(select, [booleans(3, 1), normal(4), normal()], np.where),
    Case(select, [booleans(), normal(2, 3), normal(3)], np.where),
    Case(where, [GRID], np.argwhere),
    Case(where, [const([0.0, 2.0, np.nan])], np.argwhere),
    Case(boolean_mask, [normal(3, 4), MASK], masked, dtypes=ALL),
    Case(boolean_mask, [normal(2, 3, 4), MASK], masked, {"axis": 1}),
    Case(boolean_mask, [normal(2, 4, 3), GRID], masked),
    Case(boolean_mask_grad, [normal(2, 4), MASK, normal(3, 4)], unmasked, wrt=[0], dtypes=MOVING),
    Case(boolean_mask_grad, [normal(2, 2, 4), MASK, normal(2, 3, 4)], unmasked, {"axis": 1}, wrt=[0]),
    *(
        Case(one_hot, [integers(-1, 5, 2, 3), 4, normal(), normal()], hot, {"axis": axis}, dtypes=ALL)
        for axis in (-1, 0, 1)
    ),
    Case(absent, [const([1, 5, 7]), const([5, 9])], lambda x, o: np.array([True, False, True])),
    Case(
        sequence_mask,
        [const([1, 3, 0])],
        lambda i, dtype: np.tri(4, 3, -1)[[1, 3, 0]],
        {"dtype": np.dtype(np.float32)},
    ),
    Case(
        sequence_mask,
        [const([1, 3]), const(2)],
        lambda i, m, dtype: np.tri(4, 2, -1)[[1, 3]] > 0,
        {"dtype": np.dtype(bool)},
    ),
    Case(one_hot, [const(2, np.uint8), const(4, np.int32), normal(), const(0.0)], hot),
]
