"""Control flow in a graph: traced into the branches of a ``cond_op`` and the steps of a ``loop``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradtape._src.control.body import BodyGraph, tell_of_variables
from gradtape._src.control.cond_op import cond_op
from gradtape._src.control.loop_op import loop
from gradtape._src.control.tensor_array import GraphTensorArray
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import assert_same_structure, flatten, pack_sequence_as
from gradtape._src.core.shapes import Shape, as_text, compatible
from gradtape._src.core.values import Tensor, dtype_of, ghost_of, shape_of
from gradtape._src.ops.sequences import elements, stacked


def graph_cond(pred: Any, fns: Sequence[Callable[[], Any]], what: str, name: str | None = None) -> Any:
    """``fns[0]()`` if a boolean ``pred`` holds, else ``fns[1]()``; or ``fns[pred]()`` for an integer.

    Every branch is traced; each takes all that any of them uses from outside.
    """
    graphs, results, outputs = [], [], []
    for fn in fns:
        graph = BodyGraph()
        result = graph.trace(fn)
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
    out = cond_op.of(as_tensor(pred), *outside.values(), branches=branches, spreads=(), packs=(), name=name)
    found: list[Any] = [None] * len(outputs[0])
    for i, x in zip(places, out, strict=True):
        found[i] = x
    packed = pack_sequence_as(results[0], found, expand_composites=True)
    for array, *others in zip(flatten(packed), *map(flatten, results[1:]), strict=True):
        if isinstance(array, GraphTensorArray):
            array._forget_differences(others)
    return packed


def _check_alike(first: Any, first_values: list[Any], other: Any, values: list[Any], what: str) -> None:
    """The branches give the same structure and the same dtypes."""
    try:
        assert_same_structure(first, other, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{what} must have the same number, type, and overall structure of return values.\n\n{error}"
        ) from None
    for a, b in zip(first_values, values, strict=True):
        if (a is None) != (b is None):
            raise TypeError(f"{what} must return None in the same places: one gives {a}, another {b}.")
        if a is not None and dtype_of(a) != dtype_of(b):
            raise TypeError(
                f"{what} must return values of the same dtypes: one gives {from_numpy(dtype_of(a)).name}, another "
                f"{from_numpy(dtype_of(b)).name}. Use tf.cast in one of them."
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
    """A loop over ``flat``, the tensors of the loop variables ``structure``.

    ``body`` takes one row of each of ``columns`` too, behind the loop variables; the loop ends after the last row.
    """
    graph = BodyGraph()
    shapes = [shape_of(x) for x in flat] if invariants is None else invariants
    arguments = [graph.argument(shape, dtype_of(x)) for shape, x in zip(shapes, flat, strict=True)]
    variables = pack_sequence_as(structure, arguments, expand_composites=True)
    variables = [variables] if isinstance(structure, dict) else list(variables)
    goes_on = graph.output(graph.trace(cond, *variables))
    row = [graph.argument(None if shape_of(x) is None else shape_of(x)[1:], dtype_of(x)) for x in columns]
    result = graph.trace(body, *variables, *row)
    if len(structure) == 1 and not isinstance(result, (list, tuple, dict)):
        result = [result]
    if (
        isinstance(structure, (list, tuple))
        and type(structure) is not type(result)
        and not hasattr(result, "_fields")
    ):
        result = type(structure)(result) if type(structure) in (list, tuple) else result
    assert_same_structure(structure, result, expand_composites=True)
    outputs = [graph.output(x) for x in flatten(result, expand_composites=True)]
    for i, (x, shape, out) in enumerate(zip(flat, shapes, outputs, strict=True)):
        _check_carry(i, x, shape, out)
    step = graph.subgraph([*arguments, *row], outputs)
    more = graph.subgraph(arguments, [goes_on], effects=False)
    tell_of_variables(graph.captured)
    out = loop.of(
        *flat,
        *(elements.of(x) for x in columns),
        *graph.captured,
        step=step,
        cond=more,
        n_carry=len(flat),
        n_seqs=len(columns),
        reverse=False,
        limit=limit,
        name=name,
    )
    # The body's result, because a TensorArray in it knows what was written.
    return pack_sequence_as(result, list(out[: len(flat)]), expand_composites=True)


def _check_carry(i: int, before: Tensor, shape: Shape, after: Any) -> None:
    if dtype_of(after) != dtype_of(before):
        raise TypeError(
            f"Loop variable {i} enters the loop with dtype {from_numpy(dtype_of(before)).name}, but has dtype "
            f"{from_numpy(dtype_of(after)).name} after 1 iteration. A loop variable keeps its dtype: use tf.cast in "
            f"the body."
        )
    if not _at_most(shape_of(after), shape):
        raise ValueError(
            f"Loop variable {i} enters the loop with shape {as_text(shape)}, but has shape {as_text(shape_of(after))} "
            f"after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument "
            f"of tf.while_loop to specify a less-specific shape."
        )


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
    graph = BodyGraph()
    carry = [graph.argument(shape_of(x), dtype_of(x)) for x in initial]
    row = [graph.argument(None if shape_of(x) is None else shape_of(x)[1:], dtype_of(x)) for x in columns]
    new, results = graph.trace(fn, carry, row)
    new, results = [graph.output(x) for x in new], [graph.output(x) for x in results]
    for i, (before, after) in enumerate(zip(initial, new, strict=True)):
        _check_carry(i, before, shape_of(before), after)
    step = graph.subgraph([*carry, *row], [*new, *results])
    tell_of_variables(graph.captured)
    out = loop.of(
        *initial,
        *(elements.of(x) for x in columns),
        *graph.captured,
        step=step,
        cond=None,
        n_carry=len(initial),
        n_seqs=len(columns),
        reverse=reverse,
        limit=None,
        name=name,
    )
    n = len(initial)
    length = shape_of(columns[0])
    rows = []
    for sequence, result in zip(out[n + 1 :], results, strict=True):
        array = stacked.of(sequence, shape=shape_of(result), dtype=dtype_of(result))
        if length is not None and shape_of(result) is not None:
            array.set_shape((length[0], *shape_of(result)))
        rows.append(array)
    return list(out[:n]), rows
