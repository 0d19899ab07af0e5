"""`tf.layers` against what TensorFlow gives (tests/golden/layers_v1.json), and in programs that use them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from golden import make_layers_v1 as golden

import gradtape.compat.v1 as tf

GOLDEN = json.loads(golden.PATH.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", golden.PROGRAMS)
def test_names_and_values_are_tensorflows(name: str):
    found, wanted = golden.run(golden.PROGRAMS[name], tf), GOLDEN[name]
    for what in ("variables", "trainable", "updates", "losses", "shapes"):
        assert found[what] == wanted[what], what
    for x, y in zip(found["values"], wanted["values"], strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=2e-6)


def test_sizes_may_be_unknown():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, None, None, 2])
        y = tf.layers.conv2d(x, 3, 2, padding="same")
        flat = tf.layers.flatten(y)
        deep = tf.layers.dense(y, 4)
        wide = tf.layers.conv2d_transpose(y, 5, 3, strides=2)
        assert wide.shape.as_list() == [None, None, None, 5]
        assert y.shape.as_list() == [None, None, None, 3]
        assert flat.shape.as_list() == [None, None]
        assert deep.shape.as_list() == [None, None, None, 4]
        session.run(tf.global_variables_initializer())
        a, b, c, d = session.run([y, flat, deep, wide], {x: np.ones([2, 3, 4, 2])})
        assert (a.shape, b.shape, c.shape) == ((2, 3, 4, 3), (2, 36), (2, 3, 4, 4))
        assert d.shape == (2, 7, 9, 5)


def test_channels_first_is_channels_last_transposed():
    with tf.Graph().as_default(), tf.Session() as session:
        last = tf.constant(golden.IMAGES)
        first = tf.transpose(last, [0, 3, 1, 2])
        layers = (
            lambda x, how: tf.layers.conv2d(x, 4, 3, data_format=how, name="c", reuse=tf.AUTO_REUSE),
            lambda x, how: tf.layers.conv2d_transpose(
                x, 4, 3, data_format=how, name="t", reuse=tf.AUTO_REUSE
            ),
            lambda x, how: tf.layers.max_pooling2d(x, 2, 2, data_format=how),
            lambda x, how: tf.layers.average_pooling2d(x, 2, 1, "same", data_format=how),
        )
        pairs = [(make(last, "channels_last"), make(first, "channels_first")) for make in layers]
        session.run(tf.global_variables_initializer())
        for x, y in session.run(pairs):
            np.testing.assert_allclose(x, y.transpose(0, 2, 3, 1), rtol=1e-5, atol=1e-6)


def test_initial_values_are_glorots_and_zeros():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.layers.dense(tf.ones([1, 50]), 70)
        kernel, bias = tf.global_variables()
        session.run(tf.global_variables_initializer())
        w, b = session.run([kernel, bias])
        limit = np.sqrt(6 / 120)
        assert 0.9 * limit < np.abs(w).max() <= limit
        assert not b.any()


@pytest.mark.parametrize("fused", [True, False])
def test_batch_normalization_may_be_told_by_a_placeholder(fused: bool):
    with tf.Graph().as_default(), tf.Session() as session:
        training = tf.placeholder(tf.bool, [])
        x = tf.constant(golden.IMAGES)
        y = tf.layers.batch_normalization(x, training=training, momentum=0.5, fused=fused)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            done = tf.identity(y)
        mean = next(v for v in tf.global_variables() if "moving_mean" in v.name)
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(
            session.run(done, {training: False}), golden.IMAGES / np.sqrt(1.001), rtol=1e-5
        )
        np.testing.assert_array_equal(session.run(mean), 0)
        z = session.run(done, {training: True})
        np.testing.assert_allclose(z.mean((0, 1, 2)), 0, atol=1e-5)
        np.testing.assert_allclose(session.run(mean), golden.IMAGES.mean((0, 1, 2)) / 2, rtol=1e-4)


def test_dropout_may_be_told_by_a_placeholder():
    with tf.Graph().as_default(), tf.Session() as session:
        training = tf.placeholder(tf.bool, [])
        y = tf.layers.dropout(tf.ones([8, 100]), 0.25, noise_shape=[None, 1], training=training)
        assert (session.run(y, {training: False}) == 1).all()
        z = session.run(y, {training: True})
        assert set(np.unique(z.round(4))) <= {np.float32(0), np.float32(1.3333)}
        assert (z == z[:, :1]).all()


def test_a_layer_of_a_class_shares_its_variables():
    with tf.Graph().as_default():
        layer = tf.layers.Dense(3, name="mine")
        layer(tf.ones([2, 5]))
        layer.apply(tf.ones([4, 5]))
        assert [v.name for v in layer.trainable_variables] == ["mine/kernel:0", "mine/bias:0"]
        assert len(tf.global_variables()) == 2


def test_a_program_trains():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 5])
        y = tf.layers.dense(tf.layers.dense(x, 8, tf.nn.tanh), 1)
        loss = tf.reduce_mean((y - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
        variables = tf.trainable_variables()
        steps = [v.assign_sub(0.1 * g) for v, g in zip(variables, tf.gradients(loss, variables), strict=True)]
        session.run(tf.global_variables_initializer())
        feed = {x: golden.ROWS}
        before = session.run(loss, feed)
        for _ in range(60):
            session.run(steps, feed)
        assert session.run(loss, feed) < before / 4


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            lambda: tf.layers.dense(tf.placeholder(tf.float32, [None, None]), 3),
            "The last dimension of the inputs",
        ),
        (
            lambda: [tf.layers.dense(tf.ones([1, 2]), 3, name="a") for _ in "ab"],
            "Variable a/kernel already exists",
        ),
        (
            lambda: tf.layers.dense(tf.ones([1, 2]), 3, name="a", reuse=True),
            "Variable a/kernel does not exist",
        ),
        (lambda: tf.layers.dense(tf.ones([1, 2]), 3, "nothing"), "Unknown activation function"),
        (lambda: tf.layers.conv2d(tf.ones([2, 4, 4]), 3, 2), 'Input 0 of layer "conv2d" is incompatible'),
        (
            lambda: tf.layers.conv2d(tf.placeholder(tf.float32, [1, 4, 4, None]), 3, 2),
            "The channel dimension",
        ),
        (lambda: tf.layers.max_pooling2d(tf.ones([1, 4, 4, 1]), 2, 2, data_format="x"), "The `data_format`"),
        (lambda: tf.layers.batch_normalization(tf.ones([2, 3]), axis=2), "Invalid value for `axis`"),
        (lambda: tf.layers.batch_normalization(tf.ones([2, 3]), renorm=True), "Expected batch_normalization"),
    ],
)
def test_errors(program, message: str):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        program()


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("kind", ["max", "average"])
def test_pooling_of_every_rank(kind, rank):
    pool = getattr(tf.layers, f"{kind}_pooling{rank}d")
    x = np.random.default_rng(0).normal(size=(2, *(4,) * rank, 3)).astype(np.float32)
    # Windows of 2 that do not overlap are further axes.
    cut = x.reshape(2, *(2,) * (2 * rank), 3)
    inner = tuple(range(2, 2 * rank + 2, 2))
    expected = cut.max(inner) if kind == "max" else cut.mean(inner)
    np.testing.assert_allclose(pool(tf.constant(x), 2, 2), expected, rtol=1e-5)
    moved = pool(tf.constant(np.moveaxis(x, -1, 1)), (2,) * rank, 2, data_format="channels_first")
    np.testing.assert_allclose(moved, np.moveaxis(expected, -1, 1), rtol=1e-5)
    with pytest.raises(ValueError, match=f"tuple of {rank} integers"):
        pool(tf.constant(x), (2,) * (rank + 1), 2)
