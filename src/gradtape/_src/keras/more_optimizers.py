"""Keras's optimizers that scale by sums over all steps, and by signs: Adagrad, Adadelta, Adafactor, Ftrl, Lion, Lamb.

In the formulas g is the gradient, t the number of the step from 1 on; for `tf.IndexedSlices` see `optimizers.py`.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from gradtape._src.keras.initializers import Constant
from gradtape._src.keras.optimizers import squares_of
from gradtape._src.keras.rule_optimizer import RuleOptimizer, missing, move


class Adagrad(RuleOptimizer):
    """``a += g**2; v -= learning_rate * g / sqrt(a + epsilon)``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      initial_accumulator_value: where a begins.
      epsilon: keeps the divisor from 0.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Adagrad(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9012

    J. Duchi et al., "Adaptive subgradient methods", JMLR 12, 2011. As Keras 3.
    """

    _hyperparameters = ("initial_accumulator_value", "epsilon")
    _slot_names = (("accumulator",),)
    _rows_only = True

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def _initial(self, slot):
        return Constant(self.initial_accumulator_value)

    def _rule(self, value, slots, gradient, rate, count, slices):
        (a,) = slots
        if slices is not None:
            rows = slices.rows
            a[rows] += slices.of_rows(np.square)
            value[rows] -= slices.of_rows() * rate / np.sqrt(a[rows] + self.epsilon)
            return value
        step = gradient * gradient
        np.add(a, step, out=a)
        np.add(a, self.epsilon, out=step)
        np.sqrt(step, out=step)
        np.divide(gradient * rate, step, out=step)
        return np.subtract(value, step, out=step)


class Adadelta(RuleOptimizer):
    """Steps whose size comes from the running means of the squares of gradients, a, and of steps, b.

    ``a = rho * a + (1 - rho) * g**2; step = sqrt(b + epsilon) / sqrt(a + epsilon) * g;
    b = rho * b + (1 - rho) * step**2; v -= learning_rate * step``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      rho: of the running means.
      epsilon: keeps the divisor from 0.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Adadelta(1.0).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9986

    M. Zeiler, "ADADELTA", arXiv:1212.5701. As Keras 3.
    """

    _hyperparameters = ("rho", "epsilon")
    _slot_names = (("accumulated_grad", "accumulated_delta_var"),)

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.rho, self.epsilon = rho, epsilon

    def _rule(self, value, slots, gradient, rate, count, slices):
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        a, b = slots
        move(a, squares.copy(), 1 - self.rho)
        scale = np.sqrt(b + self.epsilon) / np.sqrt(a + self.epsilon)
        move(b, scale * scale * squares, 1 - self.rho)
        np.multiply(scale, gradient, out=scale)
        np.multiply(scale, rate, out=scale)
        return np.subtract(value, scale, out=scale)


class Adafactor(RuleOptimizer):
    """Adam without momentum, which keeps of the mean squares of a matrix only those of its rows and columns.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      beta_2_decay: the running means have ``beta_2 = 1 - t**beta_2_decay``.
      epsilon_1: is added to the squares.
      epsilon_2: the least scale of a variable.
      clip_threshold: the largest root mean square of a step.
      relative_step: whether the rate is at most ``1 / sqrt(t)``.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Adafactor(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9

    N. Shazeer and M. Stern, "Adafactor", arXiv:1804.04235. As Keras 3.
    """

    _hyperparameters = ("beta_2_decay", "epsilon_1", "epsilon_2", "clip_threshold", "relative_step")

    def __init__(
        self,
        learning_rate=0.001,
        beta_2_decay=-0.8,
        epsilon_1=1e-30,
        epsilon_2=0.001,
        clip_threshold=1.0,
        relative_step=True,
        **kwargs,
    ):
        super().__init__(learning_rate, **kwargs)
        self.beta_2_decay, self.epsilon_1, self.epsilon_2 = beta_2_decay, epsilon_1, epsilon_2
        self.clip_threshold, self.relative_step = clip_threshold, relative_step

    def _make_slots(self, variables):
        slots: list[tuple[Any, ...]] = []
        for v in variables:
            shape = tuple(v.shape)
            if len(shape) < 2:
                slots.append((self.add_variable_from_reference(v, "velocity"),))
            else:
                rows = self.add_variable(shape[:-1], dtype=v.dtype, name="row_means")
                columns = self.add_variable(shape[:-2] + shape[-1:], dtype=v.dtype, name="column_means")
                slots.append((rows, columns))
        return slots

    def _rule(self, value, slots, gradient, rate, count, slices):
        t = count + 1
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        if self.relative_step and not self._scheduled:
            rate = min(rate, 1 / sqrt(t))
        rate = min(rate, 1 / sqrt(t)) * max(self.epsilon_2, _rms(value))
        regular = squares + self.epsilon_1
        part = t**self.beta_2_decay
        if len(slots) == 2:
            rows, columns = slots
            move(rows, regular.mean(-1), part)
            move(columns, regular.mean(-2), part)
            means = (rows / rows.mean(-1, keepdims=True))[..., None] * columns[..., None, :]
        else:
            (means,) = slots
            move(means, regular, part)
        size = sqrt(float(np.mean(squares / means)))
        step = gradient / np.sqrt(means) * (rate / max(1.0, size / self.clip_threshold))
        return value - step


def _rms(x: np.ndarray) -> float:
    return sqrt(float(np.mean(x * x)))


class Ftrl(RuleOptimizer):
    """Follow the regularized leader: makes weights exactly 0.

    ``g' = g + 2 * l2_shrinkage * v; n' = n + g**2; z += g' - (n'**-p - n**-p) / lr * v;
    v = (clip(z, -l1, l1) - z) / (n'**-p / lr + 2 * l2 + beta / lr); n = n'``, p being ``learning_rate_power``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      learning_rate_power: p, at most 0.
      initial_accumulator_value: where n begins.
      l1_regularization_strength, l2_regularization_strength, l2_shrinkage_regularization_strength, beta: from 0 on.

    Raises:
      ValueError: a number out of range.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Ftrl(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.7451

    H. McMahan et al., "Ad click prediction", 2013. As Keras 3.
    """

    _hyperparameters = (
        "learning_rate_power",
        "initial_accumulator_value",
        "l1_regularization_strength",
        "l2_regularization_strength",
        "l2_shrinkage_regularization_strength",
        "beta",
    )
    _slot_names = (("accumulator", "linear"),)

    def __init__(
        self,
        learning_rate=0.001,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        l2_shrinkage_regularization_strength=0.0,
        beta=0.0,
        **kwargs,
    ):
        given = locals()
        for name in self._hyperparameters[1:5]:
            if given[name] < 0.0:
                raise ValueError(f"`{name}` needs to be positive or zero. Received: {name}={given[name]}.")
        if learning_rate_power > 0.0:
            raise ValueError(
                "`learning_rate_power` needs to be negative or zero. Received: "
                f"learning_rate_power={learning_rate_power}."
            )
        super().__init__(learning_rate, **kwargs)
        for name in self._hyperparameters:
            setattr(self, name, given[name])
        self._power, self._beta = -learning_rate_power, beta
        self._initial_sum = initial_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._shrinkage = l2_shrinkage_regularization_strength

    def _initial(self, slot):
        return Constant(self._initial_sum) if slot == "accumulator" else "zeros"

    def _rule(self, value, slots, gradient, rate, count, slices):
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        n, z = slots
        new = n + squares
        high, low = new**self._power, n**self._power
        np.add(z, gradient + 2 * self._shrinkage * value - (high - low) / rate * value, out=z)
        n[...] = new
        quadratic = high / rate + 2 * (self._l2 + self._beta / (2 * rate))
        return (np.clip(z, -self._l1, self._l1) - z) / quadratic


class Lion(RuleOptimizer):
    """Steps by signs: ``v -= learning_rate * sign(beta_1 * m + (1 - beta_1) * g); m = beta_2 * m + (1 - beta_2) * g``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      beta_1, beta_2: of the running means.

    Raises:
      ValueError: beta_1 is not in (0, 1].

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Lion(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> v.numpy()
    np.float32(0.9)

    X. Chen et al., "Symbolic discovery of optimization algorithms", arXiv:2302.06675. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2")
    _slot_names = (("momentum",),)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.99, **kwargs):
        if beta_1 <= 0 or beta_1 > 1:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer degenerates to SignSGD. "
                f"Received: beta_1={beta_1}."
            )
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2 = beta_1, beta_2

    def _rule(self, value, slots, gradient, rate, count, slices):
        gradient = gradient if slices is None else slices.dense()
        (m,) = slots
        step = m * self.beta_1
        step += gradient * (1 - self.beta_1)
        np.sign(step, out=step)
        np.multiply(step, rate, out=step)
        np.multiply(m, self.beta_2, out=m)
        np.add(m, gradient * (1 - self.beta_2), out=m)
        return np.subtract(value, step, out=step)


class Lamb(RuleOptimizer):
    """Adam whose step on a variable is as long as the variable, times the rate: for large batches.

    Args: see `tf.keras.optimizers.Adam`.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Lamb(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> v.numpy()
    np.float32(0.9)

    Y. You et al., "Large batch optimization for deep learning", arXiv:1904.00962. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2", "epsilon")
    _slot_names = (("momentum", "velocity"),)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _rule(self, value, slots, gradient, rate, count, slices):
        t = count + 1
        squares = squares_of(gradient, slices)
        m, s = slots
        move(m, gradient.copy() if slices is None else slices.dense(), 1 - self.beta_1)
        move(s, squares, 1 - self.beta_2)
        root = np.sqrt(s / missing(self.beta_2, t, value.dtype)) + self.epsilon
        step = m / missing(self.beta_1, t, value.dtype) / root
        long, short = float(np.sum(value * value)), float(np.sum(step * step))
        return value - step * (rate * sqrt(long / short) if long > 0 and short > 0 else rate)
