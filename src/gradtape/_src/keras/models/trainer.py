"""`Trainer`: what makes a layer a model that can be trained: `compile`, `fit`, `evaluate`, `predict`.

The steps are in `steps.py`. The loops here call them as a `tf.function`, or as they are if the model was compiled with
``run_eagerly=True``.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np

from gradtape._src.core.nest import map_structure
from gradtape._src.core.notes import note
from gradtape._src.core.values import Tensor
from gradtape._src.function.func_graph import root_graph
from gradtape._src.function.function import function
from gradtape._src.function.running import functions_run_eagerly
from gradtape._src.keras import optimizer_names
from gradtape._src.keras.loss_scaling import LossScaleOptimizer
from gradtape._src.keras.models.batches import ArrayBatches, Batches, batches_of, grouped, split, unpacked
from gradtape._src.keras.models.callback_list import CallbackList
from gradtape._src.keras.models.compiled import CompiledLoss, CompiledMetrics
from gradtape._src.keras.models.in_session import SessionStep, run_for_effect
from gradtape._src.keras.models.steps import Steps
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.shapes import map_shapes


class Trainer(Steps):
    """The loops of a model. See `tf.keras.Model`."""

    built: bool
    stop_training: bool
    _initial_epoch: int
    run_eagerly: bool
    steps_per_execution: int
    _functions: dict[Any, Any]
    _compile_arguments: Any

    def compile(
        self, optimizer="rmsprop", loss=None, loss_weights=None, metrics=None, weighted_metrics=None,
        run_eagerly=False, steps_per_execution=1, jit_compile="auto", auto_scale_loss=True, **kwargs,
    ):  # fmt: skip
        """Says how the model is trained.

        Args:
          optimizer: an optimizer or its name.
          loss: a loss, a function of labels and predictions, or a name; of several outputs a list, or a dictionary by
            the outputs' names.
          loss_weights: likewise, numbers that the losses are multiplied with.
          metrics: a list of metrics, functions or names; of several outputs a list of such, or a dictionary.
          weighted_metrics: likewise; these take the weights of the samples.
          run_eagerly: whether steps are executed as they are, and not as a `tf.function`.
          auto_scale_loss: whether a model with the policy "mixed_float16" gets a `LossScaleOptimizer`.
          steps_per_execution: how many steps lie between two calls of the callbacks for batches; "auto" means 1.
          jit_compile: without effect.
        """
        if kwargs:
            raise TypeError(f"compile() got an unexpected keyword argument {next(iter(kwargs))!r}.")
        if steps_per_execution != "auto" and (steps_per_execution or 0) < 1:
            raise ValueError(
                "`steps_per_execution` must be a positive integer or 'auto'. "
                f"Received: steps_per_execution={steps_per_execution}"
            )
        names = self.output_names if getattr(self, "_network", None) is not None else None
        given = {"optimizer": optimizer, "loss": loss, "loss_weights": loss_weights, "metrics": metrics,
                 "weighted_metrics": weighted_metrics}  # fmt: skip
        chosen = optimizer_names.get(optimizer)
        if auto_scale_loss and chosen is not None and self.dtype_policy.name == "mixed_float16":
            if not isinstance(chosen, LossScaleOptimizer):
                chosen = LossScaleOptimizer(chosen, name="loss_scale_optimizer")
        self.__dict__.update(
            optimizer=chosen, loss=loss, compiled=True, run_eagerly=bool(run_eagerly),
            stop_training=False, _functions={}, _compile_arguments=given, _loss_tracker=self._new_tracker(),
            _compiled_loss=None if loss is None else CompiledLoss(loss, loss_weights, names),
            _compiled_metrics=CompiledMetrics(metrics, weighted_metrics, names),
            steps_per_execution=1 if steps_per_execution == "auto" else int(steps_per_execution),
        )  # fmt: skip

    output_names: list[str]
    dtype_policy: Any
    _build_shape: Any

    def get_compile_config(self):
        """The arguments of `compile`, as plain values; None if the model is not compiled."""
        if self._compile_arguments is None:
            return None
        given = {**self._compile_arguments, "optimizer": self.optimizer}
        try:
            return {name: serialize_keras_object(value) for name, value in given.items()}
        except TypeError:  # an object of the user's that cannot be described
            return None

    def compile_from_config(self, config):
        """Compiles the model as `get_compile_config` says."""
        self.compile(**{name: deserialize_keras_object(value) for name, value in config.items()})
        if self.built and self.optimizer is not None:
            self.optimizer.build(self.trainable_variables)

    def _check_compiled(self) -> None:
        if not self.__dict__["compiled"]:
            raise ValueError("You must call `compile()` before using the model.")

    # --- Steps as functions

    def _step(self, kind: str) -> Any:
        """The step to call: a method, or a function that was traced from it."""
        step = getattr(self, f"{kind}_step")
        graph = root_graph()
        if graph is not None:  # of TensorFlow 1
            built = self._functions.get((kind, graph))
            if built is None:
                built = self._functions[kind, graph] = SessionStep(function(step, reduce_retracing=True))
            return built
        if self.run_eagerly or functions_run_eagerly():
            return step
        found = self._functions.get(kind)
        if found is None:
            # A partial, so that traces are counted for this model alone: a new model has to be traced.
            found = self._functions[kind] = function(partial(step), reduce_retracing=True)
        return found

    def make_train_function(self, force=False):
        """The training step as the loops call it."""
        return self._step("train")

    def make_test_function(self, force=False):
        """The evaluation step as the loops call it."""
        return self._step("test")

    def make_predict_function(self, force=False):
        """The prediction step as the loops call it."""
        return self._step("predict")

    def _begin_metrics(self) -> None:
        """`reset_metrics`, in the session if there is a graph of TensorFlow 1."""
        graph = root_graph()
        if graph is None:
            return self.reset_metrics()
        key = ("reset", graph, *map(id, self._metrics_compiled()))  # the first step makes the compiled ones
        if key not in self._functions:
            self._functions[key] = run_for_effect(self.reset_metrics)
        self._functions[key]()

    # --- Loops

    def fit(
        self, x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None, validation_split=0.0,
        validation_data=None, shuffle=True, class_weight=None, sample_weight=None, initial_epoch=0,
        steps_per_epoch=None, validation_steps=None, validation_batch_size=None, validation_freq=1, **kwargs,
    ):  # fmt: skip
        """Trains the model.

        Args:
          x: arrays, in a nest like the model's inputs; a dataset or a generator of (x, y) or (x, y, sample_weight).
          y: labels, likewise.
          batch_size: 32 by default.
          epochs: the number of the last epoch, counted from `initial_epoch` on.
          verbose: 0: silent, 1 or ``"auto"``: a bar of progress, 2: a line for each epoch.
          callbacks: a list of `tf.keras.callbacks.Callback`.
          validation_split: the share of the arrays, at their end, that is kept for validation.
          validation_data: (x, y), (x, y, sample_weight), or a dataset.
          shuffle: whether arrays are shuffled before each epoch.
          class_weight: a dictionary: class -> weight of its samples in the loss.
          sample_weight: the weight of each sample in the loss.
          steps_per_epoch, validation_steps: how many batches to take.
          validation_batch_size: `batch_size` by default.
          validation_freq: after how many epochs to validate, or a list of epochs.

        Returns:
          A `History`.

        Raises:
          ValueError: the model is not compiled, or the data does not fit.

        >>> import gradtape as tf
        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> history = model.fit(tf.ones([64, 2]), tf.ones([64, 1]), epochs=3, verbose=0)
        >>> len(history.history["loss"])
        3
        """
        self._check_compiled()
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = split((x, y, sample_weight), validation_split)
        batches = batches_of(x, y, sample_weight, batch_size, shuffle, class_weight, steps_per_epoch)
        checked = None
        if validation_data is not None:
            vx, vy, vw = (
                unpacked(validation_data)
                if isinstance(validation_data, (tuple, list))
                else (validation_data, None, None)
            )
            checked = batches_of(
                vx, vy, vw, validation_batch_size or batch_size, False, None, validation_steps
            )
        calls = CallbackList(
            callbacks, add_history=True, add_progbar=verbose != 0, model=self, verbose=verbose, epochs=epochs,
            steps=batches.size,
        )  # fmt: skip
        batches.reset()
        self.__dict__["stop_training"] = False
        step = self._step("train")
        logs: dict[str, Any] = {}
        self.__dict__["_initial_epoch"] = initial_epoch  # `BackupAndRestore` may know a later one
        calls.call("on_train_begin", {})
        for epoch in range(self._initial_epoch, epochs):
            self._begin_metrics()
            calls.call("on_epoch_begin", epoch, {})
            built = self.built
            logs = self._train_epoch(batches, step, calls, steps_per_epoch, epoch)
            if not built:
                self._forget_batch_size()
            if checked is not None and _is_due(epoch, validation_freq):
                found = self._evaluated(checked, calls)
                logs = dict(
                    sorted({**logs, **{f"val_{name}": value for name, value in found.items()}}.items())
                )
            calls.call("on_epoch_end", epoch, dict(logs))
            if self.stop_training:
                break
        if getattr(self.optimizer, "use_ema", False) and self.optimizer.built and root_graph() is None:
            self.optimizer.finalize_variable_values(self.trainable_variables)
        calls.call("on_train_end", logs)
        return calls.history

    def _train_epoch(
        self, batches: Batches, step: Any, calls: CallbackList, steps: Any, epoch: int
    ) -> dict[str, Any]:
        """The logs of an epoch."""
        before, after = calls.wants("on_train_batch_begin"), calls.wants("on_train_batch_end")
        found: Any = None
        n = -1
        for first, n, group in grouped(batches.epoch(), self.steps_per_execution):
            if before:
                calls.call("on_train_batch_begin", first, {})
            for batch in group:
                found = step(batch)
            if after:
                calls.call("on_train_batch_end", n, numbers(found))
            if self.stop_training:
                break
        if steps is not None and n + 1 < steps and not self.stop_training:
            warnings.warn(
                "Your input ran out of data; interrupting training. Make sure that your dataset or generator can "
                "generate at least `steps_per_epoch * epochs` batches. You may need to use the `.repeat()` function "
                "when building your dataset.",
                stacklevel=3,
            )
        if found is None:
            raise ValueError(
                f"The data for epoch {epoch + 1} is empty: there was no batch to train on. An iterator gives its "
                "batches once; use a dataset, or arrays, or steps_per_epoch."
            )
        batches.size = batches.size or n + 1
        for callback in calls.callbacks:
            if isinstance(callback.params, dict):
                callback.params["steps"] = batches.size
        return numbers(found)

    def evaluate(
        self, x=None, y=None, batch_size=None, verbose="auto", sample_weight=None, steps=None, callbacks=None,
        return_dict=False, **kwargs,
    ):  # fmt: skip
        """The loss and the metrics on data; the arguments are as in `fit`.

        Returns:
          The loss; a list of the loss and the metrics, if there are such; or, with ``return_dict``, all by name.
        """
        self._check_compiled()
        batches = batches_of(x, y, sample_weight, batch_size, steps=steps)
        calls = CallbackList(
            callbacks, add_progbar=verbose != 0, model=self, verbose=verbose, steps=batches.size
        )
        logs = self._evaluated(batches, calls)
        return logs if return_dict else self._as_list(logs)

    def _evaluated(self, batches: Batches, calls: CallbackList) -> dict[str, Any]:
        batches.reset()
        self._begin_metrics()
        step, built = self._step("test"), self.built
        calls.call("on_test_begin", {})
        found: Any = {}
        for first, n, group in grouped(batches.epoch(), self.steps_per_execution):
            calls.call("on_test_batch_begin", first, {})
            for batch in group:
                found = step(batch)
            if calls.wants("on_test_batch_end"):
                calls.call("on_test_batch_end", n, numbers(found))
        if not built:
            self._forget_batch_size()
        logs = numbers(found)
        calls.call("on_test_end", logs)
        return logs

    def predict(self, x, batch_size=None, verbose="auto", steps=None, callbacks=None, **kwargs):
        """The outputs for data, as arrays.

        >>> import gradtape as tf
        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.predict(tf.constant([[1.0, 2.0]]), verbose=0)
        array([[3.]], dtype=float32)
        """
        _leaves(x)
        batches = batches_of(x, None, None, batch_size, steps=steps)
        calls = CallbackList(
            callbacks, add_progbar=verbose != 0, model=self, verbose=verbose, steps=batches.size
        )
        step = self._step("predict")
        calls.call("on_predict_begin", {})
        parts: list[Any] = []
        for first, n, group in grouped(batches.epoch(), self.steps_per_execution):
            calls.call("on_predict_batch_begin", first, {})
            made = [step(batch) for batch in group]
            parts += made
            calls.call("on_predict_batch_end", n, {"outputs": _joined(made) if len(made) > 1 else made[0]})
        calls.call("on_predict_end", {})
        if not parts:
            raise ValueError("There was no batch to predict for.")
        return _joined(parts)

    # --- Single batches

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, return_dict=False, **kwargs):
        """One step of training: the loss and the metrics of the batch, as in `evaluate`."""
        self._check_compiled()
        self._begin_metrics()
        logs = numbers(self._step("train")(_one_batch(x, y, sample_weight, class_weight)))
        return logs if return_dict else self._as_list(logs)

    def test_on_batch(self, x, y=None, sample_weight=None, return_dict=False, **kwargs):
        """One step of evaluation: the loss and the metrics of the batch, as in `evaluate`."""
        self._check_compiled()
        self._begin_metrics()
        logs = numbers(self._step("test")(_one_batch(x, y, sample_weight, None)))
        return logs if return_dict else self._as_list(logs)

    def predict_on_batch(self, x):
        """The outputs for one batch, as arrays."""
        _leaves(x)
        return map_structure(_left, self._step("predict")(_one_batch(x, None, None, None)))

    def _forget_batch_size(self) -> None:
        """Layers that a loop has built are built for batches of any size, as in Keras: `summary` says so."""
        sizes: list[Any] = []
        map_shapes(lambda shape: sizes.append(shape[0]), self._build_shape)
        for layer in self._flatten_layers():
            layer.__dict__["_build_shape"] = map_shapes(
                lambda shape: (None, *shape[1:]) if shape[0] in sizes[:1] else shape, layer._build_shape
            )

    def _as_list(self, logs: dict[str, Any]) -> Any:
        """The loss alone, or a list of it and the metrics in their order."""
        values = [logs[name] for name in self._in_order(logs)]
        return values[0] if len(values) == 1 else values


def _left(x: Any) -> Any:
    """An output as an array of the user's: here the path of a gradient ends."""
    _leaves(x)
    return np.asarray(x)


def _leaves(data: Any) -> None:
    """Tells that these tensors become arrays."""
    if isinstance(data, Tensor):
        note("left", "model.predict", (data,))
    elif isinstance(data, (list, tuple, dict)):
        for part in data.values() if isinstance(data, dict) else data:
            _leaves(part)


def _joined(parts: list[Any]) -> Any:
    """The outputs for several batches as arrays."""
    return map_structure(lambda *arrays: np.concatenate([_left(a) for a in arrays], axis=0), *parts)


def _one_batch(x: Any, y: Any, weights: Any, class_weight: Any) -> Any:
    batches = ArrayBatches(x, y, weights, 1 << 62, False, class_weight)
    return next(iter(batches.epoch()))


def _is_due(epoch: int, freq: Any) -> bool:
    return (epoch + 1) % freq == 0 if isinstance(freq, int) else epoch + 1 in freq


def numbers(logs: Any) -> dict[str, Any]:
    """The logs as Python numbers, in the order of their names."""
    if logs is None:
        return {}
    if not isinstance(logs, dict):
        logs = {"loss": logs}
    flat: dict[str, Any] = {}
    for name, value in sorted(logs.items()):
        flat.update(numbers(value) if isinstance(value, dict) else {name: _number(value)})
    return flat


def _number(value: Any) -> Any:
    array = np.asarray(value)
    return float(array) if array.ndim == 0 else array
