"""`tf.variable_scope` and `tf.get_variable`: variables that are shared by name.

Each graph has a store of the variables that `get_variable` has made in it. In eager mode nothing is shared:
`get_variable` makes a variable in every call, as TensorFlow does.
"""

from __future__ import annotations

import enum
from contextlib import ExitStack, nullcontext
from functools import partial
from threading import local
from typing import Any

from gradtape._src.api.graphs import scope_of
from gradtape._src.autodiff.custom import restored_when_recomputed
from gradtape._src.compat_v1.get_variable import Store
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.graph_variables import home_graph


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


class VariableScope:
    """What `tf.variable_scope` gives: a prefix of names, and what `tf.get_variable` uses where it is not told.

    Attributes:
      name: the prefix, without a slash at its end.
      original_name_scope: the name scope that was entered when it was first opened, with a slash at its end.
      reuse: True: variables must be there already; None or False: they must not; `tf.AUTO_REUSE`: either.
    """

    def __init__(
        self,
        reuse,
        name="",
        initializer=None,
        regularizer=None,
        caching_device=None,
        partitioner=None,
        custom_getter=None,
        name_scope="",
        dtype=float32,
        use_resource=None,
        constraint=None,
    ):
        self.reuse, self.name, self.initializer, self.regularizer = reuse, name, initializer, regularizer
        self.caching_device, self.partitioner, self.custom_getter = caching_device, partitioner, custom_getter
        self.dtype, self.use_resource, self.constraint = as_dtype(dtype), use_resource, constraint
        self.original_name_scope = name_scope

    def reuse_variables(self):
        """From here on `tf.get_variable` gives the variables that are there."""
        self.reuse = True

    def set_initializer(self, initializer):
        """What new variables are initialized with, where it is not said."""
        self.initializer = initializer

    def set_regularizer(self, regularizer):
        """What new variables are regularized with, where it is not said."""
        self.regularizer = regularizer

    def set_dtype(self, dtype):
        """The dtype of new variables, where it is not said."""
        self.dtype = as_dtype(dtype)

    def set_custom_getter(self, custom_getter):
        """What is called in place of `tf.get_variable`, with that as its first argument."""
        self.custom_getter = custom_getter

    def set_use_resource(self, use_resource):
        """Without effect: there is one kind of variables."""
        self.use_resource = use_resource

    def set_partitioner(self, partitioner):
        """Without effect: every variable is in one piece."""
        self.partitioner = partitioner

    def set_caching_device(self, caching_device):
        """Without effect: there is one device."""
        self.caching_device = caching_device

    def get_collection(self, name):
        """The values of a collection whose names begin with this scope's."""
        return get_default_graph().get_collection(name, f"{self.name}/" if self.name else None)

    def global_variables(self):
        """The variables of this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def trainable_variables(self):
        """The trainable variables of this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def local_variables(self):
        """The local variables of this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, *args, **kwargs):
        """`tf.get_variable` in this scope."""
        state = _state()
        before = state.scope
        state.scope = self
        try:
            return get_variable(*args, **kwargs)
        finally:
            state.scope = before


class _State:
    """The scope, and the variables, of a graph."""

    def __init__(self) -> None:
        self.root = VariableScope(False)
        self.store = Store()
        self._local = local()  # every thread has its own scope
        self._opened: dict[str, int] = {}  # how often a scope was opened, by name

    @property
    def scope(self) -> VariableScope:
        return getattr(self._local, "scope", self.root)

    @scope.setter
    def scope(self, scope: VariableScope) -> None:
        self._local.scope = scope

    def open(self, name: str) -> None:
        self._opened[name] = self._opened.get(name, 0) + 1

    def close_below(self, name: str) -> None:
        """Numbers of unique names below a scope begin anew when it is left."""
        for other in list(self._opened):
            if not name or other.startswith(f"{name}/"):
                self._opened[other] = 0

    def unique(self, prefix: str) -> str:
        scope = self.scope.name
        name = f"{scope}/{prefix}" if scope else prefix
        if not self._opened.get(name):
            return prefix
        n = 1
        while self._opened.get(f"{name}_{n}"):
            n += 1
        return f"{prefix}_{n}"


_eager = _State()


def _state() -> _State:
    if current_graph() is None:
        return _eager
    graph = home_graph()
    found = vars(graph).get("_variable_scopes")
    if found is None:
        found = graph._variable_scopes = _State()  # type: ignore[attr-defined]  # it lives as long as the graph
    return found


def get_variable_scope():
    """The current scope of variables.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.variable_scope("layer"):
    ...     tf.get_variable_scope().name
    'layer'
    """
    return _state().scope


class variable_scope:
    """``with tf.variable_scope("layer"):`` puts ``layer/`` before the names of variables and operations.

    Args:
      name_or_scope: a name, a `VariableScope` to enter again, or None for ``default_name``.
      default_name: a name that gets a number if it has been used.
      values, caching_device, partitioner, use_resource: without effect.
      initializer, regularizer, custom_getter, dtype, constraint: for `tf.get_variable` where it is not told otherwise.
      reuse: True: its variables must be there; `tf.AUTO_REUSE`: they are made if they are not. Inner scopes inherit it.
      auxiliary_name_scope: whether to enter a name scope too.

    Raises:
      TypeError: neither a name nor a default one. ValueError: a ``reuse`` that is none of its values.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     with tf.variable_scope("layer"):
    ...         v = tf.get_variable("w", [2])
    ...     with tf.variable_scope("layer", reuse=True):
    ...         print(v.name, tf.get_variable("w") is v)
    layer/w:0 True

    As TensorFlow 2.21 (1.15).
    """

    def __init__(
        self,
        name_or_scope,
        default_name=None,
        values=None,
        initializer=None,
        regularizer=None,
        caching_device=None,
        partitioner=None,
        custom_getter=None,
        reuse=None,
        dtype=None,
        use_resource=None,
        constraint=None,
        auxiliary_name_scope=True,
    ):
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse not in (None, True, False, AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}"
            )
        if not isinstance(name_or_scope, (str, VariableScope, type(None))):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        self._name_or_scope, self._default_name, self._reuse = name_or_scope, default_name, reuse
        self._auxiliary_name_scope = auxiliary_name_scope
        self._given = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "constraint": constraint,
            "use_resource": use_resource,
            "dtype": None if dtype is None else as_dtype(dtype),
        }
        self._custom_getter = custom_getter
        self._entered: list[ExitStack] = []

    def __enter__(self):
        state = _state()
        old = state.scope
        with ExitStack() as stack:
            given = self._name_or_scope
            if isinstance(given, VariableScope):
                name, base, part = given.name, given, given.name.rpartition("/")[2]
                reuse = self._reuse or given.reuse
            else:
                part = state.unique(self._default_name or "") if given is None else given
                name, base = (f"{old.name}/{part}" if old.name else part), old
                reuse = self._reuse or old.reuse
            name_scope = base.original_name_scope
            if self._auxiliary_name_scope and part:
                entered = stack.enter_context(scope_of(f"{part}"))
                if not isinstance(given, VariableScope):
                    name_scope = entered
            new = VariableScope(reuse, name, custom_getter=base.custom_getter, name_scope=name_scope)
            for attribute, value in self._given.items():
                setattr(new, attribute, getattr(base, attribute) if value is None else value)
            if self._custom_getter is not None:
                new.custom_getter = chained(self._custom_getter, base.custom_getter)
            state.open(name)
            state.scope = new
            stack.callback(_left, state, name, old)
            self._entered.append(stack.pop_all())
        return new

    def __exit__(self, *exc):
        self._entered.pop().__exit__(*exc)


def _left(state: _State, name: str, old: VariableScope) -> None:
    state.close_below(name)
    state.scope = old


def chained(getter: Any, outer: Any) -> Any:
    """A custom getter whose ``getter`` is another one."""
    if outer is None:
        return getter

    def both(innermost: Any, *args: Any, **kwargs: Any) -> Any:
        return getter(lambda *a, **k: outer(innermost, *a, **k), *args, **kwargs)

    return both


def get_variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=None,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=None,
    aggregation=None,
):
    """The variable of this name in the current `tf.variable_scope`: made if it is new, the same one if it is reused.

    Args:
      name: it comes after the scope's.
      shape: of a new variable; not needed if ``initializer`` is a value.
      dtype: float32 by default.
      initializer: called with the shape and the dtype; or a value: a number, a list, an array, a tensor. By default
        `tf.glorot_uniform_initializer`, and zeros for what is no float.
      regularizer: a function of the variable whose result goes into the collection ``REGULARIZATION_LOSSES``.
      trainable, collections, constraint, synchronization, aggregation, validate_shape: see `tf.Variable`.
      custom_getter: called in place of this function, with it as its first argument.
      caching_device, partitioner, use_resource: without effect.

    Raises:
      ValueError: it is there and the scope does not reuse; it is not there and the scope only reuses; another shape or
        dtype than that of the variable that is there; no shape; a shape beside a value.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.get_variable("w", [2, 3], initializer=tf.zeros_initializer())
    <tf.Variable 'w:0' shape=(2, 3) dtype=float32>

    As TensorFlow 2.21 (1.15).
    """
    state = _state()
    scope = state.scope
    getter = scope.custom_getter if custom_getter is None else chained(custom_getter, scope.custom_getter)
    full = f"{scope.name}/{name}" if scope.name else name
    reuse = AUTO_REUSE if state is _eager else scope.reuse
    make = state.store.get if state is not _eager else Store().get
    given = {
        "shape": shape,
        "dtype": scope.dtype if dtype is None else as_dtype(dtype),
        "initializer": scope.initializer if initializer is None else initializer,
        "regularizer": scope.regularizer if regularizer is None else regularizer,
        "reuse": reuse,
        "trainable": trainable,
        "collections": collections,
        "validate_shape": validate_shape,
        "constraint": scope.constraint if constraint is None else constraint,
        "synchronization": synchronization,
        "aggregation": aggregation,
    }
    # Names of variables come from scopes of variables only; a variable made in the body of a loop is named in the
    # graph around it.
    home = nullcontext() if current_graph() is None else home_graph().name_scope(None)
    with scope_of(None), home:
        if getter is None:
            return make(full, **given)
        return getter(make, full, **given)


def get_local_variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=False,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=None,
    aggregation=None,
):
    """`tf.get_variable` of a variable of the collection ``LOCAL_VARIABLES``, which is not trained and not saved.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.get_local_variable("counter", [], initializer=tf.zeros_initializer())
    ...     tf.local_variables() == [v], tf.global_variables()
    (True, [])
    """
    return get_variable(
        name,
        shape,
        dtype,
        initializer,
        regularizer,
        False,
        [*(collections or ()), GraphKeys.LOCAL_VARIABLES],
        validate_shape=validate_shape,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def no_regularizer(_):
    """Use it as a regularizer to have none, where the scope has one.

    >>> import gradtape.compat.v1 as tf
    >>> tf.no_regularizer(tf.constant(1.0))
    """
    return None


restored_when_recomputed(lambda: partial(variable_scope, get_variable_scope()))
