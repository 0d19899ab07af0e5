"""Control flow in a graph: traced into the branches of a ``cond_op`` and the steps of a ``loop``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradtape._src.control.body import BodyGraph, after_parts, tell_of_variables
from gradtape._src.control.cond_op import cond_op
from gradtape._src.control.loop_op import loop
from gradtape._src.control.tensor_array import GraphTensorArray
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure, pack_sequence_as
from gradtape._src.core.shapes import Shape, as_text, compatible
from gradtape._src.core.values import Tensor, dtype_of, ghost_of, shape_of
from gradtape._src.graph.ir import Operation, Symbol, current_graph
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.comparison import less, logical_and
from gradtape._src.ops.sequences import elements, stacked


def graph_cond(pred: Any, fns: Sequence[Callable[[], Any]], what: str, name: str | None = None) -> Any:
    """``fns[0]()`` if a boolean ``pred`` holds, else ``fns[1]()``; or ``fns[pred]()`` for an integer.

    Every branch is traced; each takes all that any of them uses from outside. An operation in place of a result is
    executed in its branch, and gives ``pred``.
    """
    name = _name(name or "cond")
    graphs, results, outputs = [], [], []
    for fn in fns:
        graph = BodyGraph(f"{name}/")
        result = map_structure(
            lambda x, graph=graph: graph.after(x, pred) if isinstance(x, Operation) else x, graph.trace(fn)
        )
        graphs.append(graph)
        results.append(result)
        outputs.append(
            [None if x is None else graph.output(x) for x in flatten(result, expand_composites=True)]
        )
    for result, values in zip(results[1:], outputs[1:], strict=True):
        _check_alike(results[0], outputs[0], result, values, what)
    outside = {ghost_of(value): value for graph in graphs for value in graph.captured}
    places = [i for i, x in enumerate(outputs[0]) if x is not None]
    branches = tuple(
        graph.subgraph((), [values[i] for i in places], outside.values())
        for graph, values in zip(graphs, outputs, strict=True)
    )
    tell_of_variables(outside.values())
    with after_parts(graphs):
        out = cond_op.of(
            as_tensor(pred), *outside.values(), branches=branches, spreads=(), packs=(), name=f"{name}/"
        )
    found: list[Any] = [None] * len(outputs[0])
    for i, x in zip(places, out, strict=True):
        found[i] = x
    packed = pack_sequence_as(results[0], found, expand_composites=True)
    for array, *others in zip(flatten(packed), *map(flatten, results[1:]), strict=True):
        if isinstance(array, GraphTensorArray):
            array._forget_differences(others)
    return packed


def _name(name: str) -> str:
    """The name of an operation, in full: what it traces is in the scope of that name."""
    graph = current_graph()
    return name if graph is None else graph.unique_name(name)


def _check_alike(first: Any, first_values: list[Any], other: Any, values: list[Any], what: str) -> None:
    """The branches give the same structure and the same dtypes."""
    must = f"{what} must have the same number, type, and overall structure of return values."
    try:
        assert_same_structure(first, other, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{must}\n\n{error}") from None
    for a, b in zip(first_values, values, strict=True):
        if (a is None) != (b is None):
            raise TypeError(f"{must} One gives {a} where another gives {b}.")
        if a is not None and dtype_of(a) != dtype_of(b):
            raise TypeError(
                f"{must} One gives {from_numpy(dtype_of(a)).name}, another {from_numpy(dtype_of(b)).name}. Use tf.cast "
                f"in one of them."
            )


def graph_while(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    structure: Any,
    flat: list[Tensor],
    invariants: Sequence[Shape] | None,
    limit: Any,
    name: str | None = None,
    columns: Sequence[Tensor] = (),
) -> Any:
    """A loop over ``flat``, the tensors of the loop variables ``structure``, of at most ``limit`` steps.

    ``body`` takes one row of each of ``columns`` too, behind the loop variables; the loop ends after the last row.
    """
    shapes = [shape_of(x) for x in flat] if invariants is None else invariants
    if isinstance(limit, Symbol):
        return _counted(cond, body, structure, flat, shapes, limit, name, columns)
    name = _name(name or "while")
    graph = BodyGraph(f"{name}/")
    arguments = [graph.argument(shape, dtype_of(x)) for shape, x in zip(shapes, flat, strict=True)]
    variables = _spread(pack_sequence_as(structure, arguments, expand_composites=True))
    goes_on = graph.output(graph.trace(cond, *variables))
    row = [graph.argument(None if shape_of(x) is None else shape_of(x)[1:], dtype_of(x)) for x in columns]
    result = _like(structure, graph.trace(body, *variables, *row))
    outputs = [graph.output(x) for x in flatten(result, expand_composites=True)]
    for i, (x, shape, out) in enumerate(zip(flat, shapes, outputs, strict=True)):
        _check_carry(i, x, shape, out)
    step = graph.subgraph([*arguments, *row], outputs)
    more = graph.subgraph(arguments, [goes_on], effects=False)
    out = _looped(graph, flat, columns, name, step=step, cond=more, reverse=False, limit=limit)
    # The body's result, because a TensorArray in it knows what was written.
    return pack_sequence_as(result, list(out[: len(flat)]), expand_composites=True)


def _looped(graph: BodyGraph, carry: Sequence[Any], columns: Sequence[Any], name: str, **how: Any) -> Any:
    """The operation of a loop whose body was traced into ``graph``; ``how`` are its parameters besides the numbers."""
    tell_of_variables(graph.captured)
    with after_parts([graph]):
        return loop.of(
            *carry,
            *(elements.of(x) for x in columns),
            *graph.captured,
            n_carry=len(carry),
            n_seqs=len(columns),
            name=f"{name}/",
            **how,
        )


def _counted(
    cond: Any, body: Any, structure: Any, flat: Any, shapes: Any, limit: Symbol, name: Any, columns: Any
) -> Any:
    """The loop with a further loop variable that counts the steps, for a limit that is a tensor."""

    def goes_on(step: Any, variables: Any) -> Any:
        return logical_and.of(less.of(step, limit), as_tensor(cond(*_spread(variables))))

    def once(step: Any, variables: Any, *row: Any) -> Any:
        return step + 1, _like(structure, body(*_spread(variables), *row))

    start = zeros_like.of(limit)
    found = graph_while(goes_on, once, (start, structure), [start, *flat], [(), *shapes], None, name, columns)
    return found[1]


def _spread(variables: Any) -> list[Any]:
    """Loop variables as the arguments of the functions of a loop."""
    return [variables] if isinstance(variables, dict) else list(variables)


def _like(structure: Any, result: Any) -> Any:
    """What a body gave, as a nest like that of the loop variables, lists and tuples being one."""
    if len(structure) == 1 and isinstance(structure, (list, tuple)) and not isinstance(result, (list, tuple)):
        result = [result]
    assert_same_structure(structure, result, check_types=False, expand_composites=True)
    return pack_sequence_as(structure, flatten(result))


def _check_carry(i: int, before: Tensor, shape: Shape, after: Any) -> None:
    if dtype_of(after) != dtype_of(before):
        raise TypeError(
            f"Loop var {_called(i, before)} enters the loop with type {from_numpy(dtype_of(before))} but has type "
            f"{from_numpy(dtype_of(after))} after 1 iteration. A loop variable keeps its dtype: use tf.cast in the "
            f"body."
        )
    if not _at_most(shape_of(after), shape):
        raise ValueError(
            f"Input tensor `{_called(i, before)}` enters the loop with shape {as_text(shape)}, but has shape "
            f"{as_text(shape_of(after))} after one iteration. To allow the shape to vary across iterations, use the "
            f"`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
        )


def _called(i: int, x: Any) -> str:
    return x.name if isinstance(x, Symbol) else f"Const:{i}"


def _at_most(shape: Shape, general: Shape) -> bool:
    """Whether every shape that ``shape`` stands for is one that ``general`` stands for."""
    if general is None:
        return True
    if shape is None or len(shape) != len(general):
        return False
    return all(g is None or g == s for s, g in zip(shape, general, strict=True))


def graph_scan(
    fn: Callable[..., Any],
    initial: list[Tensor],
    columns: list[Tensor],
    reverse: bool,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """Steps through the rows of ``columns``: ``fn(carry, row)`` gives a flat new carry and flat results.

    Returns:
      The last carry, and for each result the rows that the steps gave, stacked.
    """
    name = _name(name or "while")
    graph = BodyGraph(f"{name}/")
    carry = [graph.argument(shape_of(x), dtype_of(x)) for x in initial]
    row = [graph.argument(None if shape_of(x) is None else shape_of(x)[1:], dtype_of(x)) for x in columns]
    new, results = graph.trace(fn, carry, row)
    new, results = [graph.output(x) for x in new], [graph.output(x) for x in results]
    for i, (before, after) in enumerate(zip(initial, new, strict=True)):
        _check_carry(i, before, shape_of(before), after)
    step = graph.subgraph([*carry, *row], [*new, *results])
    out = _looped(graph, initial, columns, name, step=step, cond=None, reverse=reverse, limit=None)
    n = len(initial)
    length = shape_of(columns[0])
    rows = []
    for sequence, result in zip(out[n + 1 :], results, strict=True):
        array = stacked.of(sequence, shape=shape_of(result), dtype=dtype_of(result))
        if length is not None and shape_of(result) is not None:
            array.set_shape((length[0], *shape_of(result)))
        rows.append(array)
    return list(out[:n]), rows
