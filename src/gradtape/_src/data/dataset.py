"""``tf.data.Dataset``: sequences of elements, read one after the other.

This is the class as users see it: where elements come from, and what can be asked of a dataset. Its transformations
are in ``transformations.py``; how all of it works is in ``recipe.py`` and the files beside it.

A dataset is state, not an operation: what comes out of an iterator is on no tape, whatever went in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradtape._src.control.body import is_symbolic
from gradtape._src.core.context import under
from gradtape._src.core.dtypes import int64
from gradtape._src.core.nest import flatten, map_structure, pack_sequence_as
from gradtape._src.core.values import EagerTensor
from gradtape._src.data import ordering, sources
from gradtape._src.data.caching import load
from gradtape._src.data.elements import DatasetSpec, packer
from gradtape._src.data.files import list_files
from gradtape._src.data.functions import of_symbol
from gradtape._src.data.grouping import zip_
from gradtape._src.data.iterators import DatasetIterator, NumpyIterator
from gradtape._src.data.mixing import chosen_from, sampled_from
from gradtape._src.data.recipe import INFINITE, UNKNOWN, Recipe
from gradtape._src.data.transformations import Transformations, text_of
from gradtape._src.ops.sequences import Sequence as Held


class Dataset(Transformations):
    """A sequence of elements, read lazily.

    Each element is a tensor, or a nest (of tuples and dictionaries; a list is made a tensor) of tensors.
    Transformations give new datasets. A dataset can be iterated any number of times; ``iter`` starts anew. Nothing is
    read before it is asked for, and never all at once, unless a transformation says so.

    Functions given to transformations are traced once into a graph, as by ``tf.function``: Python code in them is
    executed once, and ``tf.py_function`` calls Python for each element.

    Example:
    >>> import gradtape as tf
    >>> for batch in tf.data.Dataset.range(5).map(lambda x: x * x).batch(2):
    ...     print(batch.numpy())
    [0 1]
    [4 9]
    [16]

    As TensorFlow 2.21; the orders of ``shuffle`` under a seed are TensorFlow's. What TensorFlow does in threads
    (``num_parallel_calls``, ``prefetch``) is done when an element is asked for.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def _of(self, recipe: Recipe) -> Any:
        return self._made(recipe if recipe.options else replace(recipe, options=self._recipe.options))

    def __repr__(self) -> str:
        kind = self._recipe.kind
        underscore = "" if kind == "Cache" else "_"
        return f"<{underscore}{kind}Dataset element_spec={self.element_spec}>"

    # ---- what a pass needs

    @property
    def _needs(self) -> tuple[Any, ...]:
        return self._recipe.needs

    def _begun(self, values: Sequence[Any]) -> Iterator[Any]:
        """A pass over the flat elements, with values for the symbols of ``_needs``."""
        with under(None, ()):
            return self._recipe.begin({s._ghost: x for s, x in zip(self._recipe.needs, values, strict=True)})

    @property
    def _pack(self) -> Callable[[Sequence[Any]], Any]:
        return packer(self.element_spec)

    def _nested(self, parts: Sequence[Any]) -> Any:
        """Symbols, or tensors, in the nest of an element; a dataset where one is a leaf."""
        specs = flatten(self.element_spec)
        wrapped = [
            self._of(of_symbol(x, s.element_spec)) if isinstance(s, DatasetSpec) else x
            for x, s in zip(parts, specs, strict=True)
        ]
        return self._pack(wrapped)

    def _nester(self) -> Callable[[Any], Any]:
        """A function that makes of the raw leaves of an element what the user gets."""
        pack = self._pack
        if not any(isinstance(s, DatasetSpec) for s in flatten(self.element_spec)):
            return lambda leaves: pack([EagerTensor(x) for x in leaves])
        return lambda leaves: pack([self._of(x[0]) if type(x) is Held else EagerTensor(x) for x in leaves])

    # ---- what it is

    @property
    def element_spec(self) -> Any:
        """The ``tf.TensorSpec`` of each component, in the structure of the elements.

        >>> import gradtape as tf
        >>> tf.data.Dataset.from_tensor_slices({"x": [[1.0, 2.0]]}).element_spec
        {'x': TensorSpec(shape=(2,), dtype=tf.float32, name=None)}
        """
        return self._recipe.spec

    def cardinality(self) -> Any:
        """The number of elements as an int64 tensor: -1 for infinitely many, -2 if it is not known.

        >>> import gradtape as tf
        >>> tf.data.Dataset.range(10).batch(4).cardinality().numpy()
        np.int64(3)
        """
        return EagerTensor(np.array(self._recipe.size, np.int64))

    def __len__(self) -> int:
        if self._recipe.size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if self._recipe.size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return self._recipe.size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> DatasetIterator:
        if self._needs and not is_symbolic():
            raise RuntimeError(
                f"{self!r} was made of tensors of a graph that have no value here: {list(self._needs)}. Iterate over "
                f"it where it was made; in TensorFlow 1 with tf.compat.v1.data.make_initializable_iterator."
            )
        return DatasetIterator(self)

    def as_numpy_iterator(self) -> NumpyIterator:
        """Iterates over the elements as NumPy arrays and scalars.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.range(2).as_numpy_iterator())
        [np.int64(0), np.int64(1)]
        """
        return NumpyIterator(self)

    # ---- where elements come from

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Any:
        """One element: ``tensors``.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.from_tensors([1, 2]).as_numpy_iterator())
        [array([1, 2], dtype=int32)]
        """
        return cls._made(sources.from_tensors(tensors))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Any:
        """An element for each position along the first axis of ``tensors``.

        ``shuffle``, ``repeat``, ``take``, ``skip`` and ``shard`` of it move the numbers of the rows, and ``batch``
        then takes the rows of a batch at once.

        Raises:
          ValueError: a tensor is a scalar, or first dimensions differ.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.from_tensor_slices(([1, 2], [3.0, 4.0])).as_numpy_iterator())
        [(np.int32(1), np.float32(3.0)), (np.int32(2), np.float32(4.0))]
        """
        return cls._made(sources.from_tensor_slices(tensors))

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Any:
        """The elements of a Python generator.

        Args:
          generator: called for each pass; gives an iterable of elements.
          output_types, output_shapes: nests of dtypes and shapes; the older form of ``output_signature``.
          args: tensors that the generator is called with, as NumPy values.
          output_signature: the nest of ``tf.TensorSpec`` of an element.

        Raises:
          TypeError: neither a signature nor types.
          InvalidArgumentError: (at iteration) an element that is not as was promised, or an exception of the generator.

        >>> import gradtape as tf
        >>> def squares(n):
        ...     for i in range(n):
        ...         yield i * i
        >>> spec = tf.TensorSpec([], tf.int32)
        >>> dataset = tf.data.Dataset.from_generator(squares, output_signature=spec, args=[3])
        >>> list(dataset.as_numpy_iterator())
        [np.int32(0), np.int32(1), np.int32(4)]
        """
        return cls._made(
            sources.from_generator(generator, output_types, output_shapes, args, output_signature)
        )

    @classmethod
    def range(cls, *args: Any, **kwargs: Any) -> Any:
        """``range(stop)``, ``range(start, stop)`` or ``range(start, stop, step)`` as int64 scalars.

        Args:
          output_type: another dtype of the elements.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.range(1, 6, 2).as_numpy_iterator())
        [np.int64(1), np.int64(3), np.int64(5)]
        """
        return cls._made(ordering.range_(*args, **kwargs))

    @classmethod
    def random(
        cls, seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> Any:
        """Random integers from 0 to 2^32 - 1 as int64, without end.

        Args:
          seed: of the numbers, together with the global seed; see `tf.random.set_seed`.
          rerandomize_each_iteration: each pass gives other numbers.

        >>> import gradtape as tf
        >>> numbers = tf.data.Dataset.random(seed=4).take(2)
        >>> list(numbers.as_numpy_iterator()) == list(numbers.as_numpy_iterator())
        True
        """
        return cls._made(sources.random(seed, rerandomize_each_iteration))

    @classmethod
    def counter(cls, start: Any = 0, step: Any = 1, dtype: Any = int64, name: str | None = None) -> Any:
        """Counts from ``start``, without end.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.counter(start=2).take(2).as_numpy_iterator())
        [np.int64(2), np.int64(3)]
        """
        return cls._made(sources.counter(start, step, dtype))

    @classmethod
    def list_files(
        cls, file_pattern: Any, shuffle: bool | None = None, seed: Any = None, name: str | None = None
    ) -> Any:
        """The names of the files that match a pattern, or one of several, as strings.

        Args:
          shuffle: whether to give them in random order. Default True.
          seed: of the order.

        Raises:
          InvalidArgumentError: there is no such file.
        """
        return cls._made(list_files(file_pattern, shuffle, seed))

    @classmethod
    def load(
        cls,
        path: Any,
        element_spec: Any = None,
        compression: Any = None,
        reader_func: Callable[..., Any] | None = None,
        wait: bool = False,
    ) -> Any:
        """The elements that ``save`` stored in the folder ``path``.

        Args:
          element_spec: their spec; found in the folder by default, where named tuples are plain ones.
          compression: found in the folder.
          reader_func: a function of the dataset of shards, each a dataset. By default their elements are interleaved.
          wait: without effect.

        Raises:
          NotFoundError: nothing was saved there.
          ValueError: ``element_spec`` is not that of the elements.

        >>> import gradtape as tf, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> tf.data.Dataset.range(4).save(folder, shard_func=lambda x: x % 2)
        >>> one_by_one = tf.data.Dataset.load(folder, reader_func=lambda shards: shards.flat_map(lambda x: x))
        >>> [x.item() for x in one_by_one.as_numpy_iterator()]
        [0, 2, 1, 3]
        """
        return load(text_of(path), element_spec, reader_func, cls._made)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Any:
        """Elements of several datasets side by side, until the shortest ends.

        Takes datasets as arguments, or one nest of them.

        >>> import gradtape as tf
        >>> pairs = tf.data.Dataset.zip(tf.data.Dataset.range(2), tf.data.Dataset.range(5, 9))
        >>> list(pairs.as_numpy_iterator())
        [(np.int64(0), np.int64(5)), (np.int64(1), np.int64(6))]
        """
        if datasets is not None and args:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        structure = datasets if datasets is not None else args[0] if len(args) == 1 else args
        if isinstance(structure, list):
            raise TypeError(
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. "
                "Python `list` is not supported and you should use `tuple` instead."
            )
        parts = flatten(structure)
        for part in parts:
            if not isinstance(part, Dataset):
                raise TypeError(
                    f"Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` "
                    f"objects but encountered object of type {type(part)}."
                )
        if not parts:
            raise TypeError("Must pass at least one dataset to `zip`.")
        spec = map_structure(lambda part: part.element_spec, structure)
        return cls._made(zip_(spec, [part._recipe for part in parts]))

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Any,
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Any:
        """Elements of several datasets, each from one that is chosen at random.

        Args:
          datasets: a list of datasets with elements of one structure.
          weights: how often each is chosen: a list of floats, or a dataset of such lists. Default: alike.
          seed: of the choices.
          stop_on_empty_dataset: whether to end where the chosen one has ended; otherwise another is chosen.
          rerandomize_each_iteration: each pass chooses anew.

        >>> import gradtape as tf
        >>> a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> mixed = tf.data.Dataset.sample_from_datasets([a, b], seed=1)
        >>> sorted(x.item() for x in mixed.as_numpy_iterator())
        [0, 1, 2, 10, 11, 12]
        """
        recipes = [dataset._recipe for dataset in datasets]
        return cls._made(
            sampled_from(recipes, weights, seed, stop_on_empty_dataset, rerandomize_each_iteration)
        )

    @classmethod
    def choose_from_datasets(
        cls, datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = True
    ) -> Any:
        """Elements of several datasets, each from the one whose number ``choice_dataset`` gives.

        >>> import gradtape as tf
        >>> a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 1], tf.int64))
        >>> [x.item() for x in tf.data.Dataset.choose_from_datasets([a, b], choices).as_numpy_iterator()]
        [0, 10, 11]
        """
        return cls._made(
            chosen_from([d._recipe for d in datasets], choice_dataset._recipe, stop_on_empty_dataset)
        )

    @classmethod
    def _made(cls, recipe: Recipe) -> Any:
        return Dataset(recipe)
