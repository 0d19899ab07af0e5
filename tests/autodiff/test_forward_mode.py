"""Forward mode: ForwardAccumulator and the derivatives of functions, against reverse mode and differences."""

import numpy as np
import pytest

import gradtape as tf

X = np.array([0.4, -1.3, 0.7])
V = np.array([1.0, -0.5, 2.0])


def scanned(x):
    return tf.scan(lambda a, e: tf.tanh(a + e * tf.reduce_sum(x)), x)


def looped(x):
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y * x) + x[::-1]), (tf.constant(0), x)
    )[1]


@tf.custom_gradient
def custom(x):
    return tf.exp(x), lambda dy: dy * tf.exp(x)


FUNCTIONS = {
    "straight": lambda x: tf.tanh(x) ** 3 * x[0],
    "linear algebra": lambda x: tf.linalg.matvec(tf.linalg.inv(tf.linalg.diag(x) + 0.1), x),
    "scan": scanned,
    "while": looped,
    "cond": lambda x: tf.cond(x[0] > 0.0, lambda: x**3, lambda: x),
    "custom gradient": lambda x: custom(x) * x[1],
    "recomputed": lambda x: tf.recompute_grad(lambda y: tf.tanh(y) * y[0])(x),
    "gather": lambda x: tf.gather(x, [0, 0, 2]) ** 2,
}
FUNCTIONS |= {
    f"function of {name}": tf.function(FUNCTIONS[name]) for name in ("straight", "scan", "while", "cond")
}

every = pytest.mark.parametrize("name", FUNCTIONS)
places = pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])


def along(f, x, v, step=1e-6):
    return (f(x + step * v) - f(x - step * v)) / (2 * step)


@every
@places
def test_jvp(name, place):
    f = FUNCTIONS[name]
    y, t = place(lambda x, v: tf.autodiff.jvp(f, x, v))(tf.constant(X), tf.constant(V))
    np.testing.assert_allclose(y, f(tf.constant(X)))
    np.testing.assert_allclose(t, along(lambda x: f(tf.constant(x)).numpy(), X, V), rtol=1e-6, atol=1e-8)


@every
@places
def test_products_with_the_hessian(name, place):
    """Forward over reverse, reverse over forward, forward over forward, and the whole Hessian."""
    f = lambda x: tf.reduce_sum(FUNCTIONS[name](x) ** 2)

    def ways(x, v):
        hv = tf.autodiff.hvp(f, x, v)
        with tf.GradientTape() as tape:
            tape.watch(x)
            t = tf.autodiff.jvp(f, x, v)[1]
        reverse_over_forward = tf.convert_to_tensor(tape.gradient(t, x))
        vhv = tf.autodiff.jvp(lambda x: tf.autodiff.jvp(f, x, v)[1], x, v)[1]
        return hv, reverse_over_forward, vhv, tf.autodiff.hessian(f, x)

    hv, other, vhv, h = place(ways)(tf.constant(X), tf.constant(V))

    def gradient(x):
        x = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tf.convert_to_tensor(tape.gradient(y, x)).numpy()

    expected = along(gradient, X, V)
    np.testing.assert_allclose(hv, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(other, hv, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(vhv, np.dot(V, hv), rtol=1e-10)
    np.testing.assert_allclose(np.asarray(h) @ V, hv, rtol=1e-10, atol=1e-12)


def test_third_derivative_by_three_accumulators():
    x, one = tf.constant(2.0), tf.constant(1.0)
    third = lambda x: x**5
    for _ in range(3):
        third = lambda x, f=third: tf.autodiff.jvp(f, x, one)[1]
    np.testing.assert_allclose(third(x), 60 * 4.0)


class TestAccumulator:
    def test_variables(self):
        v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
        with tf.autodiff.ForwardAccumulator([v, w], [tf.constant([1.0, 0.0]), tf.constant(2.0)]) as acc:
            y = v * w
        np.testing.assert_allclose(acc.jvp(y), [3.0 + 2.0, 4.0])
        np.testing.assert_allclose(acc.jvp(v), [1.0, 0.0])

    def test_a_tape_outside_sees_the_tangents(self):
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
                y = x**3
            t = acc.jvp(y)
        np.testing.assert_allclose(tape.gradient(t, x), 18.0)

    def test_a_tape_inside_does_not(self):
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3
        assert tape.gradient(acc.jvp(y), x) is None

    def test_unconnected(self):
        x, z = tf.constant([1.0, 2.0]), tf.constant([[1.0]])
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
            y = z * 2.0
        assert acc.jvp(y) is None
        np.testing.assert_array_equal(acc.jvp([y], unconnected_gradients="zero")[0], [[0.0]])

    def test_a_branch_not_taken(self):
        x = tf.constant([0.0, 4.0])
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
            y = tf.where(x > 0, tf.sqrt(x), 0.0)
        np.testing.assert_allclose(acc.jvp(y), [0.0, 0.25])

    def test_complex(self):
        x = tf.constant(1.0 + 2.0j)
        for direction in (1.0, 1.0j):
            with tf.autodiff.ForwardAccumulator(x, tf.constant(direction, tf.complex128)) as acc:
                y = tf.exp(x) * tf.math.conj(x)
            step = 1e-6
            f = lambda z: np.exp(z) * np.conj(z)
            expected = (f(x.numpy() + step * direction) - f(x.numpy() - step * direction)) / (2 * step)
            np.testing.assert_allclose(acc.jvp(y), expected, rtol=1e-7)

    def test_is_freed_with_the_tensor(self):
        x = tf.constant([1.0])
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0])) as acc:
            for _ in range(100):
                y = x * 2.0
        assert len(acc._tangents) <= 3
        np.testing.assert_allclose(acc.jvp(y), [2.0])

    def test_slices(self):
        x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.autodiff.ForwardAccumulator(x, tf.ones([2, 2])) as acc:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.gather(x, [0, 0]) ** 3)
            gradient = tape.gradient(y, x)
        assert isinstance(acc.jvp(gradient), tf.IndexedSlices)
        np.testing.assert_allclose(tf.convert_to_tensor(acc.jvp(gradient)), [[12.0, 24.0], [0.0, 0.0]])

    @pytest.mark.parametrize("value", [3.0, np.ones(2)])
    def test_the_tangent_of_no_tensor(self, value):
        acc = tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0))
        with pytest.raises(TypeError, match="jvp takes tensors"):
            acc.jvp(value)

    def test_refusals(self):
        x = tf.constant([1.0, 2.0])
        with pytest.raises(ValueError, match="multiple times"):
            tf.autodiff.ForwardAccumulator([x, x], [x, x])
        with pytest.raises(ValueError, match="shape of its primal"):
            tf.autodiff.ForwardAccumulator(x, tf.constant([1.0]))
        with pytest.raises(TypeError, match="tf.constant"):
            tf.autodiff.ForwardAccumulator(1.0, tf.constant(1.0))
        acc = tf.autodiff.ForwardAccumulator(x, x)
        with acc, pytest.raises(ValueError, match="already recording"), acc:
            pass


class TestFunctions:
    def test_vjp(self):
        y, (dx, dw) = tf.autodiff.vjp(lambda x, w: x * w, (tf.constant(X), tf.constant(V)), tf.constant(V))
        np.testing.assert_allclose(dx, V * V)
        np.testing.assert_allclose(dw, X * V)

    def test_an_argument_given_twice_is_two(self):
        x = tf.constant(3.0)
        _, (a, b) = tf.autodiff.vjp(lambda x, w: x**2 * w, (x, x))
        assert (float(a), float(b)) == (18.0, 9.0)

    def test_hessian_of_two_arguments(self):
        f = lambda a, b: tf.reduce_sum(a**2 * b)
        (aa, ab), (ba, bb) = tf.autodiff.hessian(f, (tf.constant(X), tf.constant(V)))
        np.testing.assert_allclose(aa, np.diag(2 * V))
        np.testing.assert_allclose(ab, np.diag(2 * X))
        np.testing.assert_allclose(ba, np.diag(2 * X))
        np.testing.assert_allclose(bb, np.zeros((3, 3)))

    @places
    def test_nests(self, place):
        f = lambda d, pair: tf.reduce_sum(d["a"] ** 2 * pair[0]) * pair[1]
        primals = ({"a": tf.constant(X)}, [tf.constant(V), tf.constant(2.0, tf.float64)])

        def derivatives(*primals):
            found = tf.autodiff.vjp(f, primals)[1], tf.autodiff.jacobian(f, primals)
            return *found, tf.autodiff.hessian(f, primals), tf.autodiff.hvp(f, primals, primals)

        vjp, jacobian, hessian, hvp = place(derivatives)(*primals)
        expected = ({"a": 4 * X * V}, [2 * X**2, np.sum(X**2 * V)])
        for found in (vjp, jacobian):
            tf.nest.map_structure(np.testing.assert_allclose, found, expected)
        np.testing.assert_allclose(hessian[0]["a"][1][0], np.diag(4 * X))
        np.testing.assert_allclose(hessian[1][1][0]["a"], 2 * X * V)
        tf.nest.map_structure(lambda h, e: np.testing.assert_allclose(h, 3 * e), hvp, expected)

    def test_an_argument_of_python_numbers_is_a_tensor(self):
        np.testing.assert_allclose(
            tf.autodiff.hessian(lambda x: tf.reduce_sum(x**3), ([1.0, 2.0],))[0][0], [[6, 0], [0, 12]]
        )

    @places
    def test_examples_that_are_numbers(self, place):
        x = tf.constant(X)
        second = place(lambda f, x: f(lambda x: tf.sin(x) * x, x, batch_axis=0))
        expected = 2 * np.cos(X) - X * np.sin(X)
        np.testing.assert_allclose(second(tf.autodiff.hessian_diagonal, x), expected)
        np.testing.assert_allclose(second(tf.autodiff.laplacian, x), expected)

    @pytest.mark.parametrize("shape", [(3,), (3, 2)])
    def test_axis_out_of_range(self, shape):
        for f in (tf.autodiff.hessian_diagonal, tf.autodiff.laplacian):
            with pytest.raises(ValueError, match="out of range"):
                f(tf.reduce_sum, tf.ones(shape), batch_axis=2)

    @places
    def test_diagonal_and_laplacian(self, place):
        f = lambda x: tf.reduce_sum(x**4) * x[0]
        x = tf.constant(X)
        h = np.asarray(tf.autodiff.hessian(f, x))
        np.testing.assert_allclose(place(lambda x: tf.autodiff.hessian_diagonal(f, x))(x), np.diag(h))
        np.testing.assert_allclose(place(lambda x: tf.autodiff.laplacian(f, x))(x), np.trace(h))

    @places
    @pytest.mark.parametrize("axis", [0, 1])
    def test_by_example(self, place, axis):
        """u(x, y) = x³ y², whose Laplacian is 6 x y² + 2 x³."""
        points = np.random.default_rng(0).normal(size=(5, 2))
        x, y = points.T
        given = tf.constant(points if axis == 0 else points.T.copy())
        u = lambda p: p[:, 0] ** 3 * p[:, 1] ** 2 if axis == 0 else p[0] ** 3 * p[1] ** 2
        found = place(lambda p: tf.autodiff.laplacian(u, p, batch_axis=axis))(given)
        np.testing.assert_allclose(found, 6 * x * y**2 + 2 * x**3)
