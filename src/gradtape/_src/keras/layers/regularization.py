"""Noise while training: dropout and its kin; and a penalty of the activity."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import nn_dropout
from gradtape._src.api import random as graph_random
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.selection import where
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor
from gradtape._src.function.func_graph import root_graph
from gradtape._src.keras import random, regularizers
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.settings import image_data_format


class NoiseLayer(Layer):
    """A layer that changes its inputs at random while training, and passes them on otherwise."""

    def __init__(self, strength: Any, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seed, self.supports_masking = seed, True
        # Without noise no seed is drawn: a global one counts them. In a graph of the user's nothing would count the
        # calls of a generator up; there the graph's own seeds are used.
        drawn = strength > 0 and root_graph() is None
        self.seed_generator = random.SeedGenerator(seed) if drawn else None

    def call(self, inputs, training=False):
        if isinstance(training, Tensor):
            return cond(training, lambda: self._noisy(inputs), lambda: inputs)
        return self._noisy(inputs) if training else inputs

    _noisy: Any  # a method: the changed inputs

    def _normal(self, x: Any, mean: float, deviation: float) -> Any:
        """Normal numbers like x."""
        if root_graph() is not None:
            return graph_random.normal(shape_of_tensor(x), mean, deviation, x.dtype, self.seed)
        return random.normal(shape_of_tensor(x), mean, deviation, x.dtype, self._generator())

    def _generator(self) -> Any:
        if self.seed_generator is None:
            self.seed_generator = random.SeedGenerator(self.seed)
        return self.seed_generator


def checked_rate(rate: Any) -> Any:
    """A probability.

    Raises:
      ValueError: it is none.
    """
    if not 0 <= rate <= 1:
        raise ValueError(
            f"Invalid value received for argument `rate`. Expected a float value between 0 and 1. Received: rate={rate}"
        )
    return rate


class Dropout(NoiseLayer):
    """While training, sets elements to 0 with the probability ``rate``, and divides the others by ``1 - rate``.

    Args:
      rate: in [0, 1].
      noise_shape: broadcasts to the shape of the inputs; where it is 1, elements go together.
      seed: an integer.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.Dropout(0.5, seed=1)
    >>> x = tf.ones([4])
    >>> layer(x) is x, sorted(set(layer(x, training=True).numpy().tolist()) | {0.0, 2.0})
    (True, [0.0, 2.0])

    N. Srivastava et al., "Dropout", JMLR 15, 2014.
    """

    _config = ("rate", "noise_shape", "seed")

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(checked_rate(rate), seed, **kwargs)
        self.rate, self.noise_shape = rate, noise_shape

    def _noisy(self, x):
        if self.rate == 0:
            return x
        if root_graph() is not None:
            return nn_dropout.dropout(x, self.rate, self._shape(x), self.seed)
        return random.dropout(x, self.rate, self._shape(x), self._generator())

    def _shape(self, x: Any) -> Any:
        return self.noise_shape


class _SpatialDropout(Dropout):
    """Dropout of whole channels."""

    _config = ("data_format",)
    _rank: int

    def __init__(self, rate, data_format=None, seed=None, name=None, dtype=None, **kwargs):
        super().__init__(rate, seed=seed, name=name, dtype=dtype, **kwargs)
        self.data_format = data_format or image_data_format()

    def _shape(self, x):
        dims = shape_of_tensor(x)
        ones = [1] * self._rank
        if self.data_format == "channels_first":
            return [dims[0], dims[1], *ones]
        return [dims[0], *ones, dims[-1]]


class SpatialDropout1D(_SpatialDropout):
    """`Dropout` of whole channels of (batch, steps, channels)."""

    _rank = 1

    def __init__(self, rate, seed=None, name=None, dtype=None, **kwargs):
        super().__init__(rate, "channels_last", seed, name, dtype, **kwargs)

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {key: value for key, value in super().get_config().items() if key != "data_format"}


class SpatialDropout2D(_SpatialDropout):
    """`Dropout` of whole channels of images."""

    _rank = 2


class SpatialDropout3D(_SpatialDropout):
    """`Dropout` of whole channels of volumes."""

    _rank = 3


class GaussianNoise(NoiseLayer):
    """While training, adds normal numbers of standard deviation ``stddev``.

    >>> import gradtape as tf
    >>> tf.keras.layers.GaussianNoise(0.1)(tf.ones([2])).numpy()
    array([1., 1.], dtype=float32)
    """

    _config = ("stddev", "seed")

    def __init__(self, stddev, seed=None, **kwargs):
        super().__init__(stddev, seed, **kwargs)
        if not 0 <= stddev <= 1:
            raise ValueError(
                f"Invalid value received for argument `stddev`. Expected a float value between 0 and 1. Received: "
                f"stddev={stddev}"
            )
        self.stddev = stddev

    def _noisy(self, x):
        return x + self._normal(x, 0.0, self.stddev) if self.stddev else x


class GaussianDropout(NoiseLayer):
    """While training, multiplies by normal numbers of mean 1 and variance rate / (1 - rate).

    >>> import gradtape as tf
    >>> tf.keras.layers.GaussianDropout(0.1)(tf.ones([2])).numpy()
    array([1., 1.], dtype=float32)
    """

    _config = ("rate", "seed")

    def __init__(self, rate, seed=None, **kwargs):
        super().__init__(checked_rate(rate), seed, **kwargs)
        self.rate = rate

    def _noisy(self, x):
        if self.rate == 0:
            return x
        deviation = (self.rate / (1.0 - self.rate)) ** 0.5
        return x * self._normal(x, 1.0, deviation)


_SELU_FLOOR = -1.6732632423543772 * 1.0507009873554805  # what `selu` approaches at -infinity


class AlphaDropout(Dropout):
    """Dropout for layers with the activation "selu": keeps mean 0 and variance 1.

    Dropped elements become the least value of `selu`, and then all are shifted and scaled.

    Args: those of `Dropout`.

    >>> import gradtape as tf
    >>> tf.keras.layers.AlphaDropout(0.1)(tf.ones([2])).numpy()
    array([1., 1.], dtype=float32)

    G. Klambauer et al., "Self-normalizing neural networks", 2017. As Keras 3.
    """

    def _noisy(self, x):
        if self.rate == 0:
            return x
        shape = shape_of_tensor(x) if self.noise_shape is None else self._shape(x)
        scale = ((1 - self.rate) * (1 + self.rate * _SELU_FLOOR**2)) ** -0.5
        kept = where(self._uniform(shape, x.dtype) >= self.rate, x, as_tensor(_SELU_FLOOR, x.dtype))
        return scale * kept - scale * _SELU_FLOOR * self.rate

    def _uniform(self, shape: Any, dtype: Any) -> Any:
        if root_graph() is not None:
            return graph_random.uniform(shape, 0, None, dtype, self.seed)
        return random.uniform(shape, 0.0, 1.0, dtype, self._generator())


class ActivityRegularization(Layer):
    """Passes its inputs on, and adds l1 * sum(abs(x)) + l2 * sum(x ** 2) to the losses.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.ActivityRegularization(l2=0.5)
    >>> _ = layer(tf.constant([2.0]))
    >>> [loss.numpy().item() for loss in layer.losses]
    [2.0]
    """

    _config = ("l1", "l2")

    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking, self.l1, self.l2 = True, l1, l2

    def call(self, inputs):
        return inputs
