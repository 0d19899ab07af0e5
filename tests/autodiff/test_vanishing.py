"""Derivatives that vanish are zeros where something depends on the source, and None where nothing does."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gradtape as tf
from tests.stored import script

curvature = script("make_curvature")
STORED = json.loads(curvature.PATH.read_text())
PROGRAMS = curvature.programs(tf)

# TensorFlow has the zeros of sign's derivative backwards only.
DIFFERENT = {("abs", "forward"): ["zeros"]}


def test_the_table_is_the_stored_one():
    assert list(STORED) == list(PROGRAMS)


@pytest.mark.parametrize("mode", curvature.MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_tensorflow(name, mode):
    expected = DIFFERENT.get((name, mode), STORED[name][mode])
    if expected == "ValueError":  # a Hessian of what has none: zeros, see docs/differences.md
        expected = ["zeros"]
    assert curvature.MODES[mode](tf, PROGRAMS[name]) == expected


def _relu_twice(tape, x):
    with tape:
        tape.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.nn.relu(x))
        return inner.gradient(y, x)


def test_reasons_and_pictures_agree():
    x, other = tf.constant(curvature.POINTS), tf.Variable(1.0)
    for kind in [tf.UnconnectedGradients.NONE, tf.UnconnectedGradients.RAISE, tf.UnconnectedGradients.ZERO]:
        tape = tf.GradientTape()
        g = _relu_twice(tape, x)
        assert tape.explain(g, x).cause == "connected"
        assert not np.any(tape.gradient(g, x, unconnected_gradients=kind))
    tape = tf.GradientTape()
    g = _relu_twice(tape, x)
    assert tape.gradient(g, [x, other])[1] is None
    assert tape.explain(g, other).cause == "target_does_not_depend_on_source"


def test_reasons_in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [3])
        (g,) = tf.gradients(tf.nn.relu(x), x)
        (h,) = tf.gradients(g, x)
        assert h is not None
        assert tf.debugging.explain_gradients(g, x).cause == "connected"


def test_a_sparse_jacobian_is_empty():
    x, tape = tf.constant(curvature.POINTS), tf.GradientTape()
    g = _relu_twice(tape, x)
    jacobian = tape.jacobian(g, x, sparse=True)
    assert jacobian.shape == (8, 8) and jacobian.nnz == 0


def test_sources_on_both_sides_of_the_edge():
    w, x = tf.Variable([[0.5, -1.0], [2.0, 1.0]]), tf.constant([[1.0, 2.0], [-1.0, 3.0]])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            h = tf.matmul(x, w)
            y = tf.reduce_sum(tf.nn.relu(h))
        g = inner.gradient(y, x)
    by_w, by_x, by_h = outer.gradient(g, [w, x, h])
    assert np.any(by_w) and not np.any(by_x) and not np.any(by_h)
    assert by_x.shape == x.shape and by_h.shape == h.shape
    alone = outer.gradient(g, x)
    np.testing.assert_array_equal(alone, by_x)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_many_at_once(mode):
    x, tape = tf.constant(curvature.POINTS), tf.GradientTape()
    g = _relu_twice(tape, x)
    jacobian = tape.jacobian(g, x, mode=mode)
    assert jacobian.shape == (2, 4, 2, 4) and not np.any(jacobian)


def test_nothing_is_computed_where_another_way_leads():
    """A graph of second derivatives has no operation for an edge that brings nothing."""
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [3])
        (g,) = tf.gradients(tf.nn.relu(x * x), x)
        tf.gradients(g, x)
        assert not any(node.type == "ZerosLike" for node in graph.get_operations())


def test_zero_stays_zero_behind_an_infinite_slope():
    x = tf.constant([0.0, 4.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        h = tf.sqrt(x)
        with tf.GradientTape() as inner:
            inner.watch(h)
            y = tf.reduce_sum(tf.nn.relu(h))
        g = inner.gradient(y, h)
    np.testing.assert_array_equal(outer.gradient(g, x), [0.0, 0.0])


def test_half_precision_and_unknown_shapes():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float16)])
    def second(x):
        tape = tf.GradientTape()
        return tape.gradient(_relu_twice(tape, x), x)

    found = second(tf.ones([2, 3], tf.float16))
    assert found.dtype == tf.float16 and found.shape == (2, 3) and not np.any(found)
