"""Rows of ``ops/creation.py`` and ``ops/casting.py``."""

import ml_dtypes
import numpy as np

from gradtape._src.ops import casting, creation

from .arrays import ALL
from .case import Case, Make, const, normal

F4, F8, I4, C8, C16 = (np.dtype(d) for d in ("f4", "f8", "i4", "c8", "c16"))


def linspace(start, stop, num, axis):
    return np.linspace(start, stop, int(num), axis=axis)


def vector_like(n: int) -> Make:
    return Make(lambda rng, dtype: np.zeros(n, dtype))


CASES = [
    Case(creation.zeros, [(2, 3)], np.zeros, params={"dtype": F4}),
    Case(creation.zeros, [const([2, 3])], lambda s, dtype: np.zeros((2, 3), dtype), params={"dtype": I4}),
    Case(
        creation.zeros, [(2,)], lambda s, dtype: np.array([b"", b""], object), params={"dtype": np.dtype("O")}
    ),
    Case(creation.ones, [(2, 3)], np.ones, params={"dtype": C8}),
    Case(creation.fill, [(2, 3), normal()], np.full, dtypes=ALL),
    Case(creation.fill, [const([2]), normal()], np.full),
    Case(creation.fill, [(), normal()], np.full),
    Case(creation.range_, [const(1.5), const(4.0), const(0.75)], np.arange),
    Case(
        creation.range_,
        [
            Make(lambda r, d: np.array(0.2, d)),
            Make(lambda r, d: np.array(2.9, d)),
            Make(lambda r, d: np.array(0.7, d)),
        ],
        np.arange,
        dtypes=("float64", "float32", "bfloat16", "float16"),
        dynamic=True,
    ),
    Case(creation.range_, [const(7), const(0), const(-3)], np.arange),
    Case(creation.range_, [const(2), const(2), const(1)], np.arange),
    Case(creation.iota_like, [vector_like(4)], lambda x: np.arange(4.0)),
    Case(creation.linspace, [normal(), normal(), 5], linspace, params={"axis": 0}, dtypes=ALL, rtol=1e-9),
    Case(creation.linspace, [normal(2, 3), normal(2, 3), 4], linspace, params={"axis": 1}),
    Case(creation.linspace, [normal(3), normal(2, 1), 4], linspace, params={"axis": -1}),
    Case(creation.linspace, [normal(2), normal(2), 1], linspace, params={"axis": 0}),
    Case(creation.linspace, [normal(2), normal(2), const(3)], linspace, params={"axis": 0}),
    Case(creation.linspace, [normal(2), normal(2), 0], linspace, params={"axis": 0}, order=1),
    Case(
        creation.linspace_grad,
        [normal(2, 3), 3],
        lambda g, num, end, axis: g @ [0, 0.5, 1],
        params={"end": 1, "axis": -1},
        dtypes=ALL,
    ),
    Case(
        creation.linspace_grad,
        [normal(3, 2), 3],
        lambda g, num, end, axis: np.array([1, 0.5, 0]) @ g,
        params={"end": 0, "axis": 0},
    ),
    Case(creation.eye, [2, 3, ()], lambda r, c, b, dtype: np.eye(r, c), params={"dtype": F4}),
    Case(
        creation.eye,
        [2, 2, (3, 1)],
        lambda r, c, b, dtype: np.ones((3, 1, 1, 1)) * np.eye(2),
        params={"dtype": F4},
    ),
    Case(
        casting.cast,
        [normal(2, 3)],
        lambda x, dtype: x.astype(dtype),
        params={"dtype": F8},
        dtypes=["float64"],
    ),
    Case(
        casting.cast,
        [normal(2, 3)],
        lambda x, dtype: x.real.astype(dtype),
        params={"dtype": F8},
        dtypes=["complex128", "complex64", "bfloat16"],
    ),
    Case(
        casting.cast,
        [normal(2, 3)],
        lambda x, dtype: x.astype(dtype),
        params={"dtype": C16},
        dtypes=["float64", "float32", "complex128", "complex64"],
    ),
    Case(casting.cast, [normal(4)], lambda x, dtype: x.astype(dtype), params={"dtype": I4}, order=0),
    Case(
        casting.cast, [const([1, 0, 5])], lambda x, dtype: x.astype(dtype), params={"dtype": np.dtype(bool)}
    ),
    Case(
        casting.cast,
        [const([1, 0, 5])],
        lambda x, dtype: x.astype(dtype),
        params={"dtype": np.dtype(ml_dtypes.bfloat16)},
    ),
    Case(
        casting.bitcast,
        [normal(3)],
        lambda x, dtype: x.view(dtype),
        params={"dtype": np.dtype("i8")},
        dtypes=["float64"],
    ),
    Case(
        casting.bitcast,
        [normal(3, 2)],
        lambda x, dtype: x.view(dtype).reshape(3, 2, 2),
        params={"dtype": I4},
        dtypes=["float64"],
    ),
    Case(
        casting.bitcast,
        [const([[0, 0, 128, 63], [0, 0, 0, 64]], np.uint8)],
        lambda x, dtype: np.array([1.0, 2.0], "f4"),
        params={"dtype": F4},
    ),
    Case(
        casting.clamp,
        [Make(lambda rng, d: np.array([-2.0, -0.5, 0.3, 7.0], d))],
        lambda x, low, high: np.clip(x, low, high),
        params={"low": -1.0, "high": 1.0},
        edges=[[const([np.inf, -np.inf, 1.0, np.nan])]],
    ),
    Case(
        casting.within,
        [normal(5)],
        lambda x, low, high: 1.0 * ((x >= low) & (x <= high)),
        params={"low": -1.0, "high": 1.0},
    ),
]
