"""``tf.train.CheckpointManager``: the newest checkpoints of a folder, and one in so many hours beside them."""

from __future__ import annotations

import os
import time
from typing import Any

from gradtape._src.train.checkpoint import counter_value
from gradtape._src.train.checkpoint_state import (
    CheckpointState,
    checkpoint_exists,
    get_checkpoint_state,
    remove_checkpoint,
    state_file,
    write_state,
)


class CheckpointManager:
    """Saves checkpoints into a folder and deletes old ones.

    Args:
      checkpoint: the `tf.train.Checkpoint` to save.
      directory: the folder. What it has from an earlier run counts.
      max_to_keep: how many to keep; None keeps all.
      keep_checkpoint_every_n_hours: beyond these, one in so many hours is kept for good.
      checkpoint_name: what the names of the files begin with.
      step_counter: a variable that counts the steps of training, for ``checkpoint_interval``.
      checkpoint_interval: `save` does nothing within so many steps after the last one.
      init_fn: a function to call in `restore_or_initialize` if there is no checkpoint.

    Raises:
      ValueError: ``max_to_keep`` is not positive, or an interval is given without a counter.

    >>> import gradtape as tf, tempfile
    >>> v = tf.Variable(1.0)
    >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tempfile.mkdtemp(), max_to_keep=2)
    >>> for _ in range(3):
    ...     path = manager.save()
    >>> [path[-6:] for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        checkpoint,
        directory,
        max_to_keep,
        keep_checkpoint_every_n_hours=None,
        checkpoint_name="ckpt",
        step_counter=None,
        checkpoint_interval=None,
        init_fn=None,
    ):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._max_to_keep, self._every = max_to_keep, keep_checkpoint_every_n_hours
        self._name, self._init_fn = checkpoint_name, init_fn
        self._steps, self._interval, self._last_step = step_counter, checkpoint_interval, None
        self._kept: dict[str, float] = {}  # the times of checkpoints that may be deleted
        self._latest: str | None = None
        self._preserved = time.time()
        state = get_checkpoint_state(self._directory)
        if state is not None:
            self._take_over(state)

    def _take_over(self, state: CheckpointState) -> None:
        """What an earlier run has left."""
        now = time.time()
        times = state.all_model_checkpoint_timestamps or [now] * len(state.all_model_checkpoint_paths)
        self._preserved = min(state.last_preserved_timestamp or now, now)
        pairs = zip(state.all_model_checkpoint_paths, times)
        self._kept = {path: min(written, now) for path, written in pairs if checkpoint_exists(path)}
        if checkpoint_exists(state.model_checkpoint_path):
            self._latest = state.model_checkpoint_path

    @property
    def directory(self):
        """The folder."""
        return self._directory

    @property
    def checkpoint(self):
        """The `tf.train.Checkpoint`."""
        return self._checkpoint

    @property
    def checkpoint_interval(self):
        """The least number of steps between two checkpoints, or None."""
        return self._interval

    @property
    def latest_checkpoint(self):
        """The path of the newest checkpoint, or None."""
        return self._latest

    @property
    def checkpoints(self):
        """The paths of the checkpoints, the oldest first; without those that are kept for good."""
        return list(self._kept)

    def save(self, checkpoint_number=None, check_interval=True, options=None):
        """Saves, and deletes what is too much; gives the path, or None within the interval.

        Args:
          checkpoint_number: for the name of the file; by default the checkpoint's ``save_counter``.
          check_interval: whether to heed ``checkpoint_interval``.
          options: without effect.
        """
        if self._interval is not None:
            step = counter_value(self._steps)
            if check_interval and self._last_step is not None and step < self._last_step + self._interval:
                return None
            self._last_step = step
        number: Any = checkpoint_number
        number = self._checkpoint._counted() if number is None else counter_value(number)
        path = self._checkpoint.write(os.path.join(self._directory, f"{self._name}-{number}"))
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        gone = self._too_much()
        self._write_state()
        for old in gone:  # after the state no longer names them
            remove_checkpoint(old)
        return path

    def _too_much(self) -> list[str]:
        gone = []
        while self._max_to_keep and len(self._kept) > self._max_to_keep:
            path, written = next(iter(self._kept.items()))
            del self._kept[path]
            if self._every and written - self._every * 3600 >= self._preserved:
                self._preserved = written
            else:
                gone.append(path)
        return gone

    def _write_state(self) -> None:
        assert self._latest is not None
        state = CheckpointState(os.path.relpath(self._latest, self._directory))
        state.all_model_checkpoint_paths = [os.path.relpath(path, self._directory) for path in self._kept]
        state.all_model_checkpoint_timestamps = list(self._kept.values())
        state.last_preserved_timestamp = self._preserved
        write_state(state_file(self._directory), state)

    def restore_or_initialize(self):
        """Restores the newest checkpoint and gives its path; without one, calls ``init_fn`` and gives None."""
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._steps is not None:
                self._last_step = counter_value(self._steps)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self):
        """Waits until everything is written: it is."""
