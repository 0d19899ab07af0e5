"""Keras's losses as objects, with weights and reductions, and by name. The formulas are in the `loss_*` files."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras import loss_functions as distances
from gradtape._src.keras import loss_overlaps as overlaps
from gradtape._src.keras import loss_probabilities as probabilities
from gradtape._src.keras import loss_sequences as sequences
from gradtape._src.keras.loss import FunctionLoss, Loss
from gradtape._src.keras.serialization import Family, serialize_keras_object

_MEAN = "sum_over_batch_size"


class MeanSquaredError(FunctionLoss):
    """`tf.keras.losses.mean_squared_error`, weighted and reduced as `tf.keras.losses.Loss` says.

    >>> import gradtape as tf
    >>> tf.keras.losses.MeanSquaredError()([[0.0, 1.0], [0.0, 0.0]], [[1.0, 3.0], [1.0, 1.0]]).numpy()
    np.float32(1.75)
    """

    def __init__(self, reduction=_MEAN, name="mean_squared_error", dtype=None):
        super().__init__(distances.mean_squared_error, reduction, name, dtype)


class MeanAbsoluteError(FunctionLoss):
    """`tf.keras.losses.mean_absolute_error`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="mean_absolute_error", dtype=None):
        super().__init__(distances.mean_absolute_error, reduction, name, dtype)


class MeanAbsolutePercentageError(FunctionLoss):
    """`tf.keras.losses.mean_absolute_percentage_error`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="mean_absolute_percentage_error", dtype=None):
        super().__init__(distances.mean_absolute_percentage_error, reduction, name, dtype)


class MeanSquaredLogarithmicError(FunctionLoss):
    """`tf.keras.losses.mean_squared_logarithmic_error`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="mean_squared_logarithmic_error", dtype=None):
        super().__init__(distances.mean_squared_logarithmic_error, reduction, name, dtype)


class CosineSimilarity(FunctionLoss):
    """`tf.keras.losses.cosine_similarity`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, axis=-1, reduction=_MEAN, name="cosine_similarity", dtype=None):
        super().__init__(distances.cosine_similarity, reduction, name, dtype, axis=axis)


class Huber(FunctionLoss):
    """`tf.keras.losses.huber`, weighted and reduced as `tf.keras.losses.Loss` says.

    >>> import gradtape as tf
    >>> tf.keras.losses.Huber(delta=2.0)([[0.0, 0.0]], [[1.0, 3.0]]).numpy()
    np.float32(2.25)
    """

    def __init__(self, delta=1.0, reduction=_MEAN, name="huber_loss", dtype=None):
        super().__init__(distances.huber, reduction, name, dtype, delta=delta)


class LogCosh(FunctionLoss):
    """`tf.keras.losses.log_cosh`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="log_cosh", dtype=None):
        super().__init__(distances.log_cosh, reduction, name, dtype)


class Hinge(FunctionLoss):
    """`tf.keras.losses.hinge`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="hinge", dtype=None):
        super().__init__(distances.hinge, reduction, name, dtype)


class SquaredHinge(FunctionLoss):
    """`tf.keras.losses.squared_hinge`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="squared_hinge", dtype=None):
        super().__init__(distances.squared_hinge, reduction, name, dtype)


class CategoricalHinge(FunctionLoss):
    """`tf.keras.losses.categorical_hinge`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="categorical_hinge", dtype=None):
        super().__init__(distances.categorical_hinge, reduction, name, dtype)


class KLDivergence(FunctionLoss):
    """`tf.keras.losses.kl_divergence`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="kl_divergence", dtype=None):
        super().__init__(probabilities.kl_divergence, reduction, name, dtype)


class Poisson(FunctionLoss):
    """`tf.keras.losses.poisson`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="poisson", dtype=None):
        super().__init__(probabilities.poisson, reduction, name, dtype)


class BinaryCrossentropy(FunctionLoss):
    """`tf.keras.losses.binary_crossentropy`, weighted and reduced as `tf.keras.losses.Loss` says.

    >>> import gradtape as tf
    >>> loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    >>> loss([[0.0], [1.0]], [[0.0], [0.0]], sample_weight=[1.0, 0.0]).numpy()
    np.float32(0.3465736)
    """

    def __init__(
        self,
        from_logits=False,
        label_smoothing=0.0,
        axis=-1,
        reduction=_MEAN,
        name="binary_crossentropy",
        dtype=None,
    ):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(probabilities.binary_crossentropy, reduction, name, dtype, **how)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis


class BinaryFocalCrossentropy(FunctionLoss):
    """`tf.keras.losses.binary_focal_crossentropy`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(
        self,
        apply_class_balancing=False,
        alpha=0.25,
        gamma=2.0,
        from_logits=False,
        label_smoothing=0.0,
        axis=-1,
        reduction=_MEAN,
        name="binary_focal_crossentropy",
        dtype=None,
    ):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        how |= {"apply_class_balancing": apply_class_balancing, "alpha": alpha, "gamma": gamma}
        super().__init__(probabilities.binary_focal_crossentropy, reduction, name, dtype, **how)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis
        self.apply_class_balancing, self.alpha, self.gamma = apply_class_balancing, alpha, gamma


class CategoricalCrossentropy(FunctionLoss):
    """`tf.keras.losses.categorical_crossentropy`, weighted and reduced as `tf.keras.losses.Loss` says.

    >>> import gradtape as tf
    >>> loss = tf.keras.losses.CategoricalCrossentropy(reduction="sum")
    >>> loss([[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5], [0.25, 0.75]]).numpy()
    np.float32(2.0794415)
    """

    def __init__(
        self,
        from_logits=False,
        label_smoothing=0.0,
        axis=-1,
        reduction=_MEAN,
        name="categorical_crossentropy",
        dtype=None,
    ):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(probabilities.categorical_crossentropy, reduction, name, dtype, **how)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis


class CategoricalFocalCrossentropy(FunctionLoss):
    """`tf.keras.losses.categorical_focal_crossentropy`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(
        self,
        alpha=0.25,
        gamma=2.0,
        from_logits=False,
        label_smoothing=0.0,
        axis=-1,
        reduction=_MEAN,
        name="categorical_focal_crossentropy",
        dtype=None,
    ):
        how = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        how |= {"alpha": alpha, "gamma": gamma}
        super().__init__(probabilities.categorical_focal_crossentropy, reduction, name, dtype, **how)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis
        self.alpha, self.gamma = alpha, gamma


class CategoricalGeneralizedCrossEntropy(FunctionLoss):
    """`tf.keras.losses.categorical_generalized_cross_entropy`, reduced as `tf.keras.losses.Loss` says.

    Raises:
      ValueError: q is not between 0 and 1.
    """

    def __init__(self, q=0.5, reduction=_MEAN, name="categorical_generalized_cross_entropy", dtype=None):
        if not 0 < q < 1:
            raise ValueError("q must be in the interval (0, 1)")
        function = probabilities.categorical_generalized_cross_entropy
        super().__init__(function, reduction, name, dtype, q=q)
        self.q = q

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, self.q)


class SparseCategoricalCrossentropy(FunctionLoss):
    """`tf.keras.losses.sparse_categorical_crossentropy`, weighted and reduced as `tf.keras.losses.Loss` says.

    >>> import gradtape as tf
    >>> loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    >>> loss([1, 0], [[0.0, 0.0], [0.0, 0.0]]).numpy()
    np.float32(0.6931472)
    """

    _labels_as_numbers = False

    def __init__(
        self,
        from_logits=False,
        ignore_class=None,
        reduction=_MEAN,
        axis=-1,
        name="sparse_categorical_crossentropy",
        dtype=None,
    ):
        how: dict[str, Any] = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(probabilities.sparse_categorical_crossentropy, reduction, name, dtype, **how)
        self.from_logits, self.ignore_class = from_logits, ignore_class


class Dice(FunctionLoss):
    """`tf.keras.losses.dice`, reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="dice", axis=None, dtype=None):
        super().__init__(overlaps.dice, reduction, name, dtype, axis=axis)


class Tversky(FunctionLoss):
    """`tf.keras.losses.tversky`, reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, alpha=0.5, beta=0.5, reduction=_MEAN, name="tversky", axis=None, dtype=None):
        super().__init__(overlaps.tversky, reduction, name, dtype, alpha=alpha, beta=beta, axis=axis)


class Circle(FunctionLoss):
    """`tf.keras.losses.circle`, reduced as `tf.keras.losses.Loss` says."""

    def __init__(
        self, gamma=80.0, margin=0.4, remove_diagonal=True, reduction=_MEAN, name="circle", dtype=None
    ):
        how = {"gamma": gamma, "margin": margin, "remove_diagonal": remove_diagonal}
        super().__init__(overlaps.circle, reduction, name, dtype, **how)

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self._fn_kwargs)


class CTC(FunctionLoss):
    """`tf.keras.losses.ctc`, weighted and reduced as `tf.keras.losses.Loss` says."""

    def __init__(self, reduction=_MEAN, name="ctc", dtype=None):
        super().__init__(sequences.ctc, reduction, name, dtype)


_CLASSES: list[Any] = [
    BinaryCrossentropy,
    BinaryFocalCrossentropy,
    CategoricalCrossentropy,
    CategoricalFocalCrossentropy,
    CategoricalGeneralizedCrossEntropy,
    CTC,
    CategoricalHinge,
    Circle,
    CosineSimilarity,
    Dice,
    Hinge,
    Huber,
    KLDivergence,
    LogCosh,
    Loss,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    Poisson,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    Tversky,
]
_FUNCTIONS: list[Any] = [
    distances.mean_squared_error,
    distances.mean_absolute_error,
    distances.mean_absolute_percentage_error,
    distances.mean_squared_logarithmic_error,
    distances.cosine_similarity,
    distances.huber,
    distances.log_cosh,
    distances.hinge,
    distances.squared_hinge,
    distances.categorical_hinge,
    probabilities.binary_crossentropy,
    probabilities.binary_focal_crossentropy,
    probabilities.categorical_crossentropy,
    probabilities.categorical_focal_crossentropy,
    probabilities.categorical_generalized_cross_entropy,
    probabilities.kl_divergence,
    probabilities.poisson,
    probabilities.sparse_categorical_crossentropy,
    overlaps.circle,
    overlaps.dice,
    overlaps.tversky,
    sequences.ctc,
]
ALIASES: dict[str, Any] = {
    "bce": probabilities.binary_crossentropy,
    "BCE": probabilities.binary_crossentropy,
    "mse": distances.mean_squared_error,
    "MSE": distances.mean_squared_error,
    "mae": distances.mean_absolute_error,
    "MAE": distances.mean_absolute_error,
    "mape": distances.mean_absolute_percentage_error,
    "MAPE": distances.mean_absolute_percentage_error,
    "msle": distances.mean_squared_logarithmic_error,
    "MSLE": distances.mean_squared_logarithmic_error,
    "kld": probabilities.kl_divergence,
    "KLD": probabilities.kl_divergence,
    "kullback_leibler_divergence": probabilities.kl_divergence,
    "logcosh": distances.log_cosh,
    "huber_loss": distances.huber,
    "cosine_proximity": distances.cosine_similarity,
}
_FAMILY = Family("loss", "keras.losses", [*_CLASSES, *_FUNCTIONS], ALIASES)


def get(identifier):
    """The loss of a name, a configuration or a class; a function is meant itself, and None gives None.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.losses.get("mse") is tf.keras.losses.mean_squared_error
    True
    """
    return _FAMILY.get(identifier)


def serialize(loss):
    """The configuration of a loss; of a function its name."""
    config = serialize_keras_object(loss)
    return config["config"] if config["class_name"] == "function" else config


def deserialize(name, custom_objects=None):
    """The loss of a configuration or a name."""
    return _FAMILY.deserialize(name, custom_objects)
