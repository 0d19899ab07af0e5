"""Plans: passes change nothing but the work, state keeps its order, and what is promised is checked."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.core.op import Op
from gradtape._src.graph.ir import Graph, Symbol
from gradtape._src.graph.plan import Plan
from gradtape._src.graph.verify import Malformed, verify

tf1 = tf.compat.v1


def _program(seed: int) -> tuple[Graph, Symbol, list[Symbol]]:
    """A random program of a placeholder, with constants and repetitions among its operations."""
    rng = np.random.default_rng(seed)
    graph = Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float64, [None, 3])
        values = [x, tf.constant(rng.normal(size=3)), tf.constant(2.0, tf.float64)]
        for _ in range(40):
            a, b = (values[i] for i in rng.integers(len(values), size=2))
            kind = rng.integers(5)
            values.append(
                [a + b, a * b, tf.tanh(a), a - b, tf.reduce_sum(a) * tf.ones([3], tf.float64)][kind]
            )
        targets = values[-5:]
        grads = [g for g in tf.gradients(targets, values[:2]) if g is not None]
    return graph, x, [*targets, *grads]


@pytest.mark.parametrize("seed", range(8))
def test_passes_do_not_change_results(seed):
    graph, x, fetches = _program(seed)
    data = np.random.default_rng(100 + seed).normal(size=(2, 3))
    plain = Plan(fetches, [x], graph.operations, simplify=False)
    simple = Plan(fetches, [x], graph.operations)
    for one, other in zip(plain(data), simple(data), strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(simple.steps) < len(plain.steps)
    verify(graph)


def test_constants_are_folded_and_repetitions_computed_once():
    graph = Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [2])
        c = tf.exp(tf.constant(1.0)) * 2.0
        y = tf.sin(x) * c + tf.sin(x) * c
    plan = Plan([y], [x], graph.operations)
    assert [op.type for op in plan.operations] == ["Sin", "Mul", "AddV2"]
    np.testing.assert_allclose(plan(np.float32([0, 1]))[0], 4 * np.e * np.sin([0, 1]), rtol=1e-6)


def test_constants_of_equal_value_but_another_sign_or_type_stay_apart():
    with tf.Graph().as_default(), tf1.Session() as session:
        a, b = tf.constant(0.0) * 1.0, tf.constant(-0.0) * 1.0
        x = tf1.placeholder(tf.float32, [])
        found = session.run(
            [1.0 / (x * a), 1.0 / (x * b), tf.cast(x, tf.int32), tf.cast(x, tf.float64)], {x: 1.0}
        )
    assert found[0] == np.inf and found[1] == -np.inf
    assert [value.dtype.name for value in found[2:]] == ["int32", "float64"]


def test_state_and_random_numbers_are_never_merged():
    with tf.Graph().as_default(), tf1.Session() as session:
        v = tf1.Variable(1.0)
        session.run(v.initializer)
        a, b = v.assign_add(1.0), v.assign_add(1.0)
        first, second = tf1.random_uniform([3]), tf1.random_uniform([3])
        session.run([a.op, b.op])
        assert session.run(v) == 3.0
        one, other = session.run([first, second])
        assert (one != other).any()


def test_dead_branches_of_merged_operations_are_not_executed():
    calls = []

    def kernel(x):
        calls.append(1)
        return x

    counted = Op("Counted", kernel, shape=lambda x: (), dtype=np.float32)
    graph = Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [])
        y = tf.exp(counted.of(x)) + tf.exp(counted.of(x))
    Plan([y], [x], graph.operations)(np.float32(1))
    assert len(calls) == 1


def test_memory_is_freed_as_soon_as_nobody_reads_it():
    graph = Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [4])
        y = x
        for _ in range(10):
            y = tf.sin(y)
    plan = Plan([y], [x], graph.operations)
    assert all(dead for *_, dead in plan.steps)


def test_the_verifier_finds_faults():
    graph = Graph()
    with graph.as_default():
        x = tf.constant(1.0)
        y = x + 1.0
    verify(graph)
    graph.operations.reverse()
    with pytest.raises(Malformed, match="not made before it"):
        verify(graph)
    liar = Op("Liar", lambda x: np.float64(x), shape=lambda x: (), dtype=np.float32)
    with graph.as_default():
        z = liar.of(y)
    with pytest.raises(Malformed, match="gave float64"):
        Plan([z], [y], graph.operations, simplify=False)(np.float32(1))


def test_what_fails_says_where_it_was_made():
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, None)
        y = tf.reshape(x, [2, 2])  # here
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(y, {x: np.ones(3)})
    assert caught.value.op is y.op
    assert "test_passes.py" in "".join(caught.value.__notes__)
