"""Rows of ``ops/matrices.py``, ``ops/solvers.py``, ``ops/decompositions.py`` and ``ops/spectra.py``."""

import numpy as np

from gradtape._src.ops import decompositions, matrices, solvers, spectra

from .case import Case, Make, const, normal, positive_definite

ALL = ("float64", "float32", "complex128", "complex64")
HALF = (*ALL, "float16", "bfloat16")
REAL = ("float64", "float32")

T = lambda x: np.swapaxes(x, -1, -2)
H = lambda x: np.conj(T(x))
hermitian = lambda e: (e + H(e)) / 2


def regular(*shape: int) -> Make:
    """Far from singular, from symmetric, and from having equal eigenvalues or singular values."""

    def make(rng: np.random.Generator, dtype: np.dtype) -> np.ndarray:
        a = normal(*shape)(rng, np.dtype("complex128" if dtype.kind == "c" else "float64"))
        return (a * 0.5 + np.eye(*shape[-2:]) * (1 + np.arange(1, shape[-1] + 1))).astype(dtype)

    return Make(make)


def singular(size: int, rank: int) -> Make:
    """A square matrix of less than full rank."""
    return Make(lambda rng, _: rng.normal(size=(size, rank)) @ rng.normal(size=(rank, size)))


def up_to_signs(y):
    """Values, and vectors in columns with a positive sum of their cubes; for a matrix of vectors at the
    end.
    """
    *values, v = y
    return (*values, v * np.sign(np.sum(np.real(v) ** 3, axis=-2, keepdims=True)))


def small(f, wide=np.float32):
    """The reference in float32 for the dtypes of 16 bits."""

    def ref(x, *xs, **params):
        if x.dtype.itemsize == 2:
            return f(x.astype(wide), *(y.astype(wide) for y in xs), **params)
        return f(x, *xs, **params)

    return ref


SOLVE = lambda a, b, transpose=False: np.linalg.solve(T(a) if transpose else a, b)
ZERO = const(np.zeros((2, 2)))
NAN = const(np.full((2, 2), np.nan))


def _triangle(a, lower):
    return np.tril(a) if lower else np.triu(a)


def triangular_ref(a, b, lower=True, transpose=False):
    return SOLVE(_triangle(a, lower), b, transpose)


def svd_ref(x, full_matrices=False):
    u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    return s, u, H(vh)


def lu_ref(x, output_idx_type=np.int32):
    from scipy.linalg import lu

    p, lower, upper = lu(x, p_indices=True)
    return np.tril(lower, -1) + upper, np.argsort(p).astype(output_idx_type)


def on_diagonal_ref(x):
    return x[..., None] * np.eye(x.shape[-1])


def cofactors_ref(x):
    return np.linalg.det(x)[..., None, None] * T(np.linalg.inv(x))


def phi(x):
    return np.tril(x) - on_diagonal_ref(np.diagonal(x, axis1=-2, axis2=-1)).astype(x.dtype) / 2


PIECES = [
    Case(matrices.tril, [normal(2, 3, 4)], np.tril, dtypes=ALL),
    Case(matrices.tril, [normal(4, 3)], lambda x, k: np.tril(x, k), {"k": -1}),
    Case(matrices.triu, [normal(2, 3, 4)], np.triu, dtypes=ALL),
    Case(
        matrices.unit_lower,
        [normal(2, 3, 3)],
        lambda x: np.tril(x, -1) + np.eye(3, dtype=x.dtype),
        dtypes=ALL,
    ),
    Case(matrices.halved_tril, [normal(2, 3, 3)], phi, dtypes=ALL),
    Case(matrices.diagonal, [normal(2, 3, 3)], lambda x: np.diagonal(x, axis1=1, axis2=2), dtypes=ALL),
    Case(matrices.on_diagonal, [normal(2, 3)], on_diagonal_ref, dtypes=ALL),
    Case(
        matrices.columns_like, [normal(2, 3, 4), const(np.zeros(3))], lambda x, like: x[..., :3], dtypes=ALL
    ),
    Case(
        matrices.columns_like,
        [normal(2, 3, 4), const(np.zeros(3))],
        lambda x, like, rest: x[..., 3:],
        {"rest": True},
    ),
    Case(
        matrices.columns_like,
        [normal(3, 4), const(np.zeros((2, 4)))],
        lambda x, like, rest: x[..., 4:],
        {"rest": True},
    ),
    Case(matrices.last_columns_like, [normal(3, 4), const(np.zeros(3))], lambda x, like: x[..., 1:]),
    Case(matrices.last_columns_like, [normal(3, 4), const(np.zeros(0))], lambda x, like: x[..., 4:]),
    *(
        Case(
            matrices.columns_back,
            [normal(3, 2), const(np.zeros(4))],
            lambda x, like, rest: np.pad(x, ((0, 0), (2, 0) if rest else (0, 2))),
            {"rest": rest},
        )
        for rest in (False, True)
    ),
    Case(
        matrices.safe_reciprocal,
        [normal(3)],
        np.reciprocal,
        dtypes=HALF,
        edges=[[const([0.0, np.inf])]],
    ),
]

SOLVERS = [
    *(
        Case(op, [regular(*a), normal(*b)], SOLVE, {"transpose": transpose}, dtypes=ALL)
        for op in (solvers.solve, solvers.solve_or_nan)
        for a, b in [((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1))]
        for transpose in (False, True)
    ),
    Case(
        solvers.solve_or_nan,
        [regular(2, 2), normal(2, 2)],
        small(SOLVE),
        dtypes=HALF,
        edges=[[ZERO, ZERO], [NAN, ZERO]],
    ),
    Case(solvers.inv, [regular(2, 3, 3)], small(np.linalg.inv), dtypes=HALF),
    Case(solvers.inv_or_nan, [regular(3, 3)], np.linalg.inv, dtypes=ALL, edges=[[ZERO]]),
    *(
        Case(
            solvers.triangular_solve,
            [regular(*a), normal(*b)],
            triangular_ref,
            {"lower": lower, "transpose": transpose},
            dtypes=ALL,
            edges=[[ZERO, ZERO], [NAN, ZERO]],
        )
        for a, b in [
            ((3, 3), (3, 2)),
            ((2, 3, 3), (2, 3, 1)),
            ((3, 3), (2, 3, 2)),
            ((2, 3, 3), (3, 2)),
            ((17, 17), (17, 1)),
        ]
        for lower in (False, True)
        for transpose in (False, True)
    ),
    Case(solvers.triangular_solve, [regular(2, 17, 17), normal(17, 1)], triangular_ref, {"lower": True}),
    Case(solvers.pinv, [normal(2, 4, 3)], lambda x: np.linalg.pinv(x), dtypes=ALL, rtol=1e-10),
    Case(solvers.pinv, [normal(3, 4)], lambda x: np.linalg.pinv(x), dtypes=REAL, rtol=1e-10),
    Case(
        solvers.pinv,
        [regular(3, 3)],
        lambda x, rcond: np.linalg.pinv(x, rcond),
        {"rcond": 1e-3},
        edges=[[ZERO]],
    ),
    Case(solvers.det, [regular(2, 3, 3)], np.linalg.det, dtypes=ALL, edges=[[ZERO], [NAN]]),
    Case(solvers.det, [singular(3, 2)], lambda x: np.zeros(()), dtypes=["float64"], rtol=1e-9),
    Case(solvers.det, [singular(4, 2)], lambda x: np.zeros(()), dtypes=["float64"], rtol=1e-9),
    Case(solvers.det, [singular(2, 0)], lambda x: np.zeros(()), dtypes=["float64"]),
    Case(solvers.cofactors, [regular(2, 3, 3)], cofactors_ref, dtypes=ALL, rtol=1e-10),
    Case(solvers.cofactors_moved, [regular(2, 3, 3), normal(2, 3, 3)], dtypes=ALL),
    Case(
        solvers.slogdet,
        [regular(2, 3, 3)],
        lambda x: tuple(part.astype(x.dtype) for part in np.linalg.slogdet(x)),
        dtypes=ALL,
        edges=[[ZERO]],
    ),
]

FACTORS = [
    Case(
        decompositions.cholesky,
        [positive_definite(3, 3)],
        np.linalg.cholesky,
        dtypes=ALL,
        step=hermitian,
        edges=[[NAN]],
    ),
    Case(
        decompositions.cholesky, [positive_definite(2, 4, 4)], np.linalg.cholesky, dtypes=ALL, step=hermitian
    ),
    *(
        Case(
            decompositions.qr, [normal(*x)], lambda x, **_: tuple(np.linalg.qr(x)), dtypes=ALL, edges=[[ZERO]]
        )
        for x in [(3, 3), (2, 5, 3), (2, 3, 5)]
    ),
    *(
        Case(
            decompositions.qr,
            [normal(*x)],
            lambda x, **_: tuple(np.linalg.qr(x, mode="complete")),
            {"full_matrices": True},
            dtypes=dtypes,
        )
        for x, dtypes in [((4, 3), REAL), ((2, 3, 4), ALL)]
    ),
    Case(decompositions.lu, [normal(2, 3, 3)], lu_ref, dtypes=ALL),
    Case(decompositions.lu, [normal(4, 4)], lu_ref, {"output_idx_type": np.int64}),
    Case(decompositions.rows_in_order, [normal(2, 3, 2), const([2, 0, 1])], lambda x, p: x[:, p], dtypes=ALL),
    Case(
        decompositions.rows_back,
        [normal(2, 3, 2), const([2, 0, 1])],
        lambda x, p: x[:, np.argsort(p)],
        dtypes=ALL,
    ),
]

SPECTRA = [
    *(
        Case(
            spectra.eigh,
            [positive_definite(*x)],
            lambda x: tuple(np.linalg.eigh(x)),
            dtypes=REAL,
            make_y=up_to_signs,
        )
        for x in [(3, 3), (2, 4, 4)]
    ),
    Case(
        spectra.eigvalsh,
        [positive_definite(2, 3, 3)],
        lambda x: np.linalg.eigvalsh(x).astype(x.dtype),
        dtypes=ALL,
    ),
    Case(spectra.eig, [regular(2, 3, 3)], dtypes=("float64",)),
    Case(spectra.eigvals, [regular(3, 3)], dtypes=("float64",)),
    Case(spectra.eigvals, [regular(3, 3)], np.linalg.eigvals, dtypes=("complex128", "complex64")),
    *(
        Case(spectra.svd, [normal(*x)], svd_ref, {"full_matrices": full}, dtypes=REAL)
        for x, full in [
            ((3, 3), False),
            ((2, 4, 3), False),
            ((5, 3), False),
            ((3, 5), False),
            ((4, 3), True),
            ((2, 3, 4), True),
            ((3, 3), True),
        ]
    ),
    *(
        Case(spectra.svdvals, [normal(*x)], lambda x: np.linalg.svd(x, compute_uv=False), dtypes=ALL)
        for x in [(3, 3), (2, 4, 3), (3, 5)]
    ),
]

CASES = [*PIECES, *SOLVERS, *FACTORS, *SPECTRA]
