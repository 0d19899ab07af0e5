"""From a history to a cause: what is on the path from the source to the target, or why there is none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.dtypes import from_numpy, is_differentiable_np
from gradtape._src.explain import names
from gradtape._src.explain.edges import CHOOSING
from gradtape._src.explain.history import Event, History, Vertex
from gradtape._src.explain.walk import Step, ancestors, path
from gradtape._src.ops.variables import Variable

Location = tuple[str, int] | None


class Finding(NamedTuple):
    """A cause, where, and what its words need."""

    cause: str
    location: Location
    words: dict[str, Any]


class Span(NamedTuple):
    """From where to where a tape recorded; the clocks count events of the history."""

    entered: Location
    start: int | None
    end: int | None


@dataclass
class Case:
    """What is asked, and what is known.

    Attributes:
      history: what happened.
      source, targets: the tensors, and their vertices.
      followed: what the tape followed; None if there is no tape, or it has forgotten.
      live: what a recorded gradient flows through from the source.
      watched: where and when the source was watched.
      spans: when the tape recorded.
      watches_variables: whether the tape watches trainable variables.
      exists: whether the gradient exists, if that is known.
      complete: whether the history has every tensor.
      stops: what is taken for constants.
      variables: those that still exist, by their vertices.
    """

    history: History
    source: Any
    source_vertex: Vertex
    targets: Sequence[Any]
    target_vertices: Sequence[Vertex]
    followed: Collection[Vertex] | None = None
    live: Collection[Vertex] = ()
    watched: tuple[Location, int | None] | None = None
    spans: Sequence[Span] = ()
    watches_variables: bool = True
    exists: bool | None = None
    complete: bool = True
    stops: Collection[Vertex] = ()
    variables: Mapping[Vertex, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)


def diagnose(case: Case) -> Finding:
    """The cause."""
    if case.exists:
        return Finding("connected", case.history.location(case.target_vertices[0]), {})
    source_dtype = case.source.dtype.np
    if not _moves(case.source):
        where = _birth(case) or _watch_line(case) or _tape_line(case)
        return Finding("integer_dtype", where, {"what": case.words["source"], "dtype": _dtype(source_dtype)})
    steps = path(case.history, case.source_vertex, case.target_vertices, _unrecorded(case), case.live)
    if steps is None:
        return _unconnected(case)
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


def _tape_line(case: Case) -> Location:
    return case.spans[0].entered if case.spans else None


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
        return Finding("op_not_differentiable", where, {"op": function_of(event.name)})
    if step.block == "integer":
        return _integer(case, step, where)
    if step.block == "index":
        return Finding("used_only_as_index", where, {"how": f"in {function_of(event.name)}"})
    if step.block == "stop":
        own = event.name in ("StopGradient", "PreventGradient")
        how = "tf.stop_gradient" if own else "The argument stop_gradients of tf.gradients"
        return Finding("stop_gradient", where, {"how": how})
    if step.block == "state":
        return Finding("went_through_variable_state", where, {"how": _UPDATES.get(event.name, event.name)})
    if step.block == "left":
        return Finding(
            "left_the_library", where, {"how": event.name if event.op is None else "tf.numpy_function"}
        )
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
    when = {
        "before": "before the tape was entered",
        "after": "after the tape was left",
        "between": "while the tape was not recording (stop_recording)",
    }.get(_when(case, at), "while the tape did not follow it")
    return Finding("target_computed_outside_tape", where, {"when": when})


def _when(case: Case, at: int) -> str:
    """Where an event is, in terms of the tape: "before", "recording", "between", "after"."""
    spans = [span for span in case.spans if span.start is not None]
    if not spans:
        return "recording"
    if at < (spans[0].start or 0):
        return "before"
    for span in spans:
        if (span.start or 0) <= at and (span.end is None or at < span.end):
            return "recording"
    return "after" if at >= (spans[-1].end or 0) else "between"


# --- Nothing stops it, but the tape does not know the source -------------------------------------------------------


def not_followed(case: Case, steps: list[Step]) -> Finding:
    where = next((s.event.location for s in steps if s.event.location is not None), None) or _tape_line(case)
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
    if when and when <= {"before", "after", "between"}:
        return _outside(case, steps[0].event)
    return Finding("source_not_watched", where, {})


def _outside(case: Case, event: Event) -> Finding:
    whole = next((e for e in case.history.events if e.kind == "whole" and e.at == event.at), event)
    return _not_recorded(case, Step(event, None, None, None), whole.location or _tape_line(case))


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
    return Finding("rule_returned_none", event.location or _tape_line(case), {"op": name})


# --- There is no path ----------------------------------------------------------------------------------------------


def _unconnected(case: Case) -> Finding:
    history = case.history
    above = ancestors(history, case.target_vertices)
    own = ancestors(history, [case.source_vertex])
    maker = history.maker(case.source_vertex) or _whole(history, case.source_vertex)
    around = _whole(history, case.source_vertex)
    if around is not None and any(out in above for out in around.outputs):
        return Finding("hidden_inside_function_call", around.location, {})
    coarse = path(history, case.source_vertex, case.target_vertices, coarse=True)
    if coarse is not None:
        event = next(s.event for s in coarse if s.block == "whole")
        if event.name == "While":
            return Finding("loop_variables_unrelated", event.location, {})
        if event.name == "If":
            return Finding("branch_not_taken", event.location, {"where": ""})
    common = [v for v in above if v in own and v not in (case.source_vertex, *case.target_vertices)]
    choice = _choice(case) or _number_of_python(case, above)
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
        return Finding(
            "equal_value_but_other_tensor", where, {"made": made, "ancestor": _described(case, nearest)}
        )
    twin = _twin(case, above)
    if twin is not None:
        return twin
    where = next((history.location(v) for v in case.target_vertices if history.location(v)), None)
    return Finding(
        "target_does_not_depend_on_source", where or _tape_line(case), {"depends": _depends(case, above)}
    )


def _whole(history: History, vertex: Vertex) -> Event | None:
    """The call of a function that gave a tensor."""
    return next(
        (e for e in history.makers.get(vertex, ()) if e.kind == "whole" and "PartitionedCall" in e.name), None
    )


def _choice(case: Case) -> Finding | None:
    """The source decided an `if` or a Python index, and does nothing else."""
    for event in case.history.events:
        if event.kind == "choice" and case.source_vertex in ancestors(
            case.history, [v for v in event.inputs if v is not None]
        ):
            how = "a condition" if event.name == "bool()" else "an index"
            return Finding("used_only_as_index", event.location, {"how": f"as {how} of Python"})
    return None


def _number_of_python(case: Case, above: Collection[Vertex]) -> Finding | None:
    """The source became a number of Python on a line that the target was made on."""
    made = {e.location for v in above for e in case.history.makers.get(v, ()) if e.location is not None}
    for event in case.history.events:
        if event.kind == "left" and event.location in made and not any(out in above for out in event.outputs):
            if case.source_vertex in ancestors(case.history, [v for v in event.inputs if v is not None]):
                return Finding("left_the_library", event.location, {"how": event.name})
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
            ancestor = (
                f"the same values ({case.source.name}, and {other.name} that {case.words['target']} uses)"
            )
            return Finding("equal_value_but_other_tensor", where, {"made": made, "ancestor": ancestor})
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
    made = {e.location for v in above for e in case.history.makers.get(v, ()) if e.location is not None}
    start = (case.spans[0].start or 0) if case.spans else 0  # what was executed before says nothing
    lines = {e.location for e in case.history.events if e.location is not None and e.at >= start}
    made |= {span.entered for span in case.spans if span.entered is not None}
    files = {location[0] for location in (*made, _tape_line(case)) if location is not None}
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
    roots = [case.history.maker(v) for v in above]
    lines = sorted(
        {
            e.location[1]
            for e in roots
            if e is not None and e.kind == "root" and e.location and e.name != "raw"
        }
    )
    if not lines:
        return "other things"
    return "what was made on line" + ("s " if len(lines) > 1 else " ") + ", ".join(map(str, lines[:5]))


_UPDATES = {
    "AssignAddVariableOp": "assign_add",
    "AssignSubVariableOp": "assign_sub",
    "AssignVariableOp": "assign",
}
_FUNCTIONS = {
    "ArgMax": "tf.argmax", "ArgMin": "tf.argmin", "OneHot": "tf.one_hot", "Round": "tf.round", "Rint": "tf.math.rint",
    "Floor": "tf.floor", "Ceil": "tf.math.ceil", "Greater": "the comparison >", "GreaterEqual": "the comparison >=",
    "Less": "the comparison <", "LessEqual": "the comparison <=", "Equal": "the comparison ==",
    "NotEqual": "the comparison !=", "SelectV2": "tf.where", "GatherV2": "tf.gather", "GatherNd": "tf.gather_nd",
    "Shape": "tf.shape", "Size": "tf.size", "Rank": "tf.rank", "ZerosLike": "tf.zeros_like",
    "OnesLike": "tf.ones_like", "While": "the condition of the loop", "If": "the condition of a branch",
    "TopKV2": "tf.math.top_k (its indices)", "ArgSort": "tf.argsort",
    "FloorDiv": "the integer division //", "StridedSlice": "a slice", "Cast": "tf.cast",
    "CountNonzero": "tf.math.count_nonzero", "Range": "tf.range", "Fill": "tf.fill", "Tile": "tf.tile",
}  # fmt: skip


def function_of(name: str) -> str:
    """What the user calls an operation."""
    return _FUNCTIONS.get(name, f"the operation {name}")
