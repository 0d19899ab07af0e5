"""Public functions that see or change the shape of a tensor, and leave its elements and their order alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.axes import unknown_axis
from gradtape._src.api.static import as_tensors, becomes_size, kernel_name, known_int, static_ints
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import is_known, size_of
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.graph.ir import in_graph
from gradtape._src.ops import arrays as ops
from gradtape._src.ops import measuring
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.reordering import move_axis

# --- The same tensor ----------------------------------------------------------------------------------------


def identity(input, name=None):
    """A new tensor with the value of ``input``; gradients pass through it.

    Of a variable: its value now. An `IndexedSlices` stays one.

    >>> import gradtape as tf
    >>> print(tf.identity([1.0, 2.0]).numpy())
    [1. 2.]

    As TensorFlow 2.21.
    """
    return _of_slices_too(ops.identity, input, name)


def identity_n(input, name=None):
    """A list of new tensors with the values of those in the list ``input``.

    Raises:
      InvalidArgumentError: the list is empty.

    >>> import gradtape as tf
    >>> [x.numpy().item() for x in tf.identity_n([1, 2.5])]
    [1, 2.5]

    As TensorFlow 2.21.
    """
    tensors = [as_tensor(x) for x in input]
    if not tensors:
        raise InvalidArgumentError.of(
            "Length for attr 'T' of 0 must be at least minimum 1 [Op:IdentityN]: expected a list of tensors, "
            "received an empty one."
        )
    return list(ops.identity_n.of(*tensors, name=name))


def stop_gradient(input, name=None):
    """The value of ``input``, as a constant for gradients: none flows through it. An `IndexedSlices` stays one.

    >>> import gradtape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * tf.stop_gradient(x)
    >>> print(tape.gradient(y, x).numpy())
    3.0

    As TensorFlow 2.21.
    """
    return _of_slices_too(ops.stop_gradient, input, name)


def _of_slices_too(op: Any, x: Any, name: str | None) -> Any:
    if isinstance(x, IndexedSlices):
        return IndexedSlices(op.of(x.values, name), x.indices, x.dense_shape)
    return op.of(x, name)


def guarantee_const(input, name=None):
    """The value of ``input``; a promise that it never changes, which is not made use of.

    >>> import gradtape as tf
    >>> print(tf.guarantee_const(2).numpy())
    2

    As TensorFlow 2.21, but with a gradient.
    """
    return ops.guarantee_const.of(input, name)


def ensure_shape(x, shape, name=None):
    """The tensor x, which must have the given shape.

    shape: a TensorShape or what converts to one; None stands for any length, or for any shape.

    Raises:
      InvalidArgumentError: it has another shape (in a graph: when it is executed, or a ValueError if it is
      known to be wrong while the graph is built).

    >>> import gradtape as tf
    >>> tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape
    TensorShape([2, 3])

    As TensorFlow 2.21.
    """
    return measuring.ensure_shape.of(as_tensor(x), shape=as_shape_tuple(shape), name=name)


# --- The shape as a value -----------------------------------------------------------------------------------


def _index_dtype(out_type: Any, op: str) -> np.dtype:
    dtype = int32 if out_type is None else as_dtype(out_type)
    if dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError.of(
            f"Value for attr 'out_type' of {kernel_name(dtype.np)} is not in the list of allowed values: "
            f"int32, int64 [Op:{op}]"
        )
    return dtype.np


def shape(input, out_type=None, name=None):
    """The shape of a tensor, as an integer vector.

    out_type: tf.int32 (the default) or tf.int64.

    A constant where the shape is known, also while a graph is built.

    >>> import gradtape as tf
    >>> print(tf.shape([[1, 2, 3], [4, 5, 6]]).numpy())
    [2 3]

    As TensorFlow 2.21.
    """
    dtype = _index_dtype(out_type, "Shape")
    x = as_tensor(input)
    dims: Any = shape_of(x)
    if is_known(dims):
        becomes_size(x)
        return in_graph(EagerTensor(np.array(dims, dtype)), name or "Shape")
    return measuring.shape.of(x, out_type=dtype, name=name)


def shape_n(input, out_type=int32, name=None):
    """The shapes of the tensors in the list ``input``, as a list of integer vectors.

    >>> import gradtape as tf
    >>> [s.numpy().tolist() for s in tf.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]

    As TensorFlow 2.21.
    """
    return [shape(x, out_type, name) for x in input]


def size(input, out_type=None, name=None):
    """The number of elements of a tensor, as an integer scalar.

    out_type: tf.int32 (the default) or tf.int64.

    >>> import gradtape as tf
    >>> print(tf.size([[1, 2, 3], [4, 5, 6]]).numpy())
    6

    As TensorFlow 2.21.
    """
    dtype = _index_dtype(out_type, "Size")
    x = as_tensor(input)
    n = size_of(shape_of(x))
    if n is not None:
        becomes_size(x)
        return in_graph(EagerTensor(np.array(n, dtype)), name or "Size")
    return measuring.size.of(x, out_type=dtype, name=name)


def rank(input, name=None):
    """The number of axes of a tensor, as an int32 scalar.

    >>> import gradtape as tf
    >>> print(tf.rank([[1, 2, 3], [4, 5, 6]]).numpy())
    2

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    dims: Any = shape_of(x)
    if dims is not None:
        becomes_size(x)
        return in_graph(EagerTensor(np.array(len(dims), np.int32)), name or "Rank")
    return measuring.rank.of(x, name=name)


# --- Another shape ------------------------------------------------------------------------------------------


def reshape(tensor, shape, name=None):
    """The same elements, in the same order, in another shape.

    shape: integers, of which one may be -1 for the length that makes the sizes fit; ``[]`` for a scalar,
    ``[-1]`` or -1 for a vector of all elements.

    Raises:
      InvalidArgumentError: the numbers of elements differ.

    >>> import gradtape as tf
    >>> print(tf.reshape([1, 2, 3, 4], [2, -1]).numpy())
    [[1 2]
     [3 4]]

    As TensorFlow 2.21.
    """
    if type(tensor) is not EagerTensor:
        tensor = as_tensor(tensor)
    dims = static_ints(shape, "Reshape", "Tshape", scalar=True)
    if type(dims) is tuple and dims and min(dims) < -1:  # NumPy takes any negative number for -1
        raise InvalidArgumentError.of(
            f"Size {dims.index(min(dims))} must be non-negative, not {min(dims)} [Op:Reshape]"
        )
    return ops.reshape.of(tensor, dims, name=name)


def expand_dims(input, axis, name=None):
    """The tensor with a new axis of length 1 at position ``axis``; negative positions count from the end.

    Raises:
      InvalidArgumentError: axis is not in [-rank - 1, rank].

    >>> import gradtape as tf
    >>> tf.expand_dims([1, 2], 0).shape, tf.expand_dims([1, 2], -1).shape
    (TensorShape([1, 2]), TensorShape([2, 1]))

    As TensorFlow 2.21.
    """
    if type(input) is not EagerTensor:
        input = as_tensor(input)
    if unknown_axis(axis, "Tdim", "ExpandDims"):
        return move_axis.of(ops.expand_dims.of(input, axis=0, name=name), 0, axis)
    if type(axis) is not int:
        axis = known_int(
            axis, "ExpandDims", "Tdim", not_a_scalar="'dim' must be a tensor with a single value"
        )
    return ops.expand_dims.of(input, axis=axis, name=name)


def squeeze(input, axis=None, name=None):
    """The tensor without its axes of length 1, or without those of them that ``axis`` names.

    axis: an integer or a list of integers; None or ``[]`` for all.

    Raises:
      InvalidArgumentError: such an axis is not of length 1, or not there.

    >>> import gradtape as tf
    >>> tf.squeeze([[[1], [2]]]).shape, tf.squeeze([[[1], [2]]], axis=[0]).shape
    (TensorShape([2]), TensorShape([2, 1]))

    As TensorFlow 2.21.
    """
    if axis is None:
        axes: Any = ()
    elif isinstance(axis, (int, np.integer)):
        axes = (int(axis),)
    elif isinstance(axis, (list, tuple)):
        axes = static_ints(axis, "Squeeze", "squeeze_dims")
    else:
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    return ops.squeeze.of(as_tensor(input), axis=axes, name=name)


# --- Broadcasting -------------------------------------------------------------------------------------------


def broadcast_to(input, shape, name=None):
    """The tensor repeated along axes of length 1, and along new axes in front, to the given shape.

    Raises:
      InvalidArgumentError: an axis is neither of length 1 nor of the length wanted.

    >>> import gradtape as tf
    >>> print(tf.broadcast_to([1, 2], [2, 2]).numpy())
    [[1 2]
     [1 2]]

    As TensorFlow 2.21.
    """
    dims = static_ints(
        shape, "BroadcastTo", "Tidx", "shape must be a vector of {{int32,int64}}, got shape {shape}"
    )
    return ops.broadcast_to.of(as_tensor(input), dims, name=name)


def broadcast_dynamic_shape(shape_x, shape_y):
    """The shape that tensors of two shapes have together, as an integer vector.

    shape_x, shape_y: integer vectors of one dtype.

    Raises:
      InvalidArgumentError: they do not broadcast.

    >>> import gradtape as tf
    >>> print(tf.broadcast_dynamic_shape([1, 3], [2, 1]).numpy())
    [2 3]

    As TensorFlow 2.21.
    """
    pair = [_int_vector(s) for s in (shape_x, shape_y)]
    return measuring.broadcast_args.of(*as_tensors(pair))


def _int_vector(value: Any) -> Any:
    """An empty list is a shape too, though it converts to floats."""
    return np.zeros(0, np.int32) if isinstance(value, (list, tuple)) and not value else value


def unravel_index(indices, dims, name=None):
    """The indices of elements of an array of shape ``dims``, from their positions in it flattened.

    indices: an integer, or a vector of n of them.
    dims: an integer vector of rank r.

    Gives an array of shape (r,) or (r, n).

    Raises:
      InvalidArgumentError: a position is out of bounds.

    >>> import gradtape as tf
    >>> print(tf.unravel_index([1, 5], [2, 3]).numpy())
    [[0 1]
     [1 2]]

    As TensorFlow 2.21.
    """
    sizes = static_ints(
        _int_vector(dims), "UnravelIndex", "Tidx", 'The indices can only be 1-D, got "{shape}"'
    )
    return measuring.unravel_index.of(as_tensor(indices), sizes, name=name)
