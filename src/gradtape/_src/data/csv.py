"""Rows of CSV text as elements."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.api.decoding import read_field
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import DType, as_dtype
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import Leaves
from gradtape._src.data.recipe import UNKNOWN, Recipe


def csv_rows(
    lines: Recipe, defaults: Any, delimiter: str, quotes: bool, na_value: str, select: Any, exclude: Any
) -> Recipe:
    """The rows of lines of text; see ``CsvDataset``."""
    if select is not None and exclude is not None:
        raise ValueError("Only one of `select_cols` and `exclude_cols` may be given.")
    columns = list(map(_column, defaults))
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    left_out = frozenset(exclude or ())
    missing = {"", na_value}

    def begin(values: Any) -> Iterator[Leaves]:
        texts = (line[()].decode() for (line,) in lines.begin(values))
        for row in csv.reader(texts, delimiter=delimiter, quoting=quoting):
            if select is not None:
                row = [row[i] for i in select if i < len(row)]
            elif left_out:
                row = [field for i, field in enumerate(row) if i not in left_out]
            if len(row) != len(columns):
                raise InvalidArgumentError.of(
                    f"Expect {len(columns)} fields but have {len(row)} in record: {row}"
                )
            fields = enumerate(zip(row, columns))
            yield tuple([read_field(x, i, dtype.np, default, missing) for i, (x, (dtype, default)) in fields])

    return Recipe(begin, tuple([TensorSpec((), dtype) for dtype, _ in columns]), UNKNOWN, "Csv", lines.needs)


def _column(default: Any) -> tuple[Any, Any]:
    """The dtype of a column, and what stands for a missing value: None if there must be one."""
    if isinstance(default, (DType, type)):
        return as_dtype(default), None
    tensor = as_tensor(default)
    flat = np.asarray(tensor._data).reshape(-1)
    return tensor.dtype, flat[0] if flat.size else None
