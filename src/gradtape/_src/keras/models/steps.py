"""`Steps`: what one step of training, of evaluation, of prediction does. Users override them."""

from __future__ import annotations

from typing import Any

from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.nest import flatten
from gradtape._src.keras.metric import Mean
from gradtape._src.keras.models.batches import unpacked
from gradtape._src.keras.models.compiled import CompiledLoss, CompiledMetrics, batch_size_of
from gradtape._src.keras.parts import Parts


class Steps(Parts):
    """The steps of a model. See `tf.keras.Model`."""

    optimizer: Any
    losses: list[Any]
    _signature: Any
    _compiled_loss: CompiledLoss | None
    _compiled_metrics: CompiledMetrics | None
    _loss_tracker: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs."""
        return super().__call__(*args, **kwargs)  # type: ignore[misc]

    def _predicted(self, x: Any, training: bool) -> Any:
        """The outputs. As in Keras 3, layers hear of ``training`` only if the model's `call` has that argument."""
        return self(x, training=training) if self._signature.has_training else self(x)

    def train_step(self, data):
        """One step of training on a batch (x, y, sample_weight): the logs, by name.

        A subclass that overrides it computes a loss and applies gradients in its own way.
        """
        x, y, sample_weight = unpacked(data)
        with GradientTape() as tape:
            y_pred = self._predicted(x, True)
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=True)
            scale = getattr(self.optimizer, "scale_loss", None)  # a model without weights needs no optimizer
            scaled = loss if scale is None else scale(loss)
        self._loss_tracker.update_state(loss, sample_weight=batch_size_of(flatten(x)[0]))
        weights = self.trainable_weights
        if weights:
            self.optimizer.apply_gradients(zip(tape.gradient(scaled, weights), weights))
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def test_step(self, data):
        """One step of evaluation on a batch (x, y, sample_weight): the logs, by name."""
        x, y, sample_weight = unpacked(data)
        y_pred = self._predicted(x, False)
        loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=False)
        if loss is not None:
            self._loss_tracker.update_state(loss, sample_weight=batch_size_of(flatten(x)[0]))
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data):
        """One step of prediction on a batch: the outputs."""
        x, _, _ = unpacked(data)
        return self._predicted(x, False)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss of a batch: that of the outputs, and what layers and regularizers add.

        Raises:
          ValueError: there is none, or one that was compiled has no labels.
        """
        extra = self.losses
        loss = None
        if self._compiled_loss is not None:
            if y is None:
                raise ValueError(
                    "The model was compiled with a loss, which needs labels, but no `y` was given. Pass `y` to `fit()` "
                    "or `evaluate()`, or leave `loss` out of `compile()` and add the loss by `add_loss`."
                )
            loss = self._compiled_loss(y, y_pred, sample_weight, extra)
        else:
            for term in extra:
                loss = term if loss is None else loss + term
        if loss is None:
            raise ValueError(
                "No loss to compute. Provide a `loss` argument in `compile()`, or add losses by `add_loss`."
            )
        return loss

    def compute_metrics(self, x, y, y_pred, sample_weight=None):
        """Brings the compiled metrics up to date with a batch: the values so far, by name."""
        if self._compiled_metrics is not None:
            self._compiled_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def get_metrics_result(self):
        """The values of all metrics so far, by name; a metric of several values gives each its name."""
        found: dict[str, Any] = {}
        for metric in self.metrics:
            value = metric.result()
            found.update(value if isinstance(value, dict) else {metric.name: value})
        return found

    @property
    def metrics(self) -> list[Any]:
        """The mean of the loss, the compiled metrics as one, the outputs' losses, the metrics among the attributes."""
        found = [] if self._loss_tracker is None else [self._loss_tracker]
        if self._compiled_metrics is not None and self._compiled_metrics.any:
            found.append(self._compiled_metrics)
        if self._compiled_loss is not None:
            found += self._compiled_loss.metrics
        known = [*found, *self._metrics_compiled()]
        return found + [m for m in Parts.metrics.fget(self) if not any(m is other for other in known)]  # type: ignore[misc]

    def _metrics_compiled(self) -> list[Any]:
        return [] if self._compiled_metrics is None else self._compiled_metrics.metrics

    def _metric_in_logs(self, name: str) -> Any:
        """The metric whose value has this name in the logs; None if there is none."""
        compiled = {} if self._compiled_metrics is None else self._compiled_metrics.by_name
        return compiled.get(name) or next((m for m in self.metrics if m.name == name), None)

    @property
    def metrics_names(self) -> list[str]:
        """The names of the values that `evaluate` gives, in their order."""
        known = {}
        for metric in self.metrics:
            known.update(metric.by_name if metric is self._compiled_metrics else {metric.name: metric})
        return self._in_order(known)

    def _in_order(self, names: Any) -> list[str]:
        """Names in the logs, in the order of `metrics`; then, by the alphabet, those that got a prefix, and others."""
        order = []
        for metric in self.metrics:
            inner = [metric] if metric is not self._compiled_metrics else metric.metrics
            order += [m.name for m in inner if m.name in names]
        return list(dict.fromkeys([*order, *sorted(names)]))

    def reset_metrics(self) -> None:
        """Begins all metrics anew."""
        for metric in self.metrics:
            metric.reset_state()

    # --- Keras 2's names, for those who override `train_step`

    @property
    def compiled_loss(self) -> Any:
        """The compiled loss as a function: ``compiled_loss(y, y_pred, sample_weight, regularization_losses=...)``."""

        def compiled_loss(y, y_pred, sample_weight=None, regularization_losses=None):
            assert self._compiled_loss is not None
            loss = self._compiled_loss(y, y_pred, sample_weight, regularization_losses or ())
            self._loss_tracker.update_state(loss, sample_weight=batch_size_of(flatten(y_pred)[0]))
            return loss

        return compiled_loss

    @property
    def compiled_metrics(self) -> Any:
        """The compiled metrics, which have ``update_state(y, y_pred, sample_weight)``."""
        return self._compiled_metrics

    def _start_trainer(self) -> None:
        self.__dict__.update(
            optimizer=None, loss=None, stop_training=False, history=None, compiled=False, run_eagerly=False,
            steps_per_execution=1,
            _compiled_loss=None, _compiled_metrics=None, _loss_tracker=None, _functions={}, _compile_arguments=None,
        )  # fmt: skip

    def _new_tracker(self) -> Any:
        return Mean(name="loss")
