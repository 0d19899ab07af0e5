"""``tf.train.Checkpoint``: the variables of objects in files, by the names of the attributes that lead to them."""

from __future__ import annotations

import os
from typing import Any

from gradtape._src.api.trackable import (
    PENDING,
    VALUE,
    attributes,
    children,
    children_changed,
    holds_trackables,
    walk,
)
from gradtape._src.core.errors import NotFoundError
from gradtape._src.core.values import EagerTensor
from gradtape._src.graph.running import default_session
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.variables import Variable
from gradtape._src.train.assigning import assign_all, values_of
from gradtape._src.train.checkpoint_reader import open_checkpoint
from gradtape._src.train.checkpoint_state import CheckpointState, file_of, state_file, write_state
from gradtape._src.train.restoration import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    Restoration,
    slot_key,
)
from gradtape._src.train.slots import make_variable
from gradtape._src.train.tensor_files import write_tensors


class Checkpoint:
    """Saves the variables of objects, and restores them.

    Variables are found by attributes: the value of ``checkpoint.model.layers[0].w`` is in the file under
    ``model/layers/0/w/.ATTRIBUTES/VARIABLE_VALUE``, wherever and whenever the variable was made. What does not exist
    yet when a checkpoint is restored is restored when it is made.

    A checkpoint is one file, ``<path>.safetensors``, which is written whole or not at all.

    Args:
      root: an object whose attributes count as the checkpoint's.
      **kwargs: attributes: variables, modules, layers, models, optimizers, checkpoints, or lists, tuples and
        dictionaries of these.

    Raises:
      ValueError: an argument is nothing of the kind.

    >>> import gradtape as tf, tempfile
    >>> v = tf.Variable([1.0, 2.0])
    >>> checkpoint = tf.train.Checkpoint(v=v)
    >>> path = checkpoint.save(tempfile.mkdtemp() + "/model")
    >>> v.assign([0.0, 0.0])
    <tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([0., 0.], dtype=float32)>
    >>> status = checkpoint.restore(path).assert_consumed()
    >>> path[-8:], v.numpy()
    ('/model-1', array([1., 2.], dtype=float32))

    As TensorFlow 2.21; see docs/differences.md for the files.
    """

    def __init__(self, root=None, **kwargs):
        self._root = None
        for name, value in {"root": root, **kwargs}.items():
            if not (holds_trackables(value) or isinstance(value, (list, tuple, dict)) or value is None):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object (a variable, tf.Module, layer, model, "
                    f"optimizer or tf.train.Checkpoint, or a list or dictionary of these), got {value!r}."
                )
        self._root = root
        self._save_counter: Any = None
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if PENDING in self.__dict__ and name != PENDING and holds_trackables(value):
            children_changed(self)

    def _trackable_children(self) -> dict[str, Any]:
        own = {name: value for name, value in attributes(self).items() if not name.startswith("_")}
        found = {**children(self._root), **own} if self._root is not None else own
        if self._save_counter is not None:
            found["save_counter"] = self._save_counter
        return found

    @property
    def _same_place(self) -> tuple[Any, ...]:
        """The object whose parts count as this one's."""
        return () if self._root is None else (self._root,)

    @property
    def save_counter(self):
        """A variable that counts the calls of `save`: the number in the name of a file."""
        if self._save_counter is None:
            self._save_counter = make_variable(0, "save_counter", dtype="int64")
        return self._save_counter

    # --- Saving

    def write(self, file_prefix, options=None):
        """Saves to ``<file_prefix>.safetensors``; gives the path to restore by.

        It does not count, and does not change the file ``checkpoint``: see `save`.
        """
        path = os.fspath(file_prefix)
        places = {id(value): (place, value) for place, value in walk(self)}
        found = {f"{place}/{VALUE}": v for place, v in places.values() if isinstance(v, Variable)}
        for place, optimizer in places.values():
            for variable, name, slot in getattr(optimizer, "_slot_variables", tuple)():
                if id(variable) in places:
                    found[slot_key(places[id(variable)][0], place, name)] = slot
        write_tensors(file_of(path), dict(zip(found, values_of(list(found.values())))))
        return path

    def save(self, file_prefix, options=None):
        """Adds 1 to `save_counter`, saves to ``<file_prefix>-<save_counter>``; gives that path.

        The file ``checkpoint`` in the same folder names it for `tf.train.latest_checkpoint`.
        """
        number = self._counted()
        path = self.write(f"{os.fspath(file_prefix)}-{number}")
        folder, name = os.path.split(path)
        state = CheckpointState(name)
        state.all_model_checkpoint_paths = [name]
        write_state(state_file(folder), state)
        return path

    def _counted(self) -> int:
        """The counter, after 1 was added; in a graph, the default session's."""
        counter = self.save_counter
        if isinstance(counter, GraphVariable):
            session = default_session.get()
            if session is not None and counter not in session._values:  # nobody initializes it
                session.run(counter.initializer)
        number = values_of([counter])[0] + 1
        assign_all([(counter, number)])
        return int(number)

    # --- Restoring

    def read(self, save_path, options=None):
        """Restores what `write` has saved; see `restore`, which counts `save_counter` among the variables."""
        try:
            file = open_checkpoint(save_path)
        except NotFoundError as error:
            raise NotFoundError.of(
                f"Error when restoring from checkpoint or SavedModel at {os.fspath(save_path)}: {error.message}\n"
                "Please double-check that the path is correct. You may be missing the checkpoint suffix (e.g. the "
                "'-1' in 'path/to/ckpt-1')."
            ) from None
        restoration = Restoration(file, self)
        restoration.proceed()
        return CheckpointLoadStatus(restoration)

    def restore(self, save_path, options=None):
        """Gives the variables the values of a checkpoint.

        Variables that are made later are restored then, if they become attributes. All values are checked before the
        first variable changes.

        Args:
          save_path: what `save` gave, or `tf.train.latest_checkpoint`; None restores nothing.
          options: without effect.

        Returns:
          An object with the methods ``assert_consumed()``, ``assert_existing_objects_matched()``,
          ``assert_nontrivial_match()`` and ``expect_partial()``; in a graph ``run_restore_ops(session)`` restores.

        Raises:
          NotFoundError: there is no such checkpoint.
          ValueError: a value has another shape than the variable. InvalidArgumentError: another dtype.
          DataLossError: the file is damaged.
        """
        if save_path is None:
            self.save_counter  # noqa: B018  so that it is initialized with the others
            return InitializationOnlyStatus(self)
        status = self.read(save_path)
        self.save_counter  # noqa: B018
        return status

    def __repr__(self) -> str:
        return f"<tf.train.Checkpoint of {', '.join(self._trackable_children()) or 'nothing'}>"


def counter_value(variable: Any) -> int:
    """The value of a counter, as a Python integer."""
    if isinstance(variable, EagerTensor):
        return int(variable)
    return int(values_of([variable])[0]) if isinstance(variable, Variable) else int(variable)
