"""New values for some places of a variable: its scatter methods, as TensorFlow has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import DType, from_numpy, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import dtype_of
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.scattering import scatter_batches, scatter_rows, scatter_vectors


class Scatters:
    """The scatter methods of `tf.Variable`. They return what an assignment returns.

    Raises:
      InvalidArgumentError: an index out of range; shapes that do not fit.
    """

    dtype: DType
    _update: Callable[..., Any]

    def _scatter(self, how: str, sparse_delta: Any) -> Any:
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}"
            )
        values = as_tensor(sparse_delta.values, self.dtype)
        indices = _indices(sparse_delta.indices)
        return self._update(partial(scatter_rows, how=how), indices, values, kind="ResourceScatterUpdate")

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds slices to rows; the deltas of a row that comes several times add up."""
        return self._scatter("add", sparse_delta)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts slices from rows."""
        return self._scatter("sub", sparse_delta)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiplies rows by slices."""
        return self._scatter("mul", sparse_delta)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Divides rows by slices."""
        return self._scatter("div", sparse_delta)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces rows by the elementwise minimum with slices."""
        return self._scatter("min", sparse_delta)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces rows by the elementwise maximum with slices."""
        return self._scatter("max", sparse_delta)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces rows by slices; of several slices for a row the last one stays."""
        return self._scatter("update", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """``v[i, ..., indices[i, ..., j]] = values[i, ..., j]``, for all i, ..., j."""
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}"
            )
        values = as_tensor(sparse_delta.values, self.dtype)
        indices = _indices(sparse_delta.indices)
        return self._update(scatter_batches, indices, values, kind="ResourceScatterUpdate")

    def _scatter_nd(self, how: str, indices: Any, updates: Any) -> Any:
        updates = as_tensor(updates, self.dtype)
        indices = _indices(indices)
        return self._update(
            partial(scatter_vectors, how=how), indices, updates, kind="ResourceScatterNdUpdate"
        )

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds ``updates[i]`` at the index vector ``indices[i]``."""
        return self._scatter_nd("add", indices, updates)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts ``updates[i]`` at the index vector ``indices[i]``."""
        return self._scatter_nd("sub", indices, updates)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Puts ``updates[i]`` at the index vector ``indices[i]``."""
        return self._scatter_nd("update", indices, updates)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Takes the maximum with ``updates[i]`` at the index vector ``indices[i]``."""
        return self._scatter_nd("max", indices, updates)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Takes the minimum with ``updates[i]`` at the index vector ``indices[i]``."""
        return self._scatter_nd("min", indices, updates)


def _indices(value: Any) -> Any:
    indices = as_tensor(value)
    if not is_integer_np(dtype_of(indices)):
        raise InvalidArgumentError.of(
            "Indices must be integers (int32 or int64), got a tensor of dtype "
            f"{from_numpy(dtype_of(indices)).name}."
        )
    return indices
