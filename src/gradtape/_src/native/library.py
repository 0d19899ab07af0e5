"""The compiled library, if there is one, and the threads that it uses."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape._src.core.processors import processors

if TYPE_CHECKING:
    from collections.abc import Iterator

kernels: Any = None
try:
    from gradtape._src.native import _kernels  # type: ignore[attr-defined]

    kernels = _kernels
except ImportError:  # built without a C compiler
    pass

WIDTH = 16  # columns of a tile: as in tiles.h
_FLOAT32 = np.dtype(np.float32)
_WORTH_A_THREAD = 1 << 20  # multiplications: to wake a thread takes nearly as long as so many of them

_in_use = [kernels is not None and os.environ.get("GRADTAPE_NATIVE", "1") != "0"]
_threads = [0]


def suits(*arrays: tuple[Any, tuple[int, ...]]) -> bool:
    """Whether the library can work on arrays: they have to be float32, aligned, and of the given shapes."""
    if not _in_use[0]:
        return False
    for x, shape in arrays:
        if x.dtype != _FLOAT32 or x.shape != shape or not x.flags.aligned:
            return False
    return True


@contextmanager
def use(wanted: bool) -> Iterator[None]:
    """With the library, if there is one, or without it. For comparisons of the two."""
    before, _in_use[0] = _in_use[0], wanted and kernels is not None
    try:
        yield
    finally:
        _in_use[0] = before


def set_threads(n: int) -> None:
    """How many threads a kernel may use; 0: one for each core."""
    _threads[0] = n


def threads() -> int:
    return _threads[0] or processors()


def run(kernel: Any, arrays: tuple[Any, ...], columns: int, work: int, portion: int = WIDTH) -> None:
    """Executes a kernel on all columns, in several threads if the work (in multiplications) is worth it."""
    share = work // _WORTH_A_THREAD
    kernel(*arrays, columns, portion, min(threads(), share) - 1 if share > 1 else 0)
