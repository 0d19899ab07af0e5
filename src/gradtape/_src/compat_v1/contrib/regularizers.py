"""``tf.contrib.layers``: what is added to a loss for large weights, and what weights are drawn from."""

from __future__ import annotations

import math
import numbers
from typing import Any

from gradtape._src.api import random
from gradtape._src.api.arithmetic import add_n
from gradtape._src.api.elementwise import abs as absolute
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.nn_losses import l2_loss
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.compat_v1.initializers import Initializer
from gradtape._src.compat_v1.variables import get_collection
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.graph.collections import GraphKeys


def _checked(scale: Any) -> float:
    if isinstance(scale, numbers.Integral) or not isinstance(scale, numbers.Real):
        raise ValueError(f"scale cannot be an integer: {scale}. Give a floating-point number.")
    if scale < 0:
        raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}.")
    return float(scale)


def l1_regularizer(scale, scope=None):
    """A function of weights that gives ``scale * sum(abs(weights))``.

    Raises:
      ValueError: a scale that is negative, or an integer.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.contrib.layers.l1_regularizer(0.5)(tf.constant([1.0, -3.0])).numpy())
    2.0
    """
    scale = _checked(scale)

    def l1(weights, name=None):
        with scope_of(name or scope or "l1_regularizer"):
            return reduce_sum(absolute(as_tensor(weights))) * scale

    return l1 if scale else lambda _: None


def l2_regularizer(scale, scope=None):
    """A function of weights that gives ``scale * sum(weights**2) / 2``.

    Raises:
      ValueError: a scale that is negative, or an integer.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.contrib.layers.l2_regularizer(0.5)(tf.constant([1.0, -3.0])).numpy())
    2.5
    """
    scale = _checked(scale)

    def l2(weights, name=None):
        with scope_of(name or scope or "l2_regularizer"):
            return l2_loss(as_tensor(weights)) * scale

    return l2 if scale else lambda _: None


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    """The sum of `l1_regularizer` and `l2_regularizer`.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.contrib.layers.l1_l2_regularizer(0.5, 0.5)(tf.constant([1.0, -3.0])).numpy())
    4.5
    """
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope or "l1_l2_regularizer")


def sum_regularizer(regularizer_list, scope=None):
    """A function of weights that gives the sum of several regularizers; None if there are none.

    >>> import gradtape.compat.v1 as tf
    >>> l1 = tf.contrib.layers.l1_regularizer(0.5)
    >>> print(tf.contrib.layers.sum_regularizer([l1, l1])(tf.constant([1.0])).numpy())
    1.0
    """
    used = [regularizer for regularizer in regularizer_list if regularizer is not None]
    if not used:
        return None

    def total(weights):
        with scope_of(scope or "sum_regularizer"):
            parts = [part for regularizer in used if (part := regularizer(weights)) is not None]
            return add_n(parts) if parts else None

    return total


def apply_regularization(regularizer, weights_list=None):
    """The sum of a regularizer over weights, by default those of the collection ``WEIGHTS``.

    It is added to the collection ``REGULARIZATION_LOSSES``.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     l2 = tf.contrib.layers.l2_regularizer(1.0)
    ...     print(session.run(tf.contrib.layers.apply_regularization(l2, [tf.constant(2.0), tf.constant(4.0)])))
    10.0
    """
    weights = get_collection(GraphKeys.WEIGHTS) if weights_list is None else weights_list
    with scope_of("get_regularization_penalty"):
        parts = [part for w in weights if (part := regularizer(w)) is not None]
        penalty = add_n(parts) if parts else as_tensor(0.0)
    from_graph = getattr(penalty, "op", None) if hasattr(penalty, "value_index") else None
    if from_graph is not None:
        penalty.graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, penalty)
    return penalty


class variance_scaling_initializer(Initializer):
    """Numbers whose variance is ``factor / n``, with n the inputs, the outputs, or their mean.

    Args:
      factor: 2 by default, for units of the kind of relu (K. He et al., ICCV 2015).
      mode: "FAN_IN", "FAN_OUT" or "FAN_AVG".
      uniform: from a uniform distribution, and not a normal one cut off at two standard deviations.
      seed: of the random numbers.
      dtype: of the numbers.

    Raises:
      TypeError: the dtype is no floating point. ValueError: another mode.

    >>> import gradtape.compat.v1 as tf
    >>> tf.contrib.layers.variance_scaling_initializer()([3, 4]).shape
    TensorShape([3, 4])
    """

    _arguments = ("factor", "mode", "uniform", "seed")

    def __init__(self, factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=float32):
        if not as_dtype(dtype).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
            raise ValueError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
        self.factor, self.mode, self.uniform, self.seed = factor, mode, uniform, seed
        self.dtype = as_dtype(dtype)

    def _value(self, shape, dtype):
        field = math.prod(shape[:-2])
        ins = float(shape[-2] if len(shape) > 1 else shape[-1] if shape else 1) * field
        outs = float(shape[-1] if shape else 1) * field
        n = {"FAN_IN": ins, "FAN_OUT": outs, "FAN_AVG": (ins + outs) / 2}[self.mode]
        if self.uniform:
            limit: Any = math.sqrt(3 * self.factor / n)
            return random.uniform(shape, -limit, limit, dtype, self.seed)
        # 1.3: what is cut off takes from the variance.
        return random.truncated_normal(shape, 0.0, math.sqrt(1.3 * self.factor / n), dtype, self.seed)


def xavier_initializer(uniform=True, seed=None, dtype=float32):
    """Numbers whose variance is 2 / (inputs + outputs) (X. Glorot & Y. Bengio, AISTATS 2010).

    >>> import gradtape.compat.v1 as tf
    >>> tf.contrib.layers.xavier_initializer()([3, 4]).shape
    TensorShape([3, 4])
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)
