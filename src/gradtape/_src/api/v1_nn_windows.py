"""TensorFlow 1's spellings of convolutions and pooling (`tf.compat.v1.nn`).

Each is its TensorFlow 2 namesake with other names, another order or other defaults of arguments. An argument
given under two names raises ValueError. ``use_cudnn_on_gpu`` has no effect.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api import nn_convolution, nn_morphology, nn_pooling, nn_transposed
from gradtape._src.api.static import static_ints
from gradtape._src.api.v1_nn import one_of
from gradtape._src.core.dtypes import int64

# --- Convolutions -------------------------------------------------------------------------------------------


def conv1d(
    value=None,
    filters=None,
    stride=None,
    padding=None,
    use_cudnn_on_gpu=None,
    data_format=None,
    name=None,
    input=None,
    dilations=None,
):
    """`tf.nn.conv1d`, whose input may be called ``value``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0], [1, 3, 1])
    >>> print(tf.nn.conv1d(x, tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel())
    [3. 6.]

    As TensorFlow 2.21.
    """
    x = one_of("value", value, "input", input)
    return nn_convolution.conv1d(x, filters, stride, padding, data_format or "NWC", dilations, name)


def conv2d(
    input,
    filter=None,
    strides=None,
    padding=None,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
    filters=None,
):
    """`tf.nn.conv2d`, whose filters may be called ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0], [1, 1, 3, 1])
    >>> print(tf.nn.conv2d(x, tf.ones([1, 2, 1, 1]), [1, 1, 1, 1], "VALID").numpy().ravel())
    [3. 6.]

    As TensorFlow 2.21.
    """
    w = one_of("filter", filter, "filters", filters)
    return nn_convolution.conv2d(input, w, strides, padding, data_format, dilations, name)


def conv3d(
    input,
    filter=None,
    strides=None,
    padding=None,
    data_format="NDHWC",
    dilations=[1, 1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
    filters=None,
):
    """`tf.nn.conv3d`, whose filters may be called ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.nn.conv3d(tf.ones([1, 2, 2, 2, 1]), tf.ones([2, 2, 2, 1, 1]), [1] * 5, "VALID").numpy().ravel())
    [8.]

    As TensorFlow 2.21.
    """
    w = one_of("filter", filter, "filters", filters)
    return nn_convolution.conv3d(input, w, strides, padding, data_format, dilations, name)


def convolution(
    input,
    filter,
    padding,
    strides=None,
    dilation_rate=None,
    name=None,
    data_format=None,
    filters=None,
    dilations=None,
):
    """`tf.nn.convolution`, whose dilations may be called ``dilation_rate`` and its filters ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0], [1, 3, 1])
    >>> print(tf.nn.convolution(x, tf.ones([2, 1, 1]), "VALID", dilation_rate=[2]).numpy().ravel())
    [5.]

    As TensorFlow 2.21.
    """
    w = one_of("filter", filter, "filters", filters)
    spread = one_of("dilation_rate", dilation_rate, "dilations", dilations)
    return nn_convolution.convolution(input, w, strides, padding, data_format, spread, name)


def conv2d_transpose(
    value=None,
    filter=None,
    output_shape=None,
    strides=None,
    padding="SAME",
    data_format="NHWC",
    name=None,
    input=None,
    filters=None,
    dilations=None,
):
    """`tf.nn.conv2d_transpose`, whose input may be called ``value`` and its filters ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> y = tf.nn.conv2d_transpose(tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 3, 1]), [1, 2, 2, 3], [1, 2, 2, 1])
    >>> print(y.shape)
    (1, 2, 2, 3)

    As TensorFlow 2.21.
    """
    x, w = one_of("value", value, "input", input), one_of("filter", filter, "filters", filters)
    return nn_transposed.conv2d_transpose(x, w, output_shape, strides, padding, data_format, dilations, name)


def conv3d_transpose(
    value,
    filter=None,
    output_shape=None,
    strides=None,
    padding="SAME",
    data_format="NDHWC",
    name=None,
    input=None,
    filters=None,
    dilations=None,
):
    """`tf.nn.conv3d_transpose`, whose input may be called ``value`` and its filters ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> y = tf.nn.conv3d_transpose(tf.ones([1, 1, 1, 1, 1]), tf.ones([2, 2, 2, 3, 1]), [1, 2, 2, 2, 3], [1, 2, 2, 2, 1])
    >>> print(y.shape)
    (1, 2, 2, 2, 3)

    As TensorFlow 2.21.
    """
    x, w = one_of("value", value, "input", input), one_of("filter", filter, "filters", filters)
    return nn_transposed.conv3d_transpose(x, w, output_shape, strides, padding, data_format, dilations, name)


def conv2d_backprop_input(
    input_sizes,
    filter=None,
    out_backprop=None,
    strides=None,
    padding=None,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
    filters=None,
):
    """The cotangent of the input of `tf.nn.conv2d`: `tf.nn.conv2d_transpose` with another order of arguments.

    >>> import gradtape.compat.v1 as tf
    >>> g, w = tf.ones([1, 1, 1, 1]), tf.ones([1, 2, 1, 1])
    >>> print(tf.nn.conv2d_backprop_input([1, 1, 2, 1], w, g, [1, 1, 1, 1], "VALID").numpy().ravel())
    [1. 1.]

    As TensorFlow 2.21.
    """
    w = one_of("filter", filter, "filters", filters)
    margins: Any = padding
    return nn_transposed.conv2d_transpose(
        out_backprop, w, input_sizes, strides, margins, data_format, dilations, name
    )


def conv2d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
):
    """The cotangent of the filter of `tf.nn.conv2d`, of shape ``filter_sizes``.

    >>> import gradtape.compat.v1 as tf
    >>> x, g = tf.reshape([1.0, 2.0], [1, 1, 2, 1]), tf.ones([1, 1, 1, 1])
    >>> print(tf.nn.conv2d_backprop_filter(x, [1, 2, 1, 1], g, [1, 1, 1, 1], "VALID").numpy().ravel())
    [1. 2.]

    As TensorFlow 2.21.
    """
    return _filter(2, input, filter_sizes, out_backprop, strides, padding, data_format, dilations, name)


def conv3d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    data_format="NDHWC",
    dilations=[1, 1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
):
    """The cotangent of the filter of `tf.nn.conv3d`, of shape ``filter_sizes``.

    >>> import gradtape.compat.v1 as tf
    >>> x, g = tf.reshape([1.0, 2.0], [1, 1, 1, 2, 1]), tf.ones([1, 1, 1, 1, 1])
    >>> print(tf.nn.conv3d_backprop_filter(x, [1, 1, 2, 1, 1], g, [1] * 5, "VALID").numpy().ravel())
    [1. 2.]

    As TensorFlow 2.21.
    """
    return _filter(3, input, filter_sizes, out_backprop, strides, padding, data_format, dilations, name)


def _filter(rank: int, x: Any, filter_sizes: Any, *others: Any) -> Any:
    sizes = static_ints(filter_sizes, f"Conv{rank}DBackpropFilter", "int32")
    return nn_transposed.to_filter(rank, x, sizes, *others)


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    """`tf.nn.depthwise_conv2d`, whose dilations may be called ``rate``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 10.0, 2.0, 20.0], [1, 1, 2, 2])
    >>> print(tf.nn.depthwise_conv2d(x, tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], "VALID").numpy().ravel())
    [ 3. 30.]

    As TensorFlow 2.21.
    """
    spread = one_of("rate", rate, "dilations", dilations)
    return nn_convolution.depthwise_conv2d(input, filter, strides, padding, data_format, spread, name)


def depthwise_conv2d_native(
    input,
    filter,
    strides,
    padding,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006  as TensorFlow has it
    name=None,
):
    """`tf.nn.depthwise_conv2d`, with dilations for every axis.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 10.0, 2.0, 20.0], [1, 1, 2, 2])
    >>> print(tf.nn.depthwise_conv2d_native(x, tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], "VALID").numpy().ravel())
    [ 3. 30.]

    As TensorFlow 2.21.
    """
    return nn_convolution.depthwise_conv2d(input, filter, strides, padding, data_format, dilations, name)


def separable_conv2d(
    input,
    depthwise_filter,
    pointwise_filter,
    strides,
    padding,
    rate=None,
    name=None,
    data_format=None,
    dilations=None,
):
    """`tf.nn.separable_conv2d`, whose dilations may be called ``rate``.

    >>> import gradtape.compat.v1 as tf
    >>> x, mix = tf.ones([1, 1, 2, 2]), tf.ones([1, 1, 2, 1])
    >>> print(tf.nn.separable_conv2d(x, tf.ones([1, 2, 2, 1]), mix, [1, 1, 1, 1], "VALID").numpy().ravel())
    [4.]

    As TensorFlow 2.21.
    """
    spread = one_of("rate", rate, "dilations", dilations)
    return nn_convolution.separable_conv2d(
        input, depthwise_filter, pointwise_filter, strides, padding, data_format, spread, name
    )


# --- Pooling ------------------------------------------------------------------------------------------------


def max_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """`tf.nn.max_pool2d`, whose input may be called ``value``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID").numpy().ravel())
    [ 5.  7. 13. 15.]

    As TensorFlow 2.21.
    """
    x = one_of("input", input, "value", value)
    return nn_pooling.max_pool2d(x, ksize, strides, padding, data_format, name)


def avg_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """`tf.nn.avg_pool2d`, whose input may be called ``value``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID").numpy().ravel())
    [ 2.5  4.5 10.5 12.5]

    As TensorFlow 2.21.
    """
    x = one_of("input", input, "value", value)
    return nn_pooling.avg_pool2d(x, ksize, strides, padding, data_format, name)


avg_pool2d = avg_pool


def pool(
    input,
    window_shape,
    pooling_type,
    padding,
    dilation_rate=None,
    strides=None,
    name=None,
    data_format=None,
    dilations=None,
):
    """`tf.nn.pool`, whose dilations may be called ``dilation_rate``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> print(tf.nn.pool(x, [2], "MAX", "VALID", dilation_rate=[2]).numpy().ravel())
    [2. 5.]

    As TensorFlow 2.21.
    """
    spread = one_of("dilation_rate", dilation_rate, "dilations", dilations)
    return nn_pooling.pool(input, window_shape, pooling_type, strides, padding, data_format, spread, name)


def max_pool_with_argmax(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    Targmax=None,
    name=None,
    output_dtype=None,
    include_batch_in_index=False,
):
    """`tf.nn.max_pool_with_argmax`, whose output dtype may be called ``Targmax``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([1.0, 3.0, 2.0, 0.0], [1, 2, 2, 1])
    >>> print(tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID").argmax.numpy().ravel())
    [1]

    As TensorFlow 2.21.
    """
    dtype = one_of("Targmax", Targmax, "output_dtype", output_dtype)
    return nn_pooling.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, dtype or int64, include_batch_in_index, name
    )


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """`tf.image.extract_patches`, whose sizes may be called ``ksizes``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape(tf.range(4), [1, 2, 2, 1])
    >>> print(tf.extract_image_patches(x, [1, 1, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy()[0])
    [[[0 1]]
    <BLANKLINE>
     [[2 3]]]

    As TensorFlow 2.21.
    """
    return nn_pooling.extract_patches(
        images, one_of("ksizes", ksizes, "sizes", sizes), strides, rates, padding, name
    )


# --- Morphology ---------------------------------------------------------------------------------------------


def dilation2d(
    input,
    filter=None,
    strides=None,
    rates=None,
    padding=None,
    name=None,
    filters=None,
    dilations=None,
):
    """`tf.nn.dilation2d`, whose dilations may be called ``rates`` and its filters ``filter``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([2.0, 5.0, 3.0], [1, 1, 3, 1])
    >>> print(tf.nn.dilation2d(x, [[[0.0], [1.0]]], [1] * 4, [1] * 4, "VALID").numpy().ravel())
    [6. 5.]

    As TensorFlow 2.21.
    """
    w = one_of("filter", filter, "filters", filters)
    spread = one_of("rates", rates, "dilations", dilations)
    return nn_morphology.dilation2d(input, w, strides, padding, "NHWC", spread, name)


def erosion2d(value, kernel, strides, rates, padding, name=None):
    """`tf.nn.erosion2d`, whose dilations are called ``rates`` and its filters ``kernel``.

    >>> import gradtape.compat.v1 as tf
    >>> x = tf.reshape([2.0, 5.0, 3.0], [1, 1, 3, 1])
    >>> print(tf.nn.erosion2d(x, [[[0.0], [1.0]]], [1] * 4, [1] * 4, "VALID").numpy().ravel())
    [1. 3.]

    As TensorFlow 2.21.
    """
    return nn_morphology.erosion2d(value, kernel, strides, padding, "NHWC", rates, name)
