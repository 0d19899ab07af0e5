"""Layers of images: other sizes, cut out of the middle, cut out at random, turned, moved, in another light.

They take one image or a batch; and a dictionary with ``"images"``, of which they change that one.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api import image_geometry as image
from gradtape._src.api.arrays import ensure_shape
from gradtape._src.api.casting import cast
from gradtape._src.api.joining import pad
from gradtape._src.api.random import uniform as graph_uniform
from gradtape._src.api.reordering import transpose
from gradtape._src.core.dtypes import float32, float64
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.function.func_graph import root_graph
from gradtape._src.keras import random
from gradtape._src.keras.preprocessing.data_layer import DataLayer
from gradtape._src.keras.preprocessing.warping import size_of
from gradtape._src.keras.settings import image_data_format


class ImageLayer(DataLayer):
    """The base: batches of images with the channels last are what subclasses see."""

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format or image_data_format()

    def call(self, inputs, training=True):
        if isinstance(inputs, dict):
            return {**inputs, "images": self._changed(inputs["images"], training)}
        return self._changed(inputs, training)

    def _changed(self, x: Any, training: Any) -> Any:
        shape = shape_of(x)
        if shape is None or len(shape) not in (3, 4):
            raise ValueError(
                "Expected image tensor to have rank 3 (single image) or 4 (batch of images). Received: "
                f"data.shape={shape}"
            )
        x = x[None] if len(shape) == 3 else x
        first = self.data_format == "channels_first"
        y = self._images(transpose(x, [0, 2, 3, 1]) if first else x, training)
        y = transpose(y, [0, 3, 1, 2]) if first else y
        return y[0] if len(shape) == 3 else y

    def _images(self, x: Any, training: Any) -> Any:
        raise NotImplementedError

    def _in_dtype(self, x: Any) -> Any:
        return cast(x, self.compute_dtype)


class RandomImageLayer(ImageLayer):
    """The base of layers that change images at random, each of a batch in its own way, and only while training."""

    def __init__(self, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seed = seed
        # In a graph of the user's nothing would count its calls up; there the graph's own seeds are used.
        self.generator = random.SeedGenerator(seed) if root_graph() is None else None

    def _images(self, x, training):
        x = self._in_dtype(x)
        return ensure_shape(self._at_random(x), shape_of(x)) if training else x

    def _at_random(self, x: Any) -> Any:
        raise NotImplementedError

    def _uniform(self, shape: Any, low: Any, high: Any) -> Any:
        """Numbers in [low, high)."""
        if root_graph() is not None:
            return graph_uniform(shape, low, high, float32, self.seed)
        if self.generator is None:
            self.generator = random.SeedGenerator(self.seed)
        return random.uniform(shape, low, high, "float32", self.generator)


class Resizing(ImageLayer):
    """Images of another size.

    Args:
      height, width: the new size.
      interpolation: a name of `tf.image.ResizeMethod`.
      crop_to_aspect_ratio: whether to cut off what does not fit, instead of distorting.
      pad_to_aspect_ratio: whether to add a border of ``fill_value`` instead of distorting.
      fill_mode: "constant".
      fill_value: of the border.
      antialias: whether the kernel gets wider where the image gets smaller.
      data_format: "channels_last" or "channels_first".
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Resizing(2, 4)(tf.ones([3, 8, 8, 1])).shape
    TensorShape([3, 2, 4, 1])

    As Keras 3.
    """

    _config = (
        "height", "width", "interpolation", "crop_to_aspect_ratio", "pad_to_aspect_ratio", "fill_mode",
        "fill_value", "antialias", "data_format",
    )  # fmt: skip

    def __init__(
        self, height, width, interpolation="bilinear", crop_to_aspect_ratio=False, pad_to_aspect_ratio=False,
        fill_mode="constant", fill_value=0.0, antialias=False, data_format=None, **kwargs,
    ):  # fmt: skip
        super().__init__(data_format, **kwargs)
        if crop_to_aspect_ratio and pad_to_aspect_ratio:
            raise ValueError(
                "Only one of `pad_to_aspect_ratio` & `crop_to_aspect_ratio` can be set to `True`."
            )
        if fill_mode != "constant":
            raise ValueError(f"Only `fill_mode='constant'` is supported. Received: fill_mode={fill_mode}")
        self.height, self.width, self.interpolation = height, width, interpolation
        self.crop_to_aspect_ratio, self.pad_to_aspect_ratio = crop_to_aspect_ratio, pad_to_aspect_ratio
        self.fill_mode, self.antialias = fill_mode, bool(antialias)
        self.fill_value: Any = fill_value

    def _images(self, x, training):
        x = self._in_dtype(x)
        size = (self.height, self.width)
        if self.crop_to_aspect_ratio:
            return fitted(x, size, self.interpolation, self.antialias)
        if self.pad_to_aspect_ratio:
            height, width = _known_size(x, "pad_to_aspect_ratio")
            above = max(0, int(width * self.height / self.width) - height) // 2
            beside = max(0, int(height * self.width / self.height) - width) // 2
            x = pad(x, [[0, 0], [above, above], [beside, beside], [0, 0]], constant_values=self.fill_value)
        return resized(x, size, self.interpolation, self.antialias)


def _known_size(x: Any, what: str) -> tuple[int, int]:
    height, width = shape_of(x)[1:3]
    if height is None or width is None:
        raise ValueError(f"{what} needs images of known height and width. Received shape {shape_of(x)}.")
    return height, width


def resized(x: Any, size: tuple[int, int], interpolation: str, antialias: bool) -> Any:
    """Images of another size, of the same dtype."""
    method = str(interpolation).lower()
    if x.dtype is not float64 or method == "nearest":
        return cast(image.resize(x, size, method, antialias=antialias), x.dtype)
    return image.resized(x, *size, method, antialias)


def fitted(x: Any, size: tuple[int, int], interpolation: str = "bilinear", antialias: bool = False) -> Any:
    """A batch of images of another size: what does not fit the new proportions is cut off on both sides."""
    height, width = _known_size(x, "Keeping the proportions")
    cut_height = max(1, min(height, int(width * size[0] / size[1])))
    cut_width = max(1, min(width, int(height * size[1] / size[0])))
    top, left = int((height - cut_height) / 2), int((width - cut_width) / 2)
    x = x[:, top : top + cut_height, left : left + cut_width]
    return resized(x, size, interpolation, antialias)


class CenterCrop(ImageLayer):
    """The middle of images; smaller ones are resized, and cut in the proportions asked for.

    Args:
      height, width: the new size.
      data_format: "channels_last" or "channels_first".
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.CenterCrop(2, 2)(tf.reshape(tf.range(16.0), [4, 4, 1])).numpy()[..., 0]
    array([[ 5.,  6.],
           [ 9., 10.]], dtype=float32)

    As Keras 3.
    """

    _config = ("height", "width", "data_format")

    def __init__(self, height, width, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)
        self.height, self.width = height, width

    def _images(self, x, training):
        x = self._in_dtype(x)
        height, width = size_of(x, 1), size_of(x, 2)
        for size, wanted in ((height, self.height), (width, self.width)):
            if not isinstance(size, Tensor) and size < wanted:
                return fitted(x, (self.height, self.width))
        top, left = (height - self.height) // 2, (width - self.width) // 2
        x = x[:, top : top + self.height, left : left + self.width]
        return ensure_shape(x, [shape_of(x)[0], self.height, self.width, shape_of(x)[3]])


class RandomCrop(RandomImageLayer):
    """A part of images at a random place, the same for all of a batch; while not training, their middle, resized.

    Args:
      height, width: the new size.
      seed: of the random numbers.
      data_format: "channels_last" or "channels_first".
      name: of the layer.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomCrop(2, 3)(tf.ones([4, 8, 8, 1])).shape
    TensorShape([4, 2, 3, 1])

    As Keras 3.
    """

    _config = ("height", "width", "seed", "data_format")

    def __init__(self, height, width, seed=None, data_format=None, name=None, **kwargs):
        super().__init__(seed, data_format=data_format, name=name, **kwargs)
        self.height, self.width = height, width

    def _images(self, x, training):
        x = self._in_dtype(x)
        height, width = _known_size(x, "RandomCrop")
        if not training or height <= self.height or width <= self.width:
            return fitted(x, (self.height, self.width))
        top = cast(self._uniform((), 0.0, float(height - self.height + 1)), "int32")
        left = cast(self._uniform((), 0.0, float(width - self.width + 1)), "int32")
        x = x[:, top : top + self.height, left : left + self.width]
        return ensure_shape(x, [shape_of(x)[0], self.height, self.width, shape_of(x)[3]])
