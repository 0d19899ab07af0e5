"""``tf.keras.optimizers.Optimizer``: what optimizers have in common.

Clipping, weight decay, averages of the weights, accumulation of gradients; the learning rate and the variables that an
optimizer keeps are in `optimizer_state.py`. What one step does to one variable is that of the subclasses.
"""

from __future__ import annotations

import re
import warnings
from contextlib import nullcontext
from typing import Any, Self

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.arrays import identity
from gradtape._src.api.casting import cast
from gradtape._src.api.clipping import clip_by_global_norm, clip_by_norm
from gradtape._src.api.comparison import equal, not_equal
from gradtape._src.api.graphs import control_dependencies, group
from gradtape._src.autodiff.graph_gradients import gradients_v1
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.nest import flatten
from gradtape._src.core.notes import because
from gradtape._src.core.values import Tensor, dtype_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras import initializers
from gradtape._src.keras.naming import auto_name, in_lower_case
from gradtape._src.keras.optimizer_state import OptimizerState
from gradtape._src.keras.schedules import LearningRateSchedule
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.settings import as_floatx, floatx
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable
from gradtape._src.train.slots import make_variable, owner


class Optimizer(OptimizerState):
    """Changes variables so that a loss becomes smaller.

    A subclass defines ``build(self, variables)``, which makes what it keeps for each variable, and
    ``update_step(self, gradient, variable, learning_rate)``.

    Args:
      learning_rate: a number, a `tf.keras.optimizers.schedules.LearningRateSchedule`, or a function without arguments.
      weight_decay: each step begins with ``variable -= variable * weight_decay * learning_rate``.
      clipnorm: the largest norm of a gradient.
      clipvalue: the largest absolute value in a gradient.
      global_clipnorm: the largest norm of all gradients together.
      use_ema: whether to keep a moving average of the variables.
      ema_momentum: ``average = ema_momentum * average + (1 - ema_momentum) * variable``.
      ema_overwrite_frequency: after so many steps the variables become their averages.
      loss_scale_factor: what `scale_loss` multiplies a loss by, and gradients are divided by.
      gradient_accumulation_steps: so many calls make one step, with the mean of their gradients.
      name: a name.
      lr: Keras 2's name of ``learning_rate``.
      decay: the rate becomes ``learning_rate / (1 + decay * iterations)``, as in Keras 2.

    Raises:
      ValueError: an argument that is none of these, several ways to clip, numbers out of range.

    >>> import gradtape as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> optimizer = tf.keras.optimizers.SGD(0.25)
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(v * v)
    >>> _ = optimizer.apply_gradients(zip(tape.gradient(loss, [v]), [v]))
    >>> v.numpy()
    array([0.5, 1. ], dtype=float32)

    As Keras 3.
    """

    # --- Steps

    def minimize(
        self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None, tape: Any = None
    ) -> Any:
        """One step that makes a loss smaller, as in Keras 2.

        Args:
          loss: a function without arguments; or a tensor, with the tape that recorded it, or in a graph.
          var_list: the variables to change, or a function that gives them.
          grad_loss: the gradient of what is minimized with respect to the loss.
          name: without effect.
          tape: the tape that recorded the loss.

        Raises:
          ValueError: a tensor without a tape in eager mode.

        >>> import gradtape as tf
        >>> v = tf.Variable(3.0)
        >>> _ = tf.keras.optimizers.SGD(0.1).minimize(lambda: v * v, [v])
        >>> v.numpy()
        np.float32(2.4)
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list, grad_loss, tape))

    def compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None, tape: Any = None) -> Any:
        """Pairs of gradients and variables, for `apply_gradients`; see `minimize`."""
        if callable(loss):
            with tape or GradientTape() as tape:
                if not callable(var_list):
                    tape.watch(var_list)
                loss = loss()
        elif tape is None and current_graph() is None:
            raise ValueError(
                f"`tape` is required when a `Tensor` loss is passed. Received: loss={loss}, tape={tape}."
            )
        variables = flatten(var_list() if callable(var_list) else var_list)
        if tape is None:
            return list(zip(gradients_v1(loss, variables, grad_ys=grad_loss), variables))
        return list(zip(tape.gradient(loss, variables, grad_loss), variables))

    _compute_gradients = compute_gradients

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None, **kwargs: Any) -> Any:
        """One step with these gradients.

        Args:
          grads_and_vars: pairs of a gradient and a variable; where some gradients are None there is a warning.
          name: without effect.

        Returns:
          The variable that counts the steps; in a graph the operation that does the step.

        Raises:
          ValueError: no pairs, a gradient for none of the variables, or a variable that was not there in the first
            step.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("No gradients provided for any variable: there are no variables.")
        return self.apply([g for g, _ in pairs], [v for _, v in pairs])

    def apply(self, grads: Any, trainable_variables: Any = None) -> Any:
        """One step with gradients of these variables, or those the optimizer was built with; see `apply_gradients`."""
        grads = list(grads)
        if not grads:
            return None
        variables = self._known(grads, trainable_variables)
        if any(g is None for g in grads):
            grads, variables = self._without_none(grads, variables)
        grads = [g if isinstance(g, IndexedSlices) else as_tensor(g) for g in grads]
        if self.loss_scale_factor is not None:
            grads = [_scaled(g, 1.0 / self.loss_scale_factor) for g in grads]
        take = self._accumulate if self.gradient_accumulation_steps else self._step
        done = take(grads, variables)
        for variable in variables:
            if variable.constraint is not None:
                with after(done):
                    done.append(variable.assign(variable.constraint(variable), read_value=False))
        graph = current_graph()
        if graph is None:
            self._iterations._replace(_plus_one)
            return self._iterations
        with after(done):
            last = self._iterations.assign_add(1, read_value=False)
        return self._iterations if graph.building_function else group(*operations(done), last)

    def _known(self, grads: list[Any], variables: Any) -> list[Any]:
        """The variables to change, the optimizer being built for them."""
        if variables is None:
            if not self.built:
                raise ValueError(
                    "When passing `grads` without `variables`, the optimizer must already be built on a list of "
                    "variables. Call `optimizer.build(trainable_variables)` first. "
                )
            if len(grads) != len(self._trainable_variables):
                raise ValueError(
                    "When passing `grads` as a list of gradient tensors, the gradients must match "
                    f"`optimizer.variables` one-to-one. Received a list of {len(grads)} gradients, but the optimizer "
                    f"is tracking {len(self._trainable_variables)} trainable variables."
                )
            return self._trainable_variables
        variables = [owner(v) for v in variables]
        if not self.built:
            with init_scope():
                self.build(variables)
        unknown = self._unknown(variables)
        if unknown and not self._grows:
            raise ValueError(
                f"Unknown variable: {unknown[0]!r}. This optimizer can only be called for the variables it was "
                "originally built with. When working with a new set of variables, you should recreate a new "
                "optimizer instance."
            )
        if unknown:
            with init_scope():
                self.build(unknown)
        return variables

    def _without_none(self, grads: list[Any], variables: list[Any]) -> tuple[list[Any], list[Any]]:
        missing = [getattr(v, "path", v.name) for g, v in zip(grads, variables) if g is None]
        if len(missing) == len(grads):
            raise ValueError(f"No gradients provided for any variable: {missing}." + because())
        warnings.warn(
            f"Gradients do not exist for variables {missing} when minimizing the loss. If using `model.compile()`, "
            "did you forget to provide a `loss` argument?" + because(),
            stacklevel=4,
        )
        kept = [(g, v) for g, v in zip(grads, variables) if g is not None]
        return [g for g, _ in kept], [v for _, v in kept]

    def _step(self, grads: list[Any], variables: list[Any]) -> list[Any]:
        """Clips, decays, changes the variables, and averages them; gives the operations of a graph."""
        done = self._decay_weights(variables)
        done += self._update_all(self._clipped(grads), variables)
        if self.use_ema:
            with after(done):
                done += self._average()
        return done

    def _update_all(self, grads: list[Any], variables: list[Any]) -> list[Any]:
        rate = self.learning_rate
        return [self.update_step(g, v, rate) for g, v in zip(grads, variables)]

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Changes one variable by its gradient; for subclasses."""
        raise NotImplementedError(
            f"{type(self).__name__} must define update_step(gradient, variable, learning_rate)."
        )

    def assign(self, variable: Any, value: Any) -> None:
        """Sets a variable; `tf.IndexedSlices` set rows."""
        self._assign(variable, value, "assign", "scatter_update")

    def assign_add(self, variable: Any, value: Any) -> None:
        """Adds to a variable; `tf.IndexedSlices` add to rows."""
        self._assign(variable, value, "assign_add", "scatter_add")

    def assign_sub(self, variable: Any, value: Any) -> None:
        """Subtracts from a variable; `tf.IndexedSlices` subtract from rows."""
        self._assign(variable, value, "assign_sub", "scatter_sub")

    def _assign(self, variable: Any, value: Any, dense: str, rows: str) -> None:
        sparse = isinstance(value, IndexedSlices)
        getattr(variable, rows if sparse else dense)(
            value if sparse else cast(as_tensor(value), variable.dtype)
        )

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if self.clipnorm:
            return [clip_by_norm(g, self.clipnorm) for g in grads]
        if self.global_clipnorm:
            clipped, _ = clip_by_global_norm(grads, self.global_clipnorm)
            return [as_tensor(g) for g in clipped]
        if self.clipvalue:
            return [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    # --- Weight decay, averages, accumulation

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Leaves variables out of weight decay: these, or those whose names have one of these texts in them.

        Raises:
          ValueError: the optimizer was built already.
        """
        if self.built:
            raise ValueError(
                "`exclude_from_weight_decay()` can only be configured before the optimizer is built."
            )
        pattern = re.compile("|".join(var_names)) if var_names else None
        self._excluded = ({id(owner(v)) for v in var_list or ()}, pattern)

    def _use_weight_decay(self, variable: Any) -> bool:
        excluded, pattern = self._excluded
        return id(variable) not in excluded and (pattern is None or not pattern.search(variable.name))

    def _decay_of(self, variable: Any) -> Any:
        """The weight decay of a variable, or None."""
        return self.weight_decay

    def _decay_weights(self, variables: list[Any]) -> list[Any]:
        rate, done = None, []
        for variable in variables:
            decay = self._decay_of(variable)
            if decay is not None and self._use_weight_decay(variable):
                rate = self._rate() if rate is None else rate
                amount = cast(as_tensor(rate), variable.dtype) * decay
                done.append(variable.assign_sub(variable * amount, read_value=False))
        return done

    def _average(self) -> list[Any]:
        """Moves the averages on; after ``ema_overwrite_frequency`` steps the variables become them."""
        done = []
        for variable, average in zip(self._trainable_variables, self._averages):
            begun: Any = cast(not_equal(self.iterations, 0), variable.dtype)
            momentum = begun * self.ema_momentum
            new = momentum * average + (1.0 - momentum) * variable
            done.append(average.assign(new, read_value=False))
        if not self.ema_overwrite_frequency:
            return done
        with after(done):
            now = equal((self.iterations + 1) % self.ema_overwrite_frequency, 0)
            done += [
                variable.assign(cond(now, average.read_value, variable.read_value), read_value=False)
                for variable, average in zip(self._trainable_variables, self._averages)
            ]
        return done

    def finalize_variable_values(self, var_list: Any) -> None:
        """The variables become their averages, if there are such: for the end of training."""
        if self.use_ema:
            for variable in var_list:
                variable.assign(self._averages[self._get_variable_index(variable)])

    def _accumulate(self, grads: list[Any], variables: list[Any]) -> list[Any]:
        """Adds gradients up; each so many calls it does a step with their mean."""
        steps = self.gradient_accumulation_steps
        sums = [self._accumulated[self._get_variable_index(v)] for v in variables]
        added = [total.assign_add(as_tensor(g), read_value=False) for total, g in zip(sums, grads)]

        def step() -> Any:
            done = self._step([total / float(steps) for total in sums], variables)
            with after(done):
                done += [total.assign(total * 0.0, read_value=False) for total in sums]
            with after(done):
                return identity(as_tensor(0))

        with after(added):
            count: Any = self._iterations
            return [cond(equal((count + 1) % steps, 0), step, lambda: as_tensor(0))]

    def scale_loss(self, loss: Any) -> Any:
        """The loss times ``loss_scale_factor``, if there is one."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor


def _scaled(g: Any, factor: float) -> Any:
    return (
        IndexedSlices(g.values * factor, g.indices, g.dense_shape)
        if isinstance(g, IndexedSlices)
        else g * factor
    )


def operations(done: list[Any]) -> list[Any]:
    """What a graph has of these."""
    return [op for op in done if op is not None]


def after(done: list[Any]) -> Any:
    """In a graph, what follows waits for these, and reads variables anew; at once it does so anyway."""
    return nullcontext() if current_graph() is None else control_dependencies(operations(done))


def _plus_one(count: Any) -> Any:
    return np.asarray(count + 1)
