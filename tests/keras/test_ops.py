"""`tf.keras.ops` against Keras's stored answers, eagerly and in a function."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

ANSWERS = json.loads((Path(__file__).parents[1] / "golden" / "keras_ops.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize(("text", "stored"), ANSWERS, ids=[text for text, _ in ANSWERS])
def test_as_keras(text, stored, wrap):
    found = wrap(lambda: eval(text, {"ops": tf.keras.ops}))()
    arrays = [np.asarray(leaf) for leaf in tf.nest.flatten(found)]
    assert len(arrays) == len(stored)
    for mine, (dtype, shape, values) in zip(arrays, stored):
        # Python's own numbers come back as tensors from a function, with TensorFlow's dtypes.
        assert mine.dtype.name == dtype or mine.dtype.kind == np.dtype(dtype).kind == "i"
        assert list(mine.shape) == shape
        np.testing.assert_allclose(mine.astype(float).ravel(), values, rtol=1e-5, atol=2e-6)


def test_descriptions():
    """Layers' inputs have sizes that nobody knows yet."""
    ops = tf.keras.ops
    x = tf.keras.Input((None, 3))
    assert ops.shape(x) == (None, None, 3)
    y = ops.mean(ops.concatenate([x, ops.exp(x)], axis=-1), axis=1)
    model = tf.keras.Model(x, y)
    assert model(np.ones((2, 4, 3), "float32")).shape == (2, 6)
