"""Passes over datasets, as users hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from gradtape._src.control.body import is_symbolic
from gradtape._src.core.context import under
from gradtape._src.core.dtypes import int64
from gradtape._src.core.errors import InvalidArgumentError, OperatorNotAllowedInGraphError, OutOfRangeError
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import EagerTensor
from gradtape._src.function.func_graph import init_scope
from gradtape._src.function.iteration import opened, parts_if_any, taken_parts
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.variables import Variable

_MOST_IN_A_GRAPH = 1000


class Pass:
    """The elements of a pass, counted: a checkpoint keeps how many it gave, and restores it by giving them again."""

    def __init__(self, dataset: Any) -> None:
        self._dataset, self._elements = dataset, dataset._begun(())
        self._given = 0
        self._position: Any = None  # a variable for checkpoints; what was written there last
        self._written = 0

    def __iter__(self) -> Pass:
        return self

    def __next__(self) -> Any:
        if self._position is not None:
            self._follow()
        element = next(self._elements)
        self._given += 1
        return element

    def position(self) -> Variable:
        """A variable with the number of elements given; what it is assigned, the next element follows."""
        if self._position is None:
            with init_scope():
                self._position = Variable(0, trainable=False, dtype=int64, name="position")
        self._follow()
        self._written = self._given
        self._position.assign(self._given)
        return self._position

    def _follow(self) -> None:
        wanted = int(self._position.numpy())
        if wanted == self._written:
            return
        self._written = wanted
        if wanted < self._given:
            self._elements, self._given = self._dataset._begun(()), 0
        self._given += sum(1 for _ in islice(self._elements, wanted - self._given))


class DatasetIterator:
    """A pass over the elements of a dataset: what ``iter(dataset)`` gives.

    In a ``tf.function`` that makes it the pass is begun whenever the function is called; one from outside goes on.

    >>> import gradtape as tf
    >>> iterator = iter(tf.data.Dataset.range(2))
    >>> next(iterator).numpy(), iterator.get_next().numpy()
    (np.int64(0), np.int64(1))
    >>> next(iterator, "the end")
    'the end'

    As TensorFlow 2.21.
    """

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._symbol = opened(dataset) if is_symbolic() else None
        self._elements: Iterator[Any] = iter(()) if self._symbol is not None else Pass(dataset)
        self._nest = dataset._nester()
        self._asked: tuple[Any, int] = (
            None,
            0,
        )  # the graph that is being built, and how often it took an element

    def _trackable_children(self) -> dict[str, Any]:
        return {"position": self._elements.position()} if isinstance(self._elements, Pass) else {}

    @property
    def element_spec(self) -> Any:
        """The ``tf.TensorSpec`` of each component, in the structure of the elements."""
        return self._dataset.element_spec

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        if is_symbolic():
            self._count()
            return self._next_symbols()
        with under(None, ()):
            leaves = next(self._elements)
        return self._nest(leaves)

    def _count(self) -> None:
        """Stops a `for` of plain Python, which would add operations to the graph without end."""
        graph = current_graph()
        self._asked = (graph, self._asked[1] + 1 if self._asked[0] is graph else 1)
        if self._asked[1] > _MOST_IN_A_GRAPH:
            raise OperatorNotAllowedInGraphError(
                "Iterating over a dataset is not allowed in a graph: AutoGraph did not convert this function. Decorate "
                "it with `@tf.function` itself, and define it in a file, where its source can be read."
            )

    def _next_symbols(self) -> Any:
        return self._nested(taken_parts(self._source, self.element_spec))

    def _nested(self, parts: Any) -> Any:
        return self._dataset._nested(parts)

    @property
    def _source(self) -> Any:
        return self._elements if self._symbol is None else self._symbol

    def get_next(self) -> Any:
        """The next element. ``tf.errors.OutOfRangeError`` at the end."""
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError.of("End of sequence [Op:IteratorGetNext]") from None

    def get_next_as_optional(self) -> Optional:
        """The next element as a `tf.experimental.Optional`, which has no value at the end."""
        if is_symbolic():
            has, *parts = parts_if_any(self._source, self.element_spec)
            return Optional(has, self._dataset._nested(parts), self.element_spec)
        element = next(self, None)
        return Optional(EagerTensor(np.array(element is not None)), element, self.element_spec)


class Optional:
    """A value that may be missing: what ``iterator.get_next_as_optional()`` gives.

    >>> import gradtape as tf
    >>> optional = iter(tf.data.Dataset.range(1)).get_next_as_optional()
    >>> bool(optional.has_value()), optional.get_value().numpy()
    (True, np.int64(0))

    As TensorFlow 2.21.
    """

    def __init__(self, has_value: Any, value: Any, spec: Any) -> None:
        self._has_value = has_value
        self._value = value
        self.element_spec = spec

    def has_value(self, name: str | None = None) -> Any:
        """Whether there is a value, as a boolean tensor."""
        return self._has_value

    def get_value(self, name: str | None = None) -> Any:
        """The value. In a graph it is zeros or empty where there is none.

        Raises:
          InvalidArgumentError: (in eager mode) there is none.
        """
        if self._value is None:
            raise InvalidArgumentError.of("The given optional does not have a value. [Op:OptionalGetValue]")
        return self._value


class NumpyIterator:
    """A pass that gives NumPy arrays and scalars: what ``dataset.as_numpy_iterator()`` gives."""

    def __init__(self, dataset: Any) -> None:
        self._iterator = DatasetIterator(dataset)
        for spec in flatten(dataset.element_spec):
            if not hasattr(spec, "dtype"):
                raise TypeError(
                    f"`tf.data.Dataset.as_numpy_iterator()` is not supported for datasets that produce values of type "
                    f"{type(spec).__name__}."
                )
        self._pack = dataset._pack

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        with under(None, ()):
            leaves = next(self._iterator._elements)
        return self._pack([x[()] for x in leaves])

    def next(self) -> Any:
        """The next element."""
        return self.__next__()
