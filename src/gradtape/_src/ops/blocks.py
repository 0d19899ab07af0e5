"""Blocks of space moved to the batch dimension and back: how dilated convolutions are made of ordinary ones.

With the same blocks and margins ``space_to_batch`` and ``batch_to_space`` are each other's transpose.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import rank_of, refusal, zeros_array
from gradtape._src.ops.reordering import transpose


def _ints(value: Any) -> Any:
    """Metadata as Python integers, if its data is there."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value if isinstance(value, (tuple, list)) else None


def _checked(x: Any, block: Any, margins: Any, name: str) -> tuple[Any, Any, Any]:
    """Shape, blocks and margins (paddings or crops); None for what is not known."""
    dims, blocks, edges = shape_of(x), _ints(block), _ints(margins)
    block_shape, edge_shape = np.shape(block) if blocks is not None else shape_of(block), None
    if block_shape is not None and len(block_shape) != 1:
        raise ValueError(f"block_shape rank should be 1 instead of {len(block_shape)}")
    if blocks is not None:
        m = len(blocks)
        if dims is not None and len(dims) < m + 1:
            raise ValueError(f"input rank should be >= {m + 1} instead of {len(dims)}")
        for i, b in enumerate(blocks):
            if b < 1:
                raise ValueError(f"All values in block_shape must be positive, got value, {b} at index {i}.")
        if edges is not None:
            edge_shape = np.shape(margins) if len(margins) else (0, 2)
            if edge_shape != (m, 2):
                expected, found = in_brackets((m, 2)), in_brackets(edge_shape)
                raise ValueError(f"{name} should have shape {expected} instead of {found}")
            if any(e < 0 for row in edges for e in row):
                raise ValueError(f"{name.capitalize()} must be non-negative")
    return dims, blocks, edges


def _space_to_batch_shape(x: Any, block: Any, paddings: Any) -> Shape:
    dims, blocks, edges = _checked(x, block, paddings, "paddings")
    if dims is None or blocks is None:
        return None if dims is None else (None,) * len(dims)
    out = [None if dims[0] is None else dims[0] * prod(blocks)]
    for i, b in enumerate(blocks):
        n = dims[i + 1]
        if n is None or edges is None:
            out.append(None)
            continue
        n += sum(edges[i])
        if n % b:
            raise ValueError(f"padded_shape[{i}]={n} is not divisible by block_shape[{i}]={b}")
        out.append(n // b)
    return (*out, *dims[len(blocks) + 1 :])


def _space_to_batch(x: Any, block: Any, paddings: Any) -> Any:
    try:
        out: Any = _space_to_batch_shape(x, block, paddings)
    except ValueError:
        raise refusal("SpaceToBatchND", _space_to_batch_shape, x, block, paddings) from None
    blocks, edges, m = _ints(block), _ints(paddings), len(block)
    if any(map(any, edges)):
        space = [n + sum(pair) for n, pair in zip(x.shape[1:], edges)]
        padded = zeros_array((x.shape[0], *space, *x.shape[m + 1 :]), x.dtype)
        inside = [slice(before, before + x.shape[i + 1]) for i, (before, _) in enumerate(edges)]
        padded[(slice(None), *inside)] = x
        x = padded
    split = [k for i, b in enumerate(blocks) for k in (out[i + 1], b)]
    x = x.reshape(x.shape[0], *split, *x.shape[m + 1 :])
    rest = range(2 * m + 1, x.ndim)
    return x.transpose(*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m + 1, 2), *rest).reshape(out)


def _batch_to_space_shape(x: Any, block: Any, crops: Any) -> Shape:
    dims, blocks, edges = _checked(x, block, crops, "crops")
    if dims is None or blocks is None:
        return None if dims is None else (None,) * len(dims)
    product = prod(blocks)
    if dims[0] is not None and dims[0] % product:
        raise ValueError(
            f"Input batch dimension ({dims[0]}) is not divisible by product of block sizes ({product})"
        )
    out = [None if dims[0] is None else dims[0] // product]
    for i, b in enumerate(blocks):
        n = dims[i + 1]
        if n is None or edges is None:
            out.append(None)
            continue
        n = n * b - sum(edges[i])
        if n < 0:
            raise ValueError(f"cropped_shape[{i}]={n} must be non-negative")
        out.append(n)
    return (*out, *dims[len(blocks) + 1 :])


def _batch_to_space(x: Any, block: Any, crops: Any) -> Any:
    try:
        out: Any = _batch_to_space_shape(x, block, crops)
    except ValueError:
        raise refusal("BatchToSpaceND", _batch_to_space_shape, x, block, crops) from None
    blocks, edges, m = _ints(block), _ints(crops), len(block)
    space, rest = x.shape[1 : m + 1], x.shape[m + 1 :]
    y = x.reshape(*blocks, out[0], *space, *rest)
    order = [m, *(axis for i in range(m) for axis in (m + 1 + i, i)), *range(2 * m + 1, y.ndim)]
    y = y.transpose(order).reshape(out[0], *(n * b for n, b in zip(space, blocks)), *rest)
    return y[(slice(None), *(slice(edges[i][0], edges[i][0] + out[i + 1]) for i in range(m)))]


def _batched_as_channels(op: Op, xs: Any, batched: Any) -> Any:
    """Batch rule: what comes after space is carried along, so the new axis goes there."""
    x, block, margins = xs
    if batched[1] or batched[2]:
        return NotImplemented
    rank = rank_of(x)
    y = op(transpose(x, (*range(1, rank), 0)), block, margins)
    return transpose(y, (rank - 1, *range(rank - 1)))


space_to_batch = Op(
    "SpaceToBatchND",
    _space_to_batch,
    vjp=(lambda g, y, x, block, paddings: batch_to_space(g, block, paddings), None, None),
    reads="block paddings",
    linear=(0,),
    batch=lambda n, xs, batched: _batched_as_channels(space_to_batch, xs, batched),
    shape=_space_to_batch_shape,
)
"""``block`` is a tuple of ints, ``paddings`` a tuple of pairs of them; or integer tensors."""

batch_to_space = Op(
    "BatchToSpaceND",
    _batch_to_space,
    vjp=(lambda g, y, x, block, crops: space_to_batch(g, block, crops), None, None),
    reads="block crops",
    linear=(0,),
    batch=lambda n, xs, batched: _batched_as_channels(batch_to_space, xs, batched),
    shape=_batch_to_space_shape,
)
