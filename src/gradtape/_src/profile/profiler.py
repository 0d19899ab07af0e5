"""`tf.profiler.experimental`: profiles in the program itself, under TensorFlow's names."""

from __future__ import annotations

import os
import platform
import time
from typing import Any, NamedTuple

from gradtape._src.core.errors import AlreadyExistsError, UnavailableError, user_location
from gradtape._src.profile import table
from gradtape._src.profile.hooks import Hooks
from gradtape._src.profile.record import Key, Place
from gradtape._src.profile.record import Profile as Measured
from gradtape._src.profile.trace import write_trace

_running: Hooks | None = None
_logdir: str | None = None


class ProfilerOptions(NamedTuple):
    """Options of TensorFlow's profiler. They are without effect: there is one level of detail.

    >>> import gradtape as tf
    >>> tf.profiler.experimental.ProfilerOptions(host_tracer_level=3).host_tracer_level
    3

    As TensorFlow 2.21.
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


def begin() -> Measured:
    """Measures from now on.

    Raises:
      AlreadyExistsError: it is being measured already.
    """
    global _running
    if _running is not None:
        raise AlreadyExistsError.of("Another profiler is running.")
    _running = Hooks(Measured())
    _running.install()
    return _running.profile


def finish() -> Measured:
    """Measures no more.

    Raises:
      UnavailableError: nothing is being measured.
    """
    global _running
    if _running is None:
        raise UnavailableError.of("Cannot export profiling results. No profiler is running.")
    hooks, _running = _running, None
    hooks.profile.finish()
    hooks.remove()
    return hooks.profile


def start(logdir: str, options: Any = None) -> None:
    """Begins to measure where the time goes.

    Args:
      logdir: where `stop` writes the trace.
      options: without effect.

    Raises:
      AlreadyExistsError: another profiler is running.

    >>> import gradtape as tf
    >>> import glob, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.profiler.experimental.start(folder)
    >>> y = tf.exp(tf.ones([3]))
    >>> tf.profiler.experimental.stop()
    >>> len(glob.glob(f"{folder}/plugins/profile/*/*.trace.json.gz"))
    1

    As TensorFlow 2.21, which writes another format.
    """
    global _logdir
    begin()
    _logdir = os.fspath(logdir)


def stop(save: bool = True) -> None:
    """Ends what `start` began, and writes ``<logdir>/plugins/profile/<time>/<host>.trace.json.gz``.

    The file is a trace for chrome://tracing and Perfetto: each operation, backward rule, call of a `tf.function` or of
    a session, with the line of the program.

    Args:
      save: whether to write it.

    Raises:
      UnavailableError: no profiler is running.

    >>> import gradtape as tf
    >>> tf.profiler.experimental.stop()
    Traceback (most recent call last):
    ...
    gradtape._src.core.errors.UnavailableError: Cannot export profiling results. No profiler is running.

    As TensorFlow 2.21.
    """
    global _logdir
    found = finish()
    logdir, _logdir = _logdir, None
    if save and logdir is not None:
        _write(found, logdir)


def _write(found: Measured, logdir: str) -> None:
    folder = os.path.join(logdir, "plugins", "profile", time.strftime("%Y_%m_%d_%H_%M_%S"))
    os.makedirs(folder, exist_ok=True)
    write_trace(found, os.path.join(folder, f"{platform.node() or 'host'}.trace.json.gz"))


class Profile:
    """Measures a ``with`` block: which lines and operations its time and memory go to, forwards and backwards.

    ``str(profile)`` is a table. The time of an operation is that of its kernel, and counts for the line that executes
    it, in a graph for the line that made it; that of its backward rule counts for the same line. Held are the bytes of
    results that are alive at the same time.

    Args:
      logdir: where the trace is written at the end, as by `stop`; None: nowhere.
      options: without effect.

    Raises:
      AlreadyExistsError: another profiler is running.

    >>> import gradtape as tf
    >>> x = tf.Variable(tf.ones([100, 100]))
    >>> with tf.profiler.experimental.Profile() as profile:
    ...     with tf.GradientTape() as tape:
    ...         y = tf.linalg.matmul(x, x)
    ...     g = tape.gradient(y, x)
    >>> "MatMul" in str(profile)
    True

    As TensorFlow 2.21, where there is no table, and a ``logdir`` must be given.
    """

    def __init__(self, logdir: str | None = None, options: Any = None) -> None:
        self._logdir = logdir
        self._found: Measured | None = None

    def __enter__(self) -> Profile:
        begin()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._found = finish()
        if self._logdir is not None:
            _write(self._found, os.fspath(self._logdir))

    def write_trace(self, path: str) -> None:
        """Writes a trace for chrome://tracing and Perfetto, compressed if the name ends with ``.gz``."""
        write_trace(self._measured(), path)

    def __str__(self) -> str:
        return table.text(self._measured())

    def _measured(self) -> Measured:
        if self._found is None:
            raise RuntimeError("This profile has measured nothing yet: leave its `with` block first.")
        return self._found


class Trace:
    """Names what a ``with`` block does, in the profile that is being taken, if one is.

    Args:
      name: of the entry.
      **kwargs: what else is known of it (``step_num=...``); becomes a part of the name.

    >>> import gradtape as tf
    >>> with tf.profiler.experimental.Profile() as profile:
    ...     for step in range(2):
    ...         with tf.profiler.experimental.Trace("train", step_num=step):
    ...             y = tf.exp(1.0)
    >>> "train" in str(profile)
    True

    As TensorFlow 2.21.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name = name
        self._metadata = dict(kwargs)

    def __enter__(self) -> Trace:
        profile = None if _running is None else _running.profile
        self._profile = profile
        if profile is not None:
            around = profile.innermost()
            phase = "forward" if around is None else around.key.phase
            detail = ", ".join(f"{key}={value}" for key, value in self._metadata.items() if key != "_r")
            self._entry = profile.begin(Key(Place(user_location()), self._name, phase, "span"), detail)
        return self

    def set_metadata(self, **kwargs: Any) -> None:
        """Adds to what is known of it."""
        self._metadata.update(kwargs)

    def __exit__(self, *exc: Any) -> None:
        if self._profile is not None:
            self._profile.end(self._entry)
