"""`Model`: a layer that is trained. It is made of descriptions of inputs and outputs, or by subclassing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gradtape._src.core.nest import map_structure
from gradtape._src.core.values import shape_of
from gradtape._src.keras.keras_tensor import KerasTensor
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.models.files import load_weights, save_model, save_weights
from gradtape._src.keras.models.network import Network
from gradtape._src.keras.models.summary import print_summary
from gradtape._src.keras.models.topology import network_config, network_of
from gradtape._src.keras.models.trainer import Trainer
from gradtape._src.keras.serialization import serialize_keras_object
from gradtape._src.keras.shapes import map_shapes, shapes_of
from gradtape._src.keras.signatures import CallSignature
from gradtape._src.keras.symbolic import described


def _given_network(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a model is made of inputs and outputs."""
    return (
        len(args) >= 2
        or (len(args) == 1 and "outputs" in kwargs)
        or ("inputs" in kwargs and "outputs" in kwargs)
    )


class Model(Trainer, Layer):
    """A layer that can be trained, evaluated, saved.

    Either `Model(inputs, outputs)`, of descriptions that `tf.keras.Input` and layers give, or a subclass with layers as
    attributes and a method ``call``.

    Args:
      inputs, outputs: nests of KerasTensors.
      name, trainable, dtype: as of `tf.keras.layers.Layer`.

    >>> import gradtape as tf
    >>> x = tf.keras.Input((3,))
    >>> model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x))
    >>> model(tf.ones([4, 3])).shape
    TensorShape([4, 2])
    >>> class Net(tf.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = tf.keras.layers.Dense(2)
    ...     def call(self, x):
    ...         return self.dense(x)
    >>> Net()(tf.ones([4, 3])).shape
    TensorShape([4, 2])

    As Keras 3.
    """

    _home = "keras"
    _network: Network | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made: Any = Functional if cls is Model and _given_network(args, kwargs) else cls
        self = super().__new__(made, *args, **kwargs)
        self.__dict__["_network"] = None
        self._start_trainer()
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not _given_network(args, kwargs):
            super().__init__(*args, **kwargs)
            return
        names = dict(zip(("inputs", "outputs", "name"), args))
        kwargs = {**names, **kwargs}
        inputs, outputs = kwargs.pop("inputs"), kwargs.pop("outputs")
        super().__init__(**kwargs)
        self._set_network(Network(inputs, outputs))

    def _set_network(self, network: Network) -> None:
        self.__dict__["_network"] = network
        self._tracked["_network"] = network.layers
        self.input_spec = network.input_specs
        self.built = True

    def call(self, inputs, training=None, mask=None):
        """The outputs."""
        if self._network is None:
            raise NotImplementedError(
                f"Model {self.__class__.__name__} does not have a `call()` method implemented. Define it in the "
                "subclass, or make the model of inputs and outputs: tf.keras.Model(inputs, outputs)."
            )
        return self._network.run(inputs)

    _signature = CallSignature(call)

    def build(self, input_shape=None):
        """Makes the variables of all layers, for inputs of this shape, by describing the outputs."""
        if self._network is None and input_shape is not None:
            inputs = map_shapes(lambda shape: KerasTensor(shape, self.compute_dtype), input_shape)
            described(self.call, (inputs,), {})
        self.built = True

    def _build_for(self, bound: dict[str, Any], inputs: Any) -> None:
        if type(self).build is not Model.build:
            super()._build_for(bound, inputs)
        else:  # the layers make their variables when they are called
            self.__dict__["_build_shape"] = shapes_of(inputs)
            self._after_build()

    # --- What it is made of

    @property
    def layers(self) -> list[Any]:
        """Its layers, without those inside of them."""
        return self._network.layers if self._network is not None else list(self._layers)

    @property
    def inputs(self) -> Any:
        """The descriptions of the inputs, as a list; None for a subclass."""
        return None if self._network is None else self._network._flat_inputs

    @property
    def outputs(self) -> Any:
        """The descriptions of the outputs, as a list; None for a subclass."""
        return None if self._network is None else self._network._flat_outputs

    @property
    def input(self) -> Any:
        """The descriptions of the inputs, as they were given."""
        return self._of_network("input").inputs

    @property
    def output(self) -> Any:
        """The descriptions of the outputs, as they were given."""
        return self._of_network("output").outputs

    @property
    def input_shape(self) -> Any:
        """The shapes of the inputs."""
        return map_structure(lambda x: tuple(shape_of(x)), self.input)

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs."""
        return map_structure(lambda x: tuple(shape_of(x)), self.output)

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs."""
        return [x.name for x in self._of_network("input")._flat_inputs]

    @property
    def output_names(self) -> list[str]:
        """The names of the layers that the outputs come from."""
        return [x.node.operation.name for x in self._of_network("output")._flat_outputs]

    def _of_network(self, what: str) -> Network:
        if self._network is None:
            raise AttributeError(
                f"The model {self.name} has no defined {what}: it is not made of inputs and outputs, or not yet built."
            )
        return self._network

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """The layer of a name, or of a number in `layers`.

        Raises:
          ValueError: there is none, or neither or both are given.
        """
        if (name is None) == (index is None):
            raise ValueError("Provide either a layer name or layer index at `get_layer`.")
        layers = self.layers
        if index is not None:
            if len(layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(layers)} layers."
                )
            return layers[index]
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}. Existing layers are: {[layer.name for layer in layers]}.")

    def summary(
        self, line_length=None, positions=None, print_fn=None, expand_nested=False, show_trainable=False,
        layer_range=None,
    ):  # fmt: skip
        """Prints the layers, the shapes of their outputs, and how many numbers they hold.

        Args:
          line_length: of the table.
          print_fn: takes the text; it is printed by default.
          expand_nested: whether the layers of layers are shown too.
          show_trainable: whether it is said which layers are trained.
          positions, layer_range: without effect.
        """
        print_summary(self, line_length, print_fn, expand_nested, show_trainable)

    # --- Saving

    def save_weights(self, filepath, overwrite=True, **kwargs):
        """Writes the weights to a file, whole or not at all; `load_weights` reads it.

        Args:
          filepath: of the file. With ``.weights.h5`` it is one of Keras 3, with ``.h5`` one of Keras 2, if h5py is
            installed; otherwise one of safetensors.
          overwrite: whether a file that is there may be replaced; otherwise FileExistsError.

        >>> import gradtape as tf, tempfile
        >>> model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save_weights(folder + "/model.weights.h5")
        ...     model.load_weights(folder + "/model.weights.h5")
        """
        save_weights(self, filepath, overwrite)

    def load_weights(self, filepath, skip_mismatch=False, by_name=False, **kwargs):
        """Sets the weights to those of a file that `save_weights` has written, here or in Keras.

        Args:
          filepath: of the file.
          skip_mismatch: whether layers that do not fit are left alone.
          by_name: whether layers are found by their names, in a file of Keras 2.

        Raises:
          ValueError: a weight is missing or has another shape; ``skip_mismatch`` leaves such weights alone.
        """
        load_weights(self, filepath, skip_mismatch, by_name)

    def save(self, filepath, overwrite=True, **kwargs):
        """Writes configuration and weights to one file; `tf.keras.models.load_model` makes the model of it."""
        save_model(self, filepath, overwrite)

    def export(self, filepath, **kwargs):
        """Writes the model to a folder, which `tf.saved_model.load` reads: here, and not in TensorFlow."""
        save_model(self, Path(filepath) / "model.keras")

    def to_json(self, **kwargs):
        """The configuration as a JSON text; `tf.keras.models.model_from_json` makes a model of it.

        >>> import gradtape as tf
        >>> model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
        >>> tf.keras.models.model_from_json(model.to_json()).count_params()
        8
        """
        return json.dumps(serialize_keras_object(self), **kwargs)

    def get_config(self):
        """The arguments that make a model like this one; of one made of inputs and outputs, all its calls."""
        if self._network is None:
            return Layer.get_config(self)
        return {"name": self.name, "trainable": self.trainable, **network_config(self._network)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The model of `get_config`."""
        if "input_layers" not in config:
            return super().from_config(config)
        inputs, outputs = network_of(config)
        made = cls if issubclass(cls, Functional) or cls is Model else Functional
        # As an argument, it leaves each layer the value of its own configuration.
        return made(inputs, outputs, name=config.get("name"), trainable=config.get("trainable", True))


class Functional(Model):
    """What `tf.keras.Model(inputs, outputs)` makes."""

    _home = "keras.src.models.functional"  # as Keras has it in files

    def build(self, input_shape=None):
        """Nothing is left to do."""
        self.built = True
