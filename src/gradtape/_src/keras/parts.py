"""`Parts`: what a layer is made of, its own variables and other layers, found in its attributes.

Rests on `tracking.py`: what has been collected stays true until any layer changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.trackable import PENDING, children_changed, holds_trackables
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.graph.default import get_default_session
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.backend_state import get_session
from gradtape._src.keras.tracking import structure, tracked
from gradtape._src.ops.variables import Variable


class Collected:
    """What `Parts` has found at one state of `structure`."""

    __slots__ = ("_all_layers", "changes", "layers", "metrics", "own", "variables")

    def __init__(self, parts: Parts) -> None:
        self.changes = structure.changes
        own: dict[int, Any] = {}
        layers: dict[int, Any] = {}
        metrics: dict[int, Any] = {}
        for value in parts._tracked.values():
            _collect(value, own, layers, metrics)
        layers.pop(id(parts), None)
        # The trainable ones first, as they were made: freezing a layer does not change the order.
        self.own = sorted(own.values(), key=lambda v: not v._trainable)
        self.layers, self.metrics = list(layers.values()), list(metrics.values())
        found = {id(v): v for v in self.own}
        for layer in self.layers:
            found.update((id(v), v) for v in layer.variables)
        self.variables = list(found.values())
        self._all_layers: list[Any] | None = None

    def all_layers(self, parts: Parts) -> list[Any]:
        """The object itself and the layers in it, each before its own, without repetition."""
        if self._all_layers is None:
            found: dict[int, Any] = {id(parts): parts}
            for layer in self.layers:
                found.update(
                    (id(inner), inner) for inner in layer._flatten_layers() if id(inner) not in found
                )
            self._all_layers = list(found.values())
        return self._all_layers


def _collect(value: Any, own: Any, layers: Any, metrics: Any) -> None:
    if isinstance(value, Variable):
        own[id(value)] = value
    elif isinstance(value, Parts):
        layers[id(value)] = value
    elif isinstance(value, (list, tuple)):
        for x in value:
            _collect(x, own, layers, metrics)
    elif isinstance(value, dict):
        for x in value.values():
            _collect(x, own, layers, metrics)
    elif _is_metric(value):
        metrics[id(value)] = value


def _is_metric(value: Any) -> bool:
    return hasattr(type(value), "update_state") and hasattr(type(value), "reset_state")


class Parts:
    """An object that knows the variables and layers among its attributes, also in lists and dictionaries."""

    _tracked: dict[Any, Any]  # name of an attribute, or number of a weight -> what is there
    _collected: Collected | None
    _trainable: bool
    name: str

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (Parts, Variable, list, tuple, dict)) or _is_metric(value):
            value = tracked(value)
            self._tracked[name] = value
            structure.changes += 1
        elif name in self._tracked:
            del self._tracked[name]
            structure.changes += 1
        object.__setattr__(self, name, value)
        self.__dict__["_quick"] = 0
        if PENDING in self.__dict__ and name in self._tracked:
            children_changed(self)

    def __delattr__(self, name: str) -> None:
        if self._tracked.pop(name, None) is not None:
            structure.changes += 1
        object.__delattr__(self, name)

    def _trackable_children(self) -> dict[str, Any]:
        """Its parts by name, for checkpoints: attributes, and weights that are no attribute."""
        found = {name.removeprefix("_"): v for name, v in self._tracked.items() if isinstance(name, str)}
        inside = {id(v) for v in found.values()}
        for weight in self._tracked.values():
            if isinstance(weight, Variable) and id(weight) not in inside:
                inside.add(id(weight))
                found.setdefault(getattr(weight, "path", weight.name).rpartition("/")[2], weight)
        return {name: value for name, value in found.items() if holds_trackables(value)}

    def _parts(self) -> Collected:
        found = self._collected
        if found is None or found.changes != structure.changes:
            found = self.__dict__["_collected"] = Collected(self)
        return found

    @property
    def _layers(self) -> list[Any]:
        return self._parts().layers

    def _flatten_layers(self) -> list[Any]:
        """Itself and the layers in it, each before its own, without repetition."""
        return self._parts().all_layers(self)

    # --- Variables

    @property
    def variables(self) -> list[Any]:
        """Its variables: its own, the trainable ones first, then those of each of its layers."""
        return list(self._parts().variables)

    @property
    def weights(self) -> list[Any]:
        """The same as `variables`."""
        return list(self._parts().variables)

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of its variables that optimizers change."""
        return [v for v in self._parts().variables if v.trainable] if self._trainable else []

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those of its variables that optimizers leave alone."""
        return [v for v in self._parts().variables if not v.trainable] if self._trainable else self.variables

    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables

    @property
    def trainable(self) -> bool:
        """Whether optimizers change its variables; setting it sets it for all layers in it."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: Any) -> None:
        value = bool(value)
        self.__dict__["_trainable"] = value
        for variable in self._parts().own:
            if variable._trainable and hasattr(type(variable), "path"):
                variable.trainable = value
        for layer in self._layers:
            layer.trainable = value

    @property
    def metrics(self) -> list[Any]:
        """The metrics among its attributes, and those of its layers."""
        found = {id(m): m for layer in self._flatten_layers() for m in layer._parts().metrics}
        return list(found.values())

    # --- Their values

    def get_weights(self) -> list[Any]:
        """The values of the weights, as a list of arrays. In a graph those of the default session."""
        return [value_of(w) for w in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Sets the values of the weights: a list of arrays, in the order of `weights`.

        Raises:
          ValueError: another number of arrays, or another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of length "
                f"{len(weights)}, but the layer was expecting {len(own)} weights."
            )
        values = [value if isinstance(value, EagerTensor) else np.asarray(value) for value in weights]
        for variable, value in zip(own, values):
            if shape_of(variable) != as_shape_tuple(value.shape):
                raise ValueError(
                    f"Layer {self.name} weight shape {shape_of(variable)} is not compatible with provided weight "
                    f"shape {value.shape}."
                )
        for variable, value in zip(own, values):
            set_value(variable, value)

    _file_names: dict[str, str] = {}  # Keras's names of attributes that are named otherwise here

    def save_own_variables(self, store: Any) -> None:
        """Puts the values of its own variables, without those of its layers, into a dictionary: for files."""
        for i, variable in enumerate(self._parts().own):
            store[str(i)] = value_of(variable)

    def load_own_variables(self, store: Any) -> None:
        """Takes the values of its own variables from what `save_own_variables` filled."""
        for i, variable in enumerate(self._parts().own):
            set_value(variable, store[str(i)])

    def count_params(self) -> int:
        """The number of elements of its weights."""
        return sum(int(np.prod(shape_of(w))) for w in self.weights)


def value_of(variable: Any) -> np.ndarray:
    """The value of a variable now, as an array of the user's own; of one in a graph, in the session of Keras."""
    return np.array(variable.eval(_session()) if hasattr(variable, "_graph") else variable._data, order="C")


def _session() -> Any:
    """The default session, or else Keras's own, with all variables initialized; None outside of graphs."""
    return get_default_session() or (None if current_graph() is None else get_session())


def set_value(variable: Any, value: Any) -> None:
    """Replaces the value of a variable now; of one in a graph, in the default session."""
    # A tensor says where it comes from.
    if not isinstance(value, EagerTensor) or value.dtype != variable.dtype:
        value = np.asarray(value, variable.dtype.np)
    if hasattr(variable, "_graph"):
        variable.load(np.asarray(value), _session())
    else:
        variable.assign(value, read_value=False)
