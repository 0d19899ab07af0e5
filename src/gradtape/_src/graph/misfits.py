"""TensorFlow's words about two operands of a graph's operation that do not go together."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import shape_of


def dtypes_differ(node: Any, ghosts: list[Any]) -> str | None:
    """TensorFlow's words about two operands of different dtypes."""
    if len(ghosts) != 2 or not node.op.same_dtype or ghosts[0].dtype == ghosts[1].dtype:
        return None
    x, y = [from_numpy(ghost.dtype).name for ghost in ghosts]
    return (
        f"Input 'y' of '{node.op.name}' Op has type {y} that does not match type {x} of argument 'x'. Use tf.cast to "
        f"bring both to one dtype. ({node.name})"
    )


def lengths_differ(node: Any, ghosts: list[Any]) -> str | None:
    """TensorFlow's words about two operands that do not broadcast."""
    if len(ghosts) != 2 or node.op.shape_rule is not None:
        return None
    shapes = [shape_of(ghost) for ghost in ghosts]
    pairs = zip(reversed(shapes[0] or ()), reversed(shapes[1] or ()))
    found = [(m, n) for m, n in pairs if None not in (m, n) and m != n and 1 not in (m, n)]
    if not found:
        return None
    return (
        f"Dimensions must be equal, but are {found[-1][0]} and {found[-1][1]} for '{{{{node {node.name}}}}} = "
        f"{node.op.name}' with input shapes: {in_brackets(shapes[0])}, {in_brackets(shapes[1])}."
    )
