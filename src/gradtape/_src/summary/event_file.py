"""Event files: records of events, one after the other, as TensorBoard reads them."""

from __future__ import annotations

import itertools
import os
import time
import weakref
from threading import Lock
from typing import Any

from gradtape._src.summary.messages import protos

_numbers = itertools.count()


class EventFile:
    """A file of events in a folder.

    Events are on the disk after `flush`, which happens by itself after ``max_queue`` events or ``flush_secs`` seconds,
    and at the end of the program.
    """

    def __init__(self, logdir: str, max_queue: int, flush_secs: float, suffix: str = "") -> None:
        # start-up cost: the writer of records is needed by programs that write summaries only
        from tensorboardX.event_file_writer import EventsWriter

        os.makedirs(logdir, exist_ok=True)
        unique = f".{os.getpid()}.{next(_numbers)}{suffix}"
        self._writer: Any = EventsWriter(os.path.join(logdir, "events"), unique)
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._waiting, self._flushed = 0, time.monotonic()
        self._lock = Lock()
        self._end = weakref.finalize(self, self._writer.close)

    def write(self, event: Any) -> None:
        """Appends an event; its time is now, unless it has one."""
        if not event.wall_time:
            event.wall_time = time.time()
        with self._lock:
            self._writer.write_event(event)
            self._waiting += 1
            late = time.monotonic() - self._flushed > self._flush_secs
        if late or self._waiting > self._max_queue:
            self.flush()

    def write_values(self, values: list[Any], step: int | None) -> None:
        """Appends an event with values of a summary."""
        event = protos().Event(summary=protos().Summary(value=values))
        if step is not None:
            event.step = step
        self.write(event)

    def flush(self) -> None:
        """Puts what was written on the disk."""
        with self._lock:
            if self._end.alive:
                self._writer.flush()
                self._waiting, self._flushed = 0, time.monotonic()

    def close(self) -> None:
        """Ends the file."""
        with self._lock:
            self._end()

    @property
    def closed(self) -> bool:
        """Whether the file has ended."""
        return not self._end.alive
