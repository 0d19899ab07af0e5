"""Writes ragged.json: what TensorFlow 2.21 answers to the expressions of ragged.txt.

Run it with a Python that has TensorFlow: `python tests/golden/make_ragged.py`. Each line of ragged.txt is an
expression; # is a comment. The tests use `answer` of this file and compare with the JSON; they import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

HERE = pathlib.Path(__file__)
TEXT = HERE.with_name("ragged.txt")
PATH = HERE.with_name("ragged.json")


def shown(value: Any) -> Any:
    """The text of a result; where a line of it is broken does not matter."""
    return "".join(repr(value).split())


def answer(line: str, tf: Any) -> Any:
    names = {
        "tf": tf,
        "r": tf.ragged.constant([[1.0, 2.0], [], [3.0, 4.0, 5.0]]),
        "q": tf.ragged.constant([[[1, 2], [3]], [[4, 5, 6]]]),
        "b": tf.ragged.constant([[True, False], [], [True]]),
    }
    try:
        return shown(eval(line, names))
    except Exception as error:
        return type(error).__name__


def lines() -> list[str]:
    return [line for line in TEXT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


if __name__ == "__main__":
    import tensorflow

    found = {line: answer(line, tensorflow) for line in lines()}
    text = ",\n".join(f"{json.dumps(line)}: {json.dumps(value)}" for line, value in found.items())
    PATH.write_text("{\n" + text + "\n}\n", encoding="utf-8")
