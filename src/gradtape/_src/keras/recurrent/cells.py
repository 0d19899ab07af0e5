"""Recurrent cells: one step of a recurrent layer, with its weights.

Sources: K. Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014 (GRU; with ``reset_after`` as in cuDNN); S. Hochreiter and J. Schmidhuber, "Long short-term memory", Neural
Computation 9(8), 1997; Y. Gal and Z. Ghahramani, "A theoretically grounded application of dropout in recurrent neural
networks", NeurIPS 2016.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.joining import concat, split
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.nest import is_nested
from gradtape._src.core.values import shape_of
from gradtape._src.keras import activations, constraints, initializers, regularizers
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.random import SeedGenerator, dropout
from gradtape._src.keras.serialization import Family
from gradtape._src.ops.products import matmul


class RecurrentCell(Layer):
    """What the three cells have in common: their weights, dropout, and the configuration."""

    gates: int  # blocks of units that the kernels have
    functions: tuple[str, ...] = ("activation", "recurrent_activation")
    options: tuple[str, ...] = ()  # further arguments
    draws_seed_first = False  # before those of the initializers: a global seed gives them in this order
    dropout_mask_count: int | None = None
    activation: Any
    recurrent_activation: Any
    _dropout_mask: Any
    _recurrent_dropout_mask: Any

    def __init__(
        self,
        units: Any,
        activation: Any,
        use_bias: Any,
        weights: tuple[Any, ...],
        rates: tuple[float, float],
        seed: Any,
        kwargs: dict[str, Any],
    ) -> None:
        if units <= 0:
            raise ValueError(
                f"Received an invalid value for argument `units`, expected a positive integer, got {units}."
            )
        implementation = kwargs.pop("implementation", 2)
        super().__init__(**kwargs)
        self.units, self.use_bias, self.seed = int(units), use_bias, seed
        first = SeedGenerator(seed) if self.draws_seed_first else None
        self.activation = activations.get(activation)
        for i, name in enumerate(("kernel", "recurrent", "bias")):
            setattr(self, f"{name}_initializer", initializers.get(weights[i]))
            setattr(self, f"{name}_regularizer", regularizers.get(weights[3 + i]))
            setattr(self, f"{name}_constraint", constraints.get(weights[6 + i]))
        self.dropout, self.recurrent_dropout = (min(1.0, max(0.0, rate)) for rate in rates)
        self.implementation = 1 if self.recurrent_dropout else implementation
        if self.implementation == 1 and self.gates > 1:
            self.dropout_mask_count = self.gates
        self.seed_generator = first or SeedGenerator(seed)
        self.state_size: Any = self.units
        self.output_size = self.units
        self.bias: Any = None
        self.reset_dropout_mask()
        self.reset_recurrent_dropout_mask()

    # --- Weights

    def build(self, input_shape):
        if input_shape[-1] is None:
            raise ValueError(f"The last dimension of the inputs of {self.name} must be known: {input_shape}.")
        columns = self.gates * self.units
        self.kernel = self._add("kernel", "kernel", (input_shape[-1], columns))
        self.recurrent_kernel = self._add("recurrent_kernel", "recurrent", (self.units, columns))
        if self.use_bias:
            self.bias = self._add("bias", "bias", self._bias_shape(columns))

    def _bias_shape(self, columns: int) -> tuple[int, ...]:
        return (columns,)

    def _add(self, name: str, kind: str, shape: tuple[int, ...]) -> Any:
        return self.add_weight(
            shape=shape,
            name=name,
            initializer=self._initializer(kind),
            regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"),
        )

    def _initializer(self, kind: str) -> Any:
        return getattr(self, f"{kind}_initializer")

    def in_use(self, weight: Any) -> Any:
        """The value of a weight, in the dtype of the computations."""
        value = as_tensor(weight)
        return cast(value, self.compute_dtype) if self.compute_dtype != self.variable_dtype else value

    # --- Dropout: one mask for all steps of a sequence

    def get_dropout_mask(self, step_input):
        """The factors of the inputs: the same until `reset_dropout_mask`; None without dropout."""
        if self._dropout_mask is None and self.dropout > 0:
            self.__dict__["_dropout_mask"] = self._factors(step_input, self.dropout)
        return self._dropout_mask

    def get_recurrent_dropout_mask(self, step_input):
        """The factors of the states: the same until `reset_recurrent_dropout_mask`; None without dropout."""
        if self._recurrent_dropout_mask is None and self.recurrent_dropout > 0:
            self.__dict__["_recurrent_dropout_mask"] = self._factors(step_input, self.recurrent_dropout)
        return self._recurrent_dropout_mask

    def _factors(self, like: Any, rate: float) -> Any:
        ones = creation.ones_like(like)
        if self.dropout_mask_count is None:
            return dropout(ones, rate, seed=self.seed_generator)
        return [dropout(ones, rate, seed=self.seed_generator) for _ in range(self.dropout_mask_count)]

    def reset_dropout_mask(self):
        """Lets the next call draw other factors of the inputs."""
        self.__dict__["_dropout_mask"] = None

    def reset_recurrent_dropout_mask(self):
        """Lets the next call draw other factors of the states."""
        self.__dict__["_recurrent_dropout_mask"] = None

    def _dropped(self, x: Any, masks: Any, training: Any, rate: float) -> list[Any]:
        """x for each gate: times its mask while training."""
        if not training or masks is None or rate == 1.0:
            return [x] * self.gates
        return [x * mask for mask in (masks if isinstance(masks, list) else [masks] * self.gates)]

    # --- The sums

    def _sums(self, inputs: Any, training: Any) -> list[Any]:
        """The product of the inputs with the kernel, plus the bias, of each gate."""
        parts = self._dropped(inputs, self.get_dropout_mask(inputs), training, self.dropout)
        return self._products(parts, self.in_use(self.kernel), self._input_bias())

    def _input_bias(self) -> Any:
        return None if self.bias is None else self.in_use(self.bias)

    def _products(self, parts: list[Any], kernel: Any, bias: Any) -> list[Any]:
        if all(part is parts[0] for part in parts):
            total = matmul.of(parts[0], kernel)
            total = total if bias is None else total + bias
            return [total] if len(parts) == 1 else list(split(total, len(parts), 1))
        kernels = split(kernel, len(parts), 1)
        sums = [matmul.of(part, one) for part, one in zip(parts, kernels)]
        return sums if bias is None else [x + b for x, b in zip(sums, split(bias, len(parts), 0))]

    # --- States and configuration

    def get_initial_state(self, batch_size=None, inputs=None, dtype=None):
        """Zeros for a batch: a list of the states."""
        if inputs is not None:
            batch_size = batch_of(inputs)
        sizes = self.state_size if is_nested(self.state_size) else [self.state_size]
        return [creation.zeros([batch_size, n], as_dtype(dtype or self.compute_dtype)) for n in sizes]

    def get_config(self):
        return {**super().get_config(), **self.arguments()}

    def arguments(self) -> dict[str, Any]:
        """The arguments that make a cell like this one, but for those of all layers."""
        found: dict[str, Any] = {"units": self.units}
        found.update((name, activations.serialize(getattr(self, name))) for name in self.functions)
        found["use_bias"] = self.use_bias
        for what, module in (
            ("initializer", initializers),
            ("regularizer", regularizers),
            ("constraint", constraints),
        ):
            for name in ("kernel", "recurrent", "bias"):
                found[f"{name}_{what}"] = module.serialize(getattr(self, f"{name}_{what}"))
        found.update(dropout=self.dropout, recurrent_dropout=self.recurrent_dropout, seed=self.seed)
        found.update((name, getattr(self, name)) for name in self.options)
        return found


def batch_of(x: Any, axis: int = 0) -> Any:
    """The size of the batch: a number if it is known."""
    known = shape_of(x)
    return known[axis] if known is not None and known[axis] is not None else shape_of_tensor(x)[axis]


class SimpleRNNCell(RecurrentCell):
    """One step of a simple recurrent layer: ``h' = tanh(x · W + h · U + b)``, which is the output too.

    Args:
      units: the size of the state and of the output.
      activation: instead of tanh: a function, or its name; None for none.
      use_bias: whether there is b.
      kernel_initializer, recurrent_initializer, bias_initializer: of W, U and b; by default Glorot's uniform, a random
        orthogonal matrix, and zeros.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: of them.
      kernel_constraint, recurrent_constraint, bias_constraint: of them.
      dropout, recurrent_dropout: while training, elements of x and of h are set to 0 with these probabilities, the same
        ones in all steps of a sequence.
      seed: of the dropout.

    >>> import gradtape as tf
    >>> cell = tf.keras.layers.SimpleRNNCell(4)
    >>> y, states = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> y.shape, len(states), [w.shape.as_list() for w in cell.weights]
    (TensorShape([2, 4]), 1, [[3, 4], [4, 4], [4]])

    As Keras 3.
    """

    gates = 1
    draws_seed_first = True
    functions = ("activation",)

    def __init__(
        self,
        units,
        activation="tanh",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        seed=None,
        **kwargs,
    ):
        weights = (
            kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
            kernel_constraint, recurrent_constraint, bias_constraint,
        )  # fmt: skip
        super().__init__(units, activation, use_bias, weights, (dropout, recurrent_dropout), seed, kwargs)

    def call(self, inputs, states, training=False):
        h = states[0] if is_nested(states) else states
        (x,) = self._sums(inputs, training)
        (h,) = self._dropped(h, self.get_recurrent_dropout_mask(h), training, 0.0)
        h = self.activation(x + matmul.of(h, self.in_use(self.recurrent_kernel)))
        return h, [h] if is_nested(states) else h


class GRUCell(RecurrentCell):
    """One step of a gated recurrent unit: ``h' = z · h + (1 - z) · c``, which is the output too.

        z = sigmoid(x · W_z + h · U_z + b_z)
        r = sigmoid(x · W_r + h · U_r + b_r)
        c = tanh(x · W_c + b_c + r · (h · U_c + d_c))       with reset_after
        c = tanh(x · W_c + b_c + (r · h) · U_c)             without

    The kernels have the blocks z, r, c side by side.

    Args: those of `SimpleRNNCell`, and
      recurrent_activation: instead of the sigmoid.
      reset_after: whether r is applied after the product, as cuDNN does; then there are two rows of biases, the second
        one added to the products with h.

    >>> import gradtape as tf
    >>> cell = tf.keras.layers.GRUCell(4)
    >>> y, states = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> [w.shape.as_list() for w in cell.weights]
    [[3, 12], [4, 12], [2, 12]]

    As Keras 3.
    """

    gates = 3
    options = ("reset_after",)

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        reset_after=True,
        seed=None,
        **kwargs,
    ):
        weights = (
            kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
            kernel_constraint, recurrent_constraint, bias_constraint,
        )  # fmt: skip
        super().__init__(units, activation, use_bias, weights, (dropout, recurrent_dropout), seed, kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self, columns: int) -> tuple[int, ...]:
        return (2, columns) if self.reset_after else (columns,)

    def _input_bias(self) -> Any:
        bias = super()._input_bias()
        return bias if bias is None or not self.reset_after else bias[0]

    def call(self, inputs, states, training=False):
        h = states[0] if is_nested(states) else states
        x_z, x_r, x_c = self._sums(inputs, training)
        u, masks = self.in_use(self.recurrent_kernel), self.get_recurrent_dropout_mask(h)
        parts = self._dropped(h, masks, training, self.recurrent_dropout)
        gate, n = self.recurrent_activation, 2 * self.units
        if self.reset_after:
            bias = None if self.bias is None else self.in_use(self.bias)[1]
            h_z, h_r, h_c = self._products(parts, u, bias)
            z, r = gate(x_z + h_z), gate(x_r + h_r)
            h_c = r * h_c
        else:
            h_z, h_r = self._products(parts[:2], u[:, :n], None)
            z, r = gate(x_z + h_z), gate(x_r + h_r)
            h_c = matmul.of(r * parts[2], u[:, n:])
        h = z * h + (1 - z) * self.activation(x_c + h_c)
        return h, [h] if is_nested(states) else h


class LSTMCell(RecurrentCell):
    """One step of a long short-term memory, whose states are h, the output, and s, what it remembers.

        i, f, o = sigmoid(x · W + h · U + b), each with blocks of its own; g = tanh of another block
        s' = f · s + i · g
        h' = o · tanh(s')

    The kernels have the blocks i, f, g, o side by side.

    Args: those of `SimpleRNNCell`, and
      recurrent_activation: instead of the sigmoid.
      unit_forget_bias: whether the biases of f are 1 at first, so that little is forgotten.

    >>> import gradtape as tf
    >>> cell = tf.keras.layers.LSTMCell(4)
    >>> y, (h, s) = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> [w.shape.as_list() for w in cell.weights]
    [[3, 16], [4, 16], [16]]

    As Keras 3.
    """

    gates = 4
    options = ("unit_forget_bias",)

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        unit_forget_bias=True,
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        seed=None,
        **kwargs,
    ):
        weights = (
            kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
            kernel_constraint, recurrent_constraint, bias_constraint,
        )  # fmt: skip
        super().__init__(units, activation, use_bias, weights, (dropout, recurrent_dropout), seed, kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = [self.units, self.units]

    def _initializer(self, kind: str) -> Any:
        initializer = super()._initializer(kind)
        if kind != "bias" or not self.unit_forget_bias:
            return initializer
        n = self.units

        def with_ones(shape: Any, dtype: Any = None) -> Any:
            ones = creation.ones([n], dtype)
            return concat([initializer((n,), dtype=dtype), ones, initializer((2 * n,), dtype=dtype)], 0)

        return with_ones

    def call(self, inputs, states, training=False):
        h, s = states
        x = self._sums(inputs, training)
        parts = self._dropped(h, self.get_recurrent_dropout_mask(h), training, self.recurrent_dropout)
        of_h = self._products(parts, self.in_use(self.recurrent_kernel), None)
        return self._updated([a + b for a, b in zip(x, of_h)], s)

    def _updated(self, sums: list[Any], s: Any) -> tuple[Any, list[Any]]:
        """The output and the states, from the sums that enter the units and the old s."""
        i, f, g, o = sums
        gate = self.recurrent_activation
        s = gate(f) * s + gate(i) * self.activation(g)
        h = gate(o) * self.activation(s)
        return h, [h, s]


Family("layer", "keras.layers", [SimpleRNNCell, GRUCell, LSTMCell])
