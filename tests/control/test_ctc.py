"""`tf.nn.ctc_loss` against the sum over all alignments, against TensorFlow's values, and in every mode."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest

import gradtape as tf
import gradtape.compat.v1 as tf1

LOGITS = np.random.RandomState(0).randn(3, 7, 5).astype(np.float32)
LABELS = np.array([[1, 1, 2], [3, 3, 0], [2, 0, 0]])
LENGTHS, STEPS = [3, 2, 0], [7, 5, 6]
WANTED = [8.727329, 6.6801157, 11.72872]  # of the lengths above, with the batch first


def by_hand(logits, labels, blank):
    """Minus the logarithm of the probability of all alignments, one by one."""
    p, total = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True), 0.0
    for path in product(range(logits.shape[1]), repeat=len(logits)):
        if [label for label, _ in groupby(path) if label != blank] == list(labels):
            total += np.prod([p[t, label] for t, label in enumerate(path)])
    return -np.log(total)


@pytest.mark.parametrize("blank", [0, 3, -1])
def test_all_alignments(blank):
    logits = np.random.RandomState(1).randn(2, 5, 4)
    labels = [[1, 1], [2, 1]] if blank == 3 or blank == -1 else [[3, 3], [1, 2]]
    got = tf.nn.ctc_loss(labels, logits, [2, 1], [5, 4], logits_time_major=False, blank_index=blank)
    want = [by_hand(logits[0], labels[0], blank % 4), by_hand(logits[1, :4], labels[1][:1], blank % 4)]
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_as_tensorflow():
    """The values are those of TensorFlow 2.21."""
    loss = lambda x: tf.nn.ctc_loss(LABELS, x, LENGTHS, STEPS, logits_time_major=False)
    np.testing.assert_allclose(loss(LOGITS), WANTED, rtol=1e-5)
    with tf.GradientTape() as tape:
        x = tf.constant(LOGITS)
        tape.watch(x)
        y = loss(x)
    gradient = tape.gradient(y, x)
    np.testing.assert_allclose(tf.reduce_sum(gradient, -1), np.zeros((3, 7)), atol=1e-5)
    assert not gradient[1, 5:].numpy().any()
    traced = tf.function(loss, input_signature=[tf.TensorSpec([None, None, 5])])
    np.testing.assert_allclose(traced(LOGITS), WANTED, rtol=1e-5)
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None, None, 5])
        sparse = tf.sparse.from_dense(LABELS[:2])
        first = tf1.nn.ctc_loss(sparse, x, STEPS[:2], time_major=False)
        values = session.run([loss(x), tf1.gradients(loss(x), x)[0]], {x: LOGITS})
        np.testing.assert_allclose(values[0], WANTED, rtol=1e-5)
        np.testing.assert_allclose(values[1], gradient, rtol=1e-4, atol=1e-5)
        got = session.run(first, {x: LOGITS[:2]})
    by_last = tf.nn.ctc_loss(LABELS[:2], LOGITS[:2], [3, 2], STEPS[:2], False, blank_index=-1)
    np.testing.assert_allclose(got, by_last, rtol=1e-5)
    theory, practice = tf.test.compute_gradient(loss, [tf.constant(LOGITS, tf.float64)])
    np.testing.assert_allclose(theory[0], practice[0], atol=1e-5)
    assert tf.nn.ctc_loss([[1, 1]], tf.zeros([2, 1, 3]), [2], [2]) > 1e20  # no alignment: a blank has no room


def test_keras():
    labels = np.array([[1, 1, 2], [3, 3, 0]])
    want = tf.nn.ctc_loss(labels, LOGITS[:2], [3, 2], [7, 7], logits_time_major=False)
    np.testing.assert_allclose(tf.keras.losses.CTC("none")(labels, LOGITS[:2]), want, rtol=1e-6)
    np.testing.assert_allclose(tf.keras.ops.ctc_loss(labels, LOGITS[:2], [3, 2], [7, 7]), want, rtol=1e-6)
    probabilities = tf.nn.softmax(LOGITS[:2])
    cost = tf.keras.backend.ctc_batch_cost(labels, probabilities, [[7], [7]], [[3], [2]])
    want = tf.nn.ctc_loss(labels, LOGITS[:2], [3, 2], [7, 7], logits_time_major=False, blank_index=-1)
    np.testing.assert_allclose(cost[:, 0], want, rtol=1e-4)
    with pytest.raises(ValueError, match="y_pred"):
        tf.keras.losses.ctc(labels, LOGITS[0])
