"""Jacobians of a recorded program, in the direction that costs less.

One column of a Jacobian is a sweep of the recording forwards, with the tangent 1 at one element of a source; one row is
a sweep backwards, with the cotangent 1 at one element of the target. Many of them are done at once, as the rows of
``Batched`` tensors, in blocks of bounded size.

A Jacobian *along a batch axis* has one block for each example: all examples get the same seed in the same sweep, and
the derivatives between different examples, zero where examples do not meet, are not computed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.autodiff.forward import NoTangent, Path, has_forward_rule
from gradtape._src.autodiff.independence import Glance, Look, Looking, first_look, warn_of_dependence
from gradtape._src.autodiff.linear_map import LinearMap
from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.sparse import NotSparse, as_matrix, sparse_jacobian
from gradtape._src.autodiff.sweep import boxed, raw_of, sweep
from gradtape._src.core.context import current, current_interpreter, under
from gradtape._src.core.shapes import compatible, in_brackets
from gradtape._src.core.values import EagerTensor, Ghost, dtype_of, ghost_of
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.casting import cast
from gradtape._src.ops.complex import make_complex, real
from gradtape._src.ops.indexed_slices import IndexedSlices, dense
from gradtape._src.ops.joining import concat
from gradtape._src.ops.reordering import transpose
from gradtape._src.ops.variables import Variable, read

# Bytes of the largest tensor of a block: so many that the work outweighs the calls, so few that a cache holds them.
_BLOCK = 1 << 23

_LARGE = 1 << 20  # entries: to look for the structure of a smaller Jacobian does not pay
_FEW = 1 / 16
_SAMPLE = 3  # columns

First = Look | Glance | None  # what the first seeds begin with, if anything

MODES = ("auto", "forward", "reverse")

_OR_ALL = "A tape's jacobian takes tensors of any shape."


def check_mode(mode: str) -> None:
    """Raises ValueError for a mode that there is not."""
    if mode not in MODES:
        raise ValueError(f"Unknown mode: {mode!r}. Expected one of {', '.join(map(repr, MODES))}.")


def batch_axis_of(target: tuple[int, ...] | None, source: tuple[int, ...] | None, axis: Any) -> int:
    """The batch axis as a number from 0 on.

    Raises:
      ValueError: the rank of a shape is not known, one has no such axis, or they differ there.
    """
    try:
        axis = operator.index(axis)
    except TypeError:
        raise TypeError(
            f"batch_axis must be an integer, got {axis!r} of type {type(axis).__name__}."
        ) from None
    for role, shape in (("target", target), ("source", source)):
        if shape is None:
            raise ValueError(
                f"batch_jacobian needs to know the rank of its {role} while a graph is built. Use tf.ensure_shape."
            )
        if not -len(shape) <= axis < len(shape):
            raise ValueError(
                f"batch_axis={axis} is out of range for the {role} of batch_jacobian, whose shape is {shape}. {_OR_ALL}"
            )
    assert target is not None and source is not None
    axes = axis % len(target), axis % len(source)
    for role, shape in (("target", target), ("source", source)):
        if len(shape) < 2:
            raise ValueError(
                f"The {role} of batch_jacobian must have rank at least 2, but its shape is {in_brackets(shape)}: one "
                f"dimension numbers the examples of the batch. {_OR_ALL} Or give it a dimension of length 1."
            )
    if axes[0] != axes[1]:
        raise ValueError(
            f"batch_axis={axis} is axis {axes[0]} of the target of batch_jacobian, whose shape is "
            f"{in_brackets(target)}, and axis {axes[1]} of its source, whose shape is {in_brackets(source)}. "
            "Count from the front."
        )
    if not compatible((target[axis],), (source[axis],)):
        raise ValueError(batches_differ(target, source, axis))
    return axes[0]


def batches_differ(target: tuple[Any, ...], source: tuple[Any, ...], axis: int) -> str:
    """What a user is told of a target and a source with different numbers of examples."""
    which = "first dimension" if axis == 0 else f"dimension {axis}"
    return (
        f"Need {which} of target shape ({in_brackets(target)}) and source shape ({in_brackets(source)}) to match: it "
        f"numbers the examples of the batch. Say with batch_axis which one does. {_OR_ALL}"
    )


class Axes(NamedTuple):
    """A shape, cut at its batch axis: (before, batch, after)."""

    before: int
    batch: int
    after: int

    @staticmethod
    def of(shape: tuple[int, ...], axis: int | None) -> Axes:
        if axis is None:
            return Axes(prod(shape), 1, 1)
        return Axes(prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))

    @property
    def size(self) -> int:
        """The number of elements of one example."""
        return self.before * self.after

    def seeds(self, ghost: Ghost, block: range, unit: complex = 1, look: First = None) -> np.ndarray:
        """For each element in the block an array of the ghost's shape that is 1 there, in every example.

        The rows of a look come first.
        """
        rows = 0 if look is None else len(look)
        seeds = np.zeros((rows + len(block), *self), ghost.dtype)
        before, after = np.divmod(np.asarray(block, int), self.after)
        seeds[np.arange(rows, len(seeds)), before, :, after] = unit
        seeds = seeds.reshape(len(seeds), *ghost.shape)
        if look is not None:
            seeds[:rows] = look.seeds
        return seeds


def as_target(recording: Recording, target: Any) -> Any:
    """What a Jacobian is taken of, as the recording sees it made: the dense tensor of slices, a variable's value."""
    if not isinstance(target, (IndexedSlices, Variable)):
        return target
    interpreter, recorders = current()
    watching = recorders if recording in recorders else (*recorders, recording)
    with under(interpreter, watching):
        return dense(target) if isinstance(target, IndexedSlices) else read(target)


def jacobians_of(
    recording: Recording,
    target: Any,
    sources: Sequence[Any],
    mode: str = "auto",
    axis: int | None = None,
    zero: bool = False,
) -> list[Any]:
    """``jacobians`` of tensors and variables, now or in the graph that is being built.

    Args:
      zero: whether it is zeros where there is no path.
    """
    interpreter = current_interpreter()
    if interpreter is not None and interpreter.symbolic:
        return _in_graphs[0](recording, target, sources, mode, axis, zero)
    y, xs = ghost_of(target), [ghost_of(source) for source in sources]
    found = jacobians(recording, y, xs, mode, axis)
    if zero:
        found = [
            EagerTensor(np.zeros(y.shape + _inner(x, axis), x.dtype)) if jacobian is None else jacobian
            for x, jacobian in zip(xs, found, strict=True)
        ]
    return found


def sparse_jacobians_of(
    recording: Recording, target: Any, sources: Sequence[Any], mode: str = "auto", zero: bool = False
) -> list[Any]:
    """``jacobians_of`` as sparse matrices.

    Raises:
      ValueError: while a graph is built.
    """
    interpreter = current_interpreter()
    if interpreter is not None:
        raise ValueError(
            "A sparse Jacobian is a matrix of SciPy, which has values: take it in eager mode, outside of tf.function."
        )
    y, xs = ghost_of(target), [ghost_of(source) for source in sources]
    if "c" in (y.dtype.kind, *(x.dtype.kind for x in xs)) or recording.complex:
        shape = lambda x: (prod(y.shape), prod(x.shape))
        found = jacobians(recording, y, xs, mode)
        found = [
            None if j is None else as_matrix(j._data.reshape(shape(x)))
            for x, j in zip(xs, found, strict=True)
        ]
    else:
        paths = [Path(recording, [x], [y]) for x in xs]
        found = [
            sparse_jacobian(path, y, x) if path.connected else None for path, x in zip(paths, xs, strict=True)
        ]
    if zero:
        empty = lambda x: as_matrix((prod(y.shape), prod(x.shape)), x.dtype)
        found = [empty(x) if j is None else j for x, j in zip(xs, found, strict=True)]
    return found


_in_graphs: list[Callable[..., list[Any]]] = []


def use_in_graphs(function: Callable[..., list[Any]]) -> None:
    """Gives the form of ``jacobians_of`` for graphs, which rests on this module and on loops."""
    _in_graphs[:] = [function]


def jacobians(
    recording: Recording,
    target: Ghost,
    sources: Sequence[Ghost],
    mode: str = "auto",
    axis: int | None = None,
) -> list[Any]:
    """The Jacobian of the target for each source; None where there is no path.

    Its shape is ``target.shape + source.shape``, without the batch axis of the source if there is one.

    Args:
      mode: "forward", "reverse", or "auto" for the cheaper one.
      axis: the batch axis.
    """
    paths = [Path(recording, [source], [target]) for source in sources]
    connected = [i for i, path in enumerate(paths) if path.connected]
    found: list[Any] = [None] * len(sources)
    if not connected:
        return found
    if mode == "auto" and axis is None and _is_raw() and not recording.complex:
        for i in connected:
            found[i] = _by_structure(paths[i], target, sources[i])
        connected = [i for i in connected if found[i] is None]
        if not connected:
            return found
    some = [(sources[i], paths[i]) for i in connected]
    one_way = lambda mode: _in_direction(recording, target, some, mode, axis)
    columns = sum(cost_of_columns(path, source, axis) for source, path in some)
    if mode == "auto" and columns < Axes.of(target.shape, axis).size:
        try:
            rest = one_way("forward")
        except NoTangent:
            rest = one_way("reverse")
    else:
        rest = one_way("reverse" if mode == "auto" else mode)
    for i, jacobian in zip(connected, rest, strict=True):
        found[i] = jacobian
    return found


def _in_direction(
    recording: Recording, target: Ghost, sources: Sequence[tuple[Ghost, Path]], mode: str, axis: int | None
) -> list[Any]:
    """The Jacobians for sources that there is a path from, "forward" or "reverse"."""
    # Many times at once, in a vectorized map, the tangents have no values to look at.
    looked_at = axis is not None and target.shape[axis] > 1 and current_interpreter() is None
    look_at = lambda ghost: first_look(ghost.shape, ghost.dtype, axis) if looked_at else None  # type: ignore[arg-type]
    if mode == "forward":
        pairs = [_forward(path, target, source, axis, look_at(source)) for source, path in sources]
        found = [jacobian for jacobian, _ in pairs]
        dependent = [i for i, (_, depends) in enumerate(pairs) if depends]
    else:
        largest = max(path.largest for _, path in sources)
        ghosts = [source for source, _ in sources]
        found, dependent = _reverse(recording, largest, target, ghosts, axis, look_at(target))
    for source, path in [sources[i] for i in dependent]:
        push = LinearMap(lambda t, source=source, path=path: path.push({source: t}))
        again = lambda ts, push=push, dtype=source.dtype: raw_of(push(ts.astype(dtype))[0])
        warn_of_dependence(again, target.shape, source.shape, axis)  # type: ignore[arg-type]
    return found


def _by_structure(path: Path, target: Ghost, source: Ghost) -> Any:
    """A large Jacobian that is nearly all zeros, made of the others; None if it is not."""
    if prod(target.shape) * prod(source.shape) < _LARGE:
        return None
    try:
        found = None if _is_dense(path, source) else sparse_jacobian(path, target, source, most=_FEW)
    except (NotSparse, NoTangent):
        return None
    if found is None or np.isnan(found.data).any():
        return None
    return EagerTensor(found.toarray().reshape(target.shape + source.shape))


def _is_dense(path: Path, source: Ghost) -> bool:
    """Whether each of some columns has many entries: then it is in vain to look for structure."""
    n = prod(source.shape)
    some = np.zeros((_SAMPLE, n), source.dtype)
    some[np.arange(_SAMPLE), np.random.default_rng(0).integers(n, size=_SAMPLE)] = 1
    push = LinearMap(lambda t: path.push({source: t}), once=True)
    (t,) = push(some.reshape(_SAMPLE, *source.shape))
    return t is not None and all(np.count_nonzero(column) > _FEW * column.size for column in raw_of(t))


def cost_of_columns(path: Path, source: Ghost, axis: int | None) -> float:
    """What all columns cost, in sweeps backwards. An operation without a forward rule takes two of its vjps."""
    slow = sum(not has_forward_rule(op) for op, *_ in path.nodes) / max(1, len(path.nodes))
    return Axes.of(source.shape, axis).size * (1 + 2 * slow) * (2 if source.dtype.kind == "c" else 1)


def _in_blocks(n: int, look: First, largest: int, dtype: np.dtype) -> list[range]:
    """The numbers below n in blocks, the first of them with room for a look."""
    step = max(1, _BLOCK // max(1, largest * dtype.itemsize))
    starts = [0, *range(max(1, step - (len(look) if look else 0)), n, step), n]
    return [range(*block) for block in pairwise(starts)] if n else []


# --- Forwards: by columns -----------------------------------------------------------------------------------


def _forward(path: Path, target: Ghost, source: Ghost, axis: int | None, look: First) -> tuple[Any, bool]:
    """The Jacobian, and whether examples were seen to depend on each other."""
    axes = Axes.of(source.shape, axis)
    blocks = _in_blocks(axes.size, look, path.largest, target.dtype)
    once = len(blocks) == 1
    push = Looking(LinearMap(lambda t: path.push({source: t}), once and source.dtype.kind != "c"), look)

    def columns(block: range) -> Any:
        """The columns of the elements in the block, along a leading axis."""
        (t,) = push(axes.seeds(source, block, look=push.first), block)
        if t is None:
            return None
        if source.dtype.kind == "c":
            # d(Re y)/d(Re x) + i d(Re y)/d(Im x), which is what a sweep backwards gives
            (it,) = push(axes.seeds(source, block, 1j))
            t = make_complex(real(t), real(it)) if dtype_of(t).kind == "c" else make_complex(t, it)
        return t if dtype_of(t) == source.dtype else cast(t, dtype=source.dtype)

    if _is_raw() or not blocks:
        result = None if once else np.empty((*target.shape, axes.size), source.dtype)
        for block in blocks:
            t = columns(block)
            if t is None:
                return None, False
            t = np.moveaxis(t, 0, -1)
            if result is None:
                result = t if t.flags.writeable else t.copy()
            else:
                result[..., block.start : block.stop] = t
    else:
        parts = [columns(block) for block in blocks]
        if any(part is None for part in parts):
            return None, False
        result = transpose(concat(*parts, axis=0), (*range(1, len(target.shape) + 1), 0))
    return boxed(reshape(result, target.shape + _inner(source, axis))), bool(push.dependent())


# --- Backwards: by rows -------------------------------------------------------------------------------------


def _reverse(
    recording: Recording,
    largest: int,
    target: Ghost,
    sources: Sequence[Ghost],
    axis: int | None,
    look: First,
) -> tuple[list[Any], list[int]]:
    """The Jacobians, and for which sources examples were seen to depend on each other."""
    axes = Axes.of(target.shape, axis)
    shapes = [Axes.of(source.shape, axis) for source in sources]
    blocks = _in_blocks(axes.size, look, largest, target.dtype)

    def run(g: Any) -> list[Any]:
        return [None if ct is None else dense(ct) for ct in sweep(recording, {target: g}, sources)]

    pull = Looking(LinearMap(run, once=len(blocks) == 1), look)

    def rows(block: range) -> list[Any]:
        """For each source the rows of the elements in the block, as (row, example, element of the source)."""
        found = pull(axes.seeds(target, block, look=pull.first), block)
        return [
            None if ct is None else _by_example(ct, len(block), at)
            for ct, at in zip(found, shapes, strict=True)
        ]

    results: list[Any] = [[] for _ in sources]
    if _is_raw():
        results = [np.empty((*axes, at.size), ghost.dtype) for at, ghost in zip(shapes, sources, strict=True)]
    for block in blocks:
        before, after = np.divmod(np.asarray(block, int), axes.after)
        for i, ct in enumerate(rows(block)):
            if ct is None:
                results[i] = None
            elif type(results[i]) is list:
                results[i].append(ct)
            elif results[i] is not None:
                results[i].swapaxes(1, 2)[before, after] = ct
    for i, (source, at) in enumerate(zip(sources, shapes, strict=True)):
        if type(results[i]) is list:
            joined = reshape(concat(*results[i], axis=0), (axes.before, axes.after, axes.batch, at.size))
            results[i] = transpose(joined, (0, 2, 1, 3))
        if results[i] is not None:
            results[i] = boxed(reshape(results[i], target.shape + _inner(source, axis)))
    return results, pull.dependent()


def _by_example(ct: Any, n: int, axes: Axes) -> Any:
    """Cotangents of a source with its batch axis in front of its others."""
    if axes.before > 1:
        ct = transpose(reshape(ct, (n, *axes)), (0, 2, 1, 3))
    return reshape(ct, (n, axes.batch, axes.size))


# --- Shared -------------------------------------------------------------------------------------------------


def _inner(source: Ghost, axis: int | None) -> tuple[int, ...]:
    return source.shape if axis is None else source.shape[:axis] + source.shape[axis + 1 :]


def _is_raw() -> bool:
    """Whether nobody watches, so that bare arrays will do."""
    interpreter, recorders = current()
    return interpreter is None and not recorders
