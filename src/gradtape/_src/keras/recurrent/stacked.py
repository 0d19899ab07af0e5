"""`StackedRNNCells`: recurrent cells one above the other, as one cell; and what any cell is asked for."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from gradtape._src.api import creation
from gradtape._src.core.nest import is_nested
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.serialization import Family, deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.shapes import ShapeTuple


def check_cell(cell: Any, message: str) -> None:
    """Raises ValueError if a cell lacks what every cell has."""
    for what in ("call", "state_size"):
        if not hasattr(cell, what):
            raise ValueError(f"{message} `{what}`: a method call(inputs, states) and the sizes of its states. "
                             f"Received: {cell}")  # fmt: skip


@cache
def _arguments(kind: type, method: str) -> Any:
    """The names of the arguments of a method of cells."""
    return inspect.signature(getattr(kind, method)).parameters


def zeros_for(cell: Any, batch: Any, dtype: Any) -> list[Any]:
    """The first states of a cell, as a list: those that it gives itself, or zeros."""
    make = getattr(cell, "get_initial_state", None)
    if make is None:
        found = _zeros(cell.state_size, batch, dtype)
    else:
        takes = _arguments(type(cell), "get_initial_state")
        given = {"batch_size": batch, "dtype": dtype}
        # Keras 3's cells take the batch only; older ones the dtype too.
        found = make(**{name: value for name, value in given.items() if name in takes})
    return list(found) if is_nested(found) else [found]


def _zeros(size: Any, batch: Any, dtype: Any) -> Any:
    if isinstance(size, (list, tuple)):
        return [_zeros(n, batch, dtype) for n in size]
    dims = as_shape_tuple(size) if isinstance(size, TensorShape) else (size,)
    return creation.zeros([batch, *dims], dtype)  # type: ignore[misc]


def step_of(cell: Any, training: Any) -> Any:
    """The cell as a function of inputs and states; it is told whether it trains if it asks."""
    call = cell if callable(cell) else cell.call
    if hasattr(cell, "zero_state"):  # a cell of TensorFlow 1 takes a single state bare
        return lambda inputs, states: call(inputs, states[0] if len(states) == 1 else states)
    if "training" in _arguments(type(cell), "call"):
        return lambda inputs, states: call(inputs, states, training=training)
    return call


def output_size_of(cell: Any) -> Any:
    """The size of the output of a cell: by default that of the first state."""
    size = getattr(cell, "output_size", None)
    if size is None:
        size = cell.state_size[0] if isinstance(cell.state_size, (list, tuple)) else cell.state_size
    return size


def build_cell(cell: Any, input_shape: Any) -> None:
    """Makes the variables of a cell that has some."""
    if isinstance(cell, Layer) and not cell.built:
        cell.build(ShapeTuple(input_shape))
        cell.built = True


class StackedRNNCells(Layer):
    """Cells one above the other: the output of each is the input of the next. The states are a list of theirs.

    Args:
      cells: a list of cells.

    Raises:
      ValueError: one of them is no cell.

    >>> import gradtape as tf
    >>> cell = tf.keras.layers.StackedRNNCells([tf.keras.layers.GRUCell(3), tf.keras.layers.LSTMCell(4)])
    >>> cell.state_size, cell.output_size
    ([3, [4, 4]], 4)

    As Keras 3.
    """

    def __init__(self, cells, **kwargs):
        super().__init__(**kwargs)
        for cell in cells:
            check_cell(cell, "All cells must have a")
        self.cells = list(cells)

    @property
    def state_size(self):
        """The sizes of the states of each cell."""
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self):
        """The size of the output: that of the last cell."""
        return output_size_of(self.cells[-1])

    def get_initial_state(self, batch_size=None):
        """The first states of each cell, as a list of lists."""
        return [zeros_for(cell, batch_size, self.compute_dtype) for cell in self.cells]

    def build(self, input_shape):
        for cell in self.cells:
            build_cell(cell, input_shape)
            input_shape = (input_shape[0], output_size_of(cell))

    def call(self, inputs, states, training=False):
        new_states = []
        for cell, old in zip(self.cells, states):
            bare = not is_nested(old)
            inputs, new = step_of(cell, training)(inputs, [old] if bare else list(old))
            new = list(new) if is_nested(new) else [new]
            new_states.append(new[0] if bare else new)
        return inputs, new_states

    def get_config(self):
        return {**super().get_config(), "cells": [serialize_keras_object(cell) for cell in self.cells]}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        cells = [deserialize_keras_object(cell, custom_objects) for cell in config["cells"]]
        return cls(**{**config, "cells": cells})


Family("layer", "keras.layers", [StackedRNNCells])
