"""The time of day, as an operation."""

from __future__ import annotations

import time

import numpy as np

from gradtape._src.core.op import Op

_timestamp = Op(
    "Timestamp", lambda: np.float64(time.time()), shape=lambda: (), dtype=np.float64, stateful=True
)


def timestamp(name=None):
    """The seconds since 1970-01-01 00:00:00 UTC, as a float64 scalar; in a graph, at the time of its execution.

    >>> import gradtape as tf
    >>> tf.timestamp() > 0.0
    <tf.Tensor: shape=(), dtype=bool, numpy=True>

    As TensorFlow 2.21.
    """
    return _timestamp.of(name=name)
