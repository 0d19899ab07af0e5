"""Public decompositions and functions of matrices. All take one matrix, or any number in leading
dimensions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.api.elementwise import log
from gradtape._src.api.reduction import reduce_max, reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.dtypes import int32 as tf_int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, dtype_of, shape_of
from gradtape._src.ops import decompositions as ops
from gradtape._src.ops import matrix_functions, spectra
from gradtape._src.ops.arithmetic import add
from gradtape._src.ops.banded import from_bands
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import greater
from gradtape._src.ops.complex import conj, is_complex, real
from gradtape._src.ops.matrices import as_row, columns_back, diagonal, on_diagonal


class Qr(NamedTuple):
    """What `tf.linalg.qr` gives."""

    q: Any
    r: Any


class Lu(NamedTuple):
    """What `tf.linalg.lu` gives."""

    lu: Any
    p: Any


def cholesky(input, name=None):
    """The lower triangular L with A = L L^H, of Hermitian positive definite A.

    Floating or complex; only the lower triangle of A is read. Where A is not positive definite, the result is
    NaN.

    >>> import gradtape as tf
    >>> print(tf.linalg.cholesky([[4., 2.], [2., 5.]]).numpy())
    [[2. 0.]
     [1. 2.]]

    Gradient: Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527 (2016); symmetric, as
    TensorFlow's.
    """
    return ops.cholesky.of(input, name)


def logdet(matrix, name=None):
    """The logarithm of the determinant of a Hermitian positive definite matrix, by its Cholesky factor. Real.

    >>> import gradtape as tf
    >>> print(tf.linalg.logdet([[1., 0.], [0., 1.]]).numpy())
    0.0

    As TensorFlow 2.21; see `tf.linalg.slogdet` for other matrices.
    """
    factor = diagonal.of(ops.cholesky.of(matrix))
    return 2.0 * reduce_sum(log(real(factor) if is_complex(factor) else factor), -1)


def qr(input, full_matrices=False, name=None):
    """A = Q R with orthonormal columns in Q and upper triangular R: a tuple (q, r).

    Of m by n matrices q has min(m, n) columns, or m with `full_matrices`. Floating or complex.

    >>> import gradtape as tf
    >>> q, r = tf.linalg.qr([[3., 1.], [4., 2.]])
    >>> print(abs(r.numpy()).round(3))
    [[5.  2.2]
     [0.  0.4]]

    Gradient: Walter and Lehmann, Algorithmic differentiation of linear algebra functions with application in
    optimum experimental design, arXiv:1001.1654 (2010); for wide matrices Roberts and Roberts,
    arXiv:2009.10071 (2020).
    """
    return Qr(*ops.qr.of(as_tensor(input), full_matrices=bool(full_matrices), name=name))


def lu(input, output_idx_type=tf_int32, name=None):
    """The LU decomposition with exchange of rows: a tuple (lu, p). Square, floating or complex.

    `lu` has U on and above the diagonal and L, whose diagonal is 1, below. Row i of L U is row p[i] of the
    input.

    Args:
      input: square matrices.
      output_idx_type: the dtype of p: tf.int32 or tf.int64.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: not square, or singular.

    >>> import gradtape as tf
    >>> lu, p = tf.linalg.lu([[1., 2.], [4., 4.]])
    >>> print(lu.numpy(), p.numpy())
    [[4.   4.  ]
     [0.25 1.  ]] [1 0]

    Values as TensorFlow 2.21, which has no gradient of it.
    """
    return Lu(*ops.lu.of(as_tensor(input), output_idx_type=as_dtype(output_idx_type).np.type, name=name))


# --- Spectra ------------------------------------------------------------------------------------------------


def eigh(tensor, name=None):
    """Eigenvalues, ascending, and eigenvectors, in columns, of Hermitian matrices: a tuple (e, v).

    Floating or complex (then e is complex too, with imaginary parts of zero); only the lower triangle is
    read. The signs (phases) of the vectors are LAPACK's. The gradient is that of the lower triangle, and
    right where it depends neither on phases nor on the basis of equal eigenvalues.

    Raises:
      InvalidArgumentError: not square; NaN or infinity.

    >>> import gradtape as tf
    >>> e, v = tf.linalg.eigh([[2., 0.], [0., 1.]])
    >>> print(e.numpy())
    [1. 2.]

    Gradient: Giles, An extended collection of matrix derivative results, Oxford NA-08/01 (2008), section 3.1.
    """
    return spectra.eigh.of(as_tensor(tensor), name=name)


def eigvalsh(tensor, name=None):
    """The eigenvalues of Hermitian matrices, ascending. See `tf.linalg.eigh`.

    >>> import gradtape as tf
    >>> print(tf.linalg.eigvalsh([[2., 0.], [0., 1.]]).numpy())
    [1. 2.]

    As TensorFlow 2.21.
    """
    return spectra.eigvalsh.of(tensor, name)


def eig(tensor, name=None):
    """Eigenvalues and eigenvectors, in columns, of square matrices: a tuple (e, v), both complex.

    In no particular order. Floating or complex. The vectors have length 1; their phases are LAPACK's, and the
    gradient is right where it does not depend on them.

    Raises:
      InvalidArgumentError: not square; NaN or infinity.

    >>> import gradtape as tf
    >>> e, v = tf.linalg.eig([[0., -1.], [1., 0.]])
    >>> print(e.numpy())
    [0.+1.j 0.-1.j]

    Gradient: Boeddeker et al., On the computation of complex-valued gradients, arXiv:1701.00392 (2017), eq.
    4.77.
    """
    return spectra.eig.of(as_tensor(tensor), name=name)


def eigvals(tensor, name=None):
    """The eigenvalues of square matrices, complex, in no particular order. See `tf.linalg.eig`.

    >>> import gradtape as tf
    >>> print(tf.linalg.eigvals([[0., -1.], [1., 0.]]).numpy())
    [0.+1.j 0.-1.j]

    As TensorFlow 2.21.
    """
    return spectra.eigvals.of(tensor, name)


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """The singular value decomposition A = U diag(s) V^H: a tuple (s, u, v), or s alone.

    s descends. Of m by n matrices u and v have min(m, n) columns, or m and n with `full_matrices`. Floating
    or complex; s is real. The gradient is right where it does not depend on phases, nor on the basis of equal
    singular values. A matrix with NaN has NaN.

    Args:
      tensor: matrices.
      full_matrices: whether to complete u and v to square matrices.
      compute_uv: whether to compute u and v.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.linalg.svd([[3., 0.], [0., 4.]], compute_uv=False).numpy())
    [4. 3.]

    Gradient: Giles (2008), section 3.2; complex: Wan and Zhang, arXiv:1909.02659 (2019).
    """
    if compute_uv:
        return spectra.svd.of(as_tensor(tensor), full_matrices=bool(full_matrices), name=name)
    return spectra.svdvals.of(tensor, name)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """The number of singular values above `tol`: int32. Floating.

    Args:
      a: matrices.
      tol: what counts as zero; by default the largest singular value times max(m, n) times the dtype's
      epsilon. validate_args: without effect: arguments are always checked.
      name: a name for the operation.

    Raises:
      TypeError: not floating.
      ValueError: the rank of the tensor is below 2.

    >>> import gradtape as tf
    >>> print(tf.linalg.matrix_rank([[1., 2.], [2., 4.]]).numpy())
    1

    As TensorFlow 2.21.
    """
    a = as_floating(a)
    s = spectra.svdvals.of(a)
    if tol is None:
        eps = float(np.finfo(dtype_of(s)).eps)
        tol = eps * max(shape_of(a)[-2:]) * reduce_max(s, -1, True)  # type: ignore[arg-type]
    return reduce_sum(cast.of(greater.of(s, tol), dtype=np.dtype(np.int32)), -1)


def as_floating(a: Any, name: str = "a") -> Any:
    """A tensor of matrices of real floating-point numbers; a list of ints is brought to float32."""
    if isinstance(a, (list, tuple)):
        a = as_tensor(a)
        if dtype_of(a) == np.int32:
            a = cast.of(a, dtype=np.dtype(np.float32))
    a = as_tensor(a)
    dtype, shape = from_numpy(dtype_of(a)), shape_of(a)
    if not dtype.is_floating:
        raise TypeError(f"Input `{name}` must have `float`-like `dtype` (saw {dtype.name}).")
    if shape is not None and len(shape) < 2:
        raise ValueError(f"Input `{name}` must have at least 2 dimensions (saw: {len(shape)}).")
    return a


def eigh_tridiagonal(alpha, beta, eigvals_only=True, select="a", select_range=None, tol=None, name=None):
    """Eigenvalues (and vectors) of Hermitian matrices that are zero beside three diagonals.

    Args:
      alpha: the diagonals, of length n.
      beta: the numbers above them, of length n - 1; below them are their conjugates.
      eigvals_only: give the eigenvalues alone, else a tuple (e, v).
      select: 'a': all; 'i': those with the indices (first, last) of `select_range`; 'v': those in the
        half-open interval (low, high] of `select_range`, for one matrix.
      select_range: see `select`.
      tol: without effect: eigenvalues are computed to the precision of the dtype.
      name: a name for the operation.

    Raises:
      ValueError: another `select`, dtypes that differ.
      InvalidArgumentError: an empty range, a beta of another length.

    >>> import gradtape as tf
    >>> print(tf.linalg.eigh_tridiagonal([2., 2.], [1.]).numpy())
    [1. 3.]

    Values as TensorFlow 2.21; computed as those of full matrices, and with their gradient.
    """
    alpha = as_tensor(alpha)
    beta = as_tensor(beta)
    if dtype_of(alpha) != dtype_of(beta):
        raise ValueError("'alpha' and 'beta' must have the same type.")
    if select not in ("a", "i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    a_shape: Any = shape_of(alpha)
    b_shape: Any = shape_of(beta)
    if a_shape and b_shape and None not in (a_shape[-1], b_shape[-1]) and a_shape[-1] != b_shape[-1] + 1:
        raise InvalidArgumentError.of(
            f"'beta' must be one shorter than 'alpha'; received lengths {b_shape[-1]} and {a_shape[-1]}."
        )
    below = as_row(columns_back.of(conj(beta), alpha, rest=True))
    matrix = add.of(on_diagonal.of(alpha), from_bands.of(below, offsets=(-1,)))
    if eigvals_only:
        e, v = spectra.eigvalsh.of(matrix), None
    else:
        e, v = spectra.eigh.of(matrix)
    e = real(e) if is_complex(e) else e
    if select != "a":
        first, last = _selected(e, select, select_range)
        e, v = e[..., first:last], None if v is None else v[..., first:last]
    return e if eigvals_only else (e, v)


def _selected(e: Any, select: str, select_range: Any) -> tuple[int, int]:
    """From which eigenvalue to which."""
    if select_range is None or len(select_range) != 2:
        raise ValueError(
            f"'select_range' must be a pair when 'select' is {select!r}. Received {select_range!r}."
        )
    low, high = (bound.numpy() if isinstance(bound, EagerTensor) else bound for bound in select_range)
    if select == "i":
        if low > high:
            raise InvalidArgumentError.of(f"Got empty index range in select_range: ({low}, {high}).")
        return int(low), int(high) + 1
    if low >= high:
        raise InvalidArgumentError.of(f"Got empty interval in select_range: ({low}, {high}].")
    if not isinstance(e, EagerTensor) or e._data.ndim != 1:
        raise ValueError(
            "select='v' takes one matrix whose eigenvalues can be computed at once: how many is not known."
        )
    first, last = np.searchsorted(e._data, [low, high], side="right")
    return int(first), int(last)


# --- Functions of matrices ----------------------------------------------------------------------------------


def expm(input, name=None):
    """The matrix exponential, sum over k of A^k / k!, of square matrices. Floating or complex.

    Raises:
      ValueError: another dtype.
      InvalidArgumentError: not square.

    >>> import gradtape as tf
    >>> print(tf.linalg.expm([[0., 1.], [0., 0.]]).numpy())
    [[1. 1.]
     [0. 1.]]

    Al-Mohy and Higham, SIAM J. Matrix Anal. Appl. 31 (2009); gradient: Higham, Functions of Matrices (2008),
    3.16.
    """
    x = as_tensor(input)
    dtype = from_numpy(dtype_of(x))
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"tf.linalg.expm does not support matrices of type {dtype!s}")
    return matrix_functions.expm.of(x, name)


def logm(input, name=None):
    """The principal matrix logarithm, whose exponential is A, of square matrices. Complex; NaN where A is
    singular.

    >>> import gradtape as tf
    >>> print(tf.linalg.logm([[1. + 0j, 0.], [0., 1.]]).numpy().real)
    [[0. 0.]
     [0. 0.]]

    Al-Mohy and Higham, SIAM J. Sci. Comput. 34 (2012); gradient: Higham (2008), eq. 3.16. TensorFlow has no
    gradient.
    """
    return matrix_functions.logm.of(input, name)


def sqrtm(input, name=None):
    """The principal square root, whose square is A, of square matrices. Floating or complex.

    NaN where there is none: of a real matrix with a negative eigenvalue, and of most singular ones.

    >>> import gradtape as tf
    >>> print(tf.linalg.sqrtm([[4., 0.], [0., 9.]]).numpy())
    [[2. 0.]
     [0. 3.]]

    Deadman, Higham and Ralha (2013); gradient: Higham (2008), eq. 3.16.
    """
    return matrix_functions.sqrtm.of(input, name)
