"""Element-wise mathematics as users see it, against TensorFlow 2.21 (tests/golden/elementwise.json).

Where gradtape differs on purpose, the difference is a row of a table here and of docs/differences.md or
docs/kinks.md.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from golden import make_elementwise as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf

GOLDEN = golden.read()
INF, NAN = float("inf"), float("nan")

# (function, output 0 or gradient 1, 2, index): the value here, where TensorFlow's is another at that point.
BETTER = {
    ("math.bessel_i1", 1, 3): 0.5,
    ("math.lgamma", 1, 3): -INF,
    ("math.digamma", 0, 3): -INF,
    ("pow", 2, 5): 0.0,
}
# TensorFlow leaves out the conjugate in the gradients of these.
CONJUGATED = {"math.xlogy", "math.xlog1py", "math.xdivy", "math.multiply_no_nan"}
# Dtypes that gradtape lacks.
MISSING = {("add", "string")}
# Errors of the same type, in words of our own.
OWN_WORDS = {
    "tf.math.angle(tf.constant('a'))",
    "tf.math.logical_xor(F, F)",
    "tf.scalar_mul(tf.constant(2), D)",
}


@pytest.mark.parametrize("name", golden.NAMES)
def test_signature(name: str):
    assert golden.signature(golden.find(tf, name)) == GOLDEN["signatures"][name]


@pytest.mark.parametrize("name", [*golden.UNARY, *golden.BINARY])
def test_dtypes(name: str):
    for dtype, expected in zip(golden.DTYPES, GOLDEN["dtypes"][name], strict=True):
        found = golden.result_dtype(tf, name, dtype)
        # A NotFoundError says that TensorFlow has no kernel for a dtype that the operation accepts.
        lenient = expected == "NotFoundError" or (name, dtype) in MISSING
        assert found == expected or lenient, f"{dtype}: {found}, not {expected}"


@pytest.mark.parametrize("name, points", golden.POINTS, ids=[golden.label(*row) for row in golden.POINTS])
def test_value_and_gradients(name: str, points: list[Any]):
    expected = GOLDEN["points"][golden.label(name, points)]
    found = golden.value_and_gradients(tf, name, points)
    for i, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert (one is None) == (other is None)
        if one is None:
            continue
        one, other = np.array(one), np.array(other)
        if i and name in CONJUGATED and other.ndim == 2:
            other = other * [1, -1]
        for (better, j, k), value in BETTER.items():
            if (better, j) == (name, i) and other.shape == (7,):
                other[k] = value
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12, err_msg=f"{i}")


@pytest.mark.parametrize("text", golden.ERRORS)
def test_error(text: str):
    kind, message = GOLDEN["errors"][text]
    found = golden.error_of(tf, text)
    assert found[0] == kind
    assert text in OWN_WORDS or found[1][:25] == message[:25], f"{found[1]!r}, TensorFlow says {message!r}"


@pytest.mark.parametrize("text", golden.EXACT)
def test_exact_value_and_dtype(text: str):
    dtype, value = GOLDEN["exact"][text]
    found = golden.exact(tf, text)
    assert found[0] == dtype
    np.testing.assert_array_equal(found[1], value)


# --- What no table holds ------------------------------------------------------------------------------------


def gradient(f: Any, x: Any, order: int = 1) -> Any:
    """The gradient of the sum, of this order, as an array."""
    x = tf.constant(x)

    def derivative(n: int) -> Any:
        if n == 0:
            return f(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(n - 1)
        return tape.gradient(y, x)

    return derivative(order).numpy()


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("number", [float, tf.constant])
def test_whole_powers_have_all_derivatives_at_zero(n: int, order: int, number: Any):
    x = np.array([-2.0, 0.0, 1.5])
    factor = np.prod([n - k for k in range(order)])
    expected = factor * x ** max(n - order, 0)
    exponent = float(n) if number is float else tf.constant(float(n), tf.float64)
    np.testing.assert_allclose(gradient(lambda v: v**exponent, x, order), expected)


@given(st.integers(-8, 8), st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_small_whole_powers_are_exact(base: int, n: int):
    for dtype in (tf.float32, tf.float64, tf.int32):
        assert tf.pow(tf.constant(base, dtype), tf.constant(n, dtype)).numpy() == base**n


@given(
    st.lists(st.floats(-30, 30), min_size=1, max_size=4), st.lists(st.floats(0.1, 30), min_size=1, max_size=1)
)
@settings(max_examples=50, deadline=None)
def test_quotient_and_remainder_make_the_whole(x: list[float], y: list[float]):
    for quotient, remainder in [(tf.math.floordiv, tf.math.floormod), (tf.truncatediv, tf.truncatemod)]:
        a, b = tf.constant(x, tf.float64), tf.constant(y, tf.float64)
        made = quotient(a, b).numpy() * b.numpy() + remainder(a, b).numpy()
        off = np.abs(made - x) / y[0]  # a quotient that is whole but for rounding may go either way
        np.testing.assert_allclose(np.minimum(off, np.abs(off - 1)), 0, atol=1e-12)


@given(st.integers(-100, 100), st.integers(-100, 100).filter(bool))
@settings(max_examples=50, deadline=None)
def test_integer_division_is_that_of_python(x: int, y: int):
    assert (tf.math.floordiv(x, y).numpy(), tf.math.floormod(x, y).numpy()) == divmod(x, y)
    assert tf.truncatediv(x, y).numpy() == int(x / y)


@pytest.mark.parametrize("f, x", [(tf.sqrt, -4.0), (tf.math.log, 0.0), (tf.acos, 1.0), (tf.math.rsqrt, 0.0)])
def test_a_branch_not_taken_has_no_say(f: Any, x: float):
    """A zero cotangent stays zero through an infinite or undefined slope, to any order."""
    for order in (1, 2, 3):
        assert gradient(lambda v: f(v) * 0.0, np.array([x]), order) == 0
        chosen = gradient(
            lambda v: tf.math.multiply_no_nan(f(v), tf.constant([0.0], tf.float64)), np.array([x]), order
        )
        assert chosen == 0


def test_slopes_at_singular_points():
    assert gradient(tf.sqrt, np.array([0.0])) == INF
    assert gradient(tf.acos, np.array([1.0])) == -INF
    assert (
        gradient(lambda v: tf.sqrt(v) * tf.sqrt(v), np.array([0.0])) != 1
    )  # inf times 0 is 0: no number is right
    y, x = tf.constant([0.0]), tf.constant([0.0])
    with tf.GradientTape() as tape:
        tape.watch([y, x])
        angle = tf.atan2(y, x)
    assert [g.numpy().item() for g in tape.gradient(angle, [y, x])] == [0.0, 0.0]


def test_special_functions_have_derivatives_of_any_order():
    x = np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(gradient(tf.math.special.bessel_j1, x, 2)[0], 0, atol=1e-15)
    np.testing.assert_allclose(gradient(tf.math.special.bessel_j0, x, 4)[0], 3 / 8)
    np.testing.assert_allclose(
        gradient(tf.math.special.spence, np.array([1.0]), 3), -2 / 3
    )  # -1 + u/2 - u²/3 + ...
    np.testing.assert_allclose(gradient(tf.math.lgamma, np.array([1.0]), 2), np.pi**2 / 6)
    in_a = lambda a: tf.math.igamma(a, tf.constant([2.0], tf.float64))
    step = 1e-4
    at = lambda a: gradient(in_a, np.array([a]))
    difference = (at(1.5 + step) - at(1.5 - step)) / (2 * step)
    np.testing.assert_allclose(gradient(in_a, np.array([1.5]), 2), difference, rtol=1e-6)


def test_incomplete_gamma_slope_over_the_whole_range():
    """dP/da by differences of SciPy's P, where these have digits."""
    import scipy.special

    rng = np.random.default_rng(0)
    a = np.exp(rng.uniform(-3, 9, 300))
    x = a * np.exp(rng.normal(size=300) * np.minimum(1, 3 / np.sqrt(a)))
    h = 1e-4 * np.minimum(a, np.sqrt(a))
    p = [scipy.special.gammainc(a + k * h, x) for k in (-2, -1, 1, 2)]
    expected = (8 * (p[2] - p[1]) - (p[3] - p[0])) / (12 * h)
    found = gradient(lambda v: tf.math.igamma(v, tf.constant(x)), a)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9 / np.min(h) * 1e-3)


def test_sums_of_sparse_gradients():
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([2, 2]))
    np.testing.assert_array_equal(tf.add_n([rows, rows]).numpy(), [[0, 0], [2, 4]])
    doubled = tf.scalar_mul(2.0, rows)
    assert isinstance(doubled, tf.IndexedSlices)
    np.testing.assert_array_equal(doubled.values.numpy(), [[2, 4]])
    clipped = tf.clip_by_value(rows, 0.0, 1.5)
    np.testing.assert_array_equal(clipped.values.numpy(), [[1, 1.5]])


def test_comparison_operators_of_shapes_that_do_not_fit():
    from gradtape._src.ops.comparison import equal_or_false, not_equal_or_true

    a, b = tf.zeros([2]), tf.zeros([3])
    assert not equal_or_false.of(a, b).numpy() and not_equal_or_true.of(a, b).numpy()


def test_overflow_and_nan_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tf.sigmoid(-1000.0).numpy() == 0
        assert np.isnan(tf.sqrt(-1.0).numpy())
        assert tf.divide(1.0, 0.0).numpy() == INF
