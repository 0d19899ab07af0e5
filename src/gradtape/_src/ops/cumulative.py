"""Running sums, products and log-sum-exps, and the linear recurrence their derivatives are made of.

The axis of a record is an int (negative: counted from the end), given by keyword; where only a graph's
execution tells it, it is a tensor, given by position. Rules count a known axis from the end, so that leading
batch axes do not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Op
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.ops.arithmetic import FLOAT, NUMBER, add, multiply

NARROW = frozenset(np.dtype(t).num for t in (np.float16, "bfloat16"))
"""Numbers of the dtypes whose sums and products are accumulated in float32."""


def over(op: Op, *arrays: Any, axis: Any, **params: Any) -> Any:
    """Applies an operation along an axis: a known axis is metadata, a tensor is one more argument."""
    if isinstance(axis, (Tensor, np.ndarray)):
        return op(*arrays, axis, **params)
    return op(*arrays, axis=axis, **params)


def rank_of(x: Any) -> int:
    """The number of dimensions, where it must be known: in a batch."""
    shape = shape_of(x)
    assert shape is not None
    return len(shape)


def from_end(axis: Any, x: Any) -> Any:
    """The same axis of ``x`` counted from the end, if that can be known."""
    if type(axis) is not int or axis < 0:
        return axis
    shape = shape_of(x)
    return axis if shape is None else axis - len(shape)


def _scan_axis(axis: Any, ndim: int) -> int:
    """The axis of a scan counted from the front; refuses one that is not there."""
    axis = int(axis)
    if not -ndim <= axis < ndim:
        raise InvalidArgumentError.of(
            f"ScanOp: Expected scan axis in the range [{-ndim}, {ndim}), but got {axis}"
        )
    return axis % ndim


def _flipped(x: Any, axis: int) -> Any:
    return x[(slice(None),) * axis + (slice(None, None, -1),)]


def _scanned(
    x: Any, axis: Any, exclusive: bool, reverse: bool, accumulate: Callable[..., Any], identity: Any
) -> Any:
    """``accumulate`` along an axis; ``exclusive``: of the elements before each; ``reverse``: from the end."""
    axis = _scan_axis(axis, x.ndim)
    dtype = x.dtype
    if dtype.num in NARROW:
        x = x.astype(np.float32)
    if reverse:
        x = _flipped(x, axis)
    if exclusive:
        y = np.empty(x.shape, x.dtype)
        before = (slice(None),) * axis
        y[(*before, slice(0, 1))] = identity
        if x.shape[axis] > 1:
            accumulate(x[(*before, slice(None, -1))], axis, x.dtype, y[(*before, slice(1, None))])
    else:
        y = accumulate(x, axis, x.dtype)
    if reverse:
        y = _flipped(y, axis)
    return y if y.dtype == dtype else y.astype(dtype)


def _in_rows(op: Op, xs: Any, axis: Any = 0, **params: Any) -> Any:
    """The scan of many arrays at once, along the same axis counted from the end."""
    x, *given = xs
    axis = given[0] if given else axis
    axis = int(axis) if isinstance(axis, (np.ndarray, np.generic)) else axis
    if type(axis) is int and axis >= 0:
        axis -= rank_of(x) - 1
    return over(op, x, axis=axis, **params)


def _same_shape(x: Any, *_: Any, **__: Any) -> Any:
    return shape_of(x)


# --- Sums ---------------------------------------------------------------------------------------------------

cumsum = Op(
    "Cumsum",
    lambda x, axis=0, exclusive=False, reverse=False: _scanned(
        x, axis, exclusive, reverse, np.add.accumulate, 0
    ),
    vjp=lambda g, y, x, axis=0, exclusive=False, reverse=False: over(
        cumsum, g, axis=axis, exclusive=exclusive, reverse=not reverse
    ),
    reads="axis",
    linear=(0,),
    batch=lambda n, xs, batched, **params: _in_rows(cumsum, xs, **params),
    shape=_same_shape,
    accepts=NUMBER,
)
"""y_k = sum of x_i for i <= k (``exclusive``: i < k; ``reverse``: i >= k)."""


# --- Recurrences --------------------------------------------------------------------------------------------


def _delayed(x: Any, axis: int, reverse: bool = False, fill: float = 0) -> Any:
    y = np.empty(x.shape, x.dtype)
    before = (slice(None),) * (axis % x.ndim)
    here, there, edge = slice(1, None), slice(None, -1), slice(0, 1)
    if reverse:
        here, there, edge = there, here, slice(-1, None)
    y[(*before, here)] = x[(*before, there)]
    y[(*before, edge)] = fill
    return y


delay = Op(
    "Delay",
    lambda x, axis=-1, reverse=False, fill=0: _delayed(x, int(axis), reverse, fill),
    vjp=lambda g, y, x, axis=-1, reverse=False, fill=0: over(delay, g, axis=axis, reverse=not reverse),
    jvp=lambda ts, y, x, axis=-1, reverse=False, fill=0: over(delay, ts[0], axis=axis, reverse=reverse),
    reads="axis",
    batch=lambda n, xs, batched, axis=-1, **params: _in_rows(delay, xs, axis, **params),
    shape=_same_shape,
)
"""y_k = x_{k-1} (``reverse``: x_{k+1}), and ``fill`` where there is none."""


def _recurrence(times: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def kernel(a: Any, b: Any, axis: Any = -1, reverse: bool = False) -> Any:
        """By doubling: after the pass of step s, b_k holds the last 2s terms of y_k and a_k their factor."""
        a, b = np.broadcast_arrays(a, b)
        dtype = b.dtype
        wide = np.dtype(np.float32) if dtype.num in NARROW else dtype
        axis = int(axis) % b.ndim
        a, b = (np.moveaxis(_flipped(v, axis) if reverse else v, axis, 0).astype(wide) for v in (a, b))
        step, n = 1, len(b)
        while step < n:
            b[step:] += times(a[step:], b[:-step])
            if 2 * step < n:
                a[step:] = times(a[step:], a[:-step])
            step *= 2
        y = np.moveaxis(b, 0, axis)
        y = _flipped(y, axis) if reverse else y
        return y if dtype == wide else y.astype(dtype)

    return kernel


def _absorbing_product(a: Any, b: Any) -> Any:
    return np.where((a == 0) | (b == 0), a.dtype.type(0), a * b)


def _transposed_recurrence(a: Any, g: Any, axis: Any, reverse: bool) -> Any:
    """z_k = g_k + a_{k+1} z_{k+1}: what a cotangent g of the recurrence's y is to b."""
    return over(recurrence, over(delay, a, axis=axis, reverse=not reverse), g, axis=axis, reverse=not reverse)


_recurrence_rules: dict[str, Any] = {
    "vjp": (
        lambda g, y, a, b, axis=-1, reverse=False: (
            _transposed_recurrence(a, g, axis, reverse) * over(delay, y, axis=axis, reverse=reverse)
        ),
        lambda g, y, a, b, axis=-1, reverse=False: _transposed_recurrence(a, g, axis, reverse),
    ),
    "jvp": lambda ts, y, a, b, axis=-1, reverse=False: over(
        recurrence, a, _driven(ts, y, axis, reverse), axis=axis, reverse=reverse
    ),
    "reads": ("y a axis", "a axis"),
    "shape": lambda a, b, axis=-1, reverse=False: _either_shape(a, b),
    "batch": lambda n, xs, batched, axis=-1, reverse=False: over(
        recurrence, *xs[:2], axis=xs[2] if len(xs) > 2 else axis, reverse=reverse
    ),
}


def _driven(ts: Any, y: Any, axis: Any, reverse: bool) -> Any:
    da, db = ts[:2]
    if da is None:
        return db
    da = da * over(delay, y, axis=axis, reverse=reverse)
    return da if db is None else add(da, db)


def _either_shape(a: Any, b: Any) -> Any:
    a, b = shape_of(a), shape_of(b)
    if a is None or b is None:
        return None
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    k = len(longer) - len(shorter)
    known = [p if q == 1 or q is None else q for p, q in zip(longer[k:], shorter, strict=True)]
    unsure = [
        None if None in (p, q) and 1 in (p, q) else r
        for p, q, r in zip(longer[k:], shorter, known, strict=True)
    ]
    return (*longer[:k], *unsure)


recurrence = Op(
    "LinearRecurrence",
    _recurrence(np.multiply),
    absorbing=Op("LinearRecurrenceAbsorbing", _recurrence(_absorbing_product), **_recurrence_rules),
    **_recurrence_rules,
)
"""y_k = b_k + a_k y_{k-1} along a (negative) axis (``reverse``: b_k + a_k y_{k+1}); zero comes first.

Blelloch, Prefix sums and their applications, 1990, section 1.4: a scan whatever the factors, zeros included.
"""


# --- Products -----------------------------------------------------------------------------------------------


def _cumprod_vjp(
    g: Any, y: Any, x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False
) -> Any:
    """dx_j = (product of what is before j) z_j, with z_j = g_j + x_{j+1} z_{j+1}: zeros do no harm."""
    axis = from_end(axis, x)
    if exclusive:
        later = over(recurrence, x, g, axis=axis, reverse=not reverse)
        return y * over(delay, later, axis=axis, reverse=not reverse)
    before = over(cumprod, x, axis=axis, exclusive=True, reverse=reverse)
    return before * _transposed_recurrence(x, g, axis, reverse)


def _cumprod_jvp(
    ts: Any, y: Any, x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False
) -> Any:
    axis = from_end(axis, x)
    if exclusive:
        driven = over(delay, ts[0] * y, axis=axis, reverse=reverse)
        return over(
            recurrence, over(delay, x, axis=axis, reverse=reverse), driven, axis=axis, reverse=reverse
        )
    before = over(cumprod, x, axis=axis, exclusive=True, reverse=reverse)
    return over(recurrence, x, ts[0] * before, axis=axis, reverse=reverse)


cumprod = Op(
    "Cumprod",
    lambda x, axis=0, exclusive=False, reverse=False: _scanned(
        x, axis, exclusive, reverse, np.multiply.accumulate, 1
    ),
    vjp=_cumprod_vjp,
    jvp=_cumprod_jvp,
    reads="y x axis",
    batch=lambda n, xs, batched, **params: _in_rows(cumprod, xs, **params),
    shape=_same_shape,
    accepts=NUMBER,
)
"""y_k = product of x_i for i <= k (``exclusive``: i < k; ``reverse``: i >= k)."""


# --- Log-sum-exps -------------------------------------------------------------------------------------------


def _exp_difference(a: Any, b: Any) -> Any:
    y = np.exp(a - b)
    if np.isfinite(y).all() and np.isfinite(a).all():
        return y
    y = np.where(a == -np.inf, y.dtype.type(0), y)
    return np.where((a == b) & (a == np.inf), y.dtype.type(1), y)


exp_difference = Binary(
    "ExpDifference",
    _exp_difference,
    vjp=(lambda g, y, a, b: g * y, lambda g, y, a, b: -(g * y)),
    reads="y",
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""exp(a - b), with e^-inf = 0 whatever b is, and 1 for inf - inf: the share of a in a log-sum-exp b."""


def _logsumexp_parts(x: Any, y: Any, axis: Any, exclusive: bool, reverse: bool) -> tuple[Any, Any]:
    """Shares of the x_k in y_k (in y_{k+1}, if exclusive), and of y_{k-1} in y_k. None exceeds 1."""
    past = over(delay, y, axis=axis, reverse=reverse, fill=-np.inf)
    into = over(delay, y, axis=axis, reverse=not reverse, fill=np.inf) if exclusive else y
    return exp_difference(x, into), exp_difference(past, y)


def _cumulative_logsumexp_vjp(
    g: Any, y: Any, x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False
) -> Any:
    """dx_j = sum over k >= j of g_k exp(x_j - y_k), by z_k = g_k + exp(y_k - y_{k+1}) z_{k+1}."""
    axis = from_end(axis, x)
    share, decay = _logsumexp_parts(x, y, axis, exclusive, reverse)
    z = _transposed_recurrence(decay, g, axis, reverse)
    return share * (over(delay, z, axis=axis, reverse=not reverse) if exclusive else z)


def _cumulative_logsumexp_jvp(
    ts: Any, y: Any, x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False
) -> Any:
    axis = from_end(axis, x)
    share, decay = _logsumexp_parts(x, y, axis, exclusive, reverse)
    driven = multiply(share, ts[0])
    driven = over(delay, driven, axis=axis, reverse=reverse) if exclusive else driven
    return over(recurrence, decay, driven, axis=axis, reverse=reverse)


def _logaddexp(x: Any, axis: int, dtype: Any, out: Any = None) -> Any:
    return np.logaddexp.accumulate(x, axis, dtype, out)


cumulative_logsumexp = Op(
    "CumulativeLogsumexp",
    lambda x, axis=0, exclusive=False, reverse=False: _scanned(
        x, axis, exclusive, reverse, _logaddexp, -np.inf
    ),
    vjp=_cumulative_logsumexp_vjp,
    jvp=_cumulative_logsumexp_jvp,
    reads="y x axis",
    batch=lambda n, xs, batched, **params: _in_rows(cumulative_logsumexp, xs, **params),
    shape=_same_shape,
    accepts=FLOAT,
)
"""y_k = log of the sum of exp(x_i) for i <= k (``exclusive``: i < k; ``reverse``: i >= k); of none -inf."""
