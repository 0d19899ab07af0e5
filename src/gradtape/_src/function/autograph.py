"""``tf.autograph``: the conversion of Python's control flow by hand, and what it logs."""

from __future__ import annotations

import os
from typing import Any

from gradtape._src.core.log import get_logger


def to_graph(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> Any:
    """A function with its control flow on tensors turned into operations of a graph.

    Args:
      entity: a Python function.
      recursive: what it calls is converted too.

    >>> import gradtape as tf
    >>> absolute = tf.autograph.to_graph(lambda x: x if x > 0 else -x)
    >>> absolute(tf.constant(-2)).numpy()
    np.int32(2)

    As TensorFlow 2.21.
    """
    from gradtape._src.function import conversion  # start-up cost: malt, 50 ms

    return conversion.to_graph(getattr(entity, "python_function", entity))


def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """The source of what `tf.autograph.to_graph` makes.

    >>> import gradtape as tf
    >>> def f(x):
    ...     return x
    >>> "ag__" in tf.autograph.to_code(f)
    True

    As TensorFlow 2.21; the names in it are AutoGraph's own.
    """
    from gradtape._src.function import conversion  # start-up cost: malt, 50 ms

    return conversion.source_code(getattr(entity, "python_function", entity))


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much to log about conversions: nothing is logged but warnings, which 0 and more let through.

    >>> import gradtape as tf
    >>> tf.autograph.set_verbosity(0)
    """
    os.environ["AUTOGRAPH_VERBOSITY"] = str(int(level))


def trace(*args: Any) -> None:
    """Logs values while a function is traced, as warnings.

    >>> import gradtape as tf
    >>> tf.autograph.trace()
    """
    if args:
        get_logger().warning(" ".join(map(str, args)))
