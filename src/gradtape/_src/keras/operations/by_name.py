"""Functions of `tf.keras.ops` that TensorFlow has too, with the arguments that Keras gives them."""

from __future__ import annotations

from gradtape._src.api import (
    arrays,
    casting,
    comparison,
    counting,
    creation,
    decompositions,
    joining,
    solvers,
    sorting,
)
from gradtape._src.api import complex as complex_numbers
from gradtape._src.control import scan
from gradtape._src.control import vectorized_map as vectorizing
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.keras.operations import numbers, shapes
from gradtape._src.keras.operations.promotion import as_float, promoted

# --- Arrays -------------------------------------------------------------------------------------------------


def zeros_like(x, dtype=None):
    """Zeros of the shape of x."""
    return creation.zeros_like(x, dtype)


def ones_like(x, dtype=None):
    """Ones of the shape of x."""
    return creation.ones_like(x, dtype)


def reshape(x, newshape):
    """x in another shape; a size may be -1."""
    return arrays.reshape(x, newshape)


def broadcast_to(x, shape):
    """x repeated along its axes of size 1."""
    return arrays.broadcast_to(x, shape)


def repeat(x, repeats, axis=None):
    """Each element so many times along ``axis``; of all in a row by default."""
    return joining.repeat(x, repeats, axis)


def unstack(x, num=None, axis=0):
    """The parts along ``axis``, as a list."""
    return joining.unstack(x, num, axis)


def unravel_index(indices, shape):
    """The places in an array of this shape of elements by their numbers: a tuple, one entry an axis."""
    found = arrays.unravel_index(arrays.reshape(indices, [-1]), shape)
    return tuple(arrays.reshape(row, list(shape_of(as_tensor(indices)))) for row in joining.unstack(found))


def sort(x, axis=-1):
    """The elements along ``axis`` in increasing order."""
    return sorting.sort(x, axis)


def top_k(x, k, sorted=True):
    """The k largest elements along the last axis, and their places."""
    return sorting.top_k(x, k, sorted)


def bincount(x, weights=None, minlength=0, sparse=False):
    """How often each integer from 0 on occurs, in each row of a matrix."""
    x = as_tensor(x)
    return counting.bincount(x, weights, minlength, axis=-1 if len(shape_of(x)) == 2 else None)


def stop_gradient(variable):
    """The value, through which no gradient flows."""
    return arrays.stop_gradient(variable)


def saturate_cast(x, dtype):
    """x in another dtype, cut to its least and largest numbers."""
    return casting.saturate_cast(x, dtype)


def real(x):
    """The real part."""
    return complex_numbers.real(x)


def imag(x):
    """The imaginary part."""
    return complex_numbers.imag(x)


def logical_and(x1, x2):
    """Whether both are true (other than 0), elementwise."""
    return comparison.logical_and(casting.cast(x1, "bool"), casting.cast(x2, "bool"))


def logical_or(x1, x2):
    """Whether one is true (other than 0), elementwise."""
    return comparison.logical_or(casting.cast(x1, "bool"), casting.cast(x2, "bool"))


def logical_xor(x1, x2):
    """Whether only one is true (other than 0), elementwise."""
    return comparison.logical_xor(casting.cast(x1, "bool"), casting.cast(x2, "bool"))


# --- Linear algebra -----------------------------------------------------------------------------------------


def trace(x, offset=0, axis1=0, axis2=1):
    """The sum of a diagonal of two axes."""
    return numbers.sum(shapes.diagonal(x, offset, axis1, axis2), axis=-1)


def det(x):
    """The determinant."""
    return solvers.det(x)


def inv(x):
    """The inverse."""
    return solvers.inv(x)


def logdet(x):
    """The logarithm of the determinant of a positive definite matrix."""
    return decompositions.logdet(x)


def slogdet(x):
    """The sign of the determinant, and the logarithm of its absolute value."""
    return solvers.slogdet(x)


def cholesky(x, upper=False):
    """The lower triangular matrix whose product with its transpose is x; or the upper one, its transpose."""
    factor = decompositions.cholesky(x)
    return shapes.swapaxes(factor, -1, -2) if upper else factor


def eigh(x):
    """The eigenvalues and the eigenvectors of a symmetric matrix."""
    return decompositions.eigh(x)


def eig(x):
    """The eigenvalues and the eigenvectors, which are complex."""
    return decompositions.eig(x)


def qr(x, mode="reduced"):
    """An orthogonal and an upper triangular matrix whose product is x: "reduced", or "complete"."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"`mode` must be 'reduced' or 'complete'. Received: mode={mode}")
    return decompositions.qr(x, full_matrices=mode == "complete")


def svd(x, full_matrices=True, compute_uv=True):
    """u, s and the conjugate transpose of v, with x = u diag(s) v*; or s alone."""
    if not compute_uv:
        return decompositions.svd(x, full_matrices, compute_uv)
    s, u, v = decompositions.svd(x, full_matrices)
    return u, s, shapes.swapaxes(complex_numbers.conj(v), -1, -2)


def solve(a, b):
    """x of the equation a x = b."""
    a, b = (as_float(x) for x in promoted(a, b))
    if len(shape_of(b)) == len(shape_of(a)) - 1:
        return solvers.solve(a, shapes.expand_dims(b, -1))[..., 0]
    return solvers.solve(a, b)


def pinv(x, rcond=None):
    """The pseudoinverse."""
    return solvers.pinv(x, rcond)


def matrix_rank(x, tol=None):
    """How many singular values are not 0."""
    return decompositions.matrix_rank(x, tol)


# --- Functions of functions ---------------------------------------------------------------------------------


def map(f, xs):
    """f of each element along the first axis, one after the other."""
    return scan.map_fn(f, xs)


def vectorized_map(function, elements):
    """The function of each element along the first axis, of all at once."""
    return vectorizing.vectorized_map(function, elements)
