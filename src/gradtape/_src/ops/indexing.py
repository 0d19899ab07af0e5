"""``tf.slice``, and assignment to slices. ``x[key]`` is in ``indexed_slices.py``, beside the type of its
cotangent."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import like_with_axis, static, with_axis, zeros_array
from gradtape._src.ops.keys import check, index_of


def _box(shape: tuple[int, ...], begin: Any, size: Any) -> tuple[slice, ...]:
    """NumPy's index of the box, which lies inside the shape; -1 as a size stands for all the rest."""
    begin, size = np.asarray(begin), np.asarray(size)
    if begin.shape != (len(shape),) or size.shape != (len(shape),):
        raise InvalidArgumentError.of(
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got shapes "
            f"{in_brackets(begin.shape)} and {in_brackets(size.shape)} instead. [Op:Slice]"
        )
    box = []
    for i, (n, b, s) in enumerate(zip(shape, begin.tolist(), size.tolist(), strict=True)):
        if not 0 <= b <= n:
            raise InvalidArgumentError.of(f"Expected begin[{i}] in [0, {n}], but got {b} [Op:Slice]")
        if not (s == -1 or 0 <= s <= n - b):
            raise InvalidArgumentError.of(f"Expected size[{i}] in [0, {n - b}], but got {s} [Op:Slice]")
        box.append(slice(b, n if s == -1 else b + s))
    return tuple(box)


def _slice_grad(g: Any, like: Any, begin: Any, size: Any) -> Any:
    out = zeros_array(like.shape, g.dtype)
    out[_box(out.shape, begin, size)] = g
    return out


def _box_shape(x: Any, begin: Any, size: Any) -> Any:
    known = [shape_of(x), static(begin), static(size)]
    rank = next((len(one) for one in known if one is not None), None)
    if rank is None:
        return None
    shape, begin, size = [(None,) * rank if one is None else one for one in known]
    return tuple([
        s if s != -1 else None if n is None or b is None else n - b for n, b, s in zip(shape, begin, size,
        strict=True)
    ])  # fmt: skip


def _slice_batch(n: int, xs: Any, batched: Any) -> Any:
    x, begin, size = xs
    if type(begin) is not tuple or type(size) is not tuple:
        return NotImplemented
    return slice_(x, (0, *begin), (-1, *size))


def _slice_grad_batch(n: int, xs: Any, batched: Any) -> Any:
    g, like, begin, size = xs
    if type(begin) is not tuple or type(size) is not tuple:
        return NotImplemented
    (g,) = with_axis(n, [g], batched[:1])
    return slice_grad(g, like_with_axis(n, like, batched[1]), (0, *begin), (-1, *size))


slice_ = Op(
    "Slice",
    lambda x, begin, size: x[_box(x.shape, begin, size)],
    vjp=(lambda g, y, x, begin, size: slice_grad(g, x, begin, size), None, None),
    reads="begin size",
    linear=(0,),
    batch=_slice_batch,
    shape=_box_shape,
    holomorphic=False,
)
"""The box of x that starts at ``begin`` and is ``size`` large: tuples of ints, or integer tensors."""

slice_grad = Op(
    "SliceGrad",
    _slice_grad,
    vjp=(lambda h, y, g, like, begin, size: slice_(h, begin, size), None, None, None),
    reads="begin size",
    linear=(0,),
    batch=_slice_grad_batch,
    shape=lambda g, like, begin, size: shape_of(like),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with g in the box."""


def assigned(array: np.ndarray, key: tuple[Any, ...], value: Any) -> np.ndarray:
    """A copy of an array, with the value at ``[key]``; the value broadcasts to what it replaces."""
    check(key, array.shape, InvalidArgumentError.of)
    out = array.copy()
    index = index_of(key)
    missing = np.ndim(value) - array[index].ndim
    if missing > 0 and value.shape[:missing] == (1,) * missing:
        value = value.reshape(value.shape[missing:])
    try:
        out[index] = value
    except ValueError:
        raise InvalidArgumentError.of(
            f"Cannot broadcast input shape {in_brackets(np.shape(value))} into final shape "
            f"{in_brackets(array[index].shape)} [Op:ResourceStridedSliceAssign]"
        ) from None
    return out
