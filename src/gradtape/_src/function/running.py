"""How the Python function of a `tf.function` is run: converted by AutoGraph, as it is, or without a graph at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.function.reachable import can_run_unconverted

_eagerly = False


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made by `tf.function` are run as plain Python, with nothing traced: for debugging.

    >>> import gradtape as tf
    >>> tf.config.run_functions_eagerly(True)
    >>> tf.function(lambda x: print(x.numpy()))(tf.constant(3))
    3
    >>> tf.config.run_functions_eagerly(False)

    As TensorFlow 2.21.
    """
    global _eagerly
    _eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """What `tf.config.run_functions_eagerly` was set to.

    >>> import gradtape as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return _eagerly


def attempts(function: Callable[..., Any], autograph: bool, flat_args: list[Any]) -> list[Callable[..., Any]]:
    """The forms of a function in which to trace it, one after the other as long as Python asks symbols for values."""
    if not autograph:
        return [function]
    if can_run_unconverted(function, flat_args):
        return [function, lambda *args, **kwargs: converted(function)(*args, **kwargs)]
    return [converted(function)]


def converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its control flow on tensors turned into operations of a graph."""
    from gradtape._src.function import conversion  # start-up cost: malt, 50 ms

    return conversion.convert(function)
