"""Normalization of channels-last arrays: by the statistics of a batch, and by neighbouring channels."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import FLOAT, constant
from gradtape._src.ops.arrays import lead, reshape, sum_to
from gradtape._src.ops.convolution import as_channels, from_channels
from gradtape._src.ops.elementwise import rsqrt
from gradtape._src.ops.windows import one_like

# --- By the statistics of a batch ---------------------------------------------------------------------------

row_count = Op(
    "RowCount",
    lambda like: np.array(prod(like.shape[:-1]), like.dtype),
    batch=lambda n, xs, batched: np.full(n, prod(shape_of(xs[0])[1:-1]), dtype_of(xs[0])),
    shape=lambda like: (),
)
"""How many vectors of channels an array holds, as a number of its dtype."""


def _batch_norm(x: Any, scale: Any, offset: Any, epsilon: float) -> Any:
    axes, n = tuple(range(x.ndim - 1)), constant(prod(x.shape[:-1]), x.dtype)
    mean = np.add.reduce(x, axis=axes) / n
    away = x - mean
    variance = np.add.reduce(away * away, axis=axes) / n
    away *= scale / np.sqrt(variance + constant(epsilon, x.dtype))
    away += offset
    return away, mean, variance


def _batch_norm_rule(
    wanted: Any, g: Any, y: Any, x: Any, scale: Any, offset: Any, epsilon: float
) -> list[Any]:
    """With r = 1 / sqrt(variance + epsilon), everything but three passes over x is done for each channel."""
    (g_y, g_mean, g_variance), (_, mean, variance) = g, y
    away, r = x - mean, rsqrt(variance + epsilon)
    total, slope = sum_to(g_y, offset), sum_to(g_y * away, offset) * r
    g_x = None
    if wanted[0]:
        n = row_count(x)
        of_away = (g_variance + g_variance - scale * r * r * slope) / n
        g_x = g_y * (scale * r) + away * of_away + (g_mean - scale * r * total) / n
    return [g_x, slope, total]


def _batch_norm_batch(n: int, xs: Any, batched: Any, epsilon: float) -> Any:
    """n applications are one on n times the channels."""
    x, *vectors = [v if has else lead(v, n=n) for v, has in zip(xs, batched)]
    if not is_known(shape_of(x)):
        return NotImplemented
    channels = shape_of(x)[-1]  # type: ignore[index]
    vectors = [reshape(v, (n * channels,)) for v in vectors]
    y, mean, variance = batch_norm(as_channels(x, n), *vectors, epsilon=epsilon)
    return from_channels(y, n), reshape(mean, (n, channels)), reshape(variance, (n, channels))


def _batch_norm_shape(x: Any, scale: Any, offset: Any, epsilon: float) -> Any:
    channels = shape_of(scale)
    channels = (None,) if channels is None else channels
    return [shape_of(x), channels, channels]


batch_norm = Op(
    "FusedBatchNormV3",
    _batch_norm,
    vjp_all=_batch_norm_rule,
    reads="y x scale",
    batch=_batch_norm_batch,
    shape=_batch_norm_shape,
    multi=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""(y, mean, variance): x with its mean and variance over all axes but the last made those of offset and scale."""

unbiased = Op(
    "Unbiased",
    lambda v, like: v * constant(_bessel(like.shape), v.dtype),
    vjp=(lambda g, y, v, like: unbiased(g, like), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: (
        unbiased(xs[0], one_like(xs[1], batched[1])) if batched[0] else NotImplemented
    ),
    shape=lambda v, like: shape_of(v),
)
"""Bessel's correction of the variance of the vectors of channels of an array."""


def _bessel(shape: tuple[int, ...]) -> float:
    n = prod(shape[:-1])
    return n / max(n - 1, 1)


# --- By neighbouring channels -------------------------------------------------------------------------------


def _neighbours(x: Any, radius: int) -> Any:
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
    out = np.array(wide, order="C")
    for i in range(1, min(radius, x.shape[-1] - 1) + 1):
        out[..., i:] += wide[..., :-i]
        out[..., :-i] += wide[..., i:]
    return out.astype(x.dtype, copy=False)


neighbours = Op(
    "SumOfNeighbours",
    _neighbours,
    vjp=lambda g, y, x, radius: neighbours(g, radius=radius),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, radius: neighbours(xs[0], radius=radius),
    shape=lambda x, radius: shape_of(x),
)
"""For each channel the sum over it and the ``radius`` channels on either side."""


def _lrn(x: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
    total = _neighbours(wide * wide, depth_radius) * constant(alpha, wide.dtype) + constant(bias, wide.dtype)
    return (wide * total ** constant(-beta, wide.dtype)).astype(x.dtype, copy=False)


def _lrn_rule(g: Any, y: Any, x: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    total = neighbours(x * x, radius=depth_radius) * alpha + bias
    shrunk = total**-beta
    return g * shrunk - x * neighbours(g * x * (shrunk / total), radius=depth_radius) * (2 * alpha * beta)


lrn = Op(
    "LRN",
    _lrn,
    vjp=_lrn_rule,
    reads="x",
    jvp=lambda ts, y, x, **params: _lrn_jvp(ts[0], x, **params),
    batch=lambda n, xs, batched, **params: lrn(xs[0], **params),
    shape=lambda x, **params: shape_of(x),
    accepts=FLOAT,
)
"""x / (bias + alpha * sum of the squares of the neighbouring channels) ** beta"""


def _lrn_jvp(t: Any, x: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    total = neighbours(x * x, radius=depth_radius) * alpha + bias
    shrunk = total**-beta
    return t * shrunk - x * (shrunk / total) * neighbours(t * x, radius=depth_radius) * (2 * alpha * beta)
