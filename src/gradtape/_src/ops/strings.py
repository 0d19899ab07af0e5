"""Strings: joined (what ``+`` means for them), cut, compared with patterns, made of numbers and turned into them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Op
from gradtape._src.core.shapes import broadcast, compatible, merge
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import add
from gradtape._src.ops.fingerprint import fingerprint64, keyed_hash64

join_strings = Binary(
    "Add",
    lambda a, b: np.asarray(
        np.add(a, b), object
    ),  # of two single strings NumPy gives bytes, which are no array
    elementwise=True,
    accepts="string",
    same_dtype=True,
)


def add_or_join(x: Any, y: Any, name: str | None = None) -> Any:
    """What ``+`` means for tensors: the sum of numbers, strings one after the other."""
    try:
        return add.of(x, y, name)
    except (InvalidArgumentError, TypeError):  # the latter in a graph
        if not _are_strings(x, y):
            raise
    return join_strings.of(x, y, name)


def _are_strings(x: Any, y: Any) -> bool:
    try:
        x, y = as_operands(x, y)
    except TypeError:
        return False
    return dtype_of(x).kind == "O"


# --- Elementwise --------------------------------------------------------------------------------------------

_STRING = np.dtype(object)


def mapped(function: Callable[..., Any], dtype: Any = object) -> Callable[..., np.ndarray]:
    """A kernel that applies a function to each element of arrays that broadcast."""

    def kernel(*arrays: Any, **params: Any) -> np.ndarray:
        arrays = np.broadcast_arrays(*arrays)
        out = np.empty(arrays[0].shape, dtype)
        for at in np.ndindex(out.shape):
            out[at] = function(*[array[at] for array in arrays], **params)
        return out

    return kernel


def _text(item: Any) -> str:
    return item.decode(errors="replace") if isinstance(item, bytes) else item


def as_bytes(item: Any) -> bytes:
    """A string as bytes."""
    return item.encode() if isinstance(item, str) else item


def _elementwise(name: str, function: Callable[..., Any], dtype: Any = object) -> Op:
    def shape(x: Any, **params: Any) -> Any:
        return shape_of(x)

    return Op(
        name, mapped(function, dtype), shape=shape, dtype=np.dtype(dtype), accepts="string", elementwise=True
    )


def _cased(method: str) -> Callable[..., bytes]:
    """Upper or lower case: of ASCII letters, or of all letters where the encoding is known."""

    def function(item: Any, *, encoding: str) -> bytes:
        if encoding:
            return getattr(_text(item), method)().encode()
        return getattr(as_bytes(item), method)()

    return function


string_length = _elementwise(
    "StringLength",
    lambda item, *, unit: len(_text(item) if unit == "UTF8_CHAR" else as_bytes(item)),
    np.int32,
)
string_lower = _elementwise("StringLower", _cased("lower"))
string_upper = _elementwise("StringUpper", _cased("upper"))
string_strip = _elementwise("StringStrip", lambda item: as_bytes(item).strip())
regex_replace = _elementwise(
    "RegexReplace",
    lambda item, *, pattern, rewrite, everywhere: re.sub(
        pattern.encode(),
        rewrite.encode().replace(rb"\0", rb"\g<0>"),
        as_bytes(item),
        count=0 if everywhere else 1,
    ),
)
regex_full_match = _elementwise(
    "RegexFullMatch",
    lambda item, *, pattern: re.fullmatch(pattern.encode(), as_bytes(item)) is not None,
    np.bool_,
)
to_hash_bucket = _elementwise(
    "StringToHashBucketFast", lambda item, *, buckets: fingerprint64(as_bytes(item)) % buckets, np.int64
)
to_hash_bucket_strong = _elementwise(
    "StringToHashBucketStrong",
    lambda item, *, buckets, key: keyed_hash64(as_bytes(item), key) % buckets,
    np.int64,
)


def _number(item: Any, *, dtype: np.dtype) -> Any:
    try:
        text = _text(item).strip()
        number: Any = int(text) if dtype.kind == "i" else float(text)
        if dtype.kind == "i" and not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max or "_" in text:
            raise ValueError
        return number
    except ValueError:
        raise InvalidArgumentError.of(
            f"StringToNumberOp could not correctly convert string: {_text(item)}"
        ) from None


string_to_number = Op(
    "StringToNumber",
    lambda x, *, dtype: mapped(_number, dtype)(x, dtype=dtype),
    elementwise=True,
    shape=lambda x, *, dtype: shape_of(x),
    dtype=lambda x, *, dtype: dtype,
    accepts="string",
)


def _shown(item: Any, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str) -> bytes:
    if isinstance(item, (bool, np.bool_)):
        text = "true" if item else "false"
    elif isinstance(item, (int, np.integer)):
        text = str(int(item))
    elif isinstance(item, (complex, np.complexfloating)):
        how: Any = {
            "precision": precision,
            "scientific": scientific,
            "shortest": shortest,
            "width": 0,
            "fill": "",
        }
        return b"(" + _shown(item.real, **how) + b"," + _shown(item.imag, **how) + b")"
    else:
        kind = "e" if scientific else "g" if shortest else "f"
        text = f"{float(item):{f'.{precision}' if precision >= 0 else ''}{kind}}"
    if width > 0:
        text = text.zfill(width) if fill == "0" else f"{text:{'<' if fill == '-' else '>'}{width}}"
    return text.encode()


as_string = Op(
    "AsString",
    mapped(_shown),
    elementwise=True,
    shape=lambda x, **params: shape_of(x),
    dtype=_STRING,
    accepts="float complex int bool",
)


def _part(item: Any, pos: Any, length: Any, *, unit: str) -> bytes:
    whole: Any = _text(item) if unit == "UTF8_CHAR" else as_bytes(item)
    if not -len(whole) <= pos <= len(whole):
        raise InvalidArgumentError.of(f"pos {pos} out of range for string b'{_text(item)}'")
    start = pos + len(whole) if pos < 0 else pos
    return as_bytes(whole[start : start + max(0, int(length))])


substr = Op(
    "Substr",
    mapped(_part),
    elementwise=True,
    shape=lambda x, pos, length, *, unit: broadcast(shape_of(x), shape_of(pos), shape_of(length)),
    dtype=_STRING,
    same_dtype=False,
    accepts="string",
)

# --- Several, and parts of one ------------------------------------------------------------------------------


def _joined(*arrays: Any, separator: str) -> np.ndarray:
    shapes = [np.shape(array) for array in arrays if np.ndim(array)]
    for shape in shapes[1:]:
        if shape != shapes[0]:
            raise InvalidArgumentError.of(f"Input shapes do not match: {list(shapes[0])} vs. {list(shape)}")
    return mapped(lambda *items: separator.encode().join(map(as_bytes, items)))(*arrays)


def _joined_shape(*arrays: Any, separator: str) -> Any:
    known = [shape_of(array) for array in arrays]
    if None in known:
        return None
    out: Any = ()
    for shape in known:
        if shape and out and not compatible(shape, out):
            raise ValueError(f"Input shapes do not match: {list(out)} vs. {list(shape)}")
        out = merge(out, shape) if shape and out else shape or out
    return out


string_join = Op("StringJoin", _joined, shape=_joined_shape, dtype=_STRING, accepts="string")
"""Elements of arrays of one shape, or of single strings, one after the other."""


def _reduced(x: Any, *, axes: tuple[int, ...], keepdims: bool, separator: str) -> np.ndarray:
    x = np.asarray(x, object)
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    rows = x.transpose([*kept, *axes]).reshape([*(x.shape[axis] for axis in kept), -1])
    out = np.empty(rows.shape[:-1], object)
    for at in np.ndindex(out.shape):
        out[at] = separator.encode().join(map(as_bytes, rows[at]))
    return np.expand_dims(out, tuple(sorted(axes))) if keepdims else out


def _reduced_shape(x: Any, *, axes: tuple[int, ...], keepdims: bool, separator: str) -> Any:
    shape = shape_of(x)
    pairs = [(1 if axis in axes else n) for axis, n in enumerate(shape) if keepdims or axis not in axes]
    return tuple(pairs)


reduce_join = Op(
    "ReduceJoin",
    _reduced,
    batch=lambda n, xs, batched, *, axes, **params: reduce_join(
        *xs, axes=tuple([axis + 1 for axis in axes]), **params
    ),
    shape=_reduced_shape,
    dtype=_STRING,
    accepts="string",
)


def pieces(item: Any, separator: str, maxsplit: int) -> list[bytes]:
    """A string in pieces, as Python's ``split`` cuts it."""
    return as_bytes(item).split(separator.encode() or None, maxsplit)


def _segments_joined(x: Any, ids: Any, *, n: int, separator: str) -> np.ndarray:
    rows = np.asarray(x, object).reshape(ids.size, -1)
    groups: list[list[Any]] = [[] for _ in range(n)]
    for i, row in zip(ids.reshape(-1).tolist(), rows):
        if i >= n:
            raise InvalidArgumentError.of(f"segment id {i} is not less than num_segments, {n}")
        if i >= 0:
            groups[i].append(row)
    out = np.full((n, rows.shape[1]), b"", object)
    for i, group in enumerate(groups):
        for k, items in enumerate(zip(*group)):
            out[i, k] = separator.encode().join(map(as_bytes, items))
    return out.reshape(n, *np.shape(x)[np.ndim(ids) :])


segment_join = Op(
    "UnsortedSegmentJoin",
    _segments_joined,
    shape=lambda x, ids, *, n, separator: (n, *shape_of(x)[len(shape_of(ids)) :]),
    dtype=_STRING,
    accepts="string",
)
"""The strings with the same number, one after the other."""
