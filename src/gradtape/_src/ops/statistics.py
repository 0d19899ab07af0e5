"""Reductions that combine others: log-sum-exp, variance, standard deviation, Euclidean norm, and argmax.

Axes are given as in ``ops/reduction.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import FLOAT, NUMBER
from gradtape._src.ops.complex import conj
from gradtape._src.ops.cumulative import NARROW, exp_difference, over, rank_of
from gradtape._src.ops.division import divide_no_nan
from gradtape._src.ops.reduction import (
    REAL,
    Reduction,
    add_reduce,
    axes_of,
    count_over,
    reduce_mean,
    reduce_sum,
    spread_like,
    spread_mean_like,
)

_max_reduce: Any = np.maximum.reduce


def _wide(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype.num in NARROW else x


def _of_dtype(y: Any, x: Any) -> Any:
    return y if y.dtype == x.dtype else y.astype(x.dtype)


# --- Log-sum-exp --------------------------------------------------------------------------------------------


def _logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """log sum exp(x - m) + m with the largest element m, so that nothing overflows."""
    axis = axes_of(axis, x.ndim)
    wide = _wide(x)
    if not x.size:
        y = np.log(add_reduce(wide, axis, None, None, keepdims))
        return _of_dtype(y, x)
    largest = _max_reduce(wide, axis, None, None, True)
    largest = np.where(np.isfinite(largest), largest, wide.dtype.type(0))
    total = add_reduce(np.exp(wide - largest), axis, None, None, keepdims)
    return _of_dtype(np.log(total) + largest.reshape(total.shape), x)


def _shares(x: Any, y: Any, axis: Any, keepdims: bool) -> Any:
    """exp(x - y): the part of each element in the sum. The elements of a group of -inf have none."""
    return exp_difference(x, over(spread_like, y, x, axis=axis, keepdims=keepdims))


reduce_logsumexp = Reduction(
    "LogSumExp",
    _logsumexp,
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        over(spread_like, g, x, axis=axis, keepdims=keepdims) * _shares(x, y, axis, keepdims)
    ),
    jvp=lambda ts, y, x, axis=None, keepdims=False: over(
        reduce_sum, ts[0] * _shares(x, y, axis, keepdims), axis=axis, keepdims=keepdims
    ),
    reads="y x axis",
    accepts=FLOAT,
)


# --- Variance and standard deviation ------------------------------------------------------------------------


def _variance(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    axis = axes_of(axis, x.ndim)
    wide, n = _wide(x), count_over(x.shape, axis)
    away = wide - add_reduce(wide, axis, None, None, True) / n
    return _of_dtype(add_reduce(np.square(away), axis, None, None, keepdims) / n, x)


def _away(x: Any, axis: Any) -> Any:
    return x - over(reduce_mean, x, axis=axis, keepdims=True)


reduce_variance = Reduction(
    "Variance",
    _variance,
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        over(spread_mean_like, g + g, x, axis=axis, keepdims=keepdims) * _away(x, axis)
    ),
    jvp=lambda ts, y, x, axis=None, keepdims=False: over(
        reduce_mean, (ts[0] + ts[0]) * _away(x, axis), axis=axis, keepdims=keepdims
    ),
    reads="x axis",
    accepts=FLOAT,
)
"""mean((x - mean(x))^2); its slope in x is 2 (x - mean(x)) / n."""


def _directions(x: Any, y: Any, axis: Any, keepdims: bool) -> Any:
    """(x - mean(x)) / std(x), and zeros where all elements are equal."""
    return divide_no_nan(_away(x, axis), over(spread_like, y, x, axis=axis, keepdims=keepdims))


reduce_std = Reduction(
    "Std",
    lambda x, axis=None, keepdims=False: _of_dtype(np.sqrt(_variance(_wide(x), axis, keepdims)), x),
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        over(spread_mean_like, g, x, axis=axis, keepdims=keepdims) * _directions(x, y, axis, keepdims)
    ),
    jvp=lambda ts, y, x, axis=None, keepdims=False: over(
        reduce_mean, ts[0] * _directions(x, y, axis, keepdims), axis=axis, keepdims=keepdims
    ),
    reads="y x axis",
    accepts=FLOAT,
)
"""The root of the variance. Of equal elements it is least, like |x| at 0, and its slope is taken as 0."""


# --- Euclidean norm -----------------------------------------------------------------------------------------


def _norm(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    axis = axes_of(axis, x.ndim)
    if x.dtype.kind in "iu":
        return np.sqrt(add_reduce(np.square(x), axis, x.dtype, None, keepdims)).astype(x.dtype)
    size = np.abs(x) if x.dtype.kind == "c" else _wide(x)
    tiny = np.finfo(size.dtype).tiny
    y = np.sqrt(add_reduce(np.square(size), axis, None, None, keepdims))
    if ((y * y < tiny) | np.isinf(y)).any() and size.size:
        y = _scaled_norm(size, axis, keepdims)
    return _of_dtype(y, x)


def _scaled_norm(size: Any, axis: Any, keepdims: bool) -> Any:
    """Where squares overflow or underflow: the norm of x / m, times m, with the largest element m."""
    largest = _max_reduce(np.abs(size), axis, None, None, True)
    usable = (largest > 0) & np.isfinite(largest)
    scale = np.where(usable, largest, size.dtype.type(1))
    y = np.sqrt(add_reduce(np.square(size / scale), axis, None, None, keepdims))
    return y * scale.reshape(y.shape)


unit = Binary(
    "Unit",
    np.divide,
    vjp=(lambda g, y, a, b: g / b, lambda g, y, a, b: -(g * y) / b),
    reads=("b", "y b"),
    elementwise=True,
    accepts=NUMBER,
    same_dtype=True,
)
"""a / b for a norm b: also where zero absorbs, 0 / 0 stays NaN, because the zero vector has no direction."""


def _real_part(x: Any) -> Any:
    return (x + conj(x)) * 0.5 if dtype_of(x).kind == "c" else x


def _unit(x: Any, y: Any, axis: Any, keepdims: bool) -> Any:
    return unit(x, over(spread_like, y, x, axis=axis, keepdims=keepdims))


reduce_euclidean_norm = Reduction(
    "EuclideanNorm",
    _norm,
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        over(spread_like, _real_part(g), x, axis=axis, keepdims=keepdims) * _unit(x, y, axis, keepdims)
    ),
    jvp=lambda ts, y, x, axis=None, keepdims=False: _real_part(
        over(reduce_sum, ts[0] * conj(_unit(x, y, axis, keepdims)), axis=axis, keepdims=keepdims)
    ),
    reads="y x axis",
    accepts=NUMBER,
    holomorphic=False,
)
"""sqrt(sum |x|^2), of complex numbers in a complex dtype; its slope is x / norm."""


# --- Positions of extremes ----------------------------------------------------------------------------------


def _position(find: Any, never: float) -> Any:
    def kernel(x: Any, axis: Any = 0, output_type: str = "int64") -> Any:
        axis = int(axis)
        if not -x.ndim <= axis < x.ndim:
            raise InvalidArgumentError.of(
                f"Expected dimension in the range [{-x.ndim}, {x.ndim}), but got {axis}: "
                f"the axis of a tensor of shape {list(x.shape)}."
            )
        if x.shape[axis] == 0:
            raise InvalidArgumentError.of(f"Reduction axis {axis} is empty in shape {list(x.shape)}")
        if x.dtype.num in NARROW:
            x = x.astype(np.float32)
        y = find(x, axis)
        if x.dtype.kind == "f" and np.isnan(np.take_along_axis(x, np.expand_dims(y, axis), axis)).any():
            y = find(np.where(np.isnan(x), x.dtype.type(never), x), axis)  # a NaN is passed over
        return y.astype(output_type)

    return kernel


def _position_shape(x: Any, axis: Any = 0, output_type: str = "int64") -> Any:
    shape = shape_of(x)
    if shape is None:
        return None
    if type(axis) is not int:
        return (None,) * (len(shape) - 1)
    axis %= len(shape)
    return shape[:axis] + shape[axis + 1 :]


def _position_rules() -> dict[str, Any]:
    return {
        "shape": _position_shape,
        "dtype": lambda x, axis=0, output_type="int64": np.dtype(output_type),
        "accepts": f"{REAL} bool",
    }


argmax = Op(
    "ArgMax",
    _position(np.argmax, -np.inf),
    batch=lambda n, xs, batched, **params: _position_in_rows(argmax, xs, **params),
    **_position_rules(),
)
argmin = Op(
    "ArgMin",
    _position(np.argmin, np.inf),
    batch=lambda n, xs, batched, **params: _position_in_rows(argmin, xs, **params),
    **_position_rules(),
)


def _position_in_rows(op: Op, xs: Any, axis: Any = 0, **params: Any) -> Any:
    x, *given = xs
    axis = int(given[0]) if given else axis
    return op(x, axis=axis - rank_of(x) + 1 if axis >= 0 else axis, **params)
