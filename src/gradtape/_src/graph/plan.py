"""A plan: the straight line of kernel calls that computes some tensors of a graph.

Made once for each set of fetches and feeds. Values live in numbered slots; a slot is emptied as soon as nobody reads
it any more. This is the boundary to other engines: a graph goes in, a function of arrays comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property, partial
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.nan import any_has_nan
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.graph import verify
from gradtape._src.graph.compiled import compiled, explain
from gradtape._src.graph.ir import Operation, Symbol, not_fed, placeholder
from gradtape._src.graph.passes import Simplified, has_effect, is_pure

_LARGE = 1 << 14  # elements: to take new memory for fewer costs nothing
_COMPILED_AFTER = 2  # calls: making the function costs as much as a few of them


class Plan:
    """Computes ``fetches`` from arrays for ``feeds``: ``plan(*arrays)`` gives a list of arrays.

    Args:
      fetches: symbols, raw constants, and operations that are executed for their effect (None in the result).
      feeds: symbols whose values are given; what leads to them is not executed.
      operations: those of the graph, in order.
      params_of: the parameters of an operation in this plan, where they are not its own.
      simplify: whether to fold constants and common sub-expressions.
    """

    def __init__(
        self,
        fetches: Sequence[Any],
        feeds: Sequence[Symbol],
        operations: Sequence[Operation],
        params_of: Callable[[Operation], dict[str, Any]] | None = None,
        simplify: bool = True,
    ) -> None:
        self.made_of = fetches, feeds, operations, params_of
        slots = {symbol._ghost: i for i, symbol in enumerate(feeds)}
        self.operations = needed(fetches, feeds, operations)
        resolved: Callable[[Any], Any] = lambda arg: arg
        if simplify:
            simple = Simplified(self.operations, slots.keys())
            self.operations, resolved = simple.operations, simple.resolved
        constants: list[Any] = []
        places: list[tuple[Operation, list[int], Any]] = []

        def place(arg: Any) -> int:
            arg = resolved(arg)
            if isinstance(arg, Symbol):
                return slots[arg._ghost]
            constants.append(arg)
            return -len(constants)

        for node in self.operations:
            ins = [place(arg) for arg in node.args]
            for symbol in node.outputs:
                slots[symbol._ghost] = len(slots) if symbol._ghost not in slots else slots[symbol._ghost]
            places.append((node, ins, [slots[symbol._ghost] for symbol in node.outputs]))
        self.fetched = [None if isinstance(f, Operation) else place(f) for f in fetches]
        self.start = [*([None] * len(slots)), *reversed(constants)]  # so that constant -k is at the index -k
        self.n_feeds = len(feeds)
        self._places, self._params_of = places, params_of
        # Absorbing arithmetic looks for a NaN at every step. A plan without effects looks at its results instead, and
        # is executed again with care if there is one.
        self.hasty = any(node.op.unguarded for node in self.operations) and not any(
            map(has_effect, self.operations)
        )
        self._prepare()

    def _prepare(self) -> None:
        self.operations, self.steps = self._with_liveness()
        self._calls = 0
        self._compiled: Callable[..., list[Any]] | None = None

    def _with_liveness(self) -> tuple[list[Operation], list[Any]]:
        """The steps, each with the slots that are read there for the last time; without those that nobody needs.

        (What a pass has put another value in place of may have been the only reader of others.)
        """
        seen = {slot for slot in self.fetched if slot is not None}
        params_of = self._params_of
        owned = self._owned()
        steps, operations = [], []
        for node, ins, outs in reversed(self._places):
            if outs and seen.isdisjoint(outs) and is_pure(node):
                continue
            operations.append(node)
            params = node.params if params_of is None else params_of(node)
            if node.op.lazy:
                params = {**params, "used": [slot in seen for slot in outs]}
            last = {slot for slot in (*ins, *outs) if slot >= 0} - seen
            seen |= last
            kernel = self._kernel(node)
            ins = [*ins, *self._reused(node, ins, outs, last & owned)]
            out = outs if node.op.multi else outs[0] if outs else None
            short = (
                len(ins) if not params and len(ins) in (1, 2) else 0
            )  # what most steps are, written out below
            steps.append(
                (kernel, short, ins[0] if ins else 0, ins[-1] if ins else 0, ins, params, out, tuple(last))
            )
        return operations[::-1], steps[::-1]

    def _owned(self) -> set[int]:
        """The slots of large arrays that a universal function makes and only such functions read: nobody else can have
        hold of their memory."""
        read_otherwise = {slot for node, ins, _ in self._places if not self._is_ufunc(node) for slot in ins}
        return {
            outs[0]
            for node, _, outs in self._places
            if self._is_ufunc(node) and outs[0] not in read_otherwise and _is_large(node.outputs[0])
        }

    def _reused(self, node: Operation, ins: list[int], outs: Any, dying: set[int]) -> list[int]:
        """The slot, if any, of an array that is read here for the last time and can take the result."""
        if not dying or not self._is_ufunc(node):
            return []
        result = node.outputs[0]._ghost
        for slot, arg in zip(ins, node.args, strict=True):
            if slot in dying and slot not in outs and isinstance(arg, Symbol):
                if arg._ghost.shape == result.shape and arg._ghost.dtype == result.dtype:
                    return [slot]
        return []

    def _is_ufunc(self, node: Operation) -> bool:
        return type(self._op(node).kernel) is np.ufunc and len(node.outputs) == 1 and not node.params

    def _op(self, node: Operation) -> Op:
        return node.op.unguarded or node.op if self.hasty else node.op

    def _kernel(self, node: Operation) -> Callable[..., Any]:
        if node.op is placeholder:
            return partial(not_fed, name=node.name)
        op = node.op.unguarded or node.op if self.hasty else node.op
        kernel = verify.checked(node, op.kernel) if verify.during_execution else op.kernel
        return kernel if notes.numerics is None else notes.numerics.kernel(node, kernel)

    def __call__(self, *arrays: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return (
                self.inside(*arrays) if notes.graph_checks is None else notes.graph_checks.run(self, arrays)
            )

    def inside(self, *arrays: Any) -> list[Any]:
        """As a call, where a plan that is being executed asks for it: NumPy is silent already."""
        found = self._run(arrays)
        return self.careful._run(arrays) if self.hasty and any_has_nan(found) else found

    @cached_property
    def careful(self) -> Plan:
        """The plan with the kernels that its operations have."""
        plan = copy(self)
        plan.hasty = False
        plan._prepare()
        return plan

    def _run(self, arrays: tuple[Any, ...]) -> list[Any]:
        if self._compiled is not None:
            return self._compiled(*arrays)
        self._calls += 1
        if self._calls > _COMPILED_AFTER:
            self._compiled = compiled(self)
        return self._interpreted(arrays)

    def _interpreted(self, arrays: tuple[Any, ...]) -> list[Any]:
        values = self.start.copy()
        values[: self.n_feeds] = arrays
        i = -1
        try:
            for kernel, short, first, last, ins, params, out, dead in self.steps:
                i += 1
                if short == 2:
                    result = kernel(values[first], values[last])
                elif short == 1:
                    result = kernel(values[first])
                else:
                    result = kernel(*[values[k] for k in ins], **params)
                if type(out) is int:
                    values[out] = result
                elif out is not None:
                    for slot, part in zip(out, result):
                        values[slot] = part
                for slot in dead:
                    values[slot] = None
        except Exception as error:
            if i >= 0:
                explain(error, self.operations[i])
            raise
        return [None if slot is None else values[slot] for slot in self.fetched]


def _is_large(symbol: Symbol) -> bool:
    shape = symbol._ghost.shape
    return is_known(shape) and prod(shape) >= _LARGE


def needed(
    fetches: Sequence[Any], feeds: Sequence[Symbol], operations: Sequence[Operation]
) -> list[Operation]:
    """The operations that have to be executed, in the order of the graph."""
    fed = {symbol._ghost for symbol in feeds}
    wanted: set[Operation] = set()
    stack = [f.op for f in fetches if isinstance(f, Symbol) and f._ghost not in fed]
    stack += [f for f in fetches if isinstance(f, Operation)]
    while stack:
        node = stack.pop()
        if node in wanted:
            continue
        wanted.add(node)
        stack += [arg.op for arg in node.args if isinstance(arg, Symbol) and arg._ghost not in fed]
        # A placeholder that is fed has been waited for.
        stack += [
            op for op in node.control_inputs if op.op is not placeholder or op.outputs[0]._ghost not in fed
        ]
    return [node for node in operations if node in wanted]
