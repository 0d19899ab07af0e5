"""Recurrent layers as fused operations: all steps of a simple, a GRU or an LSTM network in one.

An operation makes the product with the inputs of all steps as one, and does the rest step by step. Besides the states
it gives what the units did, for its rules. These work on all steps at once, but for a linear recurrence
(``recurrences.py``, where the order of the axes is explained).

Sources: K. Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014; S. Hochreiter and J. Schmidhuber, "Long short-term memory", Neural Computation 9(8), 1997.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import FLOAT, constant
from gradtape._src.ops.arrays import expand_dims, lead, pack, squeeze, unpack, with_axis, zeros_like
from gradtape._src.ops.block_products import (
    as_matrix,
    block_products,
    block_products_to_kernel,
    block_products_to_sequence,
)
from gradtape._src.ops.driven_recurrence import by_example, driven_recurrence, driven_rule, pays
from gradtape._src.ops.elementwise import tanh
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.products import batch_aligned, times_quietly
from gradtape._src.ops.recurrences import (
    BLOCK,
    TIME,
    Form,
    by_step,
    delayed,
    earlier,
    linear_recurrence,
    padded,
    steps_back,
    transposed_recurrence,
)
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.selection import select

# --- What the three have in common ---------------------------------------------------------------------------


def _in_float32(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Half precision is computed in float32, and rounded at the end."""

    @wraps(kernel)
    def wide(*xs: Any) -> Any:
        dtype = xs[0].dtype
        if dtype.itemsize != 2:
            return kernel(*xs)
        y = kernel(*[x if x.dtype == bool else x.astype(np.float32) for x in xs])
        return tuple([part.astype(dtype) for part in y]) if type(y) is tuple else y.astype(dtype)

    return wide


def _to_sigmoid(x: Any) -> None:
    np.negative(x, out=x)
    np.exp(x, out=x)
    one = constant(1, x.dtype)
    x += one
    np.divide(one, x, out=x)


def _kept(mask: tuple[Any, ...], t: int, new: Any, old: Any) -> None:
    """Puts the old state back where a step does not count."""
    if mask:
        np.copyto(new, old, where=~by_step(mask[0], 3)[t])


def _coefficients(rows: list[list[Any]], mask: tuple[Any, ...]) -> Any:
    """The coefficients of the linear recurrence, from rows of blocks; a step that does not count keeps the states."""
    zero = zeros_like(rows[-1][-1])
    stacked = [pack(*[zero if x is None else x for x in row], axis=BLOCK) for row in rows]
    c = expand_dims(stacked[0], axis=-4) if len(rows) == 1 else pack(*stacked, axis=-4)
    if mask:
        same = np.eye(len(rows), len(rows[0]), dtype=dtype_of(c))[..., None, None]
        c = select(expand_dims(expand_dims(mask[0], axis=-3), axis=-3), c, same)
    return c


def _back_through(g: Any, extra: Any, c: Any, u: Any, form: Form) -> tuple[Any, Any]:
    """The cotangents of the sums and of the first states, from those of all states, and of the sums besides."""
    if extra is None:
        return transposed_recurrence(g, c, u, form=form)
    of_h = block_products_to_sequence(u, extra[..., : form.products, :, :])
    of_first, later = earlier(expand_dims(of_h, axis=-3), TIME)
    w, g_first = transposed_recurrence(g + padded(later, form.states - 1, 0), c, u, form=form)
    return w + extra, g_first + padded(of_first, form.states - 1, 0)


def _per_unit(x: Any) -> Any:
    """The sum over the steps and the batch: (blocks, units, 1)."""
    return reduce_sum(reduce_sum(x, axis=(TIME,)), axis=(-1,), keepdims=True)


class _Given(NamedTuple):
    """What the tangent of a layer is made of: the sums are ``w x + u h + b``, h being the state before each step."""

    form: Form
    t_x: Any
    t_w: Any
    t_u: Any
    t_b: Any
    x: Any
    w: Any
    u: Any
    h: Any  # the first state
    hs: Any  # those of all steps

    @property
    def by_inputs(self) -> bool:
        """Whether only the inputs move, and perhaps the first state."""
        return self.t_x is not None and self.t_w is None and self.t_u is None and self.t_b is None

    def of_sums(self, like: Any) -> Any:
        """The tangents of the sums, apart from those of h."""
        form = self.form
        first, last = form.sums - form.given, form.sums - form.products
        e = zeros_like(like)
        if self.t_x is not None:
            e = e + padded(block_products(self.w, self.t_x), first, 0)
        if self.t_w is not None:
            e = e + padded(block_products(self.t_w, self.x), first, 0)
        if self.t_u is not None:
            e = e + padded(block_products(self.t_u, delayed(self.h, self.hs, -3)), 0, last)
        return e if self.t_b is None else e + expand_dims(self.t_b, axis=TIME)

    def of_states(self, like: Any, first: Any, c: Any) -> Any:
        """The tangents of the states of all steps, from those of the first and the coefficients."""
        if self.by_inputs:
            return driven_recurrence(self.t_x, self.w, first, c, self.u, form=self.form)
        full = self.form._replace(given=self.form.sums)
        return linear_recurrence(self.of_sums(like), first, c, self.u, form=full)


def _entering(w: Any, x: Any) -> Any:
    """``w x`` for all steps, each a row."""
    return by_step(block_products.kernel(w, x), 4)


def _of_inputs(wanted: Any, g: Any, x: Any, w: Any) -> list[Any]:
    """The cotangents of x and w, from those of their product."""
    return [
        block_products_to_sequence(w, g) if wanted[0] else None,
        block_products_to_kernel(g, x) if wanted[1] else None,
    ]


def _state_shape(x: Any, h: Any, blocks: tuple[int, ...] = ()) -> Any:
    """(time, units, batch), or (time, blocks, units, batch)."""
    x_shape, h_shape = shape_of(x), shape_of(h)
    if x_shape is None or h_shape is None:
        return None
    return (*x_shape[:-2], *blocks, h_shape[-2], x_shape[-1])


def _without_time(x: Any) -> Any:
    """(units, batch) of (time, units, batch)."""
    shape = shape_of(x)
    return None if shape is None else (*shape[:-3], *shape[-2:])


def _batch(op: Callable[[], Op]) -> Callable[..., Any]:
    return lambda n, xs, batched: op()(*with_axis(n, xs, batched))


# --- Simple ---------------------------------------------------------------------------------------------------

_SIMPLE = Form(states=1, sums=1, given=1, products=1)


@_in_float32
def _simple(x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    p, u, b = _entering(w, x), u[..., 0, :, :], b[..., 0, :, :]
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    for t, new in enumerate(hs):
        times_quietly(u, h, out=new)
        new += p[t, ..., 0, :, :]
        new += b
        np.tanh(new, out=new)
        _kept(mask, t, new, h)
        h = new
    return steps_back(hs, 3)


def _simple_slopes(hs: Any, mask: Any) -> Any:
    return _coefficients([[None, 1 - hs * hs]], mask)


def _simple_rule(
    wanted: Any, g: Any, hs: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any
) -> list[Any]:
    c = _simple_slopes(hs, mask)
    ct, g_h = transposed_recurrence(expand_dims(g, axis=-3), c, u, form=_SIMPLE)
    g_u = block_products_to_kernel(ct, delayed(h, hs, -3)) if wanted[3] else None
    g_b = _per_unit(ct) if wanted[4] else None
    return [*_of_inputs(wanted, ct, x, w), squeeze(g_h, axis=(-3,)), g_u, g_b, *[None] * len(mask)]


def _simple_jvp(ts: Any, hs: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    t_x, t_w, t_h, t_u, t_b = ts[:5]
    first = expand_dims(zeros_like(h) if t_h is None else t_h, axis=-3)
    given = _Given(_SIMPLE, t_x, t_w, t_u, t_b, x, w, u, h, hs)
    s = given.of_states(expand_dims(hs, axis=-3), first, _simple_slopes(hs, mask))
    return squeeze(s, axis=(-3,))


simple_rnn = Op(
    "SimpleRNN",
    _simple,
    vjp_all=_simple_rule,
    reads="hs x w h u mask",
    jvp=_simple_jvp,
    batch=_batch(lambda: simple_rnn),
    shape=lambda x, w, h, u, b, *mask: _state_shape(x, h),
    accepts=FLOAT,
)
"""h[t] = tanh(w x[t] + u h[t-1] + b); with a mask (time, 1, batch), h stays as it is where it is false."""


# --- GRU ------------------------------------------------------------------------------------------------------

_GRU = Form(states=1, sums=4, given=3, products=3)  # the sums q, z, r, c


@_in_float32
def _gru(x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    p = _entering(w, x)
    hs: Any = np.empty((len(p), *h.shape), h.dtype)
    acts: Any = np.empty((len(p), *h.shape[:-2], 4, *h.shape[-2:]), h.dtype)
    matrix, sums = as_matrix(u), np.empty((*h.shape[:-2], 3, *h.shape[-2:]), h.dtype)
    of_gates, by_block = acts[..., :3, :, :], np.moveaxis(acts, -3, 1)
    for t, new in enumerate(hs):
        times_quietly(matrix, h, out=as_matrix(sums))
        np.add(sums, b[..., :3, :, :], out=of_gates[t])
        gates = of_gates[t, ..., 1:, :, :]
        gates += p[t, ..., :2, :, :]
        _to_sigmoid(gates)
        q, z, r, c = by_block[t]
        np.multiply(r, q, out=c)
        c += p[t, ..., 2, :, :]
        c += b[..., 3, :, :]
        np.tanh(c, out=c)
        np.subtract(h, c, out=new)
        new *= z
        new += c
        _kept(mask, t, new, h)
        h = new
    return steps_back(hs, 3), steps_back(acts, 4)


def _gru_slopes(old: Any, acts: Any, mask: Any) -> Any:
    q, z, r, c = unpack(acts, num=4, axis=BLOCK)
    rest = 1 - z
    of_c = rest - rest * (c * c)
    of_q = of_c * r
    return _coefficients([[z, of_q, (old - c) * (z * rest), of_q * q * (1 - r), of_c]], mask)


def _gru_sums(g: Any, acts: Any) -> Any:
    """The cotangents of the sums, from those of what the units made of them."""
    q, z, r, c = unpack(acts, num=4, axis=BLOCK)
    g_q, g_z, g_r, g_c = unpack(g, num=4, axis=BLOCK)
    g_c = g_c - g_c * (c * c)
    return pack(g_q + g_c * r, g_z * (z - z * z), (g_r + g_c * q) * (r - r * r), g_c, axis=BLOCK)


def _gru_rule(wanted: Any, g: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> list[Any]:
    hs, acts = y
    g_hs, g_acts = map(dense, g)
    old = delayed(h, hs, -3)
    g_hs = zeros_like(hs) if g_hs is None else g_hs
    if g_acts is None:
        ct, g_h = gru_back(g_hs, old, acts, u, *mask)
    else:
        extra = _gru_sums(g_acts, acts)
        of_first, later = earlier(block_products_to_sequence(u, extra[..., :3, :, :]), -3)
        ct, g_h = gru_back(g_hs + later, old, acts, u, *mask)
        ct, g_h = ct + extra, g_h + of_first
    g_u = block_products_to_kernel(ct[..., :3, :, :], old) if wanted[3] else None
    g_b = _per_unit(ct) if wanted[4] else None
    return [*_of_inputs(wanted, ct[..., 1:, :, :], x, w), g_h, g_u, g_b, *[None] * len(mask)]


def _gru_back(g: Any, old: Any, acts: Any, u: Any, *mask: Any) -> Any:
    """The recurrence with the coefficients of ``_gru_slopes``, which are made on the way."""
    g, old, acts = by_step(g, 3), by_step(old, 3), by_step(acts, 4)
    w = np.empty((len(acts), *g.shape[1:-2], *acts.shape[-3:]), g.dtype)
    ct = np.zeros(g.shape[1:], g.dtype)
    to_new = np.empty_like(ct)
    one, turned = constant(1, g.dtype), as_matrix(u).swapaxes(-1, -2)
    by_block, w_by_block = np.moveaxis(acts, -3, 1), np.moveaxis(w, -3, 1)
    for t in range(len(acts) - 1, -1, -1):
        (q, z, r, c), (w_q, w_z, w_r, w_c) = by_block[t], w_by_block[t]
        ct += g[t]
        if mask:
            counts = by_step(mask[0], 3)[t]
            kept = ct * ~counts
            ct *= counts
        np.subtract(one, z, out=to_new)
        to_new *= ct
        np.multiply(c, c, out=w_c)
        np.subtract(one, w_c, out=w_c)
        w_c *= to_new
        np.multiply(w_c, r, out=w_q)
        np.subtract(old[t], c, out=w_z)
        w_z *= z
        w_z *= to_new
        np.subtract(one, r, out=w_r)
        w_r *= q
        w_r *= w_q
        ct *= z
        ct += times_quietly(turned, as_matrix(w[t, ..., :3, :, :]))
        if mask:
            ct += kept
    return steps_back(w, 4), ct


def _gru_back_rule(wanted: Any, h: Any, y: Any, g: Any, old: Any, acts: Any, u: Any, *mask: Any) -> list[Any]:
    """That of the recurrence, and from its coefficients that of the slopes."""
    h_w, h_first = h
    coefficients = _gru_slopes(old, acts, mask)
    wanted = [True, wanted[1] or wanted[2], wanted[3]]
    ends = h_w, expand_dims(h_first, axis=-3)
    g_g, g_c, g_u = transposed_recurrence.vjp_all(  # type: ignore[misc]
        wanted, ends, None, expand_dims(g, axis=-3), coefficients, u, form=_GRU
    )
    g_old, g_acts = _gru_bends(g_c, old, acts, mask)
    return [squeeze(g_g, axis=(-3,)), g_old, g_acts, g_u, *[None] * len(mask)]


def _gru_bends(k: Any, old: Any, acts: Any, mask: Any) -> tuple[Any, Any]:
    """The vjp of ``_gru_slopes``."""
    if k is None:
        return None, None
    k = squeeze(k, axis=(-4,))
    if mask:
        k = select(expand_dims(mask[0], axis=-3), k, zeros_like(k))
    q, z, r, c = unpack(acts, num=4, axis=BLOCK)
    k_z, k_q, k_zz, k_r, k_c = unpack(k, num=5, axis=BLOCK)
    rest, slope = 1 - z, 1 - c * c
    of_c = rest * slope
    of_q = of_c * r
    to_q = k_q + k_r * q * (1 - r)
    to_c = k_c + to_q * r
    to_old = k_zz * z * rest
    g_z = k_z + k_zz * (old - c) * (rest - z) - to_c * slope
    g_r = to_q * of_c - k_r * of_q * q
    g_c = -(to_old + 2 * c * (rest * to_c))
    return to_old, pack(k_r * of_q * (1 - r), g_z, g_r, g_c, axis=BLOCK)


gru_back = Op(
    "GRUGrad",
    _gru_back,
    vjp_all=_gru_back_rule,
    reads="g old acts u mask",
    batch=_batch(lambda: gru_back),
    multi=True,
    shape=lambda g, old, acts, u, *mask: [shape_of(acts), _without_time(g)],
    accepts=FLOAT,
)
"""The cotangents of the sums q, z, r, c and of the first state, from those of all states."""


def _gru_forth(x: Any, w: Any, s: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any) -> Any:
    """The recurrence with the coefficients of ``_gru_slopes``, which are made for some examples at a time."""

    def slopes(some: slice) -> Any:
        part = lambda y: y[..., some] if y.shape[-1] > 1 else y
        return _gru_slopes(delayed(part(h), part(hs), -3), part(acts), [part(m) for m in mask])

    s = s[..., None, :, :]
    if (hs.ndim, acts.ndim) == (3, 4) and pays(x, w, u, _GRU):
        y = by_example(x, w, s, slopes, u, _GRU)
    else:
        y = driven_recurrence.kernel(x, w, s, slopes(slice(None)), u, _GRU)
    return y[..., 0, :, :]


def _gru_forth_rule(
    wanted: Any, g: Any, y: Any, x: Any, w: Any, s: Any, h: Any, hs: Any, acts: Any, u: Any, *mask: Any
) -> list[Any]:
    old = delayed(h, hs, -3)
    c = _gru_slopes(old, acts, mask)
    wanted = [*wanted[:3], any(wanted[3:6]), wanted[6]]
    up = lambda z: expand_dims(z, axis=-3)
    g_x, g_w, g_s, g_c, g_u = driven_rule(wanted, up(g), up(y), x, w, up(s), c, u, form=_GRU)
    g_old, g_acts = _gru_bends(g_c, old, acts, mask)
    g_h, g_hs = (None, None) if g_old is None else earlier(g_old, -3)
    return [g_x, g_w, squeeze(g_s, axis=(-3,)), g_h, g_hs, g_acts, g_u, *[None] * len(mask)]


def _gru_forth_batch(n: int, xs: Any, batched: Any) -> Any:
    """The tangents get the leading axis; the others broadcast, but what the slopes are made of is alike."""
    has = [b or i in (0, 2) or (i in (3, 4, 5) and any(batched[3:6])) for i, b in enumerate(batched)]
    xs = [lead(x, n=n) if h and not b else x for x, h, b in zip(xs, has, batched)]
    return gru_forth(*batch_aligned(n, xs, has, (3, 3, 2, 2, 3, 4, *[3] * (len(xs) - 6))))


gru_forth = Op(
    "GRUTangent",
    _gru_forth,
    vjp_all=_gru_forth_rule,
    batch=_gru_forth_batch,
    shape=lambda x, w, s, h, hs, acts, u, *mask: shape_of(hs),
    accepts=FLOAT,
)
"""The tangents of the states of all steps, from those of the sequence and of the first state."""


def _gru_jvp(ts: Any, y: Any, x: Any, w: Any, h: Any, u: Any, b: Any, *mask: Any) -> Any:
    hs, acts = y
    t_x, t_w, t_h, t_u, t_b = ts[:5]
    first = zeros_like(h) if t_h is None else t_h
    given = _Given(_GRU, t_x, t_w, t_u, t_b, x, w, u, h, hs)
    if given.by_inputs:
        s = gru_forth(t_x, w, first, h, hs, acts, u, *mask)
    else:
        c = _gru_slopes(delayed(h, hs, -3), acts, mask)
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
    batch=_batch(lambda: gru),
    shape=lambda x, w, h, u, b, *mask: [_state_shape(x, h), _state_shape(x, h, (4,))],
    accepts=FLOAT,
)
"""h[t] = z h[t-1] + (1 - z) c with q = u_q h[t-1] + b_q, z = sigmoid(w_z x[t] + u_z h[t-1] + b_z), r likewise, and
c = tanh(w_c x[t] + r q + b_c). w has the blocks z, r, c; u has q, z, r; b has q, z, r, c. Gives h, and q, z, r, c."""


# --- LSTM -----------------------------------------------------------------------------------------------------

_LSTM = Form(states=2, sums=4, given=4, products=4)  # the sums i, f, g, o


@_in_float32
def _lstm(x: Any, w: Any, h: Any, s: Any, u: Any, b: Any, *mask: Any) -> Any:
    p = _entering(w, x)
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
        _to_sigmoid(i_and_f)
        _to_sigmoid(o)
        np.tanh(g, out=g)
        np.multiply(i, g, out=new_h)
        np.multiply(f, s, out=new_s)
        new_s += new_h
        np.tanh(new_s, out=new_h)
        new_h *= o
        _kept(mask, t, new_h, h)
        _kept(mask, t, new_s, s)
        h, s = new_h, new_s
    return steps_back(hs, 3), steps_back(ss, 3), steps_back(acts, 4)


def _lstm_slopes(old: Any, ss: Any, acts: Any, mask: Any) -> Any:
    i, f, g, o = unpack(acts, num=4, axis=BLOCK)
    bent = tanh(ss)
    of_s = o - o * (bent * bent)
    slopes = [f, None, g * (i - i * i), old * (f - f * f), i - i * (g * g), None]
    rows = [None if x is None else of_s * x for x in slopes]
    return _coefficients([slopes, [*rows[:-1], bent * (o - o * o)]], mask)


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
    ct, g_s = _back_through(g_s, extra, _lstm_slopes(delayed(s, ss, -3), ss, acts, mask), u, _LSTM)
    g_u = block_products_to_kernel(ct, delayed(h, hs, -3)) if wanted[4] else None
    g_s, g_h = unpack(g_s, num=2, axis=-3)
    g_b = _per_unit(ct) if wanted[5] else None
    return [*_of_inputs(wanted, ct, x, w), g_h, g_s, g_u, g_b, *[None] * len(mask)]


def _lstm_jvp(ts: Any, y: Any, x: Any, w: Any, h: Any, s: Any, u: Any, b: Any, *mask: Any) -> Any:
    hs, ss, acts = y
    t_x, t_w, t_h, t_s, t_u, t_b = ts[:6]
    zero = zeros_like(h)
    first = pack(zero if t_s is None else t_s, zero if t_h is None else t_h, axis=-3)
    given = _Given(_LSTM, t_x, t_w, t_u, t_b, x, w, u, h, hs)
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
    batch=_batch(lambda: lstm),
    shape=lambda x, w, h, s, u, b, *mask: [
        _state_shape(x, h),
        _state_shape(x, h),
        _state_shape(x, h, (4,)),
    ],
    accepts=FLOAT,
)
"""s[t] = f s[t-1] + i g and h[t] = o tanh(s[t]): i, f, o are the sigmoids, g is the hyperbolic tangent of the blocks of
w x[t] + u h[t-1] + b, in the order i, f, g, o. Gives h, s, and i, f, g, o as blocks."""
