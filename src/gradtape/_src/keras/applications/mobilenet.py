"""`MobileNet`, `MobileNetV2`: A. Howard et al., 2017; M. Sandler et al., 2018."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.values import shape_of
from gradtape._src.keras.applications.imagenet import network
from gradtape._src.keras.layers.activation import Activation, ReLU
from gradtape._src.keras.layers.convolutional import Conv2D, DepthwiseConv2D
from gradtape._src.keras.layers.dense import Dense
from gradtape._src.keras.layers.merging import Add
from gradtape._src.keras.layers.normalization import BatchNormalization
from gradtape._src.keras.layers.pooling import GlobalAveragePooling2D
from gradtape._src.keras.layers.regularization import Dropout
from gradtape._src.keras.layers.reshaping import Reshape, ZeroPadding2D


def MobileNet(
    input_shape=None, alpha=1.0, depth_multiplier=1, dropout=1e-3, include_top=True, weights="imagenet",
    input_tensor=None, pooling=None, classes=1000, classifier_activation="softmax", name=None,
):  # fmt: skip
    """A network of convolutions of single channels, each with one of single pixels behind it.

    Args:
      alpha: a factor for the number of channels.
      depth_multiplier: of the convolutions of single channels.
      dropout: before the last layer.
      input_shape, include_top, weights, ...: as of `VGG16`.

    >>> import gradtape as tf
    >>> model = tf.keras.applications.MobileNet((32, 32, 3), 0.25, include_top=False, weights=None)
    >>> model.output_shape, model.count_params()
    ((None, 1, 1, 256), 218544)
    """

    def features(x: Any) -> Any:
        x = Conv2D(int(32 * alpha), 3, 2, padding="same", use_bias=False, name="conv1")(x)
        x = ReLU(6.0, name="conv1_relu")(BatchNormalization(name="conv1_bn")(x))
        plan = (
            (64, 1),
            (128, 2),
            (128, 1),
            (256, 2),
            (256, 1),
            (512, 2),
            *[(512, 1)] * 5,
            (1024, 2),
            (1024, 1),
        )
        for i, (filters, stride) in enumerate(plan, 1):
            if stride == 2:
                x = ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{i}")(x)
            x = DepthwiseConv2D(
                3,
                stride,
                "same" if stride == 1 else "valid",
                depth_multiplier,
                use_bias=False,
                name=f"conv_dw_{i}",
            )(x)
            x = ReLU(6.0, name=f"conv_dw_{i}_relu")(BatchNormalization(name=f"conv_dw_{i}_bn")(x))
            x = Conv2D(int(filters * alpha), 1, padding="same", use_bias=False, name=f"conv_pw_{i}")(x)
            x = ReLU(6.0, name=f"conv_pw_{i}_relu")(BatchNormalization(name=f"conv_pw_{i}_bn")(x))
        return x

    def head(x: Any, classes: int, activation: Any) -> Any:
        x = Dropout(dropout, name="dropout")(GlobalAveragePooling2D(keepdims=True)(x))
        x = Reshape((classes,), name="reshape_2")(Conv2D(classes, 1, padding="same", name="conv_preds")(x))
        return Activation(activation, name="predictions")(x)

    rows = _rows(input_shape)
    stem = f"mobilenet_{ {1.0: '1_0', 0.75: '7_5', 0.5: '5_0'}.get(alpha, '2_5') }_{rows}_tf"
    return network(
        features, include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation,
        name or f"mobilenet_{alpha:0.2f}_{rows}", 224, (f"{stem}.h5", f"{stem}_no_top.h5"), head=head,
    )  # fmt: skip


def _rows(input_shape: Any) -> int:
    """The size of the images that trained weights are for."""
    if input_shape is None or input_shape[0] != input_shape[1]:
        return 224
    return input_shape[0] if input_shape[0] in (96, 128, 160, 192) else 224


def _multiple_of_8(n: float) -> int:
    """The nearest one, but not below 90 %."""
    found = max(8, int(n + 4) // 8 * 8)
    return found + 8 if found < 0.9 * n else found


def MobileNetV2(
    input_shape=None, alpha=1.0, include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000,
    classifier_activation="softmax", name=None,
):  # fmt: skip
    """A network of blocks that are narrow at their ends, with sums past those that keep their size.

    Args:
      alpha: a factor for the number of channels.
      input_shape, include_top, weights, ...: as of `VGG16`.

    >>> import gradtape as tf
    >>> model = tf.keras.applications.MobileNetV2((32, 32, 3), 0.35, include_top=False, weights=None)
    >>> model.output_shape, model.count_params()
    ((None, 1, 1, 1280), 410208)
    """
    norm = {"epsilon": 1e-3, "momentum": 0.999}

    def block(x: Any, i: int, filters: int, stride: int, expansion: int) -> Any:
        start, channels = x, shape_of(x)[-1]
        filters = _multiple_of_8(int(filters * alpha))
        prefix = f"block_{i}_" if i else "expanded_conv_"
        if i:
            x = Conv2D(expansion * channels, 1, padding="same", use_bias=False, name=prefix + "expand")(x)
            x = ReLU(6.0, name=prefix + "expand_relu")(
                BatchNormalization(**norm, name=prefix + "expand_BN")(x)
            )
        if stride == 2:
            x = ZeroPadding2D(_border(x), name=prefix + "pad")(x)
        padding = "same" if stride == 1 else "valid"
        x = DepthwiseConv2D(3, stride, padding, use_bias=False, name=prefix + "depthwise")(x)
        x = ReLU(6.0, name=prefix + "depthwise_relu")(
            BatchNormalization(**norm, name=prefix + "depthwise_BN")(x)
        )
        x = Conv2D(filters, 1, padding="same", use_bias=False, name=prefix + "project")(x)
        x = BatchNormalization(**norm, name=prefix + "project_BN")(x)
        return Add(name=prefix + "add")([start, x]) if channels == filters and stride == 1 else x

    def features(x: Any) -> Any:
        x = Conv2D(_multiple_of_8(32 * alpha), 3, 2, padding="same", use_bias=False, name="Conv1")(x)
        x = ReLU(6.0, name="Conv1_relu")(BatchNormalization(**norm, name="bn_Conv1")(x))
        x = block(x, 0, 16, 1, 1)
        i = 1
        for filters, stride, times in (
            (24, 2, 2),
            (32, 2, 3),
            (64, 2, 4),
            (96, 1, 3),
            (160, 2, 3),
            (320, 1, 1),
        ):
            for n in range(times):
                x = block(x, i, filters, 1 if n else stride, 6)
                i += 1
        last = _multiple_of_8(1280 * alpha) if alpha > 1.0 else 1280
        x = Conv2D(last, 1, use_bias=False, name="Conv_1")(x)
        return ReLU(6.0, name="out_relu")(BatchNormalization(**norm, name="Conv_1_bn")(x))

    def head(x: Any, classes: int, activation: Any) -> Any:
        return Dense(classes, activation=activation, name="predictions")(GlobalAveragePooling2D()(x))

    rows = _rows(input_shape)
    stem = f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{float(alpha)}_{rows}"
    return network(
        features, include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation,
        name or f"mobilenetv2_{alpha:0.2f}_{rows}", 224, (f"{stem}.h5", f"{stem}_no_top.h5"), head=head,
    )  # fmt: skip


def _border(x: Any) -> Any:
    """What a convolution of 3 pixels with the stride 2 needs around its inputs."""
    rows, columns = (1 if n is None else 1 - n % 2 for n in shape_of(x)[1:3])
    return (1 - rows, 1), (1 - columns, 1)
