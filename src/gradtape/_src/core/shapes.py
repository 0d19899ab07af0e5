"""Static shapes: the arithmetic that shape rules are written in.

Inside the package a shape is a plain `tuple[int | None, ...]`, with None for a dimension that is not known,
or None for a shape whose rank is not known. Everything here takes and gives such shapes, and raises
ValueError, as TensorFlow does while it builds a graph, naming every shape involved. What users see,
`tf.TensorShape`, wraps one such tuple and lives in `tensor_shape.py`.

Rests on the standard library only.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

Shape = tuple[int | None, ...] | None


# --- Text ---------------------------------------------------------------------------------------------------


def as_text(shape: Shape) -> str:
    """A shape as users read it: `(2, None)`, or `<unknown>`."""
    return "<unknown>" if shape is None else str(tuple(shape))


def in_brackets(shape: Shape) -> str:
    """A shape as the messages of operations write it: `[2,?]`."""
    return "<unknown>" if shape is None else "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


# --- What is known ------------------------------------------------------------------------------------------


def is_known(shape: Shape) -> bool:
    """Whether the rank and every dimension are known."""
    return shape is not None and None not in shape


def size_of(shape: Shape) -> int | None:
    """The number of elements, or None."""
    if shape is None:
        return None
    size = 1
    for dim in shape:
        if dim is None:
            return None
        size *= dim
    return size


def compatible(a: Shape, b: Shape) -> bool:
    """Whether one array could have both shapes."""
    if a is None or b is None or a == b:
        return True
    return len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True))


def merge(a: Shape, b: Shape) -> Shape:
    """All that is known of an array that has both shapes; ValueError if no array can."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    if not compatible(a, b):
        raise ValueError(f"Shapes {as_text(a)} and {as_text(b)} are not compatible")
    return tuple(n if m is None else m for m, n in zip(a, b, strict=True))


def relax(a: Shape, b: Shape) -> Shape:
    """The most specific shape that describes arrays of either shape: what differs becomes unknown."""
    if a is None or b is None or len(a) != len(b):
        return None
    return a if a == b else tuple(m if m == n else None for m, n in zip(a, b, strict=True))


# --- Shape rules --------------------------------------------------------------------------------------------


def broadcast(*shapes: Shape) -> Shape:
    """The shape of an elementwise operation on arrays of these shapes.

    A dimension that is not known is taken to fit: against n > 1 it must turn out to be 1 or n, so the result
    is n; against 1 it stays unknown.
    """
    result: Shape = shapes[0] if shapes else ()
    for shape in shapes[1:]:
        if shape != result:
            result = _broadcast_two(result, shape, shapes)
    return result


def _broadcast_two(a: Shape, b: Shape, shapes: tuple[Shape, ...]) -> Shape:
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    missing = len(a) - len(b)
    out = list(a)
    for i, n in enumerate(b, missing):
        m = out[i]
        if m == n or n == 1:
            continue
        if m == 1 or (m is None and n is not None):
            out[i] = n
        elif n is not None:
            raise ValueError(
                f"Incompatible shapes: {' vs. '.join(map(in_brackets, shapes))}. "
                f"Counted from the right, dimensions must be equal or 1, but two are {m} and {n}."
            )
    return tuple(out)


def normalize_axis(axis: Any, rank: int | None, name: str = "axis") -> int:
    """`axis` counted from the front. If the rank is not known, it comes back as it is."""
    try:
        index = operator.index(axis)
    except TypeError:
        raise TypeError(f"Argument `{name}` must be an integer, got {axis!r} of type {type(axis)}.") from None
    if rank is None:
        return index
    if not -rank <= index < rank:
        raise ValueError(f"Argument `{name}` = {index} not in range [{-rank}, {rank})")
    return index + rank if index < 0 else index


def normalize_axes(axes: Any, rank: int) -> tuple[int, ...]:
    """The axes of a reduction counted from the front: None means all, one integer or any sequence of them."""
    if axes is None:
        return tuple(range(rank))
    try:
        found = (operator.index(axes),)
    except TypeError:
        found = tuple(map(operator.index, axes))
    out = []
    for axis in found:
        if not -rank <= axis < rank:
            raise ValueError(f"Invalid reduction dimension {axis} for input with {rank} dimension(s)")
        out.append(axis % rank)
    if len(set(out)) < len(out):
        double = next(a for i, a in enumerate(out) if a in out[:i])
        raise ValueError(f"Invalid reduction arguments: Axes contains duplicate dimension: {double}")
    return tuple(out)


def reduce_shape(shape: Shape, axes: Any = None, keepdims: bool = False) -> Shape:
    """The shape after reducing over `axes` (None: all of them)."""
    if shape is None:
        return () if axes is None and not keepdims else None
    gone = normalize_axes(axes, len(shape))
    if keepdims:
        return tuple(1 if i in gone else dim for i, dim in enumerate(shape))
    return tuple(dim for i, dim in enumerate(shape) if i not in gone)


def concat_shape(shapes: Sequence[Shape], axis: Any) -> Shape:
    """The shape of these arrays joined along an axis that they have."""
    known = [(i, s) for i, s in enumerate(shapes) if s is not None]
    if not known:
        return None
    first, model = known[0]
    rank = len(model)
    if rank == 0:
        raise ValueError("ConcatOp : Can't concatenate scalars (use tf.stack instead)")
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise ValueError(
            f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got {axis}"
        )
    axis %= rank
    out, total = list(model), 0
    for i, shape in known:
        wrong = "Ranks of all input tensors should match" if len(shape) != rank else None
        for k, n in enumerate(shape[:rank]):
            if k != axis and n is not None:
                if out[k] not in (None, n):
                    wrong = wrong or f"Dimension {k} in both shapes must be equal"
                out[k] = n
        if wrong:
            a, b = in_brackets(model), in_brackets(shape)
            raise ValueError(f"ConcatOp : {wrong}: shape[{first}] = {a} vs. shape[{i}] = {b}")
        length = shape[axis]
        total = None if total is None or length is None else total + length
    out[axis] = total if len(known) == len(shapes) else None
    return tuple(out)


def stack_shape(shapes: Sequence[Shape], axis: Any = 0) -> Shape:
    """The shape of these arrays, all of one shape, joined along a new axis."""
    merged: Shape = None
    for i, shape in enumerate(shapes):
        if not compatible(merged, shape):
            raise ValueError(
                f"Shapes of all inputs must match: values[0].shape = {in_brackets(shapes[0])} "
                f"!= values[{i}].shape = {in_brackets(shape)}"
            )
        merged = merge(merged, shape)
    if merged is None:
        return None
    axis = normalize_axis(axis, len(merged) + 1)
    return (*merged[:axis], len(shapes), *merged[axis:])


def matmul_shape(a: Shape, b: Shape, transpose_a: bool = False, transpose_b: bool = False) -> Shape:
    """The shape of a product of matrices, or of batches of matrices whose leading dimensions broadcast."""
    if (a is not None and len(a) < 2) or (b is not None and len(b) < 2):
        if a is not None and b is not None and len(a) != len(b):
            start = f"In[0] and In[1] has different ndims: {in_brackets(a)} vs. {in_brackets(b)}."
        else:
            start = f"In[0] and In[1] ndims must be >= 2: {in_brackets(a)} and {in_brackets(b)}."
        raise ValueError(f"{start} A matrix times a vector is tf.linalg.matvec, two vectors tf.tensordot.")
    if a is None or b is None:
        return None
    rows, inner_a = (a[-1], a[-2]) if transpose_a else (a[-2], a[-1])
    inner_b, columns = (b[-1], b[-2]) if transpose_b else (b[-2], b[-1])
    if inner_a is not None and inner_b is not None and inner_a != inner_b:
        flags = f" with {transpose_a=}, {transpose_b=}" if transpose_a or transpose_b else ""
        raise ValueError(
            f"Matrix size-incompatible: In[0]: {in_brackets(a)}, In[1]: {in_brackets(b)}{flags}. "
            f"The inner dimensions must be equal, but are {inner_a} and {inner_b}."
        )
    try:
        batch = broadcast(a[:-2], b[:-2]) or ()
    except ValueError:
        raise ValueError(
            f"In[0] and In[1] must have compatible batch dimensions: {in_brackets(a)} vs. {in_brackets(b)}"
        ) from None
    return (*batch, rows, columns)


def reshape_shape(shape: Shape, target: Sequence[int | None]) -> Shape:
    """The shape `target`, with its -1 worked out where the sizes are known; None in it is an unknown."""
    for i, dim in enumerate(target):
        if dim is not None and dim < -1:
            raise ValueError(f"Size {i} must be non-negative, not {dim}")
    holes = [i for i, dim in enumerate(target) if dim == -1]
    if len(holes) > 1:
        raise ValueError(f"Only one input size may be -1, not both {holes[0]} and {holes[1]}")
    out = [None if dim == -1 else dim for dim in target]
    have, rest = size_of(shape), size_of(tuple(dim for dim in target if dim != -1))
    if have is None or rest is None:
        return tuple(out)
    start = f"Input to reshape is a tensor with {have} values, but the requested shape"
    if not holes:
        if have != rest:
            raise ValueError(f"{start} has {rest}: {in_brackets(shape)} to {in_brackets(tuple(target))}")
        return tuple(out)
    if have % rest if rest else have:
        raise ValueError(f"{start} requires a multiple of {rest}: {in_brackets(shape)} to {list(target)}")
    if rest == 0:  # empty to empty: zeros say nothing, so the other sizes decide
        have = size_of(tuple(dim for dim in shape or () if dim))
        rest = size_of(tuple(dim for dim in target if dim not in (0, -1)))
    assert have is not None and rest
    out[holes[0]] = have // rest
    return tuple(out)
