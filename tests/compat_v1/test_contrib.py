"""``tf.contrib``: numbers by hand, and names of variables as TensorFlow 1.15 gives them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
contrib = v1.contrib


@pytest.fixture
def session():
    with tf.Graph().as_default(), v1.Session() as session:
        yield session


def names() -> list[str]:
    return [v.name for v in v1.global_variables()]


# --- contrib.layers -----------------------------------------------------------------------------------------


def test_fully_connected(session: v1.Session):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    y = contrib.layers.fully_connected(
        x, 4, weights_initializer=v1.ones_initializer(), biases_initializer=v1.constant_initializer(-4.0)
    )
    linear = contrib.layers.fully_connected(x, 4, activation_fn=None, biases_initializer=None, scope="out")
    contrib.layers.fully_connected(tf.zeros([2, 5, 3]), 4)
    contrib.layers.fully_connected(
        x, 4, activation_fn=tf.tanh, scope="out", reuse=True, biases_initializer=None
    )
    assert names() == [
        "fully_connected/weights:0",
        "fully_connected/biases:0",
        "out/weights:0",
        "fully_connected_1/weights:0",
        "fully_connected_1/biases:0",
    ]
    assert v1.get_collection(v1.GraphKeys.MODEL_VARIABLES) == v1.global_variables()
    session.run(v1.global_variables_initializer())
    np.testing.assert_allclose(session.run(y), np.repeat(np.maximum(x.sum(1) - 4, 0)[:, None], 4, 1))
    weights = v1.get_default_graph().get_tensor_by_name("out/weights:0")
    np.testing.assert_allclose(session.run(linear), x @ session.run(weights), rtol=1e-6)
    with pytest.raises(ValueError, match="last dimension"):
        contrib.layers.fully_connected(v1.placeholder(tf.float32, [2, None]), 4)


def test_conv2d(session: v1.Session):
    x = np.random.default_rng(0).normal(size=(2, 6, 6, 3)).astype(np.float32)
    y = contrib.layers.conv2d(
        x,
        5,
        [3, 3],
        stride=2,
        activation_fn=None,
        normalizer_fn=contrib.layers.batch_norm,
        normalizer_params={"is_training": False},
        weights_regularizer=contrib.layers.l2_regularizer(0.1),
    )
    assert names() == [
        "Conv/weights:0",
        "Conv/BatchNorm/beta:0",
        "Conv/BatchNorm/moving_mean:0",
        "Conv/BatchNorm/moving_variance:0",
    ]
    (loss,) = v1.losses.get_regularization_losses()
    session.run(v1.global_variables_initializer())
    w = session.run("Conv/weights:0")
    plain = tf.nn.conv2d(x, w, 2, "SAME")
    np.testing.assert_allclose(session.run(y), session.run(plain) / np.sqrt(1.001), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(session.run(loss), 0.05 * np.sum(w**2), rtol=1e-6)


@pytest.mark.parametrize("collection", ["update_ops", "mine", None])
def test_batch_norm_updates_its_averages(session: v1.Session, collection: str | None):
    x = np.array([[1.0], [3.0]], np.float32)
    y = contrib.layers.batch_norm(
        x, decay=0.5, scale=True, updates_collections=collection, activation_fn=tf.nn.relu
    )
    assert names()[:2] == ["BatchNorm/gamma:0", "BatchNorm/beta:0"]
    session.run(v1.global_variables_initializer())
    assert [len(v1.get_collection(key)) for key in ("update_ops", "mine")] == [
        2 * (collection == key) for key in ("update_ops", "mine")
    ]
    np.testing.assert_allclose(session.run(y), [[0.0], [1.0]], atol=1e-3)
    session.run(v1.get_collection(collection) if collection else [])
    assert session.run("BatchNorm/moving_mean:0") == 1.0


def test_pools_and_dropout(session: v1.Session):
    x = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
    assert session.run(contrib.layers.max_pool2d(x, 2))[0, :, :, 0].tolist() == [[5, 7], [13, 15]]
    assert session.run(contrib.layers.avg_pool2d(x, [2, 2]))[0, :, :, 0].tolist() == [
        [2.5, 4.5],
        [10.5, 12.5],
    ]
    assert session.run(contrib.layers.dropout(x, 0.5, is_training=False)).tolist() == x.tolist()
    assert contrib.layers.flatten(v1.placeholder(tf.float32, [None, 2, 3])).shape.as_list() == [None, 6]


def test_regularizers(session: v1.Session):
    w = tf.constant([[1.0, -2.0]])
    assert session.run(contrib.layers.l1_regularizer(0.5)(w)) == 1.5
    assert session.run(contrib.layers.l1_l2_regularizer(0.5, 0.5)(w)) == 2.75
    assert contrib.layers.l2_regularizer(0.0)(w) is None
    assert contrib.layers.sum_regularizer([None]) is None
    for wrong in -1.0, 1, "1":
        with pytest.raises(ValueError, match="scale"):
            contrib.layers.l2_regularizer(wrong)


@pytest.mark.parametrize("mode, n", [("FAN_IN", 200 * 9), ("FAN_OUT", 100 * 9), ("FAN_AVG", 150 * 9)])
@pytest.mark.parametrize("uniform", [True, False])
def test_initializers(mode: str, n: int, uniform: bool):
    initializer = contrib.layers.variance_scaling_initializer(2.0, mode, uniform, seed=1)
    values = initializer([3, 3, 200, 100]).numpy()
    limit = np.sqrt(6 / n) if uniform else 2 * np.sqrt(2.6 / n)
    assert np.abs(values).max() <= limit
    np.testing.assert_allclose(values.var(), 2 / n, rtol=0.02)
    xavier = contrib.layers.xavier_initializer(seed=1)([300, 100]).numpy()
    assert 0.98 < np.abs(xavier).max() / np.sqrt(6 / 400) <= 1


# --- Recurrent networks -------------------------------------------------------------------------------------


def test_a_decoder_that_reads_what_it_gave(session: v1.Session):
    cell = contrib.rnn.MultiRNNCell([contrib.rnn.BasicRNNCell(3)] * 1)
    inputs = [tf.ones([2, 3])] * 4

    def loop(previous: tf.Tensor, i: int) -> tf.Tensor:
        return previous * 2.0

    outputs, state = contrib.legacy_seq2seq.rnn_decoder(inputs, cell.zero_state(2, tf.float32), cell, loop)
    assert names() == [f"rnn_decoder/multi_rnn_cell/cell_0/basic_rnn_cell/{n}:0" for n in ("kernel", "bias")]
    session.run(v1.global_variables_initializer())
    ys, last, w = session.run([outputs, state[0], v1.global_variables()[0]])
    x, h = np.ones((2, 3)), np.zeros((2, 3))
    for y in ys:
        h = np.tanh(np.concatenate([x, h], 1) @ w)
        np.testing.assert_allclose(y, h, rtol=1e-5)
        x = 2 * h
    np.testing.assert_allclose(last, h, rtol=1e-5)


def test_losses_of_sequences(session: v1.Session):
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(3, 2, 5)).astype(np.float32)  # steps, batch, classes
    targets, weights = rng.integers(0, 5, (3, 2)), rng.uniform(size=(3, 2)).astype(np.float32)
    chosen = np.take_along_axis(logits, targets[..., None], -1)[..., 0]
    entropies = np.log(np.exp(logits).sum(-1)) - chosen
    each = (entropies * weights).sum(0) / weights.sum(0)
    args = [list(logits), list(targets), list(weights)]
    legacy = contrib.legacy_seq2seq
    np.testing.assert_allclose(session.run(legacy.sequence_loss_by_example(*args)), each, rtol=1e-5)
    np.testing.assert_allclose(session.run(legacy.sequence_loss(*args)), each.mean(), rtol=1e-5)
    total = legacy.sequence_loss_by_example(*args, average_across_timesteps=False)
    np.testing.assert_allclose(session.run(total), (entropies * weights).sum(0), rtol=1e-5)
    batch = [logits.swapaxes(0, 1), targets.T, weights.T]
    found = session.run(contrib.seq2seq.sequence_loss(*batch))
    np.testing.assert_allclose(found, (entropies * weights).sum() / weights.sum(), rtol=1e-5)
    found = session.run(contrib.seq2seq.sequence_loss(*batch, average_across_timesteps=False))
    np.testing.assert_allclose(found, (entropies * weights).sum(1) / weights.sum(1), rtol=1e-5)
    with pytest.raises(ValueError, match="must be the same"):
        legacy.sequence_loss(args[0], args[1][:1], args[2])
    with pytest.raises(ValueError, match="3-dimensional"):
        contrib.seq2seq.sequence_loss(logits[0], targets, weights)


# --- SciPy's optimizers -------------------------------------------------------------------------------------


def test_scipy_minimizes(session: v1.Session):
    scale = v1.placeholder(tf.float32, [])
    v, w = tf.Variable([7.0, 7.0]), tf.Variable(3.0)
    loss = tf.reduce_sum((v - [1.0, 2.0]) ** 2) * scale + (w - 4.0) ** 4
    optimizer = contrib.opt.ScipyOptimizerInterface(loss, options={"maxiter": 200, "ftol": 1e-14})
    session.run(v1.global_variables_initializer())
    losses, steps = [], []
    optimizer.minimize(
        session,
        {scale: 2.0},
        [loss, scale],
        step_callback=steps.append,
        loss_callback=lambda *got: losses.append(got),
    )
    np.testing.assert_allclose(session.run(v), [1.0, 2.0], atol=1e-4)
    np.testing.assert_allclose(session.run(w), 4.0, atol=0.05)
    assert losses[0] == (2 * 61 + 1.0, 2.0) and losses[-1][0] < 1e-5 and steps[0].shape == (3,)


def test_scipy_heeds_bounds_and_constraints(session: v1.Session):
    v = tf.Variable([7.0, 7.0])
    loss = tf.reduce_sum(v**2)
    session.run(v1.global_variables_initializer())
    contrib.opt.ScipyOptimizerInterface(loss, var_to_bounds={v: ([1.0, 2.0], np.inf)}).minimize(session)
    np.testing.assert_allclose(session.run(v), [1.0, 2.0])
    # https://docs.scipy.org: the point of the line x + y = 1 with x >= 0.75 that is nearest to 0
    optimizer = contrib.opt.ScipyOptimizerInterface(
        loss, equalities=[tf.reduce_sum(v) - 1.0], inequalities=[v[0] - 0.75], method="SLSQP"
    )
    optimizer.minimize(session)
    np.testing.assert_allclose(session.run(v), [0.75, 0.25], atol=1e-5)
    with pytest.raises(ValueError, match="SLSQP"):
        contrib.opt.ScipyOptimizerInterface(loss, equalities=[v[0]], method="CG").minimize(session)


# --- Documents ----------------------------------------------------------------------------------------------


def test_documents_become_vectors(tmp_path: Path):
    processor = contrib.learn.preprocessing.VocabularyProcessor(5)
    texts = ["This is a cat", "This must be boy", "This is a a dog and more"]
    found = np.array(list(processor.fit_transform(texts)))
    assert found.tolist() == [[1, 2, 3, 4, 0], [1, 5, 6, 7, 0], [1, 2, 3, 3, 8]]
    assert len(processor.vocabulary_) == 11
    assert next(processor.transform(["a new cat"])).tolist() == [3, 0, 4, 0, 0]
    assert list(processor.reverse(found[:1])) == ["This is a cat <UNK>"]
    processor.save(str(tmp_path / "words"))
    again = contrib.learn.preprocessing.VocabularyProcessor.restore(str(tmp_path / "words"))
    assert np.array(list(again.transform(texts))).tolist() == found.tolist()
    rare = contrib.learn.preprocessing.VocabularyProcessor(5, min_frequency=1)
    rare.fit(texts)
    assert next(rare.transform(texts)).tolist() == [1, 3, 2, 0, 0]  # This: 3 times, a: 3, is: 2
