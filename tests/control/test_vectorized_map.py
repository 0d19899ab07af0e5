"""vectorized_map is map_fn, eagerly and in graphs, with gradients and inside itself."""

import logging

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.core import log

X = np.array([[1.0, 2.0], [3.0, -4.0], [0.5, 0.0]])
W = np.array([[2.0, 1.0], [0.0, 3.0]])


def gradient_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) ** 3) * x[0]
    return tape.gradient(y, x)


def jacobian_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x[0]
    return tape.jacobian(y, x)


FUNCTIONS = {
    "captured": lambda x: tf.linalg.matvec(tf.constant(W), x),
    "reductions": lambda x: tf.reduce_max(x) - tf.reduce_mean(tf.sort(x)),
    "nested": lambda x: tf.vectorized_map(lambda a: a * a * W[0, 0], x) * tf.constant(W[0]),
    "map inside": lambda x: tf.map_fn(lambda a: a**3, x),
    "gradient inside": gradient_inside,
    "jacobian inside": jacobian_inside,
    "indexing": lambda x: tf.stack([x[1], x[0], tf.gather(x, [0, 1, 1])[2]]),
    "function": tf.function(lambda x: tf.scan(lambda a, e: tf.tanh(a + e), x)),
    "comparison": lambda x: tf.where(tf.equal(x, 2.0) | (x > 0.0), x, -x),
    "cond of a captured value": lambda x: tf.cond(tf.constant(True), lambda: x, lambda: -x),
}


@pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])
@pytest.mark.parametrize("name", FUNCTIONS)
class TestIsMapFn:
    def test_value(self, name, place):
        f = FUNCTIONS[name]
        expected = np.stack([f(tf.constant(x)).numpy() for x in X])
        found = place(lambda x: tf.vectorized_map(f, x, fallback_to_while_loop=False))(tf.constant(X))
        np.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_gradient(self, name, place):
        f = FUNCTIONS[name]

        def gradient(x, many):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.sin(many(x)))
            return tape.gradient(y, x)

        expected = gradient(tf.constant(X), lambda x: tf.stack([f(x[i]) for i in range(len(X))]))
        found = place(lambda x: gradient(x, lambda x: tf.vectorized_map(f, x, warn=False)))(tf.constant(X))
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])
def test_gradient_of_what_is_captured(place):
    def gradient(w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.vectorized_map(lambda x: tf.reduce_sum(tf.linalg.matvec(w, x) ** 2), tf.constant(X))
        return tape.gradient(y, w)

    np.testing.assert_allclose(place(gradient)(tf.constant(W)), 2 * (X @ W.T).T @ X)


def test_structures_and_lengths_of_one():
    out = tf.vectorized_map(
        lambda p: {"s": p[0] + p[1]["b"], "c": 3.0}, (tf.ones([4, 2]), {"b": tf.ones([1, 2])})
    )
    np.testing.assert_array_equal(out["s"], np.full((4, 2), 2.0))
    np.testing.assert_array_equal(out["c"], np.full(4, 3.0))


def test_random_numbers_differ():
    found = tf.vectorized_map(lambda x: tf.random.uniform([]), tf.ones([5])).numpy()
    assert len(set(found)) == 5


class TestFallback:
    @pytest.fixture
    def messages(self, monkeypatch, caplog):
        monkeypatch.setattr(log, "_counts", type(log._counts)())
        logger = logging.getLogger("tensorflow")
        monkeypatch.setattr(logger, "propagate", True)
        with caplog.at_level(logging.WARNING, logger="tensorflow"):
            yield lambda: [record.getMessage() for record in caplog.records]

    def test_is_announced_once_by_name(self, messages):
        for _ in range(2):
            found = tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1], [3, 3]]))
        np.testing.assert_array_equal(found, [[1], [3]])
        assert len(messages()) == 1 and "Unique" in messages()[0]

    def test_in_a_function(self, messages):
        f = tf.function(lambda x: tf.vectorized_map(lambda x: tf.unique(x)[0][:1], x))
        np.testing.assert_array_equal(f(tf.constant([[1, 1], [3, 3]])), [[1], [3]])
        assert len(messages()) == 1 and "Unique" in messages()[0]

    def test_can_be_silent(self, messages):
        tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1], [3, 3]]), warn=False)
        assert not messages()

    def test_can_be_refused(self):
        with pytest.raises(ValueError, match="Unique"):
            tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1]]), fallback_to_while_loop=False)

    @pytest.mark.parametrize("f", [
        lambda x: x if x[0] > 0 else -x,
        lambda x: tf.cond(x[0] > 0, lambda: x, lambda: -x),
        lambda x: x * float(tf.sign(x[0])),
    ])  # fmt: skip
    def test_for_a_value(self, f, messages):
        np.testing.assert_array_equal(tf.vectorized_map(f, tf.constant([[1.0], [-2.0]])), [[1.0], [2.0]])
        assert len(messages()) == 1 and "asks for a value" in messages()[0]
        with pytest.raises(ValueError, match="asks for"):
            tf.vectorized_map(f, tf.constant([[1.0], [-2.0]]), fallback_to_while_loop=False)


@pytest.mark.parametrize(
    "elems, text",
    [((tf.ones([4]), tf.ones([3])), "equal"), (tf.constant(1.0), "scalar"), ((), "at least one")],
)
def test_refusals(elems, text):
    with pytest.raises(ValueError, match=text):
        tf.vectorized_map(lambda x: x, elems)
