"""Do the examples of a batch depend on each other?

Half of the examples of the source get a random tangent, the others zero: if an example of the other half of the target
moves, it depends on one of the first. What is zero by structure stays zero exactly. In a large batch one half is
tried; in a small one so many parts that of any two examples each is once in a part without the other.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import combinations, count, islice
from math import comb
from typing import Any

import numpy as np

from gradtape._src.autodiff.forward import NoTangent
from gradtape._src.autodiff.sweep import raw_of
from gradtape._src.core.errors import user_location

Shape = tuple[int, ...]


# From tangents of the source, along a leading axis, to those of the target.
Push = Callable[[np.ndarray], Any]
# Of so many examples, a random half and the rest are all but sure to have a dependence that goes from one to the other.
_MANY = 32


def _parts(n: int) -> np.ndarray:
    """Parts of n examples, as rows of booleans."""
    if n >= _MANY:
        return (np.random.default_rng(0).permutation(n) < n // 2)[None]
    k = next(k for k in count(1) if comb(k, k // 2) >= n)
    parts = np.zeros((k, n), bool)
    for i, own in enumerate(islice(combinations(range(k), k // 2), n)):
        parts[own, i] = True  # the parts of one example are never among those of another (Sperner, 1928)
    return parts


class Look:
    """Seeds, along a leading axis, whose derivatives show whether examples depend on each other.

    Args:
      shape: of what gets the seeds.
      axis: the axis that numbers the examples.
    """

    def __init__(self, shape: Shape, dtype: np.dtype, axis: int) -> None:
        n = shape[axis]
        self.axis = axis
        self._parts = _parts(n)
        random = np.random.default_rng(0).uniform(1, 2, shape)
        self.seeds = np.where(self._along(shape), random, 0).astype(dtype)

    def __len__(self) -> int:
        return len(self.seeds)

    def _along(self, shape: Shape) -> np.ndarray:
        sizes = [-1 if i == self.axis else 1 for i in range(len(shape))]
        return self._parts.reshape(len(self._parts), *sizes)

    def finds_dependence(self, moved: np.ndarray) -> bool:
        """Whether an example moves with another one, by what the seeds became."""
        return bool(np.any((moved != 0) & ~self._along(moved.shape[1:]) & ~np.isnan(moved)))


class Looking:
    """A linear map of seeds, the first of which begin with those of a look.

    Attributes:
      look: the one that is still to be taken.
      dependent: which of its results have examples that depend on each other.
    """

    def __init__(self, run: Callable[[np.ndarray], Sequence[Any]], look: Look | None) -> None:
        self._run = run
        self.look = look
        self.dependent: list[int] = []

    def __call__(self, seeds: np.ndarray) -> Sequence[Any]:
        look, self.look = self.look, None
        if look is None:
            return self._run(seeds)
        n = len(look)
        found = self._run(seeds)
        there = [(i, raw_of(y[:n])) for i, y in enumerate(found) if y is not None]
        self.dependent = [i for i, moved in there if look.finds_dependence(moved)]
        return [None if y is None else y[n:] for y in found]


def is_independent(push: Push, source: Shape, axis: int) -> bool:
    """Whether no example along the axis moves with another one."""
    if source[axis] < 2:
        return True
    look = Look(source, np.dtype(float), axis)
    moved = push(look.seeds)
    return moved is None or not look.finds_dependence(moved)


def dependence_warning(axis: int, others: list[int]) -> str:
    """What a user is told of examples that depend on each other."""
    if others:
        way_out = f"They are independent along axis {others[0]}: pass batch_axis={others[0]}."
    else:
        way_out = "For the derivatives by each of the other examples take tape.jacobian."
    return (
        f"batch_jacobian: the examples along axis {axis} depend on each other, so this is no Jacobian of each example "
        f"by itself: the derivatives by the other examples are added in. {way_out}"
    )


def warn_of_dependence(
    push: Push, target: Shape, source: Shape, axis: int, place: tuple[str, int] | None = None
) -> None:
    """Warns, at the user's line, that the Jacobian along an axis is none of each example by itself."""
    shared = range(min(len(target), len(source)))
    others = [i for i in shared if i != axis and target[i] == source[i] > 1]
    try:
        others = [i for i in others if is_independent(push, source, i)]
    except NoTangent:
        others = []
    file, line = place or user_location() or ("<unknown>", 1)
    warnings.warn_explicit(dependence_warning(axis, others), UserWarning, file, line)
