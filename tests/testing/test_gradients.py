"""``tf.test.compute_gradient`` of both versions gives what TensorFlow's gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from golden import make_compute_gradient as golden

import gradtape as tf

v1 = tf.compat.v1
EXPECTED = json.loads((Path(golden.__file__).parent / "compute_gradient.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", golden.CASES)
def test_as_tensorflow(name):
    for pair, expected in zip(
        (golden.eagerly(tf, name), golden.in_a_session(tf, v1, name)), EXPECTED[name], strict=True
    ):
        for part, (dtype, shape, numbers) in zip(pair, expected, strict=True):
            assert (str(part.dtype), list(part.shape)) == (dtype, shape)
            np.testing.assert_allclose(part.ravel(), numbers, atol=2e-3)


def test_a_wrong_gradient_shows():
    @tf.custom_gradient
    def square(x):
        return x * x, lambda g: g * x

    (given,), (measured,) = tf.test.compute_gradient(square, [tf.constant([2.0])])
    assert given[0, 0] == 2.0 and abs(measured[0, 0] - 4.0) < 1e-3
    with tf.Graph().as_default(), v1.Session():
        x = v1.placeholder(tf.float64, [1])
        assert v1.test.compute_gradient_error(x, [1], square(x), [1], x_init_value=np.array([2.0])) > 1.9


def test_several_sources_variables_and_feeds():
    with tf.Graph().as_default(), v1.Session():
        x, n = v1.placeholder(tf.float64, [2]), v1.placeholder(tf.float64, [])
        v = v1.get_variable("v", [2], tf.float64)
        y = x * v * n
        pairs = v1.test.compute_gradient(
            [x, v], [[2], [2]], y, [2], [np.ones(2), 3 * np.ones(2)], 1e-5, [v.initializer], {n: 2.0}
        )
        np.testing.assert_allclose(pairs[0], [6 * np.eye(2)] * 2, atol=1e-6)
        np.testing.assert_allclose(pairs[1], [2 * np.eye(2)] * 2, atol=1e-6)
        assert v1.test.compute_gradient_error([x, v], [[2], [2]], y, [2], extra_feed_dict={n: 2.0}) < 1e-6


def test_what_cannot_be_done():
    with pytest.raises(ValueError, match="`x` must be a list"):
        tf.test.compute_gradient(tf.identity, tf.ones([2]))
    with pytest.raises(AssertionError, match="unsupported type int32 of argument 0"):
        tf.test.compute_gradient(tf.identity, [tf.constant([1])])
    with pytest.raises(AssertionError, match="unsupported type int64 of the result"):
        tf.test.compute_gradient(lambda x: tf.cast(x, tf.int64), [tf.ones([1])])
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [2])
        with pytest.raises(ValueError, match="No default session"):
            v1.test.compute_gradient(x, [2], x, [2])
        with v1.Session():
            with pytest.raises(AssertionError, match=r"x_shape = \[2\], init_data shape = \[3\]"):
                v1.test.compute_gradient(x, [2], x, [2], np.ones(3))
            with pytest.raises(AssertionError, match="dx = None"):
                v1.test.compute_gradient(x, [2], tf.ones([2]), [2])
