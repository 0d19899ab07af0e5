"""From what users write to tensors: the conversions that every public function starts with.

`as_tensor` takes anything, `as_operands` two operands of which one takes the dtype of the other. What they
cannot convert without loss they refuse, naming the value. The array of a tensor is never one that the user
can write to.

How a value is read depends on its type: Python's values in `core/sequences.py`, NumPy's in `core/arrays.py`;
a type with a method ``__tf_tensor__`` (variables, for one), or with a function registered for it, converts
itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.arrays import from_array, unsupported
from gradtape._src.core.dtypes import DType, as_dtype, from_numpy, int32
from gradtape._src.core.sequences import can_be_opened, from_number, from_sequence, is_sequence
from gradtape._src.core.tensor_shape import Dimension, TensorShape
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of

Conversion = Callable[[Any, DType | None], Any]


def as_tensor(value: Any, dtype: Any = None, like: Any = None) -> Any:
    """A value as a tensor; a tensor is returned as it is.

    Args:
      value: a tensor, a variable, a number, a string, an array, a nested list of these, ...
      dtype: the dtype that it must have. Numbers, arrays and lists are brought to it; a tensor must have it.
      like: a tensor whose dtype to use as ``dtype``.

    Raises:
      ValueError: a tensor of another dtype; a value of a type that no tensor can hold; a ragged list.
      TypeError: a number that the dtype cannot represent.
    """
    if like is not None:
        dtype = from_numpy(dtype_of(like))
    elif dtype is not None:
        dtype = as_dtype(dtype)
    if isinstance(value, Tensor):
        if dtype is not None and dtype_of(value) != dtype.np:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
                f"{from_numpy(dtype_of(value)).name}: {value!r}"
            )
        return value
    tensor = (_CONVERSIONS.get(type(value)) or _conversion_of(type(value)))(value, dtype)
    if notes.journal is not None:
        notes.journal.made(tensor, value)
    return tensor


def as_array(value: Any, dtype: Any = None) -> Any:
    """The raw array of a value that has data; see `as_tensor`."""
    return as_tensor(value, dtype)._data


# --- Operands -----------------------------------------------------------------------------------------------


# Python numbers as raw arrays, by NumPy's dtype (None: the natural one) and value. One table a type, because
# 1 == 1.0 == True and not every dtype takes them all. Zeros are kept under their text, because 0.0 == -0.0.
_FLOATS: dict[np.dtype | None, dict[Any, np.ndarray]] = {}
_INTS: dict[np.dtype | None, dict[Any, np.ndarray]] = {}


def _float(value: float, dtype: np.dtype | None) -> np.ndarray:
    return _shared(_FLOATS.setdefault(dtype, {}), value or repr(value), value, dtype)


def _int(value: int, dtype: np.dtype | None) -> np.ndarray:
    return _shared(_INTS.setdefault(dtype, {}), value, value, dtype)


def _shared(table: dict[Any, np.ndarray], key: Any, value: Any, dtype: np.dtype | None) -> np.ndarray:
    found = table.get(key)
    if found is None:
        found = from_number(value, None if dtype is None else from_numpy(dtype))
        found.flags.writeable = False  # many operations share it
        if len(table) >= 4096:
            table.clear()
        table[key] = found
    return found


# What makes a tensor of a value of a type, quicker than `_operand`.
_READERS: dict[type, Callable[[Any], Any]] = {}


def read_by(kind: type, reader: Callable[[Any], Any]) -> None:
    """Says what makes a tensor of a value of a type that is a second operand: what its ``__tf_tensor__`` calls."""
    _READERS[kind] = reader


def as_operands(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands, at least one of them a tensor; the other, if it has no dtype of its own, a raw array.

    A Python number, an array or a list takes the dtype of the tensor that it meets, or of what is first if
    there is no tensor.

    Raises:
      TypeError: that dtype cannot represent it.
    """
    # What meets a number most often comes first.
    if type(x) is EagerTensor:
        kind = type(y)
        try:
            if kind is float and y:
                return x, _FLOATS[x._data.dtype][y]
            if kind is int:
                return x, _INTS[x._data.dtype][y]
        except KeyError:
            pass
        reader = _READERS.get(kind)
        return x, _operand(y, x._data.dtype) if reader is None else reader(y)
    if type(y) is EagerTensor:
        kind = type(x)
        try:
            if kind is float and x:
                return _FLOATS[y._data.dtype][x], y
            if kind is int:
                return _INTS[y._data.dtype][x], y
        except KeyError:
            pass
        return _operand(x, y._data.dtype), y
    if isinstance(x, Tensor):
        return x, _operand(y, dtype_of(x))
    if isinstance(y, Tensor):
        return _operand(x, dtype_of(y)), y
    if hasattr(type(y), "__tf_tensor__") and not hasattr(type(x), "__tf_tensor__"):
        return as_operands(x, as_tensor(y))
    return as_operands(as_tensor(x), y)


def _operand(value: Any, dtype: np.dtype) -> Any:
    """What meets a tensor of this dtype: a tensor if it has a dtype of its own, else a raw array."""
    if hasattr(type(value), "__tf_tensor__"):
        return value if isinstance(value, Tensor) else _by_itself(value, None)
    if type(value) is float:
        return _float(value, dtype)
    if type(value) is int:
        return _int(value, dtype)
    if type(value) in _OWN_DTYPE:
        return as_tensor(value)
    if type(value) in (list, tuple):
        data = from_sequence(value, from_numpy(dtype))
        return _pack(value, None) if data is None else data
    found = as_tensor(value, dtype)
    return found._data if type(found) is EagerTensor and found._ghost is None else found


# --- Conversions by type ------------------------------------------------------------------------------------


def _boxed(read: Conversion) -> Conversion:
    return lambda value, dtype: EagerTensor(read(value, dtype))


def _from_float(value: float, dtype: DType | None) -> EagerTensor:
    return EagerTensor(_float(value, None if dtype is None else dtype.np))


def _from_int(value: int, dtype: DType | None) -> EagerTensor:
    return EagerTensor(_int(value, None if dtype is None else dtype.np))


def _from_sequence(value: Any, dtype: DType | None) -> Any:
    data = from_sequence(value, dtype)
    return _pack(value, dtype) if data is None else EagerTensor(data)


def _from_shape(value: TensorShape, dtype: DType | None) -> EagerTensor:
    if not value.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
    if dtype is not None and dtype.name not in ("int32", "int64"):
        raise TypeError(
            f"Cannot convert TensorShape {value} to dtype {dtype}. Allowed dtypes are tf.int32 and tf.int64."
        )
    return EagerTensor(from_sequence(value.as_list(), dtype or (None if value.rank else int32)))


def _from_dimension(value: Dimension, dtype: DType | None) -> EagerTensor:
    if value.value is None:
        raise ValueError(f"Cannot convert {value!r}, a dimension that is not known, to a Tensor.")
    return EagerTensor(from_number(value.value, dtype))


def _by_itself(value: Any, dtype: DType | None) -> Any:
    found = value.__tf_tensor__(dtype, None)
    if dtype is None and type(found) is EagerTensor:
        return found
    return _checked(found, dtype, f"{type(value).__name__}.__tf_tensor__")


def _like_array(value: Any, dtype: DType | None) -> EagerTensor:
    return EagerTensor(from_array(np.asarray(value), dtype))


class NotOneTensor(ValueError):
    """A value that is made of several tensors, such as a ragged one, came where one tensor was expected.

    Its class may have a function ``_elementwise(op, *args)``, which does an elementwise operation with it.
    """


def _refuse(value: Any, dtype: DType | None) -> Any:
    if hasattr(type(value), "_elementwise"):
        raise NotOneTensor(
            f"Expected a tensor, received a {type(value).__name__}. Use its to_tensor(), or a function of its values: "
            f"tf.ragged.map_flat_values."
        )
    raise unsupported(value)


def _checked(found: Any, dtype: DType | None, by: str) -> Any:
    if not isinstance(found, Tensor):
        raise TypeError(f"{by} must return a tf.Tensor, got {found!r}.")
    if dtype is not None and dtype_of(found) != dtype.np:
        raise TypeError(f"{by} was asked for dtype {dtype.name}, and gave {found!r}.")
    return found


_BUILT_IN: dict[type, Conversion] = {
    **dict.fromkeys((bool, complex, str, bytes), _boxed(from_number)),
    int: _from_int,
    float: _from_float,
    np.ndarray: _boxed(from_array),
    list: _from_sequence,
    tuple: _from_sequence,
    TensorShape: _from_shape,
    Dimension: _from_dimension,
}
_OWN_DTYPE = frozenset({TensorShape, Dimension})
_CONVERSIONS = dict(_BUILT_IN)  # what was found so far
_registered: list[tuple[float, type | tuple[type, ...], Callable[..., Any]]] = []  # by priority


def _conversion_of(kind: type) -> Conversion:
    """How values of a type are read."""
    found = _conversion_of_its_own(kind)
    chosen = []
    if found is not _by_itself:
        chosen = [function for _, bases, function in _registered if issubclass(kind, bases)]
    _CONVERSIONS[kind] = found = _by_functions(chosen, found) if chosen else found
    return found


def _conversion_of_its_own(kind: type) -> Conversion:
    if kind in _BUILT_IN:
        return _BUILT_IN[kind]
    if hasattr(kind, "__tf_tensor__"):
        return _by_itself
    if issubclass(kind, (np.ndarray, np.generic)):
        return _boxed(from_array)
    if issubclass(kind, (bool, int, float, complex, str, bytes)):
        return _boxed(from_number)
    if any(hasattr(kind, name) for name in ("__array__", "__array_interface__", "__array_struct__")):
        return _like_array
    return _from_sequence if is_sequence(kind) else _refuse


def _by_functions(functions: list[Callable[..., Any]], otherwise: Conversion) -> Conversion:
    """A conversion by the first of the user's functions that knows how."""

    def convert(value: Any, dtype: DType | None) -> Any:
        for function in functions:
            found = function(value, dtype=dtype, name=None, as_ref=False)
            if found is not NotImplemented:
                return _checked(
                    found, dtype, f"The conversion function registered for {type(value).__name__}"
                )
        return otherwise(value, dtype)

    return convert


def register_tensor_conversion_function(base_type: Any, conversion_func: Any, priority: float = 100) -> None:
    """Says how values of a type become tensors, wherever a tensor is expected.

    Args:
      base_type: a class or a tuple of classes; subclasses are meant too.
      conversion_func: ``f(value, dtype=None, name=None, as_ref=False)`` returning a tensor, of ``dtype`` if
        it is given, or ``NotImplemented``.
      priority: of several functions for a type the one with the smallest is asked first.

    Raises:
      TypeError: ``base_type`` is no class, or ``conversion_func`` cannot be called.

    >>> import gradtape as tf
    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> def kelvin(value, dtype=None, name=None, as_ref=False):
    ...     return tf.constant(value.degrees + 273.15, dtype)
    >>> tf.register_tensor_conversion_function(Celsius, kelvin)
    >>> print(tf.constant(1.0) + Celsius(0.0))
    tf.Tensor(274.15, shape=(), dtype=float32)
    """
    bases = base_type if isinstance(base_type, tuple) else (base_type,)
    if not bases or not all(isinstance(base, type) for base in bases):
        raise TypeError(f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type}")
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    _registered.append((priority, bases, conversion_func))
    _registered.sort(key=lambda entry: entry[0])
    _CONVERSIONS.clear()


# --- Lists with tensors in them -----------------------------------------------------------------------------


def _pack(value: Any, dtype: DType | None) -> Any:
    """A sequence with tensors in it, stacked: an operation, so that gradients flow to the tensors."""
    found = from_numpy(_first_dtype(value))
    tensor = _packed(value, found)
    return tensor if dtype is None or dtype is found else _operations["cast"](tensor, dtype)


def _first_dtype(value: Any) -> Any:
    """The dtype of the first tensor in a nested sequence; None if there is none."""
    for item in value:
        if hasattr(type(item), "__tf_tensor__"):
            return dtype_of(item if hasattr(item, "dtype") else as_tensor(item))
        if can_be_opened(item) and (dtype := _first_dtype(item)) is not None:
            return dtype
    return None


def _packed(value: Any, dtype: DType) -> Any:
    parts = []
    for item in value:
        if hasattr(type(item), "__tf_tensor__"):
            parts.append(as_tensor(item))
        elif can_be_opened(item) and _first_dtype(item) is not None:
            parts.append(_packed(item, dtype))
        else:
            parts.append(as_tensor(item, dtype))
    return _operations["stack"](parts)


_operations: dict[str, Callable[..., Any]] = {}


def use_operations(stack: Callable[[list[Any]], Any], cast: Callable[[Any, DType], Any]) -> None:
    """Gives the conversions the two operations that they need, which rest on this module."""
    _operations.update(stack=stack, cast=cast)
