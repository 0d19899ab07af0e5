"""``tf.keras.metrics.AUC``: the area under a curve of two ratios, as the threshold of predictions falls."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import add, divide_no_nan, maximum, minimum, multiply, subtract
from gradtape._src.api.comparison import equal, greater, logical_and
from gradtape._src.api.creation import ones_like, zeros_like
from gradtape._src.api.elementwise import log, sigmoid
from gradtape._src.api.reduction import reduce_mean, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.keras.confusion import NAMES, Counting, evenly
from gradtape._src.keras.loss import converted
from gradtape._src.keras.settings import epsilon

_CURVES = ("ROC", "PR", "PRGAIN")
_SUMS = ("interpolation", "minoring", "majoring")


class AUC(Counting):
    """The area under the curve of recall over false positives (ROC), or of precision over recall (PR).

    Args:
      num_thresholds: of how many evenly distributed thresholds the curve is drawn.
      curve: ``"ROC"``, ``"PR"`` or ``"PRGAIN"``.
      summation_method: ``"interpolation"``, ``"minoring"`` or ``"majoring"``: between two thresholds, the mean, the
        lower or the higher value.
      name, dtype: see `tf.keras.metrics.Metric`.
      thresholds: numbers in [0, 1], in place of ``num_thresholds``.
      multi_label: whether to average over the columns of the predictions, each with a curve of its own.
      num_labels: how many these are.
      label_weights: their weights.
      from_logits: whether predictions are to go through a sigmoid first.

    Raises:
      ValueError: an unknown curve or method, or thresholds out of range.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.AUC(num_thresholds=3)
    >>> metric.update_state([0, 0, 1, 1], [0, 0.5, 0.3, 0.9])
    >>> metric.result().numpy()
    np.float32(0.75)

    As Keras 3; J. Davis and M. Goadrich, "The relationship between precision-recall and ROC curves", 2006.
    """

    _more_is_better = True

    _counted = NAMES

    def __init__(
        self,
        num_thresholds=200,
        curve="ROC",
        summation_method="interpolation",
        name=None,
        dtype=None,
        thresholds=None,
        multi_label=False,
        num_labels=None,
        label_weights=None,
        from_logits=False,
    ):
        if thresholds is not None:
            num_thresholds = len(thresholds) + 2
            inner = sorted(float(t) for t in thresholds)
            if inner and not 0 <= inner[0] <= inner[-1] <= 1:
                raise ValueError(f"Threshold values must be in [0, 1]. Received: {inner}")
        elif num_thresholds <= 1:
            raise ValueError(
                f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={num_thresholds}"
            )
        else:
            inner = evenly(num_thresholds)[1:-1]
        super().__init__(name=name, dtype=dtype)
        self.num_thresholds, self._from_thresholds = num_thresholds, thresholds is not None
        self._thresholds = [0.0 - epsilon(), *inner, 1.0 + epsilon()]
        self.curve = _member(curve, _CURVES, "curve", str.upper)
        self.summation_method = _member(summation_method, _SUMS, "summation_method", str.lower)
        if num_labels and not multi_label:
            raise ValueError("`num_labels` is needed only when `multi_label` is True.")
        self.multi_label, self.num_labels, self._from_logits = multi_label, num_labels, from_logits
        self.label_weights = None if label_weights is None else converted(label_weights, self._dtype)
        self._built = False
        if not multi_label:
            self._make_counts((num_thresholds,))
            self._built = True
        elif num_labels:
            self._build((None, num_labels))

    @property
    def thresholds(self):
        """The thresholds; the outer ones lie a little outside of [0, 1]."""
        return list(self._thresholds)

    def _build(self, shape: Any) -> None:
        if shape is None or len(shape) != 2:
            raise ValueError(f"`y_pred` must have rank 2 when `multi_label=True`. Found shape {shape}.")
        self._make_counts((self.num_thresholds, shape[1]))
        self._built = True

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred = converted(y_pred, self._dtype)
        if not self._built:
            self._build(shape_of(y_pred))
        y_pred = sigmoid(y_pred) if self._from_logits else y_pred
        # What lies outside of [0, 1] falls between the outermost thresholds and their neighbours.
        y_pred = minimum(maximum(y_pred, 0.0), 1.0)
        weights = None if self.multi_label else self.label_weights
        return self._count(y_true, y_pred, sample_weight, multi_label=self.multi_label, label_weights=weights)

    def result(self):
        parts = (
            self._interpolated() if (self.curve, self.summation_method) == ("PR", _SUMS[0]) else self._areas()
        )
        if not self.multi_label:
            return reduce_sum(parts)
        of_labels = reduce_sum(parts, axis=0)
        if self.label_weights is None:
            return reduce_mean(of_labels)
        return divide_no_nan(reduce_sum(of_labels * self.label_weights), reduce_sum(self.label_weights))

    def _areas(self) -> Any:
        """The areas under the curve between neighbouring thresholds."""
        tp, fp, tn, fn = (as_tensor(getattr(self, name)) for name in NAMES)
        recall = divide_no_nan(tp, tp + fn)
        if self.curve == "ROC":
            x, y = divide_no_nan(fp, fp + tn), recall
        elif self.curve == "PR":
            x, y = recall, divide_no_nan(tp, tp + fp)
        else:
            scale, none = divide_no_nan(tp + fn, tn + fp), equal(tp, 0.0)
            x = where(none, zeros_like(tp), 1.0 - scale * divide_no_nan(fn, tp))
            x, y = maximum(x, 0.0), where(none, ones_like(tp), 1.0 - scale * divide_no_nan(fp, tp))
        high, low = y[:-1], y[1:]
        if self.summation_method == "interpolation":
            heights = (high + low) / 2.0
        else:
            heights = minimum(high, low) if self.summation_method == "minoring" else maximum(high, low)
        return multiply(subtract(x[:-1], x[1:]), heights)

    def _interpolated(self) -> Any:
        """The areas under precision over recall, where both counts of positives grow evenly between thresholds.

        With P = TP + FP and TP = slope * P + intercept, the integral of TP / P over TP from a to b is
        ``slope * (TP_b - TP_a + intercept * log(P_b / P_a))``.
        """
        tp, fp, _, fn = (as_tensor(getattr(self, name)) for name in NAMES)
        p = tp + fp
        grown = tp[:-1] - tp[1:]
        slope = divide_no_nan(grown, maximum(p[:-1] - p[1:], 0.0))
        intercept = tp[1:] - slope * p[1:]
        both = logical_and(greater(p[:-1], 0.0), greater(p[1:], 0.0))
        ratio = where(both, divide_no_nan(p[:-1], maximum(p[1:], 0.0)), ones_like(p[1:]))
        return divide_no_nan(slope * (grown + intercept * log(ratio)), maximum(add(tp, fn)[1:], 0.0))

    def get_config(self):
        config = {
            "name": self.name,
            "dtype": self.dtype,
            "num_thresholds": self.num_thresholds,
            "curve": self.curve,
            "summation_method": self.summation_method,
            "multi_label": self.multi_label,
            "num_labels": self.num_labels,
            "label_weights": None if self.label_weights is None else self.label_weights.numpy().tolist(),
            "from_logits": self._from_logits,
        }
        return {**config, "thresholds": self._thresholds[1:-1]} if self._from_thresholds else config


def _member(value: Any, allowed: tuple[str, ...], word: str, spelled: Any) -> str:
    name = spelled(getattr(value, "value", value))
    if name not in allowed:
        raise ValueError(f'Invalid `{word}` argument value "{value}". Expected one of: {list(allowed)}')
    return name
