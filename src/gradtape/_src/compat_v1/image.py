"""`tf.image.resize_images` of TensorFlow 1: methods by number, and pixels that lie at whole numbers.

A pixel of the result is a sum of a few pixels along each axis, each times a weight. As ``resize_bilinear``,
``resize_bicubic`` and ``resize_nearest_neighbor`` of TensorFlow 1.15 without half-pixel centres.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api import image_geometry
from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.arrays import expand_dims, reshape, shape, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.elementwise import floor
from gradtape._src.api.elementwise import round as rounded
from gradtape._src.api.gathering import gather
from gradtape._src.api.nn_pooling import extract_patches
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32, int32
from gradtape._src.core.values import shape_of

_METHODS = ("bilinear", "nearest", "bicubic", "area")


class ResizeMethod:
    """The numbers of the methods of `tf.image.resize_images`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.image.ResizeMethod.BICUBIC
    2
    """

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


def resize_images(images, size, method=0, align_corners=False, preserve_aspect_ratio=False, name=None):
    """Images in another size.

    Args:
      images: of shape (height, width, channels) or (batch, height, width, channels).
      size: the new height and width.
      method: one of `ResizeMethod`, or "bilinear", "nearest", "bicubic", "area".
      align_corners: whether the pixels in the corners of both images lie at the same places.
      preserve_aspect_ratio: as `tf.image.resize` of TensorFlow 2, which is used then.

    Returns:
      float32; the dtype of the images for the nearest neighbours, or if the size is the same.

    Raises:
      ValueError: an unknown method, or images of neither 3 nor 4 dimensions.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.image.resize_images(tf.reshape([1.0, 3.0], [1, 2, 1]), [1, 4])[0, :, 0].numpy())
    [1. 2. 3. 3.]

    As TensorFlow 1.15.
    """
    kind: Any = _METHODS[method] if isinstance(method, int) and 0 <= method < len(_METHODS) else method
    if kind not in _METHODS:
        raise ValueError(f"Resize method {method!r} is not implemented; there are {', '.join(_METHODS)}.")
    if kind == "area" or preserve_aspect_ratio:  # an area is the same in both versions
        return image_geometry.resize(images, size, kind, preserve_aspect_ratio)
    images = as_tensor(images)
    known = shape_of(images)
    if known is None or len(known) not in (3, 4):
        raise ValueError(f"'images' must have either 3 or 4 dimensions, received shape {known}.")
    batch = images if len(known) == 4 else expand_dims(images, 0)
    size = as_tensor(size, int32)
    if hasattr(size, "numpy") and tuple(size.numpy().tolist()) == tuple(shape_of(batch)[1:3]):
        return images
    out = batch if kind == "nearest" else cast(batch, float32)
    for axis in (1, 2):
        out = _along(out, axis, size[axis - 1], kind, align_corners)
    return out if len(known) == 4 else squeeze(out, [0])


def _resized(
    images: Any, size: Any, method: Any, align_corners: bool, half_pixel_centers: bool, name: Any
) -> Any:
    if align_corners and half_pixel_centers:
        raise ValueError("If half_pixel_centers is True, align_corners must be False.")
    if half_pixel_centers:
        return image_geometry.resize(images, size, method, name=name)
    return resize_images(images, size, method, align_corners, name=name)


def resize_bilinear(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """`tf.image.resize_images` by linear interpolation; with ``half_pixel_centers``, as TensorFlow 2 does it."""
    return _resized(images, size, "bilinear", align_corners, half_pixel_centers, name)


def resize_bicubic(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """`tf.image.resize_images` by cubic interpolation; with ``half_pixel_centers``, as TensorFlow 2 does it."""
    return _resized(images, size, "bicubic", align_corners, half_pixel_centers, name)


def resize_nearest_neighbor(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """`tf.image.resize_images` by nearest neighbours; with ``half_pixel_centers``, as TensorFlow 2 does it."""
    return _resized(images, size, "nearest", align_corners, half_pixel_centers, name)


def resize_area(images, size, align_corners=False, name=None):
    """`tf.image.resize_images` by means over areas."""
    return _resized(images, size, "area", align_corners, False, name)


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """The patches of images; see `tf.image.extract_patches`."""
    return extract_patches(images, sizes if ksizes is None else ksizes, strides, rates, padding, name)


def _along(x: Any, axis: int, count: Any, kind: str, corners: bool) -> Any:
    """Another number of pixels along an axis."""
    n = shape(x)[axis]
    places: Any = cast(range_of(count), float32)
    ends: Any = (cast(count - 1, float32), cast(n - 1, float32))
    # Of one pixel there are no two corners.
    old: Any = cast(n, float32)
    scale = old / cast(count, float32)
    if corners:
        several: Any = cast(count > 1, float32)
        scale = several * ends[1] / (ends[0] + (1 - several)) + (1 - several) * scale
    places = places * scale
    if kind == "nearest":
        pixel: Any = cast(floor(places + (0.5 if corners else 0.0)), int32)
        return gather(x, clip_by_value(pixel, 0, n - 1), axis=axis)
    base: Any = cast(floor(places), int32)
    part = places - floor(places)
    total: Any = 0.0
    for offset, weight in _taps(part, kind):
        pixels = gather(x, clip_by_value(base + offset, 0, n - 1), axis=axis)
        total = total + pixels * reshape(weight, [-1, 1] if axis == 2 else [-1, 1, 1])
    return total


def _taps(part: Any, kind: str) -> list[tuple[int, Any]]:
    """The pixels that count, from the one at or before a place, and their weights; ``part`` is what lies between."""
    if kind == "bilinear":
        return [(0, 1 - part), (1, part)]
    part = rounded(part * 1024) / 1024  # as TensorFlow, which has them in a table
    a = -0.75  # R. Keys, "Cubic convolution interpolation", IEEE ASSP 29, 1981

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [(-1, far(part + 1)), (0, near(part)), (1, near(1 - part)), (2, far(2 - part))]
