"""``tf.SparseTensor`` and ``tf.sparse``: the same as of the dense arrays, eagerly, in functions and in sessions."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
DENSE = np.array([[0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [-3.0, 0.0, 4.0, 0.0]], np.float32)
OTHER = np.array([[0.0, -2.0, 5.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]], np.float32)


def dense(x):
    return tf.sparse.to_dense(x) if isinstance(x, tf.SparseTensor) else x


FUNCTIONS = {
    "to_dense": (lambda s, o: s, lambda s, o: s),
    "default": (lambda s, o: tf.sparse.to_dense(s, 7.0), lambda s, o: np.where(s == 0, 7.0, s)),
    "transpose": (lambda s, o: tf.sparse.transpose(s), lambda s, o: s.T),
    "perm": (lambda s, o: tf.sparse.transpose(s, [0, 1]), lambda s, o: s),
    "reshape": (lambda s, o: tf.sparse.reshape(s, [2, -1]), lambda s, o: s.reshape(2, 6)),
    "concat 0": (lambda s, o: tf.sparse.concat(0, [s, o]), lambda s, o: np.concatenate([s, o])),
    "concat 1": (lambda s, o: tf.sparse.concat(-1, [s, o]), lambda s, o: np.concatenate([s, o], 1)),
    "add": (lambda s, o: tf.sparse.add(s, o), lambda s, o: s + o),
    "add dense": (lambda s, o: tf.sparse.add(tf.constant(OTHER), s), lambda s, o: s + o),
    "sum": (lambda s, o: tf.sparse.reduce_sum(s), lambda s, o: s.sum()),
    "sum 0": (lambda s, o: tf.sparse.reduce_sum(s, 0), lambda s, o: s.sum(0)),
    "sum -1": (
        lambda s, o: tf.sparse.reduce_sum(s, [-1], keepdims=True),
        lambda s, o: s.sum(1, keepdims=True),
    ),
    "sum both": (lambda s, o: tf.sparse.reduce_sum(s, [0, 1]), lambda s, o: s.sum()),
    "sum sparse": (lambda s, o: tf.sparse.reduce_sum(s, 1, output_is_sparse=True), lambda s, o: s.sum(1)),
    "times": (lambda s, o: s * tf.constant(OTHER[:1]), lambda s, o: s * o[:1]),
    "over": (lambda s, o: s / 2.0, lambda s, o: s / 2),
    "minus": (lambda s, o: -s, lambda s, o: -s),
    "map_values": (lambda s, o: tf.sparse.map_values(tf.square, s), lambda s, o: s**2),
    "retain": (lambda s, o: tf.sparse.retain(s, s.values > 0), lambda s, o: np.maximum(s, 0)),
    "matmul": (lambda s, o: tf.sparse.sparse_dense_matmul(s, OTHER.T), lambda s, o: s @ o.T),
    "matmul a": (lambda s, o: tf.sparse.sparse_dense_matmul(s, OTHER, adjoint_a=True), lambda s, o: s.T @ o),
    "matmul b": (lambda s, o: tf.sparse.sparse_dense_matmul(s, OTHER, adjoint_b=True), lambda s, o: s @ o.T),
    "dense matmul": (lambda s, o: tf.sparse.sparse_dense_matmul(OTHER.T, s), lambda s, o: o.T @ s),
    "dense matmul b": (
        lambda s, o: tf.sparse.sparse_dense_matmul(OTHER, s, adjoint_b=True),
        lambda s, o: o @ s.T,
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_those_of_the_dense_arrays(name: str):
    function, reference = FUNCTIONS[name]
    expected = reference(DENSE, OTHER)
    args = tf.sparse.from_dense(DENSE), tf.sparse.from_dense(OTHER)
    np.testing.assert_allclose(dense(function(*args)).numpy(), expected, rtol=1e-6)
    traced = tf.function(lambda s, o: dense(function(s, o)))
    np.testing.assert_allclose(traced(*args).numpy(), expected, rtol=1e-6)
    with tf.Graph().as_default(), v1.Session() as session:
        fed = v1.sparse_placeholder(tf.float32, [None, None]), v1.sparse_placeholder(tf.float32, [3, 4])
        out = dense(function(*fed))
        feeds = {
            fed[i]: v1.SparseTensorValue(np.argwhere(x), x[x != 0], x.shape)
            for i, x in enumerate((DENSE, OTHER))
        }
        np.testing.assert_allclose(session.run(out, feeds), expected, rtol=1e-6)


def test_a_sparse_tensor_in_a_session():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.sparse_placeholder(tf.float32, name="x")
        assert x.indices.name == "x/indices:0" and x.shape.rank is None
        doubled = tf.sparse.map_values(lambda v: v * 2.0, x)
        value = session.run(doubled, {x: ([[0, 1]], [3.0], [2, 2])})
        assert type(value) is v1.SparseTensorValue
        assert (value.indices.tolist(), value.values.tolist(), value.dense_shape.tolist()) == (
            [[0, 1]],
            [6.0],
            [2, 2],
        )
        with v1.Session() as other:
            assert v1.sparse_tensor_to_dense(doubled).eval({x: value}, other).tolist() == [
                [0.0, 12.0],
                [0.0, 0.0],
            ]
    with tf.Graph().as_default():
        assert v1.sparse_placeholder(tf.float32, [3, None]).shape.as_list() == [None, None]
        assert v1.sparse_placeholder(tf.float32, [3, 4]).shape.as_list() == [3, 4]


def test_gradients_reach_values_and_dense_operands():
    values, b = tf.Variable(DENSE[DENSE != 0]), tf.Variable(OTHER.T)
    with tf.GradientTape() as tape:
        s = tf.SparseTensor(np.argwhere(DENSE), values, DENSE.shape)
        loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(s, b) ** 2) + tf.reduce_sum(
            tf.sparse.to_dense(s) ** 3
        )
    g_values, g_b = tape.gradient(loss, [values, b])
    y = DENSE @ OTHER.T
    np.testing.assert_allclose(g_b, 2 * DENSE.T @ y, rtol=1e-5)
    np.testing.assert_allclose(g_values, (2 * y @ OTHER + 3 * DENSE**2)[DENSE != 0], rtol=1e-5)
    with tf.Graph().as_default(), v1.Session() as session:
        x, b = v1.sparse_placeholder(tf.float32), tf.constant(OTHER.T) + 0.0
        grads = tf.gradients(v1.sparse_tensor_dense_matmul(x, b), [x.values, b])
        feeds = {x: (np.argwhere(DENSE), DENSE[DENSE != 0], DENSE.shape)}
        g_values, g_b = session.run(grads, feeds)
    np.testing.assert_allclose(g_b, DENSE.T @ np.ones((3, 3)), rtol=1e-6)
    np.testing.assert_allclose(g_values, (np.ones((3, 3)) @ OTHER)[DENSE != 0], rtol=1e-6)


def test_order():
    s = tf.SparseTensor([[1, 0], [0, 1], [0, 0]], [3, 2, 1], [2, 2])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[1\] = \[0, 1\] is out of order.*\n.*reorder"
    ):
        tf.sparse.to_dense(s)
    assert tf.sparse.to_dense(tf.sparse.reorder(s)).numpy().tolist() == [[1, 2], [3, 0]]
    assert tf.sparse.to_dense(s, validate_indices=False).numpy().tolist() == [[1, 2], [3, 0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="is repeated"):
        tf.sparse.to_dense(tf.SparseTensor([[0], [0]], [3, 2], [2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        tf.sparse.to_dense(tf.SparseTensor([[0], [2]], [3, 2], [2]))


def test_what_does_not_fit():
    for wrong, message in (
        (lambda: tf.SparseTensor([0], [1.0], [2]), "indices must have rank 2"),
        (lambda: tf.SparseTensor([[0], [1]], [1.0], [2]), "2 indices for 1 values"),
        (lambda: tf.SparseTensor([[0]], [1.0], [2, 2]), "1 columns for a shape of 2"),
        (lambda: tf.sparse.sparse_dense_matmul(tf.sparse.eye(2), tf.ones([2, 2], tf.float64)), "tf.cast"),
        (lambda: tf.sparse.map_values(tf.square, 1.0), "No SparseTensor"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(tf.errors.InvalidArgumentError, match="inner dimension does not match: 2 vs. 3"):
        tf.sparse.sparse_dense_matmul(tf.sparse.eye(2), tf.ones([3, 2]))
    with pytest.raises(TypeError, match="must be a SparseTensor"):
        tf.sparse.to_dense(tf.ones([2]))


def test_strings():
    s = v1.string_split(["a b", "", "c  d e"])
    assert tf.sparse.to_dense(s).numpy().tolist() == [[b"a", b"b", b""], [b"", b"", b""], [b"c", b"d", b"e"]]
    assert tf.sparse.to_dense(s, "-").numpy()[1].tolist() == [b"-"] * 3
    assert tf.sparse.from_dense([["", "x"]]).indices.numpy().tolist() == [[0, 1]]
    assert v1.string_split(["a,,b"], ",", skip_empty=False).values.numpy().tolist() == [b"a", b"", b"b"]


def test_the_threshold_of_a_sum():
    a, b = tf.sparse.from_dense([1.0, 2.0, 0.0]), tf.sparse.from_dense([-1.0, 0.25, 0.1])
    assert tf.sparse.add(a, b, 0.5).indices.numpy().tolist() == [[1]]
    assert tf.sparse.add(a, b).indices.numpy().tolist() == [[0], [1], [2]]


def test_version_1_makes_dense_of_parts():
    assert v1.sparse_to_dense([[0, 1], [1, 1]], [2, 2], 5, -1).numpy().tolist() == [[-1, 5], [-1, 5]]
    assert v1.sparse_to_dense([0, 2], [3], [1.0, 2.0]).numpy().tolist() == [1.0, 0.0, 2.0]
