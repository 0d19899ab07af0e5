"""``tf.losses`` of TensorFlow 1: one number for a batch, which goes into the graph's collection of losses."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import add_n, divide_no_nan, minimum, squared_difference
from gradtape._src.api.arrays import broadcast_to, shape, size, squeeze, stop_gradient
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.elementwise import log
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.nn_activations import relu
from gradtape._src.api.nn_losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.comparison import not_equal


class Reduction:
    """How losses of a batch become one number; see `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.Reduction.MEAN
    'weighted_mean'
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls):
        """All of them."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key):
        """Raises a ValueError for what is none of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT
):
    """``sum(losses * weights)``, divided by what ``reduction`` says.

    Args:
      losses: a tensor.
      weights: a scalar, or a tensor of the rank of ``losses`` and of its shape, or 1, in each dimension.
      scope: of the names.
      loss_collection: the graph's collection that the loss is added to, or None.
      reduction: ``SUM``; ``MEAN``: by the sum of the weights; ``SUM_BY_NONZERO_WEIGHTS``: by how many of them are not
        0; ``SUM_OVER_BATCH_SIZE``: by the number of the losses; ``NONE``: the weighted losses.

    Raises:
      ValueError: an unknown reduction, or weights that do not fit.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.compute_weighted_loss([1.0, 2.0, 3.0], [1.0, 0.0, 1.0]).numpy()
    np.float32(2.0)

    As TensorFlow 2.21 (1.15).
    """
    Reduction.validate(reduction)
    with scope_of(scope or "weighted_loss"):
        losses = as_tensor(losses)
        dtype = losses.dtype
        losses, weights = _float32(losses), _float32(weights)
        _check_weights(shape_of(weights), shape_of(losses))
        loss = losses * weights
        if reduction != Reduction.NONE:
            loss = reduce_sum(loss)
        if reduction == Reduction.MEAN:
            loss = divide_no_nan(loss, reduce_sum(_spread(weights, losses)))
        elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
            present = cast(not_equal(weights, 0.0), float32)
            loss = divide_no_nan(loss, reduce_sum(_spread(present, losses)))
        elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
            loss = divide_no_nan(loss, cast(size(losses), float32))
        loss = cast(loss, dtype)
        add_loss(loss, loss_collection)
        return loss


def _float32(x: Any) -> Any:
    return cast(x, float32)


def _spread(weights: Any, losses: Any) -> Any:
    return broadcast_to(weights, shape(losses))


def _check_weights(weights: Any, values: Any) -> None:
    if weights is None or values is None or weights == ():
        return
    fits = len(weights) == len(values)
    if not fits or any(w not in (1, None) and v is not None and w != v for w, v in zip(weights, values)):
        raise ValueError(
            f"weights can not be broadcast to values. values.rank={len(values)}. weights.rank={len(weights)}. "
            f"values.shape={as_text(values)}. weights.shape={as_text(weights)}. They must be a scalar, or have the "
            "rank of the values and in each dimension their length or 1."
        )


def _pair(labels: Any, predictions: Any, second: str, first: str = "labels") -> tuple[Any, Any]:
    """Both as float32, of one shape."""
    _required(labels, predictions, second, first)
    predictions, labels = _float32(predictions), _float32(labels)
    _same_shape(predictions, labels)
    return labels, predictions


def _required(labels: Any, predictions: Any, second: str, first: str = "labels") -> None:
    for name, value in ((first, labels), (second, predictions)):
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")


def _alike(labels: Any, logits: Any) -> tuple[Any, Any]:
    """Both of the dtype of the logits, of one shape."""
    logits = as_tensor(logits)
    labels = cast(labels, logits.dtype)
    _same_shape(logits, labels)
    return labels, logits


def _same_shape(a: Any, b: Any) -> None:
    if not compatible(shape_of(a), shape_of(b)):
        raise ValueError(f"Shapes {as_text(shape_of(a))} and {as_text(shape_of(b))} are incompatible")


def absolute_difference(
    labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT
):
    """The weighted ``|predictions - labels|``; see `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.absolute_difference([1.0, 2.0], [2.0, 5.0]).numpy()
    np.float32(2.0)
    """
    labels, predictions = _pair(labels, predictions, "predictions")
    scope = scope or "absolute_difference"
    return compute_weighted_loss(absolute(predictions - labels), weights, scope, loss_collection, reduction)


def mean_squared_error(
    labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT
):
    """The weighted ``(predictions - labels)**2``; see `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.mean_squared_error([1.0, 2.0], [2.0, 5.0]).numpy()
    np.float32(5.0)
    """
    labels, predictions = _pair(labels, predictions, "predictions")
    losses = squared_difference(predictions, labels)
    return compute_weighted_loss(losses, weights, scope or "mean_squared_error", loss_collection, reduction)


def huber_loss(
    labels,
    predictions,
    weights=1.0,
    delta=1.0,
    scope=None,
    loss_collection=GraphKeys.LOSSES,
    reduction=_DEFAULT,
):
    """The weighted Huber loss: ``e**2 / 2`` of an error e up to ``delta``, and linear above.

    See `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.huber_loss([0.0, 0.0], [1.0, 3.0]).numpy()
    np.float32(1.5)
    """
    labels, predictions = _pair(labels, predictions, "predictions")
    error = absolute(predictions - labels)
    quadratic = minimum(error, delta)
    losses = 0.5 * (quadratic * quadratic) + delta * (error - quadratic)
    return compute_weighted_loss(losses, weights, scope or "huber_loss", loss_collection, reduction)


def log_loss(
    labels,
    predictions,
    weights=1.0,
    epsilon=1e-7,
    scope=None,
    loss_collection=GraphKeys.LOSSES,
    reduction=_DEFAULT,
):
    """The weighted ``-y * log(p + epsilon) - (1 - y) * log(1 - p + epsilon)`` of probabilities p.

    See `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.losses.log_loss([1.0], [0.5]))
    tf.Tensor(0.693..., shape=(), dtype=float32)
    """
    labels, predictions = _pair(labels, predictions, "predictions")
    losses = -(labels * log(predictions + epsilon)) - (1 - labels) * log(1 - predictions + epsilon)
    return compute_weighted_loss(losses, weights, scope or "log_loss", loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    """The weighted ``max(0, 1 - y * logits)``, y being -1 for the label 0 and 1 for 1.

    See `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.hinge_loss([1.0, 0.0], [0.5, 1.0]).numpy()
    np.float32(1.25)
    """
    labels, logits = _pair(labels, logits, "logits")
    losses = relu(1 - (2 * labels - 1) * logits)
    return compute_weighted_loss(losses, weights, scope or "hinge_loss", loss_collection, reduction)


def cosine_distance(
    labels,
    predictions,
    axis=None,
    weights=1.0,
    scope=None,
    loss_collection=GraphKeys.LOSSES,
    reduction=_DEFAULT,
    dim=None,
):
    """The weighted ``1 - sum(labels * predictions, axis)`` of vectors of length 1.

    ``dim`` is the older name of ``axis``. See `tf.losses.compute_weighted_loss`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.cosine_distance([[1.0, 0.0]], [[0.6, 0.8]], axis=1).numpy()
    np.float32(0.39999998)
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'.")
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    labels, predictions = _pair(labels, predictions, "predictions")
    losses = 1 - reduce_sum(predictions * labels, axis=(axis,), keepdims=True)
    return compute_weighted_loss(losses, weights, scope or "cosine_distance_loss", loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels,
    logits,
    weights=1.0,
    label_smoothing=0,
    scope=None,
    loss_collection=GraphKeys.LOSSES,
    reduction=_DEFAULT,
):
    """The weighted `tf.nn.sigmoid_cross_entropy_with_logits`; see `tf.losses.compute_weighted_loss`.

    label_smoothing: moves labels towards 1/2: ``labels * (1 - s) + s / 2``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.losses.sigmoid_cross_entropy([1.0], [0.0]))
    tf.Tensor(0.693..., shape=(), dtype=float32)
    """
    _required(multi_class_labels, logits, "logits", "multi_class_labels")
    with scope_of(scope or "sigmoid_cross_entropy_loss") as scope:
        labels, logits = _alike(multi_class_labels, logits)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels, logits)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels,
    logits,
    weights=1.0,
    label_smoothing=0,
    scope=None,
    loss_collection=GraphKeys.LOSSES,
    reduction=_DEFAULT,
):
    """The weighted `tf.nn.softmax_cross_entropy_with_logits`; see `tf.losses.compute_weighted_loss`.

    label_smoothing: moves labels towards equal ones: ``labels * (1 - s) + s / number of classes``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.losses.softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]]))
    tf.Tensor(0.693..., shape=(), dtype=float32)
    """
    _required(onehot_labels, logits, "logits", "onehot_labels")
    with scope_of(scope or "softmax_cross_entropy_loss") as scope:
        labels, logits = _alike(onehot_labels, logits)
        if label_smoothing > 0:
            classes: Any = cast(shape(labels)[-1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = softmax_cross_entropy_with_logits(stop_gradient(labels), logits)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT
):
    """The weighted `tf.nn.sparse_softmax_cross_entropy_with_logits`; see `tf.losses.compute_weighted_loss`.

    Labels and weights may have a last dimension of 1 that the losses lack.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.losses.sparse_softmax_cross_entropy([1], [[0.0, 0.0]]))
    tf.Tensor(0.693..., shape=(), dtype=float32)
    """
    _required(labels, logits, "logits")
    with scope_of(scope or "sparse_softmax_cross_entropy_loss") as scope:
        labels, logits, weights = as_tensor(labels), as_tensor(logits), as_tensor(weights)
        have, given = shape_of(labels), shape_of(logits)
        if have is not None and given is not None:
            if len(given) == len(have) and have and have[-1] in (1, None):
                labels = squeeze(labels, [-1])
            elif len(given) == len(have) + 2 and given[-1] in (1, None):
                logits = squeeze(logits, [-1])
        have, given = shape_of(labels), shape_of(weights)
        if have is not None and given is not None and len(given) == len(have) + 1:
            weights = squeeze(weights, [-1])
        losses = sparse_softmax_cross_entropy_with_logits(labels, logits)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


# --- Collections of losses


def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Adds a loss to a collection of the graph; in eager mode nothing is kept.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.losses.add_loss(tf.constant(1.0))
    ...     len(tf.losses.get_losses())
    1
    """
    if loss_collection and current_graph() is not None:
        get_default_graph().add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    """The losses of the graph; ``scope`` is a regular expression that their names begin with."""
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    """The losses that regularizers of variables gave; see `tf.losses.get_losses`."""
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """The sum of `tf.losses.get_regularization_losses`; 0 if there are none.

    >>> import gradtape.compat.v1 as tf
    >>> tf.losses.get_regularization_loss().numpy()
    np.float32(0.0)
    """
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else as_tensor(0.0)


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """The sum of the losses of the graph, and of those of regularizers.

    Raises:
      ValueError: there are none.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     _ = tf.losses.mean_squared_error([1.0], [3.0])
    ...     _ = tf.losses.absolute_difference([1.0], [3.0])
    ...     print(session.run(tf.losses.get_total_loss()))
    6.0
    """
    losses = get_losses(scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope)
    return add_n(losses, name=name)
