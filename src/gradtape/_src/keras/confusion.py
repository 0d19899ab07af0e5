"""Metrics that count right and wrong predictions above and below thresholds: precision, recall, areas under curves.

Each prediction falls between two thresholds. So one histogram of the positive samples and one of the negative ones is
enough: their sums from above are the true and the false positives at every threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import add, divide_no_nan, maximum
from gradtape._src.api.arrays import broadcast_to, expand_dims, reshape, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import greater_equal, not_equal
from gradtape._src.api.creation import range as arange
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.cumulative import cumsum
from gradtape._src.api.gathering import gather
from gradtape._src.api.reduction import reduce_max, reduce_sum
from gradtape._src.api.segment import unsorted_segment_sum
from gradtape._src.api.selection import one_hot, where
from gradtape._src.api.sorting import searchsorted, top_k
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.keras.loss import converted, of_one_rank
from gradtape._src.keras.metric import Metric, in_one

_LOWEST = -1e10  # the prediction of what is not among the k largest
NAMES = ("true_positives", "false_positives", "true_negatives", "false_negatives")


def counts(
    y_true: Any,
    y_pred: Any,
    thresholds: list[float],
    dtype: Any,
    sample_weight: Any = None,
    top: int | None = None,
    class_id: int | None = None,
    multi_label: bool = False,
    label_weights: Any = None,
) -> dict[str, Any]:
    """The weighted numbers of `NAMES` at each threshold; with ``multi_label``, for each label."""
    y_pred, y_true = of_one_rank(converted(y_pred, dtype), converted(y_true, dtype))
    weight = None
    if sample_weight is not None:
        weight = expand_dims(converted(sample_weight, dtype), -1)
        rank, of_weights = len(shape_of(y_true) or ()), len(shape_of(weight) or ())
        if of_weights == rank + 1:
            weight = weight[..., 0]
    if top is not None:
        chosen = reduce_sum(one_hot(top_k(y_pred, top)[1], shape(y_pred)[-1], dtype=dtype), axis=-2)
        y_pred = y_pred * chosen + _LOWEST * (1.0 - chosen)
    if class_id is not None:
        if len(shape_of(y_pred) or ()) == 1:
            raise ValueError(
                "When class_id is provided, y_pred must be a 2D array with shape (num_samples, num_classes), found "
                f"shape: {y_pred.shape}"
            )
        y_true, y_pred = y_true[..., class_id, None], y_pred[..., class_id, None]
    weight = as_tensor(1.0, dtype) if weight is None else weight
    if label_weights is not None:
        weight = weight * expand_dims(label_weights, 0)
    weight = broadcast_to(weight, shape(y_pred))
    labels = shape(y_pred)[-1] if multi_label else 1
    positive: Any = cast(not_equal(y_true, 0.0), dtype)
    order = np.argsort(np.asarray(thresholds))
    n = len(order)
    sorted_thresholds = as_tensor(np.asarray(thresholds)[order], dtype)
    place = searchsorted(sorted_thresholds, reshape(y_pred, [-1]))  # how many thresholds are below
    if multi_label:
        place = place * labels + arange(shape(place)[0]) % labels
    true, false = (
        reshape(unsorted_segment_sum(reshape(part * weight, [-1]), place, (n + 1) * labels), [n + 1, labels])
        for part in (positive, 1.0 - positive)
    )
    above = [cumsum(part, reverse=True)[1:] for part in (true, false)]
    below = [reduce_sum(part, axis=0, keepdims=True) - up for part, up in zip((true, false), above)]
    found = [above[0], above[1], below[1], below[0]]
    if not multi_label:
        found = [x[:, 0] for x in found]
    back = np.argsort(order)
    if (back != np.arange(n)).any():
        found = [gather(x, back) for x in found]
    return dict(zip(NAMES, found, strict=True))


def _as_thresholds(thresholds: Any, default: float) -> list[float]:
    found = [default] if thresholds is None else list(np.ravel(thresholds))
    wrong = [t for t in found if t is None or not (0 <= t <= 1 or t == _LOWEST)]
    if wrong:
        raise ValueError(f"Threshold values must be in [0, 1]. Received: {wrong}")
    return [float(t) for t in found]


class Counting(Metric):
    """A metric that keeps some of the counts of `NAMES` at thresholds."""

    _counted: tuple[str, ...] = ()
    thresholds: Any
    top_k = class_id = None

    def _make_counts(self, shape: Any) -> None:
        for name in self._counted:
            setattr(self, name, self.add_variable(shape, "zeros", self._dtype, name=name))

    def _count(self, y_true: Any, y_pred: Any, sample_weight: Any, **how: Any) -> Any:
        found = counts(
            y_true,
            y_pred,
            list(self.thresholds),
            self._dtype,
            sample_weight,
            self.top_k,
            self.class_id,
            **how,
        )
        return in_one(
            [getattr(self, name).assign_add(found[name], read_value=False) for name in self._counted]
        )

    def update_state(self, y_true, y_pred, sample_weight=None):
        return self._count(y_true, y_pred, sample_weight)

    def _of_thresholds(self, values: Any) -> Any:
        return values[0] if len(self.thresholds) == 1 else values


class _OneCount(Counting):
    _arguments = ("init_thresholds",)

    def __init__(self, thresholds=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.thresholds = thresholds, _as_thresholds(thresholds, 0.5)
        self._make_counts((len(self.thresholds),))
        self.accumulator = getattr(self, self._counted[0])

    def result(self):
        return self._of_thresholds(as_tensor(self.accumulator))

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype, "thresholds": self.init_thresholds}


class TruePositives(_OneCount):
    """The number of the samples of label 1 that are predicted above the threshold, 0.5 by default.

    >>> import gradtape as tf
    >>> tf.keras.metrics.TruePositives()([0, 1, 1, 1], [1, 0, 1, 1]).numpy()
    np.float32(2.0)
    """

    _counted = ("true_positives",)


class FalsePositives(_OneCount):
    """The number of the samples of label 0 that are predicted above the threshold, 0.5 by default."""

    _counted = ("false_positives",)


class TrueNegatives(_OneCount):
    """The number of the samples of label 0 that are not predicted above the threshold, 0.5 by default."""

    _counted = ("true_negatives",)


class FalseNegatives(_OneCount):
    """The number of the samples of label 1 that are not predicted above the threshold, 0.5 by default."""

    _counted = ("false_negatives",)


class _Ratio(Counting):
    """The part of the true positives in them and another count."""

    _more_is_better = True

    def __init__(self, thresholds=None, top_k=None, class_id=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self.thresholds = _as_thresholds(thresholds, 0.5 if top_k is None else _LOWEST)
        self._make_counts((len(self.thresholds),))

    def result(self):
        right, wrong = (getattr(self, name) for name in self._counted)
        return self._of_thresholds(divide_no_nan(right, add(right, wrong)))

    def get_config(self):
        config = {"name": self.name, "dtype": self.dtype, "thresholds": self.init_thresholds}
        return {**config, "top_k": self.top_k, "class_id": self.class_id}


class Precision(_Ratio):
    """The part of the label 1 in what is predicted above a threshold.

    Args:
      thresholds: a number in [0, 1] or several; 0.5 by default.
      top_k: only the k largest predictions of a sample count as such.
      class_id: the only class to look at.
      name, dtype: see `tf.keras.metrics.Metric`.

    Raises:
      ValueError: a threshold that is not in [0, 1].

    >>> import gradtape as tf
    >>> tf.keras.metrics.Precision()([0, 1, 1, 1], [1, 0, 1, 1]).numpy()
    np.float32(0.6666667)
    """

    _counted = ("true_positives", "false_positives")


class Recall(_Ratio):
    """The part of the samples of label 1 that is predicted above a threshold; see `tf.keras.metrics.Precision`.

    >>> import gradtape as tf
    >>> tf.keras.metrics.Recall()([0, 1, 1, 1, 1], [1, 0, 1, 1, 0]).numpy()
    np.float32(0.5)
    """

    _counted = ("true_positives", "false_negatives")


def evenly(n: int) -> list[float]:
    """So many thresholds from 0 to 1."""
    return [0.5] if n == 1 else [i / (n - 1) for i in range(n)]


class _AtBest(Counting):
    """The largest value of one ratio where another is at least a number."""

    _more_is_better = True

    _counted = NAMES
    _wanted = ""

    def __init__(self, value, num_thresholds=200, class_id=None, name=None, dtype=None):
        if num_thresholds <= 0:
            raise ValueError(
                f"Argument `num_thresholds` must be an integer > 0. Received: num_thresholds={num_thresholds}"
            )
        if value < 0 or value > 1:
            raise ValueError(
                f"Argument `{self._wanted}` must be in the range [0, 1]. Received: {self._wanted}={value}"
            )
        super().__init__(name=name, dtype=dtype)
        self.value, self.num_thresholds, self.class_id = value, num_thresholds, class_id
        setattr(self, self._wanted, value)
        self.thresholds = evenly(num_thresholds)
        self._make_counts((num_thresholds,))

    def _ratios(self) -> dict[str, Any]:
        tp, fp, tn, fn = (getattr(self, name) for name in NAMES)
        recall = divide_no_nan(tp, add(tp, fn))
        return {
            "recall": recall,
            "sensitivity": recall,
            "precision": divide_no_nan(tp, add(tp, fp)),
            "specificity": divide_no_nan(tn, add(tn, fp)),
        }

    def _best(self, wanted: str) -> Any:
        ratios = self._ratios()
        best = ratios[wanted]
        reached = greater_equal(ratios[self._wanted], self.value)
        return maximum(reduce_max(where(reached, best, zeros_like(best))), 0.0)

    def get_config(self):
        config = {"name": self.name, "dtype": self.dtype, "num_thresholds": self.num_thresholds}
        return {**config, "class_id": self.class_id, self._wanted: self.value}


class SensitivityAtSpecificity(_AtBest):
    """The largest part of the label 1 that is found while at least ``specificity`` of the label 0 is not.

    >>> import gradtape as tf
    >>> tf.keras.metrics.SensitivityAtSpecificity(0.5)([0, 0, 0, 1, 1], [0, 0.3, 0.8, 0.3, 0.8]).numpy()
    np.float32(0.5)
    """

    _wanted = "specificity"

    def __init__(self, specificity, num_thresholds=200, class_id=None, name=None, dtype=None):
        super().__init__(specificity, num_thresholds, class_id, name, dtype)

    def result(self):
        return self._best("sensitivity")


class SpecificityAtSensitivity(_AtBest):
    """The largest part of the label 0 that is not found while at least ``sensitivity`` of the label 1 is."""

    _wanted = "sensitivity"

    def __init__(self, sensitivity, num_thresholds=200, class_id=None, name=None, dtype=None):
        super().__init__(sensitivity, num_thresholds, class_id, name, dtype)

    def result(self):
        return self._best("specificity")


class PrecisionAtRecall(_AtBest):
    """The largest precision at a recall of at least ``recall``."""

    _wanted = "recall"

    def __init__(self, recall, num_thresholds=200, class_id=None, name=None, dtype=None):
        super().__init__(recall, num_thresholds, class_id, name, dtype)

    def result(self):
        return self._best("precision")


class RecallAtPrecision(_AtBest):
    """The largest recall at a precision of at least ``precision``."""

    _wanted = "precision"

    def __init__(self, precision, num_thresholds=200, class_id=None, name=None, dtype=None):
        super().__init__(precision, num_thresholds, class_id, name, dtype)

    def result(self):
        return self._best("recall")
