"""``tf.TensorArray``: a list of tensors of one dtype, written element by element.

In eager mode it is a Python list: reads and writes are no operations, so gradients pass through them unchanged, and
``stack`` is one operation however many elements there are. In a graph it is a sequence (``ops/sequence_elements.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from operator import index
from typing import Any

import numpy as np

from gradtape._src.api.tensors import get_static_value
from gradtape._src.control.body import is_symbolic
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape._src.core.shapes import Shape, as_text, compatible, in_brackets, merge, relax
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import zeros_array
from gradtape._src.ops.indexed_slices import gather
from gradtape._src.ops.joining import concat, pack, split, unpack
from gradtape._src.ops.sequence_elements import (
    element,
    empty_sequence,
    flow,
    joined,
    length,
    parted,
    same_sequence,
    whole,
    written,
)
from gradtape._src.ops.sequences import elements


class TensorArray:
    """An array of tensors for use in loops.

    ``write`` gives the array with one element replaced; use its result, and not the array from before. An element
    that was never written reads as zeros, if the shape of the elements is known.

    Args:
      dtype: of the elements.
      size: the number of elements.
      dynamic_size: writing past the end makes the array longer.
      clear_after_read: an element can be read once (the default), and its memory is freed then.
      infer_shape: all elements have one shape.
      element_shape: this shape; dimensions may be None.
      tensor_array_name, handle, flow, colocate_with_first_write_call, name: without effect.

    Raises:
      OutOfRangeError: an index outside of the array.
      InvalidArgumentError: an element of another dtype, or one that was read before and is cleared.
      ValueError: an element of another shape; no size.

    Example:
    >>> import gradtape as tf
    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> print(squares.stack())
    tf.Tensor([0. 1. 4.], shape=(3,), dtype=float32)

    As TensorFlow 2.21.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return object.__new__(GraphTensorArray if cls is TensorArray and is_symbolic() else cls)

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None:
            raise ValueError("Size must be declared for TensorArrays when eager execution is enabled.")
        self._dtype = as_dtype(dtype)
        self._dynamic_size = bool(dynamic_size)
        self._clear_after_read = clear_after_read is None or bool(clear_after_read)
        self._infer_shape = infer_shape
        self._element_shape: Shape = None if element_shape is None else as_shape_tuple(element_shape)
        self._elements: list[Any] = [None] * index(size)
        self._cleared: set[int] = set()

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        return TensorShape._of(self._element_shape)

    @property
    def dynamic_size(self) -> bool:
        """Whether the array grows when it is written past its end."""
        return self._dynamic_size

    @property
    def flow(self) -> Any:
        """A number that TensorFlow passes along to order reads and writes."""
        return as_tensor(0)

    @property
    def handle(self) -> None:
        """None in eager mode."""
        return None

    def size(self, name: str | None = None) -> Any:
        """The number of elements, as an int32 tensor."""
        return EagerTensor(np.array(len(self._elements), np.int32))

    def identity(self) -> TensorArray:
        """The array itself."""
        return self

    def mark_used(self) -> None:
        """Without effect: nothing is said of an array that is not used."""

    def close(self, name: str | None = None) -> None:
        """Drops the elements."""
        del self._elements[:]

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> None:
        """Not for users: gradients pass through without it."""
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly. Use tf.GradientTape."
        )

    def read(self, index: Any, name: str | None = None) -> Any:
        """The element at ``index``."""
        i = int(index)
        if i < 0:
            raise OutOfRangeError.of(f"Reading from negative indices (index {i}) is not allowed.")
        if i >= len(self._elements):
            raise OutOfRangeError.of(
                f"Tried to read from index {i} but array size is: {len(self._elements)} "
            )
        if i in self._cleared:
            raise InvalidArgumentError.of(
                f"Could not read index {i} twice because it was cleared after a previous read (perhaps try setting "
                f"clear_after_read = false?)"
            )
        element = self._elements[i]
        if element is None:
            element = self._elements[i] = self._zero()
        if self._clear_after_read:
            self._elements[i] = None
            self._cleared.add(i)
        return element

    def _zero(self) -> Any:
        shape: Any = self._element_shape
        if shape is None or None in shape:
            raise ValueError(
                f"An element that was not written has no value, and the shape of the elements ({as_text(shape)}) is "
                f"not known well enough to make zeros. Write it first, or give element_shape."
            )
        return EagerTensor(zeros_array(shape, self._dtype.np))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with ``value`` at ``index``."""
        i = int(index)
        size = len(self._elements)
        if i < 0:
            raise OutOfRangeError.of(f"Writing to negative indices (index {i}) is not allowed.")
        if i >= size and not self._dynamic_size:
            raise OutOfRangeError.of(
                f"Tried to write to index {i} but array is not resizeable and size is: {size} "
            )
        self._elements.extend([None] * (i + 1 - size))
        self._elements[i] = self._checked(value)
        self._cleared.discard(i)
        return self

    def _checked(self, value: Any) -> Any:
        value = self._of_dtype(value)
        shape = shape_of(value)
        if not compatible(shape, self._element_shape):
            raise ValueError(
                f"Incompatible shape for value ({as_text(shape)}), expected ({as_text(self._element_shape)})"
            )
        if self._infer_shape:
            self._element_shape = merge(shape, self._element_shape)
        return value

    def _of_dtype(self, value: Any) -> Any:
        """A value as a tensor, which must have the dtype of the elements."""
        if not isinstance(value, Tensor) and not hasattr(value, "dtype"):
            with suppress(TypeError, ValueError):  # of another dtype: said below
                value = as_tensor(value, dtype=self._dtype)
        value = as_tensor(value)
        if dtype_of(value) != self._dtype.np:
            raise InvalidArgumentError.of(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{from_numpy(dtype_of(value)).name}. Use tf.cast."
            )
        return value

    def _all(self) -> list[Any]:
        """The elements, for an operation that reads all of them: they are not cleared."""
        return [self._zero() if element is None else element for element in self._elements]

    def stack(self, name: str | None = None) -> Any:
        """The elements along a new first axis."""
        elements = self._all()
        if not elements:
            shape = (0, *(d or 0 for d in self._element_shape or ()))
            return EagerTensor(zeros_array(shape, self._dtype.np))
        return pack(*elements, axis=0, name=name)

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements at ``indices`` along a new first axis."""
        chosen = [int(i) for i in as_tensor(indices)]
        for i in chosen:
            if not 0 <= i < len(self._elements):
                raise OutOfRangeError.of(
                    f"Tried to read from index {i} but array size is: {len(self._elements)} "
                )
            if self._elements[i] is None:
                self._elements[i] = self._zero()
        return pack(*[self._elements[i] for i in chosen], axis=0, name=name)

    def concat(self, name: str | None = None) -> Any:
        """The elements joined along their first axis."""
        elements = self._all()
        for i, part in enumerate(elements):
            if shape_of(part) == ():
                raise InvalidArgumentError.of(
                    f"Concat saw a scalar shape at index {i} but requires at least vectors."
                )
        if not elements:
            return EagerTensor(
                zeros_array((0, *(d or 0 for d in (self._element_shape or ())[1:])), self._dtype.np)
            )
        return concat(*elements, axis=0, name=name)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of ``value`` for elements."""
        value = self._rows(value)
        n = shape_of(value)[0]
        self._check_count(n, len(self._elements))
        self._elements = list(unpack(value, num=n, axis=0)) if n else []
        if self._infer_shape and n:
            self._element_shape = merge(shape_of(self._elements[0]), self._element_shape)
        self._cleared.clear()
        return self

    def _rows(self, value: Any) -> Any:
        value = self._of_dtype(value)
        if shape_of(value) == ():
            raise ValueError("Argument `axis` = 0 not in range [0, 0): a scalar has no rows to unstack.")
        return value

    def _check_count(self, n: int | None, size: int | None) -> None:
        if n is not None and size is not None and n > size and not self._dynamic_size:
            raise ValueError(f"Cannot unstack {n} tensors into a TensorArray of static size {size}")

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with row ``i`` of ``value`` at ``indices[i]``."""
        where = [int(i) for i in as_tensor(indices)]
        rows = unpack(self._rows(value), num=len(where), axis=0) if where else ()
        for i, row in zip(where, rows, strict=True):
            self.write(i, row)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with consecutive parts of ``value``, of the given lengths, for elements."""
        lengths, value = as_tensor(lengths), self._of_dtype(value)
        if shape_of(lengths) == ():
            raise InvalidArgumentError.of("Expected lengths to be a vector, received shape: []")
        if shape_of(value) == ():
            raise InvalidArgumentError.of("Expected value to be at least a vector, but received shape: []")
        sizes, have = tuple(int(n) for n in lengths), len(self._elements)
        if sum(sizes) != shape_of(value)[0]:
            raise InvalidArgumentError.of(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {sum(sizes)} and "
                f"value's shape is: {in_brackets(shape_of(value))}"
            )
        if len(sizes) != have and not self._dynamic_size:
            raise InvalidArgumentError.of(
                f"TensorArray's size is not equal to the size of lengths ({have} vs. {len(sizes)}), and the "
                "TensorArray is not marked as dynamically resizeable."
            )
        self._elements = list(split(value, sizes=sizes, axis=0))
        self._cleared.clear()
        return self


class GraphTensorArray(TensorArray):
    """A TensorArray of a graph: what has been written so far is a sequence, which flows through loops and branches."""

    def __init__(self, dtype: Any, size: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(dtype, 0, *args, **kwargs)
        size = 0 if size is None else size
        self._size = None if isinstance(size, Tensor) or self._dynamic_size else index(size)  # if it is known
        self._sequence: Any = empty_sequence.of(
            as_tensor(size) if isinstance(size, Tensor) else np.int32(size)
        )

    def _components(self) -> tuple[Any, ...]:
        return (self._sequence,)

    def _from_components(self, parts: tuple[Any, ...]) -> GraphTensorArray:
        other = object.__new__(GraphTensorArray)
        other.__dict__.update(self.__dict__)
        (other._sequence,) = parts
        return other

    def _holding(self, sequence: Any) -> GraphTensorArray:
        return self._from_components((sequence,))

    @property
    def flow(self) -> Any:
        return flow.of(self._sequence)

    def identity(self) -> TensorArray:
        """The array, after what `tf.control_dependencies` waits for."""
        return self._holding(same_sequence.of(self._sequence))

    def close(self, name: str | None = None) -> Any:
        """An operation that waits for what was written, and does nothing else."""
        return self.flow.op

    def size(self, name: str | None = None) -> Any:
        return length.of(self._sequence, name=name)

    def read(self, index: Any, name: str | None = None) -> Any:
        return element.of(
            self._sequence, as_tensor(index), shape=self._element_shape, dtype=self._dtype.np, name=name
        )

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        value = self._checked(value)
        return self._holding(
            written.of(self._sequence, as_tensor(index), value, grows=self._dynamic_size, name=name)
        )

    def stack(self, name: str | None = None) -> Any:
        return whole.of(
            self._sequence, shape=self._element_shape, dtype=self._dtype.np, size=self._size, name=name
        )

    def gather(self, indices: Any, name: str | None = None) -> Any:
        return gather.of(self.stack(), as_tensor(indices), name=name)

    def concat(self, name: str | None = None) -> Any:
        return joined.of(self._sequence, shape=self._element_shape, dtype=self._dtype.np, name=name)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        value = self._rows(value)
        shape = shape_of(value)
        n = None if shape is None else shape[0]
        self._check_count(n, self._size)
        self._learn(None if shape is None else shape[1:])
        return self._of_size(elements.of(value, name=name), n)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        value, indices = self._rows(value), as_tensor(indices)
        shape = shape_of(value)
        self._learn(None if shape is None else shape[1:])
        return self._holding(written.of(self._sequence, indices, value, grows=self._dynamic_size, name=name))

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        value, lengths = self._of_dtype(value), as_tensor(lengths)
        shape, sizes = shape_of(value), get_static_value(lengths)
        if shape == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0: a scalar cannot be split.")
        if shape is not None and sizes is not None and sizes.size and np.all(sizes == sizes.flat[0]):
            self._learn((int(sizes.flat[0]), *shape[1:]))
        n = None if sizes is None else sizes.size
        return self._of_size(parted.of(value, lengths, name=name), n)

    def _learn(self, shape: Shape) -> None:
        """Notes the shape of elements that are written."""
        if not compatible(shape, self._element_shape):
            raise ValueError(
                f"Incompatible shape for value ({as_text(shape)}), expected ({as_text(self._element_shape)})"
            )
        if self._infer_shape:
            self._element_shape = merge(shape, self._element_shape)

    def _forget_differences(self, others: Sequence[GraphTensorArray]) -> None:
        """Knows no more than what holds of the other arrays too: of a conditional's other branches."""
        for other in others:
            self._element_shape = relax(self._element_shape, other._element_shape)
            self._size = self._size if self._size == other._size else None

    def _of_size(self, sequence: Any, n: int | None) -> GraphTensorArray:
        other = self._holding(sequence)
        other._size = None if self._dynamic_size else n
        return other
