"""Writes keras_models.json: what Keras 3 with TensorFlow 2.21 gives for the programs of keras_model_cases.py.

Run `python tests/golden/make_keras_models.py` with a Python that has them.
"""

from __future__ import annotations

import json
import pathlib

import keras_model_cases as cases
import numpy as np
import tensorflow as tf

PATH = pathlib.Path(__file__).with_name("keras_models.json")


def plain(value: object) -> object:
    """Arrays as nested lists of numbers of seven digits."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, (str, int)):
        return value
    array = np.asarray(value, float)
    return np.vectorize(lambda v: float(f"{v:.7g}"))(array).tolist() if array.size else []


if __name__ == "__main__":
    answers = {program.__name__: plain(cases.run(program, tf.keras)) for program in cases.PROGRAMS}
    PATH.write_text(json.dumps(answers, separators=(",", ":")).replace('},"', '},\n"') + "\n")
