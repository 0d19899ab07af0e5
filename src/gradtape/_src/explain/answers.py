"""The questions: why a tape's gradient is None, why one of a graph is, and what to do when one turns up."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gradtape._src.autodiff.graph_gradients import gradients
from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.unconnected import NoGradientError
from gradtape._src.core import notes
from gradtape._src.core.context import current, under
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.errors import frame_at, user_location
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.values import Tensor, ghost_of
from gradtape._src.explain import names
from gradtape._src.explain.case import Case, Finding, Span
from gradtape._src.explain.causes import CAUSES
from gradtape._src.explain.diagnosis import diagnose, not_followed
from gradtape._src.explain.explanation import Explanation, told
from gradtape._src.explain.history import of_graph, of_journal, of_recording, outermost
from gradtape._src.explain.journal import disable as disable
from gradtape._src.explain.journal import enable as enable
from gradtape._src.explain.text import guess, located
from gradtape._src.explain.walk import path
from gradtape._src.graph.ir import Symbol, current_graph
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable

_ENABLE = (
    " (The lines of operations are not known: call tf.debugging.enable_explanations() first in the program, or run it "
    "with `gradtape run --explain`, for a surer answer.)"
)


# --- Tapes ---------------------------------------------------------------------------------------------------------


def explain_tape(tape: Any, target: Any, sources: Any) -> Any:
    """See `GradientTape.explain`."""
    targets = [
        _plain(x)
        for x in flatten(target, expand_composites=True)
        if isinstance(_plain(x), (Tensor, Variable))
    ]
    flat = [_plain(x) for x in flatten(sources)]
    for x in flat:
        if not isinstance(x, (Tensor, Variable)):
            raise TypeError(
                f"A source must be a tf.Tensor or a tf.Variable, got {x!r} of type {type(x).__name__}."
            )
    interpreter, recorders = current()
    with under(interpreter, ()):
        found = [_of_tape(tape, target, targets, x) for x in flat]
    return pack_sequence_as(sources, found)


def _plain(x: Any) -> Any:
    return x.values if isinstance(x, IndexedSlices) else x


def _of_tape(tape: Any, target: Any, targets: Sequence[Any], source: Any) -> Explanation:
    recording: Recording | None = tape._left or tape._recording
    symbolic = any(isinstance(x, Symbol) for x in (*targets, source))
    exists = _exists(tape, targets, source)
    words = _words(target, source)
    graph = next((x.graph for x in (*targets, source) if isinstance(x, Symbol)), None)
    journal = notes.journal
    if symbolic:
        history, number = of_graph(graph), ghost_of
    elif journal is not None:
        number = lambda x: journal.number(x if not isinstance(x, Variable) else getattr(x, "_target", x))
        for x in (source, *targets):
            number(x)  # of one that was never seen, before the history is taken
        history = of_journal(journal)
    else:
        history, number = of_recording(recording or Recording()), ghost_of
    known = journal.known if journal is not None and not symbolic else lambda ghost: ghost
    i = 1 if symbolic else 0
    variables: Any = history.variables if recording is None else {**history.variables, **recording.variables}
    if journal is not None and not symbolic:
        variables = journal.variables
    case = Case(
        history,
        source,
        number(source),
        targets,
        [number(x) for x in targets],
        followed=None if recording is None else {known(g) for g in recording.followed},
        live=() if recording is None else {known(g) for g in recording.leading_from([ghost_of(source)])},
        watched=_watch(tape, source, i),
        spans=[_span(span, i) for span in tape._spans],
        reset=None if tape._forgot is None else tape._forgot[i],
        watches_variables=tape._watch_accessed_variables,
        exists=exists,
        complete=symbolic or journal is not None,
        words=words,
        variables=variables,
    )
    finding = diagnose(case) if case.complete or exists else located(case, _without_records(case))
    return explanation(finding, words, case.complete)


def _words(target: Any, source: Any) -> dict[str, str]:
    """What the user calls them."""
    written = names.argument(1) or "the source"
    return {
        "source": names.called(source, written),
        "target": names.called(target, names.argument(0) or "the target"),
        "code": names.code_of(source, written),
    }


def _watch(tape: Any, source: Any, i: int) -> Any:
    found = tape._watches.get(ghost_of(source))
    return None if found is None else (found[0], found[1][i])


def _span(span: Sequence[Any], i: int) -> Span:
    entered, start, end = span
    return Span(entered, start[i], None if end is None else end[i])


def _exists(tape: Any, targets: Sequence[Any], source: Any) -> bool | None:
    """Whether the gradient exists, from what was asked already, or from a sweep now."""
    ghosts = [ghost_of(x) for x in targets]
    if tape._asked is not None:
        asked, sources, exist = tape._asked
        if asked == ghosts and ghost_of(source) in sources:
            return exist is None or exist[sources.index(ghost_of(source))]
    recording = tape._recording
    if recording is None:
        return None
    if not is_differentiable_np(ghost_of(source).dtype):
        return ghost_of(source) in ghosts
    graph = next((x.graph for x in (*targets, source) if isinstance(x, Symbol)), None)
    quiet = type(tape)(persistent=True)
    targets = [x for x in targets if is_differentiable_np(ghost_of(x).dtype)]
    with under(graph, ()), unchanged(graph):
        return quiet._swept(recording, targets, [None] * len(targets), [ghost_of(source)])[0] is not None


@contextmanager
def unchanged(graph: Any) -> Iterator[None]:
    """Takes out of a graph again what a ``with`` block adds."""
    if graph is None:
        yield
        return
    n, names_, derivatives = len(graph.operations), copy.deepcopy(graph._names), len(graph.derivatives)
    held = [
        getattr(graph, name, None) for name in ("captures", "captured", "_known")
    ]  # of a function, or of a part
    captured = [(container, container.copy()) for container in held if container is not None]
    try:
        yield
    finally:
        for node in graph.operations[n:]:
            graph._by_name.pop(node.name, None)
        del graph.operations[n:], graph.derivatives[derivatives:]
        graph._names = names_
        for container, before in captured:
            container.clear()
            (container.update if isinstance(container, dict) else container.extend)(before)


def _without_records(case: Case) -> Finding:
    """The best answer from a tape alone: the text of the program, and where the tape's paths ended."""
    finding = diagnose(case)
    if finding.cause not in (
        "target_does_not_depend_on_source",
        "equal_value_but_other_tensor",
        "branch_not_taken",
    ):
        return finding
    if case.followed is not None and case.source_vertex not in case.followed:
        if not isinstance(case.source, Variable):
            entered = case.spans[0].entered if case.spans else None
            return guess(case, Finding("source_not_watched", entered, {}))
        untouched = case.source._trainable and case.watches_variables
        return guess(case, finding) if untouched else not_followed(case, [])
    guessed = guess(case, finding)
    if guessed is not finding:
        return guessed
    for event in reversed(case.history.events):
        if event.location is None or event.kind in ("choice", "gradient"):
            continue
        if path(case.history, case.source_vertex, [v for v in event.inputs if v is not None]) is not None:
            sink = ("end", event.at)
            case.history.add(event._replace(outputs=(sink,)))
            case.target_vertices = [sink]
            return diagnose(case)
    return finding


def explanation(finding: Finding, words: dict[str, Any], complete: bool = True) -> Explanation:
    """The words of a finding."""
    cause = CAUSES[finding.cause]
    message, fix = (text.format(**words, **finding.words) for text in cause)
    if not complete and finding.cause != "connected":
        message += _ENABLE
    file, line, text = (None, None, "") if finding.location is None else frame_at(finding.location)
    return Explanation(
        finding.cause,
        file,
        line,
        text,
        message[0].upper() + message[1:] if message.startswith("the ") else message,
        fix,
        words["source"],
    )


# --- Graphs --------------------------------------------------------------------------------------------------------


def explain_graph(ys: Any, xs: Any, stop_gradients: Any = None, known: bool | None = None) -> Any:
    """See `tf.debugging.explain_gradients`. known: whether the gradients are known to exist, or not to."""
    targets = [_plain(x) for x in flatten(ys)]
    flat = [_plain(x) for x in flatten(xs)]
    graph = next((x.graph for x in (*targets, *flat) if isinstance(x, Symbol)), current_graph())
    found = []
    for x in flat:
        words = _words(ys, x)
        exists = _exists_in(graph, targets, x, stop_gradients) if known is None else known
        stops = {ghost_of(s) for s in flatten(stop_gradients or [])}
        ghosts = [ghost_of(y) for y in targets]
        source = outermost(graph).get(ghost_of(x), ghost_of(x))
        case = Case(of_graph(graph), x, source, targets, ghosts, exists=exists, words=words, stops=stops)
        case.variables = case.history.variables
        found.append(explanation(diagnose(case), words))
    return pack_sequence_as(xs, found)


def _exists_in(graph: Any, targets: Sequence[Any], source: Any, stop_gradients: Any) -> bool:
    with graph.as_default(), unchanged(graph):
        asked, notes.on_none, notes.on_graph_gradient = (notes.on_none, notes.on_graph_gradient), None, None
        try:
            return gradients(list(targets), source, stop_gradients=stop_gradients)[0] is not None
        finally:
            notes.on_none, notes.on_graph_gradient = asked


# --- Where a None turns up -------------------------------------------------------------------------------------------


def lacking(explain: Callable[[], Sequence[Explanation]], strict: bool) -> None:
    """Is called by whoever gives a None: raises if ``strict``, or tells `gradtape run --explain`."""
    if strict:
        found = list(flatten(explain()))
        raise NoGradientError("There is no gradient.\n" + "\n".join(told(found)), found)
    elif notes.on_none is not None and _asked_by_user():
        notes.on_none(user_location(), explain)


def because(found: Any) -> str:
    """What is appended to an error about a None."""
    return "".join(
        f"\nWhy the last gradient that was None is None:\n{one}" for one in told(flatten(found))[:3]
    )


_ASKS = ("autodiff/tape.py", "autodiff/explained.py", "autodiff/graph_gradients.py", "core/notes.py")

_ASK_FOR_USERS = (
    "train/",
    "keras/",
    "compat_v1/",
    "function/",
)  # the last calls what AutoGraph has converted


def _asked_by_user() -> bool:
    """Whether the gradient was asked for by the user's program, or by an optimizer for it."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename.replace(os.sep, "/")
        if "/gradtape/_src/" not in file:
            return True
        inside = file.partition("/gradtape/_src/")[2]
        if inside not in _ASKS and not inside.startswith(_ASK_FOR_USERS):
            return False
        frame = frame.f_back
    return True
