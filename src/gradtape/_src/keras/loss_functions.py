"""Losses of single samples that measure distances: of regressions and of margins.

``y_true`` and ``y_pred`` have the shape (..., n); the loss is that of each sample, of shape (...). Labels are converted
to the dtype of the predictions. The formulas are Keras 3's.
"""

from __future__ import annotations

import math
from typing import Any

from gradtape._src.api.arithmetic import maximum
from gradtape._src.api.comparison import equal, logical_or
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.elementwise import log, softplus
from gradtape._src.api.norms import l2_normalize
from gradtape._src.api.reduction import reduce_all, reduce_max, reduce_mean, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.keras.loss import of_one_rank, pair
from gradtape._src.keras.settings import epsilon


def _alike(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    return of_one_rank(*pair(y_true, y_pred))


def mean_squared_error(y_true, y_pred):
    """``mean((y_true - y_pred)**2, axis=-1)``.

    >>> import gradtape as tf
    >>> tf.keras.losses.mean_squared_error([[0.0, 1.0]], [[1.0, 3.0]]).numpy()
    array([2.5], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    error = y_true - y_pred
    return reduce_mean(error * error, axis=-1)


def mean_absolute_error(y_true, y_pred):
    """``mean(|y_true - y_pred|, axis=-1)``.

    >>> import gradtape as tf
    >>> tf.keras.losses.mean_absolute_error([[0.0, 1.0]], [[1.0, 3.0]]).numpy()
    array([1.5], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    return reduce_mean(absolute(y_true - y_pred), axis=-1)


def mean_absolute_percentage_error(y_true, y_pred):
    """``100 * mean(|y_true - y_pred| / max(|y_true|, epsilon), axis=-1)``.

    >>> import gradtape as tf
    >>> tf.keras.losses.mean_absolute_percentage_error([[1.0, 2.0]], [[2.0, 3.0]]).numpy()
    array([75.], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    error = absolute((y_true - y_pred) / maximum(absolute(y_true), epsilon()))
    return 100.0 * reduce_mean(error, axis=-1)


def mean_squared_logarithmic_error(y_true, y_pred):
    """``mean((log(y_true + 1) - log(y_pred + 1))**2, axis=-1)``, of numbers from ``epsilon`` on.

    >>> import gradtape as tf
    >>> tf.keras.losses.mean_squared_logarithmic_error([[0.0]], [[1.0]]).numpy()
    array([0.48045287], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    error = log(maximum(y_pred, epsilon()) + 1.0) - log(maximum(y_true, epsilon()) + 1.0)
    return reduce_mean(error * error, axis=-1)


def cosine_similarity(y_true, y_pred, axis=-1):
    """The negative cosine of the angle between vectors along an axis: -1 is as near as can be.

    >>> import gradtape as tf
    >>> tf.keras.losses.cosine_similarity([[1.0, 0.0]], [[3.0, 4.0]]).numpy()
    array([-0.6], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    least = epsilon() ** 2
    return -reduce_sum(
        l2_normalize(y_true, axis, epsilon=least) * l2_normalize(y_pred, axis, epsilon=least), axis=axis
    )


def huber(y_true, y_pred, delta=1.0):
    """The mean of ``error**2 / 2`` up to an error of ``delta``, and of ``delta * |error| - delta**2 / 2`` above.

    >>> import gradtape as tf
    >>> tf.keras.losses.huber([[0.0, 0.0]], [[1.0, 3.0]]).numpy()
    array([1.5], dtype=float32)

    P. Huber, "Robust estimation of a location parameter", 1964.
    """
    y_true, y_pred = _alike(y_true, y_pred)
    error = y_pred - y_true
    size = absolute(error)
    losses = where(size <= delta, 0.5 * (error * error), delta * size - 0.5 * delta * delta)
    return reduce_mean(losses, axis=-1)


def log_cosh(y_true, y_pred):
    """``mean(log(cosh(y_pred - y_true)), axis=-1)``.

    >>> import gradtape as tf
    >>> tf.keras.losses.log_cosh([[0.0, 0.0]], [[0.0, 1.0]]).numpy()
    array([0.2168904], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    error = y_pred - y_true
    return reduce_mean(error + softplus(error * -2.0) - math.log(2.0), axis=-1)


# --- Margins


def _as_signs(y_true: Any) -> Any:
    """Labels -1 and 1, of such labels or of 0 and 1."""
    binary = reduce_all(logical_or(equal(y_true, 0.0), equal(y_true, 1.0)))
    return where(binary, 2.0 * y_true - 1.0, y_true)


def hinge(y_true, y_pred):
    """``mean(max(1 - y_true * y_pred, 0), axis=-1)`` of labels -1 and 1; labels 0 and 1 are converted.

    >>> import gradtape as tf
    >>> tf.keras.losses.hinge([[1.0, 0.0]], [[0.5, 1.0]]).numpy()
    array([1.25], dtype=float32)
    """
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(maximum(1.0 - _as_signs(y_true) * y_pred, 0.0), axis=-1)


def squared_hinge(y_true, y_pred):
    """``mean(max(1 - y_true * y_pred, 0)**2, axis=-1)`` of labels as in `tf.keras.losses.hinge`.

    >>> import gradtape as tf
    >>> tf.keras.losses.squared_hinge([[1.0, 0.0]], [[0.5, 1.0]]).numpy()
    array([2.125], dtype=float32)
    """
    y_true, y_pred = pair(y_true, y_pred)
    short = maximum(1.0 - _as_signs(y_true) * y_pred, 0.0)
    return reduce_mean(short * short, axis=-1)


def categorical_hinge(y_true, y_pred):
    """``max(max((1 - y_true) * y_pred) - sum(y_true * y_pred) + 1, 0)`` of one-hot labels.

    >>> import gradtape as tf
    >>> tf.keras.losses.categorical_hinge([[1.0, 0.0]], [[0.5, 0.25]]).numpy()
    array([0.75], dtype=float32)
    """
    y_true, y_pred = pair(y_true, y_pred)
    right = reduce_sum(y_true * y_pred, axis=-1)
    wrong = reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return maximum(wrong - right + 1.0, 0.0)
