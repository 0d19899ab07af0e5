"""Structural similarity of images: ``tf.image.ssim`` and ``ssim_multiscale``. Gradients flow.

Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image quality assessment: from error visibility to structural
similarity, IEEE TIP 13, 2004; Z. Wang, E. P. Simoncelli, A. C. Bovik, Multiscale structural similarity for image
quality assessment, 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.image_colour import convert_image_dtype
from gradtape._src.api.joining import concat, pad
from gradtape._src.api.nn_convolution import depthwise_conv2d
from gradtape._src.api.nn_pooling import avg_pool
from gradtape._src.api.reduction import reduce_mean, reduce_prod
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import shape_of
from gradtape._src.ops.activations import relu

_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim(
    img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03, return_index_map=False
) -> Any:
    """The structural similarity of pairs of images: 1 for equal ones.

    Means, variances and the covariance are weighted with a Gaussian window; the index is

        (2 mx my + c1) (2 sxy + c2) / ((mx² + my² + c1) (sx² + sy² + c2)),  c1 = (k1 max_val)², c2 = (k2 max_val)²

    Args:
      img1, img2: of shape (..., height, width, channels), of one dtype.
      max_val: the range of the values: 255 for bytes, 1 for floating point.
      filter_size, filter_sigma: of the window.
      return_index_map: the index at each place of the window rather than its mean for each image.

    Raises:
      InvalidArgumentError: the images are smaller than the window.
      ValueError: they are of different shapes.

    >>> import gradtape as tf
    >>> x = tf.random.uniform([1, 16, 16, 1], seed=1)
    >>> print(tf.image.ssim(x, x, 1.0).numpy())
    [1.]

    As TensorFlow 2.21.
    """
    x, y, top = _pair(img1, img2, max_val)
    index, _ = _measured(x, y, top, filter_size, filter_sigma, k1, k2)
    return reduce_mean(index, -1) if return_index_map else reduce_mean(index, [-3, -2, -1])


def ssim_multiscale(
    img1,
    img2,
    max_val,
    power_factors=_WEIGHTS,
    filter_size=11,
    filter_sigma=1.5,
    k1=0.01,
    k2=0.03,
) -> Any:
    """The structural similarity on several scales, each half of the one before: a product of powers.

    Args:
      img1, img2, max_val, filter_size, filter_sigma, k1, k2: as `tf.image.ssim`.
      power_factors: the exponent of each scale, the finest first.

    Raises:
      InvalidArgumentError: the images are too small for so many scales.

    >>> import gradtape as tf
    >>> x = tf.random.uniform([1, 176, 176, 1], seed=1)
    >>> print(tf.image.ssim_multiscale(x, x, 1.0).numpy())
    [1.]

    As TensorFlow 2.21.
    """
    x, y, top = _pair(img1, img2, max_val)
    shape = shape_of(x)
    lead = shape_now(x)[:-3]
    flat = lambda z: reshape(z, concat([[-1], shape_now(z)[-3:]], 0)) if len(shape) != 4 else z
    x, y = flat(x), flat(y)
    factors = []
    index: Any = None
    for k in range(len(power_factors)):
        if k:
            x, y = _halved(x), _halved(y)
        index, structure = _measured(x, y, top, filter_size, filter_sigma, k1, k2)
        index = reduce_mean(index, [-3, -2])
        factors.append(relu(reduce_mean(structure, [-3, -2])))
    factors[-1] = relu(index)
    product = reduce_prod(concat([(f**p)[None] for f, p in zip(factors, power_factors)], 0), 0)
    found = reduce_mean(product, -1)
    return found if len(shape) == 4 else reshape(found, lead)


def _pair(img1: Any, img2: Any, max_val: Any) -> tuple[Any, Any, float]:
    """Both images in floating point, and the range of their values there."""
    x, y = as_tensor(img1), as_tensor(img2)
    a, b = shape_of(x), shape_of(y)
    if a is None or b is None or len(a) < 3 or len(b) < 3:
        raise ValueError(f"Images must have a known rank of at least 3, received shapes {a} and {b}.")
    if any(None not in (m, n) and m != n for m, n in zip(a[-3:], b[-3:])):
        raise ValueError(f"Images must have one shape, received {a} and {b}.")
    top = float(max_val) if x.dtype.is_floating else float(max_val) / x.dtype.max
    return convert_image_dtype(x, float32), convert_image_dtype(y, float32), top


def _window(size: int, sigma: float) -> np.ndarray:
    places = np.arange(size) - (size - 1) / 2
    one = -(places**2) / (2 * sigma**2)
    both = np.exp(one[:, None] + one[None, :])
    return (both / both.sum()).astype(np.float32)


def _measured(x: Any, y: Any, top: float, size: int, sigma: float, k1: float, k2: float) -> tuple[Any, Any]:
    """The index, and its part of contrast and structure, at each place of the window and for each channel."""
    shape = shape_of(x)
    for n in shape[-3:-1]:
        if n is not None and n < size:
            raise InvalidArgumentError.of(
                f"Images of {shape[-3:-1]} pixels are smaller than the window of {size}."
            )
    channels = shape[-1]
    kernel = np.tile(_window(size, sigma)[:, :, None, None], (1, 1, channels, 1))

    def mean(z: Any) -> Any:
        images = reshape(z, concat([[-1], shape_now(z)[-3:]], 0))
        found = depthwise_conv2d(images, kernel, [1, 1, 1, 1], "VALID")
        return reshape(found, concat([shape_now(z)[:-3], shape_now(found)[1:]], 0))

    c1, c2 = (k1 * top) ** 2, (k2 * top) ** 2
    mx, my = mean(x), mean(y)
    product = mx * my * 2.0
    squares = mx * mx + my * my
    brightness = (product + c1) / (squares + c1)
    both = mean(x * y) * 2.0
    each = mean(x * x + y * y)
    structure = (both - product + c2) / (each - squares + c2)
    return brightness * structure, structure


def _halved(x: Any) -> Any:
    """Half of the size: means of two by two pixels, the last ones of odd numbers repeated."""
    odd = shape_now(x)[1:3] % 2
    padded = pad(x, concat([[[0, 0]], [[0, odd[0]]], [[0, odd[1]]], [[0, 0]]], 0), "SYMMETRIC")
    return avg_pool(padded, 2, 2, "VALID")
