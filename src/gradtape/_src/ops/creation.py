"""Arrays made from a few numbers: constants, ranges, identity matrices.

Shapes and sizes are tuples and ints, or integer tensors in a graph.
"""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, broadcast
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import (
    behind,
    broadcast_to,
    lead,
    one_of,
    ones_behind_first,
    rank_of,
    refusal,
    static,
    with_axis,
    zeros_array,
    zeros_like,
)

# --- One value ----------------------------------------------------------------------------------------------


def _dims(dims: Any, *_: Any, **params: Any) -> Shape:
    known: Any = static(dims)
    for n in known or ():
        if n is not None and n < 0:
            raise ValueError(f"Dimension {n} must be >= 0")
    return known


def _checked(op: str, dims: Any) -> Any:
    """The dimensions, for an allocation."""
    if isinstance(dims, tuple) and min(dims, default=0) >= 0:
        return dims
    try:
        return _dims(dims)
    except ValueError:
        raise refusal(op, _dims, dims) from None


zeros = Op(
    "Zeros",
    lambda dims, dtype: zeros_array(_checked("Fill", dims), dtype),
    shape=_dims,
    dtype=lambda dims, dtype: dtype,
)
ones = Op(
    "Ones",
    lambda dims, dtype: np.ones(_checked("Fill", dims), dtype),
    shape=_dims,
    dtype=lambda dims, dtype: dtype,
)


def _fill(dims: Any, value: Any) -> Any:
    if value.ndim:
        shape = ",".join(map(str, value.shape))
        raise InvalidArgumentError.of(f"value must represent a scalar, got shape [{shape}] [Op:Fill]")
    out = np.empty(_checked("Fill", dims), value.dtype)
    out[...] = value
    return out


def _fill_batched(n: int, xs: Any, batched: Any) -> Any:
    dims, value = xs
    if batched[0] or not isinstance(dims, tuple):
        return NotImplemented
    return broadcast_to(ones_behind_first(value, len(dims)), (n, *dims))


fill = Op(
    "Fill",
    _fill,
    vjp=(None, lambda g, y, dims, value: g),
    reads="",
    linear=(1,),
    batch=_fill_batched,
    shape=_dims,
    dtype=lambda dims, value: dtype_of(value),
)

# --- Ranges -------------------------------------------------------------------------------------------------


def _plain(x: Any) -> str:
    """A number as TensorFlow's messages show it."""
    return str(x.item()) if x.dtype.kind in "iu" else f"{float(x):g}"


def _range(start: Any, limit: Any, delta: Any) -> Any:
    for name, x in (("start", start), ("limit", limit), ("delta", delta)):
        if x.size != 1:
            shape = ",".join(map(str, x.shape))
            raise InvalidArgumentError.of(f"{name} must be a scalar, not shape [{shape}] [Op:Range]")
    numbers: Any = [x.item() if x.dtype.kind in "iuf" else float(x) for x in (start, limit, delta)]
    a, b, d = numbers
    fault: str | None = None
    if d == 0:
        fault = "Requires delta != 0: 0"
    elif d > 0 and not a <= b:
        fault = f"Requires start <= limit when delta > 0: {_plain(start)}/{_plain(limit)}"
    elif not d > 0 and not a >= b:
        fault = f"Requires start >= limit when delta < 0: {_plain(start)}/{_plain(limit)}"
    elif type(d) is not int and not isfinite((b - a) / d):
        fault = "Requires ((limit - start) / delta) <= 9223372036854775807"
    if fault:
        raise InvalidArgumentError.of(f"{fault} [Op:Range]")
    dtype = start.dtype
    if dtype.kind in "iu":
        return np.arange(*numbers, dtype=dtype)
    steps = np.arange(ceil(abs((b - a) / d))).astype(dtype)
    return steps * delta.reshape(()) + start.reshape(())


range_ = Op(
    "Range",
    _range,
    vjp=(lambda g, y, start, limit, delta: g, None, lambda g, y, start, limit, delta: g * iota_like(g)),
    reads="",
    jvp=lambda ts, y, start, limit, delta: _range_jvp(ts, y),
    accepts="int float",
    same_dtype=True,
    shape=lambda start, limit, delta: (_count(start, limit, delta),),
)
"""start, start + delta, ... up to limit. How many there are has no derivative."""


def _range_jvp(ts: Any, y: Any) -> Any:
    tangent = zeros_like(y)
    if ts[0] is not None:
        tangent = tangent + ts[0]
    return tangent if ts[2] is None else tangent + ts[2] * iota_like(y)


def _count(*numbers: Any) -> int | None:
    """How many there are, if the numbers are known: raw arrays."""
    return len(_range(*numbers)) if all(isinstance(x, (np.ndarray, np.generic)) for x in numbers) else None


iota_like = Op(
    "IotaLike",
    lambda like: np.arange(like.shape[0]).astype(like.dtype),
    batch=lambda n, xs, batched: lead(iota_like(one_of(xs[0])), n=n),
    shape=shape_of,
)
"""0, 1, 2, ... as many as ``like`` has, in its dtype."""


def _linspace(start: Any, stop: Any, num: Any, axis: int) -> Any:
    num = int(num)
    try:
        shape: Any = broadcast(start.shape, stop.shape)
    except ValueError:
        raise refusal("BroadcastArgs", broadcast, start.shape, stop.shape) from None
    at = axis + len(shape) + 1 if axis < 0 else axis
    start, stop = (np.broadcast_to(x, shape).reshape(shape[:at] + (1,) + shape[at:]) for x in (start, stop))
    dtype = start.dtype
    delta = (stop - start) / np.asarray(max(num - 1, 1)).astype(dtype)
    steps = np.arange(num).astype(dtype).reshape((num,) + (1,) * (len(shape) - at))
    out = start + delta * steps
    if num > 1:  # the end exactly, whatever rounding did to the steps
        out[(slice(None),) * at + (slice(num - 1, num),)] = stop
    return out


def _linspace_shape(start: Any, stop: Any, num: Any, axis: int) -> Shape:
    dims = broadcast(shape_of(start), shape_of(stop))
    if dims is None:
        return None
    at = axis + len(dims) + 1 if axis < 0 else axis
    return (*dims[:at], int(num) if isinstance(num, (int, np.ndarray, np.generic)) else None, *dims[at:])


def _linspace_batched(n: int, xs: Any, batched: Any, axis: int) -> Any:
    if batched[2]:
        return NotImplemented
    start, stop = with_axis(n, xs[:2], batched[:2])
    rank = max(rank_of(start), rank_of(stop)) - 1
    return linspace(ones_behind_first(start, rank), ones_behind_first(stop, rank), xs[2], axis=behind(axis))


linspace = Op(
    "LinSpace",
    _linspace,
    vjp=(
        lambda g, y, start, stop, num, axis: linspace_grad(g, num, end=0, axis=axis),
        lambda g, y, start, stop, num, axis: linspace_grad(g, num, end=1, axis=axis),
        None,
    ),
    reads="num",
    linear=(0, 1),
    batch=_linspace_batched,
    same_dtype=False,
    accepts="float complex",
    shape=_linspace_shape,
)
"""``num`` elements along a new axis, in equal steps from start to stop, both included."""


def _linspace_grad(g: Any, num: Any, end: int, axis: int) -> Any:
    """The part of the cotangent that goes to the start (``end`` 0) or to the stop."""
    num = int(num)
    w = (np.arange(num) / max(num - 1, 1)).astype(g.dtype)
    w = w if end else w.dtype.type(1) - w
    axis %= g.ndim
    return np.add.reduce(g * w.reshape((num,) + (1,) * (g.ndim - 1 - axis)), axis=axis)


def _linspace_grad_shape(g: Any, num: Any, end: int, axis: int) -> Shape:
    dims: Any = shape_of(g)
    if dims is None:
        return None
    axis %= len(dims)
    return (*dims[:axis], *dims[axis + 1 :])


def _spread(h: Any, num: Any, end: int, axis: int) -> Any:
    """The transpose of ``linspace_grad``."""
    ends = (zeros_like(h), h) if end else (h, zeros_like(h))
    return linspace(*ends, num, axis=axis)


linspace_grad = Op(
    "LinSpaceGrad",
    _linspace_grad,
    vjp=(lambda h, y, g, num, end, axis: _spread(h, num, end, axis), None),
    reads="num",
    linear=(0,),
    batch=lambda n, xs, batched, end, axis: (
        NotImplemented if batched[1] else linspace_grad(xs[0], xs[1], end=end, axis=behind(axis))
    ),
    shape=_linspace_grad_shape,
)

# --- Matrices -----------------------------------------------------------------------------------------------


def _eye(rows: Any, columns: Any, batch_shape: Any, dtype: Any) -> Any:
    rows, columns = _checked("Fill", (int(rows), int(columns)))
    batch_shape = _checked("Fill", batch_shape)
    matrix = np.eye(rows, columns, dtype=dtype)
    return np.broadcast_to(matrix, (*batch_shape, rows, columns)) if batch_shape else matrix


def _eye_shape(rows: Any, columns: Any, batch_shape: Any, dtype: Any) -> Shape:
    batch = _dims(batch_shape)
    if batch is None:
        return None
    known = (int, np.ndarray, np.generic)
    return (*batch, *(int(n) if isinstance(n, known) else None for n in (rows, columns)))


eye = Op("Eye", _eye, shape=_eye_shape, dtype=lambda *args, dtype: dtype)
