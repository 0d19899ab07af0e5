"""Writes datasets.json: what TensorFlow 2.21 answers to the expressions of datasets.txt.

Run it with a Python that has TensorFlow: `python tests/golden/make_datasets.py`. Each line of datasets.txt is an
expression; # is a comment. A dataset is shown by its text, its cardinality, and the elements of two passes. The tests
use `answers` of this file and compare with the JSON; they import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from collections import namedtuple
from itertools import islice
from typing import Any

import numpy as np

HERE = pathlib.Path(__file__)
TEXT = HERE.with_name("datasets.txt")
PATH = HERE.with_name("datasets.json")
MOST = 30  # elements of a pass that are shown

Pair = namedtuple("Pair", "a b")


def shown(value: Any, tf: Any) -> Any:
    """A result as plain data."""
    if isinstance(value, tf.data.Dataset):
        if "DatasetSpec" in repr(value.element_spec):
            return [repr(value)]
        passes = [[shown(x, tf) for x in islice(value, MOST)] for _ in range(2)]
        return [repr(value), int(value.cardinality()), *passes]
    if isinstance(value, dict):
        return {key: shown(part, tf) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(part, tf) for part in value]
    if hasattr(value, "numpy"):
        value = np.asarray(value.numpy())
        return f"{value.tolist()} {value.dtype}"
    return repr(value)


def answer(line: str, tf: Any) -> Any:
    tf.random.set_seed(1)
    try:
        return shown(eval(line, {"tf": tf, "D": tf.data.Dataset, "Pair": Pair}), tf)
    except Exception as error:
        return type(error).__name__


def lines() -> list[str]:
    return [
        line for line in TEXT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    ]


if __name__ == "__main__":
    import tensorflow

    found = {line: answer(line, tensorflow) for line in lines()}
    text = ",\n".join(f"{json.dumps(line)}: {json.dumps(value)}" for line, value in found.items())
    PATH.write_text("{\n" + text + "\n}\n", encoding="utf-8")
