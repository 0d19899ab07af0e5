"""Metrics by name."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras import confusion, iou_metrics, metrics, score_metrics
from gradtape._src.keras import loss_functions as distances
from gradtape._src.keras import loss_probabilities as probabilities
from gradtape._src.keras import metric_functions as functions
from gradtape._src.keras.auc import AUC
from gradtape._src.keras.metric import Mean, MeanMetricWrapper, Metric, Sum
from gradtape._src.keras.naming import in_lower_case
from gradtape._src.keras.serialization import Family, serialize_keras_object

_CLASSES: list[Any] = [
    AUC,
    Mean,
    MeanMetricWrapper,
    Metric,
    Sum,
    confusion.FalseNegatives,
    confusion.FalsePositives,
    confusion.Precision,
    confusion.PrecisionAtRecall,
    confusion.Recall,
    confusion.RecallAtPrecision,
    confusion.SensitivityAtSpecificity,
    confusion.SpecificityAtSensitivity,
    confusion.TrueNegatives,
    confusion.TruePositives,
    iou_metrics.BinaryIoU,
    iou_metrics.IoU,
    iou_metrics.MeanIoU,
    iou_metrics.OneHotIoU,
    iou_metrics.OneHotMeanIoU,
    metrics.Accuracy,
    metrics.BinaryAccuracy,
    metrics.BinaryCrossentropy,
    metrics.CategoricalAccuracy,
    metrics.CategoricalCrossentropy,
    metrics.CategoricalHinge,
    metrics.ConcordanceCorrelation,
    metrics.CosineSimilarity,
    metrics.Hinge,
    metrics.KLDivergence,
    metrics.LogCoshError,
    metrics.MeanAbsoluteError,
    metrics.MeanAbsolutePercentageError,
    metrics.MeanSquaredError,
    metrics.MeanSquaredLogarithmicError,
    metrics.PearsonCorrelation,
    metrics.Poisson,
    metrics.RootMeanSquaredError,
    metrics.SparseCategoricalAccuracy,
    metrics.SparseCategoricalCrossentropy,
    metrics.SparseTopKCategoricalAccuracy,
    metrics.SquaredHinge,
    metrics.TopKCategoricalAccuracy,
    score_metrics.F1Score,
    score_metrics.FBetaScore,
    score_metrics.R2Score,
]
_SHORT: dict[str, Any] = {
    "acc": metrics.Accuracy,
    "bce": metrics.BinaryCrossentropy,
    "mae": metrics.MeanAbsoluteError,
    "mape": metrics.MeanAbsolutePercentageError,
    "mse": metrics.MeanSquaredError,
    "msle": metrics.MeanSquaredLogarithmicError,
}
_ALIASES: dict[str, Any] = {
    "kld": probabilities.kl_divergence,
    "KLD": probabilities.kl_divergence,
    "kullback_leibler_divergence": probabilities.kl_divergence,
    "huber": distances.huber,
    "logcosh": distances.log_cosh,
    "cosine_proximity": functions.cosine_similarity,
    **{in_lower_case(cls.__name__): cls for cls in _CLASSES},
    **_SHORT,
    **{name.upper(): cls for name, cls in _SHORT.items()},
}
_FAMILY = Family("metric", "keras.metrics", _CLASSES, _ALIASES)


def get(identifier):
    """The metric of a name, a configuration or a class; a function or a metric is meant itself, and None gives None.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.metrics.get("mse").name
    'mean_squared_error'
    """
    return _FAMILY.get(identifier)


def serialize(metric):
    """The configuration of a metric."""
    return serialize_keras_object(metric)


def deserialize(config, custom_objects=None):
    """The metric of a configuration or a name."""
    return _FAMILY.deserialize(config, custom_objects)
