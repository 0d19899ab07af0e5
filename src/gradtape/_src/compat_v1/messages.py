"""``tf.logging`` of TensorFlow 1: messages of the logger ``tensorflow``, of which those from WARN on are shown."""

from __future__ import annotations

import sys
from collections import Counter

from gradtape._src.core.log import get_logger

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

_counts: Counter[tuple[str, int]] = Counter()


def set_verbosity(v):
    """Shows messages of this level and above: ``tf.logging.DEBUG``, ``INFO``, ``WARN``, ``ERROR`` or ``FATAL``.

    >>> import gradtape.compat.v1 as tf
    >>> before = tf.logging.get_verbosity()
    >>> tf.logging.set_verbosity(tf.logging.ERROR)
    >>> tf.logging.get_verbosity()
    40
    >>> tf.logging.set_verbosity(before)
    """
    get_logger().setLevel(v)


def get_verbosity():
    """The level from which on messages are shown."""
    return get_logger().getEffectiveLevel()


def log(level, msg, *args, **kwargs):
    """A message ``msg % args`` of a level."""
    get_logger().log(level, msg, *args, **kwargs)


def vlog(level, msg, *args, **kwargs):
    """A message of a level."""
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    """A message of the level DEBUG."""
    get_logger().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    """A message of the level INFO."""
    get_logger().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    """A message of the level WARN."""
    get_logger().warning(msg, *args, **kwargs)


def warn(msg, *args, **kwargs):
    """A message of the level WARN."""
    get_logger().warning(msg, *args, **kwargs)


def error(msg, *args, **kwargs):
    """A message of the level ERROR."""
    get_logger().error(msg, *args, **kwargs)


def fatal(msg, *args, **kwargs):
    """A message of the level FATAL; the program goes on."""
    get_logger().fatal(msg, *args, **kwargs)


def log_if(level, msg, condition, *args):
    """A message of a level, if a condition holds."""
    if condition:
        get_logger().log(level, msg, *args)


def log_every_n(level, msg, n, *args):
    """A message of a level at the first call of this line, and at every n-th after it."""
    log_if(level, msg, not _calls() % n, *args)


def log_first_n(level, msg, n, *args):
    """A message of a level at the first n calls of this line."""
    log_if(level, msg, _calls() < n, *args)


def _calls() -> int:
    """How often the line that calls the caller did so before."""
    frame = sys._getframe(2)
    line = frame.f_code.co_filename, frame.f_lineno
    _counts[line] += 1
    return _counts[line] - 1
