"""Matrices given by a few of their diagonals.

Row k of ``bands`` has the diagonal ``offsets[k]``, each number at the row of the matrix that it belongs to:
A[i, i + offsets[k]] = bands[k, i]. Numbers that would lie outside the matrix are not read. TensorFlow's
tridiagonal matrices have the offsets (1, 0, -1), its lower bands (0, -1, -2, ...), its upper bands (..., 2,
1, 0).

Where the number of diagonals may be unknown (in a graph), the words "lower" and "upper" stand for those of a
triangle.

Products are closed under their rules: ``band_matmul`` and ``band_outer`` (the diagonals of u v^T) are each
other's, with ``band_transpose``. Solvers are LAPACK's, matrix by matrix, and take time in proportion to the
diagonals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, broadcast, in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT, bilinear
from gradtape._src.ops.arrays import with_axis
from gradtape._src.ops.matrices import in_float32
from gradtape._src.ops.products import batch_aligned
from gradtape._src.ops.solvers import LAPACK_PREFIX, absorbing_solver

NUMBER = f"{FLOAT} {COMPLEX}"

Offsets = tuple[int, ...] | str
TRIDIAGONAL: Offsets = (1, 0, -1)


def transposed_offsets(offsets: Offsets) -> Offsets:
    """The offsets of what ``band_transpose`` gives."""
    if isinstance(offsets, str):
        return "upper" if offsets == "lower" else "lower"
    return tuple(-offset for offset in reversed(offsets))


def _ranges(offsets: Offsets, bands: Any) -> Iterator[tuple[int, slice, slice]]:
    """For each diagonal that the matrix has: its place in ``bands``, its rows, its columns."""
    count, size = bands.shape[-2:]
    found: tuple[int, ...]
    if isinstance(offsets, tuple):
        found = offsets
    else:
        found = tuple(-k for k in range(count)) if offsets == "lower" else tuple(range(count - 1, -1, -1))
    for k, offset in enumerate(found):
        if abs(offset) < size:
            yield (
                k,
                slice(max(0, -offset), size - max(0, offset)),
                slice(max(0, offset), size + min(0, offset)),
            )


# --- Products -----------------------------------------------------------------------------------------------


def _band_matmul(bands: Any, x: Any, *, offsets: Offsets) -> Any:
    y = np.zeros(np.broadcast_shapes(bands.shape[:-2], x.shape[:-2]) + x.shape[-2:], x.dtype)
    for k, rows, columns in _ranges(offsets, bands):
        y[..., rows, :] += bands[..., k, rows, None] * x[..., columns, :]
    return y


def _band_outer(u: Any, v: Any, like: Any, *, offsets: Offsets) -> Any:
    batch = np.broadcast_shapes(u.shape[:-2], v.shape[:-2])
    bands = np.zeros((*batch, like.shape[-2], u.shape[-2]), u.dtype)
    for k, rows, columns in _ranges(offsets, bands):
        bands[..., k, rows] = np.add.reduce(u[..., rows, :] * v[..., columns, :], axis=-1)
    return bands


def _band_transpose(bands: Any, *, offsets: Offsets) -> Any:
    out = np.zeros_like(bands)
    for k, rows, columns in _ranges(offsets, bands):
        out[..., bands.shape[-2] - 1 - k, columns] = bands[..., k, rows]
    return out


def _band_outer_shape(u: Any, v: Any, like: Any, *, offsets: Offsets) -> Shape:
    a, b, bands = shape_of(u), shape_of(v), shape_of(like)
    if a is None or b is None:
        return None
    count = None if bands is None else bands[-2]
    return (*broadcast(a[:-2], b[:-2]), count, b[-2] if a[-2] is None else a[-2])  # type: ignore[misc]


def _band_matmul_shape(bands: Any, x: Any, *, offsets: Offsets) -> Shape:
    a, b = shape_of(bands), shape_of(x)
    if a is None or b is None:
        return None
    return (*broadcast(a[:-2], b[:-2]), a[-1] if b[-2] is None else b[-2], b[-1])  # type: ignore[misc]


band_matmul = bilinear(
    "TridiagonalMatMul",
    _band_matmul,
    vjp=(
        lambda g, y, bands, x, offsets: band_outer(g, x, bands, offsets=offsets),
        lambda g, y, bands, x, offsets: band_matmul(
            band_transpose(bands, offsets=offsets), g, offsets=transposed_offsets(offsets)
        ),
    ),
    reads=("x", "bands"),
    batch=lambda n, xs, batched, offsets: band_matmul(
        *batch_aligned(n, xs, batched, (2, 2)), offsets=offsets
    ),
    shape=_band_matmul_shape,
    accepts=NUMBER,
    same_dtype=True,
)

band_outer = bilinear(
    "BandOuter",
    _band_outer,
    vjp=(
        lambda g, y, u, v, like, offsets: band_matmul(g, v, offsets=offsets),
        lambda g, y, u, v, like, offsets: band_matmul(
            band_transpose(g, offsets=offsets), u, offsets=transposed_offsets(offsets)
        ),
        None,
    ),
    reads=("v", "u", ""),
    batch=lambda n, xs, batched, offsets: band_outer(
        *batch_aligned(n, with_axis(n, xs[:2], batched[:2]), (True, True), (2, 2)), xs[2], offsets=offsets
    ),
    shape=_band_outer_shape,
    accepts=NUMBER,
)
"""The diagonals of u v^T, as many as ``like`` has."""

band_transpose = Op(
    "BandTranspose",
    _band_transpose,
    vjp=lambda g, y, bands, offsets: band_transpose(g, offsets=transposed_offsets(offsets)),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, offsets: band_transpose(*xs, offsets=offsets),
    shape=lambda bands, offsets: shape_of(bands),
    accepts=NUMBER,
)


# --- Solvers ------------------------------------------------------------------------------------------------


def _tridiagonal_solve(
    bands: Any, b: Any, *, partial_pivoting: bool = True, perturb_singular: bool = False
) -> Any:
    bands, b = _one_batch("TridiagonalSolve", bands, b)
    y = np.empty_like(b)
    if b.size == 0:
        return y
    if not partial_pivoting:
        return _thomas(bands, b)
    from scipy.linalg import lapack  # start-up cost: SciPy is loaded when first used

    gtsv = getattr(lapack, LAPACK_PREFIX[b.dtype.char] + "gtsv")
    size = bands.shape[-1]
    for index in np.ndindex(b.shape[:-2]):
        upper, middle, lower = bands[index]
        if size == 1:
            solution, info = b[index] / middle, int(middle[0] == 0)
        else:
            *_, solution, info = gtsv(lower[1:], middle, upper[:-1], b[index])
        if info > 0 and perturb_singular:
            tiny = np.finfo(b.dtype).eps * max(
                np.abs(bands[index]).max(), np.finfo(b.dtype).tiny / np.finfo(b.dtype).eps
            )
            *_, solution, info = gtsv(lower[1:], middle + tiny, upper[:-1], b[index])
        y[index] = np.nan if info > 0 else solution
    return y


def _thomas(bands: Any, b: Any) -> Any:
    """Elimination without exchange of rows (Thomas), all matrices of a batch at once."""
    size = bands.shape[-1]
    upper, y = np.empty_like(bands[..., 0, :]), np.empty_like(b)
    for i in range(size):
        pivot, right = bands[..., 1, i], b[..., i, :]
        if i:
            pivot = pivot - bands[..., 2, i] * upper[..., i - 1]
            right = right - bands[..., 2, i, None] * y[..., i - 1, :]
        upper[..., i] = bands[..., 0, i] / pivot
        y[..., i, :] = right / pivot[..., None]
    for i in range(size - 2, -1, -1):
        y[..., i, :] -= upper[..., i, None] * y[..., i + 1, :]
    return y


def _one_batch(name: str, bands: Any, b: Any) -> tuple[Any, Any]:
    """Both with the same leading dimensions."""
    for i, x in enumerate((bands, b)):
        if x.ndim < 2:
            raise InvalidArgumentError.of(f"In[{i}] ndims must be >= 2: {x.ndim} [Op:{name}]")
    if bands.shape[-1] != b.shape[-2]:
        raise InvalidArgumentError.of(
            f"In[0] mismatch In[1] shape: {bands.shape[-1]} vs. {b.shape[-2]}: {in_brackets(bands.shape)} "
            f"{in_brackets(b.shape)} [Op:{name}]"
        )
    try:
        batch = np.broadcast_shapes(bands.shape[:-2], b.shape[:-2])
    except ValueError:
        raise InvalidArgumentError.of(
            f"In[0] and In[1] must have compatible batch dimensions: {in_brackets(bands.shape)} vs. "
            f"{in_brackets(b.shape)} [Op:{name}]"
        ) from None
    return np.broadcast_to(bands, batch + bands.shape[-2:]), np.broadcast_to(b, batch + b.shape[-2:])


def _tridiagonal_matrix_vjp(g: Any, y: Any, bands: Any, b: Any, **params: Any) -> Any:
    return -band_outer(_tridiagonal_rhs_vjp(g, y, bands, b, **params), y, bands, offsets=TRIDIAGONAL)


def _tridiagonal_rhs_vjp(g: Any, y: Any, bands: Any, b: Any, **params: Any) -> Any:
    return tridiagonal_solve(band_transpose(bands, offsets=TRIDIAGONAL), g, **params)


def _tridiagonal_jvp(ts: Any, y: Any, bands: Any, b: Any, **params: Any) -> Any:
    t_bands, t = ts
    if t_bands is not None:
        moved = band_matmul(t_bands, y, offsets=TRIDIAGONAL)
        t = -moved if t is None else t - moved
    return tridiagonal_solve(bands, t, **params)


_tridiagonal_rules: dict[str, Any] = {
    "vjp": (_tridiagonal_matrix_vjp, _tridiagonal_rhs_vjp),
    "reads": ("bands y", "bands"),
    "jvp": _tridiagonal_jvp,
    "batch": lambda n, xs, batched, **params: tridiagonal_solve(
        *batch_aligned(n, xs, batched, (2, 2)), **params
    ),
    "shape": lambda bands, b, **params: _band_matmul_shape(bands, b, offsets=TRIDIAGONAL),
    "accepts": NUMBER,
    "same_dtype": True,
}
tridiagonal_solve = Op(
    "TridiagonalSolve",
    in_float32(_tridiagonal_solve),
    absorbing=Op(
        "TridiagonalSolveAbsorbing", absorbing_solver(in_float32(_tridiagonal_solve)), **_tridiagonal_rules
    ),
    **_tridiagonal_rules,
)
"""NaN where a matrix is singular."""


def _triangle(lower: bool) -> Offsets:
    return "lower" if lower else "upper"


def _banded_triangular_solve(bands: Any, b: Any, *, lower: bool = True) -> Any:
    bands, b = _one_batch("BandedTriangularSolve", bands, b)
    if b.size and not bands[..., 0 if lower else -1, :].all():
        raise InvalidArgumentError.of("Input matrix is not invertible. [Op:BandedTriangularSolve]")
    y = np.empty_like(b)
    if b.size == 0:
        return y
    from scipy.linalg import lapack  # start-up cost: SciPy is loaded when first used

    tbtrs = getattr(lapack, LAPACK_PREFIX[b.dtype.char] + "tbtrs")
    size = bands.shape[-1]
    bands = bands[..., :size, :] if lower else bands[..., -size:, :]
    by_column = np.zeros_like(bands)  # LAPACK has each number at its column
    for k, rows, columns in _ranges(_triangle(lower), bands):
        by_column[..., k, columns] = bands[..., k, rows]
    for index in np.ndindex(b.shape[:-2]):
        y[index], _ = tbtrs(by_column[index], b[index], uplo="L" if lower else "U")
    return y


def _banded_matrix_vjp(g: Any, y: Any, bands: Any, b: Any, lower: bool = True) -> Any:
    return -band_outer(_banded_rhs_vjp(g, y, bands, b, lower), y, bands, offsets=_triangle(lower))


def _banded_rhs_vjp(g: Any, y: Any, bands: Any, b: Any, lower: bool = True) -> Any:
    return banded_triangular_solve(band_transpose(bands, offsets=_triangle(lower)), g, lower=not lower)


def _banded_jvp(ts: Any, y: Any, bands: Any, b: Any, lower: bool = True) -> Any:
    t_bands, t = ts
    if t_bands is not None:
        moved = band_matmul(t_bands, y, offsets=_triangle(lower))
        t = -moved if t is None else t - moved
    return banded_triangular_solve(bands, t, lower=lower)


banded_triangular_solve = Op(
    "BandedTriangularSolve",
    in_float32(_banded_triangular_solve),
    vjp=(_banded_matrix_vjp, _banded_rhs_vjp),
    reads=("bands y", "bands"),
    jvp=_banded_jvp,
    batch=lambda n, xs, batched, lower=True: banded_triangular_solve(
        *batch_aligned(n, xs, batched, (2, 2)), lower=lower
    ),
    shape=lambda bands, b, lower=True: _band_matmul_shape(bands, b, offsets=()),
    accepts=NUMBER,
    same_dtype=True,
)


# --- To and from full matrices ------------------------------------------------------------------------------


def _bands_of(x: Any, *, offsets: tuple[int, ...]) -> Any:
    bands = np.zeros((*x.shape[:-2], len(offsets), x.shape[-1]), x.dtype)
    at = np.arange(x.shape[-1])
    for k, rows, columns in _ranges(offsets, bands):
        bands[..., k, rows] = x[..., at[rows], at[columns]]
    return bands


def _from_bands(bands: Any, *, offsets: Offsets) -> Any:
    size = bands.shape[-1]
    x, at = np.zeros((*bands.shape[:-2], size, size), bands.dtype), np.arange(size)
    for k, rows, columns in _ranges(offsets, bands):
        x[..., at[rows], at[columns]] = bands[..., k, rows]
    return x


def _bands_shape(x: Any, *, offsets: tuple[int, ...]) -> Shape:
    shape = shape_of(x)
    return None if shape is None else (*shape[:-2], len(offsets), shape[-1])


def _full_shape(bands: Any, *, offsets: Offsets) -> Shape:
    shape = shape_of(bands)
    return None if shape is None else (*shape[:-2], shape[-1], shape[-1])


bands_of = Op(
    "BandsOf",
    _bands_of,
    vjp=lambda g, y, x, offsets: from_bands(g, offsets=offsets),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, offsets: bands_of(*xs, offsets=offsets),
    shape=_bands_shape,
)
"""The diagonals of square matrices."""

from_bands = Op(
    "FromBands",
    _from_bands,
    vjp=lambda g, y, bands, offsets: bands_of(g, offsets=offsets),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, offsets: from_bands(*xs, offsets=offsets),
    shape=_full_shape,
)
"""Square matrices with these diagonals."""
