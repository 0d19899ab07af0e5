"""Convolutions and maxima by the compiled kernels, and by NumPy: any windows, in one, two and three dimensions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.native import library
from gradtape._src.native import windows as native
from gradtape._src.ops import convolution, pooling
from gradtape._src.ops.windows import windows

from .comparing import Arrays, both, needs_the_library

pytestmark = needs_the_library


@st.composite
def sliding(draw):
    """Windows that fit into some space."""
    rank = draw(st.integers(1, 3))
    several = lambda low, high: tuple(draw(st.integers(low, high)) for _ in range(rank))
    window, strides, dilations = several(1, 3), several(1, 3), several(1, 2)
    size = tuple((k - 1) * d + draw(st.integers(0, 5)) for k, d in zip(window, dilations, strict=True))
    pads = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(rank))
    padding = draw(st.sampled_from(["SAME", "VALID", pads]))
    return {"strides": strides, "padding": padding, "dilations": dilations}, size, window


@settings(deadline=None)
@given(
    where=sliding(),
    batch=st.integers(0, 9),
    channels=st.integers(0, 18),
    filters=st.integers(0, 34),
    seed=st.integers(0, 1000),
)
def test_convolutions(where, batch, channels, filters, seed):
    how, size, window = where
    f = Arrays(seed)
    at = windows(size, window, **how)
    x, w, g = f(batch, *size, channels), f(*window, channels, filters), f(batch, *at.out, filters)
    both(convolution._convolve, x, w, at, 1)
    both(convolution._filter_cotangent, x, g, w.shape, at, 1)
    both(convolution._input_cotangent, w, g, channels, at, 1)


@settings(deadline=None)
@given(
    where=sliding(),
    batch=st.integers(0, 5),
    channels=st.integers(8, 20),
    seed=st.integers(0, 1000),
    values=st.sampled_from(["any", "ties", "not finite"]),
)
def test_maxima(where, batch, channels, seed, values):
    """Where several are largest the first one gets the cotangent, and NaN is largest."""
    how, size, window = where
    f = Arrays(seed)
    x = f(batch, *size, channels)
    if values == "ties":
        x = np.round(x)
    if values == "not finite":
        x = np.where(f.random.random(x.shape) < 0.2, f.random.choice([np.nan, np.inf, -np.inf], x.shape), x)
        x = x.astype(np.float32)
    params = {"ksize": window, **how}
    kernel = lambda x: pooling._max_pool("MaxPool")(x, **params)
    y = both(kernel, x)
    g = f(*y.shape)
    for times in (np.multiply, pooling._masked):
        both(lambda g, x, y, times=times: pooling._scatter(times)(g, x, y, **params), g, x, y)


@pytest.mark.parametrize(
    "channels, filters, window, taken", [(2, 8, 3, True), (2, 3, 3, False), (300, 8, 1, False)]
)
def test_what_blas_does_faster_is_left_to_it(channels, filters, window, taken):
    at = windows((5, 5), (window, window), strides=(1, 1), padding="SAME", dilations=(1, 1))
    x, w = np.ones((2, 5, 5, channels), np.float32), np.ones((window, window, channels, filters), np.float32)
    with library.use(True):
        assert (native.convolution(x, w, at) is not None) == taken


def test_a_whole_network_is_differentiated_alike():
    f = Arrays(0)
    x, w = tf.constant(f(6, 9, 9, 2)), tf.constant(f(3, 3, 2, 9))

    def all_of_it():
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([x, w])
            with tf.GradientTape() as tape:
                tape.watch([x, w])
                y = tf.nn.max_pool2d(tf.nn.conv2d(x, w, 1, "SAME") ** 2, 2, 2, "SAME")
                y = tf.reduce_sum(y**2)
            first = tape.gradient(y, [x, w])
            z = tf.add_n([tf.reduce_sum(g**2) for g in first])
        return [*first, *outer.gradient(z, [x, w])]

    with library.use(False):
        expected = all_of_it()
    for a, b in zip(expected, all_of_it(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * np.abs(a).max())
