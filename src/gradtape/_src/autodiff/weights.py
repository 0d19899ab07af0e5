"""The weights that a user gives for the outputs of a program: cotangents to begin a sweep with."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, broadcast, compatible, is_known
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.arrays import broadcast_like
from gradtape._src.ops.variables import Variable


def weight_of(weight: Any, target: Any, name: str) -> Any:
    """A weight as a tensor of the shape and dtype of its target, to which it may broadcast.

    Raises:
      InvalidArgumentError: it has another dtype, or does not broadcast to that shape. While a graph is built that is a
        TypeError, or a ValueError.
    """
    in_graph = current_graph() is not None
    if isinstance(weight, (Tensor, Variable)) and dtype_of(weight) != dtype_of(target):
        kinds = [from_numpy(dtype_of(x)).name for x in (weight, target)]
        message = f"{name} is of dtype {kinds[0]}, but its target of {kinds[1]}: {target!r}. Use tf.cast."
        raise TypeError(message) if in_graph else InvalidArgumentError.of(message)
    weight = as_tensor(weight, like=target)
    have, want = shape_of(weight), shape_of(target)
    if have == want and is_known(want):
        return weight
    try:
        fits = compatible(broadcast(have, want), want)
    except ValueError:
        fits = False
    if not fits:
        message = (
            f"Dimensions must be equal: {name} has the shape {as_text(have)}, which does not broadcast to that of its "
            f"target, {as_text(want)}: {target!r}."
        )
        raise ValueError(message) if in_graph else InvalidArgumentError.of(message)
    return broadcast_like(weight, target)
