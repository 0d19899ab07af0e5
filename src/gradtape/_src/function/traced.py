"""The parameters of a trace: those of its function, with the arguments for which it was traced.

Each of ``*args`` and of ``**kwargs`` is a parameter by itself. A trace can also be called by its *flat* signature: its
tensors alone, in order, or by the names that they have in the graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any, NamedTuple

from gradtape._src.core.nest import assert_same_structure, flatten, is_nested
from gradtape._src.core.values import Tensor
from gradtape._src.function.described import described
from gradtape._src.function.signature import Signature, held, is_tensor_leaf
from gradtape._src.ops.variables import Variable


class Traced(NamedTuple):
    """A parameter, and what it was traced for: with ``tf.TensorSpec``s in place of tensors."""

    name: str
    kind: Any
    value: Any


def traced_parameters(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Traced]:
    """The parameters with the arguments of a trace. Where there is ``*args``, those before are positional only."""
    parameters = signature.signature.parameters
    starred = any(p.kind is Parameter.VAR_POSITIONAL for p in parameters.values())
    found: list[Traced] = []
    for name, value in signature.signature.bind(*args, **kwargs).arguments.items():
        kind = parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            found += [Traced(f"{name}_{i}", Parameter.POSITIONAL_ONLY, x) for i, x in enumerate(value)]
        elif kind is Parameter.VAR_KEYWORD:
            found += [Traced(key, Parameter.KEYWORD_ONLY, x) for key, x in value.items()]
        elif starred and kind is Parameter.POSITIONAL_OR_KEYWORD:
            found.append(Traced(name, Parameter.POSITIONAL_ONLY, value))
        else:
            found.append(Traced(name, kind, value))
    return found


def bound(parameters: Sequence[Traced], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The tensors among the arguments of a call, in the order of the trace. Python values may be left out.

    Raises:
      TypeError: the arguments do not fit.
    """
    positional = [p for p in parameters if p.kind is not Parameter.KEYWORD_ONLY]
    if len(args) > len(positional):
        raise TypeError("too many positional arguments")
    given = {p.name: x for p, x in zip(positional, args)}
    by_name = {p.name for p in parameters if p.kind is not Parameter.POSITIONAL_ONLY}
    for name, x in kwargs.items():
        if name not in by_name:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
        if name in given:
            raise TypeError(f"multiple values for argument {name!r}")
        given[name] = x
    for p in parameters:
        if p.name not in given and any(is_tensor_leaf(part) for part in flatten(p.value, True)):
            raise TypeError(f"missing a required argument: {p.name!r}")
    return [x for p in parameters if p.name in given for x in _tensors(given[p.name], p.value)]


def _tensors(x: Any, traced: Any) -> list[Any]:
    """The tensors of an argument that was traced as ``traced``."""
    try:
        assert_same_structure(traced, x, check_types=False, expand_composites=True)
    except (TypeError, ValueError) as error:
        if is_nested(traced) and not is_nested(x):
            kind = "a Dict" if isinstance(traced, Mapping) else type(traced).__name__
            raise TypeError(f"Can not cast {x!r} to {kind} type: {described(traced)}") from None
        raise TypeError(f"Can not cast {x!r} to {described(traced)}: {error}") from None
    found = []
    for value, part in zip(flatten(x, True), flatten(traced, True), strict=True):
        if is_tensor_leaf(part):
            found.append(value)
        elif held(value) is not part and isinstance(value, Tensor) or held(value) != part:
            raise TypeError(f"Can not cast {value!r} to {described(part)}")
    return found


def bound_flat(function: str, names: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The tensors of a call by the flat signature, in order.

    Raises:
      TypeError: the arguments do not fit.
    """
    called = f"{function}({', '.join(names)})"
    if len(args) > len(names):
        raise TypeError(f"{called} takes {len(names)} positional arguments, got {len(args)}.")
    given = dict(zip(names, args))
    unexpected = [name for name in kwargs if name not in names]
    twice = [name for name in kwargs if name in given]
    given.update(kwargs)
    missing = [name for name in names if name not in given]
    if missing:
        raise TypeError(f"{called} missing required arguments: {', '.join(missing)}.")
    if twice:
        raise TypeError(f"{called} got two values for {twice[0]!r}.")
    if unexpected:
        raise TypeError(f"{called} got unexpected keyword arguments: {', '.join(unexpected)}.")
    found = [given[name] for name in names]
    for i, x in enumerate(found):
        if not isinstance(x, (Tensor, Variable)):
            raise TypeError(
                f"{called}: expected argument #{i}(zero-based) to be a Tensor; got {type(x).__name__} ({x})."
            )
    return found
