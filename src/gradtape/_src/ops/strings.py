"""Strings one after the other: what ``+`` means for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary
from gradtape._src.core.values import dtype_of
from gradtape._src.ops.arithmetic import add

join_strings = Binary(
    "Add",
    lambda a, b: np.asarray(
        np.add(a, b), object
    ),  # of two single strings NumPy gives bytes, which are no array
    elementwise=True,
    accepts="string",
    same_dtype=True,
)


def add_or_join(x: Any, y: Any, name: str | None = None) -> Any:
    """What ``+`` means for tensors: the sum of numbers, strings one after the other."""
    try:
        return add.of(x, y, name)
    except (InvalidArgumentError, TypeError):  # the latter in a graph
        x, y = as_operands(x, y)
        if dtype_of(x).kind != "O":
            raise
    return join_strings.of(x, y, name)
