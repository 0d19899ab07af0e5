"""Layers that move elements about: to other shapes, with borders, without them, repeated."""

from __future__ import annotations

from math import prod
from typing import Any

from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.joining import pad, repeat, tile
from gradtape._src.api.reordering import transpose
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import shape_of
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.resizing import resized
from gradtape._src.keras.settings import image_data_format


class Flatten(Layer):
    """(batch, a, b, ...) -> (batch, a * b * ...); (batch,) -> (batch, 1).

    >>> import gradtape as tf
    >>> tf.keras.layers.Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    _config = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format or image_data_format()
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        x, rank = inputs, len(shape_of(inputs))
        if self.data_format == "channels_first" and rank > 2:
            x = transpose(x, [0, *range(2, rank), 1])
        known = shape_of(x)
        if is_known(known):
            return reshape(x, (known[0], prod(known[1:])))
        if None not in known[1:]:
            return reshape(x, (-1, prod(known[1:])))
        return reshape(x, [shape_of_tensor(x)[0], -1])


class Reshape(Layer):
    """(batch, ...) -> (batch, *target_shape), where one size may be -1.

    >>> import gradtape as tf
    >>> tf.keras.layers.Reshape((3, -1))(tf.ones([2, 12])).shape
    TensorShape([2, 3, 4])
    """

    _config = ("target_shape",)

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = (target_shape,) if isinstance(target_shape, int) else tuple(target_shape)
        if self.target_shape.count(-1) > 1:
            raise ValueError(
                "The `target_shape` argument must not contain more than one `-1` value. Received: "
                f"target_shape={target_shape}"
            )

    def call(self, inputs):
        known, target = shape_of(inputs), self.target_shape
        if known is not None and None not in known[1:]:
            size, rest = prod(known[1:]), prod(n for n in target if n != -1)
            if size != rest if -1 not in target else size % max(rest, 1):
                raise ValueError(
                    f"The total size of the tensor must be unchanged. Received: input_shape={tuple(known[1:])}, "
                    f"target_shape={target}"
                )
            target = tuple(size // max(rest, 1) if n == -1 else n for n in target)
        batch = known[0] if known is not None and known[0] is not None else None
        if batch is None and -1 not in target:
            return reshape(inputs, (-1, *target))
        return reshape(
            inputs, (batch, *target) if batch is not None else [shape_of_tensor(inputs)[0], *target]
        )


class Permute(Layer):
    """The axes in another order: ``dims`` are those of the inputs, from 1 on, without the batch.

    >>> import gradtape as tf
    >>> tf.keras.layers.Permute((2, 1))(tf.ones([2, 3, 4])).shape
    TensorShape([2, 4, 3])
    """

    _config = ("dims",)

    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(
                "Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be "
                f"consecutive and start from 1. Received dims={dims}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs):
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """(batch, features) -> (batch, n, features).

    >>> import gradtape as tf
    >>> tf.keras.layers.RepeatVector(3)(tf.ones([2, 4])).shape
    TensorShape([2, 3, 4])
    """

    _config = ("n",)

    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(n, int):
            raise TypeError(f"Expected an integer value for `n`, got {type(n)}.")
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def call(self, inputs):
        return tile(expand_dims(inputs, 1), [1, self.n, 1])


# --- Borders ------------------------------------------------------------------------------------------------


def sides(value: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """A pair of margins for each dimension: from an integer, an integer each, or a pair each.

    Raises:
      ValueError: anything else.
    """
    if isinstance(value, int):
        return ((value, value),) * rank
    found = tuple(value)
    if rank == 1 and len(found) == 2 and all(isinstance(v, int) for v in found):
        return ((found[0], found[1]),)
    if len(found) != rank:
        raise ValueError(f"`{name}` should have {rank} elements. Received: {name}={value}")
    return tuple((v, v) if isinstance(v, int) else (v[0], v[1]) for v in found)


class Borders(Layer):
    """A layer that adds or removes borders."""

    _rank: int

    def _set_up(self, data_format: Any) -> None:
        self.data_format = data_format or image_data_format()
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _around(self, margins: Any) -> list[Any]:
        """With those of the batch and the channels, which have none."""
        none = (0, 0)
        return [none, none, *margins] if self.data_format == "channels_first" else [none, *margins, none]


class ZeroPadding(Borders):
    """Adds zeros around."""

    _config = ("padding", "data_format")

    def __init__(self, padding=1, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.padding = sides(padding, self._rank, "padding")
        self._set_up(data_format)

    def call(self, inputs):
        return pad(inputs, self._around(self.padding))


class ZeroPadding1D(ZeroPadding):
    """Zeros before and after the steps: an integer, or a pair.

    >>> import gradtape as tf
    >>> tf.keras.layers.ZeroPadding1D(1)(tf.ones([1, 2, 1])).numpy().ravel()
    array([0., 1., 1., 0.], dtype=float32)
    """

    _rank = 1


class ZeroPadding2D(ZeroPadding):
    """Zeros around images.

    Args:
      padding: an integer; one for height and width each; or ((top, bottom), (left, right)).
      data_format: ``"channels_last"`` or ``"channels_first"``.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.ZeroPadding2D(((1, 0), (2, 2)))(tf.ones([1, 4, 4, 3])).shape
    TensorShape([1, 5, 8, 3])
    """

    _rank = 2


class ZeroPadding3D(ZeroPadding):
    """Zeros around volumes; see `tf.keras.layers.ZeroPadding2D`."""

    _rank = 3


class Cropping(Borders):
    """Removes borders."""

    _config = ("cropping", "data_format")

    def __init__(self, cropping, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.cropping = sides(cropping, self._rank, "cropping")
        self._set_up(data_format)

    def call(self, inputs):
        return inputs[tuple(slice(a, -b if b else None) for a, b in self._around(self.cropping))]


class Cropping1D(Cropping):
    """Removes steps at the beginning and the end: an integer, or a pair.

    >>> import gradtape as tf
    >>> tf.keras.layers.Cropping1D((1, 0))(tf.reshape([1.0, 2.0, 3.0], [1, 3, 1])).numpy().ravel()
    array([2., 3.], dtype=float32)
    """

    _rank = 1

    def __init__(self, cropping=(1, 1), **kwargs):
        super().__init__(cropping, kwargs.pop("data_format", "channels_last"), **kwargs)


class Cropping2D(Cropping):
    """Removes borders of images; the argument is as in `tf.keras.layers.ZeroPadding2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Cropping2D(1)(tf.ones([1, 4, 4, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    _rank = 2

    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **kwargs):
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(Cropping):
    """Removes borders of volumes."""

    _rank = 3

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs):
        super().__init__(cropping, data_format, **kwargs)


# --- Larger -------------------------------------------------------------------------------------------------


class UpSampling1D(Layer):
    """Each step ``size`` times.

    >>> import gradtape as tf
    >>> tf.keras.layers.UpSampling1D()(tf.reshape([1.0, 2.0], [1, 2, 1])).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """

    _config = ("size",)

    def __init__(self, size=2, **kwargs):
        super().__init__(**kwargs)
        self.size, self.input_spec = int(size), InputSpec(ndim=3)

    def call(self, inputs):
        return repeat(inputs, self.size, axis=1)


class UpSampling2D(Layer):
    """Images ``size`` times as large.

    Args:
      size: an integer, or one for height and width each.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      interpolation: ``"nearest"`` or ``"bilinear"``.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.UpSampling2D((1, 2))(tf.ones([1, 2, 2, 3])).shape
    TensorShape([1, 2, 4, 3])
    """

    _config = ("size", "data_format", "interpolation")

    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        super().__init__(**kwargs)
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.data_format = data_format or image_data_format()
        self.interpolation = interpolation.lower()
        if self.interpolation not in ("nearest", "bilinear"):
            raise ValueError(
                f"`interpolation` argument should be one of 'nearest', 'bilinear'. Received: {interpolation}"
            )
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs):
        first = 2 if self.data_format == "channels_first" else 1
        x = inputs
        for axis, times in ((first, self.size[0]), (first + 1, self.size[1])):
            if times > 1:
                x = (
                    repeat(x, times, axis=axis)
                    if self.interpolation == "nearest"
                    else resized(x, times, axis)
                )
        return x


class UpSampling3D(Layer):
    """Volumes ``size`` times as large, each element repeated."""

    _config = ("size", "data_format")

    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.size = (size, size, size) if isinstance(size, int) else tuple(size)
        self.data_format = data_format or image_data_format()
        self.input_spec = InputSpec(ndim=5)

    def call(self, inputs):
        first = 2 if self.data_format == "channels_first" else 1
        x = inputs
        for i, times in enumerate(self.size):
            x = repeat(x, times, axis=first + i)
        return x
