"""The values of variables, in a session and in eager mode: how they are read and replaced, all at once or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.errors import FailedPreconditionError, InvalidArgumentError
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.graph.running import default_session
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.train.tensor_files import TensorFile


def variable_key(variable: Any) -> str:
    """The name of a variable in a checkpoint, without the number of the output."""
    return variable.name.rpartition(":")[0] or variable.name


def values_of(variables: Sequence[Any], session: Any = None) -> list[np.ndarray]:
    """The arrays of variables; those of variables that belong to a graph are the session's.

    Raises:
      FailedPreconditionError: a variable has no value in the session.
    """
    return [np.asarray(_values_in(session)[v] if _has(session, v) else v._data) for v in variables]


def _has(session: Any, variable: Any) -> bool:
    if not isinstance(variable, GraphVariable):
        return False
    if variable not in _values_in(session):
        raise FailedPreconditionError.of(
            f"Attempting to use uninitialized value {variable_key(variable)}: it cannot be saved. Run its initializer "
            "first, session.run(tf.global_variables_initializer()), or restore it."
        )
    return True


def _values_in(session: Any) -> dict[Any, Any]:
    session = default_session.get() if session is None else session
    if session is None:
        raise ValueError("Variables of a graph have values in sessions only: give a session, or enter one.")
    return session._values


def assign_all(pairs: Iterable[tuple[Any, np.ndarray]], session: Any = None) -> None:
    """Replaces the values of variables."""
    for variable, value in pairs:
        if isinstance(variable, GraphVariable):
            _values_in(session)[variable] = value
        else:
            with variable._lock:
                variable._store(value)


def fitting(
    file: TensorFile,
    key: str,
    variable: Any,
    reshape: bool = False,
    wrong_shape: Any = InvalidArgumentError.of,
) -> np.ndarray:
    """The array of a variable in a file.

    Raises:
      InvalidArgumentError: it is of another dtype. What ``wrong_shape`` makes of a message: of another shape.
    """
    dtype, shape = file.dtype(key), file.shape(key)
    what = f"The variable '{variable_key(variable)}' cannot be restored from '{key}' in {file.path}"
    if dtype is not variable.dtype:
        raise InvalidArgumentError.of(
            f"{what}: tensor_name = {key}; expected dtype {variable.dtype.name} does not equal original dtype "
            f"{dtype.name}."
        )
    wanted = variable._shape
    if reshape and wanted is not None and None not in wanted and np.prod(wanted) == np.prod(shape):
        return file.read(key).reshape(wanted)
    if not compatible(wanted, shape):
        raise wrong_shape(
            f"{what}: Assign requires shapes of both tensors to match. lhs shape= {as_text(wanted)} rhs shape= "
            f"{as_text(shape)}."
        )
    return file.read(key)
