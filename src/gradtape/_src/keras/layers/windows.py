"""The arguments of layers whose window slides: sizes, padding, formats of data."""

from __future__ import annotations

from typing import Any

# By the number of spatial dimensions.
FORMATS = {
    "channels_last": {1: "NWC", 2: "NHWC", 3: "NDHWC"},
    "channels_first": {1: "NCW", 2: "NCHW", 3: "NCDHW"},
}


def checked_tuple(value: Any, n: int, name: str, least: int = 1) -> tuple[int, ...]:
    """An integer for each dimension, from one for all or from a sequence.

    Raises:
      ValueError: another number of them, no integers, or too small ones.
    """
    wanted = "> 0" if least else ">= 0"
    try:
        found = (int(value),) * n if isinstance(value, (int, float)) else tuple(int(v) for v in value)
    except (TypeError, ValueError):
        found = ()
    if len(found) != n:
        raise ValueError(f"The `{name}` argument must be a tuple of {n} integers. Received {name}={value}")
    if any(v < least for v in found):
        bad = {v for v in found if v < least}
        raise ValueError(
            f"The `{name}` argument must be a tuple of {n} integers. Received {name}={value}, including values {bad} "
            f"that do not satisfy `value {wanted}`"
        )
    return found


def checked_padding(value: Any, causal: bool = False) -> str:
    """How the borders are treated.

    Raises:
      ValueError: an unknown way.
    """
    padding = value.lower() if isinstance(value, str) else value
    allowed = ("valid", "same", "causal") if causal else ("valid", "same")
    if padding not in allowed:
        raise ValueError(
            f"The `padding` argument must be a list/tuple or one of {set(allowed)}. Received: {padding}"
        )
    return padding
