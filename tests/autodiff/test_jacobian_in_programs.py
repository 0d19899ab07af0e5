"""Gradients through Jacobians, and Jacobians through gradient functions of a user's own."""

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1


class TestGradientsOfJacobians:
    """A penalty on the Jacobian of a program that uses tensors and variables from outside."""

    x = np.array([[0.5, -1.0], [2.0, 0.3], [0.1, 0.7]])
    factor = tf.constant([[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]], tf.float64)

    def penalty(self, x, w):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x * w) * self.factor * x[:, ::-1]
        return tf.reduce_sum(tape.batch_jacobian(y, x) ** 2)

    def plain(self, x, w):
        return self.penalty(x, w)

    def in_a_branch(self, x, w):
        return tf.cond(x[0, 0] > 0, lambda: self.penalty(x, w), lambda: tf.reduce_sum(w))

    def in_a_loop(self, x, w):
        step = lambda i, total: (i + 1, total + self.penalty(x, w) * tf.cast(i, tf.float64))
        return tf.while_loop(lambda i, total: i < 2, step, [0, tf.constant(0.0, tf.float64)])[1]

    @pytest.mark.parametrize("form", ["plain", "in_a_branch", "in_a_loop"])
    def test_captured(self, form):
        f, w = getattr(self, form), tf.Variable([1.0, -0.5], dtype=tf.float64)

        def gradients(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                total = f(x, w)
            return tape.gradient(total, [x, w])

        x = tf.constant(self.x)
        for found, expected in zip(tf.function(gradients)(x), gradients(x), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
        along, step = [np.cos(self.x), np.array([0.3, -2.0])], 1e-6
        high, low = (f(x + e * along[0], w + e * along[1]) for e in (step, -step))
        slope = sum(np.sum(g * d) for g, d in zip(gradients(x), along, strict=True))
        np.testing.assert_allclose(slope, (high - low) / (2 * step), rtol=1e-6)


@tf.custom_gradient
def cubed_by_numpy(x):
    return x**3, lambda g: tf.numpy_function(lambda g, x: 3 * x * x * g, [g, x], g.dtype)


@tf.custom_gradient
def cubed_by_python(x):
    return x**3, lambda g: 3 * x * x * g if float(tf.reduce_sum(g)) >= 0 else 3 * g * x * x


class TestGradientsByPython:
    """A user's gradient function that calls Python with values, or decides by them."""

    x = tf.constant([0.5, -1.0], tf.float64)

    def recorded(self, f, x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.linalg.matvec(tf.constant(np.arange(10.0).reshape(5, 2)), f(x))
        return tape, y

    @pytest.mark.parametrize("f", [cubed_by_numpy, cubed_by_python])
    @pytest.mark.parametrize("mode", ["auto", "reverse"])
    def test_row_by_row(self, f, mode):
        tape, y = self.recorded(f, self.x)
        expected = np.arange(10.0).reshape(5, 2) * 3 * self.x**2
        np.testing.assert_allclose(tape.jacobian(y, self.x, mode=mode), expected)

    def test_recorded_by_an_outer_tape(self):
        with tf.GradientTape() as outer:
            outer.watch(self.x)
            tape, y = self.recorded(cubed_by_python, self.x)
            total = tf.reduce_sum(tape.jacobian(y, self.x, mode="reverse"))
        np.testing.assert_allclose(outer.gradient(total, self.x), [20 * 6 * 0.5, 25 * 6 * -1.0])

    def test_in_a_function(self):
        @tf.function
        def f(x):
            tape, y = self.recorded(cubed_by_numpy, x)
            return tape.jacobian(y, x)

        np.testing.assert_allclose(f(self.x), np.arange(10.0).reshape(5, 2) * 3 * self.x**2)

    def test_along_a_batch_axis_in_a_function(self):
        @tf.function
        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = cubed_by_numpy(x) * 2.0
            return tape.batch_jacobian(y, x)

        x = np.array([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]])
        np.testing.assert_allclose(f(tf.constant(x)), 6 * x[:, :, None] ** 2 * np.eye(2))

    @pytest.mark.parametrize("place", ["function", "branch", "session"])
    def test_its_effects_happen_in_every_row(self, place, capsys):
        @tf.custom_gradient
        def square(x):
            def back(g):
                tf.print(g)
                return 2 * x * g

            return x * x, back

        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = square(x)
            return tape.jacobian(y, x, mode="reverse")

        if place == "session":
            with tf.Graph().as_default(), v1.Session() as session:
                x = v1.placeholder(tf.float64, [None])
                found = session.run(f(x), {x: self.x.numpy()})
        elif place == "branch":
            found = tf.function(lambda x: tf.cond(x[0] > 0, lambda: f(x), lambda: tf.linalg.diag(x)))(self.x)
        else:
            found = tf.function(f)(self.x)
        np.testing.assert_allclose(found, np.diag(2 * self.x))
        assert capsys.readouterr().err.splitlines() == ["[1 0]", "[0 1]"]

    @pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
    def test_forwards_there_is_no_way(self, wrap):
        @wrap
        def f(x):
            tape, y = self.recorded(cubed_by_numpy, x)
            return tape.jacobian(y, x, mode="forward")

        with pytest.raises(LookupError, match="cannot be taken forwards"):
            f(self.x)
