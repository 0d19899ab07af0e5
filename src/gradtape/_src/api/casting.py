"""Public functions from one dtype to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import DType, as_dtype, complex64, complex128, from_numpy
from gradtape._src.core.log import warn
from gradtape._src.core.values import dtype_of
from gradtape._src.ops import casting as ops
from gradtape._src.ops.complex import imag, make_complex, real
from gradtape._src.ops.indexed_slices import IndexedSlices


def cast(x, dtype, name=None):
    """The values of a tensor in another dtype.

    Floating-point numbers lose their fraction on the way to integers, and what an integer dtype cannot hold
    wraps round; any number but 0 is True. Of a complex number the real part is taken, with a warning.

    The gradient is that of the identity between floating-point and complex dtypes; none flows to or from
    integers and bools.

    Raises:
      InvalidArgumentError: a NaN on the way to an integer.
      UnimplementedError: from or to strings.
      TypeError: no such dtype.

    >>> import gradtape as tf
    >>> print(tf.cast([1.8, -1.8], tf.int32).numpy())
    [ 1 -1]

    As TensorFlow 2.21, but for NaN.
    """
    target = as_dtype(dtype).base_dtype
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, target, name), x.indices, x.dense_shape)
    if hasattr(type(x), "with_values"):  # a sparse or ragged tensor
        return x.with_values(cast(x.values, target, name))
    x = as_tensor(x)
    source = dtype_of(x)
    if source == target.np:
        return x
    if source.kind == "c" and not target.is_complex and not target.is_bool:
        warn(
            f"You are casting an input of type {from_numpy(source).name} to an incompatible dtype "
            f"{target.name}.  This will discard the imaginary part and may not be what you intended."
        )
    return ops.cast.of(x, dtype=target.np, name=name)


def saturate_cast(value, dtype, name=None):
    """As ``cast``, but numbers beyond the range of the dtype become its greatest and smallest number.

    The gradient is 1 within the range, its ends included, and 0 beyond.

    Raises:
      TypeError: the dtype, or the value's, is bool or string.
      InvalidArgumentError: a NaN on the way to an integer.

    >>> import gradtape as tf
    >>> print(tf.saturate_cast([300.0, -5.0, 3.7], tf.uint8).numpy())
    [255   0   3]

    As TensorFlow 2.21, but for NaN.
    """
    x = as_tensor(value)
    target = as_dtype(dtype).base_dtype
    source = from_numpy(dtype_of(x))
    if source.is_complex:
        if not target.is_complex:
            warn("Casting complex to real discards imaginary part.")
            return saturate_cast(real.of(x), target, name)
        if source is complex128 and target is complex64:
            parts = (
                _within_range(part.of(x), as_dtype("float64"), as_dtype("float32")) for part in (real, imag)
            )
            x = make_complex.of(*parts)
        return cast(x, target, name)
    return cast(_within_range(x, source, target.real_dtype), target, name)


def _within_range(x: Any, source: DType, target: DType) -> Any:
    """x, clipped to the range of another real dtype if its own is wider."""
    for dtype in (source, target):
        if dtype.is_bool or not dtype.is_numeric:
            raise TypeError(f"Cannot find minimum value of {dtype!s} with type {dtype!s}.")
    bounds = _bounds(source, target)
    return x if bounds is None else ops.clamp.of(x, low=bounds[0], high=bounds[1])


def _bounds(source: DType, target: DType) -> tuple[Any, Any] | None:
    """The least and the greatest number of a dtype that another one has too; None if it has them all."""
    low, high = _exact(source.min), _exact(source.max)
    if low >= _exact(target.min) and high <= _exact(target.max):
        return None
    low, high = max(low, _exact(target.min)), min(high, _exact(target.max))
    scalar = source.np.type
    first, last = scalar(low), scalar(high)
    # Rounding to the wider dtype must not lead out of the range of the other.
    if _exact(first) < low:
        first = np.nextafter(first, scalar(0))
    if _exact(last) > high:
        last = np.nextafter(last, scalar(0))
    return first, last


def _exact(x: Any) -> Any:
    """A bound as a Python number, which compares exactly."""
    x = np.asarray(x)
    return int(x) if x.dtype.kind in "iu" else float(x)


def bitcast(input, type, name=None):
    """The bits of a tensor, read as another dtype.

    To a dtype of 1/r of the size the result has one more axis, of length r; to one of r times the size the
    last axis, of length r, is gone. There is no gradient. Little-endian.

    Raises:
      InvalidArgumentError: the sizes do not fit, or the dtype of input is bool or string.

    >>> import gradtape as tf
    >>> print(tf.bitcast(1.0, tf.int32).numpy())
    1065353216

    As TensorFlow 2.21.
    """
    return ops.bitcast.of(as_tensor(input), dtype=as_dtype(type).np, name=name)
