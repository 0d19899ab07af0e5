"""Scatters: ``scatter_nd``, ``tensor_scatter_nd_*``, and what the scatter methods of variables do to their
arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import NUMBER
from gradtape._src.ops.arrays import static, with_axis
from gradtape._src.ops.gathering import gather_nd, gather_nd_grad, mask_rows
from gradtape._src.ops.rows import (
    add_rows,
    bad_vectors,
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

# --- What all of them check ---------------------------------------------------------------------------------


def _rows(shape: Any, indices: Any, updates: Any, policy: str, name: str) -> tuple[Any, Any, tuple[int, ...]]:
    """Positions of the rows, the updates, and the shape with the indexed dimensions made one.

    With the policy "IGNORE" the updates of bad index vectors are left out.
    """
    _check_policy(policy, name)
    dims, rest = shape[: indices.shape[-1]], shape[indices.shape[-1] :]
    bad = bad_vectors(indices, dims)
    if bad is None:
        return positions(indices, dims), updates, (prod(dims), *rest)
    if policy != "IGNORE":
        raise vector_out_of_range(indices, bad, shape, "shape", f" [Op:{name}]")
    return positions(indices[~bad], dims), updates[~bad], (prod(dims), *rest)


def _check_policy(policy: str, name: str) -> None:
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise InvalidArgumentError.of(
            f"Unknown bad indices handling attribute: {policy} [Op:{name}]. Expected '', 'DEFAULT', 'ERROR' "
            "or 'IGNORE'."
        )


def _check_nonempty(shape: Any, indices: Any, updates: Any, name: str) -> None:
    if updates.ndim == 0:
        raise InvalidArgumentError.of(f"Updates shape must have rank at least one. Found:[] [Op:{name}]")
    if len(shape) == 0 or (prod(shape) == 0 and indices.size and updates.size):
        raise InvalidArgumentError.of(
            f"Indices and updates specified for empty output.  indices shape: {in_brackets(indices.shape)} "
            f"[Op:{name}]"
            if len(shape)
            else f"Indices and updates specified for empty output shape [Op:{name}]"
        )


# --- scatter_nd ---------------------------------------------------------------------------------------------


def _scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "") -> Any:
    shape = tuple(np.asarray(shape).tolist())
    if any(n < 0 for n in shape):
        raise InvalidArgumentError.of(f"Dimension {min(shape)} must be >= 0 [Op:ScatterNd]")
    _check_nonempty(shape, indices, updates, "ScatterNd")
    k, outer = indices.shape[-1] if indices.ndim else 0, max(indices.ndim - 1, 0)
    ids, ups = in_brackets(indices.shape), in_brackets(updates.shape)
    if indices.shape[:-1] != updates.shape[:outer]:
        raise InvalidArgumentError.of(
            f"Dimensions [0,{outer}) of indices[shape={ids}] must match dimensions [0,{outer}) of "
            f"updates[shape={ups}] [Op:ScatterNd]"
        )
    if k > len(shape) or shape[k:] != updates.shape[outer:]:
        raise InvalidArgumentError.of(
            f"Dimensions [{k},{len(shape)}) of input[shape={in_brackets(shape)}] must match dimensions "
            f"[{outer},{updates.ndim}) of updates[shape={ups}] [Op:ScatterNd]"
        )
    rows, updates, flat = _rows(shape, indices, updates, bad_indices_policy, "ScatterNd")
    return sum_of_rows(flat, rows, updates).reshape(shape)


def _scatter_nd_shape(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "") -> Any:
    return static(shape)


def _scatter_nd_batch(n: int, xs: Any, batched: Any, bad_indices_policy: str = "") -> Any:
    _, updates, shape = xs
    if batched[2] or not isinstance(shape, (tuple, np.ndarray)) or bad_indices_policy == "IGNORE":
        return NotImplemented
    like = np.broadcast_to(np.zeros((), dtype_of(updates)), (n, *np.asarray(shape).tolist()))
    indices, updates = with_axis(n, xs[:2], batched[:2])
    return gather_nd_grad(updates, indices, like, batch_dims=1)


scatter_nd = Op(
    "ScatterNd",
    _scatter_nd,
    vjp=(
        None,
        lambda g, y, indices, updates, shape, bad_indices_policy="": gather_nd(
            g, indices, bad_indices_policy=bad_indices_policy
        ),
        None,
    ),
    reads="indices",
    linear=(1,),
    batch=_scatter_nd_batch,
    shape=_scatter_nd_shape,
    dtype=lambda indices, updates, shape, **policy: dtype_of(updates),
    holomorphic=False,
)
"""Zeros, with ``updates[i]`` added at ``indices[i]``; ``shape`` is a tuple of ints, or an integer tensor."""


# --- tensor_scatter_nd_* ------------------------------------------------------------------------------------


def _scatter_into(x: Any, indices: Any, updates: Any, policy: str, name: str) -> tuple[Any, Any, Any]:
    """A copy of x with its indexed dimensions made one, the positions of the rows, and the updates."""
    _check_nonempty(x.shape, indices, updates, name)
    k, outer = indices.shape[-1] if indices.ndim else 0, max(indices.ndim - 1, 0)
    ids, ups = in_brackets(indices.shape), in_brackets(updates.shape)
    if indices.shape[:-1] != updates.shape[:outer]:
        raise InvalidArgumentError.of(
            f"Outer dimensions of indices and update must match. Indices shape: {ids}, updates shape:{ups} "
            f"[Op:{name}]"
        )
    if k > x.ndim or x.shape[k:] != updates.shape[outer:]:
        raise InvalidArgumentError.of(
            f"Inner dimensions of output shape must match inner dimensions of updates shape. Output: "
            f"{in_brackets(x.shape)} updates: {ups} [Op:{name}]"
        )
    rows, updates, flat = _rows(x.shape, indices, updates, policy, name)
    return np.array(x, order="C").reshape(flat), rows, updates


def _update(x: Any, indices: Any, updates: Any) -> Any:
    out, rows, updates = _scatter_into(x, indices, updates, "", "TensorScatterUpdate")
    out[rows] = updates
    return out.reshape(x.shape)


def _reduce(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def kernel(x: Any, indices: Any, updates: Any, bad_indices_policy: str = "") -> Any:
        out, rows, updates = _scatter_into(x, indices, updates, bad_indices_policy, name)
        add_rows(out, rows, updates, ufunc)
        return out.reshape(x.shape)

    return kernel


def _with_axes(op: Op) -> Callable[..., Any]:
    """The batch rule: the number of the application becomes the first entry of each index vector."""

    def rule(n: int, xs: Any, batched: Any, **policy: Any) -> Any:
        x, indices, updates = with_axis(n, xs, batched)
        return op(x, numbered(indices), updates, **policy)

    return rule


numbered = Op(
    "NumberedIndices",
    lambda indices: np.concatenate([_numbers(indices), indices], axis=-1),
    shape=lambda indices: (
        None if shape_of(indices) is None else (*shape_of(indices)[:-1], _plus_one(indices))
    ),
)
"""Index vectors, each with its place along the first axis put in front."""


def _numbers(indices: Any) -> Any:
    column = np.arange(len(indices), dtype=indices.dtype).reshape(-1, *(1,) * (indices.ndim - 1))
    return np.broadcast_to(column, (*indices.shape[:-1], 1))


def _plus_one(indices: Any) -> int | None:
    last = shape_of(indices)[-1]
    return None if last is None else last + 1


def _update_rows_vjp(g: Any, y: Any, x: Any, indices: Any, updates: Any) -> Any:
    taken = gather_nd(g, indices)
    return select(mask_rows(writes_that_stay(g, indices), taken), taken, np.zeros((), dtype_of(g)))


tensor_scatter_update = Op(
    "TensorScatterUpdate",
    _update,
    vjp=(
        lambda g, y, x, indices, updates: cleared(g, indices),
        None,
        _update_rows_vjp,
    ),
    reads="indices",
    linear=(0, 2),
    shape=lambda x, indices, updates: shape_of(x),
    holomorphic=False,
)
"""x with ``updates[i]`` in place of what is at ``indices[i]``; of several at one place the last stays."""
tensor_scatter_update.batch = _with_axes(tensor_scatter_update)


def _cleared(x: Any, indices: Any) -> Any:
    out = np.array(x, order="C").reshape(-1, *x.shape[indices.shape[-1] :])
    out[positions(indices, x.shape[: indices.shape[-1]])] = 0
    return out.reshape(x.shape)


cleared = Op(
    "TensorScatterClear",
    _cleared,
    vjp=(lambda g, y, x, indices: cleared(g, indices), None),
    reads="indices",
    linear=(0,),
    shape=lambda x, indices: shape_of(x),
    batch=lambda n, xs, batched: _cleared_batch(n, xs, batched),
    holomorphic=False,
)
"""x with zeros at the index vectors."""


def _cleared_batch(n: int, xs: Any, batched: Any) -> Any:
    x, indices = with_axis(n, xs, batched)
    return cleared(x, numbered(indices))


writes_that_stay = Op(
    "TensorScatterUpdateStays",
    lambda x, indices: last_writes(
        positions(indices, x.shape[: indices.shape[-1]]), prod(x.shape[: indices.shape[-1]])
    ),
    shape=lambda x, indices: None if shape_of(indices) is None else shape_of(indices)[:-1],
    dtype=np.bool_,
)
"""For each update, whether no later one is written over it; reads the shape of x only."""

tensor_scatter_add = Op(
    "TensorScatterAdd",
    _reduce("TensorScatterAdd", np.add),
    vjp=(
        lambda g, y, x, indices, updates, **policy: g,
        None,
        lambda g, y, x, indices, updates, **policy: gather_nd(g, indices, **policy),
    ),
    reads="indices",
    linear=(0, 2),
    shape=lambda x, indices, updates, **policy: shape_of(x),
    accepts=NUMBER,
    holomorphic=False,
)
"""x with ``updates[i]`` added at ``indices[i]``."""
tensor_scatter_add.batch = _with_axes(tensor_scatter_add)

tensor_scatter_sub = Op(
    "TensorScatterSub",
    _reduce("TensorScatterSub", np.subtract),
    vjp=(
        lambda g, y, x, indices, updates, **policy: g,
        None,
        lambda g, y, x, indices, updates, **policy: -gather_nd(g, indices, **policy),
    ),
    reads="indices",
    linear=(0, 2),
    shape=lambda x, indices, updates, **policy: shape_of(x),
    accepts=NUMBER,
    holomorphic=False,
)
"""x with ``updates[i]`` subtracted at ``indices[i]``."""
tensor_scatter_sub.batch = _with_axes(tensor_scatter_sub)


def _ties(y: Any, x: Any, indices: Any, updates: Any, bad_indices_policy: str = "") -> tuple[Any, Any]:
    one = y.dtype.type(1)
    bad = bad_vectors(indices, y.shape[: indices.shape[-1]])
    at = indices if bad is None else in_place_of(indices, bad)
    from_x = (x == y).astype(y.dtype)
    from_updates = (updates == gather_nd.kernel(y, at)).astype(y.dtype)
    if bad is not None:
        from_updates = zeroed(from_updates, bad)
    count = np.maximum(from_x + gather_nd_grad.kernel(from_updates, at, y), one)
    return from_x / count, from_updates / gather_nd.kernel(count, at)


ties = Op(
    "TensorScatterTies",
    _ties,
    shape=lambda y, x, indices, updates, **policy: [shape_of(x), shape_of(updates)],
    multi=True,
)
"""The shares that x and the updates have in a scattered minimum or maximum: equal ones where several reach
it."""


def _extreme_vjp(wanted: Any, g: Any, y: Any, x: Any, indices: Any, updates: Any, **policy: Any) -> list[Any]:
    of_x, of_updates = ties(y, x, indices, updates, **policy)
    return [g * of_x, None, gather_nd(g, indices, **policy) * of_updates]


def _extreme_jvp(ts: Any, y: Any, x: Any, indices: Any, updates: Any, **policy: Any) -> Any:
    if ts[0] is None and ts[2] is None:
        return None
    of_x, of_updates = ties(y, x, indices, updates, **policy)
    parts = []
    if ts[0] is not None:
        parts.append(ts[0] * of_x)
    if ts[2] is not None:
        parts.append(gather_nd_grad(ts[2] * of_updates, indices, y, **policy))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _extreme(name: str, ufunc: np.ufunc) -> Op:
    op = Op(
        name,
        _reduce(name, ufunc),
        vjp_all=_extreme_vjp,
        jvp=_extreme_jvp,
        reads="y x indices updates",
        shape=lambda x, indices, updates, **policy: shape_of(x),
        accepts="float int",
        holomorphic=False,
    )
    op.batch = _with_axes(op)
    return op


# fmin and fmax: like TensorFlow, an update that is NaN changes nothing.
tensor_scatter_min = _extreme("TensorScatterMin", np.fmin)
tensor_scatter_max = _extreme("TensorScatterMax", np.fmax)


# --- For variables ------------------------------------------------------------------------------------------

_UFUNCS = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "min": np.fmin, "max": np.fmax,
}  # fmt: skip


def _write(out: np.ndarray, rows: Any, values: Any, how: str) -> None:
    if how == "update":
        out[rows.reshape(-1)] = values.reshape(rows.size, *out.shape[1:])
        return
    ufunc = np.floor_divide if how == "div" and out.dtype.kind in "iu" else _UFUNCS[how]
    add_rows(out, rows, values, ufunc)


def scatter_rows(
    array: np.ndarray, indices: Any, values: Any, how: str, name: str = "ResourceScatter"
) -> np.ndarray:
    """A copy of the array, with ``values[i]`` brought into the row ``indices[i]``, one after the other.

    ``how`` is "update", "add", "sub", "mul", "div", "min" or "max"; the values broadcast to the rows.
    """
    end = f"[Op:{name}{how.capitalize()}]"
    if not within(indices, len(array)):
        raise out_of_range(indices, len(array), "indices", end)
    shape = indices.shape + array.shape[1:]
    try:
        values = np.ascontiguousarray(np.broadcast_to(values, shape))
    except ValueError:
        raise InvalidArgumentError.of(
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            "updates.shape "
            f"{in_brackets(np.shape(values))}, indices.shape {in_brackets(indices.shape)}, params.shape "
            f"{in_brackets(array.shape)} {end}"
        ) from None
    out = array.copy()
    _write(out, indices, values, how)
    return out


def scatter_vectors(array: np.ndarray, indices: Any, values: Any, how: str) -> np.ndarray:
    """A copy of the array, with ``values[i]`` brought into ``array[tuple(indices[i])]``; see
    `scatter_rows`."""
    name = f"ResourceScatterNd{how.capitalize()}"
    out, rows, values = _scatter_into(array, indices, values, "", name)
    _write(out, rows, values, how)
    return out.reshape(array.shape)


def scatter_batches(array: np.ndarray, indices: Any, values: Any) -> np.ndarray:
    """A copy of the array, with ``array[..., indices[..., i]] = values[..., i]``: the leading axes run
    together."""
    vectors = np.stack([*np.indices(indices.shape)[:-1], indices], axis=-1)
    return scatter_vectors(array, vectors, values, "update")
