"""Rows of ``ops/fft.py``, ``ops/banded.py`` and ``ops/matrix_functions.py``."""

import numpy as np
import scipy.linalg

from gradtape._src.ops import banded, fft, matrix_functions

from .case import Case, const, normal, positive_definite, uniform

COMPLEX = ("complex128", "complex64")
REAL = ("float64", "float32")
ALL = (*REAL, *COMPLEX)
HALF = (*ALL, "float16", "bfloat16")


def dense(bands, offsets):
    """The matrices with these diagonals, number by number."""
    size = bands.shape[-1]
    x = np.zeros((*bands.shape[:-2], size, size), bands.dtype)
    for k, offset in enumerate(offsets):
        for i in range(size):
            if 0 <= i + offset < size:
                x[..., i, i + offset] = bands[..., k, i]
    return x


def bands_ref(x, offsets):
    size = x.shape[-1]
    rows = [
        [x[..., i, i + o] if 0 <= i + o < size else np.zeros(x.shape[:-2], x.dtype) for i in range(size)]
        for o in offsets
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def band_transpose_ref(bands, offsets):
    return bands_ref(np.swapaxes(dense(bands, offsets), -1, -2), banded.transposed_offsets(offsets))


def band_matmul_ref(bands, x, offsets):
    return dense(bands, offsets) @ x


def band_outer_ref(u, v, like, offsets):
    return bands_ref(u @ np.swapaxes(v, -1, -2), offsets)


def tridiagonal_ref(bands, b, **params):
    return np.linalg.solve(dense(bands, (1, 0, -1)), b)


def banded_ref(bands, b, lower):
    count = bands.shape[-2]
    return np.linalg.solve(dense(bands, range(0, -count, -1) if lower else range(count - 1, -1, -1)), b)


def small(f):
    def ref(x, *xs, **params):
        if x.dtype.itemsize == 2:
            return f(x.astype(np.float32), *(y.astype(np.float32) for y in xs), **params)
        return f(x, *xs, **params)

    return ref


def logm_ref(x):
    return scipy.linalg.logm(x.astype(np.complex128)).astype(x.dtype)


def heavy_diagonal(*shape, row=1):
    """Bands in which one row is large."""
    plus = np.zeros(shape[-2:])
    plus[row] = 4.0
    inner = uniform(0.5, 1.5, *shape)
    return type(inner)(lambda rng, dtype: (inner(rng, dtype) + plus).astype(dtype))


ZERO = const(np.zeros((3, 4)))
NOTHING = const(np.zeros((4, 2)))

BANDED = [
    *(
        Case(banded.band_matmul, [normal(*a), normal(*b)], band_matmul_ref, {"offsets": offsets}, dtypes=ALL)
        for a, b, offsets in [
            ((3, 4), (4, 2), (1, 0, -1)),
            ((2, 2, 4), (4, 2), (0, -1)),
            ((6, 4), (3, 4, 2), (5, 4, 3, 2, 1, 0)),
        ]
    ),
    *(
        Case(
            banded.band_outer,
            [normal(*a), normal(*b), like],
            band_outer_ref,
            {"offsets": offsets},
            dtypes=ALL,
        )
        for a, b, like, offsets in [
            ((4, 2), (4, 2), const(np.zeros((3, 4))), (1, 0, -1)),
            ((2, 4, 2), (4, 2), const(np.zeros((2, 4))), (0, -1)),
        ]
    ),
    Case(
        banded.band_matmul,
        [normal(3, 4), normal(4, 2)],
        None,
        {"offsets": (1, 0, -1)},
        edges=[[const(np.full((3, 4), np.inf)), NOTHING]],
    ),
    Case(banded.band_transpose, [normal(2, 3, 4)], band_transpose_ref, {"offsets": (0, -1, -2)}, dtypes=ALL),
    Case(banded.bands_of, [normal(2, 4, 4)], bands_ref, {"offsets": (2, 1, 0)}, dtypes=ALL),
    Case(banded.from_bands, [normal(2, 3, 4)], dense, {"offsets": (1, 0, -1)}, dtypes=ALL),
    *(
        Case(
            banded.tridiagonal_solve,
            [heavy_diagonal(*a), normal(*b)],
            small(tridiagonal_ref),
            params,
            dtypes=HALF,
            edges=[[ZERO, NOTHING]],
        )
        for a, b in [((3, 4), (4, 2)), ((2, 3, 4), (2, 4, 1)), ((2, 3, 4), (4, 2)), ((3, 1), (1, 2))]
        for params in ({}, {"partial_pivoting": False})
    ),
    *(
        Case(
            banded.banded_triangular_solve,
            [heavy_diagonal(*a, row=0 if lower else -1), normal(*b)],
            small(banded_ref),
            {"lower": lower},
            dtypes=HALF,
        )
        for a, b in [((3, 4), (4, 2)), ((2, 3, 4), (4, 1)), ((5, 3), (2, 3, 2)), ((1, 3), (3, 1))]
        for lower in (True, False)
    ),
]

FUNCTIONS = [
    Case(
        matrix_functions.beside,
        [normal(2, 3, 3), normal(2, 3, 3)],
        lambda a, e: np.block([[a, e], [0 * a, a]]),
        dtypes=ALL,
    ),
    Case(
        matrix_functions.corner, [normal(2, 4, 4)], lambda x, corner: x[:, :2, 2:], {"corner": "upper right"}
    ),
    Case(
        matrix_functions.corner,
        [normal(4, 4)],
        lambda x, corner: x[:2, :2] + x[2:, 2:],
        {"corner": "diagonal"},
    ),
    *(
        Case(matrix_functions.corner_back, [normal(2, 2, 2)], None, {"corner": which})
        for which in ("upper right", "diagonal")
    ),
    Case(matrix_functions.expm, [normal(2, 3, 3)], small(scipy.linalg.expm), dtypes=HALF, rtol=1e-10),
    Case(matrix_functions.expm, [const(np.zeros((2, 2)))], scipy.linalg.expm),
    Case(matrix_functions.logm, [positive_definite(3, 3)], logm_ref, dtypes=COMPLEX, rtol=1e-10),
    Case(matrix_functions.sqrtm, [positive_definite(3, 3)], scipy.linalg.sqrtm, dtypes=ALL, rtol=1e-10),
]

FFT = [
    *(
        Case(op, [normal(*x)], lambda x, axes, f=f: f(x, axes=axes), {"axes": axes}, dtypes=COMPLEX)
        for op, f in [(fft.fft, np.fft.fftn), (fft.ifft, np.fft.ifftn)]
        for x, axes in [((2, 5), (-1,)), ((2, 3, 4), (-2, -1)), ((2, 3, 4), (-3, -2, -1)), ((3, 2), (0,))]
    ),
    *(
        Case(
            fft.rfft,
            [normal(*x)],
            lambda x, lengths, axes: np.fft.rfftn(x, lengths, axes),
            {"lengths": n, "axes": axes},
            dtypes=REAL,
        )
        for x, n, axes in [
            ((2, 6), None, (-1,)),
            ((2, 5), None, (-1,)),
            ((2, 5), (4,), (-1,)),
            ((2, 5), (7,), (-1,)),
            ((2, 3, 4), None, (-2, -1)),
            ((3, 4), (5, 3), (-2, -1)),
            ((2, 3, 4), (2, 2, 6), (-3, -2, -1)),
            ((4, 2), (6,), (-2,)),
        ]
    ),
    *(
        Case(
            fft.irfft,
            [normal(*x)],
            lambda x, lengths, axes: np.fft.irfftn(x, lengths, axes),
            {"lengths": n, "axes": axes},
            dtypes=COMPLEX,
        )
        for x, n, axes in [
            ((2, 4), None, (-1,)),
            ((2, 4), (7,), (-1,)),
            ((2, 4), (5,), (-1,)),
            ((2, 4), (10,), (-1,)),
            ((3, 3), (4, 5), (-2, -1)),
            ((2, 3, 3), None, (-3, -2, -1)),
            ((4, 2), (6,), (-2,)),
        ]
    ),
    *(
        Case(
            fft.rfft_back,
            [normal(2, n // 2 + 1), const(np.zeros((2, m)))],
            None,
            {"lengths": lengths, "axes": (-1,)},
            dtypes=COMPLEX,
        )
        for n, m, lengths in [(5, 5, None), (4, 6, (4,)), (6, 5, (6,))]
    ),
    *(
        Case(
            fft.irfft_back,
            [normal(2, n), const(np.zeros((2, m)))],
            None,
            {"lengths": lengths, "axes": (-1,)},
            dtypes=REAL,
        )
        for n, m, lengths in [(6, 4, None), (5, 4, (5,)), (7, 3, (7,))]
    ),
]

ORDER = [
    Case(
        fft.fit,
        [normal(2, 3, 4)],
        lambda x, **_: x[:, :2, :3],
        {"lengths": (3, 2), "axes": (-1, -2)},
        dtypes=ALL,
    ),
    Case(
        fft.fit, [normal(3, 4)], lambda x, **_: np.pad(x, ((0, 2), (0, 0))), {"lengths": (5,), "axes": (0,)}
    ),
    Case(
        fft.fit_like,
        [normal(3, 4), const(np.zeros((4, 2)))],
        lambda x, like: np.pad(x[:, :2], ((0, 1), (0, 0))),
    ),
    Case(fft.fftshift, [normal(3, 4)], np.fft.fftshift, {"axes": (0, -1)}, dtypes=ALL),
    Case(fft.ifftshift, [normal(3, 5)], np.fft.ifftshift, {"axes": (1,)}, dtypes=ALL),
]

CASES = [*ORDER, *BANDED, *FUNCTIONS, *FFT]
