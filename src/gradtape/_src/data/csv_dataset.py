"""``tf.data.experimental.make_csv_dataset``: batches of named columns of CSV files.

Names and types of columns are found out when the dataset is made: names in the first line, types in the first rows of
the files.
"""

from __future__ import annotations

import csv
import glob
import gzip
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import DType, float32, float64, int32, int64, string
from gradtape._src.data.dataset import Dataset
from gradtape._src.data.records import CsvDataset

_TYPES = (int32, int64, float32, float64, string)  # the first that fits all values is taken


def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> Any:
    r"""Batches of CSV rows: a dictionary of columns by name, or a pair of it and the column ``label_name``.

    Args:
      file_pattern: the names of files, or patterns as "data/*.csv".
      batch_size: rows of a batch. If there is no end (``num_epochs=None``) a smaller batch is never given.
      column_names: of all columns, in their order. Default: the first line of the first file.
      column_defaults: for each column that is read its dtype, if all rows have a value, or the value that stands for a
        missing one. Default: found out, with 0 and "" for missing values.
      label_name: of the column that is given beside the others.
      select_columns: the names or numbers of the columns to read. Default: all.
      field_delim, use_quote_delim, na_value, header: as for ``tf.data.experimental.CsvDataset``.
      num_epochs: how often the rows are gone through; None for without end.
      shuffle, shuffle_buffer_size, shuffle_seed: whether and how rows are put into random order.
      num_rows_for_inference: rows that are read to find out the types; None for all.
      compression_type: "" (none), "GZIP" or "ZLIB".
      ignore_errors: leave out rows that cannot be read.
      encoding: of the names in the first line.
      prefetch_buffer_size, sloppy: without effect.
      num_parallel_reads: from how many files rows are taken in turn.

    Raises:
      ValueError: there is no such file, no such column, or a name occurs twice.

    >>> import gradtape as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/table.csv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("size,kind\n1.5,a\n2,b\n")
    >>> table = tf.data.experimental.make_csv_dataset(path, 2, label_name="kind", num_epochs=1, shuffle=False)
    >>> features, label = next(iter(table))
    >>> print(features["size"].numpy(), label.numpy())
    [1.5 2. ] [b'a' b'b']

    As TensorFlow 2.21.
    """
    files = _files(file_pattern)
    layout = _Layout(field_delim, use_quote_delim, na_value, header, compression_type, encoding)
    names = layout.names(files) if column_names is None else list(column_names)
    if len(set(names)) != len(names):
        raise ValueError(f"The names of columns must differ, received {names}.")
    chosen = _chosen(names, select_columns)
    if column_defaults is None:
        column_defaults = layout.defaults(files, chosen, num_rows_for_inference)
    elif len(column_defaults) != len(chosen):
        raise ValueError(
            f"column_defaults must have one entry for each of {len(chosen)} columns that are read, received "
            f"{len(column_defaults)}."
        )
    kept = [names[i] for i in chosen]
    if label_name is not None and label_name not in kept:
        raise ValueError(f"`label_name` must be one of the columns {kept}, received {label_name!r}.")

    def rows(file: Any) -> Any:
        return CsvDataset(
            file,
            column_defaults,
            compression_type,
            header=header,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=chosen,
        )

    def named(*columns: Any) -> Any:
        features = OrderedDict(zip(kept, columns, strict=True))
        return features if label_name is None else (features, features.pop(label_name))

    dataset = Dataset.from_tensor_slices(files)
    if shuffle:
        dataset = dataset.shuffle(len(files), shuffle_seed)
    dataset = dataset.interleave(rows, cycle_length=num_parallel_reads or 1)
    if ignore_errors:
        dataset = dataset.ignore_errors()
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    return dataset.batch(batch_size, drop_remainder=num_epochs is None).map(named)


def _files(patterns: Any) -> list[str]:
    given = [patterns] if isinstance(patterns, (str, bytes)) or hasattr(patterns, "__fspath__") else patterns
    found: list[str] = []
    for pattern in given:
        matches = sorted(glob.glob(pattern.decode() if isinstance(pattern, bytes) else str(pattern)))
        if not matches:
            raise ValueError(f"No files match `file_pattern` {pattern}.")
        found += matches
    return found


def _chosen(names: list[str], select: Any) -> list[int]:
    """The numbers of the columns that are read, in the order of the file."""
    if select is None:
        return list(range(len(names)))
    unknown = [x for x in select if (x not in names if isinstance(x, str) else not 0 <= x < len(names))]
    if unknown:
        raise ValueError(f"There are no columns {unknown}: they are {names}.")
    numbers = [names.index(x) if isinstance(x, str) else int(x) for x in select]
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"select_columns names a column twice: {select}.")
    return sorted(numbers)


class _Layout:
    """How the files are written, for what is to be known before a dataset is made."""

    def __init__(
        self, delimiter: str, quotes: bool, na_value: str, header: bool, compression: Any, encoding: str
    ) -> None:
        self.format: dict[str, Any] = {
            "delimiter": delimiter,
            "quoting": csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        }
        self.missing = {"", na_value}
        self.header = header
        self.compression = compression
        self.encoding = encoding

    def rows(self, file: str) -> Iterator[list[str]]:
        opened: Any = gzip.open if self.compression == "GZIP" else open
        with opened(file, "rt", encoding=self.encoding, newline="") as text:
            yield from csv.reader(text, **self.format)

    def names(self, files: list[str]) -> list[str]:
        if not self.header:
            raise ValueError(
                "Expected `column_names` or `header=True`, which says that they are in the files."
            )
        first = next(self.rows(files[0]), [])
        for file in files[1:]:
            if next(self.rows(file), []) != first:
                raise ValueError(f"All files must have the same columns, but {files[0]} and {file} differ.")
        return first

    def defaults(self, files: list[str], chosen: list[int], most: int | None) -> list[Any]:
        """For each column a vector of the value that stands for a missing one, in the narrowest dtype that fits."""
        kinds = [0] * len(chosen)
        every = (row for file in files for row in islice(self.rows(file), int(self.header), None))
        for row in islice(every, most):
            for k, i in enumerate(chosen):
                if i >= len(row):
                    raise ValueError(f"A row has {len(row)} fields where there are to be {i + 1}: {row}")
                while row[i] not in self.missing and not _fits(row[i], _TYPES[kinds[k]]):
                    kinds[k] += 1
        made = []
        for kind in kinds:
            dtype = _TYPES[kind]
            made.append(np.array([b""], object) if dtype == string else np.zeros(1, dtype.np))
        return made


def _fits(field: str, dtype: DType) -> bool:
    if dtype == string:
        return True
    try:
        if dtype.is_integer:
            return dtype.min <= int(field) <= dtype.max
        value = float(field)
        return dtype == float64 or not np.isfinite(value) or abs(value) <= float(np.finfo(np.float32).max)
    except ValueError:
        return False
