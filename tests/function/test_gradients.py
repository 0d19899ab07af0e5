"""Gradients through and inside traced functions are those of eager mode."""

from __future__ import annotations

import gc
import itertools
import weakref

import numpy as np
import pytest

import gradtape as tf

X = tf.constant([0.3, -0.7, 1.1])
W = tf.Variable([[0.5, -0.2, 0.1], [0.3, 0.8, -0.6], [0.2, 0.4, 0.9]])


def loss(x):
    h = tf.tanh(tf.linalg.matvec(W, x))
    return tf.reduce_sum(h * h * x)


def derivatives(f, order, inside=False):
    """Values of the first derivatives, in x and W, and of the second and third in x."""

    def run():
        with tf.GradientTape(persistent=True) as third:
            third.watch(X)
            with tf.GradientTape(persistent=True) as second:
                second.watch(X)
                with tf.GradientTape() as first:
                    first.watch(X)
                    y = f(X)
                g = first.gradient(y, [X, W])
                square = tf.reduce_sum(g[0] ** 2)
            found = [y, *g]
            if order > 1:
                found += second.gradient(square, [X, W])
                total = tf.reduce_sum(found[3])
        if order > 2:
            found += [third.gradient(total, X)]
        return found

    return [part.numpy() for part in (tf.function(run) if inside else run)()]


@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_as_eager(order, inside):
    for f in (tf.function(loss), tf.function(lambda x: tf.function(loss)(x * 1.0))):
        for found, expected in zip(derivatives(f, order, inside), derivatives(loss, order), strict=True):
            np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


def gradient(f, x, sources, **options):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, sources, **options)


class TestConnections:
    def test_none_and_zero(self):
        a, b = tf.constant(1.0), tf.constant(2.0)
        two = tf.function(lambda a, b: (a * 2.0, b * 3.0))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([a, b])
            y, z = two(a, b)
            w = tf.function(lambda a, b: a * 2.0)(a, b)
        assert float(tape.gradient(y, a)) == 2.0
        assert float(tape.gradient(y, b)) == 0.0  # as TensorFlow: the two meet in the call
        assert float(tape.gradient(z, b)) == 3.0
        assert tape.gradient(w, b) is None
        assert float(tape.gradient(w, b, unconnected_gradients="zero")) == 0.0

    def test_one_result_is_not_made_of_the_other(self):
        f = tf.function(lambda x: (x * x, x * x * 3.0))
        x = tf.constant(2.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            h, y = f(x)
        assert float(tape.gradient(y, x)) == 12.0 and tape.gradient(y, h) is None

    def test_captured_tensors(self):
        c = tf.constant(3.0)
        f = tf.function(lambda x: tf.function(lambda y: y * c)(x) * c)
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = f(tf.constant(2.0))
        assert float(tape.gradient(y, c)) == 12.0

    def test_integers(self):
        f = tf.function(lambda x, n: (x * tf.cast(n, tf.float32), n))
        x, n = tf.constant(2.0), tf.constant(3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, _ = f(x, n)
        assert float(tape.gradient(y, x)) == 3.0

    def test_output_gradients(self):
        f = tf.function(lambda x: x * x)
        found = gradient(f, X, X, output_gradients=tf.constant([1.0, 0.0, 2.0]))
        np.testing.assert_allclose(found, 2 * X.numpy() * [1.0, 0.0, 2.0], rtol=1e-6)

    def test_a_derivative_that_began_later(self):
        """A tape that starts between the call and its gradient sees what the gradient does with its arguments."""
        f, x = tf.function(lambda x: x**3), tf.constant(2.0)
        with tf.GradientTape(persistent=True) as first:
            first.watch(x)
            y = f(x)
        with tf.GradientTape() as second:
            second.watch(x)
            g = first.gradient(y, x)
        assert float(second.gradient(g, x)) == 12.0

    def test_gradient_of_a_persistent_tape_on_itself(self):
        f, x = tf.function(lambda x: tf.exp(2.0 * x)), tf.constant(0.5)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            g = f(x)
            for _ in range(3):
                g = tape.gradient(g, x)
        np.testing.assert_allclose(tape.gradient(g, x), 16 * np.exp(1.0), rtol=1e-5)

    def test_complex(self):
        z = tf.constant(1.0 + 2.0j)
        square = lambda z: z * z * tf.math.conj(z)
        np.testing.assert_allclose(gradient(tf.function(square), z, z), gradient(square, z, z))

    def test_stop_recording_and_stop_gradient(self):
        f = tf.function(lambda x: x * tf.stop_gradient(x))
        assert float(gradient(f, tf.constant(3.0), tf.constant(3.0)) or 0.0) == 0.0
        x = tf.constant(3.0)
        assert float(gradient(f, x, x)) == 3.0


class TestVariables:
    def test_watched_when_called(self):
        v, frozen = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
        f = tf.function(lambda x: x * v * frozen)
        f(tf.constant(1.0))
        with tf.GradientTape() as tape:
            y = f(tf.constant(1.0))
        assert [w is v for w in tape.watched_variables()] == [True]
        assert float(tape.gradient(y, v)) == 3.0

    def test_nested(self):
        v = tf.Variable(2.0)
        inner = tf.function(lambda x: x * v)
        outer = tf.function(lambda x: inner(x) + inner(inner(x)))
        with tf.GradientTape() as tape:
            y = outer(tf.constant(1.0))
        assert float(tape.gradient(y, v)) == 1.0 + 2 * 2.0

    def test_read_before_and_after_an_assignment(self):
        v = tf.Variable(2.0)

        @tf.function
        def f(x):
            y = v * x
            v.assign(5.0)
            return y + v * x * x

        with tf.GradientTape() as tape:
            y = f(tf.constant(3.0))
        assert float(y) == 6.0 + 45.0 and float(tape.gradient(y, v)) == 12.0

    def test_rows(self):
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        f = tf.function(lambda i: tf.gather(table, i))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(f(tf.constant([2, 0, 2])))
        found = tape.gradient(y, table)
        assert isinstance(found, tf.IndexedSlices)
        np.testing.assert_array_equal(found.indices, [2, 0, 2])
        np.testing.assert_array_equal(tf.convert_to_tensor(found), [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]])


def test_custom_gradient():
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def f(v):
        return v * w, lambda dy, variables=None: (dy * w * 10.0, [dy * v * 100.0])

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: f(x) * 2.0)(x)
    assert [float(g) for g in tape.gradient(y, [x, w])] == [60.0, 400.0]


def test_a_gradient_function_that_captures():
    scale = tf.constant(5.0)

    @tf.custom_gradient
    def f(v):
        return v * 1.0, lambda dy: dy * scale

    x = tf.constant(2.0)
    for g in (f, tf.function(f), tf.function(lambda x: tf.function(f)(x))):
        assert float(gradient(g, x, x)) == 5.0


def test_no_value_is_kept_that_no_rule_reads():
    f = tf.function(lambda x: tf.reduce_sum(x + 1.0))
    x = tf.constant(np.ones(10))
    with tf.GradientTape() as tape:
        tape.watch(x)
        big = x + 1.0
        y = f(big)
        died = weakref.ref(big)
        del big
        gc.collect()
        assert died() is None
    np.testing.assert_array_equal(tape.gradient(y, x), np.ones(10))


def test_the_forward_pass_runs_once():
    runs = []

    @tf.function
    def f(x):
        tf.py_function(lambda: runs.append(1), [], [])
        return x * x

    x = tf.constant(2.0)
    with tf.GradientTape() as second:
        second.watch(x)
        g = gradient(f, x, x)
    assert float(second.gradient(g, x)) == 2.0 and runs == [1]


def test_absorbing_zero():
    """A branch that was not taken does not poison the gradient."""
    f = tf.function(lambda x: tf.where(x > 0.0, tf.sqrt(x), 0.0))
    np.testing.assert_array_equal(gradient(f, x := tf.constant([0.0, 4.0]), x), [0.0, 0.25])


def derivative(f):
    def derived(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    return derived


@pytest.mark.parametrize("orders", list(itertools.permutations(range(4))), ids=str)
@pytest.mark.parametrize("traced", [False, True])
def test_orders_in_any_order(orders, traced):
    """What a function's first calls needed of it does not limit what later ones can take from it."""
    function = tf.function(lambda x: tf.cos(x))
    x = tf.constant(1.0, tf.float64)
    for order in orders:
        f = function
        for _ in range(order):
            f = derivative(f)
        expected = [np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin][order](1.0)
        np.testing.assert_allclose((tf.function(f) if traced else f)(x), expected)
        np.testing.assert_allclose(f(x), expected)
