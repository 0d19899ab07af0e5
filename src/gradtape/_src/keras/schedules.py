"""``tf.keras.optimizers.schedules``: learning rates that depend on the step. The formulas are in `train/decays.py`."""

from __future__ import annotations

import math
from typing import Any, Self

from gradtape._src.api.arithmetic import pow as power
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import cos, floor, log
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.values import dtype_of
from gradtape._src.keras.serialization import Family, serialize_keras_object
from gradtape._src.train import decays


class LearningRateSchedule:
    """A learning rate for each step; a subclass defines ``__call__(self, step)``.

    >>> import gradtape as tf
    >>> class Halves(tf.keras.optimizers.schedules.LearningRateSchedule):
    ...     def __call__(self, step):
    ...         return 1.0 / 2.0 ** tf.cast(step, tf.float32)
    >>> optimizer = tf.keras.optimizers.SGD(Halves())
    >>> optimizer.learning_rate.numpy()
    np.float32(1.0)
    """

    _arguments: tuple[str, ...] = ()

    def __call__(self, step: Any) -> Any:
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `__call__(self, step)`."
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        if not self._arguments:
            raise NotImplementedError(
                f"Learning rate schedule '{type(self).__name__}' must override `get_config()` in order to be "
                "serializable."
            )
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The schedule of `get_config`."""
        return cls(**config)


def _positive(value: Any, name: str) -> Any:
    if value <= 0:
        raise ValueError(f"Argument `{name}` must be > 0. Received: {name}={value}")
    return value


class ExponentialDecay(LearningRateSchedule):
    """``initial_learning_rate * decay_rate ** (step / decay_steps)``.

    ``staircase`` rounds the exponent down.

    Raises:
      ValueError: ``decay_steps`` is not positive.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.ExponentialDecay(1.0, 10, 0.5)(20).numpy()
    np.float32(0.25)
    """

    _arguments = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")

    def __init__(
        self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name="ExponentialDecay"
    ):
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self.decay_steps, self.staircase, self.name = _positive(decay_steps, "decay_steps"), staircase, name

    def __call__(self, step):
        with scope_of(self.name):
            return decays.exponential(
                self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase
            )


class InverseTimeDecay(LearningRateSchedule):
    """``initial_learning_rate / (1 + decay_rate * step / decay_steps)``; see `ExponentialDecay`.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.InverseTimeDecay(1.0, 10, 0.5)(20).numpy()
    np.float32(0.5)
    """

    _arguments = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")

    def __init__(
        self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name="InverseTimeDecay"
    ):
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self.decay_steps, self.staircase, self.name = _positive(decay_steps, "decay_steps"), staircase, name

    def __call__(self, step):
        with scope_of(self.name):
            return decays.inverse_time(
                self.initial_learning_rate, step, self.decay_steps, self.decay_rate, self.staircase
            )


class PolynomialDecay(LearningRateSchedule):
    """``(initial - end) * (1 - min(step, decay_steps) / decay_steps) ** power + end``.

    ``cycle`` begins anew where ``decay_steps`` are over, with a multiple of them.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.PolynomialDecay(1.0, 10, 0.0)(5).numpy()
    np.float32(0.5)
    """

    _arguments = ("initial_learning_rate", "decay_steps", "end_learning_rate", "power", "cycle", "name")

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        end_learning_rate=0.0001,
        power=1.0,
        cycle=False,
        name="PolynomialDecay",
    ):
        self.initial_learning_rate, self.end_learning_rate = initial_learning_rate, end_learning_rate
        self.decay_steps, self.power = _positive(decay_steps, "decay_steps"), power
        self.cycle, self.name = cycle, name

    def __call__(self, step):
        with scope_of(self.name):
            return decays.polynomial(
                self.initial_learning_rate,
                step,
                self.decay_steps,
                self.end_learning_rate,
                self.power,
                self.cycle,
            )


class PiecewiseConstantDecay(LearningRateSchedule):
    """``values[i]`` for the first i with ``step <= boundaries[i]``, and the last value above all boundaries.

    Raises:
      ValueError: the number of values is not that of boundaries and one more.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.PiecewiseConstantDecay([5, 10], [1.0, 0.5, 0.1])(7).numpy()
    np.float32(0.5)
    """

    _arguments = ("boundaries", "values", "name")

    def __init__(self, boundaries, values, name="PiecewiseConstant"):
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={boundaries} of length {len(boundaries)}, and values={values} of length {len(values)}."
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step):
        with scope_of(self.name):
            boundaries, values = ([as_tensor(x) for x in xs] for xs in (self.boundaries, self.values))
            return decays.piecewise(step, boundaries, values)


class CosineDecay(LearningRateSchedule):
    """``initial * ((1 - alpha) * (1 + cos(pi * min(step, decay_steps) / decay_steps)) / 2 + alpha)``.

    With a ``warmup_target`` the rate grows linearly to it for ``warmup_steps``, and decays from there.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.CosineDecay(1.0, 10, alpha=0.25)(10).numpy()
    np.float32(0.25)

    I. Loshchilov and F. Hutter, "SGDR", arXiv:1608.03983.
    """

    _arguments = ("initial_learning_rate", "decay_steps", "alpha", "name", "warmup_target", "warmup_steps")

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        alpha=0.0,
        name="CosineDecay",
        warmup_target=None,
        warmup_steps=0,
    ):
        self.initial_learning_rate, self.decay_steps = (
            initial_learning_rate,
            _positive(decay_steps, "decay_steps"),
        )
        self.alpha, self.name = alpha, name
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    def __call__(self, step):
        with scope_of(self.name):
            if self.warmup_target is None:
                return decays.cosine(self.initial_learning_rate, step, self.decay_steps, self.alpha)
            first, step, ahead = _in_dtype(self.initial_learning_rate, step, self.warmup_steps)
            rising = first + (self.warmup_target - first) * (step / ahead)
            falling = decays.cosine(self.warmup_target, step - ahead, self.decay_steps, self.alpha)
            return where(step < ahead, rising, falling)


class CosineDecayRestarts(LearningRateSchedule):
    """A cosine decay that begins anew when it is over: ``t_mul`` times as long, from ``m_mul`` times the rate.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.schedules.CosineDecayRestarts(1.0, 10, m_mul=0.5)(10).numpy()
    np.float32(0.5)

    I. Loshchilov and F. Hutter, "SGDR", arXiv:1608.03983.
    """

    _arguments = ("initial_learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha", "name")

    def __init__(
        self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name="SGDRDecay"
    ):
        self.initial_learning_rate = initial_learning_rate
        self.first_decay_steps = _positive(first_decay_steps, "first_decay_steps")
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step):
        with scope_of(self.name):
            rate, step, first, t_mul = _in_dtype(
                self.initial_learning_rate, step, self.first_decay_steps, self.t_mul
            )
            done = step / first
            if self.t_mul == 1.0:
                restart = floor(done)
                done = done - restart
            else:
                restart = floor(log(1.0 - done * (1.0 - t_mul)) / log(t_mul))
                scale = power(t_mul, restart)
                done = (done - (1.0 - scale) / (1.0 - t_mul)) / scale
            height = 0.5 * power(as_tensor(self.m_mul, like=rate), restart) * (1.0 + cos(math.pi * done))
            return rate * ((1.0 - self.alpha) * height + self.alpha)


def _in_dtype(rate: Any, *others: Any) -> list[Any]:
    rate = as_tensor(rate)
    return [rate, *[cast(as_tensor(x), from_numpy(dtype_of(rate))) for x in others]]


_CLASSES = [
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    PiecewiseConstantDecay,
    PolynomialDecay,
]
_FAMILY = Family("learning rate schedule", "keras.optimizers.schedules", _CLASSES)


def serialize(learning_rate_schedule):
    """The configuration of a schedule."""
    return serialize_keras_object(learning_rate_schedule)


def deserialize(config, custom_objects=None):
    """The schedule of a configuration."""
    return _FAMILY.deserialize(config, custom_objects)
