"""Where elements come from: tensors, Python generators, random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.errors import InvalidArgumentError, user_location
from gradtape._src.core.nest import assert_same_structure, flatten, is_nested, map_structure
from gradtape._src.core.notes import datasets, note
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import EagerTensor
from gradtape._src.data.elements import leading_of, opened, signature, spec_of, without_leading
from gradtape._src.data.functions import as_leaf
from gradtape._src.data.randomness import generators, seeds_of
from gradtape._src.data.recipe import (
    INFINITE,
    UNKNOWN,
    Recipe,
    Rows,
    needs_of,
    raw,
    valued,
)
from gradtape._src.graph.ir import Symbol


def from_tensors(tensors: Any) -> Recipe:
    structure = opened(tensors)
    _note(structure)
    parts = [as_leaf(x._recipe) if hasattr(x, "_recipe") else raw(x) for x in flatten(structure)]
    begin = lambda values: iter([tuple([valued(x, values) for x in parts])])
    return Recipe(begin, map_structure(spec_of, structure), 1, "Tensor", needs_of(parts))


def from_tensor_slices(tensors: Any) -> Recipe:
    structure = opened(tensors)
    tensors_ = flatten(structure)
    _note(structure)
    if not tensors_:
        raise ValueError(f"Invalid `element`. `element` should not be empty. Received: {tensors!r}")
    spec = map_structure(spec_of, structure)
    rows_spec = without_leading(spec)
    sizes = [s.shape._dims[0] if s.shape.rank else None for s in flatten(spec)]
    known = [n for n in sizes if n is not None]
    for n in known:
        if n != known[0]:
            raise ValueError(f"Dimensions {known[0]} and {n} are not compatible")
    columns = tuple(map(raw, tensors_))
    if len(known) == len(sizes):
        rows = Rows(columns, lambda values: iter(range(known[0])), known[0])
    else:
        rows = Rows(columns, lambda values: iter(range(_common_length([valued(x, values) for x in columns]))))
    size = leading_of(spec)
    return Recipe(
        rows.begin, rows_spec, UNKNOWN if size is None else size, "TensorSlice", needs_of(columns), rows
    )


def _note(structure: Any) -> None:
    for x in flatten(structure):
        if type(x) is EagerTensor and x._ghost is not None:
            note("data", "tf.data.Dataset", (x,))
        elif isinstance(x, Symbol):
            datasets[x._ghost] = user_location()


def _common_length(arrays: list[Any]) -> int:
    lengths = {len(x) if x.ndim else -1 for x in arrays}
    if len(lengths) > 1 or -1 in lengths:
        raise InvalidArgumentError.of(
            f"All tensors to slice must have the same first dimension, received shapes {[x.shape for x in arrays]}."
        )
    return lengths.pop()


def from_generator(
    generator: Callable[..., Any], types: Any, shapes: Any, args: Any, output_signature: Any
) -> Recipe:
    if not callable(generator):
        raise TypeError("`generator` must be a Python callable.")
    if output_signature is not None:
        if types is not None or shapes is not None:
            raise TypeError(
                "The `output_types` and `output_shapes` arguments can not be used together with the "
                "`output_signature` argument."
            )
        for spec in flatten(output_signature):
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    f"`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found "
                    f"{type(spec)} which is not."
                )
    elif types is None:
        raise TypeError(
            "To specify the output signature you need to provide either the `output_signature` argument or the "
            "`output_types` argument."
        )
    else:
        output_signature = signature(types, shapes)
    given = [raw(as_tensor(x)) for x in args or ()]
    specs = flatten(output_signature)

    def begin(values: Any) -> Iterator[Any]:
        arguments = [_as_argument(valued(x, values)) for x in given]
        for element in _guarded(lambda: generator(*arguments)):
            yield _checked(element, output_signature, specs)

    return Recipe(begin, output_signature, UNKNOWN, "FlatMap", needs_of(given))


def _guarded(make: Callable[[], Any]) -> Iterator[Any]:
    """What a generator of the user's gives; its exceptions as TensorFlow's."""
    try:
        yield from make()
    except Exception as error:
        raise InvalidArgumentError.of(f"{type(error).__name__}: {error}") from error


def _as_argument(x: Any) -> Any:
    return x[()] if x.ndim == 0 else x


def _checked(element: Any, structure: Any, specs: list[Any]) -> tuple[Any, ...]:
    """The leaves of an element of a generator, as arrays of the dtypes and shapes that were promised."""
    if not is_nested(structure):
        return (_leaf(element, specs[0]),)
    if isinstance(element, list) and isinstance(structure, tuple):
        element = tuple(element)
    try:
        leaves = _up_to(structure, element)
    except (TypeError, ValueError, KeyError):
        raise InvalidArgumentError.of(
            f"TypeError: `generator` yielded an element that did not match the expected structure. The expected "
            f"structure was {map_structure(lambda s: s.dtype, structure)}, but the yielded element was {element}."
        ) from None
    return tuple([_leaf(x, spec) for x, spec in zip(leaves, specs, strict=True)])


def _up_to(structure: Any, element: Any) -> list[Any]:
    """The parts of an element where the structure has leaves: there a list is one array."""
    if not is_nested(structure):
        return [element]
    if isinstance(structure, dict):
        if set(structure) != set(element):
            raise KeyError
        return [x for key in sorted(structure) for x in _up_to(structure[key], element[key])]
    if not isinstance(structure, tuple):
        assert_same_structure(structure, element)
        return flatten(element)
    return [x for s, part in zip(structure, element, strict=True) for x in _up_to(s, part)]


def _leaf(x: Any, spec: Any) -> Any:
    dtype = spec.dtype
    try:
        if isinstance(x, EagerTensor):
            x = x._data
        array = as_tensor(x)._data if dtype.np.kind == "O" else np.asarray(x, dtype.np)
    except (TypeError, ValueError):
        raise InvalidArgumentError.of(
            f"TypeError: `generator` yielded an element that could not be converted to the expected type. The expected "
            f"type was {dtype.name}, but the yielded element was {x}."
        ) from None
    if not compatible(array.shape, spec.shape._dims):
        raise InvalidArgumentError.of(
            f"TypeError: `generator` yielded an element of shape {array.shape} where an element of shape "
            f"{as_text(spec.shape._dims)} was expected."
        )
    return array


def random(seed: Any, rerandomize: bool | None) -> Recipe:
    begin_random = generators(seeds_of(seed), bool(rerandomize))
    begin = lambda values: ((np.int64(word),) for word in begin_random(values))
    return Recipe(begin, TensorSpec((), int64), INFINITE, "Random")


def counter(start: Any, step: Any, dtype: Any) -> Recipe:
    def begin(values: Any) -> Iterator[Any]:
        x = first
        while True:
            yield (x,)
            x = x + delta

    first, delta = as_tensor(start, dtype)._data[()], as_tensor(step, dtype)._data[()]
    return Recipe(begin, TensorSpec((), dtype), INFINITE, "Counter")
