"""`Progbar`: how far a loop has come, in one line that is written again and again, drawn as Keras 3 draws it."""

from __future__ import annotations

import math
import sys
import time
from typing import Any


class Progbar:
    """A line that says how many steps are done, how long one takes, and some values.

    Args:
      target: the number of steps, or None if it is not known.
      width: of the bar.
      verbose: 0: nothing, 1: a line that is written anew, 2: one line at the end.
      interval: seconds between two writings.
      stateful_metrics: names of values that are shown as they are; others are averaged.
      unit_name: of a step.

    >>> import gradtape as tf
    >>> bar = tf.keras.utils.Progbar(2, verbose=2)
    >>> bar.update(1, [("loss", 1.0)])
    """

    def __init__(
        self, target, width=20, verbose=1, interval=0.05, stateful_metrics=None, unit_name="step",
    ):  # fmt: skip
        self.target, self.width, self.verbose, self.interval = target, width, verbose, interval
        self.stateful_metrics, self.unit_name = set(stateful_metrics or ()), unit_name
        self._sums: dict[str, list[float]] = {}  # the sum of a value, and of the steps it was seen for
        self._seen, self._last = 0, 0.0
        self._start = time.time()
        self._first: float | None = None  # the time of the first step, which is longer than the others

    def update(self, current: int, values: Any = None, finalize: bool | None = None) -> None:
        """Says that ``current`` steps are done, and the values in the last ones: pairs of a name and a number."""
        done = self.target is not None and current >= self.target if finalize is None else finalize
        for name, value in values or []:
            if name in self.stateful_metrics:
                self._sums[name] = [value, 1]
            else:
                old = self._sums.setdefault(name, [0.0, 0])
                steps = max(current - self._seen, 1)
                old[0] += value * steps
                old[1] += steps
        self._seen = current
        now = time.time()
        if self._first is None and current:
            self._first = now
        if self.verbose == 1 and (done or now - self._last >= self.interval):
            self._last = now
            sys.stdout.write("\r" + self._line(current, now, done) + ("\n" if done else ""))
            sys.stdout.flush()
        elif self.verbose == 2 and done:
            count = f"{current}/{self.target or current}"
            each = (now - self._start) / max(current, 1)
            sys.stdout.write(
                f"{count} - {now - self._start:.0f}s - {_each(each, self.unit_name)}{self._values()}\n"
            )
            sys.stdout.flush()

    def add(self, n: int, values: Any = None) -> None:
        """Says that n more steps are done."""
        self.update(self._seen + n, values)

    def _line(self, current: int, now: float, done: bool) -> str:
        per_step = self._per_step(current, now)
        if self.target is None:
            head = f"\033[1m{current:7d}/Unknown\033[0m "
        else:
            digits = len(str(self.target))
            full = int(self.width * min(current / max(self.target, 1), 1))
            bar = f"\033[32m{'━' * full}\033[0m\033[37m{'━' * (self.width - full)}\033[0m"
            head = f"\033[1m{current:{digits}d}/{self.target}\033[0m {bar} "
        left = now - self._start if done or self.target is None else per_step * (self.target - current)
        return f"{head}\033[1m{_clock(left)}\033[0m {_each(per_step, self.unit_name)}{self._values()}"

    def _per_step(self, current: int, now: float) -> float:
        if not current:
            return 0.0
        if current == 1 or self._first is None:
            return now - self._start
        return (now - self._first) / (current - 1)

    def _values(self) -> str:
        text = ""
        for name, (total, steps) in self._sums.items():
            value = total / max(1, steps)
            text += (
                f" - {name}: {value:.4f}"
                if abs(value) > 1e-3 or not math.isfinite(value)
                else f" - {name}: {value:.4e}"
            )
        return text


def _clock(seconds: float) -> str:
    seconds = int(seconds)
    if seconds > 3600:
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    return f"{seconds // 60}:{seconds % 60:02d}" if seconds > 60 else f"{seconds}s"


def _each(seconds: float, unit: str) -> str:
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s/{unit}"
    return f"{seconds * 1e3:.0f}ms/{unit}" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us/{unit}"
