"""Keras's optimizers with momentum and with Adam's kind of scaling: SGD, RMSprop, Adam and its kin.

In the formulas g is the gradient, t the number of the step from 1 on. Where a gradient is `tf.IndexedSlices`, g is
their sum, and the mean of squares is one of the squares of the single slices, as in Keras 3.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from gradtape._src.keras.rule_optimizer import RuleOptimizer, missing, move


def squares_of(gradient: Any, slices: Any) -> np.ndarray:
    return np.multiply(gradient, gradient) if slices is None else slices.dense(np.square)


class SGD(RuleOptimizer):
    """Gradient descent: ``v -= learning_rate * g``; with momentum ``m = momentum * m - learning_rate * g; v += m``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      momentum: between 0 and 1.
      nesterov: with momentum, ``v += momentum * m - learning_rate * g`` instead.

    Raises:
      ValueError: a momentum out of range.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> optimizer = tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
    >>> for _ in range(2):
    ...     _ = optimizer.apply_gradients([(tf.constant(1.0), v)])
    >>> v.numpy()
    np.float32(0.71)

    As Keras 3.
    """

    _hyperparameters = ("momentum", "nesterov")

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, **kwargs):
        if not isinstance(momentum, (int, float)) or not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        super().__init__(learning_rate, **kwargs)
        self.momentum, self.nesterov = momentum, nesterov
        self._slot_names = (("momentum",),) if momentum else ()
        self._rows_only = not momentum

    def _rule(self, value, slots, gradient, rate, count, slices):
        if not slots:
            if slices is None:
                step = np.multiply(gradient, rate)
                return np.subtract(value, step, out=step)
            value[slices.rows] -= slices.of_rows() * rate
            return value
        gradient = (slices.dense() if slices is not None else gradient) * rate
        (m,) = slots
        np.multiply(m, self.momentum, out=m)
        np.subtract(m, gradient, out=m)
        return value + (m * self.momentum - gradient if self.nesterov else m)


class RMSprop(RuleOptimizer):
    """``ms = rho * ms + (1 - rho) * g**2; v -= learning_rate * g / sqrt(ms + epsilon)``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      rho: of the running mean.
      momentum: m of ``step = m * step + learning_rate * g / sqrt(...); v -= step``.
      epsilon: keeps the divisor from 0.
      centered: whether to subtract the square of the running mean of g from ``ms`` in the root.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.RMSprop(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.6838

    T. Tieleman and G. Hinton, lecture 6.5 of "Neural networks for machine learning", 2012. As Keras 3.
    """

    _hyperparameters = ("rho", "momentum", "epsilon", "centered")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered
        wanted = {"velocity": True, "momentum": momentum > 0, "average_gradient": centered}
        self._slot_names = tuple((name,) for name, there in wanted.items() if there)

    def _rule(self, value, slots, gradient, rate, count, slices):
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        ms = slots[0]
        move(ms, squares, 1 - self.rho)
        if self.centered:
            mean = slots[-1]
            move(mean, gradient.copy(), 1 - self.rho)
            root = np.sqrt(ms - mean * mean + self.epsilon)
        else:
            root = np.add(ms, self.epsilon, out=squares)
            np.sqrt(root, out=root)
        step = np.divide(gradient * rate, root, out=root)
        if self.momentum > 0:
            m = slots[1]
            np.multiply(m, self.momentum, out=m)
            np.add(m, step, out=m)
            return value - m
        return np.subtract(value, step, out=step)


class Adam(RuleOptimizer):
    """Adam: steps by the running mean of the gradient over the root of that of its square.

    ``m = beta_1 * m + (1 - beta_1) * g; s = beta_2 * s + (1 - beta_2) * g**2;
    v -= learning_rate * sqrt(1 - beta_2**t) / (1 - beta_1**t) * m / (sqrt(s) + epsilon)``.

    Args:
      learning_rate: see `tf.keras.optimizers.Optimizer`, as for all further arguments.
      beta_1, beta_2: of the running means.
      epsilon: keeps the divisor from 0.
      amsgrad: whether to divide by the root of the largest s so far.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Adam(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9

    D. Kingma and J. Ba, arXiv:1412.6980; S. Reddi et al., "On the convergence of Adam and beyond", 2018. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.amsgrad = beta_1, beta_2, amsgrad
        self.epsilon = 1e-7 if epsilon is None else epsilon
        self._slot_names = (("momentum", "velocity"), ("velocity_hat",))[: 2 if amsgrad else 1]

    def _rule(self, value, slots, gradient, rate, count, slices):
        t, dtype = count + 1, value.dtype
        rate = rate * sqrt(missing(self.beta_2, t, dtype)) / missing(self.beta_1, t, dtype)
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        m, s = slots[:2]
        step = np.subtract(gradient, m)
        np.multiply(step, 1 - self.beta_1, out=step)
        np.add(m, step, out=m)
        move(s, squares, 1 - self.beta_2)
        if self.amsgrad:
            s = np.maximum(slots[2], s, out=slots[2])
        np.sqrt(s, out=squares)
        np.add(squares, self.epsilon, out=squares)
        np.multiply(m, rate, out=step)
        np.divide(step, squares, out=step)
        return np.subtract(value, step, out=step)


class AdamW(Adam):
    """Adam with weight decay that is not part of the gradient: each step begins with ``v -= v * weight_decay * lr``.

    See `tf.keras.optimizers.Adam` for the other arguments.

    Raises:
      ValueError: no weight decay.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.AdamW(0.1, weight_decay=0.5).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.85

    I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", arXiv:1711.05101. As Keras 3.
    """

    def __init__(
        self,
        learning_rate=0.001,
        weight_decay=0.004,
        beta_1=0.9,
        beta_2=0.999,
        epsilon=1e-7,
        amsgrad=False,
        **kwargs,
    ):
        if weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay=weight_decay, **kwargs)


class Adamax(RuleOptimizer):
    """Adam with the largest gradient in place of the mean square.

    ``m = beta_1 * m + (1 - beta_1) * g; u = max(beta_2 * u, |g|);
    v -= learning_rate / (1 - beta_1**t) * m / (u + epsilon)``.

    Args: see `tf.keras.optimizers.Adam`.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Adamax(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.9

    D. Kingma and J. Ba, arXiv:1412.6980, section 7.1. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2", "epsilon")
    _slot_names = (("momentum", "norm"),)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _rule(self, value, slots, gradient, rate, count, slices):
        sizes = np.abs(gradient) if slices is None else slices.dense(np.abs)
        m, u = slots
        move(m, gradient.copy() if slices is None else slices.dense(), 1 - self.beta_1)
        np.multiply(u, self.beta_2, out=u)
        np.maximum(u, sizes, out=u)
        step = np.add(u, self.epsilon, out=sizes)
        np.divide(m * (rate / missing(self.beta_1, count + 1, value.dtype)), step, out=step)
        return np.subtract(value, step, out=step)


class Nadam(RuleOptimizer):
    """Adam with Nesterov's momentum.

    With ``mu(t) = beta_1 * (1 - 0.96**t / 2)`` and U the product of all mu so far, ``m`` and ``s`` as in Adam,
    ``v -= learning_rate * (mu(t + 1) * m / (1 - U * mu(t + 1)) + (1 - mu(t)) * g / (1 - U)) /
    (sqrt(s / (1 - beta_2**t)) + epsilon)``.

    Args: see `tf.keras.optimizers.Adam`.

    >>> import gradtape as tf
    >>> v = tf.Variable(1.0)
    >>> _ = tf.keras.optimizers.Nadam(0.1).apply_gradients([(tf.constant(2.0), v)])
    >>> print(v.numpy().round(4))
    0.8937

    T. Dozat, "Incorporating Nesterov momentum into Adam", 2016. As Keras 3.
    """

    _hyperparameters = ("beta_1", "beta_2", "epsilon")
    _slot_names = (("momentum", "velocity"),)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

        self._products = [1.0]  # of mu(1), ..., mu(t)

    def _mu(self, t):
        return self.beta_1 * (1 - 0.5 * 0.96**t)

    def _product(self, t):
        while len(self._products) <= t:
            self._products.append(self._products[-1] * self._mu(len(self._products)))
        return self._products[t]

    def _rule(self, value, slots, gradient, rate, count, slices):
        t = count + 1
        squares = squares_of(gradient, slices)
        gradient = gradient if slices is None else slices.dense()
        m, s = slots
        move(m, gradient.copy(), 1 - self.beta_1)
        move(s, squares, 1 - self.beta_2)
        ahead = self._mu(t + 1)
        mean = m * (ahead / (1 - self._product(t) * ahead))
        mean += gradient * ((1 - self._mu(t)) / (1 - self._product(t)))
        root = np.sqrt(s / missing(self.beta_2, t, value.dtype))
        np.add(root, self.epsilon, out=root)
        np.multiply(mean, rate, out=mean)
        np.divide(mean, root, out=mean)
        return np.subtract(value, mean, out=mean)
