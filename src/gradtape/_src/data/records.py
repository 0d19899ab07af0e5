"""Datasets of files: lines of text, records, rows of CSV."""

from __future__ import annotations

from typing import Any

from gradtape._src.data.csv import csv_rows
from gradtape._src.data.dataset import Dataset
from gradtape._src.data.files import fixed_length, records, text_lines


class TextLineDataset(Dataset):
    r"""The lines of text files, without their ends, as strings.

    Args:
      filenames: a name, a list of names, or a dataset of them.
      compression_type: "" (none), "GZIP" or "ZLIB".
      buffer_size, num_parallel_reads: without effect.

    Raises:
      NotFoundError: (at iteration) there is no such file.

    >>> import os, tempfile
    >>> import gradtape as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "lines.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("a\nb\n")
    ...     print(list(tf.data.TextLineDataset(path).as_numpy_iterator()))
    [b'a', b'b']

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(text_lines(filenames, compression_type))


class TFRecordDataset(Dataset):
    """The records of TFRecord files, as strings. Checksums are not looked at.

    Args:
      filenames: a name, a list of names, or a dataset of them.
      compression_type: "" (none), "GZIP" or "ZLIB".
      buffer_size, num_parallel_reads: without effect.

    Raises:
      NotFoundError, DataLossError: (at iteration) there is no such file; it ends within a record.

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(records(filenames, compression_type))


class FixedLengthRecordDataset(Dataset):
    """Pieces of ``record_bytes`` bytes of files, between a header and a footer, as strings.

    Raises:
      NotFoundError, InvalidArgumentError: (at iteration) there is no such file; its size does not fit.

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(
            fixed_length(filenames, int(record_bytes), header_bytes or 0, footer_bytes or 0, compression_type)
        )


class CsvDataset(Dataset):
    """The rows of CSV files: a tuple of scalars each.

    Args:
      filenames: a name, a list of names, or a dataset of them.
      record_defaults: for each column a dtype, if every row must have a value, or what stands for a missing one.
      compression_type: "" (none), "GZIP" or "ZLIB".
      buffer_size: without effect.
      header: whether the first line of a file is skipped.
      field_delim: what is between two fields.
      use_quote_delim: whether double quotes hold a field together.
      na_value: another text for a missing value.
      select_cols: the columns to read; ``record_defaults`` is for these.
      exclude_cols: those not to read.

    Raises:
      InvalidArgumentError: (at iteration) a row does not have as many fields as were promised, or one that cannot be
        read.

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Any = None,
        exclude_cols: Any = None,
    ) -> None:
        lines = text_lines(filenames, compression_type, int(header))
        super().__init__(
            csv_rows(
                lines, record_defaults, field_delim, use_quote_delim, na_value, select_cols, exclude_cols
            )
        )
