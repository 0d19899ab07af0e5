"""Axes, numbers of segments and the like that only the execution of a graph tells."""

from __future__ import annotations

import numpy as np
import pytest
from harness import Recorded

import gradtape as tf
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, ghost_of
from gradtape._src.graph.ir import Graph, placeholder
from gradtape._src.graph.plan import Plan

X = np.random.default_rng(0).normal(size=(4, 3))
IDS = np.array([0, 2, 2, 1])

CALLS = {
    **{
        f: (lambda x, axis, f=f: getattr(tf.math, f)(x, axis), [1])
        for f in """reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp reduce_variance
        reduce_std reduce_euclidean_norm""".split()
    },
    "keepdims": (lambda x, axis: tf.reduce_max(x, axis, keepdims=True), [-1, 0]),
    "cumsum": (lambda x, axis: tf.cumsum(x, axis, reverse=True), -1),
    "cumprod": (lambda x, axis: tf.math.cumprod(x, axis, exclusive=True), 1),
    "cumulative_logsumexp": (tf.math.cumulative_logsumexp, 1),
    "unsorted_segment_sum": (lambda x, n: tf.math.unsorted_segment_sum(x, IDS, n), 5),
    "unsorted_segment_mean": (lambda x, n: tf.math.unsorted_segment_mean(x, IDS, n), 5),
    "unsorted_segment_prod": (lambda x, ids: tf.math.unsorted_segment_prod(x, ids, 3), IDS),
    "segment_max": (tf.math.segment_max, np.sort(IDS)),
    "sparse_segment_sum": (lambda x, n: tf.sparse.segment_sum(x, IDS, np.sort(IDS), n), 4),
    "top_k": (lambda x, k: tf.math.top_k(x, k).values, 2),
    "bincount": (lambda x, low: tf.math.bincount([1, 1, 4, 0], weights=x[:, 0], minlength=low), 7),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("shape", [(4, 3), (None, None), None])
def test_value_and_gradient(name, shape):
    f, given = CALLS[name]
    given = np.array(given, np.int32)
    graph = Graph()
    with graph.as_default():
        x = graph.append(placeholder, (), {"shape": shape, "dtype": X.dtype}, "x").outputs[0]
        n = graph.append(placeholder, (), {"shape": given.shape, "dtype": given.dtype}, "n").outputs[0]
        with Recorded([x]) as recording:
            y = f(x, n)
        seed = tf.ones_like(y)
        (g,) = sweep(recording, {ghost_of(y): seed}, [ghost_of(x)])
    found = Plan([y, g], [x, n], graph.operations)(X, given)
    tensor = EagerTensor(X)
    with Recorded([tensor]) as recording:
        expected = f(tensor, tf.constant(given))
    (slope,) = sweep(recording, {ghost_of(expected): tf.ones_like(expected)}, [ghost_of(tensor)])
    np.testing.assert_allclose(found[0], expected.numpy(), rtol=1e-12)
    np.testing.assert_allclose(found[1], slope.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("f", [tf.argmax, tf.math.count_nonzero, tf.reduce_any])
def test_without_gradient(f):
    graph = Graph()
    value = X > 0 if f is tf.reduce_any else X
    with graph.as_default():
        x = graph.append(placeholder, (), {"shape": None, "dtype": value.dtype}, "x").outputs[0]
        axis = graph.append(placeholder, (), {"shape": (), "dtype": np.dtype(np.int32)}, "axis").outputs[0]
        y = f(x, axis)
    (found,) = Plan([y], [x, axis], graph.operations)(value, np.array(1, np.int32))
    np.testing.assert_array_equal(found, f(value, 1).numpy())


def test_a_bad_axis_is_refused_when_it_is_known():
    graph = Graph()
    with graph.as_default():
        x = graph.append(placeholder, (), {"shape": (4, 3), "dtype": X.dtype}, "x").outputs[0]
        axis = graph.append(placeholder, (), {"shape": (), "dtype": np.dtype(np.int32)}, "axis").outputs[0]
        with pytest.raises(ValueError, match="Invalid reduction dimension"):
            tf.reduce_sum(x, 2)
        y = tf.reduce_sum(x, axis)
    with pytest.raises(InvalidArgumentError, match="Invalid reduction dimension"):
        Plan([y], [x, axis], graph.operations)(X, np.array(2, np.int32))
