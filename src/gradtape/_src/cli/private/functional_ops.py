"""`tensorflow.python.ops.functional_ops`: control flow over functions of tensors, beside the folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradtape.compat.v1 as _v1
from gradtape import GradientTape, TensorShape, convert_to_tensor, nest
from gradtape import cond as _cond
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.missing import missing as _missing

_Function = Callable[..., Any]


def If(
    cond: Any, inputs: Sequence[Any], then_branch: _Function, else_branch: _Function, name: Any = None
) -> Any:
    """The results of one of two functions of the inputs, as a list."""
    branches = [lambda f=f: _results(f, inputs) for f in (then_branch, else_branch)]
    return _cond(convert_to_tensor(cond), *branches, name=name)


def While(
    input_: Sequence[Any], cond: _Function, body: _Function, name: Any = None, hostmem: Any = None
) -> Any:
    """Replaces the inputs by the results of ``body`` while ``cond`` of them holds."""

    def goes_on(*xs: Any) -> Any:
        found = _results(cond, xs)
        if len(found) != 1:
            raise InvalidArgumentError.of(
                f"Expected a single scalar return value from cond, but got {len(found)} tensors."
            )
        return found[0]

    def step(*xs: Any) -> list[Any]:
        found = _results(body, xs)
        if len(found) != len(xs):
            raise InvalidArgumentError.of(
                f"While loop body returned {len(found)} arguments. Expected: {len(xs)}"
            )
        return found

    return _loop(goes_on, step, input_, name)


def For(
    start: Any,
    limit: Any,
    delta: Any,
    inputs: Sequence[Any],
    body: _Function,
    name: Any = None,
    hostmem: Any = None,
    rewrite_with_while: Any = None,
) -> Any:
    """Replaces the inputs by the results of ``body(i, *inputs)``, for i from ``start`` to ``limit``, exclusive."""
    if any(_v1.convert_to_tensor(x).shape.rank not in (0, None) for x in (start, limit, delta)):
        raise InvalidArgumentError.of("start, limit and delta of For must be a scalar each.")
    if all(isinstance(x, int) for x in (start, limit, delta)) and (limit - start) * delta < 0:
        raise InvalidArgumentError.of(f"Invalid start/limit/delta: {start} {limit} {delta}")

    def step(i: Any, *xs: Any) -> list[Any]:
        found = _results(body, (i, *xs))
        if len(found) != len(xs):
            raise InvalidArgumentError.of(
                f"For loop body returned {len(found)} arguments. Expected: {len(xs)}"
            )
        return [i + delta, *found]

    goes_on = lambda i, *_: i < limit if delta > 0 else i > limit
    return _loop(goes_on, step, [start, *inputs], name)[1:]


def Gradient(inputs: Sequence[Any], f: _Function, name: Any = None) -> list[Any]:
    """The gradients of a function: ``inputs`` are its arguments and the cotangents of its results."""
    tensors = [convert_to_tensor(x) for x in inputs]
    n = len(f.input_signature) if hasattr(f, "input_signature") else len(tensors) - 1  # type: ignore[attr-defined]
    with GradientTape() as tape:
        tape.watch(tensors[:n])
        found = _results(f, tensors[:n])
    return tape.gradient(found, tensors[:n], output_gradients=tensors[n:])


def partitioned_call(args: Sequence[Any], f: _Function, *options: Any, **more: Any) -> Any:
    """The results of a function, as a list; the operation that calls it, where there are none."""
    found = f(*args)
    return _v1.get_default_graph().get_operations()[-1] if found is None else nest.flatten(found)


def _results(f: _Function, args: Sequence[Any]) -> list[Any]:
    found = f(*args)
    return [] if found is None else nest.flatten(found)


def _loop(goes_on: _Function, step: _Function, inputs: Sequence[Any], name: Any) -> list[Any]:
    """A loop whose functions do not know the shapes of their arguments."""
    invariants = [TensorShape(None)] * len(inputs)
    loop_vars = [convert_to_tensor(x) for x in inputs]
    return _v1.while_loop(goes_on, step, loop_vars, invariants, name=name, return_same_structure=True)


__getattr__ = _missing(__name__, globals(), base=_v1)
