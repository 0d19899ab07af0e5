"""Sliding windows over channels-last arrays: where they lie, how to pad for them, how to lay them side by side.

The arrays are (batch, *space, channels), with any number of spatial dimensions. What slides over them
(convolution, pooling, morphology) says so with ``strides``, ``padding`` (SAME, VALID, or a pair of numbers
for each spatial dimension) and ``dilations``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import Shape
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.ops.arithmetic import constant
from gradtape._src.ops.reordering import merge_first, split_first

Padding = str | tuple[tuple[int, int], ...]


class Windows(NamedTuple):
    """Where the windows lie along each spatial dimension."""

    size: tuple[int, ...]  # of the array
    window: tuple[int, ...]
    out: tuple[int, ...]  # how many windows there are
    pads: tuple[tuple[int, int], ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]

    @property
    def padded(self) -> tuple[int, ...]:
        return tuple([n + before + after for n, (before, after) in zip(self.size, self.pads)])

    @property
    def apart(self) -> bool:
        """Whether no two windows overlap."""
        return all(s > (k - 1) * d for s, k, d in zip(self.strides, self.window, self.dilations))

    @property
    def tiles(self) -> bool:
        """Whether every element of the padded array is in exactly one window."""
        covered = tuple([n * s for n, s in zip(self.out, self.strides)])
        return self.strides == self.window and max(self.dilations) == 1 and covered == self.padded

    def slices(self) -> Iterator[tuple[slice, ...]]:
        """For each element of a window, in row-major order, where the windows have it in the padded array."""
        for offset in np.ndindex(self.window):
            yield tuple(
                [
                    slice(o * d, o * d + (n - 1) * s + 1, s) if n else slice(0, 0)
                    for o, n, s, d in zip(offset, self.out, self.strides, self.dilations)
                ]
            )

    def interior(self) -> tuple[slice, ...]:
        """Where the array lies in the padded array."""
        return tuple([slice(before, before + n) for n, (before, _) in zip(self.size, self.pads)])


@lru_cache(1024)
def windows(
    size: tuple[int, ...],
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: Padding,
    dilations: tuple[int, ...],
) -> Windows:
    """Where windows lie in an array of this size; ValueError if there is no room for them."""
    found = [
        _along(n, k, s, padding if isinstance(padding, str) else padding[i], d)
        for i, (n, k, s, d) in enumerate(zip(size, window, strides, dilations, strict=True))
    ]
    return Windows(
        size, window, tuple(n for n, _ in found), tuple(pads for _, pads in found), strides, dilations
    )


def _along(n: int, k: int, stride: int, padding: Any, dilation: int) -> tuple[int, Any]:
    extent = (k - 1) * dilation + 1
    if padding == "SAME":
        out = -(-n // stride)
        missing = max((out - 1) * stride + extent - n, 0)
        return out, (missing // 2, missing - missing // 2)
    before, after = (0, 0) if padding == "VALID" else padding
    rest = n + before + after - extent + stride
    out = rest // stride if rest >= 0 else -(-rest // stride)
    if out < 0:
        raise ValueError(
            f"Computed output size would be negative: {out} [input_size: {n + before + after}, "  # type: ignore[operator]
            f"effective_filter_size: {extent}, stride: {stride}]"
        )
    return out, (before, after)


def window_counts(
    size: Sequence[int | None], window: Sequence[int | None], strides: Any, padding: Padding, dilations: Any
) -> tuple[int | None, ...]:
    """How many windows there are along each dimension, as far as that is known: for shape rules."""
    counts: list[int | None] = []
    for i, (n, k, s, d) in enumerate(zip(size, window, strides, dilations)):
        pad = padding if isinstance(padding, str) else padding[i]
        known = n is not None and (k is not None or pad == "SAME")
        counts.append(_along(n, k or 1, s, pad, d)[0] if known else None)  # type: ignore[arg-type]
    return tuple(counts)


def refuse(op: str, error: ValueError) -> InvalidArgumentError:
    """The error of an operation that is executed, in a shape rule's words."""
    return InvalidArgumentError.of(f"{error} [Op:{op}]")


# --- Padding ------------------------------------------------------------------------------------------------


def pad(x: Any, w: Windows, fill: Any = 0) -> Any:
    """The array with its margins; itself if it needs none."""
    if not any(map(any, w.pads)):
        return x
    out = np.empty((x.shape[0], *w.padded, x.shape[-1]), x.dtype)
    if len(w.pads) == 2:  # margins only: filling everything first costs a pass
        (top, bottom), (left, right) = w.pads
        _, height, width, _ = out.shape
        out[:, :top] = fill
        out[:, height - bottom :] = fill
        out[:, top : height - bottom, :left] = fill
        out[:, top : height - bottom, width - right :] = fill
    else:
        out[...] = fill
    out[(slice(None), *w.interior())] = x
    return out


def cut(padded: Any, w: Windows, lead: int = 1) -> Any:
    """The array without its margins, behind ``lead`` axes."""
    if not any(map(any, w.pads)):
        return padded
    return padded[(*[slice(None)] * lead, *w.interior())]


# --- Windows side by side -----------------------------------------------------------------------------------


def view(padded: Any, w: Windows) -> Any:
    """All windows without copying: (batch, *out, *window, *channels)."""
    rank = len(w.size)
    batch, space, last = padded.strides[0], padded.strides[1 : rank + 1], padded.strides[rank + 1 :]
    steps = [a * s for a, s in zip(space, w.strides)]
    inner = [a * d for a, d in zip(space, w.dilations)]
    shape = (padded.shape[0], *w.out, *w.window, *padded.shape[rank + 1 :])
    return np.lib.stride_tricks.as_strided(padded, shape, (batch, *steps, *inner, *last), writeable=False)


def counts(w: Windows, dtype: Any) -> Any:
    """How many elements of each window lie in the array itself: a number, or an array (*out, 1)."""
    if not any(map(any, w.pads)):
        return constant(float(np.prod(w.window)), dtype)
    total: Any = 1
    for n, k, out, (before, _), s, d in zip(*w):
        starts = np.arange(out)[:, None] * s - before + np.arange(k) * d
        inside = ((starts >= 0) & (starts < n)).sum(1)
        total = np.multiply.outer(total, inside)
    return total.astype(dtype)[..., None]


# --- Batches ------------------------------------------------------------------------------------------------


def folded(op: Any, n: int, x: Any, *others: Any, **params: Any) -> Any:
    """n applications of an operation that has a batch axis of its own."""
    size = shape_of(x)[1]
    if size is None:
        return NotImplemented
    return split_first(op(merge_first(x), *others, **params), n, size)


def one_like(like: Any, batched: bool) -> Any:
    """A stand-in for one of the arrays of a batch of them: for the shape that a rule needs to know."""
    shape: Shape = shape_of(like)
    if not batched:
        return like
    return Ghost(shape[1:], dtype_of(like))  # type: ignore[index, arg-type]
