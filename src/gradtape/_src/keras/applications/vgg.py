"""`VGG16`, `VGG19`: K. Simonyan and A. Zisserman, "Very deep convolutional networks", 2014."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras.applications.imagenet import network
from gradtape._src.keras.layers.convolutional import Conv2D
from gradtape._src.keras.layers.dense import Dense
from gradtape._src.keras.layers.pooling import MaxPooling2D
from gradtape._src.keras.layers.reshaping import Flatten


def _vgg(depths: tuple[int, ...], name: str, given: dict[str, Any]) -> Any:
    def features(x: Any) -> Any:
        for block, (filters, depth) in enumerate(zip((64, 128, 256, 512, 512), depths), 1):
            for i in range(1, depth + 1):
                x = Conv2D(filters, 3, activation="relu", padding="same", name=f"block{block}_conv{i}")(x)
            x = MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
        return x

    def head(x: Any, classes: int, activation: Any) -> Any:
        x = Flatten(name="flatten")(x)
        for i in (1, 2):
            x = Dense(4096, activation="relu", name=f"fc{i}")(x)
        return Dense(classes, activation=activation, name="predictions")(x)

    stem = f"{name}_weights_tf_dim_ordering_tf_kernels"
    files = (f"{stem}.h5", f"{stem}_notop.h5")
    given["name"] = given["name"] or name
    return network(features, **given, size=224, files=files, head=head)


def VGG16(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="vgg16",
):  # fmt: skip
    """A network of 13 convolutions.

    Args:
      include_top: whether classes are predicted, by three layers behind the convolutions.
      weights: None for new ones; "imagenet" or the name of a file for trained ones.
      input_tensor, input_shape: of the inputs.
      pooling: "avg" or "max", without the top.
      classes, classifier_activation: of the last layer.
      name: of the model.

    Raises:
      FileNotFoundError: the trained weights are not on this computer; the message says where to put them.

    >>> import gradtape as tf
    >>> model = tf.keras.applications.VGG16(include_top=False, weights=None, input_shape=(32, 32, 3))
    >>> model.output_shape, model.count_params()
    ((None, 1, 1, 512), 14714688)
    """
    return _vgg((2, 2, 3, 3, 3), "vgg16", dict(locals()))


def VGG19(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000,
    classifier_activation="softmax", name="vgg19",
):  # fmt: skip
    """A network of 16 convolutions; see `VGG16`."""
    return _vgg((2, 2, 4, 4, 4), "vgg19", dict(locals()))
