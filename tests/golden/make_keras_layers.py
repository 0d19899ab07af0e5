"""Writes keras_layers.json: what Keras 3 with TensorFlow 2.21 gives for the layers of keras_layer_cases.py.

Run `python tests/golden/make_keras_layers.py` with a Python that has them.
"""

from __future__ import annotations

import json
import pathlib

import keras_layer_cases as cases
import numpy as np
import tensorflow as tf

PATH = pathlib.Path(__file__).with_name("keras_layers.json")


def plain(value: object) -> object:
    """Arrays as their shape and numbers of six digits."""
    if isinstance(value, dict):
        return {key: plain(v) if key != "weights" else v for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    array = np.asarray(value)
    return [list(array.shape), [float(f"{v:.7g}") for v in array.ravel()]]


if __name__ == "__main__":
    answers = {name: plain(cases.run(case, tf)) for name, case in zip(cases.NAMES, cases.CASES)}
    PATH.write_text(json.dumps(answers, separators=(",", ":")).replace('},"', '},\n"') + "\n")
