"""What the networks have in common: their inputs, their last layers, their weights, the values of pixels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.api.casting import cast
from gradtape._src.api.reordering import reverse
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor, dtype_of
from gradtape._src.keras.layers.core import Input
from gradtape._src.keras.layers.dense import Dense
from gradtape._src.keras.layers.pooling import GlobalAveragePooling2D, GlobalMaxPooling2D
from gradtape._src.keras.local_files import find, folders, toy_data
from gradtape._src.keras.models.model import Functional
from gradtape._src.keras.settings import floatx

_MEANS = np.array([103.939, 116.779, 123.68])  # of ImageNet: blue, green, red

Features = Callable[[Any], Any]


def network(
    features: Features,
    include_top: bool,
    weights: Any,
    input_tensor: Any,
    input_shape: Any,
    pooling: Any,
    classes: int,
    classifier_activation: Any,
    name: str,
    size: int,
    files: tuple[str, str],
    least: int = 32,
    head: Callable[[Any, int, Any], Any] | None = None,
) -> Any:
    """The model around the features of images.

    Args:
      features: from the inputs to the last convolution.
      include_top: whether classes are predicted.
      weights: None for new ones, "imagenet", or the name of a file.
      input_tensor: in place of new inputs.
      input_shape: (height, width, channels).
      pooling: "avg" or "max", without the top.
      classes, classifier_activation: of the top.
      name: of the model.
      size: of images by default.
      files: with the weights of ImageNet, with the top and without.
      least: the smallest size of images.
      head: the top, if it is another than the mean of all pixels and one layer.
    """
    if weights not in (None, "imagenet") and not Path(weights).exists():
        raise ValueError(
            "The `weights` argument should be either `None` (random initialization), 'imagenet' (pre-training on "
            f"ImageNet), or the path to the weights file to be loaded. Received: weights={weights}"
        )
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError(
            "If using `weights='imagenet'` with `include_top=True`, `classes` should be 1000. Received classes="
            f"{classes}"
        )
    shape = input_shape or ((size, size, 3) if include_top else (None, None, 3))
    if any(n is not None and n < least for n in shape[:2]):
        raise ValueError(f"Input size must be at least {least}x{least}; Received: input_shape={input_shape}")
    inputs = Input(shape) if input_tensor is None else input_tensor
    x = features(inputs)
    if include_top:
        x = (head or _head)(x, classes, classifier_activation)
    elif pooling:
        x = GlobalAveragePooling2D()(x) if pooling == "avg" else GlobalMaxPooling2D()(x)
    model = Functional(inputs, x, name=name)
    if weights == "imagenet":
        path = _imagenet_weights(files[0] if include_top else files[1])
        if path is not None:
            model.load_weights(path)
    elif weights is not None:
        model.load_weights(weights)
    return model


def _head(x: Any, classes: int, activation: Any) -> Any:
    x = GlobalAveragePooling2D(name="avg_pool")(x)
    return Dense(classes, activation=activation, name="predictions")(x)


def _imagenet_weights(name: str) -> Path | None:
    """The file of trained weights; None where made data stands for what is missing.

    Raises:
      FileNotFoundError: it is not there; the message says where to put it.
    """
    try:
        return find([name], "keras.applications", where=folders(cache_subdir="models"))
    except FileNotFoundError:
        if toy_data(name, "weights drawn at random"):
            return None
        raise


# --- Pixels and classes -------------------------------------------------------------------------------------


def to_unit_range(x, data_format=None):
    """Pixels from 0 to 255 as numbers from -1 to 1.

    >>> import gradtape as tf
    >>> tf.keras.applications.mobilenet_v2.preprocess_input(np.array([0.0, 255.0])).tolist()
    [-1.0, 1.0]
    """
    x = _numbers(x)
    return x / 127.5 - 1.0


def to_blue_green_red(x, data_format=None):
    """Pixels (red, green, blue) as (blue, green, red), without the means of ImageNet.

    >>> import gradtape as tf
    >>> tf.keras.applications.vgg16.preprocess_input(np.array([[[123.68, 116.779, 103.939]]])).round(2).tolist()
    [[[0.0, 0.0, 0.0]]]
    """
    x = _numbers(x)
    if isinstance(x, Tensor):
        return reverse(x, [-1]) - as_tensor(_MEANS, x.dtype)
    return x[..., ::-1] - _MEANS.astype(x.dtype)


def _numbers(x: Any) -> Any:
    if isinstance(x, Tensor):
        return cast(x, floatx()) if dtype_of(x).kind in "iu" else x
    x = np.asarray(x)
    return x.astype(floatx()) if x.dtype.kind in "iub" else x


def decode_predictions(preds, top=5):
    """The likeliest classes of ImageNet of each row of 1000 probabilities: (number, name, probability).

    Raises:
      ValueError: no rows of 1000 numbers.
      FileNotFoundError: the file ``imagenet_class_index.json`` is not on this computer.
    """
    rows = np.asarray(preds)
    if rows.ndim != 2 or rows.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found "
            f"an array with shape: {rows.shape}"
        )
    path = find(["imagenet_class_index.json"], "decode_predictions", where=folders(cache_subdir="models"))
    names = json.loads(path.read_text())
    return [[(*names[str(i)], row[i]) for i in row.argsort()[-top:][::-1]] for row in rows]
