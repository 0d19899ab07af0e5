"""`CallbackList`: several callbacks as one."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras.models.callbacks import HOOKS, Callback, History
from gradtape._src.keras.models.logging import ProgbarLogger


class CallbackList(Callback):
    """Several callbacks as one.

    Args:
      callbacks: a list, or one of them.
      add_history, add_progbar: whether to add a `History`, and a bar of progress.
      model: the model.
      **params: told to all.
    """

    def __init__(self, callbacks=None, add_history=False, add_progbar=False, model=None, **params):
        given = (
            [] if callbacks is None else callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        )
        self.callbacks = list(given)
        if add_progbar and not any(hasattr(c, "progbar") for c in self.callbacks):
            self.callbacks.append(ProgbarLogger())
        self._history = next((c for c in self.callbacks if isinstance(c, History)), None)
        if self._history is None and add_history:
            self._history = History()
            self.callbacks.append(self._history)
        for callback in self.callbacks:
            if model is not None:
                callback.set_model(model)
            callback.set_params(params)
        # Most callbacks have nothing to do in a step: it is known beforehand whose methods are their own.
        self._wanting = {hook: [c for c in self.callbacks if _wants(c, hook)] for hook in HOOKS}

    @property
    def history(self) -> Any:
        """The `History` among them."""
        return self._history

    def append(self, callback: Any) -> None:
        """Adds one."""
        self.callbacks.append(callback)
        for hook, wanting in self._wanting.items():
            if _wants(callback, hook):
                wanting.append(callback)

    def wants(self, hook: str) -> bool:
        """Whether anybody has something to do at this place."""
        return bool(self._wanting[hook])

    def call(self, hook: str, *args: Any) -> None:
        """Calls a method of all that have one of their own."""
        for callback in self._wanting[hook]:
            getattr(callback, hook)(*args)


def _wants(callback: Any, hook: str) -> bool:
    own = getattr(type(callback), hook, None) is not getattr(Callback, hook) or hook in vars(callback)
    older = hook.replace("train_batch", "batch")
    return own or (older != hook and getattr(type(callback), older, None) is not getattr(Callback, older))
