"""Elements that are kept: in memory, or in a file for later programs too (``archives.py``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gradtape._src.core.nest import flatten
from gradtape._src.data.archives import Archive, stored
from gradtape._src.data.elements import DatasetSpec, Leaves
from gradtape._src.data.functions import as_leaf, on_elements
from gradtape._src.data.recipe import Recipe, needs_of

Wrap = Callable[[Recipe], Any]


def cache(recipe: Recipe, filename: str) -> Recipe:
    if any(isinstance(s, DatasetSpec) for s in flatten(recipe.spec)):
        raise TypeError("Elements that hold datasets cannot be cached: use flat_map first.")
    store = Archive(f"{filename}.cache.npz", recipe.spec) if filename else _Memory()

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


def _file_in(folder: str) -> str:
    return os.path.join(folder, "dataset.npz")


def save(recipe: Recipe, folder: str, compression: Any, shard_func: Any, wrap: Wrap) -> None:
    archive = Archive(_file_in(folder), recipe.spec, _is_compressed(compression))
    shard_of = None if shard_func is None else _sharding(recipe, shard_func, wrap)({})
    for _ in archive.kept(recipe.begin({}), shard_of):
        pass


def load(folder: str, spec: Any, reader_func: Any, wrap: Wrap) -> Any:
    """A dataset of the elements that ``save`` put into a folder."""
    path = _file_in(folder)
    found, counts = stored(path)
    if spec is not None and flatten(spec) != flatten(found):
        raise ValueError(f"element_spec is {spec}, but the elements saved in {folder} are {found}.")
    archive = Archive(path, found if spec is None else spec)
    return _read(archive, counts, reader_func, wrap)


def _read(archive: Archive, counts: dict[int, int], reader_func: Any, wrap: Wrap) -> Any:
    shard = lambda s, n: Recipe(lambda _: archive.elements(s), archive.spec, n, "Load")
    shards = [shard(s, n) for s, n in counts.items()] or [shard(0, 0)]
    if len(shards) == 1 and reader_func is None:
        return wrap(shards[0])
    many = Recipe(
        lambda _: ((as_leaf(one),) for one in shards), DatasetSpec(archive.spec), len(shards), "Shards"
    )
    if reader_func is not None:
        return reader_func(wrap(many))
    return wrap(many).interleave(lambda one: one, cycle_length=len(shards))


def snapshot(recipe: Recipe, folder: str, compression: Any, reader_func: Any, shard_func: Any, wrap: Wrap):
    """As ``cache`` with a file: the first pass that comes to its end is stored, later ones read it."""
    archive = Archive(_file_in(folder), recipe.spec, _is_compressed(compression))
    shard_of = None if shard_func is None else _sharding(recipe, shard_func, wrap)

    def begin(values: Any) -> Iterator[Leaves]:
        if not archive.is_complete():
            return archive.kept(recipe.begin(values), shard_of and shard_of(values))
        return _read(archive, stored(archive.path)[1], reader_func, wrap)._recipe.begin(values)

    return replace(recipe, begin=begin, kind="Snapshot", rows=None)


def _is_compressed(compression: Any) -> bool:
    if compression not in (None, "", "NONE", "AUTO", "GZIP", "SNAPPY"):
        raise ValueError(f"compression must be None, 'AUTO' or 'GZIP', received {compression!r}.")
    return compression == "GZIP"


def _sharding(recipe: Recipe, shard_func: Any, wrap: Wrap) -> Callable[[Any], Callable[[Leaves], int]]:
    f = on_elements(shard_func, recipe.spec, wrap, "shard_func")
    if needs_of(f.needs):
        raise ValueError("shard_func uses tensors of a graph that have no value here.")
    return lambda values: lambda element: int(np.asarray(f(values, element)[0]))
