"""``tf.queue``: first-in-first-out queues. They are state: what is taken out is on no tape."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.errors import CancelledError, InvalidArgumentError, OutOfRangeError
from gradtape._src.core.notes import note
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple
from gradtape._src.core.values import EagerTensor, dtype_of


class QueueBase:
    """What all queues have in common: see ``FIFOQueue``."""


class FIFOQueue(QueueBase):
    """A queue that gives elements in the order in which they came.

    An element is a tensor, a list of tensors (one a component), or with ``names`` a dictionary of them.

    Args:
      capacity: the most elements that it holds.
      dtypes: a dtype, or a list with one for each component.
      shapes: a shape, or a list with one for each component; needed for ``dequeue_many``.
      names: keys for the components.
      shared_name, name: without effect.

    Raises:
      InvalidArgumentError: the queue is full or empty (it cannot wait: nobody else fills it), or a component does not
        have the shape of the queue.
      OutOfRangeError: it is closed and has no elements left.
      CancelledError: ``enqueue`` after ``close``.

    Example:
    >>> import gradtape as tf
    >>> queue = tf.queue.FIFOQueue(3, tf.float32)
    >>> queue.enqueue_many([[1.0, 2.0]])
    >>> print(queue.dequeue(), queue.size().numpy())
    tf.Tensor(1.0, shape=(), dtype=float32) 1

    As TensorFlow 2.21, which waits where this raises.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "fifo_queue",
    ) -> None:
        self._dtypes = [
            as_dtype(dtype) for dtype in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])
        ]
        self._shapes = _shapes(shapes, len(self._dtypes))
        self._names = None if names is None else [names] if isinstance(names, str) else list(names)
        if self._names is not None and len(self._names) != len(self._dtypes):
            raise ValueError(
                f"List of names must have the same length as the list of dtypes: {self._names}, {dtypes}."
            )
        self._capacity = int(capacity) if int(capacity) >= 0 else None
        self._elements: deque[list[np.ndarray]] = deque()
        self._closed = False
        self.name = name

    @property
    def dtypes(self) -> list[Any]:
        """The dtype of each component."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shape of each component."""
        return [TensorShape._of(shape) for shape in self._shapes]

    @property
    def names(self) -> list[str] | None:
        """The key of each component, or None."""
        return self._names

    def size(self, name: str | None = None) -> Any:
        """The number of elements, as an int32 tensor."""
        return EagerTensor(np.array(len(self._elements), np.int32))

    def is_closed(self, name: str | None = None) -> Any:
        """Whether ``close`` was called, as a boolean tensor."""
        return EagerTensor(np.array(self._closed))

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> None:
        """No more elements come in; those that are there can be taken."""
        self._closed = True

    def enqueue(self, vals: Any, name: str | None = None) -> None:
        """Puts one element at the end."""
        self._put(self._components(vals, lambda shape: shape))

    def enqueue_many(self, vals: Any, name: str | None = None) -> None:
        """Puts an element at the end for each position along the first axis of the components."""
        components = self._components(vals, lambda shape: None if shape is None else (None, *shape))
        for row in zip(*components, strict=True):
            self._put([np.asarray(x) for x in row])

    def _put(self, element: list[np.ndarray]) -> None:
        if self._closed:
            raise CancelledError.of(f"{type(self).__name__} '{self.name}' is closed.")
        if self._capacity is not None and len(self._elements) >= self._capacity:
            raise InvalidArgumentError.of(
                f"{type(self).__name__} '{self.name}' is full (capacity {self._capacity}) and nobody else takes from "
                f"it. Dequeue first, or make it larger."
            )
        self._elements.append(element)

    def _note(self, vals: Any) -> None:
        for x in vals:
            if type(x) is EagerTensor and x._ghost is not None:
                note("data", "a queue", (x,))

    def _components(self, vals: Any, expected: Any) -> list[np.ndarray]:
        if self._names is not None:
            if not isinstance(vals, dict) or sorted(vals) != sorted(self._names):
                raise ValueError(
                    f"Keys in dictionary to enqueue do not match names of Queue: {self._names}, got {vals}."
                )
            vals = [vals[key] for key in self._names]
        elif isinstance(vals, dict):
            raise ValueError("Queue must have names to enqueue a dictionary")
        if not isinstance(vals, (list, tuple)) or (len(self._dtypes) == 1 and len(vals) != 1):
            vals = [vals]
        if len(vals) != len(self._dtypes):
            raise ValueError(f"Expected {len(self._dtypes)} components, got {len(vals)}: {vals}")
        self._note(vals)
        found = []
        for i, (val, dtype, shape) in enumerate(zip(vals, self._dtypes, self._shapes, strict=True)):
            x = as_tensor(val, dtype=None if hasattr(val, "dtype") else dtype)
            if dtype_of(x) != dtype.np:
                raise ValueError(
                    f"component_{i}: Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
                    f"{x.dtype.name}: {x!r}"
                )
            if not compatible(x._data.shape, expected(shape)):
                raise InvalidArgumentError.of(
                    f"Shape mismatch in tuple component {i}. Expected {as_text(expected(shape))}, got "
                    f"{as_text(x._data.shape)}"
                )
            found.append(np.asarray(x._data))
        return found

    def _take(self, n: int, wanted: int) -> list[list[np.ndarray]]:
        if len(self._elements) < n:
            state = (
                "is closed and has insufficient elements"
                if self._closed
                else "has too few elements to wait for"
            )
            error = OutOfRangeError if self._closed else InvalidArgumentError
            raise error.of(
                f"{type(self).__name__} '{self.name}' {state} (requested {wanted}, current size {len(self._elements)})"
            )
        return [self._elements.popleft() for _ in range(n)]

    def _given(self, components: list[np.ndarray]) -> Any:
        tensors = [EagerTensor(x) for x in components]
        if self._names is not None:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name: str | None = None) -> Any:
        """Takes the first element."""
        return self._given(self._take(1, 1)[0])

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Takes the first ``n`` elements, stacked."""
        self._need_shapes()
        return self._stacked(self._take(int(n), int(n)))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Takes the first ``n`` elements, stacked; if the queue is closed, fewer if there are no more."""
        self._need_shapes()
        n = int(n)
        available = len(self._elements) if self._closed and self._elements else n
        return self._stacked(self._take(min(n, available), n))

    def _need_shapes(self) -> None:
        if any(shape is None or None in shape for shape in self._shapes):
            raise InvalidArgumentError.of(
                f"{type(self).__name__}'s DequeueMany and DequeueUpTo require the components to have specified shapes. "
                f"Give the queue its shapes."
            )

    def _stacked(self, elements: list[list[np.ndarray]]) -> Any:
        if not elements:
            return self._given(
                [np.zeros((0, *s), d.np) for s, d in zip(self._shapes, self._dtypes, strict=True)]
            )
        return self._given([np.stack(column) for column in zip(*elements, strict=True)])


def _shapes(shapes: Any, n: int) -> list[Any]:
    if shapes is None:
        return [None] * n
    single = isinstance(shapes, TensorShape) or (
        n == 1
        and not (isinstance(shapes, (list, tuple)) and len(shapes) == 1 and not isinstance(shapes[0], int))
    )
    return [as_shape_tuple(shape) for shape in ([shapes] if single else shapes)]
