"""The scene of a gradient in a graph: shapes and paths, but no numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradtape._src.core.context import under
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Ghost, ghost_of
from gradtape._src.explain.answers import explain_graph
from gradtape._src.explain.history import Vertex, of_graph, outermost
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.variables import Variable
from gradtape._src.viz.answers import add_answer, has_gradient
from gradtape._src.viz.build import build
from gradtape._src.viz.named import Named, tensors
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.subject import Subject


def of_gradients(ys: Any, xs: Any, stop_gradients: Any = None, exist: Sequence[bool] | None = None) -> Scene:
    """The scene of ``tf.gradients(ys, xs, stop_gradients=...)``.

    Args:
      exist: of each x whether its gradient exists, if that is known.

    Raises:
      TypeError: a y or an x is not a tensor.
      ValueError: none of them is one of a graph.
    """
    targets, sources = tensors(ys, "target"), tensors(xs, "source")
    graph = next((x.graph for x in (*targets, *sources) if isinstance(x, Symbol)), None)
    if graph is None:
        raise ValueError(
            "None of these tensors is one of a graph. In eager mode a tape has the method `picture`."
        )
    stops = flatten(stop_gradients if stop_gradients is not None else [])
    named = Named()
    named.captured(graph)
    outer = outermost(graph)
    starts = [outer.get(ghost_of(x), ghost_of(x)) for x in sources]
    subject = Subject(of_graph(graph), starts, [*map(ghost_of, targets)], ghost_kind)
    subject.stops = set(map(ghost_of, stops))
    subject.names = dict(named.names)
    subject.variables = {v._ghost: named.of(v) for v in _variables(graph, sources)}
    reasons = []
    for i, x in enumerate(sources):
        known = None if exist is None else exist[i]
        with under(graph, ()):
            reasons.append(None if known else explain_graph(list(targets), x, stops, known=known))
    subject.connected = [v for v, why in zip(starts, reasons, strict=True) if has_gradient(why)]
    scene = build(subject, named.title(targets))
    for x, vertex, why in zip(sources, starts, reasons, strict=True):
        add_answer(scene, named.of(x), subject.drawn.get(vertex), None, why)
    return scene


def ghost_kind(vertex: Vertex) -> tuple[Any, Any]:
    """Shape and dtype of a ghost, also of one inside a body; unknown for other vertices."""
    ghost = vertex[1] if type(vertex) is tuple else vertex
    return (ghost.shape, ghost.dtype) if isinstance(ghost, Ghost) else (None, None)


def _variables(graph: Any, sources: Sequence[Any]) -> list[Variable]:
    taken = [x for node in graph.operations for x in node.args if isinstance(x, Variable)]
    for tensor, _ in graph._captured_tensors():
        if isinstance(tensor, Symbol) and tensor.graph is not graph:
            taken += _variables(tensor.graph, ())
            break
    return taken + [x for x in sources if isinstance(x, Variable)]
