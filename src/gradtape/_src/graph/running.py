"""What is running: the default session of this thread or task, and the values of variables in the session that runs."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

default_session: ContextVar[Any] = ContextVar("gradtape default session", default=None)
"""What `tensor.eval()` and `operation.run()` use; None outside ``with session:``."""

variable_values: ContextVar[dict[Any, Any] | None] = ContextVar("gradtape variable values", default=None)
"""By variable, while a session runs; None otherwise."""


def session_for(session: Any, what: str, method: str) -> Any:
    """The session that was given, or else the default one.

    Raises:
      ValueError: there is none.
    """
    session = default_session.get() if session is None else session
    if session is None:
        raise ValueError(
            f"Cannot {what} using `{method}()`: No default session is registered. Use `with sess.as_default()` or "
            f"pass an explicit session to `{method}(session=sess)`"
        )
    return session
