"""The look for NaNs that decides whether a computation is repeated with care."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import is_differentiable_np


def has_nan(x: Any) -> bool:
    """Whether any element of an array is NaN. For floats quicker than looking at each: squares have one sign, so that
    no infinities cancel in their sum."""
    if not x.ndim:
        return bool(x != x)
    if x.dtype.char not in "fd":
        return bool(np.isnan(x).any())
    x = x.ravel("K")  # in the order of the memory: mostly a view
    square = x.dot(x)
    return bool(square != square)


def any_has_nan(values: Any) -> bool:
    """Whether there is a NaN in values of any kind: arrays, sequences of them, None."""
    for value in values:
        if value is None:
            continue
        if isinstance(value, list):
            rows = getattr(value, "array", None)
            if any_has_nan(value if rows is None else (rows,)):
                return True
        elif is_differentiable_np(value.dtype) and has_nan(value):
            return True
    return False
