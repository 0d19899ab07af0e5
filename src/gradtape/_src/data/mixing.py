"""Elements of several datasets, mixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.ordering import chosen
from gradtape._src.data.randomness import generators, seeds_of
from gradtape._src.data.recipe import INFINITE, Recipe, needs_of

Wrap = Any


def chosen_from(recipes: Sequence[Recipe], choices: Recipe, stop_on_empty: bool) -> Recipe:
    if not recipes:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    spec = choices.spec
    if not (isinstance(spec, TensorSpec) and spec.dtype == int64 and spec.shape.is_compatible_with(())):
        raise TypeError(
            f"Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` tensors but are {spec}."
        )
    return chosen(recipes, choices, stop_on_empty)


def sampled_from(
    recipes: Sequence[Recipe],
    weights: Any,
    seed: Any,
    stop_on_empty: bool,
    rerandomize: bool | None,
    dataset: Any,
) -> Recipe:
    if not recipes:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    n = len(recipes)
    given = getattr(weights, "_recipe", None)
    if n == 1:
        return recipes[0]
    if given is not None:
        fixed = None
    else:
        fixed = np.full(n, 1 / n) if weights is None else np.asarray(as_tensor(weights)._data, np.float64)
        if fixed.shape != (n,):
            raise ValueError(
                f"Invalid `weights`. The shape of `weights` should be compatible with `[len(datasets)]`, [{n}], but is "
                f"{list(fixed.shape)}."
            )
        fixed = fixed / fixed.sum()
    begin_random = generators(seeds_of(seed), bool(rerandomize))

    def choices(values: Any) -> Iterator[Any]:
        of_steps = None if given is None else given.begin(values)
        for word in begin_random(values):
            w = fixed
            if of_steps is not None:
                element = next(of_steps, None)
                if element is None:
                    return
                w = np.asarray(element[0], np.float64)
            i = int(np.searchsorted(np.cumsum(w), word / 2**32 * w.sum(), side="right"))
            yield (np.int64(min(i, n - 1)),)

    choice = Recipe(choices, TensorSpec((), int64), INFINITE, "Random", () if given is None else given.needs)
    return chosen(recipes, choice, stop_on_empty)
