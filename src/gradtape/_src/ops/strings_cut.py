"""Strings in pieces: what is between separators, bytes, characters, runs of several strings.

The pieces of several strings are given as all pieces, and the places where those of each string begin and end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.ops.strings import as_bytes, mapped, pieces

_STRING = np.dtype(object)


def _cut_up(x: Any, cut: Callable[[Any], list[Any]], dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    rows = [cut(item) for item in np.asarray(x, object).reshape(-1)]
    values = np.empty(sum(map(len, rows)), dtype)
    values[:] = [piece for row in rows for piece in row]
    return values, np.cumsum([0, *map(len, rows)]).astype(np.int64)


def _rows_op(name: str, cut: Callable[..., list[Any]], dtype: Any = object) -> Op:
    """Strings in pieces: the pieces of all, and the places where those of each begin and end."""

    def places(x: Any, **params: Any) -> list[Any]:
        shape = shape_of(x)
        return [(None,), (None if shape is None or None in shape else 1 + math.prod(shape),)]

    return Op(
        name,
        lambda x, **params: _cut_up(x, lambda item: cut(as_bytes(item), **params), dtype),
        multi=True,
        shape=places,
        dtype=lambda x, **params: [np.dtype(dtype), np.dtype(np.int64)],
        accepts="string",
    )


def decoded(item: bytes, encoding: str, errors: str, replacement: int = 0xFFFD) -> str:
    """The characters of a string; ``errors`` says what becomes of bytes that are none."""
    if errors == "strict":
        try:
            return item.decode(encoding)
        except UnicodeDecodeError:
            raise InvalidArgumentError.of(f"Invalid formatting on input string: {item!r:.80}") from None
    if errors == "ignore":
        return item.decode(encoding, "ignore")
    return item.decode(encoding, "replace").replace("\ufffd", chr(replacement))


split_rows = _rows_op("StringSplitV2", pieces)
bytes_rows = _rows_op("StringBytesSplit", lambda item: [item[i : i + 1] for i in range(len(item))])
character_rows = _rows_op(
    "UnicodeSplit",
    lambda item, encoding, errors, replacement: [
        c.encode(encoding) for c in decoded(item, encoding, errors, replacement)
    ],
)
code_point_rows = _rows_op(
    "UnicodeDecode",
    lambda item, encoding, errors, replacement: [*map(ord, decoded(item, encoding, errors, replacement))],
    np.int32,
)
unicode_transcode = Op(
    "UnicodeTranscode",
    mapped(
        lambda item, *, encoding, output, errors, replacement: decoded(
            as_bytes(item), encoding, errors, replacement
        ).encode(output)
    ),
    shape=lambda x, **params: shape_of(x),
    dtype=_STRING,
    accepts="string",
    elementwise=True,
)


def _encoded_rows(codes: Any, splits: Any, *, output: str, errors: str, replacement: int) -> np.ndarray:
    def character(code: int) -> str:
        if 0 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000:
            return chr(code)
        if errors == "strict":
            raise InvalidArgumentError.of(
                f"Code point is out of range for Unicode, or a noncharacter: {code}"
            )
        return "" if errors == "ignore" else chr(replacement)

    characters = list(map(character, np.asarray(codes).tolist()))
    ends = np.asarray(splits).tolist()
    out = np.empty(len(ends) - 1, object)
    out[:] = ["".join(characters[a:b]).encode(output) for a, b in zip(ends, ends[1:])]
    return out


def _one_less(shape: Any) -> Any:
    return (None if shape is None or shape[0] is None else shape[0] - 1,)


unicode_encode = Op(
    "UnicodeEncode",
    _encoded_rows,
    shape=lambda codes, splits, **params: _one_less(shape_of(splits)),
    dtype=_STRING,
    accepts="int32",
)


def _ngrams(x: Any, splits: Any, *, widths: tuple[int, ...], separator: str, pads: Any, padding: int) -> Any:
    items = [*map(as_bytes, np.asarray(x, object))]
    ends = np.asarray(splits).tolist()
    rows = []
    for a, b in zip(ends, ends[1:]):
        row = []
        for width in widths:
            pad = min(padding, width - 1) if padding >= 0 else width - 1
            parts = items[a:b] if pads is None else [pads[0]] * pad + items[a:b] + [pads[1]] * pad
            row += [separator.encode().join(parts[i : i + width]) for i in range(len(parts) - width + 1)]
        rows.append(row)
    values = np.empty(sum(map(len, rows)), object)
    values[:] = [gram for row in rows for gram in row]
    return values, np.cumsum([0, *map(len, rows)]).astype(np.int64)


string_ngrams = Op(
    "StringNGrams",
    _ngrams,
    multi=True,
    shape=lambda x, splits, **params: [(None,), shape_of(splits)],
    dtype=lambda x, splits, **params: [_STRING, np.dtype(np.int64)],
    accepts="string",
)
"""Pieces of rows of strings, each as long as a width says, joined."""
