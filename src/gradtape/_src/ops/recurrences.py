"""Linear recurrences: what the derivative of every recurrent network is, forwards and backwards.

A cell bends the sums that enter its units, and those are linear in what came before. So the tangent of its state
follows a recurrence that is linear, with coefficients that are known for all steps at once:

    v[t] = (s[t-1], e[t] + u h[t-1])        h: the last of the states s
    s[t] = c[t] v[t]                        for each unit apart

and the cotangent follows the transposed recurrence, from the last step to the first. The two operations are each
other's rules, hence every order of derivative.

Everything is (time, blocks, units, batch): the units come before the batch, so that each block of units is contiguous.
``c`` is (time, states, states + sums, units, batch), ``e`` (time, sums, units, batch), ``u`` (sums, units, units). The
first sums have a product with h; ``e`` may lack the first ones, and ``u`` the last.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.nan import any_has_nan
from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.native import recurrent as native
from gradtape._src.ops.arithmetic import FLOAT, multiply
from gradtape._src.ops.arrays import expand_dims, ones_like, squeeze, with_axis, zeros_like
from gradtape._src.ops.block_products import as_matrix, block_products, block_products_to_kernel
from gradtape._src.ops.joining import concat, split
from gradtape._src.ops.products import batch_aligned, matmul, times_quietly

TIME, BLOCK = -4, -3  # axes of (time, blocks, units, batch)


class Form(NamedTuple):
    """How many blocks there are of each kind."""

    states: int
    sums: int
    given: int  # the sums that ``e`` has: the last ones
    products: int  # the sums that ``u`` has: the first ones


# --- Kernels ------------------------------------------------------------------------------------------------


def by_step(x: Any, rank: int) -> Any:
    """The steps of an array in front: of the last ``rank`` axes time is the first."""
    return x if x.ndim == rank else np.moveaxis(x, -rank, 0)


def steps_back(x: Any, rank: int) -> Any:
    return x if x.ndim == rank else np.moveaxis(x, 0, -rank)


def _linear_recurrence(e: Any, s: Any, c: Any, u: Any, form: Form) -> Any:
    """With a leading axis, for many tangents, those that have not begun to move are left out."""
    done = native.linear_recurrence(e, s, c, u)
    if done is not None:
        return done
    single = s.ndim == 3
    if single:
        e, s = e[None], s[None]
    e, c = by_step(e, 4), by_step(c, 5)
    states, sums, given, linked = form
    out = np.empty((len(c), *s.shape), s.dtype)
    every = np.empty((*s.shape[:-3], states + sums, *s.shape[-2:]), s.dtype)
    matrix = as_matrix(u)
    for t, n in enumerate(moving(e, s)):
        v, c_t = every[:n], _first(c[t], n, 4)
        v[..., :states, :, :] = s[:n]
        products = v[..., states : states + linked, :, :]
        products[...] = times_quietly(_first(matrix, n, 2), s[:n, ..., -1, :, :]).reshape(products.shape)
        v[..., states + linked :, :, :].fill(0)
        v[..., states + sums - given :, :, :] += e[t, :n]
        s = out[t]
        s[n:] = 0
        if states == 1:
            v *= c_t[..., 0, :, :, :]
            np.add.reduce(v, axis=-3, keepdims=True, out=s[:n])
        else:
            np.add.reduce(c_t * v[..., None, :, :, :], axis=-3, out=s[:n])
    return out[:, 0] if single else steps_back(out, 4)


def _first(x: Any, n: int, rank: int) -> Any:
    """The first n of what has a leading axis before its last ``rank`` ones."""
    return x[:n] if x.ndim > rank and len(x) > 1 else x


def moving(e: Any, s: Any) -> list[int]:
    """For each step, how many of the tangents at the front have to be looked at: behind these all are zero still.

    ``e`` is (time, tangents, ...), ``s`` (tangents, ...).
    """
    n = len(s)
    if n == 1 or s.ndim != 4:
        return [n] * len(e)
    moves = _not_zero(e)
    moves[:1] |= _not_zero(s[None])
    moved = np.logical_or.accumulate(moves, axis=0)
    return [n - int(np.argmax(row[::-1])) if row.any() else 0 for row in moved]


def _not_zero(x: Any) -> Any:
    """Of the first two axes: where there is anything but zeros behind them, by their bits: NaN and -0 are something."""
    bits = x.view(np.dtype(f"i{x.dtype.itemsize}"))
    for _ in range(2, x.ndim):  # one axis after the other: that is fast whatever the order in memory
        bits = np.bitwise_or.reduce(bits, axis=2)
    return bits != 0


def _transposed_recurrence(g: Any, c: Any, u: Any, form: Form) -> Any:
    done = native.transposed_recurrence(g, c, u)
    if done is not None:
        return done
    g, c = by_step(g, 4), by_step(c, 5)
    states, sums, _, linked = form
    lead, size = g.shape[1:-3], g.shape[-2:]
    out = np.empty((len(c), *lead, sums, *size), g.dtype)
    ct = np.zeros(g.shape[1:], g.dtype)
    terms = np.empty((*lead, states, states + sums, *size), g.dtype) if states > 1 else None
    turned = as_matrix(u).swapaxes(-1, -2)
    of_h, of_states, of_sums = ct[..., -1, :, :], c[..., :states, :, :], c[..., states:, :, :]
    for t in range(len(c) - 1, -1, -1):
        w = out[t]
        ct += g[t]
        if terms is None:
            np.multiply(of_sums[t, ..., 0, :, :, :], ct, out=w)
            ct *= of_states[t, ..., 0, :, :, :]
        else:
            np.multiply(c[t], ct[..., :, None, :, :], out=terms)
            np.add.reduce(terms[..., states:, :, :], axis=-4, out=w)
            np.add.reduce(terms[..., :states, :, :], axis=-4, out=ct)
        of_h += times_quietly(turned, as_matrix(w[..., :linked, :, :]))
    return steps_back(out, 4), ct


# --- Kernels of absorbing arithmetic ------------------------------------------------------------------------


def absorbing_recurrence(e: Any, s: Any, c: Any, u: Any, form: Form) -> Any:
    states, sums, given, linked = form
    times, product = multiply.absorbing.kernel, matmul.absorbing.kernel  # type: ignore[union-attr]
    found = []
    for e_t, c_t in zip(by_step(e, 4), by_step(c, 5)):
        products = product(as_matrix(u), s[..., -1, :, :])
        v = np.zeros((*products.shape[:-2], states + sums, *s.shape[-2:]), s.dtype)
        v[..., :states, :, :] = s
        v[..., states : states + linked, :, :] = products.reshape(*v.shape[:-3], linked, *s.shape[-2:])
        v[..., states + sums - given :, :, :] += e_t
        s = np.add.reduce(times(c_t, v[..., None, :, :, :]), axis=-3)
        found.append(s)
    return steps_back(np.stack(found), 4)


def absorbing_transposed(g: Any, c: Any, u: Any, form: Form) -> Any:
    states, linked = form.states, form.products
    times, product = multiply.absorbing.kernel, matmul.absorbing.kernel  # type: ignore[union-attr]
    turned = as_matrix(u).swapaxes(-1, -2)
    ct, found = 0, []
    for g_t, c_t in zip(reversed(by_step(g, 4)), reversed(by_step(c, 5))):
        terms = np.add.reduce(times(c_t, (ct + g_t)[..., None, :, :]), axis=-4)
        ct, w = terms[..., :states, :, :], terms[..., states:, :, :]
        ct[..., -1, :, :] += product(turned, as_matrix(w[..., :linked, :, :]))
        found.append(w)
    return steps_back(np.stack(found[::-1]), 4), ct


# --- Rules --------------------------------------------------------------------------------------------------


def delayed(first: Any, xs: Any, axis: int) -> Any:
    """``xs`` one step later: what each step finds, if ``first`` is there before all."""
    y = concat(expand_dims(first, axis=axis), xs, axis=axis)
    return y[(..., slice(-1), *[slice(None)] * (-axis - 1))]


def block(x: Any, i: int) -> Any:
    """One block of (..., blocks, units, batch), as an array that has one."""
    return x[..., i : i + 1 or None, :, :]


def earlier(x: Any, axis: int) -> tuple[Any, Any]:
    """The cotangents of ``delayed``: the first step of x, and the later ones one step earlier."""
    rest = [slice(None)] * (-axis - 1)
    first = x[(..., slice(0, 1), *rest)]
    later = concat(x[(..., slice(1, None), *rest)], zeros_like(first), axis=axis)
    return squeeze(first, axis=(axis,)), later


def padded(x: Any, before: int, behind: int) -> Any:
    """With so many blocks of zeros before and behind."""
    zeros = zeros_like(block(x, 0))
    return concat(*[zeros] * before, x, *[zeros] * behind, axis=BLOCK) if before or behind else x


def _shared(wanted: Any, g: Any, e: Any, s0: Any, s: Any, c: Any, u: Any, form: Form) -> tuple[Any, Any]:
    """The cotangents of c and u, which the two recurrences have in common: <g, recurrence(e, s0)> is one number."""
    states, sums, given, linked = form
    # Sums that nothing depends on, one a state, give the cotangents of the states themselves.
    of_c = c[..., :states, :, :]
    more = ones_like(of_c) * np.eye(states, dtype=dtype_of(c))[..., None, None]
    wide = form._replace(sums=sums + states)
    w, _ = transposed_recurrence(g, concat(c, more, axis=BLOCK), u, form=wide)
    w, cts = split(w, (sums, states), axis=BLOCK)
    old = delayed(s0, s, TIME)
    h = old[..., -1, :, :]
    g_c = None
    if wanted[0]:
        v = padded(block_products(u, h), 0, sums - linked) + padded(e, sums - given, 0)
        g_c = expand_dims(cts, axis=-3) * expand_dims(concat(old, v, axis=BLOCK), axis=-4)
    return g_c, block_products_to_kernel(w[..., :linked, :, :], h)


def recurrence_rule(wanted: Any, g: Any, s: Any, e: Any, s0: Any, c: Any, u: Any, form: Form) -> list[Any]:
    w, g_s0 = transposed_recurrence(g, c, u, form=form)
    rest = _shared(wanted[2:], g, e, s0, s, c, u, form) if wanted[2] or wanted[3] else (None, None)
    return [w[..., form.sums - form.given :, :, :], g_s0, *rest]


def transposed_rule(wanted: Any, h: Any, y: Any, g: Any, c: Any, u: Any, form: Form) -> list[Any]:
    e, s0 = h
    full = form._replace(given=form.sums)
    s = linear_recurrence(e, s0, c, u, form=full)
    rest = _shared(wanted[1:], g, e, s0, s, c, u, full) if wanted[1] or wanted[2] else (None, None)
    return [s, *rest]


def recurrence_shape(e: Any, s0: Any, c: Any, u: Any, form: Form) -> Any:
    c_shape, s0_shape = shape_of(c), shape_of(s0)
    if c_shape is None:
        return None
    units, batch = c_shape[-2:] if s0_shape is None else s0_shape[-2:]
    return (*c_shape[:-4], form.states, units, batch)


def transposed_shape(g: Any, c: Any, u: Any, form: Form) -> Any:
    shape = shape_of(g)
    if shape is None:
        return [None, None]
    return [(*shape[:-3], form.sums, *shape[-2:]), (*shape[:-4], form.states, *shape[-2:])]


def batch_rule(op: Any, linear: tuple[int, ...], cores: tuple[int, ...]) -> Any:
    """The arguments that the recurrence is linear in get the leading axis; the others broadcast."""

    def batch(n: int, xs: Any, batched: Any, form: Form) -> Any:
        has = [i in linear or b for i, b in enumerate(batched)]
        xs = [with_axis(n, [x], [b])[0] if i in linear else x for i, (x, b) in enumerate(zip(xs, batched))]
        return op()(*batch_aligned(n, xs, has, cores), form=form)

    return batch


def with_care(name: str, kernel: Any, again: Any, **rules: Any) -> Op:
    """An operation whose absorbing form repeats the work by another kernel after a NaN."""

    def absorbed(*args: Any, **params: Any) -> Any:
        y = kernel(*args, **params)
        return again(*args, **params) if any_has_nan(y if type(y) is tuple else (y,)) else y

    rules = {"accepts": FLOAT, **rules}
    return Op(name, kernel, absorbing=Op(name + "Absorbing", absorbed, **rules), **rules)


linear_recurrence = with_care(
    "LinearRecurrence",
    _linear_recurrence,
    absorbing_recurrence,
    vjp_all=recurrence_rule,
    batch=batch_rule(lambda: linear_recurrence, (0, 1), (4, 3, 5, 3)),
    shape=recurrence_shape,
    same_dtype=True,
)
"""The states of all steps, from the sums' tangents e, the first states, the coefficients c and the matrices u."""

transposed_recurrence = with_care(
    "TransposedRecurrence",
    _transposed_recurrence,
    absorbing_transposed,
    vjp_all=transposed_rule,
    reads="g c u",
    multi=True,
    batch=batch_rule(lambda: transposed_recurrence, (0,), (4, 5, 3)),
    shape=transposed_shape,
    same_dtype=True,
)
"""The cotangents of all sums and of the first states, from those of the states g."""
