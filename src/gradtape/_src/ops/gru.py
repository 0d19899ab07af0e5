"""GRU networks as fused operations (``reset_after=True``, as in Keras): all steps of one in one operation.

What an operation does and gives is as in ``recurrent.py``. How much each unit bends what comes in, its *slopes*, is
the same for tangents and cotangents, forwards and backwards.

Source: K. Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014, with the reset gate behind the product.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.native import recurrent as native
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import expand_dims, lead, pack, squeeze, unpack, zeros_like
from gradtape._src.ops.block_products import block_products, block_products_to_kernel
from gradtape._src.ops.driven_recurrence import (
    absorbing_driven,
    by_example,
    driven_recurrence,
    driven_rule,
    pays,
)
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.products import batch_aligned, times_quietly
from gradtape._src.ops.recurrences import (
    BLOCK,
    Form,
    absorbing_transposed,
    delayed,
    earlier,
    padded,
    steps_back,
    transposed_recurrence,
    transposed_rule,
    with_care,
)
from gradtape._src.ops.recurrent_parts import (
    Given,
    all_batched,
    back_through,
    entering,
    in_float32,
    kept,
    of_inputs,
    per_unit,
    state_shape,
    to_sigmoid,
)
from gradtape._src.ops.selection import select

_FORM = Form(states=1, sums=4, given=3, products=3)  # the sums q, z, r, c

# --- Slopes -------------------------------------------------------------------------------------------------


def _blocks(x: Any, axis: int = -3) -> list[Any]:
    """The blocks of an array, as views."""
    return list(np.moveaxis(x, axis, 0))


def _slopes(old: Any, acts: Any, *mask: Any) -> Any:
    """Of the state and of the sums q, z, r, c; a step that does not count keeps the state."""
    q, z, r, c = _blocks(acts)
    slopes = np.empty((*acts.shape[:-3], 1, 5, *acts.shape[-2:]), acts.dtype)
    of_h, of_q, of_z, of_r, of_c = _blocks(slopes[..., 0, :, :, :])
    of_h[...] = z
    rest = np.subtract(1, z, out=of_z)
    np.multiply(c, c, out=of_c)
    np.subtract(1, of_c, out=of_c)
    of_c *= rest
    np.multiply(of_c, r, out=of_q)
    np.subtract(1, r, out=of_r)
    of_r *= q
    of_r *= of_q
    of_z *= z
    of_z *= old - c
    if mask:
        skipped = ~mask[0]
        np.copyto(slopes, 0, where=skipped[..., None, None, :, :])
        np.copyto(of_h, 1, where=skipped)
    return slopes


def _bends(wanted: Any, k: Any, y: Any, old: Any, acts: Any, *mask: Any) -> list[Any]:
    k = squeeze(k, axis=(-4,))
    if mask:
        k = select(expand_dims(mask[0], axis=-3), k, zeros_like(k))
    q, z, r, c = unpack(acts, num=4, axis=BLOCK)
    k_h, k_q, k_z, k_r, k_c = unpack(k, num=5, axis=BLOCK)
    rest, slope = 1 - z, 1 - c * c
    of_c = rest * slope
    of_q = of_c * r
    to_q = k_q + k_r * q * (1 - r)
    to_c = k_c + to_q * r
    to_old = k_z * z * rest
    g_z = k_h + k_z * (old - c) * (rest - z) - to_c * slope
    g_r = to_q * of_c - k_r * of_q * q
    g_c = -(to_old + 2 * c * (rest * to_c))
    return [to_old, pack(k_r * of_q * (1 - r), g_z, g_r, g_c, axis=BLOCK), *[None] * len(mask)]


def _of_slopes(g: Any, c: Any, old: Any, acts: Any, mask: Any) -> tuple[Any, Any, Any]:
    """The cotangents of h, hs and acts, of which the slopes are made, from those of the slopes."""
    if g is None:
        return None, None, None
    g_old, g_acts, *_ = _bends(None, g, c, old, acts, *mask)
    return *earlier(g_old, -3), g_acts


def _slopes_shape(old: Any, acts: Any, *mask: Any) -> Any:
    shape = shape_of(acts)
    return None if shape is None else (*shape[:-3], 1, 5, *shape[-2:])


gru_slopes = Op(
    "GRUSlopes",
    _slopes,
    vjp_all=_bends,
    reads="old acts mask",
    batch=all_batched(lambda: gru_slopes),
    shape=_slopes_shape,
    accepts=FLOAT,
)
"""The coefficients of the linear recurrence, from the state before each step and what the units did."""


# --- Tangents -----------------------------------------------------------------------------------------------


def _forth(x: Any, w: Any, s: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    def slopes(some: slice) -> Any:
        part = lambda y: y[..., some] if y.shape[-1] > 1 else y
        return _slopes(delayed(part(h), part(hs), -3), part(acts), *[part(m) for m in mask])

    s = s[..., None, :, :]
    if (hs.ndim, acts.ndim) == (3, 4) and pays(x, w, u, _FORM):
        y = by_example(x, w, s, slopes, u, _FORM)
    else:
        y = driven_recurrence.kernel(x, w, s, slopes(slice(None)), u, _FORM)
    return y[..., 0, :, :]


def _forth_absorbing(x: Any, w: Any, s: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    c = _slopes(delayed(h, hs, -3), acts, *mask)
    return absorbing_driven(x, w, s[..., None, :, :], c, u, _FORM)[..., 0, :, :]


def _forth_rule(
    wanted: Any, g: Any, y: Any, x: Any, w: Any, s: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any
) -> list[Any]:
    old = delayed(h, hs, -3)
    c = gru_slopes(old, acts, *mask)
    wanted = [*wanted[:3], any(wanted[3:6]), wanted[6]]
    up = lambda z: expand_dims(z, axis=-3)
    g_x, g_w, g_s, g_c, g_u = driven_rule(wanted, up(g), up(y), x, w, up(s), c, u, form=_FORM)
    of_slopes = _of_slopes(g_c, c, old, acts, mask)
    return [g_x, g_w, squeeze(g_s, axis=(-3,)), *of_slopes, g_u, *[None] * len(mask)]


def _batch(op: Any, linear: tuple[int, ...], made_of: tuple[int, ...], cores: tuple[int, ...]) -> Any:
    """What the operation is linear in gets the leading axis; the others broadcast, but what the slopes are made of
    is alike. ``cores`` are the axes of a single network's arguments; behind them there may be a mask."""

    def batch(n: int, xs: Any, batched: Any) -> Any:
        varies = any(batched[i] for i in made_of) or any(batched[len(cores) :])
        has = [b or i in linear or (i in made_of and varies) for i, b in enumerate(batched)]
        xs = [lead(x, n=n) if h and not b else x for x, h, b in zip(xs, has, batched)]
        return op()(*batch_aligned(n, xs, has, (*cores, *[3] * (len(xs) - len(cores)))))

    return batch


gru_forth = with_care(
    "GRUTangent",
    _forth,
    _forth_absorbing,
    vjp_all=_forth_rule,
    batch=_batch(lambda: gru_forth, (0, 2), (3, 4, 5), (3, 3, 2, 2, 3, 4, 3)),
    shape=lambda x, w, s, h, hs, acts, u, *mask: shape_of(hs),
)
"""The tangents of the states of all steps, from those of the sequence and of the first state: the driven recurrence,
with slopes that are made for some examples at a time."""


# --- Cotangents ---------------------------------------------------------------------------------------------


def _back(g: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    done = native.gru_cotangents(g, h, hs, acts, u, *mask)
    if done is not None:
        return done
    return transposed_recurrence.kernel(g, _slopes(delayed(h, hs, -3), acts, *mask), u, _FORM)


def _back_shape(g: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    shape = shape_of(g)
    return [None, None] if shape is None else [(*shape[:-3], 4, *shape[-2:]), (*shape[:-4], 1, *shape[-2:])]


def _back_absorbing(g: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    return absorbing_transposed(g, _slopes(delayed(h, hs, -3), acts, *mask), u, _FORM)


def _back_rule(
    wanted: Any, ct: Any, y: Any, g: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any
) -> list[Any]:
    old = delayed(h, hs, -3)
    c = gru_slopes(old, acts, *mask)
    g_g, g_c, g_u = transposed_rule([wanted[0], any(wanted[1:4]), wanted[4]], ct, y, g, c, u, form=_FORM)
    return [g_g, *_of_slopes(g_c, c, old, acts, mask), g_u, *[None] * len(mask)]


gru_back = with_care(
    "GRUCotangent",
    _back,
    _back_absorbing,
    vjp_all=_back_rule,
    reads="g h hs acts u mask",
    multi=True,
    batch=_batch(lambda: gru_back, (0,), (1, 2, 3), (4, 2, 3, 4, 3)),
    shape=_back_shape,
)
"""The cotangents of the sums of all steps and of the first state, from those of the states: the transposed recurrence,
with slopes that need not be kept."""


# --- The operation ------------------------------------------------------------------------------------------


@in_float32
def _gru(x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    done = native.layer("gru", x, w, (h,), u, b, *mask, acts=4)
    if done is not None:
        return done
    p = entering(w, x)
    p += b[..., 1:, :, :]
    of_q = b[..., 0, :, :]
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    acts: Any = np.empty((len(p), *h.shape[:-2], 4, *h.shape[-2:]), h.dtype)
    sums, gates = acts[..., :3, :, :], acts[..., 1:3, :, :]
    steps = zip(hs, sums, gates, *_blocks(acts), p[..., :2, :, :], p[..., 2, :, :])
    for t, (new, a, g, q, z, r, c, p_g, p_c) in enumerate(steps):
        times_quietly(u, h[..., None, :, :], out=a)
        q += of_q
        g += p_g
        to_sigmoid(g)
        np.multiply(r, q, out=c)
        c += p_c
        np.tanh(c, out=c)
        np.subtract(h, c, out=new)
        new *= z
        new += c
        kept(mask, t, new, h)
        h = new
    return steps_back(hs, 3), steps_back(acts, 4)


def _of_sums(g: Any, acts: Any) -> Any:
    """The cotangents of the sums, from those of what the units made of them."""
    q, z, r, c = unpack(acts, num=4, axis=BLOCK)
    g_q, g_z, g_r, g_c = unpack(g, num=4, axis=BLOCK)
    g_c = g_c - g_c * (c * c)
    return pack(g_q + g_c * r, g_z * (z - z * z), (g_r + g_c * q) * (r - r * r), g_c, axis=BLOCK)


def _gru_rule(wanted: Any, g: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> list[Any]:
    hs, acts = y
    g_hs, g_acts = map(dense, g)
    g_hs = zeros_like(hs) if g_hs is None else g_hs
    extra = None if g_acts is None else _of_sums(g_acts, acts)
    back = lambda g: gru_back(g, h, hs, acts, u, *mask)
    ct, g_h = back_through(expand_dims(g_hs, axis=-3), extra, u, _FORM, back)
    g_u = block_products_to_kernel(ct[..., :3, :, :], delayed(h, hs, -3)) if wanted[3] else None
    g_b = per_unit(ct) if wanted[4] else None
    g_h = squeeze(g_h, axis=(-3,))
    return [*of_inputs(wanted, ct[..., 1:, :, :], x, w), g_h, g_u, g_b, *[None] * len(mask)]


def _gru_jvp(ts: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    hs, acts = y
    t_x, t_w, t_h, t_u, t_b = ts[:5]
    first = zeros_like(h) if t_h is None else t_h
    given = Given(_FORM, t_x, t_w, t_u, t_b, x, w, u, h, hs)
    if given.by_inputs:
        s = gru_forth(t_x, w, first, h, hs, acts, u, *mask)
    else:
        c = gru_slopes(delayed(h, hs, -3), acts, *mask)
        s = squeeze(given.of_states(acts, expand_dims(first, axis=-3), c), axis=(-3,))

    def of_acts() -> Any:
        before = delayed(first, s, -3)
        sums = padded(block_products(u, before), 0, 1) + given.of_sums(acts)
        q, z, r, c = unpack(acts, num=4, axis=BLOCK)
        t_q, t_z, t_r, t_c = unpack(sums, num=4, axis=BLOCK)
        t_r = t_r * (r - r * r)
        t_c = (t_c + t_q * r + t_r * q) * (1 - c * c)
        return pack(t_q, t_z * (z - z * z), t_r, t_c, axis=BLOCK)

    return s, of_acts


gru = Op(
    "GRU",
    _gru,
    vjp_all=_gru_rule,
    reads="y x w h u mask",
    jvp=_gru_jvp,
    multi=True,
    takes_none=True,
    holomorphic=False,
    batch=all_batched(lambda: gru),
    shape=lambda x, w, h, u, b, *mask: [state_shape(x, h), state_shape(x, h, (4,))],
    accepts=FLOAT,
)
"""h[t] = z h[t-1] + (1 - z) c with q = u_q h[t-1] + b_q, z = sigmoid(w_z x[t] + u_z h[t-1] + b_z), r likewise, and
c = tanh(w_c x[t] + r q + b_c). w has the blocks z, r, c; u has q, z, r; b has q, z, r, c. Gives h, and q, z, r, c."""
