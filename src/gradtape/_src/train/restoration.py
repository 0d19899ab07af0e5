"""The values of a checkpoint on their way into objects, now and as the objects come to be.

The names of a checkpoint are a tree, as the objects are by their attributes; both are walked together. An object for
which the tree has more than it has parts yet keeps a note (`api/trackable.py`), and is walked again when it gets them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gradtape._src.api.trackable import PENDING, VALUE, children, walk
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.variables import Variable
from gradtape._src.train.assigning import assign_all, fitting, variable_key
from gradtape._src.train.tensor_files import TensorFile

SLOT = (
    ".OPTIMIZER_SLOT"  # what TensorFlow puts between a variable and the optimizer that keeps something for it
)

Tree = dict[str, Any]


class Restoration:
    """What is to be restored from a file, and what has been."""

    def __init__(self, file: TensorFile, root: Any) -> None:
        self.file, self.root = file, root
        self.unused = set(file.names())
        self.restored: dict[int, Any] = {}  # variables by identity
        self.in_sessions: list[tuple[Any, np.ndarray]] = []  # variables that get their values in a session
        self._nodes: dict[int, tuple[Tree, str]] = {}  # of objects: their place in the tree
        self._tree = _tree(file.names())
        self._by_name = not any(name.endswith(VALUE) for name in file.names())  # written by a tf.train.Saver

    def proceed(self) -> None:
        """Restores what can be restored by now."""
        if self._by_name:
            found = [(variable_key(v), v) for _, v in walk(self.root) if isinstance(v, Variable)]
            self._assign([(key, v) for key, v in found if key in self.file])
        else:
            self._match(self._tree, "", self.root)

    def _match(self, tree: Tree, path: str, top: Any) -> None:
        """Restores the variables under an object, all of them or none, and leaves notes on objects that lack parts."""
        pairs: list[tuple[str, Any]] = []
        visited: set[tuple[int, str]] = set()
        objects: list[tuple[Any, Tree, str]] = []

        def visit(value: Any, node: Tree, path: str) -> None:
            if (id(value), path) in visited:
                return
            visited.add((id(value), path))
            self._nodes[id(value)] = (node, path)
            if isinstance(value, Variable):
                key = f"{path}/{VALUE}"
                if key in self.file:
                    pairs.append((key, value))
                return
            objects.append((value, node, path))
            for other in getattr(value, "_same_place", ()):
                visit(other, node, path)
            for name, child in children(value).items():
                step = name.replace(".", "..").replace("/", ".S")
                if step in node:
                    visit(child, node[step], f"{path}/{step}" if path else step)

        visit(top, tree, path)
        for value, _, place in objects:
            pairs += self._slots(value, place)
        self._assign(pairs)
        for value, node, place in objects:
            self._note(value, node, place)

    def _slots(self, optimizer: Any, place: str) -> list[tuple[str, Any]]:
        """What an optimizer keeps beside variables: its place in a checkpoint is below the variable's."""
        pairs = []
        for variable, name, slot in getattr(optimizer, "_slot_variables", tuple)():
            _, path = self._nodes.get(id(variable), ({}, ""))
            key = slot_key(path, place, name)
            if key in self.file:
                pairs.append((key, slot))
        return pairs

    def _assign(self, pairs: list[tuple[str, Any]]) -> None:
        new = [(key, v) for key, v in pairs if id(v) not in self.restored]
        values = [
            (v, fitting(self.file, key, v, wrong_shape=ValueError)) for key, v in new
        ]  # every one is checked before any is assigned
        assign_all([(v, value) for v, value in values if not isinstance(v, GraphVariable)])
        self.in_sessions += [(v, value) for v, value in values if isinstance(v, GraphVariable)]
        self.restored.update((id(v), v) for v, _ in values)
        self.unused -= {key for key, _ in pairs}

    def _note(self, value: Any, node: Tree, place: str) -> None:
        """Has an object say when it gets parts, as long as the checkpoint has more for it."""
        if not hasattr(value, "__dict__"):
            return
        prefix, part = f"{place}/" if place else "", f"/{SLOT}/{place}/"
        more = any(key.startswith(prefix) or part in key for key in self.unused)
        if more:
            object.__setattr__(value, PENDING, partial(self._match, node, place))
        elif PENDING in vars(value):
            object.__delattr__(value, PENDING)

    # --- What was restored, and what was not

    def unmatched(self) -> list[Any]:
        """The variables that the checkpoint has no value for."""
        found = [(path, v) for path, v in walk(self.root) if isinstance(v, Variable)]
        return [v for path, v in found if id(v) not in self.restored and path != "save_counter"]


def slot_key(variable: str, optimizer: str, name: str) -> str:
    """The name in a checkpoint of what an optimizer keeps beside a variable."""
    return f"{variable}/{SLOT}/{optimizer}/{name}/{VALUE}"


def _tree(names: list[str]) -> Tree:
    tree: Tree = {}
    for name in names:
        node = tree
        for step in name.split("/"):
            node = node.setdefault(step, {})
    return tree


class CheckpointLoadStatus:
    """What `tf.train.Checkpoint.restore` returns: asks whether everything was found.

    Variables that are made after `restore` are restored when they are made, if they become attributes of the objects.

    >>> import gradtape as tf, tempfile
    >>> path = tf.train.Checkpoint(v=tf.Variable(3.0)).write(tempfile.mkdtemp() + "/model")
    >>> v = tf.Variable(0.0)
    >>> status = tf.train.Checkpoint(v=v).read(path).assert_consumed()
    >>> v.numpy()
    np.float32(3.0)
    """

    def __init__(self, restoration: Restoration) -> None:
        self._restoration = restoration

    def assert_consumed(self):
        """Checks that every value of the checkpoint went into a variable, and every variable got a value.

        Raises:
          AssertionError: it is not so.
        """
        self.assert_existing_objects_matched()
        if self._restoration.unused:
            names = sorted(self._restoration.unused)
            raise AssertionError(
                f"Unresolved object in checkpoint: {len(names)} values of {self._restoration.file.path} have no "
                f"variable in the program. Showing {min(10, len(names))} of them: {names[:10]}"
            )
        return self

    def assert_existing_objects_matched(self):
        """Checks that every variable that there is got a value.

        Raises:
          AssertionError: it is not so.
        """
        self._restoration.proceed()
        missing = self._restoration.unmatched()
        if missing:
            raise AssertionError(
                f"Found {len(missing)} Python objects that were not bound to checkpointed values, likely due to "
                f"changes in the Python program. Showing {min(10, len(missing))} of {len(missing)} unmatched objects: "
                f"{missing[:10]}"
            )
        return self

    def assert_nontrivial_match(self):
        """Checks that something was restored.

        Raises:
          AssertionError: nothing was.
        """
        self._restoration.proceed()
        if not self._restoration.restored:
            raise AssertionError(
                f"Nothing to load. Nothing in {self._restoration.file.path} belongs to an object of the program: it "
                f"has {self._restoration.file.names()[:10]}."
            )
        return self

    def expect_partial(self):
        """Says that values may be left over. Nothing is said about these in any case."""
        return self

    def run_restore_ops(self, session=None):
        """In a graph, gives the variables their values in a session; in eager mode they have them."""
        assign_all(self._restoration.in_sessions, session)

    def initialize_or_restore(self, session=None):
        """In a graph, initializes the variables that the checkpoint has no value for, and restores the others."""
        rest = [v.initializer for v in self._restoration.unmatched() if isinstance(v, GraphVariable)]
        if rest:
            assert session is not None, "initialize_or_restore needs a session"
            session.run(rest)
        self.run_restore_ops(session)


class InitializationOnlyStatus:
    """What `restore(None)` returns: there was nothing to restore."""

    def __init__(self, root: Any) -> None:
        self._root = root

    def _nothing(self):
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = _nothing

    def expect_partial(self):
        """Nothing was expected."""
        return self

    def run_restore_ops(self, session=None):
        """AssertionError: there is nothing to restore."""
        self._nothing()

    def initialize_or_restore(self, session=None):
        """In a graph, initializes the variables."""
        found = [v.initializer for _, v in walk(self._root) if isinstance(v, GraphVariable)]
        if found and session is not None:
            session.run(found)
