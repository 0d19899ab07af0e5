"""A naive tape: the slowest differentiation that is surely right.

It knows no rule. The Jacobian of each operation is found column by column with the complex step
(f(x + ih e_j) = f(x) + ih df/dx_j + O(h^2), exact to machine precision for analytic f; Squire & Trapp, 1998), and
gradients are products of these dense matrices.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

H = 1e-30


class Value:
    """A float64 array that remembers what it was computed from."""

    def __init__(self, data: np.ndarray, parents: tuple[tuple[Value, np.ndarray], ...] = ()) -> None:
        self.data = data
        self.parents = parents  # (parent, Jacobian of shape (self.size, parent.size))


def call(f: Callable[..., np.ndarray], *args: Value) -> Value:
    """``f`` of the arguments; ``f`` has to be analytic, and work on complex arrays."""
    data = [arg.data for arg in args]
    return Value(np.asarray(f(*data)), tuple((arg, _jacobian(f, data, i)) for i, arg in enumerate(args)))


def _jacobian(f: Callable[..., np.ndarray], data: list[np.ndarray], i: int) -> np.ndarray:
    columns = []
    for j in range(data[i].size):
        step = np.zeros(data[i].size, complex)
        step[j] = 1j * H
        moved = [x.astype(complex) for x in data]
        moved[i] = moved[i] + step.reshape(data[i].shape)
        columns.append(np.imag(f(*moved)).ravel() / H)
    return np.array(columns).T


def gradients(target: Value, sources: list[Value]) -> list[np.ndarray | None]:
    """d sum(target) / d source, by the definition: sum over all paths of the products of the Jacobians."""
    order: list[Value] = []

    def visit(value: Value) -> None:
        if all(value is not seen for seen in order):
            for parent, _ in value.parents:
                visit(parent)
            order.append(value)

    visit(target)
    total = {id(target): np.ones(target.data.size)}
    for value in reversed(order):
        if id(value) in total:
            for parent, jacobian in value.parents:
                total[id(parent)] = total.get(id(parent), 0) + total[id(value)] @ jacobian
    return [total[id(s)].reshape(s.data.shape) if id(s) in total else None for s in sources]
