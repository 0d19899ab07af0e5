"""Weights of interpolation: resizing is linear along each axis, and a matrix says how.

Row i of the matrix holds the weights of the pixels along the axis in pixel i of the result. Pixels have half-pixel
centres: the centre of pixel i is at i + 1/2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op

# Radius and function of each kernel.
KERNELS: dict[str, tuple[float, Any]] = {
    "bilinear": (1.0, lambda x: np.maximum(1 - np.abs(x), 0)),
    "bicubic": (2.0, lambda x: _cubic(x, 0.0, 0.5)),
    "mitchellcubic": (2.0, lambda x: _cubic(x, 1 / 3, 1 / 3)),
    "lanczos3": (3.0, lambda x: np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)),
    "lanczos5": (5.0, lambda x: np.where(np.abs(x) < 5, np.sinc(x) * np.sinc(x / 5), 0)),
    "gaussian": (1.5, lambda x: np.where(np.abs(x) < 1.5, np.exp(-2 * x * x), 0)),
}


def _cubic(x: Any, b: float, c: float) -> Any:
    """Mitchell and Netravali's family: "Reconstruction filters in computer graphics", SIGGRAPH 1988."""
    x = np.abs(x)
    near = ((12 - 9 * b - 6 * c) * x + (-18 + 12 * b + 6 * c)) * x * x + (6 - 2 * b)
    far = ((-b - 6 * c) * x + (6 * b + 30 * c)) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)
    return np.where(x < 1, near, np.where(x < 2, far, 0)) / 6


@lru_cache(maxsize=64)
def _weights(n: int, m: int, method: str, antialias: bool) -> np.ndarray:
    scale = n / m
    if method == "area":
        edges = np.arange(m + 1) * scale
        pixels = np.arange(n)
        overlap = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
        found = np.maximum(overlap, 0)
    else:
        radius, kernel = KERNELS[method]
        wide = max(scale, 1.0) if antialias else 1.0
        centres = (np.arange(m) + 0.5) * scale
        if method == "bilinear" and not antialias:
            centres = np.clip(centres, 0.5, n - 0.5)  # the edge goes on
        if method == "bicubic" and not antialias:
            centres = np.rint((centres - 0.5) * 1024) / 1024 + 0.5  # TensorFlow's kernel is a table
        distance = np.arange(n) + 0.5 - centres[:, None]
        found = np.where(np.abs(distance) <= radius * wide, kernel(distance / wide), 0)
    found = (found / found.sum(1, keepdims=True)).astype(np.float32)
    found.flags.writeable = False
    return found


def _kernel(n: Any, m: Any, *, method: str, antialias: bool) -> np.ndarray:
    n, m = int(n), int(m)
    if n <= 0 or m <= 0:
        raise InvalidArgumentError.of(f"Images and output dimensions must be positive, received {n} and {m}.")
    return _weights(n, m, method, antialias)


def _shape(n: Any, m: Any, *, method: str, antialias: bool) -> tuple[Any, Any]:
    return tuple([x if isinstance(x, int) else None for x in (m, n)])  # type: ignore[return-value]


resize_weights = Op("ResizeWeights", _kernel, shape=_shape, dtype=np.dtype(np.float32))
"""The matrix of shape (m, n) that resizes an axis from n to m pixels."""


def _nearest(n: Any, m: Any) -> np.ndarray:
    n, m = int(n), int(m)
    centres = (np.arange(m, dtype=np.float32) + np.float32(0.5)) * np.float32(n / m)
    return np.clip(np.floor(centres).astype(np.int32), 0, n - 1)


nearest_pixels = Op(
    "NearestPixels",
    _nearest,
    shape=lambda n, m: (m if isinstance(m, int) else None,),
    dtype=np.dtype(np.int32),
)
"""For each of m pixels the number of the nearest of n."""
