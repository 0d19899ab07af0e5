"""TensorFlow 1's spellings of control flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.control import cond as v2_cond
from gradtape._src.control import loop


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """As ``tf.while_loop``; a single loop variable is returned bare, unless ``return_same_structure``.

    Example:
    >>> import gradtape as tf
    >>> print(tf.compat.v1.while_loop(lambda i: i < 3, lambda i: [i + 1], [0]))
    tf.Tensor(3, shape=(), dtype=int32)

    As TensorFlow 1.15.
    """
    result = loop.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants=shape_invariants,
        parallel_iterations=parallel_iterations,
        back_prop=back_prop,
        swap_memory=swap_memory,
        maximum_iterations=maximum_iterations,
        name=name,
    )
    bare = len(result) == 1 and not return_same_structure and isinstance(result, (list, tuple))
    return result[0] if bare else result


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """As ``tf.cond``; ``fn1`` and ``fn2`` are older names of the branches.

    A list or tuple of one value is returned bare, unless ``strict``.

    Example:
    >>> import gradtape as tf
    >>> print(tf.compat.v1.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)]))
    tf.Tensor(1, shape=(), dtype=int32)

    As TensorFlow 1.15.
    """
    result = v2_cond.cond(
        pred, fn1 if true_fn is None else true_fn, fn2 if false_fn is None else false_fn, name
    )
    bare = isinstance(result, (list, tuple)) and len(result) == 1 and not strict
    return result[0] if bare else result
