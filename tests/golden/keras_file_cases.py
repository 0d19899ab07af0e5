"""Models that are written to files by Keras and read here, and the other way round. No library is named here."""

from __future__ import annotations

from typing import Any

import numpy as np


def numbers(*shape: int, phase: float = 0.0) -> np.ndarray:
    """Numbers in ±1 that look like no others."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + n + phase).reshape(shape).astype(np.float32)


def _filled(model: Any) -> Any:
    model.set_weights([np.abs(numbers(*w.shape, phase=i)) for i, w in enumerate(model.get_weights())])
    return model


def sequential(K: Any) -> tuple[Any, Any]:
    """Recurrent and normalizing layers, trained a little, with the state of Adam."""
    L = K.layers
    model = K.Sequential([
        K.Input((4, 2)), L.GRU(3, return_sequences=True), L.Bidirectional(L.LSTM(2)), L.Dropout(0.1, seed=1),
        L.Dense(2, activation="relu", kernel_regularizer="l2"), L.BatchNormalization(), L.Dense(1),
    ])  # fmt: skip
    _filled(model).compile("adam", "mse", metrics=["mae"])
    x = numbers(4, 4, 2)
    model.train_on_batch(x, numbers(4, 1))
    return model, x


def functional(K: Any) -> tuple[Any, Any]:
    """Two inputs, attention, a layer that is used twice, two outputs."""
    L = K.layers
    a, b = K.Input((3, 2), name="a"), K.Input((3, 2), name="b")
    shared = L.Dense(4, activation="tanh")
    x = L.MultiHeadAttention(2, 3)(shared(a), shared(b))
    x = L.LayerNormalization()(L.Add()([x, shared(a)]))
    y = L.Conv1D(2, 2, padding="causal")(x)
    model = K.Model([a, b], [L.GlobalAveragePooling1D()(y), L.Flatten()(x)])
    return _filled(model), [numbers(2, 3, 2), numbers(2, 3, 2, phase=1.0)]


def images(K: Any) -> tuple[Any, Any]:
    """Convolutions of all kinds and pooling."""
    L = K.layers
    model = K.Sequential([
        K.Input((6, 6, 1)), L.Rescaling(0.5), L.Conv2D(2, 3, padding="same"), L.ReLU(), L.MaxPooling2D(),
        L.DepthwiseConv2D(2), L.SeparableConv2D(3, 2), L.Conv2DTranspose(2, 2), L.UpSampling2D(2),
        L.ZeroPadding2D(1), L.Cropping2D(1), L.GroupNormalization(2), L.Flatten(), L.Dense(3, activation="softmax"),
    ])  # fmt: skip
    return _filled(model), numbers(2, 6, 6, 1)


def texts(K: Any) -> tuple[Any, Any]:
    """A vocabulary that was learned, and statistics."""
    L = K.layers
    words = L.TextVectorization(output_sequence_length=3)
    words.adapt(["a b c", "b c", "c"])
    model = K.Sequential([K.Input((1,), dtype="string"), words, L.Embedding(6, 2), L.GlobalMaxPooling1D()])
    return _filled(model), np.array([["a b"], ["c d e f"]])


def nested(K: Any) -> tuple[Any, Any]:
    """A model in a model, wrappers, cells."""
    L = K.layers
    inner = K.Sequential([K.Input((3,)), L.Dense(2), L.PReLU()], name="inner")
    x = K.Input((4, 3))
    y = L.TimeDistributed(inner)(x)
    y = L.RNN([L.GRUCell(2), L.LSTMCell(2)], return_sequences=True)(y)
    y = L.SpectralNormalization(L.Dense(2))(y)
    return _filled(K.Model(x, L.EinsumDense("abc,cd->abd", (None, 3), bias_axes="d")(y))), numbers(2, 4, 3)


MODELS = [sequential, functional, images, texts, nested]


def subclassed(K: Any) -> tuple[Any, Any]:
    """Layers in attributes, lists and dictionaries: weights in a file, for a model that is made anew."""
    L = K.layers

    class Net(K.Model):
        def __init__(self) -> None:
            super().__init__()
            self.zeta = [L.Dense(2), L.Dense(3)]
            self.alpha = L.Dense(2)
            self.named = {"k": L.Dense(1)}
            self.deep = [[L.Dense(1)], L.ReLU()]
            self.shift = self.add_weight(shape=(2,), name="shift", initializer="ones")

        def call(self, x: Any) -> Any:
            for layer in self.zeta:
                x = layer(x)
            x = self.named["k"](self.deep[1](self.deep[0][0](self.alpha(x))))
            return x + self.shift

    model, x = Net(), numbers(3, 2)
    model(x)
    model.compile("sgd", "mse")
    return _filled(model), x


def outputs(tf: Any, model: Any, x: Any) -> list[Any]:
    """What a model gives."""
    inputs = tf.nest.map_structure(tf.constant, x)
    return [np.asarray(y, float).round(6).tolist() for y in tf.nest.flatten(model(inputs))]
