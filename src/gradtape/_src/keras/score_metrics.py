"""Scores of whole data sets: F scores of classes, and the part of the variance that predictions explain."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import broadcast_to, expand_dims, shape, size
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import greater, greater_equal, is_inf, logical_and
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.reduction import reduce_max, reduce_mean, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32
from gradtape._src.core.values import shape_of
from gradtape._src.keras.loss import converted, of_one_rank
from gradtape._src.keras.metric import Metric, in_one
from gradtape._src.keras.settings import epsilon

_AVERAGES = (None, "micro", "macro", "weighted")
_AGGREGATIONS = (None, "uniform_average", "variance_weighted_average")


def _columns(y_true: Any, y_pred: Any, metric: str) -> int:
    have, given = shape_of(y_true), shape_of(y_pred)
    if have is None or given is None or len(have) != 2 or len(given) != 2 or given[-1] is None:
        raise ValueError(
            f"{metric} expects 2D inputs with shape (batch_size, output_dim), output_dim being known. Received input "
            f"shapes: y_pred.shape={given} and y_true.shape={have}."
        )
    return given[-1]


class FBetaScore(Metric):
    """``(1 + beta**2) * precision * recall / (beta**2 * precision + recall)`` of each class.

    Args:
      average: None: a score for each class; ``"micro"``: one of all samples and classes; ``"macro"``: the mean over the
        classes; ``"weighted"``: the mean weighted by how often the classes come.
      beta: the weight of the recall.
      threshold: above which a prediction is positive; by default the largest of each sample is.
      name, dtype: see `tf.keras.metrics.Metric`.

    Raises:
      ValueError: an argument out of range; in an update, labels or predictions that are no matrices.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.F1Score(threshold=0.5)
    >>> metric.update_state([[1.0, 1.0], [1.0, 0.0]], [[0.2, 0.6], [0.6, 0.1]])
    >>> print(metric.result().numpy().round(4))
    [0.6667 1.    ]

    As Keras 3.
    """

    _more_is_better = True

    _arguments = ("average", "beta", "threshold")

    def __init__(self, average=None, beta=1.0, threshold=None, name="fbeta_score", dtype=None):
        super().__init__(name=name, dtype=dtype)
        if average not in _AVERAGES:
            raise ValueError(
                f"Invalid `average` argument value. Expected one of: {_AVERAGES}. Received: average={average}"
            )
        if not isinstance(beta, float) or beta <= 0.0:
            raise ValueError(
                f"Invalid `beta` argument value. It should be a float > 0. Received: beta={beta}"
            )
        if threshold is not None and not (isinstance(threshold, float) and 0 < threshold <= 1.0):
            raise ValueError(
                "Invalid `threshold` argument value. It should be a float with 0 < threshold <= 1. Received: "
                f"threshold={threshold}"
            )
        self.average, self.beta, self.threshold = average, beta, threshold
        self._built = False

    def _build(self, classes: int) -> None:
        for name in ("true_positives", "false_positives", "false_negatives", "intermediate_weights"):
            where_ = () if self.average == "micro" else (classes,)
            setattr(self, name, self.add_variable(where_, "zeros", self._dtype, name=name))
        self._built = True

    true_positives: Any
    false_positives: Any
    false_negatives: Any
    intermediate_weights: Any

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = converted(y_true, self._dtype), converted(y_pred, self._dtype)
        if not self._built:
            self._build(_columns(y_true, y_pred, type(self).__name__))
        if self.threshold is None:
            largest = greater_equal(y_pred, reduce_max(y_pred, axis=-1, keepdims=True))
            positive = logical_and(largest, greater(absolute(y_pred), 1e-9))
        else:
            positive = greater(y_pred, self.threshold)
        p: Any = cast(positive, self._dtype)
        weight = 1.0 if sample_weight is None else expand_dims(converted(sample_weight, self._dtype), 1)
        axis = None if self.average == "micro" else 0
        parts = [
            (self.true_positives, p * y_true),
            (self.false_positives, p * (1.0 - y_true)),
            (self.false_negatives, (1.0 - p) * y_true),
            (self.intermediate_weights, y_true),
        ]
        return in_one(
            [v.assign_add(reduce_sum(part * weight, axis=axis), read_value=False) for v, part in parts]
        )

    def result(self):
        right = as_tensor(self.true_positives)
        precision = right / (right + self.false_positives + epsilon())
        recall = right / (right + self.false_negatives + epsilon())
        square = self.beta**2
        scores = precision * recall / (square * precision + recall + epsilon()) * (1 + square)
        if self.average == "weighted":
            weights = as_tensor(self.intermediate_weights)
            return reduce_sum(scores * (weights / (reduce_sum(weights) + epsilon())))
        return scores if self.average is None else reduce_mean(scores)


class F1Score(FBetaScore):
    """`tf.keras.metrics.FBetaScore` with a beta of 1: the harmonic mean of precision and recall."""

    _arguments = ("average", "threshold")

    def __init__(self, average=None, threshold=None, name="f1_score", dtype=None):
        super().__init__(average, 1.0, threshold, name, dtype)


class R2Score(Metric):
    """``1 - sum((y_true - y_pred)**2) / sum((y_true - mean(y_true))**2)``, the coefficient of determination.

    Args:
      class_aggregation: None: a score for each column; ``"uniform_average"``: their mean;
        ``"variance_weighted_average"``: their mean, weighted by the variances.
      num_regressors: if it is not 0, the score is adjusted for so many independent variables.
      name, dtype: see `tf.keras.metrics.Metric`.

    Raises:
      ValueError: an unknown aggregation, a negative number; in an update, labels or predictions that are no matrices.

    >>> import gradtape as tf
    >>> tf.keras.metrics.R2Score()([[1.0], [4.0], [3.0]], [[2.0], [4.0], [4.0]]).numpy().round(4)
    np.float32(0.5714)

    As Keras 3.
    """

    _more_is_better = True

    _arguments = ("class_aggregation", "num_regressors")

    def __init__(self, class_aggregation="uniform_average", num_regressors=0, name="r2_score", dtype=None):
        super().__init__(name=name, dtype=dtype)
        if class_aggregation not in _AGGREGATIONS:
            raise ValueError(
                f"Invalid value for argument `class_aggregation`. Expected one of {_AGGREGATIONS}. Received: "
                f"class_aggregation={class_aggregation}"
            )
        if num_regressors < 0:
            raise ValueError(
                "Invalid value for argument `num_regressors`. Expected a value >= 0. Received: "
                f"num_regressors={num_regressors}"
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), "zeros", self._dtype, name="num_samples")
        self._built = False

    squared_sum: Any
    sum: Any
    total_mse: Any
    count: Any

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = of_one_rank(converted(y_true, self._dtype), converted(y_pred, self._dtype))
        if not self._built:
            columns = _columns(y_true, y_pred, "R2Score")
            for name in ("squared_sum", "sum", "total_mse", "count"):
                setattr(self, name, self.add_variable((columns,), "zeros", self._dtype, name=name))
            self._built = True
        weight = converted(1.0 if sample_weight is None else sample_weight, self._dtype)
        weight = expand_dims(weight, 1) if len(weight.shape) == 1 else weight
        weight = broadcast_to(weight, shape(y_true))
        error = y_true - y_pred
        parts = [
            (self.sum, y_true * weight),
            (self.squared_sum, y_true * y_true * weight),
            (self.total_mse, error * error * weight),
            (self.count, weight),
        ]
        done = [v.assign_add(reduce_sum(part, axis=0), read_value=False) for v, part in parts]
        return in_one([*done, self.num_samples.assign_add(cast(size(y_true), self._dtype), read_value=False)])

    def result(self):
        total = self.squared_sum - self.sum * (self.sum / self.count)
        scores = 1.0 - self.total_mse / total
        scores = where(is_inf(scores), zeros_like(scores), scores)
        if self.class_aggregation == "uniform_average":
            scores = reduce_mean(scores)
        elif self.class_aggregation == "variance_weighted_average":
            scores = reduce_sum(total * scores) / reduce_sum(total)
        if not self.num_regressors:
            return scores
        samples: Any = cast(self.num_samples, float32)
        free = samples - float(self.num_regressors) - 1.0
        adjusted = 1.0 - (1.0 - scores) * (samples - 1.0) / free
        return where(free > 0, adjusted, scores)  # with too few samples nothing can be adjusted
