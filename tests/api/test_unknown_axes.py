"""Axes that are tensors without a value: what an operation gives is what it gives for the axis itself."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
X = np.arange(24.0).reshape(2, 3, 4) / 7.0 + 0.3

PROGRAMS = {
    "reduce_sum": lambda x, a: tf.reduce_sum(x, a),
    "reduce_max of two": lambda x, a: tf.reduce_max(x, [a, 1]),
    "reduce_logsumexp": lambda x, a: tf.reduce_logsumexp(x, a, keepdims=True),
    "argmax": lambda x, a: tf.argmax(x, a),
    "cumsum": lambda x, a: tf.cumsum(x, a, exclusive=True),
    "concat": lambda x, a: tf.concat([x, 2.0 * x], a),
    "split": lambda x, a: tf.split(x, 2, a)[1],
    "split by lengths": lambda x, a: tf.split(tf.concat([x, x], a), [1, -1], a)[1],
    "gather": lambda x, a: tf.gather(x, [1, 0, 1], axis=a),
    "gather one": lambda x, a: tf.gather(x, 1, axis=a),
    "gather a matrix": lambda x, a: tf.gather(x, [[1, 0], [0, 0], [1, 1]], axis=a),
    "expand_dims": lambda x, a: tf.expand_dims(x, a),
    "softmax": lambda x, a: tf.nn.softmax(x, a),
    "log_softmax": lambda x, a: tf.nn.log_softmax(x, a),
    "reverse": lambda x, a: tf.reverse(x, [a, 1]),
    "roll": lambda x, a: tf.roll(x, 1, a),
    "roll twice": lambda x, a: tf.roll(x, [1, 2], [a, 1]),
}


@pytest.mark.parametrize("axis", [0, 2, -1, -3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_placeholder(name, axis):
    program = PROGRAMS[name]
    with tf.Graph().as_default(), v1.Session() as session:
        a, x = v1.placeholder(tf.int32, []), tf.constant(X)
        expected, found = program(x, axis), program(x, a)
        one, other = session.run([expected, found], {a: axis})
        np.testing.assert_allclose(other, one)
        assert found.dtype == expected.dtype and found.shape.is_compatible_with(expected.shape)
        if expected.dtype.is_floating:
            slopes = [tf.convert_to_tensor(tf.gradients(y * y * y, x)[0]) for y in (expected, found)]
            one, other = session.run(slopes, {a: axis})
            np.testing.assert_allclose(other, one)


@pytest.mark.parametrize("name", PROGRAMS)
def test_argument_of_a_function(name):
    function = tf.function(lambda x, a: PROGRAMS[name](x, a))
    np.testing.assert_allclose(function(tf.constant(X), tf.constant(0)), PROGRAMS[name](tf.constant(X), 0))


@pytest.mark.parametrize("name", ["concat", "split", "gather", "expand_dims", "softmax", "reverse", "roll"])
def test_an_axis_that_is_not_there(name):
    function = tf.function(lambda x, a: PROGRAMS[name](x, a))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"axis in the range \[-\d, \d\), but got 7"):
        function(tf.constant(X), tf.constant(7))


@pytest.mark.parametrize("name", ["concat", "split", "gather", "expand_dims", "softmax"])
def test_an_axis_is_a_scalar_integer(name):
    function = tf.function(lambda x, a: PROGRAMS[name](x, a))
    for axis in (tf.constant([0, 1]), tf.constant(0.0)):
        with pytest.raises((tf.errors.InvalidArgumentError, TypeError, ValueError)):
            function(tf.constant(X), axis)
