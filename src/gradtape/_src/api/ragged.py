"""``tf.ragged``, and arithmetic with ragged tensors: on their values, or row by row."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.api import reduction, segment
from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.gathering import gather
from gradtape._src.api.joining import concat
from gradtape._src.api.ragged_places import within
from gradtape._src.api.ragged_tensor import RaggedTensor as RaggedTensor
from gradtape._src.api.ragged_tensor import RaggedTensorSpec as RaggedTensorSpec
from gradtape._src.api.selection import boolean_mask as dense_boolean_mask
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.ops.division import true_divide

# --- Made of lists -------------------------------------------------------------------------------------------


def constant(
    pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=int64
) -> Any:
    """A ragged tensor of lists in lists. What is not nested gives a tensor.

    Args:
      pylist: lists (or tuples, arrays) in lists. All numbers must be equally deep.
      dtype: of the values.
      ragged_rank: how many axes are ragged; all but the first by default.
      inner_shape: the shape of the innermost, dense values.
      row_splits_dtype: int64 or int32.

    Raises:
      ValueError: numbers at different depths; values that are not dense where they must be.

    >>> import gradtape as tf
    >>> tf.ragged.constant([[1, 2], [], [3]])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """
    kind = as_dtype(row_splits_dtype)
    depth = _depth(pylist)
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - (0 if inner_shape is None else len(inner_shape)))
    if depth and ragged_rank >= depth:
        raise ValueError(
            f"ragged_rank must be less than the depth of the lists, {depth}, received {ragged_rank}."
        )
    nested, flat = [], pylist
    for _ in range(ragged_rank):
        flat = list(flat)
        nested.append(np.cumsum([0, *map(len, flat)]).astype(kind.np))
        flat = [part for row in flat for part in row]
    values = as_tensor(np.asarray(flat) if isinstance(flat, np.ndarray) else flat, dtype)
    if inner_shape is not None:
        values = reshape(values, [-1, *inner_shape])
    return RaggedTensor.from_nested_row_splits(values, nested) if nested else values


def _depth(x: Any) -> int:
    """How deep lists are nested; all numbers must be at one depth."""
    if isinstance(x, np.ndarray):
        return x.ndim
    if not isinstance(x, (list, tuple)):
        return 0
    depths = {(_depth(part), _holds_numbers(part)) for part in x}
    filled = {depth for depth, numbers in depths if numbers}
    if len(filled) > 1:
        raise ValueError("all scalar values must have the same nesting depth")
    deepest = max((depth for depth, _ in depths), default=0)
    if filled and deepest > max(filled):
        raise ValueError("Invalid pylist: empty list nesting is greater than scalar value nesting")
    return 1 + deepest


def _holds_numbers(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return any(map(_holds_numbers, x))
    return True


def stack(values, axis=0, name=None) -> Any:
    """Tensors of one rank, ragged or not, as the rows of a ragged tensor.

    Raises:
      ValueError: another axis than 0, or different ranks.

    >>> import gradtape as tf
    >>> tf.ragged.stack([tf.constant([1]), tf.constant([2, 3])])
    <tf.RaggedTensor [[1], [2, 3]]>
    """
    if axis != 0:
        raise ValueError(f"tf.ragged.stack puts tensors along axis 0, received axis={axis}.")
    parts: Any = [x if isinstance(x, RaggedTensor) else as_tensor(x) for x in values]
    if len({x.shape.rank for x in parts}) != 1:
        raise ValueError("All inputs must have the same rank.")
    if parts[0].shape.rank == 0:
        return concat([reshape(x, [1]) for x in parts], 0)
    if any(isinstance(x, RaggedTensor) for x in parts) or parts[0].shape.rank > 1:
        parts = [x if isinstance(x, RaggedTensor) else RaggedTensor.from_tensor(x) for x in parts]
        lengths: Any = concat([[x.nrows()] for x in parts], 0)
    else:
        lengths = concat([cast(shape_now(x)[:1], int64) for x in parts], 0)
    return RaggedTensor.from_row_lengths(joined(parts), lengths)


def joined(parts: list[Any]) -> Any:
    """Tensors, ragged or not, one after the other along the first axis."""
    if not isinstance(parts[0], RaggedTensor):
        return concat(parts, 0)
    lengths = concat([x.row_lengths() for x in parts], 0)
    return RaggedTensor.from_row_lengths(joined([x.values for x in parts]), lengths, validate=False)


def ragged_range(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=int64) -> Any:
    """Rows of numbers: from each start to each limit.

    >>> import gradtape as tf
    >>> tf.ragged.range([3, 0, 2])
    <tf.RaggedTensor [[0, 1, 2], [], [0, 1]]>
    """
    if limits is None:
        starts, limits = 0, starts
    begin, end, step = (np.asarray(as_tensor(x)) for x in (starts, limits, deltas))
    begin, end, step = np.broadcast_arrays(*map(np.atleast_1d, (begin, end, step)))
    if (step == 0).any():
        raise InvalidArgumentError.of("Requires delta != 0")
    rows = [np.arange(a, b, d) for a, b, d in zip(begin, end, step)]
    values = np.concatenate([np.empty(0, begin.dtype), *rows])
    lengths = as_tensor(list(map(len, rows)), as_dtype(row_splits_dtype))
    return RaggedTensor.from_row_lengths(as_tensor(values, dtype), lengths)


def boolean_mask(data, mask, name=None) -> Any:
    """The elements of each row where the mask is True.

    Args:
      data: a tensor of rank 2 at least, or a ragged one.
      mask: booleans, of the shape of the first axes of the data.

    >>> import gradtape as tf
    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    data = data if isinstance(data, RaggedTensor) else as_tensor(data)
    mask = (
        mask
        if isinstance(mask, RaggedTensor)
        else constant(mask)
        if isinstance(mask, list)
        else as_tensor(mask)
    )
    if not isinstance(mask, RaggedTensor) and len(shape_of(mask)) == 1:
        if isinstance(data, RaggedTensor):
            chosen = lambda x: dense_boolean_mask(x, mask)
            return data._rows(chosen(data.row_starts()), chosen(data.row_limits()))
        return dense_boolean_mask(data, mask)
    rows = data if isinstance(data, RaggedTensor) else RaggedTensor.from_tensor(data)
    masks = mask if isinstance(mask, RaggedTensor) else RaggedTensor.from_tensor(mask)
    kept = boolean_mask(rows.values, masks.values)
    counts = masks.values
    if isinstance(counts, RaggedTensor):
        return RaggedTensor.from_row_splits(kept, rows.row_splits)
    lengths = segment.unsorted_segment_sum(cast(counts, int64), masks.value_rowids(), masks.nrows())
    return RaggedTensor.from_row_lengths(kept, lengths, validate=False)


def map_flat_values(op, *args, **kwargs) -> Any:
    """A function of the innermost values of ragged tensors, with their rows.

    Raises:
      ValueError: there is no ragged tensor among the arguments, or their rows differ.

    >>> import gradtape as tf
    >>> tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[1, 2], [], [3]]))
    <tf.RaggedTensor [[1, 4], [], [9]]>
    """
    first = _first((*args, *kwargs.values()))
    if first is None:
        return op(*args, **kwargs)
    flat = lambda x: _alike(first, x).flat_values if isinstance(x, RaggedTensor) else x
    return first.with_flat_values(op(*map(flat, args), **{key: flat(x) for key, x in kwargs.items()}))


def _first(values: Any) -> Any:
    return next((x for x in values if isinstance(x, RaggedTensor)), None)


def _alike(a: RaggedTensor, b: RaggedTensor) -> RaggedTensor:
    """The second tensor, which must have the rows of the first one."""
    same = a.ragged_rank == b.ragged_rank
    for x, y in zip(a.nested_row_splits, b.nested_row_splits):
        if x is not y and isinstance(x, EagerTensor) and isinstance(y, EagerTensor):
            same = same and np.array_equal(x.numpy(), y.numpy())
    if not same:
        raise InvalidArgumentError.of(f"Ragged tensors have different rows: {a} and {b}.")
    return b


# --- Arithmetic ----------------------------------------------------------------------------------------------


def _spread(x: Any, like: RaggedTensor) -> Any:
    """What meets the flat values of a ragged tensor for a dense operand, as NumPy broadcasts it."""
    x = as_tensor(x, None if hasattr(x, "dtype") else like.dtype)
    rank, full = len(shape_of(x)), len(like.shape)
    if rank == 0:
        return x
    if rank < full - like.ragged_rank:  # it meets the dense axes inside the rows
        return x
    if rank == full and shape_of(x)[1] == 1:  # one value for each row
        if shape_of(x)[0] == 1:
            return _spread(x[0, 0] if full == 2 else x[0, 0], like)
        rows: Any = like.value_rowids()
        inner = gather(reshape(x, concat([shape_now(x)[:1], shape_now(x)[2:]], 0)), rows)
        if isinstance(like.values, RaggedTensor):
            return _spread(inner, like.values)
        return inner
    raise InvalidArgumentError.of(
        f"A dense tensor of shape {list(shape_of(x))} does not broadcast to rows of different lengths, {like.shape}: "
        f"give one number, or one for each row with shape [{like.shape[0]}, 1]."
    )


def elementwise(op: Callable[..., Any], *args: Any) -> Any:
    """An operation of one or two operands of which one is ragged at least."""
    first: Any = _first(args)
    flat = [_alike(first, x).flat_values if isinstance(x, RaggedTensor) else _spread(x, first) for x in args]
    return first.with_flat_values(op(*flat))


def _reduced(x: RaggedTensor, name: str, axis: Any, keepdims: bool) -> Any:
    """A reduction: over all axes, or over one."""
    function = getattr(reduction, name)
    if axis is None:
        return function(x.flat_values)
    if isinstance(axis, (list, tuple)):
        rank = len(x.shape)
        for one in sorted([a % rank for a in axis], reverse=True):
            x = (
                _reduced(x, name, one, keepdims)
                if isinstance(x, RaggedTensor)
                else function(x, one, keepdims)
            )
        return x
    axis = int(axis) % len(x.shape)
    if axis > 1:
        if isinstance(x.values, RaggedTensor):
            return x.with_values(_reduced(x.values, name, axis - 1, keepdims))
        return x.with_values(function(x.values, axis - 1, keepdims))
    if axis == 1:
        found = _of_rows(x, x.value_rowids(), x.nrows(), name)
        if not keepdims:
            return found
        if isinstance(found, RaggedTensor):
            return RaggedTensor.from_uniform_row_length(found, 1, validate=False)
        return found[:, None]
    # Over rows: elements that are at the same place of their rows.
    lengths = x.row_lengths()
    column = within(lengths * 0, lengths)
    found = _of_rows(x, column, x._width(), name)
    return found[None] if keepdims and not isinstance(found, RaggedTensor) else found


def _of_rows(x: RaggedTensor, ids: Any, n: Any, name: str) -> Any:
    """The reduction of the values that have the same number."""
    values = x.values
    if isinstance(values, RaggedTensor):
        lengths = values.row_lengths()
        inner_ids, width = gather(ids, values.value_rowids()), values._width()
        column = within(lengths * 0, lengths)
        # Elements at the same place of rows with the same number, and the longest of these rows.
        counts = segment.unsorted_segment_max(lengths, ids, n)
        counts = cast(reduction.reduce_max(concat([counts[None], (counts * 0)[None]], 0), 0), lengths.dtype)
        place = inner_ids * width + column
        dense = _of_rows(RaggedTensor(values.values, values.row_splits), place, n * width, name)
        kept = within(range_of(cast(n, counts.dtype)) * width, counts)
        return RaggedTensor.from_row_lengths(gather(dense, kept), counts, validate=False)
    total, count = segment.unsorted_segment_sum, None
    if name == "reduce_mean":
        ones = cast(values * 0 + 1, values.dtype)
        total, count = total(values, ids, n), total(ones, ids, n)
        return true_divide(total, count)
    if name in ("reduce_any", "reduce_all"):
        whole = segment.unsorted_segment_max if name == "reduce_any" else segment.unsorted_segment_min
        bounded = whole(cast(values, "int32"), ids, n)
        return bounded > 0
    return getattr(segment, f"unsorted_segment_{name.removeprefix('reduce_')}")(values, ids, n)


_REDUCTIONS = {
    "Sum": "reduce_sum", "Mean": "reduce_mean", "Prod": "reduce_prod", "Max": "reduce_max", "Min": "reduce_min",
    "All": "reduce_all", "Any": "reduce_any",
}  # fmt: skip


def _reduced_by(x: RaggedTensor, op: str, axis: Any, keepdims: bool) -> Any:
    if op not in _REDUCTIONS:
        raise ValueError(f"{op} does not take ragged tensors. Use to_tensor(), or a function of the values.")
    return _reduced(x, _REDUCTIONS[op], axis, keepdims)


def _attach(name: str, op: Callable[..., Any], mirrored: bool = True) -> None:
    setattr(RaggedTensor, f"__{name}__", lambda self, other: elementwise(op, self, other))
    if mirrored:
        setattr(RaggedTensor, f"__r{name}__", lambda self, other: elementwise(op, other, self))


for _name, _op in {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor,
}.items():  # fmt: skip
    _attach(_name, _op)
for _name, _op in {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}.items():  # fmt: skip
    _attach(_name, _op, mirrored=False)
_ONE: Any = {"neg": operator.neg, "abs": operator.abs, "invert": operator.invert}
for _name, _op in _ONE.items():
    setattr(RaggedTensor, f"__{_name}__", lambda self, op=_op: elementwise(op, self))
RaggedTensor._elementwise = staticmethod(elementwise)  # type: ignore[attr-defined]
RaggedTensor._reduced = _reduced_by  # type: ignore[attr-defined]
