"""Jacobians in graphs: one row, or one column, is a step of a loop that carries nothing, and is executed for all of
them at once.

The step is a sweep that is written into the graph; what it reads of the rest of the graph are constants of the loop.
Sizes need not be known while the graph is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.api.arrays import reshape, shape
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.creation import zeros
from gradtape._src.api.joining import concat
from gradtape._src.api.reduction import reduce_prod
from gradtape._src.api.selection import one_hot
from gradtape._src.autodiff.forward import NoTangent, Path
from gradtape._src.autodiff.independence import is_independent_by, warn_of_dependence
from gradtape._src.autodiff.jacobian import Axes, batches_differ, cost_of_columns, use_in_graphs
from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.control.loop_op import loop
from gradtape._src.control.subgraph import Subgraph, effects_of, hole, read_before
from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError, user_location
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.graph.ir import Symbol, current_graph
from gradtape._src.ops.arrays import broadcast_to, identity
from gradtape._src.ops.casting import cast
from gradtape._src.ops.complex import make_complex, real
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.sequences import elements, stacked

INDEX = Ghost((), np.dtype(np.int32))


class Split:
    """The dimensions of a tensor or variable of a graph: before the batch axis, the batch axis, after it."""

    def __init__(self, x: Any, axis: int | None, dims: Any = None) -> None:
        known = x._ghost.shape
        self.static = known
        self.axis = axis
        self.known = Axes.of(known, axis) if is_known(known) else None
        self.dims = shape(x) if dims is None else dims
        if axis is None:
            self.before, self.batch, self.after = reduce_prod(self.dims), 1, 1
        else:
            self.before, self.batch = reduce_prod(self.dims[:axis]), self.dims[axis]
            self.after = reduce_prod(self.dims[axis + 1 :])
        self.size = self.before * self.after if self.known is None else self.known.size

    @property
    def inner(self) -> Any:
        """The dimensions of an example."""
        if self.axis is None:
            return self.dims
        return concat([self.dims[: self.axis], self.dims[self.axis + 1 :]], 0)

    @property
    def inner_static(self) -> tuple[int | None, ...] | None:
        if self.static is None or self.axis is None:
            return self.static
        return self.static[: self.axis] + self.static[self.axis + 1 :]

    def seed(self, index: Any, dtype: np.dtype) -> Any:
        """1 at the element ``index`` of every example, 0 elsewhere."""
        row = one_hot(index, self.size, dtype=from_numpy(dtype))
        if self.axis is None:
            return reshape(row, self.dims)
        parts = [self.before, 1, self.after]
        return reshape(
            broadcast_to(reshape(row, parts), _ints([self.before, self.batch, self.after])), self.dims
        )


def graph_jacobians(
    recording: Recording,
    target: Any,
    sources: Sequence[Any],
    mode: str = "auto",
    axis: int | None = None,
    zero: bool = False,
) -> list[Any]:
    """``jacobians_of`` while a graph is built, of tensors and variables.

    Without a mode it goes backwards, unless it is known that going forwards costs less.
    """
    graph: Any = current_graph()
    paths = [Path(recording, [source._ghost], [target._ghost]) for source in sources]
    connected = [i for i, path in enumerate(paths) if path.connected]
    whole = Split(target, axis)
    parts = [Split(source, axis) for source in sources]
    if mode == "auto":
        mode = "reverse"
        if whole.known is not None and all(parts[i].known is not None for i in connected):
            costs = sum(cost_of_columns(paths[i], sources[i]._ghost, axis) for i in connected)
            if costs < whole.known.size:
                try:
                    return graph_jacobians(recording, target, sources, "forward", axis, zero)
                except NoTangent:
                    pass
    found: list[Any] = [None] * len(sources)
    for i in connected:
        ghosts = target._ghost, sources[i]._ghost
        checked = whole if axis is None else _of_one_batch(target, whole, parts[i], axis)
        if mode == "forward":
            found[i] = _by_columns(graph, paths[i], checked, parts[i], *ghosts)
        else:
            found[i] = _by_rows(graph, recording, checked, parts[i], *ghosts)
        if found[i] is None:
            continue
        if axis is not None:
            found[i] = _with_warning(graph, found[i], paths[i], sources[i], axis)
        static = whole.static, parts[i].inner_static
        if None not in static:
            found[i].set_shape(static[0] + static[1])  # type: ignore[operator]
    if zero:
        for i, part in enumerate(parts):
            if found[i] is None:
                found[i] = zeros(concat([whole.dims, part.inner], 0), from_numpy(sources[i]._ghost.dtype))
    return found


def _of_one_batch(target: Any, whole: Split, part: Split, axis: int) -> Split:
    """The dimensions of the target, where those of the source have as many examples."""
    if None not in (whole.static, part.static) and None not in (whole.static[axis], part.static[axis]):
        return whole
    return Split(target, axis, same_batch(whole.dims, part.dims, axis=axis))


def _same_batch(target: Any, source: Any, *, axis: int) -> Any:
    if target[axis] != source[axis]:
        raise InvalidArgumentError.of(batches_differ((*target.tolist(),), (*source.tolist(),), axis))
    return target


same_batch = Op("SameBatch", _same_batch, shape=lambda target, source, *, axis: shape_of(target))
"""The dimensions of the target of a Jacobian along a batch axis, if its source has as many examples."""


def _by_rows(
    graph: Any, recording: Recording, whole: Split, part: Split, target: Ghost, source: Ghost
) -> Any:
    def row(index: Any) -> Any:
        (ct,) = sweep(recording, {target: whole.seed(index, target.dtype)}, [source])
        return None if ct is None else dense(ct)

    rows = _for_each(graph, whole.size, row, source)
    if rows is None:
        return None
    if part.axis is None:
        return reshape(rows, concat([whole.dims, part.dims], 0))
    rows = reshape(rows, _ints([whole.size, part.before, part.batch, part.after]))
    rows = transpose(rows, (0, 2, 1, 3))
    rows = reshape(rows, _ints([whole.before, whole.after, whole.batch, part.size]))
    return reshape(transpose(rows, (0, 2, 1, 3)), concat([whole.dims, part.inner], 0))


def _by_columns(graph: Any, path: Path, whole: Split, part: Split, target: Ghost, source: Ghost) -> Any:
    def column(index: Any) -> Any:
        seed = part.seed(index, source.dtype)
        (t,) = path.pushed({source: seed})
        if t is not None and source.dtype.kind == "c":
            (it,) = path.pushed({source: seed * 1j})
            t = make_complex(real(t), real(it)) if dtype_of(t).kind == "c" else make_complex(t, it)
        return t if t is None or dtype_of(t) == source.dtype else cast(t, dtype=source.dtype)

    columns = _for_each(graph, part.size, column, Ghost(target.shape, source.dtype))
    if columns is None:
        return None
    if target.shape is None:
        columns = reshape(columns, _ints([part.size, reduce_prod(whole.dims)]))
    rank = 1 if target.shape is None else len(target.shape)
    return reshape(transpose(columns, (*range(1, rank + 1), 0)), concat([whole.dims, part.inner], 0))


def _with_warning(graph: Any, jacobian: Any, path: Path, source: Any, axis: int) -> Any:
    """The Jacobian; when it is first computed, whether examples depend on each other is looked at."""
    before = len(graph.operations)
    with under(graph, ()):
        tangent = hole(graph, source._ghost)
        try:
            (t,) = path.pushed({source._ghost: tangent})
        except NoTangent:  # then nobody can look
            return jacobian
    if not isinstance(t, Symbol):
        return jacobian
    consts = list(read_before(graph, before, [t], [tangent]))
    step = Subgraph(graph, [tangent, *consts], [t])
    return watched_jacobian(
        jacobian, as_tensor(source), *consts, step=step, axis=axis, first=_First(user_location())
    )


class _First:
    """Where the Jacobian is asked for, and whether it has been computed before."""

    def __init__(self, place: tuple[str, int] | None) -> None:
        self.place = place
        self.done = False


def _watched_kernel(
    jacobian: Any, source: Any, *consts: Any, step: Subgraph, axis: int, first: _First
) -> Any:
    if not first.done:
        first.done = True
        push = lambda tangents: np.stack([step(t.astype(source.dtype), *consts)[0] for t in tangents])
        target = (*jacobian.shape[: jacobian.ndim - source.ndim + 1],)
        if not is_independent_by(push, jacobian, source.shape, axis):
            warn_of_dependence(push, target, source.shape, axis, first.place)
    return jacobian


watched_jacobian = Op(
    "WatchedJacobian",
    _watched_kernel,
    vjp_all=lambda wanted, g, y, jacobian, *xs, **_: [g, *[None] * len(xs)],
    reads="",
    jvp=lambda ts, y, *xs, **_: ts[0],
    batch=lambda n, xs, has_axis, **_: xs[0] if has_axis[0] else NotImplemented,
    shape=lambda jacobian, *xs, **_: shape_of(jacobian),
)
"""A Jacobian along a batch axis. Its first execution warns if examples depend on each other."""


def _for_each(graph: Any, n: Any, build: Callable[[Any], Any], like: Ghost) -> Any:
    """``stack([build(i) for i in range(n)])``, of results of the shape and dtype of ``like``."""
    before = len(graph.operations)
    with under(graph, ()):
        index = hole(graph, INDEX)
        out = build(index)
        if out is None:
            return None
        out = out if isinstance(out, Symbol) else graph.input(identity.of(out))
    new = graph.operations[before:]
    once = effects_of(new, [])
    effects = [
        node for node in effects_of(new) if node not in once
    ]  # of a user's gradient function, in every row
    read = [symbol for node in effects for symbol in node.inputs]
    consts = list(read_before(graph, before, [out, *read], [index]))
    step = Subgraph(graph, [index, *consts], [out], effects)
    _, rows = loop(
        elements(range_of(n)), *consts, step=step, cond=None, n_carry=0, n_seqs=1, reverse=False, limit=None
    )
    return stacked.of(rows, shape=like.shape, dtype=like.dtype)


def _ints(sizes: list[Any]) -> Any:
    """A shape of numbers and scalar tensors."""
    return concat([reshape(size, [1]) for size in sizes], 0)


use_in_graphs(graph_jacobians)
