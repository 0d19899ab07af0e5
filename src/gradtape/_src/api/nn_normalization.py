"""Public functions of moments, and normalizations.

``axes`` are an int or a list of ints, or None for all; negative ones count from the end. float16 and bfloat16
are averaged in float32, and the results rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.axes import reduction_axes
from gradtape._src.api.nn_sliding import FORMATS, not_allowed, to_first, to_last
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_floating_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import normalization as ops
from gradtape._src.ops.arithmetic import squared_difference
from gradtape._src.ops.arrays import broadcast_like, squeeze
from gradtape._src.ops.casting import cast
from gradtape._src.ops.complex import absolute, is_complex
from gradtape._src.ops.elementwise import rsqrt
from gradtape._src.ops.indexed_slices import gather
from gradtape._src.ops.measuring import shape as shape_op
from gradtape._src.ops.reduction import reduce_mean, reduce_prod, reduce_sum
from gradtape._src.ops.statistics import reduce_variance

_FLOAT32 = np.dtype(np.float32)


def _wide(x: Any) -> Any:
    """Half precision in float32."""
    return cast.of(x, dtype=_FLOAT32) if _is_half(x) else x


def _is_half(x: Any) -> bool:
    return is_floating_np(dtype_of(x)) and dtype_of(x).itemsize == 2


def _of_dtype(y: Any, x: Any) -> Any:
    return y if dtype_of(y) == dtype_of(x) else cast.of(y, dtype=dtype_of(x))


# --- Moments ------------------------------------------------------------------------------------------------


def moments(x, axes, shift=None, keepdims=False, name=None):
    """The mean and the variance, mean((x - mean)²), over axes.

    Args:
      x: numbers; of complex ones the variance is that of the distance from the mean.
      axes: see this module.
      shift: not used.
      keepdims: whether the axes stay, with length 1.
      name: of the operations in a graph.

    Returns:
      A pair (mean, variance) of tensors of the dtype of x. Their gradients are right to any order.

    >>> import gradtape as tf
    >>> mean, variance = tf.nn.moments(tf.constant([[1.0, 2.0], [3.0, 6.0]]), [0])
    >>> print(mean.numpy(), variance.numpy())
    [2. 4.] [1. 4.]

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    wide, axes = _wide(x), reduction_axes(axes, x, "Mean")
    mean = reduce_mean.of(wide, axes, bool(keepdims))
    if is_complex(x):
        center = reduce_mean.of(wide, axes, True)
        size = absolute(wide - center)
        variance = reduce_mean.of(size * size, axes, bool(keepdims))
    elif is_floating_np(dtype_of(x)):
        variance = reduce_variance.of(wide, axes, bool(keepdims))
    else:
        apart = squared_difference.of(wide, reduce_mean.of(wide, axes, True))
        variance = reduce_mean.of(apart, axes, bool(keepdims))
    return _of_dtype(mean, x), _of_dtype(variance, x)


def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None):
    """The mean and the variance over axes of numbers that count as often as their weights say.

    mean = ∑ w x / ∑ w, variance = ∑ w (x - mean)² / ∑ w. The weights broadcast to x, and are cast to its dtype.

    >>> import gradtape as tf
    >>> mean, variance = tf.nn.weighted_moments([1.0, 5.0], [0], [3.0, 1.0])
    >>> print(mean.numpy(), variance.numpy())
    2.0 3.0

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    axes = reduction_axes(axes, x, "Sum")
    weights = as_tensor(frequency_weights)
    wide = _wide(x)
    weights = _of_dtype(weights, wide)
    weighted = weights * wide
    total = reduce_sum.of(broadcast_like.of(weights, weighted), axes, True)
    mean = reduce_sum.of(weighted, axes, True) / total
    variance = reduce_sum.of(weights * squared_difference.of(wide, mean), axes, True) / total
    if not keepdims:
        gone = tuple(range(len(shape_of(x)))) if axes is None else axes  # type: ignore[arg-type]
        if gone:
            mean, variance = squeeze.of(mean, axis=gone), squeeze.of(variance, axis=gone)
    return _of_dtype(mean, x), _of_dtype(variance, x)


def sufficient_statistics(x, axes, shift=None, keepdims=False, name=None):
    """What is needed to compute the mean and the variance over axes.

    Args:
      x: floating-point numbers.
      axes: see this module.
      shift: subtracted from x before anything else, for numbers that are large against their spread; or None.
      keepdims: whether the axes stay, with length 1.
      name: of the operations in a graph.

    Returns:
      A tuple (count, ∑ (x - shift), ∑ (x - shift)², shift), for `tf.nn.normalize_moments`.

    >>> import gradtape as tf
    >>> count, total, squares, _ = tf.nn.sufficient_statistics([1.0, 2.0, 4.0], [0])
    >>> print(count.numpy(), total.numpy(), squares.numpy())
    3.0 7.0 21.0

    As TensorFlow 2.21.
    """
    x = as_tensor(x)
    axes = reduction_axes(axes, x, "Sum")
    if shift is not None:
        shift = as_tensor(shift, like=None if hasattr(shift, "dtype") else x)
    away = x if shift is None else x - shift
    return (
        _count(x, axes),
        reduce_sum.of(away, axes, bool(keepdims)),
        reduce_sum.of(away * away, axes, bool(keepdims)),
        shift,
    )


def _count(x: Any, axes: Any) -> Any:
    """How many elements each sum over the axes has, in the dtype of x."""
    dims = shape_of(x)
    gone = None if dims is None else tuple(range(len(dims))) if axes is None else axes
    if isinstance(gone, tuple) and None not in [dims[a] for a in gone]:  # type: ignore[index]
        return as_tensor(float(np.prod([dims[a] for a in gone])), from_numpy(dtype_of(x)))  # type: ignore[index]
    sizes = cast.of(shape_op.of(x, out_type="int32"), dtype=dtype_of(x))
    if axes is not None:
        which = np.array(axes, np.int32) if isinstance(axes, tuple) else axes
        sizes = gather.of(sizes, which, axis=0, batch_dims=0)
    return reduce_prod.of(sizes, None, False)


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """The mean and the variance from what `tf.nn.sufficient_statistics` gives.

    mean = mean_ss / counts + shift, variance = variance_ss / counts - (mean_ss / counts)².

    >>> import gradtape as tf
    >>> mean, variance = tf.nn.normalize_moments(*tf.nn.sufficient_statistics([1.0, 3.0], [0]))
    >>> print(mean.numpy(), variance.numpy())
    2.0 1.0

    As TensorFlow 2.21.
    """
    mean_ss, variance_ss = as_tensor(mean_ss), as_tensor(variance_ss)
    shifted = mean_ss / counts
    mean = shifted if shift is None else shifted + shift
    return mean, variance_ss / counts - shifted * shifted


# --- Normalizations -----------------------------------------------------------------------------------------


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """scale (x - mean) / sqrt(variance + variance_epsilon) + offset.

    Args:
      x: floating-point numbers.
      mean, variance: tensors that broadcast to x, most often of `tf.nn.moments`.
      offset, scale: tensors that broadcast to x, or None.
      variance_epsilon: a small number.
      name: of the operations in a graph.

    Returns:
      A tensor of the shape and dtype of x.

    >>> import gradtape as tf
    >>> x = tf.constant([[1.0], [3.0]])
    >>> print(tf.nn.batch_normalization(x, [2.0], tf.constant([1.0]), None, None, 0.0).numpy().ravel())
    [-1.  1.]

    Ioffe, Szegedy: Batch normalization, arXiv:1502.03167, algorithm 1.
    """
    x, variance = as_tensor(x), as_tensor(variance)
    factor = rsqrt.of(variance + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -factor * mean if offset is None else offset - factor * mean
    return x * _of_dtype(factor, x) + _of_dtype(shift, x)


def batch_norm_with_global_normalization(
    input, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, name=None
):
    """`tf.nn.batch_normalization`, with offset ``beta`` and, if ``scale_after_normalization``, scale ``gamma``.

    >>> import gradtape as tf
    >>> x, one = tf.reshape([1.0, 3.0], [2, 1, 1, 1]), tf.constant([1.0])
    >>> y = tf.nn.batch_norm_with_global_normalization(x, [2.0], one, one, one, 0.0, False)
    >>> print(y.numpy().ravel())
    [0. 2.]

    As TensorFlow 2.21.
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def fused_batch_norm(
    x,
    scale,
    offset,
    mean=None,
    variance=None,
    epsilon=0.001,
    data_format="NHWC",
    is_training=True,
    name=None,
    exponential_avg_factor=1.0,
):
    """Batch normalization in one step, and the statistics that belong to it.

    Args:
      x: floating-point numbers of rank 4 or 5.
      scale, offset: vectors, a number for each channel; float32 if x is float16 or bfloat16.
      mean, variance: running statistics, needed unless training with ``exponential_avg_factor`` 1.
      epsilon: added to the variance.
      data_format: "NHWC", "NCHW", "NDHWC" or "NCDHW".
      is_training: whether to normalize by the statistics of x, or by ``mean`` and ``variance``.
      name: of the operation in a graph.
      exponential_avg_factor: how much the statistics of x count in the new running ones.

    Returns:
      A tuple (y, mean, variance): y of the shape and dtype of x, and the running statistics. The variance of
      x in them is the unbiased one. All three have gradients.

    Raises:
      ValueError: running statistics are missing.
      InvalidArgumentError: shapes or dtypes that do not fit.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape(tf.constant([1.0, 3.0]), [2, 1, 1, 1])
    >>> y, mean, variance = tf.nn.fused_batch_norm(x, [1.0], [0.0], epsilon=1e-4)
    >>> print(y.numpy().ravel().round(3), mean.numpy(), variance.numpy())
    [-1.  1.] [2.] [2.]

    As TensorFlow 2.21.
    """
    if (not is_training or exponential_avg_factor != 1) and (mean is None or variance is None):
        raise ValueError(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or `exponential_avg_factor` != "
            f"1.0. Received: `mean` {mean!r} and `variance` {variance!r}"
        )
    x = as_tensor(x)
    rank = _rank_of_batch(x, data_format)
    wide = _wide(x)
    wide = to_last(wide, rank) if data_format.startswith("NC") else wide
    scale, offset, mean, variance = (_vector(v, wide) for v in (scale, offset, mean, variance))
    _check_channels(wide, scale=scale, offset=offset)
    if is_training:
        y, batch_mean, batch_variance = ops.batch_norm.of(
            wide, scale, offset, epsilon=float(epsilon), name=name
        )
        batch_variance = ops.unbiased.of(batch_variance, wide)
        if exponential_avg_factor == 1:
            mean, variance = batch_mean, batch_variance
        else:
            keep = 1 - exponential_avg_factor
            mean = batch_mean * exponential_avg_factor + mean * keep
            variance = batch_variance * exponential_avg_factor + variance * keep
    else:
        y = batch_normalization(wide, mean, variance, offset, scale, epsilon)
    y = to_first(y, rank) if data_format.startswith("NC") else y
    return _of_dtype(y, x), mean, variance


def _vector(value: Any, x: Any) -> Any:
    """A tensor; what has no dtype of its own takes that of x."""
    return value if value is None else as_tensor(value, like=None if hasattr(value, "dtype") else x)


def _rank_of_batch(x: Any, data_format: Any) -> int:
    """The number of spatial dimensions."""
    formats = FORMATS[2] + FORMATS[3]
    if data_format not in formats:
        raise not_allowed("data_format", data_format, formats, "FusedBatchNormV3")
    shape = shape_of(x)
    if shape is not None and len(shape) != len(data_format):
        raise InvalidArgumentError.of(
            f"input must be 4 or 5-dimensional{in_brackets(shape)}, as data_format={data_format} says "
            "[Op:FusedBatchNormV3]"
        )
    return len(data_format) - 2


def _check_channels(x: Any, **vectors: Any) -> None:
    channels = None if shape_of(x) is None else shape_of(x)[-1]  # type: ignore[index]
    for what, vector in vectors.items():
        shape = shape_of(vector)
        if shape is not None and len(shape) != 1:
            raise InvalidArgumentError.of(
                f"{what} must be 1-dimensional{in_brackets(shape)} [Op:FusedBatchNormV3]"
            )
        if shape is not None and channels is not None and shape[0] not in (channels, None):
            raise InvalidArgumentError.of(
                f"{what} must have the same number of elements as the channels of x, got {shape[0]} and {channels} "
                "[Op:FusedBatchNormV3]"
            )


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """x / (bias + alpha ∑ x²) ** beta, where the sum is over the channels that are at most ``depth_radius`` away.

    ``input``: floating-point numbers (batch, height, width, channels); the result has its shape and dtype.
    Another rank, or a negative radius, raises InvalidArgumentError.

    >>> import gradtape as tf
    >>> print(tf.nn.local_response_normalization(tf.reshape([3.0, 4.0], [1, 1, 1, 2]), bias=0.0).numpy().ravel())
    [0.6 0.8]

    Krizhevsky, Sutskever, Hinton: ImageNet classification with deep convolutional neural networks (2012), section 3.3.
    """
    x = as_tensor(input)
    shape = shape_of(x)
    if shape is not None and len(shape) != 4:
        raise InvalidArgumentError.of(f"in must be 4-dimensional, not {in_brackets(shape)} [Op:LRN]")
    radius = int(depth_radius)
    if radius < 0:
        raise InvalidArgumentError.of(f"depth_radius = {radius} must not be negative [Op:LRN]")
    return ops.lrn.of(
        x, depth_radius=radius, bias=float(bias), alpha=float(alpha), beta=float(beta), name=name
    )


lrn = local_response_normalization
