"""``tf.contrib.layers``: layers as functions, with the names and defaults that they have there.

Variables are called ``weights`` and ``biases``; a convolution pads, and every layer ends with relu, unless it is told
otherwise.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api import nn_activations, nn_convolution, v1_nn_windows
from gradtape._src.api.arrays import identity
from gradtape._src.api.graphs import control_dependencies
from gradtape._src.api.nn_activations import bias_add
from gradtape._src.api.products import tensordot
from gradtape._src.compat_v1 import layers as v1_layers
from gradtape._src.compat_v1.contrib.regularizers import xavier_initializer
from gradtape._src.compat_v1.initializers import ones_initializer, zeros_initializer
from gradtape._src.compat_v1.layers_norm import BatchNormalization
from gradtape._src.compat_v1.variable_scope import get_variable, variable_scope
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import current_graph


def _collected(outputs: Any, collections: Any, activation_fn: Any = None) -> Any:
    """The outputs after the activation, in the collections that were asked for."""
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    graph = current_graph()
    if graph is not None and collections:
        graph.add_to_collections([collections] if isinstance(collections, str) else collections, outputs)
    return outputs


def _variable(name: str, shape: list[int], of: dict[str, Any], collections: Any, trainable: bool) -> Any:
    """A variable of the model, in the collections of TensorFlow 1's models besides."""
    if isinstance(collections, dict):
        collections = collections.get(name)
    keys = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    keys += [collections] if isinstance(collections, str) else list(collections or ())
    return get_variable(name, shape, collections=keys, trainable=trainable, **of)


def _finished(
    outputs: Any,
    size: int,
    normalizer: tuple[Any, Any],
    of_biases: dict[str, Any],
    collections: Any,
    trainable: bool,
    data_format: str | None = None,
) -> Any:
    """After the linear part: the normalizer if there is one, else the biases if there are."""
    function, params = normalizer
    if function is not None:
        return function(outputs, **(params or {}))
    if of_biases["initializer"] is None:
        return outputs
    return bias_add(outputs, _variable("biases", [size], of_biases, collections, trainable), data_format)


def fully_connected(
    inputs,
    num_outputs,
    activation_fn=nn_activations.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=None,
    weights_regularizer=None,
    biases_initializer=zeros_initializer(),  # noqa: B008  it has no state
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
):
    """``activation_fn(inputs @ weights + biases)``.

    Args:
      inputs: of shape (..., n), n known.
      num_outputs: the size of the last dimension of the outputs.
      activation_fn: relu by default; None for a linear layer.
      normalizer_fn, normalizer_params: a function such as `batch_norm` in the place of the biases, and its arguments.
      weights_initializer: `xavier_initializer` by default.
      biases_initializer: zeros by default; None for no biases.
      weights_regularizer, biases_regularizer: functions whose results go into ``REGULARIZATION_LOSSES``.
      reuse, scope: those of `tf.variable_scope`; "fully_connected" by default.
      variables_collections, outputs_collections: of the graph, to add variables and outputs to.
      trainable: whether optimizers change the variables.

    Raises:
      ValueError: the last dimension of the inputs is not known.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.contrib.layers.fully_connected(tf.ones([2, 3]), 4)
    ...     print(y.shape, [v.name for v in tf.trainable_variables()])
    (2, 4) ['fully_connected/weights:0', 'fully_connected/biases:0']

    As TensorFlow 1.15.
    """
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse):
        inputs = as_tensor(inputs)
        shape = shape_of(inputs)
        if not shape or shape[-1] is None:
            raise ValueError(
                f"The last dimension of the inputs to fully_connected should be defined, received shape {shape}."
            )
        of_weights = {
            "initializer": weights_initializer or xavier_initializer(),
            "regularizer": weights_regularizer,
            "dtype": from_numpy(dtype_of(inputs)),
        }
        weights = _variable("weights", [shape[-1], num_outputs], of_weights, variables_collections, trainable)
        outputs = tensordot(inputs, weights, [[len(shape) - 1], [0]])
        of_biases = {
            "initializer": biases_initializer,
            "regularizer": biases_regularizer,
            "dtype": weights.dtype,
        }
        normalizer = (normalizer_fn, normalizer_params)
        outputs = _finished(outputs, num_outputs, normalizer, of_biases, variables_collections, trainable)
        return _collected(outputs, outputs_collections, activation_fn)


def conv2d(
    inputs,
    num_outputs,
    kernel_size,
    stride=1,
    padding="SAME",
    data_format=None,
    rate=1,
    activation_fn=nn_activations.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=None,
    weights_regularizer=None,
    biases_initializer=zeros_initializer(),  # noqa: B008  it has no state
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
):
    """A convolution over two dimensions, with biases or a normalizer, and an activation; see `fully_connected`.

    Args:
      inputs: of shape (batch, height, width, channels); "NCHW" as ``data_format`` puts the channels second.
      num_outputs: the number of filters.
      kernel_size, stride, rate: numbers, or pairs of numbers.
      padding: "SAME" or "VALID".

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.contrib.layers.conv2d(tf.ones([2, 8, 8, 3]), 5, 3, stride=2)
    ...     print(y.shape, [v.name for v in tf.trainable_variables()])
    (2, 4, 4, 5) ['Conv/weights:0', 'Conv/biases:0']

    As TensorFlow 1.15.
    """
    if data_format not in (None, "NHWC", "NCHW"):
        raise ValueError(f"Invalid data_format: {data_format!r}")
    data_format = data_format or "NHWC"
    first = data_format == "NCHW"
    with variable_scope(scope, "Conv", [inputs], reuse=reuse):
        inputs = as_tensor(inputs)
        shape = shape_of(inputs)
        if shape is None or len(shape) != 4 or shape[1 if first else 3] is None:
            raise ValueError(
                f"Convolution needs inputs of rank 4 with known channels, received shape {shape}."
            )
        pairs = [v1_layers._pair(value, "kernel_size") for value in (kernel_size, stride, rate)]
        of_weights = {
            "initializer": weights_initializer or xavier_initializer(),
            "regularizer": weights_regularizer,
            "dtype": from_numpy(dtype_of(inputs)),
        }
        sizes = [*pairs[0], shape[1 if first else 3], num_outputs]
        weights = _variable("weights", sizes, of_weights, variables_collections, trainable)
        outputs = nn_convolution.conv2d(
            inputs,
            weights,
            strides=v1_layers._around(pairs[1], first),
            padding=padding.upper(),
            data_format=data_format,
            dilations=v1_layers._around(pairs[2], first),
        )
        of_biases = {
            "initializer": biases_initializer,
            "regularizer": biases_regularizer,
            "dtype": weights.dtype,
        }
        normalizer = (normalizer_fn, normalizer_params)
        outputs = _finished(
            outputs, num_outputs, normalizer, of_biases, variables_collections, trainable, data_format
        )
        return _collected(outputs, outputs_collections, activation_fn)


def batch_norm(
    inputs,
    decay=0.999,
    center=True,
    scale=False,
    epsilon=0.001,
    activation_fn=None,
    param_initializers=None,
    param_regularizers=None,
    updates_collections=GraphKeys.UPDATE_OPS,
    is_training=True,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    batch_weights=None,
    fused=None,
    data_format="NHWC",
    zero_debias_moving_mean=False,
    scope=None,
):
    """Batch normalization (S. Ioffe & C. Szegedy, ICML 2015), with beta and, if ``scale``, gamma.

    Args:
      inputs: the channels are the last dimension, or the second ("NCHW" as ``data_format``).
      decay: of the moving averages.
      center, scale: whether there are beta and gamma.
      param_initializers, param_regularizers: dictionaries by "beta", "gamma", "moving_mean", "moving_variance".
      updates_collections: of the operations that update the moving averages; with None the outputs wait for these.
      is_training: whether to use the batch's statistics; a boolean, or a tensor.
      reuse, scope: those of `tf.variable_scope`; "BatchNorm" by default.
      variables_collections, batch_weights, fused, zero_debias_moving_mean: without effect.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.contrib.layers.batch_norm(tf.ones([2, 3]))
    ...     print(y.shape, [v.name for v in tf.global_variables()])
    (2, 3) ['BatchNorm/beta:0', 'BatchNorm/moving_mean:0', 'BatchNorm/moving_variance:0']

    As TensorFlow 1.15.
    """
    initial = param_initializers or {}
    regular = param_regularizers or {}
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as opened:
        layer = BatchNormalization(
            axis=1 if data_format == "NCHW" else -1,
            momentum=decay,
            epsilon=epsilon,
            center=center,
            scale=scale,
            beta_initializer=initial.get("beta", zeros_initializer()),
            gamma_initializer=initial.get("gamma", ones_initializer()),
            moving_mean_initializer=initial.get("moving_mean", zeros_initializer()),
            moving_variance_initializer=initial.get("moving_variance", ones_initializer()),
            beta_regularizer=regular.get("beta"),
            gamma_regularizer=regular.get("gamma"),
            trainable=trainable,
            name=opened.name.rpartition("/")[2],
            _scope=opened,
            _reuse=reuse,
        )
        graph = current_graph()
        before = [] if graph is None else graph.get_collection(GraphKeys.UPDATE_OPS)
        outputs = layer.apply(as_tensor(inputs), training=is_training)
        if graph is not None and updates_collections != GraphKeys.UPDATE_OPS:
            graph.get_collection_ref(GraphKeys.UPDATE_OPS)[:] = before
            if updates_collections is None:
                with control_dependencies(layer.updates):
                    outputs = identity(outputs)
            else:
                for update in layer.updates:
                    graph.add_to_collections(updates_collections, update)
        return _collected(outputs, outputs_collections, activation_fn)


def flatten(inputs, outputs_collections=None, scope=None):
    """The inputs with all dimensions but the first in one.

    >>> import gradtape.compat.v1 as tf
    >>> tf.contrib.layers.flatten(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """
    return _collected(v1_layers.flatten(inputs, scope), outputs_collections)


def dropout(
    inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None, scope=None, seed=None
):
    """Keeps each element with the probability ``keep_prob``, scaled up; does nothing outside of training.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.contrib.layers.dropout(tf.ones([3]), is_training=False).numpy())
    [1. 1. 1.]
    """
    outputs = v1_layers.dropout(inputs, 1 - keep_prob, noise_shape, seed, is_training, scope)
    return _collected(outputs, outputs_collections)


def _pool(function: Any, inputs: Any, kernel_size: Any, stride: Any, padding: str, data_format: Any) -> Any:
    data_format = data_format or "NHWC"
    sizes, strides = [
        v1_layers._around(v1_layers._pair(value, "kernel_size"), data_format == "NCHW")
        for value in (kernel_size, stride)
    ]
    return function(inputs, sizes, strides, padding.upper(), data_format=data_format)


def max_pool2d(
    inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC", outputs_collections=None, scope=None
):
    """The greatest of each window.

    >>> import gradtape.compat.v1 as tf
    >>> tf.contrib.layers.max_pool2d(tf.ones([1, 4, 4, 3]), 2).shape
    TensorShape([1, 2, 2, 3])
    """
    pooled = _pool(v1_nn_windows.max_pool, inputs, kernel_size, stride, padding, data_format)
    return _collected(pooled, outputs_collections)


def avg_pool2d(
    inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC", outputs_collections=None, scope=None
):
    """The mean of each window.

    >>> import gradtape.compat.v1 as tf
    >>> tf.contrib.layers.avg_pool2d(tf.ones([1, 4, 4, 3]), 2).shape
    TensorShape([1, 2, 2, 3])
    """
    pooled = _pool(v1_nn_windows.avg_pool, inputs, kernel_size, stride, padding, data_format)
    return _collected(pooled, outputs_collections)
