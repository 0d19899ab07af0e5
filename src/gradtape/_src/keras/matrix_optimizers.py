"""Keras's optimizers of 2024 and later: Muon, which makes steps on matrices orthogonal, and AdamW without a schedule.

In the formulas g is the gradient, t the number of the step from 1 on; for `tf.IndexedSlices` see `optimizers.py`.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import Any

import numpy as np

from gradtape._src.keras.optimizers import squares_of
from gradtape._src.keras.rule_optimizer import RuleOptimizer, missing, move


class Muon(RuleOptimizer):
    """Momentum made orthogonal for matrices, Adam for all other variables.

    ``m = momentum * m + g; u = g + momentum * m`` (without Nesterov ``u = m``);
    ``v -= learning_rate * rms_rate * sqrt(max(rows, columns)) * orthogonal(u)``, where `ns_steps` steps of Newton and
    Schulz, ``x = a x + (b x x' + c (x x')**2) x``, bring the singular values of ``u / |u|`` near 1.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all that is not named here.
      adam_beta_1, adam_beta_2, epsilon: of Adam.
      adam_weight_decay, weight_decay: of the variables for Adam, and of the matrices.
      exclude_layers: patterns: matrices with such a name go to Adam.
      exclude_embeddings: whether those with "embedding" in their name do.
      muon_a, muon_b, muon_c: a, b and c.
      adam_lr_ratio: what the rate is multiplied with for Adam.
      momentum, nesterov, ns_steps: see above.
      rms_rate: see above; None for a factor of 1.

    >>> import gradtape as tf
    >>> v = tf.Variable([[1.0, 0.0], [0.0, 1.0]])
    >>> _ = tf.keras.optimizers.Muon(0.1).apply_gradients([(tf.constant([[2.0, 0.0], [0.0, 2.0]]), v)])
    >>> print(v.numpy().round(2))
    [[0.97 0.  ]
     [0.   0.97]]

    K. Jordan, "Muon: an optimizer for hidden layers in neural networks", 2024; J. Liu et al., "Muon is scalable for
    LLM training", arXiv:2502.16982. As Keras 3.
    """

    _hyperparameters = (
        "adam_beta_1", "adam_beta_2", "epsilon", "exclude_layers", "muon_a", "muon_b", "muon_c", "adam_lr_ratio",
        "momentum", "ns_steps", "nesterov", "exclude_embeddings", "adam_weight_decay", "rms_rate",
    )  # fmt: skip

    def __init__(
        self, learning_rate=0.001, adam_beta_1=0.9, adam_beta_2=0.999, adam_weight_decay=0.004, epsilon=1e-7,
        weight_decay=0.004, *, exclude_layers=None, exclude_embeddings=True, muon_a=3.4445, muon_b=-4.7750,
        muon_c=2.0315, adam_lr_ratio=1, momentum=0.95, ns_steps=5, nesterov=True, rms_rate=0.2, **kwargs,
    ):  # fmt: skip
        super().__init__(learning_rate, weight_decay=weight_decay, **kwargs)
        self.adam_beta_1, self.adam_beta_2, self.epsilon = adam_beta_1, adam_beta_2, epsilon
        self.adam_weight_decay, self.adam_lr_ratio = adam_weight_decay, adam_lr_ratio
        self.exclude_layers, self.exclude_embeddings = exclude_layers or [], exclude_embeddings
        self.muon_a, self.muon_b, self.muon_c, self.ns_steps = muon_a, muon_b, muon_c, ns_steps
        self.momentum, self.nesterov, self.rms_rate = momentum, nesterov, rms_rate

    def _is_for_adam(self, variable: Any) -> bool:
        name = getattr(variable, "path", variable.name)
        if len(variable.shape) != 2 or (self.exclude_embeddings and "embedding" in name.lower()):
            return True
        return any(re.search(pattern, name) for pattern in self.exclude_layers)

    def _make_slots(self, variables):
        made = []
        for v in variables:
            names = ["momentum", "velocity"] if self._is_for_adam(v) else ["momentum"]
            made.append(tuple(slot for (slot,) in self.add_optimizer_variables([v], names)))
        return made

    def _decay_of(self, variable):
        return self.adam_weight_decay if self._is_for_adam(variable) else self.weight_decay

    def _rule(self, value, slots, gradient, rate, count, slices):
        squares = squares_of(gradient, slices)
        gradient = gradient.copy() if slices is None else slices.dense()
        m = slots[0]
        if len(slots) == 2:
            t = count + 1
            move(m, gradient, 1 - self.adam_beta_1)
            move(slots[1], squares, 1 - self.adam_beta_2)
            alpha = sqrt(missing(self.adam_beta_2, t, value.dtype)) / missing(
                self.adam_beta_1, t, value.dtype
            )
            return value - m * (rate * self.adam_lr_ratio * alpha) / (np.sqrt(slots[1]) + self.epsilon)
        np.multiply(m, self.momentum, out=m)
        np.add(m, gradient, out=m)
        size = 1.0 if self.rms_rate is None else self.rms_rate * sqrt(max(value.shape))
        return value - self._orthogonal(gradient + self.momentum * m if self.nesterov else m) * (rate * size)

    def _orthogonal(self, x: Any) -> Any:
        if x.shape[0] > x.shape[1]:
            return self._orthogonal(x.T).T
        x = x / (np.sqrt(np.sum(x * x)) + x.dtype.type(1e-7))
        for _ in range(self.ns_steps):
            square = x @ x.T
            x = self.muon_a * x + (self.muon_b * square + self.muon_c * (square @ square)) @ x
        return x


class ScheduleFreeAdamW(RuleOptimizer):
    """Adam on a fast point z, with gradients between z and the mean x of all z, which is what is learned.

    ``s = beta_2 * s + (1 - beta_2) * g**2; z -= learning_rate * g / (sqrt(s / (1 - beta_2**t)) + epsilon)``;
    ``x += (z - x) / t; v = (1 - beta_1) * z + beta_1 * x``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments; no schedule is needed.
      beta_1: how near the variable is to the mean.
      beta_2: of the running mean of squares.
      epsilon: keeps the divisor from 0.
      warmup_steps: during so many steps the rate grows to its value.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.ScheduleFreeAdamW(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9

    A. Defazio et al., "The road less scheduled", arXiv:2405.15682. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2", "epsilon", "warmup_steps")

    def __init__(
        self, learning_rate=0.0025, beta_1=0.9, beta_2=0.999, epsilon=1e-8, warmup_steps=0, **kwargs
    ):
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon, self.warmup_steps = beta_1, beta_2, epsilon, warmup_steps

    def _make_slots(self, variables):
        add = self.add_variable_from_reference
        begun = [lambda shape, dtype, v=v: v.initialized_value() for v in variables]  # z begins where v does
        return [(add(v, "momentum", z), add(v, "velocity")) for v, z in zip(variables, begun)]

    def _rule(self, value, slots, gradient, rate, count, slices):
        t = count + 1
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        z, s = slots
        move(s, squares, 1 - self.beta_2)
        rate *= min(t / self.warmup_steps, 1.0) if self.warmup_steps > 0 else 1.0
        root = np.sqrt(s / missing(self.beta_2, t, value.dtype)) + self.epsilon
        np.subtract(z, rate * gradient / root, out=z)
        mean = (
            value - (1 - self.beta_1) * z
        ) / self.beta_1  # with the new z, as Keras does; the paper has the old one
        mean += (z - mean) / t
        return (1 - self.beta_1) * z + self.beta_1 * mean
