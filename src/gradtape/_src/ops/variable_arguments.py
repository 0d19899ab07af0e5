"""What is given to make a variable, checked; and the functions that its updates apply."""

from __future__ import annotations

from enum import Enum
from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import OutOfRangeError
from gradtape._src.core.op import NO_PARAMS
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.arithmetic import add, subtract


def initial(value: Any, dtype: Any) -> Any:
    """The data of an initial value of a variable that has it from the start."""
    if value is None:
        raise ValueError(
            "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
            "`variable_def`. You provided neither."
        )
    graph = current_graph()
    if graph is not None:  # a function that is traced
        return graph.initial_value(value, dtype)._data  # type: ignore[attr-defined]
    if callable(value) and not hasattr(type(value), "__tf_tensor__"):
        value = value()
    try:
        return as_tensor(value, dtype)._data
    except ValueError as error:
        if isinstance(value, Tensor):
            raise ValueError(f"initial_value: {error}") from None
        raise


def callable_or_none(constraint: Any) -> Any:
    if constraint is not None and not callable(constraint):
        raise ValueError(
            f"Argument `constraint` must be None or a callable. a callable. Got a {type(constraint)}:  "
            f"{constraint}"
        )
    return constraint


def checked_name(name: Any) -> str:
    if name is not None and not isinstance(name, str):
        raise ValueError(f"name for name_scope must be a string. Got {name!r}.")
    return "Variable" if name is None else name


def member(kinds: type[Enum], value: Any, word: str, name: Any) -> Any:
    if value is None:
        return next(iter(kinds))
    if not isinstance(value, Enum) or value.name not in kinds.__members__:
        raise ValueError(f"Invalid variable {word} mode: {value} for variable: {name}")
    return kinds[value.name]


def rebuilt(
    cls: type,
    data: Any,
    trainable: bool,
    name: str,
    constraint: Any,
    synchronization: Any,
    aggregation: Any,
    shape: Any,
) -> Any:
    """The variable of a pickle, or a copy."""
    return cls(
        EagerTensor(data),
        trainable,
        name=name,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
        shape=TensorShape(shape),
    )


def summed(old: Any, delta: Any) -> Any:
    return add.run((old, delta), NO_PARAMS)


def difference(old: Any, delta: Any) -> Any:
    return subtract.run((old, delta), NO_PARAMS)


def counted(old: Any, limit: int) -> Any:
    if old >= limit:
        raise OutOfRangeError.of(f"Reached limit of {limit} [Op:ResourceCountUpTo]")
    return old + old.dtype.type(1)


ACCUMULATED: dict[Any, Any] = {add: summed, subtract: difference}
