"""Tokens: strings in pieces, side by side in one array, and numbers of tokens in a vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of

_STRING = np.dtype(object)


class Vocabulary:
    """A finite map of tokens to others (strings or integers), which may be exchanged while graphs use it.

    Args:
      pairs: of a token and what it means.
      default: what other tokens mean: a value, or a function of the token.
      dtype: of what tokens mean.
    """

    def __init__(self, pairs: Iterable[tuple[Any, Any]], default: Any, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.set(pairs, default)

    def set(self, pairs: Iterable[tuple[Any, Any]], default: Any) -> None:
        """Exchanges the map."""
        self.meaning = dict(pairs)
        self.default: Callable[[Any], Any] = default if callable(default) else lambda token: default

    def of(self, tokens: Any) -> np.ndarray:
        """What an array of tokens means."""
        out = np.empty(np.shape(tokens), self.dtype)
        meaning, default = self.meaning, self.default
        flat = out.reshape(-1)  # a view: `out` is new
        for i, token in enumerate(np.asarray(tokens).ravel().tolist()):
            token = token.encode() if isinstance(token, str) else token
            found = meaning.get(token)
            flat[i] = default(token) if found is None else found
        return out


look_up = Op(
    "LookupTableFind",
    lambda x, *, table: table.of(x),
    elementwise=True,
    shape=lambda x, *, table: shape_of(x),
    dtype=lambda x, *, table: table.dtype,
)
"""What tokens mean in a `Vocabulary`."""


def _words(text: bytes) -> list[bytes]:
    return text.split()


def _characters(text: bytes) -> list[bytes]:
    return [character.encode() for character in text.decode(errors="replace")]


_PIECES = {"whitespace": _words, "character": _characters, None: lambda text: [text]}


def _split_rows(x: Any, *, how: str | None) -> np.ndarray:
    rows = [_PIECES[how](text.encode() if isinstance(text, str) else text) for text in np.asarray(x).tolist()]
    out = np.full((len(rows), max(map(len, rows), default=0)), b"", object)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


split_rows = Op(
    "SplitRows",
    _split_rows,
    shape=lambda x, *, how: None if shape_of(x) is None else (shape_of(x)[0], None),
    dtype=_STRING,
    accepts="string",
)
"""The pieces of each of several strings as a row of a matrix, filled up with empty strings."""


def _ngrams(x: Any, *, widths: tuple[int, ...]) -> np.ndarray:
    x = np.asarray(x, object)
    flat = x.reshape(-1, x.shape[-1])
    rows = []
    for row in flat.tolist():
        tokens = [token for token in row if token != b""]
        rows.append([b" ".join(tokens[i : i + n]) for n in widths for i in range(len(tokens) - n + 1)])
    out = np.full((len(rows), max(map(len, rows), default=0)), b"", object)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out.reshape(*x.shape[:-1], out.shape[1])


ngrams = Op(
    "StringNGrams",
    _ngrams,
    shape=lambda x, *, widths: None if shape_of(x) is None else (*shape_of(x)[:-1], None),
    dtype=_STRING,
    accepts="string",
)
"""Neighbours in the rows of tokens joined by spaces: first those of the first width, then of the next."""
