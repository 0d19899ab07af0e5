"""Keras's own cells as fused layers: all steps of a cell in one operation (`ops/recurrent.py`).

The operations want (time, features, batch); cells one above the other hand that on as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import creation, elementwise
from gradtape._src.api.cumulative import cumsum
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import dtype_of
from gradtape._src.keras import activations
from gradtape._src.keras.recurrent.cells import GRUCell, LSTMCell, SimpleRNNCell
from gradtape._src.ops.arrays import expand_dims, reshape
from gradtape._src.ops.block_products import as_blocks, block_products
from gradtape._src.ops.casting import cast
from gradtape._src.ops.gru import gru
from gradtape._src.ops.gru_before import gru_before
from gradtape._src.ops.products import matmul, matrix_transpose
from gradtape._src.ops.recurrent import lstm, simple_rnn

_TANH = (activations.tanh, elementwise.tanh)
_SIGMOID = (activations.sigmoid, elementwise.sigmoid)

# The rows q, z, r, c of a GRU's biases, of the parts z, r, c that come with the inputs and with the states.
_GRU_BIASES = np.array([[0, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0]])


def can_be_fused(cell: Any, training: Any) -> bool:
    """Whether a cell is one of Keras's, and no subclass, with the functions that the operations have."""
    kind = type(cell)
    if kind not in (SimpleRNNCell, GRUCell, LSTMCell) or cell.activation not in _TANH:
        return False
    # Dropout of the inputs can be done beforehand, if it is the same for all gates.
    by_gate = cell.recurrent_dropout > 0 or (cell.dropout > 0 and cell.dropout_mask_count is not None)
    return not (training and by_gate) and (kind is SimpleRNNCell or cell.recurrent_activation in _SIGMOID)


def run_fused(
    cells: list[Any],
    sequence: Any,
    states: list[list[Any]],
    mask: Any,
    zeros_where_masked: bool,
    training: Any,
    wants_states: bool,
) -> tuple[Any, list[list[Any]]]:
    """The outputs of all steps, of the last of the cells, and the last states of each; see `run_steps`.

    Args:
      cells: one above the other.
      sequence: of shape [time, features, batch]; so are the outputs.
      states: of each cell, of shape [batch, units].
      mask: of shape [time, batch], or None.
      wants_states: whether the last states are asked for.
    """
    masks = [] if mask is None else [expand_dims(mask, axis=-2)]
    last = []
    for cell, old in zip(cells, states, strict=True):
        sequence = _dropped(cell, sequence, training)
        old = [matrix_transpose.of(x) for x in old]
        sequence, of_states = _RUN[type(cell)](cell, sequence, old, masks)
        last.append([matrix_transpose(x[-1]) for x in of_states] if wants_states else [])
    if masks:
        counts = masks[0] if zeros_where_masked else cumsum(cast(masks[0], dtype=np.dtype(np.int32)), 0) > 0
        sequence = where(counts, sequence, creation.zeros_like(sequence))
    return sequence, last


def _dropped(cell: Any, sequence: Any, training: Any) -> Any:
    factors = cell._dropout_mask
    return sequence * matrix_transpose(factors) if training and factors is not None else sequence


def _weights(cell: Any, first: int = 0) -> tuple[Any, Any]:
    """The kernels as blocks; of the recurrent one the block ``first`` in front."""
    kernel, recurrent = cell.in_use(cell.kernel), cell.in_use(cell.recurrent_kernel)
    return as_blocks(kernel, gates=cell.gates, first=0), as_blocks(recurrent, gates=cell.gates, first=first)


def _biases(cell: Any, like: Any) -> Any:
    if cell.bias is None:
        return np.zeros((cell.gates, cell.units, 1), dtype_of(like))
    return reshape(cell.in_use(cell.bias), (cell.gates, cell.units, 1))


def _gru_biases(cell: Any, like: Any) -> Any:
    if cell.bias is None:
        return np.zeros((4, cell.units, 1), dtype_of(like))
    rows = reshape(cell.in_use(cell.bias), (6, cell.units))
    return expand_dims(matmul(_GRU_BIASES.astype(dtype_of(rows)), rows), axis=-1)


def _run_simple(cell: Any, sequence: Any, states: list[Any], masks: list[Any]) -> tuple[Any, list[Any]]:
    kernel, u = _weights(cell)
    hs = simple_rnn.of(sequence, kernel, states[0], u, _biases(cell, sequence), *masks)
    return hs, [hs]


def _run_gru(cell: Any, sequence: Any, states: list[Any], masks: list[Any]) -> tuple[Any, list[Any]]:
    if not cell.reset_after:
        kernel, u = _weights(cell)
        hs, _ = gru_before.of(sequence, kernel, states[0], u, _biases(cell, sequence), *masks)
        return hs, [hs]
    kernel, u = _weights(cell, first=2)
    hs, _ = gru.of(sequence, kernel, states[0], u, _gru_biases(cell, sequence), *masks)
    return hs, [hs]


def _run_lstm(cell: Any, sequence: Any, states: list[Any], masks: list[Any]) -> tuple[Any, list[Any]]:
    kernel, u = _weights(cell)
    hs, ss, _ = lstm.of(sequence, kernel, *states, u, _biases(cell, sequence), *masks)
    return hs, [hs, ss]


_RUN = {SimpleRNNCell: _run_simple, GRUCell: _run_gru, LSTMCell: _run_lstm}
