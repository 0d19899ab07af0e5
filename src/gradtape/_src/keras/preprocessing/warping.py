"""Images seen through an affine map of the plane: pixels read at places between pixels, and beyond the border."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import floormod, maximum, minimum
from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.elementwise import floor
from gradtape._src.api.gathering import gather
from gradtape._src.api.selection import where
from gradtape._src.core.dtypes import float32, int32
from gradtape._src.core.values import shape_of

FILL_MODES = ("reflect", "constant", "wrap", "nearest")
INTERPOLATIONS = ("nearest", "bilinear")


def size_of(x: Any, axis: int) -> Any:
    """The size along an axis: a number if it is known."""
    known = shape_of(x)[axis]
    return shape_of_tensor(x)[axis] if known is None else known


def affine_transform(images: Any, transform: Any, interpolation: str, fill_mode: str, fill_value: Any) -> Any:
    """Images whose pixel (x, y) is that of the given ones at (a0 x + a1 y + a2, b0 x + b1 y + b2).

    Args:
      images: of shape (batch, height, width, channels), floating-point.
      transform: of shape (batch, 6): a0, a1, a2, b0, b1, b2.
      interpolation: of `INTERPOLATIONS`, between pixels.
      fill_mode: of `FILL_MODES`, beyond the border: "reflect" (d c b a | a b c d | d c b a), "wrap"
        (a b c d | a b c d | a b c d), "nearest" (a a a a | a b c d | d d d d), "constant".
      fill_value: beyond the border, for "constant".

    As the operation ``ImageProjectiveTransformV3`` of TensorFlow 2.21.
    """
    batch, height, width = (size_of(images, axis) for axis in (0, 1, 2))
    x: Any = cast(range_of(width), float32)
    y: Any = cast(range_of(height), float32)
    x, y = x[None, None, :], y[None, :, None]
    a0, a1, a2, b0, b1, b2 = (transform[:, i, None, None] for i in range(6))
    columns = _within(a0 * x + a1 * y + a2, width, fill_mode)
    rows = _within(b0 * x + b1 * y + b2, height, fill_mode)
    pixels = _Pixels(images, batch, height, width, fill_mode, fill_value)
    if interpolation == "nearest":
        return pixels.at(_rounded(rows), _rounded(columns))
    top, left = floor(rows), floor(columns)
    below, right = (expand_dims(cast(x, images.dtype), -1) for x in (rows - top, columns - left))
    upper = pixels.at(top, left) * (1 - right) + pixels.at(top, left + 1) * right
    lower = pixels.at(top + 1, left) * (1 - right) + pixels.at(top + 1, left + 1) * right
    return upper * (1 - below) + lower * below


def _rounded(x: Any) -> Any:
    """To the nearest integer, halves away from 0."""
    return where(x < 0, -floor(0.5 - x), floor(x + 0.5))


def _within(x: Any, size: Any, fill_mode: str) -> Any:
    """Coordinates beyond the border brought into the image, but for the mode "constant"."""
    n: Any = cast(size, float32) if hasattr(size, "dtype") else float(size)
    last = n - 1
    if fill_mode == "reflect":
        inside = floormod(x, 2 * n)
        inside = where(inside >= n, 2 * n - 1 - inside, inside)
        # Between the border and half a pixel behind it the border itself is seen.
        x = where((x < 0) | (x > last), inside, x)
    elif fill_mode == "wrap":
        # As the operation does: whole steps of n - 1 are counted, and as many of n taken away.
        steps = maximum(last, 1.0)
        x = where(x < 0, x + n * (floor(-x / steps) + 1), where(x > last, x - n * floor(x / steps), x))
    return x if fill_mode == "constant" else minimum(maximum(x, 0.0), last)


class _Pixels:
    """The pixels of images, to be read at arrays of rows and columns."""

    def __init__(
        self, images: Any, batch: Any, height: Any, width: Any, fill_mode: str, fill_value: Any
    ) -> None:
        self.flat = reshape(images, [batch * height * width, size_of(images, 3)])
        self.first = (range_of(batch) * (height * width))[:, None, None]
        self.height, self.width, self.fill_mode, self.fill_value = height, width, fill_mode, fill_value

    def at(self, rows: Any, columns: Any) -> Any:
        """The pixels there; beyond the border the fill value."""
        row, column = cast(rows, int32), cast(columns, int32)
        inside_row = minimum(maximum(row, 0), self.height - 1)
        inside_column = minimum(maximum(column, 0), self.width - 1)
        found = gather(self.flat, self.first + inside_row * self.width + inside_column)
        if self.fill_mode != "constant":
            return found
        inside = (row == inside_row) & (column == inside_column)
        return where(expand_dims(inside, -1), found, cast(self.fill_value, found.dtype))
