"""The default graph: what operations are added to outside of every ``with graph.as_default():``, in graph mode."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.context import _state, current_interpreter, current_recorders
from gradtape._src.graph.ir import Graph, current_graph
from gradtape._src.graph.running import default_session

_outermost: Graph | None = None


def get_default_graph() -> Graph:
    """The graph that is being built, or else the global default graph.

    >>> import gradtape.compat.v1 as tf
    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     tf.get_default_graph() is graph
    True
    """
    return current_graph() or outermost()


def outermost() -> Graph:
    """The global default graph."""
    global _outermost
    if _outermost is None:
        _outermost = Graph()
    return _outermost


def reset_default_graph() -> None:
    """Begins a new, empty default graph; what belongs to the old one stays there.

    Raises:
      AssertionError: inside ``with graph.as_default():``, which would not see it.

    >>> import gradtape.compat.v1 as tf
    >>> tf.reset_default_graph()
    """
    global _outermost
    interpreter = current_interpreter()
    if interpreter is not None and interpreter is not _outermost:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    _outermost = None
    if interpreter is not None:
        start_graph_mode()


def start_graph_mode() -> None:
    """From here on operations outside of every ``with`` block are added to the default graph."""
    _state.set((outermost(), current_recorders()))


def stop_graph_mode() -> None:
    """From here on operations outside of every ``with`` block are executed at once."""
    _state.set((None, current_recorders()))


def get_default_session() -> Any:
    """The session of the innermost ``with session:`` or ``with session.as_default():``, or None.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Session(graph=tf.Graph()) as session:
    ...     tf.get_default_session() is session
    True
    """
    return default_session.get()
