"""Functions of a matrix: exponential, logarithm, square root. Kernels are SciPy's.

The derivative of an analytic f at A in the direction E is the upper right block of f([[A, E], [0, A]])
(Mathias 1996; Higham, Functions of Matrices, 2008, eq. 3.16), and the cotangent of A is the same with A^T: so
f itself serves all orders.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT
from gradtape._src.ops.arrays import with_axis
from gradtape._src.ops.matrices import check_square, each, in_float32
from gradtape._src.ops.products import matrix_transpose

NUMBER = f"{FLOAT} {COMPLEX}"


def _beside(a: Any, e: Any) -> Any:
    n = a.shape[-1]
    block = np.zeros((*a.shape[:-2], 2 * n, 2 * n), a.dtype)
    block[..., :n, :n] = block[..., n:, n:] = a
    block[..., :n, n:] = e
    return block


def _corner(x: Any, *, corner: str) -> Any:
    n = x.shape[-1] // 2
    if corner == "diagonal":
        return x[..., :n, :n] + x[..., n:, n:]
    return x[..., :n, n:]


def _corner_back(g: Any, *, corner: str) -> Any:
    zero = np.zeros_like(g)
    return _beside(g, zero) if corner == "diagonal" else _beside(zero, g)


def _double_shape(a: Any, e: Any = None, **params: Any) -> Shape:
    shape = shape_of(a)
    return None if shape is None else (*shape[:-2], *(None if d is None else 2 * d for d in shape[-2:]))


def _half_shape(x: Any, **params: Any) -> Shape:
    shape = shape_of(x)
    return None if shape is None else (*shape[:-2], *(None if d is None else d // 2 for d in shape[-2:]))


beside = Op(
    "Beside",
    _beside,
    vjp=(lambda g, y, a, e: corner(g, corner="diagonal"), lambda g, y, a, e: corner(g, corner="upper right")),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched: beside(*with_axis(n, xs, batched)),
    shape=_double_shape,
    same_dtype=True,
)
"""[[a, e], [0, a]]"""

corner = Op(
    "Corner",
    _corner,
    vjp=lambda g, y, x, corner: corner_back(g, corner=corner),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: corner(*xs, **params),
    shape=_half_shape,
)
"""Of four blocks the upper right one, or the sum of those on the diagonal."""

corner_back = Op(
    "CornerBack",
    _corner_back,
    vjp=lambda g, y, x, corner: _corner_of(g, corner),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: corner_back(*xs, **params),
    shape=_double_shape,
)


def _corner_of(x: Any, which: str) -> Any:
    return corner(x, corner=which)


def _function(name: str, kernel: Callable[..., Any], accepts: str) -> Unary:
    def kernel_of_all(x: Any) -> Any:
        check_square(x, name)
        if x.size == 0 or not np.isfinite(x).all():
            return np.full_like(x, np.nan)
        return kernel(x)

    def along(a: Any, e: Any) -> Any:
        return corner(op(beside(a, e)), corner="upper right")

    op = Unary(
        name,
        in_float32(kernel_of_all),
        vjp=lambda g, y, x: along(matrix_transpose(x), g),
        jvp=lambda ts, y, x: along(x, ts[0]),
        reads="x",
        batch=lambda n, xs, batched: op(*xs),
        accepts=accepts,
    )
    return op


def _expm(x: Any) -> Any:
    from scipy.linalg import expm  # start-up cost: SciPy is loaded when first used

    return expm(x).astype(x.dtype, copy=False)


def _one_by_one(function: Callable[[Any], Any], x: Any) -> Any:
    """The function of each matrix; NaN where it is complex and x real, or does not exist."""

    def one(matrix: Any) -> Any:
        if not np.linalg.cond(matrix) < 1 / np.finfo(matrix.dtype).eps ** 2:
            raise np.linalg.LinAlgError("singular")
        with warnings.catch_warnings():  # SciPy's doubts about its last digits
            warnings.simplefilter("ignore")
            y = function(matrix)
        if y.dtype.kind == "c" and matrix.dtype.kind != "c":
            if np.abs(y.imag).max() > 1e3 * np.finfo(matrix.dtype).eps * np.abs(y).max():
                raise np.linalg.LinAlgError("complex")
            y = y.real
        return y

    return each(one, (x,), np.empty_like(x))


def _logm(x: Any) -> Any:
    from scipy.linalg import logm  # start-up cost: SciPy is loaded when first used

    return _one_by_one(logm, x.astype(np.complex128)).astype(x.dtype)  # SciPy's bounds are those of doubles


def _sqrtm(x: Any) -> Any:
    from scipy.linalg import sqrtm  # start-up cost: SciPy is loaded when first used

    return _one_by_one(sqrtm, x)


expm = _function("MatrixExponential", _expm, NUMBER)
logm = _function("MatrixLogarithm", _logm, COMPLEX)
sqrtm = _function("MatrixSquareRoot", _sqrtm, NUMBER)
