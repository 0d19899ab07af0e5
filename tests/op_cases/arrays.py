"""Rows of ``ops/arrays.py``, ``ops/measuring.py`` and ``ops/reordering.py``."""

import numpy as np

from gradtape._src.ops import arrays, measuring, reordering

from .case import Case, Make, const, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64")


def like(*shape: int) -> Make:
    """An array of which only the shape matters; it may be batched."""
    return Make(lambda rng, dtype: np.zeros(shape, dtype))


def strided(*shape: int) -> Make:
    """Not contiguous: a transposed array, seen from its end."""
    return Make(lambda rng, dtype: rng.normal(size=shape[::-1]).astype(dtype).T[::-1])


def sum_to(x, like):
    extra = x.ndim - like.ndim
    x = x.sum(axis=tuple(range(extra)))
    return x.sum(axis=tuple(i for i, n in enumerate(like.shape) if n == 1), keepdims=True)


def rolled(x, shift, axis):
    for s, a in zip(np.atleast_1d(shift), axis, strict=True):
        x = np.roll(x, s, a)
    return x


CASES = [
    Case(arrays.sum_to, [normal(2, 3, 4), like(3, 1)], sum_to, wrt=[0], dtypes=ALL),
    Case(arrays.sum_to, [normal(3, 4), like(1, 4)], sum_to, wrt=[0]),
    Case(arrays.sum_to, [normal(3, 4), like()], lambda x, like: x.sum(), wrt=[0]),
    Case(arrays.broadcast_like, [normal(3, 1), like(2, 3, 4)], lambda x, y: x + 0 * y, wrt=[0], dtypes=ALL),
    Case(arrays.broadcast_like, [normal(), like(2, 3)], lambda x, y: x + 0 * y, wrt=[0]),
    Case(arrays.broadcast_like, [normal(3, 1), like(300, 3, 40)], lambda x, y: x + 0 * y, wrt=[0], order=1),
    Case(arrays.broadcast_to, [normal(3, 1), (2, 3, 4)], np.broadcast_to, dtypes=ALL),
    Case(arrays.broadcast_to, [normal(), (2, 3)], np.broadcast_to),
    Case(arrays.broadcast_to, [normal(1, 2), const([3, 2])], np.broadcast_to),
    Case(arrays.broadcast_to, [normal(0), (2, 0)], np.broadcast_to, order=1),
    Case(arrays.lead, [normal(2, 3)], lambda x, n: np.stack([x] * n), params={"n": 4}, dtypes=ALL),
    Case(arrays.prepend, [const([2, 3])], lambda s, n: np.array([n, 2, 3]), params={"n": 4}),
    Case(arrays.zeros_like, [normal(2, 3)], np.zeros_like, dtypes=ALL),
    Case(arrays.zeros_like, [normal(2)], np.zeros_like, params={"dtype": np.dtype("int8")}),
    Case(arrays.ones_like, [normal(2, 3)], np.ones_like, dtypes=ALL),
    Case(arrays.ones_like, [normal(2)], np.ones_like, params={"dtype": np.dtype("int8")}),
    Case(arrays.identity, [normal(2, 3)], np.array, dtypes=ALL),
    Case(arrays.guarantee_const, [normal(2, 3)], np.array),
    Case(arrays.stop_gradient, [normal(2, 3)], np.array, dtypes=ALL),
    Case(arrays.identity_n, [normal(2, 3), normal()], lambda *xs: xs, dtypes=ALL),
    Case(arrays.reshape_like, [normal(2, 6), like(3, 4)], lambda x, y: x.reshape(3, 4), wrt=[0], dtypes=ALL),
    Case(arrays.reshape, [normal(2, 6), (3, 4)], np.reshape, dtypes=ALL),
    Case(arrays.reshape, [normal(2, 6), (3, -1, 2)], np.reshape),
    Case(arrays.reshape, [strided(4, 3), (2, 6)], np.reshape),
    Case(arrays.reshape, [normal(2, 6), const([4, -1])], lambda x, s: x.reshape(4, 3)),
    Case(arrays.reshape, [normal(1), ()], np.reshape),
    Case(arrays.reshape, [normal(0, 3), (3, -1)], np.reshape, order=1),
    Case(arrays.reshape, [normal(0), (0, -1)], lambda x, s: x.reshape(0, 1), order=1),
    Case(arrays.expand_dims, [normal(2, 3)], np.expand_dims, params={"axis": 1}, dtypes=ALL),
    Case(arrays.expand_dims, [strided(2, 3)], np.expand_dims, params={"axis": -1}),
    Case(arrays.expand_dims, [normal()], np.expand_dims, params={"axis": 0}),
    Case(arrays.squeeze, [normal(1, 3, 1)], np.squeeze, dtypes=ALL),
    Case(arrays.squeeze, [normal(1, 3, 1)], np.squeeze, params={"axis": (-1,)}),
    Case(arrays.squeeze, [normal(1, 3, 1, 1)], np.squeeze, params={"axis": (0, 2)}),
    Case(arrays.squeeze, [normal(2, 3)], np.squeeze),
    Case(arrays.pack, [normal(2, 3)] * 3, lambda *xs, axis=0: np.stack(xs, axis), dtypes=ALL),
    Case(arrays.pack, [normal(2, 3)] * 2, lambda *xs, axis: np.stack(xs, axis), params={"axis": 1}),
    Case(arrays.pack, [normal(2, 3)] * 2, lambda *xs, axis: np.stack(xs, axis), params={"axis": -1}),
    Case(arrays.pack, [normal()] * 3, lambda *xs: np.stack(xs)),
    Case(arrays.unpack, [normal(3, 2)], lambda x, num: tuple(x), params={"num": 3}, dtypes=ALL),
    Case(
        arrays.unpack,
        [normal(3, 2)],
        lambda x, num, axis: tuple(x.T),
        params={"num": 2, "axis": -1},
        dtypes=ALL,
    ),
    Case(arrays.unpack, [normal(2)], lambda x, num: tuple(x), params={"num": 2}, dtypes=ALL),
    Case(
        measuring.shape,
        [normal(2, 3)],
        lambda x, out_type: np.array([2, 3], np.int64),
        params={"out_type": np.int64},
    ),
    Case(measuring.size, [normal(2, 3)], lambda x, out_type: np.int32(6), params={"out_type": np.int32}),
    Case(measuring.rank, [normal(2, 3)], lambda x: np.int32(2)),
    Case(measuring.broadcast_args, [const([2, 1]), const([3])], lambda a, b: np.array([2, 3])),
    Case(measuring.broadcast_args, [const([], np.int32), const([3], np.int32)], lambda a, b: np.array([3])),
    Case(measuring.ensure_shape, [normal(2, 3)], lambda x, shape: x, params={"shape": (None, 3)}, dtypes=ALL),
    Case(measuring.ensure_shape, [normal(2, 3)], lambda x, shape: x, params={"shape": None}),
    Case(
        measuring.unravel_index,
        [const([5, 1, 0]), (2, 3)],
        lambda i, dims: np.array(np.unravel_index([5, 1, 0], (2, 3))),
    ),
    Case(reordering.transpose, [normal(2, 3, 4), None], np.transpose, dtypes=ALL),
    Case(reordering.transpose, [normal(2, 3, 4), (2, 0, 1)], np.transpose),
    Case(reordering.transpose, [strided(2, 3, 4), (0, -1, -2)], np.transpose),
    Case(reordering.transpose, [normal(2, 3, 4), const([1, 2, 0])], np.transpose),
    Case(reordering.transpose, [normal(), ()], np.transpose),
    Case(reordering.move_axis, [normal(2, 3, 4), const(2), const(0)], np.moveaxis, dtypes=ALL),
    Case(reordering.move_axis, [normal(2, 3, 4), const(-1), const(1)], np.moveaxis),
    Case(reordering.axes_behind, [const([-1, 0, 2])], lambda a: np.array([-1, 1, 3])),
    Case(reordering.invert_permutation, [const([2, 0, 3, 1])], np.argsort),
    Case(reordering.invert_permutation, [const([], np.int32)], lambda x: x),
    Case(reordering.reverse, [normal(2, 3)], np.flip, params={"axis": (1,)}, dtypes=ALL),
    Case(reordering.reverse, [normal(2, 3, 4)], np.flip, params={"axis": (0, -1)}),
    Case(reordering.reverse, [normal(2)], lambda x, axis: x, params={"axis": ()}),
    Case(reordering.roll, [normal(3, 4), (1,)], rolled, params={"axis": (0,)}, dtypes=ALL),
    Case(reordering.roll, [normal(3, 4), (-5, 2, 1)], rolled, params={"axis": (-1, 0, 1)}),
    Case(reordering.roll, [normal(3, 4), const([2])], rolled, params={"axis": (1,)}),
    Case(
        reordering.reverse_sequence,
        [normal(3, 2, 4), const([0, 4, 3])],
        lambda x, n, seq_axis, batch_axis: np.stack(
            [np.concatenate([row[:, :k][:, ::-1], row[:, k:]], axis=1) for row, k in zip(x, n)]
        ),
        params={"seq_axis": 2, "batch_axis": 0},
        dtypes=ALL,
    ),
    Case(
        reordering.reverse_sequence,
        [normal(3, 2), const([1, 3])],
        lambda x, n, seq_axis, batch_axis: np.stack([x[:, 0], x[::-1, 1]], axis=1),
        params={"seq_axis": 0, "batch_axis": -1},
    ),
    Case(
        reordering.space_to_depth,
        [normal(2, 4, 6, 3)],
        lambda x, block_size, data_format: np.concatenate(
            [x[:, i::2, j::2] for i in range(2) for j in range(2)], axis=-1
        ),
        params={"block_size": 2, "data_format": "NHWC"},
        dtypes=ALL,
    ),
    Case(
        reordering.space_to_depth,
        [normal(2, 3, 4, 2)],
        lambda x, block_size, data_format: np.concatenate(
            [x[:, :, i::2, j::2] for i in range(2) for j in range(2)], axis=1
        ),
        params={"block_size": 2, "data_format": "NCHW"},
    ),
    Case(
        reordering.depth_to_space,
        [normal(1, 2, 3, 8)],
        params={"block_size": 2, "data_format": "NHWC"},
        dtypes=ALL,
    ),
    Case(reordering.depth_to_space, [normal(1, 8, 2, 3)], params={"block_size": 2, "data_format": "NCHW"}),
]
