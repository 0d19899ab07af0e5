"""Sequences: one value for each step of a loop, as a single value of a graph.

A ``Sequence`` is what a loop reads from and writes to, one element a step; its elements need not be of one shape. It
has cotangents (sequences again), although its dtype, ``object``, is that of no number.
"""

from __future__ import annotations

from itertools import starmap, zip_longest
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.reordering import transpose


class Sequence(list[Any]):
    """The values of the steps: arrays, or sequences in turn. An element of a sequence of cotangents may be None."""

    dtype = np.dtype(object)
    shape = None
    array: Any = None  # that the elements are the rows of, if they are

    @staticmethod
    def of(array: Any) -> Sequence:
        """The rows of an array."""
        found = Sequence(array[i] for i in range(len(array)))
        found.array = array
        return found


def is_sequence(value: Any) -> bool:
    """Whether a value of any kind is a sequence."""
    return dtype_of(value).kind == "O" and shape_of(value) is None


def has_cotangent(value: Any) -> bool:
    """Whether a value of any kind can be differentiated: floating, complex, or a sequence."""
    return is_differentiable_np(dtype_of(value)) or is_sequence(value)


elements = Op(
    "Elements",
    Sequence.of,
    vjp=lambda g, y, x: stacked_like(g, x),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: elements(_second_first(xs[0])),
    shape=lambda x: None,
    dtype=np.dtype(object),
)
"""The rows of an array, as a sequence."""


def _second_first(x: Any) -> Any:
    """The first two axes exchanged: a sequence has the leading axis of a batch in each of its elements."""
    return transpose(x, (1, 0, *range(2, len(shape_of(x)))))


def _stacked_batched(n: int, xs: Any, batched: Any, shape: Any, dtype: Any) -> Any:
    return _second_first(stacked(xs[0], shape=None if shape is None else (n, *shape), dtype=dtype))


def _stacked_like_batched(n: int, xs: Any, batched: Any) -> Any:
    seq, like = xs
    if isinstance(seq, Tensor) or not batched[0]:
        return NotImplemented
    rows = like[0] if batched[1] else like
    if all(element is None for element in seq):
        return np.zeros((n, *rows.shape), rows.dtype)
    return _second_first(_stacked_like(seq, np.broadcast_to(rows[:, None], (len(rows), n, *rows.shape[1:]))))


def _stacked(seq: Sequence, shape: Any, dtype: Any) -> Any:
    if not seq:
        return np.zeros((0, *(d or 0 for d in shape or ())), dtype)
    if seq.array is not None:
        return seq.array
    if any(element is None for element in seq):
        known = next((element.shape for element in seq if element is not None), shape)
        if known is None or None in known:
            raise InvalidArgumentError.of(
                "Could not stack a TensorArray: nothing was written, and the shape of its elements is not known. Give "
                "element_shape."
            )
        seq = Sequence(np.zeros(known, dtype) if element is None else element for element in seq)
    return np.array(seq, dtype)


stacked = Op(
    "Stacked",
    _stacked,
    vjp=lambda g, y, seq, shape, dtype: elements(g),
    reads="",
    linear=(0,),
    batch=_stacked_batched,
    shape=lambda seq, shape, dtype: None if shape is None else (None, *shape),
    dtype=lambda seq, shape, dtype: dtype,
)
"""The elements of a sequence as rows of an array; ``shape`` and ``dtype`` are those of one element."""


def _stacked_like(seq: Sequence, like: Any) -> Any:
    if seq.array is not None:
        return seq.array
    rows = np.zeros(like.shape, like.dtype)
    for i, element in enumerate(seq):
        if element is not None:
            rows[i] = element
    return rows


stacked_like = Op(
    "StackedLike",
    _stacked_like,
    vjp=(lambda g, y, seq, like: elements(g), None),
    reads="",
    linear=(0,),
    batch=_stacked_like_batched,
    shape=lambda seq, like: shape_of(like),
    dtype=lambda seq, like: dtype_of(like),
)
"""A sequence of cotangents as an array of the shape of ``like``."""


def _plus(x: Any, y: Any) -> Any:
    if x is None or y is None:
        return y if x is None else x
    return _sum(x, y) if isinstance(x, Sequence) else x + y


def _sum(a: Sequence, b: Sequence) -> Sequence:
    if a.array is not None and b.array is not None:
        return Sequence.of(a.array + b.array)
    return Sequence(starmap(_plus, zip_longest(a, b)))


sequence_sum = Op(
    "SequenceSum",
    _sum,
    vjp=(lambda g, y, a, b: g, lambda g, y, a, b: g),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched: NotImplemented if not all(batched) else sequence_sum(*xs),
    shape=lambda a, b: None,
    dtype=np.dtype(object),
)
"""The sums of the elements of two sequences of cotangents."""


def _zeros(x: Any) -> Any:
    if x is None:
        return None
    return Sequence(map(_zeros, x)) if isinstance(x, Sequence) else np.zeros(np.shape(x), x.dtype)


_zero_sequence = Op(
    "ZeroSequence",
    _zeros,
    batch=lambda n, xs, batched: _zero_sequence(xs[0]),
    shape=lambda x: None,
    dtype=np.dtype(object),
)


def zero_like(value: Any) -> Any:
    """The cotangent zero of a tensor, a sequence or a variable."""
    if hasattr(type(value), "__tf_tensor__"):
        value = as_tensor(value)
    return _zero_sequence(value) if is_sequence(value) else zeros_like(value)
