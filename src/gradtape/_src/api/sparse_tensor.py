"""``tf.SparseTensor``: an array most of whose elements are zero, by the places and values of the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, int64
from gradtape._src.core.shapes import compatible
from gradtape._src.core.specs import TypeSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import shape_of
from gradtape._src.graph import known
from gradtape._src.graph.ir import Symbol


class SparseTensorValue(NamedTuple):
    """What a session gives for a `tf.SparseTensor`, and takes for one: arrays.

    >>> import gradtape.compat.v1 as tf
    >>> tf.SparseTensorValue([[0, 1]], [2.0], [3, 3]).values
    [2.0]
    """

    indices: Any
    values: Any
    dense_shape: Any


class SparseTensor:
    """An array most of whose elements are zero.

    Args:
      indices: int64, of shape (n, rank): where the other elements are; in the order of `tf.sparse.reorder` for most
        functions.
      values: of shape (n,): what they are.
      dense_shape: int64, of shape (rank,): the shape of the array.

    Raises:
      ValueError: the shapes of these do not go together.

    >>> import gradtape as tf
    >>> s = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
    >>> print(tf.sparse.to_dense(s).numpy())
    [[0. 2.]
     [3. 0.]]

    As TensorFlow 2.21.
    """

    _value_class = SparseTensorValue  # what a session gives

    def __init__(self, indices, values, dense_shape):
        self._indices = as_tensor(indices, int64)
        self._values = as_tensor(values)
        self._dense_shape = as_tensor(dense_shape, int64)
        places, given, sizes = map(shape_of, (self._indices, self._values, self._dense_shape))
        for what, shape, rank in (("indices", places, 2), ("values", given, 1), ("dense_shape", sizes, 1)):
            if shape is not None and len(shape) != rank:
                raise ValueError(f"{what} must have rank {rank}, received shape {shape}.")
        if places is not None and given is not None and not compatible(places[:1], given):
            raise ValueError(f"There are {places[0]} indices for {given[0]} values.")
        if places is not None and sizes is not None and not compatible(places[1:], sizes):
            raise ValueError(f"The indices have {places[1]} columns for a shape of {sizes[0]} dimensions.")

    @classmethod
    def from_value(cls, sparse_tensor_value):
        """The tensor of a `SparseTensorValue`."""
        return cls(*_three(sparse_tensor_value))

    @property
    def indices(self):
        """Where the elements are."""
        return self._indices

    @property
    def values(self):
        """What the elements are."""
        return self._values

    @property
    def dense_shape(self):
        """The shape, as a tensor."""
        return self._dense_shape

    @property
    def shape(self):
        """The shape, as far as it is known."""
        found = self._dense_shape
        if isinstance(found, Symbol):
            sizes = known.array_of(found)
            rank = (shape_of(found) or (None,))[0]
            return TensorShape(
                sizes.tolist() if sizes is not None else None if rank is None else [None] * rank
            )
        return TensorShape(found.numpy().tolist())

    def get_shape(self):
        """The shape, as far as it is known."""
        return self.shape

    @property
    def dtype(self):
        """The dtype of the values."""
        return self._values.dtype

    @property
    def graph(self):
        """The graph that the values belong to."""
        return self._values.graph

    @property
    def op(self):
        """The operation of a graph that makes the values."""
        return self._values.op

    @property
    def name(self):
        """The name of the values."""
        return self._values.name

    def with_values(self, new_values):
        """The same places, with other values."""
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def eval(self, feed_dict=None, session=None):
        """The value in a session, or in the default one: a `SparseTensorValue`."""
        indices, values, sizes = (
            part.eval(feed_dict, session) for part in (self._indices, self._values, self._dense_shape)
        )
        return SparseTensorValue(indices, values, sizes)

    # --- In nests, functions and sessions

    def _components(self) -> tuple[Any, ...]:
        return self._indices, self._values, self._dense_shape

    def _from_components(self, parts: tuple[Any, ...]) -> SparseTensor:
        new = object.__new__(SparseTensor)  # nests hold other things than tensors in these places, too
        new._indices, new._values, new._dense_shape = parts
        return new

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    __repr__ = __str__

    # Arithmetic is attached in api/sparse.py.


class SparseTensorSpec(TypeSpec):
    """What a `tf.SparseTensor` looks like.

    Args:
      shape: of the dense array.
      dtype: of the values.

    >>> import gradtape as tf
    >>> tf.SparseTensorSpec([3, None], tf.float32)
    SparseTensorSpec(TensorShape([3, None]), tf.float32)
    """

    __slots__ = ("_dtype", "_shape")

    def __init__(self, shape: Any = None, dtype: Any = float32) -> None:
        self._shape, self._dtype = TensorShape(shape), as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense array."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._dtype

    @property
    def value_type(self) -> type:
        """The type of the values that this spec describes."""
        return SparseTensor

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or all values of a spec, could be some that this spec describes."""
        if isinstance(spec_or_value, SparseTensor):
            spec_or_value = spec_or_value._type_spec
        return super().is_compatible_with(spec_or_value)

    def _parts(self) -> tuple[Any, ...]:
        return self._shape, self._dtype


def _three(value: Any) -> tuple[Any, Any, Any]:
    if hasattr(value, "dense_shape"):
        return value.indices, value.values, value.dense_shape
    indices, values, sizes = value
    return indices, values, sizes


def as_sparse(value: Any) -> SparseTensor:
    """A sparse tensor, also of a `SparseTensorValue`.

    Raises:
      TypeError: it is neither.
    """
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    raise TypeError(f"Input must be a SparseTensor, received {value!r} of type {type(value).__name__}.")


def static_sizes(sparse: SparseTensor) -> Any:
    """The shape as numbers if it is known, else as a tensor."""
    dims = sparse.shape._dims
    if dims is None or None in dims:
        return sparse.dense_shape
    return np.array(dims, np.int64)
