"""``tf.RaggedTensor``: rows of different lengths, as all their values in one tensor and the places where rows begin.

Gradients flow to the values: what is done with rows is written in operations on them.
"""

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
from gradtape._src.api.ragged_places import length_of, splits_of, within, zero_place
from gradtape._src.api.ragged_structure import RaggedRows
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


class RaggedTensor(RaggedRows):
    """Rows of different lengths.

    Made by `tf.ragged.constant`, and by the methods ``from_...``. Row ``i`` is
    ``values[row_splits[i] : row_splits[i + 1]]``. The values may be ragged in turn.

    Operators, functions of one number (`tf.exp`, ...), `tf.cast` and reductions (`tf.reduce_sum`, ...) take it, and
    gradients flow to the values.

    Attributes:
      values: of all rows, one after the other.
      row_splits: where each row begins, and where the last one ends.

    >>> import gradtape as tf
    >>> rows = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    >>> print(rows, rows.shape)
    <tf.RaggedTensor [[1.0, 2.0], [], [3.0]]> (3, None)
    >>> print(rows.to_tensor().numpy())
    [[1. 2.]
     [0. 0.]
     [3. 0.]]

    As TensorFlow 2.21.
    """

    # ---- as something else

    def with_values(self, new_values) -> Any:
        """The same rows of other values, as many as before."""
        return RaggedTensor(new_values, self._row_splits)

    def with_flat_values(self, new_values) -> Any:
        """The same rows, of rows, of other innermost values."""
        return self.with_values(self._values.with_flat_values(new_values) if self._is_nested else new_values)

    def to_tensor(self, default_value=None, name=None, shape=None) -> Any:
        """A dense tensor: rows are filled up at their ends.

        Args:
          default_value: what to fill up with; zero or the empty string by default.
          shape: to fill up, or to cut, to this shape. None for the longest row.

        >>> import gradtape as tf
        >>> print(tf.ragged.constant([[5, 6], [], [7]]).to_tensor(-1).numpy())
        [[ 5  6]
         [-1 -1]
         [ 7 -1]]
        """
        sizes: Any = [None] * len(self.shape) if shape is None else list(TensorShape(shape))
        values = self._values
        if self._is_nested:
            values = values.to_tensor(default_value, None, [None, *sizes[2:]])
        lengths = self.row_lengths()
        width = self._width() if sizes[1] is None else as_tensor(sizes[1], lengths.dtype)
        columns: Any = range_of(width)
        there = columns < lengths[:, None]
        # The value to fill up with stands behind all others.
        last = cast(length_of(values), lengths.dtype)
        places = where(there, self.row_starts()[:, None] + columns, last)
        filled = gather(concat([values, _filling(values, default_value)], 0), places)
        if sizes[0] is None:
            return filled
        return RaggedTensor._rows_up_to(filled, sizes[0], default_value)

    @staticmethod
    def _rows_up_to(dense: Any, n: int, default_value: Any) -> Any:
        """n rows: the first ones, or more of what is filled up with."""
        count = length_of(dense)
        places = minimum(range_of(n), count)
        return gather(concat([dense, _filling(dense, default_value)], 0), places)

    def to_sparse(self, name=None) -> Any:
        """A sparse tensor of the values, at their places.

        >>> import gradtape as tf
        >>> tf.ragged.constant([[5, 6], [], [7]]).to_sparse().indices.numpy().tolist()
        [[0, 0], [0, 1], [2, 0]]
        """
        sizes = cast(self.bounding_shape(), int64)
        flat = self.flat_values
        return SparseTensor(cast(self._places(), int64), reshape(flat, [-1]), sizes)

    def _places(self) -> Any:
        """The place of each innermost element."""
        if self._is_nested:
            inner = self._values._places()
        elif len(shape_of(self._values)) == 1:
            inner = range_of(cast(length_of(self._values), int64))[:, None]
        else:
            inner = where(cast(ones_like(self._values, int32), "bool"))
        value = cast(inner[:, 0], int64)
        row = gather(cast(self.value_rowids(), int64), value)
        column = value - gather(cast(self.row_starts(), int64), row)
        return concat([stack([row, column], 1), cast(inner[:, 1:], int64)], 1)

    def to_list(self) -> Any:
        """Lists in lists. In eager mode only."""
        parts = self._values.to_list() if self._is_nested else self._values.numpy().tolist()
        splits = self._row_splits.numpy().tolist()
        return [parts[a:b] for a, b in zip(splits, splits[1:])]

    def numpy(self) -> Any:
        """An array of arrays; one array if all rows are alike. In eager mode only."""
        parts = self._values.numpy()
        splits = self._row_splits.numpy()
        rows = [parts[a:b] for a, b in zip(splits, splits[1:])]
        if len({row.shape for row in rows}) == 1 and rows[0].dtype != object:
            return np.stack(rows)
        out = np.empty(len(rows), object)
        out[:] = rows
        return out

    def merge_dims(self, outer_axis, inner_axis) -> Any:
        """The axes from the outer to the inner one as one axis.

        >>> import gradtape as tf
        >>> tf.ragged.constant([[[1], [2, 3]], [[4]]]).merge_dims(0, 1)
        <tf.RaggedTensor [[1], [2, 3], [4]]>
        """
        rank = self.shape.rank
        outer, inner = outer_axis % rank, inner_axis % rank
        if outer > inner:
            raise ValueError(
                f"outer_axis must be no more than inner_axis, received {outer_axis} and {inner_axis}."
            )
        if outer == inner:
            return self
        if outer > 0:
            if not self._is_nested:
                values = self._values
                sizes = shape_now(values)
                merged = concat([sizes[: outer - 1], [-1], sizes[inner:]], 0)
                if outer == 1:
                    width: Any = 1
                    for axis in range(1, inner):
                        width = width * sizes[axis]
                    splits: Any = self._row_splits * cast(as_tensor(width), self._row_splits.dtype)
                    return RaggedTensor(reshape(values, merged), splits)
                return self.with_values(reshape(values, merged))
            if outer == 1:
                values = self._values.merge_dims(0, inner - 1)
                ends = self._values._ends(inner - 1)
                return RaggedTensor(values, gather(ends, self._row_splits))
            return self.with_values(self._values.merge_dims(outer - 1, inner - 1))
        if inner == 1:
            return self._values
        if self._is_nested:
            return self._values.merge_dims(0, inner - 1)
        return reshape(self._values, concat([[-1], shape_now(self._values)[inner:]], 0))

    def _ends(self, axis: int) -> Any:
        """Where each row ends among the elements of the axes up to ``axis`` merged, after a zero."""
        if axis == 1:
            return self._row_splits
        if self._is_nested:
            return gather(self._values._ends(axis - 1), self._row_splits)
        sizes: Any = cast(shape_now(self._values), self._row_splits.dtype)
        width: Any = 1
        for i in range(1, axis):
            width = width * sizes[i]
        return self._row_splits * width

    # ---- rows

    def __getitem__(self, key: Any) -> Any:
        first, *rest = key if isinstance(key, tuple) else (key,)
        if first is Ellipsis or first is None:
            raise ValueError("A RaggedTensor takes numbers and slices, received an ellipsis or a new axis.")
        if not isinstance(first, slice):
            begin, end = self.row_starts()[first], self.row_limits()[first]
            row = self._values[begin:end]
            return row[tuple(rest)] if rest else row
        rows = self._rows(self.row_starts()[first], self.row_limits()[first])
        if not rest:
            return rows
        if not isinstance(rest[0], slice):
            raise ValueError("Cannot index into an inner ragged dimension.")
        cut = rows._columns(rest[0])
        return cut.with_values(cut._values[(slice(None), *rest[1:])]) if rest[1:] else cut

    def _rows(self, starts: Any, limits: Any) -> RaggedTensor:
        """The rows between these places of the values."""
        lengths = limits - starts
        places = within(starts, lengths)
        return RaggedTensor(taken(self._values, places), splits_of(lengths))

    def _columns(self, cut: slice) -> RaggedTensor:
        """A slice of each row."""
        if cut == slice(None):
            return self
        if cut.step not in (None, 1):
            raise ValueError(f"Slices of ragged rows have a step of 1, received {cut.step}.")
        lengths = self.row_lengths()
        begin = _inside(cut.start, lengths) if cut.start is not None else lengths * 0
        end = _inside(cut.stop, lengths) if cut.stop is not None else lengths
        starts = self.row_starts()
        return self._rows(starts + begin, starts + maximum(begin, end))

    def __iter__(self) -> Any:
        for i in range(int(self.nrows())):
            yield self[i]

    # ---- in nests and functions

    def _components(self) -> tuple[Any, ...]:
        return self.flat_values, *self.nested_row_splits

    def _from_components(self, parts: tuple[Any, ...]) -> RaggedTensor:
        found, *splits = parts
        for places in reversed(splits):
            new = object.__new__(RaggedTensor)  # nests hold other things than tensors in these places, too
            new._values, new._row_splits = found, places
            found = new
        return found

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def __repr__(self) -> str:
        if not all(isinstance(x, EagerTensor) for x in (self.flat_values, *self.nested_row_splits)):
            return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"
        flat = self.flat_values.numpy()
        texts = [repr(x) if isinstance(x, bytes) else str(x) for x in flat.reshape(-1)]
        shown = self.with_flat_values(as_tensor(np.array(texts, object).reshape(flat.shape)))
        return f"<tf.RaggedTensor {_text(shown.to_list())}>"

    __hash__ = object.__hash__

    # Arithmetic is attached in api/ragged.py.


class RaggedTensorSpec(TypeSpec):
    """What a `tf.RaggedTensor` looks like.

    Args:
      shape: None where it is ragged.
      dtype: of the values.
      ragged_rank: how many axes are ragged; all but the first by default.
      row_splits_dtype: int64 or int32.

    >>> import gradtape as tf
    >>> tf.RaggedTensorSpec([None, None], tf.int32)
    RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)
    """

    __slots__ = ("_dtype", "_ragged_rank", "_row_splits_dtype", "_shape")

    def __init__(
        self, shape: Any = None, dtype: Any = float32, ragged_rank: Any = None, row_splits_dtype: Any = int64
    ) -> None:
        self._shape, self._dtype = TensorShape(shape), as_dtype(dtype)
        rank = self._shape.rank
        if ragged_rank is None and rank is None:
            raise ValueError("Must specify ragged_rank or a shape with a known rank.")
        self._ragged_rank = (rank or 1) - 1 if ragged_rank is None else int(ragged_rank)
        self._row_splits_dtype = as_dtype(row_splits_dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> Any:
        """The dtype of the places of rows."""
        return self._row_splits_dtype

    @property
    def value_type(self) -> type:
        """The type of the values that this spec describes."""
        return RaggedTensor

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or all values of a spec, could be some that this spec describes."""
        if isinstance(spec_or_value, RaggedTensor):
            spec_or_value = spec_or_value._type_spec
        return super().is_compatible_with(spec_or_value)

    def _parts(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype


def taken(values: Any, places: Any) -> Any:
    """The rows of a tensor, ragged or not, at these places."""
    if not isinstance(values, RaggedTensor):
        return gather(values, places)
    return values._rows(gather(values.row_starts(), places), gather(values.row_limits(), places))


def _inside(at: Any, lengths: Any) -> Any:
    """A place in rows of these lengths; a negative one counts from their ends."""
    at = as_tensor(at, lengths.dtype)
    return clip_by_value(where(at < 0, at + lengths, at + lengths * 0), 0, lengths)


def _filling(values: Any, default_value: Any) -> Any:
    """One row of what is filled up with."""
    kind = values.dtype
    plain = b"" if kind.name == "string" else 0
    one: Any = as_tensor(
        plain if default_value is None else default_value, None if isinstance(default_value, Tensor) else kind
    )
    return fill(concat([[1], shape_now(values)[1:]], 0), one) if shape_of(one) == () else one[None]


def _text(x: Any) -> str:
    """Texts in lists, without quotation marks."""
    return f"[{', '.join(map(_text, x))}]" if isinstance(x, list) else x.decode()
