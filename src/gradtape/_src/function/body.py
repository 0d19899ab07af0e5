"""The body of a traced function as an operation that can be differentiated to any order.

A ``Body`` is a ``Subgraph`` whose inputs are tensors and the variables that it reads (as inputs they have no value,
only their ghosts: where a cotangent belongs). Its ``Call`` is the operation that computes it:

    forward:   inputs -> outputs, residuals
    backward:  residuals, cotangents of the outputs -> cotangents of the inputs

Where a tape records a call, the body is *extended* first: the residuals, what its gradient reads of its values, are
further outputs. The gradient is then a call of another body, and so on, without computing anything twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import with_leading
from gradtape._src.autodiff.sweep import add, sweep
from gradtape._src.control.batched_step import executed_batched
from gradtape._src.control.subgraph import Subgraph, effects_of, hole, recorded
from gradtape._src.core.context import current, under
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.op import Op, apply
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, shape_of
from gradtape._src.function.body_shapes import output_shapes
from gradtape._src.graph.ir import Operation, Symbol
from gradtape._src.graph.plan import needed
from gradtape._src.ops.arrays import identity, stack, zeros_like
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.sequences import Sequence as Elements
from gradtape._src.ops.sequences import has_cotangent, is_sequence
from gradtape._src.ops.variables import Variable

_MOST_ORDERS = 8  # residuals of residuals of ... : after two or three rounds there is nothing new


class Body(Subgraph):
    """See the module's text.

    Args:
      name: of the function.
      base: the body that this one extends, if it does.
      is_gradient: whether its outputs are cotangents.
      graph, inputs, outputs, effects: as ``Subgraph``; the inputs may end with variables.
    """

    def __init__(
        self,
        name: str,
        graph: Any,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        effects: Sequence[Operation] = (),
        base: Body | None = None,
        is_gradient: bool = False,
    ) -> None:
        super().__init__(graph, inputs, outputs, effects)
        self.name = name
        self.base = base
        self.is_gradient = is_gradient

    @cached_property
    def call(self) -> Call:
        return Call(self)

    @cached_property
    def moving(self) -> list[int]:
        """The positions of the outputs that have cotangents."""
        ghosts = [out._ghost if isinstance(out, Symbol) else None for out in self.outputs]
        return [
            i
            for i, ghost in enumerate(ghosts)
            if ghost is not None and (is_differentiable_np(ghost.dtype) or ghost in self.sequences)
        ]

    @cached_property
    def sequences(self) -> set[Ghost]:
        """The outputs that are sequences of loops with cotangents: cotangents of such, and residuals that get some."""
        found: set[Ghost] = set()
        if self.is_gradient:
            found = {
                out._ghost for out in self.outputs if isinstance(out, Symbol) and is_sequence(out._ghost)
            }
        inner = self.base
        while inner is not None:
            found |= inner.sequences
            residuals = inner.gradient.residuals
            if any(is_sequence(s._ghost) for s in residuals):
                arriving = inner.gradient.backward.gradient.cotangents
                found.update(s._ghost for s, place in zip(residuals, arriving) if place is not None)
            inner = inner.base
        return found

    @cached_property
    def gradient(self) -> Gradient:
        self.__dict__.pop("call", None)  # it did not know what the gradient reads
        return Gradient(self)

    def only(self, positions: Sequence[int]) -> Body:
        """The same function with these outputs only."""
        key = tuple(positions)
        if len(key) == len(self.outputs):
            return self
        if key not in self._parts:
            outputs = [self.outputs[i] for i in key]
            self._parts[key] = Body(
                self.name, self.graph, self.inputs, outputs, self.effects, is_gradient=self.is_gradient
            )
        return self._parts[key]  # type: ignore[return-value]

    @cached_property
    def _more(self) -> Body:
        """With the residuals of the gradient as further outputs; the body itself if they are there already."""
        more = self.gradient.missing
        if not more:
            return self
        return self.with_more(more)

    def with_more(self, symbols: Sequence[Symbol]) -> Body:
        """The same function with further outputs."""
        outputs = (*self.outputs, *symbols)
        return Body(self.name, self.graph, self.inputs, outputs, self.effects, self, self.is_gradient)

    def extended(self, order: int) -> Body:
        """The body with the residuals for gradients up to this order."""
        body = self
        for _ in range(order):
            more = body._more
            if more is body:
                break
            body = more
        return body

    @cached_property
    def places(self) -> dict[Ghost, tuple[bool, int]]:
        """Where the value of a symbol is found: (whether among the inputs, the position)."""
        found: dict[Ghost, tuple[bool, int]] = {}
        found.update((s._ghost, (False, i)) for i, s in enumerate(self.outputs) if isinstance(s, Symbol))
        found.update((s._ghost, (True, i)) for i, s in enumerate(self.inputs))
        return found


class Gradient:
    """The gradient of a body.

    Attributes:
      given: positions of the outputs whose cotangents it takes.
      residuals: symbols of the body that it reads.
      missing: those that are neither inputs nor outputs of the body.
      backward: the body of the gradient: from the residuals, the cotangents, and what the user's gradient functions
        captured, to the cotangents of the inputs.
      captured: the values of what was captured, and the variables that are read.
      cotangents: for each input its place in the outputs of ``backward``: None where there is no path; a position;
        a pair of positions (values, indices) of an ``IndexedSlices``.
    """

    def __init__(self, body: Body) -> None:
        graph: Any = body.graph  # of a function, which captures
        self.given = body.moving
        targets = [body.outputs[i]._ghost for i in self.given]
        sources = [x._ghost for x in body.inputs]
        followed = [ghost for ghost in sources if has_cotangent(ghost)]
        operations = body.operations
        before = len(graph.operations)
        with under(graph, ()):
            gs = [hole(graph, ghost) for ghost in targets]
            seeds: dict[Ghost, Any] = {}
            for ghost, g in zip(targets, gs, strict=True):
                seeds[ghost] = add(seeds[ghost], g) if ghost in seeds else g
            found = iter(sweep(recorded(operations, followed), seeds, followed))
            cts = [next(found) if has_cotangent(ghost) else None for ghost in sources]
            outputs = self._flattened(graph, cts)
        new_operations = graph.operations[before:]
        new = set(new_operations)
        effects = effects_of(new_operations)
        fetches = [out for out in outputs if isinstance(out, Symbol)]
        backward = [op for op in needed([*fetches, *effects], gs, graph.operations) if op in new]
        read = [s for op in backward for s in op.inputs] + fetches
        # What a user's gradient function takes from outside is no value of the body, and goes in beside the residuals.
        own = {x._ghost for x in body.inputs}
        captured = {s._ghost: x for x, s in graph.captures.values() if s._ghost not in own}
        late = {s._ghost: s for s in read if s._ghost in captured}
        residuals = list({s._ghost: s for s in read if s.op not in new and s._ghost not in late}.values())
        self.residuals = residuals
        self.missing = [s for s in residuals if s._ghost not in body.places]
        variables = list({id(v): v for op in backward for v in op.args if isinstance(v, Variable)}.values())
        self.captured = [*(captured[ghost] for ghost in late), *variables]
        inputs = [*residuals, *gs, *late.values(), *variables]
        self.backward = Body(f"{body.name}_gradient", graph, inputs, outputs, effects, is_gradient=True)

    def _flattened(self, graph: Any, cts: Sequence[Any]) -> list[Any]:
        """The cotangents as outputs of a body; notes which are whose."""
        outputs: list[Any] = []
        self.cotangents: list[Any] = []
        for ct in cts:
            if ct is None:
                self.cotangents.append(None)
                continue
            parts = (ct.values, ct.indices) if isinstance(ct, IndexedSlices) else (ct,)
            places = tuple(range(len(outputs), len(outputs) + len(parts)))
            outputs += [
                graph.input(identity.of(part) if type(part) is EagerTensor else part) for part in parts
            ]
            self.cotangents.append(places if len(places) == 2 else places[0])
        return outputs

    def __call__(
        self, wanted: Sequence[bool], g: Sequence[Any], values: Sequence[Any], xs: Sequence[Any]
    ) -> list[Any]:
        """The cotangents of the inputs ``xs``, from those of the outputs and the values of the residuals."""
        places = [p if want else None for p, want in zip(self.cotangents, wanted, strict=True)]
        flat = [i for p in places if p is not None for i in (p if isinstance(p, tuple) else (p,))]
        if not flat:
            return [None] * len(places)
        raw = not any(isinstance(part, Tensor) for part in (*g, *values) if part is not None)
        captured = [x._data if raw and type(x) is EagerTensor else x for x in self.captured]
        out = called(self.backward.only(flat), (*values, *[g[i] for i in self.given], *captured))
        found = iter(out)
        cts: list[Any] = []
        for place, x in zip(places, xs, strict=True):
            if isinstance(place, tuple):
                slices = IndexedSlices(next(found), next(found))
                slices._like = x._ghost if isinstance(x, Variable) else x
                cts.append(slices)
            else:
                cts.append(None if place is None else next(found))
        return cts


class Call(Op):
    """The operation that computes a body. Arguments: its inputs; outputs: those of the body."""

    __slots__ = ("body", "levels")

    def __init__(self, body: Body) -> None:
        super().__init__(
            "StatefulPartitionedCall" if body.effects else "PartitionedCall",
            self._kernel,
            stateful=bool(body.effects),
            vjp_all=lambda wanted, g, y, *xs: self._vjp(wanted, g, y, xs),
            reads="y",
            multi=True,
            lazy=True,
            holomorphic=False,
            takes_none=True,
            batch=self._batch,
            shape=lambda *args: output_shapes(body, args),
            dtype=lambda *args: [
                out._ghost.dtype if isinstance(out, Symbol) else out.dtype for out in body.outputs
            ],
        )
        self.body = body
        # What a tape keeps: the outputs, and the inputs that are residuals of the gradients of the bodies below.
        read: set[Ghost] = set()
        inner = body.base
        while inner is not None:
            read.update(s._ghost for s in inner.gradient.residuals)
            inner = inner.base
        if "gradient" in body.__dict__:
            read.update(s._ghost for s in body.gradient.residuals)
        self.keeps = tuple(x._ghost in read for x in body.inputs)

    @property
    def n_results(self) -> int:
        """How many outputs can have a cotangent: not those that a gradient of others reads, unless it reads no more."""
        body = self.body
        return len(body.outputs if body.base is None or not body.gradient.missing else body.base.outputs)

    def check_dtypes(self, args: Sequence[Any]) -> None:
        """The body was made for these dtypes."""

    def _kernel(self, *args: Any, used: Sequence[bool] | None = None) -> tuple[Any, ...]:
        body = self.body
        if used is None or all(used):
            return tuple(body(*args))
        chosen = [i for i, use in enumerate(used) if use]
        out: list[Any] = [None] * len(used)
        for i, part in zip(chosen, body.only(chosen)(*args), strict=True):
            out[i] = part
        return tuple(out)

    def _batch(
        self, n: int, args: Sequence[Any], has_axis: Sequence[bool], used: Sequence[bool] | None = None
    ) -> Any:
        """n calls at once."""
        if any(isinstance(arg, Tensor) for arg in args):  # somebody watches
            rows = [
                called(self.body, [x[i] if has else x for x, has in zip(args, has_axis, strict=True)])
                for i in range(n)
            ]
            return tuple(map(stack, zip(*rows, strict=True)))
        if self.body.effects:
            return NotImplemented
        found, _ = executed_batched(self.body, n, args, has_axis)
        return tuple([x if has else with_leading(x, n) for x, has in found])

    def execute(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        raw = [arg._data if type(arg) is EagerTensor else arg for arg in args]
        return tuple([EagerTensor(as_raw(part)) for part in self.body(*raw)])

    def _vjp(
        self, wanted: Sequence[bool], g: Sequence[Any], y: Sequence[Any], xs: Sequence[Any]
    ) -> list[Any]:
        body = self.body
        while body.base is not None and all(ct is None for ct in g[len(body.base.outputs) :]):
            body = body.base
        gradient = body.gradient
        values = [_value(self.body, s, y, xs) for s in gradient.residuals]
        cts = list(g[: len(body.outputs)])
        for i in gradient.given:
            if cts[i] is None:
                cts[i] = zero_sequence(y[i]) if is_sequence(body.outputs[i]) else zeros_like(y[i])
        return gradient(wanted, cts, values, xs)


def _zeros(x: Any) -> Any:
    if isinstance(x, Elements):
        return Elements(map(_zeros, x))
    return None if x is None else np.zeros_like(x)


zero_sequence = Op(
    "ZeroSequence",
    _zeros,
    vjp=lambda g, y, x: None,
    reads="",
    shape=lambda x: None,
    dtype=np.dtype(object),
)
"""The cotangent of a sequence that nobody used."""


def as_raw(part: Any) -> Any:
    """What a kernel gave, as an array: what NumPy takes out of an array of strings is none."""
    return np.array(part, object) if type(part) is bytes else part


def _value(body: Body, symbol: Symbol, y: Sequence[Any], xs: Sequence[Any]) -> Any:
    """The value that a symbol of the body had in a call with arguments ``xs`` and outputs ``y``."""
    place = body.places.get(symbol._ghost)
    if place is None:
        return _left_behind(y, symbol)
    is_input, i = place
    return xs[i] if is_input else y[i]


def _left_behind(y: Sequence[Any], symbol: Symbol) -> Symbol:
    """A call in a graph that no tape recorded gets the outputs that its gradient reads when that is made."""
    first = next(part for part in y if part is not None)
    node = (first if isinstance(first, Symbol) else first.stands_for).op
    body = node.op.body
    if symbol._ghost not in body.places:
        body = body._more
        if symbol._ghost not in body.places:
            body = body.with_more([symbol])
        node.op = body.call
        node.extend(node.params)
    is_input, i = body.places[symbol._ghost]
    return node.args[i] if is_input else node.outputs[i]


def called(body: Body, args: Sequence[Any]) -> tuple[Any, ...]:
    """The outputs of a body for arguments: raw ones, if there are no tensors among them and no graph is built."""
    interpreter, recorders = current()
    n = len(body.outputs)
    if interpreter is None and not any(isinstance(arg, Tensor) for arg in args):
        return tuple(body(*args))
    if recorders:
        body = body.extended(depth(args, recorders))
    return apply(body.call, tuple(args), {})[:n]


def depth(args: Sequence[Any], recorders: Sequence[Any]) -> int:
    """How often a gradient may be taken of a call with these arguments."""
    ghosts = {getattr(arg, "_ghost", None) for arg in args}
    return min(sum(recorder.depth(ghosts) for recorder in recorders), _MOST_ORDERS)
