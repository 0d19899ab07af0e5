"""A part of a graph as a function: its inputs, its outputs, and the operations between them.

Bodies of loops, branches and traced functions are subgraphs. A subgraph can be *linearized*: the sweep writes its
gradient into the same graph, behind it, and a cut separates the two:

    forward:   inputs -> outputs, residuals       (the subgraph, and what its gradient reads of it)
    backward:  residuals, cotangents of the outputs -> cotangents of the inputs

Both are subgraphs again, so this goes on to any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from gradtape._src.autodiff.forward import Path
from gradtape._src.autodiff.graph_gradients import recorded as recorded
from gradtape._src.autodiff.sweep import add, sweep
from gradtape._src.control.looping import Looping
from gradtape._src.core.values import Ghost
from gradtape._src.graph.ir import Graph, Operation, Symbol, placeholder
from gradtape._src.graph.passes import has_effect
from gradtape._src.graph.plan import Plan, needed
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import has_cotangent, zero_like
from gradtape._src.ops.variables import Variable


class Subgraph:
    """``subgraph(*arrays)`` computes the outputs from values of the inputs.

    Args:
      graph: the graph that both belong to.
      inputs: symbols that are given.
      outputs: symbols, or raw constants.
      effects: operations that are executed whether or not an output needs them.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: Sequence[Symbol],
        outputs: Sequence[Any],
        effects: Sequence[Operation] = (),
    ) -> None:
        self.graph = graph
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.effects = tuple(effects)
        self._linear: dict[Any, Linearized] = {}
        self._pushed: dict[Any, Pushed] = {}
        self._parts: dict[Any, Subgraph] = {}
        self._loops: dict[Any, Looping] = {}

    @cached_property
    def operations(self) -> list[Operation]:
        fetches = [*(out for out in self.outputs if isinstance(out, Symbol)), *self.effects]
        return needed(fetches, self.inputs, self.graph.operations)

    @cached_property
    def plan(self) -> Plan:
        return Plan([*self.outputs, *self.effects], self.inputs, self.operations)

    def __call__(self, *arrays: Any) -> list[Any]:
        return self.plan(*arrays)[: len(self.outputs)]

    def inside(self, *arrays: Any) -> list[Any]:
        """As a call, from the kernel of an operation of a plan that is being executed."""
        return self.plan.inside(*arrays)[: len(self.outputs)]

    def looping(self, n_carry: int, n_seqs: int, cond: Subgraph | None, counted: bool) -> Looping:
        """The loop whose step this is, as a function."""
        key = (n_carry, n_seqs, cond, counted)
        if key not in self._loops:
            self._loops[key] = Looping(self, n_carry, n_seqs, cond, counted)
        return self._loops[key]

    def only(self, positions: Sequence[int]) -> Subgraph:
        """The same function with these outputs only."""
        return self._part(tuple(self.outputs[i] for i in positions))

    def also(self, symbols: Sequence[Symbol]) -> Subgraph:
        """The same function with further outputs."""
        return self._part((*self.outputs, *symbols))

    def _part(self, outputs: tuple[Any, ...]) -> Subgraph:
        key = tuple(map(id, outputs))
        if key == tuple(map(id, self.outputs)):
            return self
        if key not in self._parts:
            self._parts[key] = Subgraph(self.graph, self.inputs, outputs, self.effects)
        return self._parts[key]

    def linearized(self, wanted: Sequence[bool], given: Sequence[bool], filled: int = 0) -> Linearized:
        """Its gradient: cotangents of the inputs ``wanted`` from those of the outputs ``given``.

        The first ``filled`` inputs get zeros where no cotangent arrives.
        """
        key = (tuple(wanted), tuple(given), filled)
        if key not in self._linear:
            self._linear[key] = Linearized(self, *key)
        return self._linear[key]

    def pushed(self, moving: Sequence[bool], filled: int = 0) -> Pushed:
        """Its tangents: those of the outputs from those of the inputs that are ``moving``.

        The first ``filled`` outputs get zeros where no tangent arrives.
        """
        key = (tuple(moving), filled)
        if key not in self._pushed:
            self._pushed[key] = Pushed(self, *key)
        return self._pushed[key]


class Pushed:
    """A subgraph cut from its tangents.

    Attributes:
      residuals: what the tangents read of the subgraph's values.
      tangent_inputs: symbols for the tangents of the inputs that are moving.
      tangents: for each output the symbol of its tangent, or None where none arrives.
    """

    def __init__(self, subgraph: Subgraph, moving: Sequence[bool], filled: int) -> None:
        graph = subgraph.graph
        sources = [symbol._ghost for symbol, moves in zip(subgraph.inputs, moving, strict=True) if moves]
        targets = [out._ghost if isinstance(out, Symbol) else None for out in subgraph.outputs]
        operations = subgraph.operations
        before = len(graph.operations)
        with graph.as_default():
            ts = [hole(graph, ghost) for ghost in sources]
            path = Path(recorded(operations, sources), sources, [t for t in targets if t is not None])
            found = dict(zip(path.targets, path.pushed(dict(zip(sources, ts, strict=True))), strict=True))
            tangents = [None if target is None else found[target] for target in targets]
            self.tangents = [
                zero_like(out) if t is None and i < filled and has_cotangent(out) else t
                for i, (t, out) in enumerate(zip(tangents, subgraph.outputs, strict=True))
            ]
        self.tangent_inputs = tuple(ts)
        fetches = [t for t in self.tangents if isinstance(t, Symbol)]
        self.residuals = read_before(graph, before, fetches, ts)


class Linearized:
    """A subgraph cut from its gradient.

    Attributes:
      residuals: what the gradient reads of the subgraph's values, of what its graph captures, and the variables that
        it reads itself.
      cotangent_inputs: symbols for the cotangents of the outputs ``given``.
      cotangents: for each input ``wanted`` the symbol of its cotangent, or None where none arrives.
      arrives: whether one does, and it is not filled with zeros.
    """

    def __init__(
        self, subgraph: Subgraph, wanted: Sequence[bool], given: Sequence[bool], filled: int
    ) -> None:
        graph = subgraph.graph
        inputs = [(i, symbol) for i, symbol in enumerate(subgraph.inputs) if wanted[i]]
        sources = [symbol._ghost for _, symbol in inputs]
        targets = [
            out._ghost
            if isinstance(out, Symbol)
            else Ghost(out.shape, out.dtype)  # nothing flows to a constant
            for out, has in zip(subgraph.outputs, given, strict=True)
            if has
        ]
        operations = subgraph.operations
        before = len(graph.operations)
        with graph.as_default():
            gs = [hole(graph, ghost) for ghost in targets]
            seeds: dict[Ghost, Any] = {}
            for ghost, g in zip(targets, gs, strict=True):
                seeds[ghost] = add(seeds[ghost], g) if ghost in seeds else g
            found = sweep(recorded(operations, sources), seeds, sources)
            cts = [None if ct is None else dense(ct) for ct in found]
            self.arrives = [ct is not None for ct in cts]
            self.cotangents = [
                zero_like(symbol) if ct is None and i < filled else ct
                for (i, symbol), ct in zip(inputs, cts, strict=True)
            ]
        self.cotangent_inputs = tuple(gs)
        fetches = [ct for ct in self.cotangents if isinstance(ct, Symbol)]
        self.residuals = read_before(graph, before, fetches, gs)


def read_before(
    graph: Graph, before: int, fetches: Sequence[Symbol], given: Sequence[Symbol]
) -> tuple[Any, ...]:
    """What the operations that lead to ``fetches`` and were made after the first ``before`` read of those.

    What the graph took from outside meanwhile counts as made before; variables are among what is read.
    """
    new = {op for op in graph.operations[before:] if op.op is not placeholder}
    known = {symbol._ghost for symbol in given}
    made = [op for op in needed(fetches, given, graph.operations) if op in new]
    read = [s for op in made for s in op.inputs if s.op not in new]
    read += [s for s in fetches if s.op not in new]
    read += [x for op in made for x in op.args if isinstance(x, Variable)]
    return tuple({x._ghost: x for x in read if x._ghost not in known}.values())


def effects_of(operations: Sequence[Operation], given: Sequence[Any] | None = None) -> list[Operation]:
    """The operations that are executed for what they do, whether or not anybody reads their outputs.

    Args:
      given: the symbols that the operations start from. What reads other holes is part of a step that a Jacobian has
        written among them, and is executed with that step.
    """
    effects = [node for node in operations if has_effect(node)]
    if not effects or given is None:
        return effects
    own = {symbol.op for symbol in given if isinstance(symbol, Symbol)}
    of_steps: set[Operation] = set()
    for node in operations:
        if node not in own and (node.op is placeholder or any(s.op in of_steps for s in node.inputs)):
            of_steps.add(node)
    return [node for node in effects if node not in of_steps]


def hole(graph: Graph, ghost: Ghost) -> Symbol:
    """A symbol of the shape and dtype of a ghost, whose value is given."""
    return graph.append(placeholder, (), {"shape": ghost.shape, "dtype": ghost.dtype}, "hole").outputs[0]


def captured(graph: Graph, read: Sequence[Any]) -> dict[Ghost, Any]:
    """For what a graph has from outside: its value there. A variable that is read is the same everywhere."""
    outside = {inner._ghost: outer for outer, inner in graph._captured_tensors()}
    return outside | {x._ghost: x for x in read if isinstance(x, Variable)}
