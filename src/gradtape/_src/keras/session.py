"""`clear_session`: what Keras remembers between models, forgotten."""

from __future__ import annotations

from gradtape._src.graph.default import outermost, reset_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.naming import reset_names


def clear_session(free_memory=True):
    """Begins the numbers in the names of layers anew; in TensorFlow 1's mode, with a new default graph.

    >>> import gradtape as tf
    >>> tf.keras.backend.clear_session()
    >>> tf.keras.layers.Dense(1).name
    'dense'
    """
    reset_names()
    graph = current_graph()
    if graph is not None and graph is outermost():
        reset_default_graph()
