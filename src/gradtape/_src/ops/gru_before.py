"""The GRU of 2014 as a fused operation: the reset gate acts on the state before the product (``reset_after=False``).

A step has two products in a row: the gates look at h, the candidate at m = r h. So its derivative is the linear
recurrence of ``recurrences.py`` with two halves a step. The states are (a, b), and b is what is multiplied by u:

    first half    a = z h + ...       b = m = r h + ...
    second half   a = 0               b = h', which is a and what the candidate adds

Source: K. Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014, equations 5 to 8, with Keras's z for 1 - z.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.native import recurrent as native
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import expand_dims, ones_like, pack, unpack, with_axis, zeros_like
from gradtape._src.ops.block_products import (
    as_matrix,
    block_products,
    block_products_to_kernel,
    block_products_to_sequence,
)
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.joining import concat
from gradtape._src.ops.products import times_quietly
from gradtape._src.ops.recurrences import (
    BLOCK,
    Form,
    block,
    delayed,
    earlier,
    linear_recurrence,
    padded,
    steps_back,
    transposed_recurrence,
)
from gradtape._src.ops.recurrent_parts import (
    Given,
    all_batched,
    entering,
    in_float32,
    kept,
    of_inputs,
    per_unit,
    state_shape,
    to_sigmoid,
)
from gradtape._src.ops.selection import select

_FORM = Form(states=2, sums=3, given=3, products=3)  # the sums z, r, c

# --- Two halves a step --------------------------------------------------------------------------------------


def _interleaved(a: Any, b: Any, rank: int) -> Any:
    a, b = np.broadcast_arrays(a, b)
    axis = a.ndim - rank
    out = np.stack([a, b], axis + 1)
    return out.reshape(*a.shape[:axis], 2 * a.shape[axis], *a.shape[axis + 1 :])


def _interleaved_shape(a: Any, b: Any, rank: int) -> Any:
    shape = shape_of(a)
    if shape is None:
        return None
    lead, (steps, *rest) = shape[: len(shape) - rank], shape[len(shape) - rank :]
    return (*lead, None if steps is None else 2 * steps, *rest)


interleaved = Op(
    "Interleave",
    _interleaved,
    vjp=(lambda g, y, a, b, rank: half(g, 0, rank), lambda g, y, a, b, rank: half(g, 1, rank)),
    reads="",
    linear=(0, 1),
    batch=lambda n, xs, batched, rank: interleaved(*with_axis(n, xs, batched), rank=rank),
    shape=_interleaved_shape,
    same_dtype=True,
)
"""a[0], b[0], a[1], b[1], ... along the axis that is the first of the last ``rank`` ones."""


def half(x: Any, which: int, rank: int) -> Any:
    """Every other one along the first of the last ``rank`` axes."""
    return x[(..., slice(which, None, 2), *[slice(None)] * (rank - 1))]


# --- The operation ------------------------------------------------------------------------------------------


@in_float32
def _gru_before(x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    done = native.layer("gru_before", x, w, (h,), u, b, *mask, acts=3)
    if done is not None:
        return done
    p = entering(w, x)
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    acts: Any = np.empty((len(p), *h.shape[:-2], 3, *h.shape[-2:]), h.dtype)
    of_gates, of_candidate = as_matrix(u[..., :2, :, :]), u[..., 2, :, :]
    for t, new in enumerate(hs):
        gates, c = acts[t, ..., :2, :, :], acts[t, ..., 2, :, :]
        gates[...] = times_quietly(of_gates, h).reshape(gates.shape)
        gates += p[t, ..., :2, :, :]
        gates += b[..., :2, :, :]
        to_sigmoid(gates)
        z, r = gates[..., 0, :, :], gates[..., 1, :, :]
        np.multiply(r, h, out=new)
        times_quietly(of_candidate, new, out=c)
        c += p[t, ..., 2, :, :]
        c += b[..., 2, :, :]
        np.tanh(c, out=c)
        np.subtract(h, c, out=new)
        new *= z
        new += c
        kept(mask, t, new, h)
        h = new
    return steps_back(hs, 3), steps_back(acts, 4)


def _slopes(old: Any, acts: Any, mask: Any) -> Any:
    """The coefficients of both halves; a step that does not count hands h on as a."""
    z, r, c = unpack(acts, num=3, axis=BLOCK)
    one, zero = ones_like(z), zeros_like(z)
    of_z, of_c = (old - c) * (z - z * z), (one - z) * (one - c * c)
    if mask:
        z = select(mask[0], z, one)
        of_z, of_c = (select(mask[0], x, zero) for x in (of_z, of_c))
    first = [[zero, z, of_z, zero, zero], [zero, r, zero, old * (r - r * r), zero]]
    second = [[zero, zero, zero, zero, zero], [one, zero, zero, zero, of_c]]
    halves = [pack(*[pack(*row, axis=BLOCK) for row in rows], axis=-4) for rows in (first, second)]
    return interleaved(*halves, rank=5)


def _of_sums(g: Any, acts: Any) -> Any:
    """The cotangents of the sums, from those of what the units made of them; and the tangents the other way."""
    z, r, c = unpack(acts, num=3, axis=BLOCK)
    return g * pack(z - z * z, r - r * r, 1 - c * c, axis=BLOCK)


def _with_products(extra: Any, old: Any, acts: Any, u: Any) -> tuple[Any, Any]:
    """What cotangents of single sums add to those of the sums, and to h before each step: c's product is with r h."""
    z, r, c = unpack(acts, num=3, axis=BLOCK)
    of_m = block_products_to_sequence(block(u, 2), block(extra, 2))
    extra = extra + padded(expand_dims(of_m * old * (r - r * r), axis=BLOCK), 1, 1)
    of_gates = block_products_to_sequence(u[..., :2, :, :], extra[..., :2, :, :])
    return extra, of_gates + of_m * r


def _gru_before_rule(
    wanted: Any, g: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any
) -> list[Any]:
    hs, acts = y
    g_hs, g_acts = map(dense, g)
    old = delayed(h, hs, -3)
    g_hs = zeros_like(hs) if g_hs is None else g_hs
    extra = of_first = None
    if g_acts is not None:
        extra, of_old = _with_products(_of_sums(g_acts, acts), old, acts, u)
        of_first, later = earlier(of_old, -3)
        g_hs = g_hs + later
    of_states = padded(expand_dims(g_hs, axis=BLOCK), 1, 0)
    g_halves = interleaved(zeros_like(of_states), of_states, rank=4)
    ct, g_states = transposed_recurrence(g_halves, _slopes(old, acts, mask), u, form=_FORM)
    ct = concat(half(ct, 0, 4)[..., :2, :, :], half(ct, 1, 4)[..., 2:, :, :], axis=BLOCK)
    g_h = g_states[..., 1, :, :]
    if extra is not None:
        ct, g_h = ct + extra, g_h + of_first
    g_u = None
    if wanted[3]:
        of_gates = block_products_to_kernel(ct[..., :2, :, :], old)
        of_candidate = block_products_to_kernel(ct[..., 2:, :, :], acts[..., 1, :, :] * old)
        g_u = concat(of_gates, of_candidate, axis=BLOCK)
    g_b = per_unit(ct) if wanted[4] else None
    return [*of_inputs(wanted, ct, x, w), g_h, g_u, g_b, *[None] * len(mask)]


def _gru_before_jvp(ts: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    hs, acts = y
    t_x, t_w, t_h, t_u, t_b = ts[:5]
    old = delayed(h, hs, -3)
    e = Given(_FORM, t_x, t_w, None, t_b, x, w, u, h, hs).of_sums(acts)
    if t_u is not None:
        of_gates = block_products(t_u[..., :2, :, :], old)
        of_candidate = block_products(t_u[..., 2:, :, :], acts[..., 1, :, :] * old)
        e = e + concat(of_gates, of_candidate, axis=BLOCK)
    first = padded(expand_dims(zeros_like(h) if t_h is None else t_h, axis=BLOCK), 1, 0)
    s = linear_recurrence(interleaved(e, e, rank=4), first, _slopes(old, acts, mask), u, form=_FORM)
    b_of_s = s[..., 1, :, :]
    t_hs = half(b_of_s, 1, 3)

    def of_acts() -> Any:
        before = delayed(first[..., 1, :, :], t_hs, -3)
        of_gates = block_products(u[..., :2, :, :], before)
        of_candidate = block_products(u[..., 2:, :, :], half(b_of_s, 0, 3))
        return _of_sums(concat(of_gates, of_candidate, axis=BLOCK) + e, acts)

    return t_hs, of_acts


gru_before = Op(
    "GRUResetBefore",
    _gru_before,
    vjp_all=_gru_before_rule,
    reads="y x w h u mask",
    jvp=_gru_before_jvp,
    multi=True,
    takes_none=True,
    holomorphic=False,
    batch=all_batched(lambda: gru_before),
    shape=lambda x, w, h, u, b, *mask: [state_shape(x, h), state_shape(x, h, (3,))],
    accepts=FLOAT,
)
"""h[t] = z h[t-1] + (1 - z) c with z = sigmoid(w_z x[t] + u_z h[t-1] + b_z), r likewise, and
c = tanh(w_c x[t] + u_c (r h[t-1]) + b_c). All have the blocks z, r, c. Gives h, and z, r, c."""
