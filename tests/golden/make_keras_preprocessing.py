"""Writes keras_preprocessing.json: what Keras 3 with TensorFlow 2.21 gives for keras_preprocessing_cases.py.

Run `python tests/golden/make_keras_preprocessing.py` with a Python that has them.
"""

from __future__ import annotations

import json
import pathlib

import keras_preprocessing_cases as cases
import tensorflow as tf

PATH = pathlib.Path(__file__).with_name("keras_preprocessing.json")

if __name__ == "__main__":
    PATH.write_text("[" + ",\n".join(json.dumps(x, separators=(",", ":")) for x in cases.run(tf)) + "]\n")
