"""`tf.TypeSpec` and `tf.TensorSpec`: what a value must look like, without the value.

A spec is immutable and hashable, so that it can be a key (of the traces of a `tf.function`). A kind of spec
is a subclass of `TypeSpec` that lists its parts in `_parts`; comparing, pickling and printing follow.

Rests on `dtypes.py` and `tensor_shape.py`; knows tensors only by their `shape` and `dtype`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradtape._src.core.dtypes import DType, as_dtype, float32
from gradtape._src.core.tensor_shape import TensorShape


class TypeSpec:
    """What a value must look like: the base of all specs.

    >>> import gradtape as tf
    >>> isinstance(tf.TensorSpec([3]), tf.TypeSpec)
    True
    """

    __slots__ = ()

    def _parts(self) -> tuple[Any, ...]:
        """The arguments that make this spec again: shapes, dtypes and plain hashable values."""
        raise NotImplementedError(f"{type(self).__name__} must define _parts()")

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or every value of a spec, could be one that this spec describes."""
        parts = spec_or_value._parts() if type(spec_or_value) is type(self) else None
        return parts is not None and all(map(_could_be, self._parts(), parts))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value that this spec describes is one that `other` describes."""
        return type(other) is type(self) and all(map(_is_within, self._parts(), other._parts()))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The most specific spec that describes the values of this and of `others`; None if there is none."""
        parts = list(self._parts())
        for other in others:
            if type(other) is not type(self):
                return None
            for i, (mine, theirs) in enumerate(zip(parts, other._parts(), strict=True)):
                if isinstance(mine, TensorShape):
                    parts[i] = mine.most_specific_compatible_shape(theirs)
                elif mine != theirs:
                    return None
        return type(self)(*parts)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The most specific spec that describes the values of both; ValueError if there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return found

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, TypeSpec)
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts()


def _could_be(wanted: Any, found: Any) -> bool:
    return wanted.is_compatible_with(found) if isinstance(wanted, (TensorShape, DType)) else wanted == found


def _is_within(mine: Any, other: Any) -> bool:
    return mine.is_subtype_of(other) if isinstance(mine, TensorShape) else mine == other


class TensorSpec(TypeSpec):
    """The shape (as far as it is known), dtype and name of a tensor.

    Args:
      shape: anything that `tf.TensorShape` takes; None in it stands for any size, None alone for any shape.
      dtype: anything that `tf.as_dtype` takes.
      name: of the argument, where the spec describes one.

    >>> import gradtape as tf
    >>> spec = tf.TensorSpec([None, 2], tf.float32)
    >>> spec
    TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)
    >>> spec.is_compatible_with(tf.zeros([3, 2])), spec.is_compatible_with(tf.zeros([3]))
    (True, False)
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = float32, name: Any = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def name(self) -> Any:
        """The name, or None."""
        return self._name

    @classmethod
    def from_tensor(cls, tensor: Any, name: Any = None) -> TensorSpec:
        """The spec of a tensor: its shape and dtype, and in a graph the name of the operation that makes it.

        >>> import gradtape as tf
        >>> tf.TensorSpec.from_tensor(tf.constant([1, 2]))
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        if not _is_tensor_like(tensor):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        if name is None:
            name = getattr(getattr(tensor, "op", None), "name", None)
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: Any, name: Any = None) -> TensorSpec:
        """The same spec, with another name if one is given.

        >>> import gradtape as tf
        >>> tf.TensorSpec.from_spec(tf.TensorSpec([2], tf.int32, name="a"), name="b")
        TensorSpec(shape=(2,), dtype=tf.int32, name='b')
        """
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor, or every tensor of a spec, may stand where this spec asks for one."""
        if not (_is_tensor_like(spec_or_tensor) or isinstance(spec_or_tensor, TensorSpec)):
            return False
        shape_fits = self._shape.is_compatible_with(spec_or_tensor.shape)
        return shape_fits and self._dtype.is_compatible_with(spec_or_tensor.dtype)

    def _parts(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))  # as TensorFlow: names do not count

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


def _is_tensor_like(value: Any) -> bool:
    """Tensors, symbols and variables, by their dtype: a DType is found nowhere else beside a shape."""
    return isinstance(getattr(value, "dtype", None), DType) and isinstance(
        getattr(value, "shape", None), TensorShape
    )
