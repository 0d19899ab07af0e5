"""Public pooling with windows whose number is a fraction of the size: some are one longer than others.

A dimension of length n with ratio r gives ⌊n / r⌋ windows. Their boundaries are drawn at random: with
``pseudo_random`` as ⌈n i / windows + u⌉ with one random u, which spreads the longer windows evenly, else as a
random order of the lengths ⌊r⌋ and ⌊r⌋ + 1. With ``overlapping`` neighbouring windows share the element between them.
"""

from __future__ import annotations

from collections import namedtuple
from math import ceil, floor
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError, UnimplementedError
from gradtape._src.core.shapes import in_brackets, is_known
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import pack
from gradtape._src.ops.reduction import reduce_max, reduce_mean

_FIELDS = "output row_pooling_sequence col_pooling_sequence"
_Max = namedtuple("FractionalMaxPool", _FIELDS)
_Avg = namedtuple("FractionalAvgPool", _FIELDS)


def fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """The largest element of each window of random size.

    Args:
      value: real numbers (batch, height, width, channels).
      pooling_ratio: one or two numbers, or four with 1 for batch and channels; 1 at least.
      pseudo_random, overlapping: see this module.
      seed: an integer; 0 for another choice every time.
      name: of the operations in a graph.

    Returns:
      A named tuple (output, row_pooling_sequence, col_pooling_sequence): the maxima, and the int64 boundaries
      of the windows. Of several maxima each gets an equal share of the gradient.

    >>> import gradtape as tf
    >>> y = tf.nn.fractional_max_pool(tf.ones([1, 9, 9, 1]), [1.0, 1.5, 1.5, 1.0], seed=1)
    >>> print(y.output.shape, y.row_pooling_sequence.numpy()[[0, -1]])
    (1, 6, 6, 1) [0 9]

    Graham: Fractional max-pooling, arXiv:1412.6071.
    """
    return _fractional(_Max, reduce_max, value, pooling_ratio, pseudo_random, overlapping, seed)


def fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """The mean of each window of random size.

    Args:
      value: floating-point numbers (batch, height, width, channels).
      pooling_ratio: one or two numbers, or four with 1 for batch and channels; 1 at least.
      pseudo_random, overlapping: see this module.
      seed: an integer; 0 for another choice every time.
      name: of the operations in a graph.

    Returns:
      A named tuple (output, row_pooling_sequence, col_pooling_sequence): the means, and the int64 boundaries
      of the windows.

    >>> import gradtape as tf
    >>> y = tf.nn.fractional_avg_pool(tf.ones([1, 9, 9, 1]), [1.0, 1.5, 1.5, 1.0], seed=1)
    >>> print(y.output.shape, y.col_pooling_sequence.numpy()[[0, -1]])
    (1, 6, 6, 1) [0 9]

    Graham: Fractional max-pooling, arXiv:1412.6071.
    """
    return _fractional(_Avg, reduce_mean, value, pooling_ratio, pseudo_random, overlapping, seed)


def _fractional(
    result: Any, reduction: Any, value: Any, ratio: Any, pseudo_random: bool, overlapping: bool, seed: Any
) -> Any:
    op = result.__name__
    x = as_tensor(value)
    shape = shape_of(x)
    if shape is None or len(shape) != 4 or not is_known(shape[1:3]):
        raise InvalidArgumentError.of(f"tensor_in must be 4-dimensional, got {in_brackets(shape)} [Op:{op}]")
    ratios = _ratios(ratio, op)
    rng = np.random.default_rng(int(seed) or None)
    found = []
    for axis, r in ((1, ratios[0]), (2, ratios[1])):
        ends = _boundaries(shape[axis], r, bool(pseudo_random), rng, op)  # type: ignore[arg-type]
        found.append(ends)
        parts = [
            (slice(None),) * axis + (slice(a, min(b + bool(overlapping), shape[axis])),)
            for a, b in zip(ends, ends[1:])
        ]
        columns = [reduction.of(x[part], (axis,), False) for part in parts]
        x = pack.of(*columns, axis=axis)
    return result(x, *(as_tensor(np.array(ends, np.int64)) for ends in found))


def _ratios(ratio: Any, op: str) -> tuple[float, float]:
    numbers = [float(r) for r in ratio] if hasattr(ratio, "__len__") else [float(ratio)]
    if len(numbers) == 4:
        if numbers[0] != 1 or numbers[3] != 1:
            raise UnimplementedError.of(
                f"Fractional pooling is not yet supported on the batch nor channel dimension. [Op:{op}]"
            )
        numbers = numbers[1:3]
    if len(numbers) not in (1, 2):
        raise ValueError(
            f"`pooling_ratio` should be of length 1, 2 or 4. Received: pooling_ratio={ratio} of length {len(numbers)}"
        )
    if min(numbers) < 1:
        raise ValueError(f"`pooling_ratio` should be >= 1.0. Received: pooling_ratio={ratio}")
    return numbers[0], numbers[-1]


def _boundaries(n: int, ratio: float, pseudo_random: bool, rng: np.random.Generator, op: str) -> list[int]:
    windows = floor(n / ratio)
    if windows <= 0:
        raise InvalidArgumentError.of(
            f"a dimension of {n} is too small for a pooling ratio of {ratio} [Op:{op}]"
        )
    alpha, short = n / windows, n // windows
    if pseudo_random:
        most = min((short + 2) / alpha - 1, (n + 1 - short) / alpha - (windows - 1))
        u = rng.random() * most  # so that no window is shorter than ``short``, or longer by more than one
        return [0, *(ceil(alpha * (i + u)) - 1 for i in range(1, windows)), n]
    lengths = np.full(windows, short)
    lengths[: n - short * windows] += 1
    return [0, *np.cumsum(rng.permutation(lengths)).tolist()]
