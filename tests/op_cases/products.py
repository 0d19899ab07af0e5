"""Rows of ``ops/products.py`` and ``ops/einsum.py``."""

import numpy as np

from gradtape._src.ops import einsum, products

from .case import Case, Make, const, integers, normal

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64")


def strided(*shape: int) -> Make:
    """Every second element of a larger array, axes reversed: not contiguous in any order."""
    large = normal(*(2 * n for n in reversed(shape)))
    return Make(lambda rng, dtype: large(rng, dtype)[tuple(slice(None, None, 2) for _ in shape)].T)


def wide(f):
    """The reference in float32 for the dtypes of 16 bits."""

    def ref(*xs, **params):
        small = xs[0].dtype.itemsize == 2
        return f(*(x.astype(np.float32) for x in xs), **params) if small else f(*xs, **params)

    return ref


def einsum_ref(*xs, equation):
    labels = {c: i for i, c in enumerate(sorted(set(equation) - set(",->")))}
    left, out = equation.split("->")
    sublists = [[labels[c] for c in term] for term in left.split(",")]
    return np.einsum(*(part for pair in zip(xs, sublists) for part in pair), [labels[c] for c in out])


T = lambda x: np.swapaxes(x, -1, -2)
INF = const([[np.inf, 1.0], [0.0, np.nan]])
SINGULAR = [[INF, const([[0.0, 0.0], [0.0, 0.0]])]]

CASES = [
    Case(products.matmul, [normal(3, 4), normal(4, 2)], wide(np.matmul), dtypes=ALL, edges=SINGULAR),
    Case(products.matmul, [strided(3, 4), strided(4, 2)], wide(np.matmul), dtypes=ALL),
    Case(products.matmul, [normal(2, 3, 4), normal(4, 2)], wide(np.matmul), dtypes=ALL),
    Case(products.matmul, [normal(3, 4), normal(5, 4, 2)], wide(np.matmul)),
    Case(products.matmul, [normal(3, 4), normal(2, 5, 4, 2)], np.matmul),
    Case(products.matmul, [normal(5, 1, 3, 4), normal(2, 4, 2)], wide(np.matmul), dtypes=ALL),
    Case(products.matmul, [normal(3, 0), normal(0, 2)], np.matmul),
    Case(products.matmul, [integers(-9, 9, 3, 4), integers(-9, 9, 2, 4, 2)], np.matmul, wrt=[]),
    Case(products.matmul_nt, [normal(3, 4), normal(2, 4)], lambda a, b: a @ b.T, edges=SINGULAR),
    Case(products.matmul_nt, [normal(5, 3, 4), normal(2, 4)], wide(lambda a, b: a @ b.T), dtypes=ALL),
    Case(products.matmul_nt, [normal(5, 3, 4), normal(5, 2, 4)], lambda a, b: a @ T(b)),
    Case(products.matmul_tn, [normal(4, 3), normal(4, 2)], lambda a, b: a.T @ b, edges=SINGULAR),
    Case(products.matmul_tn, [normal(5, 4, 3), normal(4, 2)], wide(lambda a, b: T(a) @ b), dtypes=ALL),
    Case(products.matmul_tt, [normal(4, 3), normal(2, 4)], lambda a, b: a.T @ b.T, edges=SINGULAR),
    Case(products.matmul_tt, [normal(5, 4, 3), normal(1, 2, 4)], wide(lambda a, b: T(a) @ T(b)), dtypes=ALL),
    Case(
        products.contract_rows,
        [normal(2, 5, 3), normal(2, 5, 4)],
        wide(lambda a, b: np.einsum("abi,abj->ij", a, b)),
        dtypes=ALL,
        edges=SINGULAR,
    ),
    Case(
        products.matvec, [normal(3, 4), normal(4)], wide(np.dot), dtypes=ALL, edges=[[INF, const([0.0, 0.0])]]
    ),
    Case(products.matvec, [normal(3, 4), normal(2, 5, 4)], lambda a, b: np.einsum("ij,abj->abi", a, b)),
    Case(
        products.matvec,
        [normal(5, 3, 4), normal(2, 1, 4)],
        lambda a, b: np.einsum("bij,abj->abi", a, b + np.zeros((2, 5, 4))),
    ),
    Case(products.matvec, [normal(5, 3, 4), normal(4)], wide(np.matmul), dtypes=ALL),
    Case(
        products.matvec_t, [normal(4, 3), normal(4)], lambda a, b: a.T @ b, edges=[[INF, const([0.0, 0.0])]]
    ),
    Case(products.matvec_t, [normal(4, 3), normal(5, 4)], lambda a, b: b @ a),
    Case(
        products.outer, [normal(3), normal(4)], np.outer, dtypes=ALL, edges=[[const([np.inf]), const([0.0])]]
    ),
    Case(products.outer, [normal(5, 3), normal(2, 1, 4)], lambda a, b: a[..., :, None] * b[..., None, :]),
    Case(
        products.cross,
        [normal(2, 3), normal(2, 3)],
        wide(np.cross),
        dtypes=("float64", "float32", "bfloat16", "float16"),
        edges=[[const([np.inf, 1.0, np.nan]), const([0.0, 0.0, 0.0])]],
    ),
    Case(products.matrix_transpose, [normal(2, 3, 4)], T, dtypes=ALL),
    Case(products.trace, [normal(2, 3, 4)], wide(lambda x: np.trace(x, axis1=1, axis2=2)), dtypes=ALL),
    Case(products.trace, [integers(0, 9, 3, 3)], lambda x: np.trace(x, dtype=x.dtype), wrt=[]),
    Case(
        products.scaled_eye,
        [normal(2), const(np.zeros((2, 3, 4)))],
        lambda x, like: x[:, None, None] * np.eye(3, 4),
    ),
    *(
        Case(
            einsum.einsum_two,
            [normal(*a), normal(*b)],
            wide(einsum_ref),
            {"equation": equation},
            dtypes=dtypes,
        )
        for equation, a, b, dtypes in [
            ("ij,jk->ik", (3, 4), (4, 2), ALL),
            ("ij,kj->ki", (3, 4), (2, 4), ALL),
            ("ji,jk->ik", (4, 3), (4, 2), ("float64",)),
            ("i,j->ij", (3,), (4,), ALL),
            ("i,j->ji", (3,), (4,), ("float64",)),
            ("i,i->", (3,), (3,), ALL),
            ("i,i->i", (3,), (3,), ("float64",)),
            (",i->i", (), (3,), ("float64",)),
            (",->", (), (), ("float64",)),
            ("bi,bi->b", (2, 3), (2, 3), ALL),
            ("bij,bij->b", (2, 3, 4), (2, 3, 4), ("float64",)),
            ("abij,abji->", (2, 1, 3, 4), (2, 1, 4, 3), ("float64", "bfloat16")),
            ("bij,bjk->bik", (2, 3, 4), (2, 4, 2), ALL),
            ("bij,jk->ikb", (2, 3, 4), (4, 2), ("float64", "complex128")),
            ("bijc,dj->bidc", (2, 3, 4, 2), (5, 4), ("float64",)),
            ("abcd,cdef->fabe", (1, 2, 3, 4), (3, 4, 2, 3), ("float64",)),
            ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 2, 5), ("float64",)),
            ("αij,αjk->αik", (1, 3, 4), (5, 4, 2), ("float64", "complex128")),
            ("βαi,αij->βαj", (2, 5, 3), (1, 3, 4), ("float64",)),
        ]
    ),
    Case(einsum.einsum_two, [INF, const(np.zeros((2, 2)))], None, {"equation": "ij,jk->ik"}, wrt=[], order=0),
    *(
        Case(einsum.einsum_one, [normal(*x)], wide(einsum_ref), {"equation": equation}, dtypes=dtypes)
        for equation, x, dtypes in [
            ("ij->ji", (3, 4), ALL),
            ("ii->i", (3, 3), ALL),
            ("ii->", (3, 3), ALL),
            ("iij->ji", (3, 3, 2), ("float64",)),
            ("ijk->j", (2, 3, 4), ALL),
            ("->", (), ("float64",)),
        ]
    ),
    *(
        Case(einsum.einsum_back, [normal(*g), const(np.zeros(like))], ref, {"equation": equation}, dtypes=ALL)
        for equation, g, like, ref in [
            (
                "iij->ji",
                (2, 3),
                (3, 3, 2),
                lambda g, like, equation: g.T[:, None, :] * np.eye(3, dtype=g.dtype)[..., None],
            ),
            ("ijk->j", (3,), (2, 3, 4), lambda g, like, equation: np.broadcast_to(g[:, None], (2, 3, 4))),
        ]
    ),
]
