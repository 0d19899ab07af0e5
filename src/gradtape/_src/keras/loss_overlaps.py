"""Losses that compare sets: overlaps of regions, and pairs of embeddings."""

from __future__ import annotations

from gradtape._src.api.arithmetic import maximum
from gradtape._src.api.arrays import expand_dims, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal, logical_and, logical_not
from gradtape._src.api.creation import eye
from gradtape._src.api.elementwise import softplus
from gradtape._src.api.products import matmul
from gradtape._src.api.reduction import reduce_logsumexp, reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import bool_, int32
from gradtape._src.keras.loss import converted, pair
from gradtape._src.keras.settings import epsilon


def dice(y_true, y_pred, axis=None):
    """``1 - 2 * sum(y_true * y_pred) / (sum(y_true) + sum(y_pred) + epsilon)``.

    ``axis`` is that of the sums; all by default.

    >>> import gradtape as tf
    >>> tf.keras.losses.dice([1.0, 0.0], [0.5, 0.5]).numpy()
    np.float32(0.5)
    """
    y_true, y_pred = pair(y_true, y_pred)
    both = reduce_sum(y_true * y_pred, axis=axis)
    return 1.0 - 2.0 * both / (reduce_sum(y_true, axis=axis) + reduce_sum(y_pred, axis=axis) + epsilon())


def tversky(y_true, y_pred, alpha=0.5, beta=0.5, axis=None):
    """``1 - both / (both + alpha * only_true + beta * only_predicted + epsilon)``, counts of probabilities.

    >>> import gradtape as tf
    >>> tf.keras.losses.tversky([1.0, 0.0], [0.5, 0.5]).numpy()
    np.float32(0.50000006)

    S. Salehi et al., "Tversky loss function for image segmentation", arXiv:1706.05721.
    """
    y_true, y_pred = pair(y_true, y_pred)
    both = reduce_sum(y_true * y_pred, axis=axis)
    only_true = reduce_sum((1.0 - y_pred) * y_true, axis=axis)
    only_predicted = reduce_sum(y_pred * (1.0 - y_true), axis=axis)
    return 1.0 - both / (both + only_true * alpha + only_predicted * beta + epsilon())


def circle(y_true, y_pred, ref_labels=None, ref_embeddings=None, remove_diagonal=True, gamma=80, margin=0.4):
    """The circle loss of embeddings: near those of the same label, far from the others.

    Args:
      y_true: integers, of shape (samples,).
      y_pred: embeddings of length 1, of shape (samples, n).
      ref_labels, ref_embeddings: what to compare with; by default the samples themselves.
      remove_diagonal: whether a sample is not compared with itself.
      gamma: the scale.
      margin: the slack.

    >>> import gradtape as tf
    >>> x = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]
    >>> tf.keras.losses.circle([0, 1, 1, 0], x).numpy().round(2)
    array([ 6.4 ,  6.4 , 51.33, 51.33], dtype=float32)

    Y. Sun et al., "Circle loss", arXiv:2002.10857.
    """
    y_pred, y_true = as_tensor(y_pred), converted(y_true, int32)
    reference = y_pred if ref_embeddings is None else as_tensor(ref_embeddings)
    labels = y_true if ref_labels is None else converted(ref_labels, int32)
    distance = maximum(1.0 - matmul(y_pred, reference, transpose_b=True), 0.0)
    alike = equal(expand_dims(y_true, -1), expand_dims(labels, 0))
    unlike = logical_not(alike)
    if remove_diagonal:
        itself = cast(eye(shape(alike)[0], shape(alike)[1]), bool_)
        alike = logical_and(alike, logical_not(itself))
    nowhere = as_tensor(float("-inf"), like=distance)
    near = -gamma * maximum(margin + distance, 0.0) * (margin - distance)
    far = gamma * maximum(1.0 + margin - distance, 0.0) * (1.0 - margin - distance)
    losses = softplus(
        reduce_logsumexp(where(alike, near, nowhere), axis=1)
        + reduce_logsumexp(where(unlike, far, nowhere), axis=1)
    )
    losses._keras_mask = losses > 0
    return losses
