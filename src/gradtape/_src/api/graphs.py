"""Order, names and places of operations: `tf.group`, `tf.control_dependencies`, `tf.name_scope`, `tf.device`, ...

In eager mode operations are executed when they are asked for, so that there is no order to ask for.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Tensor
from gradtape._src.graph.ir import Operation, current_graph
from gradtape._src.graph.ir import no_op as no_operation
from gradtape._src.graph.names import in_eager_scope
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.indexed_slices import IndexedSlices

# --- Operations that do nothing -----------------------------------------------------------------------------


def no_op(name=None):
    """An operation that does nothing, for others to wait for; None in eager mode.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     tf.no_op()
    <tf.Operation 'NoOp' type=NoOp>
    """
    graph = current_graph()
    return None if graph is None else graph.append(no_operation, (), {}, name)


def group(*inputs, **kwargs):
    """An operation that is done when all of ``inputs`` are; None in eager mode, where they are already.

    Args:
      *inputs: operations, tensors, variables, or nests of them.
      **kwargs: ``name``, of the operation.

    Raises:
      TypeError: an input is something else.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     a, b = tf.Variable(1.0), tf.Variable(2.0)
    ...     session.run(tf.global_variables_initializer())
    ...     session.run(tf.group(a.assign(3.0), b.assign(4.0)))
    ...     print(session.run([a, b]))
    [np.float32(3.0), np.float32(4.0)]
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    graph = current_graph()
    if graph is None:
        return None
    waited = []
    for x in flatten(inputs):
        if not isinstance(x, (Tensor, Operation, IndexedSlices)) and not hasattr(x, "_as_graph_element"):
            raise TypeError(
                f"'inputs' should be zero or more (nested) Tensors. Received '{x}' with type '{type(x)}'."
            )
        waited.append(x)
    with graph.control_dependencies(waited):
        return graph.append(no_operation, (), {}, name or "group_deps")


def tuple(tensors, control_inputs=None, name=None):
    """The tensors again, none of which is there before all of them are.

    Args:
      tensors: a list of tensors, operations, `tf.IndexedSlices`, or None.
      control_inputs: further operations to wait for.
      name: of the name scope.

    Raises:
      ValueError: there is not one tensor among them.

    >>> import gradtape as tf
    >>> [t.numpy() for t in tf.tuple([tf.constant(1.0), tf.constant(2.0)])]
    [np.float32(1.0), np.float32(2.0)]
    """
    graph = current_graph()
    if graph is None:
        return tensors
    waited = [x for x in tensors if x is not None]
    if not waited:
        raise ValueError(f"`tensors` must have at least one Tensor. Received: {tensors}.")
    with graph.name_scope(name or "tuple"):
        gate = group(*waited, *(control_inputs or ()), name="group_deps")
        with graph.control_dependencies([gate]):
            return [_gated(x) for x in tensors]


def _gated(x: Any) -> Any:
    if isinstance(x, IndexedSlices):
        return IndexedSlices(_gated(x.values), _gated(x.indices), x.dense_shape)
    if x is None or isinstance(x, Operation):
        return x
    return identity.of(as_tensor(x), name="control_dependency")


# --- Where and when -----------------------------------------------------------------------------------------


def control_dependencies(control_inputs):
    """``with tf.control_dependencies([a, b]):`` operations made in the block are executed after a and b.

    Args:
      control_inputs: operations, tensors or variables; None drops the dependencies of outer blocks.

    In eager mode everything is executed in the order of the program, and this does nothing.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(1.0)
    ...     session.run(v.initializer)
    ...     with tf.control_dependencies([v.assign_add(1.0)]):
    ...         y = v * 10.0
    ...     print(session.run(y))
    20.0
    """
    graph = current_graph()
    if graph is None:
        if callable(control_inputs):
            control_inputs()
        elif control_inputs is not None:
            iter(control_inputs)
        return nullcontext()
    return graph.control_dependencies(control_inputs)


def device(device_name):
    """``with tf.device("/gpu:0"):`` is accepted, and does nothing: there is one device.

    >>> import gradtape as tf
    >>> with tf.device("/cpu:0"):
    ...     x = tf.constant(1.0)
    """
    return nullcontext()


def colocate_with(op, ignore_existing=False):
    """``with tf.colocate_with(op):`` is accepted, and does nothing: there is one device.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.colocate_with(tf.constant(1.0)):
    ...     x = tf.constant(1.0)
    """
    return nullcontext()


# --- Names --------------------------------------------------------------------------------------------------


class name_scope:
    """``with tf.name_scope("layer"):`` puts ``layer/`` before the names of operations and variables.

    The ``with`` statement gives the prefix in full. In a graph a scope that was there already gets a number; a name
    that ends with a slash is such a prefix, and is entered again.

    Raises:
      ValueError: the name is no string, or is not allowed.

    >>> import gradtape as tf
    >>> with tf.name_scope("layer") as scope:
    ...     v = tf.Variable(1.0, name="w")
    >>> scope, v.name
    ('layer/', 'layer/w:0')
    """

    def __init__(self, name):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[Any] = []

    @property
    def name(self):
        """The name that was given."""
        return self._name

    def __enter__(self):
        self._entered.append(scope_of(self._name))
        return self._entered[-1].__enter__()

    def __exit__(self, *exc):
        self._entered.pop().__exit__(*exc)


class name_scope_v1(name_scope):
    """`tf.name_scope` with TensorFlow 1's arguments.

    Args:
      name: the name, or None for ``default_name``.
      default_name: what to use where there is no name.
      values: without effect.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     with tf.name_scope(None, "default") as scope:
    ...         print(scope, tf.constant(1.0).name)
    default/ default/Const:0
    """

    def __init__(self, name, default_name=None, values=None):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass this into "
                "the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._entered = []
        self._says_nothing = self._name is None and values is not None

    def __enter__(self):
        if self._says_nothing:
            raise ValueError("At least one of name (None) and default_name (None) must be provided.")
        return super().__enter__()


def scope_of(name: str | None) -> Any:
    """The context manager of a name scope, in a graph or in eager mode."""
    graph = current_graph()
    return in_eager_scope(name) if graph is None else graph.name_scope(name)
