"""Do the examples of a batch depend on each other?

Half of the examples of the source get a random tangent, the others zero: if an example of the other half of the target
moves, it depends on one of the first. What is zero by structure stays zero exactly.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.errors import user_location

Shape = tuple[int, ...]


# From tangents of the source, along a leading axis, to those of the target.
Push = Callable[[np.ndarray], Any]
# Of so many examples, a random half and the rest are sure to have a dependence that goes either way.
_MANY = 32


def is_independent(push: Push, target: Shape, source: Shape, axis: int) -> bool:
    """Whether no example along the axis moves with another one."""
    n = source[axis]
    if n < 2:
        return True
    rng = np.random.default_rng(0)
    half = rng.permutation(n) < n // 2
    halves = half[None] if n >= _MANY else np.stack([half, ~half])
    along = lambda shape: halves.reshape(-1, *(n if i == axis else 1 for i in range(len(shape))))
    moved = push(np.where(along(source), rng.uniform(1, 2, source), 0))
    return moved is None or not np.any((moved != 0) & ~along(target) & ~np.isnan(moved))


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


def warn_if_dependent(
    push: Push, target: Shape, source: Shape, axis: int, place: tuple[str, int] | None = None
) -> None:
    """Warns, at the user's line, if the Jacobian along an axis is none of each example by itself."""
    if is_independent(push, target, source, axis):
        return
    shared = range(min(len(target), len(source)))
    others = [i for i in shared if i != axis and target[i] == source[i] > 1]
    others = [i for i in others if is_independent(push, target, source, i)]
    file, line = place or user_location() or ("<unknown>", 1)
    warnings.warn_explicit(dependence_warning(axis, others), UserWarning, file, line)
