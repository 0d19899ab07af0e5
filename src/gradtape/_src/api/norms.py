"""Public norms, and tensors divided by their norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import maximum, pow, square
from gradtape._src.api.elementwise import abs, rsqrt, sqrt
from gradtape._src.api.reduction import reduce_max, reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import expand_dims, pack, squeeze
from gradtape._src.ops.casting import cast
from gradtape._src.ops.complex import conj, imag, is_complex, make_complex, real
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.softmax import l2_loss
from gradtape._src.ops.spectra import svdvals

_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None):
    """The norm of vectors or matrices.

    Of vectors (`axis` an int, or None: the tensor as one vector): 'euclidean' (or 2), the root of the sum of
    squares; 1, the sum of moduli; np.inf, the largest modulus; any p > 0, (sum |x|^p)^(1/p). Of matrices
    (`axis` a pair): 'fro' or 'euclidean', as of a vector; 1 and np.inf, the largest sum of moduli in a column
    or row; 2, the largest singular value. Floating or complex (ord 1 and np.inf: also integers). 'euclidean'
    of a complex tensor is complex.

    Args:
      tensor: the vectors or matrices.
      ord: which norm.
      axis: an int, a pair of ints, or None.
      keepdims: whether the axes stay, with length 1.
      name: a name for the operation.

    Raises:
      ValueError: another `ord` or `axis`.

    >>> import gradtape as tf
    >>> print(tf.norm([3., 4.]).numpy(), tf.norm([3., 4.], ord=1).numpy())
    5.0 7.0

    The gradient of the Euclidean norm at zero is zero. Else as TensorFlow 2.21.
    """
    keepdims = bool(keepdims)
    pair: Any = tuple(axis) if isinstance(axis, (tuple, list)) else ()
    matrices = len(pair) == 2 and pair[0] != pair[1]
    if matrices:
        axis = pair
        if ord not in _MATRIX_NORMS:
            raise ValueError(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}")
    else:
        if not (axis is None or type(axis) is int or isinstance(axis, np.integer)):
            raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
        if isinstance(ord, str) and ord != "euclidean" or not isinstance(ord, str) and ord <= 0:
            raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    x = as_tensor(tensor)
    if ord in ("fro", "euclidean") or (ord == 2 and not matrices):
        return sqrt(reduce_sum(x * conj(x), axis, keepdims), name)
    if matrices:
        return _matrix_norm(x, ord, pair, keepdims)
    x = abs(x)
    if ord == 1:
        return reduce_sum(x, axis, keepdims, name)
    if ord == np.inf:
        return reduce_max(x, axis, keepdims, name)
    return pow(reduce_sum(pow(x, ord), axis, keepdims), 1.0 / ord, name)  # type: ignore[operator]


def _matrix_norm(x: Any, ord: Any, axis: tuple[int, int], keepdims: bool) -> Any:
    if ord == 2:
        rank = len(shape_of(x))  # type: ignore[arg-type]
        last = tuple(a % rank for a in axis)
        order = (*(a for a in range(rank) if a not in last), *last)
        x = transpose.of(x, order) if order != tuple(range(rank)) else x
        y = abs(reduce_max(svdvals.of(x), -1))  # at zero the gradient of the modulus is zero
        for a in sorted(last) if keepdims else ():
            y = expand_dims.of(y, axis=a)
        return y
    summed, most = axis if ord == 1 else axis[::-1]
    y = reduce_max(reduce_sum(abs(x), summed, True), most, True)
    return y if keepdims else squeeze.of(y, axis=axis)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """The tensor divided by its norm along `axis`, and that norm, its axes kept. See `tf.norm` for `ord`,
    `axis`.

    Floating or complex. A vector of zeros becomes NaN (see `tf.math.l2_normalize`).

    >>> import gradtape as tf
    >>> y, length = tf.linalg.normalize([3., 4.])
    >>> print(y.numpy(), length.numpy())
    [0.6 0.8] [5.]

    As TensorFlow 2.21.
    """
    x = as_tensor(tensor)
    length = norm(x, ord, axis, True)
    if dtype_of(length) != dtype_of(x):
        length = cast.of(length, dtype=dtype_of(x))
    return x / length, length


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """x / sqrt(max(sum(|x|^2, axis), epsilon)). Floating or complex.

    Args:
      x: a tensor.
      axis: an int, a sequence of ints, or None: all axes.
      epsilon: a lower bound of the sum of squares.
      name: a name for the operation.
      dim: the old name of `axis`.

    Raises:
      ValueError: both `axis` and `dim`.

    >>> import gradtape as tf
    >>> print(tf.math.l2_normalize([3., 4.]).numpy())
    [0.6 0.8]

    As TensorFlow 2.21.
    """
    if dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'.")
        axis = dim
    x = as_tensor(x)
    if is_complex(x):
        re, im = real(x), imag(x)
        scale = rsqrt(maximum(reduce_sum(square(re) + square(im), axis, True), epsilon))
        return make_complex.of(re * scale, im * scale, name)
    return x * rsqrt(maximum(reduce_sum(square(x), axis, True), epsilon))


def global_norm(t_list, name=None):
    """The Euclidean norm of all tensors together: the root of the sum of their squares.

    Floating, of one dtype. None is skipped; of an IndexedSlices only the values count. Of nothing it is 0.

    Raises:
      TypeError: not a sequence.

    >>> import gradtape as tf
    >>> print(tf.linalg.global_norm([tf.constant([3.]), None, tf.constant([[4.]])]).numpy())
    5.0

    As TensorFlow 2.21.
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    tensors = [as_tensor(t.values if isinstance(t, IndexedSlices) else t) for t in t_list if t is not None]
    if not tensors:
        return as_tensor(0.0)
    return sqrt(reduce_sum(pack.of(*map(l2_loss.of, tensors))) * 2.0, name)
