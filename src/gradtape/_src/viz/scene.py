"""What a picture shows: plain data, which holds no tensor and no tape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

Location = tuple[str, int] | None


class Stats(NamedTuple):
    """An array in a few numbers; of what is not finite only the norm (NaN or infinity) is of use."""

    norm: float
    low: float
    high: float
    mean: float
    size: int
    bad: int  # elements that are NaN or infinite

    @classmethod
    def of(cls, data: Any) -> Stats | None:
        """Those of numbers; None for anything else."""
        x = np.asarray(data)
        if x.dtype.kind not in "fciub" and x.dtype.char != "E":
            return None
        with np.errstate(all="ignore"):
            x = np.abs(x) if x.dtype.kind == "c" else x
            x = x.astype(np.float64).reshape(-1)
            bad = int(x.size - np.isfinite(x).sum())
            if not x.size:
                return cls(0.0, 0.0, 0.0, 0.0, 0, 0)
            return cls(float(np.linalg.norm(x)), float(x.min()), float(x.max()), float(x.mean()), x.size, bad)


@dataclass
class Node:
    """An operation, or what gradients are taken with respect to.

    Attributes:
      kind: "op", "custom" (an operation with a gradient function of the user's), "call" (a function, a loop or a
        branch, with a body), "end" (where a value leaves: a conversion, an assignment, ...), "variable", "tensor" (one
        that was made before, or watched), "input" and "result" (of a body).
      name: of the operation or of the tensor.
      called: the user's name of its result.
      at: its place in the order of execution.
      owner: the node in whose body it is, and ``part``, which one of the bodies.
      role: "source", "target", both, or "".
      cause: why gradients end here, a word of docs/reasons.md; "" if they do not.
    """

    id: int
    kind: str
    name: str
    tensor: str
    location: Location = None
    scope: str = ""
    at: int = 0
    called: str = ""
    owner: int | None = None
    part: str = ""
    value: Stats | None = None
    gradient: Stats | None = None
    role: str = ""
    cause: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Link:
    """A tensor on its way from one node to another.

    state: "flow" (a gradient comes back), "stop" (none can, because of ``cause``), "open" (one could, but none arrives
    or was asked for), or "plain" (it has nothing to do with the sources).
    """

    start: int
    end: int
    tensor: str
    state: str = "plain"
    cause: str = ""
    gradient: Stats | None = None


@dataclass
class Answer:
    """What became of the gradient by one source."""

    source: str
    node: int | None
    gradient: Stats | None
    cause: str = "connected"
    place: str = ""
    text: str = ""
    message: str = ""
    fix: str = ""


@dataclass
class Scene:
    """All of one picture.

    Attributes:
      asked: whether there is a target, so that links say whether a gradient comes back.
      notes: what the picture does not know, and how it could.
    """

    title: str
    nodes: dict[int, Node] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: bool = False
    _count: Iterator[int] = field(default_factory=count, repr=False)

    def add(self, kind: str, name: str, tensor: str, **more: Any) -> Node:
        """A new node."""
        node = Node(next(self._count), kind, name, tensor, **more)
        self.nodes[node.id] = node
        return node

    def link(self, start: int, end: int, tensor: str, state: str = "plain", cause: str = "") -> Link:
        """A new link."""
        self.links.append(Link(start, end, tensor, state, cause))
        return self.links[-1]
