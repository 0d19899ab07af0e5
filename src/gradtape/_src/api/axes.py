"""What users write for an axis, and for other small integers, as the operations take it.

A value that is known becomes a Python int, or a tuple of them; a tensor of a graph stays a tensor.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gradtape._src.api.selection import require
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.ops.arrays import unpack
from gradtape._src.ops.reordering import move_axis

_INDEX = "int32, int64"


@lru_cache(1024)
def _from_front(axes: tuple[int, ...], rank: int, op: str) -> tuple[int, ...]:
    out = []
    for axis in axes:
        if not -rank <= axis < rank:
            raise InvalidArgumentError.of(
                f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)) [Op:{op}]. "
                f"Expected axes in [{-rank}, {rank})."
            )
        if axis % rank in out:
            raise InvalidArgumentError.of(
                f"Invalid reduction arguments: Axes contains duplicate dimension: {axis % rank} [Op:{op}]"
            )
        out.append(axis % rank)
    return tuple(out)


def reduction_axes(axis: Any, x: Any, op: str) -> Any:
    """The axes of a reduction of x, counted from the front if x has its data; None means all of them."""
    if type(axis) is int:
        axes = (axis,)
    elif axis is None:
        return None
    elif type(axis) in (list, tuple) and all(type(a) is int for a in axis):
        axes = tuple(axis)
    else:
        tensor = as_tensor(axis) if isinstance(axis, (Tensor, str)) else as_tensor(axis, "int32")
        require(tensor, _INDEX, "Tidx", op)
        if type(tensor) is not EagerTensor:
            return tensor
        axes = tuple(tensor._data.reshape(-1).tolist())
    # A graph's shape rules refuse a bad axis in their own way.
    return _from_front(axes, x._data.ndim, op) if type(x) is EagerTensor else axes


def integer(value: Any, attr: str, op: str, what: str, exact: bool = False) -> Any:
    """A scalar integer, as an int if it is known.

    Args:
      value: what the user gives.
      attr: TensorFlow's name of its dtype.
      op: the operation that it is for.
      what: how the error about another shape begins.
      exact: whether it must have one of the dtypes; else what converts to int32 will do.
    """
    if type(value) is int:
        return value
    as_it_is = exact or isinstance(value, (Tensor, str))
    tensor = as_tensor(value) if as_it_is else as_tensor(value, "int32")
    require(tensor, _INDEX, attr, op)
    shape = shape_of(tensor)
    if shape:
        raise InvalidArgumentError.of(f"{what} {in_brackets(shape)} [Op:{op}]")
    return int(tensor._data) if type(tensor) is EagerTensor else tensor


def along(f: Any, *arrays: Any, axis: Any) -> Any:
    """``f`` of arrays whose axis comes first, and the axes of what it gives at their old places.

    For an axis that is a tensor of a graph, where an operation has to know its axis. ``f`` gives a tensor or a list.
    """
    found = f(*[move_axis.of(x, axis, 0) for x in arrays])
    back = lambda y: move_axis.of(y, 0, axis)
    return list(map(back, found)) if isinstance(found, (list, tuple)) else back(found)


def unknown_axis(axis: Any, attr: str, op: str) -> bool:
    """Whether an axis is a tensor whose value is not there yet: a scalar integer.

    Raises:
      InvalidArgumentError: it is another tensor.
    """
    if not isinstance(axis, Tensor) or type(axis) is EagerTensor:
        return False
    integer(axis, attr, op, "Expected a scalar axis, received one of shape", exact=True)
    return True


def each_unknown_axis(axis: Any, attr: str, op: str) -> list[Any] | None:
    """The entries of a vector of axes that has no value yet; None if the axes are known."""
    listed = isinstance(axis, (list, tuple)) and any(isinstance(a, Tensor) for a in axis)
    tensor = as_tensor(axis, "int32") if listed else axis
    if not isinstance(tensor, Tensor) or type(tensor) is EagerTensor:
        return None
    require(tensor, _INDEX, attr, op)
    shape = shape_of(tensor)
    if shape == ():
        return [tensor]
    if shape is None or len(shape) != 1 or shape[0] is None:
        raise TypeError(
            f"{op}: expected axes whose number is known while the graph is built, received {axis!r}."
        )
    return list(unpack.of(tensor, axis=0, num=shape[0]))


def by_axis(op: Any, *arrays: Any, axis: Any, name: str | None = None, **params: Any) -> Any:
    """``op.of`` along an axis, that is metadata if it is known and an argument if it is a tensor."""
    if isinstance(axis, Tensor):
        return op.of(*arrays, axis, name=name, **params)
    return op.of(*arrays, axis=axis, name=name, **params)
