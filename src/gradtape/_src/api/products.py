"""Public products: of matrices, vectors and tensors, and the transposes that go with them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, in_brackets
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import products as ops
from gradtape._src.ops.casting import cast
from gradtape._src.ops.complex import conj
from gradtape._src.ops.einsum import einsum_two


def pair(a: Any, b: Any) -> tuple[Any, Any]:
    """Two tensors; what of them has no dtype of its own takes the other's, or keeps its own if that cannot
    be.
    """
    if type(a) is EagerTensor and type(b) is EagerTensor:
        return a, b
    try:
        a, b = as_operands(a, b)
    except TypeError:
        pass
    return as_tensor(a), as_tensor(b)


def _side(x: Any, transpose: Any, adjoint: Any, name: str) -> tuple[Any, bool]:
    """A factor, conjugated for an adjoint, and whether to transpose it."""
    if transpose and adjoint:
        raise ValueError(
            f"Only one of `transpose_{name}` and `adjoint_{name}` can be True. "
            f"Received `transpose_{name}`={transpose}, `adjoint_{name}`={adjoint}."
        )
    return (conj(x) if adjoint else x), bool(transpose or adjoint)


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
):
    """The matrix product a b, for each pair of matrices in the last two dimensions.

    y[..., i, k] = sum over j of a[..., i, j] b[..., j, k]. Leading dimensions broadcast. Numbers of one
    dtype; float16 and bfloat16 are summed in float32.

    Args:
      a, b: tensors of rank 2 or more.
      transpose_a, transpose_b: transpose a factor first (no copy is made).
      adjoint_a, adjoint_b: transpose and conjugate it.
      a_is_sparse, b_is_sparse, grad_a, grad_b: hints, without effect here.
      output_type: the dtype to multiply and sum in, such as int32 for factors of int8.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: a rank below 2 (see `tf.linalg.matvec`, `tf.tensordot`), sizes that do not fit.
      ValueError: both `transpose_a` and `adjoint_a`, or both of b.

    >>> import gradtape as tf
    >>> print(tf.matmul([[1., 2.]], [[3., 4.]], transpose_b=True).numpy())
    [[11.]]

    As TensorFlow 2.21.
    """
    a, b = pair(a, b)
    if output_type is not None:
        dtype = as_dtype(output_type).np
        a, b = (x if dtype_of(x) == dtype else cast.of(x, dtype=dtype) for x in (a, b))
    if transpose_a or adjoint_a or transpose_b or adjoint_b:
        a, turn_a = _side(a, transpose_a, adjoint_a, "a")
        b, turn_b = _side(b, transpose_b, adjoint_b, "b")
        return ops.PRODUCTS[turn_a, turn_b].of(a, b, name)
    return ops.matmul.of(a, b, name)


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """The product of matrices and vectors: y[..., i] = sum over j of a[..., i, j] b[..., j].

    Leading dimensions broadcast. Numbers of one dtype.

    Args:
      a: a tensor of rank 2 or more.
      b: a tensor of rank 1 or more.
      transpose_a: transpose a first.
      adjoint_a: transpose and conjugate it.
      a_is_sparse, b_is_sparse: hints, without effect here.
      name: a name for the operation.

    Raises:
      InvalidArgumentError: a rank too low, sizes that do not fit.
      ValueError: both `transpose_a` and `adjoint_a`.

    >>> import gradtape as tf
    >>> print(tf.linalg.matvec([[1., 2.], [3., 4.]], [1., 1.]).numpy())
    [3. 7.]

    As TensorFlow 2.21.
    """
    a, b = pair(a, b)
    a, turn = _side(a, transpose_a, adjoint_a, "a")
    return (ops.matvec_t if turn else ops.matvec).of(a, b, name)


# --- Tensordot ----------------------------------------------------------------------------------------------


def tensordot(a, b, axes, name=None):
    """The sum of products over chosen axes of two tensors.

    The result has the other axes of a, then those of b. Numbers of one dtype.

    Args:
      a, b: tensors.
      axes: an int n: the last n axes of a against the first n of b (0: the outer product); or two lists of
        axes, of a and of b, pair by pair.
      name: a name for the operation.

    Raises:
      ValueError: `axes` is negative, too large, or not two lists of one length.
      IndexError: an axis that is not there.
      InvalidArgumentError: axes of different sizes.

    >>> import gradtape as tf
    >>> print(tf.tensordot([[1., 2.], [3., 4.]], [10., 1.], 1).numpy())
    [12. 34.]

    As TensorFlow 2.21.
    """
    a, b = pair(a, b)
    shape_a, shape_b = shape_of(a), shape_of(b)
    if shape_a is None or shape_b is None:
        raise ValueError("tf.tensordot needs tensors of known rank; give them one with tf.ensure_shape.")
    axes_a, axes_b = _contracted_axes(axes, a, b, len(shape_a), len(shape_b))
    for i, j in zip(axes_a, axes_b):
        m, n = shape_a[i], shape_b[j]
        if m is not None and n is not None and m != n:
            raise InvalidArgumentError.of(
                f"Matrix size-incompatible: In[0]: {in_brackets(shape_a)}, In[1]: {in_brackets(shape_b)}. "
                f"Axis {i} of "
                f"the first has size {m}, axis {j} of the second {n}. [Op:MatMul]"
            )
    return einsum_two.of(a, b, equation=_equation(len(shape_a), len(shape_b), axes_a, axes_b), name=name)


def _contracted_axes(
    axes: Any, a: Any, b: Any, rank_a: int, rank_b: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(axes, Tensor) or hasattr(axes, "tolist"):
        axes = axes.numpy().tolist() if isinstance(axes, Tensor) else axes.tolist()
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        for x, rank in ((a, rank_a), (b, rank_b)):
            if axes > rank:
                raise ValueError(
                    f"`axes` must not be larger than the number of dimensions of tensor {x}.  Received "
                    f"{axes}, vs "
                    f"tensor dimensions {rank}."
                )
        return tuple(range(rank_a - axes, rank_a)), tuple(range(axes))
    if not isinstance(axes, (list, tuple)):
        raise TypeError(f"`axes` must be an integer or two lists of integers. Received: {axes!r}.")
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    found = [[side] if isinstance(side, int) else [int(i) for i in side] for side in axes]
    if len(found[0]) != len(found[1]):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(found[0])} != {len(found[1])}."
        )
    sides = []
    for side, rank in zip(found, (rank_a, rank_b)):
        for axis in side:
            if not -rank <= axis < rank:
                raise IndexError(
                    f"`axes` has the axis {axis}, but the tensor has rank {rank}: [{-rank}, {rank})"
                )
        counted = tuple(axis % rank for axis in side)
        if len(set(counted)) < len(counted):
            raise ValueError(f"`axes` has an axis twice: {side}.")
        sides.append(counted)
    return sides[0], sides[1]


@lru_cache(4096)
def _equation(rank_a: int, rank_b: int, axes_a: tuple[int, ...], axes_b: tuple[int, ...]) -> str:
    a = [chr(ord("A") + i) for i in range(rank_a)]
    b = [chr(ord("A") + rank_a + i) for i in range(rank_b)]
    out = [c for i, c in enumerate(a) if i not in axes_a] + [c for i, c in enumerate(b) if i not in axes_b]
    for i, j in zip(axes_a, axes_b):
        b[j] = a[i]
    return f"{''.join(a)},{''.join(b)}->{''.join(out)}"


# --- Others -------------------------------------------------------------------------------------------------


def cross(a, b, name=None):
    """The cross product of vectors of three numbers, in the last dimension.

    Real numbers of one dtype and one shape.

    Raises:
      InvalidArgumentError: the shapes differ.
      FailedPreconditionError: the last dimension is not 3.

    >>> import gradtape as tf
    >>> print(tf.linalg.cross([1., 0., 0.], [0., 1., 0.]).numpy())
    [0. 0. 1.]

    As TensorFlow 2.21.
    """
    return ops.cross.of(a, b, name)


def trace(x, name=None):
    """The sum of the diagonal of each matrix in the last two dimensions, which need not be equal. Numbers.

    Raises:
      InvalidArgumentError: the rank is below 2.

    >>> import gradtape as tf
    >>> print(tf.linalg.trace([[1, 2], [3, 4]]).numpy())
    5

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    shape = shape_of(x)
    if shape is not None and len(shape) < 2:
        raise InvalidArgumentError.of(
            f"input must be at least 2-dim, received shape: {in_brackets(shape)} [Op:Trace]"
        )
    return ops.trace.of(x, name)


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """The last two dimensions exchanged. Any dtype.

    Args:
      a: a tensor of rank 2 or more.
      name: a name for the operation.
      conjugate: conjugate complex numbers too.

    Raises:
      ValueError: the rank is below 2.

    >>> import gradtape as tf
    >>> print(tf.linalg.matrix_transpose([[1, 2], [3, 4]]).numpy())
    [[1 3]
     [2 4]]

    As TensorFlow 2.21.
    """
    a = as_tensor(a)
    shape = shape_of(a)
    if shape is not None and len(shape) < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {a} with shape: "
            f"{as_text(shape)}"
        )
    return ops.matrix_transpose.of(conj(a) if conjugate else a, name)


def adjoint(matrix, name=None):
    """The last two dimensions exchanged, complex numbers conjugated.

    Raises:
      ValueError: the rank is below 2.

    >>> import gradtape as tf
    >>> print(tf.linalg.adjoint([[1 + 2j, 3]]).numpy())
    [[1.-2.j]
     [3.-0.j]]

    As TensorFlow 2.21.
    """
    return matrix_transpose(matrix, name or "adjoint", True)
