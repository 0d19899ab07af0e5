"""Keys: what stands between the brackets of ``x[...]``, as a tuple of plain hashable things.

An entry of a key is an int, a slice as ``(start, stop, step)``, ``...`` or None (a new axis). A number that
is known only when a graph is executed is `HOLE` in the key, and a positional argument of the operation, in
order. `index_of` makes NumPy's index of a key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from gradtape._src.core.shapes import Shape
from gradtape._src.ops.rows import data_of

HOLE = "?"
ALL = (None, None, None)  # the slice ``:``


@lru_cache(4096)
def _index(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([slice(*part) if type(part) is tuple else part for part in key])


def index_of(key: tuple[Any, ...], dynamic: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """NumPy's index of a key, its holes filled with the dynamic numbers."""
    return _index(filled(key, dynamic) if dynamic else key)


def filled(key: tuple[Any, ...], dynamic: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key with its holes filled, where the numbers are known."""
    numbers = map(data_of, dynamic)

    def fill(part: Any) -> Any:
        if type(part) is tuple:
            return tuple(map(fill, part))
        if part != HOLE:
            return part
        number = next(numbers)
        return HOLE if number is None else int(number)

    return tuple(map(fill, key))


def parts_of(key: tuple[Any, ...], rank: int) -> Iterator[tuple[Any, int | None]]:
    """Each entry and the axis it is about (None for a new one), with ``:`` for the ellipsis and for the
    rest."""
    used = sum(part is not None and part is not ... for part in key)
    axis = 0
    for part in key if ... in key else (*key, ...):
        if part is ...:
            for _ in range(rank - used):
                yield ALL, axis
                axis += 1
        elif part is None:
            yield None, None
        else:
            yield part, axis
            axis += 1


def check(key: tuple[Any, ...], shape: tuple[int | None, ...], error: Any) -> None:
    """Raises what TensorFlow says of a key that does not fit a shape."""
    rank = len(shape)
    end = "[Op:StridedSlice]"
    if sum(part is ... for part in key) > 1:
        raise error(f"Multiple ellipses in slice spec not allowed {end}")
    if sum(part is not None and part is not ... for part in key) > rank:
        if rank == 0:
            raise error(f"Attempting to slice scalar input. {end}")
        raise error(f"Index out of range using input dim {rank}; input has only {rank} dims {end}")
    for i, (part, axis) in enumerate(parts_of(key, rank)):
        n = None if axis is None else shape[axis]
        if type(part) is tuple and part[2] == 0:
            raise error(f"strides[{i}] must be non-zero {end}")
        if type(part) is int and n is not None and not -n <= part < n:
            part = part + n if part < 0 else part
            raise error(f"slice index {part} of dimension {axis} out of bounds. {end}")


def sliced_shape(shape: Shape, key: tuple[Any, ...]) -> Shape:
    """The shape of ``x[key]`` for an x of this shape; ValueError if the key does not fit it."""
    if shape is None:
        return None
    check(key, shape, ValueError)
    out = []
    for part, axis in parts_of(key, len(shape)):
        if axis is None:
            out.append(1)
        elif type(part) is tuple:
            n = shape[axis]
            if part == ALL:
                out.append(n)
            elif n is None or HOLE in part:
                out.append(None)
            else:
                out.append(len(range(*slice(*part).indices(n))))
    return tuple(out)
