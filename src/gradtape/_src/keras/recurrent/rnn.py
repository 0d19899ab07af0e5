"""`RNN`: a recurrent cell along the steps of sequences, as a layer."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.arrays import identity
from gradtape._src.api.graphs import control_dependencies
from gradtape._src.api.reordering import reverse, transpose
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten, is_nested, map_structure
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras.calls import path_of
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.recurrent.cells import RecurrentCell, batch_of
from gradtape._src.keras.recurrent.fused import can_be_fused, run_fused
from gradtape._src.keras.recurrent.stacked import StackedRNNCells, build_cell, check_cell, step_of, zeros_for
from gradtape._src.keras.recurrent.steps import run_steps
from gradtape._src.keras.serialization import Family, deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.weights import make_weight


class RNN(Layer):
    """A recurrent cell along the steps of its inputs, of shape [batch, time, features].

        for t in range(time):
            output, states = cell(inputs[:, t], states)

    Args:
      cell: a cell; a list of them, one above the other; or an object of one's own with ``call(inputs, states)``, which
        gives an output and new states, and with ``state_size``, the size of a state or a list of them. It may have
        ``output_size`` and ``get_initial_state(batch_size)``.
      return_sequences: whether to give the outputs of all steps, and not the last one.
      return_state: whether to give the last states too, behind the output.
      go_backwards: whether to go from the last step to the first; so are the outputs then.
      stateful: whether the states are kept for the next call; `reset_state` sets them to zero.
      unroll: in a graph, whether each step has operations of its own. The number of steps must be known.
      zero_output_for_mask: whether the output is zero where the mask is false, and not that of the step before.
      time_major: whether the time comes before the batch in inputs and outputs (of TensorFlow 1; gone from Keras 3).

    Call arguments:
      sequences: the inputs; or a list of the inputs and the first states.
      initial_state: the first states, a tensor or a list; zeros by default.
      mask: of shape [batch, time]: a step where it is false leaves the states as they are.
      training: for the cell.

    Raises:
      ValueError: no cell; ``unroll`` or ``stateful`` without the size that it needs; another batch than that of the
        states kept.

    >>> import gradtape as tf
    >>> cells = [tf.keras.layers.GRUCell(3), tf.keras.layers.GRUCell(4)]
    >>> tf.keras.layers.RNN(cells, return_sequences=True)(tf.ones([2, 5, 1])).shape
    TensorShape([2, 5, 4])

    A cell of one's own:

    >>> class Sum:
    ...     state_size = 3
    ...     def call(self, inputs, states):
    ...         total = inputs + states[0]
    ...         return total, [total]
    >>> tf.keras.layers.RNN(Sum())(tf.ones([1, 5, 3])).numpy()
    array([[5., 5., 5.]], dtype=float32)

    As Keras 3. Keras's own cells with tanh and sigmoid run as one operation; see `tf.keras.layers.GRU`.
    """

    states: Any

    def __init__(
        self,
        cell,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        zero_output_for_mask=False,
        time_major=False,
        **kwargs,
    ):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        check_cell(cell, "The RNN cell should have a")
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.zero_output_for_mask, self.time_major = zero_output_for_mask, time_major
        self.supports_masking = True
        self.__dict__["states"] = None

    @property
    def state_size(self):
        """The sizes of the states, as a list."""
        size = self.cell.state_size
        return list(size) if isinstance(size, (list, tuple)) else [size]

    # --- States

    def build(self, sequences_shape, initial_state_shape=None):
        batch = 1 if self.time_major else 0
        self.__dict__["_build_shape"] = sequences_shape
        build_cell(self.cell, (sequences_shape[batch], *sequences_shape[2:]))
        if self.stateful and self.states is None:
            if sequences_shape[batch] is None:
                raise ValueError(
                    "When using `stateful=True` in a RNN, the batch size must be static. Found dynamic batch size: "
                    f"sequence.shape={tuple(sequences_shape)}. Give the layer `batch_input_shape`, or the inputs a "
                    "known shape."
                )
            zeros = self.get_initial_state(sequences_shape[batch])
            self.__dict__["states"] = map_structure(self._kept, zeros)

    def _kept(self, value: Any) -> Any:
        """A variable for a state between calls; it is no weight."""
        shape, dtype = shape_of(value), dtype_of(value)
        initial = lambda: creation.zeros(shape, dtype)  # type: ignore[arg-type]
        return make_weight(f"{path_of(self)}rnn_state", initial, dtype, trainable=False, constraint=None)

    def get_initial_state(self, batch_size=None, inputs=None):
        """Zeros for the states, or what the cell has for them: a list."""
        if inputs is not None or isinstance(batch_size, Tensor) and len(shape_of(batch_size) or ()) > 1:
            batch_size = batch_of(batch_size if inputs is None else inputs, 1 if self.time_major else 0)
        return zeros_for(self.cell, batch_size, getattr(self.cell, "compute_dtype", self.compute_dtype))

    def reset_state(self):
        """Sets the states that are kept to zero."""
        for state in flatten(self.states) if self.states is not None else ():
            state.assign(creation.zeros_like(state))

    def reset_states(self, states=None):
        """`reset_state`; or sets the states that are kept to these."""
        if states is None:
            return self.reset_state()
        for state, value in zip(flatten(self.states), flatten(states), strict=True):
            state.assign(value)

    # --- Calls

    def __call__(self, sequences, *args, **kwargs):
        if isinstance(sequences, (list, tuple)) and len(sequences) > 1 and hasattr(sequences[0], "shape"):
            sequences, *states = sequences
            kwargs = {"initial_state": states, **kwargs}
        return super().__call__(sequences, *args, **kwargs)

    def call(self, sequences, initial_state=None, mask=None, training=False):
        states = self._first_states(sequences, initial_state)
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        if mask is not None and not self.time_major:
            mask = transpose(mask, [1, 0])
        self._draw_dropout(sequences)
        try:
            outputs, states = self._run(sequences, states, mask, training)
        finally:
            self._forget_dropout()
        if self.stateful:
            outputs = self._keep(states, outputs)
        if not self.return_state:
            return outputs
        return (outputs, *states)

    def _first_states(self, sequences: Any, initial_state: Any) -> list[Any]:
        axis = 1 if self.time_major else 0
        known = shape_of(sequences)
        if self.unroll and known is not None and known[1 - axis] is None:
            raise ValueError(
                "Cannot unroll a RNN if the time dimension is undefined. Give the inputs a known number of steps, or "
                f"set unroll=False. Received: sequences.shape={known}"
            )
        if self.stateful and self.states is not None and known is not None:
            kept = shape_of(flatten(self.states)[0])[0]
            if known[axis] not in (None, kept):
                raise ValueError(
                    "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size "
                    f"of the initial state. \n- Expected batch size: {kept}\n- Received batch size: {known[axis]}"
                )
        if initial_state is None:
            if not self.stateful:
                return self.get_initial_state(batch_of(sequences, axis))
            initial_state = self.states
        if not is_nested(initial_state):
            initial_state = [initial_state]
        states = [map_structure(as_tensor, state) for state in initial_state]
        sizes = self.state_size if isinstance(self.state_size, (list, tuple)) else [self.state_size]
        for state, size in zip_longest(states, sizes):
            if state is None or size is None or (isinstance(state, Tensor) and not _fits(state, size)):
                raise ValueError(
                    f"The layer '{self.name}' needs {len(sizes)} initial states of the sizes {list(sizes)}, each "
                    f"(batch, size). Received: {[str(shape_of(s)) for s in flatten(states)]}"
                )
        return states

    def _run(self, sequences: Any, states: list[Any], mask: Any, training: Any) -> tuple[Any, list[Any]]:
        """The output, of one step or all, and the last states."""
        cells = self.cell.cells if type(self.cell) is StackedRNNCells else [self.cell]
        known = shape_of(sequences)
        if known is not None and len(known) == 3 and all(can_be_fused(cell, training) for cell in cells):
            return self._run_fused(cells, sequences, states, mask, training)
        sequence = sequences if self.time_major else _swapped(sequences)
        call = step_of(self.cell, training)

        def step(x: Any, old: Any) -> Any:
            output, new = call(x, old)
            return output, list(new) if is_nested(new) else [new]

        outputs, last = run_steps(
            step, self._turned(sequence), states, self._turned(mask), self.zero_output_for_mask, self.unroll
        )
        if not self.return_sequences:
            return outputs[-1], last
        return (outputs if self.time_major else _swapped(outputs)), last

    def _run_fused(self, cells: Any, sequences: Any, states: Any, mask: Any, training: Any) -> Any:
        sequence = transpose(sequences, [0, 2, 1] if self.time_major else [1, 2, 0])
        one = cells[0] is self.cell
        outputs, last = run_fused(
            cells,
            self._turned(sequence),
            [states] if one else [x if is_nested(x) else [x] for x in states],
            self._turned(mask),
            self.zero_output_for_mask,
            training,
            wants_states=self.return_state or self.stateful,
        )
        if self.return_sequences:
            outputs = transpose(outputs, [0, 2, 1] if self.time_major else [2, 0, 1])
        else:
            outputs = transpose(outputs[-1], [1, 0])
        if one:
            return outputs, last[0]
        return outputs, [new if is_nested(old) or not new else new[0] for new, old in zip(last, states)]

    def _turned(self, x: Any) -> Any:
        """Time-major values in the order in which the steps are gone through."""
        return x if x is None or not self.go_backwards else reverse(x, [0])

    def _dropping(self) -> list[Any]:
        cells = self.cell.cells if isinstance(self.cell, StackedRNNCells) else [self.cell]
        return [
            cell
            for cell in cells
            if isinstance(cell, RecurrentCell) and (cell.dropout or cell.recurrent_dropout)
        ]

    def _draw_dropout(self, sequences: Any) -> None:
        """Lets the cells draw what they drop, the same in all steps: before the loop over these."""
        for cell in self._dropping():
            batch = batch_of(sequences, 1 if self.time_major else 0)
            sizes = (shape_of(cell.kernel)[0], cell.units)
            inputs, state = (creation.ones([batch, n], cell.compute_dtype) for n in sizes)
            cell.get_dropout_mask(inputs)
            cell.get_recurrent_dropout_mask(state)

    def _forget_dropout(self) -> None:
        for cell in self._dropping():
            cell.reset_dropout_mask()
            cell.reset_recurrent_dropout_mask()

    def _keep(self, states: list[Any], outputs: Any) -> Any:
        """Keeps the states for the next call; in a graph, whenever the outputs are computed."""
        kept = [v.assign(x) for v, x in zip(flatten(self.states), flatten(states), strict=True)]
        if current_graph() is None or hasattr(current_graph(), "initial_value"):
            return outputs
        with control_dependencies(kept):
            return identity(outputs)

    # --- Masks and configuration

    def compute_mask(self, inputs, previous_mask):
        mask = flatten(previous_mask)[0] if previous_mask is not None else None
        mask = mask if self.return_sequences else None
        return [mask, *([None] * len(self.state_size))] if self.return_state else mask

    def get_config(self):
        return {**self._options(), "cell": serialize_keras_object(self.cell)}

    def _options(self) -> dict[str, Any]:
        names = (
            "return_sequences",
            "return_state",
            "go_backwards",
            "stateful",
            "unroll",
            "zero_output_for_mask",
        )
        config = {**super().get_config(), **{name: getattr(self, name) for name in names}}
        return {**config, "time_major": True} if self.time_major else config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        cell = deserialize_keras_object(config["cell"], custom_objects)
        return cls(**{**config, "cell": cell})


def _swapped(x: Any) -> Any:
    """Batch and time exchanged."""
    return transpose(x, [1, 0, *range(2, len(shape_of(x) or (0, 0, 0)))])


Family("layer", "keras.layers", [RNN])


def _fits(state: Any, size: Any) -> bool:
    """Whether a state has the size of a cell's state, which is its last dimension or all but the batch."""
    shape = shape_of(state)
    wanted = tuple(size) if isinstance(size, (list, tuple)) else (size,)
    if shape is None or not all(isinstance(n, int) for n in wanted):
        return True
    return len(shape) == len(wanted) + 1 and all(n in (None, m) for n, m in zip(shape[1:], wanted))
