"""Steps of training in a graph of TensorFlow 1: built once for placeholders, and run in Keras's session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.api.creation import zeros
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.function.function import function
from gradtape._src.graph.ir import current_graph, placeholder
from gradtape._src.keras.backend_state import get_session, session_of_graph


class SessionStep:
    """A step that takes and gives numbers, while what it does is part of the graph."""

    def __init__(self, step: Callable[[Any], Any]) -> None:
        self._step = step
        self._built: dict[Any, tuple[list[Any], Any]] = {}  # by the dtypes and shapes of samples

    def __call__(self, batch: Any) -> Any:
        arrays = [None if x is None else np.asarray(x) for x in flatten(batch)]
        key = tuple(None if a is None else (a.dtype, a.shape[1:], a.ndim) for a in arrays)
        if key not in self._built:
            feeds = [None if a is None else _placeholder(a) for a in arrays]
            self._built[key] = feeds, self._step(pack_sequence_as(batch, feeds))
            get_session()  # which gives new variables their first values
        feeds, outputs = self._built[key]
        values = {feed: a for feed, a in zip(feeds, arrays) if feed is not None}
        return session_of_graph().run(outputs, values)


def _placeholder(array: np.ndarray) -> Any:
    """For arrays of any number of such samples."""
    graph = current_graph()
    assert graph is not None
    params = {"shape": (None, *array.shape[1:]) if array.ndim else (), "dtype": array.dtype}
    return graph.append(placeholder, (), params, "batch").outputs[0]


def run_for_effect(action: Callable[[], Any]) -> Callable[[], None]:
    """A function that does in the session what ``action`` does to variables."""

    def done() -> Any:
        action()
        return zeros([])

    symbol = function(done)()
    get_session()

    def run() -> None:
        session_of_graph().run(symbol)

    return run


def number_now(x: Any) -> float:
    """A number, or the value of a tensor or variable now; of one in a graph, in the session."""
    return float(np.asarray(x) if current_graph() is None else session_of_graph().run(as_tensor(x)))
