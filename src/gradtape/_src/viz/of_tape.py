"""The scene of a tape: what it recorded, the numbers, and where gradients go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.autodiff.recording import Recording
from gradtape._src.core import notes
from gradtape._src.core.context import current_interpreter, under
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Ghost, ghost_of
from gradtape._src.explain.history import History, Vertex, of_graph, of_journal, of_recording
from gradtape._src.graph.ir import Symbol, SymbolGhost
from gradtape._src.ops.variables import Variable
from gradtape._src.viz import figures
from gradtape._src.viz.answers import add_answer, has_gradient
from gradtape._src.viz.build import build
from gradtape._src.viz.named import Named, tensors
from gradtape._src.viz.of_graph import ghost_kind
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.subject import Subject, owner_key

_NO_LINES = (
    "The lines of the program are not known: call tf.debugging.enable_pictures() before the tape is made."
)


def of_tape(tape: Any, target: Any = None, sources: Any = None, weights: Any = None) -> Scene:
    """The scene of a tape, and of a gradient of it if there is a target. See `GradientTape.picture`."""
    recording: Recording | None = tape._recording or tape._kept or tape._left
    if recording is None:
        raise RuntimeError(
            "This tape has been used and keeps nothing that could be drawn. Draw it before `gradient`, write "
            "tf.GradientTape(persistent=True), or call tf.debugging.enable_pictures() before it is made."
        )
    targets = [] if target is None else tensors(target, "target")
    given = list(recording.variables.values()) if sources is None else tensors(sources, "source")
    with under(current_interpreter(), ()):
        view = _View(tape, recording, targets, given)
        if sources is None:  # also what was watched and has no name any more
            view.sources += [ghost for ghost in recording.leaves if ghost not in recording.variables]
        return view.scene(weights)


def _executed(history: History, first: Callable[[Any], Any]) -> History:
    """Without the loops and branches of eager mode, whose operations are there one by one."""
    found = History()
    found.dtypes = history.dtypes
    for event in history.events:
        if event.kind == "whole" and event.name in ("While", "If") and owner_key(event) is None:
            if not any(owner_key(e) is not None for e in history.makers.get(event.outputs[0], ())):
                continue
        found.add(event._replace(inputs=tuple(map(first, event.inputs))))
    return found


class _View:
    """A tape as the explanations see it: vertices are ghosts, or numbers where there is a journal."""

    def __init__(self, tape: Any, recording: Recording, targets: list[Any], given: list[Any]) -> None:
        symbol = next((x for x in (*targets, *given) if isinstance(x, Symbol)), None)
        self.tape = tape
        self.recording = recording
        self.targets = targets
        self.given = given
        self.sources: list[Ghost] = [ghost_of(x) for x in given]
        self.graph = symbol.graph if symbol is not None and targets else None
        made = (part for node in recording.nodes[:1] for part in flatten(node[3]))
        self.symbolic = symbol is not None or any(isinstance(ghost, SymbolGhost) for ghost in made)
        self.journal = None if self.symbolic else notes.journal
        self.named = Named()
        if symbol is not None:
            self.named.captured(symbol.graph)

    def known(self, ghost: Ghost) -> Vertex:
        number = None if self.journal is None else self.journal.known(ghost)
        return ghost if number is None else self.first(number)

    def first(self, number: Any) -> Any:
        """The number that a tensor had first."""
        renamed = {} if self.journal is None else self.journal.renamed
        while number in renamed:
            number = renamed[number]
        return number

    def kind_of(self, vertex: Vertex) -> tuple[Any, Any]:
        fact = None if self.journal is None or not isinstance(vertex, int) else self.journal.facts.get(vertex)
        return ghost_kind(vertex) if fact is None else (fact.shape, fact.dtype)

    def history(self) -> History:
        if self.graph is not None:
            return of_graph(self.graph)
        if self.journal is None:
            return of_recording(self.recording)
        for x in (*self.targets, *self.given):  # of one that was never seen, before the history is taken
            self.journal.number(getattr(x, "_target", x) if isinstance(x, Variable) else x)
        return _executed(of_journal(self.journal), self.first)

    def subject(self) -> Subject:
        """All that is known, by the vertices of the history."""
        history, recording, known = self.history(), self.recording, self.known
        subject = Subject(
            history, [*map(known, self.sources)], [known(ghost_of(x)) for x in self.targets], self.kind_of
        )
        subject.followed = {known(ghost) for ghost in recording.followed if ghost is not None}
        subject.free = {known(ghost) for ghost in recording.leading_from(self.sources) if ghost is not None}
        i = 1 if self.symbolic else 0  # by which clock
        spans = [(start[i], end) for _, start, end in self.tape._spans if start[i] is not None]
        if self.journal is not None or self.graph is not None:
            subject.spans = [(start, None if end is None else end[i]) for start, end in spans]
        subject.names = {known(ghost): name for ghost, name in self.named.names.items()}
        variables = [*recording.variables.values(), *(x for x in self.given if isinstance(x, Variable))]
        subject.variables = {known(v._ghost): self.named.of(v) for v in variables}
        subject.places = {known(ghost): place for ghost, place in getattr(recording, "places", {}).items()}
        if not self.symbolic:
            found = figures.values(recording, [*self.targets, *self.given])
            subject.values = {known(ghost): stats for ghost, stats in found.items()}
        return subject

    def scene(self, weights: Any) -> Scene:
        found: dict[Ghost, Any] = {}
        subject = self.subject()
        has_numbers = self.recording is not self.tape._left
        if self.targets and not self.symbolic and has_numbers:
            found = figures.gradients(self.recording, self.targets, weights, self.sources)
            subject.gradients = {self.known(ghost): stats for ghost, stats in found.items()}
        answers = self._answers(found) if self.targets else []
        if self.targets:
            subject.connected = [self.known(ghost) for ghost, _, why in answers if has_gradient(why)]
        scene = build(subject, self.named.title(self.targets))
        if not self.recording.complete and self.journal is None and not self.symbolic:
            scene.notes.append(_NO_LINES)
        for ghost, name, why in answers:
            add_answer(scene, name, subject.drawn.get(self.known(ghost)), found.get(ghost), why)
        return scene

    def _answers(self, found: dict[Ghost, Any]) -> list[tuple[Ghost, str, Any]]:
        """Each source with its name, and the reason if its gradient is None."""
        objects = {ghost_of(x): x for x in self.given}
        target: Any = self.targets[0] if len(self.targets) == 1 else list(self.targets)
        answers = []
        for ghost in self.sources:
            x = objects.get(ghost, self.named.objects.get(ghost))
            if ghost in found:
                answers.append(
                    (ghost, self.named.names.get(ghost, "") if x is None else self.named.of(x), None)
                )
            elif x is not None:  # else nobody has this tensor any more
                answers.append((ghost, self.named.of(x), self.tape.explain(target, x)))
        return answers
