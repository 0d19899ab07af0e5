"""Why a graph does not come out of a file: `tf.train.import_meta_graph` and `export_meta_graph`."""

from __future__ import annotations

from typing import Any, NoReturn

from gradtape._src.core.errors import UnimplementedError

_WAY_OUT = (
    "A graph of gradtape consists of Python functions and cannot be stored. Run the code that builds the graph, and "
    "then tf.train.Saver().restore(session, path): checkpoints hold the variables by name. (docs/differences.md)"
)


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: Any = None, **kwargs: Any
) -> NoReturn:
    """Says how to restore a model: a graph is built by its code, and a `tf.train.Saver` restores the variables.

    Raises:
      UnimplementedError: always.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.import_meta_graph("model.meta")
    Traceback (most recent call last):
    ...
    gradtape._src.core.errors.UnimplementedError: The graph of 'model.meta' cannot be imported. A graph of gradtape ...
    """
    raise UnimplementedError.of(f"The graph of {meta_graph_or_file!r} cannot be imported. {_WAY_OUT}")


def export_meta_graph(filename: Any = None, **kwargs: Any) -> NoReturn:
    """Says how to save a model: a `tf.train.Saver` saves the variables, and the code builds the graph.

    Raises:
      UnimplementedError: always.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.export_meta_graph("model.meta")
    Traceback (most recent call last):
    ...
    gradtape._src.core.errors.UnimplementedError: A graph cannot be exported to 'model.meta'. A graph of gradtape ...
    """
    raise UnimplementedError.of(f"A graph cannot be exported to {filename!r}. {_WAY_OUT}")
