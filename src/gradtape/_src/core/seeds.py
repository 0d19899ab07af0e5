"""Where the numbers of a random operation come from: the global seed, seeds of operations, their streams.

`stream_for` gives the stream that an operation takes its numbers from, at the places where TensorFlow 2.21
takes them. Rests on ``core/philox.py``, and on the standard library's generator for the seeds of operations
without one.
"""

from __future__ import annotations

import os
import random
from threading import Lock
from typing import Any

from gradtape._src.core.context import current_interpreter
from gradtape._src.core.philox import Stream

_LARGEST = 2**31 - 1
DEFAULT_GLOBAL_SEED = 87654321  # where only the operation has a seed
_MOST_STREAMS = 1 << 16

_lock = Lock()
_global_seed: Any = None
_seeds = random.Random()  # of operations without a seed of their own
_streams: dict[tuple[Any, ...], Stream] = {}


def unpredictable() -> Stream:
    return Stream(int.from_bytes(os.urandom(8)), int.from_bytes(os.urandom(8)) << 64)


_entropy = unpredictable()


def _after_fork() -> None:
    """A child must not repeat its parent's numbers, unless there is a seed that says so."""
    global _entropy, _lock
    _entropy, _lock = unpredictable(), Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def as_seed(seed: Any) -> Any:
    """A seed as a Python number: from an integer tensor or array of one element, too."""
    if seed is None or isinstance(seed, (int, float)):
        return seed
    try:
        return int(seed)
    except (TypeError, ValueError):
        raise TypeError(f"Expected an integer for argument 'seed', received {seed!r}.") from None


def set_global_seed(seed: Any) -> None:
    """Begins the numbers of all operations anew. None: they become unpredictable."""
    global _global_seed, _seeds
    seed = as_seed(seed)
    with _lock:
        _global_seed = seed
        _seeds = random.Random(seed)
        _streams.clear()


def global_seed() -> Any:
    """The seed that was set last, or None."""
    return _global_seed


def seeds_for(op_seed: Any) -> tuple[int, int] | None:
    """The two seeds of an operation; None if nothing determines them."""
    op_seed = as_seed(op_seed)
    with _lock:
        if _global_seed is not None:
            return pair(_global_seed, _seeds.randint(0, _LARGEST) if op_seed is None else op_seed)
    return None if op_seed is None else pair(DEFAULT_GLOBAL_SEED, op_seed)


def pair(seed: Any, op_seed: Any) -> tuple[int, int]:
    """The two seeds in the form that operations take: below 2^31 - 1, and not both 0."""
    seeds = int(seed % _LARGEST), int(op_seed % _LARGEST)
    return seeds if any(seeds) else (0, _LARGEST)


def stream_for(op_seed: Any, *kind: Any) -> Stream:
    """The stream for one execution of a random operation, or in a graph for all executions of its node.

    Executed at once, operations of one ``kind`` (name and dtypes) with the same seed share a stream. An
    interpreter that has a method ``random_seeds(op_seed)`` (a graph builder) gives the seeds, or None,
    instead of `seeds_for`, and every node has a stream of its own.
    """
    interpreter = current_interpreter()
    own = None if interpreter is None else getattr(interpreter, "random_seeds", None)
    if own is not None:
        seeds = own(op_seed)
        return unpredictable() if seeds is None else Stream.of(*seeds)
    seeds = seeds_for(op_seed)
    if seeds is None:
        return _entropy
    if op_seed is None:
        return Stream.of(*seeds)
    key = (*kind, seeds)
    with _lock:
        found = _streams.get(key)
        if found is None:
            while len(_streams) >= _MOST_STREAMS:
                del _streams[next(iter(_streams))]
            found = _streams[key] = Stream.of(*seeds)
    return found
