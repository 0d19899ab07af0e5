"""`tensorflow.python.eager.backprop`: the tape, and functions that give functions of gradients.

They were `tf.contrib.eager.gradients_function` and so on in TensorFlow 1.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import gradtape.compat.v1 as _v1
from gradtape import GradientTape as GradientTape
from gradtape import Variable, convert_to_tensor, identity, nest
from gradtape._src.core.missing import missing as _missing

_Params = Sequence[int | str] | None


def make_vjp(f: Callable[..., Any], params: _Params = None, persistent: bool = True) -> Callable[..., Any]:
    """A function of ``f``'s arguments that gives ``f(*args)``, and a function from cotangents to gradients.

    params: positions or names of the arguments to differentiate by; all of them where it is None.
    """

    def decorated(*args: Any, **kwargs: Any) -> tuple[Any, Callable[..., Any]]:
        # A copy of each, so that one tensor given for two arguments has two gradients.
        values = [arg if isinstance(arg, Variable) else identity(convert_to_tensor(arg)) for arg in args]
        with GradientTape(persistent=persistent) as tape:
            values = [_watched(tape, value) for value in values]
            result = f(*values, **kwargs)
        if result is None:
            raise ValueError(_no_result(f))
        sources = [values[place] for place in _places(f, params, len(values))]

        def vjp(dy: Any = None) -> list[Any]:
            targets = nest.flatten(result)
            weights = None if dy is None else nest.flatten(dy) if isinstance(dy, list | tuple) else [dy]
            return tape.gradient(targets, sources, output_gradients=weights)

        return result, vjp

    return decorated


def val_and_grad_function(f: Callable[..., Any], params: _Params = None) -> Callable[..., Any]:
    """A function of ``f``'s arguments that gives ``f(*args)`` and the gradients in the arguments."""

    def decorated(*args: Any, dy: Any = None, **kwargs: Any) -> tuple[Any, list[Any]]:
        value, vjp = make_vjp(f, params)(*args, **kwargs)
        return value, vjp(dy)

    return decorated


def gradients_function(f: Callable[..., Any], params: _Params = None) -> Callable[..., list[Any]]:
    """A function of ``f``'s arguments that gives the gradients in the arguments."""

    def decorated(*args: Any, dy: Any = None, **kwargs: Any) -> list[Any]:
        return val_and_grad_function(f, params)(*args, dy=dy, **kwargs)[1]

    return decorated


def implicit_val_and_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives ``f(*args)``, and (gradient, variable) for each variable that ``f`` read."""

    def decorated(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with GradientTape() as tape:
            result = f(*args, **kwargs)
        if result is None:
            raise ValueError(_no_result(f))
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return result, list(zip(tape.gradient(result, variables), variables, strict=True))

    return decorated


def implicit_grad(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """A function that gives (gradient, variable) for each variable that ``f`` read."""
    return lambda *args, **kwargs: implicit_val_and_grad(f)(*args, **kwargs)[1]


def _watched(tape: GradientTape, value: Any) -> Any:
    """A variable given as an argument is taken by its value there."""
    value = value.read_value() if isinstance(value, Variable) else value
    tape.watch(value)
    return value


def _places(f: Callable[..., Any], params: _Params, count: int) -> list[int]:
    if params is None:
        return list(range(count))
    names = list(inspect.signature(f).parameters)
    return [names.index(param) if isinstance(param, str) else param for param in params]


def _no_result(f: Callable[..., Any]) -> str:
    name = getattr(f, "__name__", f)
    return f"Cannot differentiate a function that returns None; did you forget to return a value from {name}?"


__getattr__ = _missing(__name__, globals(), base=_v1)
