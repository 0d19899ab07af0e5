"""Convolutions and their transposes as layers, along one, two or three dimensions, and one channel at a time.

One class computes each kind; the number of dimensions is an attribute of its subclasses.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.joining import pad
from gradtape._src.api.nn_activations import bias_add
from gradtape._src.api.nn_convolution import convolution
from gradtape._src.api.nn_transposed import conv_transpose
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import shape_of
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layers.kernel import KernelLayer, known_size, like
from gradtape._src.keras.layers.windows import FORMATS, checked_padding, checked_tuple
from gradtape._src.keras.settings import image_data_format


class Sliding(KernelLayer):
    """What all of them have: a window that slides along `_rank` dimensions, a bias, an activation."""

    _rank: int
    _config = ("kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation", "use_bias",
               "bias_initializer", "bias_regularizer", "bias_constraint")  # fmt: skip
    _may_be_causal = False

    def _slide(
        self, kernel_size: Any, strides: Any, padding: Any, data_format: Any, dilation_rate: Any
    ) -> None:
        rank = self._rank
        self.rank = rank
        self.kernel_size = checked_tuple(kernel_size, rank, "kernel_size")
        self.strides = checked_tuple(strides, rank, "strides")
        self.dilation_rate = checked_tuple(dilation_rate, rank, "dilation_rate")
        self.padding = checked_padding(padding, self._may_be_causal)
        self.data_format = data_format or image_data_format()
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )
        self.input_spec = InputSpec(min_ndim=rank + 2)
        self._format = FORMATS[self.data_format][rank]

    @property
    def _channel_axis(self) -> int:
        return 1 if self.data_format == "channels_first" else -1

    def _channels(self, input_shape: Any) -> int:
        channels = known_size(input_shape, self._channel_axis, self)
        self.input_spec = InputSpec(min_ndim=self._rank + 2, axes={self._channel_axis: channels})
        return channels

    def _convolved(self, x: Any, kernel: Any, strides: Any, dilations: Any) -> Any:
        padding = self.padding
        if padding == "causal":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            margins = (
                [[0, 0], [before, 0], [0, 0]] if self._channel_axis == -1 else [[0, 0], [0, 0], [before, 0]]
            )
            x, padding = pad(x, margins), "valid"
        return convolution(like(x, kernel), kernel, strides, padding.upper(), self._format, dilations)

    def _finished(self, y: Any) -> Any:
        if self.bias is not None:
            y = bias_add(y, self.bias, None if self._channel_axis == -1 else "NC..")
        return self._activated(y)

    def call(self, inputs):
        shape = shape_of(inputs)
        if shape is not None and len(shape) > self._rank + 2:
            return self._with_more_batch(inputs)
        return self._finished(self._applied(inputs))

    def _with_more_batch(self, inputs: Any) -> Any:
        """For inputs with several axes in front, all of which count as the batch."""
        dims = shape_of_tensor(inputs)
        extra = len(shape_of(inputs)) - self._rank - 1
        flat = reshape(inputs, [-1, *[dims[i] for i in range(extra, extra + self._rank + 1)]])
        y = self._finished(self._applied(flat))
        after = shape_of_tensor(y)
        sizes = [*[dims[i] for i in range(extra)], *[after[i] for i in range(1, self._rank + 2)]]
        return reshape(y, sizes)

    _applied: Any  # a method: the inputs through the kernels


_KERNEL = ("kernel_initializer", "kernel_regularizer", "kernel_constraint")


class BaseConv(Sliding):
    """Convolution: activation(conv(x, kernel) + bias)."""

    _config = ("filters", "groups", *_KERNEL)

    def __init__(
        self, filters, kernel_size, strides=1, padding="valid", data_format=None, dilation_rate=1, groups=1,
        activation=None, use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros",
        kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
        bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._slide(kernel_size, strides, padding, data_format, dilation_rate)
        self._keep(
            filters=_checked_filters(filters), groups=groups or 1, activation=activation, use_bias=use_bias,
            kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip
        if self.filters % self.groups:
            raise ValueError(
                "The number of filters must be evenly divisible by the number of groups. Received: "
                f"groups={self.groups}, filters={self.filters}."
            )

    def build(self, input_shape):
        channels = self._channels(input_shape)
        if channels % self.groups:
            raise ValueError(
                "The number of input channels must be evenly divisible by the number of groups. Received "
                f"groups={self.groups}, but the input has {channels} channels (full input shape is {input_shape})."
            )
        self.kernel = self._make("kernel", (*self.kernel_size, channels // self.groups, self.filters))
        if self.use_bias:
            self.bias = self._make("bias", (self.filters,))

    def _applied(self, x):
        return self._convolved(x, self.kernel, self.strides, self.dilation_rate)


class Conv1D(BaseConv):
    """Convolution along one dimension: activation(conv(x, kernel) + bias).

    Args:
      filters: the number of channels of the outputs.
      kernel_size, strides, dilation_rate: integers.
      padding: ``"valid"``, ``"same"`` or ``"causal"``: then no output depends on later inputs.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      groups: how many groups the channels are divided into, each with filters of its own.
      activation, use_bias, kernel_initializer, ...: as in `tf.keras.layers.Dense`.
      **kwargs: of `Layer`.

    Inputs (batch, steps, channels), outputs (batch, windows, filters); the kernel is (size, channels / groups,
    filters).

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv1D(2, 3)(tf.ones([1, 8, 4])).shape
    TensorShape([1, 6, 2])

    As Keras 3.
    """

    _rank = 1
    _may_be_causal = True


class Conv2D(BaseConv):
    """Convolution of images: activation(conv(x, kernel) + bias).

    Args:
      filters: the number of channels of the outputs.
      kernel_size, strides, dilation_rate: integers, or pairs of such.
      padding: ``"valid"`` or ``"same"``.
      data_format, groups, activation, use_bias, ...: as in `tf.keras.layers.Conv1D`.
      **kwargs: of `Layer`.

    Inputs (batch, height, width, channels), outputs likewise with ``filters`` channels; the kernel is (height, width,
    channels / groups, filters).

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv2D(2, 3, padding="same")(tf.ones([1, 8, 8, 4])).shape
    TensorShape([1, 8, 8, 2])

    As Keras 3.
    """

    _rank = 2


class Conv3D(BaseConv):
    """Convolution of volumes; see `tf.keras.layers.Conv2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv3D(2, 3)(tf.ones([1, 4, 4, 4, 1])).shape
    TensorShape([1, 2, 2, 2, 2])
    """

    _rank = 3


class BaseConvTranspose(Sliding):
    """The transpose of a convolution, from its outputs' shape to its inputs'."""

    _config = ("filters", "output_padding", *_KERNEL)

    def __init__(
        self, filters, kernel_size, strides=1, padding="valid", output_padding=None, data_format=None,
        dilation_rate=1, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
        bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
        kernel_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._slide(kernel_size, strides, padding, data_format, dilation_rate)
        self._keep(
            filters=_checked_filters(filters), activation=activation, use_bias=use_bias,
            kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip
        self.output_padding = (
            None if output_padding is None else checked_tuple(output_padding, self._rank, "output_padding", 0)
        )
        if any(p >= s for p, s in zip(self.output_padding or (), self.strides)):
            raise ValueError(
                f"Strides {self.strides} must be greater than output padding {self.output_padding}."
            )

    def build(self, input_shape):
        self.kernel = self._make("kernel", (*self.kernel_size, self.filters, self._channels(input_shape)))
        if self.use_bias:
            self.bias = self._make("bias", (self.filters,))

    def _applied(self, x):
        known = shape_of(x)
        dims = known if is_known(known) else shape_of_tensor(x)
        first = 2 if self._channel_axis == 1 else 1
        space = [self._size(i, dims[first + i]) for i in range(self._rank)]
        shape = (
            [dims[0], self.filters, *space] if self._channel_axis == 1 else [dims[0], *space, self.filters]
        )
        kernel = self.kernel
        y = conv_transpose(
            like(x, kernel),
            kernel,
            shape,
            self.strides,
            self.padding.upper(),
            self._format,
            self.dilation_rate,
        )
        if not is_known(known) and known is not None:
            static = [
                None if known[first + i] is None else self._size(i, known[first + i])
                for i in range(self._rank)
            ]
            around = (known[0], self.filters, *static) if first == 2 else (known[0], *static, self.filters)
            y.set_shape(around)
        return y

    def _size(self, i: int, n: Any) -> Any:
        """The size of the outputs along a dimension, for the size n of the inputs."""
        window = self.kernel_size[i] + (self.kernel_size[i] - 1) * (self.dilation_rate[i] - 1)
        step = self.strides[i]
        if self.output_padding is None:
            return n * step + (max(window - step, 0) if self.padding == "valid" else 0)
        margin = window // 2 if self.padding == "same" else 0
        return (n - 1) * step + window - 2 * margin + self.output_padding[i]


class Conv1DTranspose(BaseConvTranspose):
    """The transpose of a convolution along one dimension; see `tf.keras.layers.Conv2DTranspose`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv1DTranspose(2, 3, strides=2)(tf.ones([1, 4, 1])).shape
    TensorShape([1, 9, 2])
    """

    _rank = 1


class Conv2DTranspose(BaseConvTranspose):
    """The transpose of a convolution of images: it goes from the shape of its outputs to that of its inputs.

    Args:
      filters: the number of channels of the outputs.
      kernel_size, strides, dilation_rate: integers, or pairs of such.
      padding: ``"valid"`` or ``"same"``.
      output_padding: how much larger than the least the outputs are, less than the strides; by default such that
        "same" multiplies the size by the strides.
      data_format, activation, use_bias, ...: as in `tf.keras.layers.Conv1D`.
      **kwargs: of `Layer`.

    The kernel is (height, width, filters, channels).

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv2DTranspose(2, 3, strides=2, padding="same")(tf.ones([1, 4, 4, 1])).shape
    TensorShape([1, 8, 8, 2])

    As Keras 3.
    """

    _rank = 2


class Conv3DTranspose(BaseConvTranspose):
    """The transpose of a convolution of volumes; see `tf.keras.layers.Conv2DTranspose`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Conv3DTranspose(2, 2)(tf.ones([1, 2, 2, 2, 1])).shape
    TensorShape([1, 3, 3, 3, 2])
    """

    _rank = 3


_DEPTHWISE = ("depth_multiplier", "depthwise_initializer", "depthwise_regularizer", "depthwise_constraint")


class BaseDepthwiseConv(Sliding):
    """Convolution of each channel by itself."""

    _config = _DEPTHWISE

    def __init__(
        self, kernel_size, strides=1, padding="valid", depth_multiplier=1, data_format=None, dilation_rate=1,
        activation=None, use_bias=True, depthwise_initializer="glorot_uniform", bias_initializer="zeros",
        depthwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
        bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._slide(kernel_size, strides, padding, data_format, dilation_rate)
        self._keep(
            depth_multiplier=depth_multiplier, activation=activation, use_bias=use_bias,
            depthwise_initializer=depthwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer, bias_regularizer=bias_regularizer,
            depthwise_constraint=depthwise_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self._make("kernel", (*self.kernel_size, channels, self.depth_multiplier), "depthwise")
        if self.use_bias:
            self.bias = self._make("bias", (channels * self.depth_multiplier,))

    def _applied(self, x):
        return self._convolved(x, one_by_one(self.kernel), self.strides, self.dilation_rate)


def one_by_one(kernel: Any) -> Any:
    """The filters of each channel, (*window, channels, multiplier), as those of a convolution in groups."""
    shape = shape_of(kernel)
    return reshape(kernel.value(), (*shape[:-2], 1, shape[-2] * shape[-1]))


class DepthwiseConv1D(BaseDepthwiseConv):
    """Convolution of each channel by itself; see `tf.keras.layers.DepthwiseConv2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.DepthwiseConv1D(3)(tf.ones([1, 8, 4])).shape
    TensorShape([1, 6, 4])
    """

    _rank = 1
    _may_be_causal = True


class DepthwiseConv2D(BaseDepthwiseConv):
    """Convolution of images, each channel by itself, with ``depth_multiplier`` filters.

    Args:
      kernel_size, strides, padding, data_format, dilation_rate: as in `tf.keras.layers.Conv2D`.
      depth_multiplier: how many channels of the outputs come of each of the inputs.
      activation, use_bias, ...: as in `tf.keras.layers.Dense`; the kernel is called ``depthwise``.
      **kwargs: of `Layer`.

    The kernel is (height, width, channels, depth_multiplier).

    >>> import gradtape as tf
    >>> tf.keras.layers.DepthwiseConv2D(3, depth_multiplier=2)(tf.ones([1, 8, 8, 4])).shape
    TensorShape([1, 6, 6, 8])

    As Keras 3.
    """

    _rank = 2


class BaseSeparableConv(Sliding):
    """Convolution of each channel by itself, then of the channels at each place."""

    _config = (
        "filters",
        *_DEPTHWISE,
        "pointwise_initializer",
        "pointwise_regularizer",
        "pointwise_constraint",
    )

    def __init__(
        self, filters, kernel_size, strides=1, padding="valid", data_format=None, dilation_rate=1,
        depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer="glorot_uniform",
        pointwise_initializer="glorot_uniform", bias_initializer="zeros", depthwise_regularizer=None,
        pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
        pointwise_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._slide(kernel_size, strides, padding, data_format, dilation_rate)
        self._keep(
            filters=_checked_filters(filters), depth_multiplier=depth_multiplier, activation=activation,
            use_bias=use_bias, depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer, pointwise_regularizer=pointwise_regularizer,
            bias_regularizer=bias_regularizer, depthwise_constraint=depthwise_constraint,
            pointwise_constraint=pointwise_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape):
        channels, m = self._channels(input_shape), self.depth_multiplier
        self.depthwise_kernel = self._make("depthwise_kernel", (*self.kernel_size, channels, m), "depthwise")
        point = (*[1] * self._rank, channels * m, self.filters)
        self.pointwise_kernel = self._make("pointwise_kernel", point, "pointwise")
        if self.use_bias:
            self.bias = self._make("bias", (self.filters,))

    def _applied(self, x):
        y = self._convolved(x, one_by_one(self.depthwise_kernel), self.strides, self.dilation_rate)
        return convolution(y, self.pointwise_kernel, None, "VALID", self._format)


class SeparableConv1D(BaseSeparableConv):
    """Convolution along one dimension, separable; see `tf.keras.layers.SeparableConv2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.SeparableConv1D(2, 3)(tf.ones([1, 8, 4])).shape
    TensorShape([1, 6, 2])
    """

    _rank = 1
    _may_be_causal = True


class SeparableConv2D(BaseSeparableConv):
    """Convolution of images in two steps: of each channel by itself, then of the channels at each place.

    Args:
      filters: the number of channels of the outputs.
      kernel_size, strides, padding, data_format, dilation_rate: as in `tf.keras.layers.Conv2D`.
      depth_multiplier: how many channels there are between the two, for each of the inputs.
      activation, use_bias, ...: as in `tf.keras.layers.Dense`; the kernels are called ``depthwise``, ``pointwise``.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.SeparableConv2D(2, 3)(tf.ones([1, 8, 8, 4])).shape
    TensorShape([1, 6, 6, 2])

    As Keras 3.
    """

    _rank = 2


def _checked_filters(filters: Any) -> int:
    if filters is None or int(filters) <= 0:
        raise ValueError(
            f"Invalid value for argument `filters`. Expected a strictly positive value. Received filters={filters}."
        )
    return int(filters)
