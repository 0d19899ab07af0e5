"""`LossScaleOptimizer`: for gradients in half precision, of a loss that is multiplied so that they do not vanish."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal, is_finite, logical_and
from gradtape._src.api.reduction import reduce_all
from gradtape._src.control.cond import cond
from gradtape._src.core.convert import as_tensor
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.optimizer import Optimizer, after, operations
from gradtape._src.keras.optimizer_names import get as optimizer_of
from gradtape._src.keras.serialization import Family, deserialize_keras_object, serialize_keras_object
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.train.slots import make_variable


class LossScaleOptimizer(Optimizer):
    """An optimizer around another, for a loss that is multiplied by a number, which follows the gradients.

        gradients of scale_loss(loss) -> if all are finite: inner_optimizer.apply(gradients / scale);
                                             scale = 2 * scale after dynamic_growth_steps such steps
                                         otherwise: scale = scale / 2, and nothing is applied

    `Model.compile` puts it around the optimizer of a model with the policy "mixed_float16".

    Args:
      inner_optimizer: the other one.
      initial_scale: the first scale.
      dynamic_growth_steps: after how many steps in a row it doubles.
      dynamic: Keras 2's; only True is supported.
      name: a name.

    >>> import gradtape as tf
    >>> v = tf.Variable(2.0)
    >>> optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.25), initial_scale=4.0)
    >>> with tf.GradientTape() as tape:
    ...     loss = optimizer.scale_loss(v * v)
    >>> _ = optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    >>> v.numpy(), optimizer.dynamic_scale.numpy()
    (np.float32(1.0), np.float32(4.0))

    P. Micikevicius et al., "Mixed precision training", 2018. As Keras 3.
    """

    def __init__(
        self, inner_optimizer, initial_scale=2.0**15, dynamic_growth_steps=2000, name=None, dynamic=True, **kwargs
    ):  # fmt: skip
        if not dynamic:
            raise ValueError(
                "LossScaleOptimizer does not support `dynamic=False`. Instead, set `loss_scale_factor` directly on the "
                "`inner_optimizer`."
            )
        super().__init__(0.0, name=name, **kwargs)
        self.inner_optimizer = optimizer_of(inner_optimizer)
        self.initial_scale, self.dynamic_growth_steps = float(initial_scale), int(dynamic_growth_steps)
        self.inner_optimizer.loss_scale_factor = None  # else gradients would be divided twice
        with init_scope():
            self.step_counter: Any = make_variable(0, f"{self.name}/step_counter", dtype="int32")
            self.dynamic_scale: Any = make_variable(
                self.initial_scale, f"{self.name}/dynamic_scale", dtype="float32"
            )
        self._variables += [self.step_counter, self.dynamic_scale]

    def build(self, variables):
        self.inner_optimizer.build(variables)
        super().build(variables)

    # --- The loss and its gradients

    def scale_loss(self, loss: Any) -> Any:
        """The loss times the scale."""
        loss = as_tensor(loss)
        scale = as_tensor(self.dynamic_scale)
        return loss * cast(scale, loss.dtype)

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads: Any) -> Any:
        """Gradients divided by the scale, as Keras 2's programs ask for them."""
        factor = 1.0 / as_tensor(self.dynamic_scale)
        return [None if g is None else _times(g, factor) for g in grads]

    @property
    def loss_scale(self) -> Any:
        """The scale now."""
        return as_tensor(self.dynamic_scale)

    def apply(self, grads: Any, trainable_variables: Any = None) -> Any:
        """One step, if all gradients are finite."""
        variables = self._known(list(grads), trainable_variables)
        pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
        if not pairs:
            return self.inner_optimizer.apply(list(grads), variables)
        finite: Any = as_tensor(True)
        for g, _ in pairs:
            finite = logical_and(
                finite, reduce_all(is_finite(g.values if isinstance(g, IndexedSlices) else g))
            )
        done = cond(finite, lambda: self._take(pairs), self._shrink)
        graph = current_graph()
        return self.iterations if graph is None or graph.building_function else done.op

    def _take(self, pairs: list[Any]) -> Any:
        grads = self.get_unscaled_gradients([g for g, _ in pairs])
        applied = self.inner_optimizer.apply(grads, [v for _, v in pairs])
        graph = current_graph()
        in_users_graph = graph is not None and not graph.building_function
        with after([applied] if in_users_graph and not hasattr(applied, "assign") else []):
            full = equal(self.step_counter, self.dynamic_growth_steps - 1)
            grow: Any = cast(full, self.dynamic_scale.dtype)
            done = [
                self.dynamic_scale.assign(self.dynamic_scale * (1.0 + grow), read_value=False),
                self.step_counter.assign((self.step_counter + 1) * cast(~full, "int32"), read_value=False),
            ]
        with after(operations(done)):
            return identity(as_tensor(0))

    def _shrink(self) -> Any:
        done = [
            self.step_counter.assign(0, read_value=False),
            self.dynamic_scale.assign(self.dynamic_scale * 0.5, read_value=False),
        ]
        with after(operations(done)):
            return identity(as_tensor(0))

    # --- What is the inner one's

    @property
    def variables(self) -> Any:
        """Its own variables, and those of the inner optimizer."""
        return type(super().variables)([*super().variables, *self.inner_optimizer.variables])

    @property
    def learning_rate(self) -> Any:
        """That of the inner optimizer."""
        return self.inner_optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self.inner_optimizer.learning_rate = value

    @property
    def iterations(self) -> Any:
        """The number of steps that were applied."""
        return self.inner_optimizer.iterations

    def finalize_variable_values(self, var_list: Any) -> None:
        """As that of the inner optimizer."""
        self.inner_optimizer.finalize_variable_values(var_list)

    def _trackable_children(self) -> dict[str, Any]:
        return {**super()._trackable_children(), "inner_optimizer": self.inner_optimizer}

    def get_config(self):
        """The arguments that make an optimizer like this one."""
        return {
            "name": self.name,
            "inner_optimizer": serialize_keras_object(self.inner_optimizer),
            "initial_scale": self.initial_scale,
            "dynamic_growth_steps": self.dynamic_growth_steps,
        }

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The optimizer of `get_config`."""
        inner = deserialize_keras_object(config["inner_optimizer"], custom_objects)
        return cls(**{**config, "inner_optimizer": inner})


def _times(g: Any, factor: Any) -> Any:
    if isinstance(g, IndexedSlices):
        return IndexedSlices(g.values * cast(factor, g.values.dtype), g.indices, g.dense_shape)
    return g * cast(factor, g.dtype)


Family("optimizer", "keras.optimizers", [LossScaleOptimizer])
