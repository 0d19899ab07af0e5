"""Do the examples of a batch depend on each other?

A *look* answers exactly. Some examples of the source get a random tangent, the others zero: if one of the others moves
in the target, it depends on one of the first. What is zero by structure stays zero exactly. There are so many such
parts of the batch that of any two examples each is once in a part without the other.

In a large batch that would be much work. There a *glance* is taken first, which is one row more: a mixture of the
Jacobian's own rows or columns, in different amounts for different examples. If examples do not meet, it is the same
mixture of what these rows or columns became, up to rounding; if it is not, a look decides.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import combinations, count, islice
from math import comb, prod
from typing import Any

import numpy as np
from ml_dtypes import finfo

from gradtape._src.autodiff.forward import NoTangent
from gradtape._src.autodiff.sweep import raw_of
from gradtape._src.core.errors import user_location

Shape = tuple[int, ...]


# From tangents of the source, along a leading axis, to those of the target.
Push = Callable[[np.ndarray], Any]
# So many examples are a large batch.
_MANY = 32
# How many units of rounding, of the largest number of an example, a glance takes for nothing.
_ROUNDING = 64


def _parts(n: int) -> np.ndarray:
    """Parts of n examples, as rows of booleans."""
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


class Glance:
    """One seed, a mixture of those of the Jacobian.

    Args:
      shape: of what gets the seeds.
      axis: the axis that numbers the examples.
    """

    def __init__(self, shape: Shape, dtype: np.dtype, axis: int) -> None:
        n = shape[axis]
        self._seeds_of = shape, dtype, axis
        random = np.random.default_rng(0)
        before, after = prod(shape[:axis]), prod(shape[axis + 1 :])
        self.axis = axis
        self._amounts = random.permutation(np.linspace(-2, 2, n))  # no two are nearly the same
        self._mixture = random.uniform(1, 2, before * after)
        mixed = self._mixture.reshape(before, 1, after) * self._amounts[:, None]
        self.seeds = mixed.reshape(1, *shape).astype(dtype)
        self._expected: dict[int, Any] = {}
        self._moved: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return 1

    def closer(self) -> Look:
        """The look that decides."""
        return Look(*self._seeds_of)

    def saw(self, i: int, moved: np.ndarray) -> None:
        """Is told what the seed became in result i."""
        self._moved[i] = moved[0].copy()  # so that the rest can be freed

    def add(self, i: int, block: range, rows: np.ndarray) -> None:
        """Is told what the Jacobian's seeds of the elements in the block became."""
        wide = np.result_type(rows.dtype, np.float32)
        mixture = self._mixture[block.start : block.stop].astype(wide)
        part = np.einsum("k,k...->...", mixture, rows.astype(wide, copy=False))  # in any order in memory
        self._expected[i] = self._expected[i] + part if i in self._expected else part

    def suspected(self) -> list[int]:
        """Which results are not what was expected."""
        return [i for i in self._moved if self._suspects(i)]

    def _suspects(self, i: int) -> bool:
        moved, expected = self._moved[i], self._expected[i]
        amounts = self._amounts.astype(expected.real.dtype)
        amounts = amounts.reshape([-1 if j == self.axis else 1 for j in range(moved.ndim)])
        difference = np.abs(moved - expected * amounts)
        axes = tuple([j for j in range(moved.ndim) if j != self.axis])
        largest = np.fmax.reduce(np.abs(moved), axis=axes, keepdims=True, initial=0)
        return bool(np.any(difference > _ROUNDING * float(finfo(moved.dtype).eps) * largest))


def first_look(shape: Shape, dtype: np.dtype, axis: int) -> Look | Glance:
    """What a Jacobian's first seeds begin with."""
    return (Glance if shape[axis] >= _MANY else Look)(shape, dtype, axis)


class Looking:
    """A linear map of seeds, the first of which begin with those of a look or a glance.

    Attributes:
      first: the one that is still to be taken.
    """

    def __init__(self, run: Callable[[np.ndarray], Sequence[Any]], first: Look | Glance | None) -> None:
        self._run = run
        self.first = first
        self._glance = first if isinstance(first, Glance) else None
        self._dependent: list[int] = []

    def __call__(self, seeds: np.ndarray, block: range | None = None) -> Sequence[Any]:
        """The map of the seeds, those of the elements in the block; None for others than those."""
        first, self.first = self.first, None
        n = 0 if first is None else len(first)
        found = self._run(seeds)
        there = [(i, y) for i, y in enumerate(found) if y is not None]
        if isinstance(first, Look):
            self._dependent = [i for i, y in there if first.finds_dependence(raw_of(y[:n]))]
        if self._glance is not None:
            for i, y in there:
                if n:
                    self._glance.saw(i, raw_of(y[:n]))
                if block is not None:
                    self._glance.add(i, block, raw_of(y[n:]))
        return [None if y is None else y[n:] for y in found] if n else found

    def dependent(self) -> list[int]:
        """Which of the results have examples that depend on each other. To be asked at the end."""
        if self._glance is None:
            return self._dependent
        suspected = self._glance.suspected()
        if suspected:
            look = self._glance.closer()
            found = self._run(look.seeds)
            suspected = [i for i in suspected if look.finds_dependence(raw_of(found[i]))]
        return suspected


def is_independent(push: Push, source: Shape, axis: int) -> bool:
    """Whether no example along the axis moves with another one."""
    if source[axis] < 2:
        return True
    look = Look(source, np.dtype(float), axis)
    moved = push(look.seeds)
    return moved is None or not look.finds_dependence(moved)


def is_independent_by(push: Push, jacobian: np.ndarray, source: Shape, axis: int) -> bool:
    """As ``is_independent``, when the Jacobian along the axis is known."""
    first = first_look(source, jacobian.dtype, axis)
    if (
        isinstance(first, Glance) and jacobian.dtype.kind != "c"
    ):  # tangents of complex ones are not its columns
        target = jacobian.shape[: jacobian.ndim - len(source) + 1]
        columns = jacobian.reshape(*target, -1)
        first.saw(0, push(first.seeds))
        first.add(0, range(columns.shape[-1]), np.moveaxis(columns, -1, 0))
        if not first.suspected():
            return True
    return is_independent(push, source, axis)


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
