"""Recurrent cells along the steps of their inputs: `tf.nn.dynamic_rnn`, `static_rnn`, `bidirectional_dynamic_rnn`."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.joining import stack, unstack
from gradtape._src.api.reordering import reverse, reverse_sequence, transpose
from gradtape._src.api.selection import where
from gradtape._src.compat_v1.rnn_cells import RNNCell, zeros_of
from gradtape._src.compat_v1.variable_scope import variable_scope
from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_scan
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as
from gradtape._src.core.shapes import as_text
from gradtape._src.core.values import shape_of


def dynamic_rnn(
    cell,
    inputs,
    sequence_length=None,
    initial_state=None,
    dtype=None,
    parallel_iterations=None,
    swap_memory=False,
    time_major=False,
    scope=None,
):
    """Runs a cell along the steps of its inputs, in a loop of the graph: batch and steps may be unknown.

    Args:
      cell: a `tf.nn.rnn_cell.RNNCell`.
      inputs: of shape [batch, time, ...], or [time, batch, ...] if ``time_major``; or a nest of such.
      sequence_length: how many steps each sequence of the batch has: behind them the output is zero, and the state
        stays as it is.
      initial_state: by default ``cell.zero_state(batch, dtype)``.
      dtype: of the default initial state, and needed for it.
      parallel_iterations, swap_memory: without effect.
      time_major: whether the steps are the first dimension, of inputs and outputs.
      scope: of the variables; ``rnn`` by default.

    Returns:
      A pair: the outputs, stacked along the dimension of time, and the last state.

    Raises:
      TypeError: ``cell`` is none. ValueError: neither ``initial_state`` nor ``dtype``; inputs of too few dimensions.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.placeholder(tf.float32, [None, None, 5])
    ...     y, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), x, dtype=tf.float32)
    ...     y.shape.as_list(), state.shape.as_list()
    ([None, None, 3], [None, 3])

    As TensorFlow 2.21 (1.15).
    """
    _check_cell(cell)
    with variable_scope(scope or "rnn"):
        columns = [as_tensor(x) for x in flatten(inputs)]
        for x in columns:
            if shape_of(x) is not None and len(shape_of(x)) < 2:  # type: ignore[arg-type]
                raise ValueError(
                    f"Input tensor should have rank >= 2 (batch and time). Received input={x} of shape "
                    f"{as_text(shape_of(x))}."
                )
        if not time_major:
            columns = [_swapped(x) for x in columns]
        batch = _size(columns, 1)
        state = _first_state(cell, initial_state, batch, dtype)
        rows: list[Any] = []
        if sequence_length is not None:
            lengths = _lengths(sequence_length, columns[0])
            rows.append(expand_dims(creation.range(_size(columns, 0)), 1) < lengths)
        outputs, state = _run(cell, inputs, columns, rows, state)
        if not time_major:
            outputs = map_structure(_swapped, outputs)
        return outputs, state


def _run(cell: Any, inputs: Any, columns: list[Any], masks: list[Any], state: Any) -> tuple[Any, Any]:
    """The outputs of all steps, and the last state. A row of ``masks`` says for which sequences a step counts."""
    structures: list[Any] = []

    def step(carry: list[Any], row: list[Any]) -> tuple[list[Any], list[Any]]:
        mask, row = row[: len(masks)], row[len(masks) :]
        output, new = cell(pack_sequence_as(inputs, row), pack_sequence_as(state, carry))
        assert_same_structure(state, new)
        structures[:] = [output]
        flat, new = [as_tensor(x) for x in flatten(output)], [as_tensor(x) for x in flatten(new)]
        if mask:
            flat = [_where(mask[0], x, creation.zeros_like(x)) for x in flat]
            new = [_where(mask[0], x, old) for x, old in zip(new, carry, strict=True)]
        for x, old in zip(new, carry, strict=True):
            if is_symbolic():
                x.set_shape(shape_of(old))
        return new, flat

    start = [as_tensor(x) for x in flatten(state)]
    if is_symbolic():
        last, stacked = graph_scan(step, start, [*masks, *columns], False)
    else:
        last, stacked = _eager_scan(step, start, [*masks, *columns])
    return pack_sequence_as(structures[0], stacked), pack_sequence_as(state, last)


def _eager_scan(step: Any, carry: list[Any], columns: list[Any]) -> tuple[list[Any], list[Any]]:
    results = []
    for row in zip(*(unstack(x) for x in columns), strict=True):
        carry, flat = step(carry, list(row))
        results.append(flat)
    if not results:
        raise InvalidArgumentError.of("Expected inputs of at least one step in eager mode, received none.")
    return carry, [stack(rows) for rows in zip(*results, strict=True)]


def _where(mask: Any, x: Any, y: Any) -> Any:
    """Rows of x where the mask holds, else of y; the rank of x is known, or x is a matrix."""
    for _ in range(len(shape_of(x) or (0, 0)) - 1):
        mask = expand_dims(mask, -1)
    return where(mask, x, y)


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """Runs a cell along a list of inputs, each step with operations of its own.

    Args:
      cell: a `tf.nn.rnn_cell.RNNCell`.
      inputs: a list of tensors of shape [batch, ...], one for each step, or of nests of them.
      initial_state, dtype, sequence_length, scope: those of `tf.nn.dynamic_rnn`.

    Returns:
      A pair: a list of the outputs, and the last state.

    Raises:
      TypeError: ``cell`` is none, ``inputs`` no list. ValueError: no inputs; neither ``initial_state`` nor ``dtype``.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     steps = tf.unstack(tf.ones([2, 4, 5]), axis=1)
    ...     y, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), steps, dtype=tf.float32)
    ...     len(y), y[0].shape.as_list()
    (4, [2, 3])

    As TensorFlow 2.21 (1.15).
    """
    _check_cell(cell)
    if not is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    outputs = []
    with variable_scope(scope or "rnn") as opened:
        first = as_tensor(flatten(inputs[0])[0])
        state = _first_state(cell, initial_state, _size([first], 0), dtype)
        lengths: Any = None if sequence_length is None else cast(as_tensor(sequence_length), int32)
        for time, x in enumerate(inputs):
            if time > 0:
                opened.reuse_variables()
            output, new = cell(x, state)
            if lengths is not None:
                going = lengths > time
                output = map_structure(lambda y, m=going: _where(m, y, creation.zeros_like(y)), output)
                new = map_structure(lambda y, old, m=going: _where(m, y, old), new, state)
            outputs.append(output)
            state = new
    return outputs, state


def bidirectional_dynamic_rnn(
    cell_fw,
    cell_bw,
    inputs,
    sequence_length=None,
    initial_state_fw=None,
    initial_state_bw=None,
    dtype=None,
    parallel_iterations=None,
    swap_memory=False,
    time_major=False,
    scope=None,
):
    """`tf.nn.dynamic_rnn` of two cells, of which the second goes through the steps from the last to the first.

    Args: those of `tf.nn.dynamic_rnn`, with a cell and an initial state for either direction.

    Returns:
      A pair of pairs: the outputs forwards and backwards, both in the order of the inputs, and the last states.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x, cells = tf.ones([2, 4, 5]), [tf.nn.rnn_cell.GRUCell(3) for _ in range(2)]
    ...     (forwards, backwards), _ = tf.nn.bidirectional_dynamic_rnn(*cells, x, dtype=tf.float32)
    ...     forwards.shape.as_list(), backwards.shape.as_list()
    ([2, 4, 3], [2, 4, 3])

    As TensorFlow 2.21 (1.15).
    """
    time, batch = (0, 1) if time_major else (1, 0)

    def backwards(x: Any) -> Any:
        if sequence_length is None:
            return reverse(x, [time])
        return reverse_sequence(x, sequence_length, seq_axis=time, batch_axis=batch)

    how = {"dtype": dtype, "time_major": time_major}
    with variable_scope(scope or "bidirectional_rnn"):
        y_fw, state_fw = dynamic_rnn(cell_fw, inputs, sequence_length, initial_state_fw, scope="fw", **how)
        with variable_scope("bw") as opened:
            turned = map_structure(backwards, inputs)
            y_bw, state_bw = dynamic_rnn(
                cell_bw, turned, sequence_length, initial_state_bw, scope=opened, **how
            )
    return (y_fw, map_structure(backwards, y_bw)), (state_fw, state_bw)


# --- What both have in common -------------------------------------------------------------------------------


def _check_cell(cell: Any) -> None:
    if isinstance(cell, RNNCell):
        return
    missing = [name for name in ("output_size", "state_size") if not hasattr(cell, name)]
    if not hasattr(cell, "zero_state") and not hasattr(cell, "get_initial_state"):
        missing.append("zero_state")
    if missing or not callable(cell):
        lacks = "".join(f", '{name}' property is missing" for name in missing)
        called = "" if callable(cell) else ", is not callable"
        raise TypeError(f"The argument 'cell' ({cell}) is not an RNNCell: {(lacks + called)[2:]}.")


def _size(columns: list[Any], axis: int) -> Any:
    """A size that all columns have: a number if any of them knows it."""
    for x in columns:
        dims = shape_of(x)
        if dims is not None and dims[axis] is not None:
            return dims[axis]
    return shape_of_tensor(columns[0])[axis]


def _first_state(cell: Any, initial_state: Any, batch: Any, dtype: Any) -> Any:
    if initial_state is not None:
        return map_structure(as_tensor, initial_state)
    if not dtype:
        raise ValueError("If no initial_state is provided, argument `dtype` must be specified.")
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch, dtype=dtype)
    if getattr(cell, "zero_state", None) is not None:
        return cell.zero_state(batch, dtype)
    return zeros_of(cell.state_size, batch, dtype)


def _lengths(sequence_length: Any, column: Any) -> Any:
    lengths = cast(as_tensor(sequence_length), int32)
    dims, whole = shape_of(lengths), shape_of(column)
    if dims is not None and len(dims) != 1:
        raise ValueError(
            f"sequence_length must be a vector of length batch_size, but saw shape: {as_text(dims)}"
        )
    have, want = (dims or (None,))[0], None if whole is None else whole[1]
    if have is not None and want is not None and have != want:
        raise ValueError(
            f"sequence_length must be a vector of length batch_size, expected {want} lengths, received {have}."
        )
    return lengths


def _swapped(x: Any) -> Any:
    """The first two dimensions exchanged."""
    rank = len(shape_of(x) or (0, 0, 0))
    return transpose(x, [1, 0, *range(2, rank)])
