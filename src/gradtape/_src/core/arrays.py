"""NumPy arrays as the data of tensors: copied, in native byte order, cast where nothing is lost, else
refused.

Also the errors about values that do not become tensors. Rests on `dtypes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import QUANTIZED_DTYPES, DType, from_numpy, string
from gradtape._src.core.notes import because
from gradtape._src.core.printing import plain, shown

_INTEGERS_OF = {dtype: dtype.np[0] for dtype in QUANTIZED_DTYPES}  # how quantized numbers are stored


# --- Errors -------------------------------------------------------------------------------------------------


def kernel_name(dtype: DType) -> str:
    """TensorFlow's errors speak of float, double and half."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


def cannot_convert(value: Any, dtype: DType, why: str = "") -> TypeError:
    """The error about a value that a dtype cannot represent."""
    return TypeError(
        f"Cannot convert {shown(value)} to EagerTensor of dtype {kernel_name(dtype)}{why and ': ' + why}"
    )


def unsupported(value: Any) -> ValueError:
    """The error about a value that is no number, string, array or sequence."""
    advice = ""
    if value is None:
        advice = (
            " None is what a function without `return` gives, and the gradient of what is not connected."
            + because()
        )
    elif hasattr(value, "__iter__") and not isinstance(value, type):
        advice = " Make a list or a NumPy array of numbers of it first."
    return ValueError(
        f"Attempt to convert a value ({shown(value)}) with an unsupported type ({type(value)}) to a "
        f"Tensor.{advice}"
    )


# --- Arrays -------------------------------------------------------------------------------------------------

_UNSUPPORTED = {  # NumPy's names of types that tensors do not have
    "M": "Unsupported numpy type: NPY_DATETIME",
    "m": "Unsupported numpy type: NPY_TIMEDELTA",
    "g": "Unsupported numpy type: NPY_LONGDOUBLE",
    "G": "Unsupported numpy type: NPY_CLONGDOUBLE",
}


def from_array(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A copy of an array or NumPy scalar, of the dtype if one is given.

    Raises:
      ValueError: elements of a kind that tensors do not have.
      TypeError: elements that the dtype cannot represent.
    """
    source = value.dtype
    if source.kind in "OSUT":
        return _from_objects(value, dtype)
    try:
        natural = from_numpy(source)
    except TypeError:
        reason = _UNSUPPORTED.get(source.char, "Unsupported numpy data type")
        raise ValueError(
            f"Failed to convert a NumPy array to a Tensor ({reason}). Convert it first, for example with "
            f".astype(np.float64); its dtype is {source!r}: {shown(value)}"
        ) from None
    if dtype is None or dtype is natural:
        return np.array(value, natural.np, order="C", subok=False)
    if dtype is string:
        raise _no_string(value.dtype.type(0).item() if source.names is None else value, value)
    return cast(np.asarray(value), dtype, value)


def cast(array: np.ndarray, dtype: DType, value: Any) -> np.ndarray:
    """A new array of the dtype, if it can represent every element; ``value`` is what the user wrote.

    Fractions are cut off as by NumPy, and a float too large for a smaller one is infinite. Integers that do
    not fit, NaN as an integer, and complex as real numbers are refused.
    """
    source = from_numpy(array.dtype)
    if dtype.is_quantized:
        integers = cast(plain(array), from_numpy(_INTEGERS_OF[dtype]), value)
        return integers.view(dtype.np)
    if source.is_complex and not dtype.is_complex:
        raise cannot_convert(value, dtype, "its imaginary part would be lost; take tf.math.real of it")
    if dtype.is_integer and array.size and not source.is_bool:
        _check_range(array, source, dtype, value)
    if np.can_cast(array.dtype, dtype.np):
        return array.astype(dtype.np, order="C", subok=False)
    with np.errstate(all="ignore"):
        return array.astype(dtype.np, order="C", subok=False)


def _check_range(array: np.ndarray, source: DType, dtype: DType, value: Any) -> None:
    low, high = int(dtype.min), int(dtype.max)
    if source.is_integer:
        if int(source.min) >= low and int(source.max) <= high:
            return
        smallest, largest = int(array.min()), int(array.max())
        fits = low <= smallest and largest <= high
    else:
        with np.errstate(all="ignore"):
            smallest, largest = float(array.min()), float(array.max())
        fits = low - 1 < smallest and largest < high + 1  # both False for NaN
    if not fits:
        flat = array.reshape(-1)
        wide = flat.astype(object if source.is_integer else np.float64)
        where = np.flatnonzero(~((wide > low - 1) & (wide < high + 1)))[0]
        place = "" if array.ndim == 0 else f"element {list(map(int, np.unravel_index(where, array.shape)))} "
        raise cannot_convert(value, dtype, f"{place}{flat[where].item()} is not in [{low}, {high}]")


# --- Strings and other objects ------------------------------------------------------------------------------


def _no_string(element: Any, value: Any) -> ValueError:
    return ValueError(
        f"Failed to convert a NumPy array to a Tensor (Unsupported object type {type(element).__name__}). "
        "Make it an array of one numeric dtype or of strings, for example with .astype(np.float32): "
        f"{shown(value)}"
    )


def _from_objects(value: Any, dtype: DType | None) -> np.ndarray:
    """An array of strings, or of Python objects."""
    array = np.asarray(value)
    items = [array.item()] if array.ndim == 0 else array.reshape(-1).tolist()
    if dtype is None or dtype is string:
        bad = [item for item in items if not isinstance(item, (str, bytes))]
        if bad:
            raise _no_string(bad[0], value)
        return from_strings(items, array.shape)
    wide = np.complex128 if dtype.is_complex else np.float64 if dtype.is_floating else np.int64
    numbers = (int, np.integer) if dtype.is_integer else (int, float, np.number, np.bool_)
    numbers = (*numbers, complex) if dtype.is_complex else numbers
    if dtype.is_bool or not all(isinstance(item, numbers) for item in items):
        raise cannot_convert(value, dtype, f"its elements are Python objects, of type {_types(items)}")
    try:
        numbers = np.array(items, wide)
    except OverflowError:
        raise cannot_convert(value, dtype, "a number is out of range") from None
    return cast(numbers.reshape(array.shape), dtype, value)


def _types(items: Sequence[Any]) -> str:
    return " and ".join(dict.fromkeys(type(item).__name__ for item in items))


def from_strings(items: Sequence[Any], shape: tuple[int, ...]) -> np.ndarray:
    """Strings as the data of a string tensor: an array of bytes objects, text in UTF-8."""
    out = np.empty(len(items), object)
    try:
        out[:] = [item if type(item) is bytes else _encoded(item) for item in items]
    except UnicodeEncodeError as error:
        raise ValueError(
            "Error converting unicode string while converting Python sequence to Tensor. "
            f"It is not valid Unicode ({error.reason}): {error.object!r}"
        ) from None
    return out.reshape(shape)


def _encoded(item: Any) -> bytes:
    return item.encode() if isinstance(item, str) else bytes(item)
