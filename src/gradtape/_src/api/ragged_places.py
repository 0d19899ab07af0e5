"""Where rows begin and end: places, lengths and numbers of rows, in terms of each other."""

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


def as_splits(splits: Any) -> Any:
    """A vector of places: int64, or int32 if it is a tensor of that."""
    kind = getattr(splits, "dtype", None)
    found = as_tensor(splits) if kind is not None and as_dtype(kind) is int32 else as_tensor(splits, int64)
    if shape_of(found) is not None and len(shape_of(found)) != 1:
        raise ValueError(f"Places of rows must be a vector, received shape {shape_of(found)}.")
    return found


def length_of(x: Any) -> Any:
    """The length of a tensor; the number of rows of a ragged one."""
    if hasattr(x, "nrows"):
        return x.nrows()
    known = shape_of(x)
    return shape_now(x)[0] if known is None or known[0] is None else as_tensor(known[0])


def zero_place(like: Any) -> Any:
    return as_tensor([0], like.dtype)


def splits_of(lengths: Any) -> Any:
    return concat([zero_place(lengths), cumsum(lengths)], 0)


def within(starts: Any, lengths: Any) -> Any:
    """The places from each start on, so many as its length says, one start after the other."""
    splits = splits_of(lengths)
    shift = repeat(starts - splits[:-1], lengths)
    return range_of(splits[-1]) + shift


def row_splits_to_segment_ids(splits, name=None, out_type=None) -> Any:
    """The row of each value, from the places where rows begin and end.

    >>> import gradtape as tf
    >>> print(tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]).numpy())
    [0 0 2]
    """
    splits = as_splits(splits)
    kind = splits.dtype if out_type is None else as_dtype(out_type)
    count: Any = length_of(splits) - 1
    return cast(repeat(range_of(count), splits[1:] - splits[:-1]), kind)


def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None) -> Any:
    """The places where rows begin and end, from the row of each value.

    >>> import gradtape as tf
    >>> print(tf.ragged.segment_ids_to_row_splits([0, 0, 2]).numpy())
    [0 2 2 3]
    """
    ids = as_splits(segment_ids)
    kind = ids.dtype if out_type is None else as_dtype(out_type)
    if num_segments is None:
        num_segments = reduce_max(concat([ids, zero_place(ids) - 1], 0)) + 1
    count: Any = cast(as_tensor(num_segments), ids.dtype)
    rows = range_of(count + 1)
    return cast(searchsorted(ids, rows), kind)
