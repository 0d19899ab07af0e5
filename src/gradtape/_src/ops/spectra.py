"""Eigenvalues and singular values, with and without their vectors.

Kernels are LAPACK's through NumPy. The rules are the published ones, for batches, wide and tall matrices and
complex numbers; <x, y> is Re tr(x^H y) throughout, and a cotangent ``ct`` of x means that a step dx changes
the target by <ct, dx>. None of these operations is holomorphic: each rule says where to conjugate.

Two things are not functions of the matrix. Phases of complex vectors (signs, of real ones): the rules take a
vector's step to have no component along the vector itself, so they are right for every target that phases do
not change. And bases of equal eigenvalues: the rules do not turn such vectors into each other
(``safe_reciprocal`` of a gap of 0 is 0), so the derivatives of the values are right, and those of the vectors
are finite.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import real_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.complex import conj, is_complex, make_complex, real
from gradtape._src.ops.matrices import (
    adjoint,
    as_column,
    as_row,
    check_matrix,
    check_square,
    columns_like,
    diagonal,
    halved_tril,
    in_float32,
    on_diagonal,
    safe_reciprocal,
    tril,
)
from gradtape._src.ops.products import matmul, matrix_transpose, turned
from gradtape._src.ops.solvers import solve_or_nan

NUMBER = f"{FLOAT} {COMPLEX}"


def _vector_shape(x: Any) -> Shape:
    """Of one number a row of each square matrix."""
    shape = shape_of(x)
    return None if shape is None else shape[:-1]


# --- Eigenvalues of Hermitian matrices ----------------------------------------------------------------------


def _no_convergence(name: str) -> Exception:
    return InvalidArgumentError.of(
        f"Self-adjoint eigen decomposition was not successful. The input might not be valid. [Op:{name}]"
    )


def _eigh(x: Any) -> Any:
    check_square(x, "SelfAdjointEigV2")
    try:
        w, v = np.linalg.eigh(x)
    except np.linalg.LinAlgError:
        raise _no_convergence("SelfAdjointEigV2") from None
    if np.isnan(w).any():
        raise _no_convergence("SelfAdjointEigV2")
    return w.astype(x.dtype, copy=False), v


def _eigvalsh(x: Any) -> Any:
    check_square(x, "SelfAdjointEigV2")
    try:
        w = np.linalg.eigvalsh(x)
    except np.linalg.LinAlgError:
        raise _no_convergence("SelfAdjointEigV2") from None
    if np.isnan(w).any():
        raise _no_convergence("SelfAdjointEigV2")
    return w.astype(x.dtype, copy=False)


def _to_lower(ct: Any) -> Any:
    """The cotangent of a Hermitian matrix as that of its lower triangle, which is all that is read of it."""
    ct = ct + adjoint(ct)
    return halved_tril(ct) if not is_complex(ct) else (tril(ct) + tril(ct, k=-1)) / 2


def _gaps(w: Any) -> Any:
    """1 / (w[j] - w[i]) at [i, j], and 0 where they are equal."""
    return safe_reciprocal(as_row(w) - as_column(w))


def _eigh_vjp(gw: Any, gv: Any, w: Any, v: Any) -> Any:
    """Giles (2008), section 3.1: V (diag(gw) + F o V^H gv) V^H."""
    middle = on_diagonal(gw) + _gaps(w) * matmul(adjoint(v), gv)
    return _to_lower(matmul(matmul(v, middle), adjoint(v)))


def _eigh_jvp(t: Any, w: Any, v: Any) -> Any:
    lower = tril(t, k=-1)
    t = lower + adjoint(lower) + on_diagonal((diagonal(t) + conj(diagonal(t))) / 2)
    turned_t = matmul(adjoint(v), matmul(t, v))
    return diagonal(turned_t), matmul(v, _gaps(w) * turned_t)


eigh = Op(
    "SelfAdjointEigV2",
    in_float32(_eigh),
    vjp=lambda g, y, x: _eigh_vjp(*g, *y),
    jvp=lambda ts, y, x: _eigh_jvp(ts[0], *y),
    reads="y",
    batch=lambda n, xs, batched: eigh(*xs),
    shape=lambda x: [_vector_shape(x), shape_of(x)],
    accepts=NUMBER,
    multi=True,
    holomorphic=False,
)
"""Eigenvalues, ascending, and eigenvectors, in columns. Only the lower triangle is read."""

eigvalsh = Unary(
    "SelfAdjointEigV2",
    in_float32(_eigvalsh),
    vjp=lambda g, y, x: _to_lower(_between(eigh(x)[1], g)),
    reads="x",
    batch=lambda n, xs, batched: eigvalsh(*xs),
    shape=_vector_shape,
    accepts=NUMBER,
    holomorphic=False,
)


def _between(v: Any, w: Any) -> Any:
    """V diag(w) V^H"""
    return matmul(v * as_row(w), adjoint(v))


# --- Eigenvalues of any matrices ----------------------------------------------------------------------------

_COMPLEX_OF = {"f": np.dtype(np.complex64), "d": np.dtype(np.complex128)}


def complex_np(dtype: np.dtype) -> np.dtype:
    """The complex dtype of this precision."""
    return dtype if dtype.kind == "c" else _COMPLEX_OF.get(dtype.char, np.dtype(np.complex64))


def _eig(x: Any) -> Any:
    w, v = _checked_eig(np.linalg.eig, x)
    dtype = complex_np(x.dtype)
    return w.astype(dtype, copy=False), v.astype(dtype, copy=False)


def _eigvals(x: Any) -> Any:
    return _checked_eig(np.linalg.eigvals, x).astype(complex_np(x.dtype), copy=False)


def _checked_eig(kernel: Any, x: Any) -> Any:
    check_square(x, "Eig")
    try:
        return kernel(x)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError.of(
            "Eigen decomposition was not successful. The input might not be valid. [Op:Eig]"
        ) from None


def _eig_vjp(gw: Any, gv: Any, w: Any, v: Any, x: Any) -> Any:
    """Boeddeker et al. (2017), eq. 4.77, with eigenvectors of length 1.

    dV = V (C - diag(Re V^H V C)), C = F o V^-1 dA V
    """
    v_h = adjoint(v)
    middle = matmul(v_h, gv)
    lengths = (diagonal(middle) + conj(diagonal(middle))) / 2
    middle = conj(_gaps(w)) * (middle - matmul(v_h, v) * as_row(lengths))
    return _real_if(x, solve_or_nan(v_h, matmul(on_diagonal(gw) + middle, v_h)))


def _real_if(x: Any, ct: Any) -> Any:
    """The cotangent of x, which is real if x is."""
    return ct if is_complex(x) else real(ct)


def _eigvals_vjp(g: Any, x: Any) -> Any:
    v_h = adjoint(eig(x)[1])
    return _real_if(x, solve_or_nan(v_h, as_column(g) * v_h))


eig = Op(
    "Eig",
    in_float32(_eig),
    vjp=lambda g, y, x: _eig_vjp(g[0], g[1], y[0], y[1], x),
    reads="y",
    batch=lambda n, xs, batched: eig(*xs),
    shape=lambda x: [_vector_shape(x), shape_of(x)],
    dtype=lambda x: [complex_np(dtype_of(x))] * 2,
    accepts=NUMBER,
    multi=True,
    holomorphic=False,
)

eigvals = Unary(
    "Eig",
    in_float32(_eigvals),
    vjp=lambda g, y, x: _eigvals_vjp(g, x),
    reads="x",
    batch=lambda n, xs, batched: eigvals(*xs),
    shape=_vector_shape,
    dtype=lambda x: complex_np(dtype_of(x)),
    accepts=NUMBER,
    holomorphic=False,
)


# --- Singular values ----------------------------------------------------------------------------------------


def _svd(x: Any, *, full_matrices: bool = False) -> Any:
    check_matrix(x, "Svd")
    try:
        u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        return _svd_of_each(x, full_matrices)
    return s, u, np.conjugate(turned(vh)) if x.dtype.kind == "c" else turned(vh)


def _svd_of_each(x: Any, full_matrices: bool) -> Any:
    """NaNs for a matrix that has some, which LAPACK refuses."""
    shapes: Any = _svd_shape(x, full_matrices=full_matrices)
    s, u, v = (np.full(shape, np.nan, x.dtype) for shape in shapes)
    for index in np.ndindex(x.shape[:-2]):
        if np.isfinite(x[index]).all():
            s[index], u[index], v[index] = _svd(x[index], full_matrices=full_matrices)
    return s.real, u, v


def _svdvals(x: Any) -> Any:
    check_matrix(x, "Svd")
    try:
        return np.linalg.svd(x, compute_uv=False)
    except np.linalg.LinAlgError:
        return _svd(x)[0]


def _smaller(x: Any) -> int | None:
    """The smaller of the last two dimensions."""
    m, n = shape_of(x)[-2:]  # type: ignore[index]
    return None if m is None or n is None else min(m, n)


def _svd_shape(x: Any, *, full_matrices: bool = False) -> list[Shape]:
    shape = shape_of(x)
    if shape is None:
        return [None] * 3
    m, n, k = *shape[-2:], _smaller(x)
    u, v = ((m, m), (n, n)) if full_matrices else ((m, k), (n, k))
    return [(*shape[:-2], k), (*shape[:-2], *u), (*shape[:-2], *v)]


def _svd_vjp(g: Any, y: Any, full_matrices: bool) -> Any:
    """Giles (2008), section 3.2; for complex matrices Wan and Zhang (2019).

    With P = U^H dA V and F[i, j] = 1 / (s[j]^2 - s[i]^2): dU = U (F o (P S + S P^H)), dV = V (F o (S P + P^H
    S)), besides the parts of dA outside the spans of U and V. All columns of an orthogonal matrix (more of
    them than there are singular values) are moved against the first ones, and not among each other.
    """
    (gs, gu, gv), (s, u, v) = g, y
    more_u = more_v = None
    if full_matrices:
        more_u = (columns_like(u, s, rest=True), columns_like(gu, s, rest=True))
        more_v = (columns_like(v, s, rest=True), columns_like(gv, s, rest=True))
        u, gu, v, gv = (columns_like(x, s) for x in (u, gu, v, gv))
    squares = s * s
    gaps = _as_dtype(safe_reciprocal(as_row(squares) - as_column(squares)), u)
    row, inverse = _as_dtype(as_row(s), u), _as_dtype(as_row(safe_reciprocal(s)), u)
    in_u, in_v = matmul(adjoint(u), gu), matmul(adjoint(v), gv)
    from_u, from_v = gaps * in_u, gaps * in_v
    middle = (from_u + adjoint(from_u)) * row + matrix_transpose(row) * (from_v + adjoint(from_v))
    middle = middle + on_diagonal(_as_dtype(gs, u))
    if is_complex(u):  # the phase of u against that of v
        phase = diagonal(in_u)
        middle = middle + on_diagonal((phase - conj(phase)) / 2) * inverse
    left = matmul(u, middle) + _outside(gu, u, in_u, more_u) * inverse
    right = _outside(gv, v, in_v, more_v) * inverse
    return matmul(left, adjoint(v)) + matmul(u, adjoint(right))


def _outside(g: Any, u: Any, in_u: Any, more: tuple[Any, Any] | None) -> Any:
    """What the cotangent of u says of the space outside its span, and that of the other columns, if there are
    any.
    """
    out = g - matmul(u, in_u)
    return out if more is None else out - matmul(more[0], matmul(adjoint(more[1]), u))


def _as_dtype(x: Any, like: Any) -> Any:
    """Real x as a complex array, if ``like`` is one."""
    return make_complex(x, zeros_like(x)) if is_complex(like) else x


svd = Op(
    "Svd",
    in_float32(_svd),
    vjp=lambda g, y, x, full_matrices=False: _svd_vjp(g, y, full_matrices),
    reads="y",
    batch=lambda n, xs, batched, full_matrices=False: svd(*xs, full_matrices=full_matrices),
    shape=_svd_shape,
    dtype=lambda x, full_matrices=False: [real_np(dtype_of(x)), dtype_of(x), dtype_of(x)],
    accepts=NUMBER,
    multi=True,
    holomorphic=False,
)
"""Singular values, descending, and left and right singular vectors, in columns: x = u diag(s) v^H."""


def _svdvals_vjp(g: Any, x: Any) -> Any:
    _, u, v = svd(x)
    return matmul(u * _as_dtype(as_row(g), u), adjoint(v))


svdvals = Unary(
    "Svd",
    in_float32(_svdvals),
    vjp=lambda g, y, x: _svdvals_vjp(g, x),
    reads="x",
    batch=lambda n, xs, batched: svdvals(*xs),
    shape=lambda x: _svd_shape(x)[0],
    dtype=lambda x: real_np(dtype_of(x)),
    accepts=NUMBER,
    holomorphic=False,
)
