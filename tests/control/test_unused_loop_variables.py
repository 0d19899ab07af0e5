"""What a loop does not use: zeros in functions and graphs, as TensorFlow 2; None eagerly and as in TensorFlow 1."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1


def while_loop(a, b):
    return tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (x * 2.0, y * x), [a, b])[0]


def two_steps_away(a, b):
    """``b`` reaches the first variable through the second, in the step after."""
    return tf.while_loop(
        lambda i, x, y, z: i < 3, lambda i, x, y, z: (i + 1, x + y, z, 2.0 * z), [0, a, tf.ones_like(a), b]
    )[1]


def scan(a, b):
    pair = (tf.stack([a, a]), tf.stack([b, b]))
    return tf.scan(lambda c, e: (c[0] + e[0], c[1] * e[1]), pair, (0.0, 1.0))[0]


def foldr(a, b):
    pair = (tf.stack([a, a]), tf.stack([b, b]))
    return tf.foldr(lambda c, e: c * e[0], pair, 1.0)


def map_fn(a, b):
    pair = (tf.stack([a, a]), tf.stack([b, b]))
    return tf.map_fn(lambda e: tf.sin(e[0]), pair, fn_output_signature=tf.float32)


LOOPS = [while_loop, scan, foldr, map_fn]


@pytest.mark.parametrize("f", LOOPS)
@pytest.mark.parametrize("version", [1, 2])
def test_graphs(f, version):
    v1.disable_control_flow_v2() if version == 1 else v1.enable_control_flow_v2()
    try:
        with tf.Graph().as_default(), v1.Session() as session:
            a, b = tf.constant(1.0), tf.constant(2.0)
            used, unused = v1.gradients(f(a, b), [a, b])
            assert session.run(used) != 0.0
            assert unused is None if version == 1 else session.run(unused) == 0.0
    finally:
        v1.enable_control_flow_v2()


@pytest.mark.parametrize("f", LOOPS)
def test_eager_and_functions(f):
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    for function in (f, tf.function(f)):
        with tf.GradientTape() as tape:
            y = function(tf.identity(a), tf.identity(b))
        used, unused = tape.gradient(y, [a, b])
        assert used.numpy() != 0.0
        assert unused is None if function is f else unused.numpy() == 0.0


@pytest.mark.parametrize("version", [1, 2])
def test_what_is_used_some_steps_later_has_its_gradient(version):
    v1.disable_control_flow_v2() if version == 1 else v1.enable_control_flow_v2()
    try:
        with tf.Graph().as_default(), v1.Session() as session:
            a, b = tf.constant(1.0), tf.constant(2.0)
            found = session.run(v1.gradients(two_steps_away(a, b), [a, b]))
        np.testing.assert_array_equal(found, [1.0, 3.0])
    finally:
        v1.enable_control_flow_v2()


def test_a_conditional_without_a_derivative_in_any_branch_has_none():
    f = tf.function(lambda x, y: tf.cond(x > 0.0, lambda: tf.floor(x) + y, lambda: tf.ones([])))
    x, y = tf.Variable(1.5), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        z = f(x, y)
    g, h = tape.gradient(z, [x, y])
    assert g is None and h.numpy() == 1.0
