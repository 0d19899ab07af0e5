"""``while_loop``, ``map_fn``, ``scan``, ``foldl``, ``foldr`` and ``TensorArray`` in eager mode."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

X = tf.constant([1.0, 2.0, 3.0])


def gradient(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


class TestWhileLoop:
    def test_structures(self):
        i, nest = tf.while_loop(
            lambda i, nest: i < 3, lambda i, nest: (i + 1, {"a": [nest["a"][0] * 2.0]}), (0, {"a": [X]})
        )
        assert int(i) == 3
        np.testing.assert_array_equal(nest["a"][0], [8.0, 16.0, 24.0])
        assert isinstance(tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0]), list)

    def test_a_single_variable_need_not_be_in_a_list(self):
        (i,) = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
        assert int(i) == 3

    def test_zero_trips(self):
        found = gradient(
            lambda x: tf.while_loop(lambda i, y: i < 0, lambda i, y: (i + 1, y * y), (0, x))[1], X
        )
        np.testing.assert_array_equal(found, [1.0, 1.0, 1.0])

    def test_maximum_iterations(self):
        (i,) = tf.while_loop(lambda i: tf.constant([[True]]), lambda i: [i + 1], [0], maximum_iterations=4)
        assert int(i) == 4
        with pytest.raises(ValueError, match="'maximum_iterations' must be a scalar"):
            tf.while_loop(lambda i: True, lambda i: [i + 1], [0], maximum_iterations=tf.constant([2]))

    def test_gradients_of_values_and_captures(self):
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            tape.watch(X)
            _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * w), (0, X))
        dx, dw = tape.gradient(y, [X, w])
        np.testing.assert_array_equal(dx, [8.0] * 3)
        assert float(dw) == 3 * 4.0 * 6.0

    def test_back_prop_off(self):
        loop = lambda x: tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), (0, x), back_prop=False
        )[1]
        assert gradient(loop, X) is None

    @pytest.mark.parametrize(
        "call, error, text",
        [
            (lambda: tf.while_loop(5, lambda i: i, [0]), TypeError, "'cond' must be callable"),
            (lambda: tf.while_loop(lambda i: i, 5, [0]), TypeError, "'body' must be callable"),
            (lambda: tf.while_loop(lambda i: i, lambda i: i, []), ValueError, "'loop_vars' must be provided"),
            (
                lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, [j]), [0, 1.0]),
                ValueError,
                "don't have the same nested structure",
            ),
            (
                lambda: tf.while_loop(lambda i: i < 3, lambda i: [tf.cast(i, tf.float32)], [0]),
                TypeError,
                "int32, but has dtype float32 after 1 iteration",
            ),
            (
                lambda: tf.while_loop(
                    lambda i: i < 3, lambda i: [i + 1], [0], shape_invariants=[tf.TensorShape([2])]
                ),
                ValueError,
                "not compatible with its shape invariant",
            ),
        ],
    )
    def test_errors(self, call, error, text):
        with pytest.raises(error, match=text):
            call()


class TestMapFn:
    def test_nests(self):
        found = tf.map_fn(
            lambda a: {"u": a[0] + a[1], "v": a[0] > 1.0},
            (X, X),
            fn_output_signature={"u": tf.float32, "v": tf.bool},
        )
        np.testing.assert_array_equal(found["u"], [2.0, 4.0, 6.0])
        np.testing.assert_array_equal(found["v"], [False, True, True])

    def test_gradient_and_second_derivative(self):
        with tf.GradientTape() as outer:
            outer.watch(X)
            with tf.GradientTape() as inner:
                inner.watch(X)
                y = tf.map_fn(lambda a: a**3, X)
            first = inner.gradient(y, X)
        np.testing.assert_allclose(first, [3.0, 12.0, 27.0])
        np.testing.assert_allclose(outer.gradient(first, X), [6.0, 12.0, 18.0])

    def test_gradient_of_captures(self):
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.map_fn(lambda a: a * w, X)
        assert float(tape.gradient(y, w)) == 6.0

    def test_no_elements(self):
        assert tf.map_fn(lambda a: a, tf.zeros([0, 3])).shape == (0,)

    def test_tape_inside(self):
        np.testing.assert_array_equal(tf.map_fn(lambda a: gradient(lambda a: a * a, a), X), [2.0, 4.0, 6.0])

    def test_cost_is_linear(self):
        """One operation takes the input apart and one puts the result together, whatever the length."""
        with tf.GradientTape() as tape:
            x = tf.range(300.0)
            tape.watch(x)
            tf.map_fn(lambda a: a * a, x)
        assert len(tape._recording.nodes) == 302

    @pytest.mark.parametrize(
        "call, error, text",
        [
            (lambda: tf.map_fn(lambda a: a, tf.constant(1.0)), ValueError, "not scalars"),
            (lambda: tf.map_fn(lambda a: a, []), ValueError, "elems must be a Tensor or"),
            (lambda: tf.map_fn(lambda a: (a, a), X), ValueError, "don't have the same nested structure"),
            (
                lambda: tf.map_fn(lambda a: (a[0], a[1]), [X, X]),
                TypeError,
                "don't have the same nested structure",
            ),
            (
                lambda: tf.map_fn(lambda a: a > 0.0, X),
                tf.errors.InvalidArgumentError,
                "float32 but Op is trying to write",
            ),
            (lambda: tf.map_fn(lambda a: tf.zeros([int(a)]), X), ValueError, "Incompatible shape for value"),
            (
                lambda: tf.map_fn(lambda a: a[0], [X, X[:2]]),
                ValueError,
                "Dimensions 3 and 2 are not compatible",
            ),
            (lambda: tf.map_fn(5, X), TypeError, "not callable"),
        ],
    )
    def test_errors(self, call, error, text):
        with pytest.raises(error, match=text):
            call()


class TestScanAndFolds:
    def test_scan(self):
        np.testing.assert_array_equal(tf.scan(lambda a, b: a + b, X), [1.0, 3.0, 6.0])
        np.testing.assert_array_equal(
            tf.scan(lambda a, b: a + b, X, initializer=10.0, reverse=True), [16.0, 15.0, 13.0]
        )
        sums, products = tf.scan(lambda a, b: (a[0] + b, a[1] * b), X, initializer=(0.0, 1.0))
        np.testing.assert_array_equal(sums, [1.0, 3.0, 6.0])
        np.testing.assert_array_equal(products, [1.0, 2.0, 6.0])
        assert tf.scan(lambda a, b: a + b, tf.zeros([0]), initializer=1.0).shape == (0,)

    def test_scan_derivatives(self):
        x, a = tf.constant([2.0, 3.0], tf.float64), tf.constant(1.5, tf.float64)
        with tf.GradientTape() as outer:
            outer.watch([x, a])
            with tf.GradientTape() as inner:
                inner.watch([x, a])
                y = tf.scan(lambda s, b: s * b + a, x, initializer=tf.constant(1.0, tf.float64))
            dx, da = inner.gradient(y, [x, a])  # y = [x0 + a, (x0 + a) x1 + a]
        np.testing.assert_allclose(dx, [1 + 3, 3.5])
        np.testing.assert_allclose(da, 1 + 3 + 1)
        np.testing.assert_allclose(outer.gradient(da, x), [0.0, 1.0])

    def test_folds(self):
        assert float(tf.foldl(lambda a, b: a - b, X)) == -4.0
        assert float(tf.foldr(lambda a, b: a - b, X)) == 0.0
        a, b = tf.foldr(lambda a, b: (a[0] - b, a[1] + b), X, initializer=(1.0, 2.0))
        assert (float(a), float(b)) == (-5.0, 8.0)
        np.testing.assert_array_equal(gradient(lambda x: tf.foldl(lambda a, b: a * b, x), X), [6.0, 3.0, 2.0])

    def test_errors(self):
        with pytest.raises(tf.errors.OutOfRangeError, match="Tried to read from index 0"):
            tf.scan(lambda a, b: a + b, tf.zeros([0]))
        with pytest.raises(ValueError, match="don't have the same nested structure"):
            tf.foldl(lambda a, b: (a, b), X)
        with pytest.raises(ValueError, match="Incompatible shape for value"):
            tf.scan(lambda a, b: tf.concat([a, [b]], 0), X, initializer=tf.zeros([1]))


class TestTensorArray:
    def test_gradient(self):
        def f(x):
            array = tf.TensorArray(tf.float32, 3)
            for i in range(3):
                array = array.write(i, x * float(i))
            return tf.reduce_sum(array.stack() * [1.0, 10.0, 100.0])

        assert float(gradient(f, tf.constant(2.0))) == 210.0

    def test_reads_and_writes(self):
        array = tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack([[1.0, 2.0], [3.0, 4.0]])
        np.testing.assert_array_equal(array.gather([1, 0]), [[3.0, 4.0], [1.0, 2.0]])
        np.testing.assert_array_equal(array.concat(), [1.0, 2.0, 3.0, 4.0])
        assert int(array.size()) == 2 and array.element_shape == (2,)
        array = tf.TensorArray(tf.float32, 3, infer_shape=False).split([1.0, 2.0, 3.0, 4.0], [1, 2, 1])
        np.testing.assert_array_equal(array.read(1), [2.0, 3.0])
        array = tf.TensorArray(tf.float32, 3).scatter([2, 0], [[1.0], [2.0]])
        np.testing.assert_array_equal(array.stack(), [[2.0], [0.0], [1.0]])
        grown = tf.TensorArray(tf.float32, 0, dynamic_size=True).write(2, 1.0)
        np.testing.assert_array_equal(grown.stack(), [0.0, 0.0, 1.0])

    @pytest.mark.parametrize(
        "call, error, text",
        [
            (lambda a: a.write(5, 1.0), tf.errors.OutOfRangeError, "Tried to write to index 5"),
            (lambda a: a.read(5), tf.errors.OutOfRangeError, "Tried to read from index 5"),
            (lambda a: a.read(-1), tf.errors.OutOfRangeError, "Reading from negative indices"),
            (
                lambda a: a.write(0, 1.0).read(0) + a.read(0),
                tf.errors.InvalidArgumentError,
                "Could not read index 0 twice",
            ),
            (
                lambda a: a.write(0, tf.constant(1)),
                tf.errors.InvalidArgumentError,
                "TensorArray dtype is float32",
            ),
            (lambda a: a.write(0, [1.0]).write(1, [1.0, 2.0]), ValueError, "Incompatible shape for value"),
            (lambda a: a.read(0), ValueError, "has no value"),
            (lambda a: tf.TensorArray(tf.float32), ValueError, "Size must be declared"),
        ],
    )
    def test_errors(self, call, error, text):
        with pytest.raises(error, match=text):
            call(tf.TensorArray(tf.float32, 2))
