"""Moving averages of variables, which models are often evaluated with."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import minimum
from gradtape._src.api.arithmetic import pow as power_of
from gradtape._src.api.casting import cast
from gradtape._src.api.graphs import group, scope_of
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import bfloat16, float16, float32, float64
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.variables import Variable
from gradtape._src.train.slots import make_slot, make_variable, owner, plain_name


class ExponentialMovingAverage:
    """Keeps ``average = decay * average + (1 - decay) * variable`` for each variable.

    Args:
      decay: a number or a tensor.
      num_updates: the number of the step, if the decay is to be ``min(decay, (1 + n) / (10 + n))``.
      zero_debias: whether the averages of tensors, which begin at zero, are corrected for that.
      name: of the averages: that of ``w`` is ``w/ExponentialMovingAverage``.

    >>> import gradtape.compat.v1 as tf
    >>> v = tf.Variable(10.0)
    >>> ema = tf.train.ExponentialMovingAverage(0.5)
    >>> ema.apply([v])
    >>> _ = v.assign(0.0)
    >>> ema.apply([v])
    >>> ema.average(v).numpy()
    np.float32(5.0)

    As TensorFlow 2.21 (1.15).
    """

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._num_updates, self._zero_debias = decay, num_updates, zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}
        self._counts: dict[Any, tuple[Any, Any]] = {}  # of averages without bias: the one with it, the steps

    @property
    def name(self):
        """The name."""
        return self._name

    def apply(self, var_list=None):
        """Updates the averages, and makes them where they are new: with the value of the variable, or zeros.

        Args:
          var_list: variables; in a graph also tensors. By default the trainable variables.

        Returns:
          The operation of an update; None in eager mode.

        Raises:
          TypeError: not a float; in eager mode, a tensor.
        """
        if var_list is None:
            var_list = get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)
        for var in var_list:
            if type(var) is EagerTensor:
                raise TypeError(
                    "tf.train.ExponentialMovingAverage does not support non-Variable tensors when eager execution is "
                    "enabled."
                )
            if var.dtype.base_dtype not in (bfloat16, float16, float32, float64):
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if owner(var).ref() not in self._averages:
                self._averages[owner(var).ref()] = self._new(owner(var))
        with scope_of(self._name) as scope:
            decay: Any = cast(as_tensor(self._decay), float32)
            if self._num_updates is not None:
                n: Any = cast(self._num_updates, float32)
                decay = minimum(decay, (1.0 + n) / (10.0 + n))
            return group(*[self._update(owner(var), 1.0 - decay) for var in var_list], name=scope)

    def _new(self, var: Any) -> Any:
        with init_scope():
            if isinstance(var, Variable):
                average = make_slot(var, var.initialized_value(), self._name)
                if current_graph() is not None:
                    get_default_graph().add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                return average
            zeros = _zeros(shape_of(var), dtype_of(var), var)
            average = make_slot(var, zeros, self._name)
            if self._zero_debias:
                name = plain_name(average)
                biased = make_variable(zeros, f"{name}/biased")
                steps = make_variable(_zeros((), dtype_of(var), var), f"{name}/local_step")
                self._counts[average.ref()] = biased, steps
            return average

    def _update(self, var: Any, rate: Any) -> Any:
        average: Any = self.average(var)
        rate = cast(rate, average.dtype)
        with scope_of("AssignMovingAvg"):
            if average.ref() not in self._counts:
                return average.assign_sub((average - var) * rate, read_value=False)
            biased, steps = self._counts[average.ref()]
            total, step = biased.assign_sub((biased - var) * rate), steps.assign_add(1)
            return average.assign(total / (1 - power_of(1.0 - rate, step)), read_value=False)

    def average(self, var) -> Any:
        """The variable that is the average of ``var``, or None."""
        return self._averages.get(owner(var).ref())

    def average_name(self, var):
        """The name of the average of ``var``, which need not be there: for `tf.train.Saver`."""
        average = self.average(var)
        if average is not None:
            return plain_name(average)
        return get_default_graph().unique_name(f"{plain_name(var)}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None):
        """The names to restore variables by: those of the averages where there are some.

        moving_avg_variables: which have one; by default the trainable variables and those of the collection
        ``MOVING_AVERAGE_VARIABLES``.
        """
        graph = get_default_graph()
        if moving_avg_variables is None:
            moving_avg_variables = [
                *graph.get_collection(GraphKeys.TRAINABLE_VARIABLES),
                *graph.get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES),
            ]
        averaged = {v.ref(): v for v in moving_avg_variables}.values()
        found = {self.average_name(v): v for v in averaged}
        names = {v.name for v in averaged}
        for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
            if v.name not in names:
                found.setdefault(plain_name(v), v)
        return found


def _zeros(shape: Any, dtype: Any, var: Tensor) -> Any:
    if shape is None or None in shape:
        raise ValueError(f"The average of {var!r} needs a known shape: use set_shape.")
    return EagerTensor(np.zeros(shape, dtype))
