"""Datasets of TensorFlow 1: iterators whose elements are tensors of a graph, taken anew by each ``session.run``.

Where a pass stands belongs to the session, as the values of variables do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.core.errors import FailedPreconditionError
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor
from gradtape._src.data.dataset import Dataset as DatasetV2
from gradtape._src.data.elements import packer, signature
from gradtape._src.data.iterators import DatasetIterator
from gradtape._src.data.recipe import Recipe
from gradtape._src.data.records import FixedLengthRecordDataset as FixedLengthRecordDatasetV2
from gradtape._src.data.records import TextLineDataset as TextLineDatasetV2
from gradtape._src.data.records import TFRecordDataset as TFRecordDatasetV2
from gradtape._src.function.iteration import taken_parts
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.running import variable_values


class Dataset(DatasetV2):
    """`tf.data.Dataset` with the iterators of TensorFlow 1.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.data.Dataset.range(2).make_one_shot_iterator().get_next()
    ...     print(session.run(x), session.run(x))
    ...     try:
    ...         session.run(x)
    ...     except tf.errors.OutOfRangeError:
    ...         print("the end")
    0 1
    the end

    As TensorFlow 2.21.
    """

    @classmethod
    def _made(cls, recipe: Recipe) -> Any:
        return Dataset(recipe)

    def make_one_shot_iterator(self) -> Any:
        """An iterator that begins by itself, in each session. In eager mode: ``iter(dataset)``."""
        return make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator that begins whenever its ``initializer`` is run."""
        return make_initializable_iterator(self, shared_name)

    def map_with_legacy_function(
        self,
        map_func: Any,
        num_parallel_calls: Any = None,
        deterministic: Any = None,
        use_unbounded_threadpool: bool = False,
    ) -> Any:
        """As ``map``."""
        return self.map(map_func, num_parallel_calls, deterministic)

    def filter_with_legacy_function(self, predicate: Any) -> Any:
        """As ``filter``."""
        return self.filter(predicate)

    @property
    def output_types(self) -> Any:
        """The dtypes of an element, in its structure."""
        return get_output_types(self)

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element, in its structure."""
        return get_output_shapes(self)

    @property
    def output_classes(self) -> Any:
        """The Python types of the parts of an element."""
        return get_output_classes(self)


class TextLineDataset(Dataset, TextLineDatasetV2):
    """`tf.data.TextLineDataset` with the iterators of TensorFlow 1."""


class TFRecordDataset(Dataset, TFRecordDatasetV2):
    """`tf.data.TFRecordDataset` with the iterators of TensorFlow 1."""


class FixedLengthRecordDataset(Dataset, FixedLengthRecordDatasetV2):
    """`tf.data.FixedLengthRecordDataset` with the iterators of TensorFlow 1."""


def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of an element, in its structure.

    >>> import gradtape.compat.v1 as tf
    >>> tf.data.get_output_types(tf.data.Dataset.range(2))
    tf.int64
    """
    return map_structure(lambda s: s.dtype, dataset_or_iterator.element_spec)


def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of an element, in its structure.

    >>> import gradtape.compat.v1 as tf
    >>> tf.data.get_output_shapes(tf.data.Dataset.range(2).batch(2))
    TensorShape([None])
    """
    return map_structure(lambda s: s.shape, dataset_or_iterator.element_spec)


def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The Python types of the parts of an element."""
    return map_structure(lambda s: Tensor, dataset_or_iterator.element_spec)


def make_one_shot_iterator(dataset: Any) -> Any:
    """An iterator that begins by itself, in each session. In eager mode: ``iter(dataset)``.

    Raises:
      ValueError: the dataset depends on placeholders or other tensors of the graph.
    """
    if current_graph() is None:
        return DatasetIterator(dataset)
    if dataset._needs:
        raise ValueError(
            f"A one-shot iterator cannot depend on tensors of the graph, and the dataset does: {list(dataset._needs)}. "
            f"Use make_initializable_iterator and run its initializer."
        )
    return GraphIterator(_Place(dataset), dataset.element_spec, None)


def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """An iterator that begins whenever its ``initializer`` is run, with the placeholders that are fed then.

    Raises:
      RuntimeError: in eager mode.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     data = tf.placeholder(tf.float32, [None])
    ...     iterator = tf.data.make_initializable_iterator(tf.data.Dataset.from_tensor_slices(data))
    ...     x = iterator.get_next()
    ...     session.run(iterator.initializer, {data: [1.5, 2.5]})
    ...     print(session.run(x))
    1.5
    """
    if current_graph() is None:
        raise RuntimeError(
            "dataset.make_initializable_iterator is not supported when eager execution is enabled. Use `for element in "
            "dataset` instead."
        )
    place = _Place()
    iterator = GraphIterator(place, dataset.element_spec, None)
    iterator._initializer = iterator.make_initializer(dataset)
    return iterator


class _Place:
    """Where the passes of an iterator are kept: one in each session. ``dataset``: what to begin without being told."""

    element_spec: Any = None

    def __init__(self, dataset: Any = None) -> None:
        self._dataset = dataset
        self._outside: dict[Any, Any] = {}

    def _of_session(self) -> dict[Any, Any]:
        values = variable_values.get()
        return self._outside if values is None else values

    def begin(self, elements: Iterator[Any]) -> None:
        self._of_session()[self] = elements

    def __iter__(self) -> _Place:
        return self

    def __next__(self) -> Any:
        passes = self._of_session()
        if self not in passes:
            if self._dataset is None:
                raise FailedPreconditionError.of(
                    "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                    "initializer operation for this iterator before getting the next element."
                )
            passes[self] = self._dataset._begun(())
        return next(passes[self])


def _begin(*values: Any, dataset: Any, place: _Place) -> np.ndarray:
    place.begin(dataset._begun(values))
    return np.array(True)


begin_op = Op(
    "MakeIterator",
    _begin,
    shape=lambda *values, dataset, place: (),
    dtype=np.dtype(bool),
    stateful=True,
)
"""Begins a pass over a dataset, in the session that runs."""


class GraphIterator:
    """An iterator in a graph of TensorFlow 1.

    ``get_next()`` gives tensors, whose values are the next element whenever a session runs them; at the end
    `tf.errors.OutOfRangeError` is raised.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     few, many = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 100)
    ...     iterator = tf.data.Iterator.from_structure(few.output_types, few.output_shapes)
    ...     x = iterator.get_next()
    ...     for dataset in (few, many):
    ...         session.run(iterator.make_initializer(dataset))
    ...         print(session.run(x))
    0
    10

    As TensorFlow 2.21.
    """

    def __init__(self, place: Any, spec: Any, initializer: Any) -> None:
        self._place = place
        self._spec = spec
        self._initializer = initializer

    @staticmethod
    def from_structure(
        output_types: Any,
        output_shapes: Any = None,
        shared_name: str | None = None,
        output_classes: Any = None,
    ) -> GraphIterator:
        """An iterator over any dataset with such elements; ``make_initializer`` says which."""
        return GraphIterator(_Place(), signature(output_types, output_shapes), None)

    @property
    def initializer(self) -> Any:
        """The operation that begins.

        Raises:
          ValueError: it has none of its own: it is a one-shot iterator, or its datasets are given later.
        """
        if self._initializer is None:
            raise ValueError(
                "The iterator does not have an initializer. This means it was likely created using "
                "`tf.data.Dataset.make_one_shot_iterator()`. For an initializable iterator, use "
                "`tf.data.Dataset.make_initializable_iterator()` instead."
            )
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """The operation that begins a pass over ``dataset``.

        Raises:
          TypeError: its elements have other structure, dtypes or shapes.
        """
        specs, given = flatten(self._spec), flatten(dataset.element_spec)
        fits = len(specs) == len(given) and all(
            s.dtype == g.dtype and s.shape.is_compatible_with(g.shape) for s, g in zip(specs, given)
        )
        if not fits:
            raise TypeError(
                f"Expected a dataset with elements {self._spec} but got one with elements {dataset.element_spec}."
            )
        return begin_op.of(*dataset._needs, dataset=dataset, place=self._place, name=name).op

    def get_next(self, name: str | None = None) -> Any:
        """The tensors of the next element."""
        return packer(self._spec)(taken_parts(self._place, self._spec, name))

    @property
    def element_spec(self) -> Any:
        """The nest of ``tf.TensorSpec`` of an element."""
        return self._spec

    output_types = property(get_output_types)
    output_shapes = property(get_output_shapes)
    output_classes = property(get_output_classes)
