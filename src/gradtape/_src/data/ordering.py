"""Transformations that choose and order elements without looking at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import as_dtype, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import relaxed
from gradtape._src.data.randomness import generators, seeds_of, shuffled
from gradtape._src.data.recipe import (
    INFINITE,
    UNKNOWN,
    Recipe,
    needs_of,
    number,
    reordered,
    valued,
)

Begin = Callable[[], Iterator[Any]]


def shuffle(recipe: Recipe, buffer_size: Any, seed: Any, reshuffle: bool | None) -> Recipe:
    n = number(buffer_size)
    if isinstance(n, int):
        _check_buffer(n, recipe.size)
    begin_random = generators(seeds_of(seed), reshuffle is None or bool(reshuffle))

    def change(begin: Begin, values: Any) -> Iterator[Any]:
        size = int(valued(n, values))
        _check_buffer(size, recipe.size)
        random = begin_random(values)
        if size == UNKNOWN:
            size = 1 << 62
        return shuffled(begin(), size, random)

    return reordered(recipe, change, recipe.size, "Shuffle", n)


def _check_buffer(n: int, size: int) -> None:
    if n <= 0 and not (n == UNKNOWN and size != INFINITE):
        raise InvalidArgumentError.of(
            f"buffer_size must be greater than zero or UNKNOWN_CARDINALITY, received {n}."
        )


def repeat(recipe: Recipe, times: Any) -> Recipe:
    n = -1 if times is None else number(times)
    size = UNKNOWN
    if isinstance(n, int):
        if n < 0:
            size = 0 if recipe.size == 0 else INFINITE
        else:
            size = recipe.size if recipe.size < 0 and n else recipe.size * n

    def change(begin: Begin, values: Any) -> Iterator[Any]:
        times = int(valued(n, values))
        return _endlessly(begin) if times < 0 else (x for _ in range(times) for x in begin())

    return reordered(recipe, change, size, "Repeat", n)


def _endlessly(begin: Begin) -> Iterator[Any]:
    empty = False
    while not empty:
        empty = True
        for x in begin():
            empty = False
            yield x


def take(recipe: Recipe, n: Any) -> Recipe:
    n = number(n)
    size = UNKNOWN
    if isinstance(n, int) and recipe.size != UNKNOWN:
        size = recipe.size if n < 0 else n if recipe.size == INFINITE else min(n, recipe.size)

    def change(begin: Begin, values: Any) -> Iterator[Any]:
        k = int(valued(n, values))
        return begin() if k < 0 else islice(begin(), k)

    return reordered(recipe, change, size, "Take", n)


def skip(recipe: Recipe, n: Any) -> Recipe:
    n = number(n)
    size = UNKNOWN
    if isinstance(n, int):
        size = 0 if n < 0 else recipe.size if recipe.size < 0 else max(0, recipe.size - n)

    def change(begin: Begin, values: Any) -> Iterator[Any]:
        k = int(valued(n, values))
        return iter(()) if k < 0 else islice(begin(), k, None)

    return reordered(recipe, change, size, "Skip", n)


def shard(recipe: Recipe, num_shards: Any, index: Any) -> Recipe:
    num_shards, index = number(num_shards), number(index)
    size = UNKNOWN
    if isinstance(num_shards, int) and isinstance(index, int):
        if num_shards < 1:
            raise InvalidArgumentError.of(
                f"Number of shards must be greater than zero (currently num_shards = {num_shards})."
            )
        if not 0 <= index < num_shards:
            raise InvalidArgumentError.of(
                f"Index must be between 0 and {num_shards - 1} (currently index = {index})."
            )
        size = recipe.size if recipe.size < 0 else len(range(index, recipe.size, num_shards))
    every = lambda begin, values: islice(
        begin(), int(valued(index, values)), None, int(valued(num_shards, values))
    )
    return reordered(recipe, every, size, "Shard", num_shards, index)


def concatenate(recipe: Recipe, other: Recipe) -> Recipe:
    spec = relaxed(recipe.spec, other.spec)
    sizes = recipe.size, other.size
    size = INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)

    def begin(values: Any) -> Iterator[Any]:
        yield from recipe.begin(values)
        yield from other.begin(values)

    return Recipe(begin, spec, size, "Concatenate", needs_of((recipe, other)))


def prefetch(recipe: Recipe, buffer_size: Any) -> Recipe:
    n = number(buffer_size)
    if isinstance(n, int) and n < -1:
        raise InvalidArgumentError.of(
            f"buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning, received {n}."
        )
    return replace(recipe, kind="Prefetch")


def enumerate_(recipe: Recipe, start: Any) -> Recipe:
    first = number(start)
    spec = (TensorSpec((), int64), recipe.spec)

    def begin(values: Any) -> Iterator[Any]:
        numbers = count(int(valued(first, values)))
        return ((np.int64(i), *x) for i, x in zip(numbers, recipe.begin(values)))

    return Recipe(begin, spec, recipe.size, "Zip", needs_of((recipe, first)))


def chosen(recipes: Sequence[Recipe], choices: Recipe, stop_on_empty: bool) -> Recipe:
    """The next element of the recipe whose number ``choices`` gives next."""
    spec = recipes[0].spec
    for other in recipes[1:]:
        spec = relaxed(spec, other.spec)

    def begin(values: Any) -> Iterator[Any]:
        passes: list[Any] = [recipe.begin(values) for recipe in recipes]
        left = len(passes)
        for (choice,) in choices.begin(values):
            i = int(choice)
            if not 0 <= i < len(passes):
                raise InvalidArgumentError.of(
                    f"Selector index out of range: {i} >= {len(passes)}: there are {len(passes)} datasets."
                )
            if passes[i] is None:
                continue
            x = next(passes[i], None)
            if x is not None:
                yield x
                continue
            passes[i] = None
            left -= 1
            if stop_on_empty or not left:
                return

    return Recipe(begin, spec, UNKNOWN, "DirectedInterleave", needs_of((*recipes, choices)))


def range_(*args: Any, **kwargs: Any) -> Recipe:
    dtype = as_dtype(kwargs.pop("output_type", int64))
    kwargs.pop("name", None)
    if kwargs or not 1 <= len(args) <= 3:
        raise ValueError(
            f"Invalid `args`. The length of `args` should be between 1 and 3 (stop, or start, stop[, step]) but was "
            f"{len(args)}, with {kwargs}."
        )
    bounds = [number(x) for x in args]
    cast = dtype.np.type
    if all(isinstance(x, int) for x in bounds):
        if bounds[2:] == [0]:
            raise InvalidArgumentError.of("step must be a non-zero integer. [Op:RangeDataset]")
        numbers = range(*bounds)
        begin: Any = lambda values: ((cast(i),) for i in numbers)
        return Recipe(begin, TensorSpec((), dtype), len(numbers), "Range")
    begin = lambda values: ((cast(i),) for i in range(*[int(valued(x, values)) for x in bounds]))
    return Recipe(begin, TensorSpec((), dtype), UNKNOWN, "Range", needs_of(bounds))
