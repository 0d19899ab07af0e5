"""Variables, prints, assertions and Python calls in traced functions: executed in order, in every call."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import gradtape as tf


class TestVariables:
    def test_order(self):
        v = tf.Variable(1.0)

        @tf.function
        def f():
            a = v + 0.0
            v.assign_add(2.0)
            b = v + 0.0
            v.assign(v * 10.0)
            return a, b, v.read_value()

        assert [float(x) for x in f()] == [1.0, 3.0, 30.0]
        assert [float(x) for x in f()] == [30.0, 32.0, 320.0]

    def test_an_assignment_that_nobody_reads(self):
        v = tf.Variable(0)
        f = tf.function(lambda: [v.assign_add(1), None][1])
        f(), f()
        assert int(v) == 2

    def test_in_nested_functions(self):
        v = tf.Variable(1)
        inner = tf.function(lambda: v.assign_add(1))

        @tf.function
        def outer():
            inner()
            inner()
            return v * 1

        assert int(outer()) == 3 and int(v) == 3

    def test_value_at_the_call(self):
        v = tf.Variable(2.0)
        f = tf.function(lambda x: x * v)
        assert float(f(tf.constant(1.0))) == 2.0
        v.assign(5.0)
        assert float(f(tf.constant(1.0))) == 5.0

    def test_as_argument(self):
        f = tf.function(lambda v, x: v.assign_add(x))
        a, b = tf.Variable(1.0), tf.Variable(2.0)
        f(a, tf.constant(1.0)), f(b, tf.constant(1.0)), f(a, tf.constant(1.0))
        assert float(a) == 3.0 and float(b) == 3.0

    def test_as_result(self):
        v = tf.Variable(1.0)
        found = tf.function(lambda: v)()
        assert isinstance(found, tf.Tensor) and float(found) == 1.0


class TestCreation:
    def test_in_the_first_call(self):
        class Layer:
            def __init__(self):
                self.w, self.traces = None, 0

            @tf.function
            def __call__(self, x):
                self.traces += 1
                if self.w is None:
                    self.w = tf.Variable(tf.ones([3]) * 2.0)
                return self.w * x

        layer = Layer()
        np.testing.assert_array_equal(layer(tf.constant(2.0)), [4.0] * 3)
        assert layer.traces == 2  # as TensorFlow: the second trace finds the variable there
        layer.w.assign(tf.zeros([3]))
        np.testing.assert_array_equal(layer(tf.constant(2.0)), [0.0] * 3)
        assert layer.traces == 2

    def test_from_an_argument(self):
        made = []

        @tf.function
        def f(x):
            if not made:
                made.append(tf.Variable(x * 2.0))
            return made[0] + x

        assert float(f(tf.constant(3.0))) == 9.0 and float(f(tf.constant(1.0))) == 7.0

    def test_in_each_call(self):
        with pytest.raises(
            ValueError, match="only supports singleton tf.Variables created on the first call"
        ):
            tf.function(lambda x: tf.Variable(1.0) + x)(1.0)

    def test_in_a_later_call(self):
        made = []

        @tf.function
        def f(n):
            if n == 2:
                made.append(tf.Variable(1.0))
            return tf.constant(n)

        f(1)
        with pytest.raises(ValueError, match="Creating variables on a non-first call"):
            f(2)


class TestPrint:
    def test_when_executed(self, capsys):
        @tf.function
        def f(x):
            tf.print("x =", x, {"twice": x * 2}, output_stream=sys.stdout)
            return x

        f(tf.constant([1.0, 2.5])), f(tf.constant([3.0, 4.0]))
        assert capsys.readouterr().out == "x = [1 2.5] {'twice': [2 5]}\nx = [3 4] {'twice': [6 8]}\n"

    # What TensorFlow 2.21 prints.
    @pytest.mark.parametrize(
        "args, options, text",
        [
            ([tf.constant([1.5, 2.0, 1e10, 1e-7])], {}, "[1.5 2 1e+10 1e-07]\n"),
            (
                ["a", tf.constant(1), [1, 2], {"k": tf.constant(2), "b": (1, "s")}],
                {},
                "a 1 [1, 2] {'b': (1, 's'), 'k': 2}\n",
            ),
            ([tf.range(10)], {}, "[0 1 2 ... 7 8 9]\n"),
            ([tf.range(10)], {"summarize": -1}, "[0 1 2 3 4 5 6 7 8 9]\n"),
            ([tf.range(4)], {"summarize": 1, "end": "!"}, "[0 ... 3]!"),
            ([tf.constant("str"), tf.constant(["a", "b"])], {}, '"str" ["a" "b"]\n'),
            ([1, 2], {"sep": ", "}, "1, 2\n"),
            ([None, True, tf.constant(True), np.ones(2)], {}, "None True 1 array([1., 1.])\n"),
            ([tf.constant(1 / 3), tf.constant(1 / 3, tf.float64)], {}, "0.333333343 0.33333333333333331\n"),
            ([tf.constant([0.1, 1e6, 123456.789])], {}, "[0.1 1e+06 123456.789]\n"),
            ([tf.constant([np.nan, np.inf, -np.inf])], {}, "[nan inf -inf]\n"),
            ([tf.zeros([0]), tf.constant([[1, 2], [3, 4]])], {}, "[] [[1 2]\n [3 4]]\n"),
            ([tf.zeros([2, 1, 2])], {}, "[[[0 0]]\n\n [[0 0]]]\n"),
            ([tf.Variable([1.0, 2.0])], {}, "[1 2]\n"),
            ([], {}, "\n"),
        ],
    )
    def test_text(self, capsys, args, options, text):
        tf.print(*args, output_stream=sys.stdout, **options)
        assert capsys.readouterr().out == text

    def test_streams(self, capsys, tmp_path, caplog):
        tf.print("x")
        assert capsys.readouterr().err == "x\n"
        path = tmp_path / "out.txt"
        for _ in range(2):
            tf.print("x", output_stream=f"file://{path}")
        assert path.read_text() == "x\nx\n"
        with pytest.raises(ValueError, match="Unsupported output stream"):
            tf.print("x", output_stream=3)
        with pytest.raises(ValueError, match="Unrecognized keyword arguments for tf.print: {'foo': 1}"):
            tf.print("x", foo=1)


class TestPythonFunctions:
    def test_value_and_derivatives(self):
        seen = []

        def cube(x):
            seen.append(x.numpy())
            return x**3

        f = tf.function(lambda x: tf.py_function(cube, [x], tf.float32))
        x = tf.constant(2.0)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = f(x)
            g = first.gradient(y, x)
        assert (float(y), float(g), float(second.gradient(g, x))) == (8.0, 12.0, 12.0)
        assert seen[0] == 2.0

    def test_several_results(self):
        f = tf.function(
            lambda x: tf.py_function(
                lambda a: (a + 1, [1, 2]), [x], [tf.float32, tf.TensorSpec([2], tf.int32)]
            )
        )
        a, b = f(tf.constant(1.0))
        assert float(a) == 2.0 and b.numpy().tolist() == [1, 2]

    def test_numpy_function(self):
        f = tf.function(lambda x: tf.numpy_function(lambda a: np.sinh(a), [x], tf.float32) * x)
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        np.testing.assert_allclose(tape.gradient(y, x), np.sinh(1.0), rtol=1e-6)

    @pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
    def test_errors(self, wrap):
        with pytest.raises(tf.errors.InvalidArgumentError, match="0-th value returned by pyfunc is float64"):
            wrap(lambda: tf.numpy_function(lambda: np.ones(2), [], tf.float32))()
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="pyfunc returns 1 values, but expects to see 2"
        ):
            wrap(lambda: tf.py_function(lambda: [1], [], [tf.int32, tf.int32]))()
        with pytest.raises(ZeroDivisionError):
            wrap(lambda: tf.py_function(lambda: 1 / 0, [], tf.float32))()


def test_random_numbers_are_new_in_each_call():
    f = tf.function(lambda: tf.random.uniform([]))
    assert float(f()) != float(f())


def test_an_error_names_the_line():
    @tf.function
    def f(x, i):
        return tf.gather(x, i)  # here

    with pytest.raises(tf.errors.InvalidArgumentError) as info:
        f(tf.constant([1.0]), tf.constant(3))
    assert any("test_state.py" in note for note in info.value.__notes__)
