"""The graph: operations that were asked for but not executed, in the order in which they were asked for.

A ``Graph`` is an interpreter (``core/context.py``): while it is the current one, every operation on tensors becomes an
``Operation`` here and gives ``Symbol``s. Operations are only ever appended, so their order is a topological order.
Whatever executes a graph depends on these classes, and they on no executor.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.core import seeds
from gradtape._src.core.context import current, current_interpreter, current_recorders, under
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError, user_location
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets, merge
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import Absent, EagerTensor, Ghost, Tensor, shape_of
from gradtape._src.graph import known
from gradtape._src.graph.collections import Collections
from gradtape._src.graph.gradient_overrides import GradientOverrides
from gradtape._src.graph.graph_def import graph_def_of
from gradtape._src.graph.lookup import Lookup
from gradtape._src.graph.misfits import dtypes_differ, lengths_differ
from gradtape._src.graph.names import DEFAULT_NAMES, Names
from gradtape._src.graph.refusals import Refusals
from gradtape._src.graph.running import session_for


class SymbolGhost(Ghost):
    """The ghost of a symbol. Its shape may have unknown dimensions, and be unknown as a whole."""

    __slots__ = ("stands_for",)

    def __init__(self, shape: Shape, dtype: np.dtype, symbol: Symbol) -> None:
        super().__init__(shape, dtype)  # type: ignore[arg-type]
        self.stands_for = symbol


class Symbol(Refusals, Tensor):
    """An output of an operation of a graph: a tensor without data. Users see it as a ``tf.Tensor``."""

    # `_known`: what is known of its value while the graph is built, see `known.py`. Users hang things on tensors.
    __slots__ = ("__dict__", "__weakref__", "_ghost", "_known", "op", "value_index")

    def __init__(self, op: Operation, value_index: int, shape: Shape, dtype: np.dtype) -> None:
        self.op = op
        self.value_index = value_index
        self._ghost = SymbolGhost(shape, dtype, self)
        self._known: Any = None

    @property
    def name(self) -> str:
        """The name of the operation and the number of the output: ``"MatMul:0"``."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
        return self.op.graph

    @property
    def device(self) -> str:
        """The device that was asked for: nothing here heeds it."""
        return ""

    def set_shape(self, shape: Any) -> None:
        """Adds to what is known of the shape.

        Raises:
          ValueError: it contradicts what is known.
        """
        old, new = self._ghost.shape, TensorShape(shape)._dims
        try:
            self._ghost.shape = merge(old, new)  # type: ignore[assignment]
        except ValueError:
            raise ValueError(_contradiction(old, new) + f" ({self._described()})") from None

    def _shape_tuple(self) -> Any:
        return self._ghost.shape

    def consumers(self) -> list[Operation]:
        """The operations that take this tensor."""
        return [op for op in self.graph.operations if any(arg is self for arg in op.args)]

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value, computed by a session: ``session.run(tensor, feed_dict)``.

        Raises:
          ValueError: no session is given, and there is no default one.
        """
        return session_for(session, "evaluate tensor", "eval").run(self, feed_dict)

    def __eq__(self, other: Any) -> Any:
        # In the graph of a function == compares elements, as in eager mode; in graphs that users build, identity.
        return Tensor.__eq__(self, other) if self.op.graph.building_function else self is other

    def __ne__(self, other: Any) -> Any:
        return Tensor.__ne__(self, other) if self.op.graph.building_function else self is not other

    def __hash__(self) -> int:
        return Tensor.__hash__(self) if self.op.graph.building_function else id(self)

    numpy = Absent("numpy", Refusals._no_attribute)

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: Any) -> Symbol:
        return self

    def __repr__(self) -> str:
        shape = TensorShape._of(self._ghost.shape)
        return f"<tf.Tensor {self.name!r} shape={shape} dtype={from_numpy(self._ghost.dtype).name}>"

    def __str__(self) -> str:
        shape = self._ghost.shape
        text = "" if shape is None else f", shape={TensorShape._of(shape)}"
        return f'Tensor("{self.name}"{text}, dtype={from_numpy(self._ghost.dtype).name})'


def _contradiction(old: Any, new: Any) -> str:
    shapes = f"Shapes are {in_brackets(old)} and {in_brackets(new)}."
    if len(old) != len(new):
        return f"Shapes must be equal rank, but are {len(old)} and {len(new)}. {shapes}"
    i, m, n = next((i, m, n) for i, (m, n) in enumerate(zip(old, new)) if None not in (m, n) and m != n)
    return f"Dimension {i} in both shapes must be equal, but are {m} and {n}. {shapes}"


class Operation:
    """A node of a graph: an operation and its arguments. Public as ``tf.Operation``.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant([1.0, 2.0])
    ...     y = tf.exp(x)
    >>> y.op, y.op.inputs
    (<tf.Operation 'Exp' type=Exp>, (<tf.Tensor 'Const:0' shape=(2,) dtype=float32>,))
    """

    # `args` are symbols, raw constants, or plain metadata (a tuple of ints), as the operation takes them.
    __slots__ = (
        "__weakref__",
        "args",
        "control_inputs",
        "graph",
        "location",
        "name",
        "op",
        "outputs",
        "params",
        "serves",
    )

    device = ""

    def __init__(
        self, graph: Graph, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str
    ) -> None:
        self.graph = graph
        self.op = op
        self.args = args
        self.params = params
        self.name = name
        self.control_inputs: tuple[Operation, ...] = graph.controls()
        self.location = user_location()
        self.serves: Operation | None = None  # of a gradient: the operation whose rule made it
        self.outputs = tuple(Symbol(self, i, *spec) for i, spec in enumerate(self._specs(args, params)))
        known.learn(self)

    def _specs(self, args: tuple[Any, ...], params: dict[str, Any]) -> list[tuple[Any, np.dtype]]:
        """Shape and dtype of the outputs. What does not fit is a ValueError in a graph; a wrong dtype a TypeError."""
        ghosts = [getattr(arg, "_ghost", arg) for arg in args]  # of symbols, and of variables
        try:
            self.op.check_dtypes(ghosts)
        except InvalidArgumentError as error:
            raise TypeError(dtypes_differ(self, ghosts) or f"{error.message} ({self.name})") from None
        try:
            return self.op.infer(known.for_shapes(self.op, args), params)
        except InvalidArgumentError as error:
            raise ValueError(f"{error.message} ({self.name})") from None
        except ValueError as error:
            raise ValueError(lengths_differ(self, ghosts) or f"{error} ({self.name})") from None

    def extend(self, params: dict[str, Any]) -> tuple[Symbol, ...]:
        """Gives the operation further outputs, by other parameters; what it gave already stays. The new ones."""
        old = len(self.outputs)
        self.params = params
        specs = self._specs(self.args, params)
        new = tuple(Symbol(self, old + i, *spec) for i, spec in enumerate(specs[old:]))
        self.outputs += new
        for recorder in current_recorders():  # a tape that has written the operation down follows these too
            extended = getattr(recorder, "record_extended", None)
            if extended is not None:
                extended(self, old)
        return new

    @property
    def type(self) -> str:
        """The name of the kind of operation: TensorFlow's, also of the form in which zero absorbs infinity."""
        return _kind(self.op)

    @property
    def inputs(self) -> tuple[Symbol, ...]:
        """The arguments that are tensors of the graph."""
        return tuple(arg for arg in self.args if isinstance(arg, Symbol))

    def values(self) -> tuple[Symbol, ...]:
        """The outputs."""
        return self.outputs

    def get_attr(self, name: str) -> Any:
        """A parameter of the operation.

        Raises:
          ValueError: it has none of this name.
        """
        if name not in self.params:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self.params[name]

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Executes the operation in a session: ``session.run(operation, feed_dict)``.

        Raises:
          ValueError: no session is given, and there is no default one.
        """
        session_for(session, "execute operation", "run").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


def _kind(op: Op) -> str:
    return op.name.removesuffix("Absorbing")


class Graph(Collections, GradientOverrides, Lookup):
    """Operations that are executed later, by a session.

    Within ``with graph.as_default():`` operations are not executed but become a part of the graph, and give tensors
    without values. ``tf.compat.v1.Session`` executes them.

    >>> import gradtape as tf
    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     x = tf.constant(2.0)
    ...     y = x * x
    >>> y
    <tf.Tensor 'mul:0' shape=() dtype=float32>
    >>> with tf.compat.v1.Session(graph=graph) as session:
    ...     print(session.run(y))
    4.0

    As TensorFlow 2.21 (1.15), except that a tensor with a value (of eager mode) may take part: it is a constant.
    """

    symbolic = True
    building_function = False  # whether it is the body of a function, and not a graph of the user's
    in_function = False  # whether it is one, or a part of one
    is_control_flow_graph = False  # whether it is a branch, or the step of a loop

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.seed: Any = None  # graph-level, for operations that take random numbers
        self.derivatives: list[
            tuple[Any, ...]
        ] = []  # for explanations: (targets, sources, gradients), as ghosts
        self._by_name: dict[str, Operation] = {}
        self._names = Names()
        self._controls: tuple[Operation, ...] = ()
        self._collections: dict[Any, list[Any]] = {}
        self._finalized = False
        self._seeds_given = 0
        self._entered: list[Any] = []
        self.waits_outside: dict[Operation, None] = {}  # what the whole is to wait for, if it is a part

    # ---- building

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Puts operations on tensors into this graph for the duration of a ``with`` block."""
        with under(self, ()):
            yield self

    def __enter__(self) -> Graph:
        self._entered.append(self.as_default())
        return self._entered[-1].__enter__()

    def __exit__(self, *exc: Any) -> Any:
        return self._entered.pop().__exit__(*exc)

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Any:
        """Appends an operation; gives its outputs."""
        node = self.append(op, tuple(map(self.input, args)), params, name)
        return node.outputs if op.multi else node.outputs[0] if node.outputs else node

    def append(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Operation:
        """Appends an operation whose arguments are as it takes them."""
        self._check_not_finalized()
        if self._gradient_map:
            op = self._with_other_gradient(op)
        node = Operation(
            self, op, args, params, self._names.unique(name or DEFAULT_NAMES.get(_kind(op), _kind(op)))
        )
        self.operations.append(node)
        self._by_name[node.name] = node
        return node

    def input(self, arg: Any) -> Any:
        """An argument as a node of this graph takes it."""
        if type(arg) is SymbolGhost:  # of a rule that reads no more than its shape
            arg = arg.stands_for
        if isinstance(arg, Symbol) and arg.op.graph is not self:
            return self.from_elsewhere(arg)
        return self.from_eager(arg) if type(arg) is EagerTensor else arg

    def from_elsewhere(self, symbol: Symbol) -> Any:
        """What stands here for a symbol of another graph; a function's graph takes it as an input."""
        raise ValueError(
            f"{symbol!r} must be from the same graph as the operation that takes it: {symbol._described()} belongs to "
            f"another graph (graphs are {symbol.graph!r} and {self!r}). Build both under the same graph.as_default()."
        )

    def from_eager(self, tensor: EagerTensor) -> Any:
        """What stands here for a tensor with data: its array, a constant."""
        return tensor._data

    def _captured_tensors(self) -> Iterator[tuple[Any, Symbol]]:
        """Tensors from outside, each with the symbol that stands for it here."""
        return iter(())

    def finalize(self) -> None:
        """Nothing can be added any more; sessions finalize nothing by themselves."""
        self._finalized = True

    @property
    def finalized(self) -> bool:
        """Whether nothing can be added any more."""
        return self._finalized

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def version(self) -> int:
        """A number that grows with every operation that is added."""
        return len(self.operations)

    # ---- names

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """The name, in the current name scope, with a number appended if it is taken.

        Raises:
          ValueError: it is not a name.
        """
        return self._names.unique(name, mark_as_used)

    def name_scope(self, name: str | None) -> Any:
        """Puts ``name/`` before the names of operations made in a ``with`` block; gives that prefix in full.

        A name that ends with a slash is a prefix given earlier; None or "" leaves all scopes.
        """
        return self._names.entered(name)

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> Any:
        """The operations as a protocol buffer, `tf.compat.v1.GraphDef`: names, kinds, inputs, parameters, shapes."""
        return graph_def_of(self)

    def get_name_scope(self) -> str:
        """The current name scope, without a slash at its end."""
        return self._names.scope.removesuffix("/")

    @contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Accepted for TensorFlow's sake: there is one device."""
        yield

    # ---- control dependencies

    def controls(self) -> tuple[Operation, ...]:
        """The operations that have to be executed before the next one."""
        return self._controls

    @contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Operations made in a ``with`` block are executed after ``control_inputs``; None drops outer dependencies.

        Raises:
          TypeError: an input is neither an operation nor a tensor nor a variable.
        """
        before = self._controls
        new = [] if control_inputs is None else [self._as_control(x) for x in control_inputs]
        outer = () if control_inputs is None else before
        self._controls = tuple(dict.fromkeys([*outer, *(op for op in new if op is not None)]))
        try:
            yield
        finally:
            self._controls = before

    def _as_control(self, x: Any) -> Operation | None:
        if hasattr(x, "values") and hasattr(x, "indices"):  # IndexedSlices
            x = x.values
        if type(x) is EagerTensor:  # it has been computed
            return None
        x = getattr(x, "_as_graph_element", lambda: x)()
        operation = x.op if isinstance(x, Symbol) else x
        if self.building_function and isinstance(operation, Operation) and operation.graph is not self:
            self.waits_outside[operation] = None
            return None
        element = self.as_graph_element(x)
        return element.op if isinstance(element, Symbol) else element

    # ---- random numbers

    def random_seeds(self, op_seed: Any) -> tuple[int, int] | None:
        """The two seeds of the next operation that takes random numbers; None if nothing determines them."""
        outside = getattr(self, "outside", None)
        if outside is not None:  # the body of a loop or a branch
            interpreter, _ = outside
            around = getattr(interpreter, "random_seeds", seeds.seeds_for)
            return around(op_seed)
        op_seed = seeds.as_seed(op_seed)
        seed = seeds.global_seed() if self.seed is None and self.building_function else self.seed
        if seed is None:
            return None if op_seed is None else seeds.pair(seeds.DEFAULT_GLOBAL_SEED, op_seed)
        if op_seed is None:
            op_seed = self._seeds_given
            self._seeds_given += 1
        return seeds.pair(seed, op_seed)


def current_graph() -> Graph | None:
    """The graph that operations are added to; None in eager mode."""
    interpreter: Any = current_interpreter()
    while interpreter is not None and not isinstance(interpreter, Graph):
        interpreter = getattr(interpreter, "inner", None)
    return interpreter


# ---- operations that only graphs have


def not_fed(*, shape: Shape, dtype: np.dtype, name: str = "") -> Any:
    """The kernel of a placeholder: without a value it cannot be executed."""
    kind = from_numpy(dtype).name
    kind = {"float32": "float", "float64": "double", "float16": "half"}.get(kind, kind)
    raise InvalidArgumentError.of(
        f"You must feed a value for placeholder tensor '{name}' with dtype {kind} and shape {in_brackets(shape)}. "
        "Pass it in feed_dict."
    )


placeholder = Op(
    "Placeholder",
    not_fed,
    shape=lambda *, shape, dtype: shape,
    dtype=lambda *, shape, dtype: dtype,
)
"""A symbol whose value is fed: ``graph.append(placeholder, (), {"shape": ..., "dtype": ...}, name)``."""

const = Op(
    "Const",
    lambda *, value: value,
    shape=lambda *, value: value.shape,
    dtype=lambda *, value: value.dtype,
)
"""A constant as a symbol that users can name and differentiate with respect to."""


def in_graph(tensor: Any, name: str | None) -> Any:
    """A tensor with data as it is in eager mode; while a graph is built, as a constant of the graph."""
    graph = current_graph() if type(tensor) is EagerTensor else None
    return tensor if graph is None else graph.apply(const, (), {"value": np.asarray(tensor._data)}, name)


no_op = Op("NoOp", lambda: (), multi=True, shape=list, dtype=np.dtype(np.float32), stateful=True)
"""Nothing: what other operations are made to wait for."""
