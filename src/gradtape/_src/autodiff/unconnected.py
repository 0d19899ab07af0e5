"""What a gradient is where the target does not depend on the source: None, zeros or an error, which is here too."""

from __future__ import annotations

import enum
from typing import Any


class UnconnectedGradients(enum.Enum):
    """How ``gradient`` answers for a source that the target does not depend on.

    ``NONE`` (the default) gives None, ``ZERO`` gives zeros of the source's shape and dtype, ``RAISE`` raises a
    `tf.debugging.NoGradientError` that says why. As TensorFlow 2.21, which has no ``RAISE``.

    >>> import gradtape as tf
    >>> x, y = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     z = y * y
    >>> print(tape.gradient(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"
    RAISE = "raise"

    @classmethod
    def of(cls, value: Any) -> UnconnectedGradients:
        """The member with this value, or the member itself."""
        if type(value) is cls:
            return value
        try:
            return cls(value)
        except ValueError:
            raise ValueError(
                f"Unknown value for unconnected_gradients: {value!r}. Expected 'none', 'zero', 'raise' or a member of "
                f"tf.UnconnectedGradients."
            ) from None


class NoGradientError(ValueError):
    """A gradient is None where one was demanded: by `tf.UnconnectedGradients.RAISE` or ``gradtape run --strict``.

    Attributes:
      explanations: the reason of each, as `tf.GradientTape.explain` gives it.

    >>> import gradtape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> try:
    ...     tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.RAISE)
    ... except tf.debugging.NoGradientError as error:
    ...     print(error.explanations[0].cause)
    source_not_watched
    """

    def __init__(self, message: str, explanations: Any = ()) -> None:
        super().__init__(message)
        self.explanations = list(explanations)
