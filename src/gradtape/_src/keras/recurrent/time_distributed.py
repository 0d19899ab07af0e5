"""`TimeDistributed`: a layer on every step of a sequence."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.joining import concat
from gradtape._src.api.reordering import transpose
from gradtape._src.core.values import shape_of
from gradtape._src.keras.layers.wrapping import Wrapper
from gradtape._src.keras.recurrent.steps import run_steps
from gradtape._src.keras.serialization import Family


class TimeDistributed(Wrapper):
    """A layer on every step of its inputs, of shape [batch, time, ...]: with the same weights for all of them.

    All steps are done at once, as a larger batch; but one by one, as in Keras, while a layer trains that keeps
    statistics of its batches (one with weights that are not trainable).

    Args:
      layer: the layer.

    Raises:
      ValueError: no layer; inputs of fewer than three dimensions.

    >>> import gradtape as tf
    >>> mean = tf.keras.layers.TimeDistributed(tf.keras.layers.GRU(3))
    >>> mean(tf.ones([2, 5, 4, 1])).shape
    TensorShape([2, 5, 3])

    As Keras 3.
    """

    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        if input_shape is None or len(input_shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: "
                f"{input_shape}"
            )
        super().build((input_shape[0], *input_shape[2:]))

    def call(self, inputs, training=None, mask=None):
        takes = self.layer._signature
        options = {"training": training} if takes.has_training else {}
        parts = [inputs, mask] if takes.has_mask and mask is not None else [inputs]
        if training and any(not weight._trainable for weight in self.layer.weights):
            outputs, _ = run_steps(
                lambda row, _: (self._one(row, options), []), [_swapped(x) for x in parts], []
            )
            return _swapped(outputs)
        return _split(self._one([_merged(x) for x in parts], options), inputs)

    def _one(self, parts: Any, options: dict[str, Any]) -> Any:
        return self.layer(parts[0], **options, **({"mask": parts[1]} if len(parts) > 1 else {}))


def _swapped(x: Any) -> Any:
    """Batch and time exchanged."""
    return transpose(x, [1, 0, *range(2, len(shape_of(x) or (0, 0, 0)))])


def _merged(x: Any) -> Any:
    """The steps as further examples of the batch."""
    known = shape_of(x)
    if known is not None and None not in known[2:]:
        return reshape(x, [-1, *known[2:]])
    return reshape(x, concat([[-1], shape_of_tensor(x)[2:]], 0))


def _split(y: Any, inputs: Any) -> Any:
    """The batch that was merged apart again."""
    known, whole = shape_of(y), shape_of(inputs)
    if known is not None and None not in known[1:] and whole is not None and whole[1] is not None:
        return reshape(y, [-1, whole[1], *known[1:]])
    split = reshape(y, concat([shape_of_tensor(inputs)[:2], shape_of_tensor(y)[1:]], 0))
    if known is not None and whole is not None:
        split.set_shape((*whole[:2], *known[1:]))
    return split


Family("layer", "keras.layers", [TimeDistributed])
