"""Public functions that bound the norm of tensors, of gradients above all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradtape._src.api.arithmetic import maximum, minimum
from gradtape._src.api.elementwise import rsqrt, sqrt
from gradtape._src.api.norms import global_norm
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import ones_like
from gradtape._src.ops.indexed_slices import IndexedSlices


def _values(t: Any) -> Any:
    return as_tensor(t.values if isinstance(t, IndexedSlices) else t)


def _like(t: Any, values: Any) -> Any:
    """The values as a tensor, or as IndexedSlices if t is such."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """t scaled down where its Euclidean norm is above `clip_norm`: t clip_norm / max(|t|, clip_norm).

    Args:
      t: a floating tensor, or IndexedSlices (the norm is that of the values).
      clip_norm: the largest norm; what is negative counts as 0.
      axes: over which to take norms; None: all.
      name: a name for the operation.

    Raises:
      ValueError: `clip_norm` is of a shape that would change t's.

    >>> import gradtape as tf
    >>> print(tf.clip_by_norm([3., 4.], 1.).numpy())
    [0.6 0.8]

    As TensorFlow 2.21.
    """
    values = _values(t)
    bound = maximum(as_tensor(clip_norm, from_numpy(dtype_of(values))), 0)
    scaled = values * bound
    if not compatible(shape_of(values), shape_of(scaled)):
        raise ValueError(
            f"Shapes {as_text(shape_of(values))} and {as_text(shape_of(scaled))} are incompatible"
        )
    length = sqrt(reduce_sum(values * values, axes, True))
    return _like(t, scaled / maximum(length, bound))


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """All tensors scaled by clip_norm / max(n, clip_norm), where n is their norm together: (list, n).

    Floating tensors of one dtype, IndexedSlices, or None, which stays None. If n is infinite or NaN, all become
    NaN.

    Args:
      t_list: a sequence.
      clip_norm: the largest norm.
      use_norm: n, if it is known; by default `tf.linalg.global_norm(t_list)`.
      name: a name for the operation.

    Raises:
      TypeError: not a sequence.

    >>> import gradtape as tf
    >>> clipped, n = tf.clip_by_global_norm([tf.constant([3.]), None, tf.constant([4.])], 1.)
    >>> print(clipped[0].numpy(), clipped[1], clipped[2].numpy(), n.numpy())
    [0.6] None [0.8] 5.0

    Pascanu, Mikolov and Bengio, On the difficulty of training recurrent neural networks (2013).
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    norm = global_norm(t_list) if use_norm is None else as_tensor(use_norm)
    bound = as_tensor(clip_norm, from_numpy(dtype_of(norm)))
    scale = bound * minimum(1.0 / norm, ones_like.of(bound) / bound) + (norm - norm)  # NaN if it is infinite
    return [None if t is None else _like(t, _values(t) * scale) for t in t_list], norm


def clip_by_average_norm(t, clip_norm, name=None):
    """t scaled down where its Euclidean norm, divided by its size, is above `clip_norm`. TensorFlow 1.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.clip_by_average_norm([3., 4.], 1.).numpy())
    [1.2 1.6]

    As TensorFlow 2.21.
    """
    t = as_tensor(t)
    inverse = rsqrt(reduce_sum(t * t))
    count = reduce_sum(ones_like.of(t))
    bound = as_tensor(clip_norm, from_numpy(dtype_of(t)))
    return t * bound * minimum(inverse * count, ones_like.of(bound) / bound)
