"""The reverse sweep: the one place where cotangents are computed, summed and shaped.

``sweep`` walks recorded nodes backwards and calls the rules of their operations. It serves gradient tapes, graphs,
loop bodies and function bodies alike, because a node is the same everywhere: an operation, the ghosts of its inputs
and outputs, and the values that its rules read.

Rules run *raw*, on bare arrays, when nobody watches the sweep; otherwise on tensors, so that an outer tape records
them, a graph builder writes them down or a batcher batches them.

If a NaN comes out, the sweep is repeated in absorbing arithmetic, where zero times anything is zero: a cotangent
that is zero stays zero through an infinite slope, and a branch that was not taken never poisons the one that was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy import ndarray

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.vanishing import carrying_nodes
from gradtape._src.core import notes
from gradtape._src.core.context import current, under
from gradtape._src.core.nan import has_nan
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, shape_of, tensor_of
from gradtape._src.ops.arrays import sum_to, zeros_like
from gradtape._src.ops.complex import conj
from gradtape._src.ops.indexed_slices import IndexedSlices, dense, settled
from gradtape._src.ops.sequences import is_sequence, sequence_sum
from gradtape._src.ops.variables import read_variable


def sweep(recording: Recording, cotangents: dict[Ghost, Any], sources: Sequence[Ghost]) -> list[Any]:
    """Cotangents of the sources, or None where nothing arrives.

    Args:
      recording: the program.
      cotangents: what to start from, as tensors or IndexedSlices.
      sources: whose cotangents are wanted.
    """
    found = _swept(recording, cotangents, sources)
    for g in found:
        if g is None:
            return _filled(recording, cotangents, sources, found)
    return found


def _filled(
    recording: Recording, cotangents: dict[Ghost, Any], sources: Sequence[Ghost], found: list[Any]
) -> list[Any]:
    """What was found, with zeros for the sources that are connected by derivatives that vanish."""
    lacking = [source for source, g in zip(sources, found, strict=True) if g is None]
    nodes = carrying_nodes(recording.nodes, recording.leading_from(lacking))
    if nodes is None:
        return found
    again = copy(recording)
    again.nodes = nodes
    zeros = iter(_swept(again, cotangents, lacking))
    return [next(zeros) if g is None else g for g in found]


def _swept(recording: Recording, cotangents: dict[Ghost, Any], sources: Sequence[Ghost]) -> list[Any]:
    """The sweep, in the arithmetic that the context and the numbers ask for."""
    live = recording.leading_from(sources)
    interpreter, recorders = current()
    # Those that listen to the program are not interested in how gradients are computed.
    if recorders and recorders[0] in (notes.journal, notes.numerics):
        with under(interpreter, recorders[1:]):
            return _swept(recording, cotangents, sources)
    if interpreter is not None and interpreter.symbolic:  # nobody can see yet whether there will be a NaN
        with under(Absorbing(interpreter), recorders):
            return _run(_noting(recording, interpreter), dict(cotangents), sources, live, False)
    if interpreter is None and not recorders:
        start = {ghost: raw_of(g) for ghost, g in cotangents.items()}
        with np.errstate(all="ignore"):
            found = _run(recording, start, sources, live, True)
            spoiled = _any_has_nan(found)
        found = [tensor_of(g) if type(g) is ndarray else boxed(g) for g in found]
    else:
        found = _run(recording, dict(cotangents), sources, live, False)
        with np.errstate(all="ignore"):
            spoiled = _any_has_nan(found)
    if spoiled:
        recording.spoiled = True
        with under(Absorbing(interpreter), recorders):
            found = _run(recording, dict(cotangents), sources, live, False)
    return found


def _run(
    recording: Recording,
    cotangents: dict[Ghost, Any],
    sources: Sequence[Ghost],
    live: Collection[Ghost | None],
    raw: bool,
) -> list[Any]:
    """Empties ``cotangents`` from the last node to the first."""
    kept: dict[Ghost, Any] = {}  # cotangents of sources, complete
    rows: dict[
        Ghost, IndexedSlices
    ] = {}  # sums of sparse cotangents, apart: a dense one joins them when they are taken
    wanted = set(sources)
    pop = cotangents.pop
    real = not recording.complex

    def take(key: Ghost) -> Any:
        """What has arrived for a ghost, all of it."""
        ct = pop(key, None)
        if rows and key in rows:
            slices = rows.pop(key)
            return slices if ct is None else ct + dense(slices)
        return ct

    def arrive(key: Ghost, ct: Any) -> None:
        """Adds a contribution. Here, and only here, is broadcasting undone."""
        if type(ct) is IndexedSlices:  # of the shape of what was looked up
            rows[key] = rows[key].joined(ct) if key in rows else ct
            return
        if raw:
            if ct.shape != key.shape:
                ct = sum_to.kernel(ct, key)
        elif (shape := shape_of(ct)) != key.shape or (not is_known(shape) and key.dtype != object):
            ct = sum_to(ct, key)
        cotangents[key] = add(cotangents[key], ct) if key in cotangents else ct

    for ghost in [ghost for ghost, ct in cotangents.items() if type(ct) is IndexedSlices]:
        rows[ghost] = pop(ghost)

    for op, keys, params, out, xs, y in reversed(recording.nodes):
        if op.multi:
            g = _cotangents_of_all(op, out, take, kept, wanted, raw)
            if g is None:
                continue
            if raw:
                y = tuple(map(raw_of, y))
        else:
            g = take(out) if rows else pop(out, None)
            if g is None:
                continue
            if out in wanted:
                kept[out] = g
            if type(g) is IndexedSlices:
                if not op.takes_slices:
                    g = dense(g)
            elif op is read_variable:  # the commonest of all, with nothing to compute
                (key,) = keys
                if key in live:
                    cotangents[key] = add(cotangents[key], g) if key in cotangents else g
                continue
            if raw and type(y) is EagerTensor:
                y = y._data

        # What follows is one loop over the inputs, written out for one and for two of them, and without complex
        # numbers: it is the hottest path of the library.
        if op.arity == 1 and real:
            (x,), (key,) = xs, keys
            if key in live:
                arrive(key, op.vjps[0](g, y, x._data if raw and type(x) is EagerTensor else x))
        elif op.arity == 2 and real:
            a, b = xs
            if raw:
                a = a._data if type(a) is EagerTensor else a
                b = b._data if type(b) is EagerTensor else b
            else:  # a constant becomes a tensor once, and not in each operator of the rule
                a = EagerTensor(a) if type(a) is ndarray else a
                b = EagerTensor(b) if type(b) is ndarray else b
            a_key, b_key = keys
            a_rule, b_rule = op.vjps
            if a_key in live and a_rule is not None:
                arrive(a_key, a_rule(g, y, a, b))
            if b_key in live and b_rule is not None:
                arrive(b_key, b_rule(g, y, a, b))
        elif op.vjps is not None and real:
            if raw:
                xs = [x._data if type(x) is EagerTensor else x for x in xs]
            for key, rule in zip(keys, op.vjps, strict=False):
                if key in live and rule is not None and (ct := rule(g, y, *xs, **params)) is not None:
                    arrive(key, ct)
        else:
            xs = tuple(map(raw_of, xs)) if raw else xs
            for key, ct in zip(keys, vjp(op, [key in live for key in keys], g, y, xs, params), strict=False):
                if ct is not None and key in live:
                    arrive(key, ct)

    for ghost in wanted:
        if ghost not in kept:
            kept[ghost] = take(ghost) if rows else pop(ghost, None)
        ct = kept[ghost]
        if type(ct) is IndexedSlices:
            kept[ghost] = settled(ct)
    return [kept[ghost] for ghost in sources]


def vjp(
    op: Op, wanted: Sequence[bool], g: Any, y: Any, xs: Sequence[Any], params: dict[str, Any]
) -> Sequence[Any]:
    """The cotangent of each input, None where there is none or it is not wanted; broadcasting is not undone."""
    conjugate = op.holomorphic and _is_complex(g)
    if conjugate:
        g = tuple(map(conj, g)) if op.multi else conj(g)
    if op.vjp_all is not None:
        found = op.vjp_all(wanted, g, y, *xs, **params)
    else:
        found = [
            rule(g, y, *xs, **params) if rule is not None and want else None
            for rule, want in zip(op.vjps or (), wanted, strict=False)
        ]
    return [None if ct is None else conj(ct) for ct in found] if conjugate else found


def _is_complex(g: Any) -> bool:
    return any(map(_is_complex, g)) if type(g) is tuple else dtype_of(g).kind == "c"


def _cotangents_of_all(
    op: Op,
    outs: tuple[Ghost, ...],
    take: Callable[..., Any],
    kept: dict[Ghost, Any],
    wanted: set[Ghost],
    raw: bool,
) -> tuple[Any, ...] | None:
    """The cotangents of all outputs of a node, dense; None if there are none.

    For those that nobody used zeros, or None if the operation takes that.
    """
    g = [take(ghost) for ghost in outs]
    if all(part is None for part in g):
        return None
    kept.update(
        (ghost, part) for ghost, part in zip(outs, g, strict=True) if part is not None and ghost in wanted
    )
    g = [dense(part) if type(part) is IndexedSlices else part for part in g]
    if op.takes_none:
        return tuple(g)
    return tuple([_zero(ghost, raw) if part is None else part for ghost, part in zip(outs, g, strict=True)])


def add(a: Any, b: Any) -> Any:
    """The sum of two cotangents; two sparse ones stay sparse."""
    if type(a) is IndexedSlices or type(b) is IndexedSlices:
        if type(a) is type(b):
            return a.joined(b)
        a, b = dense(a), dense(b)
    return sequence_sum(a, b) if isinstance(a, Tensor) and is_sequence(a) else a + b


class Watched:
    """An operation whose backward rules are called as ``around(rule, ...)``; otherwise as it is."""

    def __init__(self, op: Op, around: Callable[..., Any]) -> None:
        self._op = op
        self.vjps = None if op.vjps is None else tuple([self._through(rule, around) for rule in op.vjps])
        self.vjp_all = self._through(op.vjp_all, around)

    def _through(self, rule: Any, around: Callable[..., Any]) -> Any:
        return None if rule is None else lambda *args, **params: around(rule, *args, **params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._op, name)


def watched(recording: Recording, around: Callable[[Node], Callable[..., Any]]) -> Recording:
    """A recording whose rules are called through functions, one a node."""
    made = copy(recording)
    made.nodes = [
        Node(Watched(node[0], around(node)), *node[1:])  # type: ignore[arg-type]
        for node in recording.nodes
    ]
    return made


def _noting(recording: Recording, graph: Any) -> Recording:
    """A recording whose rules note, on the operations that they write into a graph, for which operation they do."""
    while not hasattr(graph, "operations"):
        graph = graph.inner
    operations = graph.operations

    def around(node: Node) -> Callable[..., Any]:
        out = node[3]
        first = (out[0] if out else None) if type(out) is tuple else out
        symbol = getattr(first, "stands_for", None)
        served = None if symbol is None else symbol.op.serves or symbol.op

        def run(rule: Callable[..., Any], *args: Any, **params: Any) -> Any:
            n = len(operations)
            found = rule(*args, **params)
            for made in operations[n:]:
                made.serves = made.serves or served
            return found

        return run

    return watched(recording, around)


class Absorbing:
    """Interpreter of a careful sweep: operations take their absorbing form, in which 0 * inf and 0 * NaN are 0."""

    def __init__(self, inner: Any) -> None:
        self.inner = self.plain = inner
        self.symbolic = inner is not None and inner.symbolic

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Any:
        op = op.absorbing or op
        return op.execute(args, params) if self.inner is None else self.inner.apply(op, args, params, name)

    def __getattr__(self, name: str) -> Any:  # what else a graph builder is asked for
        return getattr(self.inner, name)


def raw_of(value: Any) -> Any:
    """The array of a tensor that has one; of IndexedSlices these with arrays."""
    if type(value) is EagerTensor:
        return value._data
    return value.map(raw_of) if type(value) is IndexedSlices else value


def boxed(value: Any) -> Any:
    """An array as a tensor; of IndexedSlices these with tensors."""
    if value is None or isinstance(value, Tensor):
        return value
    return value.map(boxed) if type(value) is IndexedSlices else EagerTensor(value)


def _zero(ghost: Ghost, raw: bool) -> Any:
    """A zero cotangent that takes no memory; None, a structural zero, for a sequence."""
    if ghost.dtype == object:
        return None
    if not raw and not is_known(ghost.shape):
        return zeros_like(ghost.stands_for)  # type: ignore[attr-defined]
    zeros = np.broadcast_to(np.zeros((), ghost.dtype), ghost.shape)
    return zeros if raw else EagerTensor(zeros)


def _any_has_nan(found: Sequence[Any]) -> bool:
    for g in found:
        if type(g) is not ndarray:
            if type(g) is IndexedSlices:
                g = g.values
            g = g._data if type(g) is EagerTensor else getattr(g, "value", g)  # of a batch
            if not isinstance(g, (ndarray, np.generic)):
                continue
        if has_nan(g):
            return True
    return False
