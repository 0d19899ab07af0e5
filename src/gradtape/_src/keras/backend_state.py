"""``tf.keras.backend``: variables and their values, names, sessions, the learning phase."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.api.casting import cast as cast_tensor
from gradtape._src.api.random import normal, uniform
from gradtape._src.api.tensors import constant as constant_tensor
from gradtape._src.autodiff.graph_gradients import gradients_v1
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph, get_default_session, outermost, reset_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.session import Session
from gradtape._src.keras.naming import reset_names
from gradtape._src.keras.settings import as_floatx, floatx
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.variables import Variable

_session: list[Session] = []
_phase: list[Any] = [0]


# --- Values


def variable(value, dtype=None, name=None, constraint=None):
    """A new variable, of the dtype of `tf.keras.backend.floatx` by default.

    >>> import gradtape as tf
    >>> tf.keras.backend.variable([1, 2]).dtype
    tf.float32
    """
    return Variable(value, dtype=as_floatx(dtype), name=name, constraint=constraint)


def constant(value, dtype=None, shape=None, name: Any = None):
    """A tensor, of the dtype of `tf.keras.backend.floatx` by default."""
    return constant_tensor(value, as_floatx(dtype), shape, name)


def get_value(x):
    """The value of a variable or a tensor as an array; in a graph, in the session of `tf.keras.backend.get_session`.

    >>> import gradtape as tf
    >>> tf.keras.backend.get_value(tf.keras.backend.variable(2.0))
    np.float32(2.0)
    """
    if not isinstance(x, (Tensor, Variable)):
        return x
    return x.numpy() if _has_data(x) else get_session().run(x)


def _has_data(x: Any) -> bool:
    return isinstance(x, EagerTensor) or (isinstance(x, Variable) and not isinstance(x, GraphVariable))


def eval(x):
    """`get_value`."""
    return get_value(x)


def batch_get_value(tensors):
    """The values of several variables."""
    return [get_value(x) for x in tensors]


def set_value(x, value):
    """Sets a variable.

    >>> import gradtape as tf
    >>> v = tf.keras.backend.variable(2.0)
    >>> tf.keras.backend.set_value(v, 3.0)
    >>> v.numpy()
    np.float32(3.0)
    """
    value = np.asarray(value, x.dtype.as_numpy_dtype)
    if _has_data(x):
        x.assign(value)
    else:
        x.load(value, get_session())


def batch_set_value(tuples):
    """Sets several variables: pairs of a variable and a value."""
    for x, value in tuples:
        set_value(x, value)


def update(x, new_x):
    """Assigns to a variable."""
    return x.assign(new_x)


def update_add(x, increment):
    """Adds to a variable."""
    return x.assign_add(increment)


def update_sub(x, decrement):
    """Subtracts from a variable."""
    return x.assign_sub(decrement)


def moving_average_update(x, value, momentum):
    """``x = x * momentum + value * (1 - momentum)``."""
    return x.assign(x * momentum + as_tensor(value, like=x) * (1.0 - momentum))


def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    """A new variable with numbers of a normal distribution."""
    return variable(normal(shape, mean, scale, as_floatx(dtype), seed), dtype, name)


def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    """A new variable with numbers of a uniform distribution."""
    return variable(uniform(shape, low, high, as_floatx(dtype), seed), dtype, name)


# --- What a tensor is


def int_shape(x):
    """The shape as a tuple, with None for what is not known; None if the rank is not.

    >>> import gradtape as tf
    >>> tf.keras.backend.int_shape(tf.zeros([2, 3]))
    (2, 3)
    """
    dims = shape_of(x if isinstance(x, (Tensor, Variable)) or hasattr(x, "shape") else as_tensor(x))
    return None if dims is None else tuple(dims)


def ndim(x):
    """The number of dimensions."""
    return x.shape.rank if hasattr(x.shape, "rank") else len(x.shape)


def dtype(x):
    """The name of the dtype."""
    return from_numpy(dtype_of(x)).name if isinstance(x, Tensor) else x.dtype.name


def count_params(x):
    """The number of elements.

    >>> import gradtape as tf
    >>> tf.keras.backend.count_params(tf.zeros([2, 3]))
    6
    """
    return math.prod(int_shape(x) or ())


def is_sparse(tensor):
    """Whether a tensor is a SparseTensor: False."""
    return False


def to_dense(tensor):
    """The tensor itself."""
    return tensor


def cast(x, dtype):
    """`tf.cast`."""
    return cast_tensor(x, dtype)


def cast_to_floatx(x):
    """A tensor or an array in the dtype of `tf.keras.backend.floatx`."""
    if isinstance(x, (Tensor, Variable)):
        return cast_tensor(x, floatx())
    return np.asarray(x, as_floatx(None).as_numpy_dtype)


def gradients(loss, variables):
    """`tf.compat.v1.gradients`: in graphs."""
    return gradients_v1(loss, variables)


# --- Sessions, names, the learning phase


def get_session(op_input_list=()):
    """The session of the current ``with`` block, or one for the default graph; there all variables are initialized.

    Raises:
      RuntimeError: in eager mode.
    """
    session = session_of_graph()
    known = vars(session).setdefault("_keras_initialized", set())  # asking costs an operation each
    unknown = [v for v in session.graph.get_collection(GraphKeys.GLOBAL_VARIABLES) if id(v) not in known]
    session.run([v.initializer for v in unknown if not session.run(v.is_initialized())])
    known.update(map(id, unknown))
    return session


def session_of_graph() -> Any:
    """The session that `get_session` gives, with its variables as they are."""
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            "get_session() is for graphs: tf.compat.v1.disable_eager_execution(), or tf.Graph()."
        )
    session = get_default_session()
    if session is None:
        graph = get_default_graph()
        if not _session or _session[0].graph is not graph:
            _session[:] = [Session(graph=graph)]
        session = _session[0]
    return session


def set_session(session):
    """Sets the session that `get_session` gives."""
    _session[:] = [session]


def clear_session(free_memory=True):
    """Begins anew: the names of layers, and the default graph and session of graph mode."""
    reset_names()
    _session.clear()
    if current_graph() is not None and current_graph() is outermost():
        reset_default_graph()


def learning_phase():
    """1 while `set_learning_phase` says that a program trains, else 0."""
    return _phase[0]


def set_learning_phase(value):
    """Sets what `learning_phase` gives.

    Raises:
      ValueError: neither 0 nor 1.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    _phase[0] = int(value)


@contextmanager
def learning_phase_scope(value):
    """`set_learning_phase` for a ``with`` block."""
    before = _phase[0]
    set_learning_phase(value)
    try:
        yield
    finally:
        _phase[0] = before
