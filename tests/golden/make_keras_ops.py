"""Writes keras_ops.json: what Keras 3 with TensorFlow 2.21 gives for keras_ops_cases.py.

Run `python tests/golden/make_keras_ops.py` with a Python that has them.
"""

from __future__ import annotations

import json
import pathlib

import keras_ops_cases as cases
import numpy as np
import tensorflow as tf
from keras import ops

PATH = pathlib.Path(__file__).with_name("keras_ops.json")


def plain(x: object) -> list:
    """The arrays of a nest, as dtype, shape and numbers."""
    arrays = [np.asarray(leaf) for leaf in tf.nest.flatten(x)]
    return [[a.dtype.name, list(a.shape), a.astype(float).round(6).ravel().tolist()] for a in arrays]


if __name__ == "__main__":
    answers = [[case, plain(eval(case, {"ops": ops}))] for case in cases.CASES]
    PATH.write_text("[" + ",\n".join(json.dumps(x) for x in answers) + "]\n")
