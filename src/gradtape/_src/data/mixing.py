"""Elements of several datasets, mixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.philox import scrambled
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.ordering import chosen
from gradtape._src.data.randomness import generators, seeds_of
from gradtape._src.data.recipe import INFINITE, Recipe
from gradtape._src.ops.distributions import categorical


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
) -> Recipe:
    if not recipes:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    if len(recipes) == 1:
        return recipes[0]
    given = getattr(weights, "_recipe", None)
    fixed = None if given is not None else _logits(weights, len(recipes))
    begin_random = generators(seeds_of(seed), bool(rerandomize))

    def choices(values: Any) -> Iterator[Any]:
        random = begin_random(values)
        logits = repeat((fixed,)) if given is None else map(_log_of, given.begin(values))
        for (x,) in logits:
            place = scrambled((next(random), next(random)))
            yield (categorical(x, 1, *place)[0, 0],)

    needs = () if given is None else given.needs
    return chosen(recipes, Recipe(choices, TensorSpec((), int64), INFINITE, "Random", needs), stop_on_empty)


def _logits(weights: Any, n: int) -> np.ndarray:
    """The logarithms of the weights of n datasets, in one row."""
    if weights is None:
        return np.ones((1, n), np.float32)
    weights = np.asarray(as_tensor(weights)._data)
    if weights.shape != (n,):
        raise ValueError(
            f"Invalid `weights`. The shape of `weights` should be compatible with `[len(datasets)]`, [{n}], but is "
            f"{list(weights.shape)}."
        )
    return _log_of((weights,))[0]


def _log_of(element: Any) -> Any:
    weights = np.asarray(element[0])
    with np.errstate(divide="ignore"):
        return (np.log(weights if weights.dtype.kind == "f" else weights.astype(np.float32))[None],)
