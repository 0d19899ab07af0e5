"""Metadata: shapes, axes and sizes as users write them, brought to the form that operations take.

In eager mode they become Python integers at once, which is quicker than a tensor and lets the shapes of
graphs be known. A tensor whose value is not known while a graph is built stays what it is: the operation gets
it as an argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, int32, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.notes import note
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.tensor_shape import Dimension
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import reshape

_KERNEL_NAMES = {"float32": "float", "float64": "double", "float16": "half"}


def static_ints(
    value: Any,
    op: str,
    attr: str | None,
    not_a_vector: str = "sizes input must be 1-D, not {shape}",
    scalar: bool = False,
) -> Any:
    """A shape, or another vector of integers, as a tuple; a tensor without data as it is.

    Args:
      value: integers, or what converts to an integer vector.
      op: the operation that takes it, for messages.
      attr: what TensorFlow calls its dtype, for the message about another dtype; None for a TypeError.
      not_a_vector: the message about another rank, with ``{shape}`` and ``{rank}`` in it.
      scalar: whether a single integer is taken for a vector of one.

    Raises:
      InvalidArgumentError: it is not of integers, or not of rank 1.
      ValueError: it has a None in it, or is None.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        for item in value:
            if type(item) is not int:
                break
        else:
            return tuple(value)
        items = [_as_int(item) for item in value]
        if None not in items:
            return tuple(items)
    elif kind is int and scalar:
        return (value,)
    tensor = as_tensor(value)
    if attr is None and not isinstance(value, Tensor) and not is_integer_np(dtype_of(tensor)):
        tensor = as_tensor(value, int32)
    _check_integer(value, tensor, op, attr)
    rank = _rank(tensor)
    if rank not in (1, None) and not (rank == 0 and scalar):
        why = not_a_vector.format(shape=in_brackets(shape_of(tensor)), rank=rank)
        raise InvalidArgumentError.of(f"{why} [Op:{op}]")
    if type(tensor) is not EagerTensor:
        return reshape(tensor, (1,)) if rank == 0 else tensor
    becomes_size(tensor)
    return tuple(tensor._data.reshape(-1).tolist())


def static_int(
    value: Any, op: str, attr: str, not_a_scalar: str = "expected a scalar, but got shape {shape}"
) -> Any:
    """An axis, or another integer, as an int; a tensor without data as it is. An array of one element will
    do.

    Raises:
      InvalidArgumentError: it is not an integer, or there are several.
    """
    if type(value) is int:
        return value
    found = int(value) if type(value) is bool else _as_int(value)
    if found is not None:
        return found
    tensor = as_tensor(value)
    _check_integer(value, tensor, op, attr)
    if type(tensor) is not EagerTensor:
        return tensor
    if tensor._data.size != 1:
        raise InvalidArgumentError.of(f"{not_a_scalar.format(shape=in_brackets(shape_of(tensor)))} [Op:{op}]")
    becomes_size(tensor)
    return int(tensor._data.reshape(()))


def known_int(value: Any, op: str, attr: str, **texts: str) -> int:
    """As ``static_int``, for what an operation must know when a graph is built: an axis, a number of outputs.

    Raises:
      TypeError: it is a tensor without data.
    """
    found = static_int(value, op, attr, **texts)
    if type(found) is not int:
        raise TypeError(
            f"{op}: expected an integer that is known while the graph is built, received {value!r}. "
            "Compute it in Python, or from static shapes (x.shape)."
        )
    return found


def static_pairs(value: Any, op: str, attr: str, not_a_matrix: str) -> Any:
    """A matrix of integers, such as paddings, as a tuple of tuples; a tensor without data as it is."""
    if type(value) in (tuple, list):
        rows = [
            tuple(row) if type(row) in (tuple, list) and all(type(n) is int for n in row) else None
            for row in value
        ]
        if None not in rows and len({len(row) for row in rows}) <= 1:  # type: ignore[arg-type]
            if rows and len(rows[0]) != 2:  # type: ignore[arg-type]
                shape = in_brackets((len(rows), len(rows[0])))  # type: ignore[arg-type]
                raise InvalidArgumentError.of(f"{not_a_matrix.format(shape=shape)} [Op:{op}]")
            return tuple(rows)
    tensor = as_tensor(value)
    _check_integer(value, tensor, op, attr)
    shape: Any = shape_of(tensor)
    if shape is not None and (len(shape) != 2 or shape[1] not in (2, None)):
        raise InvalidArgumentError.of(f"{not_a_matrix.format(shape=in_brackets(shape))} [Op:{op}]")
    return tuple(map(tuple, tensor._data.tolist())) if type(tensor) is EagerTensor else tensor


def as_tensors(values: Sequence[Any]) -> Sequence[Any]:
    """Tensors for an operation that wants them of one dtype: what has no dtype of its own takes the first
    one's.

    Raises:
      TypeError: that dtype cannot represent it.
    """
    for value in values:
        if type(value) is not EagerTensor:
            break
    else:
        return values
    found = [
        as_tensor(v) if isinstance(v, Tensor) or hasattr(type(v), "__tf_tensor__") else v for v in values
    ]
    first = next((v for v in found if isinstance(v, Tensor)), None)
    if first is None:
        first = found[0] = as_tensor(found[0])
    return [v if isinstance(v, Tensor) else as_tensor(v, like=first) for v in found]


def kernel_name(dtype: np.dtype) -> str:
    """The name of a dtype in the messages of operations: float, double, half, int32."""
    name = from_numpy(dtype).name
    return _KERNEL_NAMES.get(name, name)


def _as_int(item: Any) -> int | None:
    """An integer as an int, if its value is known; else None."""
    kind = type(item)
    if kind is int:
        return item
    if kind is EagerTensor:
        data = item._data
        becomes_size(item)
        return int(data) if data.ndim == 0 and is_integer_np(data.dtype) else None
    if isinstance(item, np.integer):
        return int(item)
    return item.value if kind is Dimension else None


def becomes_size(tensor: Any) -> None:
    """The path of a gradient ends where a tensor becomes a size, or is asked for its own."""
    if type(tensor) is EagerTensor and tensor._ghost is not None:  # somebody follows it
        note("choice", "a size", (tensor,))


def _rank(tensor: Any) -> int | None:
    shape: Any = shape_of(tensor)
    return None if shape is None else len(shape)


def _check_integer(value: Any, tensor: Any, op: str, attr: str | None) -> None:
    dtype = dtype_of(tensor)
    if is_integer_np(dtype):
        return
    if attr is None:
        raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype int32")
    raise InvalidArgumentError.of(
        f"Value for attr '{attr}' of {kernel_name(dtype)} is not in the list of allowed values: int32, int64 "
        f"[Op:{op}]: expected integers, received {value!r}."
    )
