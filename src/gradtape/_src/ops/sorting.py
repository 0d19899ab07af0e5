"""Sorting, the largest elements, and where values belong in a sorted sequence.

Orders are stable: of equal elements the earlier one comes first, upwards and downwards. NaN counts as larger
than any number, as in NumPy. Derivatives follow the elements to their new places.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import with_axis
from gradtape._src.ops.cumulative import NARROW, rank_of
from gradtape._src.ops.reduction import REAL

_SMALL = 4096  # elements

# --- Along an axis ------------------------------------------------------------------------------------------


def _behind(axis: int, x: Any) -> int:
    """The axis of one array of a batch, counted from the end."""
    return axis if axis < 0 else axis - (rank_of(x) - 1)


def _along_in_rows(op: Op, n: int, xs: Any, batched: Any, axis: int) -> Any:
    axis = axis if axis < 0 else axis - (rank_of(xs[0]) - batched[0])
    return op(*with_axis(n, xs[:2], batched[:2]), *xs[2:], axis=axis)


take_along = Op(
    "TakeAlong",
    lambda x, indices, axis=-1: np.take_along_axis(x, indices, axis),
    vjp=(lambda g, y, x, indices, axis=-1: put_along_like(g, indices, x, axis=axis), None),
    reads=("indices", ""),
    linear=(0,),
    batch=lambda n, xs, batched, axis=-1: _along_in_rows(take_along, n, xs, batched, axis),
    shape=lambda x, indices, axis=-1: shape_of(indices),
)
"""``y[..., i, ...] = x[..., indices[..., i, ...], ...]`` along an axis."""


def _put_along(g: Any, indices: Any, like: Any, axis: int = -1) -> Any:
    shape = list(g.shape)
    shape[axis] = like.shape[axis if axis < 0 or g.ndim == len(like.shape) else axis - g.ndim]
    y = np.zeros(shape, g.dtype)
    np.put_along_axis(y, indices, g, axis)
    return y


def _put_along_shape(g: Any, indices: Any, like: Any, axis: int = -1) -> Any:
    shape, whole = shape_of(g), shape_of(like)
    if shape is None or whole is None:
        return None
    axis -= len(shape) if axis >= 0 else 0
    return tuple([whole[axis] if i == axis else shape[i] for i in range(-len(shape), 0)])


put_along_like = Op(
    "PutAlongLike",
    _put_along,
    vjp=(lambda h, y, g, indices, like, axis=-1: take_along(h, indices, axis=axis), None, None),
    reads=("indices", "", ""),
    linear=(0,),
    batch=lambda n, xs, batched, axis=-1: _along_in_rows(put_along_like, n, xs, batched, axis),
    shape=_put_along_shape,
)
"""The transpose of ``take_along``, for indices of which none comes twice; ``like`` has the axis' length."""


# --- Sorting ------------------------------------------------------------------------------------------------


def _comparable(x: Any) -> Any:
    """NumPy sorts NaN to the end for its own dtypes only."""
    return x.astype(np.float32) if x.dtype.num in NARROW else x


def _sort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    y = np.sort(_comparable(x), axis).astype(x.dtype, copy=False)
    return np.flip(y, axis) if descending else y


def _stable_order(x: Any, axis: int) -> Any:
    if x.size < _SMALL or x.dtype.kind != "f":
        return np.argsort(x, axis, kind="stable")
    rows = np.moveaxis(x, axis, -1)
    places = np.argsort(rows, -1)  # three times as fast, and the same where no elements are equal
    y = np.take_along_axis(rows, places, -1)
    doubtful = ~(y[..., 1:] > y[..., :-1]).all(-1)  # NaN too
    places[doubtful] = np.argsort(rows[doubtful], -1, kind="stable")
    return np.moveaxis(places, -1, axis)


def order(x: Any, axis: int = -1, descending: bool = False) -> Any:
    """The indices that sort x."""
    x = _comparable(x)
    if not descending:
        return _stable_order(x, axis)
    flipped = _stable_order(np.flip(x, axis), axis)  # so that equal elements keep their order
    return x.shape[axis] - 1 - np.flip(flipped, axis)


argsort = Op(
    "ArgSort",
    lambda x, axis=-1, descending=False: order(x, axis, descending).astype(np.int32),
    shape=lambda x, axis=-1, descending=False: shape_of(x),
    dtype=np.int32,
    batch=lambda n, xs, batched, axis=-1, descending=False: argsort(
        xs[0], axis=_behind(axis, xs[0]), descending=descending
    ),
    accepts=REAL,
)

sort = Op(
    "Sort",
    _sort,
    vjp=lambda g, y, x, axis=-1, descending=False: put_along_like(
        g, argsort(x, axis=axis, descending=descending), x, axis=axis
    ),
    jvp=lambda ts, y, x, axis=-1, descending=False: take_along(
        ts[0], argsort(x, axis=axis, descending=descending), axis=axis
    ),
    reads="x",
    shape=lambda x, axis=-1, descending=False: shape_of(x),
    batch=lambda n, xs, batched, axis=-1, descending=False: sort(
        xs[0], axis=_behind(axis, xs[0]), descending=descending
    ),
    accepts=REAL,
)


# --- The largest elements -----------------------------------------------------------------------------------


def _top_k(x: Any, k: Any, axis: int = -1, largest: bool = True, index_type: str = "int32") -> Any:
    k = int(k)
    if x.ndim == 0:
        raise InvalidArgumentError.of("input must be >= 1-D, got shape [] [Op:TopKV2]")
    if k < 0:
        raise InvalidArgumentError.of(f"Need k >= 0, got {k} [Op:TopKV2]")
    n = x.shape[axis]
    if n < k:
        raise InvalidArgumentError.of(f"input must have at least k columns. Had {n}, needed {k} [Op:TopKV2]")
    rows = np.moveaxis(x, axis, -1)
    indices = _first_in_order(_comparable(rows), k, largest)
    values = np.take_along_axis(rows, indices, -1)
    return np.moveaxis(values, -1, axis), np.moveaxis(indices, -1, axis).astype(index_type)


def _first_in_order(rows: Any, k: int, largest: bool) -> Any:
    """The indices of the first k elements of each row in descending (ascending) order."""
    n = rows.shape[-1]
    if k == 1:
        return (np.argmax if largest else np.argmin)(rows, -1)[..., None]
    if n < 64 or k > n // 4 or (rows.dtype.kind == "f" and np.isnan(rows).any()):
        return order(rows, -1, largest)[..., :k]
    # What is beyond the k-th element, and of those equal to it as many as are missing, from the left: O(n).
    last = n - k if largest else k - 1
    bound = np.partition(rows, last, -1)[..., last, None]
    chosen = rows >= bound if largest else rows <= bound
    if (np.count_nonzero(chosen, -1) != k).any():
        equal = rows == bound
        missing = k - np.count_nonzero(chosen & ~equal, -1)[..., None]
        chosen &= ~equal | (np.cumsum(equal, -1) <= missing)
    indices = np.nonzero(chosen)[-1].reshape(*rows.shape[:-1], k)
    places = order(np.take_along_axis(rows, indices, -1), -1, largest)
    return np.take_along_axis(indices, places, -1)


def _top_k_shapes(x: Any, k: Any, axis: int = -1, largest: bool = True, index_type: str = "int32") -> Any:
    shape = shape_of(x)
    if shape is None:
        return [None, None]
    if not shape:
        raise ValueError("input must be >= 1-D, got shape []")
    k = int(k) if isinstance(k, (int, np.integer, np.ndarray)) else None
    n = shape[axis]
    if k is not None and n is not None and n < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {n}")
    return [tuple([k if i == axis % len(shape) else d for i, d in enumerate(shape)])] * 2


top_k = Op(
    "TopKV2",
    _top_k,
    vjp=(lambda g, y, x, k, axis=-1, **_: put_along_like(g[0], y[1], x, axis=axis), None),
    jvp=lambda ts, y, x, k, axis=-1, **_: (take_along(ts[0], y[1], axis=axis), None),
    reads=("y", ""),
    multi=True,
    batch=lambda n, xs, batched, axis=-1, **params: top_k(*xs, axis=_behind(axis, xs[0]), **params),
    shape=_top_k_shapes,
    dtype=lambda x, k, axis=-1, largest=True, index_type="int32": [dtype_of(x), np.dtype(index_type)],
    accepts=REAL,
)
"""The k largest (smallest) elements along an axis, in order, and their indices."""


# --- Places in a sorted sequence ----------------------------------------------------------------------------


def _bound(side: Any) -> Any:
    def kernel(ordered: Any, values: Any, out_type: str = "int32") -> Any:
        dtype = np.float32 if values.dtype.num in NARROW else values.dtype
        rows = ordered.astype(dtype, copy=False).reshape(prod(ordered.shape[:-1]), ordered.shape[-1])
        wanted = values.astype(dtype, copy=False).reshape(prod(values.shape[:-1]), values.shape[-1])
        if len(rows) != len(wanted):
            raise InvalidArgumentError.of(
                "Leading dim_size of both tensors must match. Received shapes "
                f"{in_brackets(ordered.shape)} and {in_brackets(values.shape)}."
            )
        places = [np.searchsorted(row, some, side) for row, some in zip(rows, wanted, strict=True)]
        return np.array(places, out_type).reshape(values.shape)

    return kernel


def _bound_rules() -> dict[str, Any]:
    return {
        "shape": lambda ordered, values, out_type="int32": shape_of(values),
        "dtype": lambda ordered, values, out_type="int32": np.dtype(out_type),
        "same_dtype": True,
        "accepts": f"{REAL} bool",
    }


lower_bound = Op(
    "LowerBound",
    _bound("left"),
    batch=lambda n, xs, batched, **params: lower_bound(*with_axis(n, xs, batched), **params),
    **_bound_rules(),
)
"""For each value the number of elements of its sorted row that are less."""

upper_bound = Op(
    "UpperBound",
    _bound("right"),
    batch=lambda n, xs, batched, **params: upper_bound(*with_axis(n, xs, batched), **params),
    **_bound_rules(),
)
"""For each value the number of elements of its sorted row that are less or equal."""
