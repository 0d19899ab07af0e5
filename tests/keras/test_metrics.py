"""Metrics against Keras 3's stored answers, in eager mode, in a function and in a graph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

PATH = Path(__file__).parents[1] / "golden" / "keras_metrics.json"
STORED = json.loads(PATH.read_text(encoding="utf-8"))
ROWS = STORED["rows"]
metrics = tf.keras.metrics


def made(row):
    return eval(row["text"], {**vars(metrics), "mae": tf.keras.losses.MAE})


def batches(row):
    for y, p in STORED["data"][row["kind"]]:
        given = [tf.constant(y)] if p is None else [tf.constant(y), tf.constant(p)]
        if row["text"].startswith("MeanMetricWrapper"):
            given = [tf.cast(x, tf.float32)[:, None] for x in given]
        yield given, tf.constant(STORED["weights"]) if row["weighted"] else None


def names(rows):
    return [f"{row['kind']}-{row['text']}{'-weighted' if row['weighted'] else ''}" for row in rows]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_as_keras(row):
    metric, results = made(row), []
    for given, weight in batches(row):
        assert metric.update_state(*given, sample_weight=weight) is None
        results.append(metric.result())
    assert results[-1].dtype.name == row["dtype"]
    for got, want in zip(results, row["results"], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
    metric.reset_state()
    assert all((np.asarray(v) == 0).all() for v in metric.variables)


@pytest.mark.parametrize("row", ROWS[::3], ids=names(ROWS[::3]))
def test_in_a_function(row):
    metric = made(row)
    call = tf.function(lambda given, weight: metric(*given, sample_weight=weight))
    for (given, weight), want in zip(batches(row), row["results"], strict=True):
        np.testing.assert_allclose(call(given, weight), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("row", ROWS[1::9], ids=names(ROWS[1::9]))
def test_in_a_graph(row):
    v1 = tf.compat.v1
    all_batches = list(batches(row))
    with tf.Graph().as_default(), v1.Session() as session:
        places = [v1.placeholder(x.dtype, x.shape) for x in all_batches[0][0]]
        weight = all_batches[0][1]
        metric = made(row)
        update = metric.update_state(*places, sample_weight=None if weight is None else weight.numpy())
        result = metric.result()
        session.run(v1.global_variables_initializer())
        for (given, _), want in zip(all_batches, row["results"], strict=True):
            session.run(update, dict(zip(places, [x.numpy() for x in given])))
            np.testing.assert_allclose(session.run(result), want, rtol=1e-5, atol=1e-6)


def test_areas_against_ranks():
    """The area under the ROC curve is the part of the pairs that are in the right order."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    p = np.clip(0.3 * y + rng.random(200) * 0.7, 0, 1).astype("float32")
    metric = metrics.AUC(num_thresholds=2000)
    metric.update_state(y, p)
    pairs = p[y == 1][:, None] - p[y == 0]
    assert abs(float(metric.result()) - ((pairs > 0).mean() + (pairs == 0).mean() / 2)) < 2e-3


def test_states_are_merged_and_reset():
    whole, parts = metrics.Precision(), [metrics.Precision(), metrics.Precision()]
    rng = np.random.default_rng(1)
    for part in parts:
        y, p = rng.integers(0, 2, 20), rng.random(20)
        whole.update_state(y, p)
        part.update_state(y, p)
    parts[0].merge_state(parts[1:])
    assert parts[0].result().numpy() == whole.result().numpy()
    with pytest.raises(ValueError, match="is not compatible"):
        whole.merge_state([metrics.Sum()])
    whole.reset_states()
    assert whole.result().numpy() == 0


class Largest(metrics.Metric):
    def __init__(self, name="largest", **kwargs):
        super().__init__(name=name, **kwargs)
        self.value = self.add_weight("value", initializer="zeros")
        self.mean = metrics.Mean()

    def update_state(self, values, sample_weight=None):
        self.value.assign(tf.maximum(self.value, tf.reduce_max(values)))
        self.mean.update_state(values)

    def result(self):
        return self.value + 0.0


def test_a_metric_of_ones_own():
    for wrap in (lambda f: f, tf.function):
        metric = Largest()
        call = wrap(lambda x, metric=metric: metric(x))
        assert call(tf.constant([1.0, 5.0])).numpy() == 5.0
        assert call(tf.constant([2.0])).numpy() == 5.0
        assert len(metric.variables) == 3 and metric.trainable_variables == []
        assert metric.mean.result().numpy() == pytest.approx(8 / 3)
        metric.reset_state()
        assert metric.result().numpy() == 0.0


def test_metrics_can_be_read_back():
    for row in ROWS:
        metric = made(row)
        if row["text"].startswith("MeanMetricWrapper"):
            continue
        again = metrics.deserialize(metrics.serialize(metric))
        assert type(again) is type(metric) and again.get_config() == metric.get_config()
    assert isinstance(metrics.get("mse"), metrics.MeanSquaredError)
    assert isinstance(metrics.get("AUC"), metrics.AUC)
    assert metrics.get(tf.keras.losses.mse) is tf.keras.losses.mse
    with pytest.raises(ValueError, match="Could not interpret metric identifier: nothing"):
        metrics.get("nothing")
    assert tf.metrics.Mean is metrics.Mean


def test_refusals():
    for make, message in [
        (lambda: metrics.Precision(thresholds=1.5), r"must be in \[0, 1\]"),
        (lambda: metrics.AUC(curve="nothing"), "Invalid `curve`"),
        (lambda: metrics.AUC(num_thresholds=1), "must be an integer > 1"),
        (lambda: metrics.AUC(num_labels=2), "only when `multi_label`"),
        (lambda: metrics.SensitivityAtSpecificity(2.0), r"`specificity` must be in the range"),
        (lambda: metrics.IoU(2, [2]), "is out of range"),
        (lambda: metrics.F1Score(average="all"), "Invalid `average`"),
        (lambda: metrics.R2Score()([1.0], [2.0]), "expects 2D inputs"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.warns(UserWarning, match="weight as `float`"):
        metrics.MeanIoU(2)([0, 1], [0, 1], sample_weight=[1.0, 2.0])
