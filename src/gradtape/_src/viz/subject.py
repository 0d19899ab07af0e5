"""What is known of the program that is to be drawn, whatever recorded it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradtape._src.explain.edges import block
from gradtape._src.explain.history import Event, History, Vertex
from gradtape._src.explain.walk import ancestors, path
from gradtape._src.viz.scene import Location, Stats


@dataclass
class Subject:
    """A history, and a question to it.

    Attributes:
      sources, targets: vertices; the targets may be none.
      connected: the sources whose gradients exist; None if that is not known, for all of them.
      followed: what the tape followed; None for a graph, of which no more is drawn than leads to the targets.
      free: vertices to which the gradients of gradients are known to be recorded.
      spans: from when to when the tape recorded, in the events' own count; none if everything is of the tape.
      stops: what is taken for constants.
      names: of tensors, as the user calls them.
      variables: the names of variables, by their vertices.
      values, gradients: in numbers; ``gradients`` is None where only their paths are known.
      places: where a tensor was made: a location and a name scope.
      kind_of: shape and dtype of a vertex.
      drawn: the nodes of the sources, once they are drawn.
    """

    history: History
    sources: Sequence[Vertex]
    targets: Sequence[Vertex]
    kind_of: Callable[[Vertex], tuple[Any, Any]]
    connected: Collection[Vertex] | None = None
    followed: Collection[Vertex] | None = None
    free: Collection[Vertex] = ()
    spans: Sequence[tuple[int, int | None]] = ()
    stops: Collection[Vertex] = ()
    names: dict[Vertex, str] = field(default_factory=dict)
    variables: dict[Vertex, str] = field(default_factory=dict)
    values: dict[Vertex, Stats] = field(default_factory=dict)
    gradients: dict[Vertex, Stats] | None = None
    places: dict[Vertex, tuple[Location, str]] = field(default_factory=dict)
    drawn: dict[Vertex, int] = field(default_factory=dict)

    def recorded(self, at: int) -> bool:
        """Whether the tape recorded at this time."""
        return not self.spans or any(a <= at and (b is None or at < b) for a, b in self.spans)

    def block(self, event: Event, i: int, out: Vertex) -> str | None:
        """What stops a gradient from an output to input i: a word of flow.CAUSE_OF; None if it passes."""
        if out in self.stops:
            return "stop"
        found = block(self.history, event, i, out)
        if found == "gradient" and out in self.free:
            return None
        if found is not None or self.followed is None or event.kind not in ("op", "read"):
            return found
        if type(out) is tuple or out in self.followed or event.inputs[i] not in self.followed:
            return None
        return "late" if self.recorded(event.at) else "outside"


def owner_key(event: Event) -> Any:
    """Of an event inside a body what identifies the body; None at the top level."""
    for vertex in (*event.outputs, *event.inputs):
        if type(vertex) is tuple and type(vertex[0]) is tuple:
            return vertex[0]
    return None


def selected(subject: Subject) -> list[Event]:
    """The events to draw, in order: what the tape recorded, what the targets are made of, and the ways between."""
    history = subject.history
    top = [e for e in history.events if e.kind != "whole" or owner_key(e) is None]
    above = ancestors(history, subject.targets)
    starts = subject.sources if subject.followed is not None else set(subject.sources).difference(above)
    within = _forward(top, starts, subject.recorded)
    anywhere = _forward(top, subject.sources, lambda at: True) if subject.spans else within
    first = min((a for a, _ in subject.spans), default=None)
    chosen = set()
    for i, event in enumerate(history.events):
        if event.kind == "root":
            continue
        made = any(out in above for out in event.outputs)
        if made and (first is None or event.at >= first or id(event) in anywhere):
            chosen.add(i)
        elif id(event) in within and (event.kind in ("op", "whole", "read") or not subject.targets):
            chosen.add(i)
    ids = {id(history.events[i]) for i in chosen}
    for source in subject.sources:
        steps = path(history, source, subject.targets) if subject.targets and source not in above else None
        ids.update(id(step.event) for step in steps or ())
    kept = [e for e in history.events if id(e) in ids]
    return _with_bodies(history, kept)


def _forward(events: Sequence[Event], starts: Collection[Vertex], when: Callable[[int], bool]) -> set[int]:
    """The events that use what the starts lead to, as ids. What left the library leads nowhere."""
    reached, found = set(starts), set()
    for event in events:
        if when(event.at) and not reached.isdisjoint(event.inputs):
            found.add(id(event))
            if event.kind not in ("left", "data", "choice"):
                reached.update(event.outputs)
    return found


def _with_bodies(history: History, events: Sequence[Event]) -> list[Event]:
    """With all events inside the calls, loops and branches among them, and none of other bodies."""
    wholes = {e.outputs[:1] for e in events if e.kind == "whole"}
    ids = {id(e) for e in events}
    found = []
    for event in history.events:
        key = owner_key(event)
        if key is None:
            if id(event) in ids:
                found.append(event)
        elif key[-1] in wholes:
            found.append(event)
            if event.kind == "whole":
                wholes.add(event.outputs[:1])
    return found
