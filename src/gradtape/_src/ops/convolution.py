"""Convolution of channels-last arrays, in any number of spatial dimensions, grouped or not.

An array is (batch, *space, channels), a filter (*window, channels / groups, filters). A convolution is one
matrix product: the windows side by side, (batch * out, window * channels), times the filter. It is linear in
both, so with its two transposes (the cotangents of the array and of the filter) it forms a trio in which the
rules of each are the other two; hence every order of derivative. What is large goes through the product in
parts that fit the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.native import windows as native
from gradtape._src.ops.arithmetic import FLOAT, bilinear
from gradtape._src.ops.arrays import lead, reshape, static
from gradtape._src.ops.products import ONE_THREAD
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.windows import (
    Windows,
    cut,
    folded,
    one_like,
    pad,
    refuse,
    view,
    window_counts,
    windows,
)

_PART = 1 << 20  # elements of the windows laid side by side: what is multiplied at once
_NARROW = 16  # elements: shorter runs are copied one offset at a time, along the rows of the array

# --- Kernels ------------------------------------------------------------------------------------------------


@lru_cache(1024)
def _layout(x: tuple[int, ...], w: tuple[int, ...], strides: Any, padding: Any, dilations: Any) -> Any:
    """The windows and the number of groups, from the shapes of the array and the filter."""
    space, window = x[1:-1], w[:-2]
    if len(space) != len(window):
        raise ValueError(
            f"convolution input must be {len(window) + 2}-dimensional: {in_brackets(x)}, "
            f"for a filter {in_brackets(w)}"
        )
    if w[-2] == 0:
        raise ValueError(f"filter depth must be stricly positive, got {w[-2]}")
    if 0 in window:
        raise ValueError("filter must not have zero elements (i.e. all dimensions must be non-zero)")
    return windows(space, window, strides, padding, dilations), _groups(x[-1], w)


def _groups(channels: int | None, w: Any) -> int:
    """How many groups of channels a filter works on; ValueError if it does not fit."""
    depth, filters = w[-2:]
    if channels is None or depth is None:
        return 1
    if depth == 0 or channels % depth:
        raise ValueError(f"input depth must be evenly divisible by filter depth: {channels} vs {depth}")
    groups = channels // depth
    if groups and filters is not None and filters % groups:
        raise ValueError(f"output depth must be evenly divisible by number of groups: {filters} vs {groups}")
    return groups


def _parts(n: int, each: int) -> Iterator[slice]:
    """The batch in parts of _PART elements at most, if one has ``each``."""
    step = max(1, _PART // max(each, 1))
    return (slice(i, min(i + step, n)) for i in range(0, n, step))


def _side_by_side(padded: Any, w: Windows, groups: int) -> Any:
    """The windows as the rows of a matrix, or of one matrix a group."""
    rank, window, channels = len(w.size), prod(w.window), padded.shape[-1]
    rows = padded.shape[0] * prod(w.out)
    if groups == 1:
        all_ = view(padded, w)
        if channels * w.window[-1] < _NARROW:
            axes = (*range(rank + 1, 2 * rank + 2), *range(rank + 1))
            return np.ascontiguousarray(all_.transpose(axes)).reshape(window * channels, rows).T
        return all_.reshape(rows, window * channels)
    depth = channels // groups
    all_ = view(padded.reshape(*padded.shape[:-1], groups, depth), w)
    return np.moveaxis(all_, -2, 0).reshape(groups, rows, window * depth)


def _matrix(w: Any, groups: int) -> Any:
    """The filter as a matrix, or as one a group, that the windows are multiplied with."""
    if groups == 1:
        return w.reshape(prod(w.shape[:-1]), w.shape[-1])
    return w.reshape(prod(w.shape[:-1]), groups, w.shape[-1] // groups).swapaxes(0, 1)


def _by_group(g: Any, groups: int) -> Any:
    """(..., filters) as a matrix, or as one a group."""
    if groups == 1:
        return g.reshape(prod(g.shape[:-1]), g.shape[-1])
    return np.moveaxis(g.reshape(prod(g.shape[:-1]), groups, g.shape[-1] // groups), 1, 0)


def _convolve(x: Any, w: Any, at: Windows, groups: int) -> Any:
    done = native.convolution(x, w, at)
    if done is not None:
        return done
    padded = pad(x, at)
    if groups > 1 and w.shape[-2] == 1:
        return _convolve_depthwise(padded, w, at)
    matrix = _matrix(w, groups)
    y = np.empty((x.shape[0], *at.out, w.shape[-1]), x.dtype)
    for part in _parts(x.shape[0], prod(at.out) * prod(at.window) * x.shape[-1]):
        rows = _side_by_side(padded[part], at, groups)
        if groups == 1:
            blocks = _blocks(rows, w.shape[-1], padded[part].shape[0])
            np.matmul(blocks, matrix, out=y[part].reshape(*blocks.shape[:-1], w.shape[-1]))
        else:
            y[part] = np.moveaxis(rows @ matrix, 0, 1).reshape(y[part].shape)
    return y


def _blocks(rows: Any, filters: int, n: int) -> Any:
    """The rows of n images as blocks that are multiplied one by one.

    A product of a few milliseconds can take several times as long in two threads, if one has to wait for a
    processor. So each product is made small enough for one thread, if an image allows that.
    """
    each = rows.size * filters // max(n, 1)
    if not 0 < each <= ONE_THREAD or n == 1:
        return rows[None]
    together = next(k for k in range(min(n, ONE_THREAD // each), 0, -1) if n % k == 0)
    return rows.reshape(n // together, len(rows) // n * together, rows.shape[-1])


def _filter_cotangent(x: Any, g: Any, shape: tuple[int, ...], at: Windows, groups: int) -> Any:
    done = native.filter_cotangent(x, g, shape, at)
    if done is not None:
        return done
    padded = pad(x, at)
    if groups > 1 and shape[-2] == 1:
        return _filter_cotangent_depthwise(padded, g, shape, at)
    total: Any = 0
    for part in _parts(x.shape[0], prod(at.out) * prod(at.window) * x.shape[-1]):
        rows = _side_by_side(padded[part], at, groups)
        if groups == 1:
            blocks = _blocks(rows, shape[-1], padded[part].shape[0])
            columns = g[part].reshape(*blocks.shape[:-1], shape[-1])
            total = total + np.add.reduce(blocks.swapaxes(-1, -2) @ columns, axis=0)
        else:
            total = total + rows.swapaxes(-1, -2) @ _by_group(g[part], groups)
    if x.shape[0] == 0:
        return np.zeros(shape, x.dtype)
    return total.reshape(shape) if groups == 1 else np.moveaxis(total, 0, 1).reshape(shape)


def _input_cotangent(w: Any, g: Any, channels: int, at: Windows, groups: int) -> Any:
    if groups > 1 and w.shape[-2] == 1:
        return _input_cotangent_depthwise(w, g, channels, at)
    if groups == 1 and g.shape[-1] <= 2 * channels and max(at.strides) == 1:
        mirrored = _mirror(at)
        if mirrored is not None:
            back = w[(*[slice(None, None, -1)] * len(at.window), ...)].swapaxes(-1, -2)
            return _convolve(g, back, mirrored, 1)
    if groups == 1 and channels * at.window[-1] < _NARROW:
        return _scatter_narrow(w, g, channels, at)
    padded = np.zeros((g.shape[0], *at.padded, channels), g.dtype)
    depth, rows = w.shape[-2], _by_group(g, groups)
    taps = w.reshape(prod(at.window), depth, w.shape[-1])
    for tap, where in zip(taps, at.slices()):
        product = rows @ _matrix(tap, groups).swapaxes(-1, -2)
        if groups > 1:
            product = np.moveaxis(product, 0, 1)
        padded[(slice(None), *where)] += product.reshape(*g.shape[:-1], channels)
    return cut(padded, at)


def _mirror(at: Windows) -> Windows | None:
    """The windows of the transposed convolution (of strides 1), if their margins are not negative."""
    extents = [(k - 1) * d for k, d in zip(at.window, at.dilations)]
    pads = tuple(
        [
            (extent - before, n + before - out)
            for extent, n, out, (before, _) in zip(extents, at.size, at.out, at.pads)
        ]
    )
    if min(map(min, pads)) < 0:
        return None
    return windows(at.out, at.window, at.strides, pads, at.dilations)


def _scatter_narrow(w: Any, g: Any, channels: int, at: Windows) -> Any:
    """For few channels: they are kept in front, where the rows of the array are contiguous."""
    padded = np.zeros((channels, g.shape[0], *at.padded), g.dtype)
    taps = w.reshape(prod(at.window), channels, w.shape[-1])
    columns = np.ascontiguousarray(_by_group(g, 1).T)
    for tap, where in zip(taps, at.slices()):
        padded[(slice(None), slice(None), *where)] += (tap @ columns).reshape(channels, *g.shape[:-1])
    return np.moveaxis(cut(padded, at, lead=2), 0, -1)


# One channel a group: products of single numbers, so that it is done elementwise, one tap of the filter at a
# time.


def _convolve_depthwise(padded: Any, w: Any, at: Windows) -> Any:
    channels = padded.shape[-1]
    each = w.shape[-1] // channels
    taps, wide = w.reshape(prod(at.window), channels, each), padded[..., None]
    y = np.zeros((padded.shape[0], *at.out, channels, each), padded.dtype)
    for tap, where in zip(taps, at.slices()):
        y += wide[(slice(None), *where)] * tap
    return y.reshape(*y.shape[:-2], channels * each)


def _filter_cotangent_depthwise(padded: Any, g: Any, shape: tuple[int, ...], at: Windows) -> Any:
    channels = padded.shape[-1]
    g, wide = g.reshape(*g.shape[:-1], channels, shape[-1] // channels), padded[..., None]
    axes = tuple(range(g.ndim - 2))
    found = [np.add.reduce(wide[(slice(None), *where)] * g, axis=axes) for where in at.slices()]
    return np.stack(found).reshape(shape)


def _input_cotangent_depthwise(w: Any, g: Any, channels: int, at: Windows) -> Any:
    each = w.shape[-1] // channels
    taps, g = w.reshape(prod(at.window), channels, each), g.reshape(*g.shape[:-1], channels, each)
    padded = np.zeros((g.shape[0], *at.padded, channels), g.dtype)
    for tap, where in zip(taps, at.slices()):
        product = g * tap
        padded[(slice(None), *where)] += (
            product[..., 0] if product.shape[-1] == 1 else np.add.reduce(product, axis=-1)
        )
    return cut(padded, at)


# --- The trio: kernels --------------------------------------------------------------------------------------


def _kernels(name: str) -> tuple[Any, Any, Any]:
    """The kernels of a convolution and its two transposes, with errors that name the operation."""

    def layout(op: str, x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
        try:
            return _layout(x, w, strides, padding, dilations)
        except ValueError as error:
            raise refuse(op, error) from None

    def forward(x: Any, w: Any, **sliding: Any) -> Any:
        at, groups = layout(name, x.shape, w.shape, **sliding)
        return _once_rounded(_convolve, x, w, at, groups)

    def to_input(w: Any, g: Any, like: Any, **sliding: Any) -> Any:
        at, groups = layout(f"{name}BackpropInput", like.shape, w.shape, **sliding)
        _check_cotangent(f"{name}BackpropInput", like.shape, w.shape, g.shape, at)
        return _once_rounded(_input_cotangent, w, g, like.shape[-1], at, groups)

    def to_filter(x: Any, g: Any, like: Any, **sliding: Any) -> Any:
        at, groups = layout(f"{name}BackpropFilter", x.shape, like.shape, **sliding)
        _check_cotangent(f"{name}BackpropFilter", x.shape, like.shape, g.shape, at)
        return _once_rounded(_filter_cotangent, x, g, like.shape, at, groups)

    return forward, to_input, to_filter


def _once_rounded(kernel: Any, a: Any, b: Any, *rest: Any) -> Any:
    """Half precision is computed in float32."""
    if a.dtype.itemsize == 2:
        return kernel(a.astype(np.float32), b.astype(np.float32), *rest).astype(a.dtype)
    return kernel(a, b, *rest)


def _check_cotangent(op: str, x: Any, w: Any, g: Any, at: Windows) -> None:
    if g[-1] != w[-1]:
        raise InvalidArgumentError.of(
            f"{op}: filter and out_backprop must have the same out_depth: {in_brackets(w)} and "
            f"{in_brackets(g)} [Op:{op}]"
        )
    for i, (actual, computed) in enumerate(zip(g[1:-1], at.out)):
        if actual != computed:
            raise InvalidArgumentError.of(
                f"{op}: Size of out_backprop doesn't match computed: actual = {actual}, computed = {computed} "
                f"spatial_dim: {i + 1} input: {at.size[i]} filter: {at.window[i]} output: {actual} "
                f"stride: {at.strides[i]} dilation: {at.dilations[i]} [Op:{op}]"
            )


# --- The trio: batches --------------------------------------------------------------------------------------
# A batch of filters is a convolution with as many times the filters, or the groups.


def as_channels(x: Any, n: int) -> Any:
    """(n, ..., c) as (..., n * c)."""
    dims = shape_of(x)
    perm = (*range(1, len(dims) - 1), 0, len(dims) - 1)
    return reshape(transpose(x, perm), (*dims[1:-1], n * dims[-1]))


def from_channels(y: Any, n: int, before_last: bool = False) -> Any:
    """(..., n * c) as (n, ..., c), or (..., n * c, f) as (n, ..., c, f)."""
    dims = shape_of(y)
    at = len(dims) - (2 if before_last else 1)
    y = reshape(y, (*dims[:at], n, dims[at] // n, *dims[at + 1 :]))
    return transpose(y, (at, *range(at), *range(at + 1, len(dims) + 1)))


def _widened(like: Any, axis: int, n: int) -> Ghost:
    dims = list(shape_of(like))  # type: ignore[arg-type]
    dims[axis] *= n
    return Ghost(tuple(dims), dtype_of(like))


def _unknown(*xs: Any) -> bool:
    return any(None in shape_of(x) for x in xs)  # type: ignore[operator]


def _batches(trio: Any) -> tuple[Any, Any, Any]:
    """The batch rules of the three operations that ``trio()`` gives."""

    def forward(n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
        conv, (x, w), (x_has, w_has) = trio()[0], xs, batched
        if not w_has:
            return folded(conv, n, x, w, **sliding)
        if _unknown(x, w):
            return NotImplemented
        grouped = x_has or shape_of(x)[-1] != shape_of(w)[-2]
        if grouped:
            x = as_channels(x if x_has else lead(x, n=n), n)
        return from_channels(conv(x, as_channels(w, n), **sliding), n)

    def to_input(n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
        op, (w, g, like), (w_has, g_has, like_has) = trio()[1], xs, batched
        like = one_like(like, like_has)
        if not w_has:
            return folded(lambda merged: op(w, merged, like, **sliding), n, g if g_has else lead(g, n=n))
        if _unknown(w, g, like):
            return NotImplemented
        g = as_channels(g if g_has else lead(g, n=n), n)
        return from_channels(op(as_channels(w, n), g, _widened(like, -1, n), **sliding), n)

    def to_filter(n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
        op, (x, g, like), (x_has, g_has, like_has) = trio()[2], xs, batched
        like = one_like(like, like_has)
        if _unknown(x, g, like):
            return NotImplemented
        if shape_of(like)[-2] == shape_of(x)[-1]:  # one group: what is the same for all stays as it is
            if not g_has and x_has:
                x = as_channels(x, n)
                return from_channels(op(x, g, _widened(like, -2, n), **sliding), n, before_last=True)
            if not x_has and g_has:
                return from_channels(op(x, as_channels(g, n), _widened(like, -1, n), **sliding), n)
        x, g = (as_channels(a if has else lead(a, n=n), n) for a, has in ((x, x_has), (g, g_has)))
        return from_channels(op(x, g, _widened(like, -1, n), **sliding), n)

    return forward, to_input, to_filter


# --- The trio: records --------------------------------------------------------------------------------------


def _shape(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    x, w = shape_of(x), shape_of(w)
    if x is None or w is None:
        rank = len(strides)
        return (None if x is None else x[0], *(None,) * rank, None if w is None else w[-1])
    if None not in x and None not in w:
        _layout(x, w, strides, padding, dilations)
    _groups(x[-1], w)
    return (x[0], *window_counts(x[1:-1], w[:-2], strides, padding, dilations), w[-1])


def _shape_of_input(w: Any, g: Any, like: Any, **sliding: Any) -> Any:
    like, g = shape_of(like), shape_of(g)
    return like if like is None else (None if g is None else g[0], *like[1:])


def _convolution(name: str, accepts: str) -> tuple[Op, Op, Op, Op]:
    """A convolution, its transposes, and the one of them that takes sizes."""
    kernels = _kernels(name)
    batches = _batches(lambda: (conv, to_input, to_filter))
    conv = bilinear(
        name,
        kernels[0],
        vjp=(
            lambda g, y, x, w, **sliding: to_input(w, g, x, **sliding),
            lambda g, y, x, w, **sliding: to_filter(x, g, w, **sliding),
        ),
        reads=("w", "x"),
        batch=batches[0],
        shape=_shape,
        accepts=accepts,
        same_dtype=True,
    )
    to_input = bilinear(
        f"{name}BackpropInput",
        kernels[1],
        vjp=(
            lambda h, y, w, g, like, **sliding: to_filter(h, g, w, **sliding),
            lambda h, y, w, g, like, **sliding: conv(h, w, **sliding),
            None,
        ),
        reads=("g", "w", ""),
        batch=batches[1],
        shape=_shape_of_input,
        accepts=accepts,
        same_dtype=True,
    )
    to_filter = bilinear(
        f"{name}BackpropFilter",
        kernels[2],
        vjp=(
            lambda h, y, x, g, like, **sliding: to_input(h, g, x, **sliding),
            lambda h, y, x, g, like, **sliding: conv(x, h, **sliding),
            None,
        ),
        reads=("g", "x", ""),
        batch=batches[2],
        shape=lambda x, g, like, **sliding: shape_of(like),
        accepts=accepts,
        same_dtype=True,
    )
    return conv, to_input, to_filter, _transposed(name, kernels[1], conv, to_filter, accepts)


def _transposed(name: str, kernel: Any, conv: Op, to_filter: Op, accepts: str) -> Op:
    """The transpose for a shape that is a value: a tuple of ints, or an integer tensor."""

    def checked(w: Any, g: Any, sizes: Any, **sliding: Any) -> Any:
        op = f"{name}BackpropInput"
        if g.dtype != w.dtype:
            raise InvalidArgumentError.of(
                f"cannot compute {op} as input #2(zero-based) was expected to be a {w.dtype} tensor but is a "
                f"{g.dtype} tensor [Op:{op}]"
            )
        sizes = tuple(np.asarray(sizes).tolist())
        if len(sizes) != w.ndim or g.ndim != w.ndim:
            raise InvalidArgumentError.of(
                f"input_sizes must be {w.ndim}-dimensional, got: {len(sizes)}, for a filter "
                f"{in_brackets(w.shape)} and an input {in_brackets(g.shape)} [Op:{op}]"
            )
        if min(sizes) < 0:
            raise InvalidArgumentError.of(f"Dimension {min(sizes)} must be >= 0 [Op:{op}]")
        if sizes[0] != g.shape[0]:
            raise InvalidArgumentError.of(
                f"{op}: input and out_backprop must have the same batch size. Input batch: {sizes[0]}, "
                f"outbackprop batch: {g.shape[0]}, batch_dim: 0 [Op:{op}]"
            )
        return kernel(w, g, Ghost(sizes, g.dtype), **sliding)

    def shape(w: Any, g: Any, sizes: Any, **sliding: Any) -> Any:
        known = static(sizes) or (None,) * (len(sliding["strides"]) + 2)
        w, g = shape_of(w), shape_of(g)
        first = g[0] if known[0] is None and g is not None else known[0]
        return (first, *known[1:])

    def batch(n: int, xs: Any, batched: Any, **sliding: Any) -> Any:
        w, g, sizes = xs
        if batched[0] or batched[2] or not isinstance(sizes, tuple) or shape_of(g)[1] is None:
            return NotImplemented
        size = shape_of(g)[1]
        y = op(w, reshape(g, (n * size, *shape_of(g)[2:])), (n * sizes[0], *sizes[1:]), **sliding)
        return reshape(y, (n, size, *shape_of(y)[1:]))

    op = bilinear(
        f"{name}Transpose",
        checked,
        vjp=(
            lambda h, y, w, g, sizes, **sliding: to_filter(h, g, w, **sliding),
            lambda h, y, w, g, sizes, **sliding: conv(h, w, **sliding),
            None,
        ),
        reads=("g", "w", ""),
        batch=batch,
        shape=shape,
        accepts=accepts,
    )
    return op


conv2d, conv2d_to_input, conv2d_to_filter, conv2d_transpose = _convolution(
    "Conv2D", "float16 bfloat16 float32 float64 int32"
)
conv3d, conv3d_to_input, conv3d_to_filter, conv3d_transpose = _convolution("Conv3D", FLOAT)
