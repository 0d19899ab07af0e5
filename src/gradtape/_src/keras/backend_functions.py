"""``tf.keras.backend``: Keras 2's functions of tensors, where they differ from TensorFlow's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import arrays, creation, joining, nn_convolution, nn_losses, nn_pooling, reduction
from gradtape._src.api import random as random_ops
from gradtape._src.api.arithmetic import clip_by_value, maximum
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import sqrt as root
from gradtape._src.api.gathering import gather as take
from gradtape._src.api.joining import pad
from gradtape._src.api.nn_activations import bias_add as add_bias
from gradtape._src.api.nn_dropout import dropout as drop
from gradtape._src.api.norms import l2_normalize as normalized
from gradtape._src.api.products import matmul, tensordot
from gradtape._src.api.reordering import reverse as reversed_along
from gradtape._src.api.reordering import transpose as permuted
from gradtape._src.api.selection import one_hot as hot
from gradtape._src.api.selection import where
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import bool_, from_numpy, int32
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.function.printing import print_tensors
from gradtape._src.keras import activations, loss_probabilities
from gradtape._src.keras.backend_state import variable
from gradtape._src.keras.settings import as_floatx, image_data_format
from gradtape._src.ops.variables import Variable

_sum, _max, _range = sum, max, range


def _numbers(x: Any) -> Any:
    """A tensor; of truth values, numbers."""
    x = as_tensor(x)
    return cast(x, as_floatx(None)) if dtype_of(x) == np.dtype(bool) else x


# --- Reductions


def all(x, axis=None, keepdims=False):
    """Whether all are true, or not 0."""
    return reduction.reduce_all(cast(as_tensor(x), bool_), axis, keepdims)


def any(x, axis=None, keepdims=False):
    """Whether one is true, or not 0."""
    return reduction.reduce_any(cast(as_tensor(x), bool_), axis, keepdims)


def argmax(x, axis=-1):
    """The place of the largest along an axis, the last by default."""
    return reduction.argmax(x, axis)


def argmin(x, axis=-1):
    """The place of the smallest along an axis, the last by default."""
    return reduction.argmin(x, axis)


def max(x, axis=None, keepdims=False):
    """The largest."""
    return reduction.reduce_max(x, axis, keepdims)


def min(x, axis=None, keepdims=False):
    """The smallest."""
    return reduction.reduce_min(x, axis, keepdims)


def sum(x, axis=None, keepdims=False):
    """The sum.

    >>> import gradtape as tf
    >>> tf.keras.backend.sum(tf.constant([[1.0, 2.0]]), axis=-1).numpy()
    array([3.], dtype=float32)
    """
    return reduction.reduce_sum(x, axis, keepdims)


def prod(x, axis=None, keepdims=False):
    """The product."""
    return reduction.reduce_prod(x, axis, keepdims)


def mean(x, axis=None, keepdims=False):
    """The mean; of truth values, the part that is true."""
    return reduction.reduce_mean(_numbers(x), axis, keepdims)


def std(x, axis=None, keepdims=False):
    """The standard deviation."""
    return reduction.reduce_std(_numbers(x), axis, keepdims)


def var(x, axis=None, keepdims=False):
    """The variance."""
    return reduction.reduce_variance(_numbers(x), axis, keepdims)


def logsumexp(x, axis=None, keepdims=False):
    """``log(sum(exp(x)))``."""
    return reduction.reduce_logsumexp(x, axis, keepdims)


# --- Elementwise


def sqrt(x):
    """The square root; 0 of negative numbers."""
    x = as_tensor(x)
    return root(maximum(x, as_tensor(0, like=x)))


def clip(x, min_value, max_value):
    """x between two bounds; None is no bound."""
    low = -np.inf if min_value is None else min_value
    high = np.inf if max_value is None else max_value
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and high < low:
        high = low
    return clip_by_value(x, low, high)


def relu(x, alpha=0.0, max_value=None, threshold=0.0):
    """`tf.keras.activations.relu`."""
    return activations.relu(x, alpha, max_value, threshold)


def hard_sigmoid(x):
    """``min(max(0.2 * x + 0.5, 0), 1)``: Keras 2's, steeper than that of `tf.keras.activations`."""
    return clip_by_value(0.2 * as_tensor(x) + 0.5, 0.0, 1.0)


def softmax(x, axis=-1):
    """`tf.keras.activations.softmax`, of at least two dimensions."""
    if len(shape_of(as_tensor(x)) or (0, 0)) <= 1:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    return activations.softmax(x, axis)


def dropout(x, level, noise_shape=None, seed=None):
    """`tf.nn.dropout`."""
    return drop(x, level, noise_shape, seed)


def l2_normalize(x, axis=None):
    """`tf.nn.l2_normalize`."""
    return normalized(x, axis)


def binary_crossentropy(target, output, from_logits=False):
    """``-target * log(output) - (1 - target) * log(1 - output)``, elementwise.

    >>> import gradtape as tf
    >>> tf.keras.backend.binary_crossentropy(tf.constant([1.0]), tf.constant([0.5])).numpy()
    array([0.6931472], dtype=float32)
    """
    target, output = as_tensor(target), as_tensor(output)
    if from_logits:
        return nn_losses.sigmoid_cross_entropy_with_logits(target, output)
    return loss_probabilities.binary_crossentropy(target[..., None], output[..., None])


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """`tf.keras.losses.categorical_crossentropy`."""
    return loss_probabilities.categorical_crossentropy(target, output, from_logits, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1, ignore_class=None):
    """`tf.keras.losses.sparse_categorical_crossentropy`."""
    return loss_probabilities.sparse_categorical_crossentropy(target, output, from_logits, ignore_class, axis)


# --- Making and arranging


def _made(value: Any, dtype: Any, name: Any) -> Any:
    """What Keras 2 makes: a variable, since such tensors are made to be changed."""
    return variable(value, dtype, name) if is_known(shape_of(value)) else value


def zeros(shape, dtype=None, name=None):
    """A variable of zeros, of the dtype of `tf.keras.backend.floatx` by default."""
    return _made(creation.zeros(shape, as_floatx(dtype)), dtype, name)


def ones(shape, dtype=None, name=None):
    """A variable of ones, of the dtype of `tf.keras.backend.floatx` by default."""
    return _made(creation.ones(shape, as_floatx(dtype)), dtype, name)


def eye(size, dtype=None, name=None):
    """A variable with the identity matrix."""
    return variable(creation.eye(size, dtype=as_floatx(dtype)), dtype, name)


def arange(start, stop=None, step=1, dtype="int32"):
    """`tf.range` of int32 by default.

    >>> import gradtape as tf
    >>> tf.keras.backend.arange(3).numpy()
    array([0, 1, 2], dtype=int32)
    """
    if stop is None:
        start, stop = 0, start if start > 0 else 0
    return cast(creation.range(start, stop, step), dtype)


def one_hot(indices, num_classes):
    """`tf.one_hot`."""
    return hot(indices, num_classes)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """`tf.random.normal`."""
    return random_ops.normal(shape, mean, stddev, as_floatx(dtype), seed)


def random_uniform(shape, minval: Any = 0.0, maxval: Any = 1.0, dtype=None, seed=None):
    """`tf.random.uniform`."""
    return random_ops.uniform(shape, minval, maxval, as_floatx(dtype), seed)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """`tf.random.truncated_normal`."""
    return random_ops.truncated_normal(shape, mean, stddev, as_floatx(dtype), seed)


def random_bernoulli(shape, p=0.0, dtype=None, seed=None):
    """1 with the probability p, else 0."""
    dtype = as_floatx(dtype)
    return cast(random_ops.uniform(shape, dtype=dtype, seed=seed) <= p, dtype)


random_binomial = random_bernoulli


def expand_dims(x, axis=-1):
    """`tf.expand_dims`, behind the last axis by default."""
    return arrays.expand_dims(x, axis)


def squeeze(x, axis):
    """`tf.squeeze` of one axis."""
    return arrays.squeeze(x, [axis])


def flatten(x):
    """All elements as a vector."""
    return arrays.reshape(x, [-1])


def batch_flatten(x):
    """All axes but the first as one.

    >>> import gradtape as tf
    >>> tf.keras.backend.batch_flatten(tf.zeros([2, 3, 4])).shape
    TensorShape([2, 12])
    """
    x = as_tensor(x)
    dims = shape_of(x)
    if dims is not None and is_known(dims[1:]):
        return arrays.reshape(x, [-1, int(np.prod(dims[1:]))])
    return arrays.reshape(x, [-1, reduction.reduce_prod(arrays.shape(x)[1:])])


def permute_dimensions(x, pattern):
    """`tf.transpose` with an order of the axes."""
    return permuted(x, pattern)


def transpose(x):
    """`tf.transpose`: the axes the other way round."""
    return permuted(x)


def reverse(x, axes):
    """`tf.reverse` along one axis or several."""
    return reversed_along(x, [axes] if isinstance(axes, int) else axes)


def concatenate(tensors, axis=-1):
    """`tf.concat` along the last axis by default."""
    return joining.concat(tensors, axis)


def stack(x, axis=0):
    """`tf.stack`."""
    return joining.stack(x, axis)


def tile(x, n):
    """`tf.tile`; n may be a number."""
    return joining.tile(x, [n] if isinstance(n, int) else n)


def repeat(x, n):
    """A matrix n times, along a new second axis.

    >>> import gradtape as tf
    >>> tf.keras.backend.repeat(tf.zeros([2, 3]), 4).shape
    TensorShape([2, 4, 3])
    """
    return joining.tile(arrays.expand_dims(x, 1), [1, n, 1])


def repeat_elements(x, rep, axis):
    """Each element ``rep`` times along an axis: `tf.repeat`."""
    return joining.repeat(x, rep, axis)


def gather(reference, indices):
    """`tf.gather` along the first axis."""
    return take(reference, indices)


def temporal_padding(x, padding=(1, 1)):
    """Zeros before and after the second of three axes."""
    return pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    """Zeros around images."""
    inner = [list(padding[0]), list(padding[1])]
    first = (data_format or image_data_format()) == "channels_first"
    return pad(x, [[0, 0], [0, 0], *inner] if first else [[0, 0], *inner, [0, 0]])


def stop_gradient(variables):
    """`tf.stop_gradient`, of several too."""
    if isinstance(variables, (list, tuple)):
        return [arrays.stop_gradient(v) for v in variables]
    return arrays.stop_gradient(variables)


def switch(condition, then_expression, else_expression):
    """The one or the other: of a scalar condition `tf.cond`, else `tf.where`; expressions may be functions.

    >>> import gradtape as tf
    >>> tf.keras.backend.switch(tf.constant([1, 0]), tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])).numpy()
    array([1., 4.], dtype=float32)
    """
    condition = cast(as_tensor(condition), bool_)
    if shape_of(condition) == ():
        makers = [f if callable(f) else lambda f=f: f for f in (then_expression, else_expression)]
        return cond(condition, makers[0], makers[1])
    chosen, other = (f() if callable(f) else as_tensor(f) for f in (then_expression, else_expression))
    missing = len(shape_of(chosen) or ()) - len(shape_of(condition) or ())
    for _ in _range(_max(missing, 0)):
        condition = arrays.expand_dims(condition, -1)
    return where(condition, chosen, other)


def print_tensor(x, message="", summarize=3):
    """Prints a message and a tensor, and gives the tensor."""
    print_tensors(message, x, summarize=summarize)
    return x


# --- Products and convolutions


def dot(x, y):
    """The product of the last axis of x with the last but one of y.

    >>> import gradtape as tf
    >>> tf.keras.backend.dot(tf.zeros([2, 3, 4]), tf.zeros([4, 5])).shape
    TensorShape([2, 3, 5])
    """
    x, y = as_tensor(x), as_tensor(y)
    ranks = [len(shape_of(t) or ()) for t in (x, y)]
    if ranks == [2, 2]:
        return matmul(x, y)
    return tensordot(x, y, [[ranks[0] - 1], [_max(ranks[1] - 2, 0)]])


def batch_dot(x, y, axes=None):
    """The products of the samples of two batches, over one axis of each.

    Args:
      x, y: of shape (batch, ...), of at least two axes.
      axes: the axis of each, or one for both; by default the last of x, and of y the last but one (the last if it has
        two).

    Raises:
      ValueError: too few axes, or the axis of the batch.

    >>> import gradtape as tf
    >>> tf.keras.backend.batch_dot(tf.zeros([5, 2, 3]), tf.zeros([5, 3, 4])).shape
    TensorShape([5, 2, 4])
    """
    x, y = as_tensor(x), as_tensor(y)
    m, n = len(shape_of(x) or ()), len(shape_of(y) or ())
    if m < 2 or n < 2:
        raise ValueError(
            "Cannot do batch_dot on inputs with rank < 2. Received inputs with tf.shapes "
            f"{shape_of(x)} and {shape_of(y)}."
        )
    i, j = (axes, axes) if isinstance(axes, int) else axes or (m - 1, n - 1 if n == 2 else n - 2)
    i, j = i % m, j % n
    if 0 in (i, j):
        raise ValueError(
            "Cannot perform batch_dot over axis 0. If your inputs are not batched, add a dummy batch axis."
        )
    rows = [k for k in _range(1, m) if k != i]
    columns = [k for k in _range(1, n) if k != j]
    x, y = permuted(x, [0, *rows, i]), permuted(y, [0, j, *columns])
    sizes = [arrays.shape(t) for t in (x, y)]
    flat = matmul(
        arrays.reshape(x, joining.stack([sizes[0][0], -1, sizes[0][-1]])),
        arrays.reshape(y, joining.stack([sizes[1][0], sizes[1][1], -1])),
    )
    shape = joining.concat([sizes[0][:-1], sizes[1][2:]], 0)
    out = arrays.reshape(flat, shape)
    static = shape_of(x), shape_of(y)
    if static[0] is not None and static[1] is not None:
        out = arrays.ensure_shape(out, [*static[0][:-1], *static[1][2:]])
    return arrays.expand_dims(out, -1) if m == n == 2 else out


def bias_add(x, bias, data_format=None):
    """`tf.nn.bias_add`, with the channels where `tf.keras.backend.image_data_format` says."""
    first = (data_format or image_data_format()) == "channels_first"
    return add_bias(x, bias, "NC..." if first else None)


def _layout(data_format: Any, rank: int) -> str:
    name = data_format or image_data_format()
    if name not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {data_format}")
    inner = "DHW"[-rank:] if rank > 1 else "W"
    return f"NC{inner}" if name == "channels_first" else f"N{inner}C"


def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """A convolution over sequences; ``padding`` may be ``"causal"``."""
    if padding == "causal":
        x = temporal_padding(x, (dilation_rate * (kernel.shape[0] - 1), 0))
        padding = "valid"
    layout = _layout(data_format, 1)
    return nn_convolution.convolution(x, kernel, [strides], padding.upper(), layout, [dilation_rate])


def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    """A convolution over images."""
    layout = _layout(data_format, 2)
    return nn_convolution.convolution(x, kernel, list(strides), padding.upper(), layout, list(dilation_rate))


def conv3d(x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)):
    """A convolution over volumes."""
    layout = _layout(data_format, 3)
    return nn_convolution.convolution(x, kernel, list(strides), padding.upper(), layout, list(dilation_rate))


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    """The largest (``"max"``) or the mean (``"avg"``) of windows of images."""
    kind = {"max": nn_pooling.max_pool, "avg": nn_pooling.avg_pool}.get(pool_mode)
    if kind is None:
        raise ValueError(f"Invalid pooling mode: {pool_mode}")
    return kind(x, list(pool_size), list(strides), padding.upper(), _layout(data_format, 2))
