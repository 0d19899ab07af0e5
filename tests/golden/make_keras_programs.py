"""Writes keras_programs.json: what small programs see in Keras 3 with TensorFlow 2.21.

Run `python tests/golden/make_keras_programs.py` with a Python that has them. The tests import none.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("keras_programs.json")

S, IMAGE, VIDEO = (2, 6, 4), (2, 5, 5, 2), (2, 3, 5, 5, 2)
LAYERS: dict[str, Any] = {
    "MultiHeadAttention(2, 3)": [S, S],
    "MultiHeadAttention(2, 3, dropout=0.1, value_dim=5, output_shape=7)": [S, S],
    "GroupQueryAttention(3, 4, 2)": [S, S],
    "SeparableConv1D(3, 2)": [S],
    "SeparableConv2D(3, 2)": [IMAGE],
    "DepthwiseConv2D(3)": [IMAGE],
    "Conv2DTranspose(3, 2)": [IMAGE],
    "Conv3D(2, 2)": [VIDEO],
    "SimpleRNN(3)": [S],
    "GRU(3)": [S],
    "LSTM(3)": [S],
    "SimpleRNN(3, recurrent_dropout=0.2)": [S],
    "GRU(3, dropout=0.2, recurrent_dropout=0.3)": [S],
    "LSTM(3, dropout=0.2)": [S],
    "Bidirectional(L.LSTM(3))": [S],
    "Bidirectional(L.SimpleRNN(3), merge_mode='sum')": [S],
    "RNN([L.GRUCell(2), L.SimpleRNNCell(3), L.LSTMCell(2)])": [S],
    "ConvLSTM1D(2, 2)": [IMAGE],
    "ConvLSTM2D(2, 2)": [VIDEO],
    "TimeDistributed(L.Dense(3))": [S],
    "SpectralNormalization(L.Dense(3))": [S],
    "EinsumDense('abc,cd->abd', (None, 5), bias_axes='d')": [S],
    "EinsumDense('abc,cde->abde', (None, 2, 3), kernel_initializer='he_normal')": [S],
    "PReLU('uniform')": [S],
    "Dropout(0.0)": [S],
    "Dropout(0.5)": [S],
    "SpatialDropout1D(0.5)": [S],
    "GaussianNoise(0.5)": [S],
    "GaussianNoise(0.0)": [S],
    "GaussianDropout(0.5)": [S],
    "AlphaDropout(0.5)": [S],
    "Attention(dropout=0.5)": [[S, S]],
    "Dense(3, kernel_initializer='orthogonal', bias_initializer='random_normal')": [S],
    "Dense(3, kernel_initializer='lecun_uniform', use_bias=False)": [S],
    "RandomFlip()": [IMAGE],
    "RandomRotation(0.1)": [IMAGE],
    "RandomZoom(0.3)": [IMAGE],
}


def _waves(shape: Any) -> Any:
    if isinstance(shape, list):
        return [_waves(one) for one in shape]
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def seeds(tf: Any) -> dict[str, Any]:
    """Under a global seed: sums of the initial weights and of the outputs while training, and the seed drawn next."""
    found = {}
    for text, shapes in LAYERS.items():
        tf.keras.utils.set_random_seed(11)
        layer = eval(f"L.{text}", {"L": tf.keras.layers})
        takes_training = "training" in layer.call.__code__.co_varnames
        outputs = layer(*map(_waves, shapes), **({"training": True} if takes_training else {}))
        sums = [float(tf.reduce_sum(w)) for w in layer.weights if "seed" not in w.path]
        sums += [float(tf.reduce_sum(y)) for y in tf.nest.flatten(outputs)]
        found[text] = [*sums, tf.keras.initializers.RandomNormal().seed]
    return found


def _watcher(tf: Any, seen: list[Any]) -> Any:
    class Watcher(tf.keras.Model):
        """Notes its batches."""

        def call(self, x: Any) -> Any:
            return x

        def train_step(self, data: Any) -> Any:
            seen.append(np.array(data).ravel().tolist())
            return {"loss": 0.0}

        test_step: Any = lambda self, data: {"loss": 0.0}

    model = Watcher()
    model(np.zeros((1, 1)))
    model.compile("sgd", run_eagerly=True)
    return model


def orders(tf: Any) -> dict[str, Any]:
    """The batches of `fit`, of arrays and of datasets that are shuffled."""
    found: dict[str, Any] = {}
    seen: list[Any] = []
    model = _watcher(tf, seen)

    def fit(name: str, x: Any, **how: Any) -> None:
        seen.clear()
        with warnings.catch_warnings(action="ignore"):
            model.fit(x, verbose=0, **how)
        found[name] = list(seen)

    for n in (1, 5, 17):
        for shuffle in (True, "batch", False):
            tf.keras.utils.set_random_seed(n)
            fit(f"{n} {shuffle}", np.arange(float(n))[:, None], epochs=2, batch_size=3, shuffle=shuffle)
    rows = np.arange(17.0)[:, None]
    fit("steps of arrays", rows, epochs=3, batch_size=3, steps_per_epoch=4)
    tf.random.set_seed(5)
    fit("another seed", rows, batch_size=30)
    shuffled = lambda: tf.data.Dataset.range(8).map(lambda x: [x]).shuffle(8, seed=5).batch(4)
    fit("dataset", shuffled(), epochs=3)
    data = shuffled()
    fit("validated by the same", data, epochs=3, validation_data=data)
    fit("steps of a dataset", shuffled(), epochs=5, steps_per_epoch=1)
    fit("more steps than a pass has", shuffled().repeat(), epochs=2, steps_per_epoch=3)
    fit("of unknown length", shuffled().filter(lambda x: True), epochs=3)
    return found


def told(tf: Any) -> list[str]:
    """What a sequence hears."""
    heard: list[str] = []

    class Data(tf.keras.utils.Sequence):
        def __init__(self) -> None:
            super().__init__()

        def __len__(self) -> int:
            return 2

        def __getitem__(self, i: int) -> Any:
            return np.ones((2, 1)), np.ones((2, 1))

        def on_epoch_begin(self) -> None:
            heard.append("begin")

        def on_epoch_end(self) -> None:
            heard.append("end")

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(Data(), epochs=2, verbose=0)
    heard.append("evaluate")
    model.evaluate(Data(), verbose=0)
    heard.append("predict")
    model.predict(Data(), verbose=0)
    return heard


def names(tf: Any) -> list[str]:
    """Those that models get beside each other."""
    K, L = tf.keras, tf.keras.layers
    K.backend.clear_session()
    x = K.Input((2,))
    made = [K.Sequential([K.Input((2,)), L.Dense(2), L.Dense(1)]), K.Model(x, L.Dense(1)(x)), K.Sequential()]
    for layer in (K.Input((2,)), L.Dense(2), L.Dense(1)):
        made[-1].add(layer)
    late = K.Sequential([L.Dense(1)])
    made += [K.Model(x, L.Dense(1)(x)), late]
    late(np.zeros((1, 2)))
    return [model.name for model in [*made, K.Model(x, L.Dense(1)(x)), L.GroupQueryAttention(2, 2, 1)]]


PROGRAMS = [seeds, orders, told, names]


def main() -> None:
    import tensorflow as tf

    answers = {program.__name__: program(tf) for program in PROGRAMS}
    PATH.write_text(
        json.dumps(answers, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
