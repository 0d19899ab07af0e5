"""Where the batches of training, evaluation and prediction come from: arrays, datasets, generators, sequences.

`Batches` gives inputs x alone, or tuples (x, y) or (x, y, sample_weight).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np

from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.philox import Stream
from gradtape._src.core.seeds import global_seed, pair, unpredictable
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.keras.settings import floatx
from gradtape._src.ops.random import order_of
from gradtape._src.ops.variables import Variable

_END = object()


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

    def reset(self) -> None:
        """Called before the first epoch, and before each evaluation."""

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
        take = _random_order()
        order = order_of(np.empty(self._n), take) if self._shuffle and self._shuffle != "batch" else None
        for start in range(0, self._n, self._batch):
            where: Any = slice(start, start + self._batch)
            if order is not None:
                where = order[where]
            elif self._shuffle:
                size = min(self._batch, self._n - start)
                where = start + order_of(np.empty(size), take)
            batch = map_structure(
                lambda a, where=where: None if a is None else EagerTensor(a[where]), self._arrays
            )
            # Inputs alone are no tuple, unless they are several: so a `train_step` gets them in Keras.
            yield batch[0] if len(batch) == 1 and not isinstance(batch[0], (list, tuple)) else batch


def _random_order() -> Any:
    """Random words for the orders of one epoch: the same in each under a global seed, as in Keras 3."""
    seed = global_seed()
    return (unpredictable() if seed is None else Stream.of(*pair(seed, 0))).take


class IteratedBatches(Batches):
    """What a dataset or a generator gives.

    Where its length is known, the next pass is asked for as soon as one has ended, and once more when an epoch begins
    that is no number of steps: as Keras does, so that a dataset that is shuffled gives Keras's orders.
    """

    def __init__(self, source: Any, class_weight: Any, steps: int | None) -> None:
        self._source, self._class_weight, self._steps = source, class_weight, steps
        self._going: Any = None
        self._seen = 0  # batches of the pass that goes on
        try:
            self._length: int | None = len(source)
        except TypeError:
            self._length = None
        self.size = steps or self._length

    def epoch(self) -> Iterator[Any]:
        if self._steps is None or self._going is None:
            self._begin()
        for _ in count() if self._steps is None else range(self._steps):
            if self._seen == self._length:
                break
            batch = _END if self._going is None else next(self._going, _END)
            if batch is _END:
                self._going = None
                return
            self._seen += 1
            yield self._weighted(batch)
        if self._seen == self._length:
            self._begin()

    def _begin(self) -> None:
        self._going, self._seen = iter(self._source), 0

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

    def reset(self) -> None:
        """As Keras, says that an epoch has ended before the first begins: often the data shuffles itself then."""
        self._tell("on_epoch_end")

    def _tell(self, what: str) -> None:
        if hasattr(self._source, what):
            getattr(self._source, what)()

    def epoch(self) -> Iterator[Any]:
        self._tell("on_epoch_begin")
        n = len(self._source)
        order = list(range(n))
        if self._shuffle:
            random.shuffle(order)
        for i in order[: self._steps]:
            yield self._weighted(self._source[i])
        self._tell("on_epoch_end")


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
        return found if steps is None else IteratedBatches(_Passes(found), None, steps)
    if y is not None or weights is not None:
        raise ValueError(
            f"When providing `x` as a {type(x).__name__}, `y` and `sample_weight` should not be passed. Instead, they "
            "should be included as part of it."
        )
    if is_sequence and not hasattr(x, "element_spec"):
        return SequenceBatches(x, class_weight, steps, shuffle)
    return IteratedBatches(x, class_weight, steps)


class _Passes:
    """Arrays as something that can be iterated over."""

    def __init__(self, batches: ArrayBatches) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[Any]:
        return self._batches.epoch()

    def __len__(self) -> int:
        return self._batches.size or 0


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
