"""Lookups: `tf.gather`, `tf.gather_nd`, `tf.nn.embedding_lookup`, and `tf.dynamic_partition`,
`tf.dynamic_stitch`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.api.axes import along, unknown_axis
from gradtape._src.api.selection import require, require_same
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops import gathering as ops
from gradtape._src.ops import indexed_slices
from gradtape._src.ops.arithmetic import multiply, real_divide, square
from gradtape._src.ops.arrays import ones_like, reshape
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import greater
from gradtape._src.ops.elementwise import maximum, sqrt
from gradtape._src.ops.flattening import unflat_rows
from gradtape._src.ops.joining import concat
from gradtape._src.ops.measuring import rank
from gradtape._src.ops.measuring import shape as shape_vector
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.selection import select

INDEX_DTYPES = "int16, int32, int64"


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """The slices of a tensor along an axis that indices name: for axis 0, `y[i, j] = params[indices[i, j]]`.

    Its gradient is a `tf.IndexedSlices` if `axis` is 0 and there are no batch dimensions, else a tensor.

    Args:
      params: a tensor of any dtype with at least one axis.
      indices: an integer tensor (int16, int32, int64), values in [0, params.shape[axis]).
      validate_indices: not used; indices are always checked.
      axis: by default the first axis behind the batch dimensions; negative axes count from the end.
      batch_dims: how many leading axes params and indices share; they run together,
        `y[b, i] = params[b, indices[b, i]]`.
      name: of the operation in a graph.

    Returns a tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]`.

    Raises InvalidArgumentError for an index out of range, or an axis that is not there.

    >>> import gradtape as tf
    >>> print(tf.gather([10, 20, 30], [2, 0, 2]).numpy())
    [30 10 30]
    >>> print(tf.gather([[1, 2], [3, 4]], [[1], [0]], batch_dims=1).numpy())
    [[2]
     [3]]

    As TensorFlow 2.21.
    """
    del validate_indices
    params, indices = as_tensor(params), as_tensor(indices)
    require(indices, INDEX_DTYPES, "Tindices", "GatherV2")
    batch_dims = _integer(batch_dims)
    if not batch_dims and unknown_axis(axis, "Taxis", "GatherV2"):
        return _along_unknown(params, indices, axis, name)
    axis = batch_dims if axis is None else _integer(axis)
    if axis or batch_dims:
        axis, batch_dims = _checked(shape_of(params), shape_of(indices), axis, batch_dims)
    return indexed_slices.gather.of(params, indices, axis=axis, batch_dims=batch_dims, name=name)


def _along_unknown(params: Any, indices: Any, axis: Any, name: Any) -> Any:
    """``gather`` along an axis that is a tensor of a graph."""
    rows = along(lambda x: gather(x, reshape.of(indices, (-1,)), axis=0, name=name), params, axis=axis)
    if len(shape_of(indices) or ()) == 1:
        return rows
    sizes, inner = (shape_vector.of(x, out_type=_INT32) for x in (params, indices))
    place = cast.of(axis, dtype=_INT32)
    place = place + rank.of(params) * cast.of(place < 0, dtype=_INT32)
    return reshape.of(rows, concat.of(sizes[:place], inner, sizes[place + 1 :], axis=0))


_INT32 = np.dtype(np.int32)


def _integer(value: Any) -> int:
    value = value._data if type(value) is EagerTensor else value
    try:
        return operator.index(value)
    except TypeError:
        raise InvalidArgumentError.of(
            "Value for attr 'Taxis' is not in the list of allowed values: int32, int64 [Op:GatherV2]. "
            "Expected an "
            f"integer that is known while the graph is built, received {value!r}."
        ) from None


def _checked(params: Any, indices: Any, axis: int, batch_dims: int) -> tuple[int, int]:
    """The axis as it was given, and the batch dimensions counted from the front, if they are possible."""
    if params is not None:
        needed = axis + 1 if axis >= 0 else -axis
        if needed > len(params):
            raise InvalidArgumentError.of(
                f"Shape must be at least rank {needed} but is rank {len(params)} [Op:GatherV2]"
            )
    if indices is not None:
        rank = len(indices)
        if not -rank <= batch_dims <= rank:
            raise InvalidArgumentError.of(
                f"Expected batch_dims in the range [{-rank}, {rank}], but got {batch_dims} [Op:GatherV2]"
            )
        if batch_dims < 0:
            axis = axis if axis != batch_dims else axis + rank
            batch_dims += rank
    if params is not None and batch_dims > axis % len(params):
        raise InvalidArgumentError.of(
            f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis % len(params)}). "
            "[Op:GatherV2]"
        )
    return axis, batch_dims


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    """The slices of a tensor that index vectors name: `y[i, j] = params[tuple(indices[i, j, :])]`.

    Its gradient is a `tf.IndexedSlices` if the indices are of shape (n, 1), else a tensor.

    Args:
      params: a tensor of any dtype.
      indices: an integer tensor (int16, int32, int64) whose last axis holds index vectors.
      batch_dims: how many leading axes params and indices share; they run together.
      name: of the operation in a graph.
      bad_indices_policy: "IGNORE" gives zeros for index vectors out of range; "", "DEFAULT" and "ERROR"
        refuse them.

    Returns a tensor of shape `indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1]:]`.

    Raises InvalidArgumentError for an index vector out of range or too long; ValueError for `batch_dims` that
    are not possible.

    >>> import gradtape as tf
    >>> print(tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy())
    [2 3]

    As TensorFlow 2.21.
    """
    params, indices = as_tensor(params), as_tensor(indices)
    require(indices, INDEX_DTYPES, "Tindices", "GatherNd")
    if bad_indices_policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise InvalidArgumentError.of(
            f"Unknown bad indices handling attribute: {bad_indices_policy} [Op:GatherNd]"
        )
    batch_dims = int(batch_dims._data if type(batch_dims) is EagerTensor else batch_dims)
    if batch_dims < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    if shape_of(indices) == ():
        raise InvalidArgumentError.of("indices must be at least a vector [Op:GatherNd]")
    if batch_dims:
        _check_batches(shape_of(params), shape_of(indices), batch_dims)
    return ops.gather_nd.of(
        params, indices, batch_dims=batch_dims, bad_indices_policy=bad_indices_policy, name=name
    )


def _check_batches(params: Any, indices: Any, batch_dims: int) -> None:
    for shape, what in (indices, "indices"), (params, "params"):
        if shape is not None and batch_dims >= len(shape):
            raise ValueError(
                f"Argument `batch_dims` = {batch_dims} must be less than rank(`{what}`) = {len(shape)}"
            )
    if params is not None and indices is not None:
        for a, b in zip(params[:batch_dims], indices[:batch_dims], strict=True):
            if a is not None and b is not None and a != b:
                raise InvalidArgumentError.of(
                    f"The first batch_dims = {batch_dims} dimensions must be equal, but params is of shape "
                    f"{params} and indices of shape {indices} [Op:GatherNd]"
                )


# --- Embeddings ---------------------------------------------------------------------------------------------


def embedding_lookup(params, ids, max_norm=None, name=None):
    """The rows of a table that ids name, `tf.gather(params, ids)`; the gradient for the table is a
    `tf.IndexedSlices`.

    Args:
      params: a tensor or variable of shape (n, ...); or a list of k of them, the table's blocks of rows in
        order, the first `n % k` of them one row longer than the others.
      ids: an integer tensor, values in [0, n).
      max_norm: if given, a row whose L2 norm is greater is scaled to this norm.
      name: of the operation in a graph.

    Returns a tensor of shape `ids.shape + params.shape[1:]`.

    Raises ValueError if there are no params; InvalidArgumentError for an id out of range.

    >>> import gradtape as tf
    >>> print(tf.nn.embedding_lookup([[3., 4.], [0.3, 0.4]], [0, 1], max_norm=1.).numpy())
    [[0.6 0.8]
     [0.3 0.4]]

    As TensorFlow 2.21.
    """
    return looked_up(params, ids, "div", max_norm, name)


def looked_up(params: Any, ids: Any, strategy: str, max_norm: Any, name: Any) -> Any:
    """`embedding_lookup`, with a strategy ("div" or "mod") for tables in several parts."""
    if params is None:
        raise ValueError("params must be specified")
    if not _is_list_of_parts(params):
        return _clipped(gather(params, ids, name=name), ids, max_norm)
    if len(params) == 0:
        raise ValueError("Length of params is currently 0. Need at least one param.")
    if len(params) == 1:
        return _clipped(gather(params[0], ids, name=name), ids, max_norm)
    if strategy not in ("div", "mod"):
        raise ValueError(f"Unrecognized partition strategy: {strategy}.Must be one of either `mod` or `div`.")
    parts, ids = list(map(as_tensor, params)), as_tensor(ids)
    require(ids, INDEX_DTYPES, "Tindices", "GatherV2")
    part, row, place = ops.located.of(ids, *parts, strategy=strategy)
    rows = ops.dynamic_partition.of(row, part, num_partitions=len(parts))
    places = ops.dynamic_partition.of(place, part, num_partitions=len(parts))
    found = [
        _clipped(indexed_slices.gather.of(x, r, axis=0, batch_dims=0), r, max_norm)
        for x, r in zip(parts, rows, strict=True)
    ]
    return unflat_rows.of(ops.dynamic_stitch.of(*places, *found), ids, name=name)


def _is_list_of_parts(params: Any) -> bool:
    """Whether params are several tables, and not one written as nested lists of numbers."""
    return isinstance(params, (list, tuple)) and all(hasattr(part, "shape") for part in params)


def _clipped(rows: Any, ids: Any, max_norm: Any) -> Any:
    """The rows with a norm of at most `max_norm`: x m / max(|x|, m). A row of zeros has the slope 1."""
    if max_norm is None:
        return rows
    first = len(shape_of(ids if hasattr(ids, "shape") else as_tensor(ids)))
    axes = tuple(range(first, len(shape_of(rows))))
    m = as_tensor(max_norm, from_numpy(dtype_of(rows)))
    squares = reduce_sum.of(square.of(rows), axis=axes, keepdims=True)
    some = greater.of(squares, 0)
    norms = select.of(some, sqrt.of(select.of(some, squares, ones_like.of(squares))), squares)
    return real_divide.of(multiply.of(rows, m), maximum.of(norms, m))


# --- Apart and together -------------------------------------------------------------------------------------


def dynamic_partition(data, partitions, num_partitions, name=None):
    """The slices of data, sorted into lists: list k has those for which `partitions` says k, in their order.

    Args:
      data: a tensor of any dtype whose shape starts with that of `partitions`.
      partitions: an int32 tensor, values in [0, num_partitions).
      num_partitions: an integer, 1 or more: the number of lists.
      name: of the operation in a graph.

    Returns a list of tensors of shapes `(how many,) + data.shape[partitions.ndim:]`.

    Raises InvalidArgumentError if a partition is out of range or the shapes do not fit.

    >>> import gradtape as tf
    >>> small, large = tf.dynamic_partition([1, 20, 3], [0, 1, 0], 2)
    >>> print(small.numpy(), large.numpy())
    [1 3] [20]

    As TensorFlow 2.21.
    """
    try:
        num_partitions = int(num_partitions)
    except (TypeError, ValueError):
        raise TypeError(f"Expected int for argument 'num_partitions' not {num_partitions!r}.") from None
    if num_partitions < 1:
        raise InvalidArgumentError.of(
            f"Value for attr 'num_partitions' of {num_partitions} must be at least minimum 1 "
            "[Op:DynamicPartition]"
        )
    data, partitions = as_tensor(data), as_tensor(partitions, int32)
    return list(ops.dynamic_partition.of(data, partitions, num_partitions=num_partitions, name=name))


def dynamic_stitch(indices, data, name=None):
    """Puts slices where indices say, in one tensor: `y[indices[k][i]] = data[k][i]`.

    What is written last stays, and the gradient goes to what stays. Rows that no index names are 0.

    Args:
      indices: a list of int32 tensors.
      data: a list of as many tensors of one dtype; the shape of `data[k]` is `indices[k].shape` and then that
        of a slice, which is the same for all.
      name: of the operation in a graph.

    Returns a tensor of shape `(greatest index + 1,) + slice shape`.

    Raises InvalidArgumentError if the shapes do not fit or an index is negative; ValueError if the lists
    differ in length.

    >>> import gradtape as tf
    >>> print(tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy())
    [10 20 30]

    As TensorFlow 2.21, whose gradient goes to what was overwritten too.
    """
    indices, data = _as_list(indices, "indices"), _as_list(data, "data")
    if len(indices) != len(data):
        raise ValueError(
            f"List argument 'data' to 'dynamic_stitch' Op with length {len(data)} must match length "
            f"{len(indices)} of "
            "argument 'indices'."
        )
    if not indices:
        raise InvalidArgumentError.of(
            "Expected at least one tensor to stitch, received none [Op:DynamicStitch]"
        )
    indices = [as_tensor(i, int32) for i in indices]
    first = next((x for x in data if hasattr(x, "dtype")), data[0])
    first = as_tensor(first)
    data = [x if hasattr(x, "dtype") else as_tensor(x, from_numpy(dtype_of(first))) for x in data]
    data = list(map(as_tensor, data))
    for k, x in enumerate(data):
        require_same("DynamicStitch", first, x, len(indices) + k)
    return ops.dynamic_stitch.of(*indices, *data, name=name)


def _as_list(values: Any, what: str) -> Sequence[Any]:
    if isinstance(values, (list, tuple)):
        return list(values)
    if not isinstance(values, Tensor) or shape_of(values) == ():
        raise TypeError(f"Expected list for '{what}' argument to 'dynamic_stitch' Op, not {values!r}.")
    return list(values)  # type: ignore[arg-type]
