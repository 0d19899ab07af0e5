"""One step of training as one operation: it replaces a variable and the slots that go with it.

A rule is a function of arrays: ``rule(value, *slots, gradient, *numbers)`` gives the new value and the new slots.
In eager mode it is applied at once, in a graph by an operation whose first arguments are the variables themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from gradtape._src.core.notes import note
from gradtape._src.core.op import Op
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.rows import out_of_range, within
from gradtape._src.ops.scattering import scatter_rows

Rule = Callable[..., Sequence[Any]]


def _kernel(variable: Any, *args: Any, n_slots: int, rule: Rule) -> tuple[()]:
    slots, arrays = args[:n_slots], args[n_slots:]

    def replaced(old: np.ndarray) -> np.ndarray:
        states = [np.asarray(slot._data) for slot in slots]
        with np.errstate(all="ignore"):
            new = rule(old, *states, *arrays)
        value, *rest = [np.asarray(x, before.dtype) for x, before in zip(new, [old, *states], strict=True)]
        for slot, state in zip(slots, rest, strict=True):
            slot._replace(lambda _, state=state: state)
        return value

    variable._replace(replaced)
    return ()


@cache
def _op(kind: str) -> Op:
    return Op(kind, _kernel, multi=True, shape=lambda *_, **params: [], dtype=np.dtype(bool), stateful=True)


def update(kind: str, rule: Rule, variable: Any, slots: Sequence[Any], tensors: Sequence[Any]) -> Any:
    """Applies a rule. In a graph it gives the operation, of TensorFlow's name ``kind``; in eager mode None."""
    variable, *slots = [v._as_read() for v in (variable, *slots)]
    graph = current_graph()
    if graph is None:
        note("state", "an optimizer's step", tensors, (variable,))
        _kernel(variable, *slots, *[t._data for t in tensors], n_slots=len(slots), rule=rule)
        return None
    args = (variable, *slots, *map(graph.input, tensors))
    return graph.append(_op(kind), args, {"n_slots": len(slots), "rule": rule}, None)


def on_rows(rule: Rule, n_slots: int) -> Rule:
    """The rule for a gradient of rows: ``(value, *slots, rows, indices, *numbers)``. Other rows stay as they are.

    The rows of an index that comes several times are added up first.
    """
    return partial(_by_rows, rule, n_slots)


def _by_rows(rule: Rule, n_slots: int, *args: Any) -> list[np.ndarray]:
    arrays, (values, indices), numbers = (
        args[: n_slots + 1],
        args[n_slots + 1 : n_slots + 3],
        args[n_slots + 3 :],
    )
    which, sums = _summed(arrays[0], values, indices)
    new = rule(*[array[which] for array in arrays], sums, *numbers)
    return [scatter_rows(array, which, rows, "update") for array, rows in zip(arrays, new, strict=True)]


def _summed(array: np.ndarray, values: Any, indices: Any) -> tuple[np.ndarray, np.ndarray]:
    """The rows that occur, and the sum of the values of each."""
    if not within(indices, len(array)):
        raise out_of_range(indices, len(array), "indices", "[Op:ResourceScatterUpdate]")
    which, places = np.unique(np.ravel(indices), return_inverse=True)
    values = np.reshape(values, (places.size, *array.shape[1:]))
    sums = np.zeros((which.size, *array.shape[1:]), values.dtype)
    return which, scatter_rows(sums, places.reshape(-1), values, "add")


def made_dense(rule: Rule, n_slots: int) -> Rule:
    """The rule for a gradient of rows, where rows that do not occur have the gradient zero and change too."""
    return partial(_densely, rule, n_slots)


def _densely(rule: Rule, n_slots: int, *args: Any) -> Sequence[Any]:
    arrays, (values, indices), numbers = (
        args[: n_slots + 1],
        args[n_slots + 1 : n_slots + 3],
        args[n_slots + 3 :],
    )
    which, sums = _summed(arrays[0], values, indices)
    gradient = np.zeros(arrays[0].shape, sums.dtype)
    gradient[which] = sums
    return rule(*arrays, gradient, *numbers)
