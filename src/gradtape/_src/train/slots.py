"""The variables that training adds: slots beside the variables that are trained, and counters."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import Any

import numpy as np

from gradtape._src.api.creation import ones_like
from gradtape._src.api.graphs import scope_of
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import EagerTensor
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.graph_variables import home_graph
from gradtape._src.ops.variables import Variable


def owner(variable: Any) -> Any:
    """The variable itself, where what an assignment returned stands for it."""
    return getattr(variable, "_target", variable)


def plain_name(variable: Any) -> str:
    """The name of a variable or a tensor without the number of the output."""
    return variable.name.rpartition(":")[0]


def scoped(name: str) -> str:
    """A name of a variable after that of the current `tf.variable_scope`."""
    if current_graph() is None:
        return name
    scopes = vars(home_graph()).get("_variable_scopes")  # a graph has them if they were ever asked for
    prefix = "" if scopes is None else scopes.scope.name
    return f"{prefix}/{name}" if prefix else name


def constant_like(variable: Any, value: float) -> Any:
    """An initial value of the shape and dtype of a variable."""
    if is_known(variable._shape):
        return EagerTensor(np.full(variable._shape, value, variable.dtype.as_numpy_dtype))
    return ones_like(variable.initialized_value()) * value


def make_variable(initial: Any, name: str, **options: Any) -> Variable:
    """A variable that is not trained, with a name that name scopes do not come before."""
    with scope_of(None):
        return Variable(initial, trainable=False, name=name, **options)


def make_slot(primary: Any, initial: Any, name: str, taken: Collection[str] = ()) -> Variable:
    """A variable beside ``primary``, named after both; names that are taken get a number.

    A graph knows the names that are taken there; in eager mode it is those that are given.
    """
    wanted = full = scoped(f"{plain_name(primary)}/{name}")
    if current_graph() is None:
        numbers = count(1)
        while full in taken:
            full = f"{wanted}_{next(numbers)}"
    return make_variable(initial, full)
