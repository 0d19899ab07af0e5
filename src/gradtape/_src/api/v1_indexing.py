"""TensorFlow 1's spellings of lookups, scatters and selections (`tf.compat.v1`)."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import gathering, selection
from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import bool_
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import compatible, in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops import selection as ops
from gradtape._src.ops.gathering import mask_rows
from gradtape._src.ops.indexed_slices import IndexedSlices


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    """`tf.gather`, with the name before the axis.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.gather([10, 20, 30], [2, 0], axis=0).numpy())
    [30 10]

    As TensorFlow 2.21.
    """
    return gathering.gather(params, indices, validate_indices, axis, batch_dims, name)


def gather_nd(params, indices, name=None, batch_dims=0, bad_indices_policy=""):
    """`tf.gather_nd`, with the name before `batch_dims`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.gather_nd([[1, 2], [3, 4]], [[0, 1]]).numpy())
    [2]

    As TensorFlow 2.21.
    """
    return gathering.gather_nd(params, indices, batch_dims, name, bad_indices_policy)


def batch_gather(params, indices, name=None):
    """`tf.gather` with all axes of the indices but the last as batch dimensions.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.batch_gather([[1, 2], [3, 4]], [[1], [0]]).numpy())
    [[2]
     [3]]

    As TensorFlow 2.21.
    """
    indices = as_tensor(indices)
    shape = shape_of(indices)
    if shape is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    if not shape:
        raise ValueError("Argument `batch_dims` = -1 must be less than rank(`indices`) = 0")
    return gathering.gather(params, indices, batch_dims=len(shape) - 1, name=name)


def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None):
    """`tf.nn.embedding_lookup`, for tables in k parts also by the strategy "mod": id i is in part `i % k`.

    >>> import gradtape.compat.v1 as tf
    >>> even, odd = tf.constant([[0.], [2.]]), tf.constant([[1.]])
    >>> print(tf.nn.embedding_lookup([even, odd], [2, 1]).numpy())
    [[2.]
     [1.]]

    As TensorFlow 2.21.
    """
    del validate_indices
    return gathering.looked_up(params, ids, partition_strategy, max_norm, name)


def where(condition, x=None, y=None, name=None):
    """`tf.where` without broadcasting: a condition of one axis selects whole slices along the first axis of x
    and y.

    x and y are of one shape, and the condition is of that shape too, or a scalar, or a vector as long as
    their first axis. With the condition alone, the index vectors of the places where it holds.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.where([True, False], [[1, 2], [3, 4]], [[0, 0], [0, 0]]).numpy())
    [[1 2]
     [0 0]]

    As TensorFlow 2.21.
    """
    if x is None or y is None:
        return selection.where(condition, x, y, name)
    condition = as_tensor(condition, bool_)
    x, y = as_operands(x, y)
    selection.require_same("Select", x, y, 2)
    c, then, other = map(shape_of, (condition, x, y))
    if not compatible(then, other):
        raise InvalidArgumentError.of(
            f"'then' and 'else' must have the same size.  but received: {in_brackets(then)} vs. "
            f"{in_brackets(other)} "
            "[Op:Select]. tf.compat.v1.where_v2 broadcasts."
        )
    if c is not None and then is not None and len(c) == 1 != len(then):
        if not then:
            raise InvalidArgumentError.of("'then' must be at least a vector, but saw shape: [] [Op:Select]")
        if c[0] is not None and then[0] is not None and c[0] != then[0]:
            raise InvalidArgumentError.of(
                f"Number of batches of 'then' must match size of 'cond', but saw: {then[0]} vs. {c[0]} "
                "[Op:Select]"
            )
        condition = mask_rows.of(condition, x)
    elif c and not compatible(c, then):
        raise InvalidArgumentError.of(
            "Inputs to operation Select of type Select must have the same size and shape.  Input 0: "
            f"{in_brackets(c)} != input 1: {in_brackets(then)} [Op:Select]. tf.compat.v1.where_v2 broadcasts."
        )
    return ops.select.of(condition, x, y, name=name)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    """`tf.boolean_mask`, with the name before the axis.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.boolean_mask([1, 2, 3], [True, False, True]).numpy())
    [1 3]

    As TensorFlow 2.21.
    """
    return selection.boolean_mask(tensor, mask, axis, name)


def sparse_mask(a, mask_indices, name=None):
    """The slices of an IndexedSlices whose indices are not among `mask_indices`.

    >>> import gradtape.compat.v1 as tf
    >>> slices = tf.IndexedSlices(tf.constant([1., 2., 3.]), tf.constant([4, 5, 6]))
    >>> print(tf.sparse_mask(slices, [5]).indices.numpy())
    [4 6]

    As TensorFlow 2.21.
    """
    del name
    indices = as_tensor(a.indices)
    keep = ops.absent.of(indices, as_tensor(mask_indices))
    values, kept = selection.boolean_mask(a.values, keep), selection.boolean_mask(indices, keep)
    return IndexedSlices(values, kept, a.dense_shape)


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """`tf.convert_to_tensor`, except that an IndexedSlices stays one.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.convert_to_tensor_or_indexed_slices([1, 2]).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    del name
    return value if isinstance(value, IndexedSlices) else as_tensor(value, dtype)


# --- Scatters into variables --------------------------------------------------------------------------------


def _slices(indices: Any, updates: Any) -> IndexedSlices:
    return IndexedSlices(as_tensor(updates), as_tensor(indices))


def scatter_update(ref, indices, updates, use_locking=True, name=None):
    """`ref[indices[i]] = updates[i]`, in a variable; returns the variable.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_update(tf.Variable([1., 2.]), [0], [5.]).numpy())
    [5. 2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_update(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_add(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] += updates[i]`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_add(tf.Variable([1., 2.]), [0, 0], [5., 5.]).numpy())
    [11.  2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_add(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_sub(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] -= updates[i]`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_sub(tf.Variable([1., 2.]), [0], [5.]).numpy())
    [-4.  2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_sub(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_mul(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] *= updates[i]`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_mul(tf.Variable([1., 2.]), [1], [5.]).numpy())
    [ 1. 10.]

    As TensorFlow 2.21.
    """
    return ref.scatter_mul(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_div(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] /= updates[i]`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_div(tf.Variable([1., 2.]), [1], [4.]).numpy())
    [1.  0.5]

    As TensorFlow 2.21.
    """
    return ref.scatter_div(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_min(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] = min(ref[indices[i]], updates[i])`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_min(tf.Variable([1., 2.]), [0, 1], [0., 9.]).numpy())
    [0. 2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_min(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_max(ref, indices, updates, use_locking=False, name=None):
    """`ref[indices[i]] = max(ref[indices[i]], updates[i])`, in a variable; see `scatter_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_max(tf.Variable([1., 2.]), [0, 1], [0., 9.]).numpy())
    [1. 9.]

    As TensorFlow 2.21.
    """
    return ref.scatter_max(_slices(indices, _like(ref, updates)), use_locking, name)


def _like(ref: Any, updates: Any) -> Any:
    return as_tensor(updates, ref.dtype)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """`ref[b, indices[b, i]] = updates[b, i]`, in a variable: the axes of the indices before the last run
    together.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.batch_scatter_update(tf.Variable([[1., 2.], [3., 4.]]), [[0], [1]], [[9.], [8.]]).numpy())
    [[9. 2.]
     [3. 8.]]

    As TensorFlow 2.21.
    """
    return ref.batch_scatter_update(_slices(indices, _like(ref, updates)), use_locking, name)


def scatter_nd_update(ref, indices, updates, use_locking=True, name=None):
    """`ref[tuple(indices[i])] = updates[i]`, in a variable; returns the variable.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_nd_update(tf.Variable([1., 2.]), [[0]], [5.]).numpy())
    [5. 2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_nd_update(as_tensor(indices), _like(ref, updates), name)


def scatter_nd_add(ref, indices, updates, use_locking=False, name=None):
    """`ref[tuple(indices[i])] += updates[i]`, in a variable; see `scatter_nd_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_nd_add(tf.Variable([1., 2.]), [[0]], [5.]).numpy())
    [6. 2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_nd_add(as_tensor(indices), _like(ref, updates), name)


def scatter_nd_sub(ref, indices, updates, use_locking=False, name=None):
    """`ref[tuple(indices[i])] -= updates[i]`, in a variable; see `scatter_nd_update`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.scatter_nd_sub(tf.Variable([1., 2.]), [[0]], [5.]).numpy())
    [-4.  2.]

    As TensorFlow 2.21.
    """
    return ref.scatter_nd_sub(as_tensor(indices), _like(ref, updates), name)
