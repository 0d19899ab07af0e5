"""TensorFlow 1's layers (`tf.layers`): functions that make the variables they need, by `tf.get_variable`.

`tf.layers.dense(x, 3)` makes ``dense/kernel`` and ``dense/bias``, a second call ``dense_1/kernel`` and so on; with a
``name`` it is that scope, whose variables are shared where ``reuse`` says so. The classes do the same in two steps: an
instance has the variables of its first call.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape._src.api import nn_convolution, nn_dropout, nn_pooling
from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.arrays import identity as identity_of
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.joining import concat
from gradtape._src.api.nn_activations import bias_add
from gradtape._src.api.products import tensordot
from gradtape._src.api.reordering import transpose
from gradtape._src.compat_v1.initializers import zeros_initializer
from gradtape._src.compat_v1.layer import Layer, activation_of, last_size
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.ops.products import matmul

_ZEROS = zeros_initializer()


def chosen(pred: Any, true_fn: Any, false_fn: Any) -> Any:
    """`tf.cond` for a tensor; for a number that is known, one of the functions alone."""
    if isinstance(pred, (bool, int, np.bool_, EagerTensor)):
        return true_fn() if pred else false_fn()
    return cond(as_tensor(pred), true_fn, false_fn)


def channels_first(data_format: Any) -> bool:
    """Whether a ``data_format`` is "channels_first", and not "channels_last"."""
    if str(data_format).lower() not in ("channels_first", "channels_last"):
        raise ValueError(
            f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {data_format}'
        )
    return str(data_format).lower() == "channels_first"


class _WithKernel(Layer):
    """A layer with a kernel, and perhaps a bias and an activation."""

    def __init__(
        self,
        size,
        activation=None,
        use_bias=True,
        kernel_initializer=None,
        bias_initializer=_ZEROS,
        kernel_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        bias_constraint=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        super().__init__(trainable, name, kwargs.pop("dtype", None), activity_regularizer, **kwargs)
        if int(size) <= 0:
            raise ValueError(
                f"Received an invalid number of outputs, expected a positive integer. Received: {size}"
            )
        self._size, self._activation, self.use_bias = int(size), activation_of(activation), use_bias
        self._of_kernel: dict[str, Any] = {
            "initializer": kernel_initializer,
            "regularizer": kernel_regularizer,
            "constraint": kernel_constraint,
        }
        self._of_bias: dict[str, Any] = {
            "initializer": bias_initializer,
            "regularizer": bias_regularizer,
            "constraint": bias_constraint,
        }
        self.kernel = self.bias = None

    def _add_weights(self, kernel_shape: list[int]) -> None:
        self.kernel = self.add_weight("kernel", kernel_shape, **self._of_kernel)
        if self.use_bias:
            self.bias = self.add_weight("bias", [self._size], **self._of_bias)

    def _activated(self, y: Any, data_format: str | None = None) -> Any:
        """activation(y + bias), of what there is of them."""
        if self.bias is not None:
            y = bias_add(y, self.bias, data_format)
        return y if self._activation is None else self._activation(y)


# --- Dense --------------------------------------------------------------------------------------------------


class Dense(_WithKernel):
    """The layer of `tf.layers.dense`.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     layer = tf.layers.Dense(3, activation=tf.nn.relu)
    ...     y = layer(tf.ones([2, 5]))
    ...     y.shape.as_list(), layer.kernel.name
    ([2, 3], 'dense/kernel:0')

    As TensorFlow 1.15.
    """

    def __init__(self, units, *args, **kwargs):
        super().__init__(units, *args, **kwargs)
        self.units = self._size

    def build(self, input_shape):
        if input_shape is not None and len(input_shape) < 2:
            raise ValueError(
                f'Input 0 of layer "{self.name}" is incompatible with the layer: expected min_ndim=2, found '
                f"ndim={len(input_shape)}. Full shape received: {input_shape}"
            )
        self._add_weights([last_size(input_shape, "a Dense layer"), self.units])

    def call(self, inputs):
        x, kernel = as_tensor(inputs), as_tensor(self.kernel)
        rank = len(shape_of(x) or ())
        y = matmul.of(x, kernel) if rank == 2 else tensordot(x, kernel, [[rank - 1], [0]])
        return self._activated(y)


def dense(
    inputs,
    units,
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=_ZEROS,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """activation(inputs · kernel + bias), along the last dimension.

    Args:
      inputs: of two dimensions or more; the size of the last one is known.
      units: the last size of the result.
      activation: a function, or its name.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer: by default the scope's (Glorot's uniform one), and zeros.
      kernel_regularizer, bias_regularizer, activity_regularizer: functions that give a loss for the collection
        ``REGULARIZATION_LOSSES``, of the variables and of the result.
      kernel_constraint, bias_constraint: functions that optimizers apply to the variables.
      trainable: whether optimizers change the variables.
      name: of the scope; by default ``dense``, ``dense_1``, ...
      reuse: whether the variables are there already: see `tf.variable_scope`.

    Raises:
      ValueError: the last size is unknown; variables are there, or are not, against ``reuse``.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.layers.dense(tf.placeholder(tf.float32, [None, 5]), 3, activation=tf.nn.relu)
    ...     y.name, y.shape.as_list(), [v.name for v in tf.trainable_variables()]
    ('dense/Relu:0', [None, 3], ['dense/kernel:0', 'dense/bias:0'])

    As TensorFlow 1.15.
    """
    layer = Dense(
        units,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)


# --- Convolution and pooling --------------------------------------------------------------------------------


def _pair(value: Any, what: str) -> list[int]:
    pair = [value, value] if isinstance(value, (int, np.integer)) else list(value)
    if len(pair) != 2:
        raise ValueError(f"The `{what}` argument must be a tuple of 2 integers. Received: {value}")
    return [int(n) for n in pair]


def _around(pair: list[int], first: bool) -> list[int]:
    return [1, 1, *pair] if first else [1, *pair, 1]


class Conv2D(_WithKernel):
    """The layer of `tf.layers.conv2d`.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     layer = tf.layers.Conv2D(3, 5)
    ...     layer(tf.ones([2, 8, 8, 1])).shape.as_list()
    [2, 4, 4, 3]

    As TensorFlow 1.15.
    """

    _snake = "conv2d"

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format="channels_last",
        dilation_rate=(1, 1),
        *args,
        **kwargs,
    ):
        super().__init__(filters, *args, **kwargs)
        self.filters, self.kernel_size = self._size, _pair(kernel_size, "kernel_size")
        self._first = channels_first(data_format)
        self._how: dict[str, Any] = {
            "strides": _around(_pair(strides, "strides"), self._first),
            "padding": str(padding).upper(),
            "data_format": "NCHW" if self._first else "NHWC",
            "dilations": _around(_pair(dilation_rate, "dilation_rate"), self._first),
        }

    def build(self, input_shape):
        if input_shape is None or len(input_shape) != 4:
            rank = None if input_shape is None else len(input_shape)
            raise ValueError(
                f'Input 0 of layer "{self.name}" is incompatible with the layer: expected ndim=4, found ndim={rank}. '
                f"Full shape received: {input_shape}"
            )
        channels = input_shape[1 if self._first else 3]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self._add_weights(self._kernel_shape(channels))

    def _kernel_shape(self, channels: int) -> list[int]:
        return [*self.kernel_size, channels, self.filters]

    def call(self, inputs):
        y = nn_convolution.conv2d(inputs, self.kernel, **self._how)
        return self._activated(y, self._how["data_format"])


def conv2d(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
    dilation_rate=(1, 1),
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=_ZEROS,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """activation(convolution of images + bias).

    Args: those of `tf.layers.dense`, and
      inputs: (batch, height, width, channels), or (batch, channels, height, width) for "channels_first".
      filters: the number of channels of the result.
      kernel_size, strides, dilation_rate: one or two integers.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.layers.conv2d(tf.placeholder(tf.float32, [None, 8, 8, 1]), 3, 5, padding="same")
    ...     y.name, y.shape.as_list(), [v.name for v in tf.trainable_variables()]
    ('conv2d/BiasAdd:0', [None, 8, 8, 3], ['conv2d/kernel:0', 'conv2d/bias:0'])

    As TensorFlow 1.15.
    """
    layer = Conv2D(
        filters,
        kernel_size,
        strides,
        padding,
        data_format,
        dilation_rate,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)


# --- Flatten and dropout ------------------------------------------------------------------------------------


class Flatten(Layer):
    """The layer of `tf.layers.flatten`."""

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(**kwargs)
        self._first = channels_first(data_format)

    def call(self, inputs):
        x = as_tensor(inputs)
        dims = shape_of(x)
        if dims is not None and len(dims) < 2:
            return expand_dims(x, -1 if dims else 0)
        if self._first and dims is not None and len(dims) > 2:
            x = transpose(x, [0, *range(2, len(dims)), 1])
        if dims is None or None in dims[1:]:
            return reshape(x, concat([shape_of_tensor(x)[:1], [-1]], 0))
        n = math.prod(dims[1:])  # type: ignore[arg-type]
        return reshape(x, [-1 if n else shape_of_tensor(x)[0], n] if dims[0] is None else [dims[0], n])


def flatten(inputs, name=None, data_format="channels_last"):
    """All dimensions but the first in one.

    data_format: "channels_first": the channels go behind the others before.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.layers.flatten(tf.placeholder(tf.float32, [None, 4, 4, 3])).shape.as_list()
    [None, 48]

    As TensorFlow 1.15.
    """
    return Flatten(data_format, name=name)(inputs)


class Dropout(Layer):
    """The layer of `tf.layers.dropout`."""

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=False):
        x = as_tensor(inputs)
        noise_shape = self.noise_shape
        if noise_shape is not None and not isinstance(noise_shape, Tensor):
            sizes = shape_of_tensor(x)
            noise_shape = [sizes[i] if n is None else n for i, n in enumerate(noise_shape)]
        return chosen(
            training,
            lambda: nn_dropout.dropout(x, self.rate, noise_shape, self.seed),
            lambda: identity_of(x),
        )


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """In training, sets elements to zero with the probability ``rate``, and divides the others by 1 - rate.

    Args:
      inputs: a tensor of floating-point numbers.
      rate: the probability.
      noise_shape: broadcast against the inputs: what is zero together. None in it is the size of the inputs.
      seed: of the random numbers.
      training: a bool, or a boolean tensor.
      name: of the layer.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.layers.dropout(tf.ones([3]), 0.5)))
    [1. 1. 1.]

    As TensorFlow 1.15.
    """
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)
