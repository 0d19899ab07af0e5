"""`ResNet50`, `ResNet101`, `ResNet152`: K. He et al., "Deep residual learning for image recognition", 2015."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras.applications.imagenet import network
from gradtape._src.keras.layers.activation import Activation
from gradtape._src.keras.layers.convolutional import Conv2D
from gradtape._src.keras.layers.merging import Add
from gradtape._src.keras.layers.normalization import BatchNormalization
from gradtape._src.keras.layers.pooling import MaxPooling2D
from gradtape._src.keras.layers.reshaping import ZeroPadding2D


def _norm(name: str) -> BatchNormalization:
    return BatchNormalization(epsilon=1.001e-5, name=name)


def _block(x: Any, filters: int, stride: int, first: bool, name: str) -> Any:
    past = x
    if first:
        past = _norm(f"{name}_0_bn")(Conv2D(4 * filters, 1, stride, name=f"{name}_0_conv")(x))
    x = _norm(f"{name}_1_bn")(Conv2D(filters, 1, stride, name=f"{name}_1_conv")(x))
    x = Activation("relu", name=f"{name}_1_relu")(x)
    x = _norm(f"{name}_2_bn")(Conv2D(filters, 3, padding="same", name=f"{name}_2_conv")(x))
    x = Activation("relu", name=f"{name}_2_relu")(x)
    x = _norm(f"{name}_3_bn")(Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x))
    return Activation("relu", name=f"{name}_out")(Add(name=f"{name}_add")([past, x]))


def _resnet(depths: tuple[int, ...], name: str, given: dict[str, Any]) -> Any:
    def features(x: Any) -> Any:
        x = Conv2D(64, 7, 2, name="conv1_conv")(ZeroPadding2D(3, name="conv1_pad")(x))
        x = Activation("relu", name="conv1_relu")(_norm("conv1_bn")(x))
        x = MaxPooling2D(3, strides=2, name="pool1_pool")(ZeroPadding2D(1, name="pool1_pad")(x))
        for stack, (filters, depth) in enumerate(zip((64, 128, 256, 512), depths), 2):
            for i in range(1, depth + 1):
                stride = 2 if i == 1 and stack > 2 else 1
                x = _block(x, filters, stride, i == 1, f"conv{stack}_block{i}")
        return x

    stem = f"{name}_weights_tf_dim_ordering_tf_kernels"
    given["name"] = given["name"] or name
    return network(features, **given, size=224, files=(f"{stem}.h5", f"{stem}_notop.h5"))


def ResNet50(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="resnet50",
):  # fmt: skip
    """A network of 16 blocks of three convolutions, with sums past them; the arguments are as of `VGG16`.

    >>> import gradtape as tf
    >>> model = tf.keras.applications.ResNet50(include_top=False, weights=None, input_shape=(32, 32, 3))
    >>> model.output_shape, model.count_params()
    ((None, 1, 1, 2048), 23587712)
    """
    return _resnet((3, 4, 6, 3), "resnet50", dict(locals()))


def ResNet101(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="resnet101",
):  # fmt: skip
    """A network of 33 blocks of three convolutions; see `ResNet50`."""
    return _resnet((3, 4, 23, 3), "resnet101", dict(locals()))


def ResNet152(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="resnet152",
):  # fmt: skip
    """A network of 50 blocks of three convolutions; see `ResNet50`."""
    return _resnet((3, 8, 36, 3), "resnet152", dict(locals()))
