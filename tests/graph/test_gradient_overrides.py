"""`tf.RegisterGradient` and `gradient_override_map`: operations with other gradients."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
_numbers = count()


@pytest.fixture
def name():
    """Names are taken for good."""
    return f"Own{next(_numbers)}"


def run(ys, xs, feeds=None, **options):
    with v1.Session() as session:
        return session.run(v1.gradients(ys, xs, **options), feeds)


def test_a_registered_gradient_replaces_the_own_one_in_the_block(name):
    seen = []

    @tf.RegisterGradient(name)
    def guided(op, grad):
        seen.append((op.type, op.name, [x.name for x in op.inputs], [y.name for y in op.outputs]))
        return tf.where(grad > 0.0, grad, tf.zeros_like(grad))

    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [3], name="x")
        with graph.gradient_override_map({"Relu": name}):
            y = tf.nn.relu(x, name="inside")
        z = tf.nn.relu(x)
        weights = tf.constant([1.0, -1.0, 2.0])
        feeds = {x: [1.0, 2.0, -3.0]}
        (g,), (h,) = run(y * weights, [x], feeds), run(z * weights, [x], feeds)
    np.testing.assert_array_equal(g, [1.0, 0.0, 2.0])
    np.testing.assert_array_equal(h, [1.0, -1.0, 0.0])
    assert seen == [("Relu", "inside", ["x:0"], ["inside:0"])]


def test_the_gradient_of_another_operation(name):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [2])
        with graph.gradient_override_map({"Sign": "Identity", "Round": name}):
            y, z = tf.sign(x), tf.round(x)
        tf.no_gradient(name)
        np.testing.assert_array_equal(run(3.0 * y, [x], {x: [1.0, -2.0]}), [[3.0, 3.0]])
        assert v1.gradients(z, x) == [None]


def test_a_python_function_with_a_gradient(name):
    v1.RegisterGradient(name)(lambda op, grad: 2.0 * op.inputs[0] * grad)
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [2])
        with graph.gradient_override_map({"PyFunc": name}):
            (y,) = v1.py_func(np.square, [x], [tf.float32])
        (g,) = v1.gradients(y, x)
        with v1.Session() as session:
            values = session.run([y, g], {x: [1.0, 3.0]})
    np.testing.assert_array_equal(values, [[1.0, 9.0], [2.0, 6.0]])


def test_several_inputs_constants_and_none(name):
    @tf.RegisterGradient(name)
    def second_only(op, grad):
        assert len(op.inputs) == 2
        return [None, 5.0 * grad]

    with tf.Graph().as_default() as graph:
        x, y = v1.placeholder(tf.float32, [2]), v1.placeholder(tf.float32, [2])
        with graph.gradient_override_map({"Mul": name}):
            z, w = tf.multiply(x, y), tf.multiply(np.float32(2.0), y)
        assert v1.gradients(z, x) == [None]
        assert tf.debugging.explain_gradients(z, x).cause == "rule_returned_none"
        feeds = {x: [1.0, 1.0], y: [1.0, 1.0]}
        np.testing.assert_array_equal(run([z, w], [y], feeds), [[10.0, 10.0]])


def test_inside_functions_and_loops(name):
    tf.RegisterGradient(name)(lambda op, grad: 7.0 * grad)

    @tf.function
    def f(x):
        with v1.get_default_graph().gradient_override_map({"Tanh": name}):
            return tf.tanh(x)

    x = tf.Variable([0.5])
    with tf.GradientTape() as tape:
        y = f(x)
    np.testing.assert_array_equal(tape.gradient(y, x), [7.0])


def test_what_is_refused(name):
    tf.RegisterGradient(name)(lambda op, grad: grad)
    for taken in (name, "Relu"):
        with pytest.raises(KeyError, match="Registering two gradient"):
            tf.RegisterGradient(taken)(lambda op, grad: grad)
    for bad in (tf.RegisterGradient, tf.no_gradient):
        with pytest.raises(TypeError, match="op_type must be a string"):
            bad(3)
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [2])
        for mapping in (3, {"Relu": 3}):
            with pytest.raises(TypeError, match="dictionary mapping strings"):
                graph.gradient_override_map(mapping).__enter__()
        with graph.gradient_override_map({"Relu": "nowhere", "Mul": name}):
            y, z = tf.nn.relu(x), x * x
        with pytest.raises(LookupError, match="No gradient defined for operation 'Relu'"):
            v1.gradients(y, x)
        with pytest.raises(ValueError, match="Num gradients 1 generated for op name: 'mul'"):
            v1.gradients(z, x)
