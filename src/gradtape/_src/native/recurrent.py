"""The kernels of recurrent networks. Each gives its result, or None where it is for NumPy to do: for dtypes other than
float32, for arguments with more axes than a single network has, where BLAS is faster, and without a library.

The order of the axes is explained in ``ops/recurrences.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.native.library import kernels, run, suits

_PART = 48  # examples whose coefficients are made together
_UNITS = 128  # of a network whose steps cost NumPy more to begin than to do


def _is_for_blas(units: int, batch: int) -> bool:
    """One example leaves most of a tile empty. BLAS is made for the product of a matrix and a vector, too."""
    return batch == 1 and units > _UNITS


def _counts(mask: Any) -> Any:
    return None if mask is None else mask.astype(np.float32)


def _fits(mask: Any, steps: int, batch: int) -> bool:
    return mask is None or mask.shape == (steps, 1, batch)


def layer(
    name: str, x: Any, w: Any, states: tuple[Any, ...], u: Any, b: Any, mask: Any = None, *, acts: int = 0
) -> Any:
    """All steps of a recurrent layer.

    Args:
      name: "simple_rnn", "lstm", "gru" or "gru_before".
      acts: how many blocks of what the units did there are; 0: it is not asked for.

    Returns:
      The states of all steps, one array for each state, and what the units did.
    """
    (steps, inputs, batch), units = x.shape[-3:], u.shape[-1]
    if x.ndim != 3 or _is_for_blas(units, batch):
        return None
    of_units = [(y, (len(y), units, n)) for y, n in ((w, inputs), (u, units), (b, 1))]
    of_states = [(h, (units, batch)) for h in states]
    if not (suits((x, x.shape), *of_units, *of_states) and _fits(mask, steps, batch)):
        return None
    hs = np.empty((len(states), steps, units, batch), np.float32)
    did = np.empty((steps, acts, units, batch), np.float32) if acts else None
    w, u, b = map(np.ascontiguousarray, (w, u, b[..., 0]))
    arrays = (x, w, u, b, _counts(mask), np.stack(states), hs, did)
    work = steps * batch * units * (len(u) * units + len(w) * inputs + 32)
    run(getattr(kernels, name), arrays, batch, work)
    return (*hs, did) if acts else tuple(hs)


def linear_recurrence(e: Any, s: Any, c: Any, u: Any) -> Any:
    """The states of all steps; with a leading axis of ``e`` and ``s``, for many tangents."""
    single = s.ndim == 3
    if single:
        e, s = e[None], s[None]
    if e.ndim != 5 or s.ndim != 4 or _is_for_blas(*s.shape[-2:]):
        return None
    tangents, states, units, batch = s.shape
    per_step = (states, c.shape[-3], units, batch)
    of_sums = (tangents, len(c), e.shape[2], units, batch)
    if not suits((e, of_sums), (s, s.shape), (c, (len(c), *per_step)), (u, (len(u), units, units))):
        return None
    out = np.empty((len(c), tangents, states, units, batch), np.float32)
    work = tangents * len(c) * batch * units * (len(u) * units + states * c.shape[2])
    run(kernels.linear_recurrence, (e, s, c, np.ascontiguousarray(u), out), batch, work)
    return out[:, 0] if single else out.swapaxes(0, 1)


def transposed_recurrence(g: Any, c: Any, u: Any) -> Any:
    """The cotangents of all sums, and of the first states."""
    if g.ndim != 4 or _is_for_blas(*g.shape[-2:]):
        return None
    steps, states, units, batch = g.shape
    of_c = (steps, states, c.shape[-3], units, batch)
    if not suits((g, g.shape), (c, of_c), (u, (len(u), units, units))):
        return None
    out = np.empty((steps, c.shape[2] - states, units, batch), np.float32)
    of_first = np.empty((states, units, batch), np.float32)
    work = steps * batch * units * (len(u) * units + states * c.shape[2])
    run(kernels.transposed_recurrence, (g, c, np.ascontiguousarray(u), out, of_first), batch, work)
    return out, of_first


def gru_cotangents(g: Any, h: Any, hs: Any, acts: Any, u: Any, mask: Any = None) -> Any:
    """The cotangents of all sums of a GRU, and of the first states."""
    if h.ndim != 2 or hs.ndim != 3 or _is_for_blas(*h.shape):
        return None
    steps, units, batch = len(hs), *h.shape
    states = [(g, (steps, 1, units, batch)), (h, (units, batch)), (hs, (steps, units, batch))]
    others = [(acts, (steps, 4, units, batch)), (u, (3, units, units))]
    if not (suits(*states, *others) and _fits(mask, steps, batch)):
        return None
    out, of_first = np.empty(acts.shape, np.float32), np.empty((1, *h.shape), np.float32)
    arrays = (g, h, hs, acts, np.ascontiguousarray(u), _counts(mask), out, of_first)
    run(kernels.gru_cotangents, arrays, h.shape[1], out.size * (h.shape[0] + 8))
    return out, of_first


def driven_recurrence(x: Any, w: Any, s: Any, c: Callable[[slice], Any], u: Any) -> Any:
    """The states of all steps, from the tangents of what a layer reads: (time, states, batch, units, tangents).

    Args:
      c: gives the coefficients of some examples.
    """
    (tangents, steps, inputs, batch), (_, states, units, _) = x.shape, s.shape
    of_units = [(w, (len(w), units, inputs)), (u, (len(u), units, units))]
    if not suits((x, x.shape), (s, (tangents, states, units, batch)), *of_units):
        return None
    out = np.empty((steps, states, batch, units, tangents), np.float32)
    w, u = map(np.ascontiguousarray, (w, u))
    matrices = (len(u) + tangents) * units + (len(w) + tangents) * inputs
    for first in range(0, batch, _PART):
        some = slice(first, min(batch, first + _PART))
        n, slopes = some.stop - first, c(some)
        if not suits((slopes, (steps, states, slopes.shape[-3], units, n))):
            return None
        arrays = (x[..., some], w, s[..., some], slopes, u, out[:, :, some])
        run(kernels.driven_recurrence, arrays, n, steps * states * n * units * matrices, portion=8)
    return out
