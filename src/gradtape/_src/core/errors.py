"""TensorFlow's exceptions (`tf.errors.*`), and where in the user's code an error comes from.

Raise inside the package with `InvalidArgumentError.of("message")`: TensorFlow's own constructor wants a node
definition and an operation first. `user_location()` is cheap enough to be called for every node of a graph;
`user_frame()` adds the line of text.

Rests on the standard library (of NumPy it asks only where it is installed).
"""

from __future__ import annotations

import linecache
import os
import sys
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """An operation failed while it was executed: the base of all errors that have a code.

    Args:
      node_def: the definition of the graph node that failed, or None.
      op: the operation of the graph that failed, or None.
      message: what went wrong.
      error_code: one of the codes above (`tf.errors.INVALID_ARGUMENT`, ...).
      *args: at most one more, a dictionary of payloads.

    >>> import gradtape as tf
    >>> error = tf.errors.OpError(None, None, "broken", tf.errors.INTERNAL)
    >>> error.message, error.error_code
    ('broken', 13)
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *args: Any) -> None:
        super().__init__(message)  # so that repr() shows it
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code
        self._experimental_payloads = args[0] if args else {}

    @property
    def node_def(self) -> Any:
        """The definition of the graph node that failed, or None."""
        return self._node_def

    @property
    def op(self) -> Any:
        """The operation of the graph that failed, or None."""
        return self._op

    @property
    def message(self) -> str:
        """What went wrong."""
        return self._message

    @property
    def error_code(self) -> int:
        """The number of the kind of error."""
        return self._error_code

    @property
    def experimental_payloads(self) -> Any:
        """A dictionary of further details, most often empty."""
        return self._experimental_payloads

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> tuple[Any, ...]:
        # The node and the operation hold the whole graph, which another process cannot use.
        return type(self), (None, None, self._message, self._error_code, self._experimental_payloads)


class _CodedError(OpError):
    """An OpError whose class gives the code."""

    _code = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, *args: Any) -> None:
        super().__init__(node_def, op, message, self._code, *args)

    @classmethod
    def of(cls, message: str) -> Self:
        """This error with a message, and no graph node."""
        return cls(None, None, message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (None, None, self._message, self._experimental_payloads)


class CancelledError(_CodedError):
    """The operation was cancelled, for example because its queue was closed.

    >>> import gradtape as tf
    >>> tf.errors.CancelledError(None, None, "closed").error_code == tf.errors.CANCELLED
    True
    """

    _code = CANCELLED


class UnknownError(_CodedError):
    """An error of no known kind, for example an exception inside a `tf.py_function`.

    >>> import gradtape as tf
    >>> tf.errors.UnknownError(None, None, "?").error_code == tf.errors.UNKNOWN
    True
    """

    _code = UNKNOWN


class InvalidArgumentError(_CodedError):
    """An operation was given arguments that it cannot take, most often shapes that do not fit.

    >>> import gradtape as tf
    >>> try:
    ...     tf.zeros([2]) + tf.zeros([3])
    ... except tf.errors.InvalidArgumentError as error:
    ...     print("shapes" in error.message)
    True
    """

    _code = INVALID_ARGUMENT


class DeadlineExceededError(_CodedError):
    """The operation did not finish in the time it was given.

    >>> import gradtape as tf
    >>> tf.errors.DeadlineExceededError(None, None, "late").error_code == tf.errors.DEADLINE_EXCEEDED
    True
    """

    _code = DEADLINE_EXCEEDED


class NotFoundError(_CodedError):
    """Something that was asked for, such as a file or a key of a checkpoint, does not exist.

    >>> import gradtape as tf
    >>> tf.errors.NotFoundError(None, None, "no such file").error_code == tf.errors.NOT_FOUND
    True
    """

    _code = NOT_FOUND


class AlreadyExistsError(_CodedError):
    """Something that was to be made exists already.

    >>> import gradtape as tf
    >>> tf.errors.AlreadyExistsError(None, None, "twice").error_code == tf.errors.ALREADY_EXISTS
    True
    """

    _code = ALREADY_EXISTS


class PermissionDeniedError(_CodedError):
    """The caller may not do this, for example read this file.

    >>> import gradtape as tf
    >>> tf.errors.PermissionDeniedError(None, None, "locked").error_code == tf.errors.PERMISSION_DENIED
    True
    """

    _code = PERMISSION_DENIED


class ResourceExhaustedError(_CodedError):
    """Something ran out, most often memory.

    >>> import gradtape as tf
    >>> tf.errors.ResourceExhaustedError(None, None, "full").error_code == tf.errors.RESOURCE_EXHAUSTED
    True
    """

    _code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_CodedError):
    """The state does not allow the operation: most often a variable that was not initialized.

    >>> import gradtape as tf
    >>> tf.errors.FailedPreconditionError(None, None, "not yet").error_code == tf.errors.FAILED_PRECONDITION
    True
    """

    _code = FAILED_PRECONDITION


class AbortedError(_CodedError):
    """The operation was given up because of another one at the same time.

    >>> import gradtape as tf
    >>> tf.errors.AbortedError(None, None, "given up").error_code == tf.errors.ABORTED
    True
    """

    _code = ABORTED


class OutOfRangeError(_CodedError):
    """There is no more: the end of a data set, a file or a queue.

    >>> import gradtape as tf
    >>> tf.errors.OutOfRangeError(None, None, "End of sequence").error_code == tf.errors.OUT_OF_RANGE
    True
    """

    _code = OUT_OF_RANGE


class UnimplementedError(_CodedError):
    """The operation does not exist for these dtypes or arguments.

    >>> import gradtape as tf
    >>> tf.errors.UnimplementedError(None, None, "not made").error_code == tf.errors.UNIMPLEMENTED
    True
    """

    _code = UNIMPLEMENTED


class InternalError(_CodedError):
    """The library itself is wrong: an invariant does not hold.

    >>> import gradtape as tf
    >>> tf.errors.InternalError(None, None, "a bug").error_code == tf.errors.INTERNAL
    True
    """

    _code = INTERNAL


class UnavailableError(_CodedError):
    """A service cannot be reached now; trying again may help.

    >>> import gradtape as tf
    >>> tf.errors.UnavailableError(None, None, "try again").error_code == tf.errors.UNAVAILABLE
    True
    """

    _code = UNAVAILABLE


class DataLossError(_CodedError):
    """Data was lost or damaged, for example a checkpoint cut short.

    >>> import gradtape as tf
    >>> tf.errors.DataLossError(None, None, "cut short").error_code == tf.errors.DATA_LOSS
    True
    """

    _code = DATA_LOSS


class UnauthenticatedError(_CodedError):
    """The caller did not say who it is.

    >>> import gradtape as tf
    >>> tf.errors.UnauthenticatedError(None, None, "who?").error_code == tf.errors.UNAUTHENTICATED
    True
    """

    _code = UNAUTHENTICATED


class OperatorNotAllowedInGraphError(TypeError):
    """A symbol of a graph was used where Python needs its value: in an `if`, a `for`, an `int()`.

    >>> import gradtape as tf
    >>> issubclass(tf.errors.OperatorNotAllowedInGraphError, TypeError)
    True
    """


class InaccessibleTensorError(TypeError, ValueError):
    """A symbol was used outside the function or the branch whose graph it belongs to."""


_BY_CODE: dict[int, type[_CodedError]] = {cls._code: cls for cls in _CodedError.__subclasses__()}


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The exception class that has this code; KeyError if there is none.

    >>> import gradtape.compat.v1 as tf
    >>> tf.errors.exception_type_from_error_code(5).__name__
    'NotFoundError'
    """
    return _BY_CODE[error_code]


def error_code_from_exception_type(cls: type[OpError]) -> int:
    """The code of an exception class; KeyError if it is not one of `tf.errors`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.errors.error_code_from_exception_type(tf.errors.NotFoundError)
    5
    """
    return {known: code for code, known in _BY_CODE.items()}[cls]  # type: ignore[index]


# --- Where in the user's code ------------------------------------------------------------------------------

_LIBRARY = os.path.dirname(os.__file__) + os.sep

# Frames of these are never the user's: this package, the import system, and what calls functions for others.
_NOT_THE_USERS = (
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep,
    os.path.dirname(np.__file__) + os.sep,
    *(_LIBRARY + name for name in ("contextlib.py", "functools.py", "threading.py", "concurrent" + os.sep)),
    "<frozen ",
)


class Frame(NamedTuple):
    """A line of the user's code."""

    filename: str
    lineno: int
    text: str

    def __str__(self) -> str:
        return f'File "{self.filename}", line {self.lineno}' + (f"\n    {self.text}" if self.text else "")


@cache
def _is_users(filename: str) -> bool:
    return not filename.startswith(_NOT_THE_USERS)


def user_location() -> tuple[str, int] | None:
    """File and line of the innermost frame of the user's code; None if there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        if _is_users(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def frame_at(location: tuple[str, int]) -> Frame:
    """The frame at a location, with its text (empty where the source cannot be found)."""
    return Frame(*location, linecache.getline(*location).strip())


def user_frame() -> Frame | None:
    """The innermost line of the user's code that is being executed, with its text; None if there is none."""
    location = user_location()
    return None if location is None else frame_at(location)
