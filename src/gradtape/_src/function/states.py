"""What the statements of converted functions have in common: conditions, and values that a graph can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from malt.operators.variables import Undefined, UndefinedReturnValue

from gradtape._src.control.tensor_array import TensorArray
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.variables import Variable

Get = Callable[[], tuple[Any, ...]]
Set = Callable[[Sequence[Any]], None]
_TENSOR_LIKE = (Tensor, Variable, bool, int, float, complex, str, bytes, np.ndarray, np.generic, TensorArray)


def is_staged(x: Any) -> bool:
    """Whether a value is not there yet."""
    return isinstance(x, Symbol)


def is_missing(x: Any) -> bool:
    """Whether a variable of the function has no value."""
    return isinstance(x, (Undefined, UndefinedReturnValue))


def holds_tensors(x: Any) -> bool:
    """Whether all of a value can go through a graph: tensors and what converts to them, or nests of these."""
    leaves = flatten(x, expand_composites=True)
    return bool(leaves) and all(isinstance(leaf, _TENSOR_LIKE) for leaf in leaves)


def can_branch(x: Any) -> bool:
    """Likewise, for the result of a branch, which may have None among the leaves."""
    leaves = [leaf for leaf in flatten(x, expand_composites=True) if leaf is not None]
    return bool(leaves) and all(isinstance(leaf, _TENSOR_LIKE) for leaf in leaves)


def nothing_like(x: Any) -> Any:
    """Zeros in place of a tensor that another branch or step makes; they have its shape as far as that is known."""
    if x is None or isinstance(x, TensorArray):
        return x
    x = as_tensor(x)
    shape, dtype = tuple(d or 0 for d in shape_of(x) or ()), dtype_of(x)
    return EagerTensor(np.full(shape, b"", object) if dtype.kind == "O" else np.zeros(shape, dtype))


def check_condition(x: Any, tag: str) -> Any:
    """A condition, if it is one boolean.

    Raises:
      ValueError: it is not.
    """
    shape, dtype = shape_of(x), from_numpy(dtype_of(x))
    if dtype.name != "bool" or (shape is not None and shape != ()):
        hint = "" if dtype.name == "bool" else "to use as boolean Tensor, use `tf.cast`; "
        raise ValueError(
            f"condition of {tag} expected to be `tf.bool` scalar, got {x!s}; {hint}to check for None, use `is not None`"
        )
    return x
