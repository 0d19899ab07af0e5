"""Sums, means, products and extremes over axes, and the ``_like`` forms that their rules use.

The axes of a record are a tuple of ints or None for all of them, given by keyword (negative ones count from
the end); where only a graph's execution tells them, they are an integer tensor, given by position. Batches of
arrays are reduced by the same operations with the axes counted from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.context import current
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, apply
from gradtape._src.core.shapes import normalize_axes, reduce_shape, size_of
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.ops.arithmetic import FLOAT, INT, NUMBER
from gradtape._src.ops.arrays import stack
from gradtape._src.ops.cumulative import NARROW, cumprod, over, rank_of

REAL = f"{FLOAT} {INT}"
add_reduce: Any = np.add.reduce
_multiply_reduce: Any = np.multiply.reduce
_SMALL = 4096  # elements: up to here, filling an array costs less than making a view that repeats one


# --- Axes ---------------------------------------------------------------------------------------------------


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes from the front, in an operation that is being executed; refuses those that are not there."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis.reshape(-1).tolist() if isinstance(axis, (np.ndarray, np.generic)) else axis
    try:
        return normalize_axes(axes, ndim)
    except ValueError as error:
        raise InvalidArgumentError.of(str(error)) from None


def from_end(axis: Any, ndim: int) -> tuple[int, ...]:
    """Axes of an array with ``ndim`` dimensions, counted from the end."""
    return tuple(range(-ndim, 0)) if axis is None else tuple([a if a < 0 else a - ndim for a in axis])


def kept_shape(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """The shape with ones in place of the axes."""
    axes = axes_of(axis, len(shape))
    return tuple([1 if i in axes else n for i, n in enumerate(shape)])


def count_over(shape: tuple[int, ...], axis: Any) -> int:
    """How many elements each result is made of."""
    if axis is None:
        return prod(shape)
    if type(axis) is not tuple:
        axis = axes_of(axis, len(shape))
    n = 1
    for a in axis:
        n *= shape[a]
    return n


def _static(axis: Any) -> bool:
    return axis is None or type(axis) is tuple


def reduced_shape(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Shape rule of a reduction."""
    shape = shape_of(x)
    if _static(axis):
        return reduce_shape(shape, axis, keepdims)
    return (None,) * len(shape) if keepdims and shape is not None else None


class Reduction(Op):
    """An operation on one input, with ``axis`` and ``keepdims``: Op with less to do for each call."""

    __slots__ = ()

    def __init__(self, name: str, kernel: Any, vjp: Any = None, **rules: Any) -> None:
        rules = {"shape": reduced_shape, "batch": self._in_rows, **rules}
        super().__init__(name, kernel, vjp, **rules)

    def of(self, x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:  # type: ignore[override]
        interpreter, recorders = current()
        if interpreter is not None or type(x) is not EagerTensor or not _static(axis):
            if isinstance(axis, Tensor):
                return apply(self, (x, axis), {"keepdims": keepdims}, name)
            return apply(self, (x,), {"axis": axis, "keepdims": keepdims}, name)
        data = x._data
        if data.dtype.num not in self.accepts:
            self.check_dtypes((data,))
        try:
            out = EagerTensor(self.kernel(data, axis, keepdims))
        except (FloatingPointError, RuntimeWarning):
            out = EagerTensor(self.run((data,), {"axis": axis, "keepdims": keepdims}))
        for recorder in recorders:
            recorder.record(self, (x,), {"axis": axis, "keepdims": keepdims}, out)
        return out

    def _in_rows(self, n: int, xs: Any, batched: Any, axis: Any = None, keepdims: bool = False) -> Any:
        x, *given = xs
        axis = given[0] if given else axis
        if not _static(axis):
            return stack([self(x[i], axis, keepdims=keepdims) for i in range(n)])
        return self(x, axis=from_end(axis, rank_of(x) - 1), keepdims=keepdims)


# --- From a result back to the shape of the input -----------------------------------------------------------


def filled(g: Any, shape: tuple[int, ...]) -> Any:
    """``g`` repeated to a shape: in memory if that is small, else a view."""
    if prod(shape) > _SMALL:
        return np.broadcast_to(g, shape)
    out = np.empty(shape, g.dtype)
    out[...] = g
    return out


def _spread(g: Any, like: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The shape is that of ``g`` with the sizes of ``like`` in the axes: so leading batch axes pass."""
    shape = like.shape
    if axis is None:
        return filled(g, shape)
    ndim = len(shape)
    axes = from_end(axes_of(axis, ndim), ndim)
    rest = list(g.shape)
    total = g.ndim if keepdims else g.ndim + len(axes)
    ones, full = [], []
    for i in range(-total, 0):
        gone = i in axes
        size = rest.pop(0) if keepdims or not gone else 1
        ones.append(size)
        full.append(shape[i] if gone else size)
    return filled(g.reshape(ones), tuple(full))


def _spread_shape(g: Any, like: Any, axis: Any = None, keepdims: bool = False) -> Any:
    shape, small = shape_of(like), shape_of(g)
    if axis is None:
        return shape
    if shape is None or small is None or not _static(axis):
        return None
    axes = from_end(axis, len(shape))
    rest = list(small)
    total = len(rest) if keepdims else len(rest) + len(axes)
    out = []
    for i in range(-total, 0):
        size = rest.pop(0) if keepdims or i not in axes else 1
        out.append(shape[i] if i in axes else size)
    return tuple(out)


def _spread_in_rows(op: Op, n: int, xs: Any, batched: Any, axis: Any, keepdims: bool) -> Any:
    g, like, *given = xs
    axis = given[0] if given else axis
    ndim = rank_of(like) - batched[1]
    if not batched[0]:
        one = over(op, g, like[0] if batched[1] else like, axis=axis, keepdims=keepdims)
        return stack([one] * n)
    if not _static(axis):
        rows = [
            over(op, g[i], like[i] if batched[1] else like, axis=axis, keepdims=keepdims) for i in range(n)
        ]
        return stack(rows)
    return op(g, like, axis=from_end(axis, ndim), keepdims=keepdims)


spread_like = Op(
    "SpreadLike",
    _spread,
    vjp=(
        lambda h, y, g, like, axis=None, keepdims=False: over(reduce_sum, h, axis=axis, keepdims=keepdims),
        None,
    ),
    reads=("axis", ""),
    linear=(0,),
    batch=lambda n, xs, batched, axis=None, keepdims=False: _spread_in_rows(
        spread_like, n, xs, batched, axis, keepdims
    ),
    shape=_spread_shape,
)
"""Undoes the shape of a reduction: repeats ``g`` along the axes in which ``like`` was reduced."""


def _spread_mean(g: Any, like: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _spread(g / count_over(like.shape, axis), like, axis, keepdims)


def _mean_batch(n: int, xs: Any, batched: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _spread_in_rows(spread_mean_like, n, xs, batched, axis, keepdims)


spread_mean_like = Op(
    "SpreadMeanLike",
    _spread_mean,
    vjp=(
        lambda h, y, g, like, axis=None, keepdims=False: over(reduce_mean, h, axis=axis, keepdims=keepdims),
        None,
    ),
    reads=("axis", ""),
    linear=(0,),
    batch=_mean_batch,
    shape=_spread_shape,
)
"""``spread_like(g / n, like)``, where n elements make up a result: the transpose of the mean."""


# --- Sums and means -----------------------------------------------------------------------------------------


def _sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    dtype = x.dtype
    if axis is not None and type(axis) is not tuple:
        axis = axes_of(axis, x.ndim)
    if dtype.num in NARROW:
        return add_reduce(x, axis, np.float32, None, keepdims).astype(dtype)
    if keepdims:
        return add_reduce(x, axis, dtype, None, True)
    return add_reduce(x, axis, dtype)


reduce_sum = Reduction(
    "Sum",
    _sum,
    vjp=lambda g, y, x, axis=None, keepdims=False: over(spread_like, g, x, axis=axis, keepdims=keepdims),
    reads="axis",
    linear=(0,),
    accepts=NUMBER,
)


def _mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    dtype = x.dtype
    if axis is not None and type(axis) is not tuple:
        axis = axes_of(axis, x.ndim)
    n = x.size if axis is None else count_over(x.shape, axis)
    if n == 0:  # of real numbers NaN, without a word from NumPy; otherwise 0, as in TensorFlow
        zero = add_reduce(x, axis, dtype, None, keepdims)
        return zero if dtype.kind in "iuc" else zero * dtype.type(np.nan)
    if dtype.kind in "iu":
        return _integer_mean(x, axis, keepdims, n)
    if dtype.num in NARROW:
        return (add_reduce(x, axis, np.float32, None, keepdims) / n).astype(dtype)
    return add_reduce(x, axis, dtype, None, keepdims) / n


def _integer_mean(x: Any, axis: Any, keepdims: bool, n: int) -> Any:
    """Rounded towards zero, like a division of integers in C; the sum does not overflow below 64 bits."""
    total = add_reduce(x, axis, np.uint64 if x.dtype.kind == "u" else np.int64, None, keepdims)
    return ((total - np.fmod(total, total.dtype.type(n))) // total.dtype.type(n)).astype(x.dtype)


reduce_mean = Reduction(
    "Mean",
    _mean,
    vjp=lambda g, y, x, axis=None, keepdims=False: over(spread_mean_like, g, x, axis=axis, keepdims=keepdims),
    reads="axis",
    linear=(0,),
    accepts=NUMBER,
)


# --- Products -----------------------------------------------------------------------------------------------


def _prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    axis = axes_of(axis, x.ndim)
    if x.dtype.num in NARROW:
        return _multiply_reduce(x, axis, np.float32, None, keepdims).astype(x.dtype)
    return _multiply_reduce(x, axis, x.dtype, None, keepdims)


def _axes_last(x: Any, axis: Any = None) -> Any:
    axes = axes_of(axis, x.ndim)
    kept = [i for i in range(x.ndim) if i not in axes]
    return x.transpose((*kept, *axes)).reshape((*[x.shape[i] for i in kept], count_over(x.shape, axes)))


def _axes_back(z: Any, like: Any, axis: Any = None) -> Any:
    shape = like.shape
    axes = from_end(axes_of(axis, len(shape)), len(shape))
    total = z.ndim - 1 + len(axes)
    kept = [i for i in range(-total, 0) if i not in axes]
    split = z.reshape((*z.shape[:-1], *[shape[a] for a in axes]))
    return split.transpose(np.argsort([i + total for i in [*kept, *axes]]))


def _axes_last_shape(x: Any, axis: Any = None) -> Any:
    shape = shape_of(x)
    if shape is None or not _static(axis):
        return None
    axes = normalize_axes(axis, len(shape))
    sizes = [shape[a] for a in axes]
    return (*[n for i, n in enumerate(shape) if i not in axes], size_of(tuple(sizes)))


def _axes_back_shape(z: Any, like: Any, axis: Any = None) -> Any:
    shape, flat = shape_of(like), shape_of(z)
    if shape is None or flat is None or not _static(axis):
        return None
    axes = from_end(axis, len(shape))
    rest = list(flat[:-1])
    return tuple([shape[i] if i in axes else rest.pop(0) for i in range(-len(rest) - len(axes), 0)])


axes_last = Op(
    "AxesLast",
    _axes_last,
    vjp=lambda g, y, x, axis=None: over(axes_back_like, g, x, axis=axis),
    reads="axis",
    linear=(0,),
    shape=_axes_last_shape,
    batch=lambda n, xs, batched, axis=None: axes_last(xs[0], axis=from_end(axis, rank_of(xs[0]) - 1)),
)
"""Moves the axes to the end, and makes one of them."""

axes_back_like = Op(
    "AxesBackLike",
    _axes_back,
    vjp=(lambda g, y, z, like, axis=None: over(axes_last, g, axis=axis), None),
    reads=("axis", ""),
    linear=(0,),
    shape=_axes_back_shape,
    batch=lambda n, xs, batched, axis=None: _axes_back_in_rows(n, xs, batched, axis),
)
"""Undoes ``axes_last(like)``."""


def _axes_back_in_rows(n: int, xs: Any, batched: Any, axis: Any) -> Any:
    z, like = xs
    if not batched[0]:
        return stack([axes_back_like(z, like[0], axis=axis)] * n)
    return axes_back_like(z, like, axis=from_end(axis, rank_of(like) - batched[1]))


def _others(x: Any, axis: Any) -> Any:
    """For each element the product of all that it is multiplied with: no division, so zeros do no harm."""
    shape = shape_of(x)
    if axis is None and shape is not None and len(shape) == 1:
        axis = (0,)
    if type(axis) is tuple and len(axis) == 1:
        flat, along = x, axis[0]
    else:
        flat, along = over(axes_last, x, axis=axis), -1
    before = cumprod(flat, axis=along, exclusive=True)
    product = before * cumprod(flat, axis=along, exclusive=True, reverse=True)
    return product if flat is x else over(axes_back_like, product, x, axis=axis)


reduce_prod = Reduction(
    "Prod",
    _prod,
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        over(spread_like, g, x, axis=axis, keepdims=keepdims) * _others(x, axis)
    ),
    jvp=lambda ts, y, x, axis=None, keepdims=False: over(
        reduce_sum, ts[0] * _others(x, axis), axis=axis, keepdims=keepdims
    ),
    reads="x axis",
    accepts=NUMBER,
)


# --- Extremes -----------------------------------------------------------------------------------------------


def _extreme(ufunc: Any, largest: bool) -> Any:
    def kernel(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        if axis is not None and type(axis) is not tuple:
            axis = axes_of(axis, x.ndim)
        if x.size:
            return ufunc.reduce(x, axis, None, None, keepdims)
        return ufunc.reduce(x, axis, None, None, keepdims, farthest(x.dtype, not largest))

    return kernel


def farthest(dtype: np.dtype, up: bool) -> Any:
    """The largest (``up``) or smallest number of a dtype, infinity where there is one."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return dtype.type(info.max if up else info.min)
    return dtype.type(np.inf if up else -np.inf)


def _share(x: Any, y: Any, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is not None and type(axis) is not tuple:
        axis = axes_of(axis, x.ndim)
    if not keepdims and axis is not None:
        y = y.reshape(kept_shape(x.shape, axis))
    chosen = np.equal(x, y)
    return chosen / add_reduce(chosen, axis, x.dtype, None, True)


def _share_batch(n: int, xs: Any, batched: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x, y = xs
    if not all(batched):
        return stack(
            [
                share(*[v[i] if b else v for v, b in zip(xs, batched)], axis=axis, keepdims=keepdims)
                for i in range(n)
            ]
        )
    return share(x, y, axis=from_end(axis, rank_of(x) - 1), keepdims=keepdims)


share = Op(
    "ExtremeShare", _share, shape=lambda x, y, axis=None, keepdims=False: shape_of(x), batch=_share_batch
)
"""How the cotangent of an extreme y is shared out: equally to all that are equal to y. NaN where y is NaN."""


def _extreme_rules() -> dict[str, Any]:
    return {
        "vjp": lambda g, y, x, axis=None, keepdims=False: (
            over(spread_like, g, x, axis=axis, keepdims=keepdims)
            * over(share, x, y, axis=axis, keepdims=keepdims)
        ),
        "jvp": lambda ts, y, x, axis=None, keepdims=False: over(
            reduce_sum, ts[0] * over(share, x, y, axis=axis, keepdims=keepdims), axis=axis, keepdims=keepdims
        ),
        "reads": "y x axis",
        "accepts": REAL,
    }


reduce_max = Reduction("Max", _extreme(np.maximum, True), **_extreme_rules())
reduce_min = Reduction("Min", _extreme(np.minimum, False), **_extreme_rules())


# --- Truth and counts ---------------------------------------------------------------------------------------


def _truth(ufunc: Any) -> Any:
    def kernel(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return ufunc.reduce(x, axes_of(axis, x.ndim), np.bool_, None, keepdims)

    return kernel


reduce_all = Reduction("All", _truth(np.logical_and), accepts="bool")
reduce_any = Reduction("Any", _truth(np.logical_or), accepts="bool")


def _nonzero(x: Any) -> Any:
    return x != b"" if x.dtype == object else x != 0


def _count_nonzero(x: Any, axis: Any = None, keepdims: bool = False, dtype: str = "int64") -> Any:
    return add_reduce(_nonzero(x), axes_of(axis, x.ndim), np.int64, None, keepdims).astype(dtype)


count_nonzero = Op(
    "CountNonzero",
    _count_nonzero,
    shape=lambda x, axis=None, keepdims=False, dtype="int64": reduced_shape(x, axis, keepdims),
    dtype=lambda x, axis=None, keepdims=False, dtype="int64": np.dtype(dtype),
    batch=lambda n, xs, batched, axis=None, **params: count_nonzero(
        xs[0], axis=from_end(axis, rank_of(xs[0]) - 1), **params
    ),
)


def _zero_fraction(x: Any) -> Any:
    return 1 - add_reduce(_nonzero(x), None, np.float32) / np.float32(x.size)


def _zero_fractions(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
    shape = shape_of(xs[0])
    count = count_nonzero(xs[0], axis=tuple(range(1, len(shape))), dtype="float32")
    return 1 - count / np.float32(prod(shape[1:]))


zero_fraction = Op(
    "ZeroFraction",
    _zero_fraction,
    batch=_zero_fractions,
    shape=lambda x: (),
    dtype=np.float32,
)
