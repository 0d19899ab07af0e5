"""How tensors are printed: TensorFlow's text around NumPy's. Rests on `dtypes.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import QUANTIZED_DTYPES, from_numpy

_QUANTIZED = frozenset(dtype.np for dtype in QUANTIZED_DTYPES)


def plain(data: Any) -> Any:
    """What users see of the data of a tensor: quantized numbers as the integers that they are stored as."""
    return data.view(data.dtype[0]) if data.dtype in _QUANTIZED else data


def value_text(data: Any) -> str:
    """The value as `print` shows it, on lines of its own if it needs more than one."""
    text = str(plain(data))
    return "\n" + text if "\n" in text else text


def value_repr(data: Any) -> str:
    """The value as `repr` shows it, after ``numpy=``."""
    data = plain(data)
    # A number of any precision is shown with all the digits of a Python float, as TensorFlow does.
    text = repr(data.item()) if data.ndim == 0 else repr(data)
    return "numpy=" + ("\n" + text if "\n" in text else text)


def shape_text(shape: tuple[int | None, ...] | None) -> str:
    return "<unknown>" if shape is None else str(shape)


def tensor_str(data: Any) -> str:
    """What `print(tensor)` shows."""
    return f"tf.Tensor({value_text(data)}, shape={data.shape}, dtype={from_numpy(data.dtype).name})"


def tensor_repr(data: Any) -> str:
    """What `repr(tensor)` shows."""
    return f"<tf.Tensor: shape={data.shape}, dtype={from_numpy(data.dtype).name}, {value_repr(data)}>"


def variable_repr(name: str, shape: tuple[int | None, ...] | None, data: Any) -> str:
    """What `print(variable)` and `repr(variable)` show."""
    dtype = from_numpy(data.dtype).name
    return f"<tf.Variable '{name}' shape={shape_text(shape)} dtype={dtype}, {value_repr(data)}>"


def shown(value: Any, length: int = 200) -> str:
    """A value as error messages name it, cut where it is long."""
    if isinstance(value, (list, tuple)) and len(value) > 100:
        value = value[:100]  # its repr would be cut anyway
    with np.printoptions(threshold=20):
        text = repr(value)
    return text if len(text) <= length else text[: length - 3] + "..."
