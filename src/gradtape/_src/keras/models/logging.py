"""Callbacks that write: the bar of progress, a table, event files for TensorBoard."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.keras.models.callbacks import Callback
from gradtape._src.keras.models.in_session import number_now
from gradtape._src.keras.models.progbar import Progbar
from gradtape._src.summary import v2 as summary


class ProgbarLogger(Callback):
    """Prints how far training is, and the losses and metrics so far."""

    progbar: Progbar | None = None

    def on_train_begin(self, logs=None):
        """Learns how many epochs there are."""
        self._epochs = (self.params or {}).get("epochs", 1)

    def on_epoch_begin(self, epoch, logs=None):
        """Begins a line."""
        if self._verbose and self._epochs > 1:
            print(f"Epoch {epoch + 1}/{self._epochs}")
        self._begin()

    def on_test_begin(self, logs=None):
        """Begins a line, unless it is a validation."""
        if self.progbar is None:
            self._begin()

    on_predict_begin = on_test_begin

    def on_train_batch_end(self, batch, logs=None):
        """Goes on in the line."""
        self._seen = batch + 1
        assert self.progbar is not None
        self.progbar.update(self._seen, list((logs or {}).items()), finalize=False)

    def on_test_batch_end(self, batch, logs=None):
        """Goes on in the line."""
        if not self._in_epoch:
            self.on_train_batch_end(batch, logs)

    def on_predict_batch_end(self, batch, logs=None):
        """Goes on in the line."""
        self.on_train_batch_end(batch)

    def on_epoch_end(self, epoch, logs=None):
        """Ends the line."""
        self._end(logs)

    def on_test_end(self, logs=None):
        """Ends the line, unless it is a validation."""
        if not self._in_epoch:
            self._end(logs)

    on_predict_end = on_test_end
    _epochs, _seen = 1, 0

    @property
    def _verbose(self) -> int:
        verbose = (self.params or {}).get("verbose", 1)
        return 1 if verbose == "auto" else int(verbose)

    @property
    def _in_epoch(self) -> bool:
        return self.progbar is not None and self._of_training

    _of_training = False

    def _begin(self) -> None:
        self._seen = 0
        self.progbar = Progbar((self.params or {}).get("steps"), verbose=self._verbose, unit_name="step")
        self.progbar.stateful_metrics = _Everything()  # type: ignore[assignment]
        self._of_training = "epochs" in (self.params or {}) and (self.params or {}).get("epochs") is not None

    def _end(self, logs: Any) -> None:
        if self.progbar is not None:
            if self.progbar.target is None:
                self.progbar.target = self._seen
            self.progbar.update(self._seen, list((logs or {}).items()), finalize=True)
        self.progbar = None


class _Everything:
    """A set that holds everything: all logs are shown as they are."""

    def __contains__(self, name: object) -> bool:
        return True


class CSVLogger(Callback):
    """Writes a row of losses and metrics after each epoch.

    Args:
      filename: of the table.
      separator: between the cells.
      append: whether a table that is there goes on.
    """

    def __init__(self, filename, separator=",", append=False):
        self.filename, self.sep, self.append = Path(filename), separator, append
        self._keys: list[str] | None = None

    def on_train_begin(self, logs=None):
        """Opens the file."""
        has_head = self.append and self.filename.exists() and self.filename.stat().st_size > 0
        self._file = open(self.filename, "a" if self.append else "w", newline="")
        self._write_head = not has_head

    def on_epoch_end(self, epoch, logs=None):
        """Writes a row."""
        logs = logs or {}
        if self._keys is None:
            self._keys = sorted(logs)
            known = set(self._keys)
            if not any(key.startswith("val_") for key in known):
                self._keys += [f"val_{key}" for key in self._keys]
        writer = csv.writer(self._file, delimiter=self.sep, lineterminator="\n")
        if self._write_head:
            writer.writerow(["epoch", *self._keys])
            self._write_head = False
        writer.writerow([epoch, *(logs.get(key, "NA") for key in self._keys)])
        self._file.flush()

    def on_train_end(self, logs=None):
        """Closes the file."""
        self._file.close()


class TensorBoard(Callback):
    """Writes losses and metrics to event files, which TensorBoard reads: below ``train`` and ``validation``.

    Args:
      log_dir: the folder.
      histogram_freq: after how many epochs histograms of the weights are written; 0: never.
      update_freq: ``"epoch"``, ``"batch"``, or a number of steps.
      write_steps_per_second: whether the speed is written.
      write_graph, write_images, profile_batch, embeddings_freq, embeddings_metadata: without effect.

    >>> import gradtape as tf, os, tempfile
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     board = tf.keras.callbacks.TensorBoard(folder)
    ...     _ = model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0, callbacks=[board])
    ...     print(os.listdir(folder))
    ['train']
    """

    def __init__(
        self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False, write_steps_per_second=False,
        update_freq="epoch", profile_batch=0, embeddings_freq=0, embeddings_metadata=None,
    ):  # fmt: skip
        self.log_dir, self.histogram_freq = str(log_dir), histogram_freq
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self.write_steps_per_second = write_steps_per_second
        self._writers: dict[str, Any] = {}
        self._step = 0

    def _write(self, part: str, values: dict[str, Any], step: int) -> None:
        if part not in self._writers:
            self._writers[part] = summary.create_file_writer(str(Path(self.log_dir) / part))
        with self._writers[part].as_default():
            for name, value in values.items():
                summary.scalar(name, value, step=step)

    def on_train_batch_end(self, batch, logs=None):
        """Writes what `update_freq` asks for."""
        self._step += 1
        if self.update_freq != "epoch" and self._step % self.update_freq == 0:
            self._write("train", {f"batch_{name}": value for name, value in (logs or {}).items()}, self._step)

    def on_epoch_end(self, epoch, logs=None):
        """Writes the losses and metrics, the learning rate, and histograms."""
        logs = logs or {}
        train = {f"epoch_{name}": value for name, value in logs.items() if not name.startswith("val_")}
        rate = getattr(self.model.optimizer, "learning_rate", None)
        if rate is not None:
            train["epoch_learning_rate"] = number_now(rate)
        self._write("train", train, epoch)
        checked = {f"epoch_{name[4:]}": value for name, value in logs.items() if name.startswith("val_")}
        if checked:
            self._write("validation", checked, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writers["train"].as_default():
                for weight in self.model.weights:
                    summary.histogram(f"{getattr(weight, 'path', weight.name)}/histogram", weight, step=epoch)

    def on_test_end(self, logs=None):
        """Writes the results of an evaluation that is no validation."""
        if self.params is not None and "epochs" not in self.params:
            values = {f"evaluation_{name}_vs_iterations": value for name, value in (logs or {}).items()}
            self._write("validation", values, self._step)

    def on_train_end(self, logs=None):
        """Closes the files."""
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()
