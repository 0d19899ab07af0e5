"""`KernelLayer`: what layers with kernels, a bias and an activation have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradtape._src.api.casting import cast
from gradtape._src.core.values import dtype_of
from gradtape._src.keras import activations, constraints, initializers, regularizers
from gradtape._src.keras.layer import Layer


def read_argument(name: str, value: Any) -> Any:
    """What an argument of a layer means, by the kind that the end of its name says."""
    kind = name.rpartition("_")[2]
    family = {
        "initializer": initializers,
        "regularizer": regularizers,
        "constraint": constraints,
        "activation": activations,
    }
    return family[kind].get(value) if kind in family else value


class KernelLayer(Layer):
    """A layer with weights that an initializer, a regularizer and a constraint go with, each named after its weight.

    A weight ``kernel`` has the arguments ``kernel_initializer``, ``kernel_regularizer``, ``kernel_constraint``.
    """

    bias: Any = None
    _casts_weights = True  # whether weights are used in the dtype of the computations

    def _keep(self, **arguments: Any) -> None:
        """Makes arguments attributes."""
        for name, value in arguments.items():
            setattr(self, name, read_argument(name, value))

    def _make(self, name: str, shape: Any, of: str | None = None, initializer: Any = None) -> Any:
        """The weight of this name; its initializer and so on may be named after another one."""
        of = of or name
        return self.add_weight(
            name=name,
            shape=shape,
            autocast=self._casts_weights,
            initializer=initializer or getattr(self, f"{of}_initializer"),
            regularizer=getattr(self, f"{of}_regularizer", None),
            constraint=getattr(self, f"{of}_constraint", None),
        )

    def _activated(self, x: Any) -> Any:
        return x if self.activation is activations.linear else self.activation(x)

    activation: Any = activations.linear

    if TYPE_CHECKING:  # what `_keep` makes attributes

        def __getattr__(self, name: str) -> Any: ...


def known_size(input_shape: Any, axis: int, layer: Any) -> int:
    """The size of an axis of the inputs, which decides the shapes of weights.

    Raises:
      ValueError: it is not known.
    """
    size = None if input_shape is None else input_shape[axis]
    if size is None:
        raise ValueError(
            f"The axis {axis} of the inputs to the layer '{layer.name}' must have a known size, because its weights "
            f"depend on it. Found None. Full input shape received: {input_shape}"
        )
    return int(size)


def like(x: Any, weight: Any) -> Any:
    """A tensor in the dtype of a weight, if it is another kind of number."""
    dtype = dtype_of(weight) if getattr(weight, "_cast_to", None) is None else weight._cast_to.np
    return x if dtype_of(x) == dtype else cast(x, dtype)
