"""Freed memory stays with the process for the next array.

By default glibc gives the end of its heap back to the system as soon as some 100 KiB of it are free, and takes larger
arrays from the system each time. The pages of every new array are then mapped in anew, one fault each, which can take
longer than the arithmetic on them. Whoever has set glibc's own variables (``MALLOC_TRIM_THRESHOLD_``, ...) keeps them.
"""

from __future__ import annotations

import ctypes
import os
import sys

# glibc's numbers of the parameters, and what is kept: arrays of up to 32 MiB (the most that it allows) come from the
# heap, of which up to 256 MiB may stay free.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT, _LARGEST = 256 << 20, 32 << 20


def keep_freed_memory() -> None:
    """Tells glibc; elsewhere nothing."""
    if sys.platform != "linux" or any(name.startswith("MALLOC_") for name in os.environ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGEST)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
