"""What became of the gradient by each source, beside the drawing and in it."""

from __future__ import annotations

from typing import Any

from gradtape._src.viz.scene import Answer, Link, Scene, Stats
from gradtape._src.viz.words import file_name

_AT_ONCE = ("source_not_watched", "variable_not_trainable")


def add_answer(scene: Scene, name: str, node: int | None, gradient: Stats | None, why: Any) -> None:
    """Adds an answer to a scene. ``why`` is an explanation, or None of a gradient that exists."""
    name = name or "the source"
    if has_gradient(why):
        scene.answers.append(Answer(name, node, gradient))
        return
    place = "" if why.file is None else f"{file_name(why.file)}:{why.line}"
    scene.answers.append(Answer(name, node, None, why.cause, place, why.text, why.message, why.fix))
    if node is not None:
        _mark(scene, node, why)


def has_gradient(why: Any) -> bool:
    """Whether an explanation, or None, is of a gradient that exists."""
    return why is None or why.cause == "connected"


def _mark(scene: Scene, node: int, why: Any) -> None:
    """Shows the cause where the path ends, if the links say nothing of it yet: behind the source, or at its line."""
    links: dict[int, list[Link]] = {}
    for link in scene.links:
        links.setdefault(link.start, []).append(link)
    waiting = [node]
    for id_ in waiting:
        for link in links.get(id_, ()):
            if link.state == "stop":
                return
            if link.end not in waiting:
                waiting.append(link.end)
    ways = [link for id_ in waiting for link in links.get(id_, ()) if link.state != "flow"]
    place = None if why.file is None else (why.file, why.line)
    here = [link for link in ways if scene.nodes[link.end].location == place is not None]
    source = scene.nodes[node]
    integer = why.cause == "integer_dtype" and not source.tensor.startswith(("float", "bfloat", "complex"))
    if why.cause in _AT_ONCE or integer or source.location == place:
        here = [link for link in ways if link.start == node]
    for link in here:
        link.state, link.cause = "stop", why.cause
