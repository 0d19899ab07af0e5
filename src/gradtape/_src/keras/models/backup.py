"""`BackupAndRestore`: training that was interrupted goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gradtape._src.core.files import written_whole
from gradtape._src.keras.models.callbacks import Callback
from gradtape._src.keras.models.files import load_weights, save_weights


class BackupAndRestore(Callback):
    """Keeps the model and its optimizer in a folder, and goes on from there if `fit` is called anew.

    Args:
      backup_dir: the folder. When `fit` ends it is emptied.
      save_freq: "epoch", or after how many batches to save.
      double_checkpoint, save_before_preemption: without effect.
      delete_checkpoint: whether the files go when `fit` ends.

    >>> import gradtape as tf, tempfile
    >>> model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     backup = tf.keras.callbacks.BackupAndRestore(folder)
    ...     history = model.fit(tf.ones([4, 2]), tf.ones([4, 1]), epochs=2, verbose=0, callbacks=[backup])
    >>> history.epoch
    [0, 1]

    As Keras 3.
    """

    def __init__(
        self, backup_dir, save_freq="epoch", double_checkpoint=False, save_before_preemption=False,
        delete_checkpoint=True,
    ):  # fmt: skip
        super().__init__()
        if not backup_dir:
            raise ValueError("Empty `backup_dir` argument passed")
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(
                f'Invalid value for argument `save_freq`. Expected "epoch" or an integer: {save_freq}'
            )
        self.backup_dir, self.save_freq, self.delete_checkpoint = (
            Path(backup_dir),
            save_freq,
            delete_checkpoint,
        )
        self._weights = self.backup_dir / "latest.weights.h5"
        self._place = self.backup_dir / "training_metadata.json"
        self._epoch = 0

    def on_train_begin(self, logs=None):
        """Takes up a backup: `fit` begins with its epoch."""
        if not self._place.exists():
            return
        place = json.loads(self._place.read_text())
        model: Any = self.model
        if not model.optimizer.built:
            model.optimizer.build(model.trainable_variables)
        load_weights(model, self._weights)
        model._initial_epoch = place["epoch"]

    def on_epoch_begin(self, epoch, logs=None):
        """Notes the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch, logs=None):
        """Saves after so many batches."""
        if isinstance(self.save_freq, int) and (batch + 1) % self.save_freq == 0:
            self._save(self._epoch)

    def on_epoch_end(self, epoch, logs=None):
        """Saves after an epoch."""
        if self.save_freq == "epoch":
            self._save(epoch + 1)

    def _save(self, epoch: int) -> None:
        self.backup_dir.mkdir(parents=True, exist_ok=True)
        save_weights(self.model, self._weights)
        with written_whole(str(self._place)) as part:
            Path(part).write_text(json.dumps({"epoch": epoch, "batch": 0}))

    def on_train_end(self, logs=None):
        """The backup is not needed any more."""
        if self.delete_checkpoint:
            for file in (self._weights, self._place):
                file.unlink(missing_ok=True)
