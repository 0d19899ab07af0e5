"""Sparse Jacobians, found without the dense ones.

The recording is walked forwards with a sparse matrix for each tensor: its Jacobian by the source. An operation
multiplies it by its own Jacobian, which is *recovered* from a few directions (Curtis, Powell & Reid, On the estimation
of sparse Jacobian matrices, 1974): if each output depends on one of the inputs 0, p, 2p, ... at most, one direction
with ones there gives the coefficients, a second one with the inputs' numbers tells which input it was, and a third one,
random, whether that is true. Elementwise operations, and all that only move, repeat or sum elements, need p = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape._src.autodiff.forward import Path, jvp
from gradtape._src.autodiff.sweep import vjp
from gradtape._src.core.context import under
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Ghost
from gradtape._src.ops.arrays import sum_to
from gradtape._src.ops.indexed_slices import dense

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Apply = Callable[[np.ndarray], np.ndarray | None]


class NotSparse(Exception):
    """A Jacobian has more entries than was asked for, or finding them is as much work as finding all."""


def sparse_jacobian(path: Path, target: Ghost, source: Ghost, most: float = 1) -> csr_array | None:
    """The Jacobian as a matrix with a row for each element of the target and a column for each of the source.

    Args:
      most: the part of the entries that may be other than zero, of each tensor on the way.

    Raises:
      NotSparse: there are more.
    """
    from scipy.sparse import eye_array  # start-up cost: SciPy

    found: dict[Ghost, Any] = {source: eye_array(prod(source.shape), format="csr", dtype=np.float64)}
    with under(None, ()), np.errstate(all="ignore"):
        for op, keys, params, out, xs, y in path.carrying or path.nodes:
            xs, y = tuple(map(_wide, xs)), tuple(map(_wide, y)) if op.multi else _wide(y)
            total = None
            for i, key in enumerate(keys):
                if key in found and (own := _own_jacobian(op, i, y, xs, params, most)) is not None:
                    total = own @ found[key] if total is None else total + own @ found[key]
            if total is None:
                continue
            if total.nnz > most * prod(total.shape):
                raise NotSparse
            start = 0
            for ghost in out if op.multi else (out,):
                stop = start + prod(ghost.shape)
                if ghost != source:
                    found[ghost] = total[start:stop] if op.multi else total
                start = stop
    jacobian = found.get(target)
    return None if jacobian is None else as_matrix(jacobian, source.dtype)


def as_matrix(value: Any, dtype: Any = None) -> csr_array:
    """A dense matrix as a sparse one; of a shape, the matrix without entries. Without half precision."""
    from scipy.sparse import csr_array  # start-up cost: SciPy

    short = dtype is not None and np.dtype(dtype).itemsize < 4
    return csr_array(value, dtype=np.dtype(np.float32) if short else dtype)


def _own_jacobian(
    op: Op, i: int, y: Any, xs: tuple[Any, ...], params: dict[str, Any], most: float
) -> csr_array | None:
    """The Jacobian of the outputs of an operation, one after the other, by its input i."""
    outs = y if op.multi else (y,)
    n, m = prod(xs[i].shape), sum(prod(part.shape) for part in outs)
    if op.elementwise and op.vjps is not None:
        return _diagonal(op, i, y, xs, params)

    def forwards(t: np.ndarray) -> np.ndarray | None:
        ts = [t.reshape(xs[i].shape) if j == i else None for j in range(len(xs))]
        found = jvp(op, ts, y, xs, params)
        if found is None:
            return None
        parts = found if op.multi else (found,)
        flat = [
            np.zeros(prod(out.shape)) if part is None else np.ravel(part)
            for part, out in zip(parts, outs, strict=True)
        ]
        return np.concatenate(flat)

    def backwards(g: np.ndarray) -> np.ndarray | None:
        cuts = np.cumsum([prod(part.shape) for part in outs])[:-1]
        gs = tuple(part.reshape(out.shape) for part, out in zip(np.split(g, cuts), outs, strict=True))
        wanted = [j == i for j in range(len(xs))]
        ct = vjp(op, wanted, gs if op.multi else gs[0], y, xs, params)[i]
        return None if ct is None else np.ravel(sum_to(dense(ct), xs[i]))

    if (found := _recovered(forwards, n, m, 1)) is not None:
        return found
    if (found := _recovered(backwards, m, n, 1)) is not None:
        return found.T.tocsr()
    for p in _periods(xs[i].shape):
        if p > max(1, most * n):
            raise NotSparse
        if (found := _recovered(forwards, n, m, p)) is not None:
            return found
    raise AssertionError("one input at a time is always enough")


def _diagonal(op: Op, i: int, y: Any, xs: tuple[Any, ...], params: dict[str, Any]) -> csr_array | None:
    """Of an elementwise operation: output k depends on the element of input i that is broadcast to it."""
    rule = op.vjps[i]
    slope = None if rule is None else rule(np.ones(y.shape), y, *xs, **params)
    if slope is None:
        return None
    n, m = prod(xs[i].shape), prod(y.shape)
    column = np.broadcast_to(np.arange(n).reshape(xs[i].shape), y.shape).ravel()
    slope = np.broadcast_to(slope, y.shape).ravel()
    rows = slope.nonzero()[0]  # what has no slope takes nothing up, not even an infinity
    return _matrix(slope[rows], rows, column[rows], (m, n))


def _periods(shape: tuple[int, ...]) -> Iterator[int]:
    """Distances of inputs that an output may depend on one of: small ones, those of rows and planes, then all."""
    n = prod(shape)
    rows = [prod(shape[k:]) for k in range(len(shape))]
    near = [row + k for row in rows for k in range(4)]
    periods = sorted({*range(2, 10), 16, 32, *near})
    yield from (p for p in periods if 1 < p < n)
    yield max(n, 1)


def _recovered(apply: Apply, n: int, m: int, p: int) -> csr_array | None:
    """The matrix of a linear map from n to m numbers, if none of its rows has two entries in columns that differ by a
    multiple of p."""
    if not n or not m:
        return _matrix([], [], [], (m, n))
    entries, rows, columns = [], [], []
    number = np.arange(n)
    noise = np.random.default_rng(0).uniform(1, 2, n)
    for first in range(min(p, n)):
        there = np.zeros(n)
        there[first::p] = 1
        c = apply(there)
        if c is None:
            return _matrix([], [], [], (m, n))
        k = c.nonzero()[0]
        column = np.full(len(k), first)
        if first + p < n:  # it may be one of several
            where, check = apply(there * number), apply(there * noise)
            assert where is not None and check is not None
            column = np.rint(where[k] / c[k])
            if not np.all((column >= 0) & (column < n) & (column % p == first)):  # a NaN is none of these
                return None
            column = column.astype(int)
            expected = np.zeros(m)
            expected[k] = c[k] * noise[column]
            if not np.allclose(check, expected, rtol=1e-5, atol=0):
                return None
        entries.append(c[k])
        rows.append(k)
        columns.append(column)
    return _matrix(np.concatenate(entries), np.concatenate(rows), np.concatenate(columns), (m, n))


def _matrix(entries: Any, rows: Any, columns: Any, shape: tuple[int, int]) -> csr_array:
    """The matrix with these entries; a place that is named twice has their sum."""
    from scipy.sparse import csr_array  # start-up cost: SciPy

    return csr_array((np.asarray(entries, np.float64), (rows, columns)), shape=shape)


def _wide(value: Any) -> Any:
    """In double precision, so that the numbers of the inputs come through."""
    value = value._data if type(value) is EagerTensor else value
    if getattr(value, "dtype", None) is None or value.dtype.kind not in "fV":
        return value
    return Ghost(value.shape, np.dtype(np.float64)) if isinstance(value, Ghost) else value.astype(np.float64)
