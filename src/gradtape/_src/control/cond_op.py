"""The conditional of a graph: one operation, closed under differentiation.

    branch = branches[index], or the last if the index is out of range (a boolean: the first if true)
    results = branch(arguments)

Its gradient is a conditional with the same index over the branches' gradients. What these read of a branch's values
(its residuals) differs from branch to branch, so it travels in a sequence: a further output of the first conditional,
added when a gradient asks for it, and spread again over the inputs of the gradient's branches.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import with_leading
from gradtape._src.control.batched_step import executed_batched
from gradtape._src.control.subgraph import Subgraph, captured
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import relax
from gradtape._src.core.values import Tensor, dtype_of, ghost_of, shape_of
from gradtape._src.graph.ir import Operation, Symbol
from gradtape._src.ops.sequences import Sequence, has_cotangent

OBJECT = np.dtype(object)
Pack = tuple[tuple[Symbol, ...], ...]  # for each branch, the symbols whose values one outgoing sequence holds
Spreads = Seq[tuple[int, ...]]  # for each incoming sequence, the number of its elements in each branch


def _kernel(
    index: Any, *args: Any, branches: Seq[Subgraph], spreads: Spreads, packs: Seq[Pack], used: Seq[bool]
) -> tuple[Any, ...]:
    k = _chosen(index, len(branches))
    n, n_plain = len(branches[k].outputs), len(args) - len(spreads)
    kept = [p for p in range(len(packs)) if used[n + p]]
    branch = branches[k].also([symbol for p in kept for symbol in packs[p][k]])
    results = [i for i in range(n) if used[i]]
    run = branch.only([*results, *range(n, len(branch.outputs))])
    values = iter(run.inside(*args[:n_plain], *(x for sequence in args[n_plain:] for x in sequence)))
    out: list[Any] = [None] * len(used)
    for i in results:
        out[i] = next(values)
    for p in kept:
        out[n + p] = Sequence(next(values) for _ in packs[p][k])
    return tuple(out)


def _batch(
    n: int,
    args: Seq[Any],
    has_axis: Seq[bool],
    *,
    branches: Seq[Subgraph],
    spreads: Spreads,
    packs: Seq[Pack],
    used: Seq[bool],
) -> Any:
    """n conditionals at once, if they take the same branch."""
    if has_axis[0] or any(branch.effects for branch in branches) or any(isinstance(x, Tensor) for x in args):
        return NotImplemented
    k = _chosen(args[0], len(branches))
    m, n_plain = len(branches[k].outputs), len(args) - 1 - len(spreads)
    branch = branches[k].also([symbol for pack in packs for symbol in pack[k]])
    values = [*args[1 : n_plain + 1], *(x for sequence in args[n_plain + 1 :] for x in sequence)]
    flags = [
        *has_axis[1 : n_plain + 1],
        *(has for seq, has in zip(args[n_plain + 1 :], has_axis[n_plain + 1 :], strict=True) for _ in seq),
    ]
    found, _ = executed_batched(branch, n, values, flags)
    parts = iter([x if has else with_leading(x, n) for x, has in found])
    return (*(next(parts) for _ in range(m)), *(Sequence(next(parts) for _ in pack[k]) for pack in packs))


def _chosen(index: Any, n: int) -> int:
    if index.dtype == bool:
        return 0 if index else 1
    return int(index) if 0 <= index < n else n - 1


def _shapes(index: Any, *args: Any, branches: Seq[Subgraph], packs: Seq[Pack], **_: Any) -> list[Any]:
    shapes = []
    for results in zip(*(branch.outputs for branch in branches), strict=True):
        shape = shape_of(results[0])
        for other in results[1:]:
            shape = relax(shape, shape_of(other))
        shapes.append(shape)
    return [*shapes, *([None] * len(packs))]


def _dtypes(index: Any, *args: Any, branches: Seq[Subgraph], packs: Seq[Pack], **_: Any) -> list[Any]:
    return [*map(dtype_of, branches[0].outputs), *([OBJECT] * len(packs))]


def _vjp(wanted: Seq[bool], g: Seq[Any], y: Seq[Symbol], index: Any, *args: Any, **_: Any) -> list[Any]:
    node = y[0].op
    branches, spreads, packs = (node.params[name] for name in ("branches", "spreads", "packs"))
    n, n_plain = len(branches[0].outputs), len(args) - len(spreads)
    targets = [j for j in range(n_plain) if wanted[j + 1] and has_cotangent(branches[0].inputs[j])]
    sequences = [s for s in range(len(spreads)) if wanted[1 + n_plain + s]]
    if not targets and not sequences:
        return [None] * len(wanted)
    results_g = [ct for ct in g[:n] if ct is not None]
    packs_g = [(p, ct) for p, ct in enumerate(g[n:]) if ct is not None]

    parts, residuals, cotangent_packs, incoming = [], [], [], []
    reached: set[int] = set()  # the arguments that some branch is differentiated by
    late: dict[Any, Any] = {}  # what the gradients of the branches capture besides, by its ghost outside
    for k, branch in enumerate(branches):
        arriving = [[symbol for symbol in packs[p][k] if has_cotangent(symbol)] for p, _ in packs_g]
        whole = branch.also([symbol for symbols in arriving for symbol in symbols])
        spread = _spread_inputs(branch, n_plain, [sizes[k] for sizes in spreads])
        sought = {branch.inputs[j]._ghost for j in targets}
        sought |= {symbol._ghost for s in sequences for symbol in spread[s] if has_cotangent(symbol)}
        back = [symbol._ghost in sought for symbol in branch.inputs]
        given = [*(ct is not None for ct in g[:n]), *([True] * (len(whole.outputs) - n))]
        part = whole.linearized(back, given, filled=len(branch.inputs))
        left, new = _residuals(branch, part.residuals)
        late |= new
        asked = [symbol._ghost for symbol, want in zip(branch.inputs, back, strict=True) if want]
        cotangents = dict(zip(asked, part.cotangents, strict=True))
        arrives = {ghost for ghost, does in zip(asked, part.arrives, strict=True) if does}
        reached |= {j for j in targets if branch.inputs[j]._ghost in arrives}
        parts.append((branch, part.cotangent_inputs, [cotangents[branch.inputs[j]._ghost] for j in targets]))
        residuals.append(left)
        cotangent_packs.append(
            [tuple(cotangents[x._ghost] for x in spread[s] if has_cotangent(x)) for s in sequences]
        )
        incoming.append([len(symbols) for symbols in arriving])

    gradients = []
    for (branch, gs, outputs), left in zip(parts, residuals, strict=True):
        own_late = [branch.graph.capture(value) for value in late.values()]  # type: ignore[attr-defined]
        first, rest = gs[: len(results_g)], gs[len(results_g) :]
        inputs = [*branch.inputs[:n_plain], *own_late, *first, *branch.inputs[n_plain:], *left, *rest]
        gradients.append(Subgraph(branch.graph, inputs, outputs))

    left_behind = _left_behind(node, tuple(residuals))
    out = cond_op(
        index,
        *args[:n_plain],
        *late.values(),
        *results_g,
        *args[n_plain:],
        left_behind,
        *(ct for _, ct in packs_g),
        branches=tuple(gradients),
        spreads=(*spreads, tuple(map(len, residuals)), *zip(*incoming, strict=True)),
        packs=tuple(zip(*cotangent_packs, strict=True)),
    )
    found = dict(zip([*targets, *(n_plain + s for s in sequences)], out, strict=True))
    found = {j: ct for j, ct in found.items() if j in reached or j >= n_plain}
    return [None, *(found.get(j) for j in range(len(args)))]


def _jvp(ts: Seq[Any], y: Seq[Symbol], index: Any, *args: Any, **_: Any) -> list[Any]:
    """The tangents are a conditional with the same index over the branches' tangents."""
    node = y[0].op
    branches, spreads, packs = (node.params[name] for name in ("branches", "spreads", "packs"))
    n, n_plain = len(branches[0].outputs), len(args) - len(spreads)
    plain = [j for j in range(n_plain) if ts[j + 1] is not None]
    sequences = [s for s in range(len(spreads)) if ts[1 + n_plain + s] is not None]
    pushes, spread_moving = [], []
    for k, branch in enumerate(branches):
        spread = _spread_inputs(branch, n_plain, [sizes[k] for sizes in spreads])
        incoming = [[symbol for symbol in spread[s] if has_cotangent(symbol)] for s in sequences]
        sought = {branch.inputs[j]._ghost for j in plain}
        sought |= {symbol._ghost for symbols in incoming for symbol in symbols}
        whole = branch.also([symbol for pack in packs for symbol in pack[k]])
        pushes.append(whole.pushed([symbol._ghost in sought for symbol in branch.inputs], len(whole.outputs)))
        spread_moving.append([len(symbols) for symbols in incoming])
    results = [i for i in range(n) if has_cotangent(branches[0].outputs[i])]

    tangents, residuals, tangent_packs = [], [], []
    late: dict[Any, Any] = {}
    for branch, part in zip(branches, pushes, strict=True):
        left, new = _residuals(branch, part.residuals)
        residuals.append(left)
        late |= new
    for k, (branch, part, left) in enumerate(zip(branches, pushes, residuals, strict=True)):
        inputs = [
            *branch.inputs[:n_plain],
            *(branch.graph.capture(value) for value in late.values()),  # type: ignore[attr-defined]
            *part.tangent_inputs[: len(plain)],
            *branch.inputs[n_plain:],
            *left,
            *part.tangent_inputs[len(plain) :],
        ]
        tangents.append(Subgraph(branch.graph, inputs, [part.tangents[i] for i in results]))
        of_packs = iter(part.tangents[n:])
        packed = [[next(of_packs) for _ in pack[k]] for pack in packs]
        tangent_packs.append([tuple(t for t in pack if t is not None) for pack in packed])

    left_behind = _left_behind(node, tuple(residuals))
    out = cond_op(
        index,
        *args[:n_plain],
        *late.values(),
        *(ts[j + 1] for j in plain),
        *args[n_plain:],
        left_behind,
        *(ts[1 + n_plain + s] for s in sequences),
        branches=tuple(tangents),
        spreads=(*spreads, tuple(map(len, residuals)), *zip(*spread_moving, strict=True)),
        packs=tuple(zip(*tangent_packs, strict=True)),
    )
    found = dict(zip([*results, *(n + p for p in range(len(packs)))], out, strict=True))
    return [found.get(i) for i in range(len(node.outputs))]


def _left_behind(node: Operation, residuals: Pack) -> Symbol:
    """The sequence of the values that symbols of the branch that is taken have, as an output of the conditional."""
    packs, n = node.params["packs"], len(node.params["branches"][0].outputs)
    ghosts = lambda pack: [[symbol._ghost for symbol in symbols] for symbols in pack]
    for p, pack in enumerate(packs):
        if ghosts(pack) == ghosts(residuals):
            return node.outputs[n + p]
    (left_behind,) = node.extend({**node.params, "packs": (*packs, residuals)})
    return left_behind


def _residuals(branch: Subgraph, read: Seq[Any]) -> tuple[tuple[Symbol, ...], dict[Any, Any]]:
    """What a derivative reads of a branch's values; and what it captures besides, by its ghost outside."""
    own = {symbol._ghost for symbol in branch.inputs}
    outside = captured(branch.graph, read)
    late = [outside[r._ghost] for r in read if r._ghost not in own and r._ghost in outside]
    left = tuple(r for r in read if r._ghost not in own and r._ghost not in outside)
    return left, {ghost_of(value): value for value in late}


def _spread_inputs(branch: Subgraph, n_plain: int, sizes: Seq[int]) -> list[Seq[Symbol]]:
    """The inputs of a branch that each sequence is spread over."""
    inputs = iter(branch.inputs[n_plain:])
    return [[next(inputs) for _ in range(size)] for size in sizes]


cond_op = Op(
    "If",
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
"""Arguments: an integer or a boolean, what the branches take, and sequences that are spread over further inputs of the
branches (``spreads``: how many of each branch). Outputs: the results, and a sequence for each pack."""
