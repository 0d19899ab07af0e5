"""``tf.GradientTape`` as its users know it: watching, recording, structures, errors."""

from __future__ import annotations

import functools
import gc
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import gradtape as tf


def derivative(f, *xs, **kwargs):
    with tf.GradientTape() as tape:
        tape.watch(list(xs))
        y = f(*xs)
    return tape.gradient(y, list(xs), **kwargs)


X = tf.constant(3.0)


class TestWatching:
    def test_a_constant_is_not_watched(self):
        with tf.GradientTape() as tape:
            y = X * X
        assert tape.gradient(y, X) is None

    @pytest.mark.parametrize("thing", [np.ones(3), 5.0, None, "x"])
    def test_only_tensors_can_be_watched(self, thing):
        with (
            tf.GradientTape() as tape,
            pytest.raises(ValueError, match=f"of type {type(thing).__name__!r}, not tf"),
        ):
            tape.watch(thing)

    def test_nests_can_be_watched(self):
        a, b, v = tf.constant(2.0), tf.constant([1.0, 4.0]), tf.Variable(5.0, trainable=False)
        with tf.GradientTape() as tape:
            tape.watch([a, {"b": b}, (v,)])
            y = a * tf.reduce_sum(b) * v
        assert [float(tf.reduce_sum(g)) for g in tape.gradient(y, [a, b, v])] == [25.0, 20.0, 10.0]

    def test_variables_are_watched_when_they_are_read(self):
        v, frozen = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
        with tf.GradientTape() as tape:
            y = v * frozen
        assert [None if g is None else float(g) for g in tape.gradient(y, [v, frozen])] == [3.0, None]

    def test_unless_told_not_to(self):
        v, w = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(w)
            y = v * w
        dv, dw = tape.gradient(y, [v, w])
        assert dv is None and float(dw) == 2.0

    def test_watched_variables(self):
        a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0, trainable=False)
        with tf.GradientTape() as tape:
            assert tape.watched_variables() == ()
            y = b * a * c
            assert [v is w for v, w in zip(tape.watched_variables(), (a, b), strict=True)] == [True, True]
            tape.reset()
            assert tape.watched_variables() == ()
            y = y * b
        tape.gradient(y, b)
        (watched,) = tape.watched_variables()
        assert watched is b

    def test_watching_is_local_to_a_tape(self):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(X)
                y = X * X
        assert float(inner.gradient(y, X)) == 6.0
        assert outer.gradient(y, X) is None

    def test_watched_too_late(self):
        with tf.GradientTape() as tape:
            y = X * X
            tape.watch(X)
        assert tape.gradient(y, X) is None

    @pytest.mark.parametrize("value", [10, True, "text"])
    def test_integers_and_strings_warn(self, value, capfd):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.identity(x)
        assert tape.gradient(y, x) is None


class TestRecording:
    @pytest.mark.parametrize("persistent", [False, True])
    def test_a_tape_that_was_never_entered_has_nothing_to_say(self, persistent):
        x = tf.Variable(2.0)
        for ask in ("gradient", "jacobian"):
            tape = tf.GradientTape(persistent)
            with pytest.raises(RuntimeError, match="never entered"):
                getattr(tape, ask)(x * x, x)

    def test_a_tape_is_used_once(self):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
        tape.gradient(y, X)
        with pytest.raises(RuntimeError, match="A non-persistent GradientTape can only"):
            tape.gradient(y, X)

    def test_a_recording_tape_cannot_be_entered(self):
        with tf.GradientTape() as tape, pytest.raises(ValueError, match="Tape is still recording"):
            tape.__enter__()

    def test_entering_again_goes_on(self):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
        with tape:
            z = y * X
        assert float(tape.gradient(z, X)) == 27.0

    def test_stop_recording(self):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(X)
            y = X * 2.0
            with tape.stop_recording():
                hidden = y * y
            z = y * y
        assert tape.gradient(hidden, X) is None
        assert float(tape.gradient(z, X)) == 24.0
        with pytest.raises(RuntimeError, match="Trying to stop recording a tape which is not recording"):
            with tape.stop_recording():
                pass

    def test_reset(self):
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = v * v
            tape.reset()
            y = v * 5.0 + y
        assert float(tape.gradient(y, v)) == 5.0
        with pytest.raises(ValueError, match="Tape is not recording"):
            tape.reset()

    def test_gradient_inside_the_context(self, capfd):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(X)
            y = X * X
            dy = tape.gradient(y, X)
        assert float(tape.gradient(dy, X)) == 2.0
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
            assert float(tape.gradient(y, X)) == 6.0

    def test_an_exception_leaves_no_tape_behind(self):
        from gradtape._src.core.context import current_recorders

        with pytest.raises(ZeroDivisionError), tf.GradientTape() as tape:
            tape.watch(X)
            1 / 0
        assert current_recorders() == ()

    def test_crossed_contexts(self):
        a, b = tf.GradientTape(), tf.GradientTape()
        a.__enter__()
        a.watch(X)
        y = X * X
        b.__enter__()
        b.watch(X)
        z = y * X
        a.__exit__(None, None, None)
        w = z * X
        b.__exit__(None, None, None)
        assert float(a.gradient(z, X)) == 27.0
        assert float(b.gradient(w, X)) == 54.0  # y is a constant to b: d(9 x^2)/dx


class TestGradient:
    def test_structure(self):
        found = derivative(lambda x: {"a": x * x, "b": [x]}, X)
        assert float(found[0]) == 7.0
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
        found = tape.gradient(y, {"s": X, "t": (X, [X])})
        assert float(found["s"]) == float(found["t"][0]) == float(found["t"][1][0]) == 6.0

    def test_target_is_source(self):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
        assert [float(g) for g in tape.gradient([X, y, X], [X, y])] == [8.0, 1.0]
        n = tf.constant([1, 2])
        with tf.GradientTape() as tape:
            tape.watch(n)
        np.testing.assert_array_equal(tape.gradient(n, n), [1, 1])

    def test_intermediate_sources(self):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * X
            z = y * y
        assert [float(g) for g in tape.gradient(z, [X, y, z])] == [108.0, 18.0, 1.0]

    def test_equal_constants_are_distinct(self):
        a, b = tf.constant(1.0), tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = a * 3.0
        da, db = tape.gradient(y, [a, b])
        assert float(da) == 3.0 and db is None

    def test_output_gradients(self):
        x = tf.constant([1.0, 2.0])
        weight = tf.constant([10.0, 100.0])
        np.testing.assert_array_equal(
            derivative(lambda x: x * x, x, output_gradients=weight)[0], [20.0, 400.0]
        )
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        found = tape.gradient([y, x], x, output_gradients=[weight, tf.constant([1.0, 2.0])])
        np.testing.assert_array_equal(found, [21.0, 402.0])

    @pytest.mark.parametrize("weight", [2.0, [2.0], [[2.0], [3.0]]])
    @pytest.mark.parametrize(
        "f", [lambda x: x * x, tf.identity, lambda x: x @ x], ids=["mul", "identity", "matmul"]
    )
    @pytest.mark.parametrize("decorate", [lambda f: f, tf.function], ids=["eager", "function"])
    def test_output_gradients_broadcast(self, weight, f, decorate):
        """And their own gradient is the sum over what they were broadcast to."""
        x, weight = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant(weight)

        @decorate
        def gradients(x, weight):
            with tf.GradientTape() as outer:
                outer.watch(weight)
                g = derivative(f, x, output_gradients=weight)[0]
            return g, outer.gradient(g, weight)

        found, by_weight = gradients(x, weight)
        full, by_full = gradients(x, tf.broadcast_to(weight, [2, 2]))
        np.testing.assert_array_equal(found, full)
        assert by_weight.shape == weight.shape
        np.testing.assert_allclose(tf.reduce_sum(by_weight), tf.reduce_sum(by_full))

    def test_output_gradients_that_do_not_fit(self):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"output_gradients\[0\] has the shape \(2,\)"
        ):
            derivative(lambda x: x * x, X, output_gradients=tf.constant([1.0, 2.0]))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"float64, but its target of float32"):
            derivative(lambda x: x * x, X, output_gradients=tf.constant(1.0, tf.float64))
        with pytest.raises(ValueError, match="2 weights for 1 target"):
            derivative(lambda x: x * x, X, output_gradients=[tf.constant(1.0), tf.constant(2.0)])

    def test_unconnected(self):
        x, y = tf.Variable([2.0, 2.0]), tf.Variable(3.0)
        with tf.GradientTape(persistent=True) as tape:
            z = y * y
        assert tape.gradient(z, x) is None
        for zero in ("zero", tf.UnconnectedGradients.ZERO):
            np.testing.assert_array_equal(tape.gradient(z, x, unconnected_gradients=zero), [0.0, 0.0])
        with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'nonsense'"):
            tape.gradient(z, x, unconnected_gradients="nonsense")

    def test_what_is_no_tensor(self):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(X)
            y = X * X
        with pytest.raises(TypeError, match="Argument `target` should be a list"):
            tape.gradient(None, X)
        for target, source in ((5.0, X), (y, np.ones(3)), ([y, None], X), (y, [None])):
            with pytest.raises(TypeError, match="must be a tf.Tensor"):
                tape.gradient(target, source)

    def test_path_through_an_integer(self):
        assert float(derivative(lambda x: x * tf.cast(tf.cast(x, tf.int32), tf.float32), X)[0]) == 3.0

    def test_functools_partial_and_star_args(self):
        def f(*args):
            return functools.reduce(lambda a, b: a * b, args)

        assert [float(g) for g in derivative(functools.partial(f, tf.constant(2.0)), X, X)] == [12.0, 12.0]

    def test_max_of_variables(self):
        vs = [tf.Variable(v) for v in (2.0, 3.0, 5.0)]
        with tf.GradientTape() as tape:
            y = max(vs)
        da, db, dc = tape.gradient(y, vs)
        assert da is None and db is None and float(dc) == 1.0

    def test_state_stops_the_gradient(self):
        v, w = tf.Variable(3.0), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            w.assign_add(v)
            y = w * w
        assert tape.gradient(y, v) is None

    def test_outputs_that_nobody_uses(self):
        x = tf.constant([1.0, 2.0, 3.0, 4.0])
        np.testing.assert_array_equal(
            derivative(lambda x: tf.split(x, 2)[1] ** 2, x)[0], [0.0, 0.0, 6.0, 8.0]
        )
        np.testing.assert_array_equal(derivative(lambda x: tf.unstack(x)[2] ** 2, x)[0], [0.0, 0.0, 6.0, 0.0])


class TestHigherOrder:
    @pytest.mark.parametrize(
        "order, expected", [(1, 3.5 * 2.0**2.5), (2, 3.5 * 2.5 * 2.0**1.5), (3, 3.5 * 2.5 * 1.5 * 2.0**0.5)]
    )
    def test_nested_tapes(self, order, expected):
        def nth(x, n):
            if n == 0:
                return x**3.5
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = nth(x, n - 1)
            return tape.gradient(y, x)

        np.testing.assert_allclose(nth(tf.constant(2.0, tf.float64), order), expected, rtol=1e-12)

    def test_inner_step(self):
        w, rate = tf.Variable(2.0), tf.Variable(0.1)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = (w - 3.0) ** 2
            stepped = w - rate * inner.gradient(loss, w)
            after = (stepped - 1.0) ** 2
        np.testing.assert_allclose(outer.gradient(after, [w, rate]), [1.92, 4.8], rtol=1e-5)

    def test_linear_has_no_second_derivative(self):
        w = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = 3.0 * w
            dw = inner.gradient(y, w)
        assert outer.gradient(dw, w) is None


class TestSingularPoints:
    """Zero times infinity is zero, to every order: a branch not taken never poisons the one that was."""

    @pytest.mark.parametrize("at", [0.0, -1.0])
    @pytest.mark.parametrize(
        "f", [tf.sqrt, tf.math.log, tf.math.rsqrt, lambda x: x**0.5, lambda x: 1.0 / x, tf.acos]
    )
    def test_where(self, f, at):
        x = tf.constant([at, 0.25])
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.where(x > 0.0, f(x), 0.0)
            (first,) = inner.gradient(y, [x])
        second = outer.gradient(first, x)
        assert first[0] == 0.0 and second[0] == 0.0
        assert np.isfinite(first[1]) and first[1] != 0.0 and second[1] != 0.0

    def test_infinite_slope_meets_a_zero(self):
        c, x = tf.Variable(0.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.sqrt(c * x)
        dc, dx = tape.gradient(y, [c, x])
        assert np.isinf(dc) and dx == 0.0

    def test_a_matrix_product(self):
        x = tf.constant([[0.0, 4.0]])
        w = tf.constant([[0.0], [1.0]])
        (g,) = derivative(lambda x: tf.sqrt(x) @ w, x)
        np.testing.assert_array_equal(g, [[0.0, 0.25]])

    def test_a_genuine_nan_stays(self):
        x = tf.constant(np.nan)
        assert np.isnan(derivative(lambda x: x * x, x)[0])


class TestMemory:
    def test_a_used_tape_holds_no_array(self):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = tf.sin(X)
            kept = tf.exp(y)
        alive = weakref.ref(y)
        tape.gradient(kept, X)
        del y
        gc.collect()
        assert alive() is None

    def test_only_what_a_rule_reads_is_kept(self):
        with tf.GradientTape() as tape:
            x = tf.ones([4])
            tape.watch(x)
            unread = x + 1.0
            read = unread * unread
            result = tf.reduce_sum(read + 1.0)
        alive = [weakref.ref(t) for t in (unread, read)]
        del unread, read
        gc.collect()
        assert alive[0]() is not None, "the product's rule reads its factor"
        assert alive[1]() is None, "no rule reads the product"
        np.testing.assert_array_equal(tape.gradient(result, x), [4.0] * 4)

    def test_no_leak(self):
        v = tf.Variable(tf.ones([50]))

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.tanh(v * 1.01) ** 2)
            v.assign_sub(0.1 * tape.gradient(loss, v))

        for _ in range(50):
            step()
        gc.collect()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(1000):
                step()
            gc.collect()
            grown = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        assert grown < 20_000, f"{grown} bytes over 1000 steps"


def test_tapes_in_several_threads():
    """Each thread has its own active tapes."""
    results, errors = {}, []
    barrier = threading.Barrier(4)

    def work(n):
        try:
            x = tf.constant(float(n))
            for _ in range(20):
                barrier.wait()
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    barrier.wait()
                    y = x**3
                results[n] = float(tape.gradient(y, x))
        except Exception as error:  # reported by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert results == {n: 3.0 * n * n for n in range(4)}


def test_threads_do_not_record_on_each_other():
    with tf.GradientTape() as tape:
        tape.watch(X)
        found = []
        thread = threading.Thread(target=lambda: found.append(X * X))
        thread.start()
        thread.join()
    assert tape.gradient(found[0], X) is None


def test_a_tape_that_is_stopped_elsewhere_is_left_all_the_same():
    """``gradient`` in another thread stops a tape; leaving its context removes it from this one."""
    from gradtape._src.core.context import current_recorders

    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * X
        thread = threading.Thread(target=lambda: tape.gradient(y, X))
        thread.start()
        thread.join()
    assert current_recorders() == ()


class TestComplex:
    @pytest.mark.parametrize(
        "f, expected",
        [
            (lambda z: tf.math.imag(z * 1j), 1.0),
            (lambda z: tf.math.real(tf.exp(1j * z)), -np.sin(0.7) * np.exp(-0.2)),
            (lambda z: tf.abs(z) ** 2, 1.4),
            (lambda z: tf.math.real(tf.math.conj(z) * z * z), 3 * 0.7**2 + 0.2**2),
        ],
    )
    def test_through_complex_numbers(self, f, expected):
        """d f(x + 0.2 i) / dx for a real f."""
        x = tf.constant(0.7, tf.float64)
        (g,) = derivative(lambda x: f(tf.complex(x, tf.constant(0.2, tf.float64))), x)
        np.testing.assert_allclose(g, expected, rtol=1e-12)


def test_dense_and_sparse_cotangents_in_any_order():
    x = tf.Variable(np.arange(12.0).reshape(4, 3))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x) + tf.add_n([tf.reduce_sum(x[i]) * (i + 1.0) for i in range(4)])
        y += tf.reduce_sum(tf.gather(x, [1, 1])) + tf.reduce_sum(x)
    expected = 2 * np.arange(12.0).reshape(4, 3) + np.arange(1, 5)[:, None] + 1
    expected[1] += 2
    np.testing.assert_allclose(tape.gradient(y, x), expected)


@pytest.mark.parametrize("f", [tf.identity, tf.stop_gradient])
def test_slices_stay_slices(f):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    found = f(slices)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal(found.values, [[1.0, 2.0]])
    np.testing.assert_array_equal(found.indices, [1])
