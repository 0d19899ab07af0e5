"""``while_loop``. In eager mode it is a Python loop, and the tape sees the operations of each step; in a graph, one
operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_while
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure, pack_sequence_as
from gradtape._src.core.notes import note
from gradtape._src.core.shapes import compatible
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import stop_gradient


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeats ``body`` while ``cond`` holds.

        while cond(*loop_vars):
            loop_vars = body(*loop_vars)
        return loop_vars

    Args:
      cond: gives a scalar boolean tensor.
      body: gives new loop variables, of the same structure and dtypes; a single one need not be in a list.
      loop_vars: a non-empty list or tuple of tensors, nests of them, or TensorArrays.
      shape_invariants: shapes (``tf.TensorShape`` or ``tf.TensorSpec``, None for an unknown dimension) that every
        value of the loop variables fits, in their structure. In eager mode nothing else holds a shape fixed.
      parallel_iterations, swap_memory: without effect.
      back_prop: False stops the gradient at the results.
      maximum_iterations: the loop ends after so many steps: an integer, or a scalar tensor.

    Returns:
      The loop variables after the last step, in the structure of ``loop_vars``.

    Raises:
      TypeError: ``cond`` or ``body`` cannot be called; a loop variable changes its dtype.
      ValueError: no loop variables; ``body`` returns another structure; a shape does not fit its invariant.

    Example:
    >>> import gradtape as tf
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, 1.0))
    >>> print(y.numpy(), tape.gradient(y, x).numpy())
    8.0 12.0

    As TensorFlow 2.21.
    """
    if not callable(cond):
        raise TypeError(f"'cond' must be callable. Got {cond!r}.")
    if not callable(body):
        raise TypeError(f"'body' must be callable. Got {body!r}.")
    if not isinstance(loop_vars, (list, tuple, dict)) or not flatten(loop_vars):
        raise ValueError("'loop_vars' must be provided. Expected a non-empty list or tuple of tensors.")
    limit = _limit(maximum_iterations)
    structure = loop_vars
    flat = [_value(x) for x in flatten(loop_vars)]
    dtypes = [_dtype(x) for x in flat]
    invariants = None if shape_invariants is None else _invariants(shape_invariants, structure)
    _check_shapes(flat, invariants)
    if is_symbolic():
        flat = [as_tensor(x) for x in flatten(loop_vars, expand_composites=True)]
        result = graph_while(cond, body, structure, flat, invariants, limit, name)
        return result if back_prop else map_structure(stop_gradient, result)
    step, start = 0, flat
    as_args = (lambda vs: [vs]) if isinstance(structure, dict) else list
    while (limit is None or step < limit) and cond(*as_args(pack_sequence_as(structure, flat))):
        result = body(*as_args(pack_sequence_as(structure, flat)))
        if len(structure) == 1 and not isinstance(result, (list, tuple)) and not isinstance(structure, dict):
            result = [result]
        step += 1
        result = _like(structure, result)
        flat = [_value(x, dtype) for x, dtype in zip(flatten(result), dtypes, strict=True)]
        _check_dtypes(flat, dtypes, step)
        _check_shapes(flat, invariants)
    if not back_prop:
        flat = [stop_gradient(x) if isinstance(x, Tensor) else x for x in flat]
    note(
        "whole",
        "While",
        [x for x in start if isinstance(x, Tensor)],
        [x for x in flat if isinstance(x, Tensor)],
    )
    return pack_sequence_as(structure, flat)


def _limit(maximum_iterations: Any) -> Any:
    """As an int, or a tensor that has no value yet."""
    if maximum_iterations is None:
        return None
    limit = as_tensor(maximum_iterations)
    shape = shape_of(limit)
    if shape not in ((), None):
        raise ValueError(f"'maximum_iterations' must be a scalar. Received shape: {shape}")
    return limit if is_symbolic() and type(limit) is not EagerTensor else int(limit)  # type: ignore[call-overload]


def _value(x: Any, dtype: Any = None) -> Any:
    """A loop variable: a tensor, or what is no array (a TensorArray, None) as it is."""
    if dtype is not None and isinstance(x, (bool, int, float)):
        return as_tensor(x, dtype=dtype)
    return x if hasattr(x, "mark_used") or x is None else as_tensor(x)


def _dtype(x: Any) -> Any:
    return from_numpy(dtype_of(x)) if isinstance(x, Tensor) else None


def _like(structure: Any, result: Any) -> Any:
    """The result with the type of sequence of the loop variables; the structure below has to be the same."""
    if isinstance(structure, list) and isinstance(result, tuple) and not hasattr(result, "_fields"):
        result = list(result)
    elif type(structure) is tuple and isinstance(result, list):
        result = tuple(result)
    assert_same_structure(structure, result)
    return result


def _check_dtypes(flat: list[Any], dtypes: list[Any], step: int) -> None:
    for i, (x, dtype) in enumerate(zip(flat, dtypes, strict=True)):
        if dtype is not None and _dtype(x) is not dtype:
            found = type(x).__name__ if _dtype(x) is None else _dtype(x).name
            raise TypeError(
                f"Loop variable {i} enters the loop with dtype {dtype.name}, but has dtype {found} after {step} "
                f"iteration{'s' * (step > 1)}. A loop variable keeps its dtype: use tf.cast in the body."
            )


def _invariants(shape_invariants: Any, structure: Any) -> list[Any]:
    is_shape = lambda x: isinstance(x, (TensorShape, TensorSpec)) or x is None
    shapes = flatten(shape_invariants)
    if not all(map(is_shape, shapes)):
        raise TypeError(
            f"'shape_invariants' must hold tf.TensorShape or tf.TensorSpec, got {shape_invariants}."
        )
    assert_same_structure(structure, shape_invariants, check_types=False)
    return [None if x is None else as_shape_tuple(getattr(x, "shape", x)) for x in shapes]


def _check_shapes(flat: list[Any], invariants: list[Any] | None) -> None:
    for i, (x, invariant) in enumerate(zip(flat, invariants or (), strict=False)):
        if isinstance(x, Tensor) and not compatible(shape_of(x), invariant):
            raise ValueError(
                f"The shape {shape_of(x)} of loop variable {i} is not compatible with its shape invariant {invariant}."
            )
