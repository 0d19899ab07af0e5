"""The layers that are compared with Keras: how each is made, and the shapes of its inputs. No library is named here."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """A layer.

    Attributes:
      make: an expression, with ``L`` for the module of layers.
      shapes: of the inputs, in a list; several are given to the layer as a list.
      kind: of the numbers: "float", or "index".
      apart: whether several inputs are arguments of their own.
      training: whether there are outputs for training that can be compared, too.
      mask: whether the layer is called with a mask of steps.
    """

    make: str
    shapes: list[tuple[int, ...]]
    kind: str = "float"
    apart: bool = False
    training: bool = False
    mask: bool = False


CASES = [
    Case("Dense(3, activation='tanh')", [(4, 5)]),
    Case("Dense(2, use_bias=False, kernel_regularizer='l2')", [(2, 3, 5)]),
    Case("EinsumDense('abc,cde->abde', output_shape=(None, 2, 3), bias_axes='de')", [(2, 4, 5)]),
    Case("Embedding(6, 3)", [(2, 4)], "index"),
    Case("Activation('softplus')", [(2, 3)]),
    Case("ReLU(max_value=0.8, negative_slope=0.1, threshold=0.2)", [(3, 4)]),
    Case("LeakyReLU(negative_slope=0.2)", [(3, 4)]),
    Case("PReLU(alpha_initializer='ones')", [(3, 4)]),
    Case("PReLU(shared_axes=[1])", [(2, 3, 4)]),
    Case("ELU(alpha=0.5)", [(3, 4)]),
    Case("Softmax()", [(3, 4)]),
    Case("Softmax(axis=(1, 2))", [(2, 3, 4)]),
    Case("Softmax()", [(2, 4)], mask=True),
    Case("Conv1D(3, 3)", [(2, 8, 2)]),
    Case("Conv1D(3, 3, padding='causal', dilation_rate=2, activation='relu')", [(2, 8, 2)]),
    Case("Conv1D(4, 2, strides=2, padding='same', groups=2)", [(2, 7, 2)]),
    Case("Conv2D(2, 3)", [(2, 6, 5, 3)]),
    Case("Conv2D(4, (2, 3), strides=2, padding='same', groups=2, use_bias=False)", [(2, 5, 6, 2)]),
    Case("Conv2D(2, 2, dilation_rate=2)", [(1, 6, 5, 1)]),
    Case("Conv3D(2, 2, padding='same')", [(1, 3, 4, 3, 2)]),
    Case("Conv1DTranspose(2, 3, strides=2)", [(2, 4, 3)]),
    Case("Conv2DTranspose(2, 3, strides=2, padding='same')", [(2, 3, 4, 2)]),
    Case("Conv2DTranspose(2, (3, 2), strides=(2, 3), output_padding=1)", [(1, 3, 4, 2)]),
    Case("Conv2DTranspose(2, 2, strides=3, padding='valid', use_bias=False)", [(1, 3, 2, 2)]),
    Case("Conv3DTranspose(2, 2, strides=2)", [(1, 2, 2, 2, 1)]),
    Case("DepthwiseConv1D(3, depth_multiplier=2)", [(2, 6, 2)]),
    Case("DepthwiseConv2D(3, depth_multiplier=2, padding='same')", [(2, 5, 4, 2)]),
    Case("SeparableConv1D(3, 3, padding='same')", [(2, 6, 2)]),
    Case("SeparableConv2D(3, 2, strides=2, depth_multiplier=2)", [(2, 5, 4, 2)]),
    Case("MaxPooling1D(3, strides=2)", [(2, 8, 2)]),
    Case("MaxPooling2D(padding='same')", [(2, 5, 4, 2)]),
    Case("MaxPooling3D()", [(1, 4, 4, 4, 2)]),
    Case("AveragePooling1D(2)", [(2, 7, 2)]),
    Case("AveragePooling2D((2, 3), padding='same')", [(2, 5, 4, 2)]),
    Case("AveragePooling3D(2)", [(1, 4, 4, 4, 1)]),
    Case("GlobalMaxPooling1D()", [(2, 5, 3)]),
    Case("GlobalMaxPooling2D(keepdims=True)", [(2, 3, 4, 3)]),
    Case("GlobalMaxPooling3D()", [(2, 2, 3, 2, 2)]),
    Case("GlobalAveragePooling1D()", [(2, 5, 3)]),
    Case("GlobalAveragePooling1D()", [(2, 4, 3)], mask=True),
    Case("GlobalAveragePooling2D()", [(2, 3, 4, 3)]),
    Case("GlobalAveragePooling3D()", [(2, 2, 3, 2, 2)]),
    Case("ZeroPadding1D((1, 2))", [(2, 3, 2)]),
    Case("ZeroPadding2D(((1, 0), (2, 1)))", [(1, 3, 2, 2)]),
    Case("ZeroPadding3D((1, 0, 2))", [(1, 2, 2, 2, 1)]),
    Case("Cropping1D((1, 2))", [(2, 6, 2)]),
    Case("Cropping2D(((1, 0), (0, 2)))", [(1, 4, 5, 2)]),
    Case("Cropping3D(1)", [(1, 4, 3, 5, 1)]),
    Case("UpSampling1D(3)", [(2, 3, 2)]),
    Case("UpSampling2D((2, 3))", [(1, 2, 3, 2)]),
    Case("UpSampling2D(2, interpolation='bilinear')", [(1, 3, 2, 2)]),
    Case("UpSampling3D(2)", [(1, 2, 1, 2, 2)]),
    Case("Flatten()", [(2, 3, 4)]),
    Case("Reshape((3, -1))", [(2, 12)]),
    Case("Permute((2, 1))", [(2, 3, 4)]),
    Case("RepeatVector(3)", [(2, 4)]),
    Case("Masking()", [(2, 3, 2)]),
    Case("Rescaling(0.5, offset=1.0)", [(2, 3)]),
    Case("ActivityRegularization(l1=0.1, l2=0.2)", [(2, 3)]),
    Case("BatchNormalization()", [(6, 3)], training=True),
    Case("BatchNormalization(axis=1, momentum=0.7, scale=False)", [(4, 3, 2)], training=True),
    Case("BatchNormalization(center=False)", [(2, 3, 3, 2)], training=True),
    Case("BatchNormalization()", [(2, 4, 3)], training=True, mask=True),
    Case("LayerNormalization()", [(4, 5)]),
    Case("LayerNormalization(axis=[1, 2], epsilon=0.1)", [(3, 4, 2)]),
    Case("LayerNormalization(axis=1, center=False)", [(3, 4, 2)]),
    Case("GroupNormalization(2)", [(3, 5, 4)]),
    Case("GroupNormalization(-1, axis=1)", [(2, 3, 4)]),
    Case("UnitNormalization()", [(3, 4)]),
    Case("RMSNormalization()", [(3, 4)]),
    Case("Add()", [(2, 3), (2, 3), (2, 3)]),
    Case("Subtract()", [(2, 3), (2, 3)]),
    Case("Multiply()", [(2, 3, 2), (2, 3, 2)]),
    Case("Average()", [(2, 3), (2, 3), (2, 3)]),
    Case("Maximum()", [(2, 3), (2, 3)]),
    Case("Minimum()", [(2, 3), (2, 3)]),
    Case("Concatenate(axis=1)", [(2, 3), (2, 4)]),
    Case("Dot(axes=1)", [(2, 3), (2, 3)]),
    Case("Dot(axes=(2, 1), normalize=True)", [(2, 3, 4), (2, 4, 5)]),
    Case("Attention(use_scale=True)", [(2, 3, 4), (2, 5, 4)]),
    Case("Attention(score_mode='concat')", [(2, 3, 4), (2, 5, 4), (2, 5, 4)]),
    Case("AdditiveAttention()", [(2, 3, 4), (2, 5, 4)]),
    Case("MultiHeadAttention(2, 3)", [(2, 3, 4), (2, 5, 6)], apart=True),
    Case(
        "MultiHeadAttention(2, 3, value_dim=2, output_shape=5, use_bias=False)",
        [(2, 3, 4), (2, 3, 4)],
        apart=True,
    ),
    Case("Dropout(0.4, seed=3)", [(4, 5)], training=True),
    Case("Dropout(0.4, noise_shape=(4, 1), seed=3)", [(4, 5)], training=True),
    Case("SpatialDropout1D(0.5, seed=3)", [(3, 4, 5)], training=True),
    Case("SpatialDropout2D(0.5, seed=3)", [(3, 2, 2, 5)], training=True),
    Case("GaussianNoise(0.3, seed=3)", [(4, 5)], training=True),
    Case("GaussianDropout(0.3, seed=3)", [(4, 5)], training=True),
    Case("GroupQueryAttention(3, 4, 2)", [(2, 3, 4), (2, 5, 4)], apart=True),
    Case(
        "GroupQueryAttention(2, 2, 1, use_bias=False, sliding_window=2)", [(2, 4, 3), (2, 4, 3)], apart=True
    ),
    Case("AlphaDropout(0.3, seed=3)", [(4, 5)], training=True),
    Case("SpectralNormalization(L.Dense(3, name='inner'))", [(4, 2)], training=True),
    Case(
        "SpectralNormalization(L.Conv1D(3, 2, name='inner'), power_iterations=2)", [(2, 4, 2)], training=True
    ),
    Case("Resizing(3, 4)", [(2, 5, 6, 2)]),
    Case("Resizing(7, 4, crop_to_aspect_ratio=True)", [(2, 5, 6, 2)]),
    Case("Resizing(7, 4, pad_to_aspect_ratio=True, fill_value=0.5)", [(2, 5, 6, 2)]),
    Case("CenterCrop(3, 4)", [(2, 5, 6, 2)]),
    Case("CenterCrop(7, 3)", [(2, 5, 6, 2)]),
    Case("Normalization(mean=[1.0, 2.0], variance=[2.0, 0.5])", [(3, 2)]),
    Case("Normalization(axis=1, mean=[1.0, 2.0, 0.0], variance=[2.0, 0.5, 1.0], invert=True)", [(2, 3, 2)]),
]
NAMES = [f"{i}:{case.make}" for i, case in enumerate(CASES)]


def numbers(shape: tuple[int, ...], phase: float = 0.0) -> np.ndarray:
    """Numbers in ±1 that look like no others."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + n + phase).reshape(shape).astype(np.float32)


def inputs_of(case: Case) -> list[np.ndarray]:
    """The inputs."""
    if case.kind == "index":
        return [
            (np.arange(int(np.prod(shape))) * 5 % 6).reshape(shape).astype(np.int32) for shape in case.shapes
        ]
    return [numbers(shape, i) for i, shape in enumerate(case.shapes)]


def mask_of(case: Case) -> np.ndarray | None:
    """The mask of a case that has one: (batch, steps)."""
    if not case.mask:
        return None
    batch, steps = case.shapes[0][:2]
    return np.arange(steps)[None, :] < np.arange(1, batch + 1)[:, None] + 1


def weights_of(layer: Any) -> list[np.ndarray]:
    """Weights for a layer that is built: by their place and shape."""
    found = []
    for i, w in enumerate(layer.weights):
        values = numbers(tuple(w.shape), i + 0.5)
        found.append(np.abs(values) + 0.5 if "variance" in w.path else values)
    return found


def run(case: Case, tf: Any) -> dict[str, Any]:
    """What the layer gives: outputs, gradients, outputs for training, and the weights after five steps."""
    L = tf.keras.layers
    layer = eval(f"L.{case.make}", {"L": L})
    arrays = inputs_of(case)
    tensors = [tf.constant(a) for a in arrays]
    mask = mask_of(case)

    def call(**kwargs: Any) -> Any:
        if mask is not None:
            kwargs["mask"] = tf.constant(mask)
        return layer(*tensors, **kwargs) if case.apart or len(tensors) == 1 else layer(tensors, **kwargs)

    call()
    layer.set_weights(weights_of(layer))
    found: dict[str, Any] = {"weights": [[w.path.split("/", 1)[1], list(w.shape)] for w in layer.weights]}
    variables = list(layer.trainable_variables)
    sources = ([] if case.kind == "index" else tensors) + variables
    with tf.GradientTape() as tape:
        for x in tensors:
            if case.kind != "index":
                tape.watch(x)
        y = call()
        loss = tf.reduce_sum(y * numbers(tuple(y.shape), 0.3)) + sum(layer.losses)
    found["outputs"] = y
    found["gradients"] = [tf.convert_to_tensor(g) for g in tape.gradient(loss, sources)]
    if case.training:
        found["training"] = [call(training=True), call(training=True)]
    if variables:
        optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)
        for _ in range(5):
            with tf.GradientTape() as tape:
                y = call(training=True)
                loss = tf.reduce_mean((y - numbers(tuple(y.shape), 0.3)) ** 2) + sum(layer.losses)
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        found["trained"] = layer.get_weights()
    return found
