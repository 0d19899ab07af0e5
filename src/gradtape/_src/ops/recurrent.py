"""Simple and LSTM networks as fused operations: all steps of one in one operation; ``gru.py`` has the third kind.

An operation makes the product with the inputs of all steps as one, and does the rest step by step. Besides the states
it gives what the units did, for its rules. These work on all steps at once, but for a linear recurrence
(``recurrences.py``, where the order of the axes is explained).

Source: S. Hochreiter and J. Schmidhuber, "Long short-term memory", Neural Computation 9(8), 1997.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.native import recurrent as native
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import expand_dims, pack, squeeze, unpack, zeros_like
from gradtape._src.ops.block_products import as_matrix, block_products, block_products_to_kernel
from gradtape._src.ops.elementwise import tanh
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.products import times_quietly
from gradtape._src.ops.recurrences import BLOCK, TIME, Form, delayed, steps_back, transposed_recurrence
from gradtape._src.ops.recurrent_parts import (
    Given,
    all_batched,
    back_through,
    coefficients,
    entering,
    in_float32,
    kept,
    of_inputs,
    per_unit,
    state_shape,
    to_sigmoid,
)

# --- Simple ---------------------------------------------------------------------------------------------------

_SIMPLE = Form(states=1, sums=1, given=1, products=1)


@in_float32
def _simple(x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    done = native.layer("simple_rnn", x, w, (h,), u, b, *mask)
    if done is not None:
        return done[0]
    p, u, b = entering(w, x), u[..., 0, :, :], b[..., 0, :, :]
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    for t, new in enumerate(hs):
        times_quietly(u, h, out=new)
        new += p[t, ..., 0, :, :]
        new += b
        np.tanh(new, out=new)
        kept(mask, t, new, h)
        h = new
    return steps_back(hs, 3)


def _simple_slopes(hs: Any, mask: Any) -> Any:
    return coefficients([[None, 1 - hs * hs]], mask)


def _simple_rule(
    wanted: Any, g: Any, hs: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any
) -> list[Any]:
    c = _simple_slopes(hs, mask)
    ct, g_h = transposed_recurrence(expand_dims(g, axis=-3), c, u, form=_SIMPLE)
    g_u = block_products_to_kernel(ct, delayed(h, hs, -3)) if wanted[3] else None
    g_b = per_unit(ct) if wanted[4] else None
    return [*of_inputs(wanted, ct, x, w), squeeze(g_h, axis=(-3,)), g_u, g_b, *[None] * len(mask)]


def _simple_jvp(ts: Any, hs: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    t_x, t_w, t_h, t_u, t_b = ts[:5]
    first = expand_dims(zeros_like(h) if t_h is None else t_h, axis=-3)
    given = Given(_SIMPLE, t_x, t_w, t_u, t_b, x, w, u, h, hs)
    s = given.of_states(expand_dims(hs, axis=-3), first, _simple_slopes(hs, mask))
    return squeeze(s, axis=(-3,))


simple_rnn = Op(
    "SimpleRNN",
    _simple,
    vjp_all=_simple_rule,
    reads="hs x w h u mask",
    jvp=_simple_jvp,
    batch=all_batched(lambda: simple_rnn),
    shape=lambda x, w, h, u, b, *mask: state_shape(x, h),
    accepts=FLOAT,
)
"""h[t] = tanh(w x[t] + u h[t-1] + b); with a mask (time, 1, batch), h stays as it is where it is false."""


# --- LSTM -----------------------------------------------------------------------------------------------------

_LSTM = Form(states=2, sums=4, given=4, products=4)  # the sums i, f, g, o


@in_float32
def _lstm(x: Any, w: Any, h: Any, s: Any, u: Any, b: Any, *mask: Any) -> Any:
    done = native.layer("lstm", x, w, (h, s), u, b, *mask, acts=4)
    if done is not None:
        return done
    p = entering(w, x)
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    ss: Any = np.empty((len(p), *s.shape), s.dtype)
    acts: Any = np.empty((len(p), *h.shape[:-2], 4, *h.shape[-2:]), h.dtype)
    matrix = as_matrix(u)
    for t, (new_h, new_s) in enumerate(zip(hs, ss)):
        a = acts[t]
        i, f, g, o, i_and_f = (a[..., k, :, :] for k in (0, 1, 2, 3, slice(0, 2)))
        times_quietly(matrix, h, out=as_matrix(a))
        a += p[t]
        a += b
        to_sigmoid(i_and_f)
        to_sigmoid(o)
        np.tanh(g, out=g)
        np.multiply(i, g, out=new_h)
        np.multiply(f, s, out=new_s)
        new_s += new_h
        np.tanh(new_s, out=new_h)
        new_h *= o
        kept(mask, t, new_h, h)
        kept(mask, t, new_s, s)
        h, s = new_h, new_s
    return steps_back(hs, 3), steps_back(ss, 3), steps_back(acts, 4)


def _lstm_slopes(old: Any, ss: Any, acts: Any, mask: Any) -> Any:
    i, f, g, o = unpack(acts, num=4, axis=BLOCK)
    bent = tanh(ss)
    of_s = o - o * (bent * bent)
    slopes = [f, None, g * (i - i * i), old * (f - f * f), i - i * (g * g), None]
    rows = [None if x is None else of_s * x for x in slopes]
    return coefficients([slopes, [*rows[:-1], bent * (o - o * o)]], mask)


def _lstm_sums(g: Any, acts: Any) -> Any:
    """The cotangents of the sums, from those of what the units made of them; and the tangents the other way."""
    i, f, g_, o = unpack(acts, num=4, axis=BLOCK)
    return g * pack(i - i * i, f - f * f, 1 - g_ * g_, o - o * o, axis=BLOCK)


def _lstm_rule(
    wanted: Any, g: Any, y: Any, x: Any, w: Any, h: Any, s: Any, u: Any, b: Any, *mask: Any
) -> list[Any]:
    hs, ss, acts = y
    g_hs, g_ss, g_acts = map(dense, g)
    zero = zeros_like(hs) if g_hs is None or g_ss is None else None
    g_s = pack(zero if g_ss is None else g_ss, zero if g_hs is None else g_hs, axis=-3)
    extra = None if g_acts is None else _lstm_sums(g_acts, acts)
    c = _lstm_slopes(delayed(s, ss, -3), ss, acts, mask)
    ct, g_s = back_through(g_s, extra, u, _LSTM, lambda g: transposed_recurrence(g, c, u, form=_LSTM))
    g_u = block_products_to_kernel(ct, delayed(h, hs, -3)) if wanted[4] else None
    g_s, g_h = unpack(g_s, num=2, axis=-3)
    g_b = per_unit(ct) if wanted[5] else None
    return [*of_inputs(wanted, ct, x, w), g_h, g_s, g_u, g_b, *[None] * len(mask)]


def _lstm_jvp(ts: Any, y: Any, x: Any, w: Any, h: Any, s: Any, u: Any, b: Any, *mask: Any) -> Any:
    hs, ss, acts = y
    t_x, t_w, t_h, t_s, t_u, t_b = ts[:6]
    zero = zeros_like(h)
    first = pack(zero if t_s is None else t_s, zero if t_h is None else t_h, axis=-3)
    given = Given(_LSTM, t_x, t_w, t_u, t_b, x, w, u, h, hs)
    states = given.of_states(acts, first, _lstm_slopes(delayed(s, ss, -3), ss, acts, mask))
    t_ss, t_hs = unpack(states, num=2, axis=BLOCK)

    def of_acts() -> Any:
        sums = block_products(u, delayed(first, states, TIME)[..., -1, :, :])
        return _lstm_sums(sums + given.of_sums(acts), acts)

    return t_hs, t_ss, of_acts


lstm = Op(
    "LSTM",
    _lstm,
    vjp_all=_lstm_rule,
    reads="y x w h s u mask",
    jvp=_lstm_jvp,
    multi=True,
    takes_none=True,
    holomorphic=False,
    batch=all_batched(lambda: lstm),
    shape=lambda x, w, h, s, u, b, *mask: [
        state_shape(x, h),
        state_shape(x, h),
        state_shape(x, h, (4,)),
    ],
    accepts=FLOAT,
)
"""s[t] = f s[t-1] + i g and h[t] = o tanh(s[t]): i, f, o are the sigmoids, g is the hyperbolic tangent of the blocks of
w x[t] + u h[t-1] + b, in the order i, f, g, o. Gives h, s, and i, f, g, o as blocks."""
