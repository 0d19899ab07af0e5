"""Weights of layers: variables that know the path of names of the layers around them.

In eager mode a weight is named ``kernel`` and has the path ``dense/kernel``, as in Keras 3; in a graph it is an
ordinary variable of the graph, ``dense/kernel:0``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.casting import cast
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.calls import current_call
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.variables import ResourceVariable


class AutoCast:
    """What reads of a weight give while its layer is called: its value in the dtype of the computations."""

    _cast_to: Any = None  # the dtype, if it is another than the weight's

    def _in_use(self, x: Any) -> Any:
        return x if self._cast_to is None or current_call() is None else cast(x, self._cast_to)

    def value(self) -> Any:
        """The current value, as a tensor."""
        return self._in_use(super().value())  # type: ignore[misc]

    def read_value(self) -> Any:
        """The current value, as a tensor."""
        return self._in_use(super().read_value())  # type: ignore[misc]

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        if self._cast_to is None or current_call() is None:
            return super().__tf_tensor__(dtype, name)  # type: ignore[misc]
        return self.value()


class Weight(AutoCast, ResourceVariable):
    """What `Layer.add_weight` makes.

    Attributes:
      path: the names of the layers that it belongs to, and its own, with slashes between.
      regularizer: a function of it for the losses of its layer, or None.
      trainable: whether optimizers are to change it; may be set. A tape watches what was made to be trained.
    """

    regularizer: Any = None
    _frozen = False

    @property
    def path(self) -> str:
        return self._name

    @property
    def name(self) -> str:
        return self._name.rpartition("/")[2]

    @property
    def trainable(self) -> bool:
        return self._trainable and not self._frozen

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._frozen = self._trainable and not value
        self._trainable = self._trainable or bool(value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        new: Any = super().__deepcopy__(memo)
        new._name, new.regularizer, new._frozen = self._name, self.regularizer, self._frozen
        return new

    def __repr__(self) -> str:
        value = "" if current_graph() is not None else f", value={np.asarray(self._data)}"
        return f"<Variable path={self.path}, shape={self._shape}, dtype={self.dtype.name}{value}>"


class GraphWeight(AutoCast, GraphVariable):
    """A weight in a graph of the user's; see `Weight`."""

    regularizer: Any = None
    _frozen = False

    path = property(lambda self: self._name)
    trainable = Weight.trainable


def make_weight(
    path: str, initial_value: Any, dtype: Any, trainable: bool, constraint: Any, aggregation: Any = None
) -> Any:
    """A new weight; in a graph of the user's, one that the graph's initializers initialize."""
    graph = current_graph()
    given = {"trainable": trainable, "dtype": dtype, "constraint": constraint}
    if graph is None or hasattr(graph, "initial_value"):
        weight: Any = Weight(initial_value, name=path, **given)
        weight._name = path  # without the scopes of names of eager mode
        return weight
    scope, _, name = path.rpartition("/")
    with graph.name_scope(f"{scope}/" if scope else None):
        return GraphWeight(initial_value, name=name, **given)
