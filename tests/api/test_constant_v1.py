"""`tf.compat.v1.constant` in graphs: a shape, and elements that it has and the value lacks."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape.compat.v1 as tf


@pytest.mark.parametrize(
    "value, shape, want",
    [
        (1.5, [2, 2], [[1.5, 1.5], [1.5, 1.5]]),
        ([1, 2], [2, 2], [[1, 2], [2, 2]]),
        ([1, 2], [4], [1, 2, 2, 2]),
        ([[1, 2]], [2], [1, 2]),
        (["a"], [2], [b"a", b"a"]),
    ],
)
def test_shape(value, shape, want):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant(value, shape=shape, name="x")
        assert x.shape == shape
        assert [op.name for op in graph.get_operations()] == ["x"]
        np.testing.assert_array_equal(session.run(x), want)


def test_too_many_elements():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="has 3 elements"):
        tf.constant([1, 2, 3], shape=[2])
