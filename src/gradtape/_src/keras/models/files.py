"""Models in files. The format is safetensors: weights by path, and the configuration as metadata."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from gradtape._src.core.files import written_whole
from gradtape._src.core.values import shape_of
from gradtape._src.keras.models.topology import network_config, network_of
from gradtape._src.keras.parts import set_value, value_of
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object


def _path(filepath: Any) -> Path:
    return Path(os.fspath(filepath))


def _named(layer: Any, prefix: str = "", seen: Any = None) -> dict[str, Any]:
    """The weights by their place in the model: the numbers of the layers on the way, and the names at its end."""
    seen = set() if seen is None else seen
    found: dict[str, Any] = {}
    for i, weight in enumerate(layer._parts().own):
        if id(weight) not in seen:
            seen.add(id(weight))
            found[f"{prefix}{i}:{getattr(weight, 'path', weight.name).rpartition('/')[2]}"] = weight
    for i, inner in enumerate(layer._layers):
        found.update(_named(inner, f"{prefix}{i}/", seen))
    return found


def write(path: Path, arrays: dict[str, Any], metadata: dict[str, str], overwrite: bool) -> None:
    """Writes a file, whole or not at all.

    Raises:
      FileExistsError: it is there, and may not be replaced.
    """
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} exists; overwrite=True replaces it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(str(path)) as part:
        save_file(arrays, part, metadata)


def save_weights(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Writes the weights of a model."""
    write(
        _path(filepath),
        {name: value_of(w) for name, w in _named(model).items()},
        {"format": "keras"},
        overwrite,
    )


def _read(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}
    except SafetensorError as error:
        raise ValueError(f"{path} is no file of weights, or is damaged: {error}") from error


def load_weights(model: Any, filepath: Any, skip_mismatch: bool = False) -> None:
    """Sets the weights of a model to those of a file; all are compared before the first is set."""
    path = _path(filepath)
    _set(model, _read(path)[0], path, skip_mismatch)


def _set(model: Any, arrays: dict[str, Any], path: Path, skip_mismatch: bool) -> None:
    weights = _named(model)
    if not weights and arrays:
        raise ValueError(
            f"The model '{model.name}' has no weights yet. Call it on a batch, or model.build(input_shape), and load "
            f"{path} then."
        )
    fitting = {}
    for name, weight in weights.items():
        value = arrays.get(name)
        if value is not None and value.shape == tuple(shape_of(weight)):
            fitting[name] = value
        elif not skip_mismatch:
            have = "is missing" if value is None else f"has the shape {value.shape}"
            raise ValueError(
                f"{path} does not fit the model '{model.name}': the weight {getattr(weight, 'path', weight.name)!r} of "
                f"shape {tuple(shape_of(weight))} {have} there. skip_mismatch=True leaves such weights as they are."
            )
    unknown = sorted(set(arrays) - set(weights))
    if unknown and not skip_mismatch:
        raise ValueError(f"{path} does not fit the model '{model.name}', which has no weights {unknown[:5]}.")
    for name, value in fitting.items():
        set_value(weights[name], value)


def save_model(model, filepath, overwrite=True, **kwargs):
    """Writes the configuration and the weights of a model to a file, which `load_model` reads: ``model.save``."""
    config = json.dumps(serialize_keras_object(model))
    arrays = {name: value_of(w) for name, w in _named(model).items()}
    write(_path(filepath), arrays, {"format": "keras", "model": config}, overwrite)


def load_model(filepath, custom_objects=None, compile=True, safe_mode=True):
    """The model of a file that `model.save` has written.

    Args:
      filepath: of the file.
      custom_objects: users' classes and functions by name.
      compile: whether the model is compiled as it was.
      safe_mode: without effect: the file holds no code.

    Raises:
      ValueError: a file of weights alone, or a damaged one.

    >>> import gradtape as tf, tempfile
    >>> model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(folder + "/model.keras")
    ...     again = tf.keras.models.load_model(folder + "/model.keras")
    >>> x = tf.ones([1, 3])
    >>> bool(tf.reduce_all(model(x) == again(x)))
    True
    """
    path = _path(filepath)
    arrays, metadata = _read(path)
    if "model" not in metadata:
        raise ValueError(
            f"{path} holds weights only. Make the model, and call its load_weights({str(path)!r})."
        )
    config = json.loads(metadata["model"])
    if not compile:
        config.pop("compile_config", None)
    model = deserialize_keras_object(config, custom_objects)
    _set(model, arrays, path, False)
    return model


def model_from_json(json_string, custom_objects=None):
    """The model of `model.to_json`, with new weights."""
    return deserialize_keras_object(json.loads(json_string), custom_objects)


def clone_model(model, input_tensors=None, clone_function=None, **kwargs):
    """A model of the same configuration with weights of its own.

    Args:
      model: a `Sequential` or one made of inputs and outputs.
      clone_function: makes the copy of a layer; by default by its configuration.
      input_tensors: not supported.

    >>> import gradtape as tf
    >>> model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
    >>> tf.keras.models.clone_model(model).count_params()
    8
    """
    if input_tensors is not None:
        raise ValueError("clone_model makes inputs of its own: call the copy on `input_tensors`.")
    if clone_function is None:
        return type(model).from_config(model.get_config())
    if hasattr(model, "_stack"):
        return type(model)([clone_function(layer) for layer in model._stack], name=model.name)
    layers = {layer.name: layer if _is_input(layer) else clone_function(layer) for layer in model.layers}
    layers.update(
        {
            name: type(layer).from_config(layer.get_config())
            for name, layer in layers.items()
            if _is_input(layer)
        }
    )
    inputs, outputs = network_of(network_config(model._network), layers)
    return type(model)(inputs, outputs, name=model.name)


def _is_input(layer: Any) -> bool:
    return hasattr(layer, "batch_shape")
