"""Segment reductions: against TensorFlow's answers, against their definition, with zeros, ties and gaps."""

from __future__ import annotations

import numpy as np
import pytest
from golden import make_reduction as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.autodiff.tape import GradientTape

HELPERS = golden.gradients(tf, GradientTape)
grad, hess = HELPERS["grad"], HELPERS["hess"]
INF, NAN = float("inf"), float("nan")


def test_answers_of_tensorflow():
    found = golden.disagreements("segment", tf, GradientTape)
    assert not found, "\n".join(found)


DEFINITIONS = {
    "sum": (lambda rows: rows.sum(0), 0),
    "mean": (lambda rows: rows.mean(0), 0),
    "sqrt_n": (lambda rows: rows.sum(0) / np.sqrt(len(rows)), 0),
    "prod": (lambda rows: rows.prod(0), 1),
    "max": (lambda rows: rows.max(0), float(np.finfo(np.float32).min)),
    "min": (lambda rows: rows.min(0), float(np.finfo(np.float32).max)),
}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-1, 4), max_size=8), st.sampled_from(sorted(DEFINITIONS)))
def test_unsorted_segments_are_their_definition(ids, kind):
    ids = np.array(ids, np.int32)
    data = np.random.default_rng(0).normal(size=(len(ids), 2)).astype(np.float32)
    reduce, empty = DEFINITIONS[kind]
    rows = [reduce(data[ids == i]) if (ids == i).any() else np.full(2, empty) for i in range(5)]
    found = getattr(tf.math, f"unsorted_segment_{kind}")(data, ids, 5).numpy()
    np.testing.assert_allclose(found, rows, rtol=1e-5)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-1, 2), st.sampled_from([0.0, 1.0, -2.0, 0.5])), min_size=1, max_size=7)
)
def test_gradient_of_products_with_zeros(rows):
    ids = np.array([i for i, _ in rows])
    x = np.array([v for _, v in rows], np.float32)
    places = np.arange(len(x))
    mates = lambda *gone: np.prod(x[(ids == ids[gone[0]]) & ~np.isin(places, gone)])
    expected = [mates(i) if ids[i] >= 0 else 0 for i in places]
    f = lambda x: tf.math.unsorted_segment_prod(x, ids, 3)
    np.testing.assert_array_equal(grad(f, x).numpy(), np.array(expected, np.float32))
    second = [[mates(i, j) if i != j and ids[i] == ids[j] >= 0 else 0 for j in places] for i in places]
    np.testing.assert_array_equal(hess(f, x), np.array(second, np.float32))


def test_complex_gradient_is_that_of_a_product():
    x = np.array([2 + 1j, 1j, 3], np.complex64)
    expected = grad(tf.reduce_prod, x).numpy()
    np.testing.assert_allclose(grad(lambda x: tf.math.segment_prod(x, [0, 0, 0]), x).numpy(), expected)
    np.testing.assert_allclose(
        grad(lambda x: tf.math.unsorted_segment_prod(x, [0, 0, 0], 1), x).numpy(), expected
    )


def test_ties_share_within_their_segment():
    x = [1.0, 1.0, 1.0, 2.0, 2.0]
    np.testing.assert_array_equal(
        grad(lambda x: tf.math.segment_max(x, [0, 0, 1, 1, 1]), x).numpy(), [0.5, 0.5, 0, 0.5, 0.5]
    )
    np.testing.assert_array_equal(
        grad(lambda x: tf.math.segment_min(x, [0, 0, 0, 3, 3]), x).numpy(),
        [1 / np.float32(3)] * 3 + [0.5] * 2,
    )


def test_nan_shows():
    """As in tf.reduce_max."""
    for f in tf.math.segment_max, tf.math.segment_min:
        np.testing.assert_array_equal(f([1.0, NAN, 2.0, 3.0], [0, 0, 0, 1]).numpy(), [NAN, 3])


def test_ids_of_several_axes():
    data = golden.a(2, 3, 2)
    ids = np.array([[0, 1, 0], [2, -1, 2]])
    expected = [data[ids == i].sum(0) for i in range(3)]
    np.testing.assert_allclose(tf.math.unsorted_segment_sum(data, ids, 3).numpy(), expected, rtol=1e-6)
    g = grad(lambda x: tf.math.unsorted_segment_sum(x, ids, 3), data).numpy()
    np.testing.assert_array_equal(g, np.broadcast_to((ids >= 0)[..., None], data.shape))


def test_sparse_gradient():
    x = tf.constant(golden.a(4, 2))
    with GradientTape() as tape:
        tape.watch(x)
        y = tf.sparse.segment_mean(x, [0, 1, 1], [0, 0, 2], sparse_gradient=True)
    g = tape.gradient(y, x)
    assert type(g).__name__ == "IndexedSlices"
    np.testing.assert_array_equal(tf.convert_to_tensor(g).numpy(), [[0.5] * 2, [1.5] * 2, [0] * 2, [0] * 2])


@pytest.mark.parametrize("n", [3, 100_000])
def test_many_rows(n):
    ids = np.arange(n) // 2
    data = np.ones((n, 3), np.float32)
    found = tf.math.segment_sum(data, ids).numpy()
    assert found.shape == ((n + 1) // 2, 3) and found[0, 0] == 2
