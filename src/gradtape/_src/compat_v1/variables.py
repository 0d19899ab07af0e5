"""The variables of a graph: collections of them, and how they get their first values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradtape._src.api.graphs import group, no_op
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.op import Op
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph

# --- Collections --------------------------------------------------------------------------------------------


def get_collection(key, scope=None):
    """A copy of a collection of the default graph; see `tf.Graph.get_collection`.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
    [<tf.Variable 'v:0' shape=() dtype=float32>]
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    """A collection of the default graph itself, to be changed.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.get_collection_ref("mine").append(1)
    ...     tf.get_collection("mine")
    [1]
    """
    return get_default_graph().get_collection_ref(key)


def add_to_collection(name, value):
    """Appends a value to a collection of the default graph.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.add_to_collection("losses", 1.0)
    ...     tf.get_collection("losses")
    [1.0]
    """
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    """Appends a value to several collections of the default graph.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.add_to_collections(["a", "b"], 1.0)
    ...     tf.get_collection("b")
    [1.0]
    """
    get_default_graph().add_to_collections(names, value)


def global_variables(scope=None):
    """All variables of the default graph but the local ones.

    scope: a regular expression that their names begin with.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, trainable=False)
    ...     len(tf.global_variables()), len(tf.trainable_variables())
    (1, 0)
    """
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def trainable_variables(scope=None):
    """The variables of the default graph that optimizers change; see `tf.global_variables`."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def local_variables(scope=None):
    """The local variables of the default graph: counters and the like, which are not saved."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope=None):
    """The variables of the collection `MODEL_VARIABLES`."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    """The variables of the collection `MOVING_AVERAGE_VARIABLES`."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


# --- First values -------------------------------------------------------------------------------------------


def variables_initializer(var_list, name="init"):
    """An operation that gives variables their initial values; in eager mode they have them, and it is None.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(3.0)
    ...     session.run(tf.variables_initializer([v]))
    ...     print(session.run(v))
    3.0
    """
    if current_graph() is None:
        return no_op(name=name)
    return group(*[v.initializer for v in var_list if v.initializer is not None], name=name)


def global_variables_initializer():
    """`tf.variables_initializer` of `tf.global_variables()`: what a session runs first.

    It knows the variables that there are when it is made, and no later ones.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(tf.zeros([2]))
    ...     session.run(tf.global_variables_initializer())
    ...     print(session.run(v))
    [0. 0.]
    """
    return variables_initializer(global_variables())


def local_variables_initializer():
    """`tf.variables_initializer` of `tf.local_variables()`."""
    return variables_initializer(local_variables())


def tables_initializer(name="init_all_tables"):
    """An operation that fills the lookup tables of the default graph.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.tables_initializer()
    <tf.Operation 'init_all_tables' type=NoOp>
    """
    if current_graph() is None:
        return no_op(name=name)
    return group(*get_collection(GraphKeys.TABLE_INITIALIZERS), name=name)


def _without_value(*variables: Any, names: tuple[bytes, ...]) -> Any:
    missing = [name for variable, name in zip(variables, names) if not variable._has_value()]
    return np.array(missing, object).reshape(len(missing))


_report = Op(
    "ReportUninitialized",
    _without_value,
    shape=lambda *variables, names: (None,),
    dtype=np.dtype(object),
    stateful=True,
)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """The names of the variables that have no value yet in the session that runs, as a vector of strings.

    var_list: by default all global and local variables.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(3.0, name="v")
    ...     print(session.run(tf.report_uninitialized_variables()))
    [b'v']
    """
    graph = current_graph()
    if graph is None:  # every variable has its value from the start
        return as_tensor(np.array([], object))
    variables = list(global_variables() + local_variables() if var_list is None else var_list)
    variables = [v for v in variables if hasattr(v, "_has_value")]
    names = tuple(v.op.name.encode() for v in variables)
    return graph.apply(_report, tuple(variables), {"names": names}, name)


def assert_variables_initialized(var_list: Iterable[Any] | None = None) -> Any:
    """An operation that fails unless the variables have values; None in eager mode.

    >>> import gradtape.compat.v1 as tf
    >>> tf.assert_variables_initialized()
    """
    if current_graph() is None:
        return None
    variables = global_variables() + local_variables() if var_list is None else list(var_list)
    return group(*variables, name="assert_variables_initialized") if variables else None


# --- Older names --------------------------------------------------------------------------------------------


def all_variables():
    """The older name of `tf.global_variables`."""
    return global_variables()


def initialize_all_variables():
    """The older name of `tf.global_variables_initializer`."""
    return global_variables_initializer()


def initialize_variables(var_list, name="init"):
    """The older name of `tf.variables_initializer`."""
    return variables_initializer(var_list, name)


def initialize_local_variables():
    """The older name of `tf.local_variables_initializer`."""
    return local_variables_initializer()
