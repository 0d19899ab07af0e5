"""Mixed precision: dtypes of layers, and the scale of the loss, as Keras 3 with TensorFlow 2.21 has them."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

L = tf.keras.layers
X = np.sin(np.arange(2 * 6 * 6 * 2)).reshape(2, 6, 6, 2).astype("float32")


@pytest.fixture(params=["mixed_float16", "mixed_bfloat16"])
def policy(request):
    tf.keras.mixed_precision.set_global_policy(request.param)
    yield request.param
    tf.keras.mixed_precision.set_global_policy(None)


LAYERS = [
    ("Dense(2)", X),
    ("Conv2D(2, 3)", X),
    ("BatchNormalization()", X),
    ("LayerNormalization()", X),
    ("GroupNormalization(1)", X),
    ("RMSNormalization()", X),
    ("GRU(3)", X[0]),
    ("LSTM(3)", X[0]),
    ("Embedding(3, 2)", np.array([[1, 2]])),
    ("PReLU()", X),
    ("SeparableConv2D(2, 2)", X),
    ("Softmax()", X),
    ("Dropout(0.5)", X),
    ("MaxPooling2D()", X),
    ("AveragePooling2D(2)", X),
    ("UpSampling2D(2, interpolation='bilinear')", X),
    ("Flatten()", X),
    ("Rescaling(0.5)", X),
]


@pytest.mark.parametrize(("text", "x"), LAYERS, ids=[text for text, _ in LAYERS])
def test_dtypes(policy, text, x):
    """Outputs in half precision, weights and their gradients not; the numbers are those of float32, rounded."""
    layer = eval(f"L.{text}", {"L": L})
    compute = policy.removeprefix("mixed_")
    for training in (True, False):
        with tf.GradientTape() as tape:
            y = layer(x, training=training)
            total = tf.reduce_sum(y * y)
        assert y.dtype.name == compute
        gradients = tape.gradient(total, layer.trainable_variables)
        assert all(w.dtype.name == "float32" for w in layer.weights)
        assert all(tf.convert_to_tensor(g).dtype.name == "float32" for g in gradients)
    plain = type(layer).from_config({**layer.get_config(), "dtype": "float32"})
    plain(x)
    plain.set_weights(layer.get_weights())
    close = {"float16": 5e-3, "bfloat16": 4e-2}[compute]
    np.testing.assert_allclose(
        tf.cast(layer(x), "float32"), tf.cast(plain(x), "float32"), rtol=close, atol=2 * close
    )
    traced = tf.function(layer)(x)
    assert traced.dtype.name == compute


def test_a_layer_of_its_own_dtype(policy):
    layer = L.Dense(2, dtype="float32")
    assert layer(X).dtype.name == "float32" and layer.compute_dtype == "float32"


def test_the_scale_follows_the_gradients():
    """Keras 3's numbers: four steps overflow, and the scale is halved, then steps are taken."""
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    try:
        model = tf.keras.Sequential([tf.keras.Input((3,)), L.Dense(4, activation="relu"), L.Dense(1)])
        model.compile("adam", "mse")
    finally:
        tf.keras.mixed_precision.set_global_policy(None)
    model.set_weights([np.ones(w.shape) for w in model.get_weights()])
    x = np.sin(np.arange(24.0)).reshape(8, 3)[:4].astype("float32")
    found = [model.train_on_batch(x, np.ones((4, 1), "float32")) for _ in range(8)]
    np.testing.assert_allclose(found[:5], [52.664306] * 5, rtol=1e-6)
    np.testing.assert_allclose(found[5:], [52.467606, 52.265289, 52.026615], rtol=1e-5)
    optimizer = model.optimizer
    assert [float(optimizer.dynamic_scale), int(optimizer.step_counter), int(optimizer.iterations)] == [
        2048,
        4,
        4,
    ]


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_overflow(wrap):
    v = tf.Variable([2.0, 3.0])
    inner = tf.keras.optimizers.SGD(0.25)
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(inner, initial_scale=4.0, dynamic_growth_steps=2)

    @wrap
    def step(x):
        with tf.GradientTape() as tape:
            loss = optimizer.scale_loss(tf.reduce_sum(v * v * x))
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])

    seen = []
    for x in (1.0, 1.0, np.inf, 1.0):
        step(tf.constant(x))
        seen.append((float(v[0]), float(optimizer.dynamic_scale), int(optimizer.iterations)))
    assert seen == [(1.0, 4.0, 1), (0.5, 8.0, 2), (0.5, 4.0, 2), (0.25, 4.0, 3)]
    again = type(optimizer).from_config(optimizer.get_config())
    assert again.get_config() == optimizer.get_config()
