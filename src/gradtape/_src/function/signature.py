"""How the arguments of a call are bound to parameters, and by what a trace is found again.

The key of a call is a tuple: for a tensor its dtype and shape, for a variable its identity, for a nest the keys of
its parts, for any other object its value. Making it is most of what a call of a traced function costs in Python, so
what comes most often is written out.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import _EXPANDED as CONTAINERS
from gradtape._src.core.nest import assert_same_structure, flatten, is_nested, pack_sequence_as
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import EagerTensor, Ghost, Tensor
from gradtape._src.ops.variables import Variable

Key = tuple[Any, ...]
_NOTHING: dict[str, Any] = {}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

# --- Keys ---------------------------------------------------------------------------------------------------

_LITERALS = frozenset({int, float, bool, str, bytes, complex, type(None)})


def key_of(x: Any, leaves: list[Any]) -> Any:
    """The key of a value; appends its tensors to ``leaves``, in the order of ``flatten``."""
    kind = type(x)
    if kind is EagerTensor:
        leaves.append(x)
        data = x._data
        return data.dtype, data.shape
    if kind in _LITERALS:
        return kind, x
    container = CONTAINERS[kind]
    if container is not None:
        names = tuple(container.steps(x)) if isinstance(x, Mapping) else None
        return kind, names, *[key_of(child, leaves) for child in container.children(x)]
    return _key_of_leaf(x, kind, leaves)


def _key_of_leaf(x: Any, kind: type, leaves: list[Any]) -> Any:
    if isinstance(x, Tensor):
        leaves.append(x)
        ghost: Ghost = x._ghost  # type: ignore[attr-defined]
        return ghost.dtype, ghost.shape
    if isinstance(x, Variable):
        return kind, x._ghost
    if isinstance(x, TensorSpec):
        leaves.append(x)
        return x.dtype.np, x.shape._dims
    if _becomes_tensor(x):
        x = as_tensor(x)
        leaves.append(x)
        return x._data.dtype, x._data.shape
    try:
        hash(x)
    except TypeError:
        raise TypeError(
            f"Could not generate a generic TraceType for {x!r}.Please verify that it is immutable/hashable. Otherwise, "
            f"consider implementing the Tracing Protocol for it."
        ) from None
    try:
        return kind, weakref.ref(x)  # an object is not kept alive by the functions that have seen it
    except TypeError:
        return kind, x


def _becomes_tensor(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic))


def held(x: Any) -> Any:
    """A leaf of the arguments as a trace keeps it: objects by a weak reference."""
    if type(x) in _LITERALS or isinstance(x, (Tensor, TensorSpec, Variable)):
        return x
    try:
        return weakref.ref(x)
    except TypeError:
        return x


def is_tensor_leaf(x: Any) -> bool:
    """Whether a leaf of the arguments is an input of the trace, and not a Python value."""
    return isinstance(x, (Tensor, TensorSpec)) or _becomes_tensor(x)


# --- Binding ------------------------------------------------------------------------------------------------


class Signature:
    """The parameters of a function.

    Args:
      function: the Python function.
      input_signature: specs for the parameters, or None.
      skipped: how many of the first parameters are bound already (``self``).
    """

    def __init__(self, function: Callable[..., Any], input_signature: Any, skipped: int = 0) -> None:
        try:
            parameters = list(inspect.signature(function).parameters.values())[skipped:]
        except (TypeError, ValueError):  # a function of C without a signature
            parameters = [
                inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
            ]
        self.function_name = getattr(function, "__qualname__", type(function).__name__)
        empty = inspect.Parameter.empty
        self.signature = inspect.Signature([p.replace(annotation=empty) for p in parameters])
        self.parameters = parameters
        self.positional = [p.name for p in parameters if p.kind in _POSITIONAL]
        self.starred = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
        self.unconstrained = int(self.positional[:1] == ["self"])  # an input signature says nothing of it
        keyword_only = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
        self.plain = (
            len(self.positional) if not keyword_only and len(self.positional) == len(parameters) else -1
        )
        self.input_signature = None if input_signature is None else self._constraints(input_signature)

    def _constraints(self, specs: Any) -> tuple[Any, ...]:
        if not isinstance(specs, (list, tuple)):
            raise TypeError(
                f"input_signature must be either a tuple or a list, got {type(specs)}. Write "
                f"input_signature=[{specs!r}]."
            )
        for spec in flatten(specs):
            if (
                not isinstance(spec, TensorSpec)
                and not hasattr(spec, "is_compatible_with")
                and spec is not None
            ):
                raise TypeError(
                    f"input_signature must be a possibly nested sequence of tf.TensorSpec objects, got {specs!r}."
                )
        variable = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in self.parameters)
        positional = self.positional[self.unconstrained :]
        if len(specs) > len(positional) and not variable:
            raise TypeError(
                f"input_signature contains {len(specs)} type constraints, but the function takes "
                f"{len(positional)} arguments."
            )
        for name in positional[len(specs) :]:
            if self.signature.parameters[name].default is inspect.Parameter.empty:
                raise TypeError(f"input_signature missing type constraint for {name}")
        return tuple(specs)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments in one form, however they were given; defaults filled in.

        Raises:
          TypeError: they do not fit the parameters.
        """
        if not kwargs and len(args) == self.plain:
            return args, _NOTHING
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise self.binding_failed(str(error), args, kwargs) from None
        bound.apply_defaults()
        return bound.args, dict(sorted(bound.kwargs.items()))

    def binding_failed(self, why: str, args: Any, kwargs: Any, signature: Any = None) -> TypeError:
        return TypeError(
            f"Binding inputs to tf.function failed due to `{why}`. Received args: {args} and kwargs: {kwargs} for "
            f"signature: {signature or self}."
        )

    def cast(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The bound arguments as tensors that fit the input signature."""
        from_spec = iter(self.input_signature or ())
        found = list(args[: self.unconstrained])
        for arg in args[self.unconstrained :]:
            spec = next(from_spec, None)
            found.append(arg if spec is None else self._cast(arg, spec, args, kwargs))
        return tuple(found), kwargs

    def _cast(self, arg: Any, spec: Any, args: Any, kwargs: Any) -> Any:
        if is_nested(spec):
            try:
                assert_same_structure(spec, arg, check_types=False)
            except (TypeError, ValueError):
                raise self.binding_failed(f"Can not cast {arg!r} to {spec!r}", args, kwargs) from None
            parts = [self._cast(a, s, args, kwargs) for a, s in zip(flatten(arg), flatten(spec), strict=True)]
            return pack_sequence_as(spec, parts)
        if not isinstance(spec, TensorSpec):
            return arg
        if isinstance(arg, Variable):
            arg = as_tensor(arg)
        if not isinstance(arg, (Tensor, TensorSpec)):
            try:
                arg = as_tensor(arg, spec.dtype)
            except (TypeError, ValueError) as error:
                raise self.binding_failed(
                    f"Can not cast {arg!r} to {spec!r}: {error}", args, kwargs
                ) from None
        if not spec.is_compatible_with(arg):
            given = TensorSpec(arg.shape, arg.dtype)
            wanted = TensorSpec(spec.shape, spec.dtype)
            raise self.binding_failed(f"Can not cast {given} to {wanted}", args, kwargs)
        return arg

    def __str__(self) -> str:
        parts = []
        specs = dict(zip(self.positional[self.unconstrained :], self.input_signature or (), strict=False))
        for p in self.parameters:
            text = p.name if p.kind is not p.VAR_POSITIONAL else f"*{p.name}"
            text = f"**{p.name}" if p.kind is p.VAR_KEYWORD else text
            if p.name in specs:
                text += f": {specs[p.name]}"
            if p.default is not p.empty:
                text += " = <captured_default_value>" if p.name in specs else "=<captured_default_value>"
            parts.append(text)
        return f"({', '.join(parts)})"
