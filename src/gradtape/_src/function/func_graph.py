"""The graph of a function while it is traced: it takes in tensors and variables from outside.

A ``FuncGraph`` turns a tensor with data, and a symbol of a graph around it, into an input when an operation first
takes it: a *capture*. So gradients flow to it. Variables are read and assigned by operations, in the order of the
program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Ghost, dtype_of, ghost_of, shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import Graph, Operation, Symbol, current_graph, placeholder
from gradtape._src.graph.plan import Plan
from gradtape._src.ops.variables import Variable

_SINGLETON = (
    "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only "
    "created once or created outside tf.function. See https://www.tensorflow.org/guide/function#creating_tfvariables "
    "for more information."
)
_NOT_FIRST = "Creating variables on a non-first call to a function decorated with tf.function."


traced: list[FuncGraph] | None = None
"""The graphs of functions that were traced, while somebody asks for them (`tf.summary.trace_on`)."""


class FuncGraph(Graph):
    """The graph of a function. See the module's text.

    Attributes:
      name: of the function.
      outer_graph: the graph that was being built when the function was traced; None in eager mode.
      captures: for the ghost of each tensor from outside: the tensor, and the symbol that stands for it.
      created: whether variables were created.
    """

    building_function = in_function = True
    owns_variables = False

    def __init__(self, name: str, outer_graph: Graph | None, may_create: bool | None = False) -> None:
        """``may_create``: whether variables may be created; None: not any more, since this is a later call."""
        super().__init__()
        self.name = name
        self.outer_graph = outer_graph
        self.captures: dict[Ghost, tuple[Any, Symbol]] = {}
        self.created = False
        self.inputs: list[Symbol] = []
        self.outputs: list[Any] = []
        self.structured_input_signature: Any = None
        self.structured_outputs: Any = None
        self._may_create = may_create
        if traced is not None:
            traced.append(self)
        self._variables: dict[int, Variable] = {}
        self._given: dict[
            Ghost, Any
        ] = {}  # values of the inputs in the call for which the function is traced
        if outer_graph is not None:
            self._take_collections(outer_graph)

    def _take_collections(self, outer: Graph) -> None:
        """Those of variables are the outer graph's own; of the others, copies."""
        for key in outer.get_all_collection_keys():
            self._collections[key] = outer.get_collection(key)
        for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
            self._collections[key] = outer.get_collection_ref(key)

    # ---- what comes from outside

    def add_input(self, shape: Any, dtype: Any, name: str, value: Any = None) -> Symbol:
        """An argument."""
        symbol = self.append(placeholder, (), {"shape": shape, "dtype": dtype}, name).outputs[0]
        self.inputs.append(symbol)
        if type(value) is EagerTensor:
            self._given[symbol._ghost] = value._data
        return symbol

    def from_eager(self, tensor: EagerTensor) -> Any:
        """What stands here for a tensor with data: an input, or its array if it can have no gradient."""
        return self.capture(tensor) if is_differentiable_np(tensor._data.dtype) else tensor._data

    def from_elsewhere(self, symbol: Symbol) -> Symbol:
        """What stands here for a symbol of another graph.

        Raises:
          InaccessibleTensorError: it is not one of the graphs around this one.
        """
        graph = graph_around(self)
        while graph is not None:
            if graph is symbol.graph:
                return self.capture(symbol)
            graph = graph_around(graph)
        raise symbol._out_of_scope(repr(self))

    def capture(self, tensor: Any, name: str | None = None) -> Symbol:
        """The input that stands for a tensor from outside."""
        ghost = ghost_of(tensor)
        if ghost not in self.captures:
            params = {"shape": shape_of(tensor), "dtype": dtype_of(tensor)}
            symbol = self.append(placeholder, (), params, name or "captured").outputs[0]
            symbol._known = getattr(tensor, "_known", None)
            self.captures[ghost] = (tensor, symbol)
            if type(tensor) is EagerTensor:
                self._given[symbol._ghost] = tensor._data
        return self.captures[ghost][1]

    def _captured_tensors(self) -> Iterator[tuple[Any, Symbol]]:
        """Tensors from outside, each with the symbol that stands for it here."""
        return iter(self.captures.values())

    # ---- variables

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that are used, in order of their first use."""
        return tuple(self._variables.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those that tapes watch."""
        return tuple(variable for variable in self.variables if variable._trainable)

    def append(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Operation:
        for arg in (*args, *params.values()):
            if isinstance(arg, Variable):
                self._variables[id(arg)] = arg
        return super().append(op, args, params, name)

    def initial_value(self, value: Any, dtype: Any) -> EagerTensor:
        """The initial value of a variable that is created while the function is traced: computed now.

        Raises:
          ValueError: no variable may be created any more; or it depends on an argument that has no value yet.
        """
        if not self._may_create:
            raise ValueError(_NOT_FIRST if self._may_create is None else _SINGLETON)
        self.created = True
        if callable(value) and not isinstance(value, (Symbol, EagerTensor, Variable)):
            with init_scope():
                value = as_tensor(value(), dtype)
        value = as_tensor(value, dtype)
        if isinstance(value, Symbol):
            value = self.evaluate(value)
        return value

    def evaluate(self, symbol: Symbol) -> EagerTensor:
        """The value that a symbol has in the call for which the function is traced."""
        feeds = [
            s for s in (*self.inputs, *(s for _, s in self.captures.values())) if s._ghost in self._given
        ]
        plan = Plan([self.input(symbol)], feeds, self.operations)
        unknown = [op for op in plan.operations if op.op is placeholder]
        if unknown:
            raise ValueError(
                f"The initial value of a variable depends on {unknown[0].outputs[0]!r}, which has no value while the "
                f"function {self.name!r} is traced. Create the variable outside of the function, or from a value that "
                f"does not depend on the arguments."
            )
        return EagerTensor(plan(*[self._given[s._ghost] for s in feeds])[0])

    def forget_values(self) -> None:
        """The trace is finished: the values for which it was made are not needed any more."""
        self._given.clear()

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"


def is_inner(graph: Any) -> bool:
    """Whether a graph is that of a function, or of a part of control flow, and not one of the user's."""
    return hasattr(graph, "outer_graph") or hasattr(graph, "outside")


def graph_around(graph: Any) -> Graph | None:
    """The graph that was being built when this one was begun; None in eager mode, and for a graph of the user's."""
    if hasattr(graph, "outside"):  # of a loop's step, or of a branch
        with under(*graph.outside):
            return current_graph()
    return getattr(graph, "outer_graph", None)


def root_graph() -> Graph | None:
    """The graph outside of all functions that is being built; None in eager mode."""
    graph = current_graph()
    while is_inner(graph):
        graph = graph_around(graph)
    return graph


@contextmanager
def init_scope() -> Iterator[None]:
    """Leaves all functions that are being traced: what is in the ``with`` block is executed at once.

    If a graph is being built outside of all functions, it is built in that graph, and waits for nothing that
    ``tf.control_dependencies`` says. No tape sees it. For what is to
    happen once and not in each call: the initial values of variables, tables, counters.

    Example:
    >>> import gradtape as tf
    >>> @tf.function
    ... def f(x):
    ...     with tf.init_scope():
    ...         print(tf.executing_eagerly())
    ...     return x
    >>> f(tf.constant(1)).numpy()
    True
    np.int32(1)

    As TensorFlow 2.21.
    """
    graph = root_graph()
    with under(graph, ()), graph.control_dependencies(None) if graph is not None else nullcontext():
        yield
