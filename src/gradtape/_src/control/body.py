"""Tracing the parts of control flow: the step of a loop, the branches of a conditional.

A part is traced into a graph of its own. What it uses from outside becomes a further input of it, so that gradients
reach it. Variables too: the part reads and assigns them in its own order, and as inputs they say where their
cotangents belong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.control.subgraph import Subgraph, effects_of, hole
from gradtape._src.core.context import current, current_interpreter, current_recorders, under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import EagerTensor, Ghost, ghost_of
from gradtape._src.graph.ir import Graph, Operation, Symbol, current_graph
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.variables import Variable


def is_symbolic() -> bool:
    """Whether operations are added to a graph now."""
    interpreter = current_interpreter()
    return interpreter is not None and interpreter.symbolic


def tell_of_variables(values: Iterable[Any]) -> None:
    """Tells tapes which variables the parts of an operation that comes next use: it reads them by itself."""
    for recorder in current_recorders():
        for value in values:
            if isinstance(value, Variable):
                recorder.record_access(value)


@contextmanager
def after_parts(graphs: Iterable[Graph]) -> Iterator[None]:
    """The operation that comes next waits for what operations of its parts are to wait for."""
    waits = [operation for graph in graphs for operation in graph.waits_outside]
    outer = current_graph()
    if not waits or outer is None:
        yield
    else:
        with outer.control_dependencies(waits):
            yield


class BodyGraph(Graph):
    """A graph that takes what it uses from outside as inputs: ``captured`` outside, ``captures`` here.

    Its collections are those of the graph around it.

    Args:
      scope: what the names of its operations begin with.
    """

    building_function = True
    owns_variables = False
    is_control_flow_graph = True

    def __init__(self, scope: str = "") -> None:
        super().__init__()
        self.outside = current()
        outer = current_graph()
        self.in_function = outer is None or outer.in_function
        if outer is not None:
            self._collections = outer._collections
        self._names.scope = scope
        self.captured: list[Any] = []
        self.captures: list[Any] = []  # symbols, and variables
        self._known: dict[Ghost, Any] = {}
        self._open = False

    def trace(self, f: Callable[..., Any], *args: Any) -> Any:
        """``f(*args)``, its operations in this graph."""
        self._open = True
        try:
            with under(self, ()):
                return f(*args)
        finally:
            self._open = False

    def argument(self, shape: Shape, dtype: np.dtype) -> Symbol:
        """A new symbol for a value that the part is called with."""
        return hole(self, Ghost(shape, dtype))  # type: ignore[arg-type]

    def append(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Operation:
        for arg in args:
            if isinstance(arg, Variable):
                self.capture(arg)
        return super().append(op, args, params, name)

    def capture(self, value: Any) -> Any:
        ghost = ghost_of(value)
        if ghost not in self._known:
            self.captured.append(value)
            self._known[ghost] = value if isinstance(value, Variable) else self._hole(value)
            self.captures.append(self._known[ghost])
        return self._known[ghost]

    def _captured_tensors(self) -> Iterator[tuple[Any, Symbol]]:
        """Tensors from outside, each with the symbol that stands for it here."""
        pairs = zip(self.captured, self.captures, strict=True)
        return ((outer, inner) for outer, inner in pairs if isinstance(inner, Symbol))

    def _hole(self, value: Any) -> Symbol:
        symbol = hole(self, ghost_of(value))
        symbol._known = getattr(value, "_known", None)
        return symbol

    def from_elsewhere(self, symbol: Symbol) -> Any:
        return self.capture(symbol)

    def from_eager(self, tensor: EagerTensor) -> Any:
        moves = is_differentiable_np(tensor._data.dtype)
        return self.capture(tensor) if self._open and moves else tensor._data

    def after(self, operation: Operation, value: Any) -> Any:
        """A value from outside, here, which is there when an operation has been executed."""
        with under(self, ()), self.control_dependencies([operation]):
            return identity(as_tensor(value))

    def output(self, value: Any) -> Any:
        """A result of the part as a symbol of this graph, or a raw constant."""
        with under(self, ()):
            tensor = as_tensor(value)
        self._open = True
        found = self.input(tensor)
        self._open = False
        return found

    def subgraph(
        self,
        inputs: Sequence[Symbol],
        outputs: Sequence[Any],
        takes: Iterable[Any] | None = None,
        effects: bool = True,
    ) -> Subgraph:
        """The part as a function of its arguments and captures; or of ``takes``, values from outside, for captures."""
        captures = self.captures if takes is None else [self.capture(value) for value in takes]
        done = effects_of(self.operations, [*inputs, *self.captures]) if effects else ()
        return Subgraph(self, [*inputs, *captures], outputs, done)
