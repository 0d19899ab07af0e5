"""Models that are trained and compared with Keras. No library is named here."""

from __future__ import annotations

from typing import Any

import numpy as np


def numbers(shape: tuple[int, ...], phase: float = 0.0) -> np.ndarray:
    """Numbers in ±1 that look like no others."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + n + phase).reshape(shape).astype(np.float32)


X, Y, CLASSES = numbers((20, 4)), numbers((20, 2), 1.0), np.arange(20) * 7 % 3
ONE_HOT, BINARY = np.eye(3, dtype=np.float32)[CLASSES], (CLASSES > 0).astype(np.float32)[:, None]
IMAGES = numbers((12, 6, 6, 1))


def _known(model: Any) -> Any:
    """With weights that depend on nothing but their place."""
    model.set_weights(
        [
            np.abs(numbers(w.shape, i)) + 0.5 if "variance" in w.name else 0.5 * numbers(w.shape, i)
            for i, w in enumerate(model.weights)
        ]
    )
    return model


def _mlp(K: Any, last: Any = ("Dense", (2,))) -> Any:
    L = K.layers
    return _known(K.Sequential([K.Input((4,)), L.Dense(5, activation="tanh"), L.Dense(*last[1])]))


def regression(K: Any) -> Any:
    model = _mlp(K)
    model.compile(K.optimizers.SGD(0.1, momentum=0.9), "mse", metrics=["mae", "mse"])
    return model, (X, Y), {}


def classes(K: Any) -> Any:
    model = _mlp(K, ("Dense", (3, "softmax")))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model, (X, CLASSES), {"class_weight": {0: 1.0, 1: 2.0, 2: 0.5}}


def one_hot(K: Any) -> Any:
    model = _mlp(K, ("Dense", (3, "softmax")))
    loss = K.losses.CategoricalCrossentropy(label_smoothing=0.1)
    model.compile(K.optimizers.RMSprop(0.01), loss, metrics=["acc", K.metrics.TopKCategoricalAccuracy(2)])
    return model, (X, ONE_HOT), {"validation_split": 0.25}


def binary(K: Any) -> Any:
    model = _mlp(K, ("Dense", (1, "sigmoid")))
    weights = np.arange(20) % 4 + 0.5
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"], weighted_metrics=["mae"])
    return model, (X, BINARY), {"sample_weight": weights, "validation_data": (X[:7], BINARY[:7])}


def images(K: Any) -> Any:
    L = K.layers
    layers = [
        L.Conv2D(3, 3, activation="relu"),
        L.BatchNormalization(),
        L.MaxPooling2D(),
        L.Flatten(),
        L.Dense(3),
    ]
    model = K.Sequential(layers)
    model.build((None, 6, 6, 1))
    loss = K.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(K.optimizers.Adam(0.01), loss, metrics=["accuracy"])
    return _known(model), (IMAGES, CLASSES[:12]), {"validation_data": (IMAGES, CLASSES[:12])}


def several(K: Any) -> Any:
    L = K.layers
    a, b = K.Input((4,), name="a"), K.Input((3,), name="b")
    shared = L.Dense(3, activation="tanh", name="shared")
    left = L.Add(name="sum")([shared(a), b])
    both = L.Concatenate(name="both")([left, b])
    p, q = L.Dense(2, name="p", kernel_regularizer="l2")(both), L.Dense(1, name="q")(left)
    model = _known(K.Model([a, b], [p, q]))
    model.compile("sgd", ["mse", "mae"], loss_weights=[1.0, 0.5], metrics=[["mae"], ["mae", "mse"]])
    return model, ([X, X[:, :3]], [Y, BINARY]), {}


def by_name(K: Any) -> Any:
    L = K.layers
    a = K.Input((4,), name="a")
    p, q = L.Dense(2, name="p")(a), L.Dense(1, name="q", activation="sigmoid")(a)
    model = _known(K.Model(a, {"p": p, "q": q}))
    model.compile("sgd", {"p": "mse", "q": "bce"}, metrics={"q": ["accuracy"]})
    return model, ({"a": X}, {"p": Y, "q": BINARY}), {}


def nested(K: Any) -> Any:
    L = K.layers
    x = K.Input((4,))
    inner = K.Sequential([K.Input((4,)), L.Dense(4, activation="relu"), L.Dense(4)])
    model = _known(K.Model(x, L.Dense(2)(inner(inner(x) + x))))
    model.compile("sgd", "mse")
    return model, (X, Y), {}


def masked(K: Any) -> Any:
    L = K.layers
    rows = np.arange(60).reshape(12, 5) % 4
    layers = [
        K.Input((5,)),
        L.Embedding(4, 3, mask_zero=True),
        L.Dense(3),
        L.GlobalAveragePooling1D(),
        L.Dense(2),
    ]
    model = _known(K.Sequential(layers))
    model.compile("sgd", "mse")
    return model, (rows, Y[:12]), {}


PROGRAMS = [regression, classes, one_hot, binary, images, several, by_name, nested, masked]


def run(program: Any, K: Any) -> dict[str, Any]:
    """Two epochs: the history, the evaluation, the predictions, the weights."""
    model, (x, y), kwargs = program(K)
    history = model.fit(x, y, batch_size=5, epochs=2, shuffle=False, verbose=0, **kwargs)
    values = model.evaluate(x, y, batch_size=7, verbose=0)
    outputs = model.predict(x, batch_size=6, verbose=0)
    flat = (
        list(outputs.values())
        if isinstance(outputs, dict)
        else outputs
        if isinstance(outputs, list)
        else [outputs]
    )
    batch = model.train_on_batch(x, y)
    return {
        "history": history.history,
        "evaluated": values if isinstance(values, list) else [values],
        "predicted": [np.asarray(v) for v in flat],
        "on_batch": [float(v) for v in (batch if isinstance(batch, list) else [batch])],
        "weights": model.get_weights(),
        "layers": [type(layer).__name__ for layer in model.layers],
        "shapes": [list(w.shape) for w in model.weights],
    }
