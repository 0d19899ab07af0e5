"""Public functions of diagonals: taken out of matrices, put into them, and bands of them.

In all of them k names diagonals: 0 the main one, 1 the one above it, -1 the one below; a pair (low, high)
names a band. The diagonals of a band come packed in an array of shape (..., high - low + 1, length),
uppermost first, where length is that of the longest. ``align`` says to which end of their row shorter ones
are shifted, the upper ones (and the main one) and the lower ones: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or
"RIGHT_RIGHT".
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.static import as_tensors, known_int, static_int, static_ints
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import bool_, from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops import diagonals as ops

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(k: Any, align: str, op: str) -> dict[str, Any]:
    """The parameters of an operation on a band."""
    if align not in _ALIGNMENTS:
        allowed = ", ".join(f'"{a}"' for a in _ALIGNMENTS)
        raise InvalidArgumentError.of(
            f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: {allowed} [Op:{op}]"
        )
    found = static_ints(k, op, "k", scalar=True)
    if type(found) is not tuple:
        raise TypeError(f"{op}: expected k that is known while the graph is built, received {k!r}.")
    if len(found) not in (1, 2):
        raise InvalidArgumentError.of(
            f"diag_index must have only one or two elements, received {len(found)} elements. [Op:{op}]"
        )
    return {"k": (found[0], found[-1]), "align": align}


def _padding(value: Any, x: Any) -> Any:
    """The padding as a scalar of the dtype of x."""
    if not isinstance(value, Tensor):
        no = from_numpy(dtype_of(x)) is bool_ and value == 0  # the default, for bools
        return as_tensor(False if no else value, like=x)
    if dtype_of(value) != dtype_of(x):
        raise InvalidArgumentError.of(
            f"padding_value must be of the dtype of the tensor, {from_numpy(dtype_of(x)).name}, but is of "
            f"{from_numpy(dtype_of(value)).name}. Use tf.cast."
        )
    return value


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with given diagonals, and ``padding_value`` elsewhere.

    diagonal: shape (..., length), or (..., number of diagonals, length) for a band.
    k: a diagonal, or a pair (low, high).
    num_rows, num_cols: the size of the matrices; as small as may be, and square if neither is given.

    Gives shape (..., num_rows, num_cols).

    Raises:
      InvalidArgumentError: the size does not fit the diagonals.

    >>> import gradtape as tf
    >>> print(tf.linalg.diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]

    As TensorFlow 2.21, and differentiable in ``padding_value`` too.
    """
    d = as_tensor(diagonal)
    return ops.matrix_diag.of(
        d,
        _padding(padding_value, d),
        rows=known_int(num_rows, "MatrixDiagV3", "num_rows"),
        columns=known_int(num_cols, "MatrixDiagV3", "num_cols"),
        name=name,
        **_band(k, align, "MatrixDiagV3"),
    )


def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """The diagonals of matrices; those of a band are packed, and short ones filled up with ``padding_value``.

    input: shape (..., rows, columns).
    k: a diagonal, or a pair (low, high).

    Gives shape (..., length), or (..., number of diagonals, length) for a band.

    Raises:
      InvalidArgumentError: a diagonal lies outside the matrix.

    >>> import gradtape as tf
    >>> x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    >>> print(tf.linalg.diag_part(x).numpy())
    [1 5 9]
    >>> print(tf.linalg.diag_part(x, k=(0, 1)).numpy())
    [[0 2 6]
     [1 5 9]]

    As TensorFlow 2.21, and differentiable in ``padding_value`` too.
    """
    x = as_tensor(input)
    return ops.matrix_diag_part.of(
        x, _padding(padding_value, x), name=name, **_band(k, align, "MatrixDiagPartV3")
    )


def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """Matrices with other diagonals.

    input: shape (..., rows, columns).
    diagonal: the new diagonals, as ``diag_part`` gives them.
    k: a diagonal, or a pair (low, high).

    Raises:
      InvalidArgumentError: the shapes or dtypes do not fit.

    >>> import gradtape as tf
    >>> print(tf.linalg.set_diag([[1, 2], [3, 4]], [7, 8]).numpy())
    [[7 2]
     [3 8]]

    As TensorFlow 2.21.
    """
    x, d = as_tensors([input, diagonal])
    return ops.matrix_set_diag.of(x, d, name=name, **_band(k, align, "MatrixSetDiagV3"))


def tensor_diag(diagonal, name=None):
    """A tensor of twice the rank with the given one on its diagonal: ``y[i..., i...] = diagonal[i...]``, 0
    elsewhere.

    Raises:
      InvalidArgumentError: it is a scalar.

    >>> import gradtape as tf
    >>> print(tf.linalg.tensor_diag([1, 2]).numpy())
    [[1 0]
     [0 2]]

    As TensorFlow 2.21.
    """
    return ops.tensor_diag.of(as_tensor(diagonal), name=name)


def tensor_diag_part(input, name=None):
    """The diagonal of a tensor of shape (d..., d...): ``y[i...] = input[i..., i...]``.

    Raises:
      InvalidArgumentError: the rank is odd, or the halves of the shape differ.

    >>> import gradtape as tf
    >>> print(tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy())
    [1 4]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    return x if shape_of(x) == () else ops.tensor_diag_part.of(x, name=name)


def band_part(input, num_lower, num_upper, name=None):
    """Matrices with zeros outside a band around the main diagonal.

    input: shape (..., rows, columns).
    num_lower, num_upper: how many diagonals to keep below and above the main one; a negative number keeps
    all. So (-1, 0) gives the lower triangle.

    Raises:
      InvalidArgumentError: there are not so many diagonals.

    >>> import gradtape as tf
    >>> print(tf.linalg.band_part([[1, 2], [3, 4]], -1, 0).numpy())
    [[1 0]
     [3 4]]

    As TensorFlow 2.21.
    """
    counts = [
        static_int(n, "MatrixBandPart", "Tindex", not_a_scalar=f"{name} must be scalar, got shape {{shape}}")
        for name, n in (("num_lower", num_lower), ("num_upper", num_upper))
    ]
    return ops.band_part.of(as_tensor(input), *counts, name=name)
