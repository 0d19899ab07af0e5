"""Elements of sequences by number: what a ``TensorArray`` of a graph is made of.

A written sequence is a new one. An element that was never written is None. Where an operation takes the number of an
element it takes a vector of numbers too, and as many elements as rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, as_text, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.sequences import Sequence, elements, is_sequence, stacked

_OBJECT = np.dtype(object)
_SEQUENCE = {"shape": lambda *_, **__: None, "dtype": _OBJECT, "holomorphic": False}

empty_sequence = Op("TensorArrayV3", lambda n: Sequence([None] * int(n)), **_SEQUENCE)
length = Op("TensorArraySizeV3", lambda seq: np.int32(len(seq)), shape=lambda seq: (), dtype=np.int32)
same_sequence = Op("TensorArrayIdentity", lambda seq: seq, vjp=lambda g, y, seq: g, reads="", **_SEQUENCE)
flow = Op("TensorArrayFlow", lambda seq: np.float32(0), shape=lambda seq: (), dtype=np.float32)
"""A number that is there when the sequence is."""


# --- Writing ------------------------------------------------------------------------------------------------


def _numbered(i: Any, value: Any) -> Iterator[tuple[int, Any]]:
    """Numbers of elements with their values; a number that comes again replaces what was there."""
    if np.ndim(i) == 0:
        return iter([(int(i), value)])
    if len(i) != len(value):
        raise InvalidArgumentError.of(
            f"Expected len(indices) == tensor.shape[0], but saw: {len(i)} vs. {len(value)}"
        )
    return iter({int(k): value[row, ...] for row, k in enumerate(i)}.items())


def _numbers(i: Any) -> list[int]:
    return [int(k) for k in np.ravel(i)]


def _written(seq: Sequence, i: Any, value: Any, grows: bool) -> Sequence:
    seq = Sequence(seq)
    for k, part in _numbered(i, value):
        if k < 0:
            raise InvalidArgumentError.of(
                f"Trying to modify element {k} in a list, but the index must be non-negative."
            )
        if k >= len(seq) and not grows:
            raise InvalidArgumentError.of(f"Trying to modify element {k} in a list with {len(seq)} elements.")
        seq.extend([None] * (k + 1 - len(seq)))
        seq[k] = part
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


def _without(seq: Sequence, i: Any) -> Sequence:
    numbers = set(_numbers(i))
    return Sequence(None if k in numbers else x for k, x in enumerate(seq))


without = Op(
    "TensorArrayWithout", _without, vjp=(lambda g, y, seq, i: without(g, i), None), reads="i", **_SEQUENCE
)


def _element_like(seq: Sequence, i: Any, like: Any) -> Any:
    found = np.zeros(like.shape, like.dtype)
    last = {k: row for row, k in enumerate(_numbers(i))}  # the rows that were not overwritten
    for k, row in last.items():
        if k < len(seq) and seq[k] is not None:
            found[row if np.ndim(i) else ...] = seq[k]
    return found


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


def _alone(x: Any, i: Any, like: Sequence) -> Sequence:
    parts = dict(_numbered(i, x))
    return Sequence(parts.get(k) for k in range(len(like)))


alone = Op(
    "TensorArrayAlone",
    _alone,
    vjp=(lambda g, y, x, i, like: element_like(g, i, x), None, None),
    reads="x i",
    **_SEQUENCE,
)
"""A sequence as long as ``like`` with nothing but x, at i."""


# --- Reading ------------------------------------------------------------------------------------------------


def _zeros(seq: Sequence, shape: Any, dtype: Any, trying: str) -> Any:
    """What an element that was never written reads as: zeros of the shape that the others have."""
    if shape is None or None in shape:
        shape = next((part.shape for part in seq if part is not None), shape)
    if shape is None or None in shape:
        raise InvalidArgumentError.of(
            f"Trying to {trying} an uninitialized tensor but element_shape is not fully defined: {as_text(shape)} and "
            "no list element is set. Write it first, or give element_shape."
        )
    return np.zeros(shape, dtype)


def _element(seq: Sequence, i: Any, shape: Shape, dtype: Any) -> Any:
    if not 0 <= i < len(seq):
        raise InvalidArgumentError.of(
            f"Trying to access element {int(i)} in a list with {len(seq)} elements."
        )
    found = seq[int(i)]
    return _zeros(seq, shape, dtype, "read") if found is None else found


element = Op(
    "TensorArrayReadV3",
    _element,
    vjp=(lambda g, y, seq, i, shape, dtype: alone(g, i, seq), None),
    reads="i seq",
    shape=lambda seq, i, shape, dtype: shape,
    dtype=lambda seq, i, shape, dtype: dtype,
    holomorphic=False,
)


def _filled(seq: Sequence, shape: Shape, dtype: Any, trying: str) -> Sequence:
    if all(part is not None for part in seq):
        return seq
    zeros = _zeros(seq, shape, dtype, trying)
    return Sequence(zeros if part is None else part for part in seq)


def _array(seq: Sequence, shape: Shape, dtype: Any, size: int | None) -> Any:
    if not seq and (shape is None or None in shape):
        raise InvalidArgumentError.of(
            "Tried to stack elements of an empty list with non-fully-defined element_shape: "
            f"{as_text(shape)}. Give element_shape."
        )
    if seq.array is None:
        seq = _filled(seq, shape, dtype, "stack")
        _check_shapes([part.shape for part in seq])
    return stacked.kernel(seq, shape=shape, dtype=dtype)


def _check_shapes(shapes: list[Any]) -> None:
    for shape in shapes:
        if len(shape) != len(shapes[0]):
            words = f"Incompatible ranks during merge: {len(shapes[0])} vs. {len(shape)}"
        elif shape != shapes[0]:
            words = f"Incompatible shapes during merge: {in_brackets(shapes[0])} vs. {in_brackets(shape)}"
        else:
            continue
        raise InvalidArgumentError.of(f"PartialTensorShape: {words}")


whole = Op(
    "TensorListStack",
    _array,
    vjp=lambda g, y, seq, shape, dtype, size: elements(g),
    reads="",
    shape=lambda seq, shape, dtype, size: None if shape is None else (size, *shape),
    dtype=lambda seq, shape, dtype, size: dtype,
    holomorphic=False,
)
"""The elements of a TensorArray as rows of an array; ``size``: how many there are, or None."""


# --- Joining and parting ------------------------------------------------------------------------------------


def _joined(seq: Sequence, shape: Any, dtype: Any) -> Any:
    if not seq:
        if shape is None or None in shape[1:]:
            raise InvalidArgumentError.of(
                "All except the first dimension must be fully defined when concating an empty tensor list. "
                f"element_shape: {as_text(shape)}"
            )
        return np.zeros((0, *shape[1:]), dtype)
    seq = _filled(seq, shape, dtype, "concat")
    for i, part in enumerate(seq):
        if part.ndim == 0:
            raise InvalidArgumentError.of(
                f"Concat saw a scalar shape at index {i} but requires at least vectors."
            )
    _check_shapes([part.shape[1:] for part in seq])
    return np.concatenate(seq, axis=0)


joined = Op(
    "TensorArrayConcatV3",
    _joined,
    vjp=lambda g, y, seq, shape, dtype: parted_like(g, seq),
    reads="seq",
    shape=lambda seq, shape, dtype: None if shape is None else (None, *shape[1:]),
    dtype=lambda seq, shape, dtype: dtype,
    holomorphic=False,
)


def _parted(x: Any, sizes: Any) -> Sequence:
    if np.ndim(sizes) != 1:
        raise InvalidArgumentError.of(
            f"Expected lengths to be a vector, received shape: {in_brackets(np.shape(sizes))}"
        )
    total = int(np.sum(sizes))
    if total > len(x):
        raise InvalidArgumentError.of(
            f"Attempting to slice [0, {total}] from tensor with length {len(x)}: the lengths are "
            f"{[int(n) for n in sizes]}"
        )
    if total < len(x):
        raise InvalidArgumentError.of(
            f"Unused values in tensor. Length of tensor: {len(x)} Values used: {total}"
        )
    ends = np.cumsum(sizes)
    return Sequence(x[end - n : end] for end, n in zip(ends, sizes, strict=True))


def _lengths(parts: Sequence, total: int) -> list[int]:
    """The lengths of the parts that were joined; those that were not written were filled, all to one length."""
    known = sum(len(part) for part in parts if part is not None)
    missing = sum(part is None for part in parts)
    return [(total - known) // missing if part is None else len(part) for part in parts]


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
    lambda x, like: _parted(x, _lengths(like, len(x))),
    vjp=(lambda g, y, x, like: parts_like(g, x, like), None),
    reads="x like",
    **_SEQUENCE,
)


def _parts_like(seq: Sequence, like: Any, sizes: Any) -> Any:
    if not len(seq):
        return np.zeros(like.shape, like.dtype)
    sizes = _lengths(sizes, len(like)) if isinstance(sizes, Sequence) else sizes
    rest = like.shape[1:]
    padded = [*seq, *[None] * (len(sizes) - len(seq))]  # and the cotangent may be that of a longer sequence
    parts = [
        np.zeros((n, *rest), like.dtype) if x is None else x for x, n in zip(padded, sizes, strict=False)
    ]
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
