"""Public solvers of linear equations, inverses and determinants. All take matrices in the last two
dimensions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.api.decompositions import as_floating
from gradtape._src.api.products import matmul, pair
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import decompositions, matrices
from gradtape._src.ops import products as product_ops
from gradtape._src.ops import solvers as ops
from gradtape._src.ops.arrays import expand_dims, squeeze
from gradtape._src.ops.complex import conj


class LogMatrixDeterminant(NamedTuple):
    """What `tf.linalg.slogdet` gives."""

    sign: Any
    log_abs_determinant: Any


def solve(matrix, rhs, adjoint=False, name=None):
    """The X with A X = B, or A^H X = B, for square A. Floating or complex, of one dtype.

    Args:
      matrix: A, of shape [..., n, n].
      rhs: B, of shape [..., n, k], with the same leading dimensions.
      adjoint: solve with the conjugate transpose.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: shapes that do not fit, or a singular matrix.

    >>> import gradtape as tf
    >>> print(tf.linalg.solve([[2., 0.], [0., 4.]], [[2.], [2.]]).numpy())
    [[1. ]
     [0.5]]

    As TensorFlow 2.21.
    """
    a, b = pair(matrix, rhs)
    return ops.solve.of(conj(a) if adjoint else a, b, transpose=bool(adjoint), name=name)


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """The X with A X = B, or A^H X = B, for triangular A. Floating or complex, of one dtype.

    One triangle of A is read; leading dimensions broadcast. A zero on the diagonal gives infinities and NaN.

    Args:
      matrix: A, of shape [..., n, n].
      rhs: B, of shape [..., n, k].
      lower: whether A is its lower triangle, else the upper one.
      adjoint: solve with the conjugate transpose.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: shapes that do not fit.

    >>> import gradtape as tf
    >>> print(tf.linalg.triangular_solve([[2., 0.], [1., 1.]], [[2.], [3.]]).numpy())
    [[1.]
     [2.]]

    As TensorFlow 2.21.
    """
    a, b = pair(matrix, rhs)
    a = conj(a) if adjoint else a
    return ops.triangular_solve.of(a, b, lower=bool(lower), transpose=bool(adjoint), name=name)


def cholesky_solve(chol, rhs, name=None):
    """The X with A X = B, given the Cholesky factor L of A = L L^H (`tf.linalg.cholesky`).

    Args:
      chol: L, of shape [..., n, n].
      rhs: B, of shape [..., n, k]; leading dimensions broadcast.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.linalg.cholesky_solve([[2., 0.], [0., 1.]], [[4.], [3.]]).numpy())
    [[1.]
     [3.]]

    As TensorFlow 2.21.
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True, name=name)


def inv(input, adjoint=False, name=None):
    """The inverse of square matrices, or its conjugate transpose. Floating or complex.

    Raises:
      InvalidArgumentError: not square, or singular.

    >>> import gradtape as tf
    >>> print(tf.linalg.inv([[2., 0.], [0., 4.]]).numpy())
    [[0.5  0.  ]
     [0.   0.25]]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    return ops.inv.of(matrices.adjoint(x) if adjoint else x, name)


def pinv(a, rcond=None, validate_args=False, name=None):
    """The Moore-Penrose pseudo-inverse. Floating.

    Singular values up to `rcond` times the largest one count as zero.

    Args:
      a: matrices of shape [..., m, n].
      rcond: a number, or one for each matrix; by default 10 max(m, n) times the dtype's epsilon.
      validate_args: without effect: arguments are always checked.
      name: a name for the operation.

    Raises:
      TypeError: not floating.
      ValueError: the rank of the tensor is below 2.

    >>> import gradtape as tf
    >>> print(tf.linalg.pinv([[1., 1.], [1., 1.]]).numpy().round(3))
    [[0.25 0.25]
     [0.25 0.25]]

    Gradient at constant rank: Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973), eq. 4.12.
    """
    a = as_tensor(a)
    as_floating(a)
    if rcond is not None:
        rcond = as_tensor(rcond, dtype_of(a)).numpy()
    return ops.pinv.of(a, rcond=rcond, name=name)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """The X of least |A X - B|^2 + l |X|^2; where several have it, the smallest. Floating or complex.

    With `fast`, by the Cholesky factor of A^H A + l I (or A A^H + l I, if A has more columns than rows): A
    must have full rank, and its condition number is squared. Without, by singular values, for any A;
    `l2_regularizer` is then not used, as in TensorFlow.

    Args:
      matrix: A, of shape [..., m, n].
      rhs: B, of shape [..., m, k].
      l2_regularizer: l, a Python number.
      fast: see above.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.linalg.lstsq([[1., 0.], [0., 2.], [0., 0.]], [[3.], [4.], [5.]]).numpy())
    [[3.]
     [2.]]

    As TensorFlow 2.21, which has no gradient without `fast`.
    """
    a, b = pair(matrix, rhs)
    shape = shape_of(a)
    if not fast:
        eps = float(np.finfo(dtype_of(a)).eps)
        rcond = None if shape is None or None in shape[-2:] else np.asarray(eps * max(shape[-2:]))  # type: ignore[type-var]
        return matmul(ops.pinv.of(a, rcond=rcond), b, name=name)
    if shape is None or None in shape[-2:]:
        raise ValueError(
            "tf.linalg.lstsq needs matrices of known size; give it with tf.ensure_shape, or fast=False."
        )
    tall = shape[-2] >= shape[-1]  # type: ignore[operator]
    gramian = matmul(a, a, adjoint_a=tall, adjoint_b=not tall)
    if l2_regularizer != 0:
        gramian = gramian + l2_regularizer * np.eye(shape_of(gramian)[-1], dtype=dtype_of(a))  # type: ignore[index,arg-type]
    factor = decompositions.cholesky.of(gramian)
    if tall:
        return cholesky_solve(factor, matmul(a, b, adjoint_a=True), name)
    return matmul(a, cholesky_solve(factor, b), adjoint_a=True, name=name)


# --- Determinants -------------------------------------------------------------------------------------------


def det(input, name=None):
    """The determinant of square matrices. Floating or complex.

    The gradient is the matrix of cofactors, also where the matrix is singular.

    Raises:
      InvalidArgumentError: not square.

    >>> import gradtape as tf
    >>> print(tf.linalg.det([[2., 1.], [0., 3.]]).numpy())
    6.0

    Values as TensorFlow 2.21.
    """
    return ops.det.of(input, name)


def slogdet(input, name=None):
    """The sign (phase) of the determinant and the logarithm of its modulus: (sign, log_abs_determinant).

    Square, floating or complex. A singular matrix has (0, -inf).

    Raises:
      InvalidArgumentError: not square.

    >>> import gradtape as tf
    >>> sign, log = tf.linalg.slogdet([[0., 1.], [1., 0.]])
    >>> print(sign.numpy(), log.numpy())
    -1.0 0.0

    As TensorFlow 2.21; the phase of complex determinants has its gradient too.
    """
    return LogMatrixDeterminant(*ops.slogdet.of(as_tensor(input), name=name))


# --- With a given LU decomposition --------------------------------------------------------------------------


def _checked_lu(lower_upper: Any, perm: Any) -> tuple[Any, Any]:
    lower_upper, perm = as_tensor(lower_upper), as_tensor(perm)
    shape, order = shape_of(lower_upper), shape_of(perm)
    if shape is not None:
        if len(shape) < 2:
            raise ValueError("Input `lower_upper` must have at least 2 dimensions.")
        if None not in shape[-2:] and shape[-1] != shape[-2]:
            raise ValueError("`lower_upper` must be square.")
        if order is not None and len(shape) != len(order) + 1:
            raise ValueError("`rank(lower_upper)` must equal `rank(perm) + 1`")
    return lower_upper, perm


def lu_reconstruct(lower_upper, perm, validate_args=False, name=None):
    """The matrices that have this LU decomposition: L U with its rows in order. See `tf.linalg.lu`.

    Raises:
      ValueError: shapes that do not fit.

    >>> import gradtape as tf
    >>> print(tf.linalg.lu_reconstruct(*tf.linalg.lu([[1., 2.], [4., 4.]])).numpy())
    [[1. 2.]
     [4. 4.]]

    As TensorFlow 2.21.
    """
    lower_upper, perm = _checked_lu(lower_upper, perm)
    lower, upper = matrices.unit_lower.of(lower_upper), matrices.triu.of(lower_upper)
    return decompositions.rows_back.of(product_ops.matmul.of(lower, upper), perm, name=name)


def lu_solve(lower_upper, perm, rhs, validate_args=False, name=None):
    """The X with A X = B, given the LU decomposition of A. See `tf.linalg.lu`.

    Args:
      lower_upper, perm: the decomposition.
      rhs: B, of shape [..., n, k]; leading dimensions broadcast.
      validate_args: without effect: arguments are always checked.
      name: a name for the operation.

    Raises:
      ValueError: shapes that do not fit.

    >>> import gradtape as tf
    >>> print(tf.linalg.lu_solve(*tf.linalg.lu([[1., 2.], [4., 4.]]), [[3.], [8.]]).numpy())
    [[1.]
     [1.]]

    As TensorFlow 2.21.
    """
    lower_upper, perm = _checked_lu(lower_upper, perm)
    rhs = as_tensor(rhs)
    shape, right = shape_of(lower_upper), shape_of(rhs)
    if right is not None:
        if len(right) < 2:
            raise ValueError("Input `rhs` must have at least 2 dimensions.")
        if shape is not None and None not in (shape[-1], right[-2]) and shape[-1] != right[-2]:
            raise ValueError("`lower_upper.shape[-1]` must equal `rhs.shape[-1]`.")
    ordered = decompositions.rows_in_order.of(rhs, perm)
    half = ops.triangular_solve.of(matrices.unit_lower.of(lower_upper), ordered, lower=True, transpose=False)
    return ops.triangular_solve.of(lower_upper, half, lower=False, transpose=False, name=name)


def lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None):
    """The inverse of the matrices that have this LU decomposition. See `tf.linalg.lu`.

    >>> import gradtape as tf
    >>> print(tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[2., 0.], [0., 4.]])).numpy())
    [[0.5  0.  ]
     [0.   0.25]]

    As TensorFlow 2.21.
    """
    lower_upper, perm = _checked_lu(lower_upper, perm)
    one = matrices.unit_lower.of(matrices.triu.of(lower_upper))
    return lu_solve(lower_upper, perm, one, name=name)


def with_column(x: Any) -> Any:
    """Vectors as matrices of one column."""
    return expand_dims.of(x, axis=-1)


def without_column(x: Any) -> Any:
    return squeeze.of(x, axis=(-1,))
