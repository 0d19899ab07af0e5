"""What a profile measures: times, calls and bytes, for each line of the user's program and each operation.

Whatever is executed is an *entry*; entries lie inside each other as calls do. An entry's *own* time is its time without
that of the entries inside of it, and without what measuring costs.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from threading import get_ident, local
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_EVENTS = 1_000_000  # for the trace; the table counts on


class Place(NamedTuple):
    """Whose time it is: a line of the user's program, and the name scope of a graph's operation."""

    location: tuple[str, int] | None
    scope: str = ""


class Key(NamedTuple):
    """What is added up. ``kind``: "op", "rule" (the backward rule of an operation) or "span" (what holds others)."""

    place: Place
    name: str
    phase: str  # "forward" or "backward"
    kind: str


class Total:
    """Calls, own seconds, and bytes: held now, and the most at any time."""

    __slots__ = ("calls", "held", "most", "seconds")

    def __init__(self) -> None:
        self.calls = 0
        self.seconds = 0.0
        self.held = 0
        self.most = 0

    def add_bytes(self, n: int) -> None:
        self.held += n
        self.most = max(self.most, self.held)


class Event(NamedTuple):
    """One entry, for the trace: seconds since the profile began."""

    key: Key
    start: float
    seconds: float
    thread: int
    held: int  # bytes of all results, at its end
    detail: str  # the name of the operation in its graph


class Entry:
    """Something that is being executed."""

    __slots__ = ("arrived", "detail", "inside", "key", "start")

    def __init__(self, key: Key, detail: str, arrived: float) -> None:
        self.key = key
        self.detail = detail
        self.arrived = arrived
        self.inside = 0.0
        self.start = perf_counter()


class _Stack(local):
    def __init__(self) -> None:
        self.entries: list[Entry] = []


class Profile:
    """The measurements.

    Attributes:
      totals: by key.
      events: one an entry, in the order in which they ended.
      seconds: how long it has been measured.
      memory: bytes of the results of all operations: held, and the most at any time. Views are not counted.
    """

    def __init__(self) -> None:
        self.totals: dict[Key, Total] = {}
        self.events: list[Event] = []
        self.memory = Total()
        self.seconds = 0.0
        self.began = perf_counter()
        self._stack = _Stack()
        self._alive: dict[int, Any] = {}  # weak references to results, by the numbers of the arrays
        self._threads: dict[int, int] = {}
        self._numbers = count(1)

    def innermost(self) -> Entry | None:
        """What is being executed in this thread."""
        entries = self._stack.entries
        return entries[-1] if entries else None

    def begin(self, key: Key, detail: str = "") -> Entry:
        arrived = perf_counter()
        entry = Entry(key, detail, arrived)
        self._stack.entries.append(entry)
        entry.start = perf_counter()
        return entry

    def end(self, entry: Entry, result: Any = None) -> None:
        seconds = perf_counter() - entry.start
        entries = self._stack.entries
        while entries and entries.pop() is not entry:  # a generator may be left within its own
            pass
        total = self.totals.get(entry.key)
        if total is None:
            total = self.totals[entry.key] = Total()
        total.calls += 1
        total.seconds += max(0.0, seconds - entry.inside)
        if result is not None:
            self._hold(total, result)
        if len(self.events) < MOST_EVENTS:
            start = entry.start - self.began
            self.events.append(
                Event(entry.key, start, seconds, self._thread(), self.memory.held, entry.detail)
            )
        if entries:
            entries[-1].inside += perf_counter() - entry.arrived

    @contextmanager
    def span(self, key: Key) -> Iterator[None]:
        """Measures a ``with`` block."""
        entry = self.begin(key)
        try:
            yield
        finally:
            self.end(entry)

    def finish(self) -> None:
        """The last of what is measured has been executed."""
        self.seconds = perf_counter() - self.began

    def _hold(self, total: Total, result: Any) -> None:
        for array in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(array, np.ndarray) and array.base is None and id(array) not in self._alive:
                self._follow(total, array)

    def _follow(self, total: Total, array: NDArray[Any]) -> None:
        number, size = id(array), array.nbytes

        def gone(_: Any, self: Profile = self) -> None:
            self._alive.pop(number, None)
            total.held -= size
            self.memory.held -= size

        self._alive[number] = ref(array, gone)
        total.add_bytes(size)
        self.memory.add_bytes(size)

    def _thread(self) -> int:
        number = get_ident()
        if number not in self._threads:
            self._threads[number] = next(self._numbers)
        return self._threads[number]
