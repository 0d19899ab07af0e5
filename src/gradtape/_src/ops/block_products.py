"""Products of a kernel, as blocks of units, with all steps of a sequence: a trio closed under its own rules.

A kernel, which layers have as (inputs, blocks * units), is here (blocks, units, inputs), a sequence is (time, inputs,
batch), the product (time, blocks, units, batch). It is linear in both; the rules of each of the three (the product and
its two transposes) are the other two. All blocks together are one matrix, so that each step is one product of matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.native import products as native
from gradtape._src.ops.arithmetic import FLOAT, bilinear
from gradtape._src.ops.products import batch_aligned, is_half, times, times_quietly

# --- Kernels as blocks --------------------------------------------------------------------------------------


def _as_blocks(w: Any, gates: int, first: int) -> Any:
    k = w.ndim - 2
    x = w.reshape(*w.shape[:-1], gates, w.shape[-1] // gates).transpose(*range(k), k + 1, k + 2, k)
    if first:
        return np.concatenate([x[..., first:, :, :], x[..., :first, :, :]], axis=-3)
    return np.ascontiguousarray(x)


def _from_blocks(x: Any, gates: int, first: int) -> Any:
    k = x.ndim - 3
    if first:
        x = np.concatenate([x[..., -first:, :, :], x[..., :-first, :, :]], axis=-3)
    x = x.transpose(*range(k), k + 2, k, k + 1)
    return x.reshape(*x.shape[:-2], gates * x.shape[-1])


def _blocks_shape(w: Any, gates: int, first: int) -> Any:
    shape = shape_of(w)
    if shape is None:
        return None
    return (*shape[:-2], gates, None if shape[-1] is None else shape[-1] // gates, shape[-2])


def _from_blocks_shape(x: Any, gates: int, first: int) -> Any:
    shape = shape_of(x)
    if shape is None:
        return None
    return (*shape[:-3], shape[-1], None if shape[-2] is None else gates * shape[-2])


as_blocks = Op(
    "AsBlocks",
    _as_blocks,
    vjp=lambda g, y, w, gates, first: from_blocks(g, gates=gates, first=first),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, gates, first: as_blocks(*xs, gates=gates, first=first),
    shape=_blocks_shape,
)
"""A kernel (inputs, gates * units) as blocks (gates, units, inputs), the block ``first`` in front."""

from_blocks = Op(
    "FromBlocks",
    _from_blocks,
    vjp=lambda g, y, x, gates, first: as_blocks(g, gates=gates, first=first),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, gates, first: from_blocks(*xs, gates=gates, first=first),
    shape=_from_blocks_shape,
)
"""Undoes ``as_blocks``."""


# --- The trio -----------------------------------------------------------------------------------------------


def as_matrix(w: Any) -> Any:
    """The blocks of (..., blocks, units, n) below each other: (..., blocks * units, n)."""
    return w.reshape(*w.shape[:-3], w.shape[-3] * w.shape[-2], w.shape[-1])


def _times(a: Any, b: Any) -> Any:
    return times(a, b) if is_half(a.dtype) else times_quietly(a, b)


def _for_each_step(w: Any) -> Any:
    """The matrix of a kernel, to be multiplied with all steps."""
    m = as_matrix(w)
    return m if m.ndim == 2 else m[..., None, :, :]


def _products(w: Any, x: Any) -> Any:
    y = native.products(as_matrix(w), x)
    if y is None:
        y = _of_moving(as_matrix(w), x) if w.ndim == 3 and x.ndim == 4 else _times(_for_each_step(w), x)
    return y.reshape(*y.shape[:-2], *w.shape[-3:-1], x.shape[-1])


def _of_moving(m: Any, x: Any) -> Any:
    """The product with many sequences: of tangents, the steps before they begin to move are left out."""
    moves = x.any(axis=(-2, -1))
    if moves[:, :1].all() or x.dtype.itemsize == 2 or not np.isfinite(m).all():
        return _times(m, x)
    y = np.empty((*x.shape[:-2], len(m), x.shape[-1]), x.dtype)
    for one, sequence, moving in zip(y, x, moves):
        first = int(moving.argmax()) if moving.any() else len(one)
        one[:first] = 0
        if first < len(one):
            times_quietly(m, sequence[first:], out=one[first:])
    return y


def _to_sequence(w: Any, g: Any) -> Any:
    turned = _for_each_step(w).swapaxes(-1, -2)
    y = native.products(turned, as_matrix(g))
    return _times(turned, as_matrix(g)) if y is None else y


def _to_kernel(g: Any, x: Any) -> Any:
    rows = as_matrix(g)
    total = native.products_to_matrix(rows, x)
    if total is None:
        total = _summed_products(rows, x.swapaxes(-1, -2))
    return total.reshape(*total.shape[:-2], *g.shape[-3:-1], x.shape[-2])


def _summed_products(a: Any, b: Any) -> Any:
    """The sum of the products of all steps."""
    if a.ndim > 3 or b.ndim > 3 or a.dtype.itemsize == 2:
        return np.add.reduce(_times(a, b), axis=-3)
    total = np.zeros((a.shape[-2], b.shape[-1]), a.dtype)
    for one, other in zip(a, b):
        total += times_quietly(one, other)
    return total


def _products_shape(w: Any, x: Any) -> Any:
    w_shape, x_shape = shape_of(w), shape_of(x)
    if x_shape is None:
        return None
    blocks = (None, None) if w_shape is None else w_shape[-3:-1]
    return (*x_shape[:-2], *blocks, x_shape[-1])


def _to_sequence_shape(w: Any, g: Any) -> Any:
    w_shape, g_shape = shape_of(w), shape_of(g)
    return None if g_shape is None else (*g_shape[:-3], None if w_shape is None else w_shape[-1], g_shape[-1])


def _to_kernel_shape(g: Any, x: Any) -> Any:
    g_shape, x_shape = shape_of(g), shape_of(x)
    return (
        None
        if g_shape is None
        else (*g_shape[:-4], *g_shape[-3:-1], None if x_shape is None else x_shape[-2])
    )


def _batch(op: Any, cores: tuple[int, int]) -> Any:
    return lambda n, xs, batched: op()(*batch_aligned(n, xs, batched, cores))


def _member(name: str, kernel: Any, vjp: Any, op: Any, cores: tuple[int, int], shape: Any) -> Op:
    rules = {"batch": _batch(op, cores), "shape": shape, "accepts": FLOAT, "same_dtype": True}
    return bilinear(name, kernel, vjp, **rules)


block_products = _member(
    "BlockProducts",
    _products,
    (lambda g, y, a, b: block_products_to_kernel(g, b), lambda g, y, a, b: block_products_to_sequence(a, g)),
    lambda: block_products,
    (3, 3),
    _products_shape,
)
"""y[t, k] = w[k] x[t]"""

block_products_to_sequence = _member(
    "BlockProductsToSequence",
    _to_sequence,
    (lambda h, y, a, b: block_products_to_kernel(b, h), lambda h, y, a, b: block_products(a, h)),
    lambda: block_products_to_sequence,
    (3, 4),
    _to_sequence_shape,
)
"""The cotangent of the sequence: the sum over k of w[k]^T g[t, k]."""

block_products_to_kernel = _member(
    "BlockProductsToKernel",
    _to_kernel,
    (lambda h, y, a, b: block_products(h, b), lambda h, y, a, b: block_products_to_sequence(h, a)),
    lambda: block_products_to_kernel,
    (4, 3),
    _to_kernel_shape,
)
"""The cotangent of the kernel: the sum over t of g[t, k] x[t]^T."""
