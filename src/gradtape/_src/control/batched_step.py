"""All steps of a loop at once, where no step needs what another one gave: ``map_fn`` as a vectorised map.

The operations of the step are executed once each, by their batch rules, on the rows of all steps.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import batched
from gradtape._src.control.subgraph import Subgraph
from gradtape._src.core.values import Ghost
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.sequences import Sequence


def can_be_batched(step: Subgraph) -> bool:
    """Whether every operation of the step is a function of arrays, and nothing else."""
    return not step.effects and not any(node.op.stateful or node.op.lazy for node in step.operations)


def run_batched(step: Subgraph, n: int, seqs: Seq[Sequence], consts: Seq[Any]) -> list[Sequence] | None:
    """The outgoing sequences of n steps; None if the elements of a sequence are not of one shape."""
    values: dict[Ghost, tuple[Any, bool]] = {}  # and whether it has a leading axis, for the steps
    for symbol, seq in zip(step.inputs, seqs, strict=False):
        if seq[0] is None:  # the ticks of a loop, which no operation reads
            continue
        rows = _rows(seq)
        if rows is None:
            return None
        values[symbol._ghost] = (rows, True)
    for symbol, const in zip(step.inputs[len(seqs) :], consts, strict=True):
        values[symbol._ghost] = (const, False)
    find = lambda arg: values[arg._ghost] if isinstance(arg, Symbol) else (arg, False)
    for node in step.operations:
        found = [find(arg) for arg in node.args]
        xs, has_axis = [x for x, _ in found], [has for _, has in found]
        moves = any(has_axis)
        out = batched(node.op, n, xs, has_axis, node.params) if moves else node.op.kernel(*xs, **node.params)
        for symbol, part in zip(node.outputs, out if node.op.multi else (out,), strict=False):
            values[symbol._ghost] = (part, moves)
    return [_sequence(*find(output), n) for output in step.outputs]


def _rows(seq: Sequence) -> Any:
    """The elements of a sequence as rows of an array, or None if they are no arrays of one shape."""
    if seq.array is not None:
        return seq.array
    if not all(isinstance(x, (np.ndarray, np.generic)) and x.shape == seq[0].shape for x in seq):
        return None
    return np.array(seq)


def _sequence(value: Any, has_axis: bool, n: int) -> Sequence:
    return Sequence.of(value if has_axis else np.broadcast_to(value, (n, *value.shape)))
