"""Making tensors of values, and asking about them: `tf.constant`, `tf.convert_to_tensor`, `tf.is_tensor`, ...

The conversions are in ``core/convert.py``. This module also puts indexing on tensors and variables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.indexing import assigned, getitem
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.printing import shown
from gradtape._src.core.shapes import is_known, size_of
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.graph import known
from gradtape._src.graph.ir import current_graph, in_graph
from gradtape._src.ops import operators
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable, read

# --- Indexing -----------------------------------------------------------------------------------------------


def _getitem(self: Any, key: Any) -> Any:
    if isinstance(self, Tensor):
        return getitem(self, key)
    part = getitem(read(self), key)
    if not (isinstance(key, (Tensor, np.ndarray)) and dtype_of(key).kind == "b"):
        part.assign = _Assignment(self, key)
    return part


class _Assignment:
    """`variable[key].assign`: replaces a part of the variable's value."""

    def __init__(self, variable: Variable, key: Any) -> None:
        self._variable = variable
        self._key = key

    def __call__(self, value: Any, name: str | None = None) -> Any:
        tensor = as_tensor(value, self._variable.dtype)
        new = lambda old, part: assigned(old, self._key, part)
        return self._variable._update(new, tensor, kind="ResourceStridedSliceAssign", name=name)


operators.attach("getitem", _getitem)


# --- Making tensors -----------------------------------------------------------------------------------------


def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor of a value.

    Args:
      value: a number, a string, a NumPy array, or a nested list of these; every list at a level as long as
        the others.
      dtype: the dtype. By default a Python int gives int32 (int64 if it does not fit), a float float32, a
        complex complex128, an array its own dtype.
      shape: the shape: a single element is repeated, any other number of elements must be that of the shape.
      name: of the operation in a graph.

    Raises:
      TypeError: a number that the dtype cannot represent; a number of elements that does not fit the shape.
      ValueError: a ragged or mixed list; a value of a type that no tensor can hold.

    >>> import gradtape as tf
    >>> tf.constant([[1, 2], [3, 4]])
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 2],
           [3, 4]], dtype=int32)>
    >>> tf.constant(1.5, shape=(2,))
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 1.5], dtype=float32)>
    """
    if dtype is not None and isinstance(value, Tensor):
        dtype = as_dtype(dtype)
        if dtype_of(value) != dtype.np:
            own = from_numpy(dtype_of(value))
            raise TypeError(
                f"Expected tensor {value} with dtype {dtype!r}, but got dtype {own!r}. Use tf.cast."
            )
    tensor = as_tensor(value, dtype)
    if shape is not None:
        tensor = _shaped(tensor, as_shape_tuple(shape), value)
    return in_graph(tensor, name)


def _shaped(tensor: Any, shape: Any, value: Any) -> Any:
    """A constant brought to a shape."""
    have = shape_of(tensor)
    if shape == have:
        return tensor
    if is_known(shape) and size_of(shape) == size_of(have):
        plain = type(tensor) is EagerTensor and not isinstance(value, Tensor) and current_graph() is not None
        return EagerTensor(tensor._data.reshape(shape)) if plain else reshape.of(tensor, shape)
    if is_known(shape) and size_of(have) == 1 and type(tensor) is EagerTensor:
        data = tensor._data
        return EagerTensor(
            np.full(shape, data.item() if data.dtype == object else data.reshape(()), data.dtype)
        )
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {tensor} (converted from "
        f"{shown(value)}) has "
        f"{size_of(have)} elements, but got `shape` {shape} with {size_of(shape)} elements)."
    )


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """A value as a tensor; a tensor is returned as it is.

    Args:
      value: as `tf.constant` takes it, or a variable, a `tf.IndexedSlices` (which becomes dense), a shape, an
        object that a function was registered for (`tf.register_tensor_conversion_function`), or a list with
        tensors in it, which is `tf.stack` of them.
      dtype: the dtype. A tensor must have it already.
      dtype_hint: the dtype to use if the value can be converted to it.
      name: of the operation in a graph.

    Raises:
      TypeError: a number that the dtype cannot represent.
      ValueError: a tensor of another dtype; a ragged or mixed list; a value of a type that no tensor can
      hold.

    >>> import gradtape as tf
    >>> x = tf.constant(1.0)
    >>> tf.convert_to_tensor([x, 2 * x])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    if dtype is None and dtype_hint is not None and not isinstance(value, Tensor):
        dtype_hint = as_dtype(dtype_hint)
        try:
            return in_graph(as_tensor(value, dtype_hint), name)
        except (TypeError, ValueError):
            pass
    return in_graph(as_tensor(value, dtype), name)


# --- Asking about them --------------------------------------------------------------------------------------


def is_tensor(x):
    """Whether a value is a tensor, a variable or a `tf.IndexedSlices`: what operations take as it is.

    >>> import gradtape as tf
    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(1)
    (True, False)
    """
    return isinstance(x, (Tensor, Variable, IndexedSlices)) or hasattr(type(x), "_components")


def is_symbolic_tensor(tensor):
    """Whether a value is a tensor of a graph, which has no data while the graph is built.

    >>> import gradtape as tf
    >>> tf.is_symbolic_tensor(tf.constant(1))
    False
    """
    return isinstance(tensor, Tensor) and type(tensor) is not EagerTensor


def get_static_value(tensor, partial=False):
    """The value as a NumPy array where it is known without executing a graph, else None.

    Args:
      tensor: a tensor; a value of any other type comes back as it is, a variable gives None.
      partial: in a graph, give what is known, with None for the other elements.

    >>> import gradtape as tf
    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    if type(tensor) is EagerTensor:
        return tensor.numpy()
    if isinstance(tensor, Tensor):
        found = known.array_of(tensor)
        return None if found is None else np.array(found)
    return None if isinstance(tensor, Variable) else tensor


def executing_eagerly():
    """Whether operations are executed at once, and not added to a graph.

    >>> import gradtape as tf
    >>> tf.executing_eagerly()
    True
    """
    interpreter = current_interpreter()
    return interpreter is None or not interpreter.symbolic


# --- Exchange without a copy --------------------------------------------------------------------------------


class _Holder:
    """A DLPack capsule as an object that gives it: what NumPy expects."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def to_dlpack(tf_tensor):
    """The tensor as a DLPack capsule, for another library; it can be read once.

    Raises:
      BufferError: a dtype that DLPack does not have, such as string.

    >>> import gradtape as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    return as_tensor(tf_tensor).__dlpack__()


def from_dlpack(dlcapsule):
    """The tensor of a DLPack capsule, or of an object with a method ``__dlpack__``; a copy, so it does not
    change later.

    Raises:
      TypeError: it is neither.

    >>> import gradtape as tf
    >>> import numpy as np
    >>> tf.experimental.dlpack.from_dlpack(np.arange(3.0))
    <tf.Tensor: shape=(3,), dtype=float64, numpy=array([0., 1., 2.])>
    """
    if not hasattr(dlcapsule, "__dlpack__"):
        if type(dlcapsule).__name__ != "PyCapsule":
            raise TypeError(f"Expected a DLPack capsule or an object with `__dlpack__`, got {dlcapsule!r}.")
        dlcapsule = _Holder(dlcapsule)
    return as_tensor(np.from_dlpack(dlcapsule))
