"""Losses against Keras 3's stored answers, in eager mode, in a function and in a graph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

PATH = Path(__file__).parents[1] / "golden" / "keras_losses.json"
STORED = json.loads(PATH.read_text(encoding="utf-8"))
ROWS, DATA, WEIGHTS = STORED["rows"], STORED["data"], STORED["weights"]
MODES = [(row, lambda f: f, "eager") for row in ROWS] + [(row, tf.function, "function") for row in ROWS[::4]]


def evaluated(row, wrap=lambda f: f):
    y, p = DATA[row["kind"]]
    y, p = tf.constant(y), tf.Variable(p)
    names = {"losses": tf.keras.losses, "activations": tf.keras.activations, "y": y}
    names["w"] = tf.constant(WEIGHTS[: y.shape[0]])
    run = wrap(lambda: eval(row["text"], {**names, "p": p.value()}))
    with tf.GradientTape() as tape:
        value = run()
        total = tf.reduce_sum(value)
    return value, tape.gradient(total, p)


@pytest.mark.parametrize(
    ("row", "wrap"),
    [pytest.param(row, wrap, id=f"{mode}-{row['kind']}-{row['text']}") for row, wrap, mode in MODES],
)
def test_as_keras(row, wrap):
    if "error" in row:
        with pytest.raises(Exception) as caught:
            evaluated(row, wrap)
        kinds = [kind.__name__ for kind in type(caught.value).__mro__]
        assert row["error"] in kinds or "ValueError" in kinds
        return
    value, slope = evaluated(row, wrap)
    assert value.dtype.name == row["dtype"]
    np.testing.assert_allclose(value, row["value"], rtol=2e-5, atol=2e-6)
    np.testing.assert_allclose(slope, row["gradient"], rtol=1e-4, atol=3e-5)


def test_a_mask_leaves_samples_out_of_the_mean():
    y, p = tf.constant([[1.0], [2.0], [3.0]]), tf.constant([[1.5], [2.0], [9.0]])
    p._keras_mask = tf.constant([True, True, False])
    assert np.isclose(tf.keras.losses.MeanSquaredError()(y, p), 0.125)
    assert np.isclose(tf.keras.losses.MeanSquaredError(reduction="sum")(y, p), 0.25)


def test_losses_can_be_read_back():
    for name in ("Huber", "CategoricalCrossentropy", "BinaryFocalCrossentropy", "Tversky", "Circle"):
        loss = getattr(tf.keras.losses, name)(reduction="sum")
        again = tf.keras.losses.get(tf.keras.losses.serialize(loss))
        assert type(again) is type(loss) and again.get_config() == loss.get_config()
    assert tf.keras.losses.get("MSE") is tf.keras.losses.mean_squared_error
    assert isinstance(tf.keras.losses.get("Hinge"), tf.keras.losses.Hinge)
    with pytest.raises(ValueError, match="Could not interpret loss identifier: nothing"):
        tf.keras.losses.get("nothing")


def test_keras_2_spellings():
    reduction = tf.keras.losses.Reduction
    assert tf.keras.losses.MeanSquaredError(reduction.AUTO).reduction == "sum_over_batch_size"
    assert tf.losses.MeanSquaredError(reduction=reduction.NONE)([[0.0]], [[2.0]]).shape == (1,)

    class Mine(tf.keras.losses.Loss):
        def __init__(self):
            super().__init__(reduction.SUM, "mine")

        def call(self, y_true, y_pred):
            return y_pred - y_true

    assert Mine().name == "mine" and Mine()([1.0, 1.0], [2.0, 3.0]) == 3.0


def test_in_a_graph():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        p = tf.compat.v1.placeholder(tf.float32, [None, 2])
        loss = tf.keras.losses.BinaryCrossentropy()([[0.0, 1.0]], tf.sigmoid(p))
        (slope,) = tf.gradients(loss, p)
        value, slope = session.run([loss, slope], {p: [[100.0, -100.0]]})
    assert value == 100.0 and slope.tolist() == [[0.5, -0.5]]
