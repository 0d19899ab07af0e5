"""A ``Recipe``: what a dataset is made of, and how a pass over its elements is begun.

A recipe may use symbols of a graph: a placeholder among its tensors, a batch size, what a mapped function captures.
It lists them in ``needs``, and whoever begins a pass gives their values, by their ghosts.

Where a dataset takes whole rows of arrays (``Rows``), transformations that only choose and order elements work on the
numbers of the rows, and ``batch`` takes the rows of a batch at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.values import EagerTensor
from gradtape._src.data.elements import Leaves
from gradtape._src.graph.ir import Symbol

INFINITE = -1
UNKNOWN = -2

Values = dict[Any, Any]  # by ghost: the values of the symbols that a recipe needs; and state of this pass
Begin = Callable[[Values], Iterator[Any]]


@dataclass(frozen=True)
class Recipe:
    """See the module's text.

    Attributes:
      begin: starts a pass over the elements.
      spec: the nest of specs of an element.
      size: the number of elements, INFINITE or UNKNOWN.
      kind: the name of the transformation, as `repr` shows it.
      needs: symbols whose values ``begin`` is to be given.
      rows: where elements are rows of arrays.
      options: what was set by ``with_options``.
    """

    begin: Begin
    spec: Any
    size: int
    kind: str
    needs: tuple[Symbol, ...] = ()
    rows: Rows | None = None
    options: Any = None

    def bound(self, values: Values) -> Recipe:
        """The recipe with these values for the symbols that it needs."""
        if not self.needs:
            return self
        return replace(self, begin=lambda _: self.begin(values), needs=(), rows=None)


@dataclass(frozen=True)
class Rows:
    """Rows of arrays (or of symbols that will have arrays), in the order of the numbers that ``order`` gives.

    ``all_of`` is the number of rows if these are all of them, in their own order.
    """

    columns: tuple[Any, ...]
    order: Begin
    all_of: int | None = None

    def begin(self, values: Values) -> Iterator[Leaves]:
        columns = [valued(x, values) for x in self.columns]
        if len(columns) == 1:
            (column,) = columns
            return ((row_of(column, i),) for i in self.order(values))
        return (tuple([row_of(x, i) for x in columns]) for i in self.order(values))


def row_of(x: Any, i: int) -> Any:
    """A row of an array as a raw value; a string is an array of rank 0 too."""
    row = x[i]
    return np.array(row, object) if type(row) is bytes else row


def valued(x: Any, values: Values) -> Any:
    """The value of a symbol; anything else is its own."""
    return values[x._ghost] if type(x) is Symbol else x


def raw(tensor: Any) -> Any:
    """A tensor's array, or the symbol itself."""
    return tensor._data if type(tensor) is EagerTensor else tensor


def needs_of(parts: Iterable[Any]) -> tuple[Symbol, ...]:
    """The symbols among parts and in the recipes among them, each once."""
    found: dict[Any, Symbol] = {}
    for part in parts:
        for symbol in part.needs if isinstance(part, Recipe) else (part,) if type(part) is Symbol else ():
            found[symbol._ghost] = symbol
    return tuple(found.values())


def number(x: Any, dtype: Any = int64) -> Any:
    """A count as a Python number, or as the symbol that it is."""
    tensor = as_tensor(x, None if hasattr(x, "dtype") else dtype)
    return tensor if type(tensor) is Symbol else tensor._data.item()


def reordered(
    recipe: Recipe,
    change: Callable[[Callable[[], Iterator[Any]], Values], Iterator[Any]],
    size: int,
    kind: str,
    *symbols: Any,
) -> Recipe:
    """A recipe for the same elements in another order or number.

    Args:
      change: gives the new sequence; gets a function that begins the old one. It must not look at what it moves:
        these are elements, or numbers of rows.
      symbols: parameters that may be symbols.
    """
    needs = needs_of((recipe, *symbols))
    if recipe.rows is not None:
        old = recipe.rows
        rows = Rows(old.columns, lambda values: change(lambda: old.order(values), values))
        return replace(recipe, begin=rows.begin, size=size, kind=kind, needs=needs, rows=rows)
    begin = lambda values: change(lambda: recipe.begin(values), values)
    return replace(recipe, begin=begin, size=size, kind=kind, needs=needs)
