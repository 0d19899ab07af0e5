"""Who sees an operation: the interpreter that executes it and the recorders that write it down.

``interpreter`` is None while operations are executed at once (eager mode); a graph builder or a batcher puts itself
there and receives the operation instead. ``recorders`` are the active gradient tapes and forward accumulators,
outermost first. Nothing here knows what an interpreter or a recorder does with an operation: dispatch depends on
this context, never on how a value is boxed.

The state lives in a context variable: every thread and every asyncio task has its own, and starts with none.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradtape._src.core.op import Op


class Interpreter(Protocol):
    """Takes an operation in place of eager execution and returns its output tensors."""

    symbolic: bool  # whether the outputs have no data yet

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Any: ...


class Recorder(Protocol):
    """Is told of every operation on tensors, after it has been executed or added to a graph."""

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None: ...

    def record_unary(self, op: Op, x: Any, out: Any) -> None:
        """``record(op, (x,), {}, out)``, in less time."""
        ...

    def record_binary(self, op: Op, x: Any, y: Any, out: Any) -> None:
        """``record(op, (x, y), {}, out)``, in less time."""
        ...

    def record_read(self, variable: Any, out: Any) -> None:
        """Is told that a variable was read."""
        ...

    def record_access(self, variable: Any) -> None:
        """Is told that an operation that comes next reads a variable by itself."""
        ...

    def depth(self, ghosts: Any) -> int:
        """How many times a gradient may be taken through an operation on tensors with these ghosts."""
        ...


NO_PARAMS: dict[str, Any] = {}


class Listener(Recorder):
    """A recorder that notes nothing: a subclass says what it wants to hear of."""

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        pass

    def record_unary(self, op: Op, x: Any, out: Any) -> None:
        self.record(op, (x,), NO_PARAMS, out)

    def record_binary(self, op: Op, x: Any, y: Any, out: Any) -> None:
        self.record(op, (x, y), NO_PARAMS, out)

    def record_read(self, variable: Any, out: Any) -> None:
        pass

    def record_access(self, variable: Any) -> None:
        pass

    def depth(self, ghosts: Any) -> int:
        return 0


# The interpreter and the recorders. A plain tuple, which is unpacked in a quarter of the time of a NamedTuple.
State = tuple[Interpreter | None, tuple[Recorder, ...]]

_state: ContextVar[State] = ContextVar("gradtape", default=(None, ()))

current = _state.get
"""``interpreter, recorders = current()``, of this thread or task: asked for every operation, hence the C method."""


def current_interpreter() -> Interpreter | None:
    return current()[0]


def current_recorders() -> tuple[Recorder, ...]:
    return current()[1]


def add_recorder(recorder: Recorder) -> None:
    """Makes ``recorder`` the innermost one."""
    interpreter, recorders = current()
    _state.set((interpreter, (*recorders, recorder)))


def remove_recorder(recorder: Recorder) -> None:
    interpreter, recorders = current()
    _state.set((interpreter, tuple([r for r in recorders if r is not recorder])))


def set_outermost(recorder: Recorder) -> None:
    """Makes ``recorder`` the outermost one."""
    interpreter, recorders = current()
    _state.set((interpreter, (recorder, *recorders)))


@contextmanager
def under(interpreter: Interpreter | None, recorders: tuple[Recorder, ...]) -> Iterator[None]:
    """Runs a ``with`` block in another state."""
    token = _state.set((interpreter, recorders))
    try:
        yield
    finally:
        _state.reset(token)


@contextmanager
def without(recorder: Recorder) -> Iterator[None]:
    """Hides the operations of a ``with`` block from one recorder."""
    interpreter, recorders = current()
    with under(interpreter, tuple([r for r in recorders if r is not recorder])):
        yield
