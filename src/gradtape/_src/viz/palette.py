"""Colours: blue for values, green for gradients that come back, red for where they stop; darker is larger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

VALUES = ("#c3dafe", "#60a5fa", "#1e3a8a")
GRADIENTS = ("#a9e4b9", "#3fb46c", "#065f33")
STOP = "#d92525"
BAD = "#a21caf"  # NaN and infinity
IDLE = "#b6bec9"
OPEN = "#64748b"
_FLOOR = 1e-40
_DECADES = 12  # what is smaller than the largest by more looks like zero


class Scale:
    """Norms as colours, by their logarithms, from the smallest to the largest that are shown."""

    def __init__(self, norms: Iterable[float], stops: Sequence[str]) -> None:
        logs = [math.log10(x) for x in norms if x > _FLOOR and math.isfinite(x)]
        self.low, self.high = (min(logs), max(logs)) if logs else (0.0, 0.0)
        self.low = max(self.low, self.high - _DECADES)
        self.known = bool(logs)
        self.stops = stops

    def __call__(self, norm: float) -> str:
        if not math.isfinite(norm):
            return BAD
        return mixed(self.stops, self.place(norm))

    def place(self, norm: float) -> float:
        """From 0, the smallest, to 1."""
        if norm <= _FLOOR or not math.isfinite(norm):
            return 0.0
        if self.high - self.low < 1e-9:
            return 0.6
        return min(1.0, max(0.0, (math.log10(norm) - self.low) / (self.high - self.low)))


def mixed(stops: Sequence[str], t: float) -> str:
    """The colour at t of a ramp through ``stops``."""
    i = min(int(t * (len(stops) - 1)), len(stops) - 2)
    part = t * (len(stops) - 1) - i
    a, b = _rgb(stops[i]), _rgb(stops[i + 1])
    return "#" + "".join(f"{round(x + (y - x) * part):02x}" for x, y in zip(a, b, strict=True))


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
