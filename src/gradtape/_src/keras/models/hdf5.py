"""Models in HDF5 files: Keras 3's, in which groups are places (`storage.py`), and Keras 2's, in which they are layers.

h5py is an optional dependency (``pip install gradtape[hdf5]``).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from ml_dtypes import bfloat16

from gradtape._src.core.values import shape_of
from gradtape._src.keras.parts import set_value, value_of


def library(path: Any = None) -> Any:
    """The module h5py; without a path None if it is not installed.

    Raises:
      ImportError: it is not installed, and the file ``path`` cannot be read without it.
    """
    try:
        import h5py  # optional; start-up cost
    except ImportError:
        if path is None:
            return None
        raise ImportError(
            f"{path} is an HDF5 file or has one inside, and h5py is not installed: pip install gradtape[hdf5]"
        ) from None
    return h5py


# --- Keras 3: places ----------------------------------------------------------------------------------------


def write_places(file: Any, arrays: dict[str, np.ndarray], names: dict[str, str]) -> None:
    """Writes arrays by places to a file name or a buffer, with the names of the parts as attributes."""
    h5py = library(file)
    with h5py.File(file, "w") as f:
        for place, name in names.items():
            f.create_group(f"{place}/vars" if place else "vars").attrs["name"] = name
        for place, array in arrays.items():
            f.create_dataset(place, data=array)
            if array.dtype == bfloat16:
                f[place].attrs["dtype"] = "bfloat16"


def read(file: Any, source: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a file by their places, or of a file of Keras 2 by layers; and its attributes.

    In a file of Keras 2 the keys are (name of a layer, number of a weight).
    """
    h5py = library(source)
    with h5py.File(file, "r") as f:
        attributes = dict(f.attrs)
        group = f["model_weights"] if "model_weights" in f else f
        if "layer_names" in group.attrs:
            return _of_layers(group), attributes
        found: dict[str, np.ndarray] = {}

        def visit(place: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset):
                is_bfloat16 = item.attrs.get("dtype") == "bfloat16"
                found[place] = np.asarray(item[()], bfloat16) if is_bfloat16 else np.asarray(item[()])

        f.visititems(visit)
        return found, attributes


# --- Keras 2: layers ----------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _of_layers(group: Any) -> dict[Any, np.ndarray]:
    found = {}
    for layer in map(_text, group.attrs["layer_names"]):
        for i, weight in enumerate(map(_text, group[layer].attrs["weight_names"])):
            found[layer, i] = np.asarray(group[layer][weight][()])
    return found


def write_layers(path: str, model: Any, config: str | None) -> None:
    """Writes a file as Keras 2 has them: a group for each layer, and the configuration as an attribute."""
    h5py = library(path)
    with h5py.File(path, "w") as f:
        group = f
        if config is not None:
            f.attrs["model_config"] = json.dumps(json.loads(config)).encode()
            group = f.create_group("model_weights")
        for g in (f, group):
            g.attrs["backend"], g.attrs["keras_version"] = b"tensorflow", b"3.15.1"
        group.attrs["layer_names"] = [layer.name.encode() for layer in model.layers]
        group.create_group("top_level_model_weights").attrs["weight_names"] = np.zeros(0, "S1")
        for layer in model.layers:
            weights = _weights(layer)
            g = group.create_group(layer.name)
            names = [w.path.encode() for w in weights]
            g.attrs["weight_names"] = names if names else np.zeros(0, "S1")
            for name, weight in zip(names, weights):
                g.create_dataset(name, data=value_of(weight))


def _weights(layer: Any) -> list[Any]:
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def restore_layers(
    model: Any, arrays: dict[Any, np.ndarray], source: Any, by_name: bool, skip_mismatch: bool
) -> None:
    """Gives the layers of a model their weights: in order, or by name.

    Raises:
      ValueError: other layers, or other shapes.
    """
    stored: dict[str, list[np.ndarray]] = {}
    for (layer, _), array in arrays.items():
        stored.setdefault(layer, []).append(array)
    layers = [layer for layer in model.layers if layer.weights]
    if by_name:
        pairs = [(layer, stored[layer.name]) for layer in layers if layer.name in stored]
    else:
        if len(layers) != len(stored):
            raise ValueError(
                f"Layer count mismatch when loading weights from file. Model '{model.name}' expected {len(layers)} "
                f"layers, found {len(stored)} saved layers in {source}."
            )
        pairs = list(zip(layers, stored.values()))
    values = []
    for layer, given in pairs:
        weights = _weights(layer)
        shapes = [tuple(shape_of(w)) for w in weights]
        if shapes == [array.shape for array in given]:
            values.extend(zip(weights, given))
        elif not skip_mismatch:
            raise ValueError(
                f"{source} does not fit the layer '{layer.name}' of the model '{model.name}': expected weights of "
                f"shapes {shapes}, received {[array.shape for array in given]}. skip_mismatch=True leaves such layers "
                "as they are."
            )
    for weight, value in values:
        set_value(weight, value)
