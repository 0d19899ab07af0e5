"""`tensorflow.python.ops.array_ops`."""

from __future__ import annotations

from typing import Any, NoReturn

import gradtape.compat.v1 as _v1
from gradtape import custom_gradient, identity
from gradtape._src.core.missing import missing as _missing


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Any:
    """The identity, through which no gradient may be asked for: that raises a LookupError with the message."""

    def refused(dy: Any) -> NoReturn:
        raise LookupError(f"Gradient explicitly disabled. Reason: {message!r}")

    return custom_gradient(lambda x: (identity(x, name), refused))(input)


__getattr__ = _missing(__name__, globals(), base=_v1)
