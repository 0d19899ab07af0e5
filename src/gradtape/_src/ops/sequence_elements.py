"""Elements of sequences by number: what a ``TensorArray`` of a graph is made of.

A written sequence is a new one. An element that was never written is None.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.sequences import Sequence, is_sequence

_OBJECT = np.dtype(object)
_SEQUENCE = {"shape": lambda *_, **__: None, "dtype": _OBJECT, "holomorphic": False}


def _at(seq: Sequence, i: Any, verb: str) -> int:
    if not 0 <= i < len(seq):
        raise OutOfRangeError.of(f"Tried to {verb} index {int(i)} but array size is: {len(seq)}")
    return int(i)


empty_sequence = Op("TensorArrayV3", lambda n: Sequence([None] * int(n)), **_SEQUENCE)
length = Op("TensorArraySizeV3", lambda seq: np.int32(len(seq)), shape=lambda seq: (), dtype=np.int32)


def _written(seq: Sequence, i: Any, value: Any, grows: bool) -> Sequence:
    if grows and i >= len(seq):
        seq = Sequence([*seq, *([None] * (int(i) + 1 - len(seq)))])
    else:
        _at(seq, i, "write to")
        seq = Sequence(seq)
    seq[int(i)] = value
    return seq


written = Op(
    "TensorArrayWriteV3",
    _written,
    vjp=(
        lambda g, y, seq, i, value, grows: without(g, i),
        None,
        lambda g, y, seq, i, value, grows: element_like(g, i, value),
    ),
    reads="i",
    **_SEQUENCE,
)
"""The sequence with ``value`` at i; with ``grows``, also behind its end."""

without = Op(
    "TensorArrayWithout",
    lambda seq, i: Sequence(None if k == i else x for k, x in enumerate(seq)),
    vjp=(lambda g, y, seq, i: without(g, i), None),
    reads="i",
    **_SEQUENCE,
)


def _element(seq: Sequence, i: Any, shape: Any, dtype: Any) -> Any:
    found = seq[_at(seq, i, "read from")]
    if found is None:
        if shape is None or None in shape:
            raise InvalidArgumentError.of(
                f"Could not read index {int(i)} of a TensorArray: it was not written, and the shape of its elements is "
                f"not known. Write it first, or give element_shape."
            )
        return np.zeros(shape, dtype)
    return found


element = Op(
    "TensorArrayReadV3",
    _element,
    vjp=(lambda g, y, seq, i, shape, dtype: alone(g, i, seq), None),
    reads="i seq",
    shape=lambda seq, i, shape, dtype: shape,
    dtype=lambda seq, i, shape, dtype: dtype,
    holomorphic=False,
)


def _element_like(seq: Sequence, i: Any, like: Any) -> Any:
    found = seq[int(i)] if i < len(seq) else None
    return np.zeros(like.shape, like.dtype) if found is None else found


element_like = Op(
    "TensorArrayElementLike",
    _element_like,
    vjp=(lambda g, y, seq, i, like: alone(g, i, seq), None, None),
    reads="i seq",
    shape=lambda seq, i, like: shape_of(like),
    dtype=lambda seq, i, like: dtype_of(like),
    holomorphic=False,
)
"""An element of a sequence of cotangents: zeros like ``like`` where there is none."""

alone = Op(
    "TensorArrayAlone",
    lambda x, i, like: Sequence(x if k == i else None for k in range(len(like))),
    vjp=(lambda g, y, x, i, like: element_like(g, i, x), None, None),
    reads="x i",
    **_SEQUENCE,
)
"""A sequence as long as ``like`` with nothing but x, at i."""


joined = Op(
    "TensorArrayConcatV3",
    lambda seq, shape, dtype: np.concatenate(seq, axis=0) if seq else np.zeros((0,), dtype),
    vjp=lambda g, y, seq, shape, dtype: parted_like(g, seq),
    reads="seq",
    shape=lambda seq, shape, dtype: None if shape is None else (None, *shape[1:]),
    dtype=lambda seq, shape, dtype: dtype,
    holomorphic=False,
)


def _parted(x: Any, sizes: Any) -> Sequence:
    ends = np.cumsum(sizes)
    if len(ends) and ends[-1] != len(x):
        raise InvalidArgumentError.of(
            f"The lengths {list(sizes)} do not add up to the length {len(x)} of the value."
        )
    return Sequence(x[end - n : end] for end, n in zip(ends, sizes, strict=True))


parted = Op(
    "TensorArraySplitV3",
    _parted,
    vjp=(lambda g, y, x, sizes: parts_like(g, x, sizes), None),
    reads="x sizes",
    **_SEQUENCE,
)
"""Consecutive parts of x, of the given lengths."""

parted_like = Op(
    "TensorArraySplitLike",
    lambda x, like: _parted(x, [len(part) for part in like]),
    vjp=(lambda g, y, x, like: parts_like(g, x, like), None),
    reads="x like",
    **_SEQUENCE,
)


def _parts_like(seq: Sequence, like: Any, sizes: Any) -> Any:
    if not len(seq):
        return np.zeros(like.shape, like.dtype)
    sizes = [len(part) for part in sizes] if isinstance(sizes, Sequence) else sizes
    rest = like.shape[1:]
    parts = [np.zeros((n, *rest), like.dtype) if x is None else x for x, n in zip(seq, sizes, strict=True)]
    return np.concatenate(parts, axis=0)


parts_like = Op(
    "TensorArrayConcatLike",
    _parts_like,
    vjp=(lambda g, y, seq, like, sizes: parted_by(g, sizes), None, None),
    reads="sizes",
    shape=lambda seq, like, sizes: shape_of(like),
    dtype=lambda seq, like, sizes: dtype_of(like),
    holomorphic=False,
)
"""A sequence of cotangents of parts as an array of the shape of ``like``; ``sizes``: lengths, or the parts."""


def parted_by(x: Any, sizes: Any) -> Any:
    """Consecutive parts of x as long as ``sizes`` says: lengths, or a sequence of parts of these lengths."""
    return parted_like(x, sizes) if is_sequence(sizes) else parted(x, sizes)
