"""What segment reductions and their rules share: sums and lookups of rows by id, counts, links, batches.

``take_rows`` and ``add_rows_like`` are each other's transpose. Ids are a vector; a negative one names no row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.ops.arrays import reshape_like, stack
from gradtape._src.ops.cumulative import NARROW
from gradtape._src.ops.rows import sum_of_rows, within


def sums_of_segments(rows: Any, ids: Any, n: int) -> Any:
    """Sums of the rows of each of n segments; narrow floats are added in float32."""
    if len(ids) and ids.min() < 0:
        rows, ids = rows[ids >= 0], ids[ids >= 0]
    if rows.dtype.num in NARROW:
        return sum_of_rows((n, *rows.shape[1:]), ids, rows.astype(np.float32)).astype(rows.dtype)
    return sum_of_rows((n, *rows.shape[1:]), ids, rows)


def counts_of_segments(ids: Any, n: int) -> Any:
    return np.bincount(ids[ids >= 0], minlength=n)


# --- Batches ------------------------------------------------------------------------------------------------


def _swapped(shape: Shape) -> Shape:
    return None if shape is None else (shape[1], shape[0], *shape[2:])


swap_leading = Op(
    "SwapLeading",
    lambda x: x.swapaxes(0, 1),
    vjp=lambda g, y, x: swap_leading(g),
    reads="",
    linear=(0,),
    shape=lambda x: _swapped(shape_of(x)),
    batch=lambda n, xs, batched: stack([swap_leading(xs[0][i]) for i in range(n)]),
)
"""Exchanges the first two axes: what is done to rows is done to rows of batches."""


def in_rows(op: Op, n: int, xs: Any, batched: Any, moving: tuple[int, ...], **params: Any) -> Any:
    """A batch: if the ids are the same for all of it, its axis is put behind that of the rows.

    ``moving``: the arguments that hold rows, of which all must have the axis.
    """
    if any(has for i, has in enumerate(batched) if i not in moving):
        each = [[_element(x, i) if has else x for x, has in zip(xs, batched, strict=True)] for i in range(n)]
        return stack([op(*one, **params) for one in each])
    xs = [
        x if i not in moving else swap_leading(x if batched[i] else stack([x] * n)) for i, x in enumerate(xs)
    ]
    return swap_leading(op(*xs, **params))


def _element(x: Any, i: int) -> Any:
    return Ghost(x.shape[1:], x.dtype) if isinstance(x, Ghost) else x[i]


# --- Between rows and segments ------------------------------------------------------------------------------


def _rows_shape(rows: Any, ids: Any) -> Any:
    shape, many = shape_of(rows), shape_of(ids)
    return None if shape is None or many is None else (*many, *shape[1:])


def _like_shape(rows: Any, ids: Any, like: Any) -> Any:
    shape, first = shape_of(rows), shape_of(like)
    return None if shape is None else (None if first is None else first[0], *shape[1:])


def taken(rows: Any, ids: Any) -> Any:
    if within(ids, len(rows)):
        return rows.take(ids, 0)
    y = rows.take(np.maximum(ids, 0), 0)
    y[ids < 0] = 0
    return y


take_rows = Op(
    "TakeSegments",
    taken,
    vjp=(lambda h, y, rows, ids: add_rows_like(h, ids, rows), None),
    reads=("ids", ""),
    linear=(0,),
    batch=lambda n, xs, batched: in_rows(take_rows, n, xs, batched, (0,)),
    shape=_rows_shape,
)
"""For each id the row that it names; zeros for a negative one."""

add_rows_like = Op(
    "AddSegmentsLike",
    lambda rows, ids, like: sums_of_segments(rows, ids, like.shape[0]),
    vjp=(lambda h, y, rows, ids, like: take_rows(h, ids), None, None),
    reads=("ids", "", ""),
    linear=(0,),
    batch=lambda n, xs, batched: _add_in_rows(n, xs, batched),
    shape=_like_shape,
)
"""Sums of the rows with each id, as many as ``like`` has rows: the transpose of ``take_rows``."""


def _add_in_rows(n: int, xs: Any, batched: Any) -> Any:
    rows, ids, like = xs
    if batched[2]:
        like = _element(like, 0)
    if not any(batched[:2]):
        return stack([add_rows_like(rows, ids, like)] * n)
    return in_rows(add_rows_like, n, (rows, ids, like), (*batched[:2], False), (0,))


def divisors(ids: Any, like: Any, root: bool = False) -> Any:
    counts = np.maximum(counts_of_segments(ids, like.shape[0]), 1)
    counts = (np.sqrt(counts) if root else counts).astype(like.dtype)
    return counts.reshape(-1, *(1,) * (len(like.shape) - 1))


def _column(rows: Shape, like: Shape) -> Shape:
    """As many rows, and ones for the other axes of ``like``."""
    return None if like is None else (None if rows is None else rows[0], *(1,) * (len(like) - 1))


segment_counts = Op(
    "SegmentCounts",
    divisors,
    shape=lambda ids, like, root=False: _column(shape_of(like), shape_of(like)),
    dtype=lambda ids, like, root=False: dtype_of(like),
)
"""How many rows each segment has, at least 1, or the root of it; to divide an array of one row a segment."""

merge_leading = Op(
    "MergeLeading",
    lambda data, ids: data.reshape((ids.size, *data.shape[ids.ndim :])) if _fits(data, ids) else data,
    vjp=(lambda g, y, data, ids: reshape_like(g, data), None),
    reads="",
    linear=(0,),
    shape=lambda data, ids: _merged_shape(shape_of(data), shape_of(ids)),
    batch=lambda n, xs, batched: stack(
        [merge_leading(*[x[i] if has else x for x, has in zip(xs, batched, strict=True)]) for i in range(n)]
    ),
)
"""Makes one axis of those that the data has in common with the ids."""


def _fits(data: Any, ids: Any) -> bool:
    if data.shape[: ids.ndim] != ids.shape:
        raise InvalidArgumentError.of(
            f"data.shape = {in_brackets(data.shape)} does not start with segment_ids.shape = "
            f"{in_brackets(ids.shape)}"
        )
    return True


def _merged_shape(data: Any, ids: Any) -> Any:
    if data is None or ids is None:
        return None
    return (None if None in ids else int(np.prod(ids)), *data[len(ids) :])


segment_order = Op(
    "SegmentOrder",
    lambda ids: np.argsort(ids, kind="stable"),
    shape=shape_of,
    dtype=np.int64,
    batch=lambda n, xs, batched: stack([segment_order(xs[0][i]) for i in range(n)]),
)
"""The order in which rows of one segment follow each other."""


def _links(ids: Any, like: Any, starts: bool = False, reverse: bool = False) -> Any:
    linked = np.zeros(len(ids), bool)
    same = ids[1:] == ids[:-1]
    linked[slice(None, -1) if reverse else slice(1, None)] = same
    return (~linked if starts else linked).astype(like.dtype).reshape(-1, *(1,) * (len(like.shape) - 1))


segment_links = Op(
    "SegmentLinks",
    _links,
    shape=lambda ids, like, starts=False, reverse=False: _column(shape_of(ids), shape_of(like)),
    dtype=lambda ids, like, starts=False, reverse=False: dtype_of(like),
)
"""1 for each row in the segment of the row before it (``reverse``: after), else 0; ``starts``: not so."""


def _segment_share(data: Any, y: Any, ids: Any) -> Any:
    chosen = (data == taken(y, ids)).astype(data.dtype)
    chosen[ids < 0] = 0
    return chosen / np.where(
        (ids < 0).reshape(-1, *(1,) * (data.ndim - 1)), 1, taken(sums_of_segments(chosen, ids, len(y)), ids)
    )


segment_share = Op(
    "SegmentShare",
    lambda data, y, ids: _segment_share(data, y, ids).astype(data.dtype, copy=False),
    shape=lambda data, y, ids: shape_of(data),
    batch=lambda n, xs, batched: in_rows(segment_share, n, xs, batched, (0, 1)),
)
"""How the cotangent of an extreme is shared out in its segment: equally to all rows equal to it."""
