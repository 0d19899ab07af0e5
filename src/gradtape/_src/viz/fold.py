"""From a scene to drawings of a size that can be read.

A drawing with more boxes than `MOST` folds: operations of one line of the program become one box, then lines of one
function, then functions of one file. Where all is of one line, name scopes fold, then operations of one kind. A box
that stands for several can be opened: it has a drawing of its own.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gradtape._src.explain import names
from gradtape._src.viz.drawing import Arrow, Box, Drawing
from gradtape._src.viz.frames import frames_of, line_label
from gradtape._src.viz.scene import Link, Location, Node, Scene
from gradtape._src.viz.words import SHORT, file_name, number, shortened, span_text, stats_text, worst

MOST = 60  # boxes in a drawing
MOST_DRAWINGS = 150
_LOOSE = ("variable", "tensor", "input", "result")  # they belong to no line
_RANK = ("plain", "open", "stop", "flow")


class Level(NamedTuple):
    """A way to fold: what the nodes of one box have in common, and what the box is called."""

    name: str
    key: Callable[[Node], Hashable]
    title: Callable[[Node], str]


@lru_cache(maxsize=4096)
def function_at(location: Location) -> tuple[str, str, int]:
    """File, name and first line of the innermost function around a line."""
    if location is None:
        return "", "", 0
    module = names.tree(location[0])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(module) if module is not None else ()
    found = [
        node
        for node in nodes
        if isinstance(node, functions) and node.lineno <= location[1] <= (node.end_lineno or 0)
    ]
    if not found:
        return location[0], "", 0
    inner = max(found, key=lambda node: node.lineno)
    return location[0], inner.name, inner.lineno


def _file_title(node: Node) -> str:
    return file_name(node.location[0]) if node.location is not None else "elsewhere"


def _function_title(node: Node) -> str:
    _, name, _ = function_at(node.location)
    return f"{name}()" if name else _file_title(node)


_LINES = (
    Level("line", lambda n: n.location, lambda n: line_label(n.location)),
    Level("function", lambda n: function_at(n.location), _function_title),
    Level("file", lambda n: n.location[0] if n.location else "", _file_title),
)
_INSIDE_A_LINE = (
    Level("name scope", lambda n: n.scope, lambda n: n.scope or "(no name scope)"),
    Level(
        "name scope",
        lambda n: n.scope.partition("/")[0],
        lambda n: n.scope.partition("/")[0] or "(no name scope)",
    ),
    Level("operation", lambda n: n.name, lambda n: n.name),
)


def fold(scene: Scene, most: int = MOST) -> list[Drawing]:
    """The drawings; the first is the one to begin with."""
    return _Folder(scene, most).drawings


class _Folder:
    def __init__(self, scene: Scene, most: int) -> None:
        self.scene = scene
        self.most = most
        self.drawings: list[Drawing] = []
        self.inside: dict[int | None, list[Node]] = {}
        for node in scene.nodes.values():
            self.inside.setdefault(node.owner, []).append(node)
        self.links: dict[int, list[Link]] = {}
        for link in scene.links:
            self.links.setdefault(link.start, []).append(link)
            self.links.setdefault(link.end, []).append(link)
        self.draw(self.inside.get(None, []), scene.title, "")

    def draw(self, nodes: Sequence[Node], title: str, parent: str) -> str:
        """Makes a drawing and those of what can be opened in it; its key."""
        if parent and len(self.drawings) >= MOST_DRAWINGS:
            return ""
        drawing = Drawing(f"d{len(self.drawings)}", title, parent)
        self.drawings.append(drawing)
        nodes = sorted(nodes, key=lambda n: (n.at >= 0, n.id))
        box_of = self._boxes(drawing, nodes)
        self._arrows(drawing, nodes, box_of)
        for box in drawing.boxes.values():
            if box.kind == "call" and not box.folded:
                body = self.inside.get(box.nodes[0].id, [])
                box.child = self.draw(body, box.title, drawing.key) if body else ""
            elif box.kind == "group" and len(box.nodes) < len(nodes) and not _one_kind(box.nodes):
                box.child = self.draw(box.nodes, box.title, drawing.key)
        return drawing.key

    # --- Boxes

    def _boxes(self, drawing: Drawing, nodes: Sequence[Node]) -> dict[int, str]:
        box_of: dict[int, str] = {}
        if len(nodes) <= self.most:
            for node in nodes:
                self._single(drawing, node, box_of)
            drawing.frames = frames_of(drawing)
            return box_of
        main = [n for n in nodes if n.kind not in _LOOSE]
        level, groups = self._level(main)
        if len(groups) > self.most:
            drawing.note = f"the first {self.most} of {len(groups)} boxes"
        for group in list(groups.values())[: self.most]:
            self._group(drawing, group, level.title(group[0]), level.name, box_of)
        self._loose(drawing, [n for n in nodes if n.kind in _LOOSE], box_of)
        return box_of

    def _level(self, nodes: Sequence[Node]) -> tuple[Level, dict[Hashable, list[Node]]]:
        """The finest way to fold that gives few boxes."""
        several = len({n.location for n in nodes}) > 1
        tried = [(level, _grouped(nodes, level.key)) for level in (_LINES if several else _INSIDE_A_LINE)]
        fitting = [(level, groups) for level, groups in tried if 1 < len(groups) <= self.most]
        return fitting[0] if fitting else min(tried, key=lambda pair: (len(pair[1]) == 1, len(pair[1])))

    def _single(self, drawing: Drawing, node: Node, box_of: dict[int, str]) -> None:
        box = Box(
            f"n{node.id}", node.kind, node.name, [node], called=node.called, role=node.role, cause=node.cause
        )
        box.details = node.details
        drawing.boxes[box.id] = box
        box_of[node.id] = box.id

    def _group(
        self, drawing: Drawing, nodes: list[Node], title: str, level: str, box_of: dict[int, str]
    ) -> None:
        if len(nodes) == 1:
            return self._single(drawing, nodes[0], box_of)
        box = Box(f"g{nodes[0].id}", "group", title, nodes)
        runs = _runs(nodes, level)
        box.times = len(runs)
        box.subtitle = _summary(nodes, level)
        box.trend = [norm for run in runs if (norm := _norm_of(run)) is not None] if len(runs) > 1 else []
        box.role = next((n.role for n in nodes if n.role), "")
        box.cause = next((n.cause for n in nodes if n.cause), "")
        box.details = _group_details(box, level)
        drawing.boxes[box.id] = box
        box_of.update(dict.fromkeys([n.id for n in nodes], box.id))

    def _loose(self, drawing: Drawing, nodes: Sequence[Node], box_of: dict[int, str]) -> None:
        """Variables and inputs: one box each if they are few, else one for those of a kind that go to one place."""
        if len(nodes) <= 16:
            for node in nodes:
                self._single(drawing, node, box_of)
            return

        def place(node: Node) -> Hashable:
            ends = (box_of.get(link.end) for link in self.links.get(node.id, ()))
            return node.kind, node.role, next((end for end in ends if end is not None), None)

        for group in _grouped(nodes, place).values():
            if len(group) == 1:
                self._single(drawing, group[0], box_of)
                continue
            kind = {"variable": "variables", "tensor": "tensors"}.get(group[0].kind, group[0].kind + "s")
            box = Box(f"g{group[0].id}", "many", f"{len(group)} {kind}", group, role=group[0].role)
            box.subtitle = ", ".join(shortened(n.name) for n in group[:3]) + (", …" if len(group) > 3 else "")
            box.details = [(n.name, _in_numbers(n)) for n in group[:40]]
            drawing.boxes[box.id] = box
            box_of.update(dict.fromkeys([n.id for n in group], box.id))

    # --- Arrows

    def _arrows(self, drawing: Drawing, nodes: Sequence[Node], box_of: dict[int, str]) -> None:
        found: dict[tuple[str, str], Arrow] = {}
        links = {id(link): link for node in nodes for link in self.links.get(node.id, ())}
        order = {node.id: i for i, node in enumerate(nodes)}
        for link in links.values():
            start = box_of.get(link.start) or self._outside(drawing, link.start)
            end = box_of.get(link.end) or self._outside(drawing, link.end)
            if start == end or not (start and end):
                continue
            arrow = found.setdefault((start, end), Arrow(start, end, [], link.state, link.cause))
            arrow.tensors.append(link.tensor)
            if _RANK.index(link.state) > _RANK.index(arrow.state):
                arrow.state, arrow.cause = link.state, link.cause
            if link.gradient is not None and link.state == "flow":
                arrow.norm = worst([arrow.norm or 0.0, link.gradient.norm])
            if link.start in order and link.end in order and order[link.start] > order[link.end] >= 0:
                arrow.back = self.scene.nodes[link.start].kind not in _LOOSE
        firsts = {box.id: i for i, box in enumerate(drawing.boxes.values())}
        for arrow in found.values():
            if drawing.boxes[arrow.start].kind == "group" or drawing.boxes[arrow.end].kind == "group":
                arrow.back = (
                    firsts[arrow.start] > firsts[arrow.end] and drawing.boxes[arrow.start].kind == "group"
                )
        drawing.arrows = list(found.values())

    def _outside(self, drawing: Drawing, id: int) -> str:
        """A box that stands for what lies outside of an opened drawing."""
        node = self.scene.nodes[id]
        if not drawing.parent:
            return ""
        loose = node.kind in _LOOSE
        key = f"o{id}" if loose else f"o{node.location}"
        if key not in drawing.boxes:
            title = node.name if loose else line_label(node.location) or node.name
            drawing.boxes[key] = Box(
                key, "outside", title, [], role=node.role, details=[("elsewhere", title)]
            )
        return key


def _one_kind(nodes: Sequence[Node]) -> bool:
    return len({(n.location, n.name, n.scope) for n in nodes}) == 1 and not any(
        n.kind == "call" for n in nodes
    )


def _grouped(nodes: Iterable[Node], key: Callable[[Node], Hashable]) -> dict[Hashable, list[Node]]:
    groups: dict[Hashable, list[Node]] = {}
    for node in nodes:
        groups.setdefault(key(node), []).append(node)
    return groups


def _runs(nodes: Sequence[Node], level: str) -> list[list[Node]]:
    """The times that a line was executed: as often as divides the numbers of all its operations."""
    if level == "operation":
        return [[node] for node in nodes]
    times = math.gcd(*Counter(n.name for n in nodes).values()) if level == "line" else 1
    size = len(nodes) // times
    return [list(nodes[i : i + size]) for i in range(0, len(nodes), size)]


def _norm_of(run: Sequence[Node]) -> float | None:
    return next((n.gradient.norm for n in reversed(run) if n.gradient is not None), None)


def _summary(nodes: Sequence[Node], level: str) -> str:
    if level == "operation":
        return nodes[-1].tensor
    kinds = list(dict.fromkeys(n.name for n in nodes))
    shown = ", ".join(kinds[:4]) + (", …" if len(kinds) > 4 else "")
    if level != "line":
        lines = len({n.location for n in nodes})
        shown = f"{lines} lines: {shown}" if lines > 1 else shown
    return shown


def _group_details(box: Box, level: str) -> list[tuple[str, str]]:
    nodes = box.nodes
    found = [(level, box.title), ("operations", f"{len(nodes):,}")]
    if level == "line" and nodes[0].location is not None:
        found.insert(1, ("file", nodes[0].location[0]))
    if box.times > 1:
        found.append(("executed", f"{box.times:,} times"))
    for name, stats in (("norms of values", box.values()), ("norms of gradients", box.gradients())):
        if stats:
            found.append((name, span_text(s.norm for s in stats)))
    causes = dict.fromkeys(n.cause for n in nodes if n.cause)
    return [*found, *(("gradient stops", SHORT[cause]) for cause in causes)]


def _in_numbers(node: Node) -> str:
    found = [node.tensor]
    found += [] if node.value is None else ["value: " + stats_text(node.value)]
    found += [] if node.gradient is None else ["gradient norm " + number(node.gradient.norm)]
    return "; ".join(found)
