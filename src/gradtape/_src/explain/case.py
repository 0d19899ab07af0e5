"""What is asked about a gradient, and what is found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gradtape._src.explain.history import History, Vertex
from gradtape._src.explain.wording import instead_of_leaving

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
      reset: when the tape forgot what it had recorded.
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
    reset: int | None = None
    watches_variables: bool = True
    exists: bool | None = None
    complete: bool = True
    stops: Collection[Vertex] = ()
    variables: Mapping[Vertex, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)


def tape_line(case: Case) -> Location:
    return case.spans[0].entered if case.spans else None


def leaving(how: str, where: Location) -> Finding:
    """The value left the library."""
    return Finding("left_the_library", where, {"how": how, "instead": instead_of_leaving(how, where)})
