"""What the rules of decompositions and solvers are written in: triangles, diagonals, blocks, adjoints.

Small linear operations on the last two dimensions, each with its transpose as its rule, and what the kernels
of that family share: LAPACK has no 16-bit floats, and NumPy raises for a whole batch what concerns one matrix
of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT
from gradtape._src.ops.arrays import expand_dims, lead
from gradtape._src.ops.complex import conj
from gradtape._src.ops.products import dims, is_half, matrix_transpose

# --- Kernels ------------------------------------------------------------------------------------------------


def in_float32(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel on float16 and bfloat16 too: computed in float32, its floating results rounded."""

    @wraps(kernel)
    def wrapped(x: Any, *args: Any, **params: Any) -> Any:
        if not is_half(x.dtype):
            return kernel(x, *args, **params)
        args = tuple(a.astype(np.float32) if getattr(a, "dtype", None) == x.dtype else a for a in args)
        y = kernel(x.astype(np.float32), *args, **params)
        back = lambda part: part.astype(x.dtype) if part.dtype == np.float32 else part
        return tuple(map(back, y)) if isinstance(y, tuple) else back(y)

    return wrapped


def check_matrix(x: Any, name: str) -> None:
    """Raises what TensorFlow raises for what is not a matrix, or a batch of them."""
    if x.ndim < 2:
        raise InvalidArgumentError.of(f"Input tensor 0 must have rank >= 2, got {x.ndim} [Op:{name}]")


def check_square(x: Any, name: str) -> None:
    """The same, also if rows and columns differ in number."""
    check_matrix(x, name)
    if x.shape[-1] != x.shape[-2]:
        raise InvalidArgumentError.of(
            f"Input matrix must be square. Received {x.shape[-2]} rows and {x.shape[-1]} columns. [Op:{name}]"
        )


def each(kernel: Callable[..., Any], xs: tuple[Any, ...], like: Any) -> Any:
    """The kernel for one matrix, along the leading dimensions; NaNs where it does not succeed.

    like: an array of the output's shape and dtype, filled and returned.
    """
    for index in np.ndindex(like.shape[:-2]):
        try:
            like[index] = kernel(*(x[index] for x in xs))
        except np.linalg.LinAlgError:
            like[index] = np.nan
    return like


# --- Shapes -------------------------------------------------------------------------------------------------


def batch_shape(x: Any) -> Shape:
    """All but the last two dimensions."""
    shape = shape_of(x)
    return None if shape is None else shape[:-2]


# --- Linear operations --------------------------------------------------------------------------------------


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    return conj(matrix_transpose(x))


def _same_shape(x: Any, **params: Any) -> Shape:
    return shape_of(x)


tril = Op(
    "Tril",
    lambda x, k=0: np.tril(x, k),
    vjp=lambda g, y, x, k=0: tril(g, k=k),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, k=0: tril(*xs, k=k),
    shape=_same_shape,
)
"""The part on and below diagonal k."""

triu = Op(
    "Triu",
    lambda x, k=0: np.triu(x, k),
    vjp=lambda g, y, x, k=0: triu(g, k=k),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, k=0: triu(*xs, k=k),
    shape=_same_shape,
)
"""The part on and above diagonal k."""


def _halved_tril(x: Any) -> Any:
    y = np.tril(x)
    diagonal = np.einsum("...ii->...i", y)
    np.divide(diagonal, diagonal.dtype.type(2), out=diagonal)
    return y


unit_lower = Unary(
    "UnitLower",
    lambda x: np.tril(x, -1) + np.eye(x.shape[-1], dtype=x.dtype),
    vjp=lambda g, y, x: tril(g, k=-1),
    jvp=lambda ts, y, x: tril(ts[0], k=-1),
    reads="",
    batch=lambda n, xs, batched: unit_lower(*xs),
)
"""The part below the diagonal, and ones on it."""

halved_tril = Unary(
    "HalvedTril",
    _halved_tril,
    vjp=lambda g, y, x: halved_tril(g),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: halved_tril(*xs),
)
"""The part below the diagonal, and half of the diagonal: Murray's Phi."""


def _diagonal_shape(x: Any) -> Shape:
    shape = shape_of(x)
    if shape is None:
        return None
    return (*shape[:-2], None if None in shape[-2:] else min(shape[-2:]))  # type: ignore[type-var]


diagonal = Unary(
    "Diagonal",
    lambda x: np.diagonal(x, axis1=-2, axis2=-1),
    vjp=lambda g, y, x: on_diagonal(g),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: diagonal(*xs),
    shape=_diagonal_shape,
)
"""The diagonal of square matrices."""


def _on_diagonal(x: Any) -> Any:
    y = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    np.einsum("...ii->...i", y)[...] = x
    return y


on_diagonal = Unary(
    "OnDiagonal",
    _on_diagonal,
    vjp=lambda g, y, x: diagonal(g),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: on_diagonal(*xs),
    shape=lambda x: None if shape_of(x) is None else (*dims(x), dims(x)[-1]),
)
"""Matrices with these diagonals, and zeros beside them."""


def as_row(x: Any) -> Any:
    """The vectors as matrices of one row."""
    return expand_dims(x, axis=-2)


def as_column(x: Any) -> Any:
    """The vectors as matrices of one column."""
    return expand_dims(x, axis=-1)


def _columns_like(x: Any, like: Any, *, rest: bool = False) -> Any:
    count = like.shape[-1]
    return x[..., count:] if rest else x[..., :count]


def _columns_back(g: Any, like: Any, *, rest: bool = False) -> Any:
    y = np.zeros((*g.shape[:-1], like.shape[-1]), g.dtype)
    y[..., like.shape[-1] - g.shape[-1] if rest else 0 :][..., : g.shape[-1]] = g
    return y


def _columns_like_shape(x: Any, like: Any, *, rest: bool = False) -> Shape:
    shape, count = shape_of(x), (shape_of(like) or (None,))[-1]
    if shape is None:
        return None
    have = shape[-1]
    if count is None or have is None:
        return (*shape[:-1], None)
    return (*shape[:-1], max(have - count, 0) if rest else min(have, count))


columns_like = Op(
    "ColumnsLike",
    _columns_like,
    vjp=(lambda g, y, x, like, rest=False: columns_back(g, x, rest=rest), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, rest=False: columns_like(_first_with_axis(n, xs, batched), xs[1], rest=rest),
    shape=_columns_like_shape,
)
"""As many of the first columns of x as ``like`` has, or those after them."""

columns_back = Op(
    "ColumnsBack",
    _columns_back,
    vjp=(lambda g, y, x, like, rest=False: columns_like(g, x) if not rest else last_columns_like(g, x), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, rest=False: columns_back(_first_with_axis(n, xs, batched), xs[1], rest=rest),
    shape=lambda x, like, rest=False: (
        None if shape_of(x) is None else (*dims(x)[:-1], (shape_of(like) or (None,))[-1])
    ),
)
"""As many columns as ``like`` has: those of x first (or last), and zeros."""

last_columns_like = Op(
    "LastColumnsLike",
    lambda x, like: x[..., x.shape[-1] - like.shape[-1] :],
    vjp=(lambda g, y, x, like: columns_back(g, x, rest=True), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: last_columns_like(_first_with_axis(n, xs, batched), xs[1]),
    shape=lambda x, like: _columns_like_shape(x, like),
)


def _first_with_axis(n: int, xs: Any, batched: Any) -> Any:
    return xs[0] if batched[0] else lead(xs[0], n=n)


# --- Gaps between eigenvalues -------------------------------------------------------------------------------


def _safe_reciprocal(x: Any) -> Any:
    zero = x == 0
    return np.where(zero, x.dtype.type(0), np.reciprocal(np.where(zero, x.dtype.type(1), x)))


safe_reciprocal = Unary(
    "SafeReciprocal",
    _safe_reciprocal,
    vjp=lambda g, y, x: -(g * (y * y)),
    reads="y",
    elementwise=True,
    accepts=f"{FLOAT} {COMPLEX}",
)
"""1 / x, and 0 where x is 0: how eigenvectors of equal eigenvalues are kept from turning into each other."""
