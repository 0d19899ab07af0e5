"""Rows of ``ops/joining.py``, ``ops/mirroring.py`` and ``ops/blocks.py``."""

import numpy as np

from gradtape._src.ops import blocks, joining, mirroring

from .arrays import ALL, like
from .case import Case, const, normal


def cut(x, sizes, axis):
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis))


def untile(g, like):
    return g.reshape(2, 2, 3, 3).sum(axis=(0, 2))


def padded(mode, **more):
    return lambda x, paddings, *value, **params: np.pad(
        x, paddings, mode, **({"constant_values": value[0]} if value else more)
    )


def unmirrored(mode):
    """The transpose of padding, through its matrix."""

    def ref(g, paddings, like, **params):
        n = like.size
        rows = [np.pad(e.reshape(like.shape), paddings, mode.lower()) for e in np.eye(n)]
        return np.array([np.sum(row * g) for row in rows]).reshape(like.shape)

    return ref


REFLECT, SYMMETRIC = {"mode": "REFLECT"}, {"mode": "SYMMETRIC"}

CASES = [
    Case(
        joining.concat,
        [normal(2, 3), normal(1, 3), normal(0, 3)],
        lambda *xs, axis: np.concatenate(xs, axis),
        params={"axis": 0},
        dtypes=ALL,
    ),
    Case(
        joining.concat,
        [normal(2, 3), normal(2, 1)],
        lambda *xs, axis: np.concatenate(xs, axis),
        params={"axis": -1},
    ),
    Case(
        joining.split_like,
        [normal(5, 3), like(2, 3), like(3, 3)],
        lambda g, *_, axis: cut(g, [2, 3], axis),
        params={"axis": 0},
        wrt=[0],
        dtypes=ALL,
    ),
    Case(
        joining.split_like,
        [normal(2, 4), like(2, 1), like(2, 3)],
        lambda g, *_, axis: cut(g, [1, 3], axis),
        params={"axis": -1},
        wrt=[0],
    ),
    Case(joining.split, [normal(5, 2), (2, 0, 3)], cut, params={"axis": 0}, dtypes=ALL),
    Case(
        joining.split, [normal(2, 5), (2, -1)], lambda x, _, axis: cut(x, [2, 3], axis), params={"axis": -1}
    ),
    Case(joining.split, [normal(5), const([1, 4])], cut, params={"axis": 0}),
    Case(joining.split, [normal(5)], cut, params={"axis": 0, "sizes": (1, 4)}),
    Case(
        joining.split_even,
        [normal(4, 3)],
        lambda x, num, axis: tuple(np.split(x, num, axis)),
        params={"num": 2, "axis": 0},
        dtypes=ALL,
    ),
    Case(
        joining.split_even,
        [normal(4, 3)],
        lambda x, num, axis: tuple(np.split(x, num, axis)),
        params={"num": 3, "axis": -1},
    ),
    Case(joining.tile, [normal(2, 3), (2, 3)], np.tile, dtypes=ALL),
    Case(joining.tile, [normal(2, 3), const([1, 2])], np.tile),
    Case(joining.tile, [normal(2), (0,)], np.tile, order=1),
    Case(joining.tile, [normal(), ()], np.tile),
    Case(joining.untile, [normal(4, 9), like(2, 3)], untile, wrt=[0], dtypes=ALL),
    Case(joining.untile, [normal(0, 2), like(3, 2)], lambda g, like: np.zeros((3, 2)), wrt=[0], order=1),
    Case(
        joining.tile_like, [normal(2, 3), like(4, 9)], lambda x, like: np.tile(x, (2, 3)), wrt=[0], dtypes=ALL
    ),
    Case(joining.repeat, [normal(2, 3), 2], np.repeat, params={"axis": 1}, dtypes=ALL),
    Case(joining.repeat, [normal(2, 3), (1, 0, 2)], np.repeat, params={"axis": -1}, dtypes=ALL),
    Case(joining.repeat, [normal(2, 3), const([3, 1])], np.repeat, params={"axis": 0}),
    Case(joining.repeat, [normal(2, 3), 0], np.repeat, params={"axis": 0}, order=1),
    Case(
        joining.unrepeat,
        [normal(2, 6), 2, like(2, 3)],
        lambda g, repeats, like, axis: g.reshape(2, 3, 2).sum(axis=2),
        params={"axis": 1},
        wrt=[0],
        dtypes=ALL,
    ),
    Case(
        joining.unrepeat,
        [normal(3, 2), const([1, 0, 2]), like(3, 2)],
        lambda g, repeats, like, axis: np.stack([g[0], 0 * g[0], g[1] + g[2]]),
        params={"axis": 0},
        wrt=[0],
        dtypes=ALL,
    ),
    Case(joining.pad, [normal(2, 3), ((1, 0), (0, 2))], padded("constant"), dtypes=ALL),
    Case(joining.pad, [normal(2, 3), const([[1, 0], [0, 2]])], padded("constant")),
    Case(joining.pad, [normal(0), ((1, 1),)], padded("constant"), order=1),
    Case(joining.pad_with, [normal(2, 3), ((1, 0), (0, 2)), normal()], padded("constant"), dtypes=ALL),
    Case(
        joining.margin,
        [normal(3, 4), ((1, 0), (0, 2)), like(2, 2)],
        lambda g, paddings, like: g * np.pad(np.zeros((2, 2)), paddings, constant_values=1),
        wrt=[0],
        dtypes=("float64", "float32", "complex128"),
    ),
    Case(
        joining.unpad,
        [normal(3, 4), ((1, 0), (0, 2)), like(2, 2)],
        lambda g, paddings, like: g[1:, :2],
        wrt=[0],
        dtypes=ALL,
    ),
    Case(
        joining.unpad,
        [normal(3, 4), const([[1, 0], [0, 2]]), like(2, 2)],
        lambda g, paddings, like: g[1:, :2],
        wrt=[0],
    ),
    Case(
        mirroring.mirror_pad,
        [normal(2, 4), ((1, 0), (2, 3))],
        lambda x, p, mode: np.pad(x, p, "reflect"),
        params=REFLECT,
        dtypes=ALL,
    ),
    Case(
        mirroring.mirror_pad,
        [normal(2, 4), ((2, 0), (0, 4))],
        lambda x, p, mode: np.pad(x, p, "symmetric"),
        params=SYMMETRIC,
        dtypes=ALL,
    ),
    Case(
        mirroring.mirror_unpad,
        [normal(4, 9), ((1, 1), (2, 3)), like(2, 4)],
        unmirrored("REFLECT"),
        params=REFLECT,
        wrt=[0],
        dtypes=("float64", "float32"),
    ),
    Case(
        mirroring.mirror_unpad,
        [normal(4, 6), ((1, 1), (0, 3)), like(2, 3)],
        unmirrored("SYMMETRIC"),
        params=SYMMETRIC,
        wrt=[0],
        dtypes=("float64", "float32"),
    ),
    Case(blocks.space_to_batch, [normal(2, 4, 3), (2,), ((1, 1),)], dtypes=ALL),
    Case(
        blocks.space_to_batch,
        [normal(1, 4, 6, 2), (2, 3), ((0, 0), (0, 0))],
        lambda x, block, paddings: np.concatenate([x[:, i::2, j::3] for i in range(2) for j in range(3)]),
        dtypes=ALL,
    ),
    Case(
        blocks.space_to_batch,
        [normal(2, 4), const([2]), const([[0, 0]])],
        lambda x, block, paddings: np.concatenate([x[:, 0::2], x[:, 1::2]]),
    ),
    Case(blocks.batch_to_space, [normal(4, 3, 2, 1), (2, 2), ((1, 0), (0, 1))], dtypes=ALL),
    Case(blocks.batch_to_space, [normal(4, 3), const([2]), const([[1, 0]])]),
]
