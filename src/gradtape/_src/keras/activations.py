"""Keras's activation functions: of a tensor of any shape, elementwise unless an axis is named."""

from __future__ import annotations

import types
from typing import Any

from gradtape._src.api import elementwise, nn_activations, nn_losses
from gradtape._src.api.arithmetic import clip_by_value, maximum, minimum
from gradtape._src.api.arrays import shape
from gradtape._src.api.creation import ones_like, zeros_like
from gradtape._src.api.creation import range as arange
from gradtape._src.api.cumulative import cumsum
from gradtape._src.api.joining import split
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.api.sorting import sort
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.serialization import Family, serialize_keras_object
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.casting import cast


def relu(x, negative_slope=0.0, max_value=None, threshold=0.0, alpha=None):
    """x above ``threshold``, at most ``max_value``; below it ``negative_slope * (x - threshold)``.

    ``alpha`` is Keras 2's name of ``negative_slope``.

    >>> import gradtape as tf
    >>> tf.keras.activations.relu(tf.constant([-2.0, 3.0, 9.0]), 0.5, max_value=6.0).numpy()
    array([-1.,  3.,  6.], dtype=float32)

    As Keras 3.
    """
    x = as_tensor(x)
    slope = negative_slope if alpha is None else alpha
    if slope and max_value is None and not threshold:
        return nn_activations.leaky_relu(x, slope)
    if threshold:
        y = where(x > threshold, x, zeros_like(x))
    else:
        y = nn_activations.relu6(x) if max_value == 6 else nn_activations.relu(x)
    if max_value is not None and (threshold or max_value != 6):
        y = clip_by_value(y, 0.0, max_value)
    return y - slope * nn_activations.relu(threshold - x) if slope else y


def relu6(x):
    """min(max(x, 0), 6)."""
    return nn_activations.relu6(x)


def leaky_relu(x, negative_slope=0.2):
    """x where it is positive, ``negative_slope * x`` elsewhere."""
    return nn_activations.leaky_relu(x, negative_slope)


def elu(x, alpha=1.0):
    """x where it is positive, ``alpha * (exp(x) - 1)`` elsewhere (Clevert et al., arXiv:1511.07289).

    >>> import gradtape as tf
    >>> tf.keras.activations.elu(tf.constant([2.0, -1.0]), 0.5).numpy()
    array([ 2.        , -0.31606027], dtype=float32)
    """
    y = nn_activations.elu(x)
    return y if alpha == 1 else where(as_tensor(x) > 0, y, alpha * y)


def celu(x, alpha=1.0):
    """``max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)`` (Barron, arXiv:1704.07483)."""
    x = as_tensor(x)
    return maximum(x, 0.0) + alpha * elementwise.expm1(minimum(x, 0.0) / alpha)


def selu(x):
    """The scaled `elu` that keeps mean and variance (Klambauer et al., arXiv:1706.02515)."""
    return nn_activations.selu(x)


def gelu(x, approximate=False):
    """x times the normal distribution's probability of less than x (Hendrycks & Gimpel, arXiv:1606.08415)."""
    return nn_activations.gelu(x, approximate)


def silu(x):
    """``x * sigmoid(x)``."""
    return nn_activations.silu(x)


def mish(x):
    """``x * tanh(softplus(x))`` (Misra, arXiv:1908.08681)."""
    x = as_tensor(x)
    return x * elementwise.tanh(elementwise.softplus(x))


def glu(x, axis=-1):
    """The first half along ``axis``, times the sigmoid of the second (Dauphin et al., arXiv:1612.08083).

    >>> import gradtape as tf
    >>> tf.keras.activations.glu(tf.constant([3.0, 0.0])).numpy()
    array([1.5], dtype=float32)
    """
    x = as_tensor(x)
    if x.shape[axis] % 2:
        raise ValueError(f"axis size must be divisible by 2. Received: x.shape={x.shape} with axis={axis}")
    first, second = split(x, 2, axis)
    return first * elementwise.sigmoid(second)


def softplus(x):
    """``log(exp(x) + 1)``."""
    return elementwise.softplus(x)


def softsign(x):
    """``x / (|x| + 1)``."""
    return elementwise.softsign(x)


def squareplus(x, b=4):
    """``(x + sqrt(x**2 + b)) / 2`` (Barron, arXiv:2112.11687)."""
    x = as_tensor(x)
    return (x + elementwise.sqrt(x * x + b)) / 2


def soft_shrink(x, threshold=0.5):
    """x moved towards 0 by ``threshold``, and 0 where that is farther than 0."""
    x = as_tensor(x)
    return where(x > threshold, x - threshold, where(x < -threshold, x + threshold, zeros_like(x)))


def hard_shrink(x, threshold=0.5):
    """x, and 0 where ``|x| <= threshold``."""
    x = as_tensor(x)
    return where(elementwise.abs(x) > threshold, x, zeros_like(x))


def tanh_shrink(x):
    """``x - tanh(x)``."""
    x = as_tensor(x)
    return x - elementwise.tanh(x)


def threshold(x, threshold, default_value):
    """x where it is greater than ``threshold``, ``default_value`` elsewhere."""
    x = as_tensor(x)
    return where(x > threshold, x, as_tensor(default_value, like=x))


def tanh(x):
    """The hyperbolic tangent."""
    return elementwise.tanh(x)


def sigmoid(x):
    """``1 / (1 + exp(-x))``. Losses of its result are computed of x itself, which is more exact."""
    return _remembering(elementwise.sigmoid(x), x)


def softmax(x, axis=-1):
    """``exp(x) / sum(exp(x))`` along an axis. Losses of its result are computed of x itself, which is more exact.

    >>> import gradtape as tf
    >>> tf.keras.activations.softmax(tf.constant([[0.0, 0.0]])).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """
    return _remembering(nn_losses.softmax(x, axis), x)


def _remembering(y: Any, logits: Any) -> Any:
    """The result of a function that the losses look through."""
    y._keras_logits = logits
    return y


def log_softmax(x, axis=-1):
    """``x - log(sum(exp(x)))`` along an axis."""
    return nn_losses.log_softmax(x, axis)


def log_sigmoid(x):
    """``-log(1 + exp(-x))``."""
    return elementwise.log_sigmoid(x)


def exponential(x):
    """``exp(x)``."""
    return elementwise.exp(x)


def hard_sigmoid(x):
    """``relu6(x + 3) / 6``.

    >>> import gradtape as tf
    >>> tf.keras.activations.hard_sigmoid(tf.constant([-4.0, 0.0, 4.0])).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    return nn_activations.relu6(as_tensor(x) + 3.0) / 6.0


def hard_silu(x):
    """``x * hard_sigmoid(x)`` (Howard et al., arXiv:1905.02244)."""
    x = as_tensor(x)
    return x * hard_sigmoid(x)


def hard_tanh(x):
    """x between -1 and 1, and the bounds outside."""
    return clip_by_value(x, -1.0, 1.0)


def linear(x):
    """x itself."""
    return x


def sparse_plus(x):
    """0 up to -1, ``(x + 1)**2 / 4`` up to 1, x above."""
    x = as_tensor(x)
    return where(x <= -1.0, zeros_like(x), where(x < 1.0, 0.25 * (x + 1.0) * (x + 1.0), x))


def sparse_sigmoid(x):
    """0 up to -1, ``(x + 1) / 2`` up to 1, 1 above."""
    x = as_tensor(x)
    return where(x <= -1.0, zeros_like(x), where(x >= 1.0, ones_like(x), 0.5 * (x + 1.0)))


def sparsemax(x, axis=-1):
    """The point of the probability simplex that is nearest to x along an axis (Martins & Astudillo, arXiv:1602.02068).

    >>> import gradtape as tf
    >>> tf.keras.activations.sparsemax(tf.constant([[1.0, 0.5, -3.0]])).numpy()
    array([[0.75, 0.25, 0.  ]], dtype=float32)
    """
    x = as_tensor(x)
    dims = shape_of(x)
    if dims is None:
        raise ValueError("sparsemax needs a tensor of known rank.")
    dtype = from_numpy(dtype_of(x))
    largest = sort(x, axis=axis, direction="DESCENDING")
    sums = cumsum(largest, axis=axis)
    along = [1] * len(dims)
    along[axis] = -1
    counts = reshape(cast(arange(1, shape(x)[axis] + 1), dtype=dtype.np), tuple(along))
    support: Any = largest - (sums - 1.0) / counts > 0
    total = reduce_sum(where(support, largest, zeros_like(largest)), axis=axis, keepdims=True)
    size = reduce_sum(cast(support, dtype=dtype.np), axis=axis, keepdims=True)
    return maximum(x - (total - 1.0) / size, 0.0)


_FUNCTIONS = [
    celu,
    elu,
    exponential,
    gelu,
    glu,
    hard_shrink,
    hard_sigmoid,
    hard_silu,
    hard_tanh,
    leaky_relu,
    linear,
    log_sigmoid,
    log_softmax,
    mish,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    soft_shrink,
    softmax,
    softplus,
    softsign,
    sparse_plus,
    sparse_sigmoid,
    sparsemax,
    squareplus,
    tanh,
    tanh_shrink,
    threshold,
]
_FAMILY = Family(
    "activation function", "keras.activations", _FUNCTIONS, {"swish": silu, "hard_swish": hard_silu}
)


def get(identifier):
    """The activation function of a name or a configuration; a callable is meant itself, and None is `linear`.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.activations.get("swish") is tf.keras.activations.silu
    True
    """
    if identifier is None:
        return linear
    if isinstance(identifier, (str, dict)):
        identifier = _FAMILY.deserialize(identifier)
    if not callable(identifier):
        raise _FAMILY.unknown(identifier)
    return identifier


def serialize(activation):
    """The name of an activation function of Keras; the configuration of another one.

    >>> import gradtape as tf
    >>> tf.keras.activations.serialize(tf.keras.activations.relu)
    'relu'
    """
    config = serialize_keras_object(activation)
    known = isinstance(activation, types.FunctionType) and activation in _FUNCTIONS
    return config["config"] if known else config


def deserialize(config, custom_objects=None):
    """The activation function of a name or a configuration."""
    return _FAMILY.deserialize(config, custom_objects)
