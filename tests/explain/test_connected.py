"""A gradient that exists is said to exist, and asking changes nothing."""

from __future__ import annotations

import pytest

import gradtape as tf


@pytest.fixture(params=[False, True], ids=["tape only", "birth records"])
def explanations(request):
    if request.param:
        tf.debugging.enable_explanations()
    yield
    tf.debugging.disable_explanations()


def test_eager(explanations):
    x, v, table = tf.constant(2.0), tf.Variable(3.0), tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = tf.sin(x) * v + tf.stop_gradient(x)
        h = h + tf.round(x) + float(x) + tf.reduce_sum(tf.gather(table, tf.cast(x - 1.0, tf.int32)))
        v.assign_add(1.0)
        y = h * v
    assert {one.cause for one in tape.explain(y, [x, v, table, h])} == {"connected"}
    assert all(g is not None for g in tape.gradient(y, [x, v, table, h]))
    assert {one.cause for one in tape.explain(y, [x, v, table, h])} == {"connected"}


def test_the_target_itself(explanations):
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        v * 2.0
    assert tape.explain(v, v).cause == "connected"


def test_second_order(explanations):
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        g = inner.gradient(y, x)
    assert outer.explain(g, x).cause == "connected"


def test_in_a_function(explanations):
    v, found = tf.Variable(3.0), []

    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x * v), [0, x])[1]
        found.extend(tape.explain(y, [x, v]))
        return tape.gradient(y, [x, v])

    assert all(g is not None for g in f(tf.constant(2.0)))
    assert {one.cause for one in found} == {"connected"}


def test_a_loop_gives_zeros_for_what_it_does_not_use(explanations):
    with tf.Graph().as_default() as graph:
        a, b = tf.constant(1.0), tf.constant(2.0)
        x, _ = tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (x * 2.0, y * 3.0), [a, b])
        before = [op.name for op in graph.get_operations()]
        assert tf.debugging.explain_gradients(x, b).cause == "connected"
        assert [op.name for op in graph.get_operations()] == before
        assert tf.gradients(x, b)[0] is not None


def test_a_variable_of_a_graph_has_no_value_to_compare():
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0])
        w = tf.compat.v1.get_variable("w", [2])
        assert tf.debugging.explain_gradients(x * 2.0, w).cause == "target_does_not_depend_on_source"
