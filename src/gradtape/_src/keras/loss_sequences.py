"""Losses of whole sequences: connectionist temporal classification (CTC)."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims, reshape, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import not_equal
from gradtape._src.api.creation import fill
from gradtape._src.api.elementwise import log
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.control.ctc import ctc_loss as aligned
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32
from gradtape._src.core.values import shape_of
from gradtape._src.keras.settings import as_floatx, epsilon


def ctc(y_true, y_pred):
    """`tf.nn.ctc_loss` of labels that end where the zeros begin; 0 stands for no label.

    Args:
      y_true: integers of shape (batch, labels).
      y_pred: logits of shape (batch, time, classes), of which all steps count.

    Returns:
      A tensor of shape (batch,).

    Raises:
      ValueError: other ranks.

    >>> import gradtape as tf
    >>> tf.keras.losses.ctc([[1, 0]], tf.zeros([1, 2, 2])).numpy().round(4)
    array([0.2877], dtype=float32)
    """
    y_true = as_tensor(y_true)
    y_pred = as_tensor(y_pred)
    for what, x, wanted in (
        ("y_true", y_true, "(batch, labels)"),
        ("y_pred", y_pred, "(batch, time, classes)"),
    ):
        known = shape_of(x)
        if known is not None and len(known) != wanted.count(",") + 1:
            raise ValueError(f"ctc needs `{what}` of shape {wanted}. Received: {what}.shape={known}")
    there: Any = cast(not_equal(y_true, 0), int32)
    steps = fill([shape(y_pred)[0]], shape(y_pred)[1])
    return aligned(y_true, y_pred, reduce_sum(there, axis=-1), steps, logits_time_major=False, blank_index=0)


def ctc_loss(target, output, target_length, output_length, mask_index=0):
    """`tf.nn.ctc_loss` with the batch first.

    Args:
      target: integers of shape (batch, labels).
      output: logits of shape (batch, time, classes).
      target_length, output_length: how many labels and steps count, each (batch,).
      mask_index: the class that stands for no label.

    >>> import gradtape as tf
    >>> tf.keras.ops.ctc_loss([[1]], tf.zeros([1, 2, 2]), [1], [2]).numpy().round(4)
    array([0.2877], dtype=float32)
    """
    return aligned(
        target, output, target_length, output_length, logits_time_major=False, blank_index=mask_index
    )


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """`tf.nn.ctc_loss` of probabilities, in which the last class stands for no label, as in Keras 2.

    Args:
      y_true: integers of shape (batch, labels).
      y_pred: probabilities of shape (batch, time, classes).
      input_length, label_length: how many steps and labels count, each (batch, 1).

    Returns:
      A tensor of shape (batch, 1).

    >>> import gradtape as tf
    >>> p = tf.fill([1, 2, 2], 0.5)
    >>> tf.keras.backend.ctc_batch_cost([[0]], p, [[2]], [[1]]).numpy().round(4)
    array([[0.2877]], dtype=float32)
    """
    logits = log(as_tensor(y_pred, as_floatx(None)) + epsilon())
    steps, labels = (reshape(cast(as_tensor(n), int32), [-1]) for n in (input_length, label_length))
    return expand_dims(aligned(y_true, logits, labels, steps, logits_time_major=False, blank_index=-1), 1)
