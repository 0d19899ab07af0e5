"""Arrays as protocol buffers, and back: the `TensorProto` that tensorboardX brings."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from gradtape._src.core.dtypes import as_dtype, from_numpy

_LISTS = ("float_val", "double_val", "int_val", "int64_val", "bool_val", "uint32_val", "uint64_val")


def tensor_message() -> Any:
    """The class of the messages."""
    # start-up cost: protocol buffers are needed by programs that read or write files only
    from tensorboardX.proto import tensor_pb2

    messages: Any = tensor_pb2  # made when it is imported: type checkers see nothing in it
    return messages.TensorProto


def message_of(array: Any) -> Any:
    """An array as a message."""
    array = np.asarray(array)
    made = tensor_message()(dtype=from_numpy(array.dtype).as_datatype_enum)
    made.tensor_shape.SetInParent()  # a scalar has a shape, too
    for size in array.shape:
        made.tensor_shape.dim.add().size = size
    if array.dtype.kind == "O":
        made.string_val.extend(item.encode() if isinstance(item, str) else item for item in array.reshape(-1))
    else:
        made.tensor_content = np.asarray(array, order="C").tobytes()
    return made


def array_of(proto: Any) -> np.ndarray:
    """The array of a message: the bytes, or a list of numbers of which the last is repeated."""
    dtype = as_dtype(proto.dtype).np
    shape = [dim.size for dim in proto.tensor_shape.dim]
    if proto.tensor_content:
        return np.frombuffer(proto.tensor_content, dtype).reshape(shape)
    if dtype.kind == "O":
        values: Any = np.array([*proto.string_val], object)
    elif dtype in (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)):
        values = np.array(proto.half_val, np.uint16).view(dtype)
    elif dtype.kind == "c":
        parts = np.array(proto.scomplex_val or proto.dcomplex_val)
        values = (parts[::2] + 1j * parts[1::2]).astype(dtype)
    else:
        values = np.array(next((list(v) for f in _LISTS if (v := getattr(proto, f, None))), []), dtype)
    count = int(np.prod(shape))
    if len(values) < count:
        last = values[-1] if len(values) else np.zeros((), dtype)[()]
        values = np.concatenate([values, np.full(count - len(values), last, dtype)])
    return values.reshape(shape)
