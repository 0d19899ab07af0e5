"""The random numbers of datasets: the words of TensorFlow's generator, so that orders are TensorFlow's.

A transformation has two seeds (``core/seeds.py``). Each pass has a generator: begun from these seeds, or, where passes
are to differ, from two words of a generator that all passes share.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from gradtape._src.control.body import is_symbolic
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.philox import Stream, blocks
from gradtape._src.core.seeds import seeds_for

_BLOCKS = 1024  # computed at a time


def seeds_of(seed: Any) -> tuple[int, int] | None:
    """The two seeds of a transformation that is made now; None if nothing determines them."""
    own = getattr(current_interpreter(), "random_seeds", seeds_for)
    return own(seed)


def words(seeds: tuple[int, int] | None) -> Iterator[int]:
    """Random words of 32 bits without end."""
    stream = Stream.of(*(_fresh() if seeds is None else seeds))
    n = 2  # few at first: a pass that begins takes two
    while True:
        key, counter = stream.take(n)
        yield from blocks(key, counter, n).reshape(-1).tolist()
        n = min(8 * n, _BLOCKS)


def _fresh() -> tuple[int, int]:
    return int.from_bytes(os.urandom(7)), int.from_bytes(os.urandom(7))


def generators(seeds: tuple[int, int] | None, differ: bool) -> Callable[[dict[Any, Any]], Iterator[int]]:
    """A function that gives the words of the next pass. Passes are alike unless they are to ``differ``.

    It takes the dictionary that the pass was begun with. A dataset of a graph is made anew whenever the graph is
    executed: its state is kept there.
    """
    key = object()
    first = _fresh() if seeds is None else seeds
    if is_symbolic():
        state = lambda: words(_fresh() if seeds is None else seeds)
        shared_by = lambda values: values.setdefault(key, state())
    else:
        shared = words(first)
        shared_by = lambda values: shared
    if not differ:
        return lambda values: words(first)

    def begin(values: dict[Any, Any]) -> Iterator[int]:
        one, two = islice(shared_by(values), 2)
        return words((one, two))

    return begin


def shuffled(elements: Iterator[Any], size: int, random: Iterator[int]) -> Iterator[Any]:
    """The elements, each drawn from a buffer of the next ``size`` ones. TensorFlow's algorithm, word by word.

    The buffer is a ring: what is drawn changes places with the first, whose place the next element takes.
    """
    buffer = list(islice(elements, size))
    n = left = len(buffer)
    first = 0
    if n == size:
        for coming, word in zip(elements, random):
            i = (first + word % n) % n
            yield buffer[i]
            buffer[i] = buffer[first]
            buffer[first] = coming
            first = (first + 1) % n
    for left in range(n, 0, -1):
        i = (first + next(random) % left) % n
        yield buffer[i]
        buffer[i] = buffer[first]
        first = (first + 1) % n
