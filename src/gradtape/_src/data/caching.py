"""Elements that are kept: in memory, or in a file for later programs too.

A file is written whole or not at all: under another name until the first pass is at its end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zipfile import ZipFile

import numpy as np

from gradtape._src.core.files import written_whole
from gradtape._src.core.nest import flatten
from gradtape._src.data.elements import DatasetSpec, Leaves, dtype_in_graphs
from gradtape._src.data.recipe import Recipe


def cache(recipe: Recipe, filename: str) -> Recipe:
    if any(isinstance(s, DatasetSpec) for s in flatten(recipe.spec)):
        raise TypeError("Elements that hold datasets cannot be cached: use flat_map first.")
    store = _File(f"{filename}.cache.npz", recipe.spec) if filename else _Memory()

    def begin(values: Any) -> Iterator[Leaves]:
        return store.elements() if store.is_complete() else store.kept(recipe.begin(values))

    return replace(recipe, begin=begin, kind="Cache", rows=None)


class _Memory:
    """The elements of the first pass that came to its end."""

    def __init__(self) -> None:
        self.held: list[Leaves] | None = None

    def is_complete(self) -> bool:
        return self.held is not None

    def elements(self) -> Iterator[Leaves]:
        return iter(self.held or ())

    def kept(self, elements: Iterator[Leaves]) -> Iterator[Leaves]:
        held = []
        for element in elements:
            held.append(element)
            yield element
        self.held = held


class _File:
    """An archive of NumPy's arrays, ``<element>.<component>.npy``. Strings are stored as bytes and lengths."""

    def __init__(self, path: str, spec: Any) -> None:
        self.path = path
        self.strings = [dtype_in_graphs(s).kind == "O" for s in flatten(spec)]

    def is_complete(self) -> bool:
        return os.path.exists(self.path)

    def elements(self) -> Iterator[Leaves]:
        with ZipFile(self.path) as archive:
            for i in range(int(archive.comment)):
                yield tuple([self._read(archive, f"{i}.{k}", text) for k, text in enumerate(self.strings)])

    def kept(self, elements: Iterator[Leaves]) -> Iterator[Leaves]:
        n = 0
        with written_whole(self.path) as partial, ZipFile(partial, "w") as archive:
            for element in elements:
                for k, (x, text) in enumerate(zip(element, self.strings)):
                    self._write(archive, f"{n}.{k}", x, text)
                n += 1
                yield element
            archive.comment = str(n).encode()

    def _write(self, archive: ZipFile, name: str, x: Any, text: bool) -> None:
        if text:
            parts = np.asarray(x).reshape(-1).tolist()
            lengths = np.array(list(map(len, parts)), np.int64).reshape(np.shape(x))
            self._write(archive, f"{name}.lengths", lengths, False)
            x = np.frombuffer(b"".join(parts), np.uint8)
        with archive.open(f"{name}.npy", "w") as file:
            np.lib.format.write_array(file, np.asarray(x), allow_pickle=False)

    def _read(self, archive: ZipFile, name: str, text: bool) -> Any:
        with archive.open(f"{name}.npy") as file:
            x = np.lib.format.read_array(file, allow_pickle=False)
        if not text:
            return x
        lengths = self._read(archive, f"{name}.lengths", False)
        ends = np.cumsum(lengths.reshape(-1)).tolist()
        data = x.tobytes()
        found = np.empty(lengths.shape, object)
        found.reshape(-1)[:] = [data[end - n : end] for end, n in zip(ends, lengths.reshape(-1).tolist())]
        return found
