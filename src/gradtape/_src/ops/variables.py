"""``tf.Variable``: a tensor that can be replaced. Reading it is an operation, so that gradients reach it.

The array of a variable is replaced and never written into: what was read before keeps its value. `read` is
the only way to the value for computations; assignments compute a new array from the old one and record
nothing, since state stops gradients.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import Enum
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from gradtape._src.core.context import current
from gradtape._src.core.convert import as_tensor, read_by
from gradtape._src.core.distribution import VariableAggregationV2, VariableSynchronization
from gradtape._src.core.dtypes import DType, as_dtype, from_numpy
from gradtape._src.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape._src.core.notes import born, left, note
from gradtape._src.core.op import NO_PARAMS, Op, Unary
from gradtape._src.core.printing import variable_repr
from gradtape._src.core.shapes import Shape, as_text, compatible, in_brackets, is_known, merge
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import DEVICE, EagerTensor, Ghost, Reference, Tensor, VariableHandle, shape_of
from gradtape._src.graph.ir import Graph, current_graph
from gradtape._src.graph.names import eager_scope
from gradtape._src.ops.arithmetic import add, subtract
from gradtape._src.ops.gathering import gather_nd
from gradtape._src.ops.indexed_slices import gather
from gradtape._src.ops.variable_arguments import (
    ACCUMULATED,
    callable_or_none,
    checked_name,
    counted,
    initial,
    member,
    rebuilt,
)
from gradtape._src.ops.variable_refusals import Refusals
from gradtape._src.ops.variable_scatters import Scatters
from gradtape._src.ops.variable_updates import replaced, update_in_graph

# --- Reading ------------------------------------------------------------------------------------------------

read_variable = Unary(
    "ReadVariableOp",
    lambda x: getattr(x, "_data", x),
    vjp=lambda g, y, x: g,
    reads="",
    elementwise=True,
    linear=(0,),
    takes_slices=True,
    holomorphic=False,
)
"""The value of a variable. In a graph its argument is the variable itself; a recording has the variable's ghost."""


def read(variable: Any) -> Any:
    """The value as a tensor, shown to the recorders. While a graph is built it is an operation of that graph.

    A graph that has a method ``read_variable(variable)`` gives the tensor (the bodies of loops and functions do).
    """
    if type(variable) is not ResourceVariable:
        variable = variable._as_read()
    interpreter, recorders = current()
    graph = None if interpreter is None else current_graph()
    if graph is None:
        out = object.__new__(EagerTensor)  # `tensor_of`, written out: it is the commonest
        out._data, out._ghost = variable._data, None
    else:
        reader = getattr(graph, "read_variable", None)
        out = variable._read_in(graph) if reader is None else reader(variable)
    for recorder in recorders:
        recorder.record_read(getattr(variable, "_target", variable), out)
    return out


# --- Variables ----------------------------------------------------------------------------------------------


_serials = itertools.count()


class Variable(Scatters, Refusals):
    """A tensor that can be replaced: the parameters of a model, its state.

    It takes part in computations like a tensor of its current value. Shape and dtype stay. A
    `tf.GradientTape` watches a trainable variable when it is read.

    Args:
      initial_value: anything that converts to a tensor, or a function without arguments that gives it.
      trainable: whether tapes watch it by themselves; True unless ``synchronization`` is ``ON_READ``.
      validate_shape, caching_device, import_scope, experimental_enable_variable_lifting: without effect.
      name: "Variable" by default; not unique.
      variable_def: not supported.
      dtype: to convert the initial value to.
      constraint: a function for optimizers to apply to the value after an update.
      synchronization, aggregation: for several devices, of which there is one.
      shape: what later values must fit, where it is to be less than the shape of the initial value says:
        dimensions may be None, and so may the whole shape.

    Raises:
      ValueError: no initial value, or one that does not fit ``shape`` or ``dtype``.

    >>> import gradtape as tf
    >>> v = tf.Variable([1.0, 2.0], name="w")
    >>> with tf.GradientTape() as tape:
    ...     y = v * v
    >>> print(tape.gradient(y, v))
    tf.Tensor([2. 4.], shape=(2,), dtype=float32)
    >>> v.assign_sub([0.5, 0.5])
    <tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([0.5, 1.5], dtype=float32)>
    >>> v[1].assign(7.0)
    <tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([0.5, 7. ], dtype=float32)>
    """

    __array_priority__ = 100  # ndarray * Variable reaches Variable.__rmul__

    _data: Any
    _ghost: Ghost
    _shape: Shape

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Variable or cls is ResourceVariable:
            graph = current_graph()
            cls = ResourceVariable if graph is None or hasattr(graph, "initial_value") else _kinds["graph"]
        return object.__new__(cls)

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
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization | None = VariableSynchronization.AUTO,
        aggregation: VariableAggregationV2 | None = VariableAggregationV2.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        self._describe(name, trainable, constraint, synchronization, aggregation)
        self._name = eager_scope() + self._name
        data = initial(initial_value, dtype)
        self._shape = data.shape
        if shape is not None:
            self._shape = as_shape_tuple(shape)
            if not compatible(self._shape, data.shape):
                raise ValueError(
                    f"In this `tf.Variable` creation, the initial value's shape ({data.shape}) is not compatible with "
                    f"the explicitly supplied `shape` argument ({shape})."
                )
        self._data = data
        self._ghost = Ghost(data.shape, data.dtype)
        born(self, initial_value)

    def _describe(
        self, name: Any, trainable: Any, constraint: Any, synchronization: Any, aggregation: Any
    ) -> None:
        self._constraint, self._name = callable_or_none(constraint), checked_name(name)
        self._synchronization = member(VariableSynchronization, synchronization, "synchronization", name)
        self._aggregation = member(VariableAggregationV2, aggregation, "aggregation", name)
        on_read = self._synchronization is VariableSynchronization.ON_READ
        self._trainable = not on_read if trainable is None else bool(trainable)
        self._serial = next(_serials)
        self._lock = Lock()

    def _as_read(self) -> Variable:
        """The variable whose value is read for this one."""
        return self

    def _read_in(self, graph: Graph) -> Any:
        """A symbol of the value in a graph."""
        return graph.apply(read_variable, (self,), NO_PARAMS, None)

    # --- What it is

    @property
    def name(self) -> str:
        """The name, with the number of the output as in a graph: ``"Variable:0"``."""
        return f"{self._name}:0"

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is fixed."""
        return TensorShape._of(self._shape)

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return from_numpy(self._ghost.dtype)

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read."""
        return self._trainable

    @property
    def synchronization(self) -> VariableSynchronization:
        """As given when it was made."""
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregationV2:
        """As given when it was made."""
        return self._aggregation

    @property
    def constraint(self) -> Callable[[Any], Any] | None:
        """The function for optimizers to apply after an update, or None."""
        return self._constraint

    @property
    def device(self) -> str:
        """Where the value is."""
        return DEVICE

    @property
    def handle(self) -> VariableHandle:
        """What stands for the variable itself, not its value, in operations on state."""
        return VariableHandle(self._name)

    def get_shape(self) -> TensorShape:
        """The shape: the older name of `shape`."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Says more about the shape.

        Raises:
          ValueError: it contradicts what is known.
        """
        self._shape = merge(self._shape, as_shape_tuple(shape))

    def is_initialized(self, name: str | None = None) -> Any:
        """A tensor that says whether the variable has a value."""
        return as_tensor(True)

    def ref(self) -> Reference:
        """A hashable reference to this variable, for sets and keys; `.deref()` gives it back."""
        return Reference(self)

    experimental_ref = ref

    def __hash__(self) -> int:
        if Tensor._USE_EQUALITY:
            raise TypeError(
                f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
            )
        return id(self)

    def __repr__(self) -> str:
        return variable_repr(self.name, self._shape, self._data)

    # --- Its value

    def value(self) -> Any:
        """The current value, as a tensor."""
        return read(self)

    def read_value(self) -> Any:
        """The current value, as a tensor. Later assignments do not change it."""
        return read(self)

    def initialized_value(self) -> Any:
        """The current value: every variable is initialized when it is made."""
        return read(self)

    def read_value_no_copy(self) -> Any:
        """The current value, as a tensor: the same as `read_value`, which copies nothing either."""
        return read(self)

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        if dtype is not None and as_dtype(dtype) is not self.dtype:
            raise ValueError(
                f"Incompatible type conversion requested to type {as_dtype(dtype).name} for `tf.Variable of type "
                f"{self.dtype.name}. (Variable: {self!r})"
            )
        return read(self)

    def numpy(self) -> Any:
        """The value as a NumPy array of the user's own, or as a NumPy scalar."""
        if current_graph() is not None:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        left(self, ".numpy()")
        return EagerTensor(self._data).numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        left(self, "a NumPy function")
        if copy is False:
            return EagerTensor(self._data).__array__(dtype, copy)
        return np.array(self.numpy(), dtype)  # a copy, as TensorFlow gives

    def __bool__(self) -> bool:
        return bool(self._leaving("bool()"))

    def __int__(self) -> int:
        return int(self._leaving("int()"))

    def __float__(self) -> float:
        return float(self._leaving("float()"))

    def __complex__(self) -> complex:
        return complex(self._leaving("complex()"))

    def _leaving(self, how: str) -> Any:
        return left(self, how) or self._value()

    def _value(self) -> Any:
        return EagerTensor(self._data) if current_graph() is None else read(self)

    def gather_nd(self, indices: Any, name: str | None = None) -> Any:
        """The slices at these index vectors, as `tf.gather_nd`."""
        return gather_nd.of(read(self), as_tensor(indices), name=name)

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        """The rows of these numbers, as `tf.gather`: its gradient is an `tf.IndexedSlices`."""
        return gather.of(read(self), as_tensor(indices), name=name)

    # --- New values

    def assign(
        self, value: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Replaces the value.

        Args:
          value: of the variable's dtype and shape.
          use_locking, name: without effect.
          read_value: whether to return anything.

        Returns:
          A variable that stands for this one, so that assignments can be chained; None without
          ``read_value``.

        Raises:
          ValueError: another shape, or a tensor of another dtype.
        """
        tensor = as_tensor(value, self.dtype)
        shape = shape_of(tensor)
        if not compatible(self._shape, shape):
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape "
                f"{as_text(self._shape)}, and the assigned value shape {as_text(shape)} are incompatible."
            )
        if current_graph() is not None:
            return self._update(replaced, tensor, read_value=read_value, name=name, initializes=True)
        note("state", "assign", (tensor,), (self._as_read(),))
        self._initialize(tensor._data)
        return _UnreadVariable(self) if read_value else None

    def assign_add(
        self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds ``delta``, of the variable's shape and dtype; see `assign`."""
        return self._accumulate("AssignAddVariableOp", add, delta, read_value, name)

    def assign_sub(
        self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts ``delta``, of the variable's shape and dtype; see `assign`."""
        return self._accumulate("AssignSubVariableOp", subtract, delta, read_value, name)

    def _accumulate(self, kind: str, op: Op, delta: Any, read_value: bool, name: str | None) -> Any:
        delta = as_tensor(delta, self.dtype)
        if not self.dtype.is_numeric:
            raise InvalidArgumentError.of(
                f"No OpKernel was registered to support Op '{kind}' with a variable of dtype "
                f"{self.dtype.name}."
            )
        in_graph = current_graph() is not None
        have, given = self._shape if in_graph else self._data.shape, shape_of(delta)
        if have != given and (not in_graph or not compatible(have, given)):
            raise (ValueError if in_graph else InvalidArgumentError.of)(
                f"Cannot update variable with shape {in_brackets(have)} using a Tensor with shape "
                f"{in_brackets(given)}, shapes must be equal. [Op:{kind}]"
            )
        new = ACCUMULATED[op]
        return self._update(new, delta, read_value=read_value, kind=kind, name=name)

    def _update(
        self,
        new: Callable[..., Any],
        *tensors: Any,
        read_value: bool = True,
        kind: str = "AssignVariableOp",
        name: str | None = None,
        **params: Any,
    ) -> Any:
        """Replaces the value by ``new(old, *arrays)``, with the arrays of tensors; in a graph, by an operation."""
        graph = current_graph()
        if graph is not None:
            op = update_in_graph(graph, kind, self._as_read(), new, tensors, name, **params)
            return _kinds["updated"](self._as_read(), op) if read_value else op
        note("state", kind, tensors, (self._as_read(),))
        arrays = [tensor._data for tensor in tensors]
        self._replace(lambda old: new(old, *arrays))
        return _UnreadVariable(self) if read_value else None

    def _replace(self, new: Callable[[Any], Any]) -> None:
        """Replaces the value by a function of it, now. No other thread replaces it in between."""
        with self._lock:
            self._store(new(np.asarray(self._data)))

    def _initialize(self, data: Any) -> None:
        """Sets the value, whatever it was before, and if there was none."""
        with self._lock:
            self._store(data)

    def _store(self, data: Any) -> None:
        self._data = data
        if not is_known(self._shape):
            self._ghost.shape = data.shape

    def load(self, value: Any, session: Any = None) -> None:
        """Replaces the value."""
        self.assign(value, read_value=False)

    def count_up_to(self, limit: int) -> Any:
        """Adds 1 and gives the value from before, as long as that is below ``limit``.

        Raises:
          OutOfRangeError: the limit is reached.
        """
        if self.dtype.name not in ("int32", "int64"):
            raise InvalidArgumentError.of(
                f"Value for attr 'T' of {self.dtype.name} is not in the list of allowed values: int32, int64 "
                "[Op:ResourceCountUpTo]"
            )
        if current_graph() is not None:
            after = self._update(partial(counted, limit=limit), kind="ResourceCountUpTo")
            return after - 1
        before = EagerTensor(self._data)
        self._replace(partial(counted, limit=limit))
        return before

    # --- Copies

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """A variable of its own with the same value. Nobody writes to the array, so it is not copied."""
        rebuild, args = self.__reduce__()
        memo[id(self)] = new = rebuild(*args)
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        rest = (self._synchronization, self._aggregation, self._shape)
        return rebuilt, (type(self), self._data, self._trainable, self._name, self._constraint, *rest)


class ResourceVariable(Variable):
    """The variables that there are; `tf.Variable(...)` makes one."""


read_by(ResourceVariable, read)


class _UnreadVariable(ResourceVariable):
    """What an assignment returns: stands for the variable that was assigned to, whose attributes it has."""

    def __init__(self, target: Variable) -> None:
        self._target = target._target if isinstance(target, _UnreadVariable) else target

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    @property
    def name(self) -> str:
        return "UnreadVariable"

    def _as_read(self) -> Variable:
        return self._target

    def _store(self, data: Any) -> None:
        self._target._store(data)

    def set_shape(self, shape: Any) -> None:
        self._target.set_shape(shape)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._target.__reduce__()


_kinds: dict[str, Any] = {}  # the classes of variables in graphs, which rest on this module


def use_in_graphs(graph: type, updated: type) -> None:
    """Gives the classes of variables that belong to a graph, and of what an update in a graph returns."""
    _kinds.update(graph=graph, updated=updated)
