"""Windows, groups, buckets, and what else collects elements."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import DatasetSpec, Leaves
from gradtape._src.data.functions import ElementFunction, as_leaf, begun, on_elements
from gradtape._src.data.recipe import INFINITE, UNKNOWN, Recipe, Rows, needs_of, number, valued

Wrap = Callable[[Recipe], Any]


def window(recipe: Recipe, size: Any, shift: Any, stride: Any, drop_remainder: Any) -> Recipe:
    size = number(size)
    shift = size if shift is None else number(shift)
    stride, drop = number(stride), bool(number(drop_remainder))
    for name, x in (("size", size), ("shift", shift), ("stride", stride)):
        if isinstance(x, int) and x <= 0:
            raise InvalidArgumentError.of(f"Window {name} must be greater than zero, received {x}.")
    specs = flatten(recipe.spec)

    def begin(values: Any) -> Iterator[Leaves]:
        n, step, every = (int(valued(x, values)) for x in (size, shift, stride))
        for elements in _windows(recipe.begin(values), n, step, every, drop):
            yield tuple(
                [as_leaf(_listed(column, spec)) for column, spec in zip(zip(*elements), specs, strict=True)]
            )

    count = _windows_in(recipe.size, size, shift, stride, drop)
    spec = map_structure(DatasetSpec, recipe.spec)
    return Recipe(begin, spec, count, "Window", needs_of((recipe, size, shift, stride)))


def _windows(elements: Iterator[Any], n: int, shift: int, stride: int, drop: bool) -> Iterator[list[Any]]:
    span = (n - 1) * stride + 1
    held: deque[Any] = deque()
    while True:
        held.extend(islice(elements, span - len(held)))
        if not held or (drop and len(held) < span):
            return
        yield list(islice(held, 0, span, stride))
        if shift >= len(held):
            for _ in islice(elements, shift - len(held)):
                pass
            held.clear()
        else:
            for _ in range(shift):
                held.popleft()


def _windows_in(n: int, size: Any, shift: Any, stride: Any, drop: bool) -> int:
    if not all(isinstance(x, int) for x in (size, shift, stride)):
        return UNKNOWN
    if n < 0:
        return n
    if not drop:
        return -(-n // shift)
    span = (size - 1) * stride + 1
    return 0 if n < span else 1 + (n - span) // shift


def _listed(column: tuple[Any, ...], spec: Any) -> Recipe:
    elements = [(x,) for x in column]
    return Recipe(lambda values: iter(elements), spec, len(elements), "Variant")


def group_by_window(
    recipe: Recipe,
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any,
    window_size_func: Any,
    wrap: Wrap,
) -> Recipe:
    if (window_size is None) == (window_size_func is None):
        either = "Either" if window_size is None else "Only one of"
        raise ValueError(
            f"{either} the `window_size` argument or the `window_size_func` argument must be specified."
        )
    key_of = on_elements(key_func, recipe.spec, wrap, "group_by_window")
    key_spec = TensorSpec((), int64)
    if not isinstance(key_of.spec, TensorSpec) or key_of.spec.dtype not in (int64, int32):
        raise ValueError(
            f"Invalid `key_func`. Expected `key_func` to return a scalar tf.int64 tensor, but its return type is "
            f"{key_of.spec}."
        )
    reduce = ElementFunction(reduce_func, (key_spec, DatasetSpec(recipe.spec)), wrap, "group_by_window")
    if not isinstance(reduce.spec, DatasetSpec):
        raise TypeError("Invalid `reduce_func`. `reduce_func` must return a single `tf.data.Dataset` object.")
    fixed = 0 if window_size is None else _check_size(number(window_size))
    size_of = None
    if window_size_func is not None:
        size_of = ElementFunction(window_size_func, (key_spec,), wrap, "group_by_window")

    def begin(values: Any) -> Iterator[Leaves]:
        groups: dict[int, tuple[int, list[Leaves]]] = {}

        def reduced(key: int) -> Iterator[Leaves]:
            held = groups.pop(key)[1]
            group = Recipe(lambda _: iter(held), recipe.spec, len(held), "Variant")
            return begun(reduce(values, (np.int64(key), as_leaf(group)))[0])

        for element in recipe.begin(values):
            key = int(key_of(values, element)[0])
            if key not in groups:
                size = fixed if size_of is None else _check_size(int(size_of(values, (np.int64(key),))[0]))
                groups[key] = (size, [])
            size, held = groups[key]
            held.append(element)
            if len(held) == size:
                yield from reduced(key)
        for key in sorted(groups):
            yield from reduced(key)

    needs = needs_of((recipe, *key_of.needs, *reduce.needs, *(size_of.needs if size_of else ())))
    return Recipe(begin, reduce.spec.element_spec, UNKNOWN, "GroupByWindow", needs)


def _check_size(n: int) -> int:
    if n <= 0:
        raise InvalidArgumentError.of(f"Window size must be greater than zero, but got {n}.")
    return n


def unique(recipe: Recipe) -> Recipe:
    spec = recipe.spec
    if not isinstance(spec, TensorSpec) or spec.dtype.name not in ("int32", "int64", "string"):
        types = map_structure(lambda s: s.dtype, spec)
        raise TypeError(
            f"`tf.data.Dataset.unique` only supports a single component of type `tf.int32`, `tf.int64`, or "
            f"`tf.string`, received {types}."
        )

    def begin(values: Any) -> Iterator[Leaves]:
        seen = set()
        for element in recipe.begin(values):
            key = str(element[0].tolist()) if element[0].ndim else element[0][()]
            if key not in seen:
                seen.add(key)
                yield element

    return Recipe(begin, spec, UNKNOWN, "Unique", recipe.needs)


def zip_(structure: Any, recipes: list[Recipe]) -> Recipe:
    """Elements of several datasets side by side; ``structure`` has the specs of their elements for leaves."""
    sizes = [recipe.size for recipe in recipes if recipe.size != INFINITE]
    size = UNKNOWN if UNKNOWN in sizes else min(sizes, default=INFINITE)

    begin = lambda values: map(_side_by_side, *[recipe.begin(values) for recipe in recipes])
    parts = [recipe.rows for recipe in recipes if recipe.rows is not None and recipe.rows.all_of is not None]
    if len(parts) == len(recipes):
        columns = tuple([x for rows in parts for x in rows.columns])
        rows = Rows(columns, lambda values: iter(range(size)), size)
        return Recipe(rows.begin, structure, size, "Zip", needs_of(recipes), rows)
    return Recipe(begin, structure, size, "Zip", needs_of(recipes))


def _side_by_side(*elements: Leaves) -> Leaves:
    return tuple([x for element in elements for x in element])
