"""Callbacks that watch a value and act on it: stop, save, change the learning rate."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.keras.models.callbacks import Callback
from gradtape._src.keras.models.files import save_model, save_weights
from gradtape._src.keras.models.in_session import number_now


class Monitor(Callback):
    """What they have in common: the value's name, and whether more of it is better."""

    monitor: str
    mode: str
    best: Any

    def _watch(self, monitor: str, mode: str, min_delta: float = 0.0) -> None:
        if mode not in ("auto", "min", "max"):
            warnings.warn(
                f"{type(self).__name__} mode '{mode}' is unknown, fallback to auto mode.", stacklevel=3
            )
            mode = "auto"
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)

    @property
    def _more_is_better(self) -> bool:
        if self.mode != "auto":
            return self.mode == "max"
        name = self.monitor.removeprefix("val_")
        if getattr(self.model._metric_in_logs(name), "_more_is_better", False):
            return True
        return any(word in name for word in ("acc", "auc", "precision", "recall", "f1", "iou", "r2"))

    def _is_better(self, value: Any, than: Any) -> bool:
        if than is None:
            return True
        return value - self.min_delta > than if self._more_is_better else value + self.min_delta < than

    def _value(self, logs: Any) -> Any:
        value = (logs or {}).get(self.monitor)
        if value is None:
            warnings.warn(
                f"{self._what} conditioned on metric `{self.monitor}` which is not available. Available metrics are: "
                f"{','.join(logs or {})}",
                stacklevel=4,
            )
        return value

    _what = "Callback"


class EarlyStopping(Monitor):
    """Stops training when a value has not become better for some epochs.

    Args:
      monitor: the name of the value.
      min_delta: how much better counts.
      patience: how many epochs without improvement there may be.
      verbose: 1: says so.
      mode: ``"min"``, ``"max"``, or ``"auto"``: as the metric of this name says, or by the name.
      baseline: what it must be better than.
      restore_best_weights: whether the weights of the best epoch are put back.
      start_from_epoch: when watching begins.

    >>> import gradtape as tf
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> stop = tf.keras.callbacks.EarlyStopping("loss", min_delta=1e9)
    >>> len(model.fit(tf.ones([4, 2]), tf.ones([4, 1]), epochs=9, verbose=0, callbacks=[stop]).epoch)
    2

    As Keras 3.
    """

    _what = "Early stopping"

    def __init__(
        self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None,
        restore_best_weights=False, start_from_epoch=0,
    ):  # fmt: skip
        self._watch(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights, self.start_from_epoch = restore_best_weights, start_from_epoch
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best_weights = self.best = None

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best, self.best_weights = None, None

    def on_epoch_end(self, epoch, logs=None):
        """Compares."""
        value = self._value(logs)
        if value is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights, self.best_epoch = self.model.get_weights(), epoch
        self.wait += 1
        if self._is_better(value, self.best):
            self.best, self.best_epoch = value, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self._is_better(value, self.baseline):
                self.wait = 0
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch, self.model.stop_training = epoch, True

    def on_train_end(self, logs=None):
        """Puts the best weights back."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self.model.set_weights(self.best_weights)


class ModelCheckpoint(Monitor):
    """Saves the model, or its weights, after epochs or steps.

    Args:
      filepath: of the file; may contain ``{epoch:02d}`` and names of values, ``{val_loss:.2f}``.
      monitor, mode: as in `EarlyStopping`.
      verbose: 1: says so.
      save_best_only: whether to save only when the value has become better.
      save_weights_only: whether to save the weights alone.
      save_freq: ``"epoch"``, or a number of steps.
      initial_value_threshold: what the value must be better than at first.

    As Keras 3, but for the names of files, which are free.
    """

    _what = "Can save best model only"

    def __init__(
        self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False, mode="auto",
        save_freq="epoch", initial_value_threshold=None,
    ):  # fmt: skip
        self._watch(monitor, mode)
        self.filepath, self.verbose = str(filepath), verbose
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self.save_freq: Any = save_freq
        self.best = initial_value_threshold
        self._steps, self._epoch = 0, 0
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(
                f"Unrecognized save_freq: {save_freq}. Expected save_freq are 'epoch' or integer values"
            )

    def on_epoch_begin(self, epoch, logs=None):
        """Notes the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch, logs=None):
        """Saves after a number of steps."""
        self._steps += 1
        if self.save_freq != "epoch" and self._steps % self.save_freq == 0:
            self._save(self._epoch, batch, logs)

    def on_epoch_end(self, epoch, logs=None):
        """Saves after an epoch."""
        if self.save_freq == "epoch":
            self._save(epoch, None, logs)

    def _save(self, epoch: int, batch: int | None, logs: Any) -> None:
        logs = dict(logs or {})
        where = {} if batch is None else {"batch": batch + 1}
        path = self.filepath.format(epoch=epoch + 1, **where, **logs)
        if self.save_best_only:
            value = self._value(logs)
            if value is None:
                return
            if not self._is_better(value, self.best):
                if self.verbose > 0:
                    print(f"\nEpoch {epoch + 1}: {self.monitor} did not improve from {self.best:.5f}")
                return
            if self.verbose > 0:
                before = "None" if self.best is None else f"{self.best:.5f}"
                print(
                    f"\nEpoch {epoch + 1}: {self.monitor} improved from {before} to {value:.5f}, saving model to {path}"
                )
            self.best = value
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: saving model to {path}")
        (save_weights if self.save_weights_only else save_model)(self.model, Path(path))
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: finished saving model to {path}")


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch to ``schedule(epoch, learning_rate)``.

    >>> import gradtape as tf
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> halve = tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    >>> _ = model.fit(tf.ones([4, 2]), tf.ones([4, 1]), epochs=2, verbose=0, callbacks=[halve])
    >>> model.optimizer.learning_rate.numpy()
    np.float32(0.0025)
    """

    def __init__(self, schedule, verbose=0):
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        """Sets it."""
        rate = number_now(self.model.optimizer.learning_rate)
        try:
            rate = self.schedule(epoch, rate)
        except TypeError:  # a schedule of the epoch alone
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.floating)) and not hasattr(rate, "numpy"):
            raise ValueError(
                f"The output of the `schedule` function should be a float. Got: {rate} (of type {type(rate)})"
            )
        self.model.optimizer.learning_rate = float(rate)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {float(rate)}.")

    def on_epoch_end(self, epoch, logs=None):
        """Adds it to the logs."""
        if logs is not None:
            logs["learning_rate"] = number_now(self.model.optimizer.learning_rate)


class ReduceLROnPlateau(Monitor):
    """Makes the learning rate smaller when a value has not become better for some epochs.

    Args:
      monitor, mode, min_delta, verbose: as in `EarlyStopping`.
      factor: less than 1.
      patience: how many epochs without improvement there may be.
      cooldown: how many epochs to wait after a change.
      min_lr: the least.

    As Keras 3.
    """

    _what = "Learning rate reduction is"

    def __init__(
        self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto", min_delta=1e-4, cooldown=0,
        min_lr=0.0, **kwargs,
    ):  # fmt: skip
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0. Received factor={factor}")
        self._watch(monitor, mode, min_delta)
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self.on_train_begin()

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self.best, self.wait, self.cooldown_counter = None, 0, 0

    def on_epoch_end(self, epoch, logs=None):
        """Compares, and adds the rate to the logs."""
        logs = {} if logs is None else logs
        optimizer = self.model.optimizer
        logs["learning_rate"] = rate = number_now(optimizer.learning_rate)
        value = self._value(logs)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._is_better(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience and rate > np.float32(self.min_lr):
                optimizer.learning_rate = max(rate * self.factor, self.min_lr)
                if self.verbose > 0:
                    now = number_now(optimizer.learning_rate)
                    print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {now}.")
                self.cooldown_counter, self.wait = self.cooldown, 0
