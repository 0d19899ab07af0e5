"""All steps of a loop at once, where no step needs what another one gave: ``map_fn`` as a vectorised map.

The operations of the step are executed once each, by their batch rules, on the rows of all steps, in blocks of bounded
size. As a plan, a step without effects is executed in haste: in absorbing arithmetic only after a NaN.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import batched
from gradtape._src.control.subgraph import Subgraph
from gradtape._src.core.nan import any_has_nan
from gradtape._src.core.values import Ghost
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.sequences import Sequence, is_sequence

_FIRST = 64  # steps in the first block, which tells how much memory a step takes
_BLOCK = 1 << 23  # bytes of the largest value of a block


def can_be_batched(step: Subgraph) -> bool:
    """Whether every operation of the step is a function of arrays, and nothing else."""
    return not step.effects and not any(
        node.op.stateful or node.op.lazy or any(map(is_sequence, (*node.inputs, *node.outputs)))
        for node in step.operations
    )


def run_batched(step: Subgraph, n: int, seqs: Seq[Sequence], consts: Seq[Any]) -> list[Sequence] | None:
    """The outgoing sequences of n steps; None if the elements of a sequence are not of one shape."""
    columns = [_rows(seq) for seq in seqs]
    if any(rows is None for rows in columns):
        return None
    parts: list[list[Any]] = [[] for _ in step.outputs]
    start, size = 0, _FIRST
    while start < n:
        stop = min(n, start + size)
        given = [rows if rows is _TICKS else rows[start:stop] for rows in columns]
        found, largest = executed_batched(step, stop - start, [*given, *consts], [True] * len(seqs))
        for part, (value, has_axis) in zip(parts, found, strict=True):
            part.append(value if has_axis else np.broadcast_to(value, (stop - start, *value.shape)))
        start, size = stop, max(1, _BLOCK * (stop - start) // max(1, largest))
    return [Sequence.of(part[0] if len(part) == 1 else np.concatenate(part)) for part in parts]


def executed_batched(
    step: Subgraph, n: int, values: Seq[Any], has_axis: Seq[bool]
) -> tuple[list[tuple[Any, bool]], int]:
    """The outputs of n executions, each with whether it has a leading axis; and the bytes of the largest value.

    Args:
      values: of the inputs.
      has_axis: whether a value has a leading axis; those that follow have none.
    """
    found, largest = _executed(step, n, values, has_axis, hasty=True)
    if any(node.op.unguarded for node in step.operations) and any_has_nan([value for value, _ in found]):
        found, largest = _executed(step, n, values, has_axis, hasty=False)
    return found, largest


def _executed(
    step: Subgraph, n: int, inputs: Seq[Any], has_axis: Seq[bool], hasty: bool
) -> tuple[list[tuple[Any, bool]], int]:
    flags = [*has_axis, *([False] * (len(inputs) - len(has_axis)))]
    values = {s._ghost: pair for s, pair in zip(step.inputs, zip(inputs, flags, strict=True), strict=True)}
    largest = 0
    read = {s._ghost for node in step.operations for s in node.inputs}
    read |= {out._ghost for out in step.outputs if isinstance(out, Symbol)}
    find = lambda arg: values[arg._ghost] if isinstance(arg, Symbol) else (arg, False)
    for node in step.operations:
        op = node.op.unguarded or node.op if hasty else node.op
        found = [find(arg) for arg in node.args]
        xs, has = [x for x, _ in found], [has for _, has in found]
        moves = any(has)
        params = node.params
        if op.lazy:
            params = {**params, "used": [out._ghost in read for out in node.outputs]}
        out = batched(op, n, xs, has, params) if moves else op.kernel(*xs, **params)
        for symbol, part in zip(node.outputs, out if op.multi else (out,), strict=False):
            values[symbol._ghost] = (part, moves)
            largest = max(largest, getattr(part, "nbytes", 0))
    return [find(output) for output in step.outputs], largest


_TICKS = object()  # the ticks of a loop, which no operation reads


def _rows(seq: Sequence) -> Any:
    """The elements of a sequence as rows of an array, or None if they are no arrays of one shape."""
    if seq.array is not None:
        return seq.array
    if seq[0] is None:
        return _TICKS
    if not all(isinstance(x, (np.ndarray, np.generic)) and x.shape == seq[0].shape for x in seq):
        return None
    return np.array(seq)
