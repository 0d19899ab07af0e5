"""`tf.layers.batch_normalization`: S. Ioffe and C. Szegedy, "Batch normalization", ICML 2015."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import creation, nn_normalization
from gradtape._src.api.arrays import reshape
from gradtape._src.api.casting import cast
from gradtape._src.compat_v1.initializers import ones_initializer, zeros_initializer
from gradtape._src.compat_v1.layer import Layer
from gradtape._src.compat_v1.layers import chosen
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32, from_numpy
from gradtape._src.core.values import dtype_of, shape_of

_ZEROS, _ONES = zeros_initializer(), ones_initializer()


class BatchNormalization(Layer):
    """The layer of `tf.layers.batch_normalization`."""

    def __init__(
        self,
        axis=-1,
        momentum=0.99,
        epsilon=1e-3,
        center=True,
        scale=True,
        beta_initializer=_ZEROS,
        gamma_initializer=_ONES,
        moving_mean_initializer=_ZEROS,
        moving_variance_initializer=_ONES,
        beta_regularizer=None,
        gamma_regularizer=None,
        beta_constraint=None,
        gamma_constraint=None,
        fused=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        super().__init__(trainable, name, **kwargs)
        self.axis, self.momentum, self.epsilon = axis, momentum, epsilon
        self._of_beta: dict[str, Any] = {
            "initializer": beta_initializer,
            "regularizer": beta_regularizer,
            "constraint": beta_constraint,
        }
        self._of_gamma: dict[str, Any] = {
            "initializer": gamma_initializer,
            "regularizer": gamma_regularizer,
            "constraint": gamma_constraint,
        }
        self._center, self._scale = center, scale
        self._of_moving = moving_mean_initializer, moving_variance_initializer
        self._fused = fused
        self.beta: Any = None
        self.gamma: Any = None

    def build(self, input_shape):
        if input_shape is None:
            raise ValueError(
                "Expected inputs of batch_normalization whose number of dimensions is known, received an unknown "
                "shape. Use set_shape on the input."
            )
        rank = len(input_shape)
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        if any(not -rank <= axis < rank for axis in axes):
            raise ValueError(
                f"Invalid value for `axis` argument. Expected values in [{-rank}, {rank}). Received: {axes}"
            )
        self._axes = sorted({axis % rank for axis in axes})
        sizes = [input_shape[axis] for axis in self._axes]
        if None in sizes:
            raise ValueError(
                f"Input has undefined `axis` dimension. Received input with shape {tuple(input_shape)} and axis={axes}."
            )
        if self._fused is None:
            self._fused = rank == 4 and self._axes in ([1], [3])
        elif self._fused and (rank != 4 or self._axes not in ([1], [3])):
            raise ValueError(
                f"Fused batch norm is for 4 dimensions, along axis 1 or 3; received {rank} and {axes}."
            )
        if dtype_of_half(self._dtype):
            self._dtype = float32
        dims = sizes if len(sizes) == 1 else [n if i in self._axes else 1 for i, n in enumerate(input_shape)]
        if self._scale:
            self.gamma = self.add_weight("gamma", dims, **self._of_gamma)
        if self._center:
            self.beta = self.add_weight("beta", dims, **self._of_beta)
        mean, variance = self._of_moving
        self.moving_mean = self.add_weight("moving_mean", dims, initializer=mean, trainable=False)
        self.moving_variance = self.add_weight("moving_variance", dims, initializer=variance, trainable=False)

    def call(self, inputs, training=False):
        x = as_tensor(inputs)
        normalize = self._in_one if self._fused else self._in_steps
        moving = as_tensor(self.moving_mean), as_tensor(self.moving_variance)
        if training is None:
            training = False
        y, mean, variance = chosen(
            training, lambda: normalize(x, None), lambda: (normalize(x, moving)[0], *moving)
        )
        if not isinstance(training, (bool, int)) or training:
            self.add_update(
                [self._moved(self.moving_mean, mean), self._moved(self.moving_variance, variance)]
            )
        return y

    def _moved(self, variable: Any, value: Any) -> Any:
        """Where the statistics are the moving ones, it stays as it is."""
        return variable.assign_sub((as_tensor(variable) - value) * (1.0 - self.momentum))

    def _in_one(self, x: Any, moving: Any) -> tuple[Any, Any, Any]:
        n = shape_of(self.moving_mean)
        gamma = creation.ones(n, self._dtype) if self.gamma is None else as_tensor(self.gamma)
        beta = creation.zeros(n, self._dtype) if self.beta is None else as_tensor(self.beta)
        mean, variance = (None, None) if moving is None else moving
        return nn_normalization.fused_batch_norm(
            x,
            gamma,
            beta,
            mean,
            variance,
            epsilon=self.epsilon,
            data_format="NHWC" if self._axes == [3] else "NCHW",
            is_training=moving is None,
        )

    def _in_steps(self, x: Any, moving: Any) -> tuple[Any, Any, Any]:
        rank = len(shape_of(x) or ())
        if moving is None:
            axes = [axis for axis in range(rank) if axis not in self._axes]
            mean, variance = nn_normalization.moments(x, axes, keepdims=len(self._axes) > 1)
            mean, variance = cast(mean, self._dtype), cast(variance, self._dtype)
        else:
            mean, variance = moving

        def along(v: Any) -> Any:
            if v is None:
                return None
            v = cast(as_tensor(v), from_numpy(dtype_of(x)))
            if len(self._axes) > 1 or self._axes == [rank - 1]:
                return v
            return reshape(v, [-1 if axis in self._axes else 1 for axis in range(rank)])

        y = nn_normalization.batch_normalization(
            x, along(mean), along(variance), along(self.beta), along(self.gamma), self.epsilon
        )
        return y, mean, variance


def dtype_of_half(dtype: Any) -> bool:
    """Whether a dtype is one of 16 bits, whose statistics are kept in float32."""
    return dtype is not None and dtype.name in ("float16", "bfloat16")


def batch_normalization(
    inputs,
    axis=-1,
    momentum=0.99,
    epsilon=1e-3,
    center=True,
    scale=True,
    beta_initializer=_ZEROS,
    gamma_initializer=_ONES,
    moving_mean_initializer=_ZEROS,
    moving_variance_initializer=_ONES,
    beta_regularizer=None,
    gamma_regularizer=None,
    beta_constraint=None,
    gamma_constraint=None,
    training=False,
    trainable=True,
    name=None,
    reuse=None,
    renorm=False,
    renorm_clipping=None,
    renorm_momentum=0.99,
    fused=None,
    virtual_batch_size=None,
    adjustment=None,
):
    """gamma · (inputs - mean) / sqrt(variance + epsilon) + beta, with a mean and a variance for each channel.

    In training they are those of the inputs, and the operations that make the moving ones follow them go to the
    collection ``UPDATE_OPS``: a training must run these too. Else they are the moving ones.

    Args:
      inputs: of known rank, floating-point.
      axis: that of the channels, or several.
      momentum: moving = moving · momentum + new · (1 - momentum).
      epsilon: added to the variance.
      center, scale: whether there is a beta, and a gamma.
      beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer: of the variables.
      beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint: see `tf.layers.dense`.
      training: a bool, or a boolean tensor.
      trainable, name, reuse: see `tf.layers.dense`.
      fused: whether the moving variance is the unbiased one, as by `tf.nn.fused_batch_norm`; by default for images.
      renorm, renorm_clipping, renorm_momentum, virtual_batch_size, adjustment: must be left as they are.

    Raises:
      ValueError: an axis that there is not, or of unknown size; ``renorm``, ``virtual_batch_size`` or ``adjustment``.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.layers.batch_normalization(tf.placeholder(tf.float32, [None, 4]), training=True)
    ...     [v.name for v in tf.trainable_variables()], len(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    (['batch_normalization/gamma:0', 'batch_normalization/beta:0'], 2)

    As TensorFlow 1.15.
    """
    if renorm or virtual_batch_size is not None or adjustment is not None:
        raise ValueError(
            f"Expected batch_normalization without renorm, virtual_batch_size and adjustment, received "
            f"renorm={renorm}, virtual_batch_size={virtual_batch_size}, adjustment={adjustment}: gradtape normalizes "
            f"whole batches by "
            f"their own statistics. Leave these arguments out."
        )
    layer = BatchNormalization(
        axis,
        momentum,
        epsilon,
        center,
        scale,
        beta_initializer,
        gamma_initializer,
        moving_mean_initializer,
        moving_variance_initializer,
        beta_regularizer,
        gamma_regularizer,
        beta_constraint,
        gamma_constraint,
        fused,
        trainable,
        name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs, training=training)
