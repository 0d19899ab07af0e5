"""Writes images.json: what TensorFlow 2.21 answers to the expressions of images.txt.

Run it with a Python that has TensorFlow: `python tests/golden/make_images.py`. In an expression x is a batch of images
of floating-point numbers, u one of bytes. The tests use `answer` of this file; they import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

HERE = pathlib.Path(__file__)
TEXT = HERE.with_name("images.txt")
PATH = HERE.with_name("images.json")


def shown(value: Any) -> Any:
    """A result as plain data: dtype, shape, and values to seven digits."""
    if isinstance(value, tuple):
        return [shown(part) for part in value]
    array = np.asarray(value.numpy())
    return [str(array.dtype), list(array.shape), [float(f"{v:.7g}") for v in array.ravel().tolist()]]


def answer(line: str, tf: Any) -> Any:
    rng = np.random.default_rng(0)
    x = tf.constant(rng.random((2, 4, 6, 3)).astype(np.float32))
    u = tf.constant(rng.integers(0, 256, (4, 6, 3)).astype(np.uint8))
    tf.random.set_seed(1)
    try:
        return shown(eval(line, {"tf": tf, "x": x, "u": u}))
    except Exception as error:
        return type(error).__name__


def lines() -> list[str]:
    return TEXT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    import tensorflow

    found = {line: answer(line, tensorflow) for line in lines()}
    text = ",\n".join(f"{json.dumps(line)}: {json.dumps(value)}" for line, value in found.items())
    PATH.write_text("{\n" + text + "\n}\n", encoding="utf-8")
