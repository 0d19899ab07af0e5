"""``tf.gradients``: derivatives in a graph. Its operations are made a recording, and the sweep adds the gradient's.

`GradientTape` in a graph, loops and functions use the same sweep: see `autodiff/sweep.py`. In the graph of a function
`tf.gradients` also goes back through the graphs around it, from which tensors were captured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import add, sweep
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.autodiff.weights import weight_of
from gradtape._src.core import notes
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_differentiable_np
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, ghost_of, shape_of
from gradtape._src.graph.ir import Graph, Operation, Symbol, current_graph, in_graph
from gradtape._src.graph.plan import needed
from gradtape._src.ops.arrays import ones_like, zeros_like
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable

_NOTHING: Mapping[Ghost, Ghost] = {}


class AggregationMethod:
    """How gradients are added up in TensorFlow 1; accepted, and without effect.

    >>> import gradtape as tf
    >>> tf.AggregationMethod.DEFAULT == tf.AggregationMethod.ADD_N
    True
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def recorded(
    operations: Sequence[Operation],
    sources: Sequence[Ghost],
    stops: Collection[Ghost] = (),
    outer: Mapping[Ghost, Ghost] = _NOTHING,
) -> Recording:
    """Operations of a graph as a recording that follows ``sources``; at ``stops`` it follows no further back.

    outer: for the ghost of a captured symbol the ghost of the tensor that it stands for, which is followed instead.
    """
    recording = Recording()
    for ghost in sources:
        recording.follow(ghost)
    for node in operations:
        keys = tuple(getattr(arg, "_ghost", None) for arg in node.args)  # of symbols, and of variables
        if outer:
            keys = tuple(outer.get(key, key) for key in keys)  # type: ignore[arg-type]
        if not node.op.differentiable or recording.followed.isdisjoint(keys):
            continue
        # A cotangent that arrives at a stop finds no node that has it as its output.
        out = tuple(
            Ghost(s._ghost.shape, s._ghost.dtype) if s._ghost in stops else s._ghost for s in node.outputs
        )
        y = node.outputs if node.op.multi else node.outputs[0]
        recording.nodes.append(
            Node(node.op, keys, node.params, out if node.op.multi else out[0], node.args, y)
        )
        recording.followed.update(out)
        recording.complex |= any(ghost.dtype.kind == "c" for ghost in out)
    return recording


def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """The derivatives d(sum of ys)/dx for each x in ``xs``, as tensors of the graph.

    Args:
      ys: a tensor, or a nest of tensors whose sum is differentiated.
      xs: tensors or variables: placeholders, constants, intermediate results; one, or a nest of them.
      grad_ys: weights, one for each of ``ys`` and of its shape; None, or None in a place, for ones.
      name: of the name scope of the gradient's operations.
      gate_gradients, aggregation_method: without effect.
      stop_gradients: tensors through which nothing is differentiated: they are taken for constants.
      unconnected_gradients: what to give for an x that no y depends on: ``"none"`` or ``"zero"``.

    Returns:
      A list with a gradient for each x (for a nested ``xs``, a nest of that structure): an `tf.IndexedSlices` where x
      was only looked up by `tf.gather`, None where there is no path.

    Raises:
      RuntimeError: in eager mode, where `tf.GradientTape` is to be used.
      TypeError: a y or an x is no tensor; a complex y without ``grad_ys``.
      ValueError: ``grad_ys`` does not fit; an unknown ``unconnected_gradients``.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.compat.v1.placeholder(tf.float32, [3])
    ...     (g,) = tf.gradients(x ** 3, x)
    ...     (h,) = tf.gradients(g, x)
    ...     with tf.compat.v1.Session() as session:
    ...         print(*session.run([g, h], {x: [1.0, 2.0, 3.0]}))
    [ 3. 12. 27.] [ 6. 12. 18.]

    As TensorFlow 2.21 (1.15).
    """
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    unconnected = UnconnectedGradients.of(unconnected_gradients)
    weights = [None] if grad_ys is None else _weights_of(ys, grad_ys)
    ys = [_tensor(graph, y, "ys") for y in flatten(ys)]
    flat = flatten(xs) if isinstance(xs, (list, tuple, dict)) else [xs]
    sources = [_source(graph, x, "xs") for x in flat]
    stopped = [] if stop_gradients is None else flatten(stop_gradients)
    stops = {_source(graph, x, "stop_gradients")._ghost for x in stopped}
    weights = weights * len(ys) if grad_ys is None else weights
    if len(weights) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(weights)} grad_ys for {len(ys)} ys")
    with graph.name_scope(name):
        found = _swept(graph, ys, weights, sources, stops)
        if notes.on_graph_gradient is not None:
            notes.on_graph_gradient(ys, sources, stopped, [g is not None for g in found])
        if any(g is None for g in found):
            _lacks(ys, sources, found, unconnected, stopped)
        if unconnected is UnconnectedGradients.ZERO:
            found = [zeros_like.of(_value(x)) if g is None else g for x, g in zip(sources, found)]
        found = [_symbol(g) for g in found]
    if notes.graph_checks is not None:
        notes.graph_checks.asked(graph, ys, weights, sources, found, stops)
    graph.derivatives.append(tuple([_ghosts(values) for values in (ys, sources, found)]))
    nested = isinstance(xs, dict) or isinstance(xs, (list, tuple)) and len(xs) != len(flat)
    return pack_sequence_as(xs, found) if nested else found


def _lacks(
    ys: Sequence[Any], sources: Sequence[Any], found: Sequence[Any], unconnected: Any, stopped: Sequence[Any]
) -> None:
    """Some gradients are None: tells who wants to know."""
    strict = unconnected is UnconnectedGradients.RAISE
    if unconnected is UnconnectedGradients.ZERO:
        return
    lacking = [x for x, g in zip(sources, found, strict=True) if g is None]
    notes.lacking = lambda: notes.reasons().explain_graph(ys, lacking, stopped, known=False)
    if strict or notes.on_none is not None:
        notes.reasons().lacking(notes.lacking, strict)


def _ghosts(values: Sequence[Any]) -> tuple[Ghost, ...]:
    parts = [x.values if isinstance(x, IndexedSlices) else x for x in values]
    return tuple([x._ghost for x in parts if getattr(x, "_ghost", None) is not None])


def gradients_v1(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """`tf.gradients` with TensorFlow 1's arguments; ``colocate_gradients_with_ops`` is without effect."""
    return gradients(
        ys, xs, grad_ys, name, gate_gradients, aggregation_method, stop_gradients, unconnected_gradients
    )


def _swept(
    graph: Graph, ys: Sequence[Any], weights: Sequence[Any], sources: Sequence[Any], stops: Collection[Ghost]
) -> list[Any]:
    pairs: list[tuple[Ghost, Any]] = []
    for i, (y, weight) in enumerate(zip(ys, weights)):
        if not isinstance(y, Symbol) or not is_differentiable_np(y._ghost.dtype):
            continue
        if weight is None and y._ghost.dtype.kind == "c":
            raise TypeError(
                f"Gradients of complex tensors ({y}) must set grad_ys (y.dtype = {from_numpy(y._ghost.dtype).name})"
            )
        seed = ones_like.of(y, name=f"grad_ys_{i}") if weight is None else _weight(weight, y, i)
        pairs.append((y._ghost, seed))
    ghosts = [getattr(source, "_ghost", None) or Ghost((), np.dtype(np.float32)) for source in sources]
    moving = [ghost for ghost in ghosts if is_differentiable_np(ghost.dtype)]
    if not pairs or not moving:
        return [None] * len(ghosts)
    outer: dict[Ghost, Ghost] = {}
    operations = list(dict.fromkeys(_behind(graph, ys, outer)))
    moving = [outer.get(ghost, ghost) for ghost in moving]
    seeds: dict[Ghost, Any] = {}
    for ghost, seed in pairs:
        ghost = outer.get(ghost, ghost)
        seeds[ghost] = add(seeds[ghost], seed) if ghost in seeds else seed
    recording = recorded(operations, moving, {outer.get(ghost, ghost) for ghost in stops}, outer)
    found = dict(zip(moving, sweep(recording, seeds, moving)))
    return [found.get(outer.get(ghost, ghost)) for ghost in ghosts]


def _behind(graph: Graph, fetches: Sequence[Any], outer: dict[Ghost, Ghost]) -> list[Operation]:
    """The operations that ``fetches`` depend on, in their order: of the graphs around this one first.

    An operation may come more than once. Notes in ``outer`` which captured symbols stand for which tensors.
    """
    operations = needed(fetches, [], graph.operations)
    read = {symbol._ghost for node in operations for symbol in node.outputs}
    captured = list(graph._captured_tensors())
    around: dict[Graph, list[Symbol]] = {}
    for tensor, symbol in captured:
        if isinstance(tensor, Symbol):
            around.setdefault(tensor.graph, []).extend([tensor] if symbol._ghost in read else [])
    before = [node for other, symbols in around.items() for node in _behind(other, symbols, outer)]
    for tensor, symbol in captured:
        outside = ghost_of(tensor)
        outer[symbol._ghost] = outer.get(outside, outside)
    return before + operations


def _weights_of(ys: Any, grad_ys: Any) -> list[Any]:
    """A weight for each y; a list may be one, in the place of an array."""
    if not isinstance(grad_ys, (list, tuple, dict)):
        return [grad_ys]
    nested = isinstance(ys, (list, tuple)) and any(isinstance(y, (list, tuple, dict)) for y in ys)
    return flatten(grad_ys) if nested or isinstance(grad_ys, dict) else list(grad_ys)


def _tensor(graph: Graph, y: Any, role: str) -> Any:
    if isinstance(y, IndexedSlices):
        y = y.values
    return graph.input(as_tensor(_checked(graph, y, role)))


def _source(graph: Graph, x: Any, role: str) -> Any:
    """What a gradient is taken with respect to: a symbol of this graph, or a variable."""
    if isinstance(x, IndexedSlices):
        x = x.values
    x = _checked(graph, x, role)
    if isinstance(x, Variable):
        inside = getattr(graph, "read_variable", None)  # in the body of a loop it is one of the inputs
        read = None if inside is None else inside(x)
        return read if isinstance(read, Symbol) and not _reads(read.op) else getattr(x, "_target", x)
    return graph.input(x)


def _reads(node: Operation) -> bool:
    return any(isinstance(arg, Variable) for arg in node.args)


def _checked(graph: Graph, x: Any, role: str) -> Any:
    if isinstance(x, str):
        return graph.get_tensor_by_name(x)
    if not isinstance(x, (Tensor, Variable)):
        if role == "ys" and x is not None:
            return as_tensor(x)
        raise TypeError(
            f"Argument `{role}` of tf.gradients must be tensors or variables, received {x!r} of type "
            f"{type(x).__name__}. A gradient can be taken with respect to what the computation used as a tensor: make "
            "one with tf.constant, and compute with it."
        )
    return x


def _value(source: Any) -> Any:
    return as_tensor(source)


def _weight(weight: Any, y: Symbol, i: int) -> Any:
    return weight if isinstance(weight, IndexedSlices) else weight_of(weight, y, f"grad_ys[{i}]")


def _symbol(g: Any) -> Any:
    """A gradient in the form of tensors of the graph."""
    if isinstance(g, IndexedSlices):
        return IndexedSlices(*[_symbol(part) for part in (g.values, g.indices, g.dense_shape)])
    return in_graph(EagerTensor(g) if isinstance(g, (np.ndarray, np.generic)) else g, None)
