"""`KerasTensor`: what a functional model is described with, a shape and a dtype and where they come from.

A `Node` is one call of a layer or of an operation on such tensors. Operations reach here because a
`KerasTensor` is a tensor without data: see `core/op.py: Op.execute`.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.op import Op, apply
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import Described, Ghost, Tensor
from gradtape._src.keras.naming import auto_name
from gradtape._src.keras.settings import as_floatx


class KerasTensor(Tensor):
    """The description of a tensor: its shape and dtype, and the `Node` that it comes from.

    Layers, Python's operators and the functions of this library take it and give others.

    >>> import gradtape as tf
    >>> x = tf.keras.KerasTensor((None, 3))
    >>> (2 * x).shape
    TensorShape([None, 3])
    """

    __slots__ = ("__dict__", "__weakref__", "_ghost", "_keras_history", "name")

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None, **kwargs: Any) -> None:
        self._ghost = Ghost(as_shape_tuple(shape), as_floatx(dtype).np)  # type: ignore[arg-type]
        self._keras_history: tuple[Node, int] | None = None
        self.name = name or auto_name("keras_tensor")

    def _shape_tuple(self) -> Any:
        return self._ghost.shape

    @property
    def _data(self) -> Any:
        raise Described(
            self,
            "A KerasTensor has no value: it describes the tensors that a model will get. Compute with it inside of "
            "the model, by layers and functions of tensors, or call the model with an array.",
        )

    @property
    def node(self) -> Node:
        """The call that it comes from."""
        assert self._keras_history is not None
        return self._keras_history[0]

    def stands_in(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """An operation on tensors of which this is one: its outputs, described."""
        ghosts = [getattr(arg, "_ghost", arg) for arg in args]
        op.check_dtypes(ghosts)
        outputs = [KerasTensor(shape, from_numpy(dtype)) for shape, dtype in op.infer(args, params)]
        Node(OpCall(op, params), args, {}, outputs)
        return tuple(outputs) if op.multi else outputs[0]

    def __hash__(self) -> int:
        return id(self)

    def __copy__(self) -> KerasTensor:
        return self

    def __deepcopy__(self, memo: Any) -> KerasTensor:
        return self

    def __repr__(self) -> str:
        shape, dtype = TensorShape._of(self._ghost.shape), from_numpy(self._ghost.dtype).name
        return f"<KerasTensor shape={shape}, dtype={dtype}, sparse=False, ragged=False, name={self.name}>"

    __str__ = __repr__


class OpCall:
    """An operation with its parameters, as a step of a functional model."""

    def __init__(self, op: Op, params: dict[str, Any]) -> None:
        self.op, self.params = op, params
        self.name = auto_name(op.name.lower())
        self._inbound_nodes: list[Node] = []

    def __call__(self, *args: Any) -> Any:
        return apply(self.op, args, self.params)


class Node:
    """One call of a layer, or of an operation, on KerasTensors.

    Attributes:
      operation: what was called: a layer or an `OpCall`.
      args, kwargs: with KerasTensors among them.
      outputs: a list.
      inputs: the KerasTensors among the arguments.
    """

    def __init__(
        self, operation: Any, args: tuple[Any, ...], kwargs: dict[str, Any], outputs: list[Any]
    ) -> None:
        self.operation, self.args, self.kwargs, self.outputs = operation, args, kwargs, outputs
        self.inputs = keras_tensors(args, kwargs)
        for i, x in enumerate(outputs):
            x._keras_history = (self, i)
        operation._inbound_nodes.append(self)

    @property
    def parents(self) -> list[Node]:
        """The nodes that its inputs come from."""
        return [x.node for x in self.inputs]

    def run(self, values: dict[int, Any]) -> Any:
        """Calls the operation on values in place of the KerasTensors, which are found by `id`."""
        value = lambda x: values[id(x)] if isinstance(x, KerasTensor) else x
        args, kwargs = map_structure(value, (self.args, self.kwargs))
        return self.operation(*args, **kwargs)


def keras_tensors(*structures: Any) -> list[KerasTensor]:
    """The KerasTensors in nests."""
    return [x for x in flatten(structures) if isinstance(x, KerasTensor)]


def is_keras_tensor(x):
    """Whether x is a description of a tensor, as `tf.keras.Input` and layers give them.

    >>> import gradtape as tf
    >>> tf.keras.utils.is_keras_tensor(tf.keras.Input((3,)))
    True
    """
    return isinstance(x, KerasTensor)
