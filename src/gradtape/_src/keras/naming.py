"""Names of layers: those of their classes in lower case, and a number from the second of a kind on."""

from __future__ import annotations

import re

_given: dict[str, int] = {}


def in_lower_case(name: str) -> str:
    """``Conv2DTranspose`` -> ``conv2d_transpose``."""
    name = re.sub(r"\W+", "", name)
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def auto_name(prefix: str) -> str:
    """``dense``, ``dense_1``, ``dense_2``, ... in turn."""
    n = _given.get(prefix, 0)
    _given[prefix] = n + 1
    return f"{prefix}_{n}" if n else prefix


def get_uid(prefix: str = "") -> int:
    """A number that grows by 1 at each call with this prefix, beginning with 1."""
    _given[prefix] = _given.get(prefix, 0) + 1
    return _given[prefix]


def reset_names() -> None:
    """Begins the numbers anew."""
    _given.clear()
