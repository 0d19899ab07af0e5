"""Is a graph well-formed, and do its values keep what was promised of them? Switched on in the tests.

verify(graph)                    raises Malformed for what no graph may be
verify.during_execution = True   every plan checks the values that its kernels give
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.shapes import compatible
from gradtape._src.graph.ir import Graph, Operation, Symbol

during_execution = False


class Malformed(AssertionError):
    """A graph is not what it should be: a fault of this library, not of the user's."""


def verify(graph: Graph) -> None:
    """Raises `Malformed` unless the graph is well-formed.

    Every argument and every control input comes from this graph, and from before; names are unique; the outputs have
    the dtypes that the operation's rules give, and shapes that these allow.
    """
    before: set[Operation] = set()
    names: set[str] = set()
    for node in graph.operations:
        _expect(node.graph is graph, node, "belongs to another graph")
        _expect(node.name.lower() not in names, node, "has a name that is taken")
        names.add(node.name.lower())
        for arg in node.inputs:
            _expect(arg.op in before, node, f"takes {arg!r}, which is not made before it")
            _expect(any(out is arg for out in arg.op.outputs), node, f"takes {arg!r}, which nothing gives")
        for other in node.control_inputs:
            _expect(other in before, node, f"waits for {other!r}, which is not made before it")
        for i, (out, (shape, dtype)) in enumerate(zip(node.outputs, node._specs(node.args, node.params))):
            _expect(
                out.op is node and out.value_index == i, node, f"has an output that is not its own: {out!r}"
            )
            _expect(out._ghost.dtype == dtype, node, f"gives {out!r}, but its rule says {dtype}")
            _expect(compatible(out._ghost.shape, shape), node, f"gives {out!r}, but its rule says {shape}")
        before.add(node)


def checked(node: Operation, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operation, looking at what it gives."""

    def kernel_checked(*args: Any, **params: Any) -> Any:
        result = kernel(*args, **params)
        check_values(node, node.outputs, result if node.op.multi else (result,))
        return result

    return kernel_checked


def check_values(node: Operation, outputs: Sequence[Symbol], values: Sequence[Any]) -> None:
    """Raises `Malformed` unless values are of the shapes and dtypes of the symbols that they are for."""
    for out, value in zip(outputs, values):
        ghost = out._ghost
        if value is None or ghost.dtype == object:
            continue
        _expect(
            isinstance(value, (np.ndarray, np.generic)),
            node,
            f"gave {type(value).__name__}, which is no array",
        )
        _expect(value.dtype == ghost.dtype, node, f"gave {value.dtype} for {out!r}")
        _expect(compatible(ghost.shape, value.shape), node, f"gave the shape {value.shape} for {out!r}")


def _expect(holds: bool, node: Operation, what: str) -> None:
    if not holds:
        place = "" if node.location is None else f" (made at {node.location[0]}:{node.location[1]})"
        raise Malformed(f"{node!r}{place} {what}")
