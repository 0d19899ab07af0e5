"""Writes the files of keras_files/ with Keras 3 and TensorFlow 2.21, and what their models give.

Run `python tests/golden/make_keras_files.py` with a Python that has them. With the name of a folder it reads files
that `tests/keras/test_files.py: write_all` has written there, and compares instead.
"""

from __future__ import annotations

import json
import pathlib
import sys

import keras_file_cases as cases
import numpy as np
import tensorflow as tf

FOLDER = pathlib.Path(__file__).with_name("keras_files")
K = tf.keras


def write() -> None:
    """All files."""
    FOLDER.mkdir(exist_ok=True)
    answers = {}
    for case in cases.MODELS:
        model, x = case(K)
        model.save(FOLDER / f"{case.__name__}.keras")
        answers[case.__name__] = cases.outputs(tf, model, x)
    model, x = cases.subclassed(K)
    model.save_weights(FOLDER / "subclassed.weights.h5")
    answers["subclassed"] = cases.outputs(tf, model, x)
    model, x = cases.images(K)
    model.save(FOLDER / "images.h5")
    (FOLDER / "answers.json").write_text(json.dumps(answers, separators=(",", ":")) + "\n")


def read(folder: pathlib.Path) -> None:
    """Files that were written by the other library: the models give the same."""
    answers = json.loads((FOLDER / "answers.json").read_text())
    for case in cases.MODELS:
        _, x = case(K)
        model = K.models.load_model(folder / f"{case.__name__}.keras")
        compare(case.__name__, cases.outputs(tf, model, x), answers)
        if getattr(model, "optimizer", None) is not None:
            print("step of the optimizer:", int(model.optimizer.iterations))
    model, x = cases.subclassed(K)
    model.set_weights([0 * w for w in model.get_weights()])
    model.load_weights(folder / "subclassed.weights.h5")
    compare("subclassed", cases.outputs(tf, model, x), answers)
    model, x = cases.images(K)
    model.set_weights([0 * w for w in model.get_weights()])
    model.load_weights(folder / "images.h5")
    compare("images", cases.outputs(tf, model, x), answers)


def compare(name: str, found: list, answers: dict) -> None:
    """Raises an error where the outputs differ."""
    for one, other in zip(found, answers[name], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=5e-5, err_msg=name)
    print(name, "is the same")


if __name__ == "__main__":
    read(pathlib.Path(sys.argv[1])) if sys.argv[1:] else write()
