"""Learning rates that depend on the step. In a graph a tensor; in eager mode a function that gives the rate now."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from gradtape._src.api.arithmetic import maximum, minimum
from gradtape._src.api.arithmetic import pow as power_of
from gradtape._src.api.casting import cast
from gradtape._src.api.elementwise import ceil, cos, exp, floor
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import dtype_of
from gradtape._src.graph.ir import current_graph


def _now_or_later(rate: Callable[..., Any], name: str, *args: Any) -> Any:
    def scheduled() -> Any:
        with scope_of(name):
            return rate(*args)

    return scheduled if current_graph() is None else scheduled()


def _in_dtype_of(rate: Any, *others: Any) -> tuple[Any, ...]:
    rate = as_tensor(rate)
    return rate, *[cast(x, from_numpy(dtype_of(rate))) for x in others]


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """``learning_rate * decay_rate ** (global_step / decay_steps)``.

    Args:
      learning_rate: the rate of step 0.
      global_step: the number of the step, a variable, a tensor or a number.
      decay_steps, decay_rate: numbers or tensors.
      staircase: whether to round the exponent down.
      name: of the name scope.

    Returns:
      A tensor; in eager mode a function without arguments, which optimizers call in each step.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.train.exponential_decay(1.0, 20, 10, 0.5)())
    tf.Tensor(0.25, shape=(), dtype=float32)

    As TensorFlow 2.21; TensorFlow 1.15 gives a tensor in graphs too.
    """
    return _now_or_later(
        exponential,
        name or "ExponentialDecay",
        learning_rate,
        global_step,
        decay_steps,
        decay_rate,
        staircase,
    )


def exponential(rate: Any, step: Any, decay_steps: Any, decay_rate: Any, staircase: bool) -> Any:
    rate, step, decay_steps, decay_rate = _in_dtype_of(rate, step, decay_steps, decay_rate)
    exponent = step / decay_steps
    return rate * power_of(decay_rate, floor(exponent) if staircase else exponent)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """``learning_rate * exp(-decay_rate * global_step / decay_steps)``; see `tf.train.exponential_decay`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.natural_exp_decay(1.0, 0, 10, 0.5)().numpy()
    np.float32(1.0)
    """
    factor = partial(exp, -as_tensor(decay_rate))
    return _now_or_later(
        lambda: exponential(learning_rate, global_step, decay_steps, factor(), staircase),
        name or "ExponentialDecay",
    )


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """``learning_rate / (1 + decay_rate * global_step / decay_steps)``; see `tf.train.exponential_decay`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.inverse_time_decay(1.0, 20, 10, 0.5)().numpy()
    np.float32(0.5)
    """
    args = (learning_rate, global_step, decay_steps, decay_rate, staircase)
    return _now_or_later(inverse_time, name or "InverseTimeDecay", *args)


def inverse_time(rate: Any, step: Any, decay_steps: Any, decay_rate: Any, staircase: bool) -> Any:
    rate, step, decay_steps, decay_rate = _in_dtype_of(rate, step, decay_steps, decay_rate)
    part = step / decay_steps
    return rate / (1 + decay_rate * (floor(part) if staircase else part))


def polynomial_decay(
    learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None
):
    """``(learning_rate - end) * (1 - min(global_step, decay_steps) / decay_steps) ** power + end``.

    cycle: whether to begin anew where ``decay_steps`` are over, with a multiple of them. See
    `tf.train.exponential_decay`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.polynomial_decay(1.0, 5, 10, 0.0)().numpy()
    np.float32(0.5)
    """
    args = (learning_rate, global_step, decay_steps, end_learning_rate, power, cycle)
    return _now_or_later(polynomial, name or "PolynomialDecay", *args)


def polynomial(rate: Any, step: Any, decay_steps: Any, end: Any, power: Any, cycle: bool) -> Any:
    rate, step, decay_steps, end, power = _in_dtype_of(rate, step, decay_steps, end, power)
    if cycle:
        times = ceil(step / decay_steps)
        decay_steps = decay_steps * maximum(times, as_tensor(1, like=times))
    else:
        step = minimum(step, decay_steps)
    return (rate - end) * power_of(1 - step / decay_steps, power) + end


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """``learning_rate * ((1 - alpha) * (1 + cos(pi * min(global_step, decay_steps) / decay_steps)) / 2 + alpha)``.

    See `tf.train.exponential_decay`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.cosine_decay(1.0, 10, 10, alpha=0.25)().numpy()
    np.float32(0.25)
    """
    return _now_or_later(cosine, name or "CosineDecay", learning_rate, global_step, decay_steps, alpha)


def cosine(rate: Any, step: Any, decay_steps: Any, alpha: Any) -> Any:
    rate, step, decay_steps = _in_dtype_of(rate, step, decay_steps)
    done = minimum(step, decay_steps) / decay_steps
    return rate * ((1 - alpha) * (0.5 * (1.0 + cos(math.pi * done))) + alpha)


def piecewise_constant(x, boundaries, values, name=None):
    """``values[i]`` for the first i with ``x <= boundaries[i]``, and the last value above all boundaries.

    Args:
      x: the number of the step.
      boundaries: numbers that increase, of the dtype of ``x``.
      values: one more than there are boundaries, all of one dtype.
      name: of the name scope.

    Raises:
      ValueError: a boundary or a value of another dtype, or a number of values that does not fit.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.piecewise_constant(7, [5, 10], [1.0, 0.5, 0.1])().numpy()
    np.float32(0.5)
    """
    boundaries = [as_tensor(b) for b in flatten(boundaries)]
    values = [as_tensor(v) for v in flatten(values)]
    if len(boundaries) != len(values) - 1:
        raise ValueError(
            "The length of boundaries should be 1 less than the length of values, received "
            f"{len(boundaries)} boundaries and {len(values)} values."
        )
    kind = from_numpy(dtype_of(as_tensor(x)))
    for b in boundaries:
        own = from_numpy(dtype_of(b))
        if own != kind and (own.name, kind.name) != ("int32", "int64"):
            raise ValueError(f"Boundaries ({own!r}) must have the same dtype as x ({kind!r}).")
    for v in values[1:]:
        if dtype_of(v) != dtype_of(values[0]):
            first, other = from_numpy(dtype_of(values[0])), from_numpy(dtype_of(v))
            raise ValueError(f"Values must have elements all with the same dtype ({first!r} vs {other!r}).")
    return _now_or_later(piecewise, name or "PiecewiseConstant", x, boundaries, values)


def piecewise(x: Any, boundaries: list[Any], values: list[Any]) -> Any:
    x = as_tensor(x)
    rate = values[-1]
    for b, v in zip(reversed(boundaries), reversed(values[:-1])):
        rate = where(x <= cast(b, from_numpy(dtype_of(x))), v, rate)
    return rate
