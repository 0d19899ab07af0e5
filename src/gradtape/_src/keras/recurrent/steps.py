"""A recurrent cell along the steps of a sequence, step by step: any cell, in eager mode and in graphs.

Everything is time-major here. In eager mode the steps are a loop of Python, in a graph they are a loop of the graph,
so that the number of steps and the batch need not be known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.joining import stack, unstack
from gradtape._src.api.selection import where
from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_scan
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.notes import note
from gradtape._src.core.values import shape_of


def run_steps(
    step: Callable[[Any, Any], tuple[Any, Any]],
    sequence: Any,
    states: Any,
    mask: Any = None,
    zeros_where_masked: bool = False,
    unroll: bool = False,
) -> tuple[Any, Any]:
    """The outputs of all steps, stacked, and the last states.

    Args:
      step: gives an output and new states, from one step of the sequence and states.
      sequence: of shape [time, batch, ...], or a nest of such.
      states: a nest.
      mask: of shape [time, batch]: where it is false, the states stay as they are.
      zeros_where_masked: the output there is zero; else it is that of the step before, and zero in the first.
      unroll: makes operations of its own for each step of a graph.
    """
    first = flatten(states)
    columns = [*flatten(sequence), *([] if mask is None else [mask])]
    remembers = mask is not None and not zeros_where_masked
    shapes: list[Any] = []

    def one(carry: list[Any], row: list[Any]) -> tuple[list[Any], list[Any]]:
        old = carry[: len(first)]
        output, new = step(_row_of(sequence, row), pack_sequence_as(states, old))
        output, new = as_tensor(output), [as_tensor(x) for x in flatten(new)]
        if mask is not None:
            new = [_where(row[-1], x, y) for x, y in zip(new, old, strict=True)]
            past = carry[-1] if remembers and carry[-1] is not None else creation.zeros_like(output)
            output = _where(row[-1], output, past)
        if is_symbolic():
            for x, shape in zip([*new, output] if remembers else new, shapes):
                x.set_shape(shape)
        return [*new, output] if remembers else new, [output]

    if is_symbolic() and not unroll:
        before = [*first, _zero_output(step, sequence, states)] if remembers else first
        shapes[:] = map(shape_of, before)
        last, (outputs,) = graph_scan(one, before, columns, False)
    else:
        last, outputs = _loop(one, [*first, None] if remembers else first, columns)
        note("whole", "While", [*columns, *first], [outputs, *last])
    return outputs, pack_sequence_as(states, last[: len(first)])


def _row_of(sequence: Any, rows: list[Any]) -> Any:
    """One step of a sequence, which may be a nest; a row of the mask may follow."""
    return pack_sequence_as(sequence, rows[: len(flatten(sequence))])


def _loop(one: Any, carry: list[Any], columns: list[Any]) -> tuple[list[Any], Any]:
    outputs = []
    for row in zip(*(unstack(x) for x in columns), strict=True):
        carry, (output,) = one(carry, list(row))
        outputs.append(output)
    if not outputs:
        raise InvalidArgumentError.of(
            "Expected a sequence of at least one step, received none: the time dimension of the inputs is 0."
        )
    return carry, stack(outputs)


def _zero_output(step: Any, sequence: Any, states: Any) -> Any:
    """Zeros like the output of a step, for the time before the first one."""
    row = _row_of(sequence, [x[0] for x in flatten(sequence)])
    return creation.zeros_like(as_tensor(step(row, states)[0]))


def _where(mask: Any, x: Any, y: Any) -> Any:
    """Rows of x where the mask holds, else of y."""
    for _ in range(len(shape_of(x) or (0, 0)) - 1):
        mask = expand_dims(mask, -1)
    return where(mask, x, y)
