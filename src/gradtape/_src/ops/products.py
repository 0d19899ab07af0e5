"""Products of matrices and vectors, each family closed under its own rules.

The derivative of a product is a product: that of ``a @ b`` is ``g @ b.T`` and ``a.T @ g``. So the four matrix
products (with either factor transposed, which is a view and never a copy) are each other's rules; so are
``matvec``, its transpose and ``outer``. Where a matrix is shared by a whole batch, its cotangent is
``contract_rows``, one large product in place of many small ones and a sum.

float16 and bfloat16 are multiplied and summed in float32, and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from gradtape._src.core.errors import FailedPreconditionError, InvalidArgumentError
from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.core.shapes import Shape, broadcast, in_brackets, matmul_shape
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import FLOAT, INT, NUMBER, bilinear, multiply
from gradtape._src.ops.arrays import lead, reshape, with_axis

_HALF = frozenset({np.dtype(np.float16).num, np.dtype(ml_dtypes.bfloat16).num})

_NARROW, _MANY = 16, 8  # columns of a factor, and how many such factors


def is_half(dtype: np.dtype) -> bool:
    """Whether NumPy and LAPACK have no arithmetic worth the name for this dtype: float16 and bfloat16."""
    return dtype.num in _HALF


def times(a: Any, b: Any) -> Any:
    """``a @ b`` of arrays of at least two dimensions, leading dimensions broadcast; ValueError if they do not
    fit.
    """
    if a.dtype.char not in "fdFD":
        if a.dtype.num in _HALF:
            return times(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
        return np.einsum("...ij,...jk->...ik", a, b)  # integers: BLAS has none, and matmul's loop is slower
    if b.ndim == 2:
        if a.ndim == 2:
            return a.dot(b)  # half the overhead of matmul
        if a.flags.c_contiguous:
            return rows_of(a).dot(b).reshape(*a.shape[:-1], b.shape[1])
    elif a.ndim == 2 and b.shape[-1] <= _NARROW and prod(b.shape[:-2]) >= _MANY:
        rows = turned(b)  # one product with all columns in place of one with a few of them many times
        return turned(rows_of(rows).dot(a.T).reshape(*rows.shape[:-1], len(a)))
    return np.matmul(a, b)


ONE_THREAD = 1 << 18  # multiplications: BLAS computes no more than these in one thread
_LONG = 1 << 23  # multiplications that are worth waiting for a second thread


@lru_cache(1024)
def _parts(rows: int, inner: int, columns: int) -> tuple[int, int]:
    """Into how many parts to cut the rows of a product, and the sums that it consists of: (1, 1) if not at all."""
    size = rows * inner * columns
    if ONE_THREAD < size <= _LONG:
        enough = lambda k: size <= k * ONE_THREAD
        for k in range(2, rows // 32 + 1):
            if rows % k == 0 and enough(k):
                return k, 1
        for k in range(2, inner // 32 + 1):
            if inner % k == 0 and enough(k):
                return 1, k
    return 1, 1


def times_quietly(a: Any, b: Any, out: Any = None) -> Any:
    """``a @ b`` in parts that each stay in one thread, if that is not too long; into ``out``, which is contiguous.

    A product of some microseconds takes milliseconds in two threads, if one of them has to wait for a processor.
    """
    rows, inner = a.shape[-2:]
    columns = b.shape[-1]
    of_rows, of_sums = _parts(rows, inner, columns)
    if of_rows > 1:
        a = a.reshape(*a.shape[:-2], of_rows, rows // of_rows, inner)
        if out is not None:
            np.matmul(a, b[..., None, :, :], out=out.reshape(*out.shape[:-2], *a.shape[-3:-1], columns))
            return out
        y = np.matmul(a, b[..., None, :, :])
        return y.reshape(*y.shape[:-3], rows, columns)
    if of_sums > 1:
        a = a.reshape(*a.shape[:-1], of_sums, inner // of_sums).swapaxes(-2, -3)
        b = b.reshape(*b.shape[:-2], of_sums, inner // of_sums, columns)
        return np.add.reduce(np.matmul(a, b), axis=-3, out=out)
    return np.matmul(a, b, out=out)


def rows_of(x: Any) -> Any:
    """All but the last dimension as one."""
    return x if x.ndim == 2 else x.reshape(prod(x.shape[:-1]), x.shape[-1])


def turned(x: Any) -> Any:
    """The matrices transposed: a view."""
    return x.T if x.ndim == 2 else x.swapaxes(-1, -2)


def _matmul_kernel(transpose_a: bool, transpose_b: bool) -> Callable[[Any, Any], Any]:
    def kernel(a: Any, b: Any) -> Any:
        if a.ndim > 1 and b.ndim > 1:
            try:
                if a.ndim == b.ndim == 2 and a.dtype.char in "fdFD":  # the commonest, with fewer calls
                    return (a.T if transpose_a else a).dot(b.T if transpose_b else b)
                return times(turned(a) if transpose_a else a, turned(b) if transpose_b else b)
            except ValueError:
                pass  # said better below
        try:
            matmul_shape(a.shape, b.shape, transpose_a, transpose_b)
        except ValueError as error:
            name = "MatMul" if max(a.ndim, b.ndim) < 3 else "BatchMatMulV2"
            raise InvalidArgumentError.of(f"{error} [Op:{name}]") from None
        raise AssertionError("a product failed although its shapes fit")

    return kernel


def dims(x: Any) -> Any:
    """The shape of what is known to have one."""
    return shape_of(x)


def batch_aligned(n: int, xs: Sequence[Any], batched: Sequence[bool], cores: Sequence[int]) -> list[Any]:
    """The arguments with ones put in their shapes, so that their leading dimensions broadcast behind the axis
    ``n``.

    ``cores[i]`` is the number of last dimensions of ``xs[i]`` that do not broadcast.
    """
    ranks = [len(dims(x)) - has - core for x, has, core in zip(xs, batched, cores, strict=True)]
    rank = max(ranks)
    return [
        reshape(x, (n, *(1,) * (rank - r), *dims(x)[1:])) if has and r < rank else x
        for x, has, r in zip(xs, batched, ranks, strict=True)
    ]


def _rank(x: Any) -> int:
    shape = shape_of(x)
    return -1 if shape is None else len(shape)


def _shared(matrix: Any, other: Any) -> bool:
    """Whether one matrix meets a batch of others."""
    return _rank(other) > 2 and _rank(matrix) == 2


def _product(transpose_a: bool, transpose_b: bool, vjp: tuple[Any, Any]) -> Binary:
    def batch(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
        return op(*batch_aligned(n, xs, batched, (2, 2)))

    def shape(a: Any, b: Any) -> Shape:
        return matmul_shape(shape_of(a), shape_of(b), transpose_a, transpose_b)

    kernel = _matmul_kernel(transpose_a, transpose_b)
    rules = {"kind": Binary, "batch": batch, "shape": shape, "accepts": NUMBER, "same_dtype": True}
    op = bilinear("MatMul", kernel, vjp, **rules)
    return op  # type: ignore[return-value]


matmul = _product(
    False,
    False,
    vjp=(
        lambda g, y, a, b: matmul_nt(g, b),
        lambda g, y, a, b: contract_rows(a, g) if _shared(b, a) else matmul_tn(a, g),
    ),
)
"""a @ b"""

matmul_nt = _product(
    False,
    True,
    vjp=(
        lambda g, y, a, b: matmul(g, b),
        lambda g, y, a, b: contract_rows(g, a) if _shared(b, a) else matmul_tn(g, a),
    ),
)
"""a @ b.T"""

matmul_tn = _product(True, False, vjp=(lambda g, y, a, b: matmul_nt(b, g), lambda g, y, a, b: matmul(a, g)))
"""a.T @ b"""

matmul_tt = _product(True, True, vjp=(lambda g, y, a, b: matmul_tt(b, g), lambda g, y, a, b: matmul_tt(g, a)))
"""a.T @ b.T"""

PRODUCTS = {
    (False, False): matmul,
    (False, True): matmul_nt,
    (True, False): matmul_tn,
    (True, True): matmul_tt,
}
"""The products by (transpose_a, transpose_b)."""


def _contract_rows_batch(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
    def stacked(x: Any, has: bool) -> Any:
        shape = dims(x)
        return reshape(x, (*shape[:has], prod(shape[has:-1]), shape[-1]))

    return matmul_tn(*map(stacked, xs, batched))


contract_rows = bilinear(
    "ContractRows",
    lambda a, b: times(rows_of(a).T, rows_of(b)),
    vjp=(lambda g, y, a, b: matmul_nt(b, g), lambda g, y, a, b: matmul(a, g)),
    kind=Binary,
    batch=_contract_rows_batch,
    shape=lambda a, b: tuple(None if shape_of(x) is None else dims(x)[-1] for x in (a, b)),
    accepts=NUMBER,
    same_dtype=True,
)
"""The sum over all leading indices of a[..., i] b[..., j]."""


def _matvec_kernel(transpose_a: bool) -> Callable[[Any, Any], Any]:
    def kernel(a: Any, b: Any) -> Any:
        if a.ndim > 1 and b.ndim > 0:
            try:
                if b.ndim == 1 and a.ndim == 2 and a.dtype.char in "fdFD":
                    return (a.T if transpose_a else a).dot(b)
                return times(turned(a) if transpose_a else a, b[..., None])[..., 0]
            except ValueError:
                pass  # said better below
        _matmul_kernel(transpose_a, False)(a, b[..., None])  # raises
        raise AssertionError("a product failed although its shapes fit")

    return kernel


def _vector_product(transpose_a: bool, vjp: tuple[Any, Any]) -> Binary:
    def batch(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
        return op(*batch_aligned(n, xs, batched, (2, 1)))

    def shape(a: Any, b: Any) -> Shape:
        vector = shape_of(b)
        found = matmul_shape(shape_of(a), None if vector is None else (*vector, 1), transpose_a)
        return None if found is None else found[:-1]

    op = bilinear(
        "MatVec",
        _matvec_kernel(transpose_a),
        vjp,
        kind=Binary,
        batch=batch,
        shape=shape,
        accepts=NUMBER,
        same_dtype=True,
    )
    return op  # type: ignore[return-value]


def _shared_by_vectors(matrix: Any, vector: Any) -> bool:
    return _rank(vector) > 1 and _rank(matrix) == 2


matvec = _vector_product(
    False,
    vjp=(
        lambda g, y, a, b: contract_rows(g, b) if _shared_by_vectors(a, b) else outer(g, b),
        lambda g, y, a, b: matvec_t(a, g),
    ),
)
"""a @ b, the last dimension of b being a vector."""

matvec_t = _vector_product(
    True,
    vjp=(
        lambda g, y, a, b: contract_rows(b, g) if _shared_by_vectors(a, b) else outer(b, g),
        lambda g, y, a, b: matvec(a, g),
    ),
)
"""a.T @ b, likewise."""


def _outer_shape(a: Any, b: Any) -> Shape:
    a_shape, b_shape = shape_of(a), shape_of(b)
    if a_shape is None or b_shape is None:
        return None
    return broadcast((*a_shape, 1), (*b_shape[:-1], 1, b_shape[-1]))


outer = bilinear(
    "Outer",
    lambda a, b: np.multiply(a[..., None], b[..., None, :]),
    vjp=(lambda g, y, a, b: matvec(g, b), lambda g, y, a, b: matvec_t(g, a)),
    kind=Binary,
    batch=lambda n, xs, batched: outer(*batch_aligned(n, xs, batched, (1, 1))),
    shape=_outer_shape,
    accepts=NUMBER,
    same_dtype=True,
)
"""a[..., i] b[..., j]"""


# --- The cross product --------------------------------------------------------------------------------------

_NEXT = np.array([1, 2, 0])


def _cross_kernel(product: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def kernel(a: Any, b: Any) -> Any:
        if a.shape != b.shape:
            raise InvalidArgumentError.of(
                f"Both inputs must be of same shape: {in_brackets(a.shape)} vs. {in_brackets(b.shape)} "
                "[Op:Cross]"
            )
        if a.ndim == 0 or a.shape[-1] != 3:
            raise FailedPreconditionError.of(
                f"Cross-products are only defined for 3-element vectors, not for {in_brackets(a.shape)}. "
                "[Op:Cross]"
            )
        return (product(a, b[..., _NEXT]) - product(a[..., _NEXT], b))[..., _NEXT]

    return kernel


_cross_rules: dict[str, Any] = {
    "vjp": (lambda g, y, a, b: cross(b, g), lambda g, y, a, b: cross(g, a)),
    "reads": ("b", "a"),
    "multilinear": (0, 1),
    "batch": lambda n, xs, batched: cross(*with_axis(n, xs, batched)),
    "accepts": f"{FLOAT} {INT}",
    "same_dtype": True,
}
cross = Binary(
    "Cross",
    _cross_kernel(np.multiply),
    absorbing=Binary("CrossAbsorbing", _cross_kernel(multiply.absorbing.kernel), **_cross_rules),  # type: ignore
    **_cross_rules,
)


# --- Transpose and trace ------------------------------------------------------------------------------------


def _turned_shape(x: Any) -> Shape:
    shape = shape_of(x)
    return None if shape is None else (*shape[:-2], shape[-1], shape[-2])


matrix_transpose = Unary(
    "MatrixTranspose",
    turned,
    vjp=lambda g, y, x: matrix_transpose(g),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: matrix_transpose(*xs),
    shape=_turned_shape,
)


def _trace(x: Any) -> Any:
    diagonal = np.diagonal(x, axis1=-2, axis2=-1)
    if is_half(x.dtype):
        return np.add.reduce(diagonal.astype(np.float32), axis=-1).astype(x.dtype)
    return np.add.reduce(diagonal, axis=-1, dtype=x.dtype)


def _scaled_eye(x: Any, like: Any) -> Any:
    return x[..., None, None] * np.eye(*like.shape[-2:], dtype=x.dtype)


trace = Unary(
    "Trace",
    _trace,
    vjp=lambda g, y, x: scaled_eye(g, x),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: trace(*xs),
    shape=lambda x: None if shape_of(x) is None else dims(x)[:-2],
    accepts=NUMBER,
)

scaled_eye = Op(
    "ScaledEye",
    _scaled_eye,
    vjp=(lambda g, y, x, like: trace(g), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: scaled_eye(xs[0] if batched[0] else lead(xs[0], n=n), xs[1]),
    shape=lambda x, like: None if None in (shape_of(x), shape_of(like)) else (*dims(x), *dims(like)[-2:]),
)
"""x times the identity of the shape of the matrices ``like``."""
