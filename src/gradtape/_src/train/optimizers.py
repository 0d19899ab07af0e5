"""The optimizers of TensorFlow 1. Each rule is that of TensorFlow's kernel, to the order of its operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.api.graphs import control_dependencies, group
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.train.optimizer import RuleOptimizer
from gradtape._src.train.slots import constant_like


def _descent(value: Any, g: Any, rate: Any) -> Sequence[Any]:
    return [value - g * rate]


def _momentum(value: Any, total: Any, g: Any, rate: Any, momentum: Any) -> Sequence[Any]:
    total = total * momentum + g
    return value - total * rate, total


def _nesterov(value: Any, total: Any, g: Any, rate: Any, momentum: Any) -> Sequence[Any]:
    total = total * momentum + g
    return value - (g * rate + total * momentum * rate), total


def _adam(value: Any, m: Any, v: Any, g: Any, power1: Any, power2: Any, *numbers: Any) -> Sequence[Any]:
    rate, beta1, beta2, epsilon = numbers
    rate = rate * np.sqrt(1 - power2) / (1 - power1)
    m = m + (g - m) * (1 - beta1)
    v = v + (g * g - v) * (1 - beta2)
    return value - rate * m / (np.sqrt(v) + epsilon), m, v


def _rms(
    value: Any, ms: Any, step: Any, g: Any, rate: Any, decay: Any, momentum: Any, epsilon: Any
) -> Sequence[Any]:
    ms = ms + (g * g - ms) * (1 - decay)
    step = step * momentum + g * rate / np.sqrt(ms + epsilon)
    return value - step, ms, step


def _centered(
    value: Any, mg: Any, ms: Any, step: Any, g: Any, rate: Any, decay: Any, momentum: Any, epsilon: Any
) -> Sequence[Any]:
    ms = ms + (g * g - ms) * (1 - decay)
    mg = mg + (g - mg) * (1 - decay)
    step = step * momentum + g * rate / np.sqrt(ms - mg * mg + epsilon)
    return value - step, mg, ms, step


def _adagrad(value: Any, total: Any, g: Any, rate: Any) -> Sequence[Any]:
    total = total + g * g
    return value - g * rate / np.sqrt(total), total


def _adadelta(value: Any, total: Any, steps: Any, g: Any, rate: Any, rho: Any, epsilon: Any) -> Sequence[Any]:
    total = total * rho + g * g * (1 - rho)
    step = np.sqrt(steps + epsilon) / np.sqrt(total + epsilon) * g
    return value - step * rate, total, steps * rho + step * step * (1 - rho)


class GradientDescentOptimizer(RuleOptimizer):
    """Gradient descent: ``v -= learning_rate * g``.

    Args:
      learning_rate: a number, a tensor, a variable, or a function without arguments that gives it.
      use_locking: without effect.
      name: of the operations.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> tf.train.GradientDescentOptimizer(0.1).minimize(lambda: v * v)
    >>> v.numpy()
    np.float32(2.4)

    As TensorFlow 2.21 (1.15).
    """

    _kind = "GradientDescent"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _numbers(self):
        return [self._learning_rate]

    def _rule(self):
        return _descent


class MomentumOptimizer(RuleOptimizer):
    """Gradient descent with momentum: ``a = momentum * a + g; v -= learning_rate * a``.

    Args:
      learning_rate, momentum: numbers, tensors, variables, or functions without arguments that give them.
      use_locking: without effect.
      name: of the operations and slots.
      use_nesterov: ``v -= learning_rate * (g + momentum * a)`` instead.

    The slot ``"momentum"`` is a.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    >>> optimizer.minimize(lambda: v * v)
    >>> optimizer.get_slot(v, "momentum").numpy()
    np.float32(6.0)

    As TensorFlow 2.21 (1.15).
    """

    _kind = "Momentum"
    _slot_names = ("momentum",)

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _numbers(self):
        return [self._learning_rate, self._momentum]

    def _rule(self):
        return _nesterov if self._use_nesterov else _momentum


class AdamOptimizer(RuleOptimizer):
    """Adam: steps by the running mean of the gradient over the root of that of its square.

    With t the number of the step, ``m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g**2;
    var -= learning_rate * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + epsilon)``.

    Args:
      learning_rate, beta1, beta2, epsilon: numbers, tensors, variables, or functions that give them.
      use_locking, use_own_namescope_for_non_slot_vars: without effect.
      name: of the operations and slots.

    The slots are ``"m"`` and ``"v"``. Where a gradient has only some rows, the means of the others decay too.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> tf.train.AdamOptimizer(0.1).minimize(lambda: v * v)
    >>> v.numpy()
    np.float32(2.9)

    As TensorFlow 2.21 (1.15).
    """

    _kind = "Adam"
    _slot_names = ("m", "v")
    _all_rows = True

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="Adam",
        use_own_namescope_for_non_slot_vars=False,
    ):
        super().__init__(use_locking, name, use_own_namescope_for_non_slot_vars)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon

    def _get_beta_accumulators(self) -> list[Any]:
        with init_scope():
            graph = current_graph()
        return [self._get_non_slot_variable(name, graph) for name in ("beta1_power", "beta2_power")]

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for name, beta in (("beta1_power", self._beta1), ("beta2_power", self._beta2)):
            self._create_non_slot_variable(beta, name, first)
        super()._create_slots(var_list)

    def _numbers(self):
        return [*self._get_beta_accumulators(), self._lr, self._beta1, self._beta2, self._epsilon]

    def _rule(self):
        return _adam

    def _finish(self, update_ops, name_scope):
        betas = self._tensors[3:5]
        with control_dependencies([op for op in update_ops if op is not None]):
            powers = [
                power.assign(power * beta, read_value=False)
                for power, beta in zip(self._get_beta_accumulators(), betas)
            ]
        return group(*update_ops, *powers, name=name_scope)


class RMSPropOptimizer(RuleOptimizer):
    """RMSProp: steps by the gradient over the root of the running mean of its square.

    ``rms = decay * rms + (1 - decay) * g**2; m = momentum * m + learning_rate * g / sqrt(rms + epsilon); v -= m``.

    Args:
      learning_rate, decay, momentum, epsilon: numbers, tensors, variables, or functions that give them.
      use_locking: without effect.
      centered: whether to subtract the square of the gradient's running mean from ``rms`` in the root.
      name: of the operations and slots.

    The slots are ``"rms"`` (ones at first), ``"momentum"``, and ``"mg"`` if it is centered.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> tf.train.RMSPropOptimizer(0.1).minimize(lambda: v * v)
    >>> print(v)
    <tf.Variable ... shape=() dtype=float32, numpy=2.71...>

    As TensorFlow 2.21 (1.15).
    """

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon = (
            learning_rate,
            decay,
            momentum,
            epsilon,
        )
        self._centered = centered
        self._kind = "CenteredRMSProp" if centered else "RMSProp"
        self._slot_names = ("mg", "rms", "momentum") if centered else ("rms", "momentum")

    def _create_slots(self, var_list):
        for v in var_list:
            self._get_or_make_slot(v, constant_like(v, 1.0), "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _numbers(self):
        return [self._learning_rate, self._decay, self._momentum, self._epsilon]

    def _rule(self):
        return _centered if self._centered else _rms


class AdagradOptimizer(RuleOptimizer):
    """Adagrad: ``a += g**2; v -= learning_rate * g / sqrt(a)``.

    Args:
      learning_rate: a number, a tensor, a variable, or a function without arguments that gives it.
      initial_accumulator_value: where the slot ``"accumulator"``, a, begins.
      use_locking: without effect.
      name: of the operations and slots.

    Raises:
      ValueError: ``initial_accumulator_value`` is not positive.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> optimizer = tf.train.AdagradOptimizer(0.1, initial_accumulator_value=1.0)
    >>> optimizer.minimize(lambda: v * v)
    >>> optimizer.get_slot(v, "accumulator").numpy()
    np.float32(37.0)

    As TensorFlow 2.21 (1.15).
    """

    _kind = "Adagrad"
    _slot_names = ("accumulator",)

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list):
        for v in var_list:
            initial = constant_like(v, self._initial_accumulator_value)
            self._get_or_make_slot(v, initial, "accumulator", self._name)

    def _numbers(self):
        return [self._learning_rate]

    def _rule(self):
        return _adagrad


class AdadeltaOptimizer(RuleOptimizer):
    """Adadelta: steps whose size comes from the running means of the squares of gradients and of steps.

    ``a = rho * a + (1 - rho) * g**2; step = sqrt(b + epsilon) / sqrt(a + epsilon) * g;
    b = rho * b + (1 - rho) * step**2; v -= learning_rate * step``.

    Args:
      learning_rate, rho, epsilon: numbers, tensors, variables, or functions without arguments that give them.
      use_locking: without effect.
      name: of the operations and slots.

    The slots are ``"accum"``, a, and ``"accum_update"``, b.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(3.0)
    >>> optimizer = tf.train.AdadeltaOptimizer(1.0)
    >>> optimizer.minimize(lambda: v * v)
    >>> optimizer.get_slot_names()
    ['accum', 'accum_update']

    As TensorFlow 2.21 (1.15).
    """

    _kind = "Adadelta"
    _slot_names = ("accum", "accum_update")

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"):
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _numbers(self):
        return [self._lr, self._rho, self._epsilon]

    def _rule(self):
        return _adadelta
