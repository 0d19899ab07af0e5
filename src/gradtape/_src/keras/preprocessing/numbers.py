"""`Normalization` and `Discretization`: what they need to know of the data they learn by `adapt`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import maximum
from gradtape._src.api.arrays import reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import sqrt
from gradtape._src.api.sorting import searchsorted
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.values import Tensor
from gradtape._src.keras.preprocessing.categories import MODES, checked_mode, encoded, refuse_sparse
from gradtape._src.keras.preprocessing.data_layer import DataLayer, batches_of, first_of
from gradtape._src.keras.settings import epsilon as small_number


def _is_array(data: Any) -> bool:
    return isinstance(data, (np.ndarray, Tensor))


class Normalization(DataLayer):
    """(x - mean) / sqrt(variance), with the moments of the data that it was adapted to.

    Args:
      axis: the axes that have moments of their own; None: one mean for everything.
      mean, variance: the moments, in place of `adapt`.
      invert: whether to compute x * sqrt(variance) + mean instead.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.Normalization()
    >>> layer.adapt(np.array([[0.0, 7.0], [2.0, 9.0]]))
    >>> layer(np.array([[0.0, 9.0]])).numpy()
    array([[-1.,  1.]], dtype=float32)

    As Keras 3.
    """

    _config = ("invert",)

    def __init__(self, axis=-1, mean=None, variance=None, invert=False, **kwargs):
        super().__init__(**kwargs)
        self.axis = () if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
        self.input_mean, self.input_variance, self.invert = mean, variance, invert
        self.supports_masking = True
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )

    def build(self, input_shape):
        rank = len(input_shape)
        if any(not -rank <= axis < rank for axis in self.axis):
            raise ValueError(
                f"All `axis` values must be in the range [-ndim, ndim). Received inputs with ndim={rank}, while "
                f"axis={self.axis}"
            )
        self._kept = tuple(sorted(axis % rank for axis in self.axis))
        if any(input_shape[axis] is None for axis in self._kept):
            raise ValueError(
                f"All `axis` values to be kept must have a known shape. Received axis={self.axis}, "
                f"inputs.shape={tuple(input_shape)}"
            )
        self._broadcast = [n if i in self._kept else 1 for i, n in enumerate(input_shape)]
        shape = tuple(input_shape[axis] for axis in self._kept)
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(name="mean", shape=shape, initializer="zeros", trainable=False)
            self.adapt_variance = self.add_weight(
                name="variance", shape=shape, initializer="ones", trainable=False
            )
            self.count = self.add_weight(name="count", dtype="int32", initializer="zeros", trainable=False)

    @property
    def mean(self) -> Any:
        """The mean, of a shape that broadcasts to the inputs; None before the layer is built."""
        return self._moment("mean")

    @property
    def variance(self) -> Any:
        """The variance, of a shape that broadcasts to the inputs; None before the layer is built."""
        return self._moment("variance")

    def _moment(self, which: str) -> Any:
        if not self.built:
            return None
        given = getattr(self, f"input_{which}")
        if given is None:
            return cast(reshape(getattr(self, f"adapt_{which}"), self._broadcast), self.compute_dtype)
        values = np.asarray(given, as_dtype(self.compute_dtype).np)
        sizes = [self._broadcast[axis] for axis in self._kept]
        return reshape(np.broadcast_to(values, sizes).copy(), self._broadcast)

    def adapt(self, data):
        """Takes the mean and the variance from data: an array, a dataset or an iterable of batches."""
        if self.input_mean is not None:
            raise ValueError(
                "Cannot `adapt` a Normalization layer that has been given `mean` and `variance`."
            )
        spec = getattr(data, "element_spec", None)
        if spec is not None and len(first_of(spec).shape) == 1:
            data = data.batch(128)
        count, mean, variance = 0, 0.0, 0.0
        for batch in batches_of(data, None, _is_array):
            values = np.asarray(batch)
            if not self.built:
                self.build(values.shape)
            elif [n for i, n in enumerate(values.shape) if i in self._kept] != list(self.adapt_mean.shape):
                raise ValueError(
                    f"The layer was built for moments of shape {tuple(self.adapt_mean.shape)}, and is adapted to data "
                    f"of shape {values.shape}."
                )
            axes = tuple(i for i in range(values.ndim) if i not in self._kept)
            n = values.size // max(1, int(np.prod([values.shape[i] for i in self._kept])))
            values = values.astype(np.float64)
            new_mean, new_variance = values.mean(axes), values.var(axes)
            count += n
            share = n / count
            total = new_mean * share + mean * (1 - share)
            variance = (new_variance + (new_mean - total) ** 2) * share + (variance + (mean - total) ** 2) * (
                1 - share
            )
            mean = total
        if not count:
            raise ValueError(
                "adapt() received no data. Expected an array, a dataset or an iterable of batches."
            )
        for weight, value in ((self.adapt_mean, mean), (self.adapt_variance, variance)):
            weight.assign(np.asarray(value, weight.dtype.as_numpy_dtype))

    def finalize_state(self) -> None:
        """Is there for programs that assign the moments themselves."""

    def call(self, inputs):
        x = cast(inputs, self.compute_dtype)
        deviation = maximum(sqrt(self.variance), small_number())
        return x * deviation + self.mean if self.invert else (x - self.mean) / deviation

    def get_config(self):
        """The arguments that make a layer like this one."""
        moments = {
            name: None if value is None else np.asarray(value).tolist()
            for name, value in (("mean", self.input_mean), ("variance", self.input_variance))
        }
        return {**super().get_config(), "axis": self.axis, **moments}


class Discretization(DataLayer):
    """The number of the bin that a value falls into: bin i holds ``boundaries[i - 1] <= x < boundaries[i]``.

    Args:
      bin_boundaries: between the bins, in ascending order.
      num_bins: how many bins there are, with boundaries that `adapt` finds.
      epsilon: how exact the boundaries are to be: the share of the data by which they may be wrong.
      output_mode: "int", or as of `CategoryEncoding`.
      sparse: not supported.
      dtype, name: as of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Discretization([0.0, 1.0, 2.0])([-1.5, 0.0, 3.4, 0.5]).numpy()
    array([0, 1, 3, 1], dtype=int32)

    As Keras 3.
    """

    _config = ("bin_boundaries", "num_bins", "epsilon", "output_mode")
    summary: np.ndarray

    def __init__(
        self, bin_boundaries=None, num_bins=None, epsilon=0.01, output_mode="int", sparse=False, dtype=None,
        name=None, **kwargs,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype, **kwargs)
        refuse_sparse(sparse, "Discretization")
        if num_bins is not None and num_bins < 0:
            raise ValueError(
                f"`num_bins` must be greater than or equal to 0. Received: `num_bins={num_bins}`"
            )
        if (num_bins is None) == (bin_boundaries is None):
            raise ValueError(
                "Exactly one of `num_bins` and `bin_boundaries` must be set. Received: "
                f"num_bins={num_bins} and bin_boundaries={bin_boundaries}"
            )
        self.bin_boundaries = None if bin_boundaries is None else list(bin_boundaries)
        self.num_bins, self.epsilon = num_bins, epsilon
        self.output_mode = checked_mode(output_mode, MODES, "Discretization")
        self.reset_state()

    def adapt(self, data, steps=None):
        """Finds boundaries so that each bin has as many of the data: an array, or ``steps`` batches."""
        if self.num_bins is None:
            raise ValueError(
                "Cannot adapt a Discretization layer that has been initialized with `bin_boundaries`, use `num_bins` "
                "instead."
            )
        self.reset_state()
        for batch in batches_of(data, steps, _is_array):
            self.update_state(batch)
        self.finalize_state()

    def update_state(self, data):
        """Takes a batch into account."""
        self.__dict__["summary"] = merged(
            summary_of(np.asarray(data), self.epsilon), self.summary, self.epsilon
        )

    def finalize_state(self):
        """Finds the boundaries for what was seen."""
        if self.num_bins is not None:
            self.bin_boundaries = compressed(self.summary, 1.0 / self.num_bins)[0, :-1].tolist()

    def reset_state(self):
        """Forgets what was seen."""
        self.__dict__["summary"] = np.zeros((2, 0), np.float32)

    def call(self, inputs):
        if self.bin_boundaries is None:
            raise ValueError(
                "You need to either pass the `bin_boundaries` argument at construction time or call `adapt(dataset)` "
                "before you can start using the `Discretization` layer."
            )
        edges = np.asarray(self.bin_boundaries, np.float32)
        x = cast(inputs, "float32")
        bins = reshape(searchsorted(edges, reshape(x, [-1]), side="right"), shape_of_tensor(x))
        dtype = int32 if self.output_mode == "int" else self.compute_dtype
        return encoded(bins, self.output_mode, len(self.bin_boundaries) + 1, dtype)

    @classmethod
    def from_config(cls, config):
        """The layer of `get_config`, which after `adapt` has both boundaries and their number."""
        config = dict(config)
        found = config.pop("bin_boundaries") if config.get("num_bins") is not None else None
        layer = cls(**config)
        if found is not None:
            layer.bin_boundaries = found
        return layer


# --- Summaries of data: some of its values, in order, and how many each stands for ---------------------------


def summary_of(values: np.ndarray, epsilon: float) -> np.ndarray:
    """Values of a batch at equal distances, with what each stands for."""
    values = np.sort(values.astype(np.float32).reshape(-1))
    step = max(values.size * epsilon, 1)
    some = values[int(step - 1) :: int(step)]
    return np.stack([some, np.full_like(some, step)])


def merged(a: np.ndarray, b: np.ndarray, epsilon: float) -> np.ndarray:
    """The summary of two."""
    both = np.concatenate([a, b], axis=1)
    return compressed(both[:, np.argsort(both[0])], epsilon)


def compressed(summary: np.ndarray, epsilon: float) -> np.ndarray:
    """A summary of about 1 / epsilon values, interpolated between the old ones."""
    if summary.shape[1] * epsilon < 1:
        return summary
    shares = epsilon + np.arange(0.0, 1.0, epsilon)
    heights = summary[1].cumsum()
    values = np.interp(shares, heights / heights[-1], summary[0])
    weights = np.diff(np.interp(shares, heights / heights[-1], heights), prepend=0)
    return np.stack([values, weights]).astype(np.float32)
