"""What is done to each number of arrays, or None where it is for NumPy to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.native.library import kernels, run, suits

_FEW = 1 << 12  # elements: up to here a call costs more than it saves
_MOVED = 8  # multiplications that take as long as an element from memory and back
_PORTION = 1 << 12


def relu(x: Any) -> Any:
    if x.size <= _FEW or not suits((x, x.shape)):
        return None
    return _elementwise(kernels.relu, x)


def relu_gate(g: Any, y: Any) -> Any:
    """g where y is positive, and zero elsewhere."""
    if y.size <= _FEW or not suits((g, y.shape), (y, y.shape)):
        return None
    return _elementwise(kernels.relu_gate, g, y)


def _elementwise(kernel: Any, *arrays: Any) -> Any:
    out = np.empty(arrays[0].size, np.float32)
    run(kernel, (*[x.ravel() for x in arrays], out), out.size, out.size * _MOVED, _PORTION)
    return out.reshape(arrays[0].shape)
