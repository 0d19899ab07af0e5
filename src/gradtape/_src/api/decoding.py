"""Bytes as tensors: numbers in memory, rows of CSV, messages, base64, compression."""

from __future__ import annotations

import base64
import csv
import gzip
import zlib
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_array, as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy, string
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of
from gradtape._src.graph.tensor_messages import array_of, message_of, tensor_message
from gradtape._src.ops.strings import mapped

_STRING = np.dtype(object)


def _elementwise(name: str, function: Any) -> Op:
    return Op(
        name,
        mapped(function),
        shape=lambda x, **params: shape_of(x),
        dtype=_STRING,
        accepts="string",
        elementwise=True,
    )


# --- Numbers in memory ---------------------------------------------------------------------------------------


def _raw(x: Any, *, dtype: np.dtype, little: bool, length: int | None) -> np.ndarray:
    texts = np.asarray(x, object)
    rows = list(texts.reshape(-1))
    if length is not None:
        rows = [row[:length].ljust(length, b"\0") for row in rows]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidArgumentError.of(
                f"DecodeRaw requires input strings to all be the same size, but element {i} has size {len(row)} != "
                f"{len(rows[0])}"
            )
        if len(row) % dtype.itemsize:
            raise InvalidArgumentError.of(
                f"Input to DecodeRaw has length {len(row)} that is not a multiple of {dtype.itemsize}, the size of "
                f"{from_numpy(dtype).name}"
            )
    n = len(rows[0]) // dtype.itemsize if rows else 0
    found = np.frombuffer(b"".join(rows), dtype).reshape(*texts.shape, n)
    return found if little else found.byteswap()


_decode_raw = Op(
    "DecodeRaw",
    _raw,
    shape=lambda x, *, dtype, little, length: (
        None if shape_of(x) is None else (*shape_of(x), None if length is None else length // dtype.itemsize)
    ),
    dtype=lambda x, *, dtype, little, length: dtype,
    accepts="string",
)


def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """The numbers whose bytes a string is, along a new last axis.

    Args:
      input_bytes: strings, all of one length.
      out_type: the dtype of the numbers.
      little_endian: whether the lowest byte comes first.
      fixed_length: cut strings to this length in bytes, or fill them up with zeros.

    Raises:
      InvalidArgumentError: strings of different lengths, or of no multiple of the size of a number.

    >>> import gradtape as tf
    >>> print(tf.io.decode_raw(["\\1\\0", "\\2\\1"], tf.int16).numpy())
    [[  1]
     [258]]

    As TensorFlow 2.21.
    """
    dtype = as_dtype(out_type).np
    if fixed_length is not None and (fixed_length <= 0 or fixed_length % dtype.itemsize):
        raise InvalidArgumentError.of(
            f"fixed_length must be a positive multiple of the {dtype.itemsize} bytes of a number, received "
            f"{fixed_length}"
        )
    return _decode_raw.of(
        as_tensor(input_bytes, string),
        dtype=dtype,
        little=bool(little_endian),
        length=fixed_length,
        name=name,
    )


# --- Rows of CSV ---------------------------------------------------------------------------------------------


def read_field(field: str, i: int, dtype: np.dtype, default: Any, missing: Any, where: str = "record") -> Any:
    """A field of CSV as a raw value.

    Args:
      i: its number, for messages.
      default: what stands for a missing one; None if there must be one.
      missing: the texts of a missing one.

    Raises:
      InvalidArgumentError: it is missing, or no number of the dtype.
    """
    if field in missing:
        if default is None:
            raise InvalidArgumentError.of(f"Field {i} is required but missing in {where}!")
        return np.array(default, dtype) if dtype.kind == "O" else dtype.type(default)
    if dtype.kind == "O":
        return np.array(field.encode(), object)
    try:
        return dtype.type(int(field) if dtype.kind in "iu" else field)
    except (ValueError, OverflowError):
        raise InvalidArgumentError.of(
            f"Field {i} in {where} is not a valid {from_numpy(dtype).name}: {field}"
        ) from None


def _csv(
    x: Any, *, dtypes: Any, defaults: Any, delimiter: str, quotes: bool, na_value: str, select: Any
) -> tuple[np.ndarray, ...]:
    texts: Any = np.asarray(x, object)
    out = [np.empty(texts.shape, dtype) for dtype in dtypes]
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    missing = {"", na_value}
    for n, at in enumerate(np.ndindex(texts.shape)):
        lines = csv.reader([texts[at].decode()], delimiter=delimiter, quoting=quoting)
        row = next(lines, [""]) or [""]
        if select is not None:
            row = [row[i] for i in select if i < len(row)]
        if len(row) != len(dtypes):
            raise InvalidArgumentError.of(f"Expect {len(dtypes)} fields but have {len(row)} in record {n}")
        for i, (field, dtype, default) in enumerate(zip(row, dtypes, defaults)):
            out[i][at] = read_field(field, i, dtype, default, missing, f"record {n}")[()]
    return tuple(out)


_decode_csv = Op(
    "DecodeCSV",
    _csv,
    multi=True,
    shape=lambda x, *, dtypes, **params: [shape_of(x)] * len(dtypes),
    dtype=lambda x, *, dtypes, **params: list(dtypes),
    accepts="string",
)


def decode_csv(
    records, record_defaults, field_delim=",", use_quote_delim=True, na_value="", select_cols=None, name=None
):
    """The fields of rows of CSV text: a list with a tensor for each column, of the shape of ``records``.

    Args:
      records: strings, each one row.
      record_defaults: for each column what stands for a missing field, which says its dtype too: a scalar or a vector
        of one; an empty vector if no field may be missing.
      field_delim: what is between two fields.
      use_quote_delim: whether double quotes hold a field together.
      na_value: another text for a missing field.
      select_cols: the columns to read, in increasing order; ``record_defaults`` is for these.

    Raises:
      InvalidArgumentError: a row does not have as many fields as were promised, or one that cannot be read.

    >>> import gradtape as tf
    >>> size, kind = tf.io.decode_csv(["1.5,a", ",b"], [0.0, ""])
    >>> print(size.numpy(), kind.numpy())
    [1.5 0. ] [b'a' b'b']

    As TensorFlow 2.21.
    """
    columns = [as_tensor(default) for default in record_defaults]
    flat = [np.asarray(column._data).reshape(-1) for column in columns]
    for column in flat:
        if column.size > 1:
            raise ValueError(f"A default is one value, or an empty vector; received {column}.")
    if select_cols is not None and list(select_cols) != sorted(set(select_cols)):
        raise ValueError(f"select_cols must increase, received {select_cols}.")
    found: Any = _decode_csv.of(
        as_tensor(records, string),
        dtypes=tuple([column.dtype.np for column in columns]),
        defaults=tuple([column[0] if column.size else None for column in flat]),
        delimiter=field_delim,
        quotes=bool(use_quote_delim),
        na_value=na_value,
        select=None if select_cols is None else tuple(select_cols),
        name=name,
    )
    return list(found)


# --- Tensors as messages -------------------------------------------------------------------------------------


def _parsed_tensor(x: Any, *, dtype: np.dtype) -> np.ndarray:
    try:
        message = tensor_message().FromString(np.asarray(x)[()])
        found = array_of(message)
    except Exception as error:  # what protocol buffers, and arrays of a wrong size, raise
        raise InvalidArgumentError.of(f"Could not parse `serialized` as TensorProto: {error}") from None
    if found.dtype != dtype:
        raise InvalidArgumentError.of(
            f"Type mismatch between parsed tensor ({from_numpy(found.dtype).name}) and dtype ({from_numpy(dtype).name})"
        )
    return found


_parse_tensor = Op(
    "ParseTensor",
    _parsed_tensor,
    shape=lambda x, *, dtype: None,
    dtype=lambda x, *, dtype: dtype,
    accepts="string",
)
_serialize_tensor = Op(
    "SerializeTensor",
    lambda x: np.array(message_of(x).SerializeToString(), object),
    shape=lambda x: (),
    dtype=_STRING,
)


def serialize_tensor(tensor, name=None):
    """A tensor as a string: TensorFlow's `TensorProto`. See `tf.io.parse_tensor`.

    >>> import gradtape as tf
    >>> print(tf.io.parse_tensor(tf.io.serialize_tensor([1.0, 2.0]), tf.float32).numpy())
    [1. 2.]
    """
    return _serialize_tensor.of(as_tensor(tensor), name=name)


def parse_tensor(serialized, out_type, name=None):
    """The tensor that `tf.io.serialize_tensor` made a string of.

    Raises:
      InvalidArgumentError: it is none, or of another dtype.
    """
    return _parse_tensor.of(as_tensor(serialized, string), dtype=as_dtype(out_type).np, name=name)


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """The message `TensorProto` of an array.

    Args:
      values: an array, or what converts to one.
      dtype: of the array.
      shape: of the array; one value stands for all.

    >>> import gradtape as tf
    >>> tf.make_ndarray(tf.make_tensor_proto([[1, 2]]))
    array([[1, 2]], dtype=int32)
    """
    array = np.asarray(as_array(values, dtype))
    if shape is None or tuple(shape) == array.shape:
        return message_of(array)
    size = int(np.prod(shape))
    if array.size not in (1, size) or verify_shape:
        raise TypeError(f"Expected values of shape {tuple(shape)}, received shape {array.shape}.")
    return message_of(
        array.reshape(shape) if array.size == size else np.full(shape, array.reshape(-1)[0], array.dtype)
    )


def make_ndarray(tensor):
    """The array of a message `TensorProto`."""
    return array_of(tensor)


# --- Texts ---------------------------------------------------------------------------------------------------


def _to_base64(item: bytes, *, pad: bool) -> bytes:
    found = base64.urlsafe_b64encode(item)
    return found if pad else found.rstrip(b"=")


def _of_base64(item: bytes) -> bytes:
    try:
        return base64.b64decode(
            item.rstrip(b"=") + b"=" * (-len(item.rstrip(b"=")) % 4), b"-_", validate=True
        )
    except ValueError:
        raise InvalidArgumentError.of(
            f"Invalid character found in base64, or a wrong length: {item!r:.80}"
        ) from None


def _uncompressed(item: bytes, *, kind: str) -> bytes:
    try:
        return gzip.decompress(item) if kind == "GZIP" else zlib.decompress(item) if kind else item
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidArgumentError.of(f"The string is not compressed as {kind}: {error}") from None


_encode_base64 = _elementwise("EncodeBase64", _to_base64)
_decode_base64 = _elementwise("DecodeBase64", _of_base64)
_decode_compressed = _elementwise("DecodeCompressed", _uncompressed)


def encode_base64(input, pad=False, name=None):
    """Strings in the letters of web-safe base64, RFC 4648; ``pad`` fills up with "=".

    >>> import gradtape as tf
    >>> tf.io.encode_base64("a?>").numpy()
    b'YT8-'
    """
    return _encode_base64.of(as_tensor(input, string), pad=bool(pad), name=name)


def decode_base64(input, name=None):
    """The strings that `tf.io.encode_base64` was given.

    Raises:
      InvalidArgumentError: other letters than those of web-safe base64.
    """
    return _decode_base64.of(as_tensor(input, string), name=name)


def decode_compressed(bytes, compression_type="", name=None):
    """The strings without compression.

    compression_type: "" (none), "ZLIB" or "GZIP".

    Raises:
      ValueError: another kind.
      InvalidArgumentError: a string is not so compressed.
    """
    if compression_type not in ("", "ZLIB", "GZIP"):
        raise ValueError(f"compression_type must be '', 'ZLIB' or 'GZIP', received {compression_type!r}.")
    return _decode_compressed.of(as_tensor(bytes, string), kind=compression_type, name=name)
