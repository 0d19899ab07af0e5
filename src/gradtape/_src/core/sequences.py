"""Python's numbers, strings and nested sequences as the data of tensors, by TensorFlow's rules.

Without a dtype, the first number decides: a bool gives bool, an int int32 (int64 where it does not fit), a
float float32, a complex complex128, a string string; later ones must fit, and ints become floats where floats
follow. Ragged and mixed sequences are refused. Rests on `arrays.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np

from gradtape._src.core.arrays import cannot_convert, cast, from_array, from_strings, unsupported
from gradtape._src.core.dtypes import (
    DType,
    bool_,
    complex128,
    float32,
    float64,
    from_numpy,
    int32,
    int64,
    string,
    uint64,
)
from gradtape._src.core.printing import shown
from gradtape._src.core.tensor_shape import Dimension

_DEEPEST = 64  # NumPy has no more dimensions; a list that contains itself has infinitely many


# --- What a value is ----------------------------------------------------------------------------------------


def is_sequence(kind: type) -> bool:
    """Whether values of a type can be opened: they have a length and items by number."""
    if issubclass(kind, (Mapping, Set, str, bytes)):
        return False
    return issubclass(kind, Sequence) or (hasattr(kind, "__len__") and hasattr(kind, "__getitem__"))


class _Kinds(dict[type, str]):
    """The kind of a type: a sequence, an array, a tensor; a number or string; "other" for anything else."""

    def __missing__(self, kind: type) -> str:
        self[kind] = found = _kind_of(kind)
        return found


def _kind_of(kind: type) -> str:
    if hasattr(kind, "__tf_tensor__"):
        return "tensor"
    if issubclass(kind, (str, bytes)):
        return "string"
    if issubclass(kind, np.generic):
        try:
            dtype = from_numpy(np.dtype(kind))
        except TypeError:
            return "other"
        flags = {
            "bool": dtype.is_bool,
            "int": dtype.is_integer,
            "float": dtype.is_floating,
            "complex": dtype.is_complex,
        }
        return next((name for name, is_it in flags.items() if is_it), "other")
    for base, name in ((bool, "bool"), ((int, Dimension), "int"), (float, "float"), (complex, "complex")):
        if issubclass(kind, base):
            return name
    if hasattr(kind, "__array__") or hasattr(kind, "__array_interface__"):
        return "array"
    return "sequence" if is_sequence(kind) else "other"


_KINDS = _Kinds()
_PLAIN = {bool, int, float}


def can_be_opened(value: Any) -> bool:
    """Whether a value inside a sequence is a sequence itself; arrays and tensors are not."""
    return _KINDS[type(value)] == "sequence"


# What may stand beside a first element of each kind, and what a dtype of each kind takes.
_FITS = {
    "bool": {"bool"},
    "int": {"bool", "int"},
    "float": {"bool", "int", "float"},
    "complex": {"bool", "int", "float", "complex"},
    "string": {"string"},
}


def _kind_of_dtype(dtype: DType) -> str:
    if dtype.is_floating:
        return "float"
    if dtype.is_integer or dtype.is_quantized:
        return "int"
    return "complex" if dtype.is_complex else dtype.name


# --- Numbers ------------------------------------------------------------------------------------------------


def from_number(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A number or string, without dimensions.

    Raises:
      TypeError: the dtype cannot represent it.
      ValueError: without a dtype, an int that does not fit int64 or a float that does not fit float32.
    """
    return _from_leaves([value], (), dtype, value)


# --- Sequences ----------------------------------------------------------------------------------------------


def from_sequence(value: Any, dtype: DType | None = None) -> np.ndarray | None:
    """A nested sequence of numbers, strings and arrays; None if there is a tensor in it.

    Raises:
      ValueError: it is ragged, or mixes what does not go together.
      TypeError: an element that the dtype cannot represent.
    """
    if type(value) in (list, tuple) and len(value) and set(map(type, value)) <= _PLAIN:
        return _from_leaves(value, (len(value),), dtype, value)
    items: list[Any] = [value]
    shape: tuple[int, ...] = ()
    while items:
        kinds = {_KINDS[kind] for kind in set(map(type, items))}
        if "tensor" in kinds:
            return None
        if kinds == {"array"}:
            arrays = list(map(np.asarray, items))
            if arrays[0].ndim and not any(a.dtype.kind in "OSUT" for a in arrays):
                return _from_arrays(arrays, shape, dtype, value)
        if "array" in kinds:
            items = [_opened(item) for item in items]
            kinds = {_KINDS[kind] for kind in set(map(type, items))}
        if "sequence" not in kinds:
            return _from_leaves(items, shape, dtype, value)
        items, shape = _one_level_down(items, kinds, shape, value)
    return np.zeros(shape, (dtype or float32).np)


def _opened(item: Any) -> Any:
    """An array as a list of its rows, or as a scalar; anything else as it is."""
    if _KINDS[type(item)] != "array":
        return item
    array = np.asarray(item)
    return list(array) if array.ndim else array[()]


def _one_level_down(
    items: list[Any], kinds: set[str], shape: tuple[int, ...], value: Any
) -> tuple[list[Any], tuple[int, ...]]:
    """The items of the items, and the shape with their number."""
    if kinds != {"sequence"}:
        if _KINDS[type(items[0])] != "sequence":
            raise _mixed(items, value)
        raise _ragged("A number stands beside a list", value)
    lengths = list(dict.fromkeys(map(len, items)))
    if len(lengths) > 1:
        raise _ragged(f"Lists of {lengths[0]} and of {lengths[1]} stand side by side", value)
    if len(shape) == _DEEPEST:
        raise ValueError(
            f"Can't convert Python sequence to Tensor: it has more than {_DEEPEST} levels: {shown(value)}"
        )
    return list(chain.from_iterable(items)), (*shape, lengths[0])


def _ragged(what: str, value: Any) -> ValueError:
    return ValueError(
        f"Can't convert non-rectangular Python sequence to Tensor. {what}; pad them to one length: "
        f"{shown(value)}"
    )


def _mixed(items: Sequence[Any], value: Any) -> ValueError:
    names = list(dict.fromkeys(type(item).__name__ for item in items))
    return ValueError(
        f"Can't convert Python sequence with mixed types to Tensor. It holds {' and '.join(names[:5])}: "
        f"{shown(value)}"
    )


def _target(
    first: type, kinds: set[str], dtype: DType | None, items: Sequence[Any], value: Any
) -> DType | None:
    """The dtype for elements of these kinds, the first of which is of the type ``first``; None: the smallest
    int.

    Raises:
      ValueError, TypeError: there is none, or they do not fit the dtype that is asked for.
    """
    if "other" in kinds:
        if _KINDS[first] != "other":
            raise _mixed(items, value)
        raise unsupported(items[0])
    if dtype is not None:
        if not kinds <= _FITS.get(_kind_of_dtype(dtype), set()) and not (
            kinds == {"bool"} and dtype.is_numeric
        ):
            raise cannot_convert(value, dtype)
        return dtype
    kind = _KINDS[first]
    if kind == "int" and kinds <= _FITS["float"]:
        return float32 if "float" in kinds else None
    if not kinds <= _FITS[kind]:
        raise _mixed(items, value)
    if kind == "float":
        return from_numpy(np.dtype(first)) if issubclass(first, np.generic) else float32
    return {"bool": bool_, "complex": complex128, "string": string}[kind]


def _from_leaves(items: Sequence[Any], shape: tuple[int, ...], dtype: DType | None, value: Any) -> np.ndarray:
    types = set(map(type, items))
    quick = _quick(types, dtype)
    if quick is not None and -quick[0] <= min(items) and max(items) <= quick[0]:
        return np.array(items, quick[1]).reshape(shape)
    kinds = {_KINDS[kind] for kind in types}
    target = _target(type(items[0]), kinds, dtype, items, value)
    if target is string:
        return from_strings(items, shape)
    wide = int64
    if target is not None and not (target.is_integer or target.is_quantized):
        wide = bool_ if target.is_bool else complex128 if target.is_complex else float64
    elif target is uint64 and min(items) >= 0:
        wide = uint64
    try:
        array = np.array(items, wide.np).reshape(shape)
    except OverflowError:
        if dtype is not None:
            raise cannot_convert(value, dtype, "an integer is out of range") from None
        raise _out_of_range(value) from None
    return _narrowed(array, target, dtype, value)


def _quick(types: set[type], dtype: DType | None) -> tuple[float, np.dtype] | None:
    """For the commonest elements: up to what size they need no further checks, and NumPy's dtype for them."""
    if types == {float}:
        return _QUICK_FLOAT if dtype is None or dtype is float32 else None
    return _QUICK_INT if types == {int} and (dtype is None or dtype is int32) else None


_QUICK_FLOAT = (float(np.finfo(np.float32).max), float32.np)
_QUICK_INT = (2**31 - 1, int32.np)


def _from_arrays(
    arrays: list[np.ndarray], shape: tuple[int, ...], dtype: DType | None, value: Any
) -> np.ndarray:
    shapes = list(dict.fromkeys(a.shape for a in arrays))
    if len(shapes) > 1:
        raise _ragged(f"Arrays of the shapes {shapes[0]} and {shapes[1]} stand side by side", value)
    types = [a.dtype.type for a in arrays]
    kinds = {_KINDS[kind] for kind in set(types)}
    target = _target(types[0], kinds, dtype, [a.reshape(-1)[0] if a.size else a for a in arrays], value)
    array = np.stack(arrays).reshape(shape + shapes[0])
    return _narrowed(from_array(array) if array.dtype.byteorder == ">" else array, target, dtype, value)


def _narrowed(array: np.ndarray, target: DType | None, dtype: DType | None, value: Any) -> np.ndarray:
    """The elements, which are numbers of the right kind, in the dtype that was found for them."""
    if target is None:
        small = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
        if not small and array.dtype.kind == "u" and array.max() > int64.max:
            raise _out_of_range(value)
        return array.astype((int32 if small else int64).np)
    found = array if from_numpy(array.dtype) is target else cast(array, target, value)
    if dtype is None and target is float32 and found is not array and np.isinf(found).any():
        if (np.isinf(found) & np.isfinite(array)).any():
            raise ValueError(
                "Can't convert Python sequence with a value out of range for a double-precision float. "
                f"Ask for dtype=tf.float64, which can hold it: {shown(value)}"
            )
    return found


def _out_of_range(value: Any) -> ValueError:
    return ValueError(
        "Can't convert Python sequence with out-of-range integer to Tensor. It does not fit int64: "
        f"{shown(value)}"
    )
