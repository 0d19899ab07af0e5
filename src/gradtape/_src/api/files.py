"""Files as tensors of strings: `tf.io.read_file`, `tf.io.write_file`, `tf.io.matching_files`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from gradtape._src.api.gfile import GFile, glob
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.op import Op
from gradtape._src.graph.ir import current_graph

_STRING = np.dtype(object)


def _one(text: Any) -> str:
    item: Any = np.asarray(text)[()]
    return os.fsdecode(item)


def _read(filename: Any) -> np.ndarray:
    with GFile(_one(filename), "rb") as file:
        return np.array(file.read(), object)


def _write(filename: Any, contents: Any) -> tuple[()]:
    name = _one(filename)
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with GFile(name, "wb") as file:
        file.write(np.asarray(contents)[()])
    return ()


def _matching(pattern: Any) -> np.ndarray:
    found = glob([os.fsdecode(one) for one in np.asarray(pattern).reshape(-1)])
    return np.array([os.fsencode(name) for name in sorted(found)], object).reshape(len(found))


_read_file = Op("ReadFile", _read, shape=lambda f: (), dtype=_STRING, stateful=True, accepts="string")
_write_file = Op(
    "WriteFile", _write, multi=True, shape=lambda f, c: [], dtype=_STRING, stateful=True, accepts="string"
)
_matching_files = Op(
    "MatchingFiles", _matching, shape=lambda p: (None,), dtype=_STRING, stateful=True, accepts="string"
)


def read_file(filename, name=None):
    """The bytes of a file, as a tensor of strings.

    Raises:
      NotFoundError: there is none.

    >>> import gradtape as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/note"
    >>> tf.io.write_file(path, "hello")
    >>> tf.io.read_file(path).numpy()
    b'hello'
    """
    return _read_file.of(as_tensor(filename), name=name)


def write_file(filename, contents, name=None):
    """Writes a tensor of strings to a file; folders are made. In a graph it gives the operation that does it.

    >>> import gradtape as tf, tempfile
    >>> tf.io.write_file(tempfile.mkdtemp() + "/new/note", "hello")
    """
    args = (as_tensor(filename), as_tensor(contents))
    graph = current_graph()
    if graph is not None:
        return graph.append(_write_file, tuple(map(graph.input, args)), {}, name)
    _write_file.of(*args)
    return None


def matching_files(pattern, name=None):
    """The names of the files that a pattern, or one of several, matches; sorted.

    >>> import gradtape as tf
    >>> tf.io.matching_files("/no/such/*")
    <tf.Tensor: shape=(0,), dtype=string, numpy=array([], dtype=object)>
    """
    return _matching_files.of(as_tensor(pattern), name=name)
