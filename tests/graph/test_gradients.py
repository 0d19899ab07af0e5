"""`tf.gradients`: through the graphs around a function, with weights as lists, and what the graph shows of it."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1


def value(build):
    """What ``build`` gives in a graph of its own, with its variables initialized."""
    with tf.Graph().as_default():
        result = build()
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            return session.run(result)


def test_of_tensors_from_outside():
    """Target and source are both of the graph around the function."""

    def build():
        x = tf.constant(3.0)
        y = x * x
        return tf.function(lambda: tf.gradients(y, x)[0])()

    assert value(build) == 6.0


def test_partly_outside():
    def build():
        x = tf.constant(3.0)
        y = x * x
        return tf.function(lambda: tf.gradients(y * tf.sin(y) + x, x)[0])()

    np.testing.assert_allclose(value(build), 6 * np.sin(9) + 54 * np.cos(9) + 1, rtol=1e-5)


def test_through_several_graphs():
    def build():
        x1, x2 = tf.constant(1.0), tf.constant(2.0)
        x3 = x1 * x2

        @tf.function
        def outer():
            o = tf.identity(x1)

            @tf.function
            def inner():
                return tf.gradients([tf.identity(o), tf.identity(x2), tf.identity(x3), x1], [x1, x2])

            return inner()

        return outer()

    assert value(build) == [4.0, 2.0]


def test_through_a_loop_and_a_call_outside():
    """Operations with inner graphs, differentiated in another graph than theirs."""

    def build():
        x = tf.constant(2.0)
        power = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, 1.0))[1]
        called = tf.function(lambda z: z * z)(power)
        return tf.function(lambda: tf.gradients(called, x)[0])()

    assert value(build) == 6 * 2.0**5


def test_second_order_and_stops_outside():
    def build():
        x = tf.constant(2.0)
        y = x**3
        z = y * x

        @tf.function
        def inner():
            (first,) = tf.gradients(z, x)
            (second,) = tf.gradients(first, x)
            return second, tf.gradients(z, x, stop_gradients=[y])[0]

        return inner()

    assert value(build) == (48.0, 8.0)


def test_inside_a_loop():
    """In the body of a loop, by what is outside of it."""

    def build():
        x = tf.constant(2.0)
        y = x * x
        body = lambda i, total: (i + 1, total + tf.gradients(y * total, x)[0])
        return tf.while_loop(lambda i, total: i < 2, body, (0, 1.0))[1]

    assert value(build) == 25.0  # each step adds the total times 4


def test_weights_are_lists_where_targets_are_arrays():
    def build():
        x, y = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
        return tf.gradients([x * x, 2 * y], [x, y], grad_ys=[[3.0, 4.0], [[1.0, 2.0], [3.0, 4.0]]])

    x, y = value(build)
    np.testing.assert_array_equal(x, [6, 16])
    np.testing.assert_array_equal(y, [[2, 4], [6, 8]])
    with pytest.raises(ValueError, match="Length mismatch"):
        value(lambda: tf.gradients(tf.constant([1.0, 2.0]) * 2, tf.constant(1.0), grad_ys=[1.0, 2.0]))


def test_names_are_tensorflows():
    """Also of the operations in which zero absorbs infinity."""
    with tf.Graph().as_default() as graph:
        w = tf.ones([2, 3])
        tf.gradients(tf.tanh(tf.ones([4, 2]) @ w) / 3.0, w)
        assert not [op for op in graph.get_operations() if "bsorbing" in op.name or "bsorbing" in op.type]
        assert {"MatMul", "Mul", "RealDiv"} <= {op.type for op in graph.get_operations()}


@pytest.mark.parametrize("method", ["DEFAULT", "ADD_N", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"])
def test_aggregation_methods(method):
    x = lambda: tf.constant(1.0)
    twice = lambda x: tf.gradients(x + x, x, aggregation_method=getattr(tf.AggregationMethod, method))
    assert value(lambda: twice(x())) == [2.0]


def test_a_placeholder_that_is_fed_has_been_waited_for():
    with tf.Graph().as_default(), v1.Session() as session:
        p, x = v1.placeholder(tf.bool), v1.placeholder(tf.float32, [None])
        with tf.control_dependencies([p]):
            y = tf.scan(lambda a, b: a * b, x)
        np.testing.assert_array_equal(session.run(y, {p: True, x: [1, 3, 3]}), [1, 3, 9])
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed"):
            session.run(y, {x: [1, 3, 3]})


def test_an_assignment_needs_no_value_before_it():
    with tf.Graph().as_default(), v1.Session() as session:
        v = v1.get_variable("v", [2])
        assigned = v.assign([1.0, 2.0])
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v.assign_add([1.0, 1.0]))
        np.testing.assert_array_equal(session.run(assigned), [1, 2])
        np.testing.assert_array_equal(session.run(v.assign_add([1.0, 1.0])), [2, 3])


@pytest.mark.parametrize("way", ["gradients", "tape"])
def test_recompute_grad_finds_its_variables_again(way):
    """The second call is made in the variable scope of the first."""

    def f(x):
        with v1.variable_scope("inner"):
            return x * v1.get_variable("v", [3], initializer=v1.ones_initializer())

    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape, v1.variable_scope("outer", reuse=v1.AUTO_REUSE):
            y = tf.recompute_grad(f)(x)
        (v,) = v1.trainable_variables()
        g = tf.gradients(y, v)[0] if way == "gradients" else tape.gradient(y, v)
        assert v1.trainable_variables() == [v]
        session.run(v1.global_variables_initializer())
        np.testing.assert_array_equal(session.run(g), [1, 2, 3])


def test_a_tapes_weights_where_the_targets_shape_is_not_known():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        g = tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0]))
        np.testing.assert_array_equal(session.run(g, {x: [3.0, 4.0]}), [6, 16])
        z = tf.ensure_shape(y, [3])
        with pytest.raises(ValueError, match="output_gradients"):
            tape.gradient(z, x, output_gradients=tf.constant([1.0, 2.0]))
        for g in (tape.gradient(y, x, output_gradients=2.0), *tf.gradients(y, x, grad_ys=2.0)):
            np.testing.assert_array_equal(session.run(g, {x: [3.0, 4.0]}), [12, 16])


@pytest.mark.parametrize("name", ["f", "_f", "<lambda>", "__f__"])
def test_calls_of_functions_have_tensorflows_names(name):
    def f(x):
        return x * x

    f.__name__ = name
    with tf.Graph().as_default() as graph:
        called = tf.function(f)
        called(called(tf.constant(3.0)))
        assert [op.name for op in graph.get_operations()] == ["Const", "PartitionedCall", "PartitionedCall_1"]
