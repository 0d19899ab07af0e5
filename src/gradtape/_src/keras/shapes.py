"""Shapes as layers get and give them: plain tuples with the batch first, in nests like those of the tensors."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import shape_of


class ShapeTuple(tuple):
    """A shape as `build` gets it: a tuple, which has also what a ``tf.TensorShape`` is asked for."""

    def as_list(self) -> list[Any]:
        """The sizes as a list."""
        return list(self)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self)

    ndims = rank


def given_shape(kwargs: dict[str, Any]) -> Any:
    """The shape of the inputs, with the batch, from Keras 2's arguments."""
    batch = kwargs.pop("batch_size", None)
    dims, shape = kwargs.pop("input_dim", None), kwargs.pop("input_shape", None)
    full = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
    if full is not None:
        return tuple(full)
    if shape is not None:
        return (batch, *((shape,) if isinstance(shape, int) else shape))
    return None if dims is None else (batch, dims)


def is_of_numbers(x: Any) -> bool:
    leaves = flatten(x)
    return bool(leaves) and all(isinstance(leaf, (bool, int, float)) for leaf in leaves)


def _is_shape(x: Any) -> bool:
    return (
        isinstance(x, (tuple, list))
        and all(isinstance(n, (int, type(None))) for n in x)
        or hasattr(x, "rank")
    )


def map_shapes(function: Any, x: Any) -> Any:
    """A function of each shape in a nest of shapes, or of arguments that are such."""
    if _is_shape(x) and x != ():
        return function(tuple(x))
    if isinstance(x, dict):
        return {key: map_shapes(function, value) for key, value in x.items()}
    return type(x)(map_shapes(function, y) for y in x) if isinstance(x, (list, tuple)) else x


def shapes_of(inputs: Any) -> Any:
    """The shapes of a nest of tensors, as `build` gets them."""
    if hasattr(inputs, "shape"):
        shape = shape_of(inputs)
        return None if shape is None else ShapeTuple(shape)
    return map_structure(lambda x: shapes_of(x) if hasattr(x, "shape") else None, inputs)
