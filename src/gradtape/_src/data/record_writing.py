"""Files of records: ``tf.io.TFRecordWriter``, and the iterator of TensorFlow 1 that reads them."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from typing import Any

from gradtape._src.api.gfile import GFile
from gradtape._src.core.errors import FailedPreconditionError
from gradtape._src.core.values import Tensor
from gradtape._src.data.files import records

_MASK_DELTA = 0xA282EAD8


class TFRecordCompressionType:
    """The kinds of compression of TensorFlow 1's record files."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a file of records is compressed.

    Args:
      compression_type: "" (not), "GZIP" or "ZLIB"; or one of ``tf.io.TFRecordCompressionType``.
      compression_level: from 0 to 9.
      flush_mode, input_buffer_size, output_buffer_size, window_bits, compression_method, mem_level,
        compression_strategy: without effect.

    >>> import gradtape as tf
    >>> tf.io.TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    compression_type_map = {0: "", 1: "ZLIB", 2: "GZIP"}

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: Any = None,
        input_buffer_size: Any = None,
        output_buffer_size: Any = None,
        window_bits: Any = None,
        compression_level: Any = None,
        compression_method: Any = None,
        mem_level: Any = None,
        compression_strategy: Any = None,
    ) -> None:
        self.compression_type = self.get_compression_type_string(compression_type)
        self.compression_level = compression_level

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The name of a kind of compression: of options, of a number, or of a name.

        Raises:
          ValueError: there is no such kind.
        """
        if isinstance(options, TFRecordOptions):
            return options.compression_type
        name = "" if options is None else cls.compression_type_map.get(options, options)
        if name not in ("", "GZIP", "ZLIB"):
            raise ValueError(f"Not a valid compression_type: {options!r}. Expected '', 'GZIP' or 'ZLIB'.")
        return name


class TFRecordWriter:
    """Writes records, strings of bytes, to a file that ``tf.data.TFRecordDataset`` reads.

    A record is its length (8 bytes), a checksum of that, the bytes, and a checksum of them.

    Args:
      path: of the file, which is written anew.
      options: a ``tf.io.TFRecordOptions``, or the name of a kind of compression.

    Raises:
      NotFoundError: there is no such folder.
      FailedPreconditionError: (of ``write``) the writer is closed.

    >>> import gradtape as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/numbers.tfrecord"
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    ...     writer.write(b"two")
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one', b'two']
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        # start-up cost: checksums are needed by programs that write records only
        from tensorboardX.crc32c import crc32c

        self._crc = crc32c
        kind = TFRecordOptions.get_compression_type_string(options)
        level = getattr(options, "compression_level", None)
        self._path = os.fspath(path)
        with GFile(self._path, "wb") as file:
            file.write(b"")  # an error now, rather than at the first record
        self._file: Any = (
            gzip.open(self._path, "wb", 9 if level is None else level)
            if kind == "GZIP"
            else open(self._path, "wb")
        )
        self._deflate: Any = zlib.compressobj(-1 if level is None else level) if kind == "ZLIB" else None

    def write(self, record: Any) -> None:
        """Appends a record.

        Args:
          record: bytes, a text, or a scalar tensor of strings.
        """
        if self._file.closed:
            raise FailedPreconditionError.of(f"Writer of {self._path} is closed.")
        if isinstance(record, Tensor):
            record = record.numpy()
        data = record.encode() if isinstance(record, str) else bytes(record)
        head = len(data).to_bytes(8, "little")
        self._put(head + self._checksum(head) + data + self._checksum(data))

    def _checksum(self, data: bytes) -> bytes:
        crc = self._crc(data)
        masked = ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF
        return masked.to_bytes(4, "little")

    def _put(self, data: bytes) -> None:
        self._file.write(data if self._deflate is None else self._deflate.compress(data))

    def flush(self) -> None:
        """Hands what was written to the operating system; what is compressed, at the end only."""
        self._file.flush()

    def close(self) -> None:
        """Writes the end of the file."""
        if not self._file.closed:
            if self._deflate is not None:
                self._file.write(self._deflate.flush())
            self._file.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *args: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self.close()


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file, one after the other, in TensorFlow 1: use `tf.data.TFRecordDataset`.

    Args:
      path: of the file.
      options: a ``tf.io.TFRecordOptions``, if it is compressed.

    Raises:
      NotFoundError, DataLossError: there is no such file; it ends within a record.
    """
    recipe = records(os.fspath(path), TFRecordOptions.get_compression_type_string(options))
    return (element[0][()] for element in recipe.begin({}))
