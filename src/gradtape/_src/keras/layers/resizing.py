"""Linear interpolation along an axis, by a matrix of weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.gathering import gather
from gradtape._src.core.values import dtype_of, shape_of


def resized(x: Any, times: int, axis: int) -> Any:
    """x, ``times`` as large along an axis of known size: values between centres of elements are interpolated."""
    n = shape_of(x)[axis]
    if n is None:
        raise ValueError(
            f"Bilinear interpolation needs the size of axis {axis} of the inputs. Received shape {shape_of(x)}."
        )
    at = np.clip((np.arange(n * times) + 0.5) / times - 0.5, 0, n - 1)
    low = np.floor(at).astype(np.int32)
    high = np.minimum(low + 1, n - 1)
    shape = [1] * len(shape_of(x))
    shape[axis] = n * times
    share = (at - low).astype(dtype_of(x)).reshape(shape)
    return gather(x, low, axis=axis) * (1 - share) + gather(x, high, axis=axis) * share
