"""Rows of ``ops/gathering.py``."""

import numpy as np

from gradtape._src.ops.gathering import (
    dynamic_partition,
    dynamic_stitch,
    gather_nd,
    gather_nd_grad,
    located,
    mask_rows,
    partition_join,
    stitched,
)

from .case import Case, booleans, const, integers, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64", "int32", "bool")
MOVING = ALL[:6]


def take(x, indices, batch_dims=0, bad_indices_policy=""):
    if indices.ndim == 1:
        return x[tuple(indices)]
    return np.array(
        [take(x[i] if batch_dims else x, indices[i], max(batch_dims - 1, 0)) for i in range(len(indices))]
    )


def put(g, indices, like, batch_dims=0, bad_indices_policy=""):
    out = np.zeros(like.shape, g.dtype)
    for i in range(len(indices)):
        if batch_dims:
            out[i] = put(g[i], indices[i], like[i], batch_dims - 1)
        else:
            out[tuple(indices[i])] += g[i]
    return out


def partitioned(data, partitions, num_partitions):
    return tuple(data[partitions == i] for i in range(num_partitions))


def restored(partitions, like, *gs):
    out = np.zeros(like.shape, gs[0].dtype)
    for i, g in enumerate(gs):
        out[partitions == i] = g
    return out


PAIRS = const([[2, 1], [0, 3], [2, 1]], np.int32)
ROWS = const([[1], [1], [0]], np.int64)
IDS = const([0, 2, 0, 2, 2], np.int32)
FIRST, SECOND = const([0, 3, 0], np.int32), const([[2, 1], [3, 5]], np.int32)

CASES = [
    Case(gather_nd, [normal(3, 4), PAIRS], take, dtypes=ALL),
    Case(gather_nd, [normal(3, 4, 2), PAIRS], take),
    Case(gather_nd, [normal(3, 4), ROWS], take),
    Case(gather_nd, [normal(3, 4), const([2, 1], np.int32)], lambda x, i: x[2, 1]),
    Case(gather_nd, [normal(3, 4), const(np.zeros((2, 0)), np.int32)], lambda x, i: np.stack([x, x])),
    Case(gather_nd, [normal(2, 4, 3), integers(0, 3, 2, 5, 2)], take, {"batch_dims": 1}),
    Case(gather_nd, [normal(2, 3, 4), integers(0, 4, 2, 3, 1)], take, {"batch_dims": 2}),
    Case(
        gather_nd,
        [normal(3, 2), const([[1], [7], [-1]], np.int32)],
        lambda x, i, bad_indices_policy: np.stack([x[1], 0 * x[0], 0 * x[0]]),
        {"bad_indices_policy": "IGNORE"},
    ),
    Case(gather_nd_grad, [normal(3), PAIRS, normal(3, 4)], put, wrt=[0], dtypes=MOVING),
    Case(
        gather_nd_grad,
        [normal(2, 5), integers(0, 3, 2, 5, 2), normal(2, 4, 3)],
        put,
        {"batch_dims": 1},
        wrt=[0],
    ),
    Case(
        gather_nd_grad,
        [normal(2, 2), const([[1], [7]], np.int32), normal(3, 2)],
        lambda g, i, like, bad_indices_policy: np.stack([0 * g[0], g[0], 0 * g[0]]),
        {"bad_indices_policy": "IGNORE"},
        wrt=[0],
    ),
    Case(dynamic_partition, [normal(5, 2), IDS], partitioned, {"num_partitions": 3}, dtypes=ALL),
    Case(
        dynamic_partition,
        [normal(2, 3), const([[0, 1, 0], [1, 1, 1]], np.int32)],
        partitioned,
        {"num_partitions": 2},
    ),
    Case(
        partition_join,
        [IDS, normal(5, 2), normal(2, 2), normal(0, 2), normal(3, 2)],
        restored,
        wrt=[2, 3, 4],
        dtypes=MOVING,
    ),
    Case(
        dynamic_stitch,
        [FIRST, SECOND, normal(3, 2), normal(2, 2, 2)],
        lambda i, j, a, b: np.stack([a[2], b[0, 1], b[0, 0], b[1, 0], 0 * a[0], b[1, 1]]),
        dtypes=ALL,
    ),
    Case(
        stitched,
        [FIRST, SECOND],
        lambda i, j: (np.array([False, False, True]), np.array([[True, True], [True, True]])),
    ),
    Case(
        located,
        [const([4, 0, 3]), normal(3, 2), normal(2, 2)],
        lambda i, a, b, strategy: tuple(np.array(v) for v in ([1, 0, 1], [1, 0, 0], [0, 1, 2])),
        {"strategy": "div"},
        wrt=[],
    ),
    Case(
        located,
        [const([4, 0, 3]), normal(3, 2), normal(2, 2)],
        lambda i, a, b, strategy: tuple(np.array(v) for v in ([0, 0, 1], [2, 0, 1], [0, 1, 2])),
        {"strategy": "mod"},
        wrt=[],
    ),
    Case(mask_rows, [booleans(3), normal(3, 2, 2)], lambda m, x: m[:, None, None], wrt=[]),
]
