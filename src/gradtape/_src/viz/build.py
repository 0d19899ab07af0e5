"""From events to the nodes and links of a scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gradtape._src.core.dtypes import from_numpy
from gradtape._src.explain.history import Event, Vertex
from gradtape._src.explain.wording import update
from gradtape._src.function.body import Call
from gradtape._src.graph.ir import SymbolGhost
from gradtape._src.viz.flow import Flow, inside_body
from gradtape._src.viz.scene import Node, Scene
from gradtape._src.viz.subject import Subject, owner_key, selected
from gradtape._src.viz.words import SHORT, described, scalar_text

_ENDS = ("state", "left", "data", "gradient", "choice", "feed")
_READS = ("ReadVariableOp", "VariableV2")
_FORMS = {"While": "loop", "If": "branches"}
# Name scopes that are the library's, not the user's.
_OWN_SCOPES = re.compile(r"(while|cond|case|switch_case|map|scan|foldl|foldr)(_\d+)?\Z")
_PARTS = {"loop": "step of the loop", "test": "condition of the loop", "branch": "branch", "call": "function"}


def build(subject: Subject, title: str) -> Scene:
    """The scene of a subject, without its answers."""
    return _Builder(subject, title).scene


class _Builder:
    def __init__(self, subject: Subject, title: str) -> None:
        self.subject = subject
        self.scene = Scene(title, asked=bool(subject.targets))
        self.events = selected(subject)
        self.of: dict[Vertex, int] = {}  # the node that gives a vertex
        self.same: dict[Vertex, Vertex] = {}  # what was read of a variable, or captured, is the thing itself
        self.bodies: dict[Any, int] = {}  # the node of a call, by its first output
        self.ids: dict[int, int] = {}  # the node of an event, by the event's id
        self.flow = Flow(subject, self.events)
        for event in self.events:
            self._node(event)
        for event in self.events:
            self._links(event)
        self._roles()
        self._finish()

    # --- Nodes

    def _node(self, event: Event) -> None:
        if event.kind == "read" or (event.name in _READS and event.inputs):
            self.same[event.outputs[0]] = event.inputs[0]
        elif event.outputs and self.same.keys() >= set(event.outputs):
            return  # it stands for something outside
        elif event.kind == "capture" and event.name != "fetched":
            self._capture(event)
        elif event.kind == "root":  # a number that comes from what left the library before
            self.same[event.outputs[0]] = event.inputs[0]
        elif event.kind in ("op", "whole", *_ENDS) or event.name == "fetched":
            tensor = self._tensor(event.outputs[:1])
            node = self.scene.add(self._kind(event), _label(event), tensor, at=event.at)
            self._place(node, event)
            self.ids[id(event)] = node.id
            for out in event.outputs:  # of a placeholder that is fed, the placeholder gives it
                self.of[out] = self.of.get(out, node.id) if event.kind == "feed" else node.id
            if event.kind == "whole":
                self.bodies[event.outputs[:1]] = node.id
            shown = next((out for out in event.outputs if out in self.subject.names), None)
            node.called = self.subject.names.get(shown, "")
            self._numbers(node, event.outputs)

    def _capture(self, event: Event) -> None:
        """The inputs and results of a body are nodes in it; what a function captured is what it was outside."""
        key, (out,) = owner_key(event), event.outputs
        if key is None or (event.name == "argument" and not inside_body(out)):
            if event.name != "result":
                self.same[out] = event.inputs[0]
        elif event.name == "argument" and out not in self.of:
            name = _own_name(out[1]) or "input"
            node = self.scene.add("input", name, self._tensor([out]), at=event.at)
            self._own(node, out[0])
            self.of[out] = node.id
        elif event.name == "result" and event.inputs[0] is not None and inside_body(event.inputs[0]):
            if inside_body(out) and out[0] == event.inputs[0][0]:  # carried into the next step
                return
            if not self._text(out):  # all steps' values of something that the gradient of a loop reads
                return
            node = self.scene.add("result", "result", self._tensor([out]), at=event.at)
            self._own(node, event.inputs[0][0])
            self.ids[id(event)] = node.id

    def _kind(self, event: Event) -> str:
        if event.kind == "op":
            return "custom" if event.name == "WithGradient" else "op"
        return "call" if event.kind == "whole" else "end"

    def _own(self, node: Node, key: Any) -> None:
        node.owner = self.bodies.get(key[-1])
        node.part = _PARTS.get(key[0], "") + (f" {key[1]}" if key[0] == "branch" else "")

    def _place(self, node: Node, event: Event) -> None:
        key = owner_key(event)
        if key is not None:
            self._own(node, key)
        out: Any = event.outputs[0] if event.outputs else None
        location, scope = self.subject.places.get(out, (None, ""))
        ghost = out[1] if inside_body(out) else out
        if isinstance(ghost, SymbolGhost):
            made = ghost.stands_for.op
            parts = made.name.split("/")[:-1]
            location, scope = made.location, "/".join(part for part in parts if not _OWN_SCOPES.match(part))
        node.location, node.scope = event.location or location, scope.strip("/")

    def _numbers(self, node: Node, outputs: Sequence[Vertex]) -> None:
        values, gradients = self.subject.values, self.subject.gradients or {}
        node.value = next((values[out] for out in outputs if out in values), None)
        node.gradient = next((gradients[out] for out in outputs if out in gradients), None)

    def _tensor(self, vertices: Sequence[Vertex]) -> str:
        return self._text(vertices[0]) if vertices else ""

    def _text(self, vertex: Vertex) -> str:
        shape, dtype = self.subject.kind_of(vertex)
        if dtype is None or dtype.kind == "O":
            return ""
        name = from_numpy(dtype).name
        if shape is None:
            return f"{name} ?"
        return name if shape == () else f"{name} " + "×".join("?" if d is None else str(d) for d in shape)

    # --- Links

    def _giver(self, vertex: Vertex, force: bool = False) -> int | None:
        """The node of a vertex; a new one for what was made before. None for a number written in the program."""
        seen = set()
        while vertex in self.same and vertex not in seen:
            seen.add(vertex)
            vertex = self.same[vertex]
        if vertex in self.of:
            return self.of[vertex]
        subject = self.subject
        variable = subject.variables.get(vertex)
        maker = subject.history.maker(vertex)
        shape, _ = subject.kind_of(vertex)
        if not (force or variable or vertex in subject.names or shape != ()):
            return None
        if type(vertex) is tuple and not inside_body(vertex):  # the state of a variable, before what is drawn
            return None
        kind = "variable" if variable else "tensor"
        made = "constant" if maker is None or maker.kind == "root" else _label(maker)
        name = variable or subject.names.get(vertex) or made
        node = self.scene.add(kind, name, self._text(vertex), at=-1)
        node.location = None if maker is None else maker.location
        if maker is not None and maker.kind == "op":
            node.details.append(("made", "before the tape, by " + _label(maker)))
        if inside_body(vertex):
            self._own(node, vertex[0])
        self._numbers(node, [vertex])
        self.of[vertex] = node.id
        return node.id

    def _links(self, event: Event) -> None:
        if event.kind == "read" and len(event.inputs) > 1:  # the variable was assigned to
            assigned, variable = self.of.get(event.inputs[1]), self._giver(event.inputs[0])
            if assigned is not None and variable is not None:
                self.scene.link(assigned, variable, self._text(event.inputs[0]))
            return
        if event.name == "result" and id(event) not in self.ids:
            [start], [out] = list(event.inputs), list(event.outputs)
            if start is not None and inside_body(out) and inside_body(start) and start[0] == out[0]:
                a, b = self._giver(start), self._giver(out)
                if a is not None and b is not None and a != b:
                    self.scene.link(a, b, self._text(start), self.flow.between(start, out))
            return
        end = self.ids.get(id(event))
        if end is None:
            return
        node, constants = self.scene.nodes[end], []
        for i, vertex in enumerate(event.inputs):
            start = None if vertex is None else self._giver(vertex)
            if start is None:
                constants.append(scalar_text(self.subject.history, vertex))
            elif start != end:
                state, cause = self.flow.state(event, i, vertex)
                link = self.scene.link(start, end, self._text(vertex), state, cause)
                link.gradient = (self.subject.gradients or {}).get(vertex) if state == "flow" else None
                node.cause = node.cause or (cause if state == "stop" else "")
        if event.kind == "feed" and (fed := self.of[event.outputs[0]]) != end:
            self.scene.link(end, fed, node.tensor)
        known = [text for text in constants if text]
        if known:
            node.details.append(("constants", ", ".join(known)))

    def _roles(self) -> None:
        subject = self.subject
        for role, vertices in (("target", subject.targets), ("source", subject.sources)):
            for vertex in vertices:
                id_ = self._giver(vertex, force=True)
                if id_ is not None:
                    node = self.scene.nodes[id_]
                    node.role = f"{node.role} {role}" if node.role not in ("", role) else role
                    subject.drawn[vertex] = id_

    def _finish(self) -> None:
        """One link for a tensor that goes into an operation twice, and no inputs that nothing uses."""
        found: dict[tuple[int, int], Any] = {}
        rank = ("plain", "open", "stop", "flow")
        for link in self.scene.links:
            old = found.get((link.start, link.end))
            if old is None or rank.index(link.state) > rank.index(old.state):
                found[link.start, link.end] = link
        self.scene.links = list(found.values())
        used, unused = {link.start for link in self.scene.links}, []
        for node in self.scene.nodes.values():
            if node.kind == "input" and node.id not in used:
                unused.append(node.id)
            node.details = [*described(node), *node.details]
            if node.cause:
                node.details.append(("gradient stops", SHORT[node.cause]))
        for id_ in unused:
            del self.scene.nodes[id_]


def _own_name(ghost: Any) -> str:
    """The name of an argument of a function."""
    return ghost.stands_for.op.name.rpartition("/")[2] if isinstance(ghost, SymbolGhost) else ""


def _label(event: Event | None) -> str:
    """What the picture calls an event."""
    if event is None:
        return "tensor"
    if event.kind == "whole":
        return event.op.body.name if isinstance(event.op, Call) else _FORMS.get(event.name, event.name)
    if event.name == "WithGradient":
        return "custom gradient"
    if event.kind == "state":
        return update(event.name)
    if event.kind == "feed":
        return "feed_dict"
    plain = event.name.removesuffix("Absorbing").removesuffix("V2")
    return {"fetched": "Session.run", "bool()": "if …"}.get(event.name, plain)
