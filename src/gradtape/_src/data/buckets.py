"""Batches of elements of similar length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from gradtape._src.core.dtypes import int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.batching import fills_of, padded, padded_shapes_of, stacked
from gradtape._src.data.elements import Leaves, with_leading
from gradtape._src.data.functions import on_elements
from gradtape._src.data.recipe import UNKNOWN, Recipe, needs_of


def bucket_by_sequence_length(
    recipe: Recipe,
    length_func: Callable[..., Any],
    boundaries: Any,
    batch_sizes: Any,
    padded_shapes: Any,
    padding_values: Any,
    to_boundary: bool,
    no_padding: bool,
    drop: bool,
    wrap: Callable[[Recipe], Any],
) -> Recipe:
    boundaries, batch_sizes = list(map(int, boundaries)), list(map(int, batch_sizes))
    if len(batch_sizes) != len(boundaries) + 1:
        raise ValueError(
            f"`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but `len(bucket_batch_sizes)="
            f"{len(batch_sizes)}` and `len(bucket_boundaries)={len(boundaries)}`."
        )
    length_of = on_elements(length_func, recipe.spec, wrap, "bucket_by_sequence_length")
    if not isinstance(length_of.spec, TensorSpec) or length_of.spec.dtype not in (int32, int64):
        raise TypeError(
            f"`element_length_func` must return an integer scalar, but its return type is {length_of.spec}."
        )
    specs = flatten(recipe.spec)
    n = batch_sizes[0] if drop and len(set(batch_sizes)) == 1 else None
    shapes = padded_shapes_of(recipe.spec, specs, padded_shapes)
    fills = fills_of(recipe.spec, specs, padding_values)
    wider = [TensorSpec((n, *shape), s.dtype) for shape, s in zip(shapes, specs, strict=True)]
    spec = with_leading(recipe.spec, n) if no_padding else pack_sequence_as(recipe.spec, wider)

    def stack(bucket: int, chunk: list[Leaves]) -> Leaves:
        if no_padding:
            return tuple(map(stacked, count(), zip(*chunk)))
        full = shapes
        if to_boundary:
            full = [tuple([boundaries[bucket] - 1 if d is None else d for d in shape]) for shape in shapes]
        return tuple(map(padded, zip(*chunk), full, fills))

    def begin(values: Any) -> Iterator[Leaves]:
        held: list[list[Leaves]] = [[] for _ in batch_sizes]
        for element in recipe.begin(values):
            length = int(length_of(values, element)[0])
            bucket = bisect_right(boundaries, length)
            if to_boundary and bucket == len(boundaries):
                raise InvalidArgumentError.of(
                    f"When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries), "
                    f"{boundaries[-1]}; received one of length {length}."
                )
            held[bucket].append(element)
            if len(held[bucket]) == batch_sizes[bucket]:
                yield stack(bucket, held[bucket])
                held[bucket] = []
        for bucket, chunk in enumerate(held):
            if chunk and not drop:
                yield stack(bucket, chunk)

    return Recipe(begin, spec, UNKNOWN, "GroupByWindow", needs_of((recipe, *length_of.needs)))
