"""Public softmax functions and losses that are computed from logits.

``logits`` are unnormalized log-probabilities: floating-point numbers. A loss has one number for each element,
or for each vector of classes; nothing is averaged unless stated.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.axes import along, unknown_axis
from gradtape._src.api.selection import require, require_same
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text, broadcast, compatible, in_brackets, is_known
from gradtape._src.core.values import EagerTensor, dtype_of, shape_of
from gradtape._src.ops import softmax as ops
from gradtape._src.ops.arrays import broadcast_to, expand_dims, ones_like, squeeze, zeros_like
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import greater_equal, less_equal, logical_and
from gradtape._src.ops.division import divide_no_nan
from gradtape._src.ops.elementwise import exp, log, softplus
from gradtape._src.ops.measuring import shape as shape_op
from gradtape._src.ops.reduction import reduce_sum
from gradtape._src.ops.selection import select

_FLOATS = "float16, bfloat16, float32, float64"
_LOG_2_PI = 1.8378770664093453


def softmax(logits, axis=None, name=None):
    """exp(x) over its sum along an axis (the last by default): probabilities.

    Shape and dtype are those of ``logits``. A scalar, or an axis that is not there, raises InvalidArgumentError.

    >>> import gradtape as tf
    >>> print(tf.nn.softmax([0.0, 1.0, 2.0]).numpy().round(4))
    [0.09   0.2447 0.6652]

    As TensorFlow 2.21.
    """
    return _along(ops.softmax, logits, axis, name)


def log_softmax(logits, axis=None, name=None):
    """x - log(∑ exp(x)) along an axis (the last by default): the logarithm of `tf.nn.softmax`, without underflow.

    Shape and dtype are those of ``logits``. A scalar, or an axis that is not there, raises InvalidArgumentError.

    >>> import gradtape as tf
    >>> print(tf.nn.log_softmax([0.0, 1.0, 2.0]).numpy().round(4))
    [-2.4076 -1.4076 -0.4076]

    As TensorFlow 2.21.
    """
    return _along(ops.log_softmax, logits, axis, name)


def _along(op: Any, logits: Any, axis: Any, name: Any) -> Any:
    x = as_tensor(logits)
    if unknown_axis(axis, "dim", op.name):
        return along(lambda x: _along(op, x, 0, name), x, axis=axis)
    return op.of(x, axis=_from_end(axis, x, op.name), name=name)


def _from_end(axis: Any, x: Any, op: str) -> int:
    """The axis counted from the end, as far as the rank is known."""
    axis = -1 if axis is None else int(axis)
    shape = shape_of(x)
    if shape is None:
        return axis
    rank = len(shape)
    if rank == 0:
        raise InvalidArgumentError.of(f"logits must have >= 1 dimension, got [] [Op:{op}]")
    if not -rank <= axis < rank:
        raise InvalidArgumentError.of(
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of dimensions in the input. "
            f"Received: dim={axis}"
        )
    return axis if axis < 0 else axis - rank


# --- Cross entropies ----------------------------------------------------------------------------------------


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    """-∑ labels log softmax(logits) along an axis: for each vector, how far off a predicted distribution is.

    Args:
      labels: the true probabilities, of the shape of ``logits`` (or one that broadcasts to it); cast to its dtype.
      logits: floating-point numbers.
      axis: the axis of the classes.
      name: of the operation in a graph.

    Returns:
      A tensor of the dtype of ``logits`` and of its shape without the axis. Both arguments have a gradient,
      which is right also for labels whose sum is not 1. A label of 0 asks nothing of its logit, even if that is -inf.

    Raises:
      InvalidArgumentError: the shapes do not broadcast, or there is no such axis.

    >>> import gradtape as tf
    >>> print(tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[1.0, 3.0]]).numpy().round(4))
    [0.1269]

    As TensorFlow 2.21.
    """
    x = as_tensor(logits)
    require(x, _FLOATS, "T", ops.softmax_cross_entropy.name)
    labels = as_tensor(labels) if hasattr(labels, "dtype") else as_tensor(labels, like=x)
    if dtype_of(labels) != dtype_of(x):
        labels = cast.of(labels, dtype=dtype_of(x))
    if shape_of(labels) != shape_of(x):
        x, labels = _one_shape(x, labels)
    axis = _from_end(axis, x, ops.softmax_cross_entropy.name)
    return ops.softmax_cross_entropy.of(x, labels, axis=axis, name=name)


def _one_shape(logits: Any, labels: Any) -> tuple[Any, Any]:
    """Both broadcast to one shape, where shapes are known."""
    a, b = shape_of(logits), shape_of(labels)
    try:
        both = broadcast(a, b)
    except ValueError:
        raise InvalidArgumentError.of(
            f"logits and labels must be broadcastable: logits_size={in_brackets(a)} labels_size={in_brackets(b)} "
            "[Op:SoftmaxCrossEntropyWithLogits]"
        ) from None
    if not is_known(both):
        return logits, labels
    logits, labels = (t if shape_of(t) == both else broadcast_to.of(t, both) for t in (logits, labels))
    return logits, labels


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """-log softmax(logits) at the label, along the last axis: the cross entropy with a class that is known for sure.

    Args:
      labels: int32 or int64, of the shape of ``logits`` without its last axis.
      logits: floating-point numbers (..., classes).
      name: of the operation in a graph.

    Returns:
      A tensor of the shape of ``labels`` and the dtype of ``logits``.

    Raises:
      InvalidArgumentError: a label is not in [0, classes).
      ValueError: the shapes do not fit.

    >>> import gradtape as tf
    >>> print(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1.0, 3.0]]).numpy().round(4))
    [0.1269]

    As TensorFlow 2.21.
    """
    op = ops.sparse_softmax_cross_entropy
    labels, x = as_tensor(labels), as_tensor(logits)
    require(x, _FLOATS, "T", op.name)
    require(labels, "int32, int64", "Tlabels", op.name)
    want, have = shape_of(labels), shape_of(x)
    if have == ():
        raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}`")
    if have is not None and want != have[:-1]:
        if want is not None and len(want) != len(have) - 1:
            raise ValueError(
                "`labels.shape.rank` must equal `logits.shape.rank - 1`. "
                f"Received: labels.shape={as_text(want)} of rank {len(want)} and logits.shape={as_text(have)} of rank "
                f"{len(have)}"
            )
        if not compatible(want, have[:-1]):
            raise ValueError(
                "`labels.shape` must equal `logits.shape` except for the last dimension. "
                f"Received: labels.shape={as_text(want)} and logits.shape={as_text(have)}"
            )
    return op.of(x, labels, name=name)


def _same_shape(a: Any, b: Any, first: str, second: str) -> None:
    if not compatible(shape_of(a), shape_of(b)):
        raise ValueError(
            f"`{first}` and `{second}` must have the same shape, received "
            f"({as_text(shape_of(a))} vs {as_text(shape_of(b))})."
        )


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """-z log sigmoid(x) - (1 - z) log(1 - sigmoid(x)) for each logit x and label z, computed without overflow.

    Both of one shape (else ValueError) and one floating-point dtype. The gradient is sigmoid(x) - z for x, -x for z.

    >>> import gradtape as tf
    >>> print(tf.nn.sigmoid_cross_entropy_with_logits(labels=[0.0, 1.0], logits=[1.0, 2.0]).numpy().round(4))
    [1.3133 0.1269]

    As TensorFlow 2.21.
    """
    if labels is None or logits is None:
        raise ValueError(
            "Both `labels` and `logits` must be provided for sigmoid_cross_entropy_with_logits"
            f"Received: labels={labels} and logits={logits}"
        )
    x = as_tensor(logits)
    z = as_tensor(labels) if hasattr(labels, "dtype") else as_tensor(labels, like=x)
    _same_shape(x, z, "logits", "labels")
    require_same("Mul", x, z, 1)
    return ops.sigmoid_cross_entropy.of(x, z, name)


def weighted_cross_entropy_with_logits(labels, logits, pos_weight, name=None):
    """-q z log sigmoid(x) - (1 - z) log(1 - sigmoid(x)) for each logit x and label z.

    ``pos_weight``, q, is what a positive counts more than a negative: above 1 for more recall, below for
    precision. Labels and logits of one shape (else ValueError) and one floating-point dtype.

    >>> import gradtape as tf
    >>> print(tf.nn.weighted_cross_entropy_with_logits([0.0, 1.0], [1.0, -2.0], 3.0).numpy().round(4))
    [1.3133 6.3808]

    As TensorFlow 2.21.
    """
    x = as_tensor(logits)
    z = as_tensor(labels) if hasattr(labels, "dtype") else as_tensor(labels, like=x)
    _same_shape(x, z, "logits", "labels")
    require_same("Mul", x, z, 1)
    weight = as_tensor(pos_weight) if hasattr(pos_weight, "dtype") else as_tensor(pos_weight, like=x)
    return (1 - z) * x + (1 + (weight - 1) * z) * softplus.of(-x)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """exp(c) - z c for a target z and the logarithm c of its predicted mean.

    This is minus the log-likelihood of a Poisson distribution but for log(z!), which does not depend on the
    prediction. With ``compute_full_loss`` Stirling's approximation of it, z log z - z + log(2πz) / 2, is
    added where z > 1. Both of one shape (else ValueError) and one floating-point dtype.

    >>> import gradtape as tf
    >>> print(tf.nn.log_poisson_loss([2.0, 5.0], [1.0, 1.0]).numpy().round(4))
    [ 0.7183 -2.2817]

    As TensorFlow 2.21.
    """
    c = as_tensor(log_input)
    z = as_tensor(targets) if hasattr(targets, "dtype") else as_tensor(targets, like=c)
    _same_shape(c, z, "log_input", "targets")
    loss = exp.of(c) - c * z
    if compute_full_loss:
        small = logical_and.of(greater_equal.of(z, 0), less_equal.of(z, 1))
        large = select.of(small, ones_like.of(z), z)
        log_factorial = large * log.of(large) - large + (log.of(large) + _LOG_2_PI) * 0.5
        loss = loss + select.of(small, zeros_like.of(z), log_factorial)
    return loss


def l2_loss(t, name=None):
    """∑ x² / 2, a scalar.

    Floating-point numbers of any shape.

    >>> import gradtape as tf
    >>> print(tf.nn.l2_loss([3.0, 4.0]).numpy())
    12.5

    As TensorFlow 2.21.
    """
    return ops.l2_loss.of(as_tensor(t), name=name)


# --- For training on several replicas -----------------------------------------------------------------------


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """The sum of losses over the number of examples.

    Args:
      per_example_loss: losses of rank 1 at least; the first axis is the batch.
      sample_weight: None, or weights that the losses are multiplied with.
      global_batch_size: what to divide by, an integer; the number of losses along the first axis by default.

    Returns:
      A scalar; 0 if there are no losses.

    Raises:
      ValueError: a scalar loss.
      TypeError, InvalidArgumentError: a ``global_batch_size`` that is no integer, or negative.

    >>> import gradtape as tf
    >>> print(tf.nn.compute_average_loss([1.0, 2.0, 3.0], global_batch_size=4).numpy())
    1.5

    As TensorFlow 2.21 with one replica.
    """
    losses = as_tensor(per_example_loss)
    shape = shape_of(losses)
    if shape == ():
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={losses} with rank 0"
        )
    if sample_weight is not None:
        losses = _weighted(losses, sample_weight)
    if global_batch_size is None:
        size = shape_op.of(losses, out_type="int32")[0]
    else:
        size = as_tensor(global_batch_size)
        if not is_integer_np(dtype_of(size)):
            raise TypeError(
                'global_batch_size must be an integer.  Expected "x" to be integer type.  Found: tensor of dtype '
                f"{from_numpy(dtype_of(size))}"
            )
        if type(size) is EagerTensor and size._data < 0:
            raise InvalidArgumentError.of(f"global_batch_size must be non-negative, received {int(size)}")
    return divide_no_nan.of(reduce_sum.of(losses), cast.of(size, dtype=dtype_of(losses)))


def _weighted(losses: Any, sample_weight: Any) -> Any:
    """Losses times weights, which may lack or have one axis more, of length 1."""
    weights = as_tensor(sample_weight)
    if dtype_of(weights) != dtype_of(losses):
        weights = cast.of(weights, dtype=dtype_of(losses))
    have, want = shape_of(losses), shape_of(weights)
    if have is not None and want:
        if len(want) == len(have) + 1:
            weights = squeeze.of(weights, axis=(-1,))
        elif len(want) == len(have) - 1:
            weights = expand_dims.of(weights, axis=-1)
    return losses * weights


def scale_regularization_loss(regularization_loss):
    """The sum of regularization losses over the number of replicas, which is 1.

    >>> import gradtape as tf
    >>> print(tf.nn.scale_regularization_loss([1.0, 2.0]).numpy())
    3.0

    As TensorFlow 2.21 with one replica.
    """
    return reduce_sum.of(as_tensor(regularization_loss))
