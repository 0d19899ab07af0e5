"""Iteration over a dataset as operations: one begins a pass, others take its next element.

A dataset is known here by what it has: ``_needs``, the symbols whose values a pass is begun with, ``_begun(values)``,
and ``element_spec``. A pass is a Python iterator over flat elements: tuples of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.core.context import under
from gradtape._src.core.errors import OutOfRangeError
from gradtape._src.core.nest import flatten
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor
from gradtape._src.ops.sequences import Sequence as Values

OBJECT = np.dtype(object)


def _open(*values: Any, dataset: Any) -> Values:
    return Values([dataset._begun(values)])


open_op = Op(
    "AnonymousIterator",
    _open,
    shape=lambda *values, dataset: None,
    dtype=OBJECT,
    stateful=True,
)
"""A new pass over a dataset, in a sequence of one."""


def opened(dataset: Any) -> Any:
    """A symbol for a new pass over a dataset."""
    return open_op.of(*dataset._needs, dataset=dataset)


def _next(*held: Values, iterator: Any, specs: Sequence[Any]) -> tuple[Any, ...]:
    with under(None, ()):
        element = next(held[0][0] if held else iterator, None)
    return (np.array(False), *map(_nothing, specs)) if element is None else (np.array(True), *element)


def _nothing(spec: Any) -> Any:
    """What stands for a part of an element after the last one: nobody reads it."""
    if not hasattr(spec, "dtype"):
        return Values([])
    shape = tuple(d or 0 for d in spec.shape._dims or ())
    return np.full(shape, b"", object) if spec.dtype.np.kind == "O" else np.zeros(shape, spec.dtype.np)


def _dims(spec: Any) -> Any:
    return spec.shape._dims if hasattr(spec, "dtype") else None


def _dtype(spec: Any) -> Any:
    return spec.dtype.np if hasattr(spec, "dtype") else OBJECT


next_element = Op(
    "IteratorGetNextAsOptional",
    _next,
    multi=True,
    shape=lambda *held, iterator, specs: [(), *map(_dims, specs)],
    dtype=lambda *held, iterator, specs: [np.dtype(bool), *map(_dtype, specs)],
    stateful=True,
)
"""Whether there was a next element, and its parts."""


def _take(*held: Any, iterator: Any, specs: Sequence[Any]) -> tuple[Any, ...]:
    with under(None, ()):
        element = next(held[0][0] if held else iterator, None)
    if element is None:
        raise OutOfRangeError.of("End of sequence [Op:IteratorGetNext]")
    return element


take_op = Op(
    "IteratorGetNext",
    _take,
    multi=True,
    shape=lambda *held, iterator, specs: list(map(_dims, specs)),
    dtype=lambda *held, iterator, specs: list(map(_dtype, specs)),
    stateful=True,
)
"""The next element of a pass: one that a symbol holds, or ``iterator``."""


def taken(iterator: Any) -> Any:
    """The next element of an iterator of the user's, taken whenever the graph is executed."""
    return iterator.get_next()


def taken_parts(source: Any, spec: Any, name: str | None = None) -> list[Any]:
    """The parts of the next element of a pass: of a symbol for one, or of an object that is one."""
    return _applied(take_op, source, spec, name)


def parts_if_any(source: Any, spec: Any, name: str | None = None) -> list[Any]:
    """Whether there is a next element of a pass, and its parts."""
    return _applied(next_element, source, spec, name)


def _applied(op: Op, source: Any, spec: Any, name: str | None) -> list[Any]:
    specs = tuple(flatten(spec))
    if isinstance(source, Tensor):
        return list(op.of(source, iterator=None, specs=specs, name=name))
    return list(op.of(iterator=source, specs=specs, name=name))
