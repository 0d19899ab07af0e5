"""The steps of a loop as one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gradtape._src.core.nan import any_has_nan
from gradtape._src.graph.compiled import compiled_loop
from gradtape._src.graph.plan import Plan

if TYPE_CHECKING:
    from gradtape._src.control.subgraph import Subgraph

Found = tuple[list[Any], int, list[list[Any]]]


class Looping:
    """``looping(n, carry, sequences, constants)`` gives the carry, the number of steps and the outgoing columns.

    As a plan, it is executed in haste first if it may be executed twice: NaNs are looked for at the end, and not at
    every step (``Plan.hasty``).
    """

    def __init__(
        self, step: Subgraph, n_carry: int, n_seqs: int, cond: Subgraph | None, counted: bool
    ) -> None:
        self._step = step
        self._cond = cond
        self._sizes = len(step.outputs), n_carry, n_seqs, counted
        self._hasty = step.plan.hasty and not (cond is not None and cond.effects)

    def _code(self, plan: Plan) -> Callable[..., Found]:
        return compiled_loop(plan, None if self._cond is None else self._cond.plan, *self._sizes)

    @cached_property
    def _first(self) -> Callable[..., Found]:
        plan = self._step.plan
        return self._code(plan if self._hasty or not plan.hasty else plan.careful)

    @cached_property
    def _careful(self) -> Callable[..., Found]:
        return self._code(self._step.plan.careful)

    def __call__(
        self, n: int | None, carry: Sequence[Any], seqs: Sequence[Any], consts: Sequence[Any]
    ) -> Found:
        found = self._first(n, carry, seqs, consts)
        if self._hasty and (any_has_nan(found[0]) or any_has_nan(found[2])):
            return self._careful(n, carry, seqs, consts)
        return found
