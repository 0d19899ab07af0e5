"""Along which links a gradient comes back, and what stops it on the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.explain.history import Event, Vertex
from gradtape._src.viz.subject import Subject

# What stops a gradient, in the words of edges.block, and which cause of docs/reasons.md that is.
CAUSE_OF = {
    "state": "went_through_variable_state",
    "left": "left_the_library",
    "data": "data_pipeline",
    "gradient": "first_gradient_not_recorded",
    "index": "used_only_as_index",
    "integer": "integer_dtype",
    "stop": "stop_gradient",
    "op": "op_not_differentiable",
    "none": "rule_returned_none",
    "late": "watched_too_late",
    "outside": "target_computed_outside_tape",
}


class Flow:
    """The states of links: see scene.Link.

    Attributes:
      live: what depends on a source by a path that lets gradients pass.
      back: what a target depends on by such a path.
      passing: what a gradient goes through: both, for a source whose gradient exists.
    """

    def __init__(self, subject: Subject, events: Sequence[Event]) -> None:
        self.subject = subject
        self.live = _live(subject, events, subject.sources)
        self.back = _reached(subject, events)
        known = subject.connected
        self.passing = self.back & (self.live if known is None else _live(subject, events, known))

    def state(self, event: Event, i: int, vertex: Vertex) -> tuple[str, str]:
        """The state of the link from a vertex into input i of an event, and the cause if it stops a gradient."""
        if vertex not in self.live:
            return "plain", ""
        if event.kind == "whole":
            outs = [out for out in event.outputs if out in self.live]
            dtype = self.subject.kind_of(vertex)[1]
            moves = dtype is not None and is_differentiable_np(dtype)
            return self._reply(vertex, outs) if outs else ("stop", "inside") if moves else ("plain", "")
        if event.kind == "capture":
            return self.between(vertex, event.outputs[0]), ""
        if event.name == "WithGradient" and i < len(event.outputs):
            return "plain", ""  # its value passes here; its gradient goes another way
        stops = [self.subject.block(event, i, out) for out in event.outputs] or [event.kind]
        outs = [out for out, stop in zip(event.outputs, stops, strict=False) if stop is None]
        if outs:
            return self._reply(vertex, outs)
        if stops[0] == "index" and vertex in self.back:  # it gets its gradient another way
            return "plain", ""
        if stops[0] == "gradient" and self.subject.recorded(event.at):
            return "stop", "derivative_is_constant"
        return "stop", CAUSE_OF.get(stops[0] or "", "left_the_library")

    def between(self, start: Vertex, out: Vertex) -> str:
        """The state of a link that only hands on: into a body, out of it, or into the next step of a loop."""
        if start in self.live and out in self.live:
            return "flow" if {start, out} <= self.passing else "open"
        return "plain"

    def _reply(self, vertex: Vertex, outs: Sequence[Vertex]) -> tuple[str, str]:
        """What a link says that lets gradients pass from some of the outputs."""
        if vertex not in self.passing or not any(out in self.back for out in outs):
            return "open", ""
        gradients = self.subject.gradients
        if gradients is None or vertex in gradients or inside_body(vertex):
            return "flow", ""
        return ("stop", CAUSE_OF["none"]) if any(out in gradients for out in outs) else ("open", "")


def inside_body(vertex: Any) -> bool:
    """Whether it is a vertex inside a call, a loop or a branch."""
    return type(vertex) is tuple and type(vertex[0]) is tuple


def _live(subject: Subject, events: Sequence[Event], sources: Iterable[Vertex]) -> set[Vertex]:
    """What depends on the sources by a path that lets gradients pass."""
    uses: dict[Vertex, list[tuple[Event, int]]] = {}
    for event in events:
        if event.kind not in ("whole", "condition"):
            for i, vertex in enumerate(event.inputs):
                if vertex is not None:
                    uses.setdefault(vertex, []).append((event, i))
    found = {s for s in sources if subject.followed is None or s in subject.followed}
    waiting = list(found)
    for vertex in waiting:
        for event, i in uses.get(vertex, ()):
            for out in event.outputs:
                if out not in found and subject.block(event, i, out) is None:
                    found.add(out)
                    waiting.append(out)
    return found


def _reached(subject: Subject, events: Sequence[Event]) -> set[Vertex]:
    """What the targets depend on by a path that lets gradients pass."""
    makers: dict[Vertex, list[Event]] = {}
    for event in events:
        if event.kind not in ("whole", "condition"):
            for out in event.outputs:
                makers.setdefault(out, []).append(event)
    found = set(subject.targets)
    waiting = list(found)
    for vertex in waiting:
        for event in makers.get(vertex, ()):
            for i, start in enumerate(event.inputs):
                if start is not None and start not in found and subject.block(event, i, vertex) is None:
                    found.add(start)
                    waiting.append(start)
    return found
