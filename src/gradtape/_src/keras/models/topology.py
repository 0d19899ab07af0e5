"""Networks as configurations, and back: which layer is called on what, in Keras 3's form."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.nest import flatten
from gradtape._src.core.values import shape_of
from gradtape._src.keras.keras_tensor import KerasTensor, OpCall
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object


def network_config(network: Any) -> dict[str, Any]:
    """The layers, the calls, the inputs and outputs.

    Raises:
      ValueError: a step that is no layer, but an operation on tensors: it has no configuration.
    """
    numbers: dict[int, int] = {}  # id of a node -> which call of its operation it is
    calls: dict[int, list[Any]] = {}
    starts = [x.node for x in network._flat_inputs]
    for node in [*starts, *network.nodes]:
        if isinstance(node.operation, OpCall):
            raise ValueError(
                f"The step '{node.operation.name}' of the model is an operation on tensors, which cannot be saved. Put "
                "it into a layer: tf.keras.layers.Add and its kin, or one of your own."
            )
        known = calls.setdefault(id(node.operation), [])
        if id(node) not in numbers:
            numbers[id(node)] = len(known)
            known.append(node)

    def place(x: KerasTensor) -> list[Any]:
        node, i = x._keras_history or (x.node, 0)
        return [node.operation.name, numbers[id(node)], i]

    def plain(value: Any) -> Any:
        if isinstance(value, KerasTensor):
            return {
                "class_name": "__keras_tensor__",
                "config": {
                    "shape": list(shape_of(value)),
                    "dtype": value.dtype.name,
                    "keras_history": place(value),
                },
            }
        if isinstance(value, (list, tuple)):
            return [plain(v) for v in value]
        if isinstance(value, dict):
            return {key: plain(v) for key, v in value.items()}
        return serialize_keras_object(value)

    layers = []
    for operation in network.operations:
        nodes = [n for n in calls[id(operation)] if n.inputs]
        described = serialize_keras_object(operation)
        inbound = [{"args": plain(n.args), "kwargs": plain(n.kwargs)} for n in nodes]
        layers.append({**described, "name": operation.name, "inbound_nodes": inbound})

    def places(structure: Any) -> Any:
        if isinstance(structure, KerasTensor):
            return place(structure)
        if isinstance(structure, dict):
            return {key: places(v) for key, v in structure.items()}
        return [places(v) for v in structure]

    return {
        "layers": layers,
        "input_layers": places(network.inputs),
        "output_layers": places(network.outputs),
    }


def network_of(config: dict[str, Any], layers: dict[str, Any] | None = None) -> tuple[Any, Any]:
    """The inputs and outputs that a configuration describes; of the given layers, by name, or of new ones."""
    if layers is None:
        layers = {
            entry["name"]: deserialize_keras_object(_without_calls(entry)) for entry in config["layers"]
        }
    outputs: dict[tuple[str, int], list[Any]] = {}
    for name, layer in layers.items():
        if (
            layer._inbound_nodes
            and not next(e for e in config["layers"] if e["name"] == name)["inbound_nodes"]
        ):
            outputs[name, 0] = layer._inbound_nodes[0].outputs

    def value(described: Any) -> Any:
        if isinstance(described, list):
            return [value(v) for v in described]
        if not isinstance(described, dict):
            return described
        if described.get("class_name") == "__keras_tensor__":
            name, call, i = described["config"]["keras_history"]
            return outputs[name, call][i]
        if "class_name" in described:
            return deserialize_keras_object(described)
        return {key: value(v) for key, v in described.items()}

    waiting = [
        (entry["name"], number, call)
        for entry in config["layers"]
        for number, call in enumerate(entry["inbound_nodes"])
    ]
    while waiting:
        left = []
        for name, number, call in waiting:
            try:
                args, kwargs = value(call["args"]), value(call["kwargs"])
            except KeyError:  # its inputs come from a call that has not been made yet
                left.append((name, number, call))
                continue
            made = layers[name](*args, **kwargs)
            outputs[name, number] = [x for x in flatten(made) if isinstance(x, KerasTensor)]
        if len(left) == len(waiting):
            raise ValueError(
                f"The configuration calls {left[0][0]!r} on outputs of layers that it does not have."
            )
        waiting = left

    def at(places: Any) -> Any:
        if isinstance(places, dict):
            return {key: at(v) for key, v in places.items()}
        if len(places) == 3 and isinstance(places[0], str):
            return outputs[places[0], places[1]][places[2]]
        return [at(v) for v in places]

    return at(config["input_layers"]), at(config["output_layers"])


def _without_calls(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in entry.items() if key not in ("inbound_nodes", "name", "build_config")
    }
