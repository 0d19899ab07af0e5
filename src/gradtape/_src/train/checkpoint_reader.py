"""Reading checkpoints without the program that wrote them: `tf.train.load_checkpoint` and its relatives."""

from __future__ import annotations

import os
from typing import Any

from gradtape._src.core.errors import NotFoundError
from gradtape._src.train.checkpoint_state import checkpoint_exists, file_of, latest_checkpoint
from gradtape._src.train.tensor_files import TensorFile


def open_checkpoint(prefix: Any) -> TensorFile:
    """The file of a checkpoint.

    Raises:
      NotFoundError: there is none, or it is one that TensorFlow wrote.
    """
    prefix = os.fspath(prefix)
    if not checkpoint_exists(prefix) and os.path.exists(f"{prefix}.index"):
        raise NotFoundError.of(
            f"{prefix}.index is a checkpoint in TensorFlow's own format, which gradtape does not read. With "
            "TensorFlow, write its arrays to a file by names, e.g. numpy.savez(file, **{name: "
            "tf.train.load_variable(path, name) for name, _ in tf.train.list_variables(path)}), and assign them here."
        )
    if not checkpoint_exists(prefix):
        raise NotFoundError.of(
            f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {prefix}"
        )
    return TensorFile(file_of(prefix))


class CheckpointReader:
    """The variables of a checkpoint by name.

    >>> import gradtape as tf, tempfile
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/model")
    >>> reader = tf.train.load_checkpoint(path)
    >>> reader.get_variable_to_shape_map()
    {'v/.ATTRIBUTES/VARIABLE_VALUE': [2]}
    """

    def __init__(self, filepattern):
        self._file = open_checkpoint(filepattern)

    def get_variable_to_shape_map(self):
        """The shapes by name."""
        return {name: list(self._file.shape(name)) for name in self._file.names()}

    def get_variable_to_dtype_map(self):
        """The dtypes by name."""
        return {name: self._file.dtype(name) for name in self._file.names()}

    def has_tensor(self, tensor_str):
        """Whether there is a variable of this name."""
        return tensor_str in self._file

    def get_tensor(self, tensor_str):
        """The value as an array.

        Raises:
          NotFoundError: there is no variable of this name. DataLossError: its value is damaged.
        """
        if tensor_str not in self._file:
            raise NotFoundError.of(f"Key {tensor_str} not found in checkpoint {self._file.path}")
        return self._file.read(tensor_str)[()]


def load_checkpoint(ckpt_dir_or_file):
    """A reader of a checkpoint, or of the latest one in a folder.

    Raises:
      ValueError: the folder has none. NotFoundError: there is no such checkpoint.

    >>> import gradtape as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path = tf.train.Checkpoint(v=tf.Variable(3.0)).save(folder + "/model")
    >>> tf.train.load_checkpoint(folder).get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE")
    np.float32(3.0)
    """
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        path = latest
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file, name):
    """The value of a variable of a checkpoint, by its name there; see `tf.train.list_variables`.

    >>> import gradtape as tf, tempfile
    >>> path = tf.train.Checkpoint(v=tf.Variable(3.0)).write(tempfile.mkdtemp() + "/model")
    >>> tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE")
    np.float32(3.0)
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file):
    """The names and shapes of the variables of a checkpoint, sorted by name.

    >>> import gradtape as tf, tempfile
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/model")
    >>> tf.train.list_variables(path)
    [('v/.ATTRIBUTES/VARIABLE_VALUE', [2])]
    """
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    return [(name, shapes[name]) for name in sorted(shapes)]
