"""Running sums, products and log-sum-exps: TensorFlow's answers, zeros and infinities, second derivatives."""

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
INF, NAN = float("inf"), float("nan")
WAYS = [(e, r) for e in (False, True) for r in (False, True)]

# TensorFlow leaves out the conjugate in the gradient of a complex cumprod.
BETTER = ("grad(tf.math.cumprod, np.array([2 + 1j",)


def test_answers_of_tensorflow():
    found = golden.disagreements("cumulative", tf, GradientTape, BETTER)
    assert not found, "\n".join(found)


def products(x, exclusive, reverse):
    """The rows of the matrix of which element (k, i) says whether x_i is in y_k."""
    n = len(x)
    inside = np.tri(n, k=-1 if exclusive else 0, dtype=bool)
    return inside.T if reverse else inside


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=1, max_size=6), st.sampled_from(WAYS))
def test_gradient_of_a_running_product_with_zeros(values, way):
    x = np.array(values, np.float32)
    inside = products(x, *way)
    terms = lambda row, *gone: np.prod(np.delete(np.where(row, x, 1), gone))
    expected = [sum(terms(row, i) for row in inside if row[i]) for i in range(len(x))]
    f = lambda x: tf.math.cumprod(x, exclusive=way[0], reverse=way[1])
    np.testing.assert_array_equal(grad(f, x).numpy(), np.array(expected, np.float32))
    second = [
        [sum(terms(row, i, j) for row in inside if row[i] and row[j] and i != j) for j in range(len(x))]
        for i in range(len(x))
    ]
    np.testing.assert_array_equal(hess(f, x), np.array(second, np.float32))


def test_complex_gradient_is_conjugated():
    """As that of reduce_prod is: the last running product is the product."""
    x = np.array([2 + 1j, 1, 3, 4j], np.complex64)
    last = grad(lambda x: tf.math.cumprod(x)[-1], x).numpy()
    np.testing.assert_allclose(last, grad(tf.reduce_prod, x).numpy())


@pytest.mark.parametrize("exclusive, reverse", WAYS)
def test_derivatives_of_log_sum_exps(exclusive, reverse):
    """Against differences; the -inf of an exclusive one counts for nothing."""
    x = np.array([0.3, -1.0, 2.0, 0.7, -0.2], np.float32)

    def total(x):
        y = np.array(tf.math.cumulative_logsumexp(x, exclusive=exclusive, reverse=reverse).numpy())
        return np.sum(np.where(np.isfinite(y), y, 0) * np.arange(1, 6))

    def f(x):
        return tf.math.cumulative_logsumexp(x, exclusive=exclusive, reverse=reverse) * np.arange(1.0, 6.0)

    wide = x.astype(np.float64)
    steps = np.eye(5) * 1e-5
    expected = [(total(wide + e) - total(wide - e)) / 2e-5 for e in steps]
    np.testing.assert_allclose(grad(lambda x: f(x), wide).numpy(), expected, atol=1e-8)
    exact = lambda v: grad(lambda x: f(x), v).numpy()
    second = [(exact(wide + e) - exact(wide - e)) / 2e-5 for e in steps]
    found = hess(lambda x: f(tf.cast(x, tf.float64)), x)
    np.testing.assert_allclose(found, second, atol=2e-6)


def test_log_sum_exps_of_infinities():
    f = tf.math.cumulative_logsumexp
    np.testing.assert_array_equal(grad(f, [-INF, -INF, 3.0]).numpy(), [0, 0, 1])
    np.testing.assert_array_equal(grad(f, [1.0, INF, 3.0]).numpy(), [1, 2, 0])
    np.testing.assert_array_equal(f([1.0, NAN, 3.0]).numpy(), [1, NAN, NAN])


def test_long_products_of_small_numbers_keep_their_gradient():
    """Where a running product underflows, a division by it would give NaN."""
    x = np.full(100, 1e-2, np.float32)
    g = grad(tf.math.cumprod, x).numpy()
    assert np.isfinite(g).all()
    np.testing.assert_allclose(g[:2], [1 / 0.99, 0.01 / 0.99], rtol=1e-5)


@pytest.mark.parametrize("ndim", [1, 2, 3, 4, 5, 6])
def test_every_axis(ndim):
    x = golden.a(*range(2, ndim + 2))[tuple([slice(0, 2)] * ndim)]
    for axis in [*range(-ndim, ndim), np.int64(0)]:
        np.testing.assert_allclose(tf.cumsum(x, axis).numpy(), np.cumsum(x, axis), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(
            tf.math.cumprod(x, tf.constant(axis, tf.int64)).numpy(), np.cumprod(x, axis), rtol=1e-5
        )


@pytest.mark.parametrize("axis", [-3, 2])
@pytest.mark.parametrize("f", [tf.cumsum, tf.math.cumprod, tf.math.cumulative_logsumexp])
def test_an_axis_that_is_not_there(f, axis):
    with pytest.raises(InvalidArgumentError, match=r"Expected scan axis in the range \[-2, 2\)"):
        f(golden.a(2, 3), axis)
