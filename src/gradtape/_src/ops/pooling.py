"""Pooling of channels-last arrays, in any number of spatial dimensions, and image patches.

A pool visits its window one element at a time, each time for all windows at once: no window is copied. The
cotangent of a maximum goes to the first of the largest, in row-major order, and what routes it
(``max_pool_scatter``) and what picks what it would reach (``max_pool_pick``) are each other's transposes.
Averages and patches are linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.native import windows as native
from gradtape._src.ops.arithmetic import FLOAT, INT, NUMBER, constant
from gradtape._src.ops.arrays import lead, with_axis
from gradtape._src.ops.reduction import farthest
from gradtape._src.ops.reordering import merge_first, split_first
from gradtape._src.ops.windows import (
    Windows,
    counts,
    cut,
    folded,
    one_like,
    pad,
    refuse,
    view,
    window_counts,
    windows,
)

# --- Where, and how many ------------------------------------------------------------------------------------


def _at(op: str, shape: Any, ksize: Any, strides: Any, padding: Any, dilations: Any) -> Windows:
    try:
        return windows(shape[1:-1], ksize, strides, padding, dilations)
    except ValueError as error:
        raise refuse(op, error) from None


def _pooled_shape(x: Any, ksize: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    shape = shape_of(x)
    if shape is None:
        return (None,) * (len(ksize) + 2)
    return (shape[0], *window_counts(shape[1:-1], ksize, strides, padding, dilations), shape[-1])


def _shape_of_like(g: Any, like: Any, **sliding: Any) -> Any:
    g, like = shape_of(g), shape_of(like)
    return like if like is None or g is None else (*g[: len(g) - len(like) + 1], *like[1:])


def _wide(x: Any) -> Any:
    """Half precision in float32: for sums."""
    return x.astype(np.float32) if x.dtype.kind not in "iu" and x.dtype.itemsize == 2 else x


# --- Maximum ------------------------------------------------------------------------------------------------


def _max_pool(name: str) -> Any:
    def kernel(x: Any, **sliding: Any) -> Any:
        at = _at(name, x.shape, **sliding)
        done = native.max_pool(x, at)
        if done is not None:
            return done
        padded = pad(x, at, farthest(x.dtype, up=False))
        first, *others = [padded[(slice(None), *where)] for where in at.slices()]
        y = np.array(first, order="C")
        for part in others:
            np.maximum(y, part, out=y)
        return y

    return kernel


def _winners(x: Any, y: Any, at: Windows) -> Iterator[tuple[Any, Any]]:
    """For each element of a window: where the windows have it, and in which of them it is the first maximum."""
    floats = x.dtype.kind not in "iu"
    padded = pad(x, at, np.nan if floats else farthest(x.dtype, up=False))  # margins win nothing
    waiting = None
    for where in at.slices():
        part = padded[(slice(None), *where)]
        hit = part == y
        if waiting is None:
            waiting = ~hit
        else:
            hit &= waiting
            waiting ^= hit
        yield where, hit
    if floats and waiting is not None and waiting.any():  # windows with a NaN: no element equals it
        bad = pad(np.isnan(x), at, False)
        for where in at.slices():
            hit = bad[(slice(None), *where)] & waiting
            waiting ^= hit
            yield where, hit


def _scatter(times: Any) -> Any:
    def kernel(g: Any, x: Any, y: Any, **sliding: Any) -> Any:
        at = _at("MaxPoolGrad", x.shape, **sliding)
        done = native.max_pool_scatter(g, x, y, at)
        if done is not None:
            return done
        ahead = g.ndim - y.ndim
        shape = (*g.shape[: ahead + 1], *at.padded, x.shape[-1])
        out = np.empty(shape, g.dtype) if at.tiles else np.zeros(shape, g.dtype)
        for i, (where, hit) in enumerate(_winners(x, y, at)):
            place = out[(..., *where, slice(None))]
            if at.apart and i < prod(at.window):  # the first time that anything comes here
                place[...] = times(g, hit)
            else:
                place += times(g, hit)
        return cut(out, at, lead=ahead + 1)

    return kernel


def _pick(times: Any) -> Any:
    def kernel(v: Any, x: Any, y: Any, **sliding: Any) -> Any:
        at = _at("MaxPoolGradGrad", x.shape, **sliding)
        lead_ = v.ndim - x.ndim + 1
        padded = v
        if any(map(any, at.pads)):
            padded = np.zeros((*v.shape[:lead_], *at.padded, v.shape[-1]), v.dtype)
            padded[(..., *at.interior(), slice(None))] = v
        out = np.zeros((*v.shape[: lead_ - 1], *y.shape), v.dtype)
        for where, hit in _winners(x, y, at):
            out += times(padded[(..., *where, slice(None))], hit)
        return out

    return kernel


def _masked(g: Any, hit: Any) -> Any:
    return np.where(hit, g, constant(0, g.dtype))


def _routed_batch(op: Op, n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
    """x and y may be the same for the whole batch: then the winners are looked for once."""
    g, x, y = xs
    if not (batched[1] or batched[2]):
        return op(g, x, y, **sliding)
    if any(shape_of(a)[has] is None for a, has in zip(xs, batched)):
        return NotImplemented
    size = shape_of(g)[batched[0]]
    return split_first(op(*map(merge_first, with_axis(n, xs, batched)), **sliding), n, size)


def _pick_shape(v: Any, x: Any, y: Any, **sliding: Any) -> Any:
    v, y = shape_of(v), shape_of(y)
    return y if v is None or y is None else (*v[: len(v) - len(y) + 1], *y[1:])


def _routed(name: str, kernel: Any, other: Any, shape: Any) -> Op:
    """The cotangent's way through a maximum, or back; multiplying by a mask is faster than choosing."""
    rules: dict[str, Any] = {
        "vjp": (lambda h, z, g, x, y, **sliding: other()(h, x, y, **sliding), None, None),
        "reads": ("x y", "", ""),
        "vanishing": (1, 2),
        "linear": (0,),
        "batch": lambda n, xs, batched, **sliding: _routed_batch(op, n, xs, batched, **sliding),
        "shape": shape,
        "accepts": FLOAT,
    }
    op = Op(name, kernel(np.multiply), absorbing=Op(name + "Absorbing", kernel(_masked), **rules), **rules)
    return op


max_pool_scatter = _routed(
    "MaxPoolGrad", _scatter, lambda: max_pool_pick, lambda g, x, y, **sliding: _shape_of_like(g, x)
)
"""Each element of g, added to where its window of x has its first maximum, which is y."""

max_pool_pick = _routed("MaxPoolGradGrad", _pick, lambda: max_pool_scatter, _pick_shape)
"""From each window of v, the element at the place of the first maximum of that window of x."""


def _maximum(name: str) -> Op:
    op = Op(
        name,
        _max_pool(name),
        vjp=lambda g, y, x, **sliding: max_pool_scatter(g, x, y, **sliding),
        reads="x y",
        jvp=lambda ts, y, x, **sliding: max_pool_pick(ts[0], x, y, **sliding),
        batch=lambda n, xs, batched, **sliding: folded(op, n, xs[0], **sliding),
        shape=_pooled_shape,
        accepts=f"{FLOAT} {INT}",
    )
    return op


max_pool, max_pool3d = _maximum("MaxPool"), _maximum("MaxPool3D")


def _first_places(x: Any, y: Any, dtype: str, include_batch: bool, **sliding: Any) -> Any:
    at = _at("MaxPoolWithArgmax", x.shape, **sliding)
    batch, *space, channels = x.shape
    index = np.arange(prod(x.shape), dtype=np.int64).reshape(x.shape)
    if not include_batch:
        index = np.broadcast_to(index[:1], x.shape)
    padded = pad(index, at)
    out = np.zeros(y.shape, np.int64)
    for where, hit in _winners(x, y, at):
        np.copyto(out, padded[(slice(None), *where)], where=hit)
    return out.astype(dtype, copy=False)


def _first_places_batch(n: int, xs: Any, batched: Any, **params: Any) -> Any:
    if params["include_batch"] or shape_of(xs[0])[batched[0]] is None:
        return NotImplemented
    size = shape_of(xs[0])[batched[0]]
    return split_first(first_places(*map(merge_first, with_axis(n, xs, batched)), **params), n, size)


first_places = Op(
    "MaxPoolArgmax",
    _first_places,
    batch=_first_places_batch,
    shape=lambda x, y, **params: shape_of(y),
    dtype=lambda x, y, dtype, **params: dtype,
    accepts=f"{FLOAT} {INT}",
)
"""Where each window of x has its first maximum, as a flat index into one array of the batch, or into x."""


# --- Average ------------------------------------------------------------------------------------------------


def _avg_pool(name: str) -> Any:
    def kernel(x: Any, **sliding: Any) -> Any:
        at = _at(name, x.shape, **sliding)
        padded = pad(_wide(x), at)
        first, *others = [padded[(slice(None), *where)] for where in at.slices()]
        y = np.array(first, order="C")
        for part in others:
            y += part
        y /= counts(at, y.dtype)
        return y.astype(x.dtype, copy=False)

    return kernel


def _avg_pool_back(name: str) -> Any:
    def kernel(g: Any, like: Any, **sliding: Any) -> Any:
        at = _at(name, like.shape, **sliding)
        share = _wide(g) / counts(at, _wide(g).dtype)
        out = np.zeros((g.shape[0], *at.padded, g.shape[-1]), share.dtype)
        for where in at.slices():
            out[(slice(None), *where)] += share
        return cut(out, at).astype(g.dtype, copy=False)

    return kernel


def _linear_pair(name: str, back_name: str, kernels: Any, shape: Any, accepts: str) -> tuple[Op, Op]:
    """A linear operation on windows and its transpose."""
    forward = Op(
        name,
        kernels[0],
        vjp=lambda g, y, x, **sliding: back(g, x, **sliding),
        reads="",
        linear=(0,),
        batch=lambda n, xs, batched, **sliding: folded(forward, n, xs[0], **sliding),
        shape=shape,
        accepts=accepts,
    )

    def back_batch(n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
        g = xs[0] if batched[0] else lead(xs[0], n=n)
        return folded(back, n, g, one_like(xs[1], batched[1]), **sliding)

    back = Op(
        back_name,
        kernels[1],
        vjp=(lambda h, y, g, like, **sliding: forward(h, **sliding), None),
        reads="",
        linear=(0,),
        batch=back_batch,
        shape=_shape_of_like,
        accepts=accepts,
    )
    return forward, back


avg_pool, avg_pool_back = _linear_pair(
    "AvgPool", "AvgPoolGrad", (_avg_pool("AvgPool"), _avg_pool_back("AvgPoolGrad")), _pooled_shape, FLOAT
)
avg_pool3d, avg_pool3d_back = _linear_pair(
    "AvgPool3D",
    "AvgPool3DGrad",
    (_avg_pool("AvgPool3D"), _avg_pool_back("AvgPool3DGrad")),
    _pooled_shape,
    FLOAT,
)


# --- Patches ------------------------------------------------------------------------------------------------


def _extract(x: Any, **sliding: Any) -> Any:
    at = _at("ExtractImagePatches", x.shape, **sliding)
    return view(pad(x, at), at).reshape(x.shape[0], *at.out, prod(at.window) * x.shape[-1])


def _put_back(g: Any, like: Any, **sliding: Any) -> Any:
    at = _at("ExtractImagePatchesGrad", like.shape, **sliding)
    channels = like.shape[-1]
    g = _wide(g).reshape(*g.shape[:-1], prod(at.window), channels)
    out = np.zeros((g.shape[0], *at.padded, channels), g.dtype)
    for i, where in enumerate(at.slices()):
        out[(slice(None), *where)] += g[..., i, :]
    return cut(out, at)


def _patches_shape(x: Any, ksize: Any, **sliding: Any) -> Any:
    *front, channels = _pooled_shape(x, ksize, **sliding)
    return (*front, None if channels is None else channels * prod(ksize))


extract_patches, patches_back = _linear_pair(
    "ExtractImagePatches",
    "ExtractImagePatchesGrad",
    (_extract, lambda g, like, **sliding: _put_back(g, like, **sliding).astype(g.dtype, copy=False)),
    _patches_shape,
    f"{NUMBER} bool",
)
"""The windows side by side: (batch, *out, window * channels)."""
