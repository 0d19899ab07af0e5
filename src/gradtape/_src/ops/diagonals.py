"""Diagonals of matrices: taken out, put in, and bands of them.

A *band* is the diagonals ``k[0] <= column - row <= k[1]``. Packed, it is an array with one row a diagonal,
uppermost first, each shifted to the left or right end of its row as ``align`` says ("RIGHT_LEFT":
superdiagonals right, subdiagonals left); a band of one diagonal is packed without that axis.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import first_and_likes, refusal, reshape, with_axis

NUMBER_OR_BOOL = "float int complex bool"


class _Band:
    """Where each element of a band is in the matrix and in its packed form."""

    def __init__(self, rows: int, columns: int, low: int, high: int, align: str) -> None:
        upper, lower = (side == "LEFT" for side in align.split("_"))
        self.length = min(rows + min(high, 0), columns - max(low, 0))
        i, j, r, c = [], [], [], []
        for n, d in enumerate(range(high, low - 1, -1)):
            length = max(min(rows + min(d, 0), columns - max(d, 0)), 0)
            left = (d >= 0 and upper) or (d <= 0 and lower)
            offset = 0 if left else self.length - length
            steps = np.arange(length)
            i.append(np.full(length, n))
            j.append(steps + offset)
            r.append(steps + max(-d, 0))
            c.append(steps + max(d, 0))
        self.count = high - low + 1
        self.row, self.column = np.concatenate(r), np.concatenate(c)
        if low == high:
            self.packed: tuple[Any, ...] = (..., j[0])
            self.shape: tuple[int, ...] = (self.length,)
        else:
            self.packed = (..., np.concatenate(i), np.concatenate(j))
            self.shape = (self.count, self.length)
        self.place = (..., self.row, self.column)


band_of = lru_cache(1024)(_Band)

# --- Out of a matrix ----------------------------------------------------------------------------------------


def _check_band(dims: Shape, k: tuple[int, int], end: str = "") -> None:
    """Refuses a band that lies outside the matrix."""
    if dims is None:
        return
    if len(dims) < 2:
        raise ValueError(f"input must be at least 2-dim, received shape: {in_brackets(dims)}")
    if k[0] > k[1]:
        raise ValueError(f"lower_diag_index must not be larger than upper_diag_index: {k[0]} > {k[1]}")
    rows, columns = dims[-2:]
    if rows is None or columns is None:
        return
    for name, d in zip(("lower_diag_index", "upper_diag_index"), k):
        if not (-rows < d < columns or d == 0):
            raise ValueError(f"{name} is out of bound: {d}{end} It must be between {-rows} and {columns}")


def _diag_part_shape(x: Any, padding: Any, k: tuple[int, int], align: str) -> Shape:
    dims: Any = shape_of(x)
    _check_band(dims, k, ".")
    if dims is None:
        return None
    rows, columns = dims[-2:]
    length = None
    if rows is not None and columns is not None:
        length = min(rows + min(k[1], 0), columns - max(k[0], 0))
    return (*dims[:-2], length) if k[0] == k[1] else (*dims[:-2], k[1] - k[0] + 1, length)


def _diag_part(x: Any, padding: Any, k: tuple[int, int], align: str) -> Any:
    try:
        shape: Any = _diag_part_shape(x, padding, k, align)
    except ValueError:
        raise refusal("MatrixDiagPartV3", _diag_part_shape, x, padding, k, align) from None
    if k[0] == k[1]:
        return x.diagonal(k[0], -2, -1)
    band = band_of(*x.shape[-2:], *k, align)
    out = np.full(shape, padding, x.dtype)
    out[band.packed] = x[band.place]
    return out


matrix_diag_part = Op(
    "MatrixDiagPartV3",
    _diag_part,
    vjp=(
        lambda g, y, x, padding, k, align: matrix_diag_like(g, x, k=k, align=align),
        lambda g, y, x, padding, k, align: band_padding(g, x, k=k, align=align),
    ),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched, **params: NotImplemented if batched[1] else matrix_diag_part(*xs, **params),
    shape=_diag_part_shape,
)


def _diag_like(diagonal: Any, like: Any, k: tuple[int, int], align: str) -> Any:
    out = np.zeros(like.shape, diagonal.dtype)
    band = band_of(*like.shape[-2:], *k, align)
    out[band.place] = diagonal[band.packed]
    return out


matrix_diag_like = Op(
    "MatrixDiagLike",
    _diag_like,
    vjp=(lambda g, y, diagonal, like, k, align: matrix_diag_part(g, _zero(g), k=k, align=align), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: matrix_diag_like(*first_and_likes(n, xs, batched), **params),
    shape=lambda diagonal, like, k, align: shape_of(like),
)
"""Zeros of the shape of ``like``, with a band in them."""


def _band_padding(packed: Any, like: Any, k: tuple[int, int], align: str) -> Any:
    out = packed.copy()
    out[band_of(*like.shape[-2:], *k, align).packed] = 0
    return out


band_padding = Op(
    "BandPadding",
    _band_padding,
    vjp=(lambda g, y, packed, like, k, align: band_padding(g, like, k=k, align=align), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: band_padding(*first_and_likes(n, xs, batched), **params),
    shape=lambda packed, like, k, align: shape_of(packed),
)
"""A packed band of a matrix of the shape of ``like`` with zeros in it: only what is padding remains."""


# --- Into a matrix ------------------------------------------------------------------------------------------


def _set_diag_shape(x: Any, diagonal: Any, k: tuple[int, int], align: str) -> Shape:
    dims, packed = shape_of(x), shape_of(diagonal)
    _check_band(dims, k)
    if dims is None or packed is None or None in (*dims, *packed):
        return dims
    expected = _diag_part_shape(x, None, k, align)
    if packed != expected:
        raise ValueError(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not "
            "equal to the longests diagonal in range [lower_diag_index:upper_diag_index].\n"
            f"Input shape: {in_brackets(dims)}\nDiagonal shape: {in_brackets(packed)}\n"
            f"Expected diagonal shape: {in_brackets(expected)}"
        )
    return dims


def _set_diag(x: Any, diagonal: Any, k: tuple[int, int], align: str) -> Any:
    try:
        _set_diag_shape(x, diagonal, k, align)
    except ValueError:
        raise refusal("MatrixSetDiagV3", _set_diag_shape, x, diagonal, k, align) from None
    band = band_of(*x.shape[-2:], *k, align)
    out = x.copy()
    out[band.place] = diagonal[band.packed]
    return out


matrix_set_diag = Op(
    "MatrixSetDiagV3",
    _set_diag,
    vjp=(
        lambda g, y, x, diagonal, k, align: clear_band(g, k=k, align=align),
        lambda g, y, x, diagonal, k, align: matrix_diag_part(g, _zero(g), k=k, align=align),
    ),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched, **params: matrix_set_diag(*with_axis(n, xs, batched), **params),
    same_dtype=True,
    shape=_set_diag_shape,
)


def _clear_band(x: Any, k: tuple[int, int], align: str) -> Any:
    out = x.copy()
    out[band_of(*x.shape[-2:], *k, align).place] = 0
    return out


clear_band = Op(
    "ClearBand",
    _clear_band,
    vjp=lambda g, y, x, k, align: clear_band(g, k=k, align=align),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, k, align: clear_band(xs[0], k=k, align=align),
    shape=lambda x, k, align: shape_of(x),
)
"""A matrix with zeros in a band."""


def _zero(like: Any) -> Any:
    return np.zeros((), dtype_of(like))


def _diag_shape(
    diagonal: Any, padding: Any, k: tuple[int, int], rows: int, columns: int, align: str
) -> Shape:
    dims: Any = shape_of(diagonal)
    low, high = k
    if low > high:
        raise ValueError(f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}")
    if dims is None:
        return None
    if not dims:
        raise ValueError("diagonal must be at least 1-dim, received shape: []")
    single = low == high
    if not single and len(dims) < 2:
        raise ValueError(f"diagonal must be at least 2-dim for a band, received shape: {in_brackets(dims)}")
    if not single and dims[-2] not in (None, high - low + 1):
        raise ValueError(
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            f"upper_diag_index range: {dims[-2]} instead of {high - low + 1}"
        )
    batch = dims[:-1] if single else dims[:-2]
    length = dims[-1]
    if length is None:
        return (*batch, None if rows == -1 else rows, None if columns == -1 else columns)
    least_rows, least_columns = length - min(high, 0), length + max(low, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    else:
        rows = least_rows if rows == -1 else rows
        columns = least_columns if columns == -1 else columns
    if rows < least_rows:
        raise ValueError("The number of rows is too small.")
    if columns < least_columns:
        raise ValueError("The number of columns is too small.")
    if rows != least_rows and columns != least_columns:
        raise ValueError(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and "
            "diagonal."
        )
    return (*batch, rows, columns)


def _diag(diagonal: Any, padding: Any, k: tuple[int, int], rows: int, columns: int, align: str) -> Any:
    try:
        shape: Any = _diag_shape(diagonal, padding, k, rows, columns, align)
    except ValueError:
        raise refusal("MatrixDiagV3", _diag_shape, diagonal, padding, k, rows, columns, align) from None
    out = np.full(shape, padding, diagonal.dtype)
    if k == (0, 0) and shape[-1] == shape[-2]:
        out.reshape((*shape[:-2], -1) if out.size else (*shape[:-2], 0))[..., :: shape[-1] + 1] = diagonal
        return out
    band = band_of(*shape[-2:], *k, align)
    out[band.place] = diagonal[band.packed]
    return out


matrix_diag = Op(
    "MatrixDiagV3",
    _diag,
    vjp=(
        lambda g, y, diagonal, padding, k, rows, columns, align: matrix_diag_part(
            g, _zero(g), k=k, align=align
        ),
        lambda g, y, diagonal, padding, k, rows, columns, align: clear_band(g, k=k, align=align),
    ),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched, **params: NotImplemented if batched[1] else matrix_diag(*xs, **params),
    shape=_diag_shape,
)

# --- Tensors as matrices ------------------------------------------------------------------------------------

_MAIN = {"k": (0, 0), "align": "RIGHT_LEFT"}


def _tensor_diag(x: Any) -> Any:
    if not x.ndim:
        raise InvalidArgumentError.of("Input must be at least rank 1, got 0 [Op:Diag]")
    n = x.size
    out = np.zeros((n, n), x.dtype)
    if n:
        out.reshape(-1)[:: n + 1] = x.reshape(-1)
    return out.reshape(x.shape * 2)


def _tensor_diag_batched(n: int, xs: Any, batched: Any) -> Any:
    dims: Any = shape_of(xs[0])
    if None in dims:
        return NotImplemented
    flat = reshape(xs[0], (n, int(np.prod(dims[1:]))))
    return reshape(matrix_diag(flat, _zero(flat), rows=-1, columns=-1, **_MAIN), (n, *dims[1:], *dims[1:]))


def _tensor_diag_shape(x: Any) -> Shape:
    dims = shape_of(x)
    return None if dims is None else dims * 2


tensor_diag = Op(
    "Diag",
    _tensor_diag,
    vjp=lambda g, y, x: tensor_diag_part(g),
    reads="",
    linear=(0,),
    accepts="float int complex",
    batch=_tensor_diag_batched,
    shape=_tensor_diag_shape,
)


def _tensor_diag_part_shape(x: Any) -> Shape:
    dims: Any = shape_of(x)
    if dims is None:
        return None
    if len(dims) % 2 or not dims:
        raise ValueError(f"The rank of the tensor should be even and positive, got shape {in_brackets(dims)}")
    half = len(dims) // 2
    for i in range(half):
        if dims[i] != dims[i + half] and dims[i] is not None and dims[i + half] is not None:
            seen = in_brackets(dims)
            raise ValueError(f"Invalid shape {seen}: dimensions {i} and {i + half} do not match.")
    return dims[:half]


def _tensor_diag_part(x: Any) -> Any:
    try:
        dims: Any = _tensor_diag_part_shape(x)
    except ValueError:
        raise refusal("DiagPart", _tensor_diag_part_shape, x) from None
    n = int(np.prod(dims))
    return x.reshape(n, n).diagonal().reshape(dims)


def _tensor_diag_part_batched(n: int, xs: Any, batched: Any) -> Any:
    dims: Any = shape_of(xs[0])
    if None in dims:
        return NotImplemented
    half = dims[1 : len(dims) // 2 + 1]
    size = int(np.prod(half))
    square = reshape(xs[0], (n, size, size))
    return reshape(matrix_diag_part(square, _zero(square), **_MAIN), (n, *half))


tensor_diag_part = Op(
    "DiagPart",
    _tensor_diag_part,
    vjp=lambda g, y, x: tensor_diag(g),
    reads="",
    linear=(0,),
    accepts="float int complex",
    batch=_tensor_diag_part_batched,
    shape=_tensor_diag_part_shape,
)

# --- Bands --------------------------------------------------------------------------------------------------


_LIMIT = "must be negative or less or equal to"


def _band_part(x: Any, lower: Any, upper: Any) -> Any:
    def refuse(why: str) -> InvalidArgumentError:
        return InvalidArgumentError.of(f"{why} [Op:MatrixBandPart]")

    if x.ndim < 2:
        raise refuse(f"input must be at least 2-dim, received shape: {in_brackets(x.shape)}")
    rows, columns = x.shape[-2:]
    lower, upper = int(lower), int(upper)
    if lower > rows:
        raise refuse(f"num_lower {_LIMIT} number of rows ({rows}) got: {lower}")
    if upper > columns:
        raise refuse(f"num_upper {_LIMIT} number of columns ({columns}) got: {upper}")
    below = np.arange(rows)[:, None] - np.arange(columns)  # how far below the diagonal
    keep = np.ones((rows, columns), bool)
    if lower >= 0:
        keep &= below <= lower
    if upper >= 0:
        keep &= below >= -upper
    return np.where(keep, x, x.dtype.type(0))


band_part = Op(
    "MatrixBandPart",
    _band_part,
    vjp=(lambda g, y, x, lower, upper: band_part(g, lower, upper), None, None),
    reads="lower upper",
    linear=(0,),
    accepts=NUMBER_OR_BOOL,
    batch=lambda n, xs, batched: NotImplemented if any(batched[1:]) else band_part(*xs),
    shape=lambda x, lower, upper: shape_of(x),
)
"""Zero outside ``lower`` subdiagonals and ``upper`` superdiagonals; a negative number keeps all."""
