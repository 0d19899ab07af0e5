"""Keras's metrics that are means over samples."""

from __future__ import annotations

from gradtape._src.api.elementwise import sqrt
from gradtape._src.keras import loss_functions as distances
from gradtape._src.keras import loss_probabilities as probabilities
from gradtape._src.keras import metric_functions as functions
from gradtape._src.keras.loss import converted, of_one_rank
from gradtape._src.keras.metric import Mean, MeanMetricWrapper


class Accuracy(MeanMetricWrapper):
    """How often labels and predictions are equal.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.Accuracy()
    >>> metric.update_state([1, 2, 3, 4], [0, 2, 3, 4], sample_weight=[1, 1, 0, 0])
    >>> metric.result().numpy()
    np.float32(0.5)
    """

    _more_is_better = True

    def __init__(self, name="accuracy", dtype=None):
        super().__init__(functions.accuracy, name, dtype)


class BinaryAccuracy(MeanMetricWrapper):
    """How often predictions are on the right side of the threshold."""

    _more_is_better = True

    def __init__(self, name="binary_accuracy", dtype=None, threshold=0.5):
        super().__init__(functions.binary_accuracy, name, dtype, threshold=threshold)
        self.threshold = threshold


class CategoricalAccuracy(MeanMetricWrapper):
    """How often the largest prediction is that of the right class; labels are one-hot."""

    _more_is_better = True

    def __init__(self, name="categorical_accuracy", dtype=None):
        super().__init__(functions.categorical_accuracy, name, dtype)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """How often the largest prediction is that of the right class; labels are integers.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.SparseCategoricalAccuracy()
    >>> metric([1, 0], [[0.2, 0.8], [0.3, 0.7]]).numpy()
    np.float32(0.5)
    """

    _more_is_better = True

    def __init__(self, name="sparse_categorical_accuracy", dtype=None):
        super().__init__(functions.sparse_categorical_accuracy, name, dtype)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the right class is among the k largest predictions; labels are one-hot."""

    _more_is_better = True

    def __init__(self, k=5, name="top_k_categorical_accuracy", dtype=None):
        super().__init__(functions.top_k_categorical_accuracy, name, dtype, k=k)
        self.k = k


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the right class is among the k largest predictions; labels are integers."""

    _more_is_better = True

    def __init__(self, k=5, name="sparse_top_k_categorical_accuracy", dtype=None, from_sorted_ids=False):
        function = functions.sparse_top_k_categorical_accuracy
        super().__init__(function, name, dtype, k=k, from_sorted_ids=from_sorted_ids)
        self.k, self.from_sorted_ids = k, from_sorted_ids


class MeanSquaredError(MeanMetricWrapper):
    """The mean of `tf.keras.losses.mean_squared_error`."""

    def __init__(self, name="mean_squared_error", dtype=None):
        super().__init__(distances.mean_squared_error, name, dtype)


class RootMeanSquaredError(Mean):
    """The root of the mean of the squared errors.

    >>> import gradtape as tf
    >>> tf.keras.metrics.RootMeanSquaredError()([0.0, 0.0], [3.0, 3.0]).numpy()
    np.float32(3.0)
    """

    def __init__(self, name="root_mean_squared_error", dtype=None):
        super().__init__(name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = of_one_rank(converted(y_true, self._dtype), converted(y_pred, self._dtype))
        error = y_pred - y_true
        return super().update_state(error * error, sample_weight)

    def result(self):
        return sqrt(super().result())


class MeanAbsoluteError(MeanMetricWrapper):
    """The mean of `tf.keras.losses.mean_absolute_error`."""

    def __init__(self, name="mean_absolute_error", dtype=None):
        super().__init__(distances.mean_absolute_error, name, dtype)


class MeanAbsolutePercentageError(MeanMetricWrapper):
    """The mean of `tf.keras.losses.mean_absolute_percentage_error`."""

    def __init__(self, name="mean_absolute_percentage_error", dtype=None):
        super().__init__(distances.mean_absolute_percentage_error, name, dtype)


class MeanSquaredLogarithmicError(MeanMetricWrapper):
    """The mean of `tf.keras.losses.mean_squared_logarithmic_error`."""

    def __init__(self, name="mean_squared_logarithmic_error", dtype=None):
        super().__init__(distances.mean_squared_logarithmic_error, name, dtype)


class LogCoshError(MeanMetricWrapper):
    """The mean of `tf.keras.losses.log_cosh`."""

    def __init__(self, name="logcosh", dtype=None):
        super().__init__(distances.log_cosh, name, dtype)


class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine of the angle between labels and predictions: the negative of the loss of that name."""

    _more_is_better = True

    def __init__(self, name="cosine_similarity", dtype=None, axis=-1):
        super().__init__(functions.cosine_similarity, name, dtype, axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """The mean of `tf.keras.metrics.pearson_correlation`."""

    _more_is_better = True

    def __init__(self, name="pearson_correlation", dtype=None, axis=-1):
        super().__init__(functions.pearson_correlation, name, dtype, axis=axis)
        self.axis = axis


class ConcordanceCorrelation(MeanMetricWrapper):
    """The mean of `tf.keras.metrics.concordance_correlation`."""

    _more_is_better = True

    def __init__(self, name="concordance_correlation", dtype=None, axis=-1):
        super().__init__(functions.concordance_correlation, name, dtype, axis=axis)
        self.axis = axis


class Hinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.hinge`."""

    def __init__(self, name="hinge", dtype=None):
        super().__init__(distances.hinge, name, dtype)


class SquaredHinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.squared_hinge`."""

    def __init__(self, name="squared_hinge", dtype=None):
        super().__init__(distances.squared_hinge, name, dtype)


class CategoricalHinge(MeanMetricWrapper):
    """The mean of `tf.keras.losses.categorical_hinge`."""

    def __init__(self, name="categorical_hinge", dtype=None):
        super().__init__(distances.categorical_hinge, name, dtype)


class KLDivergence(MeanMetricWrapper):
    """The mean of `tf.keras.losses.kl_divergence`."""

    def __init__(self, name="kl_divergence", dtype=None):
        super().__init__(probabilities.kl_divergence, name, dtype)


class Poisson(MeanMetricWrapper):
    """The mean of `tf.keras.losses.poisson`."""

    def __init__(self, name="poisson", dtype=None):
        super().__init__(probabilities.poisson, name, dtype)


class BinaryCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.binary_crossentropy`."""

    def __init__(self, name="binary_crossentropy", dtype=None, from_logits=False, label_smoothing=0):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing}
        super().__init__(probabilities.binary_crossentropy, name, dtype, **how)


class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.categorical_crossentropy`."""

    def __init__(
        self, name="categorical_crossentropy", dtype=None, from_logits=False, label_smoothing=0, axis=-1
    ):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(probabilities.categorical_crossentropy, name, dtype, **how)


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean of `tf.keras.losses.sparse_categorical_crossentropy`."""

    def __init__(
        self,
        name="sparse_categorical_crossentropy",
        dtype=None,
        from_logits=False,
        ignore_class=None,
        axis=-1,
    ):
        how = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(probabilities.sparse_categorical_crossentropy, name, dtype, **how)
