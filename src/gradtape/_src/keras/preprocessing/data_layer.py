"""`DataLayer`: a layer that prepares data, on its own, inside a model, or in the functions of a dataset.

It takes lists of numbers and strings too, and leaves the dtype of its inputs to itself.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.ragged_tensor import RaggedTensor
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import map_structure
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.keras.keras_tensor import KerasTensor, keras_tensors
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.shapes import map_shapes
from gradtape._src.keras.symbolic import described


class DataLayer(Layer):
    """The base of layers that prepare data."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.__dict__["_cast_to"] = None

    def __call__(self, inputs, *args, **kwargs):
        if isinstance(inputs, RaggedTensor):
            return self._of_ragged(inputs, *args, **kwargs)
        if not keras_tensors((inputs,), {}) and not isinstance(inputs, (Tensor, dict)):
            inputs = as_tensor(inputs)
        return super().__call__(inputs, *args, **kwargs)

    def _of_ragged(self, inputs: RaggedTensor, *args: Any, **kwargs: Any) -> Any:
        """The outputs for a ragged tensor: one for each of its values, if that is what the layer gives."""
        if getattr(self, "output_mode", None) != "int":
            raise ValueError(
                f"Layer {self.name} ({type(self).__name__}) takes a RaggedTensor only if it gives one value for each: "
                "output_mode='int'. Give it a tensor: use to_tensor()."
            )
        return inputs.with_flat_values(self(inputs.flat_values, *args, **kwargs))

    def compute_output_spec(self, *args, **kwargs):
        """The outputs for inputs that are KerasTensors: their descriptions."""
        return described(self, args, kwargs)

    def compute_output_shape(self, input_shape, *args, **kwargs):
        """The shape of the outputs for inputs of a shape."""
        inputs = map_shapes(lambda shape: KerasTensor(shape, self.input_dtype), input_shape)
        return map_structure(shape_of, described(self, (inputs, *args), kwargs))


def first_of(batch: Any) -> Any:
    """The data of a batch, without labels."""
    return batch[0] if isinstance(batch, tuple) else batch


def batches_of(data: Any, steps: int | None, is_batch: Any) -> Any:
    """The batches that a layer adapts to: of a dataset or an iterable; or the data as the only batch."""
    if is_batch(data):
        yield data
        return
    for i, batch in enumerate(data):
        if steps is not None and i >= steps:
            return
        yield first_of(batch)
