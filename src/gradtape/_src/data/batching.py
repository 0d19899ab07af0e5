"""Transformations that stack elements and take stacks apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, cycle, islice
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import DataLossError, InvalidArgumentError
from gradtape._src.core.nest import flatten, is_nested, pack_sequence_as
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.data.elements import Leaves, leading_of, with_leading, without_leading
from gradtape._src.data.recipe import INFINITE, UNKNOWN, Recipe, Rows, needs_of, number, row_of, valued


def batch(recipe: Recipe, batch_size: Any, drop_remainder: Any, parallel: bool) -> Recipe:
    n, drop = _size_and_drop(batch_size, drop_remainder)
    kind = "ParallelBatch" if parallel else "Batch"
    spec = with_leading(recipe.spec, _static(n, drop))

    def begin(values: Any) -> Iterator[Leaves]:
        size = _positive(int(valued(n, values)))
        if recipe.rows is not None:
            return _of_rows(recipe.rows, values, size, drop)
        stack = lambda chunk: tuple(map(stacked, count(), zip(*chunk)))
        return map(stack, _chunks(recipe.begin(values), size, drop))

    return Recipe(begin, spec, _batches(recipe.size, n, drop), kind, needs_of((recipe, n)))


def _size_and_drop(batch_size: Any, drop_remainder: Any) -> tuple[Any, bool]:
    n = number(batch_size)
    return _positive(n) if isinstance(n, int) else n, bool(number(drop_remainder))


def _positive(n: int) -> int:
    if n <= 0:
        raise InvalidArgumentError.of(f"Batch size must be greater than zero. Got {n}.")
    return n


def _static(n: Any, drop: bool) -> Any:
    """The static size of a batch: known if every batch is full."""
    return n if isinstance(n, int) and drop else None


def _batches(size: int, n: Any, drop: bool) -> int:
    if not isinstance(n, int):
        return INFINITE if size == INFINITE else UNKNOWN
    return size if size < 0 else size // n if drop else -(-size // n)


def _chunks(elements: Iterator[Any], n: int, drop: bool) -> Iterator[list[Any]]:
    def chunk() -> list[Any]:
        found = list(islice(elements, n))
        return found if len(found) == n or not drop else []

    return iter(chunk, [])


def _of_rows(rows: Rows, values: Any, n: int, drop: bool) -> Iterator[Leaves]:
    """Batches of rows: a view where the rows follow each other, and one gather otherwise."""
    columns = [valued(x, values) for x in rows.columns]

    def gather(chunk: list[int]) -> Leaves:
        first = chunk[0]
        if chunk[-1] - first == len(chunk) - 1 and chunk == list(range(first, first + len(chunk))):
            return tuple([x[first : first + len(chunk)] for x in columns])
        numbers = np.array(chunk)
        return tuple([x.take(numbers, 0) for x in columns])

    return map(gather, _chunks(rows.order(values), n, drop))


def stacked(component: int, parts: tuple[Any, ...]) -> Any:
    first = parts[0]
    shape = first.shape
    for i, x in enumerate(parts):
        if x.shape != shape:
            raise InvalidArgumentError.of(
                f"Cannot batch tensors with different shapes in component {component}. First element had shape "
                f"{list(shape)} and element {i} had shape {list(x.shape)}."
            )
    if not shape:
        if first.dtype.kind == "O":
            return np.array([x[()] for x in parts], object)
        return np.array(parts, first.dtype)
    out = np.empty((len(parts), *shape), first.dtype)
    for i, x in enumerate(parts):
        out[i] = x
    return out


def unbatch(recipe: Recipe) -> Recipe:
    spec = without_leading(recipe.spec, "Cannot unbatch an input with scalar components.")
    known = [s.shape._dims[0] for s in flatten(recipe.spec) if s.shape.rank]
    known = [n for n in known if n is not None]
    for n in known:
        if n != known[0]:
            raise ValueError(
                f"`unbatch()` is only supported for datasets of elements whose components have a matching leading "
                f"dimension. Encountered both {known[0]} and {n}."
            )
    each = leading_of(recipe.spec)
    size = recipe.size if recipe.size == INFINITE else UNKNOWN if each is None else recipe.size * each
    if recipe.size == UNKNOWN:
        size = UNKNOWN

    def begin(values: Any) -> Iterator[Leaves]:
        for element in recipe.begin(values):
            for i in range(_rows_in(element)):
                yield tuple([row_of(x, i) for x in element])

    return Recipe(begin, spec, size, "Unbatch", recipe.needs)


def _rows_in(element: Leaves) -> int:
    lengths = [len(x) for x in element]
    if min(lengths) != max(lengths):
        raise InvalidArgumentError.of(
            f"Input element must have the same batch size in each component. Component 0 had size {lengths[0]} but "
            f"others have {lengths[1:]}."
        )
    return lengths[0]


def rebatch(recipe: Recipe, batch_size: Any, drop_remainder: bool) -> Recipe:
    """Batches of the given sizes, one after the other and over again, of the rows of batches."""
    sizes = np.asarray(as_tensor(batch_size)._data)
    turns = [_positive(int(n)) for n in sizes.reshape(-1)]
    rows = without_leading(recipe.spec, "Cannot rebatch an input with scalar components.")
    each = leading_of(recipe.spec)
    full = len(turns) == 1 and (drop_remainder or (each is not None and each % turns[0] == 0))

    def begin(values: Any) -> Iterator[Leaves]:
        held: list[Leaves] = []  # parts of batches that came in
        left = 0
        coming = recipe.begin(values)
        for size in cycle(turns):
            while left < size:
                element = next(coming, None)
                if element is None:
                    if left and not drop_remainder:
                        yield _joined(held)
                    return
                left += _rows_in(element)
                held.append(element)
            taken, held = _split(held, size)
            left -= size
            yield _joined(taken)

    size = INFINITE if recipe.size == INFINITE else UNKNOWN
    return Recipe(begin, with_leading(rows, turns[0] if full else None), size, "Rebatch", recipe.needs)


def _split(parts: list[Leaves], n: int) -> tuple[list[Leaves], list[Leaves]]:
    """The first n rows, and the rest."""
    taken = []
    for i, part in enumerate(parts):
        here = len(part[0])
        if here >= n:
            taken.append(tuple([x[:n] for x in part]))
            rest = [tuple([x[n:] for x in part])] if here > n else []
            return taken, rest + parts[i + 1 :]
        taken.append(part)
        n -= here
    return taken, []


def _joined(parts: list[Leaves]) -> Leaves:
    return parts[0] if len(parts) == 1 else tuple([np.concatenate(xs) for xs in zip(*parts)])


def padded_batch(
    recipe: Recipe, batch_size: Any, padded_shapes: Any, padding_values: Any, drop_remainder: Any
) -> Recipe:
    n, drop = _size_and_drop(batch_size, drop_remainder)
    specs = flatten(recipe.spec)
    shapes = padded_shapes_of(recipe.spec, specs, padded_shapes)
    fills = fills_of(recipe.spec, specs, padding_values)
    leading = _static(n, drop)
    padded_specs = [TensorSpec((leading, *shape), s.dtype) for shape, s in zip(shapes, specs, strict=True)]
    spec = pack_sequence_as(recipe.spec, padded_specs)

    def begin(values: Any) -> Iterator[Leaves]:
        pad = lambda chunk: tuple(map(padded, zip(*chunk), shapes, fills))
        return map(pad, _chunks(recipe.begin(values), _positive(int(valued(n, values))), drop))

    return Recipe(begin, spec, _batches(recipe.size, n, drop), "PaddedBatch", needs_of((recipe, n)))


def padded_shapes_of(structure: Any, specs: list[Any], given: Any) -> list[tuple[Any, ...]]:
    if given is None:
        for i, s in enumerate(specs):
            if s.shape.rank is None:
                raise ValueError(
                    f"You must provide `padded_shapes` argument because component {i} has unknown rank."
                )
        return [s.shape._dims for s in specs]
    parts = _parts_like(structure, given, "padded_shapes")
    found = []
    for i, (s, shape) in enumerate(zip(specs, parts, strict=True)):
        wanted: Any = as_shape_tuple(shape if not hasattr(shape, "_data") else shape._data.tolist())
        wanted = tuple(None if d == -1 else d for d in wanted)
        dims = s.shape._dims
        fits = dims is None or (
            len(dims) == len(wanted) and all(None in (d, w) or d <= w for d, w in zip(dims, wanted))
        )
        if not fits:
            raise ValueError(
                f"The padded shape {wanted} is not compatible with the shape {s.shape} of the corresponding input "
                f"component {i}."
            )
        found.append(wanted)
    return found


def _parts_like(structure: Any, given: Any, name: str) -> list[Any]:
    """The parts of an argument that is nested like the elements, whose leaves may be lists."""
    if not is_nested(structure):
        return [given]
    if isinstance(structure, dict):
        if not isinstance(given, dict) or set(given) != set(structure):
            raise ValueError(
                f"`{name}` must have the structure of the elements, {structure}; received {given}."
            )
        return [part for key in sorted(structure) for part in _parts_like(structure[key], given[key], name)]
    children = list(structure) if isinstance(structure, tuple) else flatten(structure)
    if not isinstance(given, (tuple, list)) or len(given) != len(children):
        raise ValueError(f"`{name}` must have the structure of the elements, {structure}; received {given}.")
    return [part for s, x in zip(children, given, strict=True) for part in _parts_like(s, x, name)]


def fills_of(structure: Any, specs: list[Any], given: Any) -> list[Any]:
    if given is None:
        parts: list[Any] = [None] * len(specs)
    elif not is_nested(given) and is_nested(structure):
        parts = [given] * len(specs)
    else:
        parts = _parts_like(structure, given, "padding_values")
    found = []
    for x, s in zip(parts, specs, strict=True):
        if x is None:
            found.append(b"" if s.dtype.np.kind == "O" else s.dtype.np.type(0))
            continue
        tensor = as_tensor(x)
        if tensor.dtype != s.dtype and (hasattr(x, "dtype") or not _castable(tensor.dtype, s.dtype)):
            raise TypeError(
                f"Invalid `padding_values`. `padding_values` values type {tensor.dtype!r} does not match type "
                f"{s.dtype!r} of the corresponding input component."
            )
        found.append(np.asarray(tensor._data).astype(s.dtype.np)[()])
    return found


def _castable(given: Any, wanted: Any) -> bool:
    """Whether a Python number of the one default dtype may fill an array of the other."""
    return given.np.kind == wanted.np.kind


def padded(parts: tuple[Any, ...], shape: tuple[Any, ...], fill: Any) -> Any:
    sizes = [max(dims) for dims in zip(*[x.shape for x in parts])]
    full = tuple(size if d is None else d for d, size in zip(shape, sizes))
    if any(size > d for size, d in zip(sizes, full)):
        raise DataLossError.of("Attempted to pad to a smaller size than the input element.")
    out = np.full((len(parts), *full), fill, parts[0].dtype)
    for i, x in enumerate(parts):
        out[(i, *map(slice, x.shape))] = x
    return out
