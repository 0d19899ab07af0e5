"""From a history to a cause: what is on the path from the source to the target, or why there is none."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import from_numpy, is_differentiable_np
from gradtape._src.explain import names
from gradtape._src.explain.case import Case, Finding, Location, leaving, tape_line
from gradtape._src.explain.edges import CHOOSING
from gradtape._src.explain.history import Event, Vertex
from gradtape._src.explain.no_path import unconnected
from gradtape._src.explain.walk import Step, ancestors, path
from gradtape._src.explain.wording import (
    AFTER,
    BEFORE,
    FORGOTTEN,
    STOPPED,
    function_of,
    instead_of_op,
    not_recorded,
    update,
)
from gradtape._src.ops.variables import Variable


def diagnose(case: Case) -> Finding:
    """The cause."""
    if case.exists:
        return Finding("connected", case.history.location(case.target_vertices[0]), {})
    source_dtype = case.source.dtype.np
    if not _moves(case.source):
        where = _birth(case) or _watch_line(case) or tape_line(case)
        return Finding("integer_dtype", where, {"what": case.words["source"], "dtype": _dtype(source_dtype)})
    steps = path(case.history, case.source_vertex, case.target_vertices, _unrecorded(case), case.live)
    if steps is None:
        return unconnected(case)
    blocked = [step for step in steps if step.block is not None]
    if blocked:
        return _stopped(case, steps, blocked)
    if not _is_followed(case):
        return not_followed(case, steps)
    if case.exists is False:
        return _rule_gave_none(case, steps)
    return Finding("connected", case.history.location(case.target_vertices[0]), {})


def _moves(x: Any) -> bool:
    return is_differentiable_np(x.dtype.np)


def _dtype(dtype: Any) -> str:
    name = from_numpy(dtype).name
    kind = "boolean" if name == "bool" else "a string" if name == "string" else "an integer"
    return f"{kind} (dtype {name})"


def _birth(case: Case) -> Location:
    """The line that made the source; of a variable of a graph the first that has to do with it."""
    known = case.history.location(case.source_vertex)
    if known is not None or not isinstance(case.source, Variable):
        return known
    about = lambda v: (
        v == case.source_vertex or (type(v) is tuple and v[:2] == ("version", case.source_vertex))
    )
    return next((e.location for e in case.history.events if any(map(about, (*e.inputs, *e.outputs)))), None)


def _watch_line(case: Case) -> Location:
    return case.watched[0] if case.watched else None


def _is_followed(case: Case) -> bool:
    return case.followed is None or case.source_vertex in case.followed


def _unrecorded(case: Case) -> Any:
    """Whether a tape that followed the input of an operation has not written it down."""
    followed, stops = case.followed, case.stops

    def extra(event: Event, start: Vertex, end: Vertex) -> str | None:
        if end in stops:
            return "stop"
        if followed is None or event.kind not in ("op", "read") or type(end) is tuple:
            return None
        return "unrecorded" if start in followed and end not in followed else None

    return extra


# --- Something on the path stops it ------------------------------------------------------------------------------


def _stopped(case: Case, steps: list[Step], blocked: list[Step]) -> Finding:
    step = blocked[0]
    event = step.event
    chosen = next((s for s in blocked if s.block == "index"), None)
    if step.block in ("op", "integer") and chosen is not None and event.name in CHOOSING:
        step, event = chosen, chosen.event
    where = event.location or _line_near(steps, step)
    if step.block == "op":
        function = function_of(event.name)
        return Finding("op_not_differentiable", where, {"op": function, "instead": instead_of_op(function)})
    if step.block == "integer":
        return _integer(case, step, where)
    if step.block == "index":
        return Finding("used_only_as_index", where, {"how": f"in {function_of(event.name)}"})
    if step.block == "stop":
        own = event.name in ("StopGradient", "PreventGradient")
        how = "tf.stop_gradient" if own else "The argument stop_gradients of tf.gradients"
        return Finding("stop_gradient", where, {"how": how})
    if step.block == "state":
        return Finding("went_through_variable_state", where, {"how": update(event.name)})
    if step.block == "left":
        return leaving(event.name if event.op is None else "tf.numpy_function", where)
    if step.block == "data":
        return Finding("data_pipeline", where, {"how": event.name})
    if step.block == "gradient":
        return _second_gradient(case, event)
    for later in steps[steps.index(step) :]:
        taken = next((e for e in case.history.makers[later.end] if e.kind == "gradient"), None)
        if taken is not None and _when(case, taken.at) != "recording":
            return Finding("first_gradient_not_recorded", taken.location, {})
    return _not_recorded(case, step, where)


def _integer(case: Case, step: Step, where: Location) -> Finding:
    made = case.history.dtype(step.end)
    given = case.history.dtype(step.start)
    dtype = made if made is not None and not is_differentiable_np(made) else given
    is_target = step.end in case.target_vertices
    what = case.words["target"] if is_target else "The result of this line"
    return Finding("integer_dtype", where, {"what": what, "dtype": _dtype(dtype)})


def _line_near(steps: list[Step], step: Step) -> Location:
    """The line of the next event towards the target that has one."""
    later = steps[steps.index(step) :]
    return next((s.event.location for s in later if s.event.location is not None), None)


def _second_gradient(case: Case, event: Event) -> Finding:
    if case.spans and _when(case, event.at) != "recording":
        return Finding("first_gradient_not_recorded", event.location, {})
    return Finding("derivative_is_constant", event.location, {})


def _not_recorded(case: Case, step: Step, where: Location) -> Finding:
    watched = case.watched
    at = step.event.at
    if watched is not None and watched[1] is not None and at < watched[1] and _when(case, at) == "recording":
        line = f" on line {watched[0][1]}" if watched[0] else ""
        return Finding("watched_too_late", where, {"watch": line})
    known = {"before": BEFORE, "after": AFTER, "between": STOPPED, "forgotten": FORGOTTEN}
    when = known.get(_when(case, at), "while the tape did not follow it")
    return Finding("target_computed_outside_tape", where, not_recorded(when))


def _when(case: Case, at: int) -> str:
    """Where an event is, in terms of the tape: "before", "recording", "forgotten", "between", "after"."""
    spans = [span for span in case.spans if span.start is not None]
    if not spans:
        return "recording"
    if case.reset is not None and (spans[0].start or 0) <= at < case.reset:
        return "forgotten"
    if at < (spans[0].start or 0):
        return "before"
    for span in spans:
        if (span.start or 0) <= at and (span.end is None or at < span.end):
            return "recording"
    return "after" if at >= (spans[-1].end or 0) else "between"


# --- Nothing stops it, but the tape does not know the source -------------------------------------------------------


def not_followed(case: Case, steps: list[Step]) -> Finding:
    where = next((s.event.location for s in steps if s.event.location is not None), None) or tape_line(case)
    when = {_when(case, s.event.at) for s in steps}
    if isinstance(case.source, Variable):
        if case.source._trainable and case.watches_variables:
            return _outside(case, steps[0].event)
        untrainable = not case.source._trainable
        why = (
            "it was made with trainable=False"
            if untrainable
            else "the tape was made with watch_accessed_variables=False"
        )
        instead = "make it with trainable=True" if untrainable else "leave out watch_accessed_variables=False"
        return Finding("variable_not_trainable", where, {"why": why, "instead": instead})
    maker = case.history.maker(case.source_vertex)
    if (
        maker is not None
        and maker.kind == "op"
        and (_came_from_variable(case) and names.replaces_itself(maker.location) or _is_step(case))
    ):
        return Finding("variable_replaced_by_tensor", maker.location, {})
    if when and "recording" not in when:
        return _outside(case, steps[0].event)
    return Finding("source_not_watched", where, {})


def _outside(case: Case, event: Event) -> Finding:
    whole = next((e for e in case.history.events if e.kind == "whole" and e.at == event.at), event)
    return _not_recorded(case, Step(event, None, None, None), whole.location or tape_line(case))


def _came_from_variable(case: Case) -> bool:
    return any(
        event.kind == "read"
        for vertex in ancestors(case.history, [case.source_vertex])
        for event in case.history.makers.get(vertex, ())
    )


def _is_step(case: Case) -> bool:
    """Whether the source is made of a variable and a gradient: a step of an optimizer by hand."""
    history = case.history
    seen, waiting = {case.source_vertex}, [case.source_vertex]
    variable = gradient = False
    for vertex in waiting:
        for event in history.makers.get(vertex, ()):
            gradient |= event.kind == "gradient"
            variable |= event.kind == "read"
            if event.kind in ("op", "capture"):
                new = [start for start in event.inputs if start is not None and start not in seen]
                seen.update(new)
                waiting += new
    return variable and gradient


def _rule_gave_none(case: Case, steps: list[Step]) -> Finding:
    taken = next((s.event for s in steps if s.event.kind == "gradient"), None)
    if taken is not None:  # it was recorded, and has no operation of the source in it
        return _second_gradient(case, taken)
    own = [s for s in steps if s.event.name == "WithGradient"] or [s for s in steps if s.event.kind == "op"]
    if not own:
        return Finding("connected", case.history.location(case.target_vertices[0]), {})
    event = own[0].event
    name = "a @tf.custom_gradient function" if event.name == "WithGradient" else function_of(event.name)
    return Finding("rule_returned_none", event.location or tape_line(case), {"op": name})
