"""The path from a source to a target on which least stops the gradient."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable
from itertools import count
from typing import NamedTuple

from gradtape._src.explain.edges import block
from gradtape._src.explain.history import Event, History, Vertex


class Step(NamedTuple):
    """One event of a path, from a vertex to another, and what stops the gradient there (None: nothing)."""

    event: Event
    start: Vertex
    end: Vertex
    block: str | None


def path(
    history: History,
    source: Vertex,
    targets: Iterable[Vertex],
    extra: Callable[[Event, Vertex, Vertex], str | None] = lambda event, start, end: None,
    free: Collection[Vertex] = (),
    coarse: bool = False,
) -> list[Step] | None:
    """The steps from the source to a target with the fewest blocks, if possible not as an index, as near to the target
    as possible, and of those the shortest; None if there is none.

    Args:
      extra: says of a step that the operations let pass what else stops it.
      free: vertices to which gradients of gradients are known to be recorded.
      coarse: takes loops and branches for operations that connect every input with every output.
    """
    order = count()
    best: dict[Vertex, tuple[int, int, int, int]] = {}
    after: dict[Vertex, Step] = {}
    heap = []
    for target in targets:
        best[target] = (0, 0, 0, 0)
        heapq.heappush(heap, (*best[target], next(order), target))
    while heap:
        *reached, _, vertex = heapq.heappop(heap)
        if vertex == source:
            return _steps(after, source)
        if tuple(reached) > best[vertex]:
            continue
        blocks, indices, far, length = reached
        for event in history.makers.get(vertex, ()):
            if event.kind == "whole" and not (coarse and event.name in ("While", "If")):
                continue
            for i, start in enumerate(event.inputs):
                if start is None:
                    continue
                stop = "whole" if event.kind == "whole" else block(history, event, i, vertex)
                if stop == "gradient" and vertex in free:
                    stop = None
                if stop is None:
                    stop = extra(event, start, vertex)
                far_now = far if stop is None else far + length
                cost = (blocks + (stop is not None), indices + (stop == "index"), far_now, length + 1)
                if start not in best or cost < best[start]:
                    best[start] = cost
                    after[start] = Step(event, start, vertex, stop)
                    heapq.heappush(heap, (*cost, next(order), start))
    return None


def _steps(after: dict[Vertex, Step], source: Vertex) -> list[Step]:
    found = []
    while source in after:
        step = after[source]
        found.append(step)
        source = step.end
    return found


def ancestors(history: History, vertices: Iterable[Vertex], coarse: bool = False) -> dict[Vertex, int]:
    """All that the vertices were made of, with the number of steps to it."""
    found: dict[Vertex, int] = dict.fromkeys(vertices, 0)
    waiting = list(found)
    for vertex in waiting:
        for event in history.makers.get(vertex, ()):
            if event.kind in ("left", "data") or (event.kind == "whole" and not coarse):
                continue
            for start in event.inputs:
                if start is not None and start not in found:
                    found[start] = found[vertex] + 1
                    waiting.append(start)
    return found
