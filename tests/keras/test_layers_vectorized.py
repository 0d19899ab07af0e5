"""Layers inside ``vectorized_map``, as gradients of single examples need them: what ``map_fn`` gives."""

import numpy as np
import pytest

import gradtape as tf

L = tf.keras.layers

LAYERS = {
    "Dense": (lambda: L.Dense(3), (5,)),
    "Conv1D": (lambda: L.Conv1D(3, 2, strides=2, activation="tanh"), (7, 2)),
    "Conv1D causal": (lambda: L.Conv1D(3, 2, padding="causal", dilation_rate=2), (7, 2)),
    "Conv1D, two axes of a batch": (lambda: L.Conv1D(3, 2), (2, 7, 2)),
    "Conv2D": (lambda: L.Conv2D(3, 2, padding="same"), (5, 4, 2)),
    "Conv2D channels first": (lambda: L.Conv2D(3, 2, data_format="channels_first"), (2, 5, 4)),
    "Conv3D": (lambda: L.Conv3D(3, 2), (3, 4, 3, 2)),
    "Conv2DTranspose": (lambda: L.Conv2DTranspose(3, 2, strides=2), (3, 4, 2)),
    "DepthwiseConv1D": (lambda: L.DepthwiseConv1D(2), (5, 2)),
    "DepthwiseConv2D": (lambda: L.DepthwiseConv2D(2), (4, 4, 2)),
    "SeparableConv2D": (lambda: L.SeparableConv2D(3, 2), (4, 4, 2)),
    "MaxPooling1D": (lambda: L.MaxPooling1D(3, 2), (8, 2)),
    "MaxPooling2D": (lambda: L.MaxPooling2D(3, 2, padding="same"), (6, 7, 2)),
    "AveragePooling2D": (lambda: L.AveragePooling2D(3, 2), (6, 7, 2)),
    "LSTM": (lambda: L.LSTM(3), (5, 2)),
    "GRU": (lambda: L.GRU(3, return_sequences=True, go_backwards=True), (5, 2)),
    "SimpleRNN both ways": (lambda: L.Bidirectional(L.SimpleRNN(3)), (5, 2)),
    "ConvLSTM1D": (lambda: L.ConvLSTM1D(2, 2), (3, 5, 2)),
    "TimeDistributed": (lambda: L.TimeDistributed(L.Conv1D(2, 2)), (3, 5, 2)),
    "LayerNormalization": (lambda: L.LayerNormalization(), (5,)),
    "Model": (
        lambda: tf.keras.Sequential([L.Conv1D(3, 2), L.MaxPooling1D(2), L.GRU(3), L.Dense(1)]),
        (7, 2),
    ),
}


@pytest.mark.parametrize("wrapped", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("name", LAYERS)
def test_gradients_of_each_example(name, wrapped):
    make, shape = LAYERS[name]
    layer = make()
    x = tf.constant(np.random.default_rng(1).normal(size=(3, *shape)).astype("float32"))
    layer(x[:1])

    def one(example):
        with tf.GradientTape() as tape:
            tape.watch(example)
            y = tf.reduce_sum(tf.sin(layer(example[None])))
        return tape.gradient(y, [example, *layer.trainable_variables])

    expected = [tf.stack(gradients) for gradients in zip(*map(one, x), strict=True)]
    at_once = wrapped(lambda: tf.vectorized_map(one, x, fallback_to_while_loop=False))()
    for got, wanted in zip(at_once, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-5)
