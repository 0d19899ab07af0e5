"""Iteration over a dataset as operations: one opens an iterator, one takes its next element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.core.context import under
from gradtape._src.core.errors import OutOfRangeError
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.op import Op
from gradtape._src.ops.sequences import Sequence as Values

OBJECT = np.dtype(object)


def _open(*, dataset: Any) -> Values:
    with under(None, ()):
        return Values([iter(dataset)])


opened = Op(
    "OpenIterator",
    _open,
    shape=lambda *, dataset: None,
    dtype=OBJECT,
    stateful=True,
)
"""A new iterator over a dataset, in a sequence of one."""


def _next(iterator: Values, specs: Sequence[Any]) -> tuple[Any, ...]:
    with under(None, ()):
        try:
            element = flatten(next(iterator[0]))
        except StopIteration:
            return (np.array(False), *map(_nothing, specs))
    return (np.array(True), *(x._data for x in element))


def _nothing(spec: Any) -> Any:
    shape = tuple(d or 0 for d in spec.shape._dims or ())
    return np.full(shape, b"", object) if spec.dtype.np.kind == "O" else np.zeros(shape, spec.dtype.np)


next_element = Op(
    "IteratorGetNext",
    _next,
    multi=True,
    shape=lambda iterator, specs: [(), *(spec.shape._dims for spec in specs)],
    dtype=lambda iterator, specs: [np.dtype(bool), *(spec.dtype.np for spec in specs)],
    stateful=True,
)
"""Whether there was a next element, and its parts."""


def _take(*, iterator: Any, n: int) -> tuple[Any, ...]:
    with under(None, ()):
        try:
            element = flatten(next(iterator))
        except StopIteration:
            raise OutOfRangeError.of("End of sequence [Op:IteratorGetNext]") from None
    return tuple(x._data for x in element)


take_op = Op(
    "IteratorGetNext",
    _take,
    multi=True,
    shape=lambda *, iterator, n: [spec.shape._dims for spec in flatten(iterator.element_spec)],
    dtype=lambda *, iterator, n: [spec.dtype.np for spec in flatten(iterator.element_spec)],
    stateful=True,
)


def taken(iterator: Any) -> Any:
    """The next element of an iterator that the user holds, taken whenever the graph is executed."""
    spec = iterator.element_spec
    return pack_sequence_as(spec, list(take_op.of(iterator=iterator, n=len(flatten(spec)))))
