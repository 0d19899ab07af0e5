"""Counts of integers and of pairs, histograms, distinct elements, and whether a target is among the largest.

Only weights are differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import EagerTensor, dtype_of, shape_of
from gradtape._src.ops.arrays import broadcast_to, reshape, reshape_like
from gradtape._src.ops.cumulative import NARROW
from gradtape._src.ops.segment_rows import take_rows

_INDEX = "int32 int64"


def _data(x: Any) -> Any:
    """The array of an argument of a shape rule, or None if it has none."""
    x = x._data if type(x) is EagerTensor else x
    return x if isinstance(x, (np.ndarray, np.generic, int)) else None


# --- Counts of integers -------------------------------------------------------------------------------------


def _bins(values: Any, minlength: Any, maxlength: Any) -> int:
    """How many bins there are; a negative ``maxlength`` does not limit them."""
    size = max(int(values.max()) + 1 if values.size else 0, int(minlength))
    return size if maxlength < 0 else min(size, int(maxlength))


def _flat_bins(values: Any, n: int, by_row: bool) -> Any:
    """For each value its bin, counted through the rows; -1 for a value that has none."""
    if by_row and values.ndim > 1:
        starts = np.arange(len(values)).reshape(-1, *(1,) * (values.ndim - 1)) * n
        return np.where(values < n, starts + values, -1).reshape(-1)
    return np.where(values < n, values, -1).reshape(-1)


def _check_counted(values: Any, by_row: bool) -> None:
    if values.size and values.min() < 0:
        what = f"Input 'in' must be non-negative! Negative input value found: {values.min()}"
        raise InvalidArgumentError.of(
            (what if by_row else "Input arr must be non-negative!") + " [Op:DenseBincount]"
        )
    if by_row and values.ndim > 2:
        raise InvalidArgumentError.of(
            f"Shape must be at most rank 2 but is rank {values.ndim} [Op:DenseBincount]"
        )


def _counted_shape(values: Any, n: int, by_row: bool) -> tuple[int, ...]:
    return (len(values), n) if by_row and values.ndim > 1 else (n,)


def _bincount(
    values: Any,
    minlength: Any,
    maxlength: Any,
    by_row: bool = False,
    binary: bool = False,
    dtype: str = "int32",
) -> Any:
    _check_counted(values, by_row)
    n = _bins(values, minlength, maxlength)
    shape = _counted_shape(values, n, by_row)
    flat = _flat_bins(values, n, by_row)
    counts = np.bincount(flat[flat >= 0], minlength=int(np.prod(shape)))
    return (counts > 0 if binary else counts).astype(dtype).reshape(shape)


def _bincount_shape(values: Any, minlength: Any, maxlength: Any, by_row: bool = False) -> Any:
    known, low, high = map(_data, (values, minlength, maxlength))
    n = None if known is None or low is None or high is None else _bins(known, low, high)
    shape = shape_of(values)
    if not by_row:
        return (n,)
    return None if shape is None else (*shape[:-1], n)


def _sizes_agree(values: Any, minlength: Any, maxlength: Any) -> bool:
    """Whether the counts of each row have the same length, as far as values are there to tell."""
    found, low, high = map(_data, (values, minlength, maxlength))
    if low is None or high is None:
        return False
    if 0 <= high <= low:  # no value changes the length
        return True
    return found is not None and len({_bins(row, low, high) for row in found}) == 1


def _bincount_batch(
    op: Any, n: int, xs: Sequence[Any], batched: Sequence[bool], by_row: bool, params: Any
) -> Any:
    """Counts of each of n arrays, as the rows of one: ``xs`` ends with the least and the greatest length."""
    *arrays, low, high = xs
    arrays = [x if has else broadcast_to(x, (n, *shape_of(x))) for x, has in zip(arrays, batched)]
    if any(batched[-2:]) or not _sizes_agree(arrays[0], low, high):
        return NotImplemented
    shape = shape_of(arrays[0])
    inner = shape[1:-1] if by_row and len(shape) > 2 else ()
    rows = [reshape(x, (n * prod(inner), shape[-1]) if inner else (n, -1)) for x in arrays]
    found = op(*rows, low, high, by_row=True, **params)
    return reshape(found, (n, *inner, shape_of(found)[-1])) if inner else found


bincount = Op(
    "DenseBincount",
    _bincount,
    batch=lambda n, xs, batched, by_row=False, **params: _bincount_batch(
        bincount, n, xs, batched, by_row, params
    ),
    shape=lambda values, minlength, maxlength, by_row=False, binary=False, dtype="int32": _bincount_shape(
        values, minlength, maxlength, by_row
    ),
    dtype=lambda *_, dtype="int32", **__: np.dtype(dtype),
    accepts=_INDEX,
)
"""How often each of 0, 1, ... is there, in all of the values or in each row; ``binary``: whether it is."""

bin_positions = Op(
    "BinPositions",
    lambda values, like, by_row=False: np.asarray(_flat_bins(values, like.shape[-1], by_row), np.int64),
    batch=lambda n, xs, batched, by_row=False: (
        NotImplemented
        if by_row
        else reshape(bin_positions(xs[0], xs[1]), (n, -1))
        if batched[0]
        else NotImplemented
    ),
    shape=lambda values, like, by_row=False: (None if _data(values) is None else _data(values).size,),
    dtype=np.int64,
)
"""For each value its place in the flattened counts ``like``, -1 for none."""


def _weighted_bincount(
    values: Any, weights: Any, minlength: Any, maxlength: Any, by_row: bool = False
) -> Any:
    if weights.shape != values.shape:
        raise InvalidArgumentError.of(
            "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts as all "
            f"weights equal to 1. Received {in_brackets(weights.shape)} [Op:DenseBincount]"
        )
    _check_counted(values, by_row)
    n = _bins(values, minlength, maxlength)
    shape = _counted_shape(values, n, by_row)
    flat = _flat_bins(values, n, by_row)
    total = np.zeros(int(np.prod(shape)), weights.dtype)
    np.add.at(total, flat[flat >= 0], weights.reshape(-1)[flat >= 0])
    return total.reshape(shape)


weighted_bincount = Op(
    "DenseBincountWeighted",
    _weighted_bincount,
    batch=lambda n, xs, batched, by_row=False: _bincount_batch(weighted_bincount, n, xs, batched, by_row, {}),
    vjp=(
        None,
        lambda g, y, values, weights, minlength, maxlength, by_row=False: reshape_like(
            take_rows(reshape(g, (-1,)), bin_positions(values, g, by_row=by_row)), weights
        ),
        None,
        None,
    ),
    reads=("", "values", "", ""),
    linear=(1,),
    shape=lambda values, weights, minlength, maxlength, by_row=False: _bincount_shape(
        values, minlength, maxlength, by_row
    ),
    dtype=lambda values, weights, *_, **__: dtype_of(weights),
    accepts=_INDEX,
)
"""The sum of the weights of each of 0, 1, ..."""


# --- Counts of pairs ----------------------------------------------------------------------------------------


def _classes(labels: Any, predictions: Any, num_classes: Any) -> int:
    if num_classes is not None:
        return int(num_classes)
    return int(max(labels.max(), predictions.max())) + 1 if labels.size and predictions.size else 0


def _confusion(labels: Any, predictions: Any, weights: Any, num_classes: Any = None) -> Any:
    n = _classes(labels, predictions, num_classes)
    for name, classes in ("labels", labels), ("predictions", predictions):
        if classes.size and classes.min() < 0:
            raise InvalidArgumentError.of(f"`{name}` contains negative values. Received {classes}.")
        if classes.size and classes.max() >= n:
            raise InvalidArgumentError.of(
                f"`{name}` out of bound: {classes.max()} is not below num_classes = {n}."
            )
    if labels.shape != predictions.shape:
        raise InvalidArgumentError.of(
            f"Shapes of all inputs must match: labels.shape = {in_brackets(labels.shape)} != "
            f"predictions.shape = {in_brackets(predictions.shape)}"
        )
    counts = np.zeros((n, n), weights.dtype)
    np.add.at(counts, (labels, predictions), weights)
    return counts


def _confusion_shape(labels: Any, predictions: Any, weights: Any, num_classes: Any = None) -> Any:
    n = _data(num_classes)
    if n is None and num_classes is None and _data(labels) is not None and _data(predictions) is not None:
        n = _classes(_data(labels), _data(predictions), None)
    return (None, None) if n is None else (int(n), int(n))


pair_positions = Op(
    "PairPositions",
    lambda labels, predictions, like: (labels * like.shape[-1] + predictions).reshape(-1),
    batch=lambda n, xs, batched: (
        reshape(pair_positions(xs[0], xs[1], xs[2]), (n, -1)) if batched[0] and batched[1] else NotImplemented
    ),
    shape=lambda labels, predictions, like: (None if _data(labels) is None else _data(labels).size,),
)
"""For each pair its place in the flattened matrix ``like``."""


def _confusion_batch(n: int, xs: Sequence[Any], batched: Sequence[bool], num_classes: Any = None) -> Any:
    """The matrices of n arrays, as counts of the places of pairs."""
    *arrays, num_classes = xs if len(xs) == 4 else (*xs, num_classes)
    arrays = [x if has else broadcast_to(x, (n, *shape_of(x))) for x, has in zip(arrays, batched)]
    labels, predictions, weights = arrays
    classes, found = _data(num_classes), (_data(labels), _data(predictions))
    alike = shape_of(labels) == shape_of(predictions) == shape_of(weights)
    if classes is None or any(x is None for x in found) or not alike or any(batched[3:]):
        return NotImplemented
    if any(x.size and not 0 <= x.min() <= x.max() < classes for x in found):
        return NotImplemented  # one after the other, they say what is wrong
    n_classes = int(classes)
    pairs = reshape(labels * n_classes + predictions, (n, -1))
    counts = weighted_bincount(pairs, reshape(weights, (n, -1)), n_classes**2, n_classes**2, by_row=True)
    return reshape(counts, (n, n_classes, n_classes))


confusion_matrix = Op(
    "ConfusionMatrix",
    _confusion,
    batch=_confusion_batch,
    vjp=(
        None,
        None,
        lambda g, y, labels, predictions, weights, num_classes=None: reshape_like(
            take_rows(reshape(g, (-1,)), pair_positions(labels, predictions, g)), weights
        ),
        None,
    ),
    reads=("", "", "labels predictions", ""),
    linear=(2,),
    shape=_confusion_shape,
    dtype=lambda labels, predictions, weights, num_classes=None: dtype_of(weights),
    accepts=_INDEX,
)
"""``y[l, p]`` is the sum of the weights where the label is l and the prediction p."""


# --- Histograms ---------------------------------------------------------------------------------------------


def _histogram(values: Any, value_range: Any, nbins: Any, dtype: str = "int32", by_row: bool = False) -> Any:
    if by_row:
        return np.stack([_histogram(row, value_range, nbins, dtype) for row in values])
    end, nbins = " [Op:HistogramFixedWidth]", int(nbins)
    if value_range.shape != (2,):
        raise InvalidArgumentError.of(f"value_range should be a vector of 2 elements.{end}")
    low, high = value_range.tolist()
    if not low < high:
        raise InvalidArgumentError.of(
            f"value_range should satisfy value_range[0] < value_range[1], but got '[{low:g}, {high:g}]'{end}"
        )
    if nbins <= 0:
        raise InvalidArgumentError.of(f"nbins should be a positive number, but got '{nbins}'{end}")
    if np.isnan(values).any():
        raise InvalidArgumentError.of(f"Histogram values must not contain NaN{end}")
    step = (high - low) / nbins
    bins = np.floor((np.clip(values, low, high).astype(np.float64) - low) / step).astype(np.int64)
    return np.bincount(np.clip(bins, 0, nbins - 1).reshape(-1), minlength=nbins).astype(dtype)


histogram_fixed_width = Op(
    "HistogramFixedWidth",
    _histogram,
    batch=lambda n, xs, batched, dtype="int32", by_row=False: (
        NotImplemented if any(batched[1:]) or by_row else histogram_fixed_width(*xs, dtype=dtype, by_row=True)
    ),
    shape=lambda values, value_range, nbins, dtype="int32", by_row=False: (
        *(shape_of(values)[:1] if by_row else ()),
        None if _data(nbins) is None else int(_data(nbins)),
    ),
    dtype=lambda values, value_range, nbins, dtype="int32", by_row=False: np.dtype(dtype),
    accepts="int32 int64 float32 float64",
    same_dtype=False,
)
"""How many of the values are in each of nbins equal parts of a range; those outside are in the outermost.
``by_row``: of each row of the values."""


def _histogram_bins(values: Any, value_range: Any, nbins: Any, dtype: str = "int32") -> Any:
    low, high = value_range
    scaled = (values - low) / (high - low) * values.dtype.type(int(nbins))
    bins = np.clip(np.floor(scaled), 0, int(nbins) - 1)
    return np.where(np.isnan(bins), np.iinfo(dtype).min, bins).astype(dtype)


histogram_bins = Op(
    "HistogramFixedWidthBins",
    _histogram_bins,
    batch=lambda n, xs, batched, **params: (
        NotImplemented if any(batched[1:]) else histogram_bins(*xs, **params)
    ),
    shape=lambda values, value_range, nbins, dtype="int32": shape_of(values),
    dtype=lambda values, value_range, nbins, dtype="int32": np.dtype(dtype),
    accepts="float",
    same_dtype=False,
)
"""The number of the bin of each value; the least integer for NaN."""


# --- Distinct elements --------------------------------------------------------------------------------------


def _distinct(x: Any) -> Any:
    """First place of each distinct element; of each element the number of its kind; the size of each kind."""
    x = x.astype(np.float32) if x.dtype.num in NARROW else x
    _, first, kinds, counts = np.unique(x, True, True, True, equal_nan=False)
    order = np.argsort(first)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[kinds], counts[order]


def _unique(x: Any, out_idx: str = "int32") -> Any:
    if x.ndim != 1:
        raise InvalidArgumentError.of(
            f"unique expects a 1D vector. Received shape {in_brackets(x.shape)}. [Op:Unique]"
        )
    first, kinds, counts = _distinct(x)
    return x[first], kinds.astype(out_idx), counts.astype(out_idx)


def _unique_shapes(x: Any, out_idx: str = "int32") -> Any:
    known, shape = _data(x), shape_of(x)
    if shape is not None and len(shape) != 1:
        raise ValueError(f"unique expects a 1D vector. Received shape {in_brackets(shape)}.")
    n = None if known is None else len(_distinct(known)[0])
    return [(n,), (None if shape is None else shape[0],), (n,)]


unique_with_counts = Op(
    "UniqueWithCounts",
    _unique,
    multi=True,
    shape=_unique_shapes,
    dtype=lambda x, out_idx="int32": [dtype_of(x), np.dtype(out_idx), np.dtype(out_idx)],
)
"""The distinct elements in the order in which they come, the number of each element's kind, and counts."""

unique = Op(
    "Unique",
    lambda x, out_idx="int32": _unique(x, out_idx)[:2],
    multi=True,
    shape=lambda x, out_idx="int32": _unique_shapes(x)[:2],
    dtype=lambda x, out_idx="int32": [dtype_of(x), np.dtype(out_idx)],
)


def _list_diff(x: Any, y: Any, out_idx: str = "int32") -> Any:
    for name, value in ("x", x), ("y", y):
        if value.ndim != 1:
            raise InvalidArgumentError.of(f"{name} should be a 1D vector. [Op:ListDiff]")
    places = np.flatnonzero(~np.isin(x, y))
    return x[places], places.astype(out_idx)


def _list_diff_shapes(x: Any, y: Any, out_idx: str = "int32") -> Any:
    known = _data(x), _data(y)
    n = None if known[0] is None or known[1] is None else len(_list_diff(*known)[0])
    return [(n,), (n,)]


list_diff = Op(
    "ListDiff",
    _list_diff,
    multi=True,
    shape=_list_diff_shapes,
    dtype=lambda x, y, out_idx="int32": [dtype_of(x), np.dtype(out_idx)],
    same_dtype=True,
)
"""The elements of x that are not in y, and their places."""


# --- Targets among the largest ------------------------------------------------------------------------------


def _in_top_k(predictions: Any, targets: Any, k: Any) -> Any:
    end = " [Op:InTopKV2]"
    if predictions.ndim != 2:
        raise InvalidArgumentError.of(f"predictions must be 2-dimensional{end}")
    if targets.ndim != 1:
        raise InvalidArgumentError.of(f"targets must be 1-dimensional{end}")
    if len(predictions) != len(targets):
        raise InvalidArgumentError.of(
            f"First dimension of predictions {len(predictions)} must match length of targets "
            f"{len(targets)}{end}"
        )
    exists = (targets >= 0) & (targets < predictions.shape[1])
    columns = np.where(exists, targets, 0)[:, None]
    if not predictions.shape[1]:
        return np.zeros(len(targets), bool)
    own = np.take_along_axis(predictions, columns, 1)
    better = np.count_nonzero(predictions > own, 1)
    return exists & np.isfinite(own[:, 0]) & np.isfinite(predictions).all(1) & (better < int(k))


def _in_top_k_batch(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> Any:
    predictions, targets, k = xs
    if not batched[0] or batched[2]:
        return NotImplemented
    rows, classes = shape_of(predictions)[1:]
    targets = targets if batched[1] else broadcast_to(targets, (n, rows))
    found = in_top_k(reshape(predictions, (n * rows, classes)), reshape(targets, (-1,)), k)
    return reshape(found, (n, rows))


in_top_k = Op(
    "InTopKV2",
    _in_top_k,
    batch=_in_top_k_batch,
    shape=lambda predictions, targets, k: shape_of(targets),
    dtype=np.bool_,
    accepts="float32",
)
"""Whether fewer than k predictions are larger than that of the target; False where one is not finite."""
