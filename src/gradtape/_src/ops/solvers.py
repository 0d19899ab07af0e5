"""Linear equations: solve, triangular solve, inverse, pseudo-inverse, determinants.

Rules are written as for real matrices; the sweep conjugates (these operations are holomorphic, but for the
modulus of ``slogdet``). Where a matrix is singular an inverse has no value: the public ``inv`` and ``solve``
raise, as TensorFlow does; those that rules use give NaN, and in absorbing arithmetic zero for a right-hand
side of zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape, broadcast, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT
from gradtape._src.ops.arrays import reshape, with_axis
from gradtape._src.ops.complex import conj, is_complex
from gradtape._src.ops.einsum import einsum_one
from gradtape._src.ops.matrices import (
    adjoint,
    as_column,
    batch_shape,
    check_matrix,
    check_square,
    each,
    in_float32,
    tril,
    triu,
)
from gradtape._src.ops.products import (
    batch_aligned,
    dims,
    matmul,
    matmul_nt,
    matmul_tn,
    matrix_transpose,
    trace,
    turned,
)

NUMBER = f"{FLOAT} {COMPLEX}"


def absorbing_solver(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of a solver, giving zero for a column of zeros whatever the matrix is."""

    def absorbed(a: Any, b: Any, **params: Any) -> Any:
        y = kernel(a, b, **params)
        if not np.isnan(y).any():
            return y
        return np.where((b != 0).any(axis=-2, keepdims=True), y, y.dtype.type(0))

    return absorbed


# --- Square matrices ----------------------------------------------------------------------------------------


def _solve(a: Any, b: Any, *, transpose: bool = False) -> Any:
    _check_solve(a, b)
    try:
        return np.linalg.solve(turned(a) if transpose else a, b)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError.of("Input matrix is not invertible. [Op:MatrixSolve]") from None


def _check_solve(a: Any, b: Any) -> None:
    check_matrix(a, "MatrixSolve")
    why = None
    if a.ndim != b.ndim:
        why = "All input tensors must have the same rank."
    elif a.shape[:-2] != b.shape[:-2]:
        why = "All input tensors must have the same outer dimensions."
    elif a.shape[-1] != a.shape[-2]:
        why = "First input (lhs) must be a square matrix."
    elif a.shape[-1] != b.shape[-2]:
        why = "Input matrix and rhs are incompatible."
    if why:
        raise InvalidArgumentError.of(
            f"{why} Received a matrix of shape {in_brackets(a.shape)} and a right-hand side of shape "
            f"{in_brackets(b.shape)}. [Op:MatrixSolve]"
        )


def _solve_or_nan(a: Any, b: Any, *, transpose: bool = False) -> Any:
    if transpose:
        a = turned(a)
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return each(np.linalg.solve, (a, b), np.empty_like(b))


def _solve_jvp(op: Callable[..., Any], masked: Callable[[Any], Any] = lambda t: t) -> Callable[..., Any]:
    def jvp(ts: Sequence[Any], y: Any, a: Any, b: Any, *, transpose: bool = False, **params: Any) -> Any:
        da, db = ts
        if da is not None:
            product = matmul_tn if transpose else matmul
            moved = product(masked(da, **params), y)
            db = -moved if db is None else db - moved
        return op(a, db, transpose=transpose, **params)

    return jvp


def _solve_shape(a: Any, b: Any, **params: Any) -> Shape:
    return shape_of(b)


def _solve_batch(op: Op, n: int, xs: Sequence[Any], batched: Sequence[bool], transpose: bool) -> Any:
    a, b = xs
    if batched[0] or len(dims(a)) != 2:
        return op(*with_axis(n, xs, batched), transpose=transpose)
    _, rows, columns = dims(b)  # one matrix for all: one factorization, with n times the columns
    side_by_side = reshape(einsum_one(b, equation="nij->inj"), (rows, n * columns))
    y = reshape(op(a, side_by_side, transpose=transpose), (rows, n, columns))
    return einsum_one(y, equation="inj->nij")


def _solver(name: str, kernel: Callable[..., Any]) -> Op:
    def matrix(g: Any, y: Any, a: Any, b: Any, transpose: bool = False) -> Any:
        gb = solve_or_nan(a, g, transpose=not transpose)
        return -(matmul_nt(y, gb) if transpose else matmul_nt(gb, y))

    rules: dict[str, Any] = {
        "vjp": (matrix, lambda g, y, a, b, transpose=False: solve_or_nan(a, g, transpose=not transpose)),
        "reads": ("a y", "a"),
        "jvp": _solve_jvp(lambda *args, **params: solve_or_nan(*args, **params)),
        "batch": lambda n, xs, batched, transpose=False: _solve_batch(op, n, xs, batched, transpose),
        "shape": _solve_shape,
        "accepts": NUMBER,
        "same_dtype": True,
    }
    kernel = in_float32(kernel)
    op = Op(name, kernel, absorbing=Op(name + "Absorbing", absorbing_solver(kernel), **rules), **rules)
    return op


solve = _solver("MatrixSolve", _solve)
"""a^-1 b, or (a^T)^-1 b; an error if a matrix is singular."""

solve_or_nan = _solver("MatrixSolveOrNan", _solve_or_nan)
"""The same for rules: NaN if a matrix is singular."""


def _inv(x: Any) -> Any:
    check_square(x, "MatrixInverse")
    try:
        y = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        y = None
    if y is None or np.isnan(y).any():
        raise InvalidArgumentError.of("Input is not invertible. [Op:MatrixInverse]")
    return y


def _inv_or_nan(x: Any) -> Any:
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return each(np.linalg.inv, (x,), np.empty_like(x))


def _inverse(name: str, kernel: Callable[..., Any]) -> Unary:
    op = Unary(
        name,
        in_float32(kernel),
        vjp=lambda g, y, x: -matmul_nt(matmul_tn(y, g), y),
        jvp=lambda ts, y, x: -matmul(matmul(y, ts[0]), y),
        reads="y",
        batch=lambda n, xs, batched: op(*xs),
        accepts=NUMBER,
    )
    return op


inv = _inverse("MatrixInverse", _inv)
inv_or_nan = _inverse("MatrixInverseOrNan", _inv_or_nan)


# --- Triangles ----------------------------------------------------------------------------------------------

_FEW = 16  # rows: up to here a batch of triangles is solved faster as general matrices, in one call


def _triangular_solve(a: Any, b: Any, *, lower: bool = True, transpose: bool = False) -> Any:
    _check_triangular(a, b)
    if a.ndim == 2 == b.ndim:
        return _one_triangle(a, b, lower, transpose)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if a.ndim == 2:  # one matrix for all: one call with many columns
        many = np.moveaxis(b, -2, 0)
        return np.moveaxis(
            _one_triangle(a, many.reshape(len(a), -1), lower, transpose).reshape(many.shape), 0, -2
        )
    if a.shape[-1] <= _FEW and np.diagonal(a, axis1=-2, axis2=-1).all():
        a = (np.tril if lower else np.triu)(a)
        return np.linalg.solve(turned(a) if transpose else a, b)
    y = np.empty(batch + b.shape[-2:], b.dtype)
    a, b = np.broadcast_to(a, batch + a.shape[-2:]), np.broadcast_to(b, y.shape)
    return each(lambda p, q: _one_triangle(p, q, lower, transpose), (a, b), y)


def _one_triangle(a: Any, b: Any, lower: bool, transpose: bool) -> Any:
    """By BLAS, which reads one triangle and divides by zero without a word; rows first, as X^T op(A^T) =
    B^T.
    """
    if b.size == 0:
        return np.empty_like(b)
    from scipy.linalg import blas  # start-up cost: SciPy is loaded when first used

    trsm = getattr(blas, LAPACK_PREFIX[a.dtype.char] + "trsm")
    return trsm(1.0, a.T, b.T, side=1, lower=not lower, trans_a=transpose).T


LAPACK_PREFIX = {"f": "s", "d": "d", "F": "c", "D": "z"}


def _check_triangular(a: Any, b: Any) -> None:
    for i, x in enumerate((a, b)):
        if x.ndim < 2:
            raise InvalidArgumentError.of(f"In[{i}] ndims must be >= 2: {x.ndim} [Op:MatrixTriangularSolve]")
    if a.shape[-1] != a.shape[-2]:
        raise InvalidArgumentError.of(
            f"In[0] matrices in the last dimensions must be square ({a.shape[-1]} =/= {a.shape[-2]}) "
            "[Op:MatrixTriangularSolve]"
        )
    if a.shape[-1] != b.shape[-2]:
        raise InvalidArgumentError.of(
            f"In[0] mismatch In[1] shape: {a.shape[-1]} vs. {b.shape[-2]}: {in_brackets(a.shape)} "
            f"{in_brackets(b.shape)} [Op:MatrixTriangularSolve]"
        )
    try:
        broadcast(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise InvalidArgumentError.of(
            f"In[0] and In[1] must have compatible batch dimensions: {in_brackets(a.shape)} vs. "
            f"{in_brackets(b.shape)} [Op:MatrixTriangularSolve]"
        ) from None


def _triangle(x: Any, lower: bool = True) -> Any:
    return tril(x) if lower else triu(x)


def _triangular_matrix_vjp(
    g: Any, y: Any, a: Any, b: Any, lower: bool = True, transpose: bool = False
) -> Any:
    gb = triangular_solve(a, g, lower=lower, transpose=not transpose)
    return _triangle(-(matmul_nt(y, gb) if transpose else matmul_nt(gb, y)), lower)


def _triangular_shape(a: Any, b: Any, **params: Any) -> Shape:
    left, right, batch_a, batch_b = shape_of(a), shape_of(b), batch_shape(a), batch_shape(b)
    if left is None or right is None:
        return None
    return (*broadcast(batch_a, batch_b), *right[-2:])  # type: ignore[misc]


_triangular_rules: dict[str, Any] = {
    "vjp": (
        _triangular_matrix_vjp,
        lambda g, y, a, b, lower=True, transpose=False: triangular_solve(
            a, g, lower=lower, transpose=not transpose
        ),
    ),
    "reads": ("a y", "a"),
    "jvp": _solve_jvp(lambda *args, **params: triangular_solve(*args, **params), _triangle),
    "batch": lambda n, xs, batched, **params: triangular_solve(
        *batch_aligned(n, xs, batched, (2, 2)), **params
    ),
    "shape": _triangular_shape,
    "accepts": NUMBER,
    "same_dtype": True,
}
triangular_solve = Op(
    "MatrixTriangularSolve",
    in_float32(_triangular_solve),
    absorbing=Op(
        "MatrixTriangularSolveAbsorbing", absorbing_solver(in_float32(_triangular_solve)), **_triangular_rules
    ),
    **_triangular_rules,
)
"""a^-1 b or (a^T)^-1 b, reading one triangle of a; leading dimensions broadcast; infinities and NaN if it is
singular.
"""


# --- Pseudo-inverse -----------------------------------------------------------------------------------------


def _pinv(x: Any, *, rcond: Any = None) -> Any:
    if rcond is None:
        rcond = 10 * max(x.shape[-2:]) * np.finfo(x.dtype).eps
    try:
        return np.linalg.pinv(x, rcond=rcond)
    except np.linalg.LinAlgError:
        return each(lambda one: np.linalg.pinv(one, rcond=rcond), (x,), np.empty_like(turned(x)))


def _pinv_vjp(g: Any, p: Any, x: Any) -> Any:
    """Golub and Pereyra (1973), eq. 4.12: dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P."""
    g_h, p_h = adjoint(g), adjoint(p)
    first, second = matmul(g_h, matmul(p, p_h)), matmul(matmul(p_h, p), g_h)
    first = first - matmul(x, matmul(p, first))
    second = second - matmul(matmul(second, p), x)
    return first + second - matmul(matmul(p_h, g), p_h)


pinv = Op(
    "PseudoInverse",
    in_float32(_pinv),
    vjp=lambda g, y, x, rcond=None: _pinv_vjp(g, y, x),
    reads="y x",
    batch=lambda n, xs, batched, rcond=None: pinv(*xs, rcond=rcond),
    shape=lambda x, rcond=None: None if shape_of(x) is None else (*dims(x)[:-2], *dims(x)[:-3:-1]),
    accepts=NUMBER,
    holomorphic=False,
)
"""The rank counts singular values above rcond times the largest; the rule holds the rank fixed."""


# --- Determinants -------------------------------------------------------------------------------------------


def _det(x: Any) -> Any:
    check_square(x, "MatrixDeterminant")
    return np.linalg.det(x)


def _svd_of(x: Any) -> tuple[Any, Any, Any, Any]:
    """U, s, V^H, and det(U) det(V^H)."""
    try:
        u, s, vh = np.linalg.svd(x)
    except np.linalg.LinAlgError:  # a NaN
        return x, x[..., 0].real, x, x[..., 0, 0] * np.nan
    return u, s, vh, np.linalg.det(u) * np.linalg.det(vh)


def _products_without_one(s: Any) -> Any:
    """The products of the numbers in s without the i-th."""
    keep = ~np.eye(s.shape[-1], dtype=bool)
    return np.multiply.reduce(np.where(keep, s[..., None, :], s.dtype.type(1)), axis=-1)


def _products_without_two(s: Any) -> Any:
    """The products of the numbers in s without the i-th and j-th; 0 at [i, i]."""
    one, safe, zero = _products_without_one(s), np.where(s == 0, s.dtype.type(1), s), s == 0
    two = np.count_nonzero(zero, axis=-1, keepdims=True) == 2
    rest = np.where(two, np.multiply.reduce(safe, axis=-1, keepdims=True), s.dtype.type(0))[..., None]
    by_second = one[..., :, None] / safe[..., None, :]
    by_first = one[..., None, :] / safe[..., :, None]
    both_zero = zero[..., :, None] & zero[..., None, :]
    products = np.where(both_zero, rest, np.where(zero[..., None, :], by_first, by_second))
    return products * (1 - np.eye(s.shape[-1], dtype=s.dtype))


def _cofactors(x: Any) -> Any:
    """det(x) x^-T where that is precise, else by singular values."""
    if x.size == 0:
        return np.empty_like(x)
    try:
        inverse = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return _cofactors_by_svd(x)
    y = np.linalg.det(x)[..., None, None] * turned(inverse)
    largest_sum = lambda z: np.add.reduce(np.abs(z), axis=-1).max(axis=-1)
    condition = largest_sum(x) * largest_sum(inverse)
    poor = ~(condition < np.finfo(x.dtype).eps ** -0.5)
    if poor.any():
        y[poor] = _cofactors_by_svd(x[poor])
    return y


def _cofactors_by_svd(x: Any) -> Any:
    u, s, vh, sign = _svd_of(x)
    return np.conjugate((u * _products_without_one(s)[..., None, :]) @ vh) * sign[..., None, None]


def _cofactors_moved(x: Any, t: Any) -> Any:
    """In the bases of the singular vectors x is diagonal, and only minors of two rows and columns count."""
    if x.size == 0:
        return np.empty_like(x)
    u, s, vh, sign = _svd_of(x)
    t = np.conjugate(turned(u)) @ t @ np.conjugate(turned(vh))
    without = _products_without_two(s)
    y = -turned(t) * without
    np.einsum("...ii->...i", y)[...] += np.einsum("...ij,...jj->...i", without, t)
    return np.conjugate(u) @ y @ np.conjugate(vh) * sign[..., None, None]


def _cofactors_moved_vjp(g: Any, x: Any, t: Any) -> Any:
    """The derivative in x of sum(g D cof(x)[t]) = d (a b - tr(X t X g)) with d = det x, X = x^-1, a = tr X t,
    b = tr X g.
    """
    inverse = inv_or_nan(x)
    left, right = matmul(inverse, t), matmul(inverse, g)
    scalar = lambda z: as_column(as_column(z))
    d, a, b = scalar(det(x)), scalar(trace(left)), scalar(trace(right))
    value = a * b - scalar(trace(matmul(left, right)))
    both = matmul(left, right) + matmul(right, left)
    moved = value * inverse - b * matmul(left, inverse) - a * matmul(right, inverse) + matmul(both, inverse)
    return matrix_transpose(d * moved)


det = Unary(
    "MatrixDeterminant",
    in_float32(_det),
    vjp=lambda g, y, x: as_column(as_column(g)) * cofactors(x),
    jvp=lambda ts, y, x: trace(matmul_tn(cofactors(x), ts[0])),
    reads="x",
    batch=lambda n, xs, batched: det(*xs),
    shape=batch_shape,
    accepts=NUMBER,
)

cofactors = Unary(
    "Cofactors",
    in_float32(_cofactors),
    vjp=lambda g, y, x: cofactors_moved(x, g),
    jvp=lambda ts, y, x: cofactors_moved(x, ts[0]),
    reads="x",
    batch=lambda n, xs, batched: cofactors(*xs),
    accepts=NUMBER,
)
"""The derivative of the determinant, det(x) x^-T, also where x is singular."""

_moved_rules: dict[str, Any] = {
    "vjp": (lambda g, y, x, t: _cofactors_moved_vjp(g, x, t), lambda g, y, x, t: cofactors_moved(x, g)),
    "reads": ("x t", "x"),
    "batch": lambda n, xs, batched: cofactors_moved(*with_axis(n, xs, batched)),
    "shape": lambda x, t: shape_of(x),
    "accepts": NUMBER,
}
cofactors_moved = Op(
    "CofactorsMoved",
    in_float32(_cofactors_moved),
    absorbing=Op(
        "CofactorsMovedAbsorbing",
        lambda x, t: np.where(
            (t != 0).any(axis=(-2, -1), keepdims=True), _cofactors_moved(x, t), t.dtype.type(0)
        ),
        **_moved_rules,
    ),
    **_moved_rules,
)
"""The second derivative of the determinant, applied to t."""


def _slogdet(x: Any) -> Any:
    check_square(x, "LogMatrixDeterminant")
    sign, log = np.linalg.slogdet(x)
    return sign, log.astype(x.dtype, copy=False)


def _slogdet_vjp(g_sign: Any, g_log: Any, sign: Any, x: Any) -> Any:
    """With tau = tr(x^-1 dx): d log|det x| = Re tau, and d sign = i sign Im tau."""
    weight = g_log
    if is_complex(x):
        turn = conj(g_sign) * sign
        weight = (g_log + conj(g_log) + conj(turn) - turn) / 2
    return as_column(as_column(weight)) * adjoint(inv_or_nan(x))


slogdet = Op(
    "LogMatrixDeterminant",
    in_float32(_slogdet),
    vjp=lambda g, y, x: _slogdet_vjp(g[0], g[1], y[0], x),
    reads="y x",
    batch=lambda n, xs, batched: slogdet(*xs),
    shape=lambda x: [batch_shape(x)] * 2,
    dtype=lambda x: [dtype_of(x)] * 2,
    accepts=NUMBER,
    multi=True,
    holomorphic=False,
)
"""The sign (phase) of the determinant, and the logarithm of its modulus."""
