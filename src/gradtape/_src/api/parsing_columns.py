"""How the values of features become arrays: one kind of column for each kind of feature.

A column gets for each example its list of values, as an array, or None where the feature is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError

Rows = list[Any]  # an array for each example, or None
_INDEX = np.dtype(np.int64)
_KINDS = {"int64_list": "int64", "float_list": "float32", "bytes_list": "string"}
_NAMES = {"int64": "int64", "float32": "float", "string": "string"}


def values_of(feature: Any, key: str, dtype: np.dtype) -> Any:
    """The values of a message `Feature`; None if it has none.

    Raises:
      InvalidArgumentError: they are of another dtype.
    """
    kind = None if feature is None else feature.WhichOneof("kind")
    if kind is None:
        return None
    found = "string" if dtype.kind == "O" else dtype.name
    if _KINDS[kind] != found:
        raise InvalidArgumentError.of(
            f"Key: {key}.  Data types don't match. Data type: {_NAMES[_KINDS[kind]]} but expected type: "
            f"{_NAMES[found]}"
        )
    values = getattr(feature, kind).value
    return strings(list(values)) if dtype.kind == "O" else np.array(values, dtype)


def strings(values: list[bytes]) -> np.ndarray:
    out = np.empty(len(values), object)
    out[:] = values
    return out


@dataclass(frozen=True)
class Column:
    """What is made of one feature. Each kind says the ``shapes`` of its outputs, and ``gathered`` makes them.

    Attributes:
      key: the name of the feature.
      dtype: of the values.
    """

    key: str
    dtype: np.dtype

    @property
    def keys(self) -> list[tuple[str, np.dtype]]:
        """The features that it needs."""
        return [(self.key, self.dtype)]

    @property
    def dtypes(self) -> list[np.dtype]:
        """Of its outputs."""
        return [self.dtype]


@dataclass(frozen=True)
class Dense(Column):
    """An array of a fixed shape for each example."""

    shape: tuple[int, ...]
    default: tuple[Any, ...] | None

    def shapes(self, n: Any) -> list[Any]:
        return [(n, *self.shape)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        size = int(np.prod(self.shape))
        out = np.empty((len(rows), size), self.dtype)
        for i, row in enumerate(rows):
            if row is None:
                if self.default is None:
                    raise InvalidArgumentError.of(
                        f"Feature: {self.key} (data type: {_NAMES.get(self.dtype.name, 'string')}) is required but "
                        f"could not be found."
                    )
                out[i] = self.default
                continue
            if len(row) != size:
                raise InvalidArgumentError.of(
                    f"Key: {self.key}.  Can't parse serialized Example: its {len(row)} values do not fit the shape "
                    f"{list(self.shape)}."
                )
            out[i] = row
        return [out.reshape(len(rows), *self.shape)]


@dataclass(frozen=True)
class Padded(Column):
    """Steps of a fixed shape for each example, as many as the longest has."""

    shape: tuple[int, ...]
    default: Any

    def shapes(self, n: Any) -> list[Any]:
        return [(n, None, *self.shape)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        size = int(np.prod(self.shape))
        lengths = [0 if row is None else len(row) for row in rows]
        for length in lengths:
            if length % (size or 1):
                raise InvalidArgumentError.of(
                    f"Key: {self.key}. Number of values is no multiple of the size of a step: {length} values for "
                    f"steps of shape {list(self.shape)}."
                )
        out = np.full((len(rows), max(lengths, default=0)), self.default, self.dtype)
        for i, row in enumerate(rows):
            if row is not None:
                out[i, : len(row)] = row
        return [out.reshape(len(rows), -1 if size and out.size else 0, *self.shape)]


@dataclass(frozen=True)
class Sparse(Column):
    """The values in the rows of a sparse matrix."""

    @property
    def dtypes(self) -> list[np.dtype]:
        return [_INDEX, self.dtype, _INDEX]

    def shapes(self, n: Any) -> list[Any]:
        return [(None, 2), (None,), (2,)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        lengths = [0 if row is None else len(row) for row in rows]
        places = np.stack(
            [np.repeat(np.arange(len(rows)), lengths), _counted(lengths)], axis=1, dtype=np.int64
        )
        return [places, _joined(rows, self.dtype), np.array([len(rows), max(lengths, default=0)], np.int64)]


@dataclass(frozen=True)
class Placed(Column):
    """Values at the places that other features give."""

    indices: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def keys(self) -> list[tuple[str, np.dtype]]:
        return [(self.key, self.dtype), *((key, _INDEX) for key in self.indices)]

    @property
    def dtypes(self) -> list[np.dtype]:
        return [_INDEX, self.dtype, _INDEX]

    def shapes(self, n: Any) -> list[Any]:
        rank = 1 + len(self.sizes)
        return [(None, rank), (None,), (rank,)]

    def gathered(self, *columns: Rows) -> list[Any]:
        rows, *places = columns
        indices, values = [], []
        for i, (row, *parts) in enumerate(zip(rows, *places)):
            row = np.empty(0, self.dtype) if row is None else row
            parts = [np.empty(0, np.int64) if part is None else part for part in parts]
            if any(len(part) != len(row) for part in parts):
                raise InvalidArgumentError.of(
                    f"Key: {self.key}. There are {len(row)} values for {[len(part) for part in parts]} places."
                )
            where = np.stack([np.full(len(row), i), *parts], axis=1)
            order = np.lexsort(where.T[::-1])
            indices.append(where[order])
            values.append(row[order])
        found = (
            np.concatenate(indices).astype(np.int64)
            if indices
            else np.empty((0, 1 + len(self.sizes)), np.int64)
        )
        return [found, _joined(values, self.dtype), np.array([len(rows), *self.sizes], np.int64)]


@dataclass(frozen=True)
class Ragged(Column):
    """All values, and where the row of each example begins and ends."""

    @property
    def dtypes(self) -> list[np.dtype]:
        return [self.dtype, _INDEX]

    def shapes(self, n: Any) -> list[Any]:
        return [(None,), (None if n is None else n + 1,)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        lengths = [0 if row is None else len(row) for row in rows]
        return [_joined(rows, self.dtype), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)]


def _counted(lengths: list[int]) -> np.ndarray:
    """0, 1, ... for each length."""
    ends = np.cumsum(lengths, dtype=np.int64)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _joined(rows: Rows, dtype: np.dtype) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *(row for row in rows if row is not None)])


@dataclass(frozen=True)
class PaddedSteps(Padded):
    """As ``Padded``, of a list of features, one for each step; and the number of steps of each example."""

    required: bool

    @property
    def dtypes(self) -> list[np.dtype]:
        return [self.dtype, _INDEX]

    def shapes(self, n: Any) -> list[Any]:
        return [*super().shapes(n), (n,)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        size = int(np.prod(self.shape))
        for steps in rows:
            if steps is None and self.required:
                raise InvalidArgumentError.of(
                    f"Feature list '{self.key}' is required but could not be found. Did you mean to include it in "
                    f"feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
                )
            for step in steps or ():
                if step is None or len(step) != size:
                    raise InvalidArgumentError.of(
                        f"Feature list '{self.key}': a step has {0 if step is None else len(step)} values where the "
                        f"shape {list(self.shape)} has {size}."
                    )
        joined = [_joined(steps or [], self.dtype) for steps in rows]
        lengths = np.array([len(steps or ()) for steps in rows], np.int64)
        return [*super().gathered(joined), lengths]


@dataclass(frozen=True)
class SparseSteps(Sparse):
    """As ``Sparse``, of a list of features, one for each step."""

    def shapes(self, n: Any) -> list[Any]:
        return [(None, 3), (None,), (3,)]

    def gathered(self, *columns: Rows) -> list[Any]:
        (rows,) = columns
        counts = [len(steps or ()) for steps in rows]
        places, values, sizes = super().gathered([step for steps in rows for step in steps or ()])
        example, step = np.repeat(np.arange(len(rows)), counts), _counted(counts)
        at = places[:, 0]
        where = np.stack([example[at], step[at], places[:, 1]], axis=1).astype(np.int64)
        return [where, values, np.array([len(rows), max(counts, default=0), sizes[1]], np.int64)]
