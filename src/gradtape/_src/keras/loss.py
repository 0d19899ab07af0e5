"""``tf.keras.losses.Loss``: how the losses of single samples become one number."""

from __future__ import annotations

from typing import Any, Self

from gradtape._src.api.arithmetic import divide_no_nan
from gradtape._src.api.arrays import expand_dims, size, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.reduction import reduce_mean, reduce_sum
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.keras.naming import auto_name, in_lower_case
from gradtape._src.keras.serialization import serialize_keras_object
from gradtape._src.keras.settings import as_floatx
from gradtape._src.ops.variables import Variable


class Reduction:
    """How the losses of a batch become one number, by Keras 2's names.

    >>> import gradtape as tf
    >>> tf.keras.losses.Reduction.NONE
    'none'
    """

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All of them."""
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises a ValueError for what is none of them."""
        if key not in cls.all():
            raise ValueError(f'Invalid Reduction Key: {key}. Expected keys are "{cls.all()}"')


_AVERAGES = ("sum_over_batch_size", "mean", "mean_with_sample_weight")
_REDUCTIONS = (*_AVERAGES, "sum", "none", None)


class Loss:
    """A loss of labels and predictions: ``loss(y_true, y_pred, sample_weight=None)``.

    A subclass defines ``call(self, y_true, y_pred)``, the losses of the samples.

    Args:
      name: a name.
      reduction: ``"sum_over_batch_size"`` (or ``"mean"``, ``"auto"``): the mean of the weighted losses; ``"sum"``;
        ``"mean_with_sample_weight"``: the sum over the sum of the weights; ``"none"`` or None: the weighted losses.
      dtype: to compute in; that of `tf.keras.backend.floatx` by default.

    Raises:
      ValueError: another reduction.

    >>> import gradtape as tf
    >>> class Distance(tf.keras.losses.Loss):
    ...     def call(self, y_true, y_pred):
    ...         return tf.abs(y_true - y_pred)
    >>> Distance()([1.0, 2.0], [2.0, 4.0], sample_weight=[1.0, 0.5]).numpy()
    np.float32(1.0)

    As Keras 3.
    """

    _labels_as_numbers = True  # whether `call` gets labels in the dtype of the loss

    def __init__(self, name=None, reduction="sum_over_batch_size", dtype=None):
        if name in _REDUCTIONS and reduction not in _REDUCTIONS:
            name, reduction = reduction, name  # Keras 2 had them the other way round
        self.name = name or auto_name(in_lower_case(type(self).__name__))
        self.reduction = _checked(reduction)
        self._dtype = as_floatx(getattr(dtype, "compute_dtype", dtype))

    @property
    def dtype(self) -> str:
        """The name of the dtype that the loss is computed in."""
        return self._dtype.name

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        mask = getattr(y_pred, "_keras_mask", None)
        with scope_of(self.name):
            y_true = _of_all(y_true, self._dtype) if self._labels_as_numbers else y_true
            y_pred = _of_all(y_pred, self._dtype)
            losses = self.call(y_true, y_pred)
            own = getattr(losses, "_keras_mask", None)
            if own is not None:
                mask = own if mask is None else mask & own
            return reduced(losses, sample_weight, mask, self.reduction, self._dtype)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the samples."""
        raise NotImplementedError("Must be implemented by subclasses.")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a loss like this one."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The loss of `get_config`."""
        return cls(**config)


class FunctionLoss(Loss):
    """The loss of a function of labels and predictions; further arguments are given to the function."""

    def __init__(self, fn, reduction="sum_over_batch_size", name=None, dtype=None, **kwargs):
        super().__init__(name, reduction, dtype)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true, y_pred):
        if isinstance(y_pred, Tensor) and isinstance(y_true, Tensor):
            y_true, y_pred = of_one_rank(y_true, y_pred)
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self):
        config = {**super().get_config(), **serialize_keras_object(self._fn_kwargs)}
        if type(self) is FunctionLoss:
            config["fn"] = serialize_keras_object(self.fn)
        return config

    def __repr__(self):
        return f"<{type(self).__name__}({self.fn}, kwargs={self._fn_kwargs})>"


def _checked(reduction: Any) -> Any:
    if reduction == "auto":
        return "sum_over_batch_size"
    if reduction not in _REDUCTIONS:
        raise ValueError(
            f"Invalid value for argument `reduction`. Expected one of {_REDUCTIONS}. Received: "
            f"reduction={reduction}"
        )
    return reduction


def converted(x: Any, dtype: Any) -> Any:
    """A tensor of a dtype: numbers, arrays, and tensors of another dtype."""
    if isinstance(x, (Tensor, Variable)) or hasattr(x, "dtype"):
        x = as_tensor(x)
        return x if dtype_of(x) == dtype.np else cast(x, dtype)
    return cast(as_tensor(x), dtype)


def _of_all(values: Any, dtype: Any) -> Any:
    """A structure of tensors of a dtype; lists of Python numbers are one tensor."""
    if isinstance(values, Tensor):
        return converted(values, dtype)
    if all(isinstance(x, (int, float)) for x in flatten(values)):
        return converted(values, dtype)
    return map_structure(lambda x: converted(x, dtype), values)


def pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Labels and predictions as tensors of the dtype of the predictions, which is a floating-point one."""
    y_pred = as_tensor(y_pred)
    dtype = from_numpy(dtype_of(y_pred))
    if not dtype.is_floating:
        dtype = as_floatx(None)
        y_pred = cast(y_pred, dtype)
    return converted(y_true, dtype), y_pred


def of_one_rank(a: Any, b: Any) -> tuple[Any, Any]:
    """Both of one rank, if one of them has a last dimension of 1 that the other lacks.

    It is taken away; but where the other is a vector, that gets one.
    """
    first, second = shape_of(a), shape_of(b)
    if first is None or second is None:
        return a, b
    if len(first) == len(second) + 1 and first[-1] == 1:
        return (a, expand_dims(b, -1)) if len(second) == 1 else (squeeze(a, [-1]), b)
    if len(second) == len(first) + 1 and second[-1] == 1:
        return (expand_dims(a, -1), b) if len(first) == 1 else (a, squeeze(b, [-1]))
    return a, b


def reduced(values: Any, sample_weight: Any, mask: Any, reduction: Any, dtype: Any) -> Any:
    """The losses of samples, weighted and made into one number. A mean counts only what the mask leaves."""
    values = converted(values, dtype)
    weight = None if sample_weight is None else converted(sample_weight, dtype)
    if mask is not None:
        kept = converted(mask, dtype)
        if reduction in ("mean", "sum_over_batch_size"):
            kept = kept * divide_no_nan(cast(size(kept), dtype), reduce_sum(kept))
        if weight is None:
            weight = kept
        else:
            kept, weight = of_one_rank(kept, weight)
            weight = weight * kept
    if weight is not None:
        values, weight = of_one_rank(values, weight)
        values = values * weight
    if reduction in (None, "none") or shape_of(values) in ((), (0,)):
        return values
    if reduction == "sum":
        return reduce_sum(values)
    if reduction == "mean_with_sample_weight" and weight is not None:
        return divide_no_nan(reduce_sum(values), reduce_sum(weight))
    dims = shape_of(values)
    if is_known(dims) and 0 not in dims:
        return reduce_mean(values)
    return divide_no_nan(reduce_sum(values), cast(size(values), dtype))
