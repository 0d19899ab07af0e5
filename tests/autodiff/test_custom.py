"""``custom_gradient``, ``recompute_grad`` and ``grad_pass_through``."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import gradtape as tf

X = tf.constant(3.0)


def gradient(f, *xs):
    with tf.GradientTape() as tape:
        tape.watch(list(xs))
        y = f(*xs)
    return tape.gradient(y, list(xs))


class TestCustomGradient:
    def test_two_inputs_and_none(self):
        @tf.custom_gradient
        def f(x, y):
            return x * y, lambda dy: (dy * 10.0, None)

        assert [None if g is None else float(g) for g in gradient(f, X, X + 1.0)] == [10.0, None]

    def test_structures(self):
        @tf.custom_gradient
        def f(x, pair):
            return (x, {"a": pair[0] * pair[1]}), lambda dx, da: (dx, [da * 2.0, da * 3.0])

        def total(x, a, b):
            r = f(x, [a, b])
            return r[0] + 100.0 * r[1]["a"]

        assert [float(g) for g in gradient(total, X, X + 1.0, X + 2.0)] == [1.0, 200.0, 300.0]

    @pytest.mark.parametrize("grads", [lambda dy: dy * 7.0, lambda dy: [dy * 7.0], lambda dy: (dy * 7.0,)])
    def test_what_grad_fn_may_return(self, grads):
        f = tf.custom_gradient(lambda x: (x * x, grads))
        assert float(gradient(f, X)[0]) == 7.0 * 1.0

    @pytest.mark.parametrize("constant", [5.0, np.float32(5.0), 5])
    def test_numbers_become_tensors(self, constant):
        f = tf.custom_gradient(lambda x: (x * x, lambda dy: constant))
        (g,) = gradient(f, X)
        assert isinstance(g, tf.Tensor) and g.dtype == tf.float32 and float(g) == 5.0

    def test_numpy_results(self):
        f = tf.custom_gradient(lambda x: (np.float32(7.0), lambda dy: dy * 3.0))
        assert float(f(X)) == 7.0 and float(gradient(f, X)[0]) == 3.0

    def test_methods(self):
        class Model:
            scale = 5.0

            @tf.custom_gradient
            def call(self, x):
                return x * x, lambda dy: dy * self.scale

        assert float(gradient(Model().call, X)[0]) == 5.0

    def test_keyword_arguments_get_no_gradient(self):
        f = tf.custom_gradient(lambda x, y=2.0: (x * y, lambda dy: dy * 10.0))
        assert float(gradient(lambda x: f(x, y=x), X)[0]) == 10.0

    def test_variables(self):
        w = tf.Variable(2.0)

        @tf.custom_gradient
        def f(x):
            def grad(dy, *, variables=None):
                assert len(variables) == 1 and variables[0] is w
                return dy * w, [dy * 7.0]

            return x * w, grad

        with tf.GradientTape() as tape:
            tape.watch(X)
            y = f(X)
        assert [float(g) for g in tape.gradient(y, [X, w])] == [2.0, 7.0]

    def test_a_variable_as_argument(self):
        w = tf.Variable(2.0)
        f = tf.custom_gradient(lambda x, v: (x * v, lambda dy: (dy * 7.0, dy * 8.0)))
        with tf.GradientTape() as tape:
            y = f(X, w)
        assert float(tape.gradient(y, w)) == 8.0

    def test_second_order_goes_through_grad_fn(self):
        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            return tf.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

        x = tf.constant(0.3, tf.float64)
        with tf.GradientTape() as outer:
            outer.watch(x)
            (first,) = gradient(log1pexp, x)
        s = 1 / (1 + np.exp(-0.3))
        np.testing.assert_allclose(first, s)
        np.testing.assert_allclose(outer.gradient(first, x), s * (1 - s))

    def test_nested(self):
        @tf.custom_gradient
        def f(x):
            @tf.custom_gradient
            def slope(dy):
                return dy * 5.0, lambda ddy: ddy * 11.0

            return x * x, slope

        with tf.GradientTape() as outer:
            outer.watch(X)
            with tf.GradientTape() as inner:
                inner.watch(X)
                y = f(X * X)
            g = inner.gradient(y, X)
        assert float(g) == 30.0
        assert float(outer.gradient(g, X)) == 10.0

    @pytest.mark.parametrize(
        "f, error, text",
        [
            (
                lambda x: (x * 1.0, lambda dy: (dy, dy)),
                ValueError,
                "expected to return 1 gradients, but returned 2",
            ),
            (
                lambda x: (x * 1.0, lambda dy: []),
                ValueError,
                "expected to return 1 gradients, but returned 0",
            ),
            (lambda x: (x * 1.0, lambda dy: 1 / 0), ZeroDivisionError, "division"),
        ],
    )
    def test_errors(self, f, error, text):
        with pytest.raises(error, match=text):
            gradient(tf.custom_gradient(f), X)

    def test_errors_about_variables(self):
        w = tf.Variable(2.0)
        with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
            tf.custom_gradient(lambda x: (x * w, lambda dy: dy))(X)
        f = tf.custom_gradient(lambda x: (x * w, lambda dy, variables: (dy, [dy, dy])))
        with pytest.raises(ValueError, match="Must return gradient for each variable"):
            gradient(f, X)
        f = tf.custom_gradient(lambda x: (x * w, lambda dy, variables: dy))
        with pytest.raises(TypeError, match="gradients of the variables"):
            gradient(f, X)


class TestRecomputeGrad:
    def test_gradients_are_those_of_f(self):
        w = tf.Variable(2.0)
        f = lambda x, y: tf.sin(x * w) * y
        again = tf.recompute_grad(f)
        assert again.__wrapped__ is f
        x, y = tf.constant(0.3), tf.constant(1.7)
        for g in (f, again):
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                value = g(x, y)
            found = tape.gradient(value, [x, y, w])
            expected = [1.7 * 2 * np.cos(0.6), np.sin(0.6), 1.7 * 0.3 * np.cos(0.6)]
            np.testing.assert_allclose(found, expected, rtol=1e-6)

    def test_third_order(self):
        f = tf.recompute_grad(lambda x: x**4)
        x = tf.constant(2.0, tf.float64)

        def nth(n):
            if n == 0:
                return f(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = nth(n - 1)
            return tape.gradient(y, x)

        assert [float(nth(n)) for n in (1, 2, 3)] == [32.0, 48.0, 48.0]

    def test_other_arguments(self):
        f = tf.recompute_grad(lambda pair, n: pair[0] * pair[1] * tf.cast(n, tf.float32))
        assert [float(g) for g in gradient(lambda a, b: f((a, b), 3), X, X + 1.0)] == [12.0, 9.0]
        twice = tf.recompute_grad(lambda a, b: a * b)
        assert float(gradient(lambda x: twice(x, x), X)[0]) == 6.0

    def test_intermediate_values_are_not_kept(self):
        refs = []

        def f(x):
            hidden = tf.exp(x)
            refs.append(weakref.ref(hidden))
            return tf.sin(hidden)

        with tf.GradientTape() as tape:
            tape.watch(X)
            y = tf.recompute_grad(f)(X)
        gc.collect()
        assert refs[0]() is None
        np.testing.assert_allclose(tape.gradient(y, X), np.cos(np.exp(3.0)) * np.exp(3.0), rtol=1e-4)


def test_grad_pass_through():
    w = tf.Variable(2.0)
    f = tf.grad_pass_through(lambda x: tf.round(x) * w)
    x = tf.constant(1.7)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = 3.0 * f(x)
    dx, dw = tape.gradient(y, [x, w])
    assert float(y) == 12.0 and float(dx) == 3.0 and dw is None


class TestShapes:
    def test_a_number_is_broadcast(self):
        x = tf.constant([1.0, 2.0])
        np.testing.assert_array_equal(
            gradient(tf.custom_gradient(lambda x: (x * 2.0, lambda dy: 5.0)), x)[0], [5.0, 5.0]
        )

    def test_a_broadcast_one_is_summed(self):
        f = tf.custom_gradient(lambda x: (x * tf.ones([3]), lambda dy: dy * 2.0))
        assert float(gradient(f, X)[0]) == 6.0

    def test_another_shape_is_refused(self):
        f = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: tf.ones([3])))
        with pytest.raises(ValueError, match=r"shape \(3,\) for input 0, whose shape is \(2,\)"):
            gradient(f, tf.constant([1.0, 2.0]))


def test_the_users_arithmetic_absorbs_nothing():
    """The second sweep, after a NaN, runs the engine's rules in absorbing arithmetic, and not the user's code."""
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(dy):
            seen.append(float(tf.constant(0.0) * tf.constant(np.inf)))
            return dy

        return x * 1.0, grad

    x = tf.constant([0.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.where(x > 0.0, tf.sqrt(f(x)), 0.0)
    np.testing.assert_array_equal(tape.gradient(y, x), [0.0, 0.25])
    assert np.isnan(seen).all()
