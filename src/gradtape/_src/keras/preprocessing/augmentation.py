"""Layers that change images at random while training: turned over, turned, moved, zoomed, in another light."""

from __future__ import annotations

from math import pi
from typing import Any

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import ones_like, zeros_like
from gradtape._src.api.elementwise import cos, sin
from gradtape._src.api.joining import concat
from gradtape._src.api.reduction import reduce_mean
from gradtape._src.api.reordering import reverse
from gradtape._src.api.selection import where
from gradtape._src.core.dtypes import float32
from gradtape._src.keras.preprocessing.images import RandomImageLayer
from gradtape._src.keras.preprocessing.warping import FILL_MODES, INTERPOLATIONS, affine_transform, size_of


def bounds(name: str, factor: Any, low: float, high: float, open_below: bool = False) -> tuple[float, float]:
    """The two ends of a factor: those that are given, or minus and plus a number.

    Raises:
      ValueError: not one or two numbers in the range.
    """
    both = factor if isinstance(factor, (tuple, list)) else (-abs(factor), abs(factor))
    inside = len(both) == 2 and all((low < x if open_below else low <= x) and x <= high for x in both)
    if not inside and isinstance(factor, (tuple, list)):
        both = ()
    if len(both) != 2 or not inside:
        raise ValueError(
            f"The `{name}` argument should be a number (or a list of two numbers) in the range [{low}, {high}]. "
            f"Received: {name}={factor}"
        )
    lower, upper = sorted(both)
    return lower, upper


class RandomFlip(RandomImageLayer):
    """Mirrors every other image, at random.

    Args:
      mode: "horizontal", "vertical" or "horizontal_and_vertical".
      seed: of the random numbers.
      data_format: "channels_last" or "channels_first".
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.RandomFlip("horizontal", seed=1)
    >>> layer(tf.reshape([1.0, 2.0], [1, 1, 2, 1])).numpy().ravel()
    array([1., 2.], dtype=float32)

    As Keras 3.
    """

    _config = ("mode", "seed", "data_format")

    def __init__(self, mode="horizontal_and_vertical", seed=None, data_format=None, **kwargs):
        super().__init__(seed, data_format=data_format, **kwargs)
        if mode not in ("horizontal", "vertical", "horizontal_and_vertical"):
            raise ValueError(
                f'RandomFlip needs the mode "horizontal", "vertical" or "horizontal_and_vertical". Received: {mode}'
            )
        self.mode = mode

    def _at_random(self, x):
        flips = self._uniform([size_of(x, 0), 1, 1, 1], 0.0, 1.0) <= 0.5
        if "horizontal" in self.mode:
            x = where(flips, reverse(x, [2]), x)
        return where(flips, reverse(x, [1]), x) if "vertical" in self.mode else x


class _Warp(RandomImageLayer):
    """The base of layers that move the pixels of images."""

    _config = ("fill_mode", "interpolation", "seed", "fill_value", "data_format")

    def __init__(
        self, fill_mode: str, interpolation: str, seed: Any, fill_value: Any, data_format: Any, kwargs: Any
    ) -> None:
        super().__init__(seed, data_format=data_format, **kwargs)
        for word, value, known in (
            ("fill_mode", fill_mode, FILL_MODES),
            ("interpolation", interpolation, INTERPOLATIONS),
        ):
            if value not in known:
                raise ValueError(f"Unknown `{word}` {value}. Expected of one {known}.")
        self.fill_mode, self.interpolation, self.fill_value = fill_mode, interpolation, fill_value

    def _at_random(self, x):
        rows = concat(self._transform(x), axis=1)
        return affine_transform(x, rows, self.interpolation, self.fill_mode, self.fill_value)

    def _transform(self, x: Any) -> list[Any]:
        """Six columns: the affine map of each image."""
        raise NotImplementedError

    def _column(self, x: Any, ends: tuple[float, float]) -> Any:
        return self._uniform([size_of(x, 0), 1], *ends)

    def _sizes(self, x: Any) -> tuple[Any, Any]:
        return cast(size_of(x, 1), float32), cast(size_of(x, 2), float32)


class RandomRotation(_Warp):
    """Turns images about their middle.

    Args:
      factor: an angle as a part of a full turn, or two between which it is; a number f stands for (-f, f).
      fill_mode: beyond the border: "reflect", "constant", "wrap" or "nearest".
      interpolation: "bilinear" or "nearest".
      seed: of the random numbers.
      fill_value: for the mode "constant".
      data_format: "channels_last" or "channels_first".
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.RandomRotation((0.25, 0.25))
    >>> layer(tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1])).numpy().round(3).reshape(2, 2)
    array([[2., 4.],
           [1., 3.]], dtype=float32)

    As Keras 3.
    """

    _config = ("factor",)

    def __init__(
        self, factor, fill_mode="reflect", interpolation="bilinear", seed=None, fill_value=0.0,
        data_format=None, **kwargs,
    ):  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, kwargs)
        self.factor = bounds("factor", factor, -1.0, 1.0)

    def _transform(self, x):
        ends = (self.factor[0] * 360.0, self.factor[1] * 360.0)
        angle = self._uniform([size_of(x, 0)], *ends)[:, None] * (pi / 180.0)
        height, width = self._sizes(x)
        cx, cy = 0.5 * (width - 1), 0.5 * (height - 1)
        c, s = cos(angle), sin(angle)
        return [c, -s, cx - cx * c + cy * s, s, c, cy - cx * s - cy * c]


class RandomTranslation(_Warp):
    """Moves images.

    Args:
      height_factor, width_factor: how far down and to the right, as a part of the size, or two numbers between which
        it is; a number f stands for (-f, f).
      fill_mode, interpolation, seed, fill_value, data_format: as of `RandomRotation`.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.RandomTranslation(0.0, (0.5, 0.5), fill_mode="constant")
    >>> layer(tf.reshape([1.0, 2.0], [1, 1, 2, 1])).numpy().ravel()
    array([0., 1.], dtype=float32)

    As Keras 3.
    """

    _config = ("height_factor", "width_factor")

    def __init__(
        self, height_factor, width_factor, fill_mode="reflect", interpolation="bilinear", seed=None,
        fill_value=0.0, data_format=None, **kwargs,
    ):  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._down = bounds("height_factor", height_factor, -1.0, 1.0)
        self._right = bounds("width_factor", width_factor, -1.0, 1.0)

    def _transform(self, x):
        height, width = self._sizes(x)
        down = self._column(x, self._down) * height
        right = self._column(x, self._right) * width
        one, zero = ones_like(down), zeros_like(down)
        return [one, zero, -right, zero, one, -down]


class RandomZoom(_Warp):
    """Makes what images show larger or smaller.

    Args:
      height_factor: -0.2 zooms in by 20 %, 0.2 zooms out, or two numbers between which it is; a number f stands for
        (-f, f).
      width_factor: the same for the width; by default as the height.
      fill_mode, interpolation, seed, fill_value, data_format: as of `RandomRotation`.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomZoom(0.5)(tf.ones([2, 3, 3, 1])).shape
    TensorShape([2, 3, 3, 1])

    As Keras 3.
    """

    _config = ("height_factor", "width_factor")

    def __init__(
        self, height_factor, width_factor=None, fill_mode="reflect", interpolation="bilinear", seed=None,
        fill_value=0.0, data_format=None, **kwargs,
    ):  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._tall = bounds("height_factor", height_factor, -1.0, 1.0, open_below=True)
        self._wide = None if width_factor is None else bounds("width_factor", width_factor, -1.0, 1.0, True)

    def _transform(self, x):
        tall = self._column(x, (1.0 + self._tall[0], 1.0 + self._tall[1]))
        wide = tall if self._wide is None else self._column(x, (1.0 + self._wide[0], 1.0 + self._wide[1]))
        height, width = self._sizes(x)
        zero = zeros_like(tall)
        return [wide, zero, (width - 1) / 2 * (1 - wide), zero, tall, (height - 1) / 2 * (1 - tall)]


class RandomContrast(RandomImageLayer):
    """(x - mean) * factor + mean, with the mean of each channel of each image.

    Args:
      factor: two numbers (a, b), for factors in [1 - a, 1 + b], or one for both.
      value_range: of the images; results are clipped to it.
      seed: of the random numbers.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomContrast(0.5)(tf.ones([2, 3, 3, 1])).shape
    TensorShape([2, 3, 3, 1])

    As Keras 3.
    """

    _config = ("factor", "value_range", "seed", "data_format")

    def __init__(self, factor, value_range=(0, 255), seed=None, **kwargs):
        super().__init__(seed, **kwargs)
        both = factor if isinstance(factor, (tuple, list)) else (factor, factor)
        self.factor = bounds("factor", tuple(both), 0.0, 1.0)
        self.value_range = tuple(value_range)

    def _at_random(self, x):
        factor = self._uniform([size_of(x, 0), 1, 1, 1], 1.0 - self.factor[0], 1.0 + self.factor[1])
        mean = reduce_mean(x, axis=[1, 2], keepdims=True)
        return clip_by_value((x - mean) * cast(factor, x.dtype) + mean, *self.value_range)


class RandomBrightness(RandomImageLayer):
    """Adds a number to all pixels of an image.

    Args:
      factor: of the range of values, or two between which it is; a number f stands for (-f, f).
      value_range: of the images; results are clipped to it.
      seed: of the random numbers.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomBrightness((0.5, 0.5))(100 * tf.ones([1, 1, 2, 1])).numpy().ravel()
    array([227.5, 227.5], dtype=float32)

    As Keras 3.
    """

    _config = ("factor", "value_range", "seed", "data_format")

    def __init__(self, factor, value_range=(0, 255), seed=None, **kwargs):
        super().__init__(seed, **kwargs)
        if not isinstance(value_range, (tuple, list)) or len(value_range) != 2:
            raise ValueError(
                f"The `value_range` argument should be a list of two numbers. Received: value_range={value_range}"
            )
        self.factor, self.value_range = bounds("factor", factor, -1.0, 1.0), tuple(sorted(value_range))

    def _at_random(self, x):
        low, high = self.value_range
        more = self._uniform([size_of(x, 0), 1, 1, 1], *self.factor) * (high - low)
        return clip_by_value(x + cast(more, x.dtype), low, high)
