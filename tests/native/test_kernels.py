"""The compiled kernels give what NumPy gives: for any sizes, any order in memory, any number of threads."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.native import library
from gradtape._src.native import products as native_products
from gradtape._src.native import recurrent as native
from gradtape._src.ops import block_products as products
from gradtape._src.ops import driven_recurrence as driven
from gradtape._src.ops import gru, gru_before, recurrent
from gradtape._src.ops import recurrences as linear

from .comparing import Arrays, both, needs_the_library, unaligned

pytestmark = needs_the_library

SIZES = {
    "steps": st.integers(0, 4),
    "inputs": st.integers(0, 19),
    "units": st.integers(0, 19),
    "batch": st.integers(0, 40),
    "seed": st.integers(0, 1000),
}
FORMS = [
    linear.Form(states=1, sums=4, given=3, products=3),
    linear.Form(states=2, sums=4, given=4, products=4),
    linear.Form(states=1, sums=1, given=1, products=1),
    linear.Form(states=2, sums=3, given=2, products=1),
]


@settings(deadline=None)
@given(**SIZES)
def test_layers(steps, inputs, units, batch, seed):
    f = Arrays(seed)
    x, h, s = f(steps, inputs, batch), f(units, batch), f(units, batch)
    mask = f.mask(steps, batch)
    for kernel, states, blocks, linked, biases in [
        (recurrent._simple, (h,), 1, 1, 1),
        (recurrent._lstm, (h, s), 4, 4, 4),
        (gru._gru, (h,), 3, 3, 4),
        (gru_before._gru_before, (h,), 3, 3, 3),
    ]:
        w, u, b = f(blocks, units, inputs), f(linked, units, units), f(biases, units, 1)
        both(kernel, x, w, *states, u, b, *mask)


@settings(deadline=None)
@given(**SIZES)
def test_cotangents_of_a_gru(steps, inputs, units, batch, seed):
    f = Arrays(seed)
    g, h, u = f(steps, 1, units, batch), f(units, batch), f(3, units, units)
    hs, acts = f(steps, units, batch), f(steps, 4, units, batch)
    both(gru._back, g, h, hs, acts, u, *f.mask(steps, batch))
    both(gru._back, np.broadcast_to(np.float32(1), g.shape), h, hs, acts, u)


@settings(deadline=None)
@given(form=st.sampled_from(FORMS), tangents=st.integers(0, 20), **SIZES)
def test_linear_recurrences(form, tangents, steps, inputs, units, batch, seed):
    f = Arrays(seed)
    states, sums, n, linked = form
    c, u = f(steps, states, states + sums, units, batch), f(linked, units, units)
    both(linear._transposed_recurrence, f(steps, states, units, batch), c, u, form)
    both(linear._linear_recurrence, f(steps, n, units, batch), f(states, units, batch), c, u, form)
    e, s = f.new(tangents, steps, n, units, batch), f.new(tangents, states, units, batch)
    x, w = f.new(tangents, steps, inputs, batch), f(n, units, inputs)
    for k in range(tangents):  # tangents begin to move at different steps
        first = f.random.integers(0, steps + 1)
        e[k, :first] = x[k, :first] = 0
        s[k] *= f.random.random() < 0.3
    e, s, x = map(f.somewhere, (e, s, x))
    both(linear._linear_recurrence, e, s, c, u, form)
    both(driven.by_example, x, w, s, lambda some: c[..., some], u, form)


@settings(deadline=None)
@given(**SIZES)
def test_products(steps, inputs, units, batch, seed):
    f = Arrays(seed)
    w, x, g = f(3, units, inputs), f(steps, inputs, batch), f(steps, 3, units, batch)
    both(products._products, w, x)
    both(products._to_sequence, w, g)
    both(products._to_kernel, g, x)


def test_products_with_long_rows():
    """Longer than what is taken at a time."""
    f = Arrays(4)
    both(products._products, f(2, 7, 2100), f(2, 2100, 17))
    both(products._to_sequence, f(3, 700, 9), f(2, 3, 700, 17))
    both(products._to_kernel, f(1, 1, 8, 1100), f(1, 5, 1100))


def test_functions_of_units_are_exact_to_some_units_in_the_last_place():
    """From 0 to where they are constant, on both sides; the hyperbolic tangent keeps its digits near 0."""
    near_zero = np.geomspace(1e-38, 1, 10001)
    values = np.concatenate([np.linspace(-80, 80, 100001), near_zero, -near_zero]).astype(np.float32)
    exact = values.astype(np.float64)
    bent, gate = _units(values)
    np.testing.assert_array_max_ulp(bent, np.tanh(exact).astype(np.float32), 3)
    np.testing.assert_array_max_ulp(gate, (1 / (1 + np.exp(-exact))).astype(np.float32), 3)


def test_functions_of_units_at_the_ends():
    bent, gate = _units(np.array([0, -0.0, np.inf, -np.inf, 1e-45, -1e-45, np.nan], np.float32))
    np.testing.assert_array_equal(bent, np.array([0, -0.0, 1, -1, 1e-45, -1e-45, np.nan], np.float32))
    np.testing.assert_array_equal(np.signbit(bent[:2]), [False, True])
    np.testing.assert_array_equal(gate, [0.5, 0.5, 1, 0, 0.5, 0.5, np.nan])


def _units(values):
    """The hyperbolic tangents and the sigmoids that the library has."""
    x = values.reshape(1, 1, -1)
    h, one = np.zeros((1, x.size), np.float32), np.ones((3, 1, 1), np.float32)
    with library.use(True):
        zero = -0.0 * one[:1]  # what can be added to -0
        bent = recurrent._simple(x, one[:1], h, zero, zero)[0, 0]
        _, acts = gru._gru(x, one, h, 0 * one, np.zeros((4, 1, 1), np.float32))
    return bent, acts[0, 1, 0]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, -1e30])
def test_values_without_a_number(value):
    f = Arrays(0)
    x = f(2, 3, 20)
    x[1, 1, 7] = value
    args = x, f(4, 5, 3), f(5, 20), f(5, 20), f(4, 5, 5), f(4, 5, 1)
    hs, _, _ = both(recurrent._lstm, *args)
    assert np.isnan(hs[1, :, 7]).all() == np.isnan(value)
    assert np.isfinite(np.delete(hs, 7, axis=2)).all()


def test_the_number_of_threads_does_not_change_a_bit():
    f = Arrays(1)
    args = f(10, 20, 200), f(3, 50, 20), f(50, 200), f(3, 50, 50), f(4, 50, 1)
    results = []
    try:
        for n in (1, 2, 3, 7):
            tf.config.threading.set_intra_op_parallelism_threads(n)
            results.append(gru._gru(*args))
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def _large():
    f = Arrays(2)
    with mock.patch.object(library, "_WORTH_A_THREAD", 1):
        return gru._gru(f(10, 20, 300), f(3, 50, 20), f(50, 300), f(3, 50, 50), f(4, 50, 1))[0]


def test_several_threads_at_once():
    expected, received = _large(), []
    threads = [
        threading.Thread(target=lambda: received.extend(_large() for _ in range(20))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(received) == 80
    for y in received:
        np.testing.assert_array_equal(y, expected)


def _in_child(queue):
    queue.put(_large())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="a system without fork")
def test_a_child_process_has_threads_of_its_own():
    expected = _large()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    np.testing.assert_array_equal(queue.get(timeout=60), expected)
    child.join()


WAITS_FOR_A_SIGNAL = """
import os, signal
import numpy as np
from gradtape._src.native import library, products

library._WORTH_A_THREAD = 1
library.set_threads(3)
products.products(np.ones((9, 9), np.float32), np.ones((9, 9, 99), np.float32))
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
print(signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1)
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="a system without signals of threads")
def test_helpers_take_no_signals():
    """One that the program has blocked, in order to wait for it, would end the process by way of them."""
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", WAITS_FOR_A_SIGNAL]
    done = subprocess.run(command, env=alone, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr


def test_arrays_that_do_not_fit_are_not_taken():
    assert not library.suits((np.zeros(3), (3,)))
    assert not library.suits((np.zeros(3, np.float32), (4,)))
    assert not library.suits((np.zeros(3, np.dtype(np.float32).newbyteorder()), (3,)))
    assert not library.suits((unaligned(np.zeros(3, np.float32)), (3,)))
    assert library.suits((np.zeros(3, np.float32), (3,)))
    with library.use(False):
        assert not library.suits((np.zeros(3, np.float32), (3,)))


@pytest.mark.parametrize("units, batch, taken", [(1000, 1, False), (128, 1, True), (1000, 2, True)])
def test_one_example_of_a_large_network_is_left_to_blas(units, batch, taken):
    f = Arrays(0)
    u, h = f.new(3, units, units), f.new(units, batch)
    with library.use(True):
        done = native.layer(
            "gru", f.new(1, 2, batch), f.new(3, units, 2), (h,), u, f.new(4, units, 1), acts=4
        )
        assert (done is not None) == taken
        g, acts = f.new(1, 1, units, batch), f.new(1, 4, units, batch)
        assert (native.gru_cotangents(g, h, h[None], acts, u) is not None) == taken
        c = f.new(1, 1, 4, units, batch)
        assert (native.transposed_recurrence(g, c, u) is not None) == taken
        assert (native.linear_recurrence(acts[:, 1:], h[None], c, u) is not None) == taken


@pytest.mark.parametrize("columns, taken", [(8, False), (9, True)])
def test_products_with_few_columns_are_left_to_blas(columns, taken):
    with library.use(True):
        done = native_products.products(np.ones((3, 3), np.float32), np.ones((2, 3, columns), np.float32))
        assert (done is not None) == taken


def test_the_library_refuses_what_is_not_float32():
    with pytest.raises(TypeError, match="float32"):
        library.kernels.products(np.zeros((2, 2)), None, None, 1, 16, 0)
    with pytest.raises(TypeError):
        library.kernels.products(1, 2)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 100))
def test_a_whole_layer_is_differentiated_alike(seed):
    """Values, gradients, Jacobian and second derivatives, with and without the library."""
    tf.keras.utils.set_random_seed(seed)
    layer = tf.keras.layers.RNN(
        [tf.keras.layers.GRUCell(5), tf.keras.layers.LSTMCell(4)], return_sequences=True
    )
    x = tf.constant(np.random.default_rng(seed).standard_normal((3, 4, 2)).astype(np.float32))
    layer(x)

    def all_of_it():
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(layer(x) ** 2)
            g = tape.gradient(y, [x, *layer.trainable_variables])
            z = tf.reduce_sum(g[0] ** 2)
            sequence = layer(x)
        return [*g, outer.gradient(z, x), outer.batch_jacobian(sequence, x)]

    with library.use(False):
        expected = all_of_it()
    for a, b in zip(expected, all_of_it(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
