"""The loop of a graph: one operation, closed under differentiation.

    for each step:          as long as cond(carry, consts) holds, or once for each element of the sequences
        carry, ys = step(carry, one element of each sequence, consts)
        append ys to the outgoing sequences

Its gradient is a loop of the same kind that runs the other way. What the steps of the first leave behind for it (the
residuals of the linearized step) are further outgoing sequences of the first: they are added when a gradient first
asks for them, and computed only if somebody reads them. So a loop of n steps costs O(n), backwards too, and so does
its gradient's gradient.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import with_leading
from gradtape._src.autodiff.sweep import add
from gradtape._src.control.batched_step import can_be_batched, executed_batched, run_batched
from gradtape._src.control.subgraph import Subgraph, captured, hole
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor
from gradtape._src.graph.ir import Operation, Symbol
from gradtape._src.ops.sequences import Sequence, has_cotangent, zero_like

OBJECT = np.dtype(object)

_version = 2  # of TensorFlow, whose zeros or Nones loops of graphs give


def use_version(version: int) -> None:
    """Sets the gradient of what a loop of a graph does not use: zero, as in TensorFlow 2, or none, as in TensorFlow 1.

    In functions it is always zero.
    """
    global _version
    _version = version


def version() -> int:
    """See `use_version`."""
    return _version


def _kernel(
    *args: Any,
    step: Subgraph,
    cond: Subgraph | None,
    n_carry: int,
    n_seqs: int,
    reverse: bool,
    limit: int | None,
    used: Seq[bool],
) -> tuple[Any, ...]:
    seqs, consts = args[n_carry : n_carry + n_seqs], args[n_carry + n_seqs :]
    part, wanted = _part_used(step, n_carry, used)
    if not n_carry and cond is None and seqs and len(seqs[0]) > 1 and can_be_batched(part):
        found = run_batched(part, len(seqs[0]), seqs, consts)
        if found is not None:
            return _outputs((), len(seqs[0]), dict(zip(wanted, found, strict=True)), used)
    if reverse:
        seqs = [seq[::-1] for seq in seqs]
    looping = part.looping(n_carry, n_seqs, cond, counted=limit is not None)
    carry, k, columns = looping(limit, args[:n_carry], seqs, consts)
    return _outputs(carry, k, _outgoing(wanted, columns, reverse), used)


def _batch(
    n: int,
    args: Seq[Any],
    has_axis: Seq[bool],
    *,
    step: Subgraph,
    cond: Subgraph | None,
    n_carry: int,
    n_seqs: int,
    reverse: bool,
    limit: int | None,
    used: Seq[bool],
) -> Any:
    """n loops at once, step by step, if they have the same number of steps."""
    if step.effects or any(isinstance(arg, Tensor) for arg in args):
        return NotImplemented
    values, flags = list(args), list(has_axis)
    carry, carry_flags = values[:n_carry], flags[:n_carry]
    consts, const_flags = values[n_carry + n_seqs :], flags[n_carry + n_seqs :]
    seqs, seq_flags = values[n_carry : n_carry + n_seqs], flags[n_carry : n_carry + n_seqs]
    part, wanted = _part_used(step, n_carry, used)
    most = len(seqs[0]) if seqs else limit
    columns: list[list[Any]] = [[] for _ in wanted]
    k = 0
    while most is None or k < most:
        if cond is not None:
            ((goes_on, differs),), _ = executed_batched(
                cond, n, [*carry, *consts], [*carry_flags, *const_flags]
            )
            if differs:
                return NotImplemented
            if not goes_on:
                break
        i = most - 1 - k if reverse and most is not None else k
        inputs = [*carry, *(seq[i] for seq in seqs), *consts]
        found, _ = executed_batched(part, n, inputs, [*carry_flags, *seq_flags, *const_flags])
        carry, carry_flags = [x for x, _ in found[:n_carry]], [has for _, has in found[:n_carry]]
        for column, (x, has) in zip(columns, found[n_carry:]):
            column.append(x if has else with_leading(x, n))
        k += 1
    carry = [x if has else with_leading(x, n) for x, has in zip(carry, carry_flags, strict=True)]
    return _outputs(carry, k, _outgoing(wanted, columns, reverse), used)


def _part_used(step: Subgraph, n_carry: int, used: Seq[bool]) -> tuple[Subgraph, list[int]]:
    """The step without the outgoing sequences that nobody reads, and the numbers of those that are left."""
    wanted = [j for j, want in enumerate(used[n_carry + 1 :]) if want]
    return step.only([*range(n_carry), *(n_carry + j for j in wanted)]), wanted


def _outgoing(wanted: Seq[int], columns: Seq[list[Any]], reverse: bool) -> dict[int, Sequence]:
    return {j: Sequence(reversed(column) if reverse else column) for j, column in zip(wanted, columns)}


def _outputs(carry: Seq[Any], k: int, ys: dict[int, Sequence], used: Seq[bool]) -> tuple[Any, ...]:
    """The carry, the ticks of k steps, and the outgoing sequences, None for those that nobody reads."""
    return (*carry, Sequence([None] * k), *map(ys.get, range(len(used) - len(carry) - 1)))


def _shapes(*args: Any, step: Subgraph, n_carry: int, **_: Any) -> list[Any]:
    return [
        *(symbol._ghost.shape for symbol in step.inputs[:n_carry]),
        *([None] * (len(step.outputs) - n_carry + 1)),
    ]


def _dtypes(*args: Any, step: Subgraph, n_carry: int, **_: Any) -> list[Any]:
    return [
        *(symbol._ghost.dtype for symbol in step.inputs[:n_carry]),
        *([OBJECT] * (len(step.outputs) - n_carry + 1)),
    ]


def _vjp(wanted: Seq[bool], g: Seq[Any], y: Seq[Symbol], *args: Any, **_: Any) -> list[Any]:
    node = y[0].op
    step, n_carry, n_seqs = node.params["step"], node.params["n_carry"], node.params["n_seqs"]
    first_const = n_carry + n_seqs
    g_ys = g[n_carry + 1 :]
    moves = list(map(has_cotangent, step.inputs))
    back = [moves[i] and (i < n_carry or wanted[i]) for i in range(len(args))]
    given = [
        *moves[:n_carry],
        *(ct is not None for ct in g_ys),
        *([False] * (len(step.outputs) - n_carry - len(g_ys))),
    ]
    linear = step.linearized(back, given, filled=n_carry)
    arriving = dict(zip([i for i, want in enumerate(back) if want], linear.cotangents, strict=True))
    arriving = {i: ct for i, ct in arriving.items() if ct is not None}

    fixed, fixed_args, varying = _split(step, linear.residuals, first_const, args)
    graph = step.graph
    carried = [i for i in range(n_carry) if moves[i]]
    listed = [i for i in range(n_carry, first_const) if i in arriving]
    summed = [i for i in range(first_const, len(args)) if i in arriving]
    tick = hole(graph, node.outputs[n_carry]._ghost)
    with graph.as_default():
        totals = [hole(graph, step.inputs[i]._ghost) for i in summed]
        added = [add(total, arriving[i]) for total, i in zip(totals, summed, strict=True)]
    gs = linear.cotangent_inputs
    backwards = Subgraph(
        graph,
        [*gs[: len(carried)], *totals, tick, *varying, *gs[len(carried) :], *fixed],
        [*(arriving[i] for i in carried), *added, *(arriving[i] for i in listed)],
    )
    start = [
        *(zero_like(y[i]) if g[i] is None else g[i] for i in carried),
        *(zero_like(args[i]) for i in summed),
    ]
    seqs = [node.outputs[n_carry], *_left_behind(node, varying), *(ct for ct in g_ys if ct is not None)]
    out = loop(
        *start,
        *seqs,
        *fixed_args,
        step=backwards,
        cond=None,
        n_carry=len(start),
        n_seqs=len(seqs),
        reverse=not node.params["reverse"],
        limit=None,
    )
    found = dict(zip([*carried, *summed], out[: len(start)], strict=True))
    found.update(zip(listed, out[len(start) + 1 :], strict=True))
    if node.graph.in_function or _version == 2:
        found.update(
            (i, zero_like(args[i])) for i in range(n_carry, len(args)) if moves[i] and i not in found
        )
    else:
        used = _used(step, n_carry, [j for j in range(len(g)) if g[j] is not None])
        found = {i: ct for i, ct in found.items() if i in used}
    return [found.get(i) if want else None for i, want in enumerate(wanted)]


def _used(step: Subgraph, n_carry: int, given: Seq[int]) -> set[int]:
    """The inputs of the step that lead, in any number of steps, to those outputs of the loop that are ``given``."""
    leads: dict[Any, set[int]] = {symbol._ghost: {i} for i, symbol in enumerate(step.inputs)}
    for node in step.operations:
        if node.op.differentiable:
            rules = node.op.vjps or [True] * len(node.args)
            passing = [arg for arg, rule in zip(node.args, rules, strict=False) if rule is not None]
            sources = set().union(*(leads.get(getattr(arg, "_ghost", None), ()) for arg in passing))
            leads.update((symbol._ghost, sources) for symbol in node.outputs)
    of_output = [leads.get(getattr(out, "_ghost", None), set()) for out in step.outputs]
    waiting = [
        j if j < n_carry else j - 1 for j in given if j != n_carry
    ]  # the ticks are no output of the step
    used = {j for j in waiting if j < n_carry}
    for j in waiting:
        new = of_output[j] - used
        used |= new
        waiting += [i for i in new if i < n_carry]
    return used


def _jvp(ts: Seq[Any], y: Seq[Symbol], *args: Any, **_: Any) -> list[Any]:
    """The tangents are a loop of the same direction over the residuals of each step."""
    node = y[0].op
    step, n_carry, n_seqs = node.params["step"], node.params["n_carry"], node.params["n_seqs"]
    first_const = n_carry + n_seqs
    carried = [i for i in range(n_carry) if has_cotangent(step.inputs[i])]
    moving = [i in carried if i < n_carry else ts[i] is not None for i in range(len(args))]
    pushed = step.pushed(moving, filled=n_carry)
    fixed, fixed_args, varying = _split(step, pushed.residuals, first_const, args)

    hole_of = dict(zip([i for i, moves in enumerate(moving) if moves], pushed.tangent_inputs, strict=True))
    listed = [i for i in range(n_carry, first_const) if moving[i]]
    constant = [i for i in range(first_const, len(args)) if moving[i]]
    given = [j for j, t in enumerate(pushed.tangents) if j >= n_carry and t is not None]
    tick = hole(step.graph, node.outputs[n_carry]._ghost)
    forwards = Subgraph(
        step.graph,
        [
            *(hole_of[i] for i in carried),
            tick,
            *varying,
            *(hole_of[i] for i in listed),
            *(hole_of[i] for i in constant),
            *fixed,
        ],
        [*(pushed.tangents[i] for i in carried), *(pushed.tangents[j] for j in given)],
    )
    seqs = [node.outputs[n_carry], *_left_behind(node, varying), *(ts[i] for i in listed)]
    out = loop(
        *(zero_like(args[i]) if ts[i] is None else ts[i] for i in carried),
        *seqs,
        *(ts[i] for i in constant),
        *fixed_args,
        step=forwards,
        cond=None,
        n_carry=len(carried),
        n_seqs=len(seqs),
        reverse=node.params["reverse"],
        limit=None,
    )
    found = dict(zip(carried, out[: len(carried)], strict=True))
    found.update((j + 1, t) for j, t in zip(given, out[len(carried) + 1 :], strict=True))  # after the ticks
    return [found.get(i) for i in range(len(node.outputs))]


def _split(
    step: Subgraph, residuals: Seq[Symbol], first_const: int, args: Seq[Any]
) -> tuple[list[Symbol], list[Any], list[Symbol]]:
    """The residuals that are constants of the loop, with their values, and those that differ from step to step."""
    const_of = captured(step.graph, residuals)
    const_of |= {s._ghost: arg for s, arg in zip(step.inputs[first_const:], args[first_const:], strict=True)}
    fixed = [r for r in residuals if r._ghost in const_of]
    varying = [r for r in residuals if r._ghost not in const_of]
    return fixed, [const_of[r._ghost] for r in fixed], varying


def _left_behind(node: Operation, symbols: Seq[Symbol]) -> list[Symbol]:
    """The sequences of the values that symbols of the step have in each step, as outputs of the loop."""
    step, n_carry = node.params["step"], node.params["n_carry"]
    known = {out._ghost: j for j, out in enumerate(step.outputs[n_carry:]) if isinstance(out, Symbol)}
    new = [symbol for symbol in symbols if symbol._ghost not in known]
    if new:
        node.extend({**node.params, "step": step.also(new)})
        known.update((symbol._ghost, len(step.outputs) - n_carry + j) for j, symbol in enumerate(new))
    return [node.outputs[n_carry + 1 + known[symbol._ghost]] for symbol in symbols]


loop = Op(
    "While",
    _kernel,
    vjp_all=_vjp,
    jvp=_jvp,
    batch=_batch,
    multi=True,
    lazy=True,
    takes_none=True,
    holomorphic=False,
    shape=_shapes,
    dtype=_dtypes,
)
"""Arguments: the carry, the sequences, the constants. Outputs: the carry, a sequence of the length of the number of
steps, the outgoing sequences."""
