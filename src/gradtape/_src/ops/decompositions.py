"""Factorizations of matrices into triangular and orthogonal ones: Cholesky, QR, LU.

Kernels are LAPACK's through NumPy (LU through SciPy). The rules are the published ones, for batches, wide and
tall matrices and complex numbers; <x, y> is Re tr(x^H y) throughout, and a cotangent ``ct`` of x means that a
step dx changes the target by <ct, dx>. Cholesky and QR are not holomorphic: their rules say where to
conjugate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape, broadcast
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT
from gradtape._src.ops.complex import conj
from gradtape._src.ops.matrices import (
    adjoint,
    check_matrix,
    check_square,
    columns_back,
    columns_like,
    diagonal,
    each,
    halved_tril,
    in_float32,
    tril,
    triu,
    unit_lower,
)
from gradtape._src.ops.products import batch_aligned, dims, matmul, matmul_nt, matmul_tn, matrix_transpose
from gradtape._src.ops.solvers import LAPACK_PREFIX, triangular_solve

NUMBER = f"{FLOAT} {COMPLEX}"


# --- Cholesky -----------------------------------------------------------------------------------------------


def _cholesky(x: Any) -> Any:
    check_square(x, "Cholesky")
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        failed = lambda one: np.tril(each(np.linalg.cholesky, (one,), np.empty_like(one)))
        return each(failed, (x,), np.empty_like(x))


def _cholesky_vjp(g: Any, y: Any) -> Any:
    """Murray (2016), eq. 10, for complex matrices too: L^-H Phi(L^H g) L^-1, made Hermitian."""
    middle = halved_tril(matmul(adjoint(y), g))
    middle = middle + adjoint(middle)
    left = _solve_adjoint(y, middle)
    return adjoint(_solve_adjoint(y, adjoint(left))) / 2


def _solve_adjoint(lower: Any, x: Any) -> Any:
    return triangular_solve(conj(lower), x, lower=True, transpose=True)


def _cholesky_jvp(t: Any, y: Any) -> Any:
    """L Phi(L^-1 dA L^-H) of the Hermitian part of dA."""
    middle = triangular_solve(y, (t + adjoint(t)) / 2, lower=True, transpose=False)
    middle = triangular_solve(y, adjoint(middle), lower=True, transpose=False)
    return matmul(y, halved_tril(middle))


cholesky = Unary(
    "Cholesky",
    in_float32(_cholesky),
    vjp=lambda g, y, x: _cholesky_vjp(g, y),
    jvp=lambda ts, y, x: _cholesky_jvp(ts[0], y),
    reads="y",
    batch=lambda n, xs, batched: cholesky(*xs),
    accepts=NUMBER,
    holomorphic=False,
)
"""The lower factor; NaN where a matrix is not positive definite. Only the lower triangle is read."""


# --- QR -----------------------------------------------------------------------------------------------------


def _qr(x: Any, *, full_matrices: bool = False) -> Any:
    check_matrix(x, "Qr")
    q, r = np.linalg.qr(x, mode="complete" if full_matrices else "reduced")
    return q, r


def _qr_shape(x: Any, *, full_matrices: bool = False) -> list[Shape]:
    shape = shape_of(x)
    if shape is None:
        return [None, None]
    m, n = shape[-2:]
    k = m if full_matrices else None if m is None or n is None else min(m, n)
    return [(*shape[:-2], m, k), (*shape[:-2], k, n)]


def _qr_vjp(g: Any, y: Any, x: Any, full_matrices: bool) -> Any:
    """Walter and Lehmann (2010); for wide matrices Roberts and Roberts (2020).

    x = [X | Y] with X = Q R1 and Y = Q R2, R2 = Q^H Y, if there are more columns than rows. All columns of an
    orthogonal matrix (more of them than R1 has) are moved against the first ones, and not among each other.
    """
    (gq, gr), (q, r) = g, y
    q1, gq1, r1, gr1 = q, gq, r, gr
    if full_matrices:
        small = diagonal(r)
        q1, gq1 = columns_like(q, small), columns_like(gq, small)
        r1, gr1 = _rows_like(r, small), _rows_like(gr, small)
    wide = not _is_tall(x)
    if wide:
        rest_of_x, gr2 = columns_like(x, q1, rest=True), columns_like(gr1, q1, rest=True)
        gq1 = gq1 + matmul(rest_of_x, adjoint(gr2))
        r1, gr1 = columns_like(r1, q1), columns_like(gr1, q1)
    others = g_others = None
    if full_matrices:
        others, g_others = columns_like(q, r1, rest=True), columns_like(gq, r1, rest=True)
    ct = _tall_qr_vjp(gq1, gr1, q1, r1, others, g_others)
    return columns_back(ct, x) + columns_back(matmul(q1, gr2), x, rest=True) if wide else ct


def _is_tall(x: Any) -> bool:
    """Whether it is known that there are as many rows as columns, or more."""
    m, n = (shape_of(x) or (None, None))[-2:]
    return m is not None and n is not None and m >= n


def _rows_like(x: Any, like: Any) -> Any:
    return matrix_transpose(columns_like(matrix_transpose(x), like))


def _tall_qr_vjp(gq: Any, gr: Any, q: Any, r: Any, others: Any, g_others: Any) -> Any:
    """With C = Q^H dA R^-1: dQ = Q W + (I - Q Q^H) dA R^-1 with W = tril(C, -1) - tril(C, -1)^H + i Im diag
    C, and dR = (C - W) R.
    """
    in_q = matmul(adjoint(q), gq)
    middle = in_q - matmul(gr, adjoint(r))
    middle = halved_tril(middle - adjoint(middle))
    left = gq + matmul(q, middle - in_q)
    if others is not None:
        left = left - matmul(others, matmul(adjoint(g_others), q))
    right = triangular_solve(r, adjoint(left), lower=False, transpose=False)
    return matmul(q, gr) + adjoint(right)


qr = Op(
    "Qr",
    in_float32(_qr),
    vjp=lambda g, y, x, full_matrices=False: _qr_vjp(g, y, x, full_matrices),
    reads="y x",
    batch=lambda n, xs, batched, full_matrices=False: qr(*xs, full_matrices=full_matrices),
    shape=_qr_shape,
    dtype=lambda x, full_matrices=False: [dtype_of(x)] * 2,
    accepts=NUMBER,
    multi=True,
    holomorphic=False,
)
"""Orthonormal columns and an upper triangle with a real diagonal: x = q r."""


# --- LU -----------------------------------------------------------------------------------------------------


def _lu(x: Any, *, output_idx_type: Any = np.int32) -> Any:
    if x.ndim < 2:
        raise InvalidArgumentError.of(f"Input tensor must have rank >= 2, got {x.ndim} [Op:Lu]")
    check_square(x, "Lu")
    packed, order = np.empty_like(x), np.empty(x.shape[:-1], output_idx_type)
    if x.size:
        from scipy.linalg import lapack  # start-up cost: SciPy is loaded when first used

        getrf = getattr(lapack, LAPACK_PREFIX[x.dtype.char] + "getrf")
        for index in np.ndindex(x.shape[:-2]):
            packed[index], swaps, _ = getrf(x[index])
            order[index] = _order(swaps)
    pivots = np.diagonal(packed, axis1=-2, axis2=-1)
    if not (np.abs(pivots) > 0).all():  # NaN is not
        raise InvalidArgumentError.of("Input is not invertible. [Op:Lu]")
    return packed, order


def _order(swaps: Any) -> list[int]:
    """LAPACK's exchanges of rows, one after the other, as the order of the rows that they make."""
    order = list(range(len(swaps)))
    for i, j in enumerate(swaps):
        order[i], order[j] = order[j], order[i]
    return order


def _lu_vjp(g: Any, packed: Any, order: Any) -> Any:
    """Rows of x in the order of the output are L U: L^-T (tril(L^T gL, -1) + triu(gU U^T)) U^-T, put back in
    place.
    """
    lower = unit_lower(packed)
    middle = tril(matmul_tn(lower, tril(g, k=-1)), k=-1) + triu(matmul_nt(triu(g), triu(packed)))
    left = triangular_solve(lower, middle, lower=True, transpose=True)
    right = triangular_solve(packed, matrix_transpose(left), lower=False, transpose=False)
    return rows_back(matrix_transpose(right), order)


lu = Op(
    "Lu",
    in_float32(_lu),
    vjp=lambda g, y, x, output_idx_type=np.int32: _lu_vjp(g[0], *y),
    reads="y",
    batch=lambda n, xs, batched, output_idx_type=np.int32: lu(*xs, output_idx_type=output_idx_type),
    shape=lambda x, **params: [shape_of(x), None if shape_of(x) is None else dims(x)[:-1]],
    dtype=lambda x, output_idx_type=np.int32: [dtype_of(x), np.dtype(output_idx_type)],
    accepts=NUMBER,
    multi=True,
)
"""Both triangles in one matrix, and the order of the rows of x whose product they are."""


def _in_order(x: Any, order: Any) -> Any:
    x, order = _with_one_batch(x, order)
    return np.take_along_axis(x, order[..., None], axis=-2)


def _back_in_place(x: Any, order: Any) -> Any:
    x, order = _with_one_batch(x, order)
    y = np.empty_like(x)
    np.put_along_axis(y, order[..., None], x, axis=-2)
    return y


def _with_one_batch(x: Any, order: Any) -> tuple[Any, Any]:
    batch = np.broadcast_shapes(x.shape[:-2], order.shape[:-1])
    return np.broadcast_to(x, batch + x.shape[-2:]), np.broadcast_to(order, batch + order.shape[-1:])


def _rows_shape(x: Any, order: Any) -> Shape:
    a, b = shape_of(x), shape_of(order)
    return None if a is None or b is None else (*broadcast(a[:-2], b[:-1]), *a[-2:])  # type: ignore[misc]


rows_in_order = Op(
    "RowsInOrder",
    _in_order,
    vjp=(lambda g, y, x, order: rows_back(g, order), None),
    reads="order",
    linear=(0,),
    batch=lambda n, xs, batched: rows_in_order(*batch_aligned(n, xs, batched, (2, 1))),
    shape=_rows_shape,
)
"""Row i of each matrix is row order[i] of x; leading dimensions broadcast."""

rows_back = Op(
    "RowsBack",
    _back_in_place,
    vjp=(lambda g, y, x, order: rows_in_order(g, order), None),
    reads="order",
    linear=(0,),
    batch=lambda n, xs, batched: rows_back(*batch_aligned(n, xs, batched, (2, 1))),
    shape=_rows_shape,
)
"""Undoes ``rows_in_order``: row order[i] of each matrix is row i of x."""
