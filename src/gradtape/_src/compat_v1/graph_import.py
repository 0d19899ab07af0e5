"""``tf.import_graph_def``: the operations of a frozen model, a `GraphDef` that TensorFlow wrote.

Each kind of node has one row in the `TABLE` of `graph_import_table.py`: a function of its inputs and attributes. What
a file describes with other kinds cannot be imported, and the error names them all at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradtape._src.api.arrays import identity, identity_n
from gradtape._src.api.graphs import control_dependencies
from gradtape._src.compat_v1.graph_import_table import TABLE, Attributes, Known
from gradtape._src.core.errors import UnimplementedError
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.graph_def import WRITTEN_HERE
from gradtape._src.graph.ir import Operation, Symbol, current_graph
from gradtape._src.graph.tensor_messages import array_of


def import_graph_def(
    graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None
):
    """Adds the operations of a `tf.GraphDef` to the default graph: a model that was frozen, its variables constants.

    Args:
      graph_def: a message, for example after ``graph_def.ParseFromString(file.read())``.
      input_map: for names of tensors of the file, tensors to use in their place.
      return_elements: names of operations and tensors of the file to return.
      name: what comes before the names, "import" by default; "" for nothing.
      op_dict, producer_op_list: without effect.

    Returns:
      The operations and tensors of ``return_elements``, or None.

    Raises:
      RuntimeError: in eager mode. TypeError: ``graph_def`` is no `GraphDef`.
      ValueError: something is named that is not in the file.
      UnimplementedError: the file has operations that are not known here, or is one that `as_graph_def` wrote.

    >>> import gradtape.compat.v1 as tf
    >>> described = tf.GraphDef()
    >>> _ = described.node.add(name="x", op="Placeholder").attr["dtype"].MergeFrom(tf.AttrValue(type=1))
    >>> _ = described.node.add(name="y", op="Square", input=["x"])
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x, y = tf.import_graph_def(described, return_elements=["x:0", "y:0"])
    ...     print(y.name, session.run(y, {x: 3.0}))
    import/y:0 9.0

    As TensorFlow 2.21 (1.15).
    """
    if not hasattr(graph_def, "node") or not hasattr(graph_def, "ParseFromString"):
        raise TypeError(f"Argument `graph_def` must be a GraphDef proto. Received: {graph_def!r}.")
    if current_graph() is None:
        raise RuntimeError("tf.import_graph_def adds to a graph: use it in `with tf.Graph().as_default():`.")
    _check(graph_def)
    graph = get_default_graph()
    with graph.name_scope("import" if name is None else name) as prefix:
        importer = _Importer(prefix, dict(input_map or {}))
        for node in _in_order(graph_def):
            importer.add(node)
    unknown = set(input_map or ()) - importer.used
    if unknown:
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: {sorted(unknown)}")
    if return_elements is None:
        return None
    return [importer.element(one) for one in return_elements]


def _check(graph_def: Any) -> None:
    if any(WRITTEN_HERE in node.attr for node in graph_def.node):
        raise UnimplementedError.of(
            "This GraphDef describes a graph of gradtape, which consists of Python functions: what as_graph_def writes "
            "can be looked at, and not imported. Run the code that builds the graph. (docs/differences.md)"
        )
    missing = sorted({node.op for node in graph_def.node} - set(TABLE))
    if missing:
        raise UnimplementedError.of(
            f"The GraphDef has operations that cannot be imported: {', '.join(missing)}. Known are those of frozen "
            "models of layers; variables must be constants (freeze_graph), and loops and queues left out "
            "(tf.compat.v1.graph_util.extract_sub_graph of TensorFlow)."
        )


def _source(text: str) -> tuple[str, int]:
    """The node and the number of the output that an input names."""
    node, _, number = text.partition(":")
    return node, int(number or 0)


def _in_order(graph_def: Any) -> list[Any]:
    """The nodes, each after those that it reads."""
    by_name = {node.name: node for node in graph_def.node}
    done: dict[str, Any] = {}
    for start in graph_def.node:
        stack = [(start, iter(start.input))]
        while stack:
            node, inputs = stack[-1]
            for text in inputs:
                source = _source(text.lstrip("^"))[0]
                if source not in by_name:
                    raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")
                if source not in done:
                    if len(stack) > len(by_name):
                        raise ValueError(f"Node '{node.name}' is a part of a circle.")
                    stack.append((by_name[source], iter(by_name[source].input)))
                    break
            else:
                done[node.name] = node
                stack.pop()
    return list(done.values())


class _Importer:
    """Makes the operations of nodes, one after the other."""

    def __init__(self, prefix: str, input_map: Mapping[str, Any]) -> None:
        self.prefix, self.input_map = prefix, input_map
        self.used: set[str] = set()
        self._outputs: dict[str, list[Any]] = {}
        self._constants: dict[str, np.ndarray] = {}

    def add(self, node: Any) -> None:
        if node.op == "Const":
            self._constants[node.name] = array_of(node.attr["value"].tensor)
        inputs = [self._input(text) for text in node.input if not text.startswith("^")]
        befores = [self._outputs[text[1:]] for text in node.input if text.startswith("^")]
        waits = [outputs[0].op for outputs in befores if outputs]
        full = f"{self.prefix}{node.name}/"
        with control_dependencies(waits):
            made = TABLE[node.op](inputs, Attributes(node), full)
            outputs = list(made) if isinstance(made, (list, tuple)) else [made]
            if outputs and not (isinstance(outputs[0], Symbol) and outputs[0].op.name == full[:-1]):
                outputs = (
                    [identity(outputs[0], full)] if len(outputs) == 1 else list(identity_n(outputs, full))
                )
        self._outputs[node.name] = outputs

    def _input(self, text: str) -> Any:
        """The tensor; its value where that is known, since it may be an axis or a shape."""
        name, number = _source(text)
        for key in (text, f"{name}:{number}"):
            if key in self.input_map:
                self.used.add(key)
                return self.input_map[key]
        if name in self._constants:
            return Known(self._outputs[name][0], self._constants[name])
        if number >= len(self._outputs[name]):
            raise UnimplementedError.of(f"Output {number} of the node '{name}' cannot be imported.")
        return self._outputs[name][number]

    def element(self, text: str) -> Symbol | Operation:
        """What ``return_elements`` names."""
        name, number = _source(text)
        if name not in self._outputs or number >= max(1, len(self._outputs[name])):
            raise ValueError(f"Requested return_element {text!r} not found in graph_def.")
        outputs = self._outputs[name]
        return outputs[number] if ":" in text else outputs[0].op
