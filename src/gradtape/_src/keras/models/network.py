"""`Network`: from descriptions of inputs to descriptions of outputs, the calls in between, and how to repeat them.

The order of the layers is Keras's: those farthest from the outputs first, and of the same distance as a walk from the
outputs meets them.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.keras_tensor import KerasTensor, Node
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.core import InputLayer


class Network:
    """The calls that lead from inputs to outputs.

    Attributes:
      inputs, outputs: nests of KerasTensors.
      nodes: the calls, in an order in which they can be made.
      operations: what is called, in Keras's order.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        self.inputs, self.outputs = inputs, outputs
        self._flat_inputs, self._flat_outputs = flatten(inputs), flatten(outputs)
        for x in (*self._flat_inputs, *self._flat_outputs):
            if not isinstance(x, KerasTensor):
                raise ValueError(
                    f"All `inputs` and `outputs` values must be KerasTensors. Received: inputs={inputs}, outputs="
                    f"{outputs}, of which {x!r} is of type {type(x)}"
                )
        self._starts = {id(x) for x in self._flat_inputs}
        self.nodes: list[Node] = []
        self._met: dict[int, int] = {}  # id of an operation -> when the walk met it
        for output in self._flat_outputs:
            self._walk(output, set())
        self.operations = self._in_order()
        self._steps = [(node, _only_input(node), [id(x) for x in node.outputs]) for node in self.nodes]

    def _walk(self, x: KerasTensor, open_: set[int]) -> None:
        if x._keras_history is None:
            raise ValueError(f"{x!r} does not come from a `tf.keras.Input`: a model cannot be made of it.")
        node = x.node
        operation = node.operation
        known = {id(n) for n in self.nodes}
        self._met.setdefault(id(operation), len(self._met))
        if id(x) in self._starts or id(node) in known:
            return
        if id(node) in open_:
            raise ValueError(f"Tensor {x!r} from operation '{operation.name}' is part of a cycle.")
        if isinstance(operation, InputLayer):
            raise ValueError(
                f"`inputs` not connected to `outputs`: {x!r} is needed for the outputs and is not among the inputs "
                f"{self.inputs}."
            )
        open_.add(id(node))
        for source in node.inputs:
            self._walk(source, open_)
        open_.remove(id(node))
        self.nodes.append(node)

    def _in_order(self) -> list[Any]:
        """The operations, by their distance from the outputs."""
        distance: dict[int, int] = {}
        of_operation: dict[int, int] = {}
        found: dict[int, Any] = {}
        for node in reversed(self.nodes):
            d = max(distance.get(id(node), 0), of_operation.get(id(node.operation), 0))
            of_operation[id(node.operation)] = distance[id(node)] = d
            found[id(node.operation)] = node.operation
            for x in node.inputs:
                if id(x) in self._starts:
                    continue
                distance[id(x.node)] = max(d + 1, distance.get(id(x.node), 0))
        farthest = {id(x): 0 for x in self._flat_inputs}
        for node in self.nodes:
            for x in node.inputs:
                if id(x) in farthest:
                    farthest[id(x)] = max(farthest[id(x)], distance[id(node)] + 1)
        for x in self._flat_inputs:
            if isinstance(x.node.operation, InputLayer):
                found[id(x.node.operation)] = x.node.operation
                of_operation[id(x.node.operation)] = farthest[id(x)]
        order = lambda operation: (-of_operation[id(operation)], self._met.get(id(operation), 0))
        return sorted(found.values(), key=order)

    @property
    def layers(self) -> list[Layer]:
        """The operations that are layers."""
        return [operation for operation in self.operations if isinstance(operation, Layer)]

    @property
    def input_specs(self) -> list[InputSpec]:
        """What the inputs must be."""
        return [
            InputSpec(shape=shape_of(x), name=x.name, allow_last_axis_squeeze=True) for x in self._flat_inputs
        ]

    # --- Execution

    def run(self, inputs: Any) -> Any:
        """The outputs for inputs, in the structure of ``outputs``."""
        values: dict[int, Any] = {}
        for described, x in zip(self._flat_inputs, self.in_order(inputs)):
            values[id(described)] = _fitted(x, described)
        for node, only, outputs in self._steps:
            y = node.operation(values[only]) if only is not None else node.run(values)
            if len(outputs) == 1 and isinstance(y, Tensor):
                values[outputs[0]] = y
            else:
                values.update(zip(outputs, [v for v in flatten(y) if isinstance(v, Tensor)]))
        if len(self._flat_outputs) == 1 and isinstance(self.outputs, KerasTensor):
            return values[id(self.outputs)]
        return map_structure(lambda x: values[id(x)], self.outputs)

    def in_order(self, inputs: Any) -> list[Any]:
        """The inputs as a list; those of a dictionary are found by name.

        Raises:
          ValueError: another number of inputs, or other names.
        """
        if isinstance(inputs, dict) and not isinstance(self.inputs, dict):
            names = [x.name for x in self._flat_inputs]
            missing = [name for name in names if name not in inputs]
            if missing:
                raise ValueError(f"The model has inputs {names}; {missing} are missing in {sorted(inputs)}.")
            return [inputs[name] for name in names]
        if isinstance(inputs, dict) and isinstance(self.inputs, dict):
            return [x for key in sorted(self.inputs) for x in flatten(inputs[key])]
        found = flatten(inputs)
        if len(found) != len(self._flat_inputs):
            raise ValueError(
                f"The model has {len(self._flat_inputs)} inputs, {self.inputs}, and was given {len(found)}."
            )
        return found


def _only_input(node: Node) -> int | None:
    """The input of a call that has one, and nothing else."""
    if len(node.args) == 1 and not node.kwargs and isinstance(node.args[0], KerasTensor):
        return id(node.args[0])
    return None


def _fitted(x: Any, described: KerasTensor) -> Any:
    """An input as it was described: of that dtype, with or without a last axis of size 1."""
    if dtype_of(x) != dtype_of(described):
        mask, x = x._keras_mask, cast(x, dtype_of(described))
        if mask is not None:
            x._keras_mask = mask
    wanted, have = shape_of(described), shape_of(x)
    if wanted is None or have is None or len(wanted) == len(have):
        return x
    if len(have) == len(wanted) + 1 and have[-1] == 1:
        return squeeze(x, axis=-1)
    return expand_dims(x, axis=-1) if len(have) == len(wanted) - 1 and wanted[-1] == 1 else x
