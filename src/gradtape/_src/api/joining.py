"""Public functions that put tensors together, take them apart, repeat and pad them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.axes import along, unknown_axis
from gradtape._src.api.static import as_tensors, kernel_name, known_int, static_ints, static_pairs
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, in_brackets, size_of
from gradtape._src.core.tensor_shape import Dimension
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import joining as ops
from gradtape._src.ops import mirroring
from gradtape._src.ops.arrays import broadcast_to, identity, reshape
from gradtape._src.ops.measuring import shape as shape_op

# --- Together and apart -------------------------------------------------------------------------------------


def concat(values, axis, name="concat"):
    """The tensors of a list, one after the other along an axis that they have.

    values: tensors of one dtype, whose shapes agree but for that axis. What has no dtype of its own takes the
    first tensor's.

    Raises:
      InvalidArgumentError: the shapes or dtypes do not fit, or there is no such axis.

    >>> import gradtape as tf
    >>> print(tf.concat([[[1, 2]], [[3, 4]]], axis=0).numpy())
    [[1 2]
     [3 4]]

    As TensorFlow 2.21.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if unknown_axis(axis, "Tidx", "ConcatV2"):
        return along(lambda *xs: concat(xs, 0, name), *as_tensors(values), axis=axis)
    if type(axis) is not int:
        axis = known_int(axis, "ConcatV2", "Tidx", not_a_scalar=_AXIS)
    if len(values) == 1:
        return identity.of(values[0], name)
    if not values:
        raise InvalidArgumentError.of(
            "Expected a list of at least one tensor, received an empty one [Op:ConcatV2]"
        )
    return ops.concat.of(*as_tensors(values), axis=axis, name=name)


_AXIS = "axis tensor should be a scalar integer, but got shape {shape}"


def _checked_axis(axis: Any, rank: int | None, op: str) -> int:
    if isinstance(axis, float):
        raise TypeError(f"Argument `axis` must be an integer, got {axis}")
    axis = known_int(axis, op, "axis")
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    return axis


def stack(values, axis=0, name="stack"):
    """Tensors of one shape and dtype, side by side along a new axis.

    axis: where the new axis is in the result; negative values count from the end.

    Raises:
      ValueError: there is no such axis.
      InvalidArgumentError: the shapes or dtypes differ.

    >>> import gradtape as tf
    >>> print(tf.stack([[1, 2], [3, 4]], axis=1).numpy())
    [[1 3]
     [2 4]]

    As TensorFlow 2.21.
    """
    if isinstance(values, Tensor) or not isinstance(values, (list, tuple)):
        if axis == 0:
            return as_tensor(values)
        values = unstack(values)
    tensors: Any = values
    if not any(isinstance(v, Tensor) for v in values):
        if axis == 0:
            try:
                return as_tensor(
                    values
                )  # numbers and lists of them: as one array, which mixes ints and floats
            except (TypeError, ValueError):
                pass  # said below, of the one that does not fit
        if not values:
            raise ValueError(
                f"Expected a list of at least one tensor for axis = {axis}, received an empty one."
            )
    tensors = as_tensors(values)
    dims: Any = shape_of(tensors[0])
    if axis != 0:
        axis = _checked_axis(axis, None if dims is None else len(dims) + 1, "Pack")
    return ops.pack.of(*tensors, axis=axis, name=name)


def parallel_stack(values, name="parallel_stack"):
    """The tensors of a list along a new first axis, in a graph.

    Raises:
      RuntimeError: outside a graph.

    >>> import gradtape as tf
    >>> try:
    ...     tf.parallel_stack([[1, 2], [3, 4]])
    ... except RuntimeError as error:
    ...     print(error)
    tf.parallel_stack() is not compatible with eager execution.

    As TensorFlow 2.21, where it may be quicker than ``stack``.
    """
    interpreter = current_interpreter()
    if not getattr(interpreter, "symbolic", False):
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    return ops.pack.of(*as_tensors(values), axis=0, name=name)


def unstack(value, num=None, axis=0, name="unstack"):
    """A list of the slices of a tensor along an axis, without that axis.

    num: how many there are; needed only where a graph does not know it.

    Raises:
      ValueError: there is no such axis, or its length is not known.
      InvalidArgumentError: there are not ``num``.

    >>> import gradtape as tf
    >>> [x.numpy().tolist() for x in tf.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]

    As TensorFlow 2.21.
    """
    value = as_tensor(value)
    dims: Any = shape_of(value)
    axis = _checked_axis(axis, None if dims is None else len(dims), "Unpack")
    if num is None:
        num = None if dims is None else dims[axis]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {as_text(dims)}")
    return list(ops.unpack.of(value, num=known_int(num, "Unpack", "num"), axis=axis, name=name))


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """A list of the parts of a tensor along an axis.

    num_or_size_splits: an integer for so many equal parts, or a list of the parts' lengths, of which one may
    be -1 for what remains.
    num: how many parts there are; needed only where a graph does not know it.

    Raises:
      InvalidArgumentError: the lengths do not fit, or there is no such axis.
      ValueError: the number of parts is given as a tensor.

    >>> import gradtape as tf
    >>> [x.numpy().tolist() for x in tf.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    >>> [x.numpy().tolist() for x in tf.split([1, 2, 3, 4], [1, -1])]
    [[1], [2, 3, 4]]

    As TensorFlow 2.21.
    """
    value = as_tensor(value)
    if unknown_axis(axis, "split_dim", "Split"):
        return along(lambda x: split(x, num_or_size_splits, 0, num, name), value, axis=axis)
    axis = known_int(
        axis, "Split", "split_dim", not_a_scalar="split_dim must be a scalar but has shape {shape}"
    )
    if isinstance(num_or_size_splits, (int, np.integer, Dimension)):
        count = int(num_or_size_splits)
        if count < 1:
            raise InvalidArgumentError.of(
                f"Value for attr 'num_split' of {count} must be at least minimum 1 [Op:Split]"
            )
        return list(ops.split_even.of(value, num=count, axis=axis, name=name))
    sizes = num_or_size_splits
    if not isinstance(sizes, (list, tuple)):
        sizes = as_tensor(sizes)
        if shape_of(sizes) == ():
            raise ValueError(
                "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
                f"Argument provided: {num_or_size_splits}"
            )
    sizes = static_ints(sizes, "SplitV", "Tlen", _SIZES)
    if type(sizes) is tuple and not sizes:
        raise InvalidArgumentError.of("Expected the lengths of at least one part, received none [Op:SplitV]")
    if type(sizes) is not tuple and num is None:
        num = (shape_of(sizes) or (None,))[0]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {as_text(shape_of(sizes))}")
    return list(ops.split.of(value, sizes, axis=axis, num=num, name=name))


_SIZES = "size of the split_tensor must be 1-D and have the same elements as outputs got {rank} -D"

# --- Repetition ---------------------------------------------------------------------------------------------


def tile(input, multiples, name=None):
    """The tensor repeated as a whole: ``multiples[i]`` times along axis i.

    Raises:
      InvalidArgumentError: multiples is not as long as the rank, or negative.

    >>> import gradtape as tf
    >>> print(tf.tile([[1, 2]], [2, 2]).numpy())
    [[1 2 1 2]
     [1 2 1 2]]

    As TensorFlow 2.21.
    """
    times = static_ints(
        multiples, "Tile", "Tmultiples", "Expected multiples to be 1-D, but got shape {shape}"
    )
    return ops.tile.of(as_tensor(input), times, name=name)


def repeat(input, repeats, axis=None, name=None):
    """Each element of a tensor repeated along an axis.

    repeats: an integer, or one for each element of the axis.
    axis: None for the tensor flattened.

    Raises:
      ValueError: there is no such axis, or repeats is of another length.
      TypeError: repeats is not of integers, or axis not an int.

    >>> import gradtape as tf
    >>> print(tf.repeat([3, 4], 2).numpy(), tf.repeat([3, 4], [1, 3]).numpy())
    [3 3 4 4] [3 4 4 4]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    counts = as_tensor(repeats)
    if dtype_of(counts).kind not in "iu" and not from_numpy(dtype_of(counts)).is_integer:
        raise TypeError(
            f"Argument `tensor` (name: repeats) must be of type integer. Received `tensor` = {repeats} "
            f"of dtype: {from_numpy(dtype_of(counts))!s}"
        )
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    elif not isinstance(axis, (int, np.integer)):
        raise TypeError(
            f"Argument `axis` must be an int. Received `axis` = {axis} of type {type(axis).__name__}"
        )
    dims: Any = shape_of(x)
    if dims is not None and not -len(dims) <= axis < len(dims):
        raise ValueError(f"axis={axis} out of bounds: expected {-len(dims)}<=axis<{len(dims)}")
    return ops.repeat.of(x, _repeats(counts, None if dims is None else dims[axis]), axis=int(axis), name=name)


def _repeats(counts: Any, n: int | None) -> Any:
    """How often each of n elements is repeated: an int, a tuple of them, or a tensor without data."""
    dims: Any = shape_of(counts)
    if dims is not None and len(dims) > 1:
        raise ValueError(f"Shape {as_text(dims)} must have rank at most 1")
    length = dims[0] if dims else None
    if length not in (1, None) and n not in (length, None):
        raise ValueError(f"Dimensions {n} and {length} are not compatible")
    if type(counts) is not EagerTensor:
        return reshape(counts, ()) if dims == (1,) else counts
    data = counts._data
    if data.size == 1:
        once = int(data.reshape(()))
        if once < 0:
            raise InvalidArgumentError.of(f"Expected repeats >= 0, but got {once} [Op:Repeat]")
        return once
    return tuple(data.tolist())


def meshgrid(*args, **kwargs):
    """The coordinates of a grid: for vectors of lengths m, n, ... as many tensors of the grid's shape.

    indexing: "xy" (the default): shape (n, m, ...), the first two axes changed as in a picture; "ij": (m, n,
    ...).

    Arguments of higher rank are flattened.

    Raises:
      ValueError: another indexing.
      TypeError: another keyword argument.

    >>> import gradtape as tf
    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> print(x.numpy(), y.numpy(), sep="\\n")
    [[1 2 3]
     [1 2 3]]
    [[4 4 4]
     [5 5 5]]

    As TensorFlow 2.21.
    """
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    axes = [reshape.of(as_tensor(arg), (-1,)) for arg in args]
    if not axes:
        return []
    for axis in axes:
        if dtype_of(axis) != dtype_of(axes[0]):
            raise InvalidArgumentError.of(
                "cannot compute Mul as input #1(zero-based) was expected to be a "
                f"{kernel_name(dtype_of(axis))} tensor but is a {kernel_name(dtype_of(axes[0]))} tensor "
                "[Op:Mul]: the arguments must be of one dtype, use tf.cast."
            )
    order = [1, 0, *range(2, len(axes))] if indexing == "xy" and len(axes) > 1 else list(range(len(axes)))
    lengths: Any = [size_of(shape_of(axes[i])) for i in order]
    if None in lengths:
        lengths = ops.concat(*[shape_op(axes[i], out_type=np.dtype(np.int32)) for i in order], axis=0)
    else:
        lengths = tuple(lengths)
    lined_up = [
        reshape(axis, tuple(-1 if place == i else 1 for place in order)) for i, axis in enumerate(axes)
    ]
    return [broadcast_to(axis, lengths) for axis in lined_up]


# --- Padding ------------------------------------------------------------------------------------------------


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    """The tensor with more elements before and after, along every axis.

    paddings: for every axis a pair (before, after).
    mode: "CONSTANT" adds ``constant_values``; "REFLECT" and "SYMMETRIC" add a mirror image, without and with
    the edge itself. In small letters too.

    Raises:
      InvalidArgumentError: a padding is negative, or longer than there is to mirror, or the shapes do not
      fit.
      ValueError: another mode.

    >>> import gradtape as tf
    >>> print(tf.pad([1, 2, 3], [[1, 2]]).numpy(), tf.pad([1, 2, 3], [[1, 2]], "REFLECT").numpy())
    [0 1 2 3 0 0] [2 1 2 3 2 1]

    As TensorFlow 2.21, and differentiable in ``constant_values`` too.
    """
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {kind}"
        )
    op = "Pad" if kind == "CONSTANT" else "MirrorPad"
    pairs = static_pairs(paddings, op, "Tpaddings", "paddings must be a matrix with 2 columns: {shape}")
    if kind != "CONSTANT":
        return mirroring.mirror_pad.of(as_tensor(tensor), pairs, mode=kind, name=name)
    if not isinstance(constant_values, Tensor) and np.isscalar(constant_values) and constant_values == 0:
        return ops.pad.of(as_tensor(tensor), pairs, name=name)
    x, value = as_tensors([tensor, constant_values])
    if dtype_of(value) != dtype_of(x):
        raise InvalidArgumentError.of(
            f"cannot compute PadV2 as input #2(zero-based) was expected to be a {kernel_name(dtype_of(x))} "
            f"tensor but is a {kernel_name(dtype_of(value))} tensor [Op:PadV2]. "
            "Use tf.cast to bring both to one dtype."
        )
    if shape_of(value):
        raise InvalidArgumentError.of(
            f"constant_values must be a scalar. Found: {in_brackets(shape_of(value))} [Op:PadV2]"
        )
    return ops.pad_with.of(x, pairs, value, name=name)
