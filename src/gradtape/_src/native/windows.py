"""Convolutions and maxima of windows, or None where they are for NumPy to do: for dtypes other than float32, where few
channels would leave most of a vector empty, and where BLAS is as fast: products that are large, or need no windows.

The windows (``ops/windows.py``) are described to the kernels by rows: all but the last spatial dimension are one.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from gradtape._src.native.library import WIDTH, kernels, run, suits

_LANES = 8  # floats of a vector: as in vectors.h
_RUN = 256  # places and channels of a row of a window, whose taps stay in the nearest cache
_IMAGES = 4  # images, at most, whose filter cotangents are summed by one thread


@lru_cache(1024)
def _rows(at: Any) -> tuple[Any, Any, Any, Any]:
    """What ``windows.h`` says: from, start, offset, and the numbers of a row."""
    pads, padded = at.pads[:-1], at.padded[:-1]
    place = np.arange(prod(padded), dtype=np.int32).reshape(padded)
    source = np.full(padded, -1, np.int32)
    inside = tuple(slice(before, before + n) for n, (before, _) in zip(at.size, pads))
    source[inside] = np.arange(prod(at.size[:-1])).reshape(at.size[:-1])
    first = tuple(slice(0, n * s, s) for n, s in zip(at.out[:-1], at.strides))
    within = tuple(slice(0, k * d, d) for k, d in zip(at.window[:-1], at.dilations))
    numbers = (at.size[-1], at.pads[-1][0], at.padded[-1], at.window[-1], at.strides[-1], at.dilations[-1])
    source, start, offset = (np.ascontiguousarray(x).ravel() for x in (source, place[first], place[within]))
    return source, start, offset, np.array(numbers, np.int32)


@lru_cache(1024)
def _pooled_rows(at: Any) -> tuple[Any, Any]:
    """What ``pooling.c`` says: from, and the numbers of a row."""
    source, start, offset, numbers = _rows(at)
    return np.ascontiguousarray(source[start[:, None] + offset]), numbers


def _flat(x: Any, rows: int) -> Any:
    """Images as rows: (batch, rows, width * channels)."""
    return np.ascontiguousarray(x).reshape(len(x), rows, x.shape[-2] * x.shape[-1])


def _work(batch: int, at: Any, channels: int, filters: int) -> int:
    return batch * prod(at.out) * prod(at.window) * channels * filters


def _pays(x: Any, shape: tuple[int, ...], at: Any) -> bool:
    """Whether a convolution with a filter of this shape, which is one group, is faster so than by BLAS."""
    depth, filters = shape[-2:]
    fits = x.shape[-1] == depth and filters * 4 >= WIDTH and at.window[-1] * depth <= _RUN
    return fits and len(x) > 1 and prod(at.window) > 1 and prod(at.out) > 0


def convolution(x: Any, w: Any, at: Any) -> Any:
    """The filters in one group, with margins that are zero."""
    depth, filters = w.shape[-2:]
    tiles = -(-filters // WIDTH)
    if not (_pays(x, w.shape, at) and suits((x, x.shape), (w, w.shape))):
        return None
    taps = np.zeros((prod(at.window) * depth, tiles * WIDTH), np.float32)
    taps[:, :filters] = w.reshape(len(taps), filters)
    taps = taps.reshape(prod(at.window[:-1]), at.window[-1] * depth, tiles, WIDTH).transpose(2, 0, 1, 3)
    rows = _rows(at)
    out = np.empty((len(x), *at.out, filters), np.float32)
    arrays = (_flat(x, prod(at.size[:-1])), np.ascontiguousarray(taps), *rows, _by_row(out))
    run(kernels.convolution, arrays, len(x), _work(len(x), at, depth, tiles * WIDTH), portion=1)
    return out


def filter_cotangent(x: Any, g: Any, shape: tuple[int, ...], at: Any) -> Any:
    """Likewise."""
    depth, filters = shape[-2:]
    if not (_pays(x, shape, at) and suits((x, x.shape), (g, g.shape))):
        return None
    parts = -(-len(x) // _IMAGES)
    out = np.empty((parts, prod(at.window[:-1]), at.window[-1] * depth, filters), np.float32)
    rows = _rows(at)
    arrays = (_flat(x, prod(at.size[:-1])), _by_row(np.ascontiguousarray(g)), *rows, out)
    run(kernels.filter_cotangent, arrays, parts, _work(len(x), at, depth, filters), portion=1)
    return np.add.reduce(out, axis=0).reshape(shape)


def _by_row(y: Any) -> Any:
    """(batch, out rows, out width, channels)."""
    return y.reshape(len(y), prod(y.shape[1:-2]), *y.shape[-2:])


def max_pool(x: Any, at: Any) -> Any:
    if x.shape[-1] < _LANES or not suits((x, x.shape)):
        return None
    out = np.empty((len(x), *at.out, x.shape[-1]), np.float32)
    arrays = (_by_row(np.ascontiguousarray(x)), *_pooled_rows(at), _by_row(out))
    run(kernels.max_pool, arrays, len(x), out.size * prod(at.window), portion=1)
    return out


def max_pool_scatter(g: Any, x: Any, y: Any, at: Any) -> Any:
    """Each g, added to where its window of x has its first maximum, which is y."""
    if x.shape[-1] < _LANES or not suits((g, y.shape), (x, x.shape), (y, y.shape)):
        return None
    out = np.zeros(x.shape, np.float32)
    g, x, y = (_by_row(np.ascontiguousarray(z)) for z in (g, x, y))
    arrays = (g, x, y, *_pooled_rows(at), _by_row(out))
    run(kernels.max_pool_scatter, arrays, len(x), 4 * y.size * prod(at.window), portion=1)
    return out
