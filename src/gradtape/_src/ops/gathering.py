"""``gather_nd``, and taking an array apart and putting it together by row: ``dynamic_partition``,
``dynamic_stitch``.

``gather`` is in ``indexed_slices.py``, beside the type of its gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets, size_of
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.ops.arrays import broadcast_to, like_with_axis, reshape, with_axis, zeros_array, zeros_like
from gradtape._src.ops.indexed_slices import gather, rows_of
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.rows import (
    bad_vectors,
    data_of,
    in_place_of,
    last_writes,
    out_of_range,
    positions,
    sum_of_rows,
    vector_out_of_range,
    within,
    zeroed,
)
from gradtape._src.ops.selection import select

# --- gather_nd ----------------------------------------------------------------------------------------------


def _gather_nd(x: Any, indices: Any, batch_dims: int = 0, bad_indices_policy: str = "") -> Any:
    b = batch_dims
    dims = x.shape[b : b + indices.shape[-1]]
    if len(dims) < indices.shape[-1]:
        raise InvalidArgumentError.of(
            "index innermost dimension length must be <= params rank; saw: "
            f"{indices.shape[-1] + b} vs. {x.ndim} [Op:GatherNd]"
        )
    bad = bad_vectors(indices, dims)
    if bad is not None:
        if bad_indices_policy != "IGNORE":
            end = ", node name: GatherNd [Op:GatherNd]"
            raise vector_out_of_range(indices, bad, x.shape, "param shape", end)
        indices = in_place_of(indices, bad)
    batches = np.ix_(*map(np.arange, indices.shape[:b])) if b else ()
    batches = [i.reshape(i.shape + (1,) * (indices.ndim - 1 - b)) for i in batches]
    columns = [indices[..., k] for k in range(len(dims))]
    if not columns:
        if not batches:
            return np.broadcast_to(x, indices.shape[:-1] + x.shape)
        batches = [np.broadcast_to(i, indices.shape[:-1]) for i in batches]
    y = x[(*batches, *columns)]
    return y if bad is None else zeroed(y, bad)


def _gather_nd_grad(
    g: Any, indices: Any, like: Any, batch_dims: int = 0, bad_indices_policy: str = ""
) -> Any:
    b, shape = batch_dims, like.shape
    batch, dims, rest = shape[:b], shape[b : b + indices.shape[-1]], shape[b + indices.shape[-1] :]
    bad = bad_vectors(indices, dims)
    if bad is not None:  # the kernel of gather_nd has let them pass
        indices = in_place_of(indices, bad)
        g = zeroed(g, bad)
    rows = positions(indices, dims)
    if b:
        starts = np.arange(prod(batch)).reshape(batch + (1,) * (indices.ndim - 1 - b))
        rows = starts * prod(dims) + rows
    return sum_of_rows((prod(batch) * prod(dims), *rest), rows, g).reshape(shape)


def _gather_nd_vjp(g: Any, y: Any, x: Any, indices: Any, **how: Any) -> Any:
    ids = shape_of(indices)
    if ids is not None and len(ids) == 2 and ids[1] == 1 and not how.get("batch_dims"):
        if how.get("bad_indices_policy") != "IGNORE":
            return rows_of(g, reshape(indices, (-1,)), x)
    return gather_nd_grad(g, indices, x, **how)


def _gather_nd_shape(x: Any, indices: Any, batch_dims: int = 0, bad_indices_policy: str = "") -> Any:
    params, ids = shape_of(x), shape_of(indices)
    if params is None or ids is None or ids[-1] is None:
        return None
    return ids[:-1] + params[batch_dims + ids[-1] :]


def _gather_nd_batch(n: int, xs: Any, batched: Any, batch_dims: int = 0, bad_indices_policy: str = "") -> Any:
    if not batched[0] and not batch_dims:
        return gather_nd(*xs, bad_indices_policy=bad_indices_policy)
    return gather_nd(
        *with_axis(n, xs, batched), batch_dims=batch_dims + 1, bad_indices_policy=bad_indices_policy
    )


def _gather_nd_grad_batch(
    n: int, xs: Any, batched: Any, batch_dims: int = 0, bad_indices_policy: str = ""
) -> Any:
    g, indices = with_axis(n, xs[:2], batched[:2])
    like = like_with_axis(n, xs[2], batched[2])
    return gather_nd_grad(g, indices, like, batch_dims=batch_dims + 1, bad_indices_policy=bad_indices_policy)


gather_nd = Op(
    "GatherNd",
    _gather_nd,
    vjp=(_gather_nd_vjp, None),
    reads="indices",
    linear=(0,),
    batch=_gather_nd_batch,
    shape=_gather_nd_shape,
    holomorphic=False,
)
"""``y[i, j, ...] = x[tuple(indices[i, j, ..., :])]``; the first ``batch_dims`` axes of both run together."""

gather_nd_grad = Op(
    "GatherNdGrad",
    _gather_nd_grad,
    vjp=(lambda h, y, g, indices, like, **how: gather_nd(h, indices, **how), None, None),
    reads="indices",
    linear=(0,),
    batch=_gather_nd_grad_batch,
    shape=lambda g, indices, like, **how: shape_of(like),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with each slice of g added where ``gather_nd`` would take it from."""


# --- dynamic_partition --------------------------------------------------------------------------------------


def _dynamic_partition(data: Any, partitions: Any, *, num_partitions: int) -> tuple[Any, ...]:
    if data.shape[: partitions.ndim] != partitions.shape:
        raise InvalidArgumentError.of(
            f"data.shape must start with partitions.shape, got data.shape = {in_brackets(data.shape)}, "
            f"partitions.shape = {in_brackets(partitions.shape)} [Op:DynamicPartition]"
        )
    if not within(partitions, num_partitions):
        raise out_of_range(partitions, num_partitions, "partitions", "[Op:DynamicPartition]")
    rows = data.reshape(partitions.size, *data.shape[partitions.ndim :])
    flat = partitions.reshape(-1)
    return tuple([rows[flat == i] for i in range(num_partitions)])


def _partition_join(partitions: Any, like: Any, *gs: Any) -> Any:
    out = np.empty((partitions.size, *like.shape[partitions.ndim :]), gs[0].dtype)
    flat = partitions.reshape(-1)
    for i, g in enumerate(gs):
        out[flat == i] = g
    return out.reshape(like.shape)


def _rows_behind(x: Any, rank: int) -> Any:
    """The rows of a batch behind the first axes."""
    return transpose(x, (*range(1, rank + 1), 0, *range(rank + 1, len(shape_of(x)))))


def _rows_in_front(x: Any, rank: int) -> Any:
    """The rows of a batch in front of the first axes again."""
    return transpose(x, (rank, *range(rank), *range(rank + 1, len(shape_of(x)))))


def _as_many_in_each(partitions: Any, count: int) -> bool:
    """Whether the parts of each of many rows have the same sizes."""
    found = data_of(partitions)
    if found is None or not within(found, count):
        return False
    sizes = [np.bincount(row.reshape(-1), minlength=count) for row in found]
    return all(np.array_equal(size, sizes[0]) for size in sizes)


def _partition_batch(n: int, xs: Any, batched: Any, *, num_partitions: int) -> Any:
    data, partitions = xs
    rank = len(shape_of(partitions)) - batched[1]
    if not batched[1]:
        parts = dynamic_partition(_rows_behind(data, rank), partitions, num_partitions=num_partitions)
        return tuple([_rows_in_front(part, 1) for part in parts])
    if not _as_many_in_each(partitions, num_partitions):
        return NotImplemented
    data = data if batched[0] else broadcast_to(data, (n, *shape_of(data)))
    parts = dynamic_partition(data, partitions, num_partitions=num_partitions)  # in the order of the rows
    return tuple([reshape(part, (n, shape_of(part)[0] // n, *shape_of(part)[1:])) for part in parts])


def _join_batch(n: int, xs: Any, batched: Any) -> Any:
    partitions, like, *gs = xs
    rank = len(shape_of(partitions)) - batched[0]
    gs = [g if has else broadcast_to(g, (n, *shape_of(g))) for g, has in zip(gs, batched[2:])]
    shape, dtype = shape_of(like)[batched[1] :], dtype_of(like)
    if batched[0]:
        flat = [reshape(g, (-1, *shape_of(g)[2:])) for g in gs]
        return partition_join(partitions, Ghost((n, *shape), dtype), *flat)
    whole = Ghost((*shape[:rank], n, *shape[rank:]), dtype)
    return _rows_in_front(partition_join(partitions, whole, *[_rows_behind(g, 1) for g in gs]), rank)


def _parts_shape(data: Any, partitions: Any, *, num_partitions: int) -> list[Any]:
    shape, ids = shape_of(data), shape_of(partitions)
    if shape is None or ids is None:
        return [None] * num_partitions
    known = data_of(partitions)
    counts = [None] * num_partitions
    if known is not None and within(known, num_partitions):
        counts = np.bincount(known.reshape(-1), minlength=num_partitions).tolist()
    return [(n, *shape[len(ids) :]) for n in counts]


dynamic_partition = Op(
    "DynamicPartition",
    _dynamic_partition,
    vjp_all=lambda wanted, gs, y, data, partitions, num_partitions: [partition_join(partitions, data, *gs)],
    reads="partitions",
    jvp=lambda ts, y, data, partitions, num_partitions: (
        None if ts[0] is None else dynamic_partition(ts[0], partitions, num_partitions=num_partitions)
    ),
    batch=_partition_batch,
    shape=_parts_shape,
    multi=True,
    holomorphic=False,
)
"""The slices of data for which ``partitions`` says 0, those for which it says 1, and so on."""

partition_join = Op(
    "DynamicPartitionGrad",
    _partition_join,
    vjp_all=lambda wanted, h, y, partitions, like, *gs: [
        None, None, *dynamic_partition(h, partitions, num_partitions=len(gs))
    ],
    reads="partitions",
    jvp=lambda ts, y, partitions, like, *gs: partition_join(
        partitions, like, *[zeros_like(g) if t is None else t for t, g in zip(ts[2:], gs, strict=True)]
    ),
    batch=_join_batch,
    shape=lambda partitions, like, *gs: shape_of(like),
    dtype=lambda partitions, like, *gs: dtype_of(gs[0]),
    holomorphic=False,
)  # fmt: skip
"""Puts the parts back where ``dynamic_partition`` took them from, in an array of the shape of ``like``."""


# --- dynamic_stitch -----------------------------------------------------------------------------------------


def _dynamic_stitch(*args: Any) -> Any:
    indices, data = _halves(args)
    slices = [x.shape[i.ndim :] for i, x in zip(indices, data, strict=True)]
    for k, (i, x) in enumerate(zip(indices, data, strict=True)):
        if x.shape[: i.ndim] != i.shape:
            raise InvalidArgumentError.of(
                f"data[{k}].shape = {in_brackets(x.shape)} does not start with indices[{k}].shape = "
                f"{in_brackets(i.shape)} [Op:DynamicStitch]"
            )
        if slices[k] != slices[0]:
            first, i0, ik = indices[0].ndim, in_brackets(indices[0].shape), in_brackets(i.shape)
            raise InvalidArgumentError.of(
                f"Need data[0].shape[{first}:] = data[{k}].shape[{i.ndim}:], got data[0].shape = "
                f"{in_brackets(data[0].shape)}, data[{k}].shape = {in_brackets(x.shape)}, indices[0].shape "
                f"= {i0}, "
                f"indices[{k}].shape = {ik} [Op:DynamicStitch]"
            )
        if i.size and i.min() < 0:
            raise InvalidArgumentError.of(f"indices[{k}] is out of range [Op:DynamicStitch]")
    out = zeros_array((_stitched_size(indices), *slices[0]), data[0].dtype)
    for i, x in zip(indices, data, strict=True):
        out[i.reshape(-1)] = x.reshape(i.size, *slices[0])
    return out


def _halves(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    n = len(args) // 2
    return args[:n], args[n:]


def _stitched_size(indices: Sequence[Any]) -> int:
    return max([int(i.max()) + 1 for i in indices if i.size], default=0)


def _stitched(*indices: Any) -> tuple[Any, ...]:
    stay = last_writes(np.concatenate([i.reshape(-1) for i in indices]), _stitched_size(indices))
    parts = np.split(stay, np.cumsum([i.size for i in indices])[:-1])
    return tuple([part.reshape(i.shape) for part, i in zip(parts, indices, strict=True)])


def _dynamic_stitch_vjp(wanted: Any, g: Any, y: Any, *args: Any) -> list[Any]:
    indices, data = _halves(args)
    stays = stitched(*indices)
    return [None] * len(indices) + [
        _only(stay, gather(g, i), i) if want else None
        for want, stay, i in zip(wanted[len(indices) :], stays, indices, strict=True)
    ]


def _only(stay: Any, slices: Any, indices: Any) -> Any:
    """The slices that stay, zeros in place of the others."""
    return select(mask_rows(stay, slices), slices, np.zeros((), dtype_of(slices)))


def _dynamic_stitch_jvp(ts: Any, y: Any, *args: Any) -> Any:
    indices, data = _halves(args)
    return dynamic_stitch(*indices, *[
        zeros_like(x) if t is None else t for t, x in zip(ts[len(indices) :], data, strict=True)
    ])  # fmt: skip


def _stitch_batch(n: int, xs: Any, batched: Any) -> Any:
    indices, data = _halves(tuple(xs))
    with_rows = _halves(tuple(batched))
    if not any(with_rows[0]):
        data = [x if has else broadcast_to(x, (n, *shape_of(x))) for x, has in zip(data, with_rows[1])]
        behind = [_rows_behind(x, len(shape_of(i))) for i, x in zip(indices, data)]
        return _rows_in_front(dynamic_stitch(*indices, *behind), 1)
    indices = [i if has else broadcast_to(i, (n, *shape_of(i))) for i, has in zip(indices, with_rows[0])]
    known = list(map(data_of, indices))
    if any(i is None for i in known):
        return NotImplemented
    sizes = {_stitched_size([i[row] for i in known]) for row in range(n)}
    if len(sizes) > 1:
        return NotImplemented  # one after the other: their results cannot be stacked
    (size,) = sizes
    data = [x if has else broadcast_to(x, (n, *shape_of(x))) for x, has in zip(data, with_rows[1])]
    numbered = [i + (np.arange(n, dtype=i.dtype) * size).reshape(n, *(1,) * (i.ndim - 1)) for i in known]
    found = dynamic_stitch(*numbered, *data)
    return reshape(found, (n, size, *shape_of(found)[1:]))


def _stays_batch(n: int, xs: Any, batched: Any) -> Any:
    indices = [i if has else broadcast_to(i, (n, *shape_of(i))) for i, has in zip(xs, batched)]
    known = list(map(data_of, indices))
    if any(i is None for i in known):
        return NotImplemented
    size = _stitched_size(known)
    return stitched(
        *[i + (np.arange(n, dtype=i.dtype) * size).reshape(n, *(1,) * (i.ndim - 1)) for i in known]
    )


def _mask_batch(n: int, xs: Any, batched: Any) -> Any:
    mask, slices = xs
    mask = mask if batched[0] else broadcast_to(mask, (n, *shape_of(mask)))
    ones = len(shape_of(slices)) - batched[1] - (len(shape_of(mask)) - 1)
    return reshape(mask, (*shape_of(mask), *(1,) * ones))


def _dynamic_stitch_shape(*args: Any) -> Any:
    indices, data = _halves(args)
    for i, x in zip(indices, data, strict=True):
        if shape_of(i) is not None and shape_of(x) is not None:
            known = list(map(data_of, indices))
            size = None if any(k is None for k in known) else _stitched_size(known)
            return (size, *shape_of(x)[len(shape_of(i)) :])
    return None


dynamic_stitch = Op(
    "DynamicStitch",
    _dynamic_stitch,
    vjp_all=_dynamic_stitch_vjp,
    reads="args",
    jvp=_dynamic_stitch_jvp,
    batch=_stitch_batch,
    shape=_dynamic_stitch_shape,
    dtype=lambda *args: dtype_of(args[-1]),
    holomorphic=False,
)
"""Called with n index arrays and n data arrays: ``y[indices[k][i]] = data[k][i]``; the last one written
stays."""

stitched = Op(
    "DynamicStitchStays",
    _stitched,
    batch=_stays_batch,
    shape=lambda *indices: [shape_of(i) for i in indices],
    dtype=np.bool_,
    multi=True,
)
"""For each slice of ``dynamic_stitch``, whether no later one is written over it."""

mask_rows = Op(
    "MaskRows",
    lambda mask, slices: mask.reshape(mask.shape + (1,) * (slices.ndim - mask.ndim)),
    batch=_mask_batch,
    shape=lambda mask, slices: (
        None if shape_of(mask) is None or shape_of(slices) is None
        else shape_of(mask) + (1,) * (len(shape_of(slices)) - len(shape_of(mask)))
    ),
)  # fmt: skip
"""The mask with axes of length 1 appended, so that it broadcasts to the slices."""


# --- Tables in several parts --------------------------------------------------------------------------------


def _located(ids: Any, *parts: Any, strategy: str) -> tuple[Any, Any, Any]:
    flat, k = ids.reshape(-1), len(parts)
    n = sum(part.shape[0] for part in parts)
    if not within(flat, n):
        raise out_of_range(flat, n, "ids", "[Op:GatherV2]")
    if strategy == "mod":
        part, row = flat % k, flat // k
    else:
        length, longer = divmod(n, k)  # the first parts are one row longer
        part = np.maximum(flat // (length + 1), (flat - longer) // max(length, 1))
        row = np.where(part < longer, flat % (length + 1), (flat - longer) % max(length, 1))
    return part.astype(np.int32), row.astype(ids.dtype), np.arange(flat.size, dtype=np.int32)


located = Op(
    "EmbeddingParts",
    _located,
    shape=lambda ids, *parts, strategy: [(size_of(shape_of(ids)),)] * 3,
    dtype=lambda ids, *parts, strategy: [np.dtype(np.int32), dtype_of(ids), np.dtype(np.int32)],
    multi=True,
)
"""For each id: the part of the table that has its row, the row there, and the place of the id."""
