"""Python's control flow on tensors becomes that of the graph, and gives what Python gives."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import gradtape as tf

W = tf.Variable(1.5)


class Doubling:
    def __call__(self, x):
        return x * 2.0


doubled = Doubling()


def branches(x):
    if x > 2.0:
        y = x * W
    elif x > 0.0:
        y = x - W
    else:
        y = -x
    return y


def early_return(x):
    if x > 2.0:
        return x * x
    if x > 1.0:
        return x
    return -x


def nested_returns(x):
    if x > 0.0:
        if x > 2.0:
            return x
        x = x * 2.0
    return x + 1.0


def expression(x):
    return (x if x > 1.0 else -x) * (2.0 if x < 0.0 and not x < -3.0 or x > 10.0 else 3.0)


def while_loop(x):
    n = 0
    while x < 50.0:
        x = tf.abs(x) * W + 1.0
        n += 1
    return x * tf.cast(n, tf.float32)


def broken(x):
    i = 0
    while x < 1000.0 and i < 20:
        i += 1
        if i == 2:
            continue
        x = x * W
        if x > 20.0:
            break
    return x


def return_in_loop(x):
    for i in tf.range(5):
        x = x * W
        if x > 6.0:
            return x + tf.cast(i, tf.float32)
    return -x


def nested_loops(x):
    total = 0.0
    for i in tf.range(4):
        for j in range(i + 1) if isinstance(i, int) else tf.range(i + 1):
            if j == 2:
                continue
            total = total + x * tf.cast(i + j, tf.float32)
            if total > 30.0:
                break
    return total * W


def python_loop(x):
    for scale in (1.0, 2.0, 3.0):
        if x > 5.0:
            x = x - scale
        else:
            x = x * W
    return x


def square(x):
    return x * x if x > 1.0 else x


def helpers(x):
    double = lambda v: v + v if v > 1.0 else v
    return square(x) + double(x)


def composite(x):
    box = {"a": x, "b": [x]}
    if x > 1.0:
        box["a"] = x * 3.0
    else:
        box["b"] = [x * 4.0]
    return box["a"] * box["b"][0]


def tuples(x):
    pair = (x, 1.0)
    while pair[1] < 4.0:
        pair = (pair[0] * W, pair[1] + 1.0)
    return pair[0] + pair[1]


def defined_in_the_loop(x):
    for _ in tf.range(3):
        y = x * W
        x = y - 0.5
    return y


def mapped(x):
    return tf.reduce_sum(tf.map_fn(lambda v: v * W if v > 1.0 else -v, tf.stack([x, x * 2.0])))


def negative_range(x):
    for i in tf.range(5, 0, -2):
        x = x * W - tf.cast(i, tf.float32)
    return x


def rows(x):
    total = x * 0.0
    for row in tf.stack([[x, 1.0], [2.0, x], [x, x], [100.0, x]]):
        if row[0] > 50.0:
            break
        total = total * W + tf.reduce_prod(row)
    return total


def rows_of_none(x):
    for row in tf.stack([x, x])[:0]:
        x = x + row
    return x


PROGRAMS = [
    branches, early_return, nested_returns, expression, while_loop, broken, return_in_loop, nested_loops, python_loop,
    helpers, composite, tuples, defined_in_the_loop, mapped, negative_range, rows, rows_of_none,
]  # fmt: skip


def derivatives(f, x):
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            y = f(x)
        dx, dw = first.gradient(y, [x, W], unconnected_gradients="zero")
    return y, dx, dw, second.gradient(dx, x, unconnected_gradients="zero")


@pytest.mark.parametrize("value", [-4.0, 0.5, 1.2, 2.5, 12.0])
@pytest.mark.parametrize("program", PROGRAMS, ids=[f.__name__ for f in PROGRAMS])
def test_as_eager(program, value):
    x = tf.constant(value)
    expected = [float(part) for part in derivatives(program, x)]
    for f in (tf.function(program), tf.autograph.to_graph(program)):
        np.testing.assert_allclose([float(part) for part in derivatives(f, x)], expected, rtol=1e-5)
    inside = tf.function(lambda x: derivatives(program, x))(x)
    np.testing.assert_allclose([float(part) for part in inside], expected, rtol=1e-5)


def test_one_trace_serves_both_ways():
    f = tf.function(branches)
    assert [float(f(tf.constant(v))) for v in (-1.0, 1.0, 3.0)] == [1.0, -0.5, 4.5]
    assert f.experimental_get_tracing_count() == 1


def test_state_in_the_branch_that_is_taken():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        if x > 0.0:
            v.assign_add(x)
        else:
            v.assign(-100.0)
        for _ in tf.range(3):
            v.assign_add(1.0)

    f(tf.constant(2.0))
    assert float(v) == 5.0


def test_loops_without_loop_variables(capsys):
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        while v < 3.0:
            v.assign_add(1.0)
        for row in x:
            v.assign(v * 2.0 + row)
            tf.print(v, output_stream=sys.stdout)
        return v * 1.0

    with tf.GradientTape() as tape:
        y = f(tf.constant([1.0, 2.0]))
    assert float(y) == 16.0 and capsys.readouterr().out == "7\n16\n"
    assert float(tape.gradient(y, v)) == 1.0


def test_attributes():
    class Counter:
        n = 0

    @tf.function
    def f(x):
        counter = Counter()
        counter.n = x
        while counter.n < 10:
            counter.n = counter.n * 2
        return counter.n

    assert int(f(tf.constant(3))) == 12


class TestDatasets:
    def test_sum(self):
        data = tf.data.Dataset.from_tensor_slices(np.arange(6.0).astype(np.float32)).batch(4)

        @tf.function
        def total(w):
            found = tf.constant(0.0)
            for batch in data:
                if tf.reduce_sum(batch) > 100.0:
                    break
                found += tf.reduce_sum(batch * w)
            return found

        w = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = total(w)
        assert float(y) == 30.0 and float(tape.gradient(y, w)) == 15.0
        assert float(total(w)) == 30.0

    def test_pairs(self):
        data = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [10, 20, 30]))

        @tf.function
        def f():
            s = 0
            for a, b in data:
                if a == 2:
                    continue
                s += a * b
            return s

        assert int(f()) == 100

    def test_next(self):
        @tf.function
        def f(iterator):
            return next(iterator) * 10

        iterator = iter(tf.data.Dataset.range(2))
        assert [int(f(iterator)), int(f(iterator))] == [0, 10]
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            f(iterator)


class TestErrors:
    def raises(self, f, error, text, *args):
        with pytest.raises(error, match=text) as info:
            tf.function(f)(*map(tf.constant, args or (1.0,)))
        lines = [str(entry.path) for entry in info.traceback[1:]] + getattr(info.value, "__notes__", [])
        assert any(__file__ in line for line in lines)

    def test_branches(self):
        def undefined(x):
            if x > 0.0:
                y = x
            return y

        def no_return(x):
            if x > 0.0:
                return x

        def dtypes(x):
            if x > 0.0:
                y = x
            else:
                y = 1
            return y

        def none(x):
            y = None
            if x > 0.0:
                y = x
            return y

        self.raises(undefined, ValueError, "'y' must also be initialized in the else branch")
        self.raises(no_return, ValueError, "the else branch must also have a return statement")
        self.raises(
            dtypes, TypeError, "'y' has dtype float32 in the main branch, but dtype int32 in the else branch"
        )
        self.raises(none, ValueError, "'y' is None at the end of the else branch")

    def test_conditions(self):
        def number(x):
            if x:
                return 1
            return 2

        self.raises(
            number, ValueError, "condition of if statement expected to be `tf.bool` scalar.*use `tf.cast`"
        )
        self.raises(number, ValueError, "scalar, got .*to check for None", [True, False])

    def test_loops(self):
        def dtype(x):
            for _ in tf.range(2):
                x = tf.cast(x, tf.float64)
            return x

        def shape(x):
            for _ in tf.range(2):
                x = tf.stack([x, x])
            return x

        def python(x):
            for _ in range(3):
                if x > 0.0:
                    break
            return x

        def never(x):
            for i in tf.range(0):
                y = i
            return y

        self.raises(
            dtype, TypeError, "'x' has dtype float32 before the loop, but dtype float64 after one iteration"
        )
        self.raises(
            shape, ValueError, r"'x' has shape \(\) before the loop, but shape \(2,\) after one iteration"
        )
        self.raises(
            python, NotImplementedError, "depend on a TF condition are not supported in Python for loops"
        )
        self.raises(never, tf.errors.InvalidArgumentError, "loop must iterate at least once to initialize y")

    def test_the_users_line(self):
        def f(x):
            if x > 0.0:
                return x + "a"  # wrong
            return x

        with pytest.raises((TypeError, ValueError)) as info:
            tf.function(f)(tf.constant(1.0))
        lines = [str(entry.statement) for entry in info.traceback if str(entry.path) == __file__]
        assert any("wrong" in line for line in lines)

    def test_assert(self):
        def f(x):
            assert x > 0.0, "too small"
            return x

        g = tf.function(f)
        assert float(g(tf.constant(1.0))) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="too small"):
            g(tf.constant(-1.0))


class TestControl:
    def test_off(self):
        with pytest.raises(
            tf.errors.OperatorNotAllowedInGraphError, match="as a Python `bool` is not allowed"
        ):
            tf.function(branches, autograph=False)(tf.constant(1.0))

    def test_do_not_convert(self):
        @tf.autograph.experimental.do_not_convert
        def left(x):
            return x if x > 0.0 else -x

        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
            tf.function(lambda x: left(x))(tf.constant(1.0))

    def test_loop_options(self):
        @tf.function
        def f(x):
            n = 0
            for _ in tf.range(10):
                tf.autograph.experimental.set_loop_options(maximum_iterations=3)
                n += 1
            while tf.size(x) < 5:
                tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
                x = tf.concat([x, x], 0)
            return n, x

        n, x = f(tf.constant([1]))
        assert int(n) == 3 and x.shape == [8]

    def test_code(self):
        code = tf.autograph.to_code(branches)
        assert "def tf__branches(x)" in code and "ag__.if_stmt" in code

    def test_functions_without_control_flow_are_not_converted(self, monkeypatch):
        from gradtape._src.function import conversion

        def fail(*args):
            raise AssertionError("converted")

        monkeypatch.setattr(conversion._transpiler, "converted", fail)
        scale = tf.constant(2.0)

        def helper(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = [v * scale for v in (x, x)][0]
            return tape.gradient(y, x)

        assert float(tf.function(lambda x: helper(x) + tf.exp(x * 0.0))(tf.constant(1.0))) == 3.0
        inner = tf.function(lambda x: tf.cast(tf.range(3)[1], x.dtype) * x)  # tf.range is not Python's range
        custom = tf.custom_gradient(lambda x: (inner(x), lambda dy: dy))
        again = tf.recompute_grad(lambda x: custom(x))
        assert float(tf.function(lambda x: inner(x) + custom(x) + again(x))(tf.constant(1.0))) == 3.0

    def test_what_is_put_around_a_function_hides_no_control_flow(self):
        assert float(tf.function(lambda x: tf.recompute_grad(branches)(x))(tf.constant(-2.0))) == 2.0

    def test_functions_inside_are_converted_once(self, monkeypatch):
        """With the function around them, although they reach an object that could do anything."""
        from gradtape._src.function import conversion

        seen = []
        converted = conversion._transpiler.converted
        note = lambda f: seen.append(f.__qualname__.split(".")[-1]) or converted(f)
        monkeypatch.setattr(conversion._transpiler, "converted", note)

        @tf.function
        def outer(x):
            def inside(a):
                return doubled(a) if a > x[0] else a

            for _ in tf.range(2):
                x = tf.map_fn(inside, x) + inside(x[1])
            return x

        np.testing.assert_array_equal(outer(tf.constant([1.0, 2.0])), [21.0, 32.0])
        assert set(seen) == {"outer", "__call__"}

    def test_source_that_cannot_be_found(self, caplog):
        namespace = {}
        exec("def f(x):\n    return x + 1 if isinstance(x, int) else x", namespace)
        with caplog.at_level("WARNING", "tensorflow"):
            assert int(tf.function(namespace["f"])(tf.constant(1))) == 1

    def test_built_in_functions(self):
        def f(x):
            return [max(x, 2.0), min(x, 2.0), len(tf.stack([x, x])), int(x), float(x), abs(x), sum([x, x])]

        found = tf.function(f)(tf.constant(3.5))
        assert [float(part) for part in found] == [3.5, 2.0, 2.0, 3.0, 3.5, 3.5, 7.0]

    def test_super(self):
        class Base:
            def f(self, x):
                return x * 2.0 if x > 0.0 else x

        class Derived(Base):
            @tf.function
            def f(self, x):
                if x > 100.0:
                    return x
                return super().f(x) + 1.0

        assert float(Derived().f(tf.constant(1.0))) == 3.0
