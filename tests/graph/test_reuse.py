"""A plan writes into arrays that nobody reads any more, and only into those."""

import numpy as np
import pytest

import gradtape as tf
from gradtape import compat
from gradtape._src.graph import plan as plans
from gradtape._src.graph.ir import Graph
from gradtape._src.graph.plan import Plan

v1 = compat.v1


def planned(f, *arrays):
    with Graph().as_default() as graph:
        xs = [v1.placeholder(a.dtype, a.shape) for a in arrays]
        ys = f(*xs)
    return Plan(ys if isinstance(ys, (list, tuple)) else [ys], xs, graph.operations)


def reuses(plan):
    """How many steps write into one of their inputs."""
    return sum(
        len(ins) > len(node.args)
        for node, (_, _, _, _, ins, *_) in zip(plan.operations, plan.steps, strict=True)
    )


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch):
    monkeypatch.setattr(plans, "_LARGE", 0)


X = np.linspace(-1.0, 2.0, 6)

PROGRAMS = {
    "chain": (lambda x: tf.tanh(tf.tanh(x + 1.0) * 3.0) - 2.0, 4),
    "read twice": (lambda x: [(y := tf.tanh(x)) * 2.0 + y], 1),
    "square of itself": (lambda x: (y := x + 1.0) * y, 1),
    "fetched": (lambda x: [y := tf.tanh(x), y * 2.0], 0),
    "seen through a view": (lambda x: [tf.reshape(y := tf.tanh(x), [2, 3]), y * 2.0], 0),
    "broadcast": (lambda x: tf.tanh(x) * tf.ones([4, 6], tf.float64), 0),
    "another dtype": (lambda x: tf.tanh(x) > 0.5, 0),
    "a feed": (lambda x: x * 2.0, 0),
    "gradient": (lambda x: v1.gradients(tf.tanh(tf.tanh(x) * 2.0) * x, x), None),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_those_without_it(name, monkeypatch):
    f, count = PROGRAMS[name]
    plan = planned(f, X)
    if count is not None:
        assert reuses(plan) == count
    x = X.copy()
    results = [plan(x) for _ in range(5)]  # the later ones compiled
    np.testing.assert_array_equal(x, X)
    monkeypatch.setattr(plans, "_LARGE", 1 << 60)
    plain = planned(f, X)
    assert reuses(plain) == 0
    expected = plain(X)
    for found in results:  # none of which a later execution has overwritten
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_small_arrays_are_left_alone(monkeypatch):
    monkeypatch.setattr(plans, "_LARGE", 7)
    assert reuses(planned(PROGRAMS["chain"][0], X)) == 0


def test_constants_and_variables_stay():
    with tf.Graph().as_default():
        c = tf.constant(X)
        v = v1.Variable(X)
        y = tf.tanh(c) * v + tf.tanh(v) * c
        with v1.Session() as session:
            session.run(v.initializer)
            first = session.run(y)
            for _ in range(4):
                np.testing.assert_array_equal(session.run(y), first)
            np.testing.assert_array_equal(session.run(v), X)
