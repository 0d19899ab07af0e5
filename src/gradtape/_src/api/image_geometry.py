"""Public functions of images that move pixels: resizing, cropping, padding, turning. All are linear, with gradients.

An image has the shape (height, width, channels), a batch of images one dimension more in front.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.casting import cast
from gradtape._src.api.gathering import gather
from gradtape._src.api.indexing import slice as sliced
from gradtape._src.api.joining import pad
from gradtape._src.api.random import uniform
from gradtape._src.api.reordering import reverse
from gradtape._src.api.reordering import transpose as permuted
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32, int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.ops.products import matmul
from gradtape._src.ops.resizing import KERNELS, nearest_pixels, resize_weights


class ResizeMethod:
    """Names of the methods of `tf.image.resize`.

    >>> import gradtape as tf
    >>> tf.image.ResizeMethod.BICUBIC
    'bicubic'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def sizes(image: Any) -> tuple[Any, Any, Any]:
    """Height, width and channels: numbers where they are known, and tensors otherwise."""
    known = shape_of(image)
    if known is None or len(known) not in (3, 4):
        raise ValueError(f"'images' must have either 3 or 4 dimensions, received shape {known}.")
    if None not in known[-3:]:
        return tuple(known[-3:])
    whole = shape_now(image)
    return tuple([d if d is not None else whole[i - 3] for i, d in enumerate(known[-3:])])  # type: ignore[return-value]


def resize(images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None):
    """Images of another size: along each axis, y = W x with the weights W of an interpolation.

    images: of shape (height, width, channels) or (batch, height, width, channels).
    size: the new height and width.
    method: a name of `tf.image.ResizeMethod`.
    preserve_aspect_ratio: fit into ``size`` instead, without distortion.
    antialias: widen the kernel where the image gets smaller.

    Returns:
      float32; for the method "nearest" the dtype of the images. Gradients flow, to any order.

    Raises:
      ValueError: another rank, size or method.

    >>> import gradtape as tf
    >>> print(tf.image.resize([[[1.0], [3.0]]], [1, 4]).numpy().ravel())
    [1.  1.5 2.5 3. ]

    As TensorFlow 2.21.
    """
    images = as_tensor(images)
    method = str(method).lower()
    if method != "nearest" and method != "area" and method not in KERNELS:
        raise ValueError(f"Resize method is not implemented: {method}. Use a name of tf.image.ResizeMethod.")
    height, width, channels = sizes(images)
    new_height, new_width = _new_size(size, height, width, preserve_aspect_ratio)
    if method == "nearest":
        rows, columns = nearest_pixels.of(height, new_height), nearest_pixels.of(width, new_width)
        return gather(gather(images, rows, axis=-3), columns, axis=-2)
    x = images if images.dtype is float32 else cast(images, float32)
    return resized(x, new_height, new_width, method, bool(antialias) and method != "area")


def resized(x: Any, new_height: Any, new_width: Any, method: str, antialias: bool) -> Any:
    """Floating-point images of another size, computed in their dtype."""
    height, width, channels = sizes(x)
    batch = [] if len(shape_of(x)) == 3 else [shape_now(x)[0] if shape_of(x)[0] is None else shape_of(x)[0]]

    def weights(n: Any, m: Any) -> Any:
        found = resize_weights.of(n, m, method=method, antialias=antialias)
        return found if x.dtype is float32 else cast(found, x.dtype)

    rows = matmul.of(weights(height, new_height), reshape(x, [*batch, height, width * channels]))
    return matmul.of(weights(width, new_width), reshape(rows, [*batch, new_height, width, channels]))


def _new_size(size: Any, height: Any, width: Any, keep_ratio: bool) -> tuple[Any, Any]:
    size = as_tensor(size)
    if shape_of(size) != (2,):
        raise ValueError(
            f"'size' must be a 1-D Tensor of 2 elements: new_height, new_width; received {size!r}."
        )
    if type(size) is not EagerTensor:
        if not keep_ratio:
            return size[0], size[1]
        wanted: Any = cast(size, float32)
        ratios = wanted / cast(as_tensor([height, width]), float32)
        scale = where(ratios[0] < ratios[1], ratios[0], ratios[1])
        return tuple([cast(scale * cast(d, float32) + 0.5, int32) for d in (height, width)])  # type: ignore[return-value]
    new_height, new_width = map(int, size._data)
    if keep_ratio:
        scale = min(np.float32(new_height) / np.float32(height), np.float32(new_width) / np.float32(width))
        new_height, new_width = (int(np.rint(scale * np.float32(d))) for d in (height, width))
    return new_height, new_width


# --- Turned and mirrored -------------------------------------------------------------------------------------


def flip_left_right(image):
    """The image mirrored from left to right.

    >>> import gradtape as tf
    >>> print(tf.image.flip_left_right([[[1], [2]]]).numpy().ravel())
    [2 1]

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    sizes(image)
    return reverse(image, [len(shape_of(image)) - 2])


def flip_up_down(image):
    """The image mirrored from top to bottom.

    >>> import gradtape as tf
    >>> print(tf.image.flip_up_down([[[1]], [[2]]]).numpy().ravel())
    [2 1]

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    sizes(image)
    return reverse(image, [len(shape_of(image)) - 3])


def random_flip_left_right(image, seed=None):
    """The image, or with probability 1/2 its mirror image. Each image of a batch has its own chance.

    >>> import gradtape as tf
    >>> image = tf.constant([[[1], [2]]])
    >>> tf.image.random_flip_left_right(image).shape
    TensorShape([1, 2, 1])

    As TensorFlow 2.21.
    """
    return _flipped_or_not(image, flip_left_right, seed)


def random_flip_up_down(image, seed=None):
    """As `tf.image.random_flip_left_right`, from top to bottom.

    >>> import gradtape as tf
    >>> tf.image.random_flip_up_down(tf.zeros([2, 2, 3])).shape
    TensorShape([2, 2, 3])

    As TensorFlow 2.21.
    """
    return _flipped_or_not(image, flip_up_down, seed)


def _flipped_or_not(image: Any, flip: Any, seed: Any) -> Any:
    image = as_tensor(image)
    flipped = flip(image)
    dims = shape_of(image)
    if len(dims) == 3:
        return where(uniform([], 0, 1.0, seed=seed) < 0.5, flipped, image)
    n = shape_now(image)[0] if dims[0] is None else dims[0]
    return where(reshape(uniform([n], 0, 1.0, seed=seed), [n, 1, 1, 1]) > 0.5, flipped, image)


def rot90(image, k=1, name=None):
    """The image turned by 90 degrees counter-clockwise, ``k`` times.

    >>> import gradtape as tf
    >>> print(tf.image.rot90([[[1], [2]], [[3], [4]]])[..., 0].numpy())
    [[2 4]
     [1 3]]

    As TensorFlow 2.21.
    """
    k = int(k) % 4
    if k == 0:
        return as_tensor(image)
    if k == 2:
        return flip_left_right(flip_up_down(image))
    return flip_up_down(transpose(image)) if k == 1 else transpose(flip_up_down(image))


def transpose(image, name=None):
    """The image with rows for columns.

    >>> import gradtape as tf
    >>> print(tf.image.transpose([[[1], [2]], [[3], [4]]])[..., 0].numpy())
    [[1 3]
     [2 4]]

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    sizes(image)
    return permuted(image, [1, 0, 2] if len(shape_of(image)) == 3 else [0, 2, 1, 3])


# --- Cut and padded ------------------------------------------------------------------------------------------


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """The part of the image of the target size whose upper left corner is at the offsets.

    Raises:
      ValueError: it is not within the image.

    >>> import gradtape as tf
    >>> tf.image.crop_to_bounding_box(tf.zeros([4, 5, 3]), 1, 2, 2, 3).shape
    TensorShape([2, 3, 3])

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    height, width, channels = sizes(image)
    for offset, size, whole, what in (
        (offset_height, target_height, height, "height"),
        (offset_width, target_width, width, "width"),
    ):
        if all(isinstance(x, int) for x in (offset, size, whole)):
            if offset < 0 or size <= 0 or offset + size > whole:
                raise ValueError(
                    f"The {what} of the box, {size} from {offset}, must be positive and within the image's {whole}."
                )
    batch = len(shape_of(image)) == 4
    begin = [0] * batch + [offset_height, offset_width, 0]
    return sliced(image, begin, [-1] * batch + [target_height, target_width, channels])


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """An image of the target size, zero but for ``image``, whose upper left corner is at the offsets.

    Raises:
      ValueError: the image does not fit.

    >>> import gradtape as tf
    >>> tf.image.pad_to_bounding_box(tf.zeros([2, 3, 1]), 1, 2, 4, 6).shape
    TensorShape([4, 6, 1])

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    height, width, _ = sizes(image)
    below, right = target_height - offset_height - height, target_width - offset_width - width
    for x, what in (
        (offset_height, "offset_height"),
        (offset_width, "offset_width"),
        (below, "target_height - offset_height - height"),
        (right, "target_width - offset_width - width"),
    ):
        if isinstance(x, int) and x < 0:
            raise ValueError(f"{what} must be >= 0, received {x}.")
    margins = [[offset_height, below], [offset_width, right], [0, 0]]
    return pad(image, [[0, 0]] * (len(shape_of(image)) - 3) + margins)


def resize_with_crop_or_pad(image, target_height, target_width):
    """The image cut or padded with zeros around its centre.

    >>> import gradtape as tf
    >>> tf.image.resize_with_crop_or_pad(tf.zeros([4, 2, 1]), 3, 5).shape
    TensorShape([3, 5, 1])

    Raises:
      ValueError: a size is not positive.

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    for x, what in ((target_height, "target_height"), (target_width, "target_width")):
        if isinstance(x, int) and x <= 0:
            raise ValueError(f"{what} must be > 0.")
    for axis, target in ((-3, target_height), (-2, target_width)):
        size = sizes(image)[axis + 3]
        at = axis + len(shape_of(image))
        if isinstance(size, int) and isinstance(target, int):
            image = _centred(image, at, size, target)
        else:
            image = _centred_later(image, at, size, target)
    return image


def _centred(image: Any, axis: int, size: int, target: int) -> Any:
    rank = len(shape_of(image))
    if target < size:
        begin = [(size - target) // 2 if i == axis else 0 for i in range(rank)]
        return sliced(image, begin, [target if i == axis else -1 for i in range(rank)])
    before = (target - size) // 2
    return pad(image, [[before, target - size - before] if i == axis else [0, 0] for i in range(rank)])


def _centred_later(image: Any, axis: int, size: Any, target: Any) -> Any:
    """As ``_centred``, where sizes are known when the graph is executed: padded as far as is needed, then cut."""
    rank = len(shape_of(image))
    size, target = as_tensor(size), as_tensor(target)
    missing = where(target > size, target - size, size * 0)
    too_much = where(target < size, size - target, size * 0)
    before = missing // 2
    image = pad(image, [[before, missing - before] if i == axis else [0, 0] for i in range(rank)])
    begin = [too_much // 2 if i == axis else 0 for i in range(rank)]
    return sliced(image, begin, [target if i == axis else -1 for i in range(rank)])


def resize_with_pad(image, target_height, target_width, method="bilinear", antialias=False):
    """The image resized without distortion to fit into the target size, and padded with zeros.

    >>> import gradtape as tf
    >>> tf.image.resize_with_pad(tf.ones([4, 2, 1]), 6, 6).shape
    TensorShape([6, 6, 1])

    As TensorFlow 2.21.
    """
    image = as_tensor(image)
    height, width, _ = sizes(image)
    ratio = max(np.float64(width) / target_width, np.float64(height) / target_height)
    new_height, new_width = height / ratio, width / ratio
    top, left = max(0, int((target_height - new_height) / 2)), max(0, int((target_width - new_width) / 2))
    resized = resize(image, [int(new_height), int(new_width)], method, antialias=antialias)
    return pad_to_bounding_box(resized, top, left, target_height, target_width)


def central_crop(image, central_fraction):
    """The middle of the image: the fraction of its height and of its width.

    Raises:
      ValueError: the fraction is not within (0, 1].

    >>> import gradtape as tf
    >>> tf.image.central_crop(tf.zeros([8, 6, 1]), 0.5).shape
    TensorShape([4, 4, 1])

    As TensorFlow 2.21.
    """
    fraction = float(central_fraction)
    if not 0 < fraction <= 1:
        raise ValueError(f"central_fraction must be within (0, 1], received {fraction}.")
    image = as_tensor(image)
    if fraction == 1:
        return image
    height, width, _ = sizes(image)
    top, left = int((height - height * fraction) / 2), int((width - width * fraction) / 2)
    return crop_to_bounding_box(image, top, left, height - 2 * top, width - 2 * left)


def random_crop(value, size, seed=None, name=None):
    """A part of a tensor, of shape ``size``, at a random place.

    Raises:
      InvalidArgumentError: the size is larger than the tensor.

    >>> import gradtape as tf
    >>> tf.image.random_crop(tf.zeros([8, 8, 3]), [5, 5, 3]).shape
    TensorShape([5, 5, 3])

    As TensorFlow 2.21.
    """
    value = as_tensor(value)
    size = as_tensor(size, None if hasattr(size, "dtype") else int32)
    whole = shape_now(value)
    limit = whole - size + 1
    if type(limit) is EagerTensor and (limit._data <= 0).any():
        raise InvalidArgumentError.of(
            f"Need value.shape >= size, got {shape_of(value)} and {size._data.tolist()}."
        )
    offset = uniform(shape_now(whole), maxval=np.iinfo(np.int32).max, dtype=int32, seed=seed) % limit
    return sliced(value, offset, size)
