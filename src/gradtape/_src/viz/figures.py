"""The numbers of a picture: values that a recording still has, and gradients of everything on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import raw_of, sweep
from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import EagerTensor, Ghost, ghost_of
from gradtape._src.ops.arrays import ones_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.viz.scene import Stats


def values(recording: Recording, objects: Sequence[Any]) -> dict[Ghost, Stats]:
    """Of the variables, of ``objects``, and of what the nodes of the recording have kept."""
    found: dict[Ghost, Stats] = {}
    for ghost, x in _kept(recording, objects):
        data = x._data if type(x) is EagerTensor else x
        if isinstance(ghost, Ghost) and ghost not in found and isinstance(data, (np.ndarray, np.generic)):
            stats = Stats.of(data)
            if stats is not None:
                found[ghost] = stats
    return found


def _kept(recording: Recording, objects: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for node in map(Node._make, recording.nodes):
        yield from zip(node.keys, node.xs, strict=False)
        yield from zip(node.out, node.y, strict=False) if node.op.multi else [(node.out, node.y)]
    for x in (*recording.variables.values(), *objects):
        yield ghost_of(x), vars(x).get("_data") if hasattr(x, "__dict__") else getattr(x, "_data", None)


def gradients(
    recording: Recording, targets: Sequence[Any], weights: Any, sources: Sequence[Ghost]
) -> dict[Ghost, Stats]:
    """Of all that leads from the sources to the targets; what has no gradient is not there."""
    given = [None] * len(targets) if weights is None else flatten(weights)
    seeds: dict[Ghost, Any] = {}
    with under(None, ()), np.errstate(all="ignore"):
        for x, weight in zip(targets, given, strict=False):
            ghost = ghost_of(x)
            if is_differentiable_np(ghost.dtype) and ghost.dtype != object:
                seed = ones_like.of(ghost) if weight is None else as_tensor(weight, like=x)
                seeds[ghost] = seeds[ghost] + seed if ghost in seeds else seed
        between = [g for g in recording.leading_from(sources) if g is not None and g.dtype != object]
        wanted = list(dict.fromkeys([*between, *sources]))
        found = zip(wanted, sweep(recording, seeds, wanted), strict=True)
        known = {g: Stats.of(raw_of(dense(ct))) for g, ct in found if ct is not None}
    return {g: stats for g, stats in known.items() if stats is not None}
