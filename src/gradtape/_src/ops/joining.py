"""Arrays put together, taken apart, repeated and padded.

``concat`` and ``split`` are each other's transpose, as are ``pack`` and ``unpack`` (in ``arrays.py``),
``tile`` and ``untile``, ``pad`` and ``unpad``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, concat_shape, in_brackets, normalize_axis
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import (
    behind,
    first_and_likes,
    refusal,
    shape_with_axis,
    static,
    with_axis,
    zeros_array,
    zeros_like,
)
from gradtape._src.ops.arrays import pack as pack
from gradtape._src.ops.arrays import unpack as unpack

# --- Concatenation ------------------------------------------------------------------------------------------


def _concat_shape(*xs: Any, axis: int) -> Shape:
    return concat_shape(list(map(shape_of, xs)), axis)


def _concat(*xs: Any, axis: int) -> Any:
    try:
        return np.concatenate(xs, axis)
    except ValueError:
        raise refusal("ConcatV2", _concat_shape, *xs, axis=axis) from None


def _concat_jvp(ts: Any, y: Any, *xs: Any, axis: int) -> Any:
    return concat(*[zeros_like(x) if t is None else t for t, x in zip(ts, xs)], axis=axis)


concat = Op(
    "ConcatV2",
    _concat,
    vjp_all=lambda wanted, g, y, *xs, axis: split_like(g, *xs, axis=axis),
    reads="",
    jvp=_concat_jvp,
    batch=lambda n, xs, batched, axis: concat(*with_axis(n, xs, batched), axis=behind(axis)),
    same_dtype=True,
    shape=_concat_shape,
)


def _parts(x: Any, sizes: Any, axis: int) -> tuple[Any, ...]:
    before = (slice(None),) * (axis % x.ndim)
    out, end = [], 0
    for n in sizes:
        begin, end = end, end + n
        out.append(x[(*before, slice(begin, end))])
    return tuple(out)


def _split_like_batched(n: int, xs: Any, batched: Any, axis: int) -> Any:
    return split_like(*first_and_likes(n, xs, batched), axis=behind(axis))


split_like = Op(
    "SplitLike",
    lambda g, *likes, axis: _parts(g, [like.shape[axis] for like in likes], axis),
    vjp_all=lambda wanted, h, y, g, *likes, axis: [concat(*h, axis=axis)],
    reads="",
    linear=(0,),
    batch=_split_like_batched,
    multi=True,
    shape=lambda g, *likes, axis: list(map(shape_of, likes)),
)
"""The pieces of an array that have the shapes of ``likes``: undoes their concatenation."""


def _full_sizes(dims: Shape, sizes: Any, axis: int) -> list[int | None]:
    """The lengths of the parts, with the -1 worked out if the total is known."""
    if dims is None:
        return [None if n == -1 else n for n in sizes]
    rank = len(dims)
    if not -rank <= axis < rank:
        raise ValueError(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}")
    total = dims[axis]
    if sum(n == -1 for n in sizes) > 1:
        raise ValueError("There can only be one -1 in the input.")
    for i, n in enumerate(sizes):
        if n < -1:
            raise ValueError(f"Split size at index {i} must be >= 0. Got: {n}")
    given = sum(n for n in sizes if n != -1)
    if total is None:
        return [None if n == -1 else n for n in sizes]
    if given > total or (given < total and -1 not in sizes):
        raise ValueError(
            "Determined shape must either match input shape along split_dim exactly if fully specified, or "
            f"be less than the size of the input along split_dim if not fully specified.  Got: {given}"
        )
    return [total - given if n == -1 else n for n in sizes]


def _split_shape(x: Any, sizes: Any, axis: int, num: int | None = None) -> list[Shape]:
    dims, known = shape_of(x), static(sizes)
    count: Any = num if known is None else len(known)
    if known is not None and num not in (None, count):
        raise ValueError(
            "size of the split_tensor must be 1-D and have the same elements as outputs "
            f"got 1 -D and {count} elements"
        )
    if known is None or None in known:
        known = (-2,) * count
        lengths: Any = [None] * count
    else:
        lengths = _full_sizes(dims, known, axis)
    if dims is None:
        return [None] * count
    axis = normalize_axis(axis, len(dims))
    return [(*dims[:axis], n, *dims[axis + 1 :]) for n in lengths]


def _split(x: Any, sizes: Any, axis: int, num: int | None = None) -> Any:
    sizes = sizes.tolist() if isinstance(sizes, np.ndarray) else sizes
    try:
        if num not in (None, len(sizes)):
            raise ValueError
        return _parts(x, _full_sizes(x.shape, sizes, axis), axis)
    except ValueError:
        raise refusal("SplitV", _split_shape, x, sizes, axis, num) from None


def _split_batched(n: int, xs: Any, batched: Any, axis: int, **params: Any) -> Any:
    if any(batched[1:]):
        return NotImplemented
    return split(*xs, axis=behind(axis), **params)


split = Op(
    "SplitV",
    _split,
    vjp_all=lambda wanted, g, y, *xs, axis, **params: [concat(*g, axis=axis)],
    reads="",
    jvp=lambda ts, y, *xs, axis, **params: split_like(ts[0], *y, axis=axis),
    batch=_split_batched,
    multi=True,
    shape=_split_shape,
)
"""``sizes``: the parts' lengths, one of them -1 for the rest. ``num``: how many, if a graph cannot see it."""


def _split_even_shape(x: Any, num: int, axis: int) -> list[Shape]:
    dims: Any = shape_of(x)
    if dims is None:
        return [None] * num
    rank = len(dims)
    if not -rank <= axis < rank:
        raise ValueError(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}")
    axis %= rank
    n = dims[axis]
    if n is not None and n % num:
        raise ValueError(
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis} (size = {n}) and num_split {num}"
        )
    return [(*dims[:axis], None if n is None else n // num, *dims[axis + 1 :])] * num


def _split_even(x: Any, num: int, axis: int) -> Any:
    dims = x.shape
    if not -len(dims) <= axis < len(dims) or dims[axis] % num:
        raise refusal("Split", _split_even_shape, x, num, axis)
    return _parts(x, (dims[axis] // num,) * num, axis)


split_even = Op(
    "Split",
    _split_even,
    vjp_all=lambda wanted, g, y, x, num, axis: [concat(*g, axis=axis)],
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, num, axis: split_even(xs[0], num=num, axis=behind(axis)),
    multi=True,
    shape=_split_even_shape,
)

# --- Repetition ---------------------------------------------------------------------------------------------


def _tile_shape(x: Any, multiples: Any) -> Shape:
    dims, times = shape_of(x), static(multiples)
    if dims is None or times is None:
        known = times if dims is None else dims
        return None if known is None else (None,) * len(known)
    if len(dims) != len(times):
        raise ValueError(
            f"Expected multiples argument to be a vector of length {len(dims)} but got length {len(times)}"
        )
    for i, m in enumerate(times):
        if m is not None and m < 0:
            raise ValueError(f"Expected multiples[{i}] >= 0, but got {m}")
    return tuple(None if n is None or m is None else n * m for n, m in zip(dims, times))


def _tile(x: Any, multiples: Any) -> Any:
    times = multiples.tolist() if isinstance(multiples, np.ndarray) else multiples
    dims = x.shape
    if len(dims) != len(times) or min(times, default=0) < 0:
        raise refusal("Tile", _tile_shape, x, multiples)
    out = np.empty([n * m for n, m in zip(dims, times)], x.dtype)
    # Seen with one axis for the repetitions before each axis of x, the tiled array is x broadcast.
    blocks = out.reshape([k for pair in zip(times, dims) for k in pair])
    blocks[...] = x.reshape([k for n in dims for k in (1, n)])
    return out


def _tile_batched(n: int, xs: Any, batched: Any) -> Any:
    return NotImplemented if batched[1] else tile(xs[0], shape_with_axis(1, xs[1]))


tile = Op(
    "Tile",
    _tile,
    vjp=(lambda g, y, x, multiples: untile(g, x), None),
    reads="",
    linear=(0,),
    batch=_tile_batched,
    shape=_tile_shape,
)
"""``multiples`` is a tuple of ints or an integer vector."""


def _tile_like(x: Any, like: Any) -> Any:
    """Repeats x to the shape of ``like``; along an axis of length 0 there is nothing to repeat."""
    return _tile(x, tuple([m // n if n else 0 for n, m in zip(x.shape, like.shape)]))


def _untile(g: Any, like: Any) -> Any:
    dims = like.shape
    blocks = [k for n, m in zip(dims, g.shape) for k in (m // n if n else 0, n)]
    return np.add.reduce(g.reshape(blocks), axis=tuple(range(0, 2 * len(dims), 2)))


untile = Op(
    "Untile",
    _untile,
    vjp=(lambda h, y, g, like: tile_like(h, g), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: untile(*first_and_likes(n, xs, batched)),
    shape=lambda g, like: shape_of(like),
)
"""Sums the repetitions in ``g`` of an array of the shape of ``like``."""

tile_like = Op(
    "TileLike",
    _tile_like,
    vjp=(lambda g, y, x, like: untile(g, x), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: tile_like(*first_and_likes(n, xs, batched)),
    shape=lambda x, like: shape_of(like),
)


def _repeat_shape(x: Any, repeats: Any, axis: int) -> Shape:
    dims: Any = shape_of(x)
    if dims is None:
        return None
    axis = normalize_axis(axis, len(dims))
    times = _known_repeats(repeats)
    n = dims[axis]
    if times is None:
        total = None
    elif isinstance(times, int):
        total = None if n is None else n * times
    else:
        total = sum(max(t, 0) for t in times)
    return (*dims[:axis], total, *dims[axis + 1 :])


def _known_repeats(repeats: Any) -> Any:
    if isinstance(repeats, (int, tuple)):
        return repeats
    return repeats.tolist() if isinstance(repeats, np.ndarray) else None


def _repeat(x: Any, repeats: Any, axis: int) -> Any:
    return np.repeat(x, np.maximum(np.asarray(repeats, np.intp), 0), axis)


def _unrepeat(g: Any, repeats: Any, like: Any, axis: int) -> Any:
    axis %= g.ndim
    n = like.shape[axis]
    times = np.maximum(np.asarray(repeats, np.intp), 0)
    if times.ndim == 0 and times:
        return np.add.reduce(g.reshape((*g.shape[:axis], n, int(times), *g.shape[axis + 1 :])), axis=axis + 1)
    out = np.zeros(like.shape, g.dtype)
    if g.size:
        some = np.flatnonzero(times)
        starts = np.cumsum(times)[some] - times[some]
        out[(slice(None),) * axis + (some,)] = np.add.reduceat(g, starts, axis)
    return out


repeat = Op(
    "Repeat",
    _repeat,
    vjp=(lambda g, y, x, repeats, axis: unrepeat(g, repeats, x, axis=axis), None),
    reads="repeats",
    linear=(0,),
    batch=lambda n, xs, batched, axis: (
        NotImplemented if batched[1] else repeat(xs[0], xs[1], axis=behind(axis))
    ),
    shape=_repeat_shape,
)
"""Repeats element i along ``axis`` ``repeats[i]`` times; ``repeats`` is an int, a tuple or a tensor."""


def _unrepeat_batched(n: int, xs: Any, batched: Any, axis: int) -> Any:
    g, repeats, like = xs
    if batched[1]:
        return NotImplemented
    g, like = first_and_likes(n, [g, like], [batched[0], batched[2]])
    return unrepeat(g, repeats, like, axis=behind(axis))


unrepeat = Op(
    "Unrepeat",
    _unrepeat,
    vjp=(lambda h, y, g, repeats, like, axis: repeat(h, repeats, axis=axis), None, None),
    reads="repeats",
    linear=(0,),
    batch=_unrepeat_batched,
    shape=lambda g, repeats, like, axis: shape_of(like),
)
"""Sums the repetitions in ``g`` of an array of the shape of ``like``."""

# --- Padding ------------------------------------------------------------------------------------------------


def _pairs(paddings: Any) -> Any:
    return paddings.tolist() if isinstance(paddings, np.ndarray) else paddings


def matrix_shape(paddings: Any) -> tuple[int, ...]:
    """The shape of paddings; ``()`` are those of a scalar."""
    if type(paddings) is tuple:  # of tuples: quicker than by way of an array
        return (len(paddings), len(paddings[0]) if paddings else 2)
    return np.shape(paddings)


def _pad_shape(x: Any, paddings: Any, value: Any = None) -> Shape:
    dims: Any = shape_of(x)
    if not isinstance(paddings, (tuple, list, np.ndarray)):
        return None if dims is None else (None,) * len(dims)
    shape = matrix_shape(paddings)
    if len(shape) != 2 or shape[1] != 2:
        raise ValueError(f"paddings must be a matrix with 2 columns: {in_brackets(shape)}")
    if dims is None:
        return (None,) * shape[0]
    if shape[0] != len(dims):
        raise ValueError(
            "The first dimension of paddings must be the rank of inputs"
            f"{in_brackets(shape)} {in_brackets(dims)}"
        )
    out = []
    for n, (before, after) in zip(dims, _pairs(paddings)):
        if before < 0 or after < 0:
            raise ValueError(f"Paddings must be non-negative: {before} {after}")
        out.append(None if n is None else n + before + after)
    return tuple(out)


def _inside(dims: Any, paddings: Any) -> tuple[slice, ...]:
    return tuple([slice(before, before + n) for n, (before, _) in zip(dims, paddings)])


def _pad(x: Any, paddings: Any, value: Any = None) -> Any:
    try:
        shape: Any = _pad_shape(x, paddings)
    except ValueError:
        raise refusal("Pad" if value is None else "PadV2", _pad_shape, x, paddings) from None
    out = zeros_array(shape, x.dtype) if value is None else np.full(shape, value, x.dtype)
    out[_inside(x.shape, _pairs(paddings))] = x
    return out


def _pad_batched(n: int, xs: Any, batched: Any) -> Any:
    x, paddings, *value = xs
    if batched[1] or (value and batched[2]):
        return NotImplemented
    if not isinstance(paddings, tuple):
        paddings = tuple(map(tuple, _pairs(paddings))) if isinstance(paddings, np.ndarray) else None
        if paddings is None:
            return NotImplemented
    return (pad_with if value else pad)(x, ((0, 0), *paddings), *value)


pad = Op(
    "Pad",
    _pad,
    vjp=(lambda g, y, x, paddings: unpad(g, paddings, x), None),
    reads="paddings",
    linear=(0,),
    batch=_pad_batched,
    shape=_pad_shape,
)
"""Zeros before and after; ``paddings`` is a tuple of pairs of ints or an integer matrix."""

pad_with = Op(
    "PadV2",
    _pad,
    vjp=(
        lambda g, y, x, paddings, value: unpad(g, paddings, x),
        None,
        lambda g, y, x, paddings, value: margin(g, paddings, x),
    ),
    reads="paddings",
    linear=(0, 2),
    batch=_pad_batched,
    shape=_pad_shape,
)
"""As ``pad``, with a scalar array ``value`` in place of zero."""


def _unpadding_batched(op: Any, n: int, xs: Any, batched: Any) -> Any:
    g, paddings, like = xs
    if batched[1] or not isinstance(paddings, (tuple, np.ndarray)):
        return NotImplemented
    g, like = first_and_likes(n, [g, like], [batched[0], batched[2]])
    return op(g, ((0, 0), *map(tuple, _pairs(paddings))), like)


unpad = Op(
    "Unpad",
    lambda g, paddings, like: g[_inside(like.shape, _pairs(paddings))],
    vjp=(lambda h, y, g, paddings, like: pad(h, paddings), None, None),
    reads="paddings",
    linear=(0,),
    batch=lambda n, xs, batched: _unpadding_batched(unpad, n, xs, batched),
    shape=lambda g, paddings, like: shape_of(like),
)
"""What was inside the padding: an array of the shape of ``like``."""


def _margin(g: Any, paddings: Any, like: Any) -> Any:
    out = g.copy()
    out[_inside(like.shape, _pairs(paddings))] = 0
    return out


margin = Op(
    "Margin",
    _margin,
    vjp=(lambda h, y, g, paddings, like: margin(h, paddings, like), None, None),
    reads="paddings",
    linear=(0,),
    batch=lambda n, xs, batched: _unpadding_batched(margin, n, xs, batched),
    shape=lambda g, paddings, like: shape_of(g),
)
"""What was in the padding, and zeros inside."""
