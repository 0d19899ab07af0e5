"""TensorFlow 1's spellings of activations, losses, normalizations and dropout (`tf.compat.v1.nn`)."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import nn_activations, nn_dropout, nn_losses, nn_normalization
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor
from gradtape._src.ops.arrays import stop_gradient
from gradtape._src.ops.products import matmul


def one_of(old: str, old_value: Any, new: str, new_value: Any) -> Any:
    """The argument that was given under its new name or its old one."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old}' and '{new}'.")
    return old_value


def _needed(function: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"Argument `{name}` of `{function}` must be provided: {name}=...")


# --- Activations and losses ---------------------------------------------------------------------------------


def crelu(features, name=None, axis=-1):
    """`tf.nn.crelu`, with the name before the axis.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.crelu([[-2.0, 3.0]]).numpy())
    [[0. 3. 2. 0.]]

    As TensorFlow 2.21.
    """
    return nn_activations.crelu(features, axis, name)


def softmax(logits, axis=None, name=None, dim=None):
    """`tf.nn.softmax`, whose axis may be called ``dim``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.softmax([[0.0], [0.0]], dim=0).numpy().ravel())
    [0.5 0.5]

    As TensorFlow 2.21.
    """
    return nn_losses.softmax(logits, one_of("dim", dim, "axis", axis), name)


def log_softmax(logits, axis=None, name=None, dim=None):
    """`tf.nn.log_softmax`, whose axis may be called ``dim``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.log_softmax([[0.0], [0.0]], dim=0).numpy().ravel().round(4))
    [-0.6931 -0.6931]

    As TensorFlow 2.21.
    """
    return nn_losses.log_softmax(logits, one_of("dim", dim, "axis", axis), name)


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """`tf.nn.softmax_cross_entropy_with_logits`, whose axis may be called ``dim``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.softmax_cross_entropy_with_logits_v2([[0.0, 1.0]], [[1.0, 3.0]]).numpy().round(4))
    [0.1269]

    As TensorFlow 2.21.
    """
    axis = one_of("dim", dim, "axis", axis)
    return nn_losses.softmax_cross_entropy_with_logits(labels, logits, -1 if axis is None else axis, name)


def softmax_cross_entropy_with_logits(labels=None, logits=None, dim=-1, name=None, axis=None):
    """`tf.nn.softmax_cross_entropy_with_logits` without a gradient for the labels.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[1.0, 3.0]]).numpy().round(4))
    [0.1269]

    As TensorFlow 2.21.
    """
    _needed("softmax_cross_entropy_with_logits", labels=labels, logits=logits)
    axis = dim if axis is None else one_of("dim", None if dim == -1 else dim, "axis", axis)
    if isinstance(labels, Tensor) or hasattr(labels, "__tf_tensor__"):
        labels = stop_gradient.of(labels)
    return nn_losses.softmax_cross_entropy_with_logits(labels, logits, axis, name)


def sparse_softmax_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1.0, 3.0]]).numpy().round(4))
    [0.1269]

    As TensorFlow 2.21.
    """
    _needed("sparse_softmax_cross_entropy_with_logits", labels=labels, logits=logits)
    return nn_losses.sparse_softmax_cross_entropy_with_logits(labels, logits, name)


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    """`tf.nn.weighted_cross_entropy_with_logits`, whose labels may be called ``targets``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.weighted_cross_entropy_with_logits([1.0], [-2.0], 3.0).numpy().round(4))
    [6.3808]

    As TensorFlow 2.21.
    """
    labels = one_of("targets", targets, "labels", labels)
    _needed("weighted_cross_entropy_with_logits", labels=labels, logits=logits, pos_weight=pos_weight)
    return nn_losses.weighted_cross_entropy_with_logits(labels, logits, pos_weight, name)


def xw_plus_b(x, weights, biases, name=None):
    """x @ weights + biases, for matrices x and weights and a vector of biases.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.xw_plus_b([[1.0, 2.0]], [[3.0], [4.0]], [5.0]).numpy())
    [[16.]]

    As TensorFlow 2.21.
    """
    return nn_activations.bias_add(matmul.of(as_tensor(x), as_tensor(weights)), biases, name=name)


def relu_layer(x, weights, biases, name=None):
    """relu(x @ weights + biases).

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.relu_layer([[1.0, 2.0]], [[3.0], [-4.0]], [1.0]).numpy())
    [[0.]]

    As TensorFlow 2.21.
    """
    return nn_activations.relu(xw_plus_b(x, weights, biases), name)


# --- Normalizations and dropout -----------------------------------------------------------------------------


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """`tf.nn.moments`, whose ``keepdims`` may be called ``keep_dims``.

    >>> import gradtape.compat.v1 as tf
    >>> mean, variance = tf.nn.moments(tf.constant([1.0, 3.0]), [0], keep_dims=True)
    >>> print(mean.numpy(), variance.numpy())
    [2.] [1.]

    As TensorFlow 2.21.
    """
    return nn_normalization.moments(
        x, axes, shift, bool(one_of("keep_dims", keep_dims, "keepdims", keepdims)), name
    )


def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """`tf.nn.weighted_moments`, whose ``keepdims`` may be called ``keep_dims``.

    >>> import gradtape.compat.v1 as tf
    >>> mean, variance = tf.nn.weighted_moments([1.0, 5.0], [0], [3.0, 1.0])
    >>> print(mean.numpy(), variance.numpy())
    2.0 3.0

    As TensorFlow 2.21.
    """
    keep = bool(one_of("keep_dims", keep_dims, "keepdims", keepdims))
    return nn_normalization.weighted_moments(x, axes, frequency_weights, keep, name)


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """`tf.nn.sufficient_statistics`, whose ``keepdims`` may be called ``keep_dims``.

    >>> import gradtape.compat.v1 as tf
    >>> count, total, squares, _ = tf.nn.sufficient_statistics([1.0, 2.0, 4.0], [0])
    >>> print(count.numpy(), total.numpy(), squares.numpy())
    3.0 7.0 21.0

    As TensorFlow 2.21.
    """
    keep = bool(one_of("keep_dims", keep_dims, "keepdims", keepdims))
    return nn_normalization.sufficient_statistics(x, axes, shift, keep, name)


def batch_norm_with_global_normalization(
    t=None,
    m=None,
    v=None,
    beta=None,
    gamma=None,
    variance_epsilon=None,
    scale_after_normalization=None,
    name=None,
    input=None,
    mean=None,
    variance=None,
):
    """`tf.nn.batch_norm_with_global_normalization`, whose first arguments may be called ``t``, ``m``, ``v``.

    >>> import gradtape.compat.v1 as tf
    >>> x, one = tf.reshape([1.0, 3.0], [2, 1, 1, 1]), tf.constant([1.0])
    >>> print(tf.nn.batch_norm_with_global_normalization(x, [2.0], one, one, one, 0.0, False).numpy().ravel())
    [0. 2.]

    As TensorFlow 2.21.
    """
    x = one_of("t", t, "input", input)
    mean, variance = one_of("m", m, "mean", mean), one_of("v", v, "variance", variance)
    return nn_normalization.batch_norm_with_global_normalization(
        x, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, name
    )


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """`tf.nn.dropout` with rate ``1 - keep_prob``, or ``rate``.

    ValueError if neither or both are given.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.dropout(tf.ones([3]), keep_prob=1.0).numpy())
    [1. 1. 1.]

    As TensorFlow 2.21.
    """
    if keep_prob is not None:
        rate = one_of("keep_prob", 1 - keep_prob, "rate", rate)
    if rate is None:
        raise ValueError(f"`rate` must be provided. Received: rate={rate}")
    return nn_dropout.dropout(x, rate, noise_shape, seed, name)
