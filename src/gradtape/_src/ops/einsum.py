"""Sums of products over named axes.

An equation here is resolved: no ellipsis, one character an axis, and no label occurs twice in a term. What
the public ``einsum`` cannot bring into this form at once (a repeated label, a label of one operand that the
output lacks) it takes away first with ``einsum_one``. So ``einsum_two`` is closed under its rules: every
label is in two of its three terms at least, and the derivative of ``ij,jk->ik`` in its first operand is
``ik,jk->ij``.

A contraction is planned once an equation and carried out by BLAS, on transposed views wherever no axes need
to be merged. Labels that are not ASCII letters stand for the axes of an ellipsis, which broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, broadcast, in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arithmetic import NUMBER, bilinear
from gradtape._src.ops.arrays import lead
from gradtape._src.ops.products import is_half, times

_FIRST_ELLIPSIS = 0x3B1  # alpha, beta, ...
_FIRST_BATCH = 0x4E00


def ellipsis_labels(count: int) -> str:
    """Labels for the axes of an ellipsis, the last axis first in the alphabet: operands align from the
    right.
    """
    return "".join(chr(_FIRST_ELLIPSIS + i) for i in reversed(range(count)))


class Plan(NamedTuple):
    """How two operands are brought into the form of a matrix product, and its result into the output's."""

    swap: bool  # the operands change places
    shared: tuple[tuple[int, int], ...]  # axes of both operands that must have one size
    order_a: tuple[int, ...]  # of a's axes: batch, free, summed
    order_b: tuple[int, ...]  # of b's axes: batch, summed, free
    batch: int  # how many of each
    free_a: int
    free_b: int
    summed: int
    order_y: tuple[int, ...] | None  # of the result's axes
    expand_a: tuple[Any, ...] | None  # where nothing is summed: indices that align the axes with the output's
    expand_b: tuple[Any, ...] | None


@lru_cache(4096)
def _plan(equation: str) -> Plan:
    left, out = equation.split("->")
    a, b = left.split(",")
    swap = bool(out) and _is_free(out, b, a)
    if swap:
        a, b = b, a
    batch = [c for c in out if c in a and c in b]
    free_a = [c for c in out if c in a and c not in b]
    free_b = [c for c in out if c in b and c not in a]
    summed = [c for c in a if c in b and c not in out]
    shared = tuple((a.index(c), b.index(c)) for c in a if c in b and c.isascii())
    found = batch + free_a + free_b
    order_y = tuple(found.index(c) for c in out)
    if not summed:
        order_a, order_b = (tuple(term.index(c) for c in out if c in term) for term in (a, b))
        expand_a, expand_b = (tuple(slice(None) if c in term else None for c in out) for term in (a, b))
        return Plan(swap, shared, order_a, order_b, len(batch), 0, 0, 0, None, expand_a, expand_b)
    order_a = tuple(a.index(c) for c in batch + free_a + summed)
    order_b = tuple(b.index(c) for c in batch + summed + free_b)
    sizes = (len(batch), len(free_a), len(free_b), len(summed))
    return Plan(swap, shared, order_a, order_b, *sizes, None if list(out) == found else order_y, None, None)


def _is_free(out: str, b: str, a: str) -> bool:
    """Whether the first free label of the output is b's."""
    return next((c in b for c in out if not (c in a and c in b)), False)


def _reordered(x: Any, order: tuple[int, ...]) -> Any:
    return x if order == tuple(range(len(order))) else x.transpose(order)


def _einsum_two(a: Any, b: Any, *, equation: str) -> Any:
    plan = _plan(equation)
    if a.ndim + b.ndim != sum(map(len, equation.split("->")[0].split(","))):
        raise _wrong_rank(equation, a, b)
    if plan.swap:
        a, b = b, a
    for i, j in plan.shared:
        if a.shape[i] != b.shape[j]:
            raise InvalidArgumentError.of(
                f"Expected dimension {a.shape[i]} at axis {j} of the input shaped {in_brackets(b.shape)} but "
                "got "
                f"dimension {b.shape[j]} [Op:Einsum]"
            )
    a, b = _reordered(a, plan.order_a), _reordered(b, plan.order_b)
    if not plan.summed:
        return np.multiply(a[plan.expand_a], b[plan.expand_b])
    y = _contracted(a, b, plan)
    return y if plan.order_y is None else y.transpose(plan.order_y)


def _contracted(a: Any, b: Any, plan: Plan) -> Any:
    batch, rows, columns = (
        plan.batch,
        a.shape[plan.batch : plan.batch + plan.free_a],
        b.shape[b.ndim - plan.free_b :],
    )
    inner_a, inner_b = a.shape[a.ndim - plan.summed :], b.shape[batch : batch + plan.summed]
    if plan.summed > 1 and inner_a != inner_b:  # an ellipsis that is summed may broadcast
        inner = np.broadcast_shapes(inner_a, inner_b)
        a = np.broadcast_to(a, a.shape[: a.ndim - plan.summed] + inner)
        b = np.broadcast_to(b, b.shape[:batch] + inner + columns)
        inner_a = inner_b = inner
    if plan.free_a != 1 or plan.summed != 1:
        a = a.reshape((*a.shape[:batch], prod(rows), prod(inner_a)))
    if plan.free_b != 1 or plan.summed != 1:
        b = b.reshape((*b.shape[:batch], prod(inner_b), prod(columns)))
    if batch and not rows and not columns and a.dtype.char in "fd":
        return np.vecdot(a[..., 0, :], b[..., 0])
    y = times(a, b)
    if plan.free_a == 1 == plan.free_b:
        return y
    return y.reshape((*y.shape[:batch], *rows, *columns))


def _wrong_rank(equation: str, *xs: Any) -> Exception:
    terms = equation.split("->")[0].split(",")
    i, want, got = next((i, len(t), x.ndim) for i, (t, x) in enumerate(zip(terms, xs)) if len(t) != x.ndim)
    return InvalidArgumentError.of(f"Expected input {i} to have rank {want} but got: {got} [Op:Einsum]")


def _sizes(equation: str, xs: Sequence[Any]) -> dict[str, int | None]:
    """The size of each label; None where it is not known."""
    sizes: dict[str, int | None] = {}
    for term, x in zip(equation.split("->")[0].split(","), xs):
        shape = shape_of(x)
        for label, size in zip(term, (None,) * len(term) if shape is None else shape):
            known = (sizes[label], size) if label in sizes else (size,)
            if label.isascii():
                sizes[label] = next((d for d in known if d is not None), None)
            else:
                sizes[label] = broadcast(*((d,) for d in known))[0]  # type: ignore[index]
    return sizes


def _einsum_shape(*xs: Any, equation: str) -> Shape:
    sizes = _sizes(equation, xs)
    return tuple(sizes[label] for label in equation.split("->")[1])


@lru_cache(4096)
def _permuted(equation: str, which: int) -> str:
    left, out = equation.split("->")
    a, b = left.split(",")
    return f"{out},{b}->{a}" if which == 0 else f"{out},{a}->{b}"


@lru_cache(4096)
def _with_axis(equation: str, batched: tuple[bool, ...]) -> str:
    """The equation with a new first axis for the operands that have one, and for the output."""
    label = next(c for c in map(chr, range(_FIRST_BATCH, _FIRST_BATCH + 100)) if c not in equation)
    left, out = equation.split("->")
    terms = [label + term if has else term for term, has in zip(left.split(","), batched)]
    return f"{','.join(terms)}->{label}{out}"


einsum_two = bilinear(
    "Einsum",
    _einsum_two,
    vjp=(
        lambda g, y, a, b, equation: einsum_two(g, b, equation=_permuted(equation, 0)),
        lambda g, y, a, b, equation: einsum_two(g, a, equation=_permuted(equation, 1)),
    ),
    batch=lambda n, xs, batched, equation: einsum_two(*xs, equation=_with_axis(equation, tuple(batched))),
    shape=_einsum_shape,
    accepts=NUMBER,
    same_dtype=True,
)


# --- One operand --------------------------------------------------------------------------------------------


@lru_cache(4096)
def _numbered(equation: str) -> tuple[list[int], list[int]]:
    """The axes of an equation of one operand as NumPy's numbers: of the operand, and of the output."""
    left, out = equation.split("->")
    number = {c: i for i, c in enumerate(dict.fromkeys(left))}
    return [number[c] for c in left], [number[c] for c in out]


def _einsum_one(x: Any, *, equation: str) -> Any:
    axes, out = _numbered(equation)
    if len(axes) != x.ndim:
        raise _wrong_rank(equation, x)
    try:
        if is_half(x.dtype) and set(axes) != set(out):
            return np.asarray(np.einsum(x.astype(np.float32), axes, out)).astype(x.dtype)
        return np.asarray(np.einsum(x, axes, out))
    except ValueError:
        raise InvalidArgumentError.of(
            f"The axes of an input shaped {in_brackets(x.shape)} that have one label in {equation!r} differ "
            "in "
            "size [Op:Einsum]"
        ) from None


def _einsum_back(g: Any, like: Any, *, equation: str) -> Any:
    axes, out = _numbered(equation)
    if not axes:
        return g
    left, right = equation.split("->")
    sizes = dict(zip(left[::-1], like.shape[::-1])) | dict(zip(right, g.shape))
    y = np.zeros([sizes[c] for c in left], g.dtype)
    gone = [i for i in dict.fromkeys(axes) if i not in out]
    diagonal: Any = np.einsum(y, axes, out + gone)  # type: ignore[call-overload]
    diagonal[...] = g[(..., *(None,) * len(gone))]
    return y


def _einsum_back_shape(g: Any, like: Any, *, equation: str) -> Shape:
    left, right = equation.split("->")
    sizes: dict[str, int | None] = dict(zip(left[::-1], (shape_of(like) or (None,) * len(left))[::-1]))
    sizes |= dict(zip(right, shape_of(g) or ()))
    return tuple(sizes.get(label) for label in left)


einsum_one = Op(
    "Einsum",
    _einsum_one,
    vjp=lambda g, y, x, equation: einsum_back(g, x, equation=equation),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, equation: einsum_one(xs[0], equation=_with_axis(equation, (True,))),
    shape=_einsum_shape,
    accepts=NUMBER,
)
"""A transpose, diagonal or sum: labels may be repeated in the operand, and the output may lack some."""

einsum_back = Op(
    "EinsumBack",
    _einsum_back,
    vjp=(lambda g, y, x, like, equation: einsum_one(g, equation=equation), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, equation: einsum_back(
        xs[0] if batched[0] else lead(xs[0], n=n), xs[1], equation=_with_axis(equation, (True,))
    ),
    shape=_einsum_back_shape,
)
"""The transpose of ``einsum_one`` of the same equation: what it summed is repeated, diagonals are filled
in.
"""
