"""`SwapEMAWeights`: the moving averages of the weights where others look at the model."""

from __future__ import annotations

from gradtape._src.core.convert import as_tensor
from gradtape._src.keras.models.callbacks import Callback


class SwapEMAWeights(Callback):
    """Puts the moving averages that an optimizer keeps in the place of the weights while the model is evaluated.

    After training they stay there.

    Args:
      swap_on_epoch: to do so from the end of an epoch to the beginning of the next, so that callbacks behind this one
        (`ModelCheckpoint`) find them.

    Raises:
      ValueError: (in training) the optimizer has no ``use_ema=True``.

    >>> import gradtape as tf
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile(tf.keras.optimizers.SGD(0.1, use_ema=True), "mse")
    >>> swap = tf.keras.callbacks.SwapEMAWeights()
    >>> history = model.fit(tf.ones([8, 2]), tf.ones([8, 1]), verbose=0, callbacks=[swap])

    As Keras 3.
    """

    def __init__(self, swap_on_epoch=False):
        super().__init__()
        self.swap_on_epoch = swap_on_epoch
        self._in_model = False

    def _pairs(self):
        optimizer = getattr(self.model.optimizer, "inner_optimizer", self.model.optimizer)
        if not getattr(optimizer, "use_ema", False):
            raise ValueError(
                "SwapEMAWeights must be used when `use_ema=True` is set on the optimizer. Received: "
                f"use_ema={getattr(optimizer, 'use_ema', None)}"
            )
        return zip(optimizer._trainable_variables, optimizer._averages)

    def _swap(self, wanted):
        if self._in_model == wanted:
            return
        for variable, average in self._pairs():
            value = as_tensor(variable)
            variable.assign(average)
            average.assign(value)
        self._in_model = wanted

    def on_train_begin(self, logs=None):
        """Whether there are averages."""
        self._pairs()
        self._in_model = False

    def on_epoch_begin(self, epoch, logs=None):
        """Training goes on with the weights."""
        if self.swap_on_epoch:
            self._swap(False)

    def on_epoch_end(self, epoch, logs=None):
        """Others may look; after the last epoch the averages stay, as `fit` has it."""
        if not self.swap_on_epoch:
            return
        self._swap(True)
        if epoch == (self.params or {}).get("epochs", 0) - 1 or self.model.stop_training:
            for variable, average in self._pairs():
                average.assign(variable)

    def on_test_begin(self, logs=None):
        """Others look."""
        self._swap(True)

    def on_test_end(self, logs=None):
        """Training goes on."""
        self._swap(False)

    def on_predict_begin(self, logs=None):
        """Others look."""
        self._swap(True)

    def on_predict_end(self, logs=None):
        """Training may go on."""
        if not self.swap_on_epoch:
            self._swap(False)
