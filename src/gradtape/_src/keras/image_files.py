"""Images in files, by Pillow, which is an optional dependency (``pip install gradtape[images]``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.values import Tensor
from gradtape._src.keras.settings import image_data_format

_MODES = {"grayscale": "L", "rgba": "RGBA", "rgb": "RGB"}


def pillow() -> Any:
    """Pillow's module ``Image``.

    Raises:
      ImportError: it is not installed.
    """
    try:
        from PIL import Image  # optional; start-up cost
    except ImportError:
        raise ImportError("Images in files need Pillow: pip install gradtape[images]") from None
    return Image


def load_img(
    path, color_mode="rgb", target_size=None, interpolation="nearest", keep_aspect_ratio=False, grayscale=False
):  # fmt: skip
    """An image of a file, as Pillow's object; `img_to_array` makes an array of it.

    Args:
      path: of the file, or an open one.
      color_mode: "grayscale", "rgb" or "rgba".
      target_size: (height, width) to resize it to.
      interpolation: "nearest", "bilinear", "bicubic", "lanczos", "box", "hamming".
      keep_aspect_ratio: whether to cut off what does not fit the new proportions, instead of distorting.
      grayscale: Keras 2's spelling of ``color_mode="grayscale"``.

    Raises:
      ImportError: Pillow is not installed.
      ValueError: an unknown mode or interpolation.
    """
    image_module = pillow()
    mode = "grayscale" if grayscale else color_mode
    if mode not in _MODES:
        raise ValueError(f'color_mode must be "grayscale", "rgb", or "rgba". Received: {color_mode}')
    with image_module.open(path) as file:
        file.load()
        image = file if file.mode == _MODES[mode] else file.convert(_MODES[mode])
    if target_size is None:
        return image
    height, width = target_size
    if interpolation.upper() not in image_module.Resampling.__members__:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported methods are "
            f"{[name.lower() for name in image_module.Resampling.__members__]}"
        )
    if keep_aspect_ratio:
        w, h = image.size
        cut_w, cut_h = max(1, min(w, h * width // height)), max(1, min(h, w * height // width))
        left, top = (w - cut_w) // 2, (h - cut_h) // 2
        image = image.crop((left, top, left + cut_w, top + cut_h))
    return image.resize((width, height), image_module.Resampling[interpolation.upper()])


def array_to_img(x, data_format=None, scale=True, dtype=None):
    """An array (height, width, channels) as Pillow's image.

    Args:
      x: the array, of 1, 3 or 4 channels.
      data_format: "channels_last" or "channels_first".
      scale: whether its smallest number becomes 0 and its largest 255.
      dtype: to compute in; float32 by default.

    Raises:
      ImportError: Pillow is not installed.
      ValueError: another shape.
    """
    image_module = pillow()
    x = np.asarray(x.numpy() if isinstance(x, Tensor) else x, dtype or "float32")
    if x.ndim != 3:
        raise ValueError(
            f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}"
        )
    if (data_format or image_data_format()) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - x.min()
        most = x.max()
        x = x / (most if most else 1) * 255
    if x.shape[2] == 1:
        return image_module.fromarray(x[:, :, 0].astype("int32" if x.max() > 255 else "uint8"))
    if x.shape[2] not in (3, 4):
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    return image_module.fromarray(x.astype("uint8"))


def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array (height, width, channels) to an image file; the arguments are as of `array_to_img`."""
    image = array_to_img(x, data_format, scale)
    if image.mode == "RGBA" and str(file_format or path).lower().endswith(("jpg", "jpeg")):
        image = image.convert("RGB")
    image.save(path, format=file_format, **kwargs)


def smart_resize(x, size, interpolation="bilinear", data_format="channels_last", backend_module=None):
    """Images of another size: what does not fit the new proportions is cut off on both sides.

    >>> import gradtape as tf
    >>> tf.keras.preprocessing.image.smart_resize(np.zeros((4, 8, 3)), (2, 2)).shape
    (2, 2, 3)
    """
    from gradtape._src.keras.preprocessing.images import Resizing  # start-up cost: layers

    if len(size) != 2:
        raise ValueError(f"Expected `size` to be a tuple of 2 integers, but got: {size}.")
    layer = Resizing(*size, interpolation=interpolation, crop_to_aspect_ratio=True, data_format=data_format)
    y = layer(x)
    return y if isinstance(x, Tensor) else y.numpy()
