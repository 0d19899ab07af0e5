"""``tf.vectorized_map``: a function of all elements at once.

In eager mode the function is called once, with ``Batched`` tensors, and every operation in it is executed for all
elements by its batch rule. In a graph it is the step of a loop that carries nothing, which is executed in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.autodiff.batching import Batcher, ValueNeeded, is_looped
from gradtape._src.autodiff.sweep import boxed
from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_scan
from gradtape._src.control.loop_op import loop
from gradtape._src.control.subgraph import Subgraph
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.log import warn as log
from gradtape._src.core.nest import flatten, map_structure, pack_sequence_as
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.arrays import reshape, stack
from gradtape._src.ops.joining import unpack


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """``tf.stack([fn(x) for x in elems])`` with one call of ``fn``: each operation in it runs for all elements at once.

    As `tf.map_fn`, but quicker, and with more memory. ``fn`` may use tensors and variables from outside; gradients flow
    to them and to ``elems``, and a tape inside ``fn`` gives a gradient for each element.

    Args:
      fn: a function of one element: of a tensor, or of a nest with the structure of ``elems``.
      elems: a tensor, or a nest of tensors with equal first dimensions; one of length 1 stands for all elements.
      fallback_to_while_loop: operations without a batch rule, and programs that ask for a value (`if x > 0`), are
        executed once for each element. Otherwise they raise.
      warn: says so, once for each operation.

    Returns:
      What ``fn`` returns, with a first dimension for the elements; None where it returns None.

    Raises:
      ValueError: there is nothing to map over, a scalar in ``elems``, or first dimensions differ; an operation has no
        batch rule and ``fallback_to_while_loop`` is False.

    Example:
    >>> import gradtape as tf
    >>> w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> print(tf.vectorized_map(lambda x: tf.linalg.matvec(w, x), tf.constant([[1.0, 0.0], [1.0, 1.0]])).numpy())
    [[1. 3.]
     [3. 7.]]

    As TensorFlow 2.21, which does not fall back for Python's `if`.
    """
    flat, n = _columns(elems)
    met = lambda op: _met(op, fallback_to_while_loop, warn)
    if is_symbolic():
        return _in_graph(fn, elems, flat, met)
    batcher = Batcher(n, on_loop=met)
    shared = [x for x in flat if shape_of(x)[0] == 1 and n > 1]
    arguments = [
        reshape(x, shape_of(x)[1:]) if any(x is s for s in shared) else batcher.batch(x) for x in flat
    ]
    try:
        with batcher.active():
            results = map_structure(_optional, fn(pack_sequence_as(elems, arguments)))
    except ValueNeeded as error:
        if not fallback_to_while_loop:
            raise ValueError(f"No vectorization of a value that Python asks for. {error}") from error
        if warn:
            log(
                f"vectorized_map: using a loop over the elements, because the function asks for a value. {error}",
                first=1,
            )
        return _one_by_one(fn, elems, flat, n)
    return map_structure(lambda x: None if x is None else boxed(batcher.unbatch(x)), results)


def _columns(elems: Any) -> tuple[list[Any], Any]:
    """The tensors of ``elems``, and how many elements they have."""
    flat = [as_tensor(x) for x in flatten(elems)]
    if not flat:
        raise ValueError("vectorized_map needs at least one tensor in elems, got none.")
    if any(shape_of(x) == () for x in flat):
        raise ValueError("elems of vectorized_map must have a first dimension to map over, got a scalar.")
    lengths = {shape_of(x)[0] for x in flat if shape_of(x) is not None} - {None, 1}
    if len(lengths) > 1:
        raise ValueError(
            f"elems of vectorized_map must have equal first dimensions (or 1), got {sorted(lengths)}."
        )
    return flat, lengths.pop() if lengths else 1


def _met(op: Op, fall_back: bool, warn: bool) -> None:
    """An operation without a batch rule."""
    if not fall_back:
        raise ValueError(
            f"No vectorization is defined for the operation {op.name}. Pass fallback_to_while_loop=True to execute it "
            "once for each element, or use tf.map_fn."
        )
    if warn:
        log(
            f"vectorized_map: using a loop for {op.name}, which has no batch rule: it is executed for each element.",
            first=1,
        )


def _one_by_one(fn: Callable[..., Any], elems: Any, flat: list[Any], n: int) -> Any:
    columns = [unpack(x, num=shape_of(x)[0], axis=0) for x in flat]
    columns = [column * n if len(column) == 1 else column for column in columns]
    results = [fn(pack_sequence_as(elems, list(row))) for row in zip(*columns, strict=True)]
    together = lambda *parts: None if parts[0] is None else stack([as_tensor(part) for part in parts])
    return map_structure(together, *results)


def _optional(x: Any) -> Any:
    """A result as a tensor; None, such as the gradient of what is not connected, stays None."""
    return None if x is None else as_tensor(x)


def _in_graph(fn: Callable[..., Any], elems: Any, flat: list[Any], met: Callable[[Op], None]) -> Any:
    structure: list[Any] = []
    whole = [x for x in flat if shape_of(x) is None or shape_of(x)[0] != 1 or len(flat) == 1]

    def step(carry: list[Any], row: list[Any]) -> tuple[list[Any], list[Any]]:
        rows = iter(row)
        arguments = [next(rows) if any(x is w for w in whole) else reshape(x, shape_of(x)[1:]) for x in flat]
        results = fn(pack_sequence_as(elems, arguments))
        structure.append(results)
        return [], [as_tensor(x) for x in flatten(results) if x is not None]

    _, rows = graph_scan(step, [], whole or flat, False, None)
    graph: Any = current_graph()
    node = next(node for node in reversed(graph.operations) if node.op is loop)
    for op in _looped(node.params["step"], node.params["n_seqs"]):
        met(op)
    found = iter(rows)
    return map_structure(lambda x: None if x is None else next(found), structure[0])


def _looped(step: Subgraph, n_seqs: int) -> list[Op]:
    """The operations without a batch rule whose arguments differ from element to element."""
    varying = {symbol._ghost for symbol in step.inputs[:n_seqs]}
    found = []
    for node in step.operations:
        if not varying.isdisjoint(symbol._ghost for symbol in node.inputs):
            varying.update(out._ghost for out in node.outputs)
            if is_looped(node.op):
                found.append(node.op)
    return found
