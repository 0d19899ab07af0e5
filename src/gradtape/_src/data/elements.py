"""The structure of elements: nests of tuples and dictionaries. A list is a tensor here, not a nest.

Inside a pipeline an element is the flat tuple of its arrays; how they are nested is said once, by the spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.nest import (
    assert_same_structure,
    flatten,
    is_nested,
    map_children,
    map_structure,
    pack_sequence_as,
)
from gradtape._src.core.specs import TensorSpec, TypeSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import Tensor, dtype_of, shape_of

Leaves = tuple[Any, ...]  # an element: arrays, and recipes where it holds datasets


class DatasetSpec(TypeSpec):
    """What a dataset inside of an element must look like: as those that ``Dataset.window`` makes.

    >>> import gradtape as tf
    >>> tf.data.Dataset.range(3).window(2).element_spec
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))
    """

    __slots__ = ("element_spec",)

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec

    def _parts(self) -> tuple[Any, ...]:
        return (self.element_spec, TensorShape(()))

    def __hash__(self) -> int:
        return hash(tuple(flatten(self.element_spec)))


def opened(value: Any) -> Any:
    """The nest with a tensor or a dataset for each leaf."""
    if is_nested(value) and not isinstance(value, (list, range)):
        return map_children(opened, value)
    return value if isinstance(value, Tensor) or hasattr(value, "_recipe") else as_tensor(value)


def spec_of(leaf: Any) -> Any:
    """The spec of a tensor, an array or a dataset."""
    if hasattr(leaf, "_recipe"):
        return DatasetSpec(leaf.element_spec)
    return TensorSpec(TensorShape._of(shape_of(leaf)), from_numpy(dtype_of(leaf)))


def packer(spec: Any) -> Callable[[Sequence[Any]], Any]:
    """A function that nests flat leaves as the spec is nested."""
    if not is_nested(spec):
        return lambda leaves: leaves[0]
    if type(spec) is tuple and not any(map(is_nested, spec)):
        return tuple
    return lambda leaves: pack_sequence_as(spec, leaves)


def dims_of(spec: Any) -> Any:
    """The static shape of a leaf; None if its rank is unknown, as for a dataset."""
    return spec.shape._dims if isinstance(spec, TensorSpec) else None


def dtype_in_graphs(spec: Any) -> Any:
    """The dtype of the symbol that stands for a leaf."""
    return spec.dtype.np if isinstance(spec, TensorSpec) else np.dtype(object)


def nothing_like(spec: Any) -> Any:
    """An empty or zero value of a spec."""
    shape = tuple(d or 0 for d in dims_of(spec) or ())
    dtype = dtype_in_graphs(spec)
    return np.full(shape, b"", object) if dtype.kind == "O" else np.zeros(shape, dtype)


def with_leading(spec: Any, n: Any) -> Any:
    """The spec of stacked elements: each shape with a dimension in front."""

    def wider(s: Any) -> TensorSpec:
        if not isinstance(s, TensorSpec):
            raise TypeError(
                f"Batching of datasets is not supported, received elements of {s}. Use flat_map first."
            )
        dims = s.shape._dims
        return TensorSpec(None if dims is None else (n, *dims), s.dtype)

    return map_structure(wider, spec)


def without_leading(
    spec: Any, of_a_scalar: str = "Unbatching a tensor is only supported for rank >= 1"
) -> Any:
    """The spec of the rows of elements.

    Raises:
      ValueError: one of them is a scalar.
    """

    def narrower(s: Any) -> TensorSpec:
        if s.shape.rank == 0:
            raise ValueError(of_a_scalar)
        return TensorSpec(None if s.shape.rank is None else s.shape._dims[1:], s.dtype)

    return map_structure(narrower, spec)


def leading_of(spec: Any) -> Any:
    """The first dimension of the elements, if it is known and the same in all of them."""
    known = {s.shape._dims[0] for s in flatten(spec) if s.shape.rank}
    return known.pop() if len(known) == 1 else None


def relaxed(a: Any, b: Any) -> Any:
    """The spec of the elements of both: dimensions that differ are None.

    Raises:
      TypeError: the structures or dtypes differ.
    """
    try:
        assert_same_structure(a, b)
        found = [x.most_specific_common_supertype([y]) for x, y in zip(flatten(a), flatten(b), strict=True)]
    except (TypeError, ValueError):
        found = [None]
    if any(x is None for x in found):
        raise TypeError(f"Incompatible dataset elements:\n  {a} vs.   {b}")
    return pack_sequence_as(a, found)


def signature(types: Any, shapes: Any) -> Any:
    """The spec for nests of dtypes and of shapes: the older way to say it."""
    if isinstance(types, (list, tuple)) and not hasattr(types, "_fields"):
        parts = [None] * len(types) if shapes is None else shapes
        return tuple(signature(t, s) for t, s in zip(types, parts, strict=True))
    if isinstance(types, dict):
        return {key: signature(t, None if shapes is None else shapes[key]) for key, t in types.items()}
    return TensorSpec(shapes, as_dtype(types))
