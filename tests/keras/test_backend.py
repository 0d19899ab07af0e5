"""Keras 2's functions of tensors, against NumPy; and values, sessions and settings."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

K = tf.keras.backend
x = np.arange(24.0, dtype="float32").reshape(2, 3, 4) - 7.5


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (lambda: K.sum(x, axis=1), lambda: x.sum(1)),
        (lambda: K.mean(tf.constant([True, False])), lambda: 0.5),
        (lambda: K.std(x, axis=-1, keepdims=True), lambda: x.std(-1, keepdims=True)),
        (lambda: K.var(x), lambda: x.var()),
        (lambda: K.prod([1.0, 2.0, 3.0]), lambda: 6.0),
        (lambda: K.any(x > 10, axis=0), lambda: (x > 10).any(0)),
        (lambda: K.all([1, 0]), lambda: False),
        (lambda: K.argmax(x), lambda: x.argmax(-1)),
        (lambda: K.sqrt([-4.0, 4.0]), lambda: [0.0, 2.0]),
        (lambda: K.clip(x, None, 0.0), lambda: x.clip(None, 0)),
        (lambda: K.clip(x, 2.0, 1.0), lambda: np.full_like(x, 2.0)),
        (lambda: K.hard_sigmoid([-9.0, 1.0, 9.0]), lambda: [0.0, 0.7, 1.0]),
        (lambda: K.relu(x, alpha=0.5, max_value=3.0), lambda: np.where(x > 0, np.minimum(x, 3), 0.5 * x)),
        (lambda: K.batch_flatten(x), lambda: x.reshape(2, 12)),
        (lambda: K.permute_dimensions(x, (0, 2, 1)), lambda: x.transpose(0, 2, 1)),
        (lambda: K.reverse(x, 1), lambda: x[:, ::-1]),
        (lambda: K.concatenate([x, x]), lambda: np.concatenate([x, x], -1)),
        (lambda: K.repeat(x[0], 2), lambda: np.repeat(x[0][:, None], 2, 1)),
        (lambda: K.repeat_elements(x, 2, 1), lambda: np.repeat(x, 2, 1)),
        (lambda: K.tile([1.0], 3), lambda: [1.0, 1.0, 1.0]),
        (lambda: K.temporal_padding(x), lambda: np.pad(x, [(0, 0), (1, 1), (0, 0)])),
        (
            lambda: K.spatial_2d_padding(x[..., None]),
            lambda: np.pad(x[..., None], [(0, 0), (1, 1), (1, 1), (0, 0)]),
        ),
        (lambda: K.dot(x, np.ones((4, 5), "f")), lambda: x @ np.ones((4, 5))),
        (lambda: K.dot(x, np.ones((2, 4, 5), "f")), lambda: np.dot(x, np.ones((2, 4, 5)))),
        (lambda: K.batch_dot(x, x, axes=2), lambda: np.einsum("bik,bjk->bij", x, x)),
        (lambda: K.batch_dot(x, x, axes=(1, 1)), lambda: np.einsum("bki,bkj->bij", x, x)),
        (lambda: K.batch_dot(x[:, 0], x[:, 1], axes=1), lambda: (x[:, 0] * x[:, 1]).sum(-1, keepdims=True)),
        (lambda: K.batch_dot(x[:, 0], x, axes=(1, 2)), lambda: np.einsum("bk,bjk->bj", x[:, 0], x)),
        (lambda: K.arange(2, 5), lambda: [2, 3, 4]),
        (lambda: K.eye(2), lambda: np.eye(2)),
        (lambda: K.one_hot([1], 3), lambda: [[0, 1, 0]]),
        (lambda: K.switch(tf.constant(True), lambda: 1.0, 2.0), lambda: 1.0),
        (lambda: K.switch([True, False], x, -x), lambda: np.stack([x[0], -x[1]])),
        (lambda: K.gather(x, [1, 0]), lambda: x[[1, 0]]),
        (lambda: K.bias_add(x, np.ones(4, "f")), lambda: x + 1),
        (
            lambda: K.conv1d(x, np.ones((2, 4, 1), "f"), padding="causal"),
            lambda: (np.pad(x, [(0, 0), (1, 0), (0, 0)])[:, :-1] + x).sum(-1, keepdims=True),
        ),
        (lambda: K.pool2d(x[..., None], (3, 4), pool_mode="avg"), lambda: x.mean((1, 2)).reshape(2, 1, 1, 1)),
    ],
)
def test_against_numpy(got, want):
    np.testing.assert_allclose(np.asarray(got()), want(), rtol=1e-5, atol=1e-6)


def test_values():
    v = K.variable([1.0, 2.0], name="v")
    K.set_value(v, [3.0, 4.0])
    assert K.get_value(v).tolist() == [3.0, 4.0] and K.eval(v + 1.0).tolist() == [4.0, 5.0]
    K.update_add(v, [1.0, 1.0])
    K.moving_average_update(v, [0.0, 0.0], 0.5)
    assert K.batch_get_value([v])[0].tolist() == [2.0, 2.5]
    assert K.int_shape(v) == (2,) and K.ndim(v) == 1 and K.dtype(v) == "float32" and K.count_params(v) == 2
    assert K.cast_to_floatx([1, 2]).dtype == np.float32


def test_sessions():
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        v = K.variable([1.0, 2.0])
        assert K.get_value(v).tolist() == [1.0, 2.0]
        K.set_value(v, [5.0, 6.0])
        assert K.get_session().run(v * 2.0).tolist() == [10.0, 12.0]
        (slope,) = K.gradients(K.sum(v * v), [v])
        assert K.get_value(slope).tolist() == [10.0, 12.0]
        with v1.Session() as session:
            assert K.get_session() is session
        K.clear_session()
    with pytest.raises(RuntimeError, match="for graphs"):
        K.get_session()


def test_settings():
    K.set_floatx("float64")
    try:
        assert K.variable(1.0).dtype == tf.float64
        assert tf.keras.initializers.Ones()([1]).dtype == tf.float64
        assert tf.keras.losses.MeanSquaredError()([[1.0]], [[2.0]]).dtype == tf.float64
        assert tf.keras.metrics.Mean()(1.0).dtype == tf.float64
    finally:
        K.set_floatx("float32")
    for wrong, call in (
        ("int32", K.set_floatx),
        ("last", K.set_image_data_format),
        (2, K.set_learning_phase),
    ):
        with pytest.raises(ValueError):
            call(wrong)
    with K.learning_phase_scope(1):
        assert K.learning_phase() == 1
    assert K.learning_phase() == 0
    first = K.get_uid("a name of this test")
    assert K.get_uid("a name of this test") == first + 1
