"""Softmax and the cross entropies, as fused operations with closed-form rules.

The axis is counted from the end wherever the rank is known, so that a batch of arrays needs no other axis.
Shifting by the maximum keeps the exponentials in range; half precision is computed in float32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Op
from gradtape._src.core.shapes import broadcast, in_brackets, normalize_axis
from gradtape._src.core.values import shape_of
from gradtape._src.native import softmax as native
from gradtape._src.ops.arithmetic import FLOAT, constant
from gradtape._src.ops.arrays import behind, expand_dims, with_axis
from gradtape._src.ops.elementwise import exp, rounded_once, sigmoid
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.rows import within

# --- Softmax ------------------------------------------------------------------------------------------------


def _shifted(x: Any, axis: int) -> Any:
    """x minus its maximum, in float32 at least: a new array."""
    if not x.ndim:
        raise InvalidArgumentError.of("logits must have >= 1 dimension, got []")
    if x.dtype.itemsize == 2:
        x = x.astype(np.float32)
    return x - np.maximum.reduce(x, axis=axis, keepdims=True) if x.size else x.copy()


def _shares(x: Any, axis: int) -> Any:
    """exp(x) over its sum, in float32 at least."""
    y = native.softmax(x, axis)
    if y is not None:
        return y
    e = _shifted(x, axis)
    e = np.exp(e, out=e)
    e /= np.add.reduce(e, axis=axis, keepdims=True)
    return e


def _logs(x: Any, axis: int) -> Any:
    """The logarithm of that."""
    y = native.log_softmax(x, axis)
    if y is not None:
        return y
    s = _shifted(x, axis)
    s -= np.log(np.add.reduce(np.exp(s), axis=axis, keepdims=True))
    return s


def _same_shape(x: Any, axis: int) -> Any:
    shape = shape_of(x)
    if shape is not None:
        normalize_axis(axis, len(shape))
    return shape


def _total(x: Any, axis: int) -> Any:
    return reduce_sum(x, axis=(axis,), keepdims=True)


def _softmax_rule(g: Any, y: Any, x: Any, axis: int) -> Any:
    return (g - _total(g * y, axis)) * y


softmax = Op(
    "Softmax",
    lambda x, axis: _shares(x, axis).astype(x.dtype, copy=False),
    vjp=_softmax_rule,
    reads="y",
    jvp=lambda ts, y, x, axis: _softmax_rule(ts[0], y, x, axis),  # its Jacobian is symmetric
    batch=lambda n, xs, batched, axis: softmax(xs[0], axis=behind(axis)),
    shape=_same_shape,
    accepts=FLOAT,
)

log_softmax = Op(
    "LogSoftmax",
    lambda x, axis: _logs(x, axis).astype(x.dtype, copy=False),
    vjp=lambda g, y, x, axis: g - exp(y) * _total(g, axis),
    reads="y",
    jvp=lambda ts, y, x, axis: ts[0] - _total(exp(y) * ts[0], axis),
    batch=lambda n, xs, batched, axis: log_softmax(xs[0], axis=behind(axis)),
    shape=_same_shape,
    accepts=FLOAT,
)


# --- Cross entropy with a distribution ----------------------------------------------------------------------


def _xent(logits: Any, labels: Any, axis: int) -> Any:
    logs = _logs(logits, axis)
    terms = labels * logs
    loss = -np.add.reduce(terms, axis=axis)
    if np.isnan(loss).any():  # a label of 0 asks nothing of a logit of -inf
        loss = -np.add.reduce(np.where(labels == 0, constant(0, terms.dtype), terms), axis=axis)
    return loss.astype(logits.dtype, copy=False)


def _xent_shape(logits: Any, labels: Any, axis: int) -> Any:
    shape = broadcast(shape_of(logits), shape_of(labels))
    if shape is None:
        return None
    axis = normalize_axis(axis, len(shape))
    return (*shape[:axis], *shape[axis + 1 :])


def _xent_slope(logits: Any, labels: Any, axis: int) -> Any:
    return softmax(logits, axis=axis) * _total(labels, axis) - labels


def _xent_jvp(ts: Any, y: Any, logits: Any, labels: Any, axis: int) -> Any:
    parts = []
    if ts[0] is not None:
        parts.append(ts[0] * _xent_slope(logits, labels, axis))
    if ts[1] is not None:
        parts.append(-(ts[1] * log_softmax(logits, axis=axis)))
    return reduce_sum(parts[0] if len(parts) == 1 else parts[0] + parts[1], axis=(axis,))


softmax_cross_entropy = Op(
    "SoftmaxCrossEntropyWithLogits",
    _xent,
    vjp=(
        lambda g, y, logits, labels, axis: expand_dims(g, axis=axis) * _xent_slope(logits, labels, axis),
        lambda g, y, logits, labels, axis: -(expand_dims(g, axis=axis) * log_softmax(logits, axis=axis)),
    ),
    reads=("logits labels", "logits"),
    jvp=_xent_jvp,
    batch=lambda n, xs, batched, axis: softmax_cross_entropy(*with_axis(n, xs, batched), axis=behind(axis)),
    shape=_xent_shape,
    accepts=FLOAT,
    same_dtype=True,
)
"""-∑ labels log softmax(logits) along an axis, for labels of any sum; both have one shape."""


# --- Cross entropy with a class -----------------------------------------------------------------------------


def _checked_labels(logits: Any, labels: Any) -> Any:
    """The labels in a row, and the number of classes."""
    if not logits.ndim or labels.shape != logits.shape[:-1]:  # not known before
        raise InvalidArgumentError.of(
            "labels must have the shape of logits without the last dimension, got logits shape "
            f"{in_brackets(logits.shape)} and labels shape {in_brackets(labels.shape)} "
            "[Op:SparseSoftmaxCrossEntropyWithLogits]"
        )
    classes = logits.shape[-1]
    if classes == 0:
        raise InvalidArgumentError.of(
            f"Must have at least one class, but got logits shape {in_brackets(logits.shape)} "
            "[Op:SparseSoftmaxCrossEntropyWithLogits]"
        )
    flat = labels.reshape(-1)
    if not within(flat, classes):
        bad = flat[(flat < 0) | (flat >= classes)][0]
        shown = " ".join(map(str, flat[:100].tolist()))
        raise InvalidArgumentError.of(
            f"Received a label value of {bad} which is outside the valid range of [0, {classes}).  "
            f"Label values: {shown} [Op:SparseSoftmaxCrossEntropyWithLogits]"
        )
    return flat, classes


def _sparse_xent(logits: Any, labels: Any) -> Any:
    loss = native.class_entropy(logits, labels)
    if loss is not None:
        return loss
    flat, classes = _checked_labels(logits, labels)
    s = _shifted(logits, -1)
    chosen = s.reshape(-1, classes)[np.arange(flat.size), flat].reshape(labels.shape)
    loss = np.log(np.add.reduce(np.exp(s), axis=-1)) - chosen
    return loss.astype(logits.dtype, copy=False)


def _sparse_xent_slope(logits: Any, labels: Any) -> Any:
    p = native.class_slope(logits, labels)
    if p is not None:
        return p
    flat, classes = _checked_labels(logits, labels)
    p = np.ascontiguousarray(_shares(logits, -1))  # so that the next line writes into it, and not into a copy
    p.reshape(-1, classes)[np.arange(flat.size), flat] -= constant(1, p.dtype)
    return p.astype(logits.dtype, copy=False)


def _sparse_xent_shape(logits: Any, labels: Any) -> Any:
    shape = shape_of(logits)
    return shape_of(labels) if shape is None else shape[:-1]


sparse_softmax_cross_entropy = Binary(
    "SparseSoftmaxCrossEntropyWithLogits",
    _sparse_xent,
    vjp=(lambda g, y, logits, labels: expand_dims(g, axis=-1) * sparse_xent_slope(logits, labels), None),
    reads="logits labels",
    jvp=lambda ts, y, logits, labels: reduce_sum(ts[0] * sparse_xent_slope(logits, labels), axis=(-1,)),
    batch=lambda n, xs, batched: sparse_softmax_cross_entropy(*with_axis(n, xs, batched)),
    shape=_sparse_xent_shape,
    accepts=FLOAT,
)
"""-log softmax(logits) at the label, along the last axis."""

sparse_xent_slope = Binary(
    "SparseSoftmaxCrossEntropySlope",
    _sparse_xent_slope,
    vjp=(lambda g, y, logits, labels: _softmax_rule(g, softmax(logits, axis=-1), logits, -1), None),
    reads="logits",
    jvp=lambda ts, y, logits, labels: _softmax_rule(ts[0], softmax(logits, axis=-1), logits, -1),
    batch=lambda n, xs, batched: sparse_xent_slope(*with_axis(n, xs, batched)),
    shape=lambda logits, labels: shape_of(logits),
    accepts=FLOAT,
)
"""softmax(logits) minus the one-hot vectors of the labels."""


# --- Others -------------------------------------------------------------------------------------------------


@rounded_once
def _sigmoid_xent(logits: Any, labels: Any) -> Any:
    soft = np.log1p(np.exp(-np.abs(logits)))
    return np.maximum(logits, constant(0, logits.dtype)) - logits * labels + soft


sigmoid_cross_entropy = Binary(
    "SigmoidCrossEntropyWithLogits",
    _sigmoid_xent,
    vjp=(
        lambda g, y, logits, labels: g * (sigmoid(logits) - labels),
        lambda g, y, logits, labels: -(g * logits),
    ),
    reads=("logits labels", "logits"),
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""-labels log sigmoid(logits) - (1 - labels) log(1 - sigmoid(logits))"""


def _l2_loss(x: Any) -> Any:
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
    half = np.vdot(wide, wide) * wide.dtype.type(0.5)
    return half.astype(x.dtype) if half.dtype != x.dtype else half


def _l2_loss_batch(n: int, xs: Any, batched: Any) -> Any:
    x = xs[0]
    return reduce_sum(x * x, axis=tuple(range(1, len(shape_of(x))))) * 0.5


l2_loss = Op(
    "L2Loss",
    _l2_loss,
    vjp=lambda g, y, x: g * x,
    reads="x",
    jvp=lambda ts, y, x: reduce_sum(ts[0] * x),
    batch=_l2_loss_batch,
    shape=lambda x: (),
    accepts=FLOAT,
)
"""Half the sum of the squares."""
