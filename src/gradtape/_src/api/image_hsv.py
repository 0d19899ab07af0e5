"""Colours of images: hue and saturation, other colour spaces, gamma. Gradients flow through all.

The last axis is that of the three channels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value, maximum, minimum
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import abs
from gradtape._src.api.image_colour import as_floats, check_bounds
from gradtape._src.api.joining import stack
from gradtape._src.api.products import tensordot
from gradtape._src.api.random import uniform
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.ops.division import floormod

_YIQ = np.array(
    [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
)
_YUV = np.array(
    [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
)
_FROM_YIQ = np.array(
    [[1, 0.95598634, 0.6208248], [1, -0.27201283, -0.64720424], [1, -1.10674021, 1.70423049]]
).T
_FROM_YUV = np.array([[1, 0, 1.13988303], [1, -0.394642334, -0.58062185], [1, 2.03206185, 0]]).T


def _channels(images: Any) -> tuple[Any, Any, Any]:
    known = shape_of(images)
    if known is not None and (not known or known[-1] not in (3, None)):
        raise ValueError(f"The last dimension must be 3, the channels, received shape {known}.")
    return images[..., 0], images[..., 1], images[..., 2]


def _hue(r: Any, g: Any, b: Any) -> tuple[Any, Any, Any]:
    """Hue in sixths of the circle, the largest channel, and the difference to the smallest one."""
    most = maximum(maximum(r, g), b)
    span: Any = most - minimum(minimum(r, g), b)
    grey = span <= 0
    safe = where(grey, span * 0 + 1, span)
    sixths = where(r == most, (g - b) / safe, where(g == most, (b - r) / safe + 2, (r - g) / safe + 4))
    sixths = where(grey, span * 0, where(sixths < 0, sixths + 6, sixths))
    return sixths, most, span


def _coloured(sixths: Any, most: Any, span: Any) -> Any:
    """The channels of a hue: the largest is ``most``, the smallest less by ``span``."""
    least = most - span
    share = lambda x: clip_by_value(x, 0.0, 1.0)
    r = share(abs(sixths - 3.0) - 1.0)
    g = share(2.0 - abs(sixths - 2.0))
    b = share(2.0 - abs(sixths - 4.0))
    return stack([least + span * x for x in (r, g, b)], -1)


def rgb_to_hsv(images, name=None) -> Any:
    """Hue, saturation and value of RGB images: V = max, S = (V - min) / V, and H in [0, 1) around the circle.

    images: floating-point numbers in [0, 1].

    >>> import gradtape as tf
    >>> print(tf.image.rgb_to_hsv([[[1.0, 0.5, 0.5]]]).numpy())
    [[[0.  0.5 1. ]]]

    As TensorFlow 2.21.
    """
    images = as_tensor(images)
    sixths, most, span = _hue(*_channels(images))
    dark = most <= 0
    saturation = where(dark, span * 0, span / where(dark, most * 0 + 1, most))
    return stack([sixths / 6.0, saturation, most], -1)


def hsv_to_rgb(images, name=None) -> Any:
    """RGB of hue, saturation and value.

    >>> import gradtape as tf
    >>> print(tf.image.hsv_to_rgb([[[0.5, 1.0, 1.0]]]).numpy())
    [[[0. 1. 1.]]]

    As TensorFlow 2.21.
    """
    hue, saturation, value = _channels(as_tensor(images))
    return _coloured(hue * 6.0, value, saturation * value)


def adjust_hue(image, delta, name=None) -> Any:
    """The image with its hue turned by ``delta`` of the circle.

    delta: in [-1, 1].

    Raises:
      ValueError: delta is not in [-1, 1].

    >>> import gradtape as tf
    >>> print(tf.image.adjust_hue([[[1.0, 0.5, 0.5]]], 0.5).numpy())
    [[[0.5 1.  1. ]]]

    As TensorFlow 2.21.
    """
    if isinstance(delta, (int, float)) and not -1 <= delta <= 1:
        raise ValueError(f"delta must be in the interval [-1, 1], received {delta}.")

    def turned(x: Any) -> Any:
        sixths, most, span = _hue(*_channels(x))
        turn: Any = cast(as_tensor(delta), x.dtype)
        return _coloured(floormod(sixths + turn * 6.0, as_tensor(6.0, x.dtype)), most, span)

    return as_floats(image, turned)


def adjust_saturation(image, saturation_factor, name=None) -> Any:
    """The image with its saturation multiplied, and clipped to [0, 1].

    >>> import gradtape as tf
    >>> print(tf.image.adjust_saturation([[[1.0, 0.5, 0.5]]], 2.0).numpy())
    [[[1. 0. 0.]]]

    As TensorFlow 2.21.
    """

    def adjusted(x: Any) -> Any:
        hsv: Any = rgb_to_hsv(x)
        factor: Any = cast(as_tensor(saturation_factor), x.dtype)
        saturation = clip_by_value(hsv[..., 1] * factor, 0.0, 1.0)
        return hsv_to_rgb(stack([hsv[..., 0], saturation, hsv[..., 2]], -1))

    return as_floats(image, adjusted)


def random_hue(image, max_delta, seed=None) -> Any:
    """`tf.image.adjust_hue` with a random delta in [-max_delta, max_delta).

    Raises:
      ValueError: max_delta is not in [0, 0.5].

    >>> import gradtape as tf
    >>> tf.image.random_hue(tf.zeros([2, 2, 3]), 0.1).shape
    TensorShape([2, 2, 3])
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_hue(image, uniform([], -max_delta, max_delta, seed=seed))


def random_saturation(image, lower, upper, seed=None) -> Any:
    """`tf.image.adjust_saturation` with a random factor in [lower, upper).

    Raises:
      ValueError: not 0 <= lower < upper.

    >>> import gradtape as tf
    >>> tf.image.random_saturation(tf.zeros([2, 2, 3]), 0.5, 1.5).shape
    TensorShape([2, 2, 3])
    """
    check_bounds(lower, upper)
    return adjust_saturation(image, uniform([], lower, upper, seed=seed))


def adjust_gamma(image, gamma=1, gain=1) -> Any:
    """gain x^gamma, on a scale from 0 to 1.

    Raises:
      ValueError: gamma is negative.

    >>> import gradtape as tf
    >>> print(tf.image.adjust_gamma([[[0.25]]], 0.5).numpy())
    [[[0.5]]]

    As TensorFlow 2.21.
    """
    if isinstance(gamma, (int, float)) and gamma < 0:
        raise ValueError("Gamma should be a non-negative real number.")
    return as_floats(image, lambda x: gain * x**gamma)


def _mixed(images: Any, matrix: np.ndarray) -> Any:
    images = as_tensor(images)
    _channels(images)
    return tensordot(images, matrix.astype(images.dtype.as_numpy_dtype), [[len(shape_of(images)) - 1], [0]])


def rgb_to_yiq(images) -> Any:
    """Brightness and the two colour signals of NTSC television.

    >>> import gradtape as tf
    >>> print(tf.image.rgb_to_yiq([[[1.0, 0.0, 0.0]]]).numpy().round(3))
    [[[0.299 0.596 0.212]]]

    As TensorFlow 2.21.
    """
    return _mixed(images, _YIQ)


def yiq_to_rgb(images) -> Any:
    """The inverse of `tf.image.rgb_to_yiq`."""
    return _mixed(images, _FROM_YIQ)


def rgb_to_yuv(images) -> Any:
    """Brightness and the two colour signals of PAL television.

    >>> import gradtape as tf
    >>> print(tf.image.rgb_to_yuv([[[1.0, 0.0, 0.0]]]).numpy().round(3))
    [[[ 0.299 -0.147  0.615]]]

    As TensorFlow 2.21.
    """
    return _mixed(images, _YUV)


def yuv_to_rgb(images) -> Any:
    """The inverse of `tf.image.rgb_to_yuv`."""
    return _mixed(images, _FROM_YUV)
