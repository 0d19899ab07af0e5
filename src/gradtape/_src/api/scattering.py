"""Scatters: `tf.scatter_nd` and `tf.tensor_scatter_nd_*`.

An index vector `indices[i]` names a slice `x[tuple(indices[i])]`; `updates[i]` is brought there. The shape of
the updates is `indices.shape[:-1]` and then that of a slice, else InvalidArgumentError; so it is for an index
vector out of range, unless `bad_indices_policy` is "IGNORE", which leaves its update out.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.selection import require, require_same
from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, dtype_of, shape_of
from gradtape._src.ops import scattering as ops


def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None):
    """Zeros, with updates added at index vectors: the transpose of `tf.gather_nd`.

    Args:
      indices: an integer tensor (int16, int32, int64) of index vectors; equal ones add up.
      updates: a tensor of any dtype.
      shape: integers, of the result.
      bad_indices_policy: "IGNORE" leaves out index vectors out of range; "", "DEFAULT" and "ERROR" refuse
        them.
      name: of the operation in a graph.

    >>> import gradtape as tf
    >>> print(tf.scatter_nd([[0], [2], [0]], [1, 2, 3], [4]).numpy())
    [4 0 2 0]

    As TensorFlow 2.21.
    """
    indices, updates = as_tensor(indices), as_tensor(updates)
    require(indices, "int16, int32, int64", "Tindices", "ScatterNd")
    shape = (
        as_tensor(shape, from_numpy(dtype_of(indices))) if not hasattr(shape, "dtype") else as_tensor(shape)
    )
    require(shape, "int16, int32, int64", "Tindices", "ScatterNd")
    if shape_of(indices) == ():
        raise InvalidArgumentError.of("Indices shape must have rank at least one. Found:[] [Op:ScatterNd]")
    if shape_of(shape) is not None and len(shape_of(shape)) != 1:
        raise InvalidArgumentError.of("Shape must be a vector [Op:ScatterNd]")
    if type(shape) is EagerTensor:
        shape = tuple(shape._data.tolist())
    return ops.scatter_nd.of(indices, updates, shape, bad_indices_policy=bad_indices_policy, name=name)


def _scattered(op: Op, tensor: Any, indices: Any, updates: Any, name: Any, **policy: Any) -> Any:
    tensor, updates = as_operands(tensor, updates)
    indices = as_tensor(indices)
    allowed = "int16, int32, int64, uint16" if op is ops.tensor_scatter_update else "int32, int64"
    require(indices, allowed, "Tindices", op.name)
    require_same(op.name, tensor, updates, 2)
    if shape_of(indices) == ():
        raise InvalidArgumentError.of(f"Indices shape must have rank at least one. Found:[] [Op:{op.name}]")
    return op.of(tensor, indices, updates, name=name, **policy)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """A copy of the tensor, with updates in place of what is at index vectors.

    Of several updates for one place the last stays, and the gradient goes to that one only.

    Args:
      tensor: a tensor of any dtype.
      indices: an integer tensor of index vectors.
      updates: a tensor of the same dtype.
      name: of the operation in a graph.

    >>> import gradtape as tf
    >>> print(tf.tensor_scatter_nd_update([1, 2, 3], [[0], [2]], [10, 30]).numpy())
    [10  2 30]

    As TensorFlow 2.21, whose gradient goes to what was overwritten too.
    """
    return _scattered(ops.tensor_scatter_update, tensor, indices, updates, name)


def tensor_scatter_nd_add(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of the tensor, with updates added at index vectors; equal ones add up.

    Args:
      tensor: a tensor of numbers.
      indices: an int32 or int64 tensor of index vectors.
      updates: a tensor of the same dtype.
      bad_indices_policy: "IGNORE" leaves out index vectors out of range; "", "DEFAULT" and "ERROR" refuse
        them.
      name: of the operation in a graph.

    >>> import gradtape as tf
    >>> print(tf.tensor_scatter_nd_add([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy())
    [41  2 23]

    As TensorFlow 2.21.
    """
    policy = {"bad_indices_policy": bad_indices_policy}
    return _scattered(ops.tensor_scatter_add, tensor, indices, updates, name, **policy)


def tensor_scatter_nd_sub(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of the tensor, with updates subtracted at index vectors; see `tf.tensor_scatter_nd_add`.

    >>> import gradtape as tf
    >>> print(tf.tensor_scatter_nd_sub([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy())
    [-39   2 -17]

    As TensorFlow 2.21.
    """
    policy = {"bad_indices_policy": bad_indices_policy}
    return _scattered(ops.tensor_scatter_sub, tensor, indices, updates, name, **policy)


def tensor_scatter_nd_min(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of the tensor, with the minimum of what is there and of the updates at index vectors.

    Where several reach the minimum the gradient is divided equally between them. An update that is NaN
    changes nothing. For the arguments see `tf.tensor_scatter_nd_add`.

    >>> import gradtape as tf
    >>> print(tf.tensor_scatter_nd_min([1, 2, 3], [[0], [2], [2]], [5, 2, 1]).numpy())
    [1 2 1]

    As TensorFlow 2.21.
    """
    policy = {"bad_indices_policy": bad_indices_policy}
    return _scattered(ops.tensor_scatter_min, tensor, indices, updates, name, **policy)


def tensor_scatter_nd_max(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of the tensor, with the maximum of what is there and of the updates at index vectors.

    Where several reach the maximum the gradient is divided equally between them. An update that is NaN
    changes nothing. For the arguments see `tf.tensor_scatter_nd_add`.

    >>> import gradtape as tf
    >>> print(tf.tensor_scatter_nd_max([1, 2, 3], [[0], [2], [2]], [5, 2, 1]).numpy())
    [5 2 3]

    As TensorFlow 2.21.
    """
    policy = {"bad_indices_policy": bad_indices_policy}
    return _scattered(ops.tensor_scatter_max, tensor, indices, updates, name, **policy)
