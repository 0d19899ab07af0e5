"""Signatures of traced functions as text, in TensorFlow's words."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
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


def _rows(signature: Any, arguments: tuple[Any, Any]) -> list[tuple[Any, Any]]:
    """The parameters with the values that they were traced for."""
    args, kwargs = arguments
    bound = signature.signature.bind(*args, **kwargs).arguments
    return [
        (signature.signature.parameters[name], value)
        for name, value in bound.items()
        if _there(signature, name, value)
    ]


def _there(signature: Any, name: str, value: Any) -> bool:
    kind = signature.signature.parameters[name].kind
    return kind not in (2, 4) or bool(value)  # *args and **kwargs only if there are any


def described_parameters(signature: Any, arguments: tuple[Any, Any]) -> list[str]:
    rows = _rows(signature, arguments)
    return [f"  {p.name} ({p.kind.name}): {described(value)}" for p, value in rows] or ["  None"]


def signature_text(signature: Any, arguments: tuple[Any, Any], outputs: Any) -> str:
    """``(x: TensorSpec(...)) -> TensorSpec(...)``."""
    parts: list[str] = []
    star = False
    for p, value in _rows(signature, arguments):
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        parts.append(f"{p.name}: {described(value)}")
    return f"({', '.join(parts)}) -> {described_output(outputs)}"
