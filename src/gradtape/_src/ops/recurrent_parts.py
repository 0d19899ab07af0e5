"""What the fused recurrent operations have in common: the ways into and out of their linear recurrence."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import constant
from gradtape._src.ops.arrays import expand_dims, pack, with_axis, zeros_like
from gradtape._src.ops.block_products import (
    block_products,
    block_products_to_kernel,
    block_products_to_sequence,
)
from gradtape._src.ops.driven_recurrence import driven_recurrence
from gradtape._src.ops.recurrences import (
    BLOCK,
    TIME,
    Form,
    by_step,
    delayed,
    earlier,
    linear_recurrence,
    padded,
)
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.selection import select


def in_float32(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Half precision is computed in float32, and rounded at the end."""

    @wraps(kernel)
    def wide(*xs: Any) -> Any:
        dtype = xs[0].dtype
        if dtype.itemsize != 2:
            return kernel(*xs)
        y = kernel(*[x if x.dtype == bool else x.astype(np.float32) for x in xs])
        return tuple([part.astype(dtype) for part in y]) if type(y) is tuple else y.astype(dtype)

    return wide


def to_sigmoid(x: Any) -> None:
    np.negative(x, out=x)
    np.exp(x, out=x)
    one = constant(1, x.dtype)
    x += one
    np.divide(one, x, out=x)


def kept(mask: tuple[Any, ...], t: int, new: Any, old: Any) -> None:
    """Puts the old state back where a step does not count."""
    if mask:
        np.copyto(new, old, where=~by_step(mask[0], 3)[t])


def coefficients(rows: list[list[Any]], mask: tuple[Any, ...]) -> Any:
    """The coefficients of the linear recurrence, from rows of blocks; a step that does not count keeps the states."""
    zero = zeros_like(rows[-1][-1])
    stacked = [pack(*[zero if x is None else x for x in row], axis=BLOCK) for row in rows]
    c = expand_dims(stacked[0], axis=-4) if len(rows) == 1 else pack(*stacked, axis=-4)
    if mask:
        same = np.eye(len(rows), len(rows[0]), dtype=dtype_of(c))[..., None, None]
        c = select(expand_dims(expand_dims(mask[0], axis=-3), axis=-3), c, same)
    return c


def back_through(g: Any, extra: Any, u: Any, form: Form, back: Callable[[Any], Any]) -> tuple[Any, Any]:
    """The cotangents of the sums and of the first states, from those of all states, and of the sums besides.

    Args:
      back: the transposed recurrence, as a function of the cotangents of the states.
    """
    if extra is None:
        return back(g)
    of_h = block_products_to_sequence(u, extra[..., : form.products, :, :])
    of_first, later = earlier(expand_dims(of_h, axis=-3), TIME)
    w, g_first = back(g + padded(later, form.states - 1, 0))
    return w + extra, g_first + padded(of_first, form.states - 1, 0)


def per_unit(x: Any) -> Any:
    """The sum over the steps and the batch: (blocks, units, 1)."""
    return reduce_sum(reduce_sum(x, axis=(TIME,)), axis=(-1,), keepdims=True)


class Given(NamedTuple):
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


def entering(w: Any, x: Any) -> Any:
    """``w x`` for all steps, each a row."""
    return by_step(block_products.kernel(w, x), 4)


def of_inputs(wanted: Any, g: Any, x: Any, w: Any) -> list[Any]:
    """The cotangents of x and w, from those of their product."""
    return [
        block_products_to_sequence(w, g) if wanted[0] else None,
        block_products_to_kernel(g, x) if wanted[1] else None,
    ]


def state_shape(x: Any, h: Any, blocks: tuple[int, ...] = ()) -> Any:
    """(time, units, batch), or (time, blocks, units, batch)."""
    x_shape, h_shape = shape_of(x), shape_of(h)
    if x_shape is None or h_shape is None:
        return None
    return (*x_shape[:-2], *blocks, h_shape[-2], x_shape[-1])


def all_batched(op: Callable[[], Op]) -> Callable[..., Any]:
    return lambda n, xs, batched: op()(*with_axis(n, xs, batched))
