"""The same elements in another order: transposed, reversed, rolled, moved between space, depth and batch.

Each of these is a permutation of the elements, so its vjp is the inverse permutation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import behind, prepend, rank_of, refusal, reshape, static, with_axis
from gradtape._src.ops.rows import data_of

# --- Another order of the axes ------------------------------------------------------------------------------


def _transpose_shape(x: Any, perm: Any) -> Shape:
    dims: Any = shape_of(x)
    if perm is None:
        return None if dims is None else dims[::-1]
    order: Any = static(perm)
    if order is None:
        return None if dims is None else (None,) * len(dims)
    rank = len(order)
    if dims is not None and len(dims) != rank:
        raise ValueError(
            f"transpose expects a vector of size {len(dims)}. But input(1) is a vector of size {rank}"
        )
    if None in order:
        return (None,) * rank
    order = [p + rank if p < 0 else p for p in order]
    for p in order:
        if not 0 <= p < rank:
            raise ValueError(f"{p} is out of range [0 .. {rank})")
    missing = set(range(rank)) - set(order)
    if missing:
        raise ValueError(f"{min(missing)} is missing from {{{','.join(map(str, order))}}}.")
    return (None,) * rank if dims is None else tuple(dims[p] for p in order)


def _transpose(x: Any, perm: Any) -> Any:
    try:
        return x.transpose(perm)
    except ValueError:
        raise refusal("Transpose", _transpose_shape, x, perm) from None


def inverse(perm: Any) -> Any:
    """The inverse of a permutation of axes, which may be None for their reversal."""
    if perm is None:
        return None
    if isinstance(perm, tuple):
        rank = len(perm)
        return tuple(sorted(range(rank), key=[p % rank for p in perm].__getitem__))
    return invert_permutation(perm)


def _transpose_batched(n: int, xs: Any, batched: Any) -> Any:
    x, perm = xs
    if batched[1]:
        return NotImplemented
    if perm is None:
        perm = tuple(range(rank_of(x) - 2, -1, -1))
    if isinstance(perm, Tensor):
        return transpose(x, prepend(axes_behind(perm), n=0))
    return transpose(x, (0, *map(behind, perm)))


transpose = Op(
    "Transpose",
    _transpose,
    vjp=(lambda g, y, x, perm: transpose(g, inverse(perm)), None),
    reads="perm",
    linear=(0,),
    batch=_transpose_batched,
    shape=_transpose_shape,
)
"""``perm`` is a tuple of ints, an integer tensor, or None for the reverse order."""


def _move_axis_shape(x: Any, source: Any, target: Any) -> Shape:
    dims = shape_of(x)
    if dims is None:
        return None
    if isinstance(source, Tensor) or isinstance(target, Tensor):
        return (None,) * len(dims)
    rest = list(dims)
    moved = rest.pop(int(source))
    rest.insert(int(target) % len(dims), moved)
    return tuple(rest)


def _move_axis(x: Any, source: Any, target: Any) -> Any:
    try:
        return np.moveaxis(x, int(source), int(target))
    except ValueError:
        axis = next(int(a) for a in (source, target) if not -x.ndim <= a < x.ndim)
        raise InvalidArgumentError.of(
            f"Expected an axis in the range [{-x.ndim}, {x.ndim}), but got {axis} [Op:MoveAxis]"
        ) from None


move_axis = Op(
    "MoveAxis",
    _move_axis,
    vjp=(lambda g, y, x, source, target: move_axis(g, target, source), None, None),
    reads="source target",
    linear=(0,),
    batch=lambda n, xs, batched: (
        NotImplemented if any(batched[1:]) else move_axis(xs[0], *[_behind_batch(axis) for axis in xs[1:]])
    ),
    shape=_move_axis_shape,
)
"""One axis at another place, the others in their order. Both are integers, or tensors."""


axes_behind = Unary("AxesBehind", lambda axes: axes + (axes >= 0), elementwise=True)


def _behind_batch(axis: Any) -> Any:
    """An axis of one row as an axis of many, which have one more in front."""
    return axes_behind(axis) if isinstance(axis, Tensor) else behind(int(axis))


def _inverted_rows(n: int, xs: Any, batched: Any) -> Any:
    """The inverse of each of n permutations, as one of all their elements."""
    (x,) = xs
    if len(shape_of(x)) != 2:
        return NotImplemented  # one after the other, they say what is wrong
    size = shape_of(x)[1]
    first = np.arange(0, n * size, max(size, 1), dtype=dtype_of(x)).reshape(n, -1) if size else x
    found = data_of(x)
    if found is not None and (np.sort(found, 1) != np.arange(size)).any():
        return NotImplemented
    return reshape(invert_permutation(reshape(x + first, (-1,))), (n, size)) - first


def _invert_permutation(x: Any) -> Any:
    fault = None
    if x.ndim != 1:
        fault = "invert_permutation expects a 1D vector."
    else:
        outside = x[(x < 0) | (x >= x.size)]
        if outside.size:
            fault = f"{outside[0]} is not between 0 and {x.size}"
        elif x.size and np.bincount(x).max() > 1:
            fault = f"{x[np.bincount(x)[x] > 1][0]} is duplicated in the input."
    if fault:
        raise InvalidArgumentError.of(f"{fault} [Op:InvertPermutation]")
    out = np.empty_like(x)
    out[x] = np.arange(x.size, dtype=x.dtype)
    return out


invert_permutation = Op(
    "InvertPermutation",
    _invert_permutation,
    batch=_inverted_rows,
    accepts="int",
    shape=shape_of,
)

# --- Reversed and rolled ------------------------------------------------------------------------------------


def _reverse(x: Any, axis: tuple[int, ...]) -> Any:
    rank = x.ndim
    seen: set[int] = set()
    for i, a in enumerate(axis):
        if not -rank <= a < rank:
            raise InvalidArgumentError.of(
                f"'axis'[{i}] = {a} is out of valid range [0, {rank - 1}] [Op:ReverseV2]"
            )
        if a % rank in seen:
            raise InvalidArgumentError.of(f"axis {a % rank} specified more than once. [Op:ReverseV2]")
        seen.add(a % rank)
    return x[tuple([_BACKWARDS if i in seen else _ALL for i in range(rank)])]


_ALL, _BACKWARDS = slice(None), slice(None, None, -1)

reverse = Op(
    "ReverseV2",
    _reverse,
    vjp=lambda g, y, x, axis: reverse(g, axis=axis),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, axis: reverse(xs[0], axis=tuple(map(behind, axis))),
    shape=lambda x, axis: shape_of(x),
)


def _roll(x: Any, shift: Any, axis: tuple[int, ...], each: bool = False) -> Any:
    if each:
        return _each_rolled(x, shift, axis)
    if not x.ndim:
        raise InvalidArgumentError.of("input must be 1-D or higher [Op:Roll]")
    if len(shift) != len(axis):
        raise InvalidArgumentError.of("shift and axis must have the same size [Op:Roll]")
    for a in axis:
        if not -x.ndim <= a < x.ndim:
            raise InvalidArgumentError.of(f"axis {a + x.ndim if a < 0 else a} is out of range [Op:Roll]")
    return np.roll(x, shift, axis) if axis else x


def _each_rolled(x: Any, shift: Any, axis: tuple[int, ...]) -> Any:
    """The rows of x, each by a row of shifts."""
    for a, shifts in zip(axis, shift.T, strict=True):
        index = (np.arange(x.shape[a]) - shifts[:, None]) % max(x.shape[a], 1)
        dims = [1] * x.ndim
        dims[0], dims[a] = index.shape
        x = np.take_along_axis(x, index.reshape(dims), a)
    return x


def _roll_batched(n: int, xs: Any, batched: Any, axis: tuple[int, ...], each: bool = False) -> Any:
    axis = tuple(map(behind, axis))
    if not batched[1] and not each:
        return roll(xs[0], xs[1], axis=axis)
    if each or len(shape_of(xs[1])) != 2:
        return NotImplemented
    (x,) = with_axis(n, xs[:1], batched[:1])
    return roll(x, xs[1], axis=axis, each=True)


roll = Op(
    "Roll",
    _roll,
    vjp=(lambda g, y, x, shift, axis, each=False: roll(g, _minus(shift), axis=axis, each=each), None),
    reads="shift",
    linear=(0,),
    batch=_roll_batched,
    shape=lambda x, shift, axis, each=False: shape_of(x),
)
"""``shift`` is a tuple of ints or an integer vector, as long as ``axis``; if ``each``, one for each row of x."""


def _minus(shift: Any) -> Any:
    return tuple([-s for s in shift]) if isinstance(shift, tuple) else -shift


def _reverse_sequence(x: Any, lengths: Any, seq_axis: int, batch_axis: int) -> Any:
    def refuse(why: str) -> InvalidArgumentError:
        return InvalidArgumentError.of(f"{why} [Op:ReverseSequence]")

    rank = x.ndim
    if lengths.ndim != 1:
        raise refuse(f"seq_lengths must be 1-dim, not {lengths.ndim}")
    for name, axis in (("seq_dim", seq_axis), ("batch_dim", batch_axis)):
        if axis < -rank:
            raise refuse(f"Invalid {name} {axis}")
        if axis >= rank:
            raise refuse(f"{name} must be < input rank ( {axis} vs. {rank})")
    seq_axis, batch_axis = seq_axis % rank, batch_axis % rank
    if seq_axis == batch_axis:
        raise refuse(f"batch_dim == seq_dim == {seq_axis}")
    steps, batch = x.shape[seq_axis], x.shape[batch_axis]
    if lengths.size != batch:
        raise refuse(f"Length of seq_lengths != input.dims({batch_axis}), ({lengths.size} vs. {batch})")
    for i, length in enumerate(lengths.tolist()):
        if length < 0:
            raise refuse(f"seq_lens({i}) < 0")
        if length > steps:
            raise refuse(f"seq_lens({i}) > input.dims({seq_axis})")
    at = np.arange(steps)
    source = np.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)  # (batch, steps)
    if batch_axis > seq_axis:
        source = source.T
    dims = [n if i in (seq_axis, batch_axis) else 1 for i, n in enumerate(x.shape)]
    return np.take_along_axis(x, source.reshape(dims), seq_axis)


def _reverse_sequence_batched(n: int, xs: Any, batched: Any, seq_axis: int, batch_axis: int) -> Any:
    if batched[1]:
        return NotImplemented
    return reverse_sequence(xs[0], xs[1], seq_axis=behind(seq_axis), batch_axis=behind(batch_axis))


reverse_sequence = Op(
    "ReverseSequence",
    _reverse_sequence,
    vjp=(
        lambda g, y, x, lengths, seq_axis, batch_axis: reverse_sequence(
            g, lengths, seq_axis=seq_axis, batch_axis=batch_axis
        ),
        None,
    ),
    reads="lengths",
    linear=(0,),
    batch=_reverse_sequence_batched,
    shape=lambda x, lengths, seq_axis, batch_axis: shape_of(x),
)

# --- Space and depth ----------------------------------------------------------------------------------------


def _depth_rule(name: str, into_depth: bool) -> Any:
    """Shape rule: blocks of ``block_size`` squared pixels become channels, or back."""

    def rule(x: Any, block_size: int, data_format: str) -> Shape:
        dims: Any = shape_of(x)
        if dims is None:
            return (None,) * 4
        if len(dims) != 4:
            colon = "" if into_depth else ":"
            raise ValueError(f"Input rank should be{colon} 4 instead of{colon} {len(dims)}")
        n, h, w, c = dims if data_format == "NHWC" else (dims[0], dims[2], dims[3], dims[1])
        b, area = block_size, block_size * block_size
        if into_depth:
            if (h is not None and h % b) or (w is not None and w % b):
                raise ValueError(f"Image width {w} and height {h} should be divisible by block_size: {b}")
            h, w, c = _over(h, b), _over(w, b), _times(c, area)
        else:
            if c is not None and c % area:
                raise ValueError(f"Input depth dimension {c} should be divisible by: {area}")
            h, w, c = _times(h, b), _times(w, b), _over(c, area)
        return (n, h, w, c) if data_format == "NHWC" else (n, c, h, w)

    rule.__name__ = f"_{name}_shape"
    return rule


def _over(dim: int | None, by: int) -> int | None:
    return None if dim is None else dim // by


def _times(dim: int | None, by: int) -> int | None:
    return None if dim is None else dim * by


_space_to_depth_shape = _depth_rule("space_to_depth", True)
_depth_to_space_shape = _depth_rule("depth_to_space", False)


def _space_to_depth(x: Any, block_size: int, data_format: str) -> Any:
    try:
        out = _space_to_depth_shape(x, block_size, data_format)
    except ValueError:
        raise refusal("SpaceToDepth", _space_to_depth_shape, x, block_size, data_format) from None
    b = block_size
    if data_format == "NHWC":
        n, h, w, _ = out
        return x.reshape(n, h, b, w, b, x.shape[3]).transpose(0, 1, 3, 2, 4, 5).reshape(out)
    n, _, h, w = out
    return x.reshape(n, x.shape[1], h, b, w, b).transpose(0, 3, 5, 1, 2, 4).reshape(out)


def _depth_to_space(x: Any, block_size: int, data_format: str) -> Any:
    try:
        out = _depth_to_space_shape(x, block_size, data_format)
    except ValueError:
        raise refusal("DepthToSpace", _depth_to_space_shape, x, block_size, data_format) from None
    b = block_size
    if data_format == "NHWC":
        n, h, w, _ = x.shape
        return x.reshape(n, h, w, b, b, out[3]).transpose(0, 1, 3, 2, 4, 5).reshape(out)
    n, _, h, w = x.shape
    return x.reshape(n, b, b, out[1], h, w).transpose(0, 3, 4, 1, 5, 2).reshape(out)


def _merged_with_batch(op: Any, n: int, x: Any, **params: Any) -> Any:
    """Batch rule of an operation whose first axis is a batch already."""
    dims: Any = shape_of(x)
    if None in dims[:2]:
        return NotImplemented
    y = op(merge_first(x), **params)
    return split_first(y, n, dims[1])


def merge_first(x: Any) -> Any:
    """The first two axes as one."""
    dims: Any = shape_of(x)
    return reshape(x, (dims[0] * dims[1], *dims[2:]))


def split_first(x: Any, n: int, m: int) -> Any:
    """The first axis as two, of lengths n and m."""
    return reshape(x, (n, m, *shape_of(x)[1:]))


space_to_depth = Op(
    "SpaceToDepth",
    _space_to_depth,
    vjp=lambda g, y, x, **params: depth_to_space(g, **params),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: _merged_with_batch(space_to_depth, n, xs[0], **params),
    shape=_space_to_depth_shape,
)
depth_to_space = Op(
    "DepthToSpace",
    _depth_to_space,
    vjp=lambda g, y, x, **params: space_to_depth(g, **params),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: _merged_with_batch(depth_to_space, n, xs[0], **params),
    shape=_depth_to_space_shape,
)
