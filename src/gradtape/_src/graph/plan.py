"""A plan: the straight line of kernel calls that computes some tensors of a graph.

Made once for each set of fetches and feeds. Values live in numbered slots; a slot is emptied as soon as nobody reads
it any more. This is the boundary to other engines: a graph goes in, a function of arrays comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gradtape._src.core.errors import OpError
from gradtape._src.graph import verify
from gradtape._src.graph.compiled import compiled, step_of
from gradtape._src.graph.ir import Operation, Symbol, not_fed, placeholder
from gradtape._src.graph.passes import Simplified, is_pure

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
        self.steps = self._with_liveness(places, params_of)
        self._calls = 0
        self._compiled: Callable[..., list[Any]] | None = None

    def _with_liveness(
        self, places: list[Any], params_of: Callable[[Operation], dict[str, Any]] | None
    ) -> list[Any]:
        """The steps, each with the slots that are read there for the last time; without those that nobody needs.

        (What a pass has put another value in place of may have been the only reader of others.)
        """
        seen = {slot for slot in self.fetched if slot is not None}
        steps, operations = [], []
        for node, ins, outs in reversed(places):
            if outs and seen.isdisjoint(outs) and is_pure(node):
                continue
            operations.append(node)
            params = node.params if params_of is None else params_of(node)
            if node.op.lazy:
                params = {**params, "used": [slot in seen for slot in outs]}
            last = {slot for slot in (*ins, *outs) if slot >= 0} - seen
            seen |= last
            kernel = partial(not_fed, name=node.name) if node.op is placeholder else node.op.kernel
            out = outs if node.op.multi else outs[0] if outs else None
            short = (
                len(ins) if not params and len(ins) in (1, 2) else 0
            )  # what most steps are, written out below
            steps.append(
                (kernel, short, ins[0] if ins else 0, ins[-1] if ins else 0, ins, params, out, tuple(last))
            )
        self.operations = operations[::-1]
        return steps[::-1]

    def __call__(self, *arrays: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return self.inside(*arrays)

    def inside(self, *arrays: Any) -> list[Any]:
        """As a call, where a plan that is being executed asks for it: NumPy is silent already."""
        if self._compiled is None or verify.during_execution:
            self._calls += 1
            if self._calls > _COMPILED_AFTER and not verify.during_execution:
                self._compiled = compiled(self.steps, self.start, self.n_feeds, self.fetched)
            return self._interpreted(arrays)
        try:
            return self._compiled(*arrays)
        except Exception as error:
            i = step_of(error.__traceback__)
            if i >= 0:
                _explain(error, self.operations[i])
            raise

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
                if verify.during_execution:
                    node = self.operations[i]
                    verify.check_values(node, node.outputs, result if node.op.multi else (result,))
                if type(out) is int:
                    values[out] = result
                elif out is not None:
                    for slot, part in zip(out, result):
                        values[slot] = part
                for slot in dead:
                    values[slot] = None
        except Exception as error:
            if i >= 0:
                _explain(error, self.operations[i])
            raise
        return [None if slot is None else values[slot] for slot in self.fetched]


def _explain(error: Exception, node: Operation) -> None:
    """Says which operation failed, and where in the user's code it was made."""
    if isinstance(error, OpError) and error._op is None:
        error._op = node
    if node.location is not None:
        file, line = node.location
        error.add_note(f"Executing node {node.name!r} ({node.type}), made at {file}:{line}")


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
        stack += node.control_inputs
    return [node for node in operations if node in wanted]
