"""`Sequential`: layers one after the other."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras.calls import Call, close_call, current_call, open_call, path_of
from gradtape._src.keras.keras_tensor import KerasTensor
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.core import InputLayer
from gradtape._src.keras.models.model import Model
from gradtape._src.keras.models.network import Network
from gradtape._src.keras.naming import auto_name
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.shapes import shapes_of
from gradtape._src.keras.signatures import CallSignature


class Sequential(Model):
    """Layers one after the other, each with one input and one output.

    If the first says the shape of the inputs (``tf.keras.Input``, or an argument ``input_shape``), the variables are
    made at once, otherwise in the first call.

    Args:
      layers: a list of layers.
      trainable: whether optimizers change the variables.
      name: of the model.

    >>> import gradtape as tf
    >>> tf.keras.backend.clear_session()
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(1)])
    >>> model(tf.ones([4, 2])).shape
    TensorShape([4, 1])
    >>> [v.path for v in model.weights]
    ['sequential/dense/kernel', 'sequential/dense/bias', 'sequential/dense_1/kernel', 'sequential/dense_1/bias']

    As Keras 3.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return super().__new__(cls)

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(trainable=trainable, name=name)
        self._stack: list[Any] = []
        for layer in [] if layers is None else layers if isinstance(layers, (list, tuple)) else [layers]:
            self.add(layer, rebuild=False)
        self._follow()

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Adds a layer at the end.

        Raises:
          ValueError: a layer of that name is there already; or inputs after other layers.
          TypeError: not a layer.
        """
        if isinstance(layer, KerasTensor):
            layer = layer.node.operation
        if not isinstance(layer, Layer):
            raise TypeError(
                f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer} (of type "
                f"{type(layer)})"
            )
        if any(layer.name == other.name for other in self._stack):
            raise ValueError(
                "All layers added to a Sequential model should have unique names. Name "
                f"'{layer.name}' is already the name of a layer in this model. Update the `name` argument to pass a "
                "unique name."
            )
        first = not self._stack
        if isinstance(layer, InputLayer) and not first:
            raise ValueError(
                f"Sequential model '{self.name}' has already been configured to use input shape. You cannot add a "
                f"different Input layer to it."
            )
        if first and not isinstance(layer, InputLayer) and (shape := _declared_shape(layer)) is not None:
            self._stack.append(InputLayer(batch_shape=shape, dtype=_declared_dtype(layer)))
        self._stack.append(layer)
        if rebuild:
            self._follow()
        else:
            self.__dict__.update(_network=None, built=False)

    def pop(self, rebuild: bool = True) -> Any:
        """Removes the last layer, and returns it."""
        layer = self._stack.pop()
        self.__dict__.update(_network=None, built=False, input_spec=None)
        if rebuild:
            self._follow()
        return layer

    def _follow(self) -> None:
        """Describes the outputs after a change, if the inputs are known."""
        if not self._stack or not isinstance(self._stack[0], InputLayer):
            self.__dict__.update(_network=None, built=False)
        elif self._network is not None and self._stack[-2].name == self._network.operations[-1].name:
            self._describe(self._network.inputs, self._network.outputs, self._stack[-1:])
        else:
            inputs = self._stack[0]._inbound_nodes[0].outputs[0]
            self._describe(inputs, inputs, self._stack[1:])

    def _describe(self, inputs: Any, x: Any, layers: list[Any]) -> None:
        if not layers:
            return
        call = current_call()
        token = open_call(Call(None if call is None else call.training, path_of(self), self))
        try:
            for layer in layers:
                x = layer(x)
        finally:
            close_call(token)
        auto_name("functional")  # in Keras a model of its own, which counts in the names of those that follow
        network = Network(inputs, x)
        self.__dict__.update(_network=network, input_spec=network.input_specs, _quick=0)
        self._after_build()

    def build(self, input_shape: Any = None) -> None:
        """Makes the variables, for inputs of this shape."""
        self._build_with(input_shape, None)

    def _build_with(self, input_shape: Any, dtype: Any) -> None:
        if self._network is None and input_shape is not None and self._stack:
            layer = InputLayer(batch_shape=(None, *input_shape[1:]), dtype=dtype)
            inputs = layer._inbound_nodes[0].outputs[0]
            self._describe(inputs, inputs, self._stack)
            self.input_spec = None

    def _build_for(self, bound: dict[str, Any], inputs: Any) -> None:
        shape = shapes_of(inputs)
        if shape is None or isinstance(shape, (list, dict)):
            self._after_build()
        else:
            self._build_with(shape, getattr(inputs, "dtype", None))

    def call(self, inputs, training=None, mask=None):
        """The outputs of the last layer."""
        x = inputs
        for layer in self.layers:
            x = layer(x)
        return x

    _signature = CallSignature(call)

    @property
    def layers(self) -> list[Any]:
        """The layers, without that of the inputs."""
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a model like this one."""
        layers = [serialize_keras_object(layer) for layer in self._stack]
        return {"name": self.name, "trainable": self.trainable, "layers": layers}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model of `get_config`."""
        layers = [deserialize_keras_object(layer, custom_objects) for layer in config["layers"]]
        # As an argument, it leaves each layer the value of its own configuration.
        return cls(layers, trainable=config.get("trainable", True), name=config.get("name"))


def _declared_shape(layer: Any) -> Any:
    """The shape of the inputs that a layer was given when it was made, or has been built for."""
    if layer._given_shape is not None:
        return layer._given_shape
    network = getattr(layer, "_network", None)
    if network is not None and len(network._flat_inputs) == 1:
        return tuple(network._flat_inputs[0].shape)
    return None


def _declared_dtype(layer: Any) -> Any:
    network = getattr(layer, "_network", None)
    return None if network is None else network._flat_inputs[0].dtype
