"""New values for variables: at once in eager mode, by an operation while a graph is built.

An update is a function of the old array and of further arrays that gives the new array. In a graph it is an operation
whose first argument is the variable itself; operations with effects are executed in the order of the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.graph.ir import Graph, Operation


def _kernel(variable: Any, *arrays: Any, new: Callable[..., Any], initializes: bool = False) -> tuple[()]:
    if initializes:
        variable._initialize(np.array(new(None, *arrays)))
    else:
        variable._replace(lambda old: new(old, *arrays))
    return ()


@cache
def update_op(name: str) -> Op:
    """The operation without outputs that updates a variable, by TensorFlow's name of it."""
    return Op(name, _kernel, multi=True, shape=lambda *_, **params: [], dtype=np.dtype(bool), stateful=True)


def update_in_graph(
    graph: Graph,
    kind: str,
    variable: Any,
    new: Callable[..., Any],
    tensors: tuple[Any, ...],
    name: str | None,
    **params: Any,
) -> Operation:
    """Appends an update: ``variable = new(variable, *tensors)``.

    params: ``initializes=True`` if the new value does not depend on the old one, which need not exist then.
    """
    return graph.append(update_op(kind), (variable, *map(graph.input, tensors)), {"new": new, **params}, name)


def replaced(old: Any, value: Any) -> Any:
    """The new value. A copy: nobody else may write to the array of a variable."""
    return np.array(value)
