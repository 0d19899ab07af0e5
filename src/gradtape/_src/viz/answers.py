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
    """Shows the cause where the path ends: behind the source, or, if the links say nothing of it yet, at its line."""
    source, place = scene.nodes[node], None if why.file is None else (why.file, why.line)
    links: dict[int, list[Link]] = {}
    for link in scene.links:
        links.setdefault(link.start, []).append(link)
    integer = why.cause == "integer_dtype" and not source.tensor.startswith(("float", "bfloat", "complex"))
    if why.cause in _AT_ONCE or integer or source.location == place is not None:
        here = links.get(node, [])
    else:
        ways = _behind(links, node)
        stopped = any(link.state == "stop" for link in ways)
        here = [link for link in ways if scene.nodes[link.end].location == place is not None and not stopped]
    for link in here:
        if link.state in ("plain", "open"):
            link.state, link.cause = "stop", why.cause


def _behind(links: dict[int, list[Link]], node: int) -> list[Link]:
    """All links that lead on from a node."""
    seen, waiting = {node}, [node]
    for id_ in waiting:
        ends = [link.end for link in links.get(id_, ()) if link.end not in seen]
        seen.update(ends)
        waiting += dict.fromkeys(ends)
    return [link for id_ in waiting for link in links.get(id_, ())]
