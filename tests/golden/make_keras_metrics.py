"""Writes keras_metrics.json: the metrics of Keras 3 after each of three batches.

Run it with a Python that has TensorFlow: `python tests/golden/make_keras_metrics.py`. The tests import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

PATH = pathlib.Path(__file__).with_name("keras_metrics.json")

# Labels and predictions of three batches, by kind, and weights of the samples.
DATA: dict[str, Any] = {
    "values": [([1.0, 2.0, 4.0], None), ([-1.0, 0.5, 3.0], None), ([7.0, 0.0, 0.0], None)],
    "rows": [([[1.0, 2.0], [4.0, 3.0], [0.0, 1.0]], None), ([[-1.0, 0.5], [3.0, 2.0], [1.0, 1.0]], None)] * 2,
    "real": [
        ([[0.5, -1.0], [2.0, 0.3], [0.0, 1.5]], [[0.2, -0.7], [0.1, 0.9], [-1.2, 4.0]]),
        ([[1.5, 1.0], [-2.0, 0.2], [0.3, 0.5]], [[0.9, 0.7], [0.4, -0.9], [1.2, 0.1]]),
        ([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], [[0.1, 0.4], [0.3, 0.2], [0.6, 0.5]]),
    ],
    "events": [
        ([[0.0], [1.0], [1.0]], [[0.2], [0.7], [0.4]]),
        ([[1.0], [0.0], [0.0]], [[0.9], [0.6], [0.5]]),
        ([[0.0], [1.0], [1.0]], [[0.0], [1.0], [0.33]]),
    ],
    "labels": [
        (
            [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
            [[0.2, 0.7, 0.4], [0.9, 0.6, 0.1], [0.3, 0.8, 0.5]],
        ),
        (
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]],
            [[0.1, 0.8, 0.3], [0.7, 0.2, 0.6], [0.4, 0.55, 0.9]],
        ),
        (
            [[1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            [[0.6, 0.45, 0.2], [0.15, 0.35, 0.7], [0.8, 0.2, 0.1]],
        ),
    ],
    "onehot": [
        (
            [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.2, 0.7, 0.1], [0.05, 0.9, 0.05], [0.3, 0.3, 0.4]],
        ),
        (
            [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
            [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]],
        ),
        (
            [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [[0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.1, 0.8, 0.1]],
        ),
    ],
    "classes": [
        ([1, 0, 2], [[0.2, 0.7, 0.1], [0.05, 0.9, 0.05], [0.3, 0.3, 0.4]]),
        ([1, 2, 2], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]),
        ([0, 0, 1], [[0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.1, 0.8, 0.1]]),
    ],
    "column": [
        ([[1], [0], [2]], [[0.2, 0.7, 0.1], [0.05, 0.9, 0.05], [0.3, 0.3, 0.4]]),
        ([[1], [2], [2]], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]),
        ([[0], [0], [1]], [[0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.1, 0.8, 0.1]]),
    ],
    "ids": [([1, 0, 2], [1, 1, 2]), ([1, 2, 2], [0, 2, 1]), ([0, 0, 1], [0, 1, 1])],
}
WEIGHTS = [1.0, 0.5, 2.0]
COUNTS = ["TruePositives", "FalsePositives", "TrueNegatives", "FalseNegatives", "Precision", "Recall"]
TEXTS: dict[str, list[str]] = {
    "values": ["Mean()", "Sum()", "Mean(dtype='float64')"],
    "rows": ["Mean()", "Sum()"],
    "real": [
        "MeanSquaredError()",
        "RootMeanSquaredError()",
        "MeanAbsoluteError()",
        "MeanAbsolutePercentageError()",
        "MeanSquaredLogarithmicError()",
        "LogCoshError()",
        "CosineSimilarity()",
        "PearsonCorrelation()",
        "ConcordanceCorrelation()",
        "Hinge()",
        "SquaredHinge()",
        "CategoricalHinge()",
        "Accuracy()",
        "R2Score()",
        "R2Score(class_aggregation=None)",
        "R2Score(class_aggregation='variance_weighted_average', num_regressors=1)",
    ],
    "events": [
        "BinaryAccuracy()",
        "BinaryAccuracy(threshold=0.3)",
        "BinaryCrossentropy()",
        "BinaryCrossentropy(from_logits=True, label_smoothing=0.1)",
        "KLDivergence()",
        "Poisson()",
        "AUC()",
        "AUC(num_thresholds=5)",
        "AUC(curve='PR')",
        "AUC(curve='PR', summation_method='majoring')",
        "AUC(curve='PRGAIN')",
        "AUC(summation_method='minoring', thresholds=[0.25, 0.6])",
        "AUC(from_logits=True)",
        "SensitivityAtSpecificity(0.6)",
        "SpecificityAtSensitivity(0.6)",
        "PrecisionAtRecall(0.5)",
        "RecallAtPrecision(0.6)",
        *[f"{name}()" for name in COUNTS],
        *[f"{name}(thresholds=[0.8, 0.3])" for name in COUNTS],
    ],
    "labels": [
        "AUC(multi_label=True)",
        "AUC(multi_label=True, num_labels=3, curve='PR', label_weights=[1.0, 0.5, 2.0])",
        "AUC(label_weights=[1.0, 0.5, 2.0])",
        "Precision()",
        "Precision(top_k=2)",
        "Recall(top_k=1, class_id=1)",
        "Precision(class_id=2, thresholds=0.3)",
        "BinaryAccuracy()",
        "F1Score()",
        "F1Score(average='micro', threshold=0.5)",
        "FBetaScore(average='macro', beta=2.0)",
        "FBetaScore(average='weighted', beta=0.5, threshold=0.4)",
    ],
    "onehot": [
        "CategoricalAccuracy()",
        "TopKCategoricalAccuracy(k=2)",
        "CategoricalCrossentropy()",
        "CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)",
        "OneHotIoU(num_classes=3, target_class_ids=[0, 2])",
        "OneHotMeanIoU(num_classes=3)",
    ],
    "classes": [
        "SparseCategoricalAccuracy()",
        "SparseTopKCategoricalAccuracy(k=2)",
        "SparseCategoricalCrossentropy()",
        "SparseCategoricalCrossentropy(from_logits=True, ignore_class=0)",
        "MeanIoU(num_classes=3, sparse_y_pred=False)",
    ],
    "column": ["SparseCategoricalAccuracy()", "SparseCategoricalCrossentropy()"],
    "ids": ["Accuracy()", "MeanIoU(num_classes=3)", "IoU(3, [1], ignore_class=0)", "MeanMetricWrapper(mae)"],
}
NO_WEIGHTS = ("IoU",)  # whole numbers by default


def after_each(tf: Any, kind: str, text: str, weighted: bool) -> dict[str, Any]:
    """The results after each batch."""
    metric = eval(text, {**vars(tf.keras.metrics), "mae": tf.keras.losses.MAE})
    results = []
    for y, p in DATA[kind]:
        args = [tf.constant(y)] if p is None else [tf.constant(y), tf.constant(p)]
        if text.startswith("MeanMetricWrapper"):
            args = [tf.constant(y, tf.float32)[:, None], tf.constant(p, tf.float32)[:, None]]
        metric.update_state(*args, **({"sample_weight": tf.constant(WEIGHTS)} if weighted else {}))
        results.append(tf.convert_to_tensor(metric.result()).numpy().tolist())
    return {"results": results, "dtype": tf.as_dtype(metric.result().dtype).name, "name": metric.name}


def main() -> None:
    import tensorflow as tf

    warnings.simplefilter("ignore")
    rows = []
    for kind, texts in TEXTS.items():
        for text in texts:
            for weighted in (False, True):
                if not (weighted and any(name in text for name in NO_WEIGHTS)):
                    tf.keras.backend.clear_session()
                    found = after_each(tf, kind, text, weighted)
                    rows.append(json.dumps({"kind": kind, "text": text, "weighted": weighted, **found}))
    head = f'{{"data": {json.dumps(DATA)},\n"weights": {WEIGHTS},\n"rows": [\n'
    PATH.write_text(head + ",\n".join(rows) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
