"""What became of the gradient by each source, beside the drawing and in it."""

from __future__ import annotations

from typing import Any

from gradtape._src.viz.scene import Answer, Scene, Stats
from gradtape._src.viz.words import file_name

_AT_ONCE = ("source_not_watched", "variable_not_trainable")
_MOVES = ("float", "bfloat", "complex")


def add_answer(scene: Scene, name: str, node: int | None, gradient: Stats | None, why: Any) -> None:
    """Adds an answer to a scene. ``why`` is an explanation, or None of a gradient that exists."""
    name = name or "the source"
    if why is None or why.cause == "connected":
        scene.answers.append(Answer(name, node, gradient))
        return
    place = "" if why.file is None else f"{file_name(why.file)}:{why.line}"
    scene.answers.append(Answer(name, node, None, why.cause, place, why.text, why.message, why.fix))
    integer = (
        why.cause == "integer_dtype" and node is not None and not scene.nodes[node].tensor.startswith(_MOVES)
    )
    if integer or why.cause in _AT_ONCE:  # gradients stop right behind the source
        for link in scene.links:
            if link.start == node and link.state == "plain":
                link.state, link.cause = "stop", why.cause
