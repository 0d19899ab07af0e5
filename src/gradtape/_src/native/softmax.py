"""Softmax along the last axis, and the cross entropy with a class, or None where they are for NumPy to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.native.library import kernels, run, suits

_WHOLE = frozenset({np.dtype(np.int32), np.dtype(np.int64)})  # what classes may be of
_EXP = 16  # multiplications that take as long as an exponential


def softmax(x: Any, axis: int) -> Any:
    return _along_rows("softmax", x, axis)


def log_softmax(x: Any, axis: int) -> Any:
    return _along_rows("log_softmax", x, axis)


def class_entropy(x: Any, classes: Any) -> Any:
    """Of each row. None also if there is no such class."""
    return _with_classes("class_entropy", x, classes, 1)


def class_slope(x: Any, classes: Any) -> Any:
    """Likewise."""
    return _with_classes("class_slope", x, classes, 2)


def _along_rows(kernel: str, x: Any, axis: int) -> Any:
    rows = _rows(x) if axis in (-1, x.ndim - 1) else None
    if rows is None:
        return None
    out = np.empty(rows.shape, np.float32)
    run(getattr(kernels, kernel), (rows, out), len(rows), x.size * _EXP)
    return out.reshape(x.shape)


def _with_classes(kernel: str, x: Any, classes: Any, axes: int) -> Any:
    """``axes``: of the result, whose first one is that of the rows."""
    if classes.dtype not in _WHOLE or classes.shape != x.shape[:-1] or not classes.flags.aligned:
        return None
    rows = _rows(x)
    if rows is None:
        return None
    out = np.empty(rows.shape[:axes], np.float32)
    numbers = np.ascontiguousarray(classes).view(np.int32).reshape(len(rows), -1)
    try:
        run(getattr(kernels, kernel), (rows, numbers, out), len(rows), x.size * _EXP)
    except IndexError:
        return None
    return out.reshape(classes.shape + rows.shape[1:axes])


def _rows(x: Any) -> Any:
    """x as a matrix without gaps, or None."""
    if not x.ndim or not x.size or not suits((x, x.shape)):
        return None
    x = np.ascontiguousarray(x)
    return x if x.ndim == 2 else x.reshape(-1, x.shape[-1])
