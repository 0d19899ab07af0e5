"""TensorFlow's logger: warnings go to stderr as ``WARNING:tensorflow:...``, through Python's logging."""

from __future__ import annotations

from collections import Counter
from typing import Any

_counts: Counter[str] = Counter()


def get_logger() -> Any:
    """The logger of the name ``tensorflow``, which users silence with ``tf.get_logger().setLevel('ERROR')``."""
    import logging  # start-up cost: most programs never warn
    import sys

    logger = logging.getLogger("tensorflow")
    if not logger.handlers and not logging.getLogger().handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
        logger.addHandler(handler)
    return logger


def warn(message: str, first: int | None = None) -> None:
    """Warns; the same message at most ``first`` times in a process."""
    if first is not None:
        _counts[message] += 1
        if _counts[message] > first:
            return
    get_logger().warning(message)
