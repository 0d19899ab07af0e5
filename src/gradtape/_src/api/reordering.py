"""Public functions that put the elements of a tensor in another order: turned, reversed, rolled."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.axes import along, each_unknown_axis
from gradtape._src.api.static import known_int, static_ints, static_pairs
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.ops import blocks
from gradtape._src.ops import reordering as ops
from gradtape._src.ops.complex import conj

# --- Axes ---------------------------------------------------------------------------------------------------


def transpose(a, perm=None, conjugate=False, name="transpose"):
    """The tensor with its axes in another order: axis i of the result is axis ``perm[i]`` of a.

    perm: a permutation of the axes; None reverses them, which transposes a matrix.
    conjugate: take the complex conjugate as well.

    Raises:
      InvalidArgumentError: perm is not a permutation of the axes.

    >>> import gradtape as tf
    >>> print(tf.transpose([[1, 2, 3], [4, 5, 6]]).numpy())
    [[1 4]
     [2 5]
     [3 6]]

    As TensorFlow 2.21.
    """
    if type(a) is not EagerTensor:
        a = as_tensor(a)
    if perm is not None:
        perm = static_ints(perm, "Transpose", "Tperm", "perm must be rank 1, got shape {shape}")
    out = ops.transpose.of(a, perm, name=name)
    return conj(out) if conjugate else out


def invert_permutation(x, name=None):
    """The inverse of a permutation of 0 ... n - 1: ``y[x[i]] = i``.

    x: an int32 or int64 vector.

    Raises:
      InvalidArgumentError: x is not a permutation.

    >>> import gradtape as tf
    >>> print(tf.math.invert_permutation([2, 0, 1]).numpy())
    [1 2 0]

    As TensorFlow 2.21.
    """
    return ops.invert_permutation.of(as_tensor(x), name=name)


# --- Along an axis ------------------------------------------------------------------------------------------


def reverse(tensor, axis, name=None):
    """The tensor backwards along some axes.

    axis: a list of distinct axes.

    Raises:
      InvalidArgumentError: an axis is not there, or named twice.

    >>> import gradtape as tf
    >>> print(tf.reverse([[1, 2], [3, 4]], axis=[1]).numpy())
    [[2 1]
     [4 3]]

    As TensorFlow 2.21.
    """
    unknown = each_unknown_axis(axis, "Tidx", "ReverseV2")
    if unknown is not None:
        x = as_tensor(tensor)
        for one in unknown:
            x = along(lambda x: reverse(x, [0], name), x, axis=one)
        return x
    axes = static_ints(axis, "ReverseV2", "Tidx", "'dims' must be 1-dimension, not {rank}")
    return ops.reverse.of(as_tensor(tensor), axis=_known(axes, "ReverseV2"), name=name)


def roll(input, shift, axis, name=None):
    """The tensor shifted round along axes: element i goes to i + shift, and what falls off comes in at the
    front.

    shift, axis: integers, or lists of them of one length; an axis may be named more than once.

    Raises:
      InvalidArgumentError: an axis is not there, or the lengths differ.

    >>> import gradtape as tf
    >>> print(tf.roll([1, 2, 3, 4], shift=1, axis=0).numpy())
    [4 1 2 3]

    As TensorFlow 2.21.
    """
    unknown = each_unknown_axis(axis, "Taxis", "Roll")
    if unknown is not None:
        x, shifts = as_tensor(input), as_tensor(shift, "int32")
        for i, one in enumerate(unknown):
            by = shifts[i] if shape_of(shifts) else shifts
            x = along(lambda x, by=by: roll(x, by, 0, name), x, axis=one)
        return x
    axes = static_ints(axis, "Roll", "Taxis", _ROLL.replace("shift", "axis"), scalar=True)
    if len(shape_of(axis) or ()) != len(shape_of(shift) or ()):
        raise InvalidArgumentError.of("shift and axis must have the same size [Op:Roll]")
    steps = static_ints(shift, "Roll", "Tshift", _ROLL, scalar=True)
    return ops.roll.of(as_tensor(input), steps, axis=_known(axes, "Roll"), name=name)


_ROLL = "shift must be a scalar or a 1-D vector. Found: {shape}"


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None):
    """The first ``seq_lengths[i]`` elements of entry i of a batch in reverse; the rest stays in place.

    seq_lengths: an integer vector, as long as the batch.
    seq_axis: the axis to reverse along.
    batch_axis: the axis of the batch; 0 by default.

    Raises:
      InvalidArgumentError: a length is negative or greater than the axis, or the axes do not fit.

    >>> import gradtape as tf
    >>> print(tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy())
    [[2 1 3]
     [6 5 4]]

    As TensorFlow 2.21.
    """
    if seq_axis is None:
        raise TypeError("Expected int for argument 'seq_dim' not None.")
    lengths = as_tensor(seq_lengths)
    x = as_tensor(input)
    static_ints(lengths, "ReverseSequence", "Tlen", "seq_lengths must be 1-dim, not {rank}")  # refuses others
    return ops.reverse_sequence.of(
        x,
        lengths,
        seq_axis=known_int(seq_axis, "ReverseSequence", "seq_dim"),
        batch_axis=known_int(0 if batch_axis is None else batch_axis, "ReverseSequence", "batch_dim"),
        name=name,
    )


def _known(axes: Any, op: str) -> tuple[int, ...]:
    if type(axes) is not tuple:
        raise TypeError(f"{op}: expected axes that are known while the graph is built, received {axes!r}.")
    return axes


# --- Space, depth and batch ---------------------------------------------------------------------------------


def _blocks(op: Any, name: str, input: Any, block_size: Any, data_format: str, label: Any) -> Any:
    size = known_int(block_size, name, "block_size")
    if size < 2:
        raise InvalidArgumentError.of(
            f"Value for attr 'block_size' of {size} must be at least minimum 2 [Op:{name}]"
        )
    if data_format not in ("NHWC", "NCHW"):
        raise InvalidArgumentError.of(
            f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed values: "
            f'"NHWC", "NCHW" [Op:{name}]'
        )
    return op.of(as_tensor(input), block_size=size, data_format=data_format, name=label)


def space_to_depth(input, block_size, data_format="NHWC", name=None):
    """Images with each square of block_size x block_size pixels as one pixel with that many times the
    channels.

    input: shape (n, h, w, c), or (n, c, h, w) with data_format "NCHW"; h and w are multiples of block_size >=
    2.

    Gives shape (n, h / b, w / b, c * b * b).

    Raises:
      InvalidArgumentError: the sizes do not fit.

    >>> import gradtape as tf
    >>> print(tf.nn.space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy())
    [[[[1 2 3 4]]]]

    As TensorFlow 2.21 (which has NCHW on GPUs only, and "NCHW_VECT_C").
    """
    return _blocks(ops.space_to_depth, "SpaceToDepth", input, block_size, data_format, name)


def depth_to_space(input, block_size, data_format="NHWC", name=None):
    """The inverse of ``space_to_depth``: channels become squares of block_size x block_size pixels.

    input: shape (n, h, w, c), or (n, c, h, w) with data_format "NCHW"; c is a multiple of block_size squared.

    Raises:
      InvalidArgumentError: the sizes do not fit.

    >>> import gradtape as tf
    >>> print(tf.nn.depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().shape)
    (1, 2, 2, 1)

    As TensorFlow 2.21 (which has NCHW on GPUs only, and "NCHW_VECT_C").
    """
    return _blocks(ops.depth_to_space, "DepthToSpace", input, block_size, data_format, name)


_RANK = "block_shape rank should be 1 instead of {rank}"


def space_to_batch(input, block_shape, paddings, name=None):
    """Moves blocks of space to the batch: entry (i, n) of the batch is every b-th element of input n from i
    on.

    input: shape (batch, space ..., rest ...).
    block_shape: b, one integer for each of the m dimensions of space.
    paddings: shape (m, 2), zeros to add before and after; the padded lengths are multiples of b.

    Gives shape (batch * prod(b), padded space / b ..., rest ...).

    Raises:
      InvalidArgumentError: the sizes do not fit.

    >>> import gradtape as tf
    >>> print(tf.space_to_batch([[1, 2, 3, 4]], [2], [[0, 0]]).numpy())
    [[1 3]
     [2 4]]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    block = static_ints(block_shape, "SpaceToBatchND", "Tblock_shape", _RANK)
    margins = _margins(paddings, block, "SpaceToBatchND", "Tpaddings", "paddings")
    return blocks.space_to_batch.of(x, block, margins, name=name)


def space_to_batch_nd(input, block_shape, paddings, name=None):
    """The same as ``space_to_batch``.

    >>> import gradtape as tf
    >>> tf.space_to_batch_nd(tf.zeros([1, 4, 4, 3]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([4, 2, 2, 3])

    As TensorFlow 2.21.
    """
    return space_to_batch(input, block_shape, paddings, name)


def batch_to_space(input, block_shape, crops, name=None):
    """The inverse of ``space_to_batch``: entries of the batch are woven into space again, and the edges
    cropped.

    input: shape (batch, space ..., rest ...); batch is a multiple of prod(block_shape).
    block_shape: b, one integer for each of the m dimensions of space; an int means two dimensions.
    crops: shape (m, 2), how much to cut off before and after.

    Gives shape (batch / prod(b), space * b - crops ..., rest ...).

    Raises:
      InvalidArgumentError: the sizes do not fit.

    >>> import gradtape as tf
    >>> print(tf.batch_to_space([[1, 3], [2, 4]], [2], [[0, 0]]).numpy())
    [[1 2 3 4]]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    if isinstance(block_shape, int):
        block_shape = (block_shape, block_shape)
    block = static_ints(block_shape, "BatchToSpaceND", "Tblock_shape", _RANK)
    margins = _margins(crops, block, "BatchToSpaceND", "Tcrops", "crops")
    return blocks.batch_to_space.of(x, block, margins, name=name)


def batch_to_space_nd(input, block_shape, crops, name=None):
    """The same as ``batch_to_space``: the name of TensorFlow 1.

    >>> import gradtape.compat.v1 as tf
    >>> tf.batch_to_space_nd(tf.zeros([4, 2, 2, 3]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([1, 4, 4, 3])

    As TensorFlow 2.21.
    """
    return batch_to_space(input, block_shape, crops, name)


def _margins(value: Any, block: Any, op: str, attr: str, what: str) -> Any:
    m = len(block) if type(block) is tuple else "m"
    return static_pairs(value, op, attr, f"{what} should have shape [{m}, 2] instead of {{shape}}")


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """The paddings that make the lengths of space multiples of the block, and the crops that undo them.

    input_shape, block_shape: m integers each.
    base_paddings: shape (m, 2), the least to pad; zeros by default.

    Gives two int32 tensors of shape (m, 2): paddings (the end grows as needed), and crops (what the end grew
    by).

    Raises:
      ValueError: the lengths of the arguments differ.

    >>> import gradtape as tf
    >>> paddings, crops = tf.required_space_to_batch_paddings([5, 7], [2, 3])
    >>> print(paddings.numpy().tolist(), crops.numpy().tolist())
    [[0, 1], [0, 2]] [[0, 1], [0, 2]]

    As TensorFlow 2.21.
    """
    lengths, block = (
        np.array(_known(static_ints(v, "required_space_to_batch_paddings", None), "space_to_batch"), np.int64)
        for v in (input_shape, block_shape)
    )
    base = np.zeros((len(block), 2), np.int64) if base_paddings is None else as_tensor(base_paddings).numpy()
    if len(lengths) != len(block) or base.shape != (len(block), 2):
        raise ValueError(
            "input_shape, block_shape and base_paddings must have m, m and (m, 2) elements; "
            f"received {len(lengths)}, {len(block)} and {base.shape}."
        )
    more = -(lengths + base.sum(axis=1)) % block
    paddings = np.stack([base[:, 0], base[:, 1] + more], axis=1)
    crops = np.stack([np.zeros_like(more), more], axis=1)
    return EagerTensor(paddings.astype(np.int32)), EagerTensor(crops.astype(np.int32))
