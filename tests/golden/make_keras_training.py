"""Writes keras_training.json: what programs that train see in Keras 3 with TensorFlow 2.21.

Run `python tests/golden/make_keras_training.py` with a Python that has them. The tests import none.
"""

from __future__ import annotations

import contextlib
import io
import json
import pathlib
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("keras_training.json")


def _data(*shape: int) -> Any:
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def step_with_a_loop_over_metrics(tf: Any) -> Any:
    """Keras's guide to `train_step`: it updates all of `metrics`, also those that were only named in `compile`."""

    class Model(tf.keras.Model):
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compute_loss(y=y, y_pred=y_pred)
            weights = self.trainable_weights
            self.optimizer.apply(tape.gradient(loss, weights), weights)
            for metric in self.metrics:
                if metric.name == "loss":
                    metric.update_state(loss)
                else:
                    metric.update_state(y, y_pred)
            return {metric.name: metric.result() for metric in self.metrics}

    tf.keras.utils.set_random_seed(1)
    x = tf.keras.Input((3,))
    model = Model(x, tf.keras.layers.Dense(1)(x))
    model.compile("adam", "mse", metrics=["mae", tf.keras.metrics.RootMeanSquaredError(name="root")])
    history = model.fit(_data(8, 3), _data(8, 1), epochs=2, batch_size=4, verbose=0, shuffle=False).history
    return history, model.evaluate(_data(8, 3), _data(8, 1), verbose=0)


def order_of_evaluate(tf: Any) -> Any:
    """The values of `evaluate`: of outputs and losses in several orders, and of a metric that is an attribute."""
    L, found = tf.keras.layers, []
    for outputs, losses in (("pd", "dp"), ("dp", "pd"), ("pd", None), ("ba", "list")):
        tf.keras.utils.set_random_seed(0)
        x = tf.keras.Input((2,))
        made = {name: L.Dense(1, name=name)(x) for name in outputs}
        labels: Any = {name: np.full((4, 1), 3.0 + i) for i, name in enumerate(outputs)}
        loss: Any = {name: "mse" if name == "p" else "mae" for name in losses or ""} or "mse"
        metrics: Any = {"d": ["mae"], "p": ["mse"]}
        if losses == "list":
            made, labels, loss = list(made.values()), list(labels.values()), ["mse", "mae"]
            metrics = [["mae"], ["mse", "mae"]]
        model = tf.keras.Model(x, made)
        model.compile("sgd", loss, metrics=metrics)
        found.append(
            [
                model.train_on_batch(np.ones((4, 2)), labels),
                model.evaluate(np.ones((4, 2)), labels, verbose=0),
            ]
        )
    model = tf.keras.Sequential([tf.keras.Input((2,)), L.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae"])
    model.first = tf.keras.metrics.Mean(name="a")
    found.append(model.evaluate(np.ones((4, 2)), np.ones((4, 1)), verbose=0))
    return found


def argument_training(tf: Any) -> Any:
    """Whether the steps of `fit` and `evaluate` tell layers that they train: if `call` has the argument."""
    L, K = tf.keras.layers, tf.keras

    class Plain(K.Model):
        def __init__(self) -> None:
            super().__init__()
            self.inner = [L.BatchNormalization(momentum=0.5), L.Dropout(0.5)]

        def call(self, x: Any) -> Any:
            for layer in self.inner:
                x = layer(x)
            return x

    class Named(Plain):
        def call(self, x: Any, training: Any = None) -> Any:
            return super().call(x)

    class Open(Plain):
        def call(self, x: Any, **kwargs: Any) -> Any:
            return super().call(x)

    found = []
    for kind in (Plain, Named, Open):
        K.utils.set_random_seed(4)
        model = kind()
        model.compile("sgd", "mse")
        losses = model.fit(_data(6, 8), _data(6, 8), epochs=2, batch_size=3, verbose=0).history["loss"]
        found.append(
            [
                losses,
                model.evaluate(_data(6, 8), _data(6, 8), verbose=0),
                model.inner[0].moving_mean.numpy().tolist(),
            ]
        )
    return found


def best_by_metric(tf: Any) -> Any:
    """Callbacks know by the metric whether more of it is better; what they add to the logs stays in the epoch."""
    found = []
    for metric in (
        tf.keras.metrics.CosineSimilarity(name="one"),
        tf.keras.metrics.MeanIoU(2),
        tf.keras.metrics.FBetaScore("micro", name="two"),
        tf.keras.metrics.MeanSquaredError(name="three"),
    ):
        tf.keras.utils.set_random_seed(2)
        model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
        model.compile(tf.keras.optimizers.SGD(0.5), "mse", metrics=[metric])
        labels = np.eye(2)[[0, 1, 1, 0]]
        stop = tf.keras.callbacks.EarlyStopping(metric.name, min_delta=0.01, restore_best_weights=True)
        rate = tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate)
        ends: list[Any] = []
        last = tf.keras.callbacks.LambdaCallback(on_train_end=lambda logs, ends=ends: ends.extend(logs))
        model.fit(_data(4, 3), labels, epochs=5, verbose=0, callbacks=[stop, rate, last])
        found.append([stop.best_epoch, stop.stopped_epoch, float(stop.best), sorted(ends)])
    return found


def names_of_variables(tf: Any) -> Any:
    """Weights without names, and what optimizers and metrics keep."""

    class Layer(tf.keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.weights_made = [self.add_weight(shape=(n,)) for n in (1, 2)]
            self.add_weight(shape=(), name="named")

        def call(self, x: Any) -> Any:
            return x

    tf.keras.backend.clear_session()
    layers = [Layer(), Layer()]
    optimizer = tf.keras.optimizers.RMSprop(momentum=0.9)
    optimizer.build(layers[1].trainable_variables)
    kept = [*layers[0].weights, *layers[1].weights, *optimizer.variables, *tf.keras.metrics.Mean().variables]
    return [[variable.path, variable.name] for variable in kept]


def summaries(tf: Any) -> Any:
    """`summary` of a model that a loop has built, and of one that a call has built."""
    L, found = tf.keras.layers, []

    class Model(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.rnn = L.GRU(2, return_state=True, return_sequences=True)
            self.dense = L.Dense(1)

        def call(self, x: Any) -> Any:
            sequences, state = self.rnn(x, initial_state=tf.zeros([tf.shape(x)[0], 2]))
            return self.dense(state)

    def by(what: str, model: Any) -> None:
        x, y = _data(5, 2, 3), _data(5, 1)
        if what == "call":
            model(x)
        else:
            getattr(model, what)(x, y, batch_size=3, verbose=0)

    for what in ("call", "fit", "evaluate"):
        model = Model()
        model.compile("sgd", "mse")
        by(what, model)
        lines: list[str] = []
        model.summary(line_length=80, print_fn=lambda line, lines=lines: lines.append(line))
        found.append(
            [line[32:57].strip(" │┃") for line in "\n".join(lines).split("\n") if line.startswith("│")]
        )
    return found


def masks_of_attention(tf: Any) -> Any:
    """The mask of the queries is that of the outputs, also beside the scores."""
    L = tf.keras.layers
    tf.keras.utils.set_random_seed(0)
    sequences = [L.Embedding(5, 4, mask_zero=True)(np.array([[1, 2, 0], [3, 0, 0]])) for _ in range(2)]
    found = []
    for options in ({}, {"dropout": 0.1}):
        for x in sequences:
            x._keras_mask = tf.constant([[True, True, False], [True, False, False]])
        attended, scores = L.MultiHeadAttention(2, 3, **options)(*sequences, return_attention_scores=True)
        found.append(
            [attended._keras_mask.numpy().tolist(), attended.numpy().tolist(), scores.numpy().tolist()]
        )
    return found


def ragged_tokens(tf: Any) -> Any:
    """Layers that give one number for each token, of ragged tensors, eagerly and in functions."""
    L, found = tf.keras.layers, []
    letters, numbers = tf.ragged.constant([["a", "c"], ["b"], []]), tf.ragged.constant([[3], [4, 9]])
    for layer, x in (
        (L.StringLookup(vocabulary=["a", "b"]), letters),
        (L.IntegerLookup(vocabulary=[3, 4]), numbers),
        (L.StringLookup(vocabulary=["a", "b"], invert=True), tf.ragged.constant([[1], [2, 0]])),
        (L.Hashing(3), letters),
        (L.Discretization([0.0, 1.0]), tf.ragged.constant([[0.5], [2.0, -1.0]])),
        (L.Embedding(3, 1, embeddings_initializer="ones"), tf.ragged.constant([[1], [2, 0]])),
    ):
        text = [str(layer(x).to_list()), str(tf.function(layer)(x).to_list())]
        assert text[0] == text[1]
        found.append(text[0])
    learner = L.StringLookup()
    learner.adapt(tf.ragged.constant([["x", "y"], ["x"]]))
    return [*found, [str(token) for token in learner.get_vocabulary()]]


def masked_tagger(tf: Any) -> Any:
    """Tags of the words and a class of the text, of sequences of several lengths, through layers that pass masks on."""
    L = tf.keras.layers
    tf.keras.utils.set_random_seed(3)
    words = np.arange(1, 55).reshape(6, 9) % 19 + 1
    words[:, 6:], words[3, 2:], words[5] = 0, 0, 0
    x = tf.keras.Input((None,), dtype="int32")
    h = L.Bidirectional(L.LSTM(3, return_sequences=True))(L.Embedding(20, 4, mask_zero=True)(x))
    h = L.TimeDistributed(L.Dense(4, activation="relu"))(h)
    tags = L.TimeDistributed(L.Dense(3, activation="softmax"), name="tags")(h)
    text = L.Dense(1, activation="sigmoid", name="text")(L.Bidirectional(L.GRU(2))(h))
    model = tf.keras.Model(x, [tags, text])
    model.compile(
        tf.keras.optimizers.Adam(0.01),
        {"tags": "sparse_categorical_crossentropy", "text": "binary_crossentropy"},
        loss_weights={"tags": 0.7, "text": 1.5},
        metrics={"tags": ["accuracy"], "text": [tf.keras.metrics.AUC(name="auc")]},
    )
    labels = {"tags": words % 3, "text": words[:, :1] % 2}
    with contextlib.redirect_stdout(io.StringIO()):
        history = model.fit(words, labels, epochs=3, batch_size=4).history
    return history, model.predict(words, verbose=0)[1].tolist()


PROGRAMS = [
    step_with_a_loop_over_metrics,
    order_of_evaluate,
    argument_training,
    best_by_metric,
    names_of_variables,
    summaries,
    masks_of_attention,
    ragged_tokens,
    masked_tagger,
]


def main() -> None:
    import tensorflow as tf

    answers = {program.__name__: program(tf) for program in PROGRAMS}
    PATH.write_text(
        json.dumps(answers, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
