"""TensorFlow 1's forms of `tf.constant`, `tf.convert_to_tensor`, `tf.Variable` and of assignment."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import tensors
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.distribution import VariableAggregationV2, VariableSynchronization
from gradtape._src.core.shapes import size_of
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.variables import ResourceVariable, Variable


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A tensor of a value; see `tf.constant` of TensorFlow 2.

    In a graph, elements that ``shape`` has and ``value`` lacks are copies of the last one.

    verify_shape: the value must have the shape, and is not brought to it.

    >>> import gradtape.compat.v1 as tf
    >>> tf.constant([1, 2], shape=[2], verify_shape=True)
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    """
    if shape is not None and verify_shape:
        have = TensorShape(shape_of(as_tensor(value, dtype)))
        if TensorShape(shape) != have:
            raise TypeError(f"Expected Tensor's shape: {TensorShape(shape)}, got {have}.")
    if shape is not None and current_graph() is not None:
        value = _filled(value, dtype, as_shape_tuple(shape))
    return tensors.constant(value, dtype, shape, name)


def _filled(value: Any, dtype: Any, shape: Any) -> Any:
    """A value of fewer elements than the shape has, filled up with the last one."""
    tensor, size = as_tensor(value, dtype), size_of(shape)
    if type(tensor) is not EagerTensor or size is None or not 0 < tensor._data.size < size:
        return value
    flat = np.ravel(tensor._data)
    return EagerTensor(np.append(flat, np.repeat(flat[-1:], size - flat.size)).reshape(shape))


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """A value as a tensor; see `tf.convert_to_tensor` of TensorFlow 2.

    preferred_dtype: the older name of ``dtype_hint``.

    >>> import gradtape.compat.v1 as tf
    >>> tf.convert_to_tensor(1, preferred_dtype=tf.float32)
    <tf.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return tensors.convert_to_tensor(
        value, dtype, dtype_hint if preferred_dtype is None else preferred_dtype, name
    )


class _VariableType(type):
    """Makes `tf.compat.v1.Variable(...)` a variable like any other, and any variable an instance of it."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Variable)

    def __call__(
        cls,
        initial_value=None,
        trainable=None,
        collections=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        variable_def=None,
        dtype=None,
        expected_shape=None,
        import_scope=None,
        constraint=None,
        use_resource=None,
        synchronization=VariableSynchronization.AUTO,
        aggregation=VariableAggregationV2.NONE,
        shape=None,
    ):
        """`tf.Variable` with TensorFlow 1's arguments; ``collections`` are those of a graph."""
        return make_variable(
            collections,
            initial_value,
            trainable,
            validate_shape,
            caching_device,
            name,
            variable_def,
            dtype,
            import_scope,
            constraint,
            synchronization,
            aggregation,
            expected_shape if shape is None else shape,
        )


class VariableV1(Variable, metaclass=_VariableType):
    """`tf.Variable` with TensorFlow 1's arguments.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(1.0, collections=[])
    >>> v, isinstance(v, tf.Variable)
    (<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>, True)
    """


def make_variable(collections: Any, *args: Any, **kwargs: Any) -> Any:
    """A variable that a graph, if one is being built, puts into these collections."""
    graph = current_graph()
    if graph is None or hasattr(graph, "initial_value"):  # eager mode, or a function that is traced
        return ResourceVariable(*args, **kwargs)
    return GraphVariable(*args, collections=collections, **kwargs)


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Replaces the value of a variable.

    >>> import gradtape.compat.v1 as tf
    >>> tf.assign(tf.Variable(1.0), 2.0)
    <tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=2.0>
    """
    return ref.assign(value, use_locking, name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to the value of a variable.

    >>> import gradtape.compat.v1 as tf
    >>> tf.assign_add(tf.Variable(1.0), 2.0)
    <tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=3.0>
    """
    return ref.assign_add(value, use_locking, name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from the value of a variable.

    >>> import gradtape.compat.v1 as tf
    >>> tf.assign_sub(tf.Variable(1.0), 2.0)
    <tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=-1.0>
    """
    return ref.assign_sub(value, use_locking, name)


def is_variable_initialized(ref, name=None):
    """A tensor that says whether a variable has a value.

    >>> import gradtape.compat.v1 as tf
    >>> tf.is_variable_initialized(tf.Variable(1.0))
    <tf.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return ref.is_initialized(name)
