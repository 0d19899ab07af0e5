"""What TensorFlow 1's layers and recurrent cells have in common: a scope of variables that is theirs.

A layer makes its variables when it is first called, by `tf.get_variable` in its scope, and uses them in later calls.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any

from gradtape._src.api import elementwise, nn_activations, nn_losses
from gradtape._src.api.graphs import scope_of
from gradtape._src.compat_v1.variable_scope import VariableScope, get_variable, variable_scope
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import current_graph

_ACTIVATIONS = {
    "elu": nn_activations.elu,
    "gelu": nn_activations.gelu,
    "leaky_relu": nn_activations.leaky_relu,
    "relu": nn_activations.relu,
    "relu6": nn_activations.relu6,
    "selu": nn_activations.selu,
    "sigmoid": elementwise.sigmoid,
    "softmax": nn_losses.softmax,
    "swish": nn_activations.silu,
    "tanh": elementwise.tanh,
}


def activation_of(activation: Any) -> Any:
    """The function of an activation, which may be given by its name; None and "linear" are no function."""
    if activation is None or activation == "linear":
        return None
    if callable(activation):
        return activation
    if activation not in _ACTIVATIONS:
        known = ", ".join(sorted(_ACTIVATIONS))
        raise ValueError(f"Unknown activation function: {activation!r}. Use a function, or one of: {known}.")
    return _ACTIVATIONS[activation]


class Layer:
    """A layer: `build` makes its variables for the shape of its inputs, `call` computes its outputs.

    Attributes:
      name: of its scope, without the scopes around it.
      built: whether its variables have been made.
      trainable_variables, non_trainable_variables, variables: those that it has made by `add_weight`.
    """

    _snake: str | None = None  # the default name, where it is not the class's in lower case

    def __init__(self, trainable=True, name=None, dtype=None, activity_regularizer=None, **kwargs):
        self.trainable, self.built = trainable, False
        self.activity_regularizer = activity_regularizer
        self._base_name = name or self._snake or _in_lower_case(type(self).__name__)
        self._dtype = None if dtype is None else as_dtype(dtype)
        self._reuse, given = kwargs.pop("_reuse", None), kwargs.pop("_scope", None)
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}() got an unexpected keyword argument {next(iter(kwargs))!r}."
            )
        self._weights: list[Any] = []
        self._losses: list[Any] = []
        self._updates: list[Any] = []
        self._scope: VariableScope | None = None
        if given is not None:
            self._set_scope(given)

    # --- What a layer knows ------------------------------------------------------------------------------

    @property
    def name(self):
        """The name of its scope, without the scopes around it."""
        return self._base_name if self._scope is None else self._scope.name.rpartition("/")[2]

    @property
    def dtype(self):
        """The dtype of its variables; None before it is known."""
        return self._dtype

    @property
    def scope_name(self):
        """The name of its scope. ValueError before the layer has been called."""
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._base_name}" has not been used yet. The '
                f"scope name is determined the first time the layer instance is called. You must therefore call the "
                f"layer before querying `scope_name`."
            )
        return self._scope.name

    @property
    def trainable_variables(self):
        """Those of its variables that optimizers change."""
        return [v for v in self._weights if v.trainable] if self.trainable else []

    @property
    def non_trainable_variables(self):
        """Those of its variables that optimizers leave alone."""
        return [v for v in self._weights if not (self.trainable and v.trainable)]

    @property
    def variables(self):
        """Its variables, the trainable ones first."""
        return self.trainable_variables + self.non_trainable_variables

    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables
    weights = variables

    @property
    def losses(self):
        """What its regularizers gave."""
        return list(self._losses)

    @property
    def updates(self):
        """Operations that are to be run in every step of a training."""
        return list(self._updates)

    # --- For subclasses ----------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Makes the variables."""
        self.built = True

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs."""
        return inputs

    def add_weight(
        self,
        name,
        shape,
        dtype=None,
        initializer=None,
        regularizer=None,
        trainable=True,
        constraint=None,
    ):
        """A new variable of this layer, made by `tf.get_variable` in the scope that is open."""
        variable = get_variable(
            name,
            shape,
            dtype=self._dtype if dtype is None else dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=bool(trainable and self.trainable),
            constraint=constraint,
        )
        if not any(variable is known for known in self._weights):
            self._weights.append(variable)
        return variable

    add_variable = add_weight

    def add_update(self, updates: Any) -> None:
        """Operations for the collection ``UPDATE_OPS``."""
        new = [x for x in flatten(updates) if x is not None]
        self._updates.extend(new)
        if (graph := current_graph()) is not None:
            for update in new:
                graph.add_to_collection(GraphKeys.UPDATE_OPS, update)

    def add_loss(self, losses: Any) -> None:
        """Tensors for the collection ``REGULARIZATION_LOSSES``."""
        new = [x for x in flatten(losses) if x is not None]
        self._losses.extend(new)
        if (graph := current_graph()) is not None:
            for loss in new:
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)

    # --- Calls -------------------------------------------------------------------------------------------

    def __call__(self, inputs, *args, **kwargs):
        """The outputs; in the first call the variables are made."""
        self._set_scope(kwargs.pop("scope", None))
        scope = self._scope
        assert scope is not None
        with ExitStack() as stack:
            reuse = True if self.built and current_graph() is not None else self._reuse
            stack.enter_context(variable_scope(scope, reuse=reuse, auxiliary_name_scope=False))
            if scope.original_name_scope:
                stack.enter_context(scope_of(scope.original_name_scope))
            inputs = map_structure(as_tensor, inputs)
            if not self.built:
                if self._dtype is None and flatten(inputs):
                    self._dtype = from_numpy(dtype_of(flatten(inputs)[0]))
                self.build(map_structure(shape_of, inputs))
                self.built = True
            outputs = self.call(inputs, *args, **kwargs)
            if self.activity_regularizer is not None:
                for output in flatten(outputs):
                    with scope_of("ActivityRegularizer"):
                        self.add_loss(self.activity_regularizer(output))
        return outputs

    def apply(self, inputs, *args, **kwargs):
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _set_scope(self, scope: Any) -> None:
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope, reuse=self._reuse)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def __repr__(self):
        return f"<{type(self).__name__} '{self.name}'>"


def last_size(shape: Shape, what: str) -> int:
    """The size of the last dimension, which decides the shapes of variables."""
    if not shape or shape[-1] is None:
        raise ValueError(
            f"The last dimension of the inputs to {what} should be defined. Found None. Full input shape received: "
            f"{shape}. Use set_shape on the input, or say its shape in tf.placeholder."
        )
    return shape[-1]


def _in_lower_case(name: str) -> str:
    """``MultiRNNCell`` -> ``multi_rnn_cell``."""
    name = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
