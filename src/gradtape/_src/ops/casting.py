"""From one dtype to another: by value (``cast``), by bits (``bitcast``), within bounds (``clamp``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import (
    from_numpy,
    is_complex_np,
    is_differentiable_np,
    is_floating_np,
    is_integer_np,
)
from gradtape._src.core.errors import InvalidArgumentError, UnimplementedError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import dtype_of, shape_of


def _cast(x: Any, dtype: np.dtype) -> Any:
    source = x.dtype
    if source == dtype:
        return x
    if is_complex_np(source) and not is_complex_np(dtype):
        x = x.real
        source = x.dtype
    if is_floating_np(source):
        if is_integer_np(dtype):
            return _to_integer(x, dtype)
    elif source.kind == "O" or dtype.kind == "O":
        raise UnimplementedError.of(
            f"Cast {from_numpy(source).name} to {from_numpy(dtype).name} is not supported [Op:Cast]"
        )
    return x.astype(dtype)


def _to_integer(x: Any, dtype: np.dtype) -> Any:
    """Towards zero. NaN is no integer; what lies outside the range wraps as the processor has it."""
    try:
        with np.errstate(invalid="raise"):  # NumPy tells of NaNs, infinities and overflows
            return x.astype(dtype)
    except FloatingPointError:
        pass
    nan = np.isnan(x)
    if nan.any():
        where = in_brackets(tuple(np.argwhere(nan)[0].tolist()))
        raise InvalidArgumentError.of(
            f"Cast {from_numpy(x.dtype).name} to {from_numpy(dtype).name}: expected numbers, but the element "
            f"at {where} of the input of shape {in_brackets(x.shape)} is NaN, which no integer stands for "
            "[Op:Cast]. Replace it first, for example tf.where(tf.math.is_nan(x), 0., x)."
        )
    # By way of int64, as TensorFlow does it, so that every machine gives the same result.
    with np.errstate(all="ignore"):
        wide = np.int32 if dtype.itemsize < 4 or dtype == np.int32 else np.int64
        return x.astype(wide).astype(dtype)


def _both_move(x: Any, dtype: Any) -> bool:
    return is_differentiable_np(dtype_of(x)) and is_differentiable_np(dtype)


cast = Op(
    "Cast",
    _cast,
    vjp=lambda g, y, x, dtype: cast(g, dtype=dtype_of(x)) if _both_move(x, dtype) else None,
    reads="",
    jvp=lambda ts, y, x, dtype: cast(ts[0], dtype=dtype) if _both_move(x, dtype) else None,
    elementwise=True,
    holomorphic=False,
    dtype=lambda x, dtype: dtype,
)
"""To an integer or a bool there is no derivative. From complex to real: the real part."""


def _bitcast_shape(x: Any, dtype: np.dtype) -> Shape:
    dims: Any = shape_of(x)
    if dims is None:
        return None
    have, want = dtype_of(x).itemsize, dtype.itemsize
    if have == want:
        return dims
    if have > want:
        return (*dims, have // want)
    if not dims or dims[-1] not in (None, want // have):
        raise ValueError(
            f"Cannot bitcast from {want} to {have}: the last dimension of the input of shape "
            f"{in_brackets(dims)} should be {want // have}"
        )
    return dims[:-1]


def _bitcast(x: Any, dtype: np.dtype) -> Any:
    try:
        shape: Any = _bitcast_shape(x, dtype)
    except ValueError as error:
        raise InvalidArgumentError.of(f"{error} [Op:Bitcast]") from None
    return np.ascontiguousarray(x).reshape(-1).view(dtype).reshape(shape)


bitcast = Op(
    "Bitcast",
    _bitcast,
    accepts="float int complex",
    batch=lambda n, xs, batched, dtype: bitcast(xs[0], dtype=dtype),
    shape=_bitcast_shape,
    dtype=lambda x, dtype: dtype,
)


clamp = Op(
    "ClipByValue",
    lambda x, low, high: np.minimum(np.maximum(x, low), high),
    vjp=lambda g, y, x, low, high: g * within(x, low=low, high=high),
    reads="x",
    elementwise=True,
    accepts="float int",
    shape=lambda x, low, high: shape_of(x),
)
"""x, but not below ``low`` nor above ``high``: scalars of its dtype. At the bounds the derivative is 1."""

within = Op(
    "Within",
    lambda x, low, high: np.logical_and(x >= low, x <= high).astype(x.dtype),
    elementwise=True,
    shape=lambda x, low, high: shape_of(x),
)
"""1 where low <= x <= high, else 0."""
