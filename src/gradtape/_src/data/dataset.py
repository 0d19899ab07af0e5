"""``tf.data.Dataset``: elements that come one after the other.

A dataset is a recipe: ``make()`` starts a new pass over its elements, each a nest of arrays. It is state, not an
operation: what comes out of an iterator is on no tape, whatever went in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy, int64
from gradtape._src.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape._src.core.nest import flatten, map_structure, pack_sequence_as
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import EagerTensor

INFINITE = -1
UNKNOWN = -2

Element = Any  # a nest (of tuples and dictionaries) of arrays


class Dataset:
    """A sequence of elements, read lazily.

    Each element is a tensor, or a nest (of tuples and dictionaries) of tensors. Transformations give new datasets.
    A dataset can be iterated any number of times; ``iter`` starts anew.

    Example:
    >>> import gradtape as tf
    >>> for batch in tf.data.Dataset.range(5).map(lambda x: x * x).batch(2):
    ...     print(batch.numpy())
    [0 1]
    [4 9]
    [16]

    As TensorFlow 2.21.
    """

    def __init__(
        self, make: Callable[[], Iterator[Element]], spec: Callable[[], Any], size: int, kind: str
    ) -> None:
        self._make = make
        self._spec = spec  # asked for when somebody wants it: that of a map is found by calling its function
        self._size = size
        self._kind = kind

    def __repr__(self) -> str:
        return f"<_{self._kind}Dataset element_spec={self.element_spec}>"

    @property
    def element_spec(self) -> Any:
        """The ``tf.TensorSpec`` of each component, in the structure of the elements."""
        return self._spec()

    def cardinality(self, name: str | None = None) -> Any:
        """The number of elements as an int64 tensor: -1 for infinitely many, -2 if it is not known."""
        return EagerTensor(np.array(self._size, np.int64))

    def __len__(self) -> int:
        if self._size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if self._size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return self._size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> DatasetIterator:
        return DatasetIterator(self)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """Iterates over the elements as NumPy arrays and scalars."""
        for element in self._make():
            yield map_structure(lambda x: x[()], element)

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """One element: ``tensors``."""
        element = _arrays(tensors)
        return Dataset(lambda: iter([element]), lambda: map_structure(_spec_of, element), 1, "Tensor")

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """An element for each position along the first axis of ``tensors``.

        Raises:
          ValueError: a tensor is a scalar, or first dimensions differ.
        """
        columns = _arrays(tensors)
        arrays = flatten(columns)
        if not arrays:
            raise ValueError(f"Invalid `element`. `element` should not be empty. Received: {tensors!r}")
        if any(x.ndim == 0 for x in arrays):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        n = len(arrays[0])
        for x in arrays:
            if len(x) != n:
                raise ValueError(
                    f"Dimensions {n} and {len(x)} are not compatible: the first dimensions differ."
                )
        row = lambda i: map_structure(lambda x: np.asarray(x[i]), columns)
        make = lambda: map_(row, range_(n))
        spec = lambda: map_structure(lambda x: TensorSpec(x.shape[1:], from_numpy(x.dtype)), columns)
        return Dataset(make, spec, n, "TensorSlice")

    @staticmethod
    def range(*args: Any, **kwargs: Any) -> Dataset:
        """``range(stop)``, ``range(start, stop)`` or ``range(start, stop, step)`` as int64 scalars.

        Args:
          output_type: another dtype of the elements.
        """
        dtype = as_dtype(kwargs.pop("output_type", int64))
        kwargs.pop("name", None)
        if kwargs or not 1 <= len(args) <= 3:
            raise ValueError(
                f"Invalid `args`. The length of `args` should be between 1 and 3 (stop, or start, stop[, step]) but "
                f"was {len(args)}, with {kwargs}."
            )
        numbers = range_(*(int(as_tensor(x, int64)) for x in args))
        make = lambda: (np.array(i, dtype.np) for i in numbers)
        return Dataset(make, lambda: TensorSpec((), dtype), len(numbers), "Range")

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """Elements of several datasets side by side, until the shortest ends.

        Takes datasets as arguments, or one nest of them.
        """
        if datasets is not None and args:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        structure = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = flatten(structure)
        for part in parts:
            if not isinstance(part, Dataset):
                raise TypeError(
                    f"Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` "
                    f"objects but encountered object of type {type(part)}."
                )
        if not parts:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if isinstance(structure, list):
            raise TypeError(
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. "
                "Python `list` is not supported and you should use `tuple` instead."
            )
        sizes = [part._size for part in parts if part._size != INFINITE]
        size = UNKNOWN if UNKNOWN in sizes else min(sizes, default=INFINITE)
        make = lambda: (pack_sequence_as(structure, xs) for xs in zip_(*[part._make() for part in parts]))
        return Dataset(make, lambda: map_structure(lambda part: part.element_spec, structure), size, "Zip")

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Stacks ``batch_size`` elements to one. The last batch may be smaller, unless ``drop_remainder``.

        Raises:
          InvalidArgumentError: the size is not positive, or (at iteration) elements of a batch differ in shape.
        """
        n = int(batch_size)
        if n <= 0:
            raise InvalidArgumentError.of(f"Batch size must be greater than zero. Got {n}.")
        whole, rest = divmod(self._size, n)
        size = self._size if self._size < 0 else whole + (rest > 0 and not drop_remainder)
        fixed = drop_remainder or self._size == INFINITE
        wider = lambda s: TensorSpec(
            None if s.shape.rank is None else (n if fixed else None, *s.shape), s.dtype
        )

        def make() -> Iterator[Element]:
            elements = self._make()
            while chunk := list(islice(elements, n)):
                if len(chunk) == n or not drop_remainder:
                    yield map_structure(_stacked, *chunk)

        return Dataset(make, lambda: map_structure(wider, self.element_spec), size, "Batch")

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """The elements ``count`` times over; without end if it is None or -1."""
        times = -1 if count is None else int(count)
        if times < 0:
            size = 0 if self._size == 0 else INFINITE
        else:
            size = self._size if self._size < 0 and times else self._size * times

        def make() -> Iterator[Element]:
            done = 0
            while done != times:
                empty = True
                for element in self._make():
                    empty = False
                    yield element
                if empty:
                    return
                done += 1

        return Dataset(make, self._spec, size, "Repeat")

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first ``count`` elements; all of them if it is -1."""
        n = int(count)
        if n < 0:
            return Dataset(self._make, self._spec, self._size, "Take")
        size = UNKNOWN if self._size == UNKNOWN else n if self._size == INFINITE else min(n, self._size)
        return Dataset(lambda: islice(self._make(), n), self._spec, size, "Take")

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """``map_func`` of each element; components of a tuple are its arguments.

        What ``map_func`` computes is on no tape.
        """
        apply = lambda element: _called(map_func, map_structure(EagerTensor, element))

        def spec() -> Any:
            zero = lambda s: np.zeros([d or 0 for d in s.shape or ()], s.dtype.np)
            sample = next(self._make(), None)
            return map_structure(
                _spec_of, apply(map_structure(zero, self.element_spec) if sample is None else sample)
            )

        return Dataset(lambda: map_(apply, self._make()), spec, self._size, "Map")


range_, zip_, map_ = range, zip, map  # the class has methods of these names


class DatasetIterator:
    """A pass over a dataset. Checkpoints and graphs aside, a Python iterator with ``get_next``."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._elements = dataset._make()

    @property
    def element_spec(self) -> Any:
        """The ``tf.TensorSpec`` of each component, in the structure of the elements."""
        return self._dataset.element_spec

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        return map_structure(EagerTensor, next(self._elements))

    def get_next(self) -> Any:
        """The next element. ``tf.errors.OutOfRangeError`` at the end."""
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError.of("End of sequence") from None


def _arrays(x: Any) -> Element:
    """The nest with arrays for leaves. A list is an array here, not a nest."""
    if isinstance(x, dict):
        return type(x)((key, _arrays(value)) for key, value in x.items())
    if isinstance(x, tuple):
        parts = [_arrays(value) for value in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    return np.asarray(as_tensor(x)._data)


def _called(f: Callable[..., Any], element: Any) -> Element:
    """``f`` of an element, hidden from every tape."""
    with under(None, ()):
        result = f(*element) if type(element) is tuple else f(element)
        return _arrays(tuple(result) if isinstance(result, list) else result)


def _spec_of(x: np.ndarray) -> TensorSpec:
    return TensorSpec(x.shape, from_numpy(x.dtype))


def _stacked(*arrays: np.ndarray) -> np.ndarray:
    try:
        return np.stack(arrays)
    except ValueError:
        first = arrays[0].shape
        i, other = next((i, x.shape) for i, x in enumerate(arrays) if x.shape != first)
        raise InvalidArgumentError.of(
            f"Cannot batch tensors with different shapes in component 0. First element had shape {list(first)} and "
            f"element {i} had shape {list(other)}."
        ) from None
