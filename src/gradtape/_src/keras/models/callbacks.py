"""`Callback`: what is called while a model is trained, and the plain ones of them."""

from __future__ import annotations

import math
from typing import Any

_ENDS = ("begin", "end")
_PLACES = ("batch", "epoch", "train", "test", "predict", "train_batch", "test_batch", "predict_batch")
HOOKS = tuple(f"on_{place}_{end}" for place in _PLACES for end in _ENDS)


class Callback:
    """What is called at certain places of training, evaluation and prediction: a subclass defines those it wants.

    Attributes:
      model: the model.
      params: a dictionary: ``verbose``, ``epochs``, ``steps``.

    ``logs`` are the losses and metrics so far, by name.

    >>> import gradtape as tf
    >>> class Teller(tf.keras.callbacks.Callback):
    ...     def on_epoch_end(self, epoch, logs=None):
    ...         print("epoch", epoch, sorted(logs))
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> _ = model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0, callbacks=[Teller()])
    epoch 0 ['loss']

    As Keras 3.
    """

    params: dict[str, Any] | None = None
    _model: Any = None

    @property
    def model(self) -> Any:
        """The model."""
        return self._model

    def set_params(self, params: dict[str, Any]) -> None:
        """Is told the parameters."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Is told the model."""
        self._model = model

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """After an epoch, and its validation."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a training step: the older name of `on_train_batch_begin`."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a training step: the older name of `on_train_batch_end`."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a training step."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a training step."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a step of an evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a step of an evaluation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a step of a prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a step of a prediction."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """After training."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Before an evaluation."""

    def on_test_end(self, logs: Any = None) -> None:
        """After an evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Before a prediction."""

    def on_predict_end(self, logs: Any = None) -> None:
        """After a prediction."""


class History(Callback):
    """What `fit` returns: ``history`` has the losses and metrics of each epoch by name, ``epoch`` their numbers."""

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self.epoch: list[int] = []

    def on_epoch_end(self, epoch, logs=None):
        """Notes the logs."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        self.model.history = self


class LambdaCallback(Callback):
    """A callback of functions: each argument is named after the method that it stands for.

    >>> import gradtape as tf
    >>> callback = tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch))
    >>> callback.on_epoch_end(3, {})
    3
    """

    def __init__(
        self, on_epoch_begin=None, on_epoch_end=None, on_train_begin=None, on_train_end=None,
        on_train_batch_begin=None, on_train_batch_end=None, **kwargs,
    ):  # fmt: skip
        given = {
            "on_epoch_begin": on_epoch_begin,
            "on_epoch_end": on_epoch_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end,
            **kwargs,
        }
        self.__dict__.update({name: function for name, function in given.items() if function is not None})


class TerminateOnNaN(Callback):
    """Stops training when the loss is no number.

    Args:
      raise_error: whether to raise a RuntimeError instead.
    """

    def __init__(self, raise_error: bool = False) -> None:
        self.raise_error = raise_error

    def on_batch_end(self, batch, logs=None):
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not math.isfinite(loss):
            if self.raise_error:
                raise RuntimeError(f"NaN or Inf loss encountered at batch {batch}.")
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True
