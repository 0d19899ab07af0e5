"""Models in files: Keras's own (a zip archive with HDF5 inside, HDF5) if h5py is there, else safetensors.

What a file is is seen from its first bytes, so that `load_model` and `load_weights` read all of them under any name.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from gradtape._src.core.files import written_whole
from gradtape._src.keras.models import hdf5
from gradtape._src.keras.models.storage import arrays_of, restore, saved_parts
from gradtape._src.keras.models.topology import network_config, network_of
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object

_WEIGHTS, _CONFIG, _METADATA, _ASSETS = "model.weights.h5", "config.json", "metadata.json", "assets"


def _path(filepath: Any) -> Path:
    return Path(os.fspath(filepath))


@contextmanager
def _writing(path: Path, overwrite: bool) -> Iterator[str]:
    """A file to be written, whole or not at all.

    Raises:
      FileExistsError: it is there, and may not be replaced.
    """
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} exists; overwrite=True replaces it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(str(path)) as part:
        yield part


def _is_of_keras_2(path: Path) -> bool:
    """Whether the name of a file says that Keras reads groups for layers in it."""
    return path.suffix in (".h5", ".hdf5") and not path.name.endswith(".weights.h5")


def _names(model: Any) -> dict[str, str]:
    return {place: part.name for place, part in saved_parts(model).items()}


def save_weights(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Writes the weights of a model, and the state of its optimizer."""
    path = _path(filepath)
    with _writing(path, overwrite) as part:
        if hdf5.library() is None or path.suffix not in (".h5", ".hdf5"):
            save_file(arrays_of(model), part, {"format": "keras"})
        elif _is_of_keras_2(path):
            hdf5.write_layers(part, model, None)
        else:
            hdf5.write_places(part, arrays_of(model), _names(model))


def save_model(model, filepath, overwrite=True, **kwargs):
    """Writes the configuration, the weights and the optimizer of a model to a file: ``model.save``.

    `load_model` reads it; and so does Keras 3, if h5py is installed.

    Args:
      model: the model.
      filepath: of the file, which by custom ends with ``.keras``.
      overwrite: whether a file that is there may be replaced; otherwise FileExistsError.
      **kwargs: Keras 2's ``save_format`` and its kin, without effect.
    """
    path = _path(filepath)
    config = json.dumps(serialize_keras_object(model))
    with _writing(path, overwrite) as part:
        if hdf5.library() is None:
            metadata = {"format": "keras", "model": config, "assets": json.dumps(_assets_of(model))}
            save_file(arrays_of(model), part, metadata)
        elif _is_of_keras_2(path):
            hdf5.write_layers(part, model, config)
        else:
            _write_archive(part, model, config)


def _write_archive(path: str, model: Any, config: str) -> None:
    metadata = {
        "keras_version": "3.15.1",
        "date_saved": time.strftime("%Y-%m-%d@%H:%M:%S"),
        "written_by": "gradtape",
    }
    buffer = io.BytesIO()
    hdf5.write_places(buffer, arrays_of(model), _names(model))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(_METADATA, json.dumps(metadata))
        archive.writestr(_CONFIG, config)
        archive.writestr(_WEIGHTS, buffer.getvalue())
        for name, text in _assets_of(model).items():
            archive.writestr(f"{_ASSETS}/{name}", text)


# --- Vocabularies and the like: layers write files of their own ---------------------------------------------


def _with_assets(model: Any) -> Iterator[tuple[str, Any]]:
    return ((place, part) for place, part in saved_parts(model).items() if hasattr(part, "save_assets"))


def _assets_of(model: Any) -> dict[str, str]:
    """The texts that layers write, by place."""
    found = {}
    for place, part in _with_assets(model):
        with tempfile.TemporaryDirectory() as folder:
            part.save_assets(folder)
            for file in Path(folder).iterdir():
                found[f"{place}/{file.name}"] = file.read_text(encoding="utf-8")
    return found


def _restore_assets(model: Any, texts: dict[str, str]) -> None:
    for place, part in _with_assets(model):
        own = {
            name.rpartition("/")[2]: text for name, text in texts.items() if name.rpartition("/")[0] == place
        }
        if not own:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, text in own.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            part.load_assets(folder)


# --- Reading ------------------------------------------------------------------------------------------------


def _read(path: Path) -> tuple[dict[Any, np.ndarray], str | None, dict[str, str]]:
    """Arrays, the configuration if there is one, and the texts of layers."""
    if path.is_dir():  # what `tf.saved_model.save` has written
        if (path / "saved_model.pb").exists():
            raise ValueError(
                f"{path} was written by TensorFlow: it holds graphs of its operations, which are not read. Save the "
                "model by model.save('model.keras') there."
            )
        path = path / "model.keras"
    with open(path, "rb") as file:
        start = file.read(8)
    if start.startswith(b"PK"):
        return _read_archive(path)
    if start.startswith(b"\x89HDF"):
        arrays, attributes = hdf5.read(path, path)
        config = attributes.get("model_config")
        return arrays, config.decode() if isinstance(config, bytes) else config, {}
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{path} is no file of weights, or is damaged: {error}") from error
    return arrays, metadata.get("model"), json.loads(metadata.get("assets", "{}"))


def _read_archive(path: Path) -> tuple[dict[Any, np.ndarray], str | None, dict[str, str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            arrays, _ = hdf5.read(io.BytesIO(archive.read(_WEIGHTS)), path)
            prefix = _ASSETS + "/"
            names = [
                name for name in archive.namelist() if name.startswith(prefix) and not name.endswith("/")
            ]
            texts = {name.removeprefix(prefix): archive.read(name).decode() for name in names}
            return arrays, archive.read(_CONFIG).decode(), texts
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise ValueError(f"{path} is no file of a model, or is damaged: {error}") from error


def load_weights(model: Any, filepath: Any, skip_mismatch: bool = False, by_name: bool = False) -> None:
    """Sets the weights of a model to those of a file; all are compared before the first is set."""
    path = _path(filepath)
    _set(model, _read(path)[0], path, skip_mismatch, by_name)


def _set(
    model: Any, arrays: dict[Any, np.ndarray], path: Path, skip_mismatch: bool, by_name: bool = False
) -> None:
    if any(isinstance(key, tuple) for key in arrays):
        hdf5.restore_layers(model, arrays, path, by_name, skip_mismatch)
    else:
        restore(model, arrays, path, skip_mismatch)


def load_model(filepath, custom_objects=None, compile=True, safe_mode=True):
    """The model of a file that `model.save` has written, here or in Keras 3.

    Args:
      filepath: of the file.
      custom_objects: users' classes and functions by name.
      compile: whether the model is compiled as it was, and its optimizer goes on.
      safe_mode: without effect: no code in a file is executed.

    Raises:
      ValueError: a file of weights alone, a damaged one, or no ``.keras`` file of the name (FileNotFoundError for
        other names).

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
    if path.suffix == ".keras" and not path.exists():
        raise ValueError(
            f"File not found: filepath={path}. Please ensure the file is an accessible `.keras` file."
        )
    arrays, text, assets = _read(path)
    if text is None:
        raise ValueError(
            f"{path} holds weights only. Make the model, and call its load_weights({str(path)!r})."
        )
    config = json.loads(text)
    if not compile:
        config.pop("compile_config", None)
    model = deserialize_keras_object(config, custom_objects)
    _restore_assets(model, assets)
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
