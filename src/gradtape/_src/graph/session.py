"""Sessions: they execute graphs, and hold the values of the graphs' variables.

A session makes a plan for each set of fetches and feeds, once, and keeps it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.context import under
from gradtape._src.core.convert import as_array
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.philox import Stream
from gradtape._src.core.printing import plain
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import Graph, Operation, Symbol
from gradtape._src.graph.plan import Plan
from gradtape._src.graph.running import default_session, variable_values

_SEEDED = 1 << 31  # keys of streams with a seed are below, those that are made up of 64 random bits are not


class IndexedSlicesValue(NamedTuple):
    """What a session gives for a `tf.IndexedSlices`: arrays."""

    values: Any
    indices: Any
    dense_shape: Any = None


class BaseSession:
    """What both kinds of session have."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f'Argument `graph` must be a tf.Graph, but got "{type(graph).__name__}"')
        self._graph = get_default_graph() if graph is None else graph
        self._closed = False
        self._values: dict[Any, Any] = {}  # of variables
        self._plans: dict[Any, Plan] = {}
        self._streams: dict[int, tuple[Stream, Stream]] = {}

    @property
    def graph(self) -> Graph:
        """The graph that is executed."""
        return self._graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Executes what is needed for ``fetches``, and gives their values.

        Args:
          fetches: a tensor, an operation, a variable, the name of one of these, or a nest of them (lists, tuples,
            dictionaries).
          feed_dict: values to use for tensors: of placeholders, or in place of what would be computed.
          options, run_metadata: without effect.

        Returns:
          NumPy arrays and scalars in the structure of ``fetches``; None for an operation.

        Raises:
          RuntimeError: the session is closed, or the graph is empty.
          TypeError: something cannot be fetched (None is said so), or fed.
          ValueError: something is not in the graph; a value does not fit the shape of the tensor that it is fed for.
          InvalidArgumentError: a placeholder is not fed. FailedPreconditionError: a variable has no value yet.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph.operations:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )
        feeds = self._feeds(feed_dict)
        elements: list[Any] = []
        rebuild = _Fetches(self._graph, elements).collect(fetches)
        if notes.journal is not None:
            notes.journal.ran(self._graph, elements, list(feeds))
        found = self._execute(elements, feeds)
        if notes.journal is not None:
            notes.journal.gave(found)
        return rebuild(iter(found))

    def _execute(self, elements: list[Any], feeds: dict[Symbol, Any]) -> list[Any]:
        key = (
            tuple([_key(element) for element in elements]),
            tuple([symbol._ghost for symbol in feeds]),
        )
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = Plan(elements, list(feeds), self._graph.operations, self._params_of)
        token = variable_values.set(self._values)
        try:
            with under(None, ()):
                found = plan(*feeds.values())
        finally:
            variable_values.reset(token)
        del feeds
        return _owned(found)

    def _params_of(self, node: Operation) -> dict[str, Any]:
        """Random numbers with a seed begin anew in each session."""
        stream = node.params.get("stream")
        if not isinstance(stream, Stream) or stream.key >= _SEEDED:
            return node.params
        if id(stream) not in self._streams:
            self._streams[id(stream)] = (stream, stream.copy())
        return {**node.params, "stream": self._streams[id(stream)][1]}

    def _feeds(self, feed_dict: Any) -> dict[Symbol, Any]:
        if feed_dict is None:
            return {}
        if not isinstance(feed_dict, Mapping):
            raise TypeError(
                "The argument `feed_dict` must be a dictionary from tensors to values, instead of "
                f"'{type(feed_dict).__name__}'."
            )
        feeds: dict[Symbol, Any] = {}
        for key, value in feed_dict.items():
            for one, part in _pairs(key, value):
                symbol = self._feedable(one)
                feeds[symbol] = _array_for(symbol, part)
        return feeds

    def _feedable(self, key: Any) -> Symbol:
        try:
            return self._graph.as_graph_element(key, allow_operation=False)
        except (TypeError, ValueError, KeyError) as error:
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """A function of the values for ``feed_list`` that runs ``fetches``."""
        keys = list(feed_list or ())

        def call(*values: Any) -> Any:
            return self.run(fetches, dict(zip(keys, values, strict=True)))

        return call

    @contextmanager
    def as_default(self) -> Iterator[BaseSession]:
        """Makes this the session of ``tensor.eval()`` and ``operation.run()`` in a ``with`` block; stays open."""
        token = default_session.set(self)
        try:
            yield self
        finally:
            default_session.reset(token)

    def close(self) -> None:
        """Ends the session: its variables lose their values."""
        self._closed = True
        self._values.clear()
        self._plans.clear()


class Session(BaseSession):
    """Executes a graph.

    In a ``with`` block the session and its graph are the default ones; at its end the session is closed.

    Args:
      target, config: without effect.
      graph: by default the default graph.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.placeholder(tf.float32, [None])
    ...     y = tf.reduce_sum(x * x)
    ...     with tf.Session() as session:
    ...         print(session.run(y, feed_dict={x: [1.0, 2.0, 3.0]}))
    14.0

    As TensorFlow 2.21 (1.15).
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._entered: list[Any] = []

    def __enter__(self) -> Session:
        entered = (self._graph.as_default(), self.as_default())
        for context in entered:
            context.__enter__()
        self._entered.append(entered)
        return self

    def __exit__(self, *exc: Any) -> None:
        for context in reversed(self._entered.pop()):
            context.__exit__(*exc)
        self.close()


class InteractiveSession(BaseSession):
    """A session that is the default one from the start, for notebooks.

    >>> import gradtape.compat.v1 as tf
    >>> session = tf.InteractiveSession(graph=tf.Graph())
    >>> print((tf.constant(2.0) * 3.0).eval())
    6.0
    >>> session.close()
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._before = default_session.get()
        default_session.set(self)
        self._in_graph = None if graph is None else graph.as_default()
        if self._in_graph is not None:
            self._in_graph.__enter__()

    def close(self) -> None:
        """Ends the session; the one that was the default before is so again."""
        if self._closed:
            return
        super().close()
        if default_session.get() is self:
            default_session.set(self._before)
        if self._in_graph is not None:
            self._in_graph.__exit__(None, None, None)


# --- Fetches ------------------------------------------------------------------------------------------------

Rebuild = Callable[[Iterator[Any]], Any]


class _Fetches:
    """Takes a nest of fetches apart: what to compute, and how to put the values together."""

    def __init__(self, graph: Graph, elements: list[Any]) -> None:
        self.graph = graph
        self.elements = elements

    def collect(self, fetch: Any) -> Rebuild:
        kind = type(fetch)
        if kind is Symbol and fetch.op.graph is self.graph:
            self.elements.append(fetch)
            return next
        if fetch is None:
            raise TypeError(
                f'Argument `fetch` = {fetch} has invalid type "{type(fetch).__name__}". Cannot be None: where it came '
                "from tf.gradients there is no differentiable path from that source (see its types, and integers, "
                "stop_gradient and assignments on the way); unconnected_gradients='zero' gives zeros instead."
                + notes.because()
            )
        if isinstance(fetch, (list, tuple)):
            parts = [self.collect(part) for part in fetch]
            if hasattr(fetch, "_fields"):
                return lambda values: kind(*[part(values) for part in parts])
            made = list if isinstance(fetch, list) else tuple
            return lambda values: made([part(values) for part in parts])
        if isinstance(fetch, Mapping):
            named = [(name, self.collect(part)) for name, part in fetch.items()]
            of_pairs = kind if issubclass(kind, dict) and not hasattr(kind, "default_factory") else dict
            return lambda values: of_pairs([(name, part(values)) for name, part in named])
        if hasattr(fetch, "indices") and hasattr(fetch, "dense_shape"):
            with under(self.graph, ()):  # what it has is computed when it is first asked for
                parts = [self._part(part) for part in fetch._components()]
            value_class = getattr(fetch, "_value_class", IndexedSlicesValue)
            return lambda values: value_class(*[part(values) for part in parts])
        if kind is EagerTensor:  # embedded in the graph it would be a constant
            fetch = fetch._data
            self.elements.append(fetch)
        else:
            self.elements.append(self._element(fetch))
        return next

    def _part(self, part: Any) -> Rebuild:
        """A part of `tf.IndexedSlices` or a sparse tensor, which may be an array."""
        return self.collect(EagerTensor(part) if isinstance(part, (np.ndarray, np.generic)) else part)

    def _element(self, fetch: Any) -> Any:
        try:
            return self.graph.as_graph_element(fetch)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {fetch!s} has invalid type "{type(fetch).__name__}" must be a string or Tensor. '
                f"({error})"
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(
                f"Argument `fetch` = {fetch!s} cannot be interpreted as a Tensor. ({error.args[0]})"
            ) from None


def _key(element: Any) -> Any:
    if isinstance(element, (np.ndarray, np.generic)):
        return id(element)  # the plan keeps it alive
    return element._ghost if type(element) is Symbol else element


def _references(values: list[Any]) -> list[int]:
    return [sys.getrefcount(value) for value in values]


_ALONE = _references([np.zeros(1)])[0]


def _owned(values: list[Any]) -> list[Any]:
    """Arrays of the user's own: copies of those that a variable, a constant or a feed shares."""
    counts = _references(values)
    for i, (value, count) in enumerate(zip(values, counts)):
        if value is None:
            continue
        value = plain(value) if value.dtype.fields else value
        if value.ndim == 0:
            values[i] = value[()]
        elif count > _ALONE or value.base is not None:
            values[i] = value.copy()
    return values


# --- Feeds --------------------------------------------------------------------------------------------------


def _pairs(key: Any, value: Any) -> list[tuple[Any, Any]]:
    """Tensors and values of one entry of a feed_dict: several for a tuple of tensors, or a sparse one."""
    if isinstance(key, tuple):
        if not isinstance(value, (list, tuple)) or len(value) != len(key):
            raise ValueError(f"The feed_dict key {key!r} needs {len(key)} values, received {value!r}.")
        return [pair for one, part in zip(key, value) for pair in _pairs(one, part)]
    if hasattr(key, "indices") and hasattr(key, "dense_shape"):
        return [(part, one) for part, one in zip(key._components(), value) if hasattr(part, "op")]
    return [(key, value)]


def _array_for(symbol: Symbol, value: Any) -> Any:
    """A value as the array that is fed for a tensor."""
    if isinstance(value, Tensor):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, "
            f"lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value!s} which was "
            f"passed to the argument `feed_dict` with key {symbol!s}."
        )
    dtype, shape = symbol._ghost.dtype, symbol._ghost.shape
    if type(value) is int and dtype.kind in "iu" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {dtype.type}. Try "
            "explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
        )
    try:
        array = as_array(value, from_numpy(dtype)) if dtype.kind == "O" else np.asarray(value, dtype)
    except (TypeError, ValueError) as error:
        error.add_note(f"The value was fed for {symbol._described()}, of dtype {from_numpy(dtype).name}.")
        raise
    if not compatible(shape, array.shape):
        refusal = ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {symbol.name}, which has shape {as_text(shape)}"
        )
        refusal.add_note(
            f"The value was fed for {symbol._described()}. Reshape the value, or make the placeholder with None for "
            "dimensions that vary."
        )
        raise refusal
    return array
