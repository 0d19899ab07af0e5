"""A plan without effects is executed in haste, and again with care if a NaN came out."""

import numpy as np
import pytest

import gradtape as tf
from gradtape import compat
from gradtape._src.control.looping import Looping
from gradtape._src.graph.plan import Plan

v1 = compat.v1


def safe_root(x):
    """0 where x is not positive; the branch that was not taken has an infinite slope there."""
    return tf.where(x > 0.0, tf.sqrt(x), tf.zeros_like(x))


PROGRAMS = {
    "straight": safe_root,
    "while": lambda x: tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y + safe_root(x)), (tf.constant(0), x)
    )[1],
    "map": lambda x: tf.map_fn(safe_root, x),
    "scan": lambda x: tf.scan(lambda a, e: 0.5 * a + safe_root(e), x, tf.constant(0.0)),
    "nested": lambda x: tf.scan(
        lambda a, e: a + tf.foldl(lambda b, f: b + safe_root(f * e), x, tf.constant(0.0)), x, tf.constant(0.0)
    ),
    "cond": lambda x: tf.cond(x[1] > 0.0, lambda: safe_root(x), lambda: x),
}
X = np.array([0.0, 4.0, -1.0, 9.0], np.float32)


def eager_gradient(f):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x))
    return tape.gradient(y, x).numpy()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_branch_not_taken_does_not_poison(name):
    f = PROGRAMS[name]
    expected = eager_gradient(f)
    assert np.isfinite(expected).all()
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None])
        (g,) = v1.gradients(f(x), x)
        with v1.Session() as session:
            for _ in range(4):
                np.testing.assert_allclose(session.run(g, {x: X}), expected, rtol=1e-6)

    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    np.testing.assert_allclose(gradient(tf.constant(X)), expected, rtol=1e-6)


def test_care_is_taken_only_after_a_nan(monkeypatch):
    taken = []

    def watch(kind, name):
        make = getattr(kind, name).func
        monkeypatch.setattr(kind, name, property(lambda self: taken.append(self) or make(self)))

    watch(Plan, "careful")
    watch(Looping, "_careful")
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None])
        (g,) = v1.gradients(PROGRAMS["scan"](x), x)
        with v1.Session() as session:
            session.run(g, {x: [1.0, 2.0]})
            assert not taken
            session.run(g, {x: [1.0, 0.0]})
            assert taken


def test_effects_happen_once():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None])
        count = v1.Variable(0)
        with tf.control_dependencies([v1.assign_add(count, 1)]):
            (g,) = v1.gradients(safe_root(tf.identity(x)), x)
            g = tf.identity(g)
        with v1.Session() as session:
            session.run(count.initializer)
            np.testing.assert_allclose(session.run(g, {x: [0.0, 4.0]}), [0.0, 0.25])
            assert session.run(count) == 1
