"""`tf.saved_model`: models of Keras in folders. Functions of one's own are Python, and no file holds them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gradtape._src.core.errors import UnimplementedError
from gradtape._src.core.nest import flatten
from gradtape._src.keras.models.files import load_model, save_model

_FILE = "model.keras"


def save(obj, export_dir, signatures=None, options=None):
    """Writes a model of Keras to a folder, which `load` reads.

    Args:
      obj: a `tf.keras.Model`.
      export_dir: the folder; it is made.
      signatures, options: without effect.

    Raises:
      UnimplementedError: another object: its functions are Python, which no file holds.

    >>> import gradtape as tf, tempfile
    >>> model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.saved_model.save(model, folder + "/1")
    ...     again = tf.saved_model.load(folder + "/1")
    >>> again(tf.constant([[1.0, 2.0]])).numpy()
    array([[3.]], dtype=float32)
    >>> sorted(again.signatures)
    ['serving_default']
    """
    if not hasattr(obj, "get_compile_config"):
        raise UnimplementedError.of(
            f"tf.saved_model.save writes models of Keras. The functions of {type(obj).__name__} are Python, which no "
            "file holds: keep its code, and its variables by tf.train.Checkpoint(obj).write(path)."
        )
    save_model(obj, Path(os.fspath(export_dir)) / _FILE)


def load(export_dir, tags=None, options=None):
    """The model of a folder that `save` has written, with ``serve`` and ``signatures["serving_default"]``.

    Args:
      export_dir: the folder.
      tags, options: without effect.

    Raises:
      UnimplementedError: a folder of TensorFlow's, which holds graphs.
      OSError: no such folder, or another one.
    """
    path = Path(os.fspath(export_dir))
    if (path / "saved_model.pb").exists():
        raise UnimplementedError.of(
            f"{path} was written by TensorFlow: it holds graphs of its operations, which are not read. Save the model "
            "of Keras by model.save('model.keras') there, or freeze the graph for tf.import_graph_def."
        )
    if not (path / _FILE).exists():
        raise OSError(f"SavedModel file does not exist at: {path}: there is no {_FILE} in it.")
    model = load_model(path / _FILE)
    model.__dict__["serve"] = model.__call__
    model.__dict__["signatures"] = {"serving_default": _signature(model)}
    return model


def _signature(model: Any) -> Any:
    """A function of the inputs by their names, or of one, which gives the outputs by theirs."""

    def serving_default(*args: Any, **kwargs: Any) -> dict[str, Any]:
        values = list(args) + [
            kwargs[name] for name in getattr(model, "input_names", kwargs) if name in kwargs
        ]
        outputs = flatten(model(values[0] if len(values) == 1 else values))
        return {f"output_{i}": output for i, output in enumerate(outputs)}

    return serving_default
