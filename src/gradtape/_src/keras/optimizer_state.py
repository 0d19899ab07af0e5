"""What an optimizer is made with and keeps: its arguments, its variables, the learning rate, its configuration."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.casting import cast
from gradtape._src.api.clipping import clip_by_global_norm, clip_by_norm
from gradtape._src.api.graphs import control_dependencies, group
from gradtape._src.api.trackable import children_changed
from gradtape._src.autodiff.graph_gradients import gradients_v1
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import Tensor, dtype_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras import initializers
from gradtape._src.keras.backend_state import get_session
from gradtape._src.keras.naming import auto_name, in_lower_case
from gradtape._src.keras.schedules import LearningRateSchedule
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.settings import as_floatx, floatx
from gradtape._src.keras.weights import make_weight
from gradtape._src.ops.graph_variables import GraphVariable
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable
from gradtape._src.train.slots import owner

_COMMON = {
    "weight_decay": None,
    "clipnorm": None,
    "global_clipnorm": None,
    "clipvalue": None,
    "use_ema": False,
    "ema_momentum": 0.99,
    "ema_overwrite_frequency": None,
    "loss_scale_factor": None,
    "gradient_accumulation_steps": None,
}


class _Variables(list):
    """A list of variables; calling it gives it too, since ``optimizer.variables`` was a method in Keras 2."""

    def __call__(self) -> _Variables:
        return self


class OptimizerState:
    """The state of an optimizer; see `Optimizer` for the arguments."""

    _grows = False  # whether variables may come that it was not built with

    @property
    def _scheduled(self) -> bool:
        """Whether a function gives the learning rate."""
        return callable(self._learning_rate) and not isinstance(self._learning_rate, Variable)

    def __init__(
        self, learning_rate: Any, *, name: str | None = None, decay: Any = None, lr: Any = None, **kwargs: Any
    ):
        unknown = {key: value for key, value in kwargs.items() if key not in _COMMON}
        if unknown:
            raise ValueError(f"Argument(s) not recognized: {unknown}")
        self.name = name or auto_name(in_lower_case(type(self).__name__))
        self.built = False
        self._decay = decay or 0.0
        for key, value in {**_COMMON, **kwargs}.items():
            setattr(self, key, value)
        self._check_arguments()
        self._variables: list[Any] = []
        self._trainable_variables: list[Any] = []
        self._places: dict[int, int] = {}  # of the ids of these
        self._averages: list[Any] = []
        self._accumulated: list[Any] = []
        self._excluded: tuple[set[int], Any] = (set(), None)
        with init_scope():
            self._iterations = self._new("iteration", np.int64(0))
            self._variables.append(self._iterations)
            rate = learning_rate if lr is None else lr
            if not isinstance(rate, Variable) and not callable(rate):
                rate = self._new("learning_rate", _number(rate), floatx())
                self._variables.append(rate)
            self._learning_rate: Any = rate

    weight_decay: Any
    clipnorm: Any
    clipvalue: Any
    global_clipnorm: Any
    use_ema: bool
    ema_momentum: float
    ema_overwrite_frequency: Any
    loss_scale_factor: Any
    gradient_accumulation_steps: Any

    def _check_arguments(self) -> None:
        if self.gradient_accumulation_steps and self.gradient_accumulation_steps < 2:
            raise ValueError(
                "`gradient_accumulation_steps` must be an integer >= 2. Received: "
                f"gradient_accumulation_steps={self.gradient_accumulation_steps}"
            )
        if self.use_ema and not 0 <= self.ema_momentum <= 1:
            raise ValueError(
                f"`ema_momentum` must be in the range [0, 1]. Received: ema_momentum={self.ema_momentum}"
            )
        often = self.ema_overwrite_frequency
        if self.use_ema and often and (not isinstance(often, int) or often < 1):
            raise ValueError(
                "`ema_overwrite_frequency` must be an integer >= 1 or None. Received: "
                f"ema_overwrite_frequency={often}"
            )
        if sum(x is not None for x in (self.clipnorm, self.clipvalue, self.global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"clipnorm={self.clipnorm}, clipvalue={self.clipvalue}, global_clipnorm={self.global_clipnorm}"
            )

    # --- What it keeps

    def _trackable_children(self) -> dict[str, Any]:
        """Its variables, by their numbers, for checkpoints."""
        return {"variables": self._variables}

    @property
    def variables(self) -> Any:
        """The variables that it keeps: the number of the step, the learning rate, and those for each variable."""
        return _Variables(self._variables)

    @property
    def weights(self) -> Any:
        """The same, by Keras 2's name."""
        return _Variables(self._variables)

    @property
    def iterations(self) -> Any:
        """The number of steps so far."""
        steps = self.gradient_accumulation_steps
        return self._iterations // steps if steps else self._iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._variables[self._variables.index(self._iterations)] = variable
        self._iterations = variable

    def build(self, variables: Sequence[Any]) -> None:
        """Makes what the optimizer keeps for each variable that it does not know yet.

        The first step does it if nobody has.
        """
        variables = self._unknown(variables)
        if self.use_ema:
            self._averages += self.add_optimizer_variables(variables, "average")
        if self.gradient_accumulation_steps:
            self._accumulated += self.add_optimizer_variables(variables, "gradient_accumulator")
        for variable in variables:
            self._places[id(owner(variable))] = len(self._trainable_variables)
            self._trainable_variables.append(owner(variable))
        self.built = True

    def _unknown(self, variables: Sequence[Any]) -> list[Any]:
        """Those of the variables that it was not built for."""
        return [v for v in variables if id(owner(v)) not in self._places]

    def add_variable(
        self,
        shape: Any,
        initializer: Any = "zeros",
        dtype: Any = None,
        aggregation: Any = "none",
        layout: Any = None,
        name: str | None = None,
    ) -> Any:
        """A new variable that the optimizer keeps."""
        dtype = as_floatx(dtype)
        with init_scope():
            initial = initializers.get(initializer)(shape, dtype)
            variable = self._new(name or auto_name("variable"), initial)
        self._variables.append(variable)
        children_changed(self)
        return variable

    def _new(self, name: str, initial: Any, dtype: Any = None) -> Any:
        return make_weight(f"{self.name}/{name}", initial, dtype, trainable=False, constraint=None)

    def add_variable_from_reference(
        self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros", **kwargs: Any
    ) -> Any:
        """A new variable of the shape and dtype of another one, named after it."""
        own = getattr(reference_variable, "path", reference_variable.name)
        full = f"{own.replace('/', '_').replace(':', '_')}_{name or 'var'}"
        return self.add_variable(
            tuple(reference_variable.shape), initializer, reference_variable.dtype, name=full
        )

    def add_optimizer_variables(self, trainable_variables: Any, name: Any, initializer: Any = "zeros") -> Any:
        """A list of new variables, one for each of these; for several names a tuple of lists."""
        names = [name] if isinstance(name, str) else list(name)
        several = isinstance(initializer, (list, tuple))
        wanted = list(initializer) if several else [initializer] * len(names)
        made: tuple[list[Any], ...] = tuple([] for _ in names)
        for variable in trainable_variables:
            for group_, own, how in zip(made, names, wanted, strict=True):
                group_.append(self.add_variable_from_reference(variable, own, how))
        return made[0] if isinstance(name, str) else made

    def _get_variable_index(self, variable: Any) -> int:
        return self._places[id(owner(variable))]

    def get_weights(self) -> list[np.ndarray]:
        """The values of `variables`."""
        return [v.numpy() for v in self._variables]

    def set_weights(self, weights: Any) -> None:
        """Sets the values of `variables`.

        Raises:
          ValueError: the optimizer has not been built, or a shape differs.
        """
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. Please call "
                "`optimizer.build(trainable_variables)` to create the optimizer weights before calling "
                "`set_weights()`."
            )
        for variable, weight in zip(self._variables, weights):
            if tuple(variable.shape) != np.shape(weight):
                raise ValueError(
                    f"Optimizer variable {variable.name} has shape {variable.shape} not compatible with provided "
                    f"weight shape {np.shape(weight)}."
                )
            variable.assign(weight)

    def save_own_variables(self, store: Any) -> None:
        """Puts the values of `variables` into a dictionary, by their numbers."""
        store.update({str(i): v.numpy() for i, v in enumerate(self._variables)})

    def load_own_variables(self, store: Any) -> None:
        """Sets the values of `variables` from such a dictionary; warns if it has another number of them."""
        if len(store) != len(self._variables):
            warnings.warn(
                f"Skipping variable loading for optimizer '{self.name}', because it has {len(self._variables)} "
                f"variables whereas the saved optimizer has {len(store)} variables.",
                stacklevel=2,
            )
            return
        for i, variable in enumerate(self._variables):
            variable.assign(store[str(i)])

    # --- The learning rate

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a variable, or what the schedule gives for this step. May be set, unless by a schedule."""
        rate = self._learning_rate
        if isinstance(rate, LearningRateSchedule):
            return rate(self._iterations)
        return rate() if callable(rate) and not isinstance(rate, Variable) else rate

    @learning_rate.setter
    def learning_rate(self, learning_rate: Any) -> None:
        if callable(learning_rate) and not isinstance(learning_rate, Variable):
            self._variables = [v for v in self._variables if v is not self._learning_rate]
            self._learning_rate = learning_rate
        elif isinstance(self._learning_rate, LearningRateSchedule):
            raise TypeError(
                "This optimizer was created with a `LearningRateSchedule` object as its `learning_rate` constructor "
                "argument, hence its learning rate is not settable. If you need the learning rate to be settable, "
                "you should instantiate the optimizer with a float `learning_rate` argument."
            )
        elif callable(self._learning_rate) and not isinstance(self._learning_rate, Variable):
            self._learning_rate = self._new("learning_rate", _number(learning_rate), floatx())
            self._variables.insert(1, self._learning_rate)
        else:
            rate = self._learning_rate
            if (
                isinstance(rate, GraphVariable)
                and current_graph() is not None
                and not isinstance(learning_rate, Tensor)
            ):
                rate.load(
                    learning_rate, get_session()
                )  # an operation would do nothing until somebody runs it
            else:
                rate.assign(learning_rate, read_value=False)

    lr = learning_rate

    def _rate(self) -> Any:
        """The rate of this step: a number, in a graph a tensor."""
        rate = self.learning_rate
        if current_graph() is not None:
            rate = as_tensor(rate)
            done: Any = cast(self._iterations, rate.dtype)
            return rate / (1.0 + self._decay * done) if self._decay else rate
        rate = float(getattr(rate, "_data", rate))
        return rate / (1.0 + self._decay * int(self._iterations._data)) if self._decay else rate

    def _decayed_lr(self, var_dtype: Any) -> Any:
        """The rate of this step as a tensor, by Keras 2's name."""
        return cast(as_tensor(self._rate()), as_dtype(var_dtype))

    # --- Configuration

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        rate = self._learning_rate
        if callable(rate) and not isinstance(rate, Variable):
            rate = serialize_keras_object(rate)
        else:
            rate = float(get_session().run(rate) if isinstance(rate, GraphVariable) else rate.numpy())
        config = {"name": self.name, "learning_rate": rate}
        config |= {key: getattr(self, key) for key in _COMMON}
        return {**config, "decay": self._decay} if self._decay else config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """The optimizer of `get_config`."""
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            config = {**config, "learning_rate": deserialize_keras_object(rate, custom_objects)}
        return cls(**config)


def _number(rate: Any) -> Any:
    """A learning rate as an initial value."""
    if isinstance(rate, (int, float, np.number, np.ndarray, Tensor)) and not isinstance(rate, bool):
        return cast(as_tensor(rate), as_floatx(None))
    raise ValueError(
        "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable (that takes "
        "in the current iteration value and returns the corresponding learning rate value). Received instead: "
        f"learning_rate={rate}"
    )
