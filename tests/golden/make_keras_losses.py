"""Writes keras_losses.json: the losses of Keras 3, their gradients, and their errors.

Run it with a Python that has TensorFlow: `python tests/golden/make_keras_losses.py`. The tests import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

PATH = pathlib.Path(__file__).with_name("keras_losses.json")

# Labels and predictions by kind: real numbers, probabilities of two events, one-hot classes, class numbers.
DATA: dict[str, Any] = {
    "real": ([[0.5, -1.0], [2.0, 0.3], [0.0, 1.5]], [[0.2, -0.7], [0.1, 0.9], [-1.2, 4.0]]),
    "events": ([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [[0.2, 0.7], [0.1, 0.9], [1.0, 0.0]]),
    "onehot": ([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[0.2, 0.7, 0.1], [0.05, 0.9, 0.3]]),
    "classes": ([1, 0], [[0.2, 0.7, 0.1], [0.05, 0.9, 0.05]]),
    "column": ([[1], [0]], [[0.2, 0.7, 0.1], [0.05, 0.9, 0.05]]),
    "vectors": ([[0.6, 0.8], [1.0, 0.0]], [[3.0, 4.0], [0.5, -1.0]]),
    "maps": (
        [[[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]]],
        [[[0.9, 0.2], [0.1, 0.4]], [[0.3, 0.8], [0.2, 0.6]]],
    ),
    "labels": ([0, 1, 1, 0], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
}
REAL = [
    "MeanSquaredError(",
    "MeanAbsoluteError(",
    "MeanAbsolutePercentageError(",
    "MeanSquaredLogarithmicError(",
    "CosineSimilarity(",
    "CosineSimilarity(axis=0, ",
    "Huber(",
    "Huber(delta=0.5, ",
    "LogCosh(",
    "Hinge(",
    "SquaredHinge(",
    "CategoricalHinge(",
    "Poisson(",
]
EVENTS = [
    "BinaryCrossentropy(",
    "BinaryCrossentropy(from_logits=True, ",
    "BinaryCrossentropy(label_smoothing=0.2, ",
    "BinaryFocalCrossentropy(",
    "BinaryFocalCrossentropy(apply_class_balancing=True, gamma=3.0, ",
    "BinaryFocalCrossentropy(from_logits=True, alpha=0.1, label_smoothing=0.1, ",
    "Hinge(",
    "KLDivergence(",
    "Dice(",
    "Tversky(alpha=0.3, beta=0.6, ",
]
ONEHOT = [
    "CategoricalCrossentropy(",
    "CategoricalCrossentropy(from_logits=True, ",
    "CategoricalCrossentropy(label_smoothing=0.3, ",
    "CategoricalFocalCrossentropy(",
    "CategoricalFocalCrossentropy(from_logits=True, gamma=1.0, label_smoothing=0.1, ",
    "KLDivergence(",
    "CategoricalHinge(",
]
CLASSES = [
    "SparseCategoricalCrossentropy(",
    "SparseCategoricalCrossentropy(from_logits=True, ",
    "SparseCategoricalCrossentropy(ignore_class=0, ",
    "CategoricalGeneralizedCrossEntropy(q=0.4, ",
]
REDUCTIONS = ["'sum_over_batch_size'", "'sum'", "'none'", "None", "'mean_with_sample_weight'"]
FUNCTIONS = {
    "real": "mse mae mape msle cosine_similarity huber logcosh hinge squared_hinge categorical_hinge poisson",
    "events": "binary_crossentropy binary_focal_crossentropy kld dice tversky",
    "onehot": "categorical_crossentropy categorical_focal_crossentropy",
    "classes": "sparse_categorical_crossentropy",
    "column": "sparse_categorical_crossentropy",
}
MORE = [
    ("vectors", "losses.CosineSimilarity()(y, p, w)"),
    ("maps", "losses.MeanSquaredError()(y, p, [[1.0, 0.5], [0.0, 2.0]])"),
    ("maps", "losses.MeanSquaredError()(y, p, [[[1.0], [0.5]], [[0.0], [2.0]]])"),
    ("maps", "losses.Dice(axis=(1, 2), reduction='none')(y, p)"),
    ("maps", "losses.BinaryCrossentropy(axis=1, reduction='none')(y, p)"),
    ("labels", "losses.Circle(reduction='none')(y, p)"),
    ("labels", "losses.Circle(gamma=10.0, margin=0.2)(y, p)"),
    ("labels", "losses.circle(y, p, remove_diagonal=False)"),
    ("real", "losses.MeanSquaredError(dtype='float64')(y, p)"),
    ("real", "losses.MeanSquaredError(reduction='nonsense')(y, p)"),
    ("real", "losses.MeanSquaredError()(y, p, 2.0)"),
    ("real", "losses.MeanSquaredError()(y, p, [[1.0], [0.5], [0.25]])"),
    ("classes", "losses.SparseCategoricalCrossentropy(ignore_class=0)(y, p, [1.0, 0.5])"),
    ("classes", "losses.SparseCategoricalCrossentropy(axis=0)(y, p)"),
    ("classes", "losses.sparse_categorical_crossentropy([1, 0, 2], p)"),
    ("onehot", "losses.categorical_crossentropy([[1.0, 0.0]], p)"),
    ("events", "losses.binary_crossentropy([1.0, 0.0], p)"),
    ("onehot", "losses.CategoricalCrossentropy()(y, activations.softmax(30.0 * p))"),
    ("classes", "losses.SparseCategoricalCrossentropy()(y, activations.softmax(30.0 * p))"),
    ("events", "losses.BinaryCrossentropy()(y, activations.sigmoid(30.0 * p))"),
]
WEIGHTS = [1.0, 0.5, 0.0, 2.0]


def cases() -> list[tuple[str, str]]:
    """The kind of the data, and the text to evaluate with y, p (a variable) and w."""
    classes = {"real": REAL, "events": EVENTS, "onehot": ONEHOT, "classes": CLASSES, "column": CLASSES[:2]}
    found = [
        (kind, f"losses.{text}reduction={reduction})(y, p{weight})")
        for kind, texts in classes.items()
        for text in texts
        for reduction in (REDUCTIONS if text.endswith("(") else REDUCTIONS[:1])
        for weight in ("", ", w")
    ]
    for kind, names in FUNCTIONS.items():
        found += [(kind, f"losses.{name}(y, p)") for name in names.split()]
    return [
        case for case in found if not ("Dice" in case[1] or "Tversky" in case[1]) or ", w)" not in case[1]
    ] + MORE


def evaluated(tf: Any, kind: str, text: str) -> dict[str, Any]:
    """The loss and the gradient of its sum with respect to the predictions, or the type of the error."""
    y, p = DATA[kind]
    y, p = tf.constant(y), tf.Variable(p)
    names = {"losses": tf.keras.losses, "activations": tf.keras.activations, "y": y}
    names["w"] = tf.constant(WEIGHTS[: y.shape[0]])
    try:
        with tf.GradientTape() as tape:
            value = eval(text, {**names, "p": p.value()})
            total = tf.reduce_sum(value)
        slope = tape.gradient(total, p)
    except Exception as error:
        return {"error": type(error).__name__}
    return {"value": value.numpy().tolist(), "dtype": value.dtype.name, "gradient": slope.numpy().tolist()}


def main() -> None:
    import tensorflow as tf

    warnings.simplefilter("ignore")
    rows = [{"kind": kind, "text": text, **evaluated(tf, kind, text)} for kind, text in cases()]
    head = f'{{"data": {json.dumps(DATA)},\n"weights": {WEIGHTS},\n"rows": [\n'
    PATH.write_text(head + ",\n".join(json.dumps(row) for row in rows) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
