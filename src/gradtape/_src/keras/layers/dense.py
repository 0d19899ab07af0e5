"""Layers that multiply: `Dense`, `EinsumDense`, and `Embedding`, which looks rows up."""

from __future__ import annotations

import re
from typing import Any

from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import not_equal
from gradtape._src.api.einsum import einsum
from gradtape._src.api.gathering import gather
from gradtape._src.api.products import matmul, tensordot
from gradtape._src.api.ragged_tensor import RaggedTensor
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras.initializers import VarianceScaling
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layers.kernel import KernelLayer, known_size, like
from gradtape._src.ops.arithmetic import add

_DENSE = (
    "kernel_initializer",
    "bias_initializer",
    "kernel_regularizer",
    "bias_regularizer",
    "kernel_constraint",
    "bias_constraint",
)


class Dense(KernelLayer):
    """activation(x @ kernel + bias), over the last axis of x.

    Args:
      units: the size of the last axis of the outputs.
      activation: a function, or its name; none by default.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: functions of shape and dtype, or their names.
      kernel_regularizer, bias_regularizer, activity_regularizer: functions whose values are among the `losses`.
      kernel_constraint, bias_constraint: what optimizers apply after each step.
      **kwargs: of `Layer`.

    Inputs (..., n), outputs (..., units); the kernel is (n, units).

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.Dense(2, activation="relu", kernel_initializer="ones")
    >>> layer(tf.constant([[1.0, -3.0], [1.0, 2.0]])).numpy()
    array([[0., 0.],
           [3., 3.]], dtype=float32)

    As Keras 3.
    """

    _config = ("units", "activation", "use_bias", *_DENSE)

    def __init__(
        self, units, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
        bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
        kernel_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        if not isinstance(units, (int, float)) and not hasattr(units, "__index__") or int(units) <= 0:
            raise ValueError(
                f"Received an invalid value for `units`, expected a positive integer. Received: units={units}"
            )
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._keep(
            units=int(units), activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape):
        size = known_size(input_shape, -1, self)
        self.kernel = self._make("kernel", (size, self.units))
        if self.use_bias:
            self.bias = self._make("bias", (self.units,))
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs):
        kernel = self.kernel
        x = like(inputs, kernel)
        y = matmul(x, kernel) if len(shape_of(x) or (0, 0)) == 2 else _over_last_axis(x, kernel)
        if self.bias is not None:
            y = add.of(y, self.bias)
        return self._activated(y)


def _over_last_axis(x: Any, kernel: Any) -> Any:
    return tensordot(x, kernel, [[len(shape_of(x)) - 1], [0]])


class EinsumDense(KernelLayer):
    """activation(einsum(equation, x, kernel) + bias).

    Args:
      equation: of `tf.einsum`, of the inputs and the kernel; leading axes may be ``...``.
      output_shape: of the outputs without the batch; None for a size that is not known.
      activation: a function, or its name.
      bias_axes: the letters of the outputs' axes that the bias has; None: no bias.
      kernel_initializer, ...: as in `Dense`.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.EinsumDense("ab,bc->ac", output_shape=3, bias_axes="c")
    >>> layer(tf.ones([2, 4])).shape
    TensorShape([2, 3])

    As Keras 3.
    """

    _config = ("equation", "output_shape", "activation", "bias_axes", *_DENSE)

    def __init__(
        self, equation, output_shape, activation=None, bias_axes=None, kernel_initializer="glorot_uniform",
        bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
        kernel_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        shape = (output_shape,) if isinstance(output_shape, int) else tuple(output_shape)
        self._keep(
            equation=equation, output_shape=shape, activation=activation, bias_axes=bias_axes,
            kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape):
        kernel, bias = _einsum_shapes(self.equation, self.bias_axes, tuple(input_shape), self.output_shape)
        self.kernel = self._make("kernel", kernel, initializer=self._initializer())
        if bias is not None:
            self.bias = self._make("bias", bias)

    def call(self, inputs):
        y = einsum(self.equation, inputs, self.kernel)
        if self.bias is not None:
            y = add.of(y, self.bias)
        return self._activated(y)

    def _initializer(self) -> Any:
        """That of the kernel, told which of its axes are a unit's inputs: the equation says so."""
        found = self.kernel_initializer
        if not isinstance(found, VarianceScaling) or found.input_axes is not None:
            return found
        kernel, outputs = (
            self.equation.replace(" ", "").split("->")[0].split(",")[1],
            self.equation.split("->")[1],
        )
        sides: tuple[list[int], list[int]] = ([], [])
        for i, letter in enumerate(kernel):
            sides[letter in outputs].append(i)
        return found.of_axes(*sides)


def _einsum_shapes(
    equation: str, bias_axes: str | None, inputs: tuple[Any, ...], outputs: tuple[Any, ...]
) -> Any:
    """The shapes of the kernel and of the bias."""
    match = re.fullmatch(
        r"(\.\.\.)?([a-zA-Z]+)(\.\.\.)?,([a-zA-Z]+)->(\.\.\.)?([a-zA-Z]+)(\.\.\.)?", equation
    )
    if match is None:
        raise ValueError(
            f"Invalid einsum equation '{equation}'. Equations must be in the form [X],[Y]->[Z], ...[X],[Y]->...[Z], or "
            "[X]...,[Y]->[Z]...."
        )
    left, x, right, kernel, _, y, _ = match.groups()
    n = len(inputs)
    sizes = dict(zip(x, inputs[n - len(x) :] if left else inputs[: len(x)]))
    missing = len(y) - len(outputs)
    tail = y[missing:] if missing >= 0 else y
    given = outputs[-len(y) :] if missing < 0 else outputs
    sizes.update({letter: size for letter, size in zip(tail, given) if size is not None})
    unknown = [letter for letter in kernel if sizes.get(letter) is None]
    if unknown:
        raise ValueError(
            f"The sizes of {unknown} in the equation '{equation}' are not known from the input shape {inputs} and the "
            f"output shape {outputs}."
        )
    shape = tuple(sizes[letter] for letter in kernel)
    if not bias_axes:
        return shape, None
    first = min(y.index(letter) for letter in bias_axes)
    bias = tuple(sizes[letter] if letter in bias_axes else 1 for letter in y[first:])
    return shape, bias


class Embedding(KernelLayer):
    """The rows of a table at the indices that the inputs are.

    Args:
      input_dim: the number of rows.
      output_dim: their length.
      embeddings_initializer, embeddings_regularizer, embeddings_constraint: of the table.
      mask_zero: whether the index 0 stands for nothing: then the outputs have a mask.
      weights: the initial table, in a list or not.
      input_length: without effect.
      **kwargs: of `Layer`.

    Inputs are integers of any shape; outputs have one axis more. The gradient of the table is `tf.IndexedSlices`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.Embedding(3, 2, embeddings_initializer="ones")
    >>> layer(tf.constant([[0, 2]])).shape
    TensorShape([1, 2, 2])

    As Keras 3.
    """

    _config = ("input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer",
               "embeddings_constraint", "mask_zero")  # fmt: skip

    def __init__(
        self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None,
        embeddings_constraint=None, mask_zero=False, weights=None, input_length=None, **kwargs,
    ):  # fmt: skip
        if weights is not None:
            kwargs["weights"] = weights if isinstance(weights, (list, tuple)) else [weights]
        if input_length is not None and "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,)
        super().__init__(**kwargs)
        self._keep(
            input_dim=input_dim, output_dim=output_dim, embeddings_initializer=embeddings_initializer,
            embeddings_regularizer=embeddings_regularizer, embeddings_constraint=embeddings_constraint,
            mask_zero=mask_zero,
        )  # fmt: skip
        self.supports_masking = mask_zero
        self.__dict__["_cast_to"] = None  # indices

    def build(self, input_shape=None):
        self.embeddings = self._make("embeddings", (self.input_dim, self.output_dim))

    def call(self, inputs):
        if isinstance(inputs, RaggedTensor):
            return inputs.with_flat_values(self.call(inputs.flat_values))
        indices = as_tensor(inputs)
        if dtype_of(indices).kind not in "iu":
            indices = cast(indices, int32)
        return gather(self.embeddings, indices)

    def compute_mask(self, inputs, previous_mask=None):
        return not_equal(inputs, 0) if self.mask_zero else None
