"""Variables that belong to a graph: they have a value in each session, and none before it was initialized there.

The operation with the variable's own name gives the value: ``sess.run(v)``, ``graph.get_tensor_by_name("v:0")`` and
``feed_dict={v: value}`` mean its output, and so does an expression with ``v``, unless it is to wait for something
(``tf.control_dependencies``): then the variable is read anew.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import FailedPreconditionError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import Graph, Operation, Symbol, SymbolGhost, const, current_graph
from gradtape._src.graph.running import session_for, variable_values
from gradtape._src.ops.variable_updates import replaced, update_in_graph
from gradtape._src.ops.variables import ResourceVariable, Variable, read_variable, use_in_graphs

named_read = Unary(
    "VariableV2",
    read_variable.kernel,
    vjp=lambda g, y, x: g,
    reads="",
    elementwise=True,
    linear=(0,),
    takes_slices=True,
    holomorphic=False,
)
"""The value of a variable, as the operation that has the variable's name."""

is_initialized = Op(
    "VarIsInitializedOp",
    lambda variable: np.bool_(variable._has_value()),
    shape=lambda variable: (),
    dtype=np.dtype(bool),
    stateful=True,
)
initialized_value = Op(
    "InitializedValue",
    lambda variable, initial: variable._data if variable._has_value() else initial,
    shape=lambda variable, initial: shape_of(variable),
    dtype=lambda variable, initial: dtype_of(variable),
    stateful=True,
)


class GraphVariable(ResourceVariable):
    """What `tf.Variable(...)` makes while a graph is built."""

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
        collections: Any = None,
    ) -> None:
        self._describe(name, trainable, constraint, synchronization, aggregation)
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        graph = self._graph = home_graph()
        with under(graph, ()), graph.control_dependencies(None):
            with graph.name_scope(self._name) as scope:
                self._name = scope[:-1]
                with graph.name_scope("Initializer"):
                    self._initial = _initial(graph, initial_value, dtype)
                initial = self._initial._ghost
                self._shape = initial.shape if validate_shape else None
                if shape is not None:
                    self._shape = as_shape_tuple(shape)
                    if not compatible(self._shape, initial.shape):
                        raise ValueError(
                            f"In this `tf.Variable` creation, the initial value's shape ({as_text(initial.shape)}) is "
                            f"not compatible with the explicitly supplied `shape` argument ({shape})."
                        )
                self._ghost = Ghost(self._shape, initial.dtype)  # type: ignore[arg-type]
                self._initializer = update_in_graph(
                    graph, "AssignVariableOp", self, _first, (self._initial,), "Assign", initializes=True
                )
            self._symbol: Symbol = graph.apply(named_read, (self,), {}, scope)
        self._ghost = SymbolGhost(self._shape, initial.dtype, self._symbol)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if not isinstance(collections, (list, tuple, set)):
            raise ValueError(
                f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections}"
            )
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
        graph.add_to_collections(collections, self)

    # --- What it has in a graph

    @property
    def initializer(self) -> Operation:
        """The operation that gives it its initial value."""
        return self._initializer

    @property
    def initial_value(self) -> Any:
        """The tensor of the initial value."""
        return self._initial

    @property
    def op(self) -> Operation:
        """The operation that has its name."""
        return self._symbol.op

    @property
    def graph(self) -> Graph:
        """The graph that it belongs to."""
        return self._graph

    @property
    def device(self) -> str:
        """The device that was asked for: nothing here heeds it."""
        return ""

    def _as_graph_element(self) -> Symbol:
        return self._symbol

    def _read_in(self, graph: Graph) -> Any:
        if graph is self._graph and not graph.controls():
            return self._symbol
        return super()._read_in(graph)

    def read_value(self) -> Any:
        """The value at the place in the order of the graph where this is called."""
        return super()._read_in(self._graph) if current_graph() is None else super()._read_in(_current())

    def is_initialized(self, name: str | None = None) -> Any:
        """A tensor that says whether the variable has a value in the session that runs."""
        return self._graph.apply(is_initialized, (self,), {}, name)

    def initialized_value(self) -> Any:
        """The value if there is one, else the initial value: for the initial values of other variables."""
        return self._graph.apply(initialized_value, (self, self._initial), {}, None)

    def eval(self, session: Any = None) -> Any:
        """The value in a session, or in the default one."""
        return session_for(session, "evaluate tensor", "eval").run(self._symbol)

    def load(self, value: Any, session: Any = None) -> None:
        """Replaces the value in a session, or in the default one, without adding to the graph."""
        value = np.asarray(value, self._ghost.dtype)
        if not compatible(self._shape, value.shape):
            raise ValueError(f"Cannot load a value of shape {value.shape} into {self!r}.")
        session_for(session, "execute operation", "run").run(self._initializer, {self._initial: value})

    # --- Its value, while a session runs

    @property
    def _data(self) -> Any:  # type: ignore[override]
        values = variable_values.get()
        if values is None or self not in values:
            raise FailedPreconditionError(
                None,
                None,
                f"Attempting to use uninitialized value {self._name}. Could not find variable {self._name}: it has no "
                "value in this session. Run its initializer first: session.run(tf.global_variables_initializer()), "
                "once in each session, or restore it.",
            )
        return values[self]

    def _has_value(self) -> bool:
        return self in (variable_values.get() or ())

    def _store(self, data: Any) -> None:
        values = variable_values.get()
        if values is None:
            raise RuntimeError(
                f"{self!r} gets its value in a session: session.run({self._name}.assign(...))."
            )
        values[self] = data

    def _value(self) -> Any:
        return self._symbol

    def numpy(self) -> NoReturn:
        """What variables of graphs do not have: ``session.run(v)`` gives the value."""
        raise NotImplementedError(
            f"numpy() is only available when eager execution is enabled. Use session.run(v) or v.eval() for {self!r}."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._symbol.__array__(dtype, copy)

    def __iter__(self) -> Any:
        return self._symbol.__iter__()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return _repr(self.name, self)

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")

    def __reduce__(self) -> NoReturn:
        raise NotImplementedError(
            f"{self!r} belongs to a graph and cannot be pickled; save its value: session.run(v)."
        )


class UpdatedVariable(ResourceVariable):
    """What an assignment in a graph returns: stands for the variable, as it is after the assignment."""

    def __init__(self, target: Variable, op: Operation) -> None:
        self._target = target
        self._op = op
        graph = op.graph
        with under(graph, ()), graph.control_dependencies([op]):
            self._symbol: Symbol = graph.apply(read_variable, (target,), {}, None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    @property
    def name(self) -> str:
        """The name of the operation that assigns."""
        return self._op.name

    @property
    def op(self) -> Operation:
        """The operation that assigns."""
        return self._op

    @property
    def graph(self) -> Graph:
        """The graph of the assignment."""
        return self._op.graph

    @property
    def initializer(self) -> Any:
        """That of the variable."""
        return self._target.initializer

    def _as_graph_element(self) -> Symbol:
        return self._symbol

    def _as_read(self) -> Any:
        return self

    def _read_in(self, graph: Graph) -> Any:
        return graph.input(self._symbol)

    def _update(self, *args: Any, **options: Any) -> Any:
        with self._op.graph.control_dependencies([self._op]):
            return self._target._update(*args, **options)

    def eval(self, session: Any = None) -> Any:
        """Assigns, and gives the value."""
        return session_for(session, "evaluate tensor", "eval").run(self._symbol)

    def __repr__(self) -> str:
        return _repr(self.name, self._target)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> Any:
        return self._symbol.__iter__()


def _repr(name: str, variable: Variable) -> str:
    return f"<tf.Variable '{name}' shape={as_text(variable._shape)} dtype={from_numpy(variable._ghost.dtype).name}>"


def _current() -> Graph:
    graph = current_graph()
    assert graph is not None
    return graph


def home_graph() -> Graph:
    """The graph that a new variable belongs to: the outermost one, outside of bodies of loops and branches."""
    graph: Any = _current()
    while (outer := _around(graph)) is not None:
        graph = outer
    return graph


def _around(graph: Any) -> Any:
    """The graph around the body of a loop, a branch or a function."""
    if hasattr(graph, "outside"):
        interpreter, _ = graph.outside
        return interpreter
    return getattr(graph, "outer_graph", None)


def _first(old: None, value: Any) -> Any:
    return value


def _initial(graph: Graph, value: Any, dtype: Any) -> Symbol:
    """The initial value as a symbol of the graph."""
    if callable(value) and not isinstance(value, (Tensor, Variable)):
        value = value()
    try:
        tensor = as_tensor(value, dtype)
    except ValueError as error:
        if isinstance(value, Tensor):
            raise ValueError(f"initial_value: {error}") from None
        raise
    if type(tensor) is EagerTensor:
        return graph.apply(const, (), {"value": np.asarray(tensor._data)}, "initial_value")
    if tensor.graph is not graph:
        raise ValueError(
            f"The initial value of a variable must be known where the variable is created, but {tensor!r} belongs to "
            "the body of a loop, a branch or a function. Give a function without arguments that makes the value: "
            "tf.Variable(lambda: ...)."
        )
    return tensor


use_in_graphs(GraphVariable, UpdatedVariable)
