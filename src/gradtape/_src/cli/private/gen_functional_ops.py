"""`tensorflow.python.ops.gen_functional_ops`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradtape.compat.v1 as _v1
from gradtape import convert_to_tensor, nest, not_equal, size, switch_case
from gradtape._src.core.missing import missing as _missing


def case(
    branch_index: Any,
    input: Sequence[Any],
    Tout: Any,
    branches: Sequence[Callable[..., Any]],
    name: Any = None,
) -> Any:
    """The results of one of the functions of the input, as a list; of the last one for a number that none has."""
    chosen = [lambda f=f: nest.flatten(f(*input)) for f in branches]
    return switch_case(convert_to_tensor(branch_index), chosen, name=name)


def to_bool(input: Any, name: Any = None) -> Any:
    """Whether a scalar is not zero (or an empty string), or an array has elements."""
    x = convert_to_tensor(input)
    if x.shape.rank != 0:
        return size(x) > 0
    return not_equal(x, b"") if x.dtype == "string" else not_equal(x, _v1.zeros_like(x))


__getattr__ = _missing(__name__, globals(), base=_v1)
