"""Reductions of rows that share a segment id: sums, means, products and extremes; sorted, unsorted, sparse.

The ids of a record are a vector, one for each row of the data. Unsorted ones ignore rows of a negative id.
``num_segments`` is an int, or in a graph a scalar tensor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.ops.arithmetic import FLOAT, NUMBER
from gradtape._src.ops.cumulative import NARROW, delay, from_end, recurrence
from gradtape._src.ops.division import multiply_no_nan
from gradtape._src.ops.indexed_slices import rows_of
from gradtape._src.ops.reduction import REAL
from gradtape._src.ops.reordering import inverse
from gradtape._src.ops.rows import within
from gradtape._src.ops.segment_rows import (
    add_rows_like,
    counts_of_segments,
    divisors,
    in_rows,
    segment_counts,
    segment_links,
    segment_order,
    segment_share,
    sums_of_segments,
    take_rows,
)

# --- NumPy's side -------------------------------------------------------------------------------------------


def _check_sorted(data: Any, ids: Any, name: str) -> None:
    """The errors of the operations on sorted segments."""
    end = f" [Op:{name}]"
    if ids.ndim != 1:
        raise InvalidArgumentError.of(
            f"segment_ids should be a vector. Received shape {list(ids.shape)}.{end}"
        )
    if data.ndim == 0:
        raise InvalidArgumentError.of(f"input must be at least rank 1{end}")
    if len(ids) != len(data):
        raise InvalidArgumentError.of(
            f"segment_ids should be the same size as dimension 0 of input. Received {len(ids)} and "
            f"{len(data)}.{end}"
        )
    _check_increasing(ids, name)


def _check_increasing(ids: Any, name: str) -> None:
    if len(ids) and ids[0] < 0:
        raise InvalidArgumentError.of(
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' input "
            f"is not sorted. [Op:{name}]"
        )
    if (ids[1:] < ids[:-1]).any():
        raise InvalidArgumentError.of(
            f"segment ids are not increasing: {ids}. tf.math.unsorted_segment_* take them in any order. "
            f"[Op:{name}]"
        )


def _check_unsorted(data: Any, ids: Any, n: int, name: str) -> None:
    if n < 0:
        raise InvalidArgumentError.of(f"Input num_segments == {n} must not be negative. [Op:{name}]")
    if data.shape[: ids.ndim] != ids.shape:
        raise InvalidArgumentError.of(
            f"data.shape = {in_brackets(data.shape)} does not start with segment_ids.shape = "
            f"{in_brackets(ids.shape)} [Op:{name}]"
        )
    if (ids >= n).any():
        i = int(np.argmax(ids >= n))
        raise InvalidArgumentError.of(f"segment_ids[{i}] = {ids[i]} is out of range [0, {n}) [Op:{name}]")


def _folds(ufunc: np.ufunc, rows: Any, ids: Any, n: int, empty: Any) -> Any:
    """Another ufunc over the rows of each segment; ``empty`` where there are none."""
    dtype = rows.dtype
    order = np.argsort(ids, kind="stable")
    order = order[np.searchsorted(ids[order], 0) :]
    rows, ids = rows[order], ids[order]
    out = np.full((n, *rows.shape[1:]), empty, dtype)
    if len(ids):
        starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
        wide = np.float32 if dtype.num in NARROW else dtype
        out[ids[starts]] = ufunc.reduceat(rows.astype(wide, copy=False), starts, 0, wide)
    return out


def _quotients(rows: Any, counts: Any) -> Any:
    """Rows divided by counts, those of integers rounded towards zero."""
    counts = np.maximum(counts, 1).astype(rows.dtype).reshape(-1, *(1,) * (rows.ndim - 1))
    if rows.dtype.kind in "iu":
        return ((rows - np.fmod(rows, counts)) // counts).astype(rows.dtype)
    return rows / counts


def _last(ids: Any) -> int:
    return int(ids[-1]) + 1 if len(ids) else 0


# --- Shapes and batches -------------------------------------------------------------------------------------


def _sorted_shape(data: Any, ids: Any) -> Any:
    shape = shape_of(data)
    return None if shape is None else (_known_last(ids), *shape[1:])


def _known_last(ids: Any) -> int | None:
    """How many segments there are, if the ids have their data."""
    ids = ids._data if type(ids) is EagerTensor else ids
    return _last(ids) if isinstance(ids, np.ndarray) else None


def _unsorted_shape(data: Any, ids: Any, num_segments: Any) -> Any:
    shape = shape_of(data)
    n = int(num_segments) if isinstance(num_segments, (int, np.integer, np.ndarray)) else None
    return None if shape is None else (n, *shape[1:])


# --- Sums and means -----------------------------------------------------------------------------------------


def _sorted(name: str, reduce: Any) -> Any:
    def kernel(data: Any, ids: Any) -> Any:
        _check_sorted(data, ids, name)
        return reduce(data, ids, _last(ids))

    return kernel


def _unsorted(name: str, reduce: Any) -> Any:
    def kernel(data: Any, ids: Any, num_segments: Any) -> Any:
        n = int(num_segments)
        _check_unsorted(data, ids, n, name)
        return reduce(data, ids, n)

    return kernel


segment_sum = Op(
    "SegmentSum",
    _sorted("SegmentSum", sums_of_segments),
    vjp=(lambda g, y, data, ids: take_rows(g, ids), None),
    reads=("ids", ""),
    linear=(0,),
    batch=lambda n, xs, batched: in_rows(segment_sum, n, xs, batched, (0,)),
    shape=_sorted_shape,
    accepts=NUMBER,
)

segment_mean = Op(
    "SegmentMean",
    _sorted(
        "SegmentMean",
        lambda data, ids, n: _quotients(sums_of_segments(data, ids, n), counts_of_segments(ids, n)),
    ),
    vjp=(lambda g, y, data, ids: take_rows(g / segment_counts(ids, g), ids), None),
    reads=("ids", ""),
    linear=(0,),
    batch=lambda n, xs, batched: in_rows(segment_mean, n, xs, batched, (0,)),
    shape=_sorted_shape,
    accepts=NUMBER,
)

unsorted_segment_sum = Op(
    "UnsortedSegmentSum",
    _unsorted("UnsortedSegmentSum", sums_of_segments),
    vjp=(lambda g, y, data, ids, num_segments: take_rows(g, ids), None, None),
    reads=("ids", "", ""),
    linear=(0,),
    batch=lambda n, xs, batched: in_rows(unsorted_segment_sum, n, xs, batched, (0,)),
    shape=_unsorted_shape,
    accepts=NUMBER,
)


# --- Products -----------------------------------------------------------------------------------------------


def _others(x: Any, ids: Any) -> Any:
    """For each row the product of the others of its segment: of those before and of those after it."""
    order = segment_order(ids)
    x, ids = take_rows(x, order), take_rows(ids, order)
    axis = from_end(0, x)

    def before(reverse: bool) -> Any:
        neighbour = delay(x, axis=axis, reverse=reverse)
        factors = multiply_no_nan(neighbour, segment_links(ids, x, reverse=reverse))
        return recurrence(
            factors, segment_links(ids, x, starts=True, reverse=reverse), axis=axis, reverse=reverse
        )

    return take_rows(before(False) * before(True), inverse(order))


segment_prod = Op(
    "SegmentProd",
    _sorted("SegmentProd", lambda data, ids, n: _folds(np.multiply, data, ids, n, 1)),
    vjp=(lambda g, y, data, ids: take_rows(g, ids) * _others(data, ids), None),
    jvp=lambda ts, y, data, ids: add_rows_like(ts[0] * _others(data, ids), ids, y),
    reads=("data ids", ""),
    batch=lambda n, xs, batched: in_rows(segment_prod, n, xs, batched, (0,)),
    shape=_sorted_shape,
    accepts=NUMBER,
)

unsorted_segment_prod = Op(
    "UnsortedSegmentProd",
    _unsorted("UnsortedSegmentProd", lambda data, ids, n: _folds(np.multiply, data, ids, n, 1)),
    vjp=(lambda g, y, data, ids, num_segments: take_rows(g, ids) * _others(data, ids), None, None),
    jvp=lambda ts, y, data, ids, num_segments: add_rows_like(ts[0] * _others(data, ids), ids, y),
    reads=("data ids", "", ""),
    batch=lambda n, xs, batched: in_rows(unsorted_segment_prod, n, xs, batched, (0,)),
    shape=_unsorted_shape,
    accepts=NUMBER,
)


# --- Extremes -----------------------------------------------------------------------------------------------


def _extreme(ufunc: np.ufunc, empty: Any) -> Any:
    return lambda data, ids, n: _folds(ufunc, data, ids, n, empty(data.dtype))


def _lowest(dtype: np.dtype) -> Any:
    return from_numpy(dtype).min


def _highest(dtype: np.dtype) -> Any:
    return from_numpy(dtype).max


def _zero(dtype: np.dtype) -> Any:
    return dtype.type(0)


def _sorted_extreme(name: str, ufunc: np.ufunc) -> Op:
    op = Op(
        name,
        _sorted(name, _extreme(ufunc, _zero)),
        vjp=(lambda g, y, data, ids: take_rows(g, ids) * segment_share(data, y, ids), None),
        jvp=lambda ts, y, data, ids: add_rows_like(ts[0] * segment_share(data, y, ids), ids, y),
        reads=("y data ids", ""),
        batch=lambda n, xs, batched: in_rows(op, n, xs, batched, (0,)),
        shape=_sorted_shape,
        accepts=REAL,
    )
    return op


def _unsorted_extreme(name: str, ufunc: np.ufunc, empty: Any) -> Op:
    op = Op(
        name,
        _unsorted(name, _extreme(ufunc, empty)),
        vjp=(
            lambda g, y, data, ids, num_segments: take_rows(g, ids) * segment_share(data, y, ids),
            None,
            None,
        ),
        jvp=lambda ts, y, data, ids, num_segments: add_rows_like(ts[0] * segment_share(data, y, ids), ids, y),
        reads=("y data ids", "", ""),
        batch=lambda n, xs, batched: in_rows(op, n, xs, batched, (0,)),
        shape=_unsorted_shape,
        accepts=REAL,
    )
    return op


segment_max = _sorted_extreme("SegmentMax", np.maximum)
segment_min = _sorted_extreme("SegmentMin", np.minimum)
unsorted_segment_max = _unsorted_extreme("UnsortedSegmentMax", np.maximum, _lowest)
unsorted_segment_min = _unsorted_extreme("UnsortedSegmentMin", np.minimum, _highest)


# --- Sparse forms: rows that are looked up first ------------------------------------------------------------


def _sparse(name: str, divide: Any) -> Any:
    def kernel(
        data: Any, indices: Any, ids: Any, num_segments: Any = None, sparse_gradient: bool = False
    ) -> Any:
        n = _check_sparse(data, indices, ids, num_segments, name)
        return divide(sums_of_segments(data.take(indices, 0), ids, n), ids, n)

    return kernel


def _check_sparse(data: Any, indices: Any, ids: Any, num_segments: Any, name: str) -> int:
    end = f" [Op:{name}]"
    if data.ndim == 0:
        raise InvalidArgumentError.of(f"Shape must be at least rank 1: data is a scalar{end}")
    for array, called in (indices, "indices"), (ids, "segment_ids"):
        if array.ndim != 1:
            raise InvalidArgumentError.of(
                f"{called} should be a vector. Received shape {list(array.shape)}.{end}"
            )
    if len(indices) != len(ids):
        raise InvalidArgumentError.of(
            f"segment_ids and indices should have same size. Received {len(ids)} and {len(indices)}.{end}"
        )
    _check_increasing(ids, name)
    if not within(indices, len(data)):
        i = int(np.argmax((indices < 0) | (indices >= len(data))))
        raise InvalidArgumentError.of(f"Bad: indices[{i}] == {indices[i]} out of range [0, {len(data)}){end}")
    if num_segments is None:
        return _last(ids)
    n = int(num_segments)
    if n < 0:
        raise InvalidArgumentError.of(f"segment ids must be >= 0: num_segments is {n}{end}")
    if _last(ids) > n:
        raise InvalidArgumentError.of(f"segment ids must be < num_segments: {ids[-1]} is not below {n}{end}")
    return n


def _sparse_shape(
    data: Any, indices: Any, ids: Any, num_segments: Any = None, sparse_gradient: bool = False
) -> Any:
    return _sorted_shape(data, ids) if num_segments is None else _unsorted_shape(data, ids, num_segments)


def _sparse_rules(shares: Any) -> Any:
    def vjp(
        g: Any,
        y: Any,
        data: Any,
        indices: Any,
        ids: Any,
        num_segments: Any = None,
        sparse_gradient: bool = False,
    ) -> Any:
        rows = take_rows(shares(g, ids), ids)
        return rows_of(rows, indices, data) if sparse_gradient else add_rows_like(rows, indices, data)

    return vjp


def _sparse_op(name: str, divide: Any, shares: Any, accepts: str) -> Op:
    op = Op(
        name,
        _sparse(name, divide),
        vjp=(_sparse_rules(shares), None, None, None),
        reads=("indices ids", "", "", ""),
        linear=(0,),
        batch=lambda n, xs, batched, **params: in_rows(op, n, xs, batched, (0,), **params),
        shape=_sparse_shape,
        accepts=accepts,
    )
    return op


sparse_segment_sum = _sparse_op("SparseSegmentSum", lambda rows, ids, n: rows, lambda g, ids: g, REAL)

sparse_segment_mean = _sparse_op(
    "SparseSegmentMean",
    lambda rows, ids, n: rows / divisors(ids, rows),
    lambda g, ids: g / segment_counts(ids, g),
    FLOAT,
)

sparse_segment_sqrt_n = _sparse_op(
    "SparseSegmentSqrtN",
    lambda rows, ids, n: rows / divisors(ids, rows, root=True),
    lambda g, ids: g / segment_counts(ids, g, root=True),
    FLOAT,
)
