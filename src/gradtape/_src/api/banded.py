"""Public functions of matrices that are given by a few of their diagonals."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.products import pair
from gradtape._src.api.solvers import with_column, without_column
from gradtape._src.api.static import as_tensors
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.shapes import as_text
from gradtape._src.core.values import shape_of
from gradtape._src.ops import banded as ops
from gradtape._src.ops.arrays import pack
from gradtape._src.ops.complex import conj
from gradtape._src.ops.matrices import columns_back
from gradtape._src.ops.products import matrix_transpose


def _compact(diagonals: Any, form: str) -> Any:
    """The diagonals as a tensor [..., 3, n]."""
    if form == "compact":
        diagonals = as_tensor(diagonals)
        shape = shape_of(diagonals)
        if shape is not None and len(shape) > 1 and shape[-2] not in (3, None):
            raise ValueError(f"Expected 3 diagonals got {shape[-2]}")
        return diagonals
    if form == "sequence":
        if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        above, middle, below = as_tensors(diagonals)
        # Of length n - 1: a zero where the number is not read.
        return pack.of(
            columns_back.of(above, middle), middle, columns_back.of(below, middle, rest=True), axis=-2
        )
    if form == "matrix":
        matrix = as_tensor(diagonals)
        shape = shape_of(matrix)
        if shape is not None and None not in shape[-2:] and (len(shape) < 2 or shape[-1] != shape[-2]):
            sizes = " and ".join(str(n) for n in shape[:-3:-1])
            raise ValueError(f"Expected last two dimensions of diagonals to be same, got {sizes}")
        return ops.bands_of.of(matrix, offsets=ops.TRIDIAGONAL)
    raise ValueError(f"Unrecognized diagonals_format: {form}")


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """The product of tridiagonal matrices and matrices. Floating or complex, of one dtype.

    Args:
      diagonals: see `diagonals_format`.
      rhs: of shape [..., n, k].
      diagonals_format: 'compact': a tensor [..., 3, n]: above, on and below the diagonal, each number at its
        row (the last above and the first below are not read); 'sequence': these three as separate tensors;
        'matrix': the full matrices [..., n, n].
      name: a name for the operation.

    Raises:
      ValueError: another format, or shapes that do not fit it.

    >>> import gradtape as tf
    >>> print(tf.linalg.tridiagonal_matmul([[1., 0.], [2., 3.], [0., 4.]], [[1.], [1.]]).numpy())
    [[3.]
     [7.]]

    As TensorFlow 2.21.
    """
    bands, rhs = pair(_compact(diagonals, diagonals_format), rhs)
    return ops.band_matmul.of(bands, rhs, offsets=ops.TRIDIAGONAL, name=name)


def tridiagonal_solve(
    diagonals,
    rhs,
    diagonals_format="compact",
    transpose_rhs=False,
    conjugate_rhs=False,
    name=None,
    partial_pivoting=True,
    perturb_singular=False,
):
    """The X with T X = B for tridiagonal T. Floating or complex, of one dtype.

    Takes time in proportion to n. A singular matrix gives NaN.

    Args:
      diagonals: T; see `tf.linalg.tridiagonal_matmul`.
      rhs: B, of shape [..., n] or [..., n, k].
      diagonals_format: 'compact', 'sequence' or 'matrix'.
      transpose_rhs: B is given transposed, as [..., k, n].
      conjugate_rhs: B is given conjugated.
      name: a name for the operation.
      partial_pivoting: exchange rows for the sake of precision.
      perturb_singular: change a singular matrix a little instead.

    Raises:
      ValueError: another format, or shapes that do not fit.

    >>> import gradtape as tf
    >>> print(tf.linalg.tridiagonal_solve([[1., 0.], [2., 3.], [0., 4.]], [3., 7.]).numpy())
    [1. 1.]

    As TensorFlow 2.21.
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    bands, b = pair(_compact(diagonals, diagonals_format), rhs)
    left: Any = shape_of(bands)
    given = shape_of(b)
    if left is None or given is None:
        raise ValueError("tf.linalg.tridiagonal_solve needs tensors of known rank; see tf.ensure_shape.")
    if len(left) < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {len(left)}")
    if len(given) not in (len(left) - 1, len(left)):
        raise ValueError(f"Expected the rank of rhs to be {len(left) - 1} or {len(left)}, got {len(given)}")
    vectors = len(given) == len(left) - 1
    if conjugate_rhs:
        b = conj(b)
    if vectors:
        b = with_column(b)
    elif transpose_rhs:
        b = matrix_transpose.of(b)
    right: Any = shape_of(b)
    if None not in (left[-1], right[-2]) and left[-1] != right[-2]:
        raise ValueError(
            f"Expected number of left-hand sided and right-hand sides to be equal, got {left[-1]} and "
            f"{right[-2]}"
        )
    if not all(m is None or n is None or m == n for m, n in zip(left[:-2], right[:-2])):
        raise ValueError(f"Batch shapes {as_text(left[:-2])} and {as_text(right[:-2])} are incompatible")
    y = ops.tridiagonal_solve.of(
        bands, b, partial_pivoting=bool(partial_pivoting), perturb_singular=bool(perturb_singular), name=name
    )
    return without_column(y) if vectors else y


def banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None):
    """The X with A X = B, or A^H X = B, for triangular A with few diagonals. Floating or complex, of one
    dtype.

    Takes time in proportion to the numbers in `bands`.

    Args:
      bands: the diagonals, of shape [..., k, n], each number at its row. Of a lower triangle the main one
        comes first, A[i, i - j] = bands[j, i]; of an upper triangle it comes last, A[i, i + k - 1 - j] =
        bands[j, i].
      rhs: B, of shape [..., n, m]; leading dimensions broadcast.
      lower: whether A is a lower triangle.
      adjoint: solve with the conjugate transpose.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: shapes that do not fit; a zero on the main diagonal.

    >>> import gradtape as tf
    >>> print(tf.linalg.banded_triangular_solve([[2., 1.], [0., 1.]], [[2.], [3.]]).numpy())
    [[1.]
     [2.]]

    As TensorFlow 2.21.
    """
    bands, rhs = pair(bands, rhs)
    if adjoint:
        bands = ops.band_transpose.of(conj(bands), offsets="lower" if lower else "upper")
        lower = not lower
    return ops.banded_triangular_solve.of(bands, rhs, lower=bool(lower), name=name)
