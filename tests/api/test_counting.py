"""Counts, histograms, distinct elements: against TensorFlow's answers; gradients of weights."""

from __future__ import annotations

import numpy as np
from golden import make_reduction as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.autodiff.tape import GradientTape

grad = golden.gradients(tf, GradientTape)["grad"]
hess = golden.gradients(tf, GradientTape)["hess"]

# TensorFlow reads the columns of matrices as (label, prediction).
BETTER = ("confusion_matrix( [[1, 2]], [[1, 2]])",)


def test_answers_of_tensorflow():
    found = golden.disagreements("counting", tf, GradientTape, BETTER)
    assert not found, "\n".join(found)


def test_weights_have_a_gradient():
    counts = np.array([[1, 1, 3], [0, 0, 1]])
    scale = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    f = lambda w: tf.math.bincount(counts, weights=w, axis=-1, maxlength=3) * scale
    np.testing.assert_array_equal(grad(f, np.ones((2, 3), np.float32)).numpy(), [[2, 2, 0], [4, 4, 5]])
    square = lambda w: tf.math.bincount([1, 1, 0], weights=w) ** 2
    np.testing.assert_array_equal(hess(square, [1.0, 2.0, 3.0]), [[2, 2, 0], [2, 2, 0], [0, 0, 2]])


def test_confusion_of_matrices_is_that_of_their_elements():
    labels, guesses = [[0, 1], [1, 1]], [[0, 1], [0, 1]]
    np.testing.assert_array_equal(tf.math.confusion_matrix(labels, guesses).numpy(), [[1, 0], [1, 2]])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=12))
def test_unique_keeps_the_order(values):
    y, idx, count = tf.unique_with_counts(np.array(values, np.int64))
    seen = list(dict.fromkeys(values))
    assert y.numpy().tolist() == seen
    assert idx.numpy().tolist() == [seen.index(v) for v in values]
    assert count.numpy().tolist() == [values.count(v) for v in seen]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-2, 7, width=32), max_size=12), st.integers(1, 9))
def test_histograms_agree_with_their_bins(values, n):
    x = np.array(values, np.float32)
    bins = tf.histogram_fixed_width_bins(x, [0.0, 5.0], n).numpy()
    total = tf.histogram_fixed_width(x, [0.0, 5.0], n).numpy()
    assert total.sum() == len(x) and total.shape == (n,)
    assert (
        np.abs(np.cumsum(total) - np.cumsum(np.bincount(bins, minlength=n))).max() <= 1
    )  # rounding at an edge
