"""Where the batches of training, evaluation and prediction come from: arrays, datasets, generators, sequences.

`Batches` gives inputs x alone, or tuples (x, y) or (x, y, sample_weight).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.keras.settings import floatx
from gradtape._src.ops.variables import Variable


def as_arrays(structure: Any) -> Any:
    """A nest of arrays: floating-point ones of the dtype of `floatx`."""
    return map_structure(_as_array, structure)


def _as_array(x: Any) -> Any:
    if x is None:
        return None
    if isinstance(x, (Tensor, Variable)):
        return x.numpy()
    array = np.asarray(x)
    if array.dtype.kind == "U":
        array = array.astype(object)
    return array.astype(floatx()) if array.dtype == np.float64 else array


def unpacked(data: Any) -> tuple[Any, Any, Any]:
    """(x, y, sample_weight) of a batch, with None for what is not there.

    Raises:
      ValueError: more than three parts.
    """
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if len(data) > 3:
        raise ValueError(
            "Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found: "
            f"{len(data)} parts"
        )
    x, y, weight = (*data, None, None)[:3]
    return x, y, weight


def split(arrays: Any, share: float) -> tuple[Any, Any]:
    """The first part of arrays, and the last one, which is this share of them."""
    if not 0 < share < 1:
        raise ValueError(f"`validation_split` must be between 0 and 1. Received: validation_split={share}")
    if not all(a is None or hasattr(a, "shape") or isinstance(a, (list, tuple)) for a in flatten(arrays)):
        raise ValueError(
            "Argument `validation_split` is only supported for tensors or NumPy arrays. Found incompatible type in "
            "the input"
        )
    arrays = as_arrays(arrays)
    n = len(next(a for a in flatten(arrays) if a is not None))
    at = int(n * (1.0 - share))
    if at in (0, n):
        raise ValueError(
            f"Training data contains {n} samples, which is not sufficient to split it into a validation and training "
            f"set as specified by `validation_split={share}`. Either provide more data, or a different value."
        )
    cut = lambda where: map_structure(lambda a: None if a is None else a[where], arrays)
    return cut(slice(None, at)), cut(slice(at, None))


class Batches:
    """The batches of an epoch, of any epoch: ``size`` is their number, or None as long as it is not known."""

    size: int | None

    def epoch(self) -> Iterator[Any]:
        """The batches of the next epoch."""
        raise NotImplementedError("a subclass defines it")


class ArrayBatches(Batches):
    """Slices of arrays, in another order in each epoch if they are shuffled."""

    def __init__(
        self, x: Any, y: Any, weights: Any, size: int | None, shuffle: Any, class_weight: Any
    ) -> None:
        parts = [x, y, weights if class_weight is None else _class_weights(y, class_weight, weights)]
        while len(parts) > 1 and parts[-1] is None:
            parts.pop()
        self._arrays = as_arrays(tuple(parts))
        counts = [{len(a) for a in flatten(part) if a is not None} for part in self._arrays]
        lengths = set().union(*counts)
        if len(lengths) > 1:
            named = "".join(
                f"'{name}' sizes: {', '.join(map(str, [len(a) for a in flatten(part)]))}\n"
                for name, part in zip(("x", "y", "sample_weight"), self._arrays)
            )
            raise ValueError(
                "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples."
                + named
            )
        self._n, self._batch, self._shuffle = lengths.pop() if lengths else 0, size or 32, shuffle
        self.size = -(-self._n // self._batch)

    def epoch(self) -> Iterator[Any]:
        order = None
        if self._shuffle == "batch":
            starts = np.random.permutation(self.size or 0) * self._batch
        else:
            starts = np.arange(self.size or 0) * self._batch
            order = np.random.permutation(self._n) if self._shuffle else None
        for start in starts.tolist():
            rows = slice(start, start + self._batch)
            where = rows if order is None else order[rows]
            batch = map_structure(
                lambda a, where=where: None if a is None else EagerTensor(a[where]), self._arrays
            )
            # Inputs alone are no tuple, unless they are several: so a `train_step` gets them in Keras.
            yield batch[0] if len(batch) == 1 and not isinstance(batch[0], (list, tuple)) else batch


class IteratedBatches(Batches):
    """What a dataset or a generator gives."""

    def __init__(self, source: Any, class_weight: Any, steps: int | None) -> None:
        self._source, self._class_weight, self._steps = source, class_weight, steps
        self._going: Any = None
        try:
            self.size = steps or len(source)
        except TypeError:
            self.size = steps

    def epoch(self) -> Iterator[Any]:
        if self._steps is None or self._going is None:
            self._going = iter(self._source)
        given = 0
        while self._steps is None or given < self._steps:
            try:
                batch = next(self._going)
            except StopIteration:
                return
            given += 1
            yield self._weighted(batch)

    def _weighted(self, batch: Any) -> Any:
        batch = map_structure(_as_tensor, tuple(batch) if isinstance(batch, list) else batch)
        if self._class_weight is None:
            return batch
        x, y, weights = unpacked(batch)
        weights = None if weights is None else np.asarray(weights)
        return x, y, EagerTensor(_class_weights(np.asarray(y), self._class_weight, weights).astype(floatx()))


def grouped(batches: Iterator[Any], size: int) -> Iterator[tuple[int, int, list[Any]]]:
    """The batches in groups of a size, each with the numbers of its first and its last one."""
    first = 0
    while group := list(islice(batches, size)):
        yield first, first + len(group) - 1, group
        first += len(group)


def _as_tensor(x: Any) -> Any:
    return x if x is None or isinstance(x, Tensor) or hasattr(x, "_components") else EagerTensor(_as_array(x))


class SequenceBatches(IteratedBatches):
    """What an object with ``__getitem__`` and ``__len__`` gives, as Keras's ``PyDataset``."""

    def __init__(self, source: Any, class_weight: Any, steps: int | None, shuffle: Any) -> None:
        super().__init__(source, class_weight, steps)
        self._shuffle = shuffle

    def epoch(self) -> Iterator[Any]:
        n = len(self._source)
        order = np.random.permutation(n).tolist() if self._shuffle else range(n)
        for i in list(order)[: self._steps]:
            yield self._weighted(self._source[i])
        if hasattr(self._source, "on_epoch_end"):
            self._source.on_epoch_end()


def batches_of(
    x: Any, y: Any = None, weights: Any = None, size: int | None = None, shuffle: Any = False,
    class_weight: Any = None, steps: int | None = None,
) -> Batches:  # fmt: skip
    """The batches of what `fit`, `evaluate` or `predict` is given.

    Raises:
      ValueError: no data; labels beside a dataset, which has its own.
    """
    if isinstance(x, Batches):
        return x
    if x is None:
        raise ValueError("None values not supported.")
    is_sequence = hasattr(x, "__getitem__") and hasattr(x, "__len__") and not _is_of_arrays(x)
    is_iterable = (
        hasattr(x, "element_spec")
        or hasattr(x, "__next__")
        or (hasattr(x, "__iter__") and not _is_of_arrays(x))
    )
    if not is_sequence and not is_iterable:
        found = ArrayBatches(x, y, weights, size, shuffle, class_weight)
        return found if steps is None else IteratedBatches(_Repeated(found), None, steps)
    if y is not None or weights is not None:
        raise ValueError(
            f"When providing `x` as a {type(x).__name__}, `y` and `sample_weight` should not be passed. Instead, they "
            "should be included as part of it."
        )
    if is_sequence and not hasattr(x, "element_spec"):
        return SequenceBatches(x, class_weight, steps, shuffle)
    return IteratedBatches(x, class_weight, steps)


class _Repeated:
    """Epoch after epoch."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield from self._batches.epoch()


def _is_of_arrays(x: Any) -> bool:
    return isinstance(x, (np.ndarray, Tensor, Variable, list, tuple, dict)) or hasattr(x, "__array__")


def _class_weights(y: Any, class_weight: dict[int, float], weights: Any) -> Any:
    """The weights of samples that follow from their classes, times those that they have."""
    if y is None:
        raise ValueError("`class_weight` needs labels `y`.")
    labels = np.asarray(y)
    if labels.ndim > 1 and labels.shape[-1] > 1:
        labels = labels.argmax(-1)
    found = np.ones(len(labels), floatx())
    flat = np.round(labels).astype(int).reshape(len(labels), -1)[:, 0]
    for label, weight in class_weight.items():
        found[flat == int(label)] = weight
    return found if weights is None else found * np.asarray(weights)
