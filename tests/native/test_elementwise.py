"""Softmax, cross entropy with a class, and max(x, 0), by the compiled kernels and by NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.native import elementwise, library
from gradtape._src.ops import activations, softmax

from .comparing import Arrays, both, needs_the_library

pytestmark = needs_the_library

SHAPES = st.lists(st.integers(0, 5), max_size=2).map(tuple)
CLASSES = st.one_of(st.integers(1, 40), st.integers(240, 300))


def _logits(f, shape, values):
    x = f(*shape) * 8
    if values == "large":
        x *= np.float32(1e3)
    if values == "not finite":
        x = np.where(f.random.random(shape) < 0.1, f.random.choice([np.nan, np.inf, -np.inf], shape), x)
    if values == "some impossible":
        x = np.where(f.random.random(shape) < 0.3, -np.inf, x)
    return f.somewhere(x.astype(np.float32))


VALUES = st.sampled_from(["any", "large", "not finite", "some impossible"])


@settings(deadline=None)
@given(shape=SHAPES, n=CLASSES, values=VALUES, seed=st.integers(0, 1000))
def test_softmax(shape, n, values, seed):
    f = Arrays(seed)
    x = _logits(f, (*shape, n), values)
    for axis in (-1, len(shape)):
        both(softmax._shares, x, axis)
        both(softmax._logs, x, axis)


@pytest.mark.parametrize("n", [3, 8, 29, 3000])
def test_small_shares_are_as_exact_as_large_ones(n):
    """Of units in the last place of each, and not of the largest."""
    x = np.linspace(-80, 0, n, dtype=np.float32)
    e = np.exp(x.astype(np.float64))
    shares = e / e.sum()
    with library.use(True):
        np.testing.assert_allclose(softmax._shares(x, -1), shares, rtol=1e-6)
        np.testing.assert_allclose(softmax._logs(x, -1), np.log(shares), rtol=1e-6, atol=1e-7)
        slope = softmax._sparse_xent_slope(x, np.array(n - 1))
    np.testing.assert_allclose(slope[:-1], shares[:-1], rtol=1e-6)


@settings(deadline=None)
@given(shape=SHAPES, n=CLASSES, values=VALUES, dtype=st.sampled_from("ilq"), seed=st.integers(0, 1000))
def test_cross_entropy_with_a_class(shape, n, values, dtype, seed):
    f = Arrays(seed)
    x = _logits(f, (*shape, n), values)
    given = f.random.integers(0, n, shape).astype(dtype)
    for classes in (given, np.repeat(given[..., None], 2, axis=-1)[..., 0]):
        both(softmax._sparse_xent, x, classes)
        both(softmax._sparse_xent_slope, x, classes)


@pytest.mark.parametrize("wrong", [-1, 4, 2**31, 2**32, -(2**32), 2**32 + 1, -(2**63)])
@pytest.mark.parametrize("rows", [1, 40])
def test_a_class_that_is_not_there(wrong, rows):
    x, classes = np.zeros((rows, 4), np.float32), np.ones(rows, np.int64)
    classes[-1] = wrong
    for kernel in (softmax._sparse_xent, softmax._sparse_xent_slope):
        with pytest.raises(InvalidArgumentError, match=f"label value of {wrong} which is outside"):
            kernel(x, classes)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    "x, classes", [((3, 4), (6,)), ((3, 4), (3, 1)), ((2, 3, 4), (6,)), ((), ()), ((), (1,))]
)
@pytest.mark.parametrize("native", [True, False])
def test_classes_of_another_shape(x, classes, dtype, native):
    """Only execution may tell: numbers of one shape can be read as those of another."""
    for kernel in (softmax._sparse_xent, softmax._sparse_xent_slope):
        with library.use(native), pytest.raises(InvalidArgumentError, match="got logits shape"):
            kernel(np.zeros(x, np.float32), np.zeros(classes, dtype))


@pytest.mark.parametrize("native", [True, False])
def test_one_number_is_no_row(native):
    for kernel in (softmax._shares, softmax._logs):
        with (
            library.use(native),
            pytest.raises(InvalidArgumentError, match="logits must have >= 1 dimension"),
        ):
            kernel(np.zeros((), np.float32), -1)


@settings(deadline=None)
@given(
    shape=st.lists(st.integers(0, 9), min_size=1, max_size=3).map(tuple),
    seed=st.integers(0, 1000),
    more=st.integers(0, 17),
)
def test_positive_parts(shape, seed, more):
    f = Arrays(seed)
    for size in (shape, (elementwise._FEW + more,), (2, 3, elementwise._FEW)):
        x, g = f(*size), f(*size)
        y = both(activations.relu.kernel, x)
        both(activations.positive_gate.kernel, g, y)


def test_what_is_not_finite():
    x = np.resize(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0], np.float32), elementwise._FEW + 3)
    y = both(activations.relu.kernel, x)
    both(activations.positive_gate.kernel, np.ones_like(y), y)
    with library.use(True):  # as the absorbing form: an infinity that is gated off is no NaN
        np.testing.assert_array_equal(elementwise.relu_gate(np.full_like(y, np.inf), np.zeros_like(y)), 0)
