"""``tf.keras.metrics.Metric``: numbers that are gathered over several batches; means and sums of them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Self

from gradtape._src.api.arithmetic import divide_no_nan
from gradtape._src.api.arrays import broadcast_to, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.graphs import control_dependencies, group
from gradtape._src.api.reduction import reduce_mean, reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras import initializers
from gradtape._src.keras.loss import converted, of_one_rank
from gradtape._src.keras.naming import auto_name, in_lower_case
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.settings import as_floatx
from gradtape._src.keras.weights import make_weight
from gradtape._src.ops.variables import Variable


class Metric:
    """What metrics have in common: ``metric.update_state(...)`` for each batch, and ``metric.result()``.

    A subclass makes variables with ``add_weight`` and defines ``update_state`` and ``result``. It works eagerly, in
    `tf.function`, and in graphs, where ``update_state`` gives an operation.

    Args:
      dtype: that of the result; that of `tf.keras.backend.floatx` by default.
      name: a name.

    >>> import gradtape as tf
    >>> class Count(tf.keras.metrics.Metric):
    ...     def __init__(self):
    ...         super().__init__(name="count")
    ...         self.seen = self.add_weight(name="seen", initializer="zeros")
    ...     def update_state(self, values):
    ...         self.seen.assign_add(float(len(values)))
    ...     def result(self):
    ...         return self.seen.value()
    >>> count = Count()
    >>> count.update_state([1, 2])
    >>> count([3]).numpy()
    np.float32(3.0)

    As Keras 3.
    """

    _more_is_better = False  # for callbacks that look for the best value

    _arguments: tuple[str, ...] = ()

    def __init__(self, dtype: Any = None, name: str | None = None, **kwargs: Any) -> None:
        if isinstance(dtype, str) and name is not None and _is_dtype(name) and not _is_dtype(dtype):
            dtype, name = name, dtype  # Keras 2 had the name first
        elif isinstance(dtype, str) and name is None and not _is_dtype(dtype):
            dtype, name = None, dtype
        self.name = name or auto_name(in_lower_case(type(self).__name__))
        self._dtype = as_floatx(getattr(dtype, "compute_dtype", dtype))

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (Variable, Metric)):
            self._keep(value)
        super().__setattr__(name, value)

    def _keep(self, part: Any) -> None:
        kept = vars(self).setdefault("_kept", [])
        if not any(part is other for other in kept):
            kept.append(part)

    @property
    def dtype(self) -> str:
        """The name of the dtype of the result."""
        return self._dtype.name

    @property
    def variables(self) -> list[Any]:
        """The variables of the metric, and of the metrics that it is made of."""
        found: list[Any] = []
        for part in vars(self).get("_kept", ()):
            found += part.variables if isinstance(part, Metric) else [part]
        return found

    weights = non_trainable_variables = non_trainable_weights = variables
    trainable_variables = trainable_weights = property(lambda self: [])

    def add_variable(
        self,
        shape: Any,
        initializer: Any,
        dtype: Any = None,
        aggregation: Any = "sum",
        name: str | None = None,
    ) -> Any:
        """A new variable of the metric."""
        dtype = as_floatx(dtype)
        with init_scope():
            initial = initializers.get(initializer or "zeros")(shape, dtype)
            name = f"{self.name}/{name or auto_name('variable')}"
            variable = make_weight(name, initial, None, trainable=False, constraint=None)
        self._keep(variable)
        return variable

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: Any = None, **kwargs: Any
    ) -> Any:
        """A new variable of the metric. Keras 2's order, ``add_weight(name, shape=...)``, is taken too."""
        if isinstance(shape, str):
            shape, name = name if isinstance(name, (tuple, list)) else (), shape
        return self.add_variable(shape, initializer, dtype, name=name)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch."""
        raise NotImplementedError(f"{type(self).__name__} must define update_state().")

    def result(self) -> Any:
        """The number so far, as a tensor."""
        raise NotImplementedError(f"{type(self).__name__} must define result().")

    def reset_state(self) -> Any:
        """Begins anew."""
        return in_one([v.assign(zeros_like(v), read_value=False) for v in self.variables])

    def reset_states(self) -> Any:
        """`reset_state`, by its older name."""
        return self.reset_state()

    def merge_state(self, metrics: Any) -> Any:
        """Adds the state of other metrics of the same kind to this one's.

        >>> import gradtape as tf
        >>> a, b = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
        >>> a.update_state([1.0, 2.0])
        >>> b.update_state(6.0)
        >>> a.merge_state([b])
        >>> a.result().numpy()
        np.float32(3.0)

        Raises:
          ValueError: another number of variables.
        """
        done = []
        for metric in metrics:
            if len(metric.variables) != len(self.variables):
                raise ValueError(f"Metric {metric} is not compatible with {self}")
            done += [
                mine.assign_add(other, read_value=False)
                for mine, other in zip(self.variables, metric.variables)
            ]
        return in_one(done)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch, and gives the number so far."""
        update = self.update_state(*args, **kwargs)
        graph = current_graph()
        waits = graph is not None and update is not None
        with control_dependencies([update]) if waits else nullcontext():
            return self.result()

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            "name": self.name,
            "dtype": self.dtype,
            **{key: getattr(self, key) for key in self._arguments},
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The metric of `get_config`."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def _is_dtype(name: Any) -> bool:
    try:
        return bool(as_floatx(name))
    except TypeError:
        return False


def in_one(done: list[Any]) -> Any:
    """What an update gives: in a graph of the user's one operation for all these, else None."""
    graph = current_graph()
    return None if graph is None or graph.building_function else group(*done)


def sums(values: Any, sample_weight: Any, reduce: Any, dtype: Any) -> tuple[Any, Any]:
    """The values of the samples, weighted, and the weights; what one sample has several of is reduced."""
    mask = getattr(values, "_keras_mask", None)
    values = converted(values, dtype)
    weight = None
    if sample_weight is not None:
        weight = converted(sample_weight, dtype)
        if mask is not None:
            weight = weighted_by_mask(weight, mask, dtype)
        values, weight = of_one_rank(values, weight)
        rank, of_weights = len(shape_of(values) or ()), len(shape_of(weight) or ())
        if rank > of_weights:
            values = reduce(values, axis=list(range(of_weights, rank)))
        weight = broadcast_to(weight, shape(values))
        values = values * weight
        if of_weights > 1:
            weight = reduce(weight, axis=list(range(1, of_weights)))
    rank = len(shape_of(values) or ())
    if rank > 1:
        values = reduce(values, axis=list(range(1, rank)))
    return values, weight


def weighted_by_mask(sample_weight: Any, mask: Any, dtype: Any) -> Any:
    """The weights of the samples, 0 where the mask leaves one out."""
    kept = converted(mask, dtype)
    if sample_weight is None:
        return kept
    kept, weight = of_one_rank(kept, converted(sample_weight, dtype))
    return weight * kept


class Sum(Metric):
    """The sum of the weighted values.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.Sum()
    >>> metric.update_state([1.0, 3.0], sample_weight=[1.0, 0.5])
    >>> metric.result().numpy()
    np.float32(2.5)
    """

    def __init__(self, name="sum", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")

    def update_state(self, values, sample_weight=None):
        values, _ = sums(values, sample_weight, reduce_sum, self._dtype)
        return in_one([self.total.assign_add(reduce_sum(values), read_value=False)])

    def result(self):
        return as_tensor(self.total)


class Mean(Metric):
    """The weighted mean of the values.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.Mean()
    >>> metric.update_state([1.0, 3.0])
    >>> metric.update_state(8.0)
    >>> metric.result().numpy()
    np.float32(4.0)
    """

    def __init__(self, name="mean", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")
        self.count = self.add_variable((), "zeros", self._dtype, name="count")

    def update_state(self, values, sample_weight=None):
        values, weight = sums(values, sample_weight, reduce_mean, self._dtype)
        if weight is not None:
            count = reduce_sum(weight)
        elif shape_of(values) == ():
            count = as_tensor(1.0, self._dtype)
        else:
            count = cast(shape(values)[0], self._dtype)
        return in_one(
            [
                self.total.assign_add(reduce_sum(values), read_value=False),
                self.count.assign_add(count, read_value=False),
            ]
        )

    def result(self):
        return divide_no_nan(self.total, self.count)


class MeanMetricWrapper(Mean):
    """The weighted mean of a function of labels and predictions; further arguments are given to the function.

    >>> import gradtape as tf
    >>> metric = tf.keras.metrics.MeanMetricWrapper(lambda y, p: tf.abs(y - p))
    >>> metric(tf.constant([1.0, 2.0]), tf.constant([1.0, 4.0])).numpy()
    np.float32(1.0)
    """

    def __init__(self, fn, name: Any = None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true, y_pred, sample_weight=None):
        mask = getattr(y_pred, "_keras_mask", None)
        values = self._fn(y_true, y_pred, **self._fn_kwargs)
        if mask is not None:
            sample_weight = weighted_by_mask(sample_weight, mask, self._dtype)
        return super().update_state(values, sample_weight)

    def get_config(self):
        config = {**super().get_config(), **serialize_keras_object(self._fn_kwargs)}
        return (
            {**config, "fn": serialize_keras_object(self._fn)} if type(self) is MeanMetricWrapper else config
        )

    @classmethod
    def from_config(cls, config):
        return cls(**(deserialize_keras_object(config) if "fn" in config else config))
