"""The losses and metrics that a model was compiled with, put together with its outputs."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import shape as dynamic_shape
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import shape_of
from gradtape._src.keras import losses, metric_names
from gradtape._src.keras.loss import FunctionLoss, Loss
from gradtape._src.keras.metric import Mean, MeanMetricWrapper


def _is_group(x: Any) -> bool:
    return isinstance(x, (list, tuple, dict))


def per_output(given: Any, names: list[str], what: str, nested: bool = False) -> list[Any]:
    """What belongs to each output: from one thing for all, a list, or a dictionary by the outputs' names.

    Raises:
      ValueError: a name that no output has, or a list of another length.
    """
    if isinstance(given, dict):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"In the dict argument `{what}`, the key '{unknown[0]}' does not correspond to any model output. "
                f"Received: {what}={given}. The outputs are {names}."
            )
        return [given.get(name) for name in names]
    if isinstance(given, (list, tuple)) and not (nested and not any(_is_group(x) for x in given)):
        if len(given) != len(names):
            raise ValueError(
                f"For a model with multiple outputs, when providing the `{what}` argument as a list, it should have as "
                f"many entries as the model has outputs. Received: {what}={given} of length {len(given)} whereas the "
                f"model has {len(names)} outputs."
            )
        return list(given)
    return [given] * len(names)


def labels_in_order(y: Any, y_pred: Any, names: list[str]) -> list[Any]:
    """The labels of each output."""
    if isinstance(y, dict) and not isinstance(y_pred, dict):
        return [y.get(name) for name in names]
    if len(names) == 1:
        return [y if not _is_group(y) else flatten(y)[0]]
    return flatten(y)


def names_of(y_pred: Any, known: list[str] | None) -> tuple[list[str], bool]:
    """The names of the outputs, in the order in which they are flattened, and whether somebody gave them."""
    n = len(flatten(y_pred))
    if isinstance(y_pred, dict):
        return sorted(y_pred), True
    if known is not None and len(known) == n:
        return known, True
    return [f"output_{i}" for i in range(n)], False


def _name(given: Any) -> str:
    """What a loss or a metric is called in the logs."""
    if isinstance(given, str):
        return given
    return str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__)).strip("<>")


class CompiledLoss:
    """The sum of the losses of the outputs, times their weights.

    Attributes:
      trackers: the means of each output's loss, if there are several.
    """

    def __init__(self, loss: Any, weights: Any, names: list[str] | None) -> None:
        self._given, self._weights, self._names = loss, weights, names
        self._losses: list[Any] | None = None
        self._order: list[int] = []
        self.trackers: list[Any] = []

    @property
    def metrics(self) -> list[Any]:
        """The means of the losses, in Keras's order: that in which the losses, or else the outputs, were given."""
        return [self.trackers[i] for i in self._order if self.trackers and self.trackers[i] is not None]

    def _build(self, y_pred: Any) -> None:
        self.names, named = names_of(y_pred, self._names)
        ordered = next((list(x) for x in (self._given, y_pred) if isinstance(x, dict)), self.names)
        self._order = [self.names.index(name) for name in ordered if name in self.names]
        given = per_output(self._given, self.names, "loss")
        self._losses = [_as_loss(x) for x in given]
        self._factors = per_output(self._weights, self.names, "loss_weights")
        if sum(x is not None for x in self._losses) > 1:
            shown = self.names if named else [_name(x) for x in given]
            self.trackers = [
                None if x is None else Mean(name=f"{name}_loss") for name, x in zip(shown, self._losses)
            ]

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = ()
    ) -> Any:
        """The loss of a batch, None if there is none; with further losses added."""
        if self._losses is None:
            self._build(y_pred)
        outputs = flatten(y_pred)
        labels = labels_in_order(y_true, y_pred, self.names)
        weights = _weights_in_order(sample_weight, y_pred, self.names)
        total = None
        for i, (loss, y, prediction, w) in enumerate(zip(self._losses or (), labels, outputs, weights)):
            if loss is None or y is None:
                continue
            value = loss(y, prediction, w)
            if self.trackers:
                self.trackers[i].update_state(value)  # as Keras: all batches count the same
            if self._factors[i] is not None:
                value = value * self._factors[i]
            total = value if total is None else total + value
        for extra in regularization_losses or ():
            total = extra if total is None else total + extra
        return total


def _weights_in_order(weights: Any, y_pred: Any, names: list[str]) -> list[Any]:
    if weights is None or not _is_group(weights):
        return [weights] * len(names)
    return labels_in_order(weights, y_pred, names)


def batch_size_of(x: Any) -> Any:
    """The number of samples of a tensor: a number, or in a graph a tensor if it is not known."""
    shape = shape_of(x)
    if shape and shape[0] is not None:
        return shape[0]
    return dynamic_shape(x)[0]


def _as_loss(loss: Any) -> Any:
    found = losses.get(loss)
    if found is None or isinstance(found, Loss):
        return found
    return FunctionLoss(found, name=_name(found))


class CompiledMetrics:
    """The metrics of each output: ``metrics`` without, ``weighted_metrics`` with the weights of the samples.

    It is one metric of the model, as in Keras 3: a ``train_step`` of the user's may update all metrics of the
    model in a loop before these have been made.
    """

    name = "compile_metrics"

    def __init__(self, given: Any, weighted: Any, names: list[str] | None) -> None:
        self._given, self._weighted, self._names = given, weighted, names
        self.any = given is not None or weighted is not None
        self._built = False
        self._plan: list[tuple[int, Any, bool]] = []  # output, metric, whether it takes weights
        self._shown: list[str] = []  # their names in the logs

    @property
    def metrics(self) -> list[Any]:
        """All of them, in order."""
        return [metric for _, metric, _ in self._plan]

    @property
    def by_name(self) -> dict[str, Any]:
        """All of them, by their names in the logs."""
        return dict(zip(self._shown, self.metrics))

    @property
    def variables(self) -> list[Any]:
        """What they keep."""
        return [variable for metric in self.metrics for variable in metric.variables]

    def _build(self, y: Any, y_pred: Any) -> None:
        outputs = flatten(y_pred)
        self.names, named = names_of(y_pred, self._names)
        labels = labels_in_order(y, y_pred, self.names)
        for given, weighted in ((self._given, False), (self._weighted, True)):
            for i, group in enumerate(self._groups(given)):
                prefix = f"{self.names[i]}_" if len(outputs) > 1 and named else ""
                for item in group if isinstance(group, (list, tuple)) else [group]:
                    if item is not None:
                        metric = _as_metric(item, labels[i], outputs[i])
                        self._plan.append((i, metric, weighted))
                        self._show(metric.name, prefix, weighted)
        self._built = True

    def _show(self, name: str, prefix: str, weighted: bool) -> None:
        """Gives a metric its name in the logs: one that no other has."""
        if prefix + name in self._shown and weighted:
            name = f"weighted_{name}"
        name, n = prefix + name, 0
        while (name if not n else f"{name}_{n}") in self._shown:
            n += 1
        self._shown.append(f"{name}_{n}" if n else name)

    def _groups(self, given: Any) -> list[Any]:
        if given is None:
            return []
        if len(self.names) == 1 and not isinstance(given, dict):
            return (
                [given[0] if len(given) == 1 and _is_group(given[0]) else given]
                if _is_group(given)
                else [[given]]
            )
        return per_output(given, self.names, "metrics", nested=False)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Takes a batch in."""
        if not self._built:
            self._build(y_true, y_pred)
        if not self._plan:
            return
        outputs = flatten(y_pred)
        labels = labels_in_order(y_true, y_pred, self.names)
        weights = _weights_in_order(sample_weight, y_pred, self.names)
        for i, metric, weighted in self._plan:
            if labels[i] is None:
                continue
            if weighted:
                metric.update_state(labels[i], outputs[i], sample_weight=weights[i])
            else:
                metric.update_state(labels[i], outputs[i])

    def result(self) -> dict[str, Any]:
        """The values by name."""
        return {name: metric.result() for name, metric in self.by_name.items()}

    def reset_state(self) -> None:
        """Begins anew."""
        for metric in self.metrics:
            metric.reset_state()


_ACCURACIES = {
    "binary": "binary_accuracy",
    "sparse": "sparse_categorical_accuracy",
    "categorical": "categorical_accuracy",
}
_CROSSENTROPIES = {
    "binary": "binary_crossentropy",
    "sparse": "sparse_categorical_crossentropy",
    "categorical": "categorical_crossentropy",
}


def _as_metric(item: Any, y: Any, y_pred: Any) -> Any:
    """A metric, by its name, from a function, or as it is."""
    if hasattr(item, "update_state"):
        return item
    name = _name(item)
    lower = str(item).lower()
    if lower in ("accuracy", "acc"):
        item = _ACCURACIES[_kind(y, y_pred)]
    elif lower in ("crossentropy", "ce"):
        item = _CROSSENTROPIES[_kind(y, y_pred)]
    found = metric_names.get(item)
    if not hasattr(found, "update_state"):
        found = MeanMetricWrapper(found)
    found.name = name
    return found


def _kind(y: Any, y_pred: Any) -> str:
    """What classes labels and predictions are of."""
    labels, predictions = shape_of(y), shape_of(y_pred)
    if not predictions or predictions[-1] == 1:
        return "binary"
    if len(labels) < len(predictions) or (labels[-1] == 1 and predictions[-1] > 1):
        return "sparse"
    return "categorical"
