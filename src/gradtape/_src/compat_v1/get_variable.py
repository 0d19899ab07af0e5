"""The store behind `tf.get_variable`: variables by name, made where they are new."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

from gradtape._src.api.graphs import scope_of
from gradtape._src.api.v1_tensors import make_variable
from gradtape._src.compat_v1.initializers import glorot_uniform_initializer, zeros_initializer
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.shapes import as_text, compatible, is_known
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import current_graph


class Store:
    """The variables of a graph, by full name."""

    def __init__(self) -> None:
        self._variables: dict[str, Any] = {}

    def get(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: Any = None,
        collections: Any = None,
        validate_shape: bool = True,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        **_: Any,
    ) -> Any:
        """The variable of this full name, if it may be there; else a new one, if it may be new."""
        dims = None if shape is None else as_shape_tuple(shape)
        is_value = initializer is not None and not callable(initializer)
        if is_value and dims is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        found = self._variables.get(name)
        if found is not None:
            return _shared(found, name, dims if shape is not None else None, dtype, reuse, is_value)
        if reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        value = initializer if is_value else _called(name, shape is not None, dims, dtype, initializer)
        variable = make_variable(
            collections,
            value,
            trainable=trainable,
            validate_shape=validate_shape,
            name=name,
            dtype=None if is_value else dtype,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=aggregation,
        )
        self._variables[name] = variable
        if regularizer is not None:
            _regularize(variable, name, regularizer)
        return variable


def _shared(found: Any, name: str, dims: Any, dtype: Any, reuse: Any, is_value: bool) -> Any:
    """A variable that is there already."""
    if not reuse:
        location = None if getattr(found, "initializer", None) is None else found.initializer.location
        where = "" if location is None else f" Originally defined at: {location[0]}:{location[1]}"
        raise ValueError(
            f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
            f"VarScope?{where}"
        )
    if dims is not None and not compatible(dims, shape_of(found)):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {as_text(dims)} and found shape "
            f"{as_text(shape_of(found))}."
        )
    if dtype is not None and not is_value and as_dtype(dtype) != found.dtype:
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {as_dtype(dtype).name} and found dtype "
            f"{found.dtype.name}."
        )
    return found


def _called(name: str, has_shape: bool, dims: Any, dtype: Any, initializer: Any) -> Any:
    """A function without arguments that gives the initial value."""
    if initializer is None:
        if not has_shape:
            raise ValueError(
                f"Variable {name} did not get an initializer, so its `shape` argument must be specified."
            )
        initializer = glorot_uniform_initializer() if dtype.is_floating else zeros_initializer()
    if inspect.isclass(initializer):
        initializer = initializer()
    if is_known(dims) and has_shape:
        return partial(initializer, list(dims), dtype=dtype)
    if not has_shape and _needs_no_arguments(initializer):
        return initializer
    raise ValueError(
        f"The initializer passed for variable {name} is not valid. It should be a callable with no arguments and the "
        "shape should not be provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
    )


def _needs_no_arguments(function: Any) -> bool:
    parameters = inspect.signature(function).parameters.values()
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def _regularize(variable: Any, name: str, regularizer: Any) -> None:
    graph = current_graph()
    if graph is None:
        return
    with scope_of(f"{name}/Regularizer/"):
        loss = regularizer(variable)
    if loss is not None:
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
