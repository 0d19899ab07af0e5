"""What the user calls tensors: all names in sight at once."""

from __future__ import annotations

import sys
from typing import Any

from gradtape._src.core.errors import _is_users
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Ghost, Tensor, ghost_of
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable

_LONGEST = 64  # a list whose elements get names


def _has_own_name(value: Any) -> bool:
    return isinstance(value, Symbol) or (
        isinstance(value, Variable) and not value.name.startswith("Variable")
    )


class Named:
    """The tensors for which the functions that are running have names.

    Attributes:
      names, objects: by ghosts.
    """

    def __init__(self) -> None:
        self.names: dict[Ghost, str] = {}
        self.objects: dict[Ghost, Any] = {}
        frames = []
        frame: Any = sys._getframe(1)
        while frame is not None:
            if _is_users(frame.f_code.co_filename):
                frames.append(frame)
            frame = frame.f_back
        for frame in reversed(frames):  # the innermost function's names count most
            for scope in (frame.f_globals, frame.f_locals):
                for name, value in list(scope.items()):
                    if not name.startswith("_"):
                        self._add(name, value)

    def _add(self, name: str, value: Any) -> None:
        if type(value) in (list, tuple) and len(value) <= _LONGEST:
            for i, part in enumerate(value):
                if isinstance(part, (Tensor, Variable)):
                    self._add(f"{name}[{i}]", part)
        elif isinstance(value, (Tensor, Variable)) and (ghost := getattr(value, "_ghost", None)) is not None:
            if "[" not in name or (ghost not in self.names and not _has_own_name(value)):
                self.names[ghost] = name
            self.objects[ghost] = value

    def captured(self, graph: Any) -> None:
        """What a function or a part of control flow took from outside has the name that it has there."""
        for tensor, symbol in graph._captured_tensors():
            if isinstance(tensor, Symbol) and tensor.graph is not graph:
                self.captured(tensor.graph)
            if (name := self.of(tensor)) and ghost_of(symbol) not in self.names:
                self.names[ghost_of(symbol)] = name

    def of(self, x: Any) -> str:
        """The name of a tensor or variable; empty if it has none."""
        ghost = ghost_of(x)
        if ghost in self.names:
            return self.names[ghost]
        if isinstance(x, Variable):
            return getattr(x, "path", x.name).removesuffix(":0")
        return x.name.removesuffix(":0") if isinstance(x, Symbol) else ""

    def title(self, targets: list[Any]) -> str:
        """What a picture of their gradients is called."""
        if not targets:
            return "What the tape recorded"
        shown = ", ".join(self.of(x) or "the target" for x in targets[:3])
        return f"The gradient of {shown}" + (", …" if len(targets) > 3 else "")


def tensors(x: Any, role: str) -> list[Any]:
    """The tensors and variables of a nest; TypeError for anything else in it."""
    parts = flatten(x, expand_composites=True)
    found = [part.values if isinstance(part, IndexedSlices) else part for part in parts]
    for part in found:
        if not isinstance(part, (Tensor, Variable)):
            raise TypeError(
                f"A {role} must be a tf.Tensor or a tf.Variable, got {part!r} of type {type(part).__name__}."
            )
    return found
