"""Are gradients in graphs right? When a graph is executed, the numbers that went into them are compared.

What `tf.gradients`, and tapes while a graph is built, are asked for is written down. When a plan computes such a
gradient for the first time, it also gives what the program between source and targets takes from elsewhere; with these
numbers the program is executed again in float64. Nothing is executed twice that has an effect or is random.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gradtape._src.autodiff.graph_gradients import gradients, recorded
from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.core.context import under
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.values import EagerTensor, Ghost
from gradtape._src.explain import names
from gradtape._src.explain.check import checked
from gradtape._src.explain.explanation import GradientCheck
from gradtape._src.explain.replay import Replay, all_used, as_tensor
from gradtape._src.graph.ir import Graph, Symbol, SymbolGhost
from gradtape._src.graph.passes import has_effect
from gradtape._src.graph.plan import Plan, needed
from gradtape._src.graph.running import default_session
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable


class Asked(NamedTuple):
    """A gradient by one source, and the program between source and targets."""

    targets: Sequence[Symbol]
    weights: Sequence[Any]  # symbols, arrays, or None for ones
    source: Ghost
    value: Symbol  # of the source
    g: Any
    program: Recording
    name: str
    location: tuple[str, int] | None

    def parts(self) -> list[Symbol]:
        """The gradient's tensors."""
        found = (self.g.values, self.g.indices) if isinstance(self.g, IndexedSlices) else (self.g,)
        return [x for x in found if isinstance(x, Symbol)]

    def reads(self) -> list[Symbol]:
        """What the program takes that is not computed from the source, and what belongs to the comparison."""
        made = {
            s._ghost
            for node in self.program.nodes
            for s in (node.y if node.op.multi else (node.y,))
            if self._is_made(node)
        }
        taken = [x for node in self.program.nodes for x in node.xs if isinstance(x, Symbol)]
        others = [*self.targets, *(w for w in self.weights if isinstance(w, Symbol)), self.value]
        symbols = [x for x in (*taken, *others) if x._ghost not in made]
        return list({x._ghost: x for x in (*symbols, self.value, *self.parts())}.values())

    def _is_made(self, node: Node) -> bool:
        return not _reads(node) or node.keys[0] is self.source


def _reads(node: Node) -> bool:
    """Whether a node is the reading of a variable."""
    return node.op.name == "ReadVariableOp" or bool(node.xs) and isinstance(node.xs[0], Variable)


def asked_for(
    graph: Graph,
    ys: Sequence[Any],
    weights: Sequence[Any],
    xs: Sequence[Any],
    found: Sequence[Any],
    stops: Any = (),
    recording: Recording | None = None,
) -> Iterator[Asked]:
    """The gradients among these that can be compared: by tensors of the graph and by variables, and not None.

    recording: of the tape that was asked; otherwise the program is all of the graph between source and targets.
    """
    targets = [y for y in ys if isinstance(y, Symbol) and y.graph is graph and y._ghost.dtype.kind == "f"]
    if len(targets) != len(ys):
        return
    operations = needed(targets, [], graph.operations)
    for x, g in zip(xs, found, strict=True):
        source = getattr(x, "_ghost", None)
        if g is None or source is None:
            continue
        program = (
            recorded(operations, [source], stops) if recording is None else _in_symbols(recording, targets)
        )
        value = _value_of(x, program)
        name = names.called(x, getattr(x, "name", "the source"))
        if value is not None and value.graph is graph:
            asked = Asked(targets, weights, source, value, g, program, name, None)
            if asked.parts():
                yield asked._replace(location=asked.parts()[0].op.location)


def _value_of(x: Any, program: Recording) -> Symbol | None:
    """The symbol that has the value of a source: what is read first of a variable."""
    if isinstance(x, Symbol):
        return x
    symbol = getattr(x, "_symbol", None)
    if isinstance(symbol, Symbol):
        return symbol
    reads = (node.y for node in program.nodes if _reads(node) and node.keys[0] is x._ghost)
    return next((y for y in reads if isinstance(y, Symbol)), None)


def _in_symbols(recording: Recording, targets: Sequence[Symbol]) -> Recording:
    """What a tape has recorded in a graph and leads to the targets, with symbols in the place of their ghosts."""
    program = Recording()
    symbol = lambda x: x.stands_for if isinstance(x, SymbolGhost) else x
    for op, keys, params, out, xs, y in _leading_to(recording, {y._ghost for y in targets}):
        results = tuple(map(symbol, y)) if op.multi else symbol(y)
        program.nodes.append(Node(op, keys, params, out, tuple(map(symbol, xs)), results))
    return program


def _leading_to(recording: Recording, wanted: set[Any]) -> list[Any]:
    """The nodes that ghosts are made of: what a program computes besides is not executed with them."""
    found = []
    for node in reversed(recording.nodes):
        op, keys, _, out, *_ = node
        if not wanted.isdisjoint(out if op.multi else (out,)):
            wanted.update(keys)
            found.append(node)
    return found[::-1]


def compare(asked: Asked, values: dict[Ghost, Any]) -> GradientCheck:
    """The gradient against differences, with the values that its symbols had."""
    g = asked.g
    if isinstance(g, IndexedSlices):
        rows = np.zeros(values[asked.value._ghost].shape)
        np.add.at(rows, _number(g.indices, values), _number(g.values, values))
        g = rows
    else:
        g = _number(g, values)
    values = {**values, asked.source: values[asked.value._ghost]}
    made = {asked.source}

    def program() -> Replay:
        nodes = list(_with_numbers(asked.program.nodes, values, made, asked.source))
        return Replay(nodes, {})

    def total(replay: Replay, given: dict[Ghost, Any]) -> float:
        sums = 0.0
        for y, weight in zip(asked.targets, asked.weights, strict=True):
            value = replay(given, y._ghost) if y._ghost in made else values[y._ghost]
            sums += float(
                np.sum(value if weight is None else value * np.asarray(_number(weight, values), np.float64))
            )
        return sums

    with under(None, ()), np.errstate(all="ignore"):
        return checked(program, total, asked.source, values[asked.value._ghost], g, asked.name)


def _number(x: Any, values: dict[Ghost, Any]) -> Any:
    return values[x._ghost] if isinstance(x, Symbol) else getattr(x, "_data", x)


def _with_numbers(
    nodes: Sequence[Node], values: dict[Ghost, Any], made: set[Any], source: Ghost
) -> Iterator[Node]:
    """The nodes with what they take and give at the point where the gradient was taken."""
    numbers = dict(values)
    for node in nodes:
        op, keys, params, out, xs, y = node
        params = all_used(op, params, y)
        if _reads(node):
            if keys[0] is not source:
                continue  # its value is among those that are given
            op, params, given, results = identity, {}, [numbers[source]], numbers[source]
        else:
            raw = [numbers.get(x._ghost, x) if isinstance(x, Symbol) else x for x in xs]
            given = [x._data if isinstance(x, EagerTensor) else x for x in raw]
            results = op.run(given, params)
            results = tuple(results) if op.multi else results
        parts = zip(y, results, strict=True) if op.multi else [(y, results)]
        numbers.update((symbol._ghost, result) for symbol, result in parts)
        made.update(out if op.multi else (out,))
        boxed = tuple(map(as_tensor, results)) if op.multi else as_tensor(results)
        yield Node(op, keys, params, out, tuple(map(as_tensor, given)), boxed)


class GraphChecks:
    """What plans tell while gradients are checked.

    Args:
      tell: is given where a gradient was asked for, and what was found.
    """

    def __init__(self, tell: Callable[[Any, GradientCheck], None]) -> None:
        self._tell = tell
        self._asked: WeakKeyDictionary[Graph, list[Asked]] = WeakKeyDictionary()

    def asked(self, graph: Graph, *what: Any) -> None:
        """Is told that a gradient was asked for while a graph was built; see `asked_for`."""
        try:
            self._asked.setdefault(graph, []).extend(asked_for(graph, *what))
        except Exception as error:  # the script must run as it does without
            print(f"gradtape: a gradient cannot be checked: {error!r}", file=sys.stderr)

    def run(self, plan: Plan, arrays: tuple[Any, ...]) -> list[Any]:
        """Executes a plan, and compares what it computes for the first time."""
        fetches, feeds, operations, params_of = plan.made_of
        waiting = self._asked.get(operations[0].graph) if operations else None
        if not waiting:
            return plan.inside(*arrays)
        executed = set(needed(fetches, feeds, operations))
        due = [asked for asked in waiting if all(s.op in executed for s in asked.parts())]
        wanted = {s._ghost: s for asked in due for s in asked.reads()}
        more = [
            node for node in needed([*fetches, *wanted.values()], feeds, operations) if node not in executed
        ]
        if not due or any(map(has_effect, more)):
            return plan.inside(*arrays)
        self._asked[operations[0].graph] = [asked for asked in waiting if asked not in due]
        try:
            extended = Plan([*fetches, *wanted.values()], feeds, operations, params_of)
        except Exception as error:  # likewise
            print(f"gradtape: gradients could not be checked: {error!r}", file=sys.stderr)
            return plan.inside(*arrays)
        found = extended.inside(*arrays)
        values: dict[Ghost, Any] = dict(zip(wanted, found[len(fetches) :], strict=True))
        for asked in due:
            try:
                self._tell(asked.location, compare(asked, values))
            except Exception as error:  # likewise
                print(f"gradtape: a gradient could not be checked: {error!r}", file=sys.stderr)
        return found[: len(fetches)]


def check_graph(ys: Any, xs: Any, feed_dict: Any, grad_ys: Any, stop_gradients: Any, session: Any) -> Any:
    """See `tf.debugging.check_gradients`."""
    session = default_session.get() if session is None else session
    if session is None:
        raise ValueError(
            "No default session is registered. Give `session`, or write `with tf.Session():` around it."
        )
    flat, graph = flatten(xs), session.graph
    checks: list[GradientCheck] = []
    with graph.as_default():
        targets, weights = flatten(ys), [None] * len(flatten(ys)) if grad_ys is None else flatten(grad_ys)
        found = gradients(
            targets,
            flat,
            grad_ys,
            stop_gradients=stop_gradients,
            unconnected_gradients=UnconnectedGradients.ZERO,
        )
        stops = {x._ghost for x in flatten(stop_gradients or [])}
        for x, g in zip(flat, found, strict=True):
            for asked in asked_for(graph, targets, weights, [x], [g], stops):
                wanted = asked.reads()
                numbers = session.run(wanted, feed_dict)
                checks.append(compare(asked, dict(zip([s._ghost for s in wanted], numbers, strict=True))))
    return pack_sequence_as(xs, checks)
