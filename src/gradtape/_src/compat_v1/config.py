"""How TensorFlow 1 programs say where and how to run a graph. Accepted as it is written; there is one device here."""

from __future__ import annotations

from typing import Any


class _Options:
    """Named settings, also nested ones (``config.gpu_options.allow_growth = True``); none of them has an effect."""

    def __init__(self, **settings: Any) -> None:
        vars(self).update(settings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name)
        nested = vars(self)[name] = _Options()
        return nested

    def CopyFrom(self, other: Any) -> None:
        """Takes over all settings."""
        vars(self).clear()
        vars(self).update(vars(other))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(vars(self))

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"


class ConfigProto(_Options):
    """Settings for `tf.Session(config=...)`; without effect.

    >>> import gradtape.compat.v1 as tf
    >>> config = tf.ConfigProto(allow_soft_placement=True)
    >>> config.gpu_options.allow_growth = True
    >>> with tf.Session(graph=tf.Graph(), config=config):
    ...     pass
    """


class GPUOptions(_Options):
    """Settings for `tf.ConfigProto(gpu_options=...)`; without effect.

    >>> import gradtape.compat.v1 as tf
    >>> tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)).gpu_options.allow_growth
    True
    """


class RunOptions(_Options):
    """Settings for `session.run(options=...)`; without effect.

    >>> import gradtape.compat.v1 as tf
    >>> tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE).trace_level
    3
    """

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)


class RunMetadata(_Options):
    """What `session.run(run_metadata=...)` would fill in; it stays empty.

    >>> import gradtape.compat.v1 as tf
    >>> tf.RunMetadata()
    RunMetadata()
    """
