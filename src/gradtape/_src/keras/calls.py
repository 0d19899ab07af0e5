"""What is known while layers are called: whether for training, and the names of the layers around.

A layer that holds other layers opens a `Call`; those find in it what was said to the outermost one.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A call of a layer that is not finished, or its building. `training` is None if nobody has said."""

    training: Any
    path: str  # the names of the layers around and of this one, each with a slash behind it
    layer: Any


_call: ContextVar[Call | None] = ContextVar("call of a layer", default=None)

current_call = _call.get
"""The innermost `Call`, or None; bound to the C method because every layer asks."""
open_call = _call.set
close_call = _call.reset


def path_of(layer: Any) -> str:
    """The names of the layers that are being called or built, and of this one, each with a slash behind it."""
    call = current_call()
    if call is None:
        return f"{layer.name}/"
    return call.path if call.layer is layer else f"{call.path}{layer.name}/"
