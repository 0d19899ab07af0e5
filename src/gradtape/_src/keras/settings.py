"""What Keras takes where a program says nothing: the dtype of weights, a small number, the place of the channels."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import DType, as_dtype

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_settings: dict[str, Any] = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}


def floatx() -> str:
    """The name of the dtype that weights have by default.

    >>> import gradtape as tf
    >>> tf.keras.backend.floatx()
    'float32'
    """
    return _settings["floatx"]


def set_floatx(value: str) -> None:
    """Sets the dtype that weights have by default.

    Raises:
      ValueError: not the name of a floating-point dtype.
    """
    name = getattr(value, "name", value)
    if name not in _FLOATS:
        raise ValueError(f"Unknown `floatx` value: {value}. Expected one of {set(_FLOATS)}")
    _settings["floatx"] = name


def epsilon() -> float:
    """A small number, which losses and metrics keep divisors and probabilities away from 0 with.

    >>> import gradtape as tf
    >>> tf.keras.backend.epsilon()
    1e-07
    """
    return _settings["epsilon"]


def set_epsilon(value: float) -> None:
    """Sets what `epsilon` gives."""
    _settings["epsilon"] = value


def image_data_format() -> str:
    """Where images have their channels by default: ``"channels_last"`` or ``"channels_first"``."""
    return _settings["image_data_format"]


def set_image_data_format(data_format: str) -> None:
    """Sets what `image_data_format` gives.

    Raises:
      ValueError: neither ``"channels_last"`` nor ``"channels_first"``.
    """
    name = str(data_format).lower()
    if name not in ("channels_last", "channels_first"):
        raise ValueError(
            "The `data_format` argument must be one of {'channels_first', 'channels_last'}. Received: "
            f"data_format={data_format}"
        )
    _settings["image_data_format"] = name


def standardize_dtype(dtype: Any) -> str:
    """The name of a dtype; that of `floatx` for None, and of Python's types as Keras reads them.

    >>> import gradtape as tf
    >>> tf.keras.utils.standardize_dtype(tf.float64), tf.keras.utils.standardize_dtype(None)
    ('float64', 'float32')
    """
    if dtype is None:
        return floatx()
    if dtype in ("float", float):
        return "float32"
    if dtype in ("int", int):
        return "int32"
    return as_dtype(dtype).name


def as_floatx(dtype: Any) -> DType:
    """The dtype that is meant: that of `floatx` for None."""
    return as_dtype(standardize_dtype(dtype))
