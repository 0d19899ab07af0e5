"""Sorting and the largest elements: against TensorFlow's answers and NumPy, with ties and NaN."""

from __future__ import annotations

import numpy as np
import pytest
from golden import make_reduction as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.errors import InvalidArgumentError

HELPERS = golden.gradients(tf, GradientTape)
grad, hess = HELPERS["grad"], HELPERS["hess"]
NAN = float("nan")


def test_answers_of_tensorflow():
    found = golden.disagreements("sorting", tf, GradientTape)
    assert not found, "\n".join(found)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=200), st.integers(0, 200), st.booleans())
def test_top_k_is_the_beginning_of_a_stable_sort(values, k, wide):
    x = np.array(values, np.float32 if wide else np.int8)
    k = min(k, len(x))
    found = tf.math.top_k(x, k)
    order = np.argsort(-x.astype(int), kind="stable")[:k]
    np.testing.assert_array_equal(found.indices.numpy(), order)
    np.testing.assert_array_equal(found.values.numpy(), x[order])


def test_nan_counts_as_the_largest():
    x = [1.0, NAN, 3.0, 0.0]
    np.testing.assert_array_equal(tf.sort(x).numpy(), [0, 1, 3, NAN])
    np.testing.assert_array_equal(tf.sort(tf.constant(x, tf.bfloat16)).numpy().astype(float), [0, 1, 3, NAN])
    np.testing.assert_array_equal(tf.sort(x, direction="DESCENDING").numpy(), [NAN, 3, 1, 0])
    np.testing.assert_array_equal(tf.math.top_k(x, 2).indices.numpy(), [1, 2])
    np.testing.assert_array_equal(tf.math.top_k(x, 1).indices.numpy(), [1])


def test_large_arrays_are_sorted_stably_too():
    x = np.random.default_rng(0).normal(size=(100, 100)).astype(np.float32)
    x[3, ::7], x[5, 4] = x[3, 0], NAN
    for axis in (0, 1):
        np.testing.assert_array_equal(tf.argsort(x, axis).numpy(), np.argsort(x, axis, kind="stable"))
    places = np.argsort(-np.where(np.isnan(x), np.inf, x), 1, kind="stable")
    np.testing.assert_array_equal(tf.argsort(x, direction="DESCENDING").numpy(), places)


def test_the_least_integers_are_not_negated():
    x = np.array([-128, 127, -128, 0], np.int8)
    np.testing.assert_array_equal(tf.argsort(x, direction="DESCENDING").numpy(), [1, 3, 0, 2])


def test_gradient_of_a_sort_along_the_first_axis():
    x = np.array([[3.0, 1.0], [2.0, 4.0]], np.float32)
    g = grad(lambda x: tf.sort(x, axis=0) * np.array([[1, 2], [3, 4]], np.float32), x)
    np.testing.assert_array_equal(g.numpy(), [[3, 2], [1, 4]])


def test_second_derivative_through_top_k():
    np.testing.assert_array_equal(
        hess(lambda x: tf.math.top_k(x, 2).values ** 3, [1.0, 3.0, 2.0]), np.diag([0.0, 18.0, 12.0])
    )


def test_an_approximate_top_k_is_exact_along_any_axis():
    x = golden.a(50, 3)
    found = tf.approx_top_k(x, 5, reduction_dimension=0)
    np.testing.assert_array_equal(found.values.numpy(), -np.sort(-x, 0)[:5])
    least = tf.approx_top_k(x, 5, reduction_dimension=0, is_max_k=False)
    np.testing.assert_array_equal(least.values.numpy(), np.sort(x, 0)[:5])


@pytest.mark.parametrize(
    "call", [lambda x: tf.sort(x, 2), lambda x: tf.argsort(x, -3), lambda x: tf.math.top_k(x, 4)]
)
def test_refusals(call):
    with pytest.raises(InvalidArgumentError):
        call(golden.a(2, 3))
