"""What the public functions with sliding windows share: strides, padding and data formats as users write them.

A data format names the axes: N the batch, C the channels, and D, H, W the space between or behind them.
Operations work on channels-last arrays; what has its channels first is transposed for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError, UnimplementedError
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.reordering import transpose

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
_FORMATS_1D = ("NWC", "NCW", "NHWC", "NCHW")  # conv1d takes the formats of two dimensions, too


def channels_first(data_format: Any, rank: int, op: str) -> bool:
    """Whether a data format for this number of spatial dimensions has the channels first."""
    if data_format is None:
        return False
    if data_format not in (FORMATS[rank] if rank > 1 else _FORMATS_1D):
        if rank == 1:
            raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
        raise not_allowed("data_format", data_format, FORMATS[rank], op)
    return data_format.startswith("NC")


def not_allowed(attr: str, value: Any, allowed: Any, op: str) -> InvalidArgumentError:
    shown = ", ".join(f'"{one}"' for one in allowed)
    return InvalidArgumentError.of(
        f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed values: {shown} [Op:{op}]"
    )


def along_space(value: Any, rank: int, name: str, first: bool, op: str) -> tuple[int, ...]:
    """Strides or dilations for each spatial dimension, from one number, as many, or one for every axis."""
    found, batch, depth = per_axis(value, rank, name, first)
    if batch != 1 or depth != 1:
        error = InvalidArgumentError if rank == 3 else UnimplementedError
        raise error.of(
            f"Current implementation does not yet support {name} in the batch and depth dimensions. [Op:{op}]"
        )
    if min(found) <= 0:
        what = (
            "Dilated rates"
            if name == "dilations"
            else "Spatial strides"
            if rank == 3
            else "Row and column strides"
        )
        raise InvalidArgumentError.of(f"{what} should be larger than 0. [Op:{op}]")
    return found


def per_axis(value: Any, rank: int, name: str, first: bool) -> tuple[tuple[int, ...], int, int]:
    """The numbers for the spatial dimensions, for the batch and for the channels."""
    if value is None:
        return (1,) * rank, 1, 1
    numbers = [value] if type(value) is int else [int(v) for v in np.atleast_1d(np.asarray(value))]
    if len(numbers) == 1:
        return (numbers[0],) * rank, 1, 1
    if len(numbers) == rank:
        return tuple(numbers), 1, 1
    if len(numbers) != rank + 2:
        raise ValueError(
            f"{name} should be of length 1, {rank} or {rank + 2}. Received: {name}={value} of length {len(numbers)}"
        )
    batch = numbers.pop(0)
    depth = numbers.pop(0 if first else -1)
    return tuple(numbers), batch, depth


def padding_of(value: Any, rank: int, first: bool, op: str, explicit: bool = True) -> Any:
    """SAME, VALID, or a pair of numbers for each spatial dimension."""
    if isinstance(value, str):
        if value not in ("SAME", "VALID"):
            raise not_allowed("padding", value, ("SAME", "VALID", "EXPLICIT")[: 3 if explicit else 2], op)
        return value
    if not explicit or not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected string for argument 'padding' not {value!r}. Use 'SAME' or 'VALID'.")
    if len(value) != rank + 2:
        raise ValueError(
            f"When padding is a list, it must be of size {rank + 2}. Received: padding={value} of size {len(value)}"
        )
    pairs = [(int(before), int(after)) for before, after in value]
    if any(n < 0 for pair in pairs for n in pair):
        raise InvalidArgumentError.of(f"All elements of explicit_paddings must be nonnegative [Op:{op}]")
    if any(pairs.pop(0)) or any(pairs.pop(0 if first else -1)):
        raise InvalidArgumentError.of(
            f"Nonzero explicit padding in the batch or depth dimensions is not supported [Op:{op}]"
        )
    return tuple(pairs)


# --- Between the user's axes and the operations' ------------------------------------------------------------


def to_last(x: Any, rank: int) -> Any:
    """Channels first to channels last."""
    return transpose.of(x, (0, *range(2, rank + 2), 1))


def to_first(y: Any, rank: int) -> Any:
    """And back."""
    return transpose.of(y, (0, rank + 1, *range(1, rank + 1)))


def size_to_last(size: Any) -> tuple[Any, ...]:
    """The shape of a channels-first array with its channels last."""
    return (size[0], *size[2:], size[1])


def merged_batch(x: Any, rank: int) -> tuple[Any, Any]:
    """The array with all axes in front of space and channels as one, and what those were (None: one)."""
    shape = shape_of(x)
    if shape is None or len(shape) <= rank + 2:
        return x, None
    split = len(shape) - rank - 1
    return reshape.of(x, (-1, *shape[split:])), shape[:split]


def unmerged_batch(y: Any, batch: Any) -> Any:
    if batch is None:
        return y
    return reshape.of(y, (*(-1 if n is None else n for n in batch), *shape_of(y)[1:]))  # type: ignore[index]
