"""Do the examples of a batch depend on each other?

Half of the examples of the source get a random tangent, the others zero: if an example of the other half of the target
moves, it depends on one of the first. What is zero by structure stays zero exactly.
"""

from __future__ import annotations

import warnings

import numpy as np

from gradtape._src.autodiff.batching import Batcher
from gradtape._src.autodiff.forward import Path
from gradtape._src.core.context import under
from gradtape._src.core.errors import user_location
from gradtape._src.core.values import Ghost


def is_independent(path: Path, target: Ghost, source: Ghost, axis: int) -> bool:
    """Whether no example along the axis moves with another one, for the values that were recorded."""
    n = source.shape[axis]
    if n < 2:
        return True
    halves = np.stack([np.arange(n) % 2 == 0, np.arange(n) % 2 == 1])
    along = lambda shape: halves.reshape(2, *(n if i == axis else 1 for i in range(len(shape))))
    noise = np.random.default_rng(0).uniform(1, 2, source.shape).astype(source.dtype)
    batcher = Batcher(2, linear=True)
    with under(batcher, ()), np.errstate(all="ignore"):
        (t,) = path.push({source: batcher.batch(np.where(along(source.shape), noise, source.dtype.type(0)))})
        if t is None:
            return True
        moved = batcher.unbatch(t)
    moved = getattr(moved, "_data", moved)
    return not np.any((moved != 0) & ~along(target.shape) & ~np.isnan(moved))


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


def warn_if_dependent(path: Path, target: Ghost, source: Ghost, axis: int) -> None:
    """Warns at the user's line if the Jacobian along an axis is none of each example by itself."""
    if is_independent(path, target, source, axis):
        return
    shared = range(min(len(target.shape), len(source.shape)))
    others = [
        i
        for i in shared
        if i != axis and target.shape[i] == source.shape[i] > 1 and is_independent(path, target, source, i)
    ]
    file, line = user_location() or ("<unknown>", 1)
    warnings.warn_explicit(dependence_warning(axis, others), UserWarning, file, line)
