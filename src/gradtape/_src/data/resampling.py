"""Elements left out at random, so that their classes are as frequent as is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_array
from gradtape._src.core.dtypes import int32, int64
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import Leaves
from gradtape._src.data.functions import on_elements
from gradtape._src.data.randomness import generators, seeds_of
from gradtape._src.data.recipe import INFINITE, UNKNOWN, Recipe, needs_of

_WORDS = float(1 << 32)
_PRIOR = 1.0  # examples that every class is taken to have had, where its frequency is estimated


def rejection_resample(
    recipe: Recipe,
    class_func: Callable[..., Any],
    target_dist: Any,
    initial_dist: Any,
    seed: Any,
    wrap: Callable[[Recipe], Any],
) -> Recipe:
    """An element of class c is taken with probability a(c) ∝ target(c) / initial(c), where the greatest is 1."""
    f = on_elements(class_func, recipe.spec, wrap, "class_func")
    if not (
        isinstance(f.spec, TensorSpec) and f.spec.dtype in (int32, int64) and f.spec.shape.rank in (0, None)
    ):
        raise TypeError(f"`class_func` must return an integer scalar, but its return type is {f.spec}.")
    target = _probabilities(target_dist, "target_dist")
    initial = None if initial_dist is None else _probabilities(initial_dist, "initial_dist")
    if initial is not None and len(initial) != len(target):
        raise ValueError(
            f"target_dist and initial_dist must be of the same classes, received {len(target)} and {len(initial)}."
        )
    begin_random = generators(seeds_of(seed), False)

    def begin(values: Any) -> Iterator[Leaves]:
        random = begin_random(values)
        seen = np.full(len(target), _PRIOR)
        for element in recipe.begin(values):
            (label,) = f(values, element)
            c = int(label)
            seen[c] += 1
            if next(random) / _WORDS < _accepted(target, seen if initial is None else initial, c):
                yield (label, *element)

    size = INFINITE if recipe.size == INFINITE else UNKNOWN
    return Recipe(begin, (f.spec, recipe.spec), size, "RejectionResample", needs_of((recipe, *f.needs)))


def _probabilities(given: Any, name: str) -> np.ndarray:
    found = np.asarray(as_array(given), np.float64)
    if found.ndim != 1 or (found < 0).any() or not found.any():
        raise ValueError(f"{name} must be a vector of probabilities, one for each class, received {given}.")
    return found / found.sum()


def _accepted(target: np.ndarray, initial: np.ndarray, c: int) -> float:
    """The probability with which an element of class c is taken."""
    ratios = np.divide(target, initial, out=np.zeros_like(target), where=initial > 0)
    return float(ratios[c] / (ratios.max() or 1.0))
