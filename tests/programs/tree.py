"""What a program is: statements, with expressions and the names of variables as text.

The variables are of six types. A capital letter stands for each:

    S  scalar, V  vector of three, M  3x3 matrix   (float64)
    I  an integer                                   (int32)
    A  a TensorArray of three scalars
    B  a boolean

A test (of ``if``, of ``break``) is the text of an expression, or ("and" | "or", test, test), or ("not", test).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

Test = str | tuple[Any, ...]


@dataclass(frozen=True)
class Let:
    """``name = value``"""

    name: str
    value: str


@dataclass(frozen=True)
class If:
    test: Test
    then: Block
    other: Block


@dataclass(frozen=True)
class Choose:
    """One of the branches, by an integer (``switch_case``), or by tests of it (``case``)."""

    index: str
    branches: tuple[Block, ...]
    by_case: bool


@dataclass(frozen=True)
class Leave:
    """``if test: break``, or ``continue``"""

    test: Test
    word: str


@dataclass(frozen=True)
class While:
    """The counter goes from 1 to the number of trips, which is computed anew before each."""

    counter: str
    trips: str
    before: Block
    leave: Leave | None
    after: Block


@dataclass(frozen=True)
class For:
    """Over the first axis of a tensor."""

    item: str
    over: str
    before: Block
    leave: Leave | None
    after: Block


@dataclass(frozen=True)
class Map:
    """``targets = map_fn(function of rows, elems)``; each result goes through ``after`` (with {} for itself)."""

    targets: tuple[str, ...]
    rows: tuple[str, ...]
    elems: tuple[str, ...]
    body: Block
    results: tuple[str, ...]
    signature: tuple[str, ...]
    after: str


@dataclass(frozen=True)
class Fold:
    """``scan``, ``foldl`` or ``foldr``"""

    kind: str
    targets: tuple[str, ...]
    carries: tuple[str, ...]
    starts: tuple[str, ...] | None
    rows: tuple[str, ...]
    elems: tuple[str, ...]
    body: Block
    results: tuple[str, ...]
    reverse: bool
    after: str


@dataclass(frozen=True)
class Slope:
    """A tape inside: the gradient of ``value``, computed by ``body``, with respect to what ``at`` is at first."""

    name: str
    at: str
    start: str
    body: Block
    value: str


@dataclass(frozen=True)
class Function:
    """A function of the program. ``early`` is a test and a value that is returned before ``body`` if it holds."""

    name: str
    kind: str
    parameters: tuple[str, ...]
    early: tuple[Test, str] | None
    body: Block
    result: str


Statement = Let | If | Choose | While | For | Map | Fold | Slope
Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Program:
    functions: tuple[Function, ...]
    body: Block
    results: tuple[str, ...]
    seed: int

    def __repr__(self) -> str:
        from programs.writing import written  # it imports this module

        return f"seed {self.seed}\n{written(self, autograph=False)}"


def blocks(node: Any) -> Iterator[Block]:
    """The blocks of a statement."""
    for part in (getattr(node, field.name) for field in fields(node)):
        for block in part if isinstance(node, Choose) and part is node.branches else (part,):
            if isinstance(block, tuple) and all(isinstance(x, Statement) for x in block):
                yield block


def assigned(block: Block) -> list[str]:
    """The names that a block assigns, without those of the functions of loops in it."""
    names: dict[str, None] = {}
    for node in block:
        if isinstance(node, (Let, Slope)):
            names[node.name] = None
        elif isinstance(node, (Map, Fold)):
            names.update(dict.fromkeys(node.targets))
        if isinstance(node, While):
            names[node.counter] = None
        if not isinstance(node, (Map, Fold)):
            for inner in blocks(node):
                names.update(dict.fromkeys(assigned(inner)))
    return list(names)


def kinds(block: Block, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """For each statement, the kinds of those around it and its own: ('While', 'If', 'Map')."""
    for node in block:
        here = (*above, type(node).__name__)
        yield here
        for inner in blocks(node):
            yield from kinds(inner, here)
