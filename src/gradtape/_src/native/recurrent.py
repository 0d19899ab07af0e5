"""The kernels of recurrent networks. Each gives its result, or None where it is for NumPy to do: for dtypes other than
float32, for arguments with more axes than a single network has, where BLAS is faster, and without a library.

The order of the axes is explained in ``ops/recurrences.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.native.library import kernels, run, suits

_UNITS = 128  # of a network whose steps cost NumPy more to begin than to do


def _is_for_blas(units: int, batch: int) -> bool:
    """One example leaves most of a tile empty. BLAS is made for the product of a matrix and a vector, too."""
    return batch == 1 and units > _UNITS


def _counts(mask: Any) -> Any:
    return None if mask is None else mask.astype(np.float32)


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
    counts = _counts(mask)
    of_mask = [] if counts is None else [(counts, (steps, 1, batch))]
    if not suits((x, x.shape), *of_units, *[(h, (units, batch)) for h in states], *of_mask):
        return None
    hs = np.empty((len(states), steps, units, batch), np.float32)
    did = np.empty((steps, acts, units, batch), np.float32) if acts else None
    w, u, b = map(np.ascontiguousarray, (w, u, b[..., 0]))
    arrays = (x, w, u, b, counts, np.stack(states), hs, did)
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
    counts = _counts(mask)
    of_mask = [] if counts is None else [(counts, (steps, 1, batch))]
    if not suits(*states, (acts, (steps, 4, units, batch)), (u, (3, units, units)), *of_mask):
        return None
    out, of_first = np.empty(acts.shape, np.float32), np.empty((1, *h.shape), np.float32)
    arrays = (g, h, hs, acts, np.ascontiguousarray(u), counts, out, of_first)
    run(kernels.gru_cotangents, arrays, h.shape[1], out.size * (h.shape[0] + 8))
    return out, of_first


def driven_recurrence(x: Any, w: Any, s: Any, c: Any, u: Any, out: Any) -> bool:
    """The states of all steps from the tangents of what a layer reads, into ``out``: (time, states, batch, units,
    tangents). Gives whether it was done."""
    steps, states, batch, units, tangents = out.shape
    per_step = (states, c.shape[-3], units, batch)
    of_x, of_s = (tangents, steps, x.shape[2], batch), (tangents, states, units, batch)
    of_w, of_u = (len(w), units, x.shape[2]), (len(u), units, units)
    if not suits((x, of_x), (w, of_w), (s, of_s), (c, (steps, *per_step)), (u, of_u)):
        return False
    matrices = (len(u) + tangents) * units + (len(w) + tangents) * x.shape[2]
    work = steps * states * batch * units * matrices
    arrays = (x, np.ascontiguousarray(w), s, c, np.ascontiguousarray(u), out)
    run(kernels.driven_recurrence, arrays, batch, work, portion=8)
    return True
