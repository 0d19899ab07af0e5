"""Layers of several inputs, and the functions of the same names."""

from __future__ import annotations

from functools import reduce
from typing import Any

from gradtape._src.api.arithmetic import maximum, minimum
from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import logical_and, logical_or
from gradtape._src.api.creation import ones_like
from gradtape._src.api.einsum import einsum
from gradtape._src.api.joining import concat
from gradtape._src.api.norms import l2_normalize
from gradtape._src.api.reduction import reduce_all
from gradtape._src.core.values import shape_of
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.shapes import map_shapes


class Merge(Layer):
    """A layer of a list of inputs that broadcast."""

    _least = 1

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        shapes: list[Any] = []
        map_shapes(shapes.append, input_shape)
        if not isinstance(input_shape, (list, tuple)) or isinstance(input_shape[0], (int, type(None))):
            raise ValueError(
                "A merge layer should be called on a list of inputs. Received: "
                f"input_shape={input_shape} (not a list of shapes)"
            )
        if len(input_shape) < self._least:
            raise ValueError(
                f"A merge layer should be called on a list of at least {self._least} inputs. Received "
                f"{len(input_shape)} inputs. Full input_shape received: {input_shape}"
            )

    def call(self, inputs):
        return self._merge(_of_one_rank(list(inputs)))

    _merge: Any  # a method: the tensors, of the same rank

    def compute_mask(self, inputs, previous_mask=None):
        if previous_mask is None:
            return None
        masks = [m for m in previous_mask if m is not None]
        return reduce(logical_or, masks) if len(masks) == len(inputs) else None


def _of_one_rank(inputs: list[Any]) -> list[Any]:
    """Those of fewer axes get more after the batch."""
    shapes = [shape_of(x) for x in inputs]
    if any(shape is None for shape in shapes):
        return inputs
    most = max(len(shape) for shape in shapes)
    for i, x in enumerate(inputs):
        for _ in range(most - len(shapes[i])):
            x = expand_dims(x, 1)
        inputs[i] = x
    return inputs


class Add(Merge):
    """The sum of the inputs.

    >>> import gradtape as tf
    >>> tf.keras.layers.Add()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy()
    array([[3.]], dtype=float32)
    """

    def _merge(self, tensors):
        return reduce(lambda x, y: x + y, tensors)


class Subtract(Merge):
    """The first of two inputs less the second."""

    _least = 2

    def _merge(self, tensors):
        if len(tensors) != 2:
            raise ValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: {len(tensors)}"
            )
        return tensors[0] - tensors[1]


class Multiply(Merge):
    """The product of the inputs."""

    def _merge(self, tensors):
        return reduce(lambda x, y: x * y, tensors)


class Average(Merge):
    """The mean of the inputs."""

    def _merge(self, tensors):
        return reduce(lambda x, y: x + y, tensors) / len(tensors)


class Maximum(Merge):
    """The largest of the inputs, for each element."""

    def _merge(self, tensors):
        return reduce(maximum, tensors)


class Minimum(Merge):
    """The least of the inputs, for each element."""

    def _merge(self, tensors):
        return reduce(minimum, tensors)


class Concatenate(Merge):
    """The inputs one after the other along ``axis``.

    >>> import gradtape as tf
    >>> tf.keras.layers.Concatenate()([tf.ones([2, 1]), tf.ones([2, 3])]).shape
    TensorShape([2, 4])
    """

    _config = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape):
        super().build(input_shape)
        ranks = {len(shape) for shape in input_shape}
        rest = [[n for i, n in enumerate(shape) if i != self.axis % len(shape)] for shape in input_shape]
        differ = any(None not in (m, n) and m != n for other in rest[1:] for m, n in zip(rest[0], other))
        if len(ranks) > 1 or differ:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                f"Received: input_shape={input_shape}"
            )

    def call(self, inputs):
        return concat(list(inputs), axis=self.axis)

    def compute_mask(self, inputs, previous_mask=None):
        if previous_mask is None:
            return None
        parts = []
        for x, mask in zip(inputs, previous_mask):
            if mask is None:
                parts.append(cast(ones_like(x), "bool"))
            elif len(shape_of(mask)) < len(shape_of(x)):
                parts.append(logical_and(expand_dims(mask, -1), cast(ones_like(x), "bool")))
            else:
                parts.append(mask)
        whole = concat(parts, axis=self.axis)
        return whole if len(shape_of(whole)) < 3 else reduce_all(whole, axis=-1)


class Dot(Merge):
    """The dot product of two inputs along axes of theirs, for each example.

    Args:
      axes: an integer for both, or one for each.
      normalize: whether to divide by the norms first: then it is the cosine.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Dot(axes=1)([tf.ones([2, 3]), tf.ones([2, 3])]).numpy().ravel()
    array([3., 3.], dtype=float32)

    As Keras 3.
    """

    _least = 2
    _config = ("axes", "normalize")

    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(axes, int) and len(axes) != 2:
            raise ValueError(
                f"Invalid format for argument `axes`: it should contain two elements. Received: axes={axes}"
            )
        self.axes, self.normalize = axes, normalize

    def call(self, inputs):
        x, y = inputs
        i, j = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        ranks = len(shape_of(x)), len(shape_of(y))
        i, j = i % ranks[0], j % ranks[1]
        if self.normalize:
            x, y = l2_normalize(x, axis=i), l2_normalize(y, axis=j)
        letters = iter("bcdefghijklmnop")
        left = ["a", *(next(letters) for _ in range(ranks[0] - 1))]
        right = ["a", *(next(letters) for _ in range(ranks[1] - 1))]
        right[j] = left[i]
        out = [c for k, c in enumerate(left) if k != i] + [c for k, c in enumerate(right) if k not in (0, j)]
        z = einsum(f"{''.join(left)},{''.join(right)}->{''.join(out)}", x, y)
        return expand_dims(z, 1) if len(out) == 1 else z

    def compute_mask(self, inputs, previous_mask=None):
        return None


# --- Functions ----------------------------------------------------------------------------------------------


def add(inputs, **kwargs):
    """The sum of the inputs: `tf.keras.layers.Add` in one call.

    >>> import gradtape as tf
    >>> tf.keras.layers.add([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy()
    array([[3.]], dtype=float32)
    """
    return Add(**kwargs)(inputs)


def subtract(inputs, **kwargs):
    """The first of two inputs less the second: `tf.keras.layers.Subtract` in one call."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs, **kwargs):
    """The product of the inputs: `tf.keras.layers.Multiply` in one call."""
    return Multiply(**kwargs)(inputs)


def average(inputs, **kwargs):
    """The mean of the inputs: `tf.keras.layers.Average` in one call."""
    return Average(**kwargs)(inputs)


def maximum_of(inputs, **kwargs):
    """The largest of the inputs: `tf.keras.layers.Maximum` in one call."""
    return Maximum(**kwargs)(inputs)


def minimum_of(inputs, **kwargs):
    """The least of the inputs: `tf.keras.layers.Minimum` in one call."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs, axis=-1, **kwargs):
    """The inputs one after the other: `tf.keras.layers.Concatenate` in one call."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs, axes=-1, **kwargs):
    """The dot product of two inputs: `tf.keras.layers.Dot` in one call."""
    return Dot(axes=axes, **kwargs)(inputs)
