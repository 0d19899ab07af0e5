"""Operands as Keras 3 takes them: of different dtypes, which are brought to one; integers where numbers are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.api.casting import cast
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.values import dtype_of
from gradtape._src.keras.settings import floatx


def as_float(x: Any) -> Any:
    """A tensor of floating-point or complex numbers: integers and bools get the dtype of `floatx`."""
    x = as_tensor(x)
    return cast(x, floatx()) if dtype_of(x).kind in "iub" else x


def promoted(*xs: Any) -> tuple[Any, ...]:
    """Tensors of one dtype: a float wins over integers, the wider one over the other; Python's numbers adapt."""
    dtypes = [dtype_of(as_tensor(x)) for x in xs if not isinstance(x, (int, float, complex))]
    if not dtypes:
        floating = any(isinstance(x, float) for x in xs)
        return tuple(as_tensor(x, as_dtype(floatx()) if floating else None) for x in xs)
    floats = [dtype for dtype in dtypes if dtype.kind not in "iub"]
    common: Any = floats[0] if floats else dtypes[0]
    for dtype in floats or dtypes:
        common = common if dtype == common else np.promote_types(common, dtype)
    if common.kind in "iub" and any(isinstance(x, float) for x in xs):
        common = as_dtype(floatx()).np
    elif common.kind == "b" and any(isinstance(x, int) and not isinstance(x, bool) for x in xs):
        common = np.dtype(np.int32)
    return tuple(_of_dtype(x, common) for x in xs)


def _of_dtype(x: Any, dtype: Any) -> Any:
    if isinstance(x, (int, float, complex)):
        return as_tensor(x, as_dtype(dtype))
    x = as_tensor(x)
    return x if dtype_of(x) == dtype else cast(x, as_dtype(dtype))


def on_floats(function: Callable[..., Any], name: str, formula: str) -> Callable[..., Any]:
    """A function of one tensor of floating-point numbers, which takes integers too."""

    def operation(x):
        return function(as_float(x))

    return named(
        operation, name, f"{formula}, elementwise; integers become floating-point numbers. As Keras 3."
    )


def on_two(function: Callable[..., Any], name: str, formula: str) -> Callable[..., Any]:
    """A function of two tensors that broadcast, of any dtypes."""

    def operation(x1, x2):
        return function(*promoted(x1, x2))

    return named(operation, name, f"{formula}, elementwise; the two are brought to one dtype. As Keras 3.")


def on_axes(function: Callable[..., Any], name: str, text: str, floats: bool = False) -> Callable[..., Any]:
    """A reduction along axes."""

    def operation(x, axis=None, keepdims=False):
        return function(as_float(x) if floats else as_tensor(x), axis=axis, keepdims=keepdims)

    return named(operation, name, f"{text} along ``axis``, or of all elements. As Keras 3.")


def named(operation: Any, name: str, text: str) -> Any:
    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = text
    return operation
