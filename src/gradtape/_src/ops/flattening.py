"""Rows under each other, and in the shape of the indices that they were looked up with: ``_like`` forms of
reshape.

``flat_rows`` and ``unflat_rows`` are each other's transpose.
"""

from __future__ import annotations

from math import prod
from typing import Any

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known, size_of
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import reshape


def _flat_rows_shape(g: Any, indices: Any) -> Any:
    return None if g is None or indices is None else (size_of(indices), *g[len(indices) :])


def _flat_rows_batch(n: int, xs: Any, batched: Any) -> Any:
    shape: Any = _flat_rows_shape(shape_of(xs[0])[1:], shape_of(xs[1])[batched[1] :]) if batched[0] else None
    return reshape(xs[0], (n, *shape)) if is_known(shape) else NotImplemented


flat_rows = Op(
    "FlatRows",
    lambda g, indices: g.reshape((prod(indices.shape), *g.shape[len(indices.shape) :])),
    vjp=(lambda h, y, g, indices: unflat_rows(h, indices), None),
    reads="",
    linear=(0,),
    shape=lambda g, indices: _flat_rows_shape(shape_of(g), shape_of(indices)),
    batch=_flat_rows_batch,
    holomorphic=False,
)
"""The slices of g, that has the shape of the indices and then of a slice, one under the other."""

unflat_rows = Op(
    "UnflatRows",
    lambda rows, indices: rows.reshape((*indices.shape, *rows.shape[1:])),
    vjp=(lambda g, y, rows, indices: flat_rows(g, indices), None),
    reads="",
    linear=(0,),
    shape=lambda rows, indices: (
        None
        if shape_of(rows) is None or shape_of(indices) is None
        else (*shape_of(indices), *shape_of(rows)[1:])
    ),
    batch=lambda n, xs, batched: _unflat_rows_batch(n, *xs, *batched),
    holomorphic=False,
)
"""The transpose of ``flat_rows``: gives the rows the shape of the indices."""


def _unflat_rows_batch(n: int, rows: Any, indices: Any, rows_has: bool, indices_has: bool) -> Any:
    ids = shape_of(indices)[indices_has:]
    return reshape(rows, (n, *ids, *shape_of(rows)[2:])) if rows_has and is_known(ids) else NotImplemented
