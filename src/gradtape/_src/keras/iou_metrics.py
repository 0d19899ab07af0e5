"""How far predicted and true regions overlap: for each class, the intersection over the union."""

from __future__ import annotations

import warnings
from typing import Any

from gradtape._src.api.arrays import broadcast_to, reshape, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import greater, greater_equal, less, logical_and, not_equal
from gradtape._src.api.counting import confusion_matrix
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.diagonals import diag_part
from gradtape._src.api.gathering import gather
from gradtape._src.api.reduction import argmax, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32
from gradtape._src.keras.loss import converted
from gradtape._src.keras.metric import Metric, in_one
from gradtape._src.keras.settings import epsilon


class IoU(Metric):
    """The mean over some classes of ``TP / (TP + FP + FN)``.

    Args:
      num_classes: the number of classes.
      target_class_ids: the classes of the mean.
      name, dtype: see `tf.keras.metrics.Metric`; the dtype is int32 by default.
      ignore_class: a label whose samples do not count.
      sparse_y_true, sparse_y_pred: whether labels and predictions are integers, or have an axis of classes.
      axis: that axis.

    Raises:
      ValueError: a class that is out of range.

    >>> import gradtape as tf
    >>> tf.keras.metrics.IoU(2, [0])([0, 0, 1, 1], [0, 1, 0, 1]).numpy().round(4)
    np.float32(0.3333)

    As Keras 3.
    """

    _more_is_better = True

    _arguments = ("num_classes", "target_class_ids", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes,
        target_class_ids,
        name=None,
        dtype=None,
        ignore_class=None,
        sparse_y_true=True,
        sparse_y_pred=True,
        axis=-1,
    ):
        super().__init__(name=name, dtype=dtype or "int")
        self.num_classes, self.target_class_ids = num_classes, list(target_class_ids)
        if max(self.target_class_ids) >= num_classes:
            raise ValueError(
                f"Target class id {max(self.target_class_ids)} is out of range, which is [0, {num_classes})."
            )
        self.ignore_class, self.axis = ignore_class, axis
        self.sparse_y_true, self.sparse_y_pred = sparse_y_true, sparse_y_pred
        self.total_cm = self.add_variable(
            (num_classes, num_classes), "zeros", self._dtype, name="total_confusion_matrix"
        )

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true = self._classes(y_true, self.sparse_y_true)
        y_pred = self._classes(y_pred, self.sparse_y_pred)
        weight = as_tensor(1, self._dtype)
        if sample_weight is not None:
            given = as_tensor(sample_weight)
            if given.dtype.is_floating and self._dtype.is_integer:
                warnings.warn(
                    "You are passing weight as `float`, but dtype is `int`. This may result in an incorrect weight "
                    "due to type casting Consider using integer weights.",
                    stacklevel=2,
                )
            weight = converted(given, self._dtype)
            weight = reshape(weight, [-1]) if len(weight.shape) > 1 else weight
        weight = broadcast_to(weight, shape(y_true))
        inside = [logical_and(greater_equal(y, 0), less(y, self.num_classes)) for y in (y_true, y_pred)]
        kept = logical_and(*inside)
        if self.ignore_class is not None:
            kept = logical_and(kept, not_equal(y_true, as_tensor(self.ignore_class, self._dtype)))
        y_true, y_pred, weight = (where(kept, x, zeros_like(x)) for x in (y_true, y_pred, weight))
        matrix = confusion_matrix(y_true, y_pred, self.num_classes, weight, self._dtype)
        return in_one([self.total_cm.assign_add(matrix, read_value=False)])

    def _classes(self, y: Any, sparse: bool) -> Any:
        y = converted(y if sparse else argmax(as_tensor(y), axis=self.axis), self._dtype)
        return reshape(y, [-1]) if len(y.shape) > 1 else y

    def result(self):
        matrix = as_tensor(self.total_cm)
        right = diag_part(matrix)
        union = reduce_sum(matrix, axis=0) + reduce_sum(matrix, axis=1) - right
        right: Any
        union: Any
        right, union = (cast(gather(x, self.target_class_ids), float32) for x in (right, union))
        there = greater(union, 1e-9)
        ratios = where(there, right / (union + epsilon()), zeros_like(right))
        return reduce_sum(ratios) / (reduce_sum(cast(there, float32)) + epsilon())


class BinaryIoU(IoU):
    """`tf.keras.metrics.IoU` of two classes, of which a prediction above the threshold is the second."""

    _arguments = ("target_class_ids", "threshold")

    def __init__(self, target_class_ids=(0, 1), threshold=0.5, name=None, dtype=None):
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(self, y_true, y_pred, sample_weight=None):
        above = greater_equal(converted(y_pred, float32), self.threshold)
        return super().update_state(y_true, cast(above, self._dtype), sample_weight)


class MeanIoU(IoU):
    """`tf.keras.metrics.IoU` over all classes.

    >>> import gradtape as tf
    >>> tf.keras.metrics.MeanIoU(num_classes=2)([0, 0, 1, 1], [0, 1, 0, 1]).numpy().round(4)
    np.float32(0.3333)
    """

    _arguments = ("num_classes", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes,
        name=None,
        dtype=None,
        ignore_class=None,
        sparse_y_true=True,
        sparse_y_pred=True,
        axis=-1,
    ):
        every = range(num_classes)
        super().__init__(num_classes, every, name, dtype, ignore_class, sparse_y_true, sparse_y_pred, axis)


class OneHotIoU(IoU):
    """`tf.keras.metrics.IoU` of one-hot labels."""

    _arguments = ("num_classes", "target_class_ids", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes,
        target_class_ids,
        name=None,
        dtype=None,
        ignore_class=None,
        sparse_y_pred=False,
        axis=-1,
    ):
        super().__init__(num_classes, target_class_ids, name, dtype, ignore_class, False, sparse_y_pred, axis)


class OneHotMeanIoU(MeanIoU):
    """`tf.keras.metrics.MeanIoU` of one-hot labels."""

    _arguments = ("num_classes", "ignore_class", "sparse_y_pred", "axis")

    def __init__(self, num_classes, name=None, dtype=None, ignore_class=None, sparse_y_pred=False, axis=-1):
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)
