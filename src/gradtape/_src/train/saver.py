"""``tf.train.Saver`` of TensorFlow 1: the variables of a session in files, by their names."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from gradtape._src.core.errors import InvalidArgumentError, NotFoundError
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Tensor
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.session import BaseSession
from gradtape._src.ops.graph_variables import home_graph
from gradtape._src.ops.variables import Variable
from gradtape._src.train.assigning import assign_all, fitting, values_of, variable_key
from gradtape._src.train.checkpoint_reader import open_checkpoint
from gradtape._src.train.checkpoint_state import (
    checkpoint_exists,
    file_of,
    get_checkpoint_mtimes,
    remove_checkpoint,
    update_checkpoint_state,
)
from gradtape._src.train.global_step import global_step as value_of_step
from gradtape._src.train.slots import owner
from gradtape._src.train.tensor_files import write_tensors


class Saver:
    """Saves variables to files, and restores them.

    A checkpoint is one file, ``<path>.safetensors``, which is written whole or not at all. Beside it stands the text
    file ``checkpoint``, which says what is there. What is restored is checked before the first variable changes.

    Args:
      var_list: the variables, in a list, or a dictionary by the names that they have in the file. By default all
        variables of the graph.
      reshape: whether a value may have another shape with as many elements.
      max_to_keep: how many checkpoints to keep; older ones are deleted. None or 0 keeps all.
      keep_checkpoint_every_n_hours: beyond these, one in so many hours is kept for good.
      defer_build: find the variables when `build` is called.
      allow_empty: whether there may be no variables.
      name, sharded, restore_sequentially, saver_def, builder, write_version, pad_step_number,
      save_relative_paths, filename: without effect.

    Raises:
      ValueError: no variables, or two of one name. TypeError: something is no variable.
      RuntimeError: in eager mode, no ``var_list``.

    >>> import gradtape.compat.v1 as tf, tempfile
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.get_variable("v", initializer=[1.0, 2.0])
    ...     session.run(tf.global_variables_initializer())
    ...     saver = tf.train.Saver()
    ...     path = saver.save(session, tempfile.mkdtemp() + "/model", global_step=7)
    ...     zeros = session.run(v.assign([0.0, 0.0]))
    ...     saver.restore(session, path)
    ...     print(path[-8:], session.run(v))
    /model-7 [1. 2.]

    As TensorFlow 2.21 (1.15); see docs/differences.md for the files.
    """

    def __init__(
        self,
        var_list=None,
        reshape=False,
        sharded=False,
        max_to_keep=5,
        keep_checkpoint_every_n_hours=10000.0,
        name=None,
        restore_sequentially=False,
        saver_def=None,
        builder=None,
        defer_build=False,
        allow_empty=False,
        write_version=2,
        pad_step_number=False,
        save_relative_paths=False,
        filename=None,
    ):
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set defer_build=False or "
                "var_list=None."
            )
        self._given, self._reshape, self._allow_empty = var_list, reshape, allow_empty
        self._max_to_keep = max_to_keep or 0
        self._every = keep_checkpoint_every_n_hours * 3600
        self._next_kept = time.time() + self._every
        self._last: list[tuple[str, float]] = []
        self._variables: dict[str, Any] | None = None
        if not defer_build:
            self.build()

    def build(self):
        """Finds the variables, where the constructor has been told not to."""
        given = self._given
        if current_graph() is None and given is None:
            raise RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
            )
        if given is None:
            graph = home_graph()
            given = graph.get_collection(GraphKeys.GLOBAL_VARIABLES) + graph.get_collection(
                GraphKeys.SAVEABLE_OBJECTS
            )
        self._variables = _by_name(given)
        if not self._variables and not self._allow_empty:
            raise ValueError("No variables to save")

    @property
    def _saved(self) -> dict[str, Any]:
        if self._variables is None:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        return self._variables

    # --- Saving

    def save(
        self,
        sess,
        save_path,
        global_step=None,
        latest_filename=None,
        meta_graph_suffix="meta",
        write_meta_graph=True,
        write_state=True,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """Saves the variables; gives the path to restore them by.

        Args:
          sess: a session; without effect in eager mode.
          save_path: the path, to which ``-<global_step>`` is appended if there is one.
          global_step: a number, or a variable or tensor of the graph.
          latest_filename: the name of the file in the same folder that says what is there, "checkpoint" by default.
          write_state: whether to write that file.
          meta_graph_suffix, write_meta_graph, strip_default_attrs, save_debug_info: without effect: the graph is
            not saved.

        Raises:
          TypeError: ``sess`` is no session. ValueError: ``latest_filename`` is a path.
          FailedPreconditionError: a variable has no value.
        """
        folder = self._check(sess, save_path, latest_filename)
        path = os.fspath(save_path)
        if global_step is not None:
            if isinstance(global_step, (Variable, Tensor)):
                global_step = value_of_step(sess, global_step)
            path = f"{path}-{int(global_step)}"
        names = list(self._saved)
        write_tensors(file_of(path), dict(zip(names, values_of(list(self._saved.values()), sess))))
        if write_state:
            old = self._remembered(path)
            update_checkpoint_state(
                folder,
                path,
                [p for p, _ in self._last],
                latest_filename,
            )
            for gone in old:  # after the state no longer names them
                remove_checkpoint(gone)
        return path

    def _check(self, sess: Any, save_path: Any, latest_filename: str | None) -> str:
        if latest_filename and os.path.basename(latest_filename) != latest_filename:
            raise ValueError("'latest_filename' must not contain path components")
        in_graph = any(hasattr(v, "_graph") for v in self._saved.values())
        if in_graph and not isinstance(sess, BaseSession):
            raise TypeError(f"'sess' must be a Session; {sess}")
        folder, name = os.path.split(os.fspath(save_path))
        if not name:
            raise ValueError(f"'save_path' must name a file, and not only a folder: {save_path!r}")
        return folder

    def _remembered(self, path: str) -> list[str]:
        """Notes a new checkpoint; gives those that are to be deleted for it."""
        if not self._max_to_keep:
            return []
        self._last = [pair for pair in self._last if pair[0] != path]
        self._last.append((path, time.time()))
        old = []
        while len(self._last) > self._max_to_keep:
            gone, written = self._last.pop(0)
            if written > self._next_kept:
                self._next_kept += self._every
            else:
                old.append(gone)
        return old

    # --- Restoring

    def restore(self, sess, save_path):
        """Gives the variables the values of a checkpoint. They need no initializer before.

        Raises:
          ValueError: there is no such checkpoint.
          NotFoundError: it has no value for a variable.
          InvalidArgumentError: a value has another shape or dtype than the variable.
          DataLossError: the file is damaged.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        if not checkpoint_exists(save_path) and not os.path.exists(f"{os.fspath(save_path)}.index"):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {os.fspath(save_path)}")
        file = open_checkpoint(save_path)
        missing = [name for name in self._saved if name not in file]
        if missing:
            raise NotFoundError.of(
                "Restoring from checkpoint failed. This is most likely due to a Variable name or other graph key that "
                "is missing from the checkpoint. Please ensure that you have not altered the graph expected based on "
                f"the checkpoint. Key {missing[0]} not found in checkpoint {file.path}"
                + (f", nor are {', '.join(missing[1:])}." if missing[1:] else ".")
                + f" It has: {', '.join(file.names())}."
            )
        try:
            pairs = [(v, fitting(file, name, v, self._reshape)) for name, v in self._saved.items()]
        except InvalidArgumentError as error:
            raise InvalidArgumentError.of(
                "Restoring from checkpoint failed. This is most likely due to a mismatch between the current graph "
                "and the graph from the checkpoint. Please ensure that you have not altered the graph expected based "
                f"on the checkpoint. {error.message}"
            ) from None
        assign_all(pairs, sess)

    # --- What there is

    @property
    def last_checkpoints(self):
        """The paths of the checkpoints that this saver has written and not deleted, the oldest first."""
        return [path for path, _ in self._last]

    def set_last_checkpoints(self, last_checkpoints):
        """Says what this saver has written, the oldest first; their times are not known."""
        self._last = [(path, float("inf")) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        """Says what this saver has written, in pairs of path and time."""
        self._last = [(path, written) for path, written in last_checkpoints_with_time]

    def recover_last_checkpoints(self, checkpoint_paths):
        """Takes over the checkpoints of an earlier run, so that they count and are deleted in their turn."""
        there = [path for path in checkpoint_paths if checkpoint_exists(path)]
        self._last = list(zip(there, get_checkpoint_mtimes(there)))


def _by_name(given: Any) -> dict[str, Any]:
    """The variables by their names in a file."""
    if isinstance(given, Mapping):
        pairs = [(name, v) for name, v in given.items()]
    else:
        pairs = [(None, v) for v in flatten(given)]
    found: dict[str, Any] = {}
    seen: dict[int, str] = {}
    for name, variable in pairs:
        variable = owner(variable)
        if not isinstance(variable, Variable):
            raise TypeError(f"Variable to save is not a Variable: {variable!r}")
        name = variable_key(variable) if name is None else name
        if name in found:
            raise ValueError(f"At least two variables have the same name: {name}")
        if id(variable) in seen:
            raise ValueError(f"The same saveable will be restored with two names: {name}")
        found[name], seen[id(variable)] = variable, name
    return found
