"""Elements from files: names of files, lines of text, records."""

from __future__ import annotations

import glob
import gzip
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import IO, Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import string
from gradtape._src.core.errors import DataLossError, InvalidArgumentError, NotFoundError
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.ordering import shuffle as shuffled
from gradtape._src.data.recipe import UNKNOWN, Recipe, needs_of, raw, valued
from gradtape._src.data.sources import from_tensor_slices

_STRING = TensorSpec((), string)


def list_files(patterns: Any, shuffle: bool | None, seed: Any) -> Recipe:
    given = np.asarray(as_tensor(patterns, string)._data).reshape(-1)
    texts = [pattern.decode() for pattern in given]
    found = sorted({name for text in texts for name in glob.glob(text)})
    if not found:
        raise InvalidArgumentError.of(f"No files matched pattern: {', '.join(texts)}")
    names = from_tensor_slices(np.array([name.encode() for name in found], object))
    return names if shuffle is False else shuffled(names, len(found), seed, None)


def text_lines(filenames: Any, compression: Any, skipped: int = 0) -> Recipe:
    def lines(file: IO[bytes], name: str) -> Iterator[bytes]:
        for line in islice(file, skipped, None):
            yield line.removesuffix(b"\n").removesuffix(b"\r")

    return _of_files(filenames, compression, lines, "TextLine")


def records(filenames: Any, compression: Any) -> Recipe:
    """Records of TensorFlow's format: a length of 8 bytes, 4 bytes of checksum, the record, 4 bytes of checksum."""

    def read(file: IO[bytes], name: str) -> Iterator[bytes]:
        while head := file.read(12):
            n = int.from_bytes(head[:8], "little")
            record = file.read(n)
            if len(head) < 12 or len(record) < n or len(file.read(4)) < 4:
                raise DataLossError.of(f"truncated record in {name}")
            yield record

    return _of_files(filenames, compression, read, "TFRecord")


def fixed_length(filenames: Any, size: int, header: int, footer: int, compression: Any) -> Recipe:
    def read(file: IO[bytes], name: str) -> Iterator[bytes]:
        data = file.read()
        inner = data[header : len(data) - footer]
        if len(inner) % size:
            raise InvalidArgumentError.of(
                f"Excess bytes in {name}: {len(inner)} bytes between header and footer are no multiple of {size}."
            )
        for i in range(0, len(inner), size):
            yield inner[i : i + size]

    return _of_files(filenames, compression, read, "FixedLengthRecord")


def _of_files(filenames: Any, compression: Any, read: Any, kind: str) -> Recipe:
    """What ``read`` gives of each file, one file after the other. The names are strings, or a dataset of them."""
    if compression not in (None, "", "GZIP", "ZLIB"):
        raise ValueError(f"compression_type must be '', 'GZIP' or 'ZLIB', received {compression!r}.")
    dataset = getattr(filenames, "_recipe", None)
    names = raw(as_tensor(filenames, string)) if dataset is None else None

    def begin(values: Any) -> Iterator[Any]:
        if dataset is None:
            paths: Any = np.asarray(valued(names, values)).reshape(-1)
        else:
            paths = (path[()] for (path,) in dataset.begin(values))
        for path in paths:
            name = path.decode()
            with _opened(name, compression) as file:
                for part in read(file, name):
                    yield (np.array(part, object),)

    return Recipe(begin, _STRING, UNKNOWN, kind, needs_of((names if dataset is None else dataset,)))


def _opened(name: str, compression: Any) -> IO[bytes]:
    try:
        if compression == "GZIP":
            return gzip.open(name)  # type: ignore[return-value]
        file = open(name, "rb")
    except FileNotFoundError:
        raise NotFoundError.of(f"{name}; No such file or directory") from None
    if compression != "ZLIB":
        return file
    with file:
        return BytesIO(zlib.decompress(file.read()))
