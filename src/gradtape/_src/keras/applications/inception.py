"""`InceptionV3`: C. Szegedy et al., "Rethinking the Inception architecture for computer vision", 2015."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras.applications.imagenet import network
from gradtape._src.keras.layers.activation import Activation
from gradtape._src.keras.layers.convolutional import Conv2D
from gradtape._src.keras.layers.merging import Concatenate
from gradtape._src.keras.layers.normalization import BatchNormalization
from gradtape._src.keras.layers.pooling import AveragePooling2D, MaxPooling2D


def _conv(x: Any, filters: int, rows: int, columns: int, strides: int = 1, padding: str = "same") -> Any:
    x = Conv2D(filters, (rows, columns), strides, padding, use_bias=False)(x)
    return Activation("relu")(BatchNormalization(scale=False)(x))


def _mean(x: Any) -> Any:
    return AveragePooling2D(3, strides=1, padding="same")(x)


def _largest(x: Any) -> Any:
    return MaxPooling2D(3, strides=2)(x)


def _wide(x: Any, pooled: int, name: str) -> Any:
    one = _conv(x, 64, 1, 1)
    five = _conv(_conv(x, 48, 1, 1), 64, 5, 5)
    three = _conv(_conv(_conv(x, 64, 1, 1), 96, 3, 3), 96, 3, 3)
    return Concatenate(axis=-1, name=name)([one, five, three, _conv(_mean(x), pooled, 1, 1)])


def _crossed(x: Any, n: int, name: str) -> Any:
    one = _conv(x, 192, 1, 1)
    seven = _conv(_conv(_conv(x, n, 1, 1), n, 1, 7), 192, 7, 1)
    twice = _conv(_conv(_conv(x, n, 1, 1), n, 7, 1), n, 1, 7)
    twice = _conv(_conv(twice, n, 7, 1), 192, 1, 7)
    return Concatenate(axis=-1, name=name)([one, seven, twice, _conv(_mean(x), 192, 1, 1)])


def _spread(x: Any, i: int) -> Any:
    one = _conv(x, 320, 1, 1)
    three = _conv(x, 384, 1, 1)
    three = Concatenate(axis=-1, name=f"mixed9_{i}")([_conv(three, 384, 1, 3), _conv(three, 384, 3, 1)])
    twice = _conv(_conv(x, 448, 1, 1), 384, 3, 3)
    twice = Concatenate(axis=-1)([_conv(twice, 384, 1, 3), _conv(twice, 384, 3, 1)])
    return Concatenate(axis=-1, name=f"mixed{9 + i}")([one, three, twice, _conv(_mean(x), 192, 1, 1)])


def _features(x: Any) -> Any:
    x = _conv(_conv(_conv(x, 32, 3, 3, 2, "valid"), 32, 3, 3, 1, "valid"), 64, 3, 3)
    x = _largest(_conv(_conv(_largest(x), 80, 1, 1, 1, "valid"), 192, 3, 3, 1, "valid"))
    for i, pooled in enumerate((32, 64, 64)):
        x = _wide(x, pooled, f"mixed{i}")
    three = _conv(x, 384, 3, 3, 2, "valid")
    twice = _conv(_conv(_conv(x, 64, 1, 1), 96, 3, 3), 96, 3, 3, 2, "valid")
    x = Concatenate(axis=-1, name="mixed3")([three, twice, _largest(x)])
    for i, n in enumerate((128, 160, 160, 192), 4):
        x = _crossed(x, n, f"mixed{i}")
    three = _conv(_conv(x, 192, 1, 1), 320, 3, 3, 2, "valid")
    seven = _conv(_conv(_conv(x, 192, 1, 1), 192, 1, 7), 192, 7, 1)
    seven = _conv(seven, 192, 3, 3, 2, "valid")
    x = Concatenate(axis=-1, name="mixed8")([three, seven, _largest(x)])
    return _spread(_spread(x, 0), 1)


def InceptionV3(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="inception_v3",
):  # fmt: skip
    """A network of blocks with convolutions of several sizes side by side; the arguments are as of `VGG16`.

    >>> import gradtape as tf
    >>> model = tf.keras.applications.InceptionV3(include_top=False, weights=None, input_shape=(75, 75, 3))
    >>> model.output_shape, model.count_params()
    ((None, 1, 1, 2048), 21802784)
    """
    stem = "inception_v3_weights_tf_dim_ordering_tf_kernels"
    return network(
        _features, include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation, name,
        299, (f"{stem}.h5", f"{stem}_notop.h5"), least=75,
    )  # fmt: skip
