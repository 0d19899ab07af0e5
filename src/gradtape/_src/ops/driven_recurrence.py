"""A linear recurrence that a sequence drives: the tangents of a recurrent network, from those of what it reads.

    s[t] = c[t] (s[t-1], w x[t] + u h[t-1])        as in ``recurrences.py``, with e = w x

For a few tangents that is the product of all steps with w, and the recurrence. For many it costs less to make, for each
example, the one matrix that takes (h[t-1], x[t]) to s[t]: all blocks of u and w are in it, weighted and summed, and
the sums of all steps are never there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.native import recurrent as native
from gradtape._src.ops.block_products import (
    block_products,
    block_products_to_kernel,
    block_products_to_sequence,
)
from gradtape._src.ops.recurrences import (
    Form,
    absorbing_recurrence,
    batch_rule,
    linear_recurrence,
    moving,
    recurrence_rule,
    recurrence_shape,
    with_care,
)

_CHUNK = 3 << 15  # elements of the matrices of all examples that are done together: a cache holds them


def _driven(x: Any, w: Any, s: Any, c: Any, u: Any, form: Form) -> Any:
    shared = c.ndim == 5 or (c.ndim == 6 and len(c) == 1)
    if shared and pays(x, w, u, form):
        c = c if c.ndim == 5 else c[0]
        return by_example(x, w, s, lambda some: c[..., some], u, form)
    return linear_recurrence.kernel(block_products.kernel(w, x), s, c, u, form)


def pays(x: Any, w: Any, u: Any, form: Form) -> bool:
    """Whether there are so many tangents that the matrices, which they share, cost less than they save."""
    if x.ndim != 4 or w.ndim != 3 or u.ndim != 3 or x.dtype.itemsize == 2:
        return False
    return len(x) * (form.products - form.states) > 2 * form.states * form.sums


def by_example(x: Any, w: Any, s: Any, c: Callable[[slice], Any], u: Any, form: Form) -> Any:
    """The recurrence with a matrix for each example. The tangents are the last axis inside, the first of the result.

    Args:
      c: gives the coefficients of some examples.
    """
    states, sums, given, linked = form
    n, steps, inputs, batch = x.shape
    units = u.shape[-1]
    done = native.driven_recurrence(x, w, s, c, u)
    if done is not None:
        return done.transpose(4, 0, 1, 3, 2)
    out = np.empty((steps, states, batch, units, n), x.dtype)
    blocks = np.zeros((units, sums, units + inputs), u.dtype)
    blocks[:, :linked, :units] = u.swapaxes(0, 1)
    blocks[:, sums - given :, units:] = w.swapaxes(0, 1)
    first, x = s.transpose(1, 3, 2, 0), x.transpose(1, 3, 2, 0)
    moves = moving(x.transpose(0, 3, 1, 2), first.transpose(3, 0, 1, 2))
    size = max(1, min(batch, _CHUNK // max(1, units * (units + inputs))))
    read = np.empty((size, units + inputs, n), x.dtype)
    matrices = np.empty((size, units, units + inputs), x.dtype)
    for start in range(0, batch, size):
        some = slice(start, start + size)
        m = len(first[0, some])
        _run(out[:, :, some], x[:, some], first[:, some], c(some), blocks, moves, read[:m], matrices[:m])
    return out.transpose(4, 0, 1, 3, 2)


def _run(out: Any, x: Any, old: Any, c: Any, blocks: Any, moves: list[int], read: Any, matrices: Any) -> None:
    """All steps of some examples. ``read`` and ``matrices`` are space for what enters a step, and for its matrices."""
    states, units = len(old), out.shape[-2]
    diagonals = np.einsum("bii->bi", matrices[..., :units])
    for new, x_t, c_t, k in zip(out, x, c, moves):
        read[:, :units, :k] = old[-1, ..., :k]
        read[:, units:, :k] = x_t[..., :k]
        new[..., k:] = 0
        for row, y in zip(c_t, new[..., :k]):
            np.matmul(row[states:].transpose(1, 2, 0), blocks, out=matrices.swapaxes(0, 1))
            diagonals += row[states - 1].T
            np.matmul(matrices, read[..., :k], out=y)
            for of_other, other in zip(row[: states - 1], old):
                y += of_other.T[..., None] * other[..., :k]
        old = new


def driven_rule(
    wanted: Any, g: Any, s: Any, x: Any, w: Any, s0: Any, c: Any, u: Any, form: Form
) -> list[Any]:
    e = block_products(w, x) if wanted[3] or wanted[4] else x
    g_e, *rest = recurrence_rule([True, *wanted[2:]], g, s, e, s0, c, u, form)
    g_x = block_products_to_sequence(w, g_e) if wanted[0] else None
    g_w = block_products_to_kernel(g_e, x) if wanted[1] else None
    return [g_x, g_w, *rest]


def absorbing_driven(x: Any, w: Any, s: Any, c: Any, u: Any, form: Form) -> Any:
    e = block_products.absorbing.kernel(w, x)  # type: ignore[union-attr]
    return absorbing_recurrence(e, s, c, u, form)


driven_recurrence = with_care(
    "DrivenRecurrence",
    _driven,
    absorbing_driven,
    vjp_all=driven_rule,
    batch=batch_rule(lambda: driven_recurrence, (0, 2), (3, 3, 3, 5, 3)),
    shape=lambda x, w, s0, c, u, form: recurrence_shape(x, s0, c, u, form),
    same_dtype=True,
)
"""The states of all steps, from the tangents x of a sequence, the kernel w of its blocks, the first states, the
coefficients c and the matrices u."""
