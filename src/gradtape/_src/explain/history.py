"""What happened to tensors, in order: the graph that explanations walk.

A *vertex* stands for a tensor: a number of the journal, a ghost, or a pair (call, ghost) inside a function's body, a
loop or a branch, which are written out here as if they had been executed in place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.values import Ghost, Tensor, ghost_of
from gradtape._src.explain.names import is_literal, is_report
from gradtape._src.function.body import Call
from gradtape._src.graph.ir import Operation, Symbol, SymbolGhost
from gradtape._src.ops.variables import Variable

Vertex = Any
_READS = ("ReadVariableOp", "VariableV2", "InitializedValue")


class Event(NamedTuple):
    """Something that made tensors of tensors.

    kind: "op", "read" (of a variable), "state" (an assignment), "root" (a constant, a variable), "left" (for NumPy or
      Python), "data" (for a dataset or a queue), "gradient", "capture" (by a function), "condition" (of a loop or
      branch), "whole" (a loop, branch or call from outside: what its inside connects is connected by other events).
    at: its place in the order of events.
    """

    kind: str
    name: str
    op: Any
    inputs: tuple[Vertex | None, ...]
    outputs: tuple[Vertex, ...]
    location: tuple[str, int] | None
    at: int


class History:
    """Events, and which of them made a vertex."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.makers: dict[Vertex, list[Event]] = defaultdict(list)
        self.dtypes: dict[Vertex, np.dtype] = {}
        self.variables: dict[Vertex, Variable] = {}  # of graphs

    def add(self, event: Event) -> None:
        self.events.append(event)
        for vertex in event.outputs:
            self.makers[vertex].append(event)

    def maker(self, vertex: Vertex) -> Event | None:
        """What made a tensor; None for an input or a constant."""
        return next((e for e in self.makers.get(vertex, ()) if e.kind not in ("whole", "condition")), None)

    def dtype(self, vertex: Vertex) -> np.dtype | None:
        if vertex in self.dtypes:
            return self.dtypes[vertex]
        ghost = vertex[1] if type(vertex) is tuple else vertex
        return ghost.dtype if isinstance(ghost, Ghost) else None

    def location(self, vertex: Vertex) -> tuple[str, int] | None:
        maker = self.maker(vertex)
        return None if maker is None else maker.location


# --- From the journal -------------------------------------------------------------------------------------------


def of_journal(journal: Any) -> History:
    """Everything that the journal still knows. A number that came from nowhere may come from what left before."""
    history = History()
    history.dtypes = {number: fact.dtype for number, fact in journal.facts.items()}
    outside: Vertex | None = None
    for event in list(journal.events.values()):
        if event.kind == "data" or (event.kind == "left" and not is_report(event.location)):
            latest = ("outside", event.at)
            inputs = event.inputs if outside is None else (*event.inputs, outside)
            event = event._replace(inputs=inputs, outputs=(latest,))
            outside = latest
        elif event.kind == "root" and event.name in ("raw", "made") and outside is not None:
            if not is_literal(event.location, journal.facts[event.at].value):
                event = event._replace(inputs=(outside,))
        if isinstance(event.op, Call):
            _call(history, event)
        else:
            history.add(event)
    return history


# --- From a recording -------------------------------------------------------------------------------------------


def of_recording(recording: Any) -> History:
    """What a tape has written down, and where it noted that a path ended. Lines are known of the ends only."""
    history = History()
    at = 0
    for op, keys, _, out, *_ in recording.nodes:
        outputs = out if op.multi else (out,)
        event = Event("op", op.name, op, tuple(keys), tuple(outputs), None, at)
        _call(history, event) if isinstance(op, Call) else history.add(event)
        at += 1
    for kind, name, op, keys, out, location in recording.ends:
        if kind == "left" and is_report(location):
            continue
        history.add(Event(kind, name, op, keys, out, location, at))
        at += 1
    return history


# --- From a graph -----------------------------------------------------------------------------------------------


def of_graph(graph: Any) -> History:
    """The operations of a graph and of those around it, with the bodies of calls, loops and branches, and what a
    function captured."""
    history = History()
    _write_graph(history, graph, set())
    places = {node: i for i, node in enumerate(graph.operations)}
    for targets, sources, found in graph.derivatives:
        symbols = [ghost.stands_for for ghost in found if isinstance(ghost, SymbolGhost)]
        if symbols and symbols[0].op in places:
            node = symbols[0].op
            history.add(
                Event("gradient", "gradients", None, (*targets, *sources), found, node.location, places[node])
            )
    if notes.journal is not None:
        outside = _feeds(history, notes.journal.runs.get(graph, ()))
        if outside is not None:
            _constants(history, graph, outside, notes.journal.given)
    return history


def _write_graph(history: History, graph: Any, seen: set[int]) -> None:
    seen.add(id(graph))
    for tensor, symbol in graph._captured_tensors():
        if isinstance(tensor, Symbol) and id(tensor.graph) not in seen:
            _write_graph(history, tensor.graph, seen)
        if tensor is not symbol:
            history.add(
                Event("capture", "captured", None, (ghost_of(tensor),), (ghost_of(symbol),), None, -1)
            )
    _write(history, graph.operations, None)


def outermost(graph: Any) -> dict[Any, Any]:
    """For the ghost of a tensor that a graph captured that of the tensor itself, in the graph where it was made."""
    found: dict[Any, Any] = {}
    for tensor, symbol in graph._captured_tensors():
        ghost = ghost_of(tensor)
        around = outermost(tensor.graph) if isinstance(tensor, Symbol) and tensor.graph is not graph else {}
        found[ghost_of(symbol)] = around.get(ghost, ghost)
    return found


def _feeds(history: History, runs: Iterable[Any]) -> Vertex | None:
    """What a session gave may be what it was fed with later. The vertex of all that it gave."""
    outside: Vertex | None = None
    for fetched, fed, location in runs:
        if outside is not None:
            for ghost in fed:
                history.add(Event("feed", "feed_dict", None, (outside,), (ghost,), location, -1))
        before, outside = outside, ("outside", len(history.events))
        inputs = fetched if before is None else (*fetched, before)
        history.add(Event("capture", "fetched", None, inputs, (outside,), location, -1))
    return outside


def _constants(history: History, graph: Any, outside: Vertex, given: set[bytes]) -> None:
    """A constant may have the numbers that a session gave before."""
    for node in graph.operations:
        value = node.params.get("value")
        if (
            node.op.name == "Const"
            and isinstance(value, (np.ndarray, np.generic))
            and value.dtype.kind == "f"
        ):
            if np.asarray(value, np.float32).tobytes() in given and not is_literal(node.location, value):
                out = node.outputs[0]._ghost
                history.add(
                    Event(
                        "feed",
                        "the result of a Session.run as a constant",
                        None,
                        (outside,),
                        (out,),
                        node.location,
                        -1,
                    )
                )


def _vertex(arg: Any, inside: Any) -> Vertex | None:
    if isinstance(arg, Variable):
        return arg._ghost
    if not isinstance(arg, Tensor):
        return None
    ghost = arg._ghost  # type: ignore[attr-defined]
    return ghost if inside is None else (inside, ghost)


def _write(
    history: History, operations: Iterable[Operation], inside: Any, around: Event | None = None
) -> None:
    """Adds operations; those ``inside`` a call have vertices of their own."""
    versions: dict[Any, Vertex] = {}
    for i, node in enumerate(operations):
        inputs = tuple([_vertex(arg, inside) for arg in node.args])
        outputs = tuple([_vertex(out, inside) for out in node.outputs])
        where, at = (node.location, i) if around is None else (node.location or around.location, around.at)
        event = Event("op", node.op.name, node.op, inputs, outputs, where, at)
        first = node.args[0] if node.args else None
        if isinstance(first, Variable):
            history.variables[first._ghost] = first
        if isinstance(first, Variable) and node.op.name in _READS:
            old = versions.get(first._ghost)
            history.add(event._replace(kind="read", inputs=inputs if old is None else (*inputs, old)))
        elif isinstance(first, Variable) and node.op.stateful:
            version = ("version", first._ghost, len(history.events))
            versions[first._ghost] = version
            history.add(event._replace(kind="state", inputs=inputs[1:], outputs=(version,)))
        elif isinstance(node.op, Call):
            _call(history, event)
        elif node.op.name == "While":
            _loop(history, node, event)
        elif node.op.name == "If":
            _branches(history, node, event)
        elif "dataset" in node.params:
            _pass(history, node, event)
        elif node.params.get("iterator") is not None:
            held = ("pass", id(node.params["iterator"]))
            history.add(event._replace(kind="capture", inputs=(*inputs, held)))
        else:
            history.add(event)


def _pass(history: History, node: Operation, event: Event) -> None:
    """The beginning of a pass over a dataset; what is held by an iterator has no symbol."""
    where = next((found for arg in node.inputs if (found := notes.datasets.get(arg._ghost))), event.location)
    place = node.params.get("place")
    held = () if place is None else (("pass", id(place)),)
    made = (*event.outputs, *held)
    history.add(event._replace(kind="data", name="tf.data.Dataset", op=None, outputs=made, location=where))


def _join(
    history: History, inputs: Sequence[Vertex | None], symbols: Sequence[Any], inside: Any, at: int
) -> None:
    """The inputs of a body are the arguments."""
    for vertex, symbol in zip(inputs, symbols, strict=False):
        own = _vertex(symbol, inside)
        if vertex is not None and own is not None and own != vertex:
            history.add(Event("capture", "argument", None, (vertex,), (own,), None, at))


def _leave(history: History, symbols: Sequence[Any], outputs: Sequence[Vertex], inside: Any, at: int) -> None:
    """The outputs of a body are the results."""
    for symbol, vertex in zip(symbols, outputs, strict=False):
        if isinstance(symbol, Symbol) and vertex is not None:
            history.add(Event("capture", "result", None, ((inside, symbol._ghost),), (vertex,), None, at))


def _call(history: History, event: Event) -> None:
    body, inside = event.op.body, ("call", event.at, id(event.op), event.outputs[:1])
    history.add(event._replace(kind="whole"))
    _join(history, event.inputs, body.inputs, inside, event.at)
    _write(history, body.operations, inside, event)
    _leave(history, body.outputs, event.outputs, inside, event.at)


def _loop(history: History, node: Operation, event: Event) -> None:
    step, cond, n = node.params["step"], node.params["cond"], node.params["n_carry"]
    inside = ("loop", event.outputs[:1])
    history.add(event._replace(kind="whole"))
    _join(history, event.inputs, step.inputs, inside, event.at)
    _write(history, step.operations, inside, event)
    carried = [(inside, s._ghost) for s in step.inputs[:n]]
    _leave(history, step.outputs[:n], carried, inside, event.at)  # into the next step
    _leave(history, step.outputs[:n], event.outputs[:n], inside, event.at)
    _stays(history, event, n)
    _leave(history, step.outputs[n:], event.outputs[n + 1 :], inside, event.at)
    if cond is not None:
        test = ("test", event.outputs[:1])
        for vertex, symbol in zip(
            [*carried, *event.inputs[len(step.inputs) - len(cond.inputs) + n :]], cond.inputs, strict=False
        ):
            _join(history, [vertex], [symbol], test, event.at)
        _write(history, cond.operations, test, event)
        decided = tuple((test, s._ghost) for s in cond.outputs if isinstance(s, Symbol))
        history.add(event._replace(kind="condition", op=None, inputs=decided))


def _stays(history: History, event: Event, n: int) -> None:
    """A loop of no steps gives what it was given."""
    for vertex, out in zip(event.inputs[:n], event.outputs[:n], strict=True):
        if vertex is not None:
            history.add(Event("capture", "result", None, (vertex,), (out,), None, event.at))


def _branches(history: History, node: Operation, event: Event) -> None:
    branches, n_spreads = node.params["branches"], len(node.params["spreads"])
    given = event.inputs[1 : len(event.inputs) - n_spreads]
    history.add(event._replace(kind="whole"))
    for k, branch in enumerate(branches):
        inside = ("branch", k, event.outputs[:1])
        _join(history, given, branch.inputs, inside, event.at)
        _write(history, branch.operations, inside, event)
        _leave(history, branch.outputs, event.outputs, inside, event.at)
    history.add(event._replace(kind="condition", op=None, inputs=event.inputs[:1]))
