"""Losses of single samples that compare probabilities: cross-entropies, divergences.

Probabilities are kept ``epsilon`` away from 0 and 1. But where the predictions are the very result of Keras's sigmoid
or softmax, the loss is computed of what went in there, as Keras does, which is exact in the tails too.
"""

from __future__ import annotations

import warnings
from typing import Any

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.arithmetic import pow as power
from gradtape._src.api.arrays import expand_dims, shape, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import not_equal
from gradtape._src.api.elementwise import log, sigmoid
from gradtape._src.api.nn_losses import (
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from gradtape._src.api.reduction import reduce_mean, reduce_sum
from gradtape._src.api.selection import one_hot, where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, int64
from gradtape._src.core.shapes import as_text
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.graph.ir import Symbol
from gradtape._src.keras.loss import converted, pair
from gradtape._src.keras.settings import as_floatx, epsilon


def _logits(y_pred: Any, from_logits: bool, kind: str, loss: str) -> tuple[Any, bool]:
    """The predictions, or what they are the sigmoid or softmax of; and whether these are logits."""
    found = getattr(y_pred, "_keras_logits", None)
    if found is None and isinstance(y_pred, Symbol) and y_pred.op.type == kind:
        found = y_pred.op.inputs[0]
    if found is None:
        return y_pred, from_logits
    if from_logits:
        warnings.warn(
            f'"`{loss}` received `from_logits=True`, but the `output` argument was produced by a {kind} activation '
            "and thus does not represent logits. Was this intended?",
            stacklevel=4,
        )
    return found, True


def _kept_away(p: Any) -> Any:
    return clip_by_value(p, epsilon(), 1.0 - epsilon())


def _smoothed(y_true: Any, smoothing: Any) -> Any:
    if not smoothing:
        return y_true
    classes: Any = cast(shape(y_true)[-1], from_numpy(dtype_of(y_true)))
    return y_true * (1.0 - smoothing) + smoothing / classes


def _check_classes(y_pred: Any, axis: Any, loss: str) -> None:
    if isinstance(axis, bool):
        raise ValueError(f"`axis` must be of type `int`. Received: axis={axis} of type {type(axis)}")
    dims = shape_of(y_pred)
    if dims and dims[-1] == 1:
        warnings.warn(
            f"In loss {loss}, expected y_pred.shape to be (batch_size, num_classes) with num_classes > 1. Received: "
            f"y_pred.shape={as_text(dims)}. Consider using 'binary_crossentropy' if you only have 2 classes.",
            SyntaxWarning,
            stacklevel=3,
        )


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    """``-sum(y_true * log(y_pred), axis)`` of the probabilities of classes, scaled to add up to 1.

    Args:
      y_true, y_pred: of shape (..., classes).
      from_logits: whether the predictions are to go through a softmax first.
      label_smoothing: s moves labels to ``y_true * (1 - s) + s / classes``.
      axis: that of the classes.

    Raises:
      ValueError: shapes that differ.

    >>> import gradtape as tf
    >>> tf.keras.losses.categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)

    As Keras 3.
    """
    y_true, y_pred = pair(y_true, y_pred)
    _check_classes(y_pred, axis, "categorical_crossentropy")
    y_true = _smoothed(y_true, label_smoothing)
    have, given = shape_of(y_true), shape_of(y_pred)
    if have is not None and given is not None and len(have) != len(given):
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). Received: "
            f"target.shape={as_text(have)}, output.shape={as_text(given)}"
        )
    if have is not None and given is not None and any(a != b for a, b in zip(have, given) if a and b):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={as_text(have)}, output.shape={as_text(given)}"
        )
    y_pred, from_logits = _logits(y_pred, from_logits, "Softmax", "categorical_crossentropy")
    if from_logits:
        return softmax_cross_entropy_with_logits(y_true, y_pred, axis)
    p = _kept_away(y_pred / reduce_sum(y_pred, axis=axis, keepdims=True))
    return -reduce_sum(y_true * log(p), axis=axis)


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, ignore_class=None, axis=-1):
    """``-log(y_pred[y_true])`` of the probabilities of classes.

    Args:
      y_true: integers, of shape (...) or (..., 1).
      y_pred: of shape (..., classes).
      from_logits: whether the predictions are to go through a softmax first.
      ignore_class: a label whose samples have the loss 0, and do not count in the mean.
      axis: that of the classes; the last one only.

    Raises:
      ValueError: another axis, shapes that do not fit.

    >>> import gradtape as tf
    >>> tf.keras.losses.sparse_categorical_crossentropy([1], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)

    As Keras 3.
    """
    y_pred, from_logits = _logits(
        as_tensor(y_pred), from_logits, "Softmax", "sparse_categorical_crossentropy"
    )
    y_true, y_pred = as_tensor(y_true), converted(y_pred, _floating(y_pred))
    dims = shape_of(y_pred)
    if dims is not None and axis not in (-1, len(dims) - 1):
        raise ValueError(f"Only axis=-1 is currently supported. Received: axis={axis}")
    have = shape_of(y_true)
    if have and dims is not None and len(have) == len(dims) and have[-1] == 1:
        y_true = squeeze(y_true, [-1])
    _check_sparse(shape_of(y_true), dims)
    y_true = converted(y_true, int64)
    valid = None
    if ignore_class is not None:
        valid = not_equal(y_true, ignore_class)
        y_true = where(valid, y_true, 0)
        y_pred = where(expand_dims(valid, -1), y_pred, as_tensor(0.0, like=y_pred))
    logits = y_pred if from_logits else log(_kept_away(y_pred))
    losses = sparse_softmax_cross_entropy_with_logits(y_true, logits)
    if valid is not None:
        losses = where(valid, losses, as_tensor(0.0, like=losses))
        losses._keras_mask = valid
    return losses


def _floating(y: Any) -> Any:
    dtype = from_numpy(dtype_of(y))
    return dtype if dtype.is_floating else as_floatx(None)


def _check_sparse(target: Any, output: Any) -> None:
    if output is not None and not output:
        raise ValueError("Argument `output` must be at least rank 1. Received: output.shape=()")
    if target is None or output is None:
        return
    if len(target) != len(output) - 1:
        raise ValueError(
            "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: "
            f"target.shape={as_text(target)}, output.shape={as_text(output)}"
        )
    if any(a != b for a, b in zip(target, output) if a is not None and b is not None):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={as_text(target)}, output.shape={as_text(output)}"
        )


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    """``mean(-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred), axis)`` of probabilities.

    Args:
      y_true, y_pred: of shape (..., n).
      from_logits: whether the predictions are to go through a sigmoid first.
      label_smoothing: s moves labels to ``y_true * (1 - s) + s / 2``.
      axis: over which the mean is.

    >>> import gradtape as tf
    >>> tf.keras.losses.binary_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)

    As Keras 3.
    """
    y_true, y_pred = pair(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return reduce_mean(_binary(y_true, y_pred, from_logits), axis=axis)


def _binary(y_true: Any, y_pred: Any, from_logits: bool) -> Any:
    have, given = shape_of(y_true), shape_of(y_pred)
    if have is not None and given is not None:
        if len(have) != len(given) or any(a != b for a, b in zip(have, given) if a and b):
            raise ValueError(
                "Arguments `target` and `output` must have the same shape. Received: "
                f"target.shape={as_text(have)}, output.shape={as_text(given)}"
            )
    y_pred, from_logits = _logits(y_pred, from_logits, "Sigmoid", "binary_crossentropy")
    if from_logits:
        return sigmoid_cross_entropy_with_logits(y_true, y_pred)
    p = _kept_away(y_pred)
    return -(y_true * log(p) + (1.0 - y_true) * log(1.0 - p))


def binary_focal_crossentropy(
    y_true,
    y_pred,
    apply_class_balancing=False,
    alpha=0.25,
    gamma=2.0,
    from_logits=False,
    label_smoothing=0.0,
    axis=-1,
):
    """The binary cross-entropy times ``(1 - p)**gamma``, where p is the probability of the right answer.

    ``apply_class_balancing`` multiplies it by ``alpha`` for the label 1, and ``1 - alpha`` for 0. See
    `tf.keras.losses.binary_crossentropy`.

    >>> import gradtape as tf
    >>> tf.keras.losses.binary_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.1732868], dtype=float32)

    T.-Y. Lin et al., "Focal loss for dense object detection", arXiv:1708.02002.
    """
    y_true, y_pred = pair(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        y_pred = sigmoid(y_pred)
    right = y_true * y_pred + (1.0 - y_true) * (1.0 - y_pred)
    losses = power(1.0 - right, gamma) * _binary(y_true, y_pred, False)
    if apply_class_balancing:
        losses = (y_true * alpha + (1.0 - y_true) * (1.0 - alpha)) * losses
    return reduce_mean(losses, axis=axis)


def categorical_focal_crossentropy(
    y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1
):
    """The categorical cross-entropy with ``alpha * (1 - p)**gamma`` for a class of probability p.

    See `tf.keras.losses.categorical_crossentropy`.

    >>> import gradtape as tf
    >>> tf.keras.losses.categorical_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.0433217], dtype=float32)

    T.-Y. Lin et al., "Focal loss for dense object detection", arXiv:1708.02002.
    """
    y_true, y_pred = pair(y_true, y_pred)
    _check_classes(y_pred, axis, "categorical_focal_crossentropy")
    y_true = _smoothed(y_true, label_smoothing)
    if from_logits:
        y_pred = softmax(y_pred, axis)
    p = _kept_away(y_pred / reduce_sum(y_pred, axis=axis, keepdims=True))
    return reduce_sum(alpha * power(1.0 - p, gamma) * (-y_true * log(p)), axis=axis)


def categorical_generalized_cross_entropy(y_true, y_pred, q):
    """``(1 - p**q) / q``, where p is the probability of the right class: less led astray by wrong labels.

    Args:
      y_true: integers, of shape (...).
      y_pred: probabilities, of shape (..., classes).
      q: between 0 (the cross-entropy) and 1 (the absolute error).

    >>> import gradtape as tf
    >>> tf.keras.losses.categorical_generalized_cross_entropy([1], tf.constant([[0.75, 0.25]]), 0.5).numpy()
    array([1.], dtype=float32)

    Z. Zhang and M. Sabuncu, "Generalized cross entropy loss", arXiv:1805.07836.
    """
    y_pred = as_tensor(y_pred)
    right = one_hot(converted(y_true, int64), shape(y_pred)[-1], dtype=from_numpy(dtype_of(y_pred)))
    return (1.0 - power(reduce_sum(y_pred * right, axis=-1), q)) / q


def kl_divergence(y_true, y_pred):
    """``sum(y_true * log(y_true / y_pred), axis=-1)`` of probabilities.

    >>> import gradtape as tf
    >>> tf.keras.losses.kl_divergence([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.69314563], dtype=float32)
    """
    y_true, y_pred = pair(y_true, y_pred)
    p: Any = clip_by_value(y_true, epsilon(), 1.0)
    y_pred = clip_by_value(y_pred, epsilon(), 1.0)
    return reduce_sum(p * log(p / y_pred), axis=-1)


def poisson(y_true, y_pred):
    """``mean(y_pred - y_true * log(y_pred), axis=-1)``: of counts, and the rates that they come with.

    >>> import gradtape as tf
    >>> tf.keras.losses.poisson([[2.0, 0.0]], [[1.0, 1.0]]).numpy()
    array([0.9999999], dtype=float32)
    """
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(y_pred - y_true * log(y_pred + epsilon()), axis=-1)
