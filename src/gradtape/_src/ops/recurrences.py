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

from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.arrays import expand_dims, ones_like, squeeze, with_axis, zeros_like
from gradtape._src.ops.block_products import as_matrix, block_products, block_products_to_kernel
from gradtape._src.ops.joining import concat, split
from gradtape._src.ops.products import times_quietly

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
    e, c = by_step(e, 4), by_step(c, 5)
    states, sums, given, linked = form
    lead, size = s.shape[:-3], s.shape[-2:]
    out = np.empty((len(c), *s.shape), s.dtype)
    v = np.empty((*lead, states + sums, *size), s.dtype)
    terms = v[..., None, :, :, :] if states == 1 else np.empty((*lead, states, *v.shape[-3:]), s.dtype)
    old, products = v[..., :states, :, :], v[..., states : states + linked, :, :]
    rest, forced = v[..., states + linked :, :, :], v[..., states + sums - given :, :, :]
    matrix = as_matrix(u)
    for t in range(len(c)):
        old[...] = s
        products[...] = times_quietly(matrix, s[..., -1, :, :]).reshape(products.shape)
        rest.fill(0)
        forced += e[t]
        np.multiply(c[t], v[..., None, :, :, :], out=terms)
        s = np.add.reduce(terms, axis=-3, out=out[t])
    return steps_back(out, 4)


def _transposed_recurrence(g: Any, c: Any, u: Any, form: Form) -> Any:
    g, c = by_step(g, 4), by_step(c, 5)
    states, sums, _, linked = form
    lead, size = g.shape[1:-3], g.shape[-2:]
    out = np.empty((len(c), *lead, states + sums, *size), g.dtype)
    ct = np.zeros(g.shape[1:], g.dtype)
    terms = np.empty((*lead, states, states + sums, *size), g.dtype)
    turned = as_matrix(u).swapaxes(-1, -2)
    for t in range(len(c) - 1, -1, -1):
        v = out[t]
        ct += g[t]
        if states == 1:
            np.multiply(c[t, ..., 0, :, :, :], ct, out=v)
        else:
            np.multiply(c[t], ct[..., :, None, :, :], out=terms)
            np.add.reduce(terms, axis=-4, out=v)
        ct[...] = v[..., :states, :, :]
        ct[..., -1, :, :] += times_quietly(turned, as_matrix(v[..., states : states + linked, :, :]))
    return steps_back(out[..., states:, :, :], 4), ct


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


def _recurrence_rule(wanted: Any, g: Any, s: Any, e: Any, s0: Any, c: Any, u: Any, form: Form) -> list[Any]:
    w, g_s0 = transposed_recurrence(g, c, u, form=form)
    rest = _shared(wanted[2:], g, e, s0, s, c, u, form) if wanted[2] or wanted[3] else (None, None)
    return [w[..., form.sums - form.given :, :, :], g_s0, *rest]


def _transposed_rule(wanted: Any, h: Any, y: Any, g: Any, c: Any, u: Any, form: Form) -> list[Any]:
    e, s0 = h
    full = form._replace(given=form.sums)
    s = linear_recurrence(e, s0, c, u, form=full)
    rest = _shared(wanted[1:], g, e, s0, s, c, u, full) if wanted[1] or wanted[2] else (None, None)
    return [s, *rest]


def _shape(e: Any, s0: Any, c: Any, u: Any, form: Form) -> Any:
    c_shape, s0_shape = shape_of(c), shape_of(s0)
    if c_shape is None:
        return None
    units, batch = c_shape[-2:] if s0_shape is None else s0_shape[-2:]
    return (*c_shape[:-4], form.states, units, batch)


def _transposed_shape(g: Any, c: Any, u: Any, form: Form) -> Any:
    shape = shape_of(g)
    if shape is None:
        return [None, None]
    return [(*shape[:-3], form.sums, *shape[-2:]), (*shape[:-4], form.states, *shape[-2:])]


linear_recurrence = Op(
    "LinearRecurrence",
    _linear_recurrence,
    vjp_all=_recurrence_rule,
    batch=lambda n, xs, batched, form: linear_recurrence(*with_axis(n, xs, batched), form=form),
    shape=_shape,
    accepts=FLOAT,
    same_dtype=True,
)
"""The states of all steps, from the sums' tangents e, the first states, the coefficients c and the matrices u."""

transposed_recurrence = Op(
    "TransposedRecurrence",
    _transposed_recurrence,
    vjp_all=_transposed_rule,
    reads="g c u",
    multi=True,
    batch=lambda n, xs, batched, form: transposed_recurrence(*with_axis(n, xs, batched), form=form),
    shape=_transposed_shape,
    accepts=FLOAT,
    same_dtype=True,
)
"""The cotangents of all sums and of the first states, from those of the states g."""
