"""What users say to AutoGraph in their code: which functions it leaves alone, and how a loop is to be built."""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import Any

UNSPECIFIED = object()


class Feature(Enum):
    """Names of optional parts of AutoGraph, which are accepted and have no effect.

    >>> import gradtape as tf
    >>> tf.autograph.experimental.Feature.ALL.value
    'ALL'
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """A function like ``func`` that AutoGraph leaves as it is, and all that it calls.

    >>> import gradtape as tf
    >>> @tf.autograph.experimental.do_not_convert
    ... def f(x):
    ...     return x + 1
    >>> tf.function(f)(tf.constant(1)).numpy()
    np.int32(2)

    As TensorFlow 2.21.
    """
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def unconverted(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    unconverted.autograph_info__ = {}  # type: ignore[attr-defined]
    return unconverted


def set_loop_options(
    parallel_iterations: Any = UNSPECIFIED,
    swap_memory: Any = UNSPECIFIED,
    maximum_iterations: Any = UNSPECIFIED,
    shape_invariants: Any = UNSPECIFIED,
) -> None:
    """As the first statement of a loop: arguments for the `tf.while_loop` that the loop becomes.

    Args:
      maximum_iterations: the loop ends after so many steps.
      shape_invariants: pairs of a loop variable and the shape that it has in all steps.
      parallel_iterations, swap_memory: without effect.

    >>> import gradtape as tf
    >>> @tf.function
    ... def doubled(x, n):
    ...     for _ in tf.range(n):
    ...         tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
    ...         x = tf.concat([x, x], 0)
    ...     return x
    >>> doubled(tf.constant([1]), tf.constant(2)).numpy()
    array([1, 1, 1, 1], dtype=int32)

    As TensorFlow 2.21.
    """
