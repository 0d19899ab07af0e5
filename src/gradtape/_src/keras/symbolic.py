"""Layers called on descriptions: the outputs' shapes and dtypes, found by building the layer's graph once."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.context import under
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.function.func_graph import FuncGraph
from gradtape._src.graph.ir import current_graph, placeholder
from gradtape._src.keras.keras_tensor import KerasTensor, Node
from gradtape._src.keras.masking import mask_of


def scratch_graph() -> FuncGraph:
    """A graph that is thrown away; it may take tensors from outside, and variables."""
    return FuncGraph("scratch", current_graph())


def described(function: Any, args: Any, kwargs: Any) -> Any:
    """The outputs of a function of KerasTensors, as KerasTensors."""
    graph = scratch_graph()
    with under(graph, ()):
        stand_ins: dict[int, Any] = {}

        def stand_in(x: Any) -> Any:
            if not isinstance(x, KerasTensor):
                return x
            if id(x) not in stand_ins:
                symbol = _symbol(graph, x)
                mask = mask_of(x)
                if mask is not None:
                    symbol._keras_mask = stand_in(mask)
                stand_ins[id(x)] = symbol
            return stand_ins[id(x)]

        args, kwargs = map_structure(stand_in, (args, kwargs))
        outputs = function(*args, **kwargs)
        return map_structure(_description, outputs)


def _symbol(graph: FuncGraph, x: KerasTensor) -> Any:
    params = {"shape": shape_of(x), "dtype": dtype_of(x)}
    return graph.append(placeholder, (), params, "input").outputs[0]


def _description(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return x
    found = KerasTensor(shape_of(x), x.dtype)
    mask = mask_of(x)
    if mask is not None:
        found._keras_mask = KerasTensor(shape_of(mask), "bool")
    return found


def called_on_descriptions(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a layer on KerasTensors: describes the outputs, and notes the call for the model to come."""
    outputs = layer.compute_output_spec(*args, **kwargs)
    outputs = map_structure(_fresh, outputs)
    Node(layer, args, kwargs, [x for x in flatten(outputs) if isinstance(x, KerasTensor)])
    return outputs


def _fresh(x: Any) -> Any:
    """A description of its own, for a tensor that a layer passed on as it is."""
    if not isinstance(x, KerasTensor) or x._keras_history is None:
        return x
    new = KerasTensor(shape_of(x), x.dtype)
    new._keras_mask = x._keras_mask
    return new
