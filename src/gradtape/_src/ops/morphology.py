"""Grayscale dilation: convolution in which sums are maxima and products are sums.

    y[b, i, c] = max over taps j of  x[b, s i + d j - margin, c] + w[j, c]

The cotangent goes to the first of the largest, for the array and for the filter. As in pooling, what routes
it there and what picks what it would reach are each other's transposes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import FLOAT, INT, constant
from gradtape._src.ops.arrays import with_axis
from gradtape._src.ops.convolution import as_channels, from_channels
from gradtape._src.ops.reduction import farthest
from gradtape._src.ops.windows import Windows, cut, folded, pad, refuse, window_counts, windows


def _at(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Windows:
    try:
        if x.ndim != w.ndim + 1:
            raise ValueError(f"input must be {w.ndim + 1}-dimensional{in_brackets(x.shape)}")
        if x.shape[-1] != w.shape[-1]:
            raise ValueError(f"input and filter must have the same depth: {x.shape[-1]} vs {w.shape[-1]}")
        return windows(x.shape[1:-1], w.shape[:-1], strides, padding, dilations)
    except ValueError as error:
        raise refuse("Dilation2D", error) from None


def _sums(x: Any, w: Any, at: Windows) -> Iterator[tuple[Any, Any]]:
    """For each tap: where the windows have it, and what it adds up to there."""
    padded = pad(x, at, farthest(x.dtype, up=False))
    for tap, where in zip(w.reshape(-1, w.shape[-1]), at.slices()):
        part = padded[(slice(None), *where)]
        if x.dtype.kind in "iu":  # margins must not wrap around
            margin = part == farthest(x.dtype, up=False)
            yield where, np.where(margin, part, part + tap)
        else:
            yield where, part + tap


def _dilation(x: Any, w: Any, **sliding: Any) -> Any:
    at = _at(x, w, **sliding)
    y: Any = None
    for _, total in _sums(x, w, at):
        y = total if y is None else np.maximum(y, total, out=y)
    return y


def _firsts(x: Any, w: Any, y: Any, at: Windows) -> Iterator[tuple[Any, Any]]:
    """For each tap: where the windows have it, and in which of them it is the first maximum."""
    waiting = np.ones(y.shape, bool)
    for where, total in _sums(x, w, at):
        hit = (total == y) & waiting
        waiting ^= hit
        yield where, hit


def _chosen(g: Any, hit: Any) -> Any:
    return np.where(hit, g, constant(0, g.dtype))


def _to_input(g: Any, x: Any, w: Any, y: Any, **sliding: Any) -> Any:
    at = _at(x, w, **sliding)
    out = np.zeros((x.shape[0], *at.padded, x.shape[-1]), g.dtype)
    for where, hit in _firsts(x, w, y, at):
        out[(slice(None), *where)] += _chosen(g, hit)
    return cut(out, at)


def _to_filter(g: Any, x: Any, w: Any, y: Any, **sliding: Any) -> Any:
    at = _at(x, w, **sliding)
    axes = tuple(range(g.ndim - 1))
    found = [np.add.reduce(_chosen(g, hit), axis=axes) for _, hit in _firsts(x, w, y, at)]
    return np.array(found, g.dtype).reshape(w.shape)


def _pick_input(v: Any, x: Any, w: Any, y: Any, **sliding: Any) -> Any:
    at = _at(x, w, **sliding)
    padded, out = pad(v, at), np.zeros(y.shape, v.dtype)
    for where, hit in _firsts(x, w, y, at):
        out += _chosen(padded[(slice(None), *where)], hit)
    return out


def _pick_filter(v: Any, x: Any, w: Any, y: Any, **sliding: Any) -> Any:
    at = _at(x, w, **sliding)
    out = np.zeros(y.shape, v.dtype)
    for tap, (_, hit) in zip(v.reshape(-1, v.shape[-1]), _firsts(x, w, y, at)):
        out += _chosen(tap, hit)
    return out


def _shape(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    x, w = shape_of(x), shape_of(w)
    if x is None or w is None:
        return (None if x is None else x[0],) + (None,) * (len(strides) + 1)
    return (x[0], *window_counts(x[1:-1], w[:-1], strides, padding, dilations), x[-1])


def _jvp(ts: Any, y: Any, x: Any, w: Any, **sliding: Any) -> Any:
    if ts[1] is None:
        return dilation_pick_input(ts[0], x, w, y, **sliding)
    of_filter = dilation_pick_filter(ts[1], x, w, y, **sliding)
    return of_filter if ts[0] is None else dilation_pick_input(ts[0], x, w, y, **sliding) + of_filter


def _by_channel(op: Any, n: int, xs: Any, batched: Any, sliding: Any) -> Any:
    """n times as one, with n times as many channels, which do not meet."""
    if any(shape_of(x) is None or None in shape_of(x) for x in xs):
        return NotImplemented
    return from_channels(op(*[as_channels(x, n) for x in with_axis(n, xs, batched)], **sliding), n)


dilation = Op(
    "Dilation2D",
    _dilation,
    vjp=(
        lambda g, y, x, w, **sliding: dilation_to_input(g, x, w, y, **sliding),
        lambda g, y, x, w, **sliding: dilation_to_filter(g, x, w, y, **sliding),
    ),
    reads="x w y",
    jvp=_jvp,
    batch=lambda n, xs, batched, **sliding: (
        _by_channel(dilation, n, xs, batched, sliding)
        if batched[1]
        else folded(dilation, n, xs[0], xs[1], **sliding)
    ),
    shape=_shape,
    accepts=f"{FLOAT} {INT}",
    same_dtype=True,
)


def _routed(name: str, kernel: Any, other: Any, shape: Any) -> Op:
    op = Op(
        name,
        kernel,
        batch=lambda n, xs, batched, **sliding: _by_channel(op, n, xs, batched, sliding),
        vjp=(lambda h, z, g, x, w, y, **sliding: other()(h, x, w, y, **sliding), None, None, None),
        reads=("x w y", "", "", ""),
        vanishing=(1, 2, 3),
        linear=(0,),
        shape=lambda g, x, w, y, **sliding: shape_of(shape(x, w, y)),
        accepts=FLOAT,
    )
    return op


dilation_to_input = _routed(
    "Dilation2DBackpropInput",
    _to_input,
    lambda: dilation_pick_input,
    lambda x, w, y: x,
)
dilation_to_filter = _routed(
    "Dilation2DBackpropFilter", _to_filter, lambda: dilation_pick_filter, lambda x, w, y: w
)
dilation_pick_input = _routed(
    "Dilation2DPickInput",
    _pick_input,
    lambda: dilation_to_input,
    lambda x, w, y: y,
)
dilation_pick_filter = _routed(
    "Dilation2DPickFilter", _pick_filter, lambda: dilation_to_filter, lambda x, w, y: y
)
