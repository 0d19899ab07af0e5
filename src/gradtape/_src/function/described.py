"""Signatures of traced functions as text, in TensorFlow's words."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any

from gradtape._src.core.specs import TensorSpec, TypeSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import Tensor


def described(x: Any) -> str:
    """The kind of a value: ``TensorSpec(...)`` of a tensor, ``Literal[3]``, ``Tuple[...]``."""
    if isinstance(x, weakref.ref):
        return f"WeakRef({x!r})"
    if isinstance(x, Tensor):
        x = TensorSpec(x.shape, x.dtype)
    if isinstance(x, TensorSpec):
        return f"TensorSpec(shape={TensorShape(x.shape)}, dtype={x.dtype!r}, name=None)"
    if isinstance(x, TypeSpec):
        return repr(x)
    if isinstance(x, Mapping):
        return f"Dict[{', '.join(f'[{key!r}, {described(value)}]' for key, value in x.items())}]"
    fields = getattr(x, "_fields", None)
    if isinstance(x, tuple) and fields is not None:
        parts = ", ".join(f"[{name!r}, {described(value)}]" for name, value in zip(fields, x, strict=True))
        return f"{type(x).__name__}[{parts}]"
    if isinstance(x, (list, tuple)):
        return f"{'List' if isinstance(x, list) else 'Tuple'}[{', '.join(map(described, x))}]"
    if isinstance(x, (bool, int, float, str, bytes, complex, type(None))):
        return f"Literal[{x!r}]"
    return f"{type(x).__name__}"


def described_output(x: Any) -> str:
    return "None" if x is None else described(x)


def described_parameters(parameters: Sequence[Any]) -> list[str]:
    """The parameters of a trace, one a line."""
    return [f"  {p.name} ({p.kind.name}): {described(p.value)}" for p in parameters] or ["  None"]


def signature_text(parameters: Sequence[Any], outputs: Any) -> str:
    """``(x: TensorSpec(...)) -> TensorSpec(...)``."""
    parts: list[str] = []
    star = False
    for p in parameters:
        if p.kind is Parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        parts.append(f"{p.name}: {described(p.value)}")
    return f"({', '.join(parts)}) -> {described_output(outputs)}"
