"""NumPy's side of lookups and scatters: rows found, checked, added up and overwritten.

Everything here takes and gives raw arrays. A *row* is what one entry of an index array names: a slice along
an axis (``gather``), or ``x[i, j, ...]`` for an index vector (``gather_nd``).
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import is_floating_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import EagerTensor
from gradtape._src.ops.arrays import zeros_array

_SMALL = 256  # elements: up to here np.add.at on rows costs less than flattening them
_LARGE = 1 << 18  # elements: from here a sparse product is several times faster than np.add.at
_SPARSE = frozenset("fdFDilq")  # the dtypes that SciPy's sparse product has compiled code for


def data_of(value: Any) -> Any:
    """The array of an argument that has its data, for shape rules that can use it; else None."""
    value = value._data if type(value) is EagerTensor else value
    return value if isinstance(value, (np.ndarray, np.generic)) else None


# --- Bounds -------------------------------------------------------------------------------------------------


def within(indices: Any, n: int) -> bool:
    """Whether all indices are in [0, n), in one pass: a negative one is a large unsigned one."""
    if indices.size == 0:
        return True
    if indices.dtype.kind == "i":
        indices = indices.view(f"u{indices.itemsize}")
    return bool(np.maximum.reduce(indices, axis=None) < n)


def out_of_range(indices: Any, n: int, name: str, end: str, says: str = "is not in") -> InvalidArgumentError:
    """The error about the first index that is not in [0, n)."""
    where = tuple(np.argwhere((indices < 0) | (indices >= n))[0].tolist())
    place = f"[{','.join(map(str, where))}]" if where else ""
    return InvalidArgumentError.of(f"{name}{place} = {indices[where]} {says} [0, {n}) {end}")


def bad_vectors(indices: Any, dims: tuple[int, ...]) -> Any:
    """Which index vectors do not index into an array that starts with these dimensions; None if all do."""
    if indices.size == 0:
        return None
    bad = ((indices < 0) | (indices >= np.array(dims, np.int64))).any(axis=-1)
    return bad if bad.any() else None


def vector_out_of_range(
    indices: Any, bad: Any, shape: tuple[int, ...], into: str, end: str
) -> InvalidArgumentError:
    """The error about the first bad index vector; ``into`` says what it was to index into."""
    where = tuple(np.argwhere(bad)[0].tolist())
    vector = indices[where].tolist()
    return InvalidArgumentError.of(
        f"indices[{','.join(map(str, where))}] = {vector} does not index into {into} "
        f"{in_brackets(shape)}{end}"
    )


def in_place_of(indices: Any, bad: Any) -> Any:
    """The index vectors, with zeros for the bad ones."""
    return np.where(bad[..., None], indices.dtype.type(0), indices)


def zeroed(x: Any, bad: Any) -> Any:
    """The slices of x, with zeros for the bad ones."""
    zero = b"" if x.dtype.kind == "O" else x.dtype.type(0)
    return np.where(bad.reshape(bad.shape + (1,) * (x.ndim - bad.ndim)), zero, x)


# --- Flat positions -----------------------------------------------------------------------------------------


def positions(indices: Any, dims: tuple[int, ...]) -> Any:
    """Index vectors into an array of these dimensions, as positions in it flattened: one integer each."""
    flat = np.zeros(indices.shape[:-1], np.intp)
    for k, n in enumerate(dims):
        flat *= n
        flat += indices[..., k]
    return flat


def along_axis(indices: Any, shape: tuple[int, ...], axis: int, batch_dims: int) -> Any:
    """Positions of the rows of ``gather`` in the array with its dimensions up to ``axis`` flattened.

    Their shape is (batch size, size of the dimensions between, number of indices in a batch).
    """
    batch, outer, n = prod(shape[:batch_dims]), prod(shape[batch_dims:axis]), shape[axis]
    flat = indices.reshape(batch, 1, -1 if batch and indices.size else prod(indices.shape[batch_dims:]))
    starts = np.arange(batch * outer, dtype=np.intp).reshape(batch, outer, 1)
    starts *= n
    return starts + flat


# --- Scatters -----------------------------------------------------------------------------------------------


def add_rows(out: np.ndarray, rows: Any, values: Any, add: np.ufunc = np.add) -> None:
    """``out[rows[i]] += values[i]``, one after the other; or another ufunc. ``out`` has no holes in memory.

    ``rows`` is of any shape that ``values`` starts with; all of them are in bounds.
    """
    size = values.size
    if size == 0:
        return
    width = size // rows.size
    rows = rows.reshape(-1)
    if out.ndim == 1 or size <= _SMALL or out.dtype.kind == "O":
        add.at(out, rows.astype(np.intp, copy=False), values.reshape(rows.shape + out.shape[1:]))
        return
    # NumPy has a fast loop for flat indices and none for rows.
    flat = (rows.astype(np.intp, copy=False)[:, None] * width + np.arange(width)).reshape(-1)
    values = values.reshape(-1)
    add.at(out.reshape(-1), flat, values if values.dtype == out.dtype else values.astype(out.dtype))


def sum_of_rows(shape: tuple[int, ...], rows: Any, values: Any) -> np.ndarray:
    """Zeros of this shape, with ``values[i]`` added to the row ``rows[i]``."""
    dtype = values.dtype
    if dtype.itemsize == 2 and is_floating_np(dtype):  # too few digits to add up in
        return sum_of_rows(shape, rows, values.astype(np.float32)).astype(dtype)
    n = shape[0]
    if (
        values.size >= _LARGE
        and dtype.char in _SPARSE
        and values.size > rows.size
        and values.size * 8 > prod(shape)
    ):
        # start-up cost: SciPy is loaded when first used
        from scipy.sparse import csr_matrix

        k = rows.size
        ones = np.ones(k, dtype)
        chosen = csr_matrix((ones, rows.reshape(-1), np.arange(k + 1)), shape=(k, n))
        return np.asarray(chosen.T @ values.reshape(k, -1)).reshape(shape)
    out = zeros_array(shape, dtype)
    add_rows(out, rows, values)
    return out


def last_writes(rows: Any, n: int) -> Any:
    """Which of the rows no later one equals: whose value stays when they are written one after the other."""
    flat = rows.reshape(-1)
    order = np.arange(flat.size)
    writer = np.empty(n, np.intp)  # what is not written is not read
    writer[flat] = order
    return (writer[flat] == order).reshape(rows.shape)


# --- The kernels of gather ----------------------------------------------------------------------------------


def gather(x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    if x.ndim == 0:
        raise InvalidArgumentError.of("params must be at least 1 dimensional [Op:GatherV2]")
    if indices.dtype.itemsize < 8:
        unsigned = indices.view(f"u{indices.itemsize}")  # then NumPy's own check finds the negative ones too
    elif indices.size and np.minimum.reduce(indices, axis=None) < 0:
        raise out_of_range(indices, x.shape[axis], "indices", "[Op:GatherV2]")
    else:
        unsigned = indices
    if batch_dims:
        return gather_batches(x, indices, axis % x.ndim, from_front(batch_dims, indices.ndim))
    try:
        return x.take(unsigned, axis)
    except IndexError:
        raise out_of_range(indices, x.shape[axis], "indices", "[Op:GatherV2]") from None


def from_front(batch_dims: int, rank: int) -> int:
    return batch_dims + rank if batch_dims < 0 else batch_dims


def gather_batches(x: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    for k in range(batch_dims):
        if x.shape[k] != indices.shape[k]:
            raise InvalidArgumentError.of(
                f"params.shape[{k}]: {x.shape[k]} should be equal to indices.shape[{k}]: {indices.shape[k]} "
                "[Op:GatherV2]"
            )
    if not within(indices, x.shape[axis]):
        raise out_of_range(indices, x.shape[axis], "indices", "[Op:GatherV2]")
    shape = x.shape[:axis] + indices.shape[batch_dims:] + x.shape[axis + 1 :]
    flat = x.reshape(prod(x.shape[: axis + 1]), *x.shape[axis + 1 :])
    return flat.take(along_axis(indices, x.shape, axis, batch_dims), 0).reshape(shape)


def gather_grad(g: Any, indices: Any, like: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    shape = like.shape
    axis %= len(shape)
    n = shape[axis]
    if not within(indices, n):
        raise out_of_range(indices, n, "segment_ids", "[Op:UnsortedSegmentSum]", "is out of range")
    if axis == 0:
        return sum_of_rows(shape, indices, g)
    rows = along_axis(indices, shape, axis, from_front(batch_dims, indices.ndim))
    flat = (prod(shape[: axis + 1]), *shape[axis + 1 :])
    return sum_of_rows(flat, rows, g.reshape(rows.shape + flat[1:])).reshape(shape)
