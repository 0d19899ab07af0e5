"""Whether predictions are right, sample by sample; and how labels and predictions go together."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims, reshape, shape, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal, greater
from gradtape._src.api.counting import in_top_k
from gradtape._src.api.norms import l2_normalize
from gradtape._src.api.reduction import (
    argmax,
    reduce_any,
    reduce_mean,
    reduce_std,
    reduce_sum,
    reduce_variance,
)
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, int32, int64
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.loss import converted, of_one_rank, pair
from gradtape._src.keras.settings import as_floatx, epsilon


def _right(matches: Any) -> Any:
    return cast(matches, as_floatx(None))


def _rank(x: Any) -> int:
    return len(shape_of(x) or ())


def accuracy(y_true, y_pred):
    """1 where labels and predictions are equal, else 0.

    >>> import gradtape as tf
    >>> tf.keras.metrics.Accuracy()([1, 2, 3, 4], [0, 2, 3, 4]).numpy()
    np.float32(0.75)
    """
    y_pred = as_tensor(y_pred)
    y_true, y_pred = of_one_rank(converted(y_true, from_numpy(dtype_of(y_pred))), y_pred)
    return _right(equal(y_true, y_pred))


def binary_accuracy(y_true, y_pred, threshold=0.5):
    """1 where the label is 1 and the prediction above the threshold, or the label 0 and it is not.

    >>> import gradtape as tf
    >>> tf.keras.metrics.binary_accuracy([[1.0], [0.0]], [[0.7], [0.6]]).numpy()
    array([[1.],
           [0.]], dtype=float32)
    """
    y_true, y_pred = of_one_rank(as_tensor(y_true), as_tensor(y_pred))
    predicted = cast(greater(y_pred, as_tensor(threshold, like=y_pred)), from_numpy(dtype_of(y_true)))
    return _right(equal(y_true, predicted))


def categorical_accuracy(y_true, y_pred):
    """1 where the largest prediction is at the place of the largest label.

    >>> import gradtape as tf
    >>> tf.keras.metrics.categorical_accuracy([[0, 1], [1, 0]], [[0.2, 0.8], [0.3, 0.7]]).numpy()
    array([1., 0.], dtype=float32)
    """
    return _right(equal(argmax(as_tensor(y_true), axis=-1), argmax(as_tensor(y_pred), axis=-1)))


def sparse_categorical_accuracy(y_true, y_pred):
    """1 where the largest prediction is at the place that the label, an integer, says.

    Labels may have a last dimension of 1 that the predictions' samples lack.

    >>> import gradtape as tf
    >>> tf.keras.metrics.sparse_categorical_accuracy([1, 0], [[0.2, 0.8], [0.3, 0.7]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = converted(y_true, int64), as_tensor(y_pred)
    if _rank(y_true) == _rank(y_pred) and (shape_of(y_true) or (0,))[-1] == 1:
        y_true = squeeze(y_true, [-1])
    matches = _right(equal(y_true, argmax(y_pred, axis=-1)))
    return squeeze(matches, [-1]) if _rank(matches) > 1 and matches.shape[-1] == 1 else matches


def top_k_categorical_accuracy(y_true, y_pred, k=5):
    """1 where the place of the largest label is among those of the k largest predictions.

    >>> import gradtape as tf
    >>> tf.keras.metrics.top_k_categorical_accuracy([[0, 0, 1]], [[0.5, 0.2, 0.3]], k=2).numpy()
    array([1.], dtype=float32)
    """
    return sparse_top_k_categorical_accuracy(argmax(as_tensor(y_true), axis=-1), y_pred, k)


def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5, from_sorted_ids=False):
    """1 where the label, an integer, is among the places of the k largest predictions.

    ``from_sorted_ids``: the predictions are such places, the best first.

    >>> import gradtape as tf
    >>> tf.keras.metrics.sparse_top_k_categorical_accuracy([1], [[0.5, 0.2, 0.3]], k=2).numpy()
    array([0.], dtype=float32)
    """
    y_pred = as_tensor(y_pred)
    y_true = converted(y_true, from_numpy(dtype_of(y_pred)) if from_sorted_ids else int32)
    before = shape(y_true)
    if _rank(y_pred) > 2:
        y_pred = reshape(y_pred, [-1, shape(y_pred)[-1]])
    flat = reshape(y_true, [-1]) if _rank(y_true) > 1 else y_true
    if from_sorted_ids:
        matches = reduce_any(equal(expand_dims(flat, 1), y_pred[:, :k]), axis=1)
    else:
        matches = in_top_k(flat, y_pred, k)
    return reshape(_right(matches), before) if _rank(y_true) > 1 else _right(matches)


def cosine_similarity(y_true, y_pred, axis=-1):
    """The cosine of the angle between vectors along an axis."""
    y_true, y_pred = of_one_rank(*pair(y_true, y_pred))
    least = epsilon() ** 2
    return reduce_sum(
        l2_normalize(y_true, axis, epsilon=least) * l2_normalize(y_pred, axis, epsilon=least), axis=axis
    )


def pearson_correlation(y_true, y_pred, axis=-1):
    """The correlation along an axis: of the deviations from the means, divided by the standard deviations.

    >>> import gradtape as tf
    >>> print(tf.keras.metrics.pearson_correlation([[0.0, 1.0, 2.0]], [[1.0, 2.0, 4.0]]).numpy().round(4))
    [0.982]
    """
    y_true, y_pred = of_one_rank(*pair(y_true, y_pred))
    a, b = (y - reduce_mean(y, axis=axis, keepdims=True) for y in (y_true, y_pred))
    a, b = (y / reduce_std(y, axis=axis, keepdims=True) for y in (a, b))
    return reduce_mean(a * b, axis=axis)


def concordance_correlation(y_true, y_pred, axis=-1):
    """The correlation along an axis, less where means or variances differ (L. Lin, Biometrics 45, 1989).

    >>> import gradtape as tf
    >>> print(tf.keras.metrics.concordance_correlation([[0.0, 1.0, 2.0]], [[1.0, 2.0, 4.0]]).numpy().round(4))
    [0.5]
    """
    y_true, y_pred = of_one_rank(*pair(y_true, y_pred))
    means = [reduce_mean(y, axis=axis, keepdims=True) for y in (y_true, y_pred)]
    spread = reduce_variance(y_true, axis=axis, keepdims=True) + reduce_variance(
        y_pred, axis=axis, keepdims=True
    )
    apart = means[0] - means[1]
    products = (y_true - means[1]) * (y_pred - means[1])
    return reduce_mean(2.0 * products / (spread + apart * apart + epsilon()), axis=axis)
