"""What ragged tensors are made of, and how they are made of other descriptions of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value, maximum, minimum
from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import fill, ones_like
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.cumulative import cumsum
from gradtape._src.api.gathering import gather
from gradtape._src.api.joining import concat, repeat, stack
from gradtape._src.api.ragged_places import (
    as_splits,
    length_of,
    row_splits_to_segment_ids,
    segment_ids_to_row_splits,
    splits_of,
    within,
    zero_place,
)
from gradtape._src.api.reduction import reduce_max
from gradtape._src.api.selection import where
from gradtape._src.api.sorting import searchsorted
from gradtape._src.api.sparse_tensor import SparseTensor
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.specs import TypeSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import EagerTensor, Tensor, shape_of


class RaggedRows:
    """The part of `tf.RaggedTensor` that is about its parts: see there."""

    _values: Any
    with_values: Any  # of the subclass
    _row_splits: Any

    def __init__(self, values: Any, row_splits: Any) -> None:
        self._values = values if isinstance(values, RaggedRows) else as_tensor(values)
        self._row_splits = as_splits(row_splits)

    # ---- from other descriptions of rows

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True) -> Any:
        """Row i is ``values[row_splits[i] : row_splits[i + 1]]``.

        Raises:
          InvalidArgumentError: the places do not begin at 0, do not end with the values, or decrease.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 1, 3])
        <tf.RaggedTensor [[1], [2, 3]]>
        """
        made = cls(values, row_splits)
        if validate:
            made._check()
        return made

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True) -> Any:
        """Row i has ``row_lengths[i]`` of the values.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 0, 2])
        <tf.RaggedTensor [[1], [], [2, 3]]>
        """
        return cls.from_row_splits(values, splits_of(as_splits(row_lengths)), name, validate)

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True) -> Any:
        """Each value says its row; the rows must not decrease.

        nrows: their number; by default the last row that occurs is the last.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=4)
        <tf.RaggedTensor [[1, 2], [], [3], []]>
        """
        ids = as_splits(value_rowids)
        if validate and isinstance(ids, EagerTensor) and (np.diff(ids._data) < 0).any():
            raise InvalidArgumentError.of(
                f"Arguments to from_value_rowids do not form a valid RaggedTensor: the rows {ids.numpy()} decrease."
            )
        splits = segment_ids_to_row_splits(ids, nrows)
        return cls.from_row_splits(values, splits, name, validate)

    @classmethod
    def from_row_starts(cls, values, row_starts, name=None, validate=True) -> Any:
        """Row i begins at ``row_starts[i]``, and ends where the next one begins.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 0, 2])
        <tf.RaggedTensor [[], [1, 2], [3]]>
        """
        starts = as_splits(row_starts)
        values = values if isinstance(values, RaggedRows) else as_tensor(values)
        end = reshape(cast(length_of(values), starts.dtype), [1])
        return cls.from_row_splits(values, concat([starts, end], 0), name, validate)

    @classmethod
    def from_row_limits(cls, values, row_limits, name=None, validate=True) -> Any:
        """Row i ends before ``row_limits[i]``, and begins where the one before ends.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 3])
        <tf.RaggedTensor [[1], [2, 3]]>
        """
        limits = as_splits(row_limits)
        return cls.from_row_splits(values, concat([zero_place(limits), limits], 0), name, validate)

    @classmethod
    def from_uniform_row_length(cls, values, uniform_row_length, nrows=None, validate=True, name=None) -> Any:
        """Rows of one length.

        nrows: their number, which is needed for rows of length 0.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).to_list()
        [[1, 2], [3, 4]]
        """
        values = values if isinstance(values, RaggedRows) else as_tensor(values)
        size = int(uniform_row_length)
        count: Any = nrows if nrows is not None else length_of(values) // size if size else 0
        count = cast(as_tensor(count), int64)
        splits: Any = range_of(count + 1) * size
        return cls.from_row_splits(values, splits, name, validate)

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True) -> Any:
        """Rows of rows: the places of the outer rows first.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 1, 2], [0, 1, 3]]).to_list()
        [[[1]], [[2, 3]]]
        """
        found = flat_values
        for splits in reversed(list(nested_row_splits)):
            found = cls.from_row_splits(found, splits, name, validate)
        return found

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True) -> Any:
        """Rows of rows: the lengths of the outer rows first."""
        nested = [splits_of(as_splits(lengths)) for lengths in nested_row_lengths]
        return cls.from_nested_row_splits(flat_values, nested, name, validate)

    @classmethod
    def from_tensor(
        cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=int64
    ) -> Any:
        """The rows of a dense tensor.

        Args:
          tensor: of rank 2 at least.
          lengths: how much of each row to keep.
          padding: a value: rows end before those of it at their ends.
          ragged_rank: how many axes are to be ragged; 1 with ``lengths`` or ``padding``.
          row_splits_dtype: int64 or int32.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0)
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        tensor, kind = as_tensor(tensor), as_dtype(row_splits_dtype)
        rank = len(shape_of(tensor))
        if not 0 < ragged_rank < rank:
            raise ValueError(
                f"ragged_rank must be from 1 to {rank - 1} for a tensor of rank {rank}, received {ragged_rank}."
            )
        sizes: Any = cast(shape_now(tensor), kind)
        if ragged_rank > 1:
            if lengths is not None or padding is not None:
                raise ValueError("ragged_rank must be 1 where lengths or padding is given.")
            rows = reshape(tensor, concat([reshape(sizes[0] * sizes[1], [1]), sizes[2:]], 0))
            inner = cls.from_tensor(rows, None, None, ragged_rank - 1, None, kind)
            return cls(inner, range_of(sizes[0] + 1) * sizes[1])
        if lengths is not None and padding is not None:
            raise ValueError("Specify either lengths or padding, but not both.")
        width = sizes[1]
        if padding is not None:
            lengths = _without_padding(tensor, padding, kind)
        counts = (
            fill([sizes[0]], width) if lengths is None else minimum(cast(as_tensor(lengths), kind), width)
        )
        counts = maximum(counts, 0)
        values = reshape(tensor, concat([[-1], shape_now(tensor)[2:]], 0))
        places = within(range_of(sizes[0]) * width, counts)
        return cls(gather(values, places), splits_of(counts))

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=int64) -> Any:
        """The rows of a sparse matrix, whose elements must be the first ones of each row, in order.

        Raises:
          ValueError: it is not of rank 2.
          InvalidArgumentError: there is something missing before an element.

        >>> import gradtape as tf
        >>> tf.RaggedTensor.from_sparse(tf.sparse.from_dense([[1, 2, 0], [3, 0, 0]]))
        <tf.RaggedTensor [[1, 2], [3]]>
        """
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"Expected a tf.SparseTensor, received {type(st_input).__name__}.")
        rank = st_input.shape.rank
        if rank not in (None, 2):
            raise ValueError(f"st_input must be of rank 2, received rank {rank}.")
        kind = as_dtype(row_splits_dtype)
        indices: Any = cast(st_input.indices, kind)
        sizes: Any = cast(st_input.dense_shape, kind)
        made = cls.from_value_rowids(st_input.values, indices[:, 0], sizes[0])
        if isinstance(indices, EagerTensor):
            row: Any = indices[:, 0]  # type: ignore[index]
            counted: Any = range_of(cast(length_of(indices), kind)) - gather(made.row_starts(), row)
            if not np.array_equal(counted.numpy(), indices.numpy()[:, 1]):
                raise InvalidArgumentError.of(
                    f"SparseTensor is not right-ragged: its elements are not the first ones of their rows, in order. "
                    f"indices = {indices.numpy().tolist()}"
                )
        return made

    def _check(self) -> None:
        if not isinstance(self._row_splits, EagerTensor):
            return
        splits = self._row_splits.numpy()
        n = shape_of(self._values._row_splits)[0] - 1 if self._is_nested else shape_of(self._values)[0]
        if not len(splits) or splits[0] != 0 or (np.diff(splits) < 0).any() or n not in (None, splits[-1]):
            raise InvalidArgumentError.of(
                f"Arguments to from_row_splits do not form a valid RaggedTensor: the places must go from 0 to the "
                f"number of values, {n}, and not decrease. Received {splits.tolist()}"
            )

    # ---- what it is

    @property
    def _is_nested(self) -> bool:
        return isinstance(self._values, RaggedRows)

    @property
    def values(self) -> Any:
        """The values of all rows, one after the other."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The innermost values: a tensor."""
        return self._values.flat_values if self._is_nested else self._values

    @property
    def row_splits(self) -> Any:
        """Where each row begins, and where the last one ends."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The places of the rows, of the rows in them, and so on."""
        return (self._row_splits, *(self._values.nested_row_splits if self._is_nested else ()))

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape; None where it is ragged."""
        inner = self._values.shape
        n = shape_of(self._row_splits)
        first = None if n is None or n[0] is None else n[0] - 1
        return TensorShape(None if inner.rank is None else [first, None, *inner[1:]])

    def get_shape(self) -> TensorShape:
        """The shape; None where it is ragged."""
        return self.shape

    def nrows(self, out_type=None, name=None) -> Any:
        """The number of rows."""
        count: Any = length_of(self._row_splits) - 1
        return cast(count, self._row_splits.dtype if out_type is None else out_type)

    def row_starts(self, name=None) -> Any:
        """Where each row begins."""
        return self._row_splits[:-1]

    def row_limits(self, name=None) -> Any:
        """Where each row ends."""
        return self._row_splits[1:]

    def row_lengths(self, axis=1, name=None) -> Any:
        """The length of each row; of the rows in it, where ``axis`` is more than 1."""
        if axis > 1:
            if not self._is_nested:
                raise ValueError(f"axis {axis} is not ragged: the ragged rank is 1.")
            return self.with_values(self._values.row_lengths(axis - 1))
        return self._row_splits[1:] - self._row_splits[:-1]

    def nested_row_lengths(self, name=None) -> Any:
        """The lengths of the rows, of the rows in them, and so on."""
        return tuple([splits[1:] - splits[:-1] for splits in self.nested_row_splits])

    def value_rowids(self, name=None) -> Any:
        """The row of each value.

        >>> import gradtape as tf
        >>> print(tf.ragged.constant([[5, 6], [], [7]]).value_rowids().numpy())
        [0 0 2]
        """
        return row_splits_to_segment_ids(self._row_splits)

    def bounding_shape(self, axis=None, name=None, out_type=None) -> Any:
        """The shape of the smallest dense tensor that holds it.

        >>> import gradtape as tf
        >>> print(tf.ragged.constant([[5, 6], [], [7]]).bounding_shape().numpy())
        [3 2]
        """
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        inner: Any = self._values.bounding_shape() if self._is_nested else shape_now(self._values)
        inner = cast(inner, kind)
        sizes = concat(
            [[self.nrows(kind)], [cast(self._width(), kind)], inner[1:]],
            0,
        )
        return sizes if axis is None else sizes[axis]

    def _width(self) -> Any:
        """The length of the longest row."""
        lengths = self.row_lengths()
        return reduce_max(concat([lengths, zero_place(lengths)], 0))


def _without_padding(tensor: Any, padding: Any, kind: Any) -> Any:
    """The length of each row without those elements at its end that are all padding."""
    differs: Any = tensor != as_tensor(padding, tensor.dtype)
    rank = len(shape_of(tensor))
    there: Any = cast(differs, kind)
    if rank > 2:
        there = reduce_max(there, list(range(2, rank)))
    width: Any = cast(shape_now(tensor)[1], kind)
    counted: Any = range_of(1, width + 1)
    return reduce_max(concat([there * counted, there[:, :1] * 0], 1), 1)
