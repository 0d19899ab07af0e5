"""The operations of a graph as a protocol buffer, `GraphDef`: what TensorBoard draws, and programs look through.

The messages are those that tensorboardX brings. A `GraphDef` describes a graph: names, kinds, inputs, parameters and
shapes. The Python functions that execute it are not in it. The bodies of loops, branches and calls are in a picture
only, each in a scope below its operation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import from_numpy

WRITTEN_HERE = "_gradtape"  # the attribute of the first node: who wrote it


def graph_def_of(graph: Any, picture: bool = False) -> Any:
    """The `GraphDef` of a graph; if it is a picture, with what is inside of its operations."""
    # start-up cost: protocol buffers are needed by programs that look at graphs as such only
    from tensorboardX.proto import graph_pb2

    messages: Any = graph_pb2  # made when it is imported: type checkers see nothing in it
    made = messages.GraphDef()
    made.versions.producer = 22
    for operation in graph.operations:
        describe(operation, made)
        if picture:
            _describe_parts(operation, operation.name, made)
    if made.node:
        made.node[0].attr[WRITTEN_HERE].b = True
    return made


def describe(operation: Any, graph_def: Any) -> None:
    """Appends the description of an operation, after constants for those of its arguments that are values."""
    inputs = []
    for i, arg in enumerate(operation.args):
        if hasattr(arg, "value_index"):
            number = f":{arg.value_index}" if arg.value_index else ""
            inputs.append(f"{arg.op.name}{number}")
        elif hasattr(arg, "_symbol"):  # a variable
            if arg._symbol.op is not operation:
                inputs.append(arg._symbol.op.name)
        elif isinstance(arg, (np.ndarray, np.generic)):
            constant = graph_def.node.add(name=f"{operation.name}/input_{i}", op="Const")
            constant.attr["dtype"].type = from_numpy(arg.dtype).as_datatype_enum
            _set_shape(constant.attr["_output_shapes"].list.shape.add(), arg.shape)
            inputs.append(constant.name)
    node = graph_def.node.add(name=operation.name, op=operation.type)
    node.input.extend(inputs)
    node.input.extend(f"^{op.name}" for op in operation.control_inputs)
    for name, value in operation.params.items():
        _set(node.attr[name], value)
    if operation.outputs:
        node.attr["T" if operation.inputs else "dtype"].type = operation.outputs[0].dtype.as_datatype_enum
        shapes = node.attr["_output_shapes"].list
        for symbol in operation.outputs:
            _set_shape(shapes.shape.add(), symbol._ghost.shape)


def _describe_parts(operation: Any, scope: str, graph_def: Any) -> None:
    """Appends the operations of the bodies of an operation; those that are given to a body are its ``_Arg``s."""
    for name, body in _parts(operation):
        inside = f"{scope}/{name}"
        first = len(graph_def.node)
        for part in body.operations:
            describe(part, graph_def)
        for node in graph_def.node[first:]:
            node.name = f"{inside}/{node.name}"
            node.input[:] = [
                f"^{inside}/{source[1:]}" if source.startswith("^") else f"{inside}/{source}"
                for source in node.input
            ]
        there = {node.name for node in graph_def.node[first:]}
        taken = {
            source.removeprefix("^").partition(":")[0]
            for node in graph_def.node[first:]
            for source in node.input
        }
        for source in sorted(taken - there):  # the inputs of the body
            graph_def.node.add(name=source, op="_Arg")
        for part in body.operations:
            _describe_parts(part, f"{inside}/{part.name}", graph_def)


def _parts(operation: Any) -> list[tuple[str, Any]]:
    """The bodies that an operation executes, by names."""
    called = getattr(operation.op, "body", None)
    found = [] if called is None else [(called.name, called)]
    for name, value in operation.params.items():
        bodies = enumerate(value) if isinstance(value, tuple) else [("", value)]
        found += [(f"{name}{i}", body) for i, body in bodies if hasattr(body, "operations")]
    return found


def _set(attr: Any, value: Any) -> None:
    """A parameter, as far as a message can hold it; else its text."""
    if isinstance(value, bool):
        attr.b = value
    elif isinstance(value, int):
        attr.i = value
    elif isinstance(value, float):
        attr.f = value
    elif isinstance(value, bytes):
        attr.s = value
    elif isinstance(value, np.dtype):
        attr.type = from_numpy(value).as_datatype_enum
    elif isinstance(value, (list, tuple)) and all(type(item) is int for item in value):
        attr.list.i.extend(value)
    else:
        attr.s = f"{value}".encode()[:1000] if isinstance(value, str) else type(value).__name__.encode()


def _set_shape(message: Any, shape: Any) -> None:
    if shape is None:
        message.unknown_rank = True
        return
    for size in shape:
        message.dim.add().size = -1 if size is None else size
