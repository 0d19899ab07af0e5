"""Public functions of images that change values: brightness, contrast, dtypes, measures. Gradients flow through all."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value, maximum
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.casting import cast, saturate_cast
from gradtape._src.api.elementwise import abs, log
from gradtape._src.api.joining import concat, pad, stack
from gradtape._src.api.random import uniform
from gradtape._src.api.reduction import reduce_mean, reduce_std, reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.core.values import shape_of

_LUMA = (0.2989, 0.5870, 0.1140)


def convert_image_dtype(image, dtype, saturate=False, name=None) -> Any:
    """The image in another dtype: integers stand for [0, MAX], floating-point numbers for [0, 1].

    saturate: clip what does not fit rather than wrap around.

    >>> import gradtape as tf
    >>> print(tf.image.convert_image_dtype(tf.constant([0, 255], tf.uint8), tf.float32).numpy())
    [0. 1.]
    >>> print(tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8).numpy())
    [  0 127 255]

    As TensorFlow 2.21.
    """
    image, dtype = as_tensor(image), as_dtype(dtype)
    old = image.dtype
    if old == dtype:
        return image
    if old.is_integer and dtype.is_integer:
        return _between_integers(image, old, dtype, saturate)
    if old.is_floating and dtype.is_floating:
        return cast(image, dtype)
    if old.is_integer:
        return cast(image, dtype) * (1.0 / old.max)
    scaled = image * (dtype.max + 0.5)
    return saturate_cast(scaled, dtype) if saturate else cast(scaled, dtype)


def _between_integers(image: Any, old: Any, new: Any, saturate: bool) -> Any:
    if old.max > new.max:
        scaled = image // ((old.max + 1) // (new.max + 1))
        return saturate_cast(scaled, new) if saturate else cast(scaled, new)
    wider = saturate_cast(image, new) if saturate else cast(image, new)
    return wider * ((new.max + 1) // (old.max + 1))


def as_floats(image: Any, function: Any) -> Any:
    """The function of the image in floating point, brought back to its dtype."""
    image = as_tensor(image)
    if image.dtype.is_floating:
        return function(image)
    return convert_image_dtype(function(convert_image_dtype(image, float32)), image.dtype, saturate=True)


def adjust_brightness(image, delta):
    """The image with ``delta`` added, on a scale from 0 to 1.

    >>> import gradtape as tf
    >>> print(tf.image.adjust_brightness([0.25, 0.5], 0.25).numpy())
    [0.5  0.75]

    As TensorFlow 2.21.
    """
    return as_floats(
        image, lambda x: x + cast(as_tensor(delta, None if hasattr(delta, "dtype") else float32), x.dtype)
    )


def adjust_contrast(images, contrast_factor):
    """(x - mean) factor + mean, with the mean of each channel of each image.

    >>> import gradtape as tf
    >>> print(tf.image.adjust_contrast([[[1.0], [3.0]]], 2.0).numpy().ravel())
    [0. 4.]

    As TensorFlow 2.21.
    """

    def adjusted(x: Any) -> Any:
        mean = reduce_mean(x, [-3, -2], keepdims=True)
        return (x - mean) * contrast_factor + mean

    return as_floats(images, adjusted)


def random_brightness(image, max_delta, seed=None):
    """`tf.image.adjust_brightness` with a random delta in [-max_delta, max_delta).

    >>> import gradtape as tf
    >>> tf.image.random_brightness(tf.zeros([2, 2, 3]), 0.1).shape
    TensorShape([2, 2, 3])

    As TensorFlow 2.21.
    """
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_brightness(image, uniform([], -max_delta, max_delta, seed=seed))


def random_contrast(image, lower, upper, seed=None):
    """`tf.image.adjust_contrast` with a random factor in [lower, upper).

    >>> import gradtape as tf
    >>> tf.image.random_contrast(tf.zeros([2, 2, 3]), 0.5, 1.5).shape
    TensorShape([2, 2, 3])

    As TensorFlow 2.21.
    """
    check_bounds(lower, upper)
    return adjust_contrast(image, uniform([], lower, upper, seed=seed))


def check_bounds(lower: Any, upper: Any) -> None:
    """Refuses a range of random factors that is none."""
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def rgb_to_grayscale(images, name=None):
    """0.2989 R + 0.587 G + 0.114 B, as one channel.

    >>> import gradtape as tf
    >>> print(tf.image.rgb_to_grayscale([[[100, 100, 200]]]).numpy())
    [[[111]]]

    As TensorFlow 2.21.
    """
    return as_floats(
        images, lambda x: reduce_sum(x * np.array(_LUMA, x.dtype.as_numpy_dtype), -1, keepdims=True)
    )


def grayscale_to_rgb(images, name=None):
    """Three channels alike from one.

    >>> import gradtape as tf
    >>> print(tf.image.grayscale_to_rgb([[[7]]]).numpy())
    [[[7 7 7]]]

    As TensorFlow 2.21.
    """
    images = as_tensor(images)
    return concat([images, images, images], -1)


def per_image_standardization(image):
    """(x - mean) / max(deviation, 1 / sqrt(n)) of each image, whose number of values is n.

    >>> import gradtape as tf
    >>> print(tf.image.per_image_standardization([[[1.0], [3.0]]]).numpy().ravel())
    [-1.  1.]

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    x = image if image.dtype.is_floating else cast(image, float32)
    known = shape_of(x)[-3:]
    n = np.prod(known) if None not in known else None
    if n is None:
        sizes: Any = cast(shape_now(x), x.dtype)
        smallest = 1.0 / (sizes[-1] * sizes[-2] * sizes[-3]) ** 0.5
    else:
        smallest = np.array(1 / np.sqrt(n), x.dtype.as_numpy_dtype)
    axes = [-3, -2, -1]
    mean, deviation = reduce_mean(x, axes, keepdims=True), reduce_std(x, axes, keepdims=True)
    return (x - mean) / maximum(deviation, smallest)


def total_variation(images, name=None):
    """The sum of absolute differences of neighbouring pixels, for each image: a measure of noise.

    >>> import gradtape as tf
    >>> print(tf.image.total_variation([[[1.0], [3.0]], [[1.0], [0.0]]]).numpy())
    6.0

    As TensorFlow 2.21.
    """
    x = as_tensor(images)
    rank = len(shape_of(x))
    if rank not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    down, right = _differences(x)
    axes = list(range(rank - 3, rank))
    return reduce_sum(abs(down), axes) + reduce_sum(abs(right), axes)


def _differences(x: Any) -> tuple[Any, Any]:
    return x[..., 1:, :, :] - x[..., :-1, :, :], x[..., :, 1:, :] - x[..., :, :-1, :]


def image_gradients(image):
    """Differences to the pixel below and to the pixel on the right; zero at the edge.

    image: of shape (batch, height, width, channels).

    >>> import gradtape as tf
    >>> down, right = tf.image.image_gradients([[[[1.0], [3.0]]]])
    >>> print(down.numpy().ravel(), right.numpy().ravel())
    [0. 0.] [2. 0.]

    As TensorFlow 2.21.
    """
    x = as_tensor(image)
    if len(shape_of(x)) != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {list(shape_of(x))}."
        )
    down, right = _differences(x)
    return pad(down, [[0, 0], [0, 1], [0, 0], [0, 0]]), pad(right, [[0, 0], [0, 0], [0, 1], [0, 0]])


def sobel_edges(image):
    """Sobel's derivatives of each channel: (dy, dx) along a new last axis.

    image: of shape (batch, height, width, channels).

    >>> import gradtape as tf
    >>> tf.image.sobel_edges(tf.zeros([1, 5, 5, 3])).shape
    TensorShape([1, 5, 5, 3, 2])

    As TensorFlow 2.21.
    """
    x = pad(as_tensor(image), [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    smooth = lambda a, b, c: a + 2.0 * b + c
    columns = smooth(x[:, :, :-2], x[:, :, 1:-1], x[:, :, 2:])
    rows = smooth(x[:, :-2], x[:, 1:-1], x[:, 2:])
    return stack([columns[:, 2:] - columns[:, :-2], rows[:, :, 2:] - rows[:, :, :-2]], -1)


def psnr(a, b, max_val, name=None):
    """Peak signal-to-noise ratio in decibels, 20 log10(max_val) - 10 log10(mean (a - b)^2), for each image.

    >>> import gradtape as tf
    >>> print(round(float(tf.image.psnr(tf.zeros([2, 2, 1]), tf.fill([2, 2, 1], 0.1), 1.0)), 3))
    20.0

    As TensorFlow 2.21.
    """
    a, b = as_tensor(a), as_tensor(b)
    peak = float(max_val) if a.dtype.is_floating else float(max_val) / a.dtype.max
    difference: Any = convert_image_dtype(a, float32) - convert_image_dtype(b, float32)
    error = reduce_mean(difference**2, [-3, -2, -1])
    return 20 * np.float32(np.log10(peak)) - np.float32(10 / np.log(10)) * log(error)
