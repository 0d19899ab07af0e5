"""Cells around cells: `tf.nn.rnn_cell.DropoutWrapper` and `ResidualWrapper`.

Source: Y. Gal and Z. Ghahramani, "A theoretically grounded application of dropout in recurrent neural networks", NIPS
2016 (``variational_recurrent``).
"""

from __future__ import annotations

import hashlib
from typing import Any

from gradtape._src.api.elementwise import floor
from gradtape._src.api.nn_dropout import dropout
from gradtape._src.api.random import uniform
from gradtape._src.compat_v1.rnn_cells import LSTMStateTuple, RNNCell
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten, is_nested, map_structure
from gradtape._src.core.tensor_shape import as_shape_tuple


class _Wrapper(RNNCell):
    """A cell around another, without variables of its own."""

    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        if not hasattr(cell, "state_size") or not callable(cell):
            raise TypeError(
                f"The argument 'cell' ({cell}) is not an RNNCell: 'state_size' property is missing."
            )
        self._cell: Any = cell

    @property
    def wrapped_cell(self):
        """The cell inside."""
        return self._cell

    @property
    def state_size(self):
        return self._cell.state_size

    @property
    def output_size(self):
        return self._cell.output_size

    @property
    def trainable_variables(self):
        return self._cell.trainable_variables

    @property
    def non_trainable_variables(self):
        return self._cell.non_trainable_variables

    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables

    def zero_state(self, batch_size, dtype):
        """The cell's zero state."""
        return self._cell.zero_state(batch_size, dtype)


class ResidualWrapper(_Wrapper):
    """A cell whose inputs are added to its outputs.

    residual_fn: a function of inputs and outputs, instead of their sum.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(3))
    ...     cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))[0].shape.as_list()
    [2, 3]

    As TensorFlow 1.15.
    """

    def __init__(self, cell, residual_fn=None, **kwargs):
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def __call__(self, inputs, state, scope=None):
        outputs, state = self._cell(inputs, state, scope=scope)
        if self._residual_fn is not None:
            return self._residual_fn(inputs, outputs), state
        return map_structure(lambda x, y: x + y, inputs, outputs), state


class DropoutWrapper(_Wrapper):
    """A cell with dropout of its inputs, its outputs and its state.

    Args:
      cell: the cell inside.
      input_keep_prob, output_keep_prob, state_keep_prob: how probably an element is kept; a number or a tensor.
      variational_recurrent: whether the same elements are kept in all steps; needs ``dtype``, and ``input_size``
        where inputs are dropped.
      input_size: of the inputs without the batch.
      dtype: of inputs, outputs and state.
      seed: of the random numbers.
      dropout_state_filter_visitor: a function of a state that says with a bool, or a nest of them, where to drop;
        by default everywhere but in the c of an `LSTMStateTuple`.

    Raises:
      ValueError: a probability outside of [0, 1]; ``variational_recurrent`` without what it needs.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), output_keep_prob=0.5)
    ...     cell.output_size
    3

    As TensorFlow 1.15.
    """

    def __init__(
        self,
        cell,
        input_keep_prob=1.0,
        output_keep_prob=1.0,
        state_keep_prob=1.0,
        variational_recurrent=False,
        input_size=None,
        dtype=None,
        seed=None,
        dropout_state_filter_visitor=None,
        **kwargs,
    ):
        super().__init__(cell, dtype=dtype, **kwargs)
        self._keep = {"input": input_keep_prob, "state": state_keep_prob, "output": output_keep_prob}
        for what, prob in self._keep.items():
            if isinstance(prob, (int, float)) and not 0 <= prob <= 1:
                raise ValueError(f"Parameter {what}_keep_prob must be between 0 and 1: {prob}")
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._seed, self._filter = seed, dropout_state_filter_visitor or _not_memory
        self._noise: dict[str, list[Any]] | None = None
        if variational_recurrent:
            if dtype is None:
                raise ValueError("When variational_recurrent=True, dtype must be provided")
            if input_size is None and self._drops("input"):
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be "
                    "provided"
                )
            sizes = {"input": input_size, "state": cell.state_size, "output": cell.output_size}
            self._noise = {
                what: [self._uniform(what, i, size) for i, size in enumerate(_sizes(sizes[what]))]
                for what in self._keep
                if self._drops(what)
            }

    def __call__(self, inputs, state, scope=None):
        inputs = self._dropped("input", inputs, True)
        output, state = self._cell(inputs, state, scope=scope)
        state = self._dropped("state", state, self._filter(state) if self._drops("state") else True)
        return self._dropped("output", output, True), state

    def _drops(self, what: str) -> bool:
        prob = self._keep[what]
        return not isinstance(prob, (int, float)) or prob < 1

    def _uniform(self, what: str, i: int, size: Any) -> Any:
        """The random numbers of all steps: the same for a whole batch, as TensorFlow has it."""
        dims = [1, *as_shape_tuple(size if hasattr(size, "__iter__") else [size])]  # type: ignore[misc]
        dtype: Any = self._dtype
        return uniform(dims, dtype=dtype, seed=self._seed_of(what, i))

    def _seed_of(self, what: str, i: int) -> int | None:
        """A seed for each use, made of the one that was given."""
        if self._seed is None:
            return None
        text = f"{self._seed}{what}_{i}"
        return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _dropped(self, what: str, values: Any, where: Any) -> Any:
        if not self._drops(what):
            return values
        prob, count = self._keep[what], iter(range(len(flatten(values))))

        def one(x: Any, drop: bool) -> Any:
            i = next(count)
            if not drop:
                return x
            if self._noise is None:
                return dropout(x, 1.0 - prob, seed=self._seed_of(what, i))
            return x / as_tensor(prob, dtype_like(x)) * floor(self._noise[what][i] + prob)

        return _masked(one, values, where)


def dtype_like(x: Any) -> Any:
    """The NumPy dtype of a tensor."""
    return x.dtype.as_numpy_dtype


def _sizes(size: Any) -> list[Any]:
    return flatten(size) if is_nested(size) else [size]


def _masked(one: Any, values: Any, where: Any) -> Any:
    """``one(value, flag)`` for a nest; a flag counts for all that is below it."""
    if not is_nested(values):
        return one(values, bool(where))
    parts = list(values)
    flags = list(where) if is_nested(where) else [where] * len(parts)
    new = [_masked(one, x, flag) for x, flag in zip(parts, flags, strict=True)]
    return type(values)(*new) if hasattr(values, "_fields") else type(values)(new)


def _not_memory(state: Any) -> Any:
    """Where a state may be dropped: not in the c of an LSTM."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(False, True)
    if is_nested(state):
        return [_not_memory(part) for part in state]
    return True
