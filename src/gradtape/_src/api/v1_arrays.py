"""The forms that TensorFlow 1 gave to functions of shapes and arrays: other names and orders of arguments."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import arrays, casting, creation, joining, reordering
from gradtape._src.core.dtypes import bfloat16, complex64, complex128, float32, float64, int32, int64


def _either(old: str, old_value: Any, new: str, new_value: Any) -> Any:
    """The value of an argument that has two names."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old}' and '{new}'.")
    return old_value


def expand_dims(input, axis=None, name=None, dim=None):
    """``tf.expand_dims``; ``dim`` is another name of ``axis``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.expand_dims([1, 2], dim=0).shape
    TensorShape([1, 2])
    """
    axis = _either("dim", dim, "axis", axis)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return arrays.expand_dims(input, axis, name)


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    """``tf.squeeze``; ``squeeze_dims`` is another name of ``axis``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.squeeze([[1, 2]], squeeze_dims=[0]).shape
    TensorShape([2])
    """
    return arrays.squeeze(input, _either("squeeze_dims", squeeze_dims, "axis", axis), name)


def shape(input, name=None, out_type=None):
    """``tf.shape``, with ``name`` second.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.shape([1, 2], "s").numpy())
    [2]
    """
    return arrays.shape(input, out_type, name)


def size(input, name=None, out_type=None):
    """``tf.size``, with ``name`` second.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.size([1, 2], "n").numpy())
    2
    """
    return arrays.size(input, out_type, name)


def transpose(a, perm=None, name="transpose", conjugate=False):
    """``tf.transpose``, with ``name`` third.

    >>> import gradtape.compat.v1 as tf
    >>> tf.transpose([[1, 2]], [1, 0], "t").shape
    TensorShape([2, 1])
    """
    return reordering.transpose(a, perm, conjugate, name)


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    """``tf.pad``, with ``name`` before ``constant_values``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.pad([1], [[1, 1]], "CONSTANT", None, 5).numpy())
    [5 1 5]
    """
    return joining.pad(tensor, paddings, mode, constant_values, name)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    """``tf.zeros_like``; ``optimize`` has no effect.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.zeros_like(tensor=[1, 2]).numpy())
    [0 0]
    """
    return creation.zeros_like(tensor, dtype, name)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    """``tf.ones_like``; ``optimize`` has no effect.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.ones_like(tensor=[1, 2]).numpy())
    [1 1]
    """
    return creation.ones_like(tensor, dtype, name)


def reverse_sequence(
    input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None
):
    """``tf.reverse_sequence``; ``seq_dim`` and ``batch_dim`` are other names of the axes.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.reverse_sequence([[1, 2, 3]], [2], seq_dim=1).numpy())
    [[2 1 3]]
    """
    seq_axis = _either("seq_dim", seq_dim, "seq_axis", seq_axis)
    batch_axis = _either("batch_dim", batch_dim, "batch_axis", batch_axis)
    return reordering.reverse_sequence(input, seq_lengths, seq_axis, batch_axis, name)


def space_to_batch(input, paddings, block_size=None, name=None, block_shape=None):
    """``tf.space_to_batch`` of images, with one ``block_size`` for both dimensions.

    >>> import gradtape.compat.v1 as tf
    >>> tf.space_to_batch(tf.zeros([1, 4, 4, 3]), [[0, 0], [0, 0]], 2).shape
    TensorShape([4, 2, 2, 3])
    """
    block = _either("block_size", block_size, "block_shape", block_shape)
    block = (block, block) if isinstance(block, int) else block
    return reordering.space_to_batch(input, block, paddings, name)


def batch_to_space(input, crops, block_size, name=None, block_shape=None):
    """``tf.batch_to_space`` of images, with one ``block_size`` for both dimensions.

    >>> import gradtape.compat.v1 as tf
    >>> tf.batch_to_space(tf.zeros([4, 2, 2, 3]), [[0, 0], [0, 0]], 2).shape
    TensorShape([1, 4, 4, 3])
    """
    return reordering.batch_to_space(
        input, _either("block_size", block_size, "block_shape", block_shape), crops, name
    )


def space_to_depth(input, block_size, name=None, data_format="NHWC"):
    """``tf.nn.space_to_depth``, with ``name`` before ``data_format``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.space_to_depth(tf.zeros([1, 4, 4, 1]), 2).shape
    TensorShape([1, 2, 2, 4])
    """
    return reordering.space_to_depth(input, block_size, data_format, name)


def depth_to_space(input, block_size, name=None, data_format="NHWC"):
    """``tf.nn.depth_to_space``, with ``name`` before ``data_format``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.depth_to_space(tf.zeros([1, 2, 2, 4]), 2).shape
    TensorShape([1, 4, 4, 1])
    """
    return reordering.depth_to_space(input, block_size, data_format, name)


def to_float(x, name="ToFloat"):
    """``tf.cast(x, tf.float32)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_float(3).numpy())
    3.0
    """
    return casting.cast(x, float32, name)


def to_double(x, name="ToDouble"):
    """``tf.cast(x, tf.float64)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_double(3).dtype)
    <dtype: 'float64'>
    """
    return casting.cast(x, float64, name)


def to_int32(x, name="ToInt32"):
    """``tf.cast(x, tf.int32)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_int32(3.5).numpy())
    3
    """
    return casting.cast(x, int32, name)


def to_int64(x, name="ToInt64"):
    """``tf.cast(x, tf.int64)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_int64(3.5).numpy())
    3
    """
    return casting.cast(x, int64, name)


def to_bfloat16(x, name="ToBFloat16"):
    """``tf.cast(x, tf.bfloat16)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_bfloat16(3).dtype)
    <dtype: 'bfloat16'>
    """
    return casting.cast(x, bfloat16, name)


def to_complex64(x, name="ToComplex64"):
    """``tf.cast(x, tf.complex64)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_complex64(3.0).dtype)
    <dtype: 'complex64'>
    """
    return casting.cast(x, complex64, name)


def to_complex128(x, name="ToComplex128"):
    """``tf.cast(x, tf.complex128)``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.to_complex128(3.0).dtype)
    <dtype: 'complex128'>
    """
    return casting.cast(x, complex128, name)
