"""Optimizers whose step on a variable is a function of NumPy arrays; see `optimizer_step.py`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.optimizer import Optimizer
from gradtape._src.keras.optimizer_step import Slices, apply_step


class RuleOptimizer(Optimizer):
    """An optimizer that defines ``_rule(value, slots, gradient, rate, count, slices)``."""

    _slot_names: tuple[tuple[str, ...], ...] = ()  # in groups: those of a group are made variable by variable
    _hyperparameters: tuple[str, ...] = ()
    _rows_only = False  # whether a row whose gradient is 0 stays as it is, slots and all

    def __init__(self, learning_rate: Any, **kwargs: Any) -> None:
        super().__init__(learning_rate, **kwargs)
        self._slots: list[tuple[Any, ...]] = []  # of each variable

    def build(self, variables: Sequence[Any]) -> None:
        new = self._unknown(variables)
        super().build(new)
        self._slots += self._make_slots(new)

    def _make_slots(self, variables: list[Any]) -> list[tuple[Any, ...]]:
        """The slots of each variable."""
        made: list[list[Any]] = []
        for names in self._slot_names:
            made += self.add_optimizer_variables(variables, names, [self._initial(name) for name in names])
        return list(zip(*made)) if made else [()] * len(variables)

    def _initial(self, slot: str) -> Any:
        """The initializer of a slot."""
        return "zeros"

    def _rule(
        self, value: Any, slots: Any, gradient: Any, rate: Any, count: int, slices: Slices | None
    ) -> Any:
        raise NotImplementedError

    def _update_all(self, grads: list[Any], variables: list[Any]) -> list[Any]:
        rate = self._rate()
        with np.errstate(all="ignore"):  # infinities and NaNs are no news here
            return [self.update_step(g, v, rate) for g, v in zip(grads, variables)]

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Changes one variable by its gradient; gives the operation of a graph."""
        if current_graph() is None:
            rate, count = learning_rate, int(self._iterations._data)
            rate = float(getattr(rate, "_data", rate))
            if self.gradient_accumulation_steps:
                count //= self.gradient_accumulation_steps
        else:
            rate, count = as_tensor(learning_rate), as_tensor(self.iterations)
        slots = self._slots[self._places[id(variable)]]
        kind = f"ResourceApply{type(self).__name__}"
        return apply_step(kind, self._rule, variable, slots, gradient, rate, count, self._rows_only)

    def get_config(self):
        return {**super().get_config(), **{name: getattr(self, name) for name in self._hyperparameters}}


@lru_cache(maxsize=64)
def missing(beta: float, t: int, dtype: np.dtype) -> float:
    """``1 - beta**t``, what a running mean that began with 0 lacks, rounded as Keras does."""
    number = dtype.type if dtype.itemsize >= 4 else np.float32
    return float(number(1) - np.power(number(beta), number(t)))


def move(mean: np.ndarray, target: Any, part: float) -> None:
    """``mean += (target - mean) * part``, in place. ``target`` may be written into."""
    np.subtract(target, mean, out=target)
    np.multiply(target, part, out=target)
    np.add(mean, target, out=mean)
