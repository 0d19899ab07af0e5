"""The global step: the variable of a graph that counts the steps of training."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.log import get_logger
from gradtape._src.core.values import Tensor
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.graph_variables import home_graph
from gradtape._src.ops.variables import Variable
from gradtape._src.train.slots import make_variable, scoped


def get_global_step(graph=None):
    """The global step of a graph (the default one, if none is given), or None if there is none.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.train.get_global_step()
    """
    graph = graph or _home()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        get_logger().error("Multiple tensors in global_step collection.")
        return None
    try:
        step = found[0] if found else graph.get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    assert_global_step(step)
    return step


def _home() -> Any:
    """The graph that variables belong to."""
    return get_default_graph() if current_graph() is None else home_graph()


def create_global_step(graph=None):
    """Makes the global step: an int64 variable that is not trained, 0 at first.

    Raises:
      ValueError: the graph has one.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.train.create_global_step()
    <tf.Variable 'global_step:0' shape=() dtype=int64>
    """
    graph = graph or _home()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    zero = as_tensor(0, int64)
    if current_graph() is None:
        step = make_variable(zero, "global_step")
        graph.add_to_collection(GraphKeys.GLOBAL_STEP, step)
        return step
    with graph.as_default():
        keys = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
        return make_variable(zero, scoped("global_step"), collections=keys)


def get_or_create_global_step(graph=None):
    """The global step of a graph, made if there is none. See `tf.train.create_global_step`.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.train.get_or_create_global_step() is tf.train.get_or_create_global_step()
    True
    """
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor):
    """Checks that something can be a global step.

    Raises:
      TypeError: it is not a variable or tensor, not an integer, or not a scalar.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.assert_global_step(tf.constant(3))
    """
    step: Any = global_step_tensor
    if not isinstance(step, (Variable, Tensor)):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {step}.')
    if not step.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {step.dtype}')
    if step.shape.is_fully_defined() and step.shape.ndims != 0:
        raise TypeError(f'Existing "global_step" is not scalar: {step.shape}')


def global_step(sess, global_step_tensor):
    """The value of a global step in a session, as a Python integer; in eager mode ``sess`` is without effect.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.global_step(None, tf.Variable(3))
    3
    """
    if current_graph() is None and sess is None:
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))
