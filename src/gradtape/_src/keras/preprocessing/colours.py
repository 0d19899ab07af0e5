"""Layers that change the colours of images at random while training: hue, saturation, grey, negatives."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import clip_by_value, floormod
from gradtape._src.api.casting import cast
from gradtape._src.api.image_colour import rgb_to_grayscale
from gradtape._src.api.image_hsv import hsv_to_rgb, rgb_to_hsv
from gradtape._src.api.joining import concat
from gradtape._src.api.selection import where
from gradtape._src.keras.preprocessing.augmentation import RandomBrightness, RandomContrast, bounds
from gradtape._src.keras.preprocessing.images import RandomImageLayer
from gradtape._src.keras.preprocessing.warping import size_of
from gradtape._src.keras.settings import epsilon


class _Recolour(RandomImageLayer):
    """The base of layers with a factor from 0 to 1 and a range of values."""

    _config = ("factor", "value_range", "seed", "data_format")

    def __init__(
        self, factor: Any, value_range: Any, data_format: Any, seed: Any, kwargs: dict[str, Any]
    ) -> None:
        super().__init__(seed, data_format=data_format, **kwargs)
        if not isinstance(value_range, (tuple, list)) or len(value_range) != 2:
            raise ValueError(
                f"The `value_range` argument should be a list of two numbers. Received: value_range={value_range}"
            )
        pair = factor if isinstance(factor, (tuple, list)) else (0.0, factor)
        self.factor, self.value_range = bounds("factor", tuple(pair), 0.0, 1.0), tuple(sorted(value_range))

    def _drawn(self, x: Any, ends: Any) -> Any:
        """A number for each image."""
        return cast(self._uniform([size_of(x, 0), 1, 1, 1], *ends), x.dtype)


class RandomHue(_Recolour):
    """Turns the colours of an image around the circle of hues.

    Args:
      factor: the part of half a turn, or two numbers between which it is; f stands for (0, f). The direction is random.
      value_range: of the images.
      data_format: "channels_last" or "channels_first".
      seed: of the random numbers.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.RandomHue((1.0, 1.0), value_range=(0, 1))
    >>> layer(tf.constant([[[[1.0, 0.0, 0.0]]]])).numpy().ravel()
    array([0., 1., 1.], dtype=float32)

    As Keras 3.
    """

    def __init__(self, factor, value_range=(0, 255), data_format=None, seed=None, **kwargs):
        super().__init__(factor, value_range, data_format, seed, kwargs)

    def _at_random(self, x):
        low, high = self.value_range
        back = self._uniform([size_of(x, 0), 1, 1, 1], 0.0, 1.0) > 0.5
        turn = self._drawn(x, self.factor) * 0.5
        hsv = rgb_to_hsv((x - low) / (high - low))
        hue = floormod(hsv[..., :1] + where(back, -turn, turn), cast(1.0, x.dtype))
        return clip_by_value(hsv_to_rgb(concat([hue, hsv[..., 1:]], -1)), 0.0, 1.0) * (high - low) + low


class RandomSaturation(_Recolour):
    """Makes the colours of an image paler or stronger: their saturation times f / (1 - f).

    Args:
      factor: f, or two numbers between which it is; f stands for (0, f). 0 gives grey, 0.5 the image itself.
      value_range, data_format, seed, **kwargs: as of `RandomHue`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomSaturation((0.0, 0.0))(tf.constant([[[[4.0, 2.0, 2.0]]]])).numpy().ravel()
    array([4., 4., 4.], dtype=float32)

    As Keras 3.
    """

    def __init__(self, factor, value_range=(0, 255), data_format=None, seed=None, **kwargs):
        super().__init__(factor, value_range, data_format, seed, kwargs)

    def _at_random(self, x):
        factor = self._drawn(x, self.factor)
        hsv = rgb_to_hsv(x)
        stronger = clip_by_value(hsv[..., 1:2] * (factor / (1.0 - factor + epsilon())), 0.0, 1.0)
        return hsv_to_rgb(concat([hsv[..., :1], stronger, hsv[..., 2:]], -1))


class RandomColorDegeneration(_Recolour):
    """Mixes an image with its grey form: x + f (grey - x).

    Args:
      factor: f, or two numbers between which it is; f stands for (0, f).
      value_range, data_format, seed, **kwargs: as of `RandomHue`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.RandomColorDegeneration((1.0, 1.0))
    >>> layer(tf.constant([[[[100.0, 0.0, 0.0]]]])).numpy().ravel().round(1)
    array([29.9, 29.9, 29.9], dtype=float32)

    As Keras 3.
    """

    def __init__(self, factor, value_range=(0, 255), data_format=None, seed=None, **kwargs):
        super().__init__(factor, value_range, data_format, seed, kwargs)

    def _at_random(self, x):
        return clip_by_value(x + self._drawn(x, self.factor) * (rgb_to_grayscale(x) - x), *self.value_range)


class RandomInvert(_Recolour):
    """Gives some images as negatives: the largest value minus x.

    Args:
      factor: the part of the images, or two numbers between which it is; f stands for (0, f).
      value_range, seed, data_format, **kwargs: as of `RandomHue`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomInvert((1.0, 1.0))(tf.constant([[[[55.0, 0.0, 255.0]]]])).numpy().ravel()
    array([200., 255.,   0.], dtype=float32)

    As Keras 3.
    """

    def __init__(self, factor=1.0, value_range=(0, 255), seed=None, data_format=None, **kwargs):
        super().__init__(factor, value_range, data_format, seed, kwargs)

    def _at_random(self, x):
        share = self._drawn(x, self.factor)
        return where(self._drawn(x, (0.0, 1.0)) < share, self.value_range[1] - x, x)


class RandomGrayscale(RandomImageLayer):
    """Gives some images in grey, with three equal channels.

    Args:
      factor: the part of the images.
      data_format, seed, **kwargs: as of `RandomHue`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomGrayscale(1.0)(tf.constant([[[[100.0, 0.0, 0.0]]]])).numpy().ravel().round(1)
    array([29.9, 29.9, 29.9], dtype=float32)

    As Keras 3.
    """

    _config = ("factor", "seed", "data_format")

    def __init__(self, factor=0.5, data_format=None, seed=None, **kwargs):
        super().__init__(seed, data_format=data_format, **kwargs)
        if not 0 <= factor <= 1:
            raise ValueError(f"`factor` should be between 0 and 1. Received: factor={factor}")
        self.factor = factor

    def _at_random(self, x):
        return where(self._uniform([size_of(x, 0), 1, 1, 1], 0.0, 1.0) < self.factor, rgb_to_grayscale(x), x)


class RandomColorJitter(RandomImageLayer):
    """`RandomBrightness`, `RandomContrast`, `RandomSaturation` and `RandomHue`, one after the other.

    Args:
      value_range: of the images.
      brightness_factor, contrast_factor, saturation_factor, hue_factor: of the layers; None leaves one out.
      seed: of their random numbers.
      data_format: "channels_last" or "channels_first".
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.RandomColorJitter(brightness_factor=0.1, hue_factor=0.1)(tf.ones([2, 4, 4, 3])).shape
    TensorShape([2, 4, 4, 3])

    As Keras 3.
    """

    _config = (
        "value_range", "brightness_factor", "contrast_factor", "saturation_factor", "hue_factor", "seed", "data_format",
    )  # fmt: skip

    def __init__(
        self, value_range=(0, 255), brightness_factor=None, contrast_factor=None, saturation_factor=None,
        hue_factor=None, seed=None, data_format=None, **kwargs,
    ):  # fmt: skip
        super().__init__(seed, data_format=data_format, **kwargs)
        self.value_range = tuple(value_range)
        self.brightness_factor, self.contrast_factor = brightness_factor, contrast_factor
        self.saturation_factor, self.hue_factor = saturation_factor, hue_factor
        wanted: list[tuple[Any, Any]] = [
            (RandomBrightness, brightness_factor),
            (RandomContrast, contrast_factor),
            (RandomSaturation, saturation_factor),
            (RandomHue, hue_factor),
        ]
        self._steps = [make(f, value_range=value_range, seed=seed) for make, f in wanted if f is not None]

    def _at_random(self, x):
        for step in self._steps:
            step.generator = self.generator  # one stream of numbers for all
            x = step._at_random(x)
            self.generator = step.generator
        return x
