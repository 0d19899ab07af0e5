"""Normalization as layers: by the statistics of a batch, of an example, of groups of channels."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import maximum
from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import rsqrt
from gradtape._src.api.nn_normalization import batch_normalization, moments
from gradtape._src.api.reduction import reduce_mean, reduce_sum
from gradtape._src.control.cond import cond
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.function.func_graph import root_graph
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layers.kernel import KernelLayer, known_size
from gradtape._src.ops.normalization import batch_norm

_AFFINE = ("beta_initializer", "gamma_initializer", "beta_regularizer", "gamma_regularizer", "beta_constraint",
           "gamma_constraint")  # fmt: skip


class Affine(KernelLayer):
    """What they have: ``gamma`` multiplies and ``beta`` is added, where `scale` and `center` say so."""

    gamma: Any = None
    beta: Any = None
    _casts_weights = False

    def _make_affine(self, shape: Any) -> None:
        if self.scale:
            self.gamma = self._make("gamma", shape)
        if self.center:
            self.beta = self._make("beta", shape)

    scale: bool
    center: bool

    # Sums over many elements are not computed in half precision.

    def _wide(self, x: Any) -> Any:
        return cast(x, self.variable_dtype) if self._autocasts else x

    def _narrow(self, y: Any) -> Any:
        return cast(y, self.compute_dtype) if self._autocasts else y


class BatchNormalization(Affine):
    """gamma (x - mean) / sqrt(variance + epsilon) + beta, for each channel.

    While training, mean and variance are those of the batch, and the moving averages become ``momentum * moving +
    (1 - momentum) * batch``; otherwise they are the moving averages. A layer with ``trainable = False`` does not
    train.

    Args:
      axis: of the channels.
      momentum: of the moving averages.
      epsilon: added to the variance.
      center, scale: whether there are beta and gamma.
      beta_initializer, gamma_initializer, ...: of the weights.
      moving_mean_initializer, moving_variance_initializer: of the averages.
      renorm, renorm_clipping, renorm_momentum, synchronized: without effect.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.BatchNormalization(momentum=0.5)
    >>> print(layer(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2).ravel())
    [-1.  1.]
    >>> print(layer.moving_mean.numpy())
    [1.]

    S. Ioffe and C. Szegedy, "Batch normalization", 2015. As Keras 3.
    """

    _config = ("axis", "momentum", "epsilon", "center", "scale", *_AFFINE, "moving_mean_initializer",
               "moving_variance_initializer")  # fmt: skip

    def __init__(
        self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros",
        gamma_initializer="ones", moving_mean_initializer="zeros", moving_variance_initializer="ones",
        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, renorm=False,
        renorm_clipping=None, renorm_momentum=0.99, synchronized=False, fused=None, virtual_batch_size=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**kwargs)
        axis = axis[0] if isinstance(axis, (list, tuple)) else axis
        self._keep(
            axis=int(axis), momentum=momentum, epsilon=epsilon, center=center, scale=scale,
            beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            moving_mean_initializer=moving_mean_initializer,
            moving_variance_initializer=moving_variance_initializer, beta_regularizer=beta_regularizer,
            gamma_regularizer=gamma_regularizer, beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def build(self, input_shape):
        size = known_size(input_shape, self.axis, self)
        self._make_affine((size,))
        for name, initializer in (
            ("moving_mean", self.moving_mean_initializer),
            ("moving_variance", self.moving_variance_initializer),
        ):
            weight = self.add_weight(
                name=name, shape=(size,), initializer=initializer, trainable=False, autocast=False
            )
            setattr(self, name, weight)
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: size})

    def call(self, inputs, training=None, mask=None):
        x = self._wide(inputs)
        if isinstance(training, Tensor) and self.trainable:
            return self._narrow(cond(training, lambda: self._training(x, mask), lambda: self._inference(x)))
        return self._narrow(self._training(x, mask) if training and self.trainable else self._inference(x))

    def _inference(self, x: Any) -> Any:
        mean, variance = self._along(x, self.moving_mean), self._along(x, self.moving_variance)
        beta, gamma = self._along(x, self.beta), self._along(x, self.gamma)
        return batch_normalization(x, mean, variance, beta, gamma, self.epsilon)

    def _training(self, x: Any, mask: Any) -> Any:
        last = self.axis in (-1, len(shape_of(x)) - 1)
        if mask is None and last and self.beta is not None and self.gamma is not None:
            y, mean, variance = batch_norm.of(
                x, self.gamma.value(), self.beta.value(), epsilon=float(self.epsilon)
            )
            self._move(mean, variance)
            return y
        axes = [i for i in range(len(shape_of(x))) if i != self.axis % len(shape_of(x))]
        if mask is None:
            mean, variance = moments(x, axes)
        else:
            mean, variance = _masked_moments(x, mask, axes)
        self._move(mean, variance)
        beta, gamma = self._along(x, self.beta), self._along(x, self.gamma)
        return batch_normalization(
            x, self._along(x, mean), self._along(x, variance), beta, gamma, self.epsilon
        )

    def _along(self, x: Any, vector: Any) -> Any:
        """A number for each channel, in the shape that broadcasts to x."""
        rank = len(shape_of(x))
        if vector is None or self.axis in (-1, rank - 1):
            return vector
        shape = [1] * rank
        shape[self.axis] = -1
        vector = vector if isinstance(vector, Tensor) else vector.value()
        return reshape(vector, tuple(shape))

    def _move(self, mean: Any, variance: Any) -> None:
        keep = self.momentum
        updates = [
            average.assign(average * keep + new * (1.0 - keep), read_value=current_graph() is not None)
            for average, new in ((self.moving_mean, mean), (self.moving_variance, variance))
        ]
        graph = current_graph()
        if graph is not None and graph is root_graph():  # the user's: their training step runs the updates
            for update in updates:
                graph.add_to_collection(GraphKeys.UPDATE_OPS, update.op)


def _masked_moments(x: Any, mask: Any, axes: Any) -> Any:
    """Mean and variance of the steps that count."""
    weights = cast(mask, x.dtype)
    weights = reshape(weights, [*_sizes(weights), *[1] * (len(shape_of(x)) - len(shape_of(weights)))])
    total = reduce_sum(weights + x * 0.0, axes)
    mean = reduce_sum(x * weights, axes, keepdims=True) / reduce_sum(weights + x * 0.0, axes, keepdims=True)
    away = x - mean
    variance = reduce_sum(away * away * weights, axes) / total
    return reduce_sum(x * weights, axes) / total, variance


def _sizes(x: Any) -> list[Any]:
    known, dims = shape_of(x), None
    if None in known:
        dims = shape_of_tensor(x)
    return [dims[i] if n is None else n for i, n in enumerate(known)]  # type: ignore[index]


class LayerNormalization(Affine):
    """gamma (x - mean) / sqrt(variance + epsilon) + beta, with the statistics of each example along ``axis``.

    Args:
      axis: one or several.
      epsilon: added to the variance.
      center, scale: whether there are beta and gamma, of the shape of those axes.
      beta_initializer, gamma_initializer, ...: of the weights.
      rms_scaling: without effect.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.LayerNormalization()(tf.constant([[1.0, 3.0]])).numpy().round(2)
    array([[-1.,  1.]], dtype=float32)

    J. Ba, J. Kiros, G. Hinton, "Layer normalization", 2016. As Keras 3.
    """

    _config = ("axis", "epsilon", "center", "scale", *_AFFINE)

    def __init__(
        self, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones",
        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
        rms_scaling=False, **kwargs,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self._keep(
            axis=list(axis) if isinstance(axis, (list, tuple)) else axis, epsilon=epsilon, center=center,
            scale=scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def _axes(self, rank: int) -> list[int]:
        axes = self.axis if isinstance(self.axis, list) else [self.axis]
        return sorted(axis % rank for axis in axes)

    def build(self, input_shape):
        axes = self._axes(len(input_shape))
        self._make_affine(tuple(known_size(input_shape, axis, self) for axis in axes))

    def call(self, inputs):
        rank = len(shape_of(inputs))
        axes = self._axes(rank)
        x = self._wide(inputs)
        mean, variance = moments(x, axes, keepdims=True)
        gamma, beta = (self._along(v, axes, rank) for v in (self.gamma, self.beta))
        return self._narrow(batch_normalization(x, mean, variance, beta, gamma, self.epsilon))

    def _along(self, weight: Any, axes: list[int], rank: int) -> Any:
        if weight is None or axes == list(range(rank - len(axes), rank)):
            return weight
        sizes = iter(shape_of(weight))
        return reshape(weight.value(), tuple(next(sizes) if i in axes else 1 for i in range(rank)))


class GroupNormalization(Affine):
    """Normalization of each example by the statistics of groups of its channels.

    Args:
      groups: how many; -1: one for each channel.
      axis: of the channels.
      epsilon, center, scale, ...: as in `tf.keras.layers.LayerNormalization`.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.GroupNormalization(2)(tf.constant([[1.0, 3.0, 5.0, 7.0]])).numpy().round(2)
    array([[-1.,  1., -1.,  1.]], dtype=float32)

    Y. Wu and K. He, "Group normalization", 2018. As Keras 3.
    """

    _config = ("groups", "axis", "epsilon", "center", "scale", *_AFFINE)

    def __init__(
        self, groups=32, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros",
        gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
        gamma_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self._keep(
            groups=groups, axis=axis, epsilon=epsilon, center=center, scale=scale,
            beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def build(self, input_shape):
        size = known_size(input_shape, self.axis, self)
        if self.groups == -1:
            self.groups = size
        if size < self.groups or size % self.groups:
            raise ValueError(
                f"Number of groups ({self.groups}) must be a multiple of the number of channels ({size})."
            )
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: size})
        self._make_affine((size,))

    def call(self, inputs):
        rank = len(shape_of(inputs))
        axis = self.axis % rank
        sizes = _sizes(inputs)
        channels = shape_of(inputs)[axis]
        split = [*sizes[:axis], self.groups, channels // self.groups, *sizes[axis + 1 :]]
        x = reshape(self._wide(inputs), split)
        axes = [i for i in range(1, rank + 1) if i != axis]
        mean, variance = moments(x, axes, keepdims=True)
        shape = [1] * (rank + 1)
        shape[axis], shape[axis + 1] = self.groups, channels // self.groups
        gamma, beta = (
            None if v is None else reshape(v.value(), tuple(shape)) for v in (self.gamma, self.beta)
        )
        return self._narrow(reshape(batch_normalization(x, mean, variance, beta, gamma, self.epsilon), sizes))


class UnitNormalization(KernelLayer):
    """x divided by its Euclidean norm along ``axis``.

    >>> import gradtape as tf
    >>> tf.keras.layers.UnitNormalization()(tf.constant([[3.0, 4.0]])).numpy()
    array([[0.6, 0.8]], dtype=float32)
    """

    _config = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.supports_masking = True

    def call(self, inputs):
        squared = reduce_sum(inputs * inputs, axis=self.axis, keepdims=True)
        return inputs * rsqrt(maximum(squared, 1e-12))


class RMSNormalization(Affine):
    """scale x / sqrt(mean(x ** 2) + epsilon), along ``axis``.

    >>> import gradtape as tf
    >>> tf.keras.layers.RMSNormalization()(tf.constant([[2.0, 2.0]])).numpy().round(2)
    array([[1., 1.]], dtype=float32)

    B. Zhang and R. Sennrich, "Root mean square layer normalization", 2019. As Keras 3.
    """

    _config = ("axis", "epsilon")

    def __init__(self, axis=-1, epsilon=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.epsilon, self.supports_masking = epsilon, True

    def build(self, input_shape):
        axes = self.axis if isinstance(self.axis, list) else [self.axis]
        shape = tuple(known_size(input_shape, axis, self) for axis in axes)
        self.scale = self.add_weight(name="scale", shape=shape, initializer="ones", autocast=False)

    def call(self, inputs):
        x = self._wide(inputs)
        squared = reduce_mean(x * x, axis=self.axis, keepdims=True)
        return self._narrow(x * rsqrt(squared + self.epsilon) * self.scale)
