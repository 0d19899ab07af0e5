"""What the methods of a class of layers take: found once for each class, since every call asks."""

from __future__ import annotations

import inspect
from typing import Any

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class CallSignature:
    """The arguments of a `call`.

    Attributes:
      signature: of the method, without ``self``.
      names: of the arguments that may be given by position.
      has_training, has_mask: whether it takes these.
      training: the default of its argument ``training``.
    """

    def __init__(self, call: Any) -> None:
        signature = inspect.signature(call)
        parameters = list(signature.parameters.values())[1:]
        self.signature = signature.replace(parameters=parameters)
        self.names = tuple(p.name for p in parameters if p.kind in _POSITIONAL)
        takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
        by_name = {p.name: p for p in parameters}
        self.has_training = "training" in by_name
        self.has_mask = "mask" in by_name
        self.takes_any = takes_any
        training = by_name.get("training")
        self.training = None if training is None or training.default is training.empty else training.default

    def has(self, name: str) -> bool:
        """Whether the method has an argument of this name."""
        return name in self.signature.parameters

    def given(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The value of an argument in a call; None if it is not given."""
        if name in kwargs:
            return kwargs[name]
        i = self.names.index(name) if name in self.names else len(args)
        return args[i] if i < len(args) else None

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call by name; those of ``*args`` and ``**kwargs`` under the names of these."""
        return dict(self.signature.bind(*args, **kwargs).arguments)


def shape_arguments(build: Any) -> tuple[str, ...]:
    """The names of the arguments of a `build` that are shapes of particular inputs: ``query_shape``, ...

    Empty if it takes one shape, of whatever the first argument is.
    """
    parameters = list(inspect.signature(build).parameters.values())[1:]
    names = tuple(p.name for p in parameters if p.kind in (*_POSITIONAL, inspect.Parameter.KEYWORD_ONLY))
    return names if len(names) > 1 and all(name.endswith("_shape") for name in names) else ()


def init_arguments(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments that an object was made with, by name."""
    bound = inspect.signature(cls.__init__).bind(None, *args, **kwargs)
    found: dict[str, Any] = {}
    for name, parameter in bound.signature.parameters.items():
        if name not in bound.arguments or parameter is next(iter(bound.signature.parameters.values())):
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            found.update(bound.arguments[name])
        else:
            found[name] = bound.arguments[name]
    return found
