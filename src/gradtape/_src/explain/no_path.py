"""Why there is no path at all from the source to the target."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from gradtape._src.explain import names
from gradtape._src.explain.case import Case, Finding, Location, leaving, tape_line
from gradtape._src.explain.history import Event, History, Vertex
from gradtape._src.explain.walk import ancestors, path
from gradtape._src.ops.variables import Variable


def unconnected(case: Case) -> Finding:
    """The cause where there is no path from the source to the target."""
    history = case.history
    above = ancestors(history, case.target_vertices)
    own = ancestors(history, [case.source_vertex])
    maker = history.maker(case.source_vertex) or _whole(history, case.source_vertex)
    around = _whole(history, case.source_vertex)
    if around is not None and any(out in above for out in around.outputs):
        return Finding("hidden_inside_function_call", around.location, {})
    loop = next((e for e in history.makers.get(case.source_vertex, ()) if _is_loop(e)), None)
    if loop is not None and any(out in above for out in loop.outputs):
        return Finding("loop_variables_unrelated", loop.location, _worded(case, _BOTH_OF_LOOP))
    coarse = path(history, case.source_vertex, case.target_vertices, coarse=True)
    if coarse is not None:
        event = next(s.event for s in coarse if s.block == "whole")
        if event.name == "While":
            return Finding("loop_variables_unrelated", event.location, _worded(case, _UNUSED_IN_LOOP))
        if event.name == "If":
            return Finding("branch_not_taken", event.location, {"where": ""})
    common = [v for v in above if v in own and v not in (case.source_vertex, *case.target_vertices)]
    choice = _choice(case, _lines(history, above)) or _number_of_python(case, above)
    if choice is not None:
        return choice
    shape = _shape(case, above)
    if shape is not None:
        return shape
    branch = _branch(case, above)
    if branch is not None:
        return branch
    if common and maker is not None:
        nearest = min(common, key=lambda v: (above[v] + own[v], above[v]))
        where = maker.location
        made = f", made again on line {where[1]}" if where else ""
        words = {"made": made, "ancestor": _described(case, nearest), **_worded(case, _KEEP)}
        return Finding("equal_value_but_other_tensor", where, words)
    twin = _twin(case, above)
    if twin is not None:
        return twin
    where = next((history.location(v) for v in case.target_vertices if history.location(v)), None)
    return Finding(
        "target_does_not_depend_on_source", where or tape_line(case), {"depends": _depends(case, above)}
    )


_UNUSED_IN_LOOP = {
    "what": "{source} goes into this loop, but the loop variable that {target} is made of never uses it in the body.",
    "instead": "Use the loop variable that starts as {source} in the computation of the other one, inside the body.",
}
_BOTH_OF_LOOP = {
    "what": "{source} and what {target} is made of are two results of this loop, the values after its last step: "
    "neither is computed from the other.",
    "instead": "Keep what {source} was before the loop in a name of its own, and ask for the gradient by that.",
}


_KEEP = {
    "instead": "Compute {source} once, before {target}, keep it in a name, and compute {target} from that same tensor."
}


def _worded(case: Case, texts: dict[str, str]) -> dict[str, str]:
    return {name: text.format(**case.words) for name, text in texts.items()}


def _is_loop(event: Event) -> bool:
    return event.kind == "whole" and event.name == "While"


def _whole(history: History, vertex: Vertex) -> Event | None:
    """The call of a function that gave a tensor."""
    return next(
        (e for e in history.makers.get(vertex, ()) if e.kind == "whole" and "PartitionedCall" in e.name), None
    )


def _choice(case: Case, made: Collection[tuple[str, int]]) -> Finding | None:
    """The source decided an `if`, a loop or a size, or was a Python index, and does nothing else.

    made: the lines that the target was made on.
    """
    found = [
        event
        for event in case.history.events
        if event.kind == "choice" and (event.name != "a size" or event.location in made)
        if case.source_vertex in ancestors(case.history, [v for v in event.inputs if v is not None])
    ]
    event = next((e for e in found if names.decides(e.location, made)), found[0] if found else None)
    if event is None:
        return None
    how = "as a size" if event.name == "a size" else f"as {_CHOICES[event.name]} of Python"
    return Finding("used_only_as_index", event.location, {"how": how})


_CHOICES = {"bool()": "a condition", "an index": "an index"}


def _lines(history: History, vertices: Collection[Vertex]) -> set[tuple[str, int]]:
    """The lines that made these."""
    return {e.location for v in vertices for e in history.makers.get(v, ()) if e.location is not None}


def _number_of_python(case: Case, above: Collection[Vertex]) -> Finding | None:
    """The source became a number of Python on a line that the target was made on."""
    made = _lines(case.history, above)
    for event in case.history.events:
        if event.kind == "left" and event.location in made and not any(out in above for out in event.outputs):
            if case.source_vertex in ancestors(case.history, [v for v in event.inputs if v is not None]):
                return leaving(event.name, event.location)
    return None


def _twin(case: Case, above: Collection[Vertex]) -> Finding | None:
    """The target uses another variable of the same value: that of a copied model."""
    if not isinstance(case.source, Variable):
        return None
    value = vars(case.source).get("_data")  # of eager mode: in a graph it has one in each session
    if not isinstance(value, np.ndarray) or value.size < 2 or (value == value.flat[0]).all():
        return None
    for vertex in above:
        other = case.variables.get(vertex)
        data = None if other is None else vars(other).get("_data")
        if other is None or not isinstance(data, np.ndarray) or data.shape != value.shape:
            continue
        if (data == value).all():
            where = case.history.location(case.source_vertex)
            made = f", made on line {where[1]}" if where else ""
            used = names.called(other, "another")
            words = {
                "made": made,
                "ancestor": f"the same values, that of {used}",
                "instead": f"Ask for the gradient by {used}, or use {case.words['source']} itself.",
            }
            return Finding("equal_value_but_other_tensor", where, words)
    return None


def _shape(case: Case, above: Collection[Vertex]) -> Finding | None:
    """In eager mode a shape is a constant: only the text of the line tells whose."""
    name = names.name_of(case.source)
    for vertex in above:
        event = case.history.maker(vertex)
        if (
            name is not None
            and event is not None
            and event.kind == "root"
            and names.asks_shape(event.location, name)
        ):
            return Finding("used_only_as_index", event.location, {"how": "for its shape"})
    return None


def _branch(case: Case, above: Collection[Vertex]) -> Finding | None:
    made = _lines(case.history, above)
    start = (case.spans[0].start or 0) if case.spans else 0  # what was executed before says nothing
    lines = {e.location for e in case.history.events if e.location is not None and e.at >= start}
    made |= {span.entered for span in case.spans if span.entered is not None}
    files = {location[0] for location in (*made, tape_line(case)) if location is not None}
    for called in sorted(names.names_of(case.source)):
        for file in files:
            found = names.branch_with(
                file, called, {n for f, n in lines if f == file}, {n for f, n in made if f == file}
            )
            if found is not None:
                where = f" (it is used on line {found.use})" if found.use != found.decision else ""
                return Finding("branch_not_taken", (file, found.decision), {"where": where})
    return None


def _described(case: Case, vertex: Vertex) -> str:
    event = case.history.maker(vertex)
    if event is None or event.location is None:
        return "the same tensor"
    what = "the variable" if event.name == "variable" else "the tensor"
    return (
        f"{what} made on line {event.location[1]}"
        if event.kind != "read"
        else f"the variable read on line {event.location[1]}"
    )


def _depends(case: Case, above: Collection[Vertex]) -> str:
    """The variables and the lines that the target was made of."""
    called: set[str] = set()
    lines: set[int] = set()
    for vertex in above:
        made = case.history.maker(vertex)
        variable = case.variables.get(vertex)
        if isinstance(variable, Variable):
            called.add(names.called(variable, ""))
        elif made is not None and made.location is not None and _is_beginning(made):
            lines.add(made.location[1])
    own = [*sorted(called)[:5], "others"] if len(called) > 5 else sorted(called)
    if lines:
        own.append(f"what was made on line{'s' * (len(lines) > 1)} {', '.join(map(str, sorted(lines)[:5]))}")
    if not own:
        return "no variable or tensor" if case.complete else "other things"
    return " and ".join([", ".join(own[:-1]), own[-1]] if len(own) > 1 else own)


def _is_beginning(event: Event) -> bool:
    return event.kind == "root" and event.name != "raw" or event.name.startswith("Placeholder")
