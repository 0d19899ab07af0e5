"""Birth records: what made each tensor, of what, and on which line of the user's program.

The journal is one more recorder. It identifies tensors by numbers, so that it keeps none of them alive, and forgets
the oldest records when there are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.context import (
    Listener,
    current_interpreter,
    current_recorders,
    remove_recorder,
    set_outermost,
    under,
)
from gradtape._src.core.errors import user_location
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Tensor, ghost_of
from gradtape._src.explain.history import Event
from gradtape._src.ops.variables import Variable

MOST_RUNS = 1000
MOST_NUMBERS = 1000
MOST = 200_000  # records; about 100 MB


class Fact(NamedTuple):
    """What is known of a tensor for good, also when it is gone."""

    dtype: np.dtype
    shape: tuple[int, ...]
    value: Any  # of a number that came from Python or NumPy


class Journal(Listener):
    """The records, by their numbers.

    Attributes:
      events: what happened, in order. The number of an event is also that of its first output.
      clock: the number of the next one.
      renamed: for a second number of a tensor the first: what a loop of eager mode gives was made by its last step.
    """

    is_journal = True

    def __init__(self) -> None:
        self.events: dict[int, Event] = {}
        self.facts: dict[int, Fact] = {}
        self.clock = 0
        self.runs: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()  # of sessions, by their graphs
        self.variables: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.renamed: dict[int, int] = {}
        self.given: set[bytes] = set()  # by sessions, as float32
        self._numbers: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._versions: dict[int, int] = {}  # of variables: the record of the last assignment

    # --- What a recorder is told

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        outs = out if op.multi else (out,)
        if not all(type(part) is EagerTensor for part in outs):
            return  # of a graph, which is its own record
        self._event("op", op.name, op, args, outs)

    def record_read(self, variable: Any, out: Any) -> None:
        if type(out) is EagerTensor:
            number = self.number(variable)
            version = self._versions.get(number)
            inputs = (number,) if version is None else (number, version)
            self._write("read", "ReadVariableOp", None, inputs, (out,))

    def note(self, kind: str, how: str, inputs: Sequence[Any], outputs: Sequence[Any] = ()) -> None:
        if kind == "state":
            (variable,) = outputs
            number = self.number(variable)
            old = self._versions.get(number)
            values = [self.number(x) for x in inputs]
            if how != "assign" and old is not None:
                values.append(old)
            self._versions[number] = self._write("state", how, None, tuple(values), (None,))
        elif kind == "whole":  # of what has been made already, step by step
            inputs = tuple([self._input(x) for x in inputs])
            made = tuple([self.number(x) for x in outputs])
            number = self._write(kind, how, None, inputs, ())
            self.events[number] = self.events[number]._replace(outputs=made)
        else:
            self._event(kind, how, None, inputs, outputs)

    def made(self, tensor: Any, value: Any) -> None:
        """Is told that a tensor was made of a value of Python or NumPy."""
        if type(tensor) is EagerTensor and tensor._ghost is None:
            with under(current_interpreter(), ()):
                self._root(tensor, "literal" if isinstance(value, (bool, str, bytes)) else "made")

    def ran(self, graph: Any, fetched: Sequence[Any], fed: Sequence[Any]) -> None:
        """Is told what a session was asked for, and what it was fed."""
        runs = self.runs.setdefault(graph, [])
        if len(runs) < MOST_RUNS:
            ghosts = tuple([x._ghost for x in fetched if isinstance(x, Tensor)])
            runs.append((ghosts, tuple([x._ghost for x in fed]), user_location()))

    def gave(self, found: Sequence[Any]) -> None:
        """Is told the numbers that a session gave: small arrays may become constants of a graph."""
        for value in found:
            if (
                isinstance(value, (np.ndarray, np.generic))
                and value.dtype.kind == "f"
                and value.size <= MOST_NUMBERS
            ):
                self.given.add(value.astype(np.float32).tobytes())

    # --- Writing

    def number(self, x: Any) -> int:
        """The number of a tensor or variable; one that was never seen is taken for a constant made now."""
        ghost = x._ghost if isinstance(x, Variable) else ghost_of(x)
        found = self._numbers.get(ghost)
        return self._root(x, "variable" if isinstance(x, Variable) else "made") if found is None else found

    def known(self, ghost: Any) -> int | None:
        """The number that belongs to a ghost, if it has one."""
        return self._numbers.get(ghost)

    def ghosts(self) -> dict[int, Any]:
        """The ghosts that still exist, by their numbers."""
        return {number: ghost for ghost, number in self._numbers.items()}

    def _root(self, x: Any, how: str) -> int:
        if isinstance(x, Variable):
            self.variables[self.clock] = x
        return self._write("root", how, None, (), (x,))

    def _event(self, kind: str, name: str, op: Any, args: Sequence[Any], outs: Sequence[Any]) -> int:
        inputs = tuple([self._input(arg) for arg in args])
        return self._write(kind, name, op, inputs, outs)

    def _input(self, arg: Any) -> int | None:
        if isinstance(arg, (Variable, EagerTensor)):
            return self.number(arg)
        if isinstance(arg, (np.ndarray, np.generic)):
            return self._write("root", "raw", None, (), (np.asarray(arg),))
        return None

    def _write(
        self, kind: str, name: str, op: Any, inputs: tuple[int | None, ...], outs: Sequence[Any]
    ) -> int:
        first = self.clock
        for i, out in enumerate(outs):
            if isinstance(out, (Variable, Tensor)):
                ghost = out._ghost if isinstance(out, Variable) else ghost_of(out)
                if ghost in self._numbers:
                    self.renamed[first + i] = self._numbers[ghost]
                self._numbers[ghost] = first + i
                data = getattr(out, "_data", None) if kind == "root" else None
                self.facts[first + i] = Fact(ghost.dtype, ghost.shape, _scalar(data))
            elif isinstance(out, np.ndarray):
                self.facts[first + i] = Fact(out.dtype, out.shape, _scalar(out))
        outputs = tuple(range(first, first + len(outs)))
        self.events[first] = Event(kind, name, op, inputs, outputs, user_location(), first)
        self.clock = first + max(1, len(outs))
        if len(self.events) > MOST:
            self._forget()
        return first

    def _forget(self) -> None:
        for number in list(self.events)[: MOST // 10]:
            event = self.events.pop(number)
            for output in event.outputs if event.kind != "whole" else ():
                self.facts.pop(output, None)
                self.renamed.pop(output, None)


def _scalar(data: Any) -> Any:
    return data.item() if isinstance(data, (np.ndarray, np.generic)) and np.size(data) == 1 else None


def enable() -> None:
    """Puts a journal outermost among the recorders of this thread."""
    if notes.journal is None:
        notes.journal = Journal()
    if notes.journal not in current_recorders():
        set_outermost(notes.journal)


def disable() -> None:
    """Forgets the journal."""
    if notes.journal is not None:
        remove_recorder(notes.journal)
    notes.journal = None
