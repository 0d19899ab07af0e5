"""How many processors the program may use."""

from __future__ import annotations

import os


def processors() -> int:
    """Those that the system lets this process use, where it says so; otherwise all."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
