"""Softmax along the last axis, and the cross entropy with a class, or None where they are for NumPy to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.native.library import kernels, run, suits

_WHOLE = "ilq"  # NumPy's dtypes of classes: whole numbers of four bytes or of eight
_EXP = 16  # multiplications that take as long as an exponential


def softmax(x: Any, axis: int) -> Any:
    return _along_rows("softmax", x, axis)


def log_softmax(x: Any, axis: int) -> Any:
    return _along_rows("log_softmax", x, axis)


def class_entropy(x: Any, classes: Any) -> Any:
    """Of each row. None also if there is no such class."""
    return _with_classes("class_entropy", x, classes, x.shape[:-1])


def class_slope(x: Any, classes: Any) -> Any:
    """Likewise."""
    return _with_classes("class_slope", x, classes, x.shape)


def _along_rows(kernel: str, x: Any, axis: int) -> Any:
    if axis not in (-1, x.ndim - 1) or not x.size or not suits((x, x.shape)):
        return None
    x = np.ascontiguousarray(x)
    out = np.empty(x.shape, np.float32)
    n = x.shape[-1]
    rows = (x.size // n, n)
    run(getattr(kernels, kernel), (x.reshape(rows), out.reshape(rows)), rows[0], x.size * _EXP)
    return out


def _with_classes(kernel: str, x: Any, classes: Any, shape: tuple[int, ...]) -> Any:
    if not x.size or classes.dtype.char not in _WHOLE or not suits((x, x.shape)):
        return None
    out = np.empty(shape, np.float32)
    n = x.shape[-1]
    rows = x.size // n
    arrays = (
        np.ascontiguousarray(x).reshape(rows, n),
        np.ascontiguousarray(classes).view(np.int32).reshape(rows, -1),
        out.reshape(rows, *shape[x.ndim - 1 :]),
    )
    try:
        run(getattr(kernels, kernel), arrays, rows, x.size * _EXP)
    except IndexError:
        return None
    return out
