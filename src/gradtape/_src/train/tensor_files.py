"""Files of named arrays: safetensors, written whole or not at all, and checked when they are read.

A checksum of each array stands in the header, and one of these: the format has none, and a flipped bit in a weight
would go unseen.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.errors import DataLossError, NotFoundError
from gradtape._src.core.files import written_whole

_PLAIN = frozenset(
    "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1".split()
)  # what the format has names for, and NumPy too
_TABLE, _CHECKSUM = "gradtape.tensors", "gradtape.checksum"


def write_tensors(path: str, tensors: Mapping[str, np.ndarray]) -> None:
    """Writes arrays by name to a file."""
    from safetensors.numpy import save_file  # start-up cost: only programs that save need it

    stored = {name: _stored(np.asarray(value)) for name, value in tensors.items()}
    table = {
        name: [from_numpy(np.asarray(tensors[name]).dtype).name, list(np.shape(tensors[name])), _crc(data)]
        for name, data in stored.items()
    }
    text = json.dumps(table)
    header = {_TABLE: text, _CHECKSUM: str(zlib.crc32(text.encode()))}
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with written_whole(path) as temporary:
        save_file(stored, temporary, header)


class TensorFile:
    """Arrays by name in a file; each is read when it is asked for.

    Raises:
      NotFoundError: there is no such file. DataLossError: it is damaged.
    """

    def __init__(self, path: str) -> None:
        from safetensors import (  # start-up cost: only programs that restore need it
            SafetensorError,
            safe_open,
        )

        self.path = path
        if not os.path.isfile(path):
            raise NotFoundError.of(f"There is no file {path}.")
        try:
            self._file: Any = safe_open(path, framework="np")
            self._names = set(self._file.keys())
            header = self._file.metadata() or {}
        except (SafetensorError, UnicodeDecodeError) as error:
            raise DataLossError.of(
                f"The file {path} is damaged: its header cannot be read ({error})."
            ) from None
        text = header.get(_TABLE)
        if text is None and _CHECKSUM not in header:  # of another program
            self._table: dict[str, Any] = {name: self._described(name) for name in self._names}
            return
        if text is None or str(zlib.crc32(text.encode())) != header.get(_CHECKSUM):
            raise DataLossError.of(f"The file {path} is damaged: its header has another checksum.")
        self._table = json.loads(text)

    def _described(self, name: str) -> list[Any]:
        array = self._file.get_tensor(name)
        return [from_numpy(array.dtype).name, list(array.shape), None]

    def names(self) -> list[str]:
        """The names, sorted."""
        return sorted(self._table)

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an array."""
        return tuple(self._table[name][1])

    def dtype(self, name: str) -> Any:
        """The dtype of an array."""
        return as_dtype(self._table[name][0])

    def read(self, name: str) -> np.ndarray:
        """An array.

        Raises:
          DataLossError: it is not as it was written.
        """
        dtype, shape, crc = self._table[name]
        try:
            data = self._file.get_tensor(name)
            if crc is not None and _crc(data) != crc:
                raise ValueError("it has another checksum")
            return _restored(data, as_dtype(dtype).np, tuple(shape))
        except (
            Exception
        ) as error:  # whatever safetensors and NumPy say of bytes that are not what they should be
            raise DataLossError.of(
                f"The value of '{name}' in {self.path} is damaged ({error}). Restore an older checkpoint."
            ) from None


def _crc(data: np.ndarray) -> int:
    return zlib.crc32(memoryview(data.reshape(-1).view(np.uint8))) if data.size else 0  # type: ignore[arg-type]


def _stored(array: np.ndarray) -> np.ndarray:
    """The array, or its bytes where the format has no name for its dtype."""
    array = np.asarray(array, order="C")
    if array.dtype.kind == "O":
        texts = [item.encode() if isinstance(item, str) else item for item in array.reshape(-1)]
        data = b"".join(len(text).to_bytes(8, "little") + text for text in texts)
        return np.frombuffer(data, np.uint8)
    if array.dtype.str[1:] in _PLAIN and array.dtype.isnative:
        return array
    return np.frombuffer(array.tobytes(), np.uint8)


def _restored(data: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    if dtype.kind == "O":
        raw, out, at = data.tobytes(), [], 0
        while at < len(raw):
            end = at + 8 + int.from_bytes(raw[at : at + 8], "little")
            out.append(raw[at + 8 : end])
            at = end
        array = np.empty(len(out), object)
        array[:] = out
        return array.reshape(shape)
    if data.dtype != dtype:
        data = np.frombuffer(data.tobytes(), dtype)
    return data.reshape(shape)
