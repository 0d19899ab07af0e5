"""Reductions as users see them: against TensorFlow's answers, at kinks, in low precision, to second order."""

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


def weighted_grad(f, x, weight):
    """The gradient of f for a given cotangent."""
    x = tf.constant(x)
    with GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x, output_gradients=tf.constant(weight, y.dtype)).numpy()


@pytest.mark.parametrize("section", ["signatures", "reduction"])
def test_answers_of_tensorflow(section: str):
    found = golden.disagreements(section, tf, GradientTape)
    assert not found, "\n".join(found)


axes_and_shapes = st.lists(st.integers(0, 3), max_size=3).flatmap(
    lambda shape: st.tuples(
        st.just(tuple(shape)),
        st.one_of(
            st.none(),
            st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True, max_size=len(shape)).map(
                lambda axes: [a - len(shape) if a % 2 else a for a in axes]
            ),
        ),
    )
)


@settings(max_examples=60, deadline=None)
@given(axes_and_shapes, st.booleans())
def test_reductions_are_numpys(shape_and_axis, keepdims):
    shape, axis = shape_and_axis
    x = np.random.default_rng(0).normal(size=shape)
    axes = None if axis is None else tuple(axis)
    for f, reference in [(tf.reduce_sum, np.sum), (tf.reduce_prod, np.prod)]:
        found, expected = f(x, axis, keepdims).numpy(), reference(x, axis=axes, keepdims=keepdims)
        assert found.shape == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5, -0.0]), min_size=1, max_size=6))
def test_gradient_of_a_product_with_zeros(values):
    """Each element's gradient is the product of the others, and the Hessian that of the others than two."""
    x, n = np.array(values, np.float32), len(values)
    others = [np.prod(np.delete(x, i)) for i in range(n)]
    np.testing.assert_array_equal(grad(tf.reduce_prod, x).numpy(), others)
    expected = [[0 if i == j else np.prod(np.delete(x, [i, j])) for j in range(n)] for i in range(n)]
    np.testing.assert_array_equal(hess(tf.reduce_prod, x), np.array(expected, np.float32))


def test_hessian_of_a_product_over_two_axes():
    x = np.array([[2.0, 0.0], [3.0, 5.0]], np.float32)
    t = tf.constant(x)
    with GradientTape() as outer:
        outer.watch(t)
        with GradientTape() as inner:
            inner.watch(t)
            y = tf.reduce_prod(t, axis=[0, -1])
        g = inner.gradient(y, t)
    np.testing.assert_array_equal(g.numpy(), [[0, 30], [0, 0]])
    np.testing.assert_array_equal(outer.gradient(g, t).numpy(), [[15, 31], [10, 6]])


def test_kinks():
    np.testing.assert_array_equal(grad(tf.math.reduce_std, [0.7]).numpy(), [0.0])
    np.testing.assert_array_equal(grad(tf.math.reduce_std, [2.0, 2.0]).numpy(), [0.0, 0.0])
    np.testing.assert_array_equal(grad(lambda x: tf.math.reduce_std(x, []), [1.0, 2.0]).numpy(), [0.0, 0.0])
    np.testing.assert_array_equal(grad(tf.math.reduce_std, np.array([1j, 1j], np.complex64)).numpy(), [0, 0])
    np.testing.assert_array_equal(grad(tf.reduce_logsumexp, [-INF, -INF]).numpy(), [0.0, 0.0])
    np.testing.assert_array_equal(grad(tf.reduce_logsumexp, [INF, 1.0]).numpy(), [1.0, 0.0])
    np.testing.assert_array_equal(grad(tf.math.reduce_euclidean_norm, [0.0, -0.0]).numpy(), [NAN, NAN])
    shares = grad(tf.reduce_max, [1.0, NAN, 3.0]).numpy()
    assert np.isnan(shares).all()


@pytest.mark.parametrize(
    "f", [tf.math.reduce_euclidean_norm, tf.math.reduce_std, tf.reduce_max, tf.reduce_logsumexp]
)
@pytest.mark.parametrize("x", [[0.0, -0.0], [INF, -INF], [NAN, 1.0], [-INF, -INF]])
def test_a_zero_cotangent_stays_zero(f, x):
    np.testing.assert_array_equal(weighted_grad(f, np.array(x, np.float32), 0.0), [0.0, 0.0])


def test_the_square_of_a_norm_is_smooth():
    np.testing.assert_array_equal(
        grad(lambda x: tf.math.reduce_euclidean_norm(x) ** 2, [0.0, 0.0]).numpy(), [0, 0]
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_low_precision_is_accumulated_in_float32(dtype):
    """In half precision itself a sum of 0.1 stops to grow at 256."""
    x = tf.constant(np.full((10000, 2), 0.1), getattr(tf, dtype))
    rtol = 1e-2 if dtype == "bfloat16" else 2e-3
    for found, expected in [
        (tf.reduce_sum(x, 0), 1000),
        (tf.reduce_mean(x, 0), 0.1),
        (tf.reduce_mean(x), 0.1),
        (tf.cumsum(x)[-1], 1000),
        (tf.math.segment_sum(x, np.zeros(10000, int))[0], 1000),
        (tf.reduce_sum(x[:, 0]), 1000),
    ]:
        assert found.dtype == dtype
        np.testing.assert_allclose(found.numpy().astype(float), expected, rtol=rtol)


def test_a_norm_neither_overflows_nor_underflows():
    x = np.array([[3e30, 4e30], [3e-30, 4e-30], [0.0, 0.0]], np.float32)
    np.testing.assert_allclose(tf.math.reduce_euclidean_norm(x, 1).numpy(), [5e30, 5e-30, 0], rtol=1e-6)
    np.testing.assert_allclose(grad(tf.math.reduce_euclidean_norm, x[1]).numpy(), [0.6, 0.8], rtol=1e-6)


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "int32", "uint8"]
)
@pytest.mark.parametrize("shape, axis", [((0,), None), ((2, 0), 1), ((0, 3), 0), ((0, 3), None)])
def test_the_mean_of_nothing(dtype, shape, axis):
    """NaN of real numbers and zero of others, as in TensorFlow 2.21; in silence whatever NumPy is told to say."""
    mean = lambda x: tf.reduce_mean(x, axis=axis)
    x = tf.zeros(shape, dtype)
    with np.errstate(all="raise"):
        for y in (mean(x), tf.function(mean)(x)):
            assert y.dtype == x.dtype and y.shape == np.zeros(shape).sum(axis).shape
            expected = NAN if x.dtype.is_floating else 0
            np.testing.assert_array_equal(y.numpy().astype(np.complex128), np.full(y.shape, expected))


def test_axis_may_be_a_variable_or_a_tensor():
    x = golden.a(2, 3)
    for axis in tf.constant(1), tf.constant([-1], tf.int64), tf.Variable(1):
        np.testing.assert_allclose(tf.reduce_sum(x, axis=axis).numpy(), x.sum(1), rtol=1e-6)


@pytest.mark.parametrize("call", [lambda x: tf.reduce_sum(x, 2), lambda x: tf.math.reduce_std(x, [0, -3])])
def test_an_axis_that_is_not_there(call):
    with pytest.raises(InvalidArgumentError, match=r"Invalid reduction dimension \(.* for input with 2"):
        call(golden.a(2, 3))


def test_old_names_of_arguments():
    v1 = tf.compat.v1
    x = golden.a(2, 3)
    assert v1.reduce_max(x, reduction_indices=[1], keep_dims=True).shape == (2, 1)
    for arguments in {"axis": 0, "reduction_indices": 0}, {"keepdims": True, "keep_dims": True}:
        with pytest.raises(ValueError, match="Cannot specify both"):
            v1.reduce_mean(x, **arguments)
