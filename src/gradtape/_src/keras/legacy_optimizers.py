"""``tf.keras.optimizers.legacy``: Keras 2's optimizers, which take on variables that come later.

Their formulas are those of Keras 3's.
"""

from __future__ import annotations

from gradtape._src.keras import more_optimizers, optimizers


class Adadelta(more_optimizers.Adadelta):
    """`tf.keras.optimizers.Adadelta`; variables may come that it was not built with."""

    _grows = True


class Adagrad(more_optimizers.Adagrad):
    """`tf.keras.optimizers.Adagrad`; variables may come that it was not built with."""

    _grows = True


class Adam(optimizers.Adam):
    """`tf.keras.optimizers.Adam`; variables may come that it was not built with."""

    _grows = True


class Adamax(optimizers.Adamax):
    """`tf.keras.optimizers.Adamax`; variables may come that it was not built with."""

    _grows = True


class Ftrl(more_optimizers.Ftrl):
    """`tf.keras.optimizers.Ftrl`; variables may come that it was not built with."""

    _grows = True


class Nadam(optimizers.Nadam):
    """`tf.keras.optimizers.Nadam`; variables may come that it was not built with."""

    _grows = True


class RMSprop(optimizers.RMSprop):
    """`tf.keras.optimizers.RMSprop`; variables may come that it was not built with."""

    _grows = True


class SGD(optimizers.SGD):
    """`tf.keras.optimizers.SGD`; variables may come that it was not built with.

    >>> import gradtape as tf
    >>> optimizer = tf.keras.optimizers.legacy.SGD(lr=0.5)
    >>> for _ in range(2):
    ...     v = tf.Variable(1.0)
    ...     _ = optimizer.apply_gradients([(tf.constant(1.0), v)])
    ...     print(v.numpy())
    0.5
    0.5
    """

    _grows = True
