"""Padding with a mirror image of the array's own edges.

Along every axis padding is a linear map that copies elements; ``mirror_pad`` gathers by an index, and its
transpose ``mirror_unpad`` folds the copies back and adds them up.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import first_and_likes, refusal
from gradtape._src.ops.joining import matrix_shape


@lru_cache(1024)
def _source(n: int, before: int, after: int, reflect: bool) -> np.ndarray:
    """From which element each of the padded axis is copied. ``reflect``: the edge itself is not repeated."""
    at = np.arange(-before, n + after)
    edge = 0 if reflect else 1
    at = np.where(at < 0, -at - edge, at)
    source = np.where(at >= n, 2 * n - 2 + edge - at, at)
    source.setflags(write=False)
    return source


def _mirror_pad_shape(x: Any, paddings: Any, mode: str) -> Shape:
    dims: Any = shape_of(x)
    if not isinstance(paddings, (tuple, list, np.ndarray)):
        return None if dims is None else (None,) * len(dims)
    shape = matrix_shape(paddings)
    if len(shape) != 2 or shape[1] != 2:
        raise ValueError(f"paddings must be a matrix with 2 columns: {in_brackets(shape)}")
    if dims is None:
        return (None,) * shape[0]
    if shape[0] != len(dims):
        raise ValueError(
            "The first dimension of paddings must be the rank of inputs"
            f"{in_brackets(shape)}, {in_brackets(dims)}"
        )
    out = []
    for n, (before, after) in zip(dims, np.asarray(paddings).tolist()):
        if before < 0 or after < 0:
            raise ValueError(f"paddings must be non-negative: {before} {after}")
        if n is not None:
            seen = f"{before}, {after}"
            if mode == "REFLECT" and max(before, after) >= n and (before or after):
                raise ValueError(f"paddings must be less than the dimension size: {seen} not less than {n}")
            if max(before, after) > n:
                raise ValueError(
                    f"paddings must be no greater than the dimension size: {seen} greater than {n}"
                )
        out.append(None if n is None else n + before + after)
    return tuple(out)


def _mirror_pad(x: Any, paddings: Any, mode: str) -> Any:
    try:
        _mirror_pad_shape(x, paddings, mode)
    except ValueError:
        raise refusal("MirrorPad", _mirror_pad_shape, x, paddings, mode) from None
    for axis, (before, after) in enumerate(np.asarray(paddings).tolist()):
        if before or after:
            x = np.take(x, _source(x.shape[axis], before, after, mode == "REFLECT"), axis)
    return x


def _mirror_unpad(g: Any, paddings: Any, like: Any, mode: str) -> Any:
    for axis, (before, after) in enumerate(np.asarray(paddings).tolist()):
        if not (before or after):
            continue
        n = like.shape[axis]
        gap = 1 if mode == "REFLECT" else 0
        g = np.moveaxis(g, axis, 0)
        core = g[before : before + n].copy()
        if before:
            core[gap : gap + before] += g[before - 1 :: -1]
        if after:
            core[n - gap - after : n - gap] += g[: before + n - 1 : -1]
        g = np.moveaxis(core, 0, axis)
    return g


def _batched(op: Any, n: int, xs: Any, batched: Any, mode: str) -> Any:
    x, paddings, *like = xs
    if batched[1] or not isinstance(paddings, (tuple, np.ndarray)):
        return NotImplemented
    has = [batched[0], *batched[2:]]
    x, *like = first_and_likes(n, [x, *like], has)
    return op(x, ((0, 0), *map(tuple, np.asarray(paddings).tolist())), *like, mode=mode)


mirror_pad = Op(
    "MirrorPad",
    _mirror_pad,
    vjp=(lambda g, y, x, paddings, mode: mirror_unpad(g, paddings, x, mode=mode), None),
    reads="paddings",
    linear=(0,),
    batch=lambda n, xs, batched, mode: _batched(mirror_pad, n, xs, batched, mode),
    shape=_mirror_pad_shape,
)
"""``mode``: "REFLECT" (the edge is not repeated) or "SYMMETRIC" (it is)."""

mirror_unpad = Op(
    "MirrorPadGrad",
    _mirror_unpad,
    vjp=(lambda h, y, g, paddings, like, mode: mirror_pad(h, paddings, mode=mode), None, None),
    reads="paddings",
    linear=(0,),
    batch=lambda n, xs, batched, mode: _batched(mirror_unpad, n, xs, batched, mode),
    shape=lambda g, paddings, like, mode: shape_of(like),
)
