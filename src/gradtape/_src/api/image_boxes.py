"""Boxes in images: crops that are resized, and the suppression of boxes that overlap with better ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.arrays import shape as shape_now
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.elementwise import floor
from gradtape._src.api.gathering import gather_nd
from gradtape._src.api.joining import stack
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_array, as_tensor
from gradtape._src.core.dtypes import float32, int32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of


def crop_and_resize(
    image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0, name=None
) -> Any:
    """Boxes cut out of images and brought to one size. Gradients flow to the images and the boxes.

    Args:
      image: of shape (batch, height, width, channels).
      boxes: of shape (boxes, 4): y1, x1, y2, x2 from 0 to 1, the first and the last row and column; y1 > y2 mirrors.
      box_indices: the image of each box.
      crop_size: height and width of the result.
      method: "bilinear" or "nearest".
      extrapolation_value: what is outside of the image.

    Returns:
      float32, of shape (boxes, crop height, crop width, channels).

    Raises:
      InvalidArgumentError: another method, or there is no such image.

    >>> import gradtape as tf
    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> print(tf.image.crop_and_resize(image, [[0.0, 0.0, 1.0, 0.5]], [0], [2, 2]).numpy()[0, :, :, 0])
    [[0. 1.]
     [6. 7.]]

    As TensorFlow 2.21.
    """
    if method not in ("bilinear", "nearest"):
        raise InvalidArgumentError.of(f"method must be 'bilinear' or 'nearest', received {method!r}.")
    images: Any = cast(as_tensor(image), float32)
    boxes, which = as_tensor(boxes, float32), as_tensor(box_indices, int32)
    if len(shape_of(images)) != 4 or len(shape_of(boxes)) != 2:
        raise ValueError(
            f"Expected images of rank 4 and boxes of rank 2, received shapes {shape_of(images)} and {shape_of(boxes)}."
        )
    height, width = (int(n) for n in np.asarray(as_array(crop_size)).reshape(-1))
    sizes: Any = shape_now(images)
    rows, row_inside = _places(boxes[:, 0], boxes[:, 2], height, sizes[1])
    columns, column_inside = _places(boxes[:, 1], boxes[:, 3], width, sizes[2])
    inside = row_inside[:, :, None] & column_inside[:, None, :]
    if method == "nearest":
        found = _pixels(
            image, which, cast(floor(rows + 0.5), int32), cast(floor(columns + 0.5), int32), sizes
        )
    else:
        top, left = floor(rows), floor(columns)
        down, right = (rows - top)[:, :, None, None], (columns - left)[:, None, :, None]
        corner = lambda i, j: _pixels(images, which, cast(top, int32) + i, cast(left, int32) + j, sizes)
        upper = corner(0, 0) * (1 - right) + corner(0, 1) * right
        lower = corner(1, 0) * (1 - right) + corner(1, 1) * right
        found = upper * (1 - down) + lower * down
    return where(inside[..., None], found, as_tensor(float(extrapolation_value), float32))


def _places(first: Any, last: Any, count: int, size: Any) -> tuple[Any, Any]:
    """For each box the places of ``count`` rows in the image, and whether they are in it."""
    end: Any = cast(size - 1, float32)
    if count > 1:
        step = (last - first) * end / float(count - 1)
        places: Any = first[:, None] * end + cast(range_of(count), float32) * step[:, None]
    else:
        places = (first + last)[:, None] * end * 0.5
    inside = (places >= 0.0) & (places <= end)
    return where(inside, places, places * 0.0), inside


def _pixels(image: Any, which: Any, rows: Any, columns: Any, sizes: Any) -> Any:
    y: Any = clip_by_value(rows, 0, sizes[1] - 1)
    x: Any = clip_by_value(columns, 0, sizes[2] - 1)
    y, x = y[:, :, None], x[:, None, :]
    whole = y * 0 + x * 0
    return gather_nd(image, stack([whole + which[:, None, None], whole + y, whole + x], -1))


# --- Suppression ---------------------------------------------------------------------------------------------


def _overlaps(box: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Intersection over union of a box with others; corners may be given in any order."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    first, last = np.minimum(box[:2], box[2:]), np.maximum(box[:2], box[2:])
    common = np.prod(np.maximum(np.minimum(high, last) - np.maximum(low, first), 0), axis=1)
    areas, area = np.prod(high - low, axis=1), np.prod(last - first)
    union = areas + area - common
    return np.where(
        (areas <= 0) | (area <= 0), 0, np.divide(common, union, out=np.zeros_like(union), where=union > 0)
    )


def _chosen(
    boxes: np.ndarray, scores: np.ndarray, *, most: int, threshold: float, least: float, sigma: float
) -> tuple[np.ndarray, np.ndarray]:
    """The best boxes, none of which overlaps with a better one, and their scores.

    With ``sigma``, N. Bodla et al., Soft-NMS, 2017: overlaps lower the scores by exp(-iou² / (2 sigma)).
    """
    if boxes.ndim != 2 or boxes.shape[1] != 4 or scores.shape != boxes.shape[:1]:
        raise InvalidArgumentError.of(
            f"boxes must be of shape [n, 4] and scores of shape [n], received {list(boxes.shape)} and "
            f"{list(scores.shape)}"
        )
    wide, left = boxes.astype(np.float64), scores.astype(np.float64)
    open_ = left > least
    kept: list[int] = []
    while open_.any() and len(kept) < most:
        best = int(np.argmax(np.where(open_, left, -np.inf)))
        kept.append(best)
        open_[best] = False
        overlap = _overlaps(wide[best], wide)
        if sigma > 0:
            left = np.where(open_, left * np.exp(-(overlap**2) / (2 * sigma)), left)
            open_ &= left > least
        open_ &= overlap <= threshold
    return np.array(kept, np.int32), left[kept].astype(scores.dtype)


_suppression = Op(
    "NonMaxSuppressionV5",
    _chosen,
    multi=True,
    shape=lambda boxes, scores, **params: [(None,), (None,)],
    dtype=lambda boxes, scores, **params: [np.dtype(np.int32), dtype_of(scores)],
    accepts="float",
)


def _suppressed(boxes: Any, scores: Any, most: Any, threshold: Any, least: Any, sigma: Any, name: Any) -> Any:
    threshold = float(as_array(threshold))
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError.of(f"iou_threshold must be in [0, 1], received {threshold}")
    boxes = as_tensor(boxes)
    return _suppression.of(
        boxes,
        as_tensor(scores, boxes.dtype),
        most=int(as_array(most)),
        threshold=threshold,
        least=float(as_array(least)),
        sigma=float(as_array(sigma)),
        name=name,
    )


def non_max_suppression(
    boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None
) -> Any:
    """The numbers of the best boxes, without those that overlap with a better one.

    Args:
      boxes: of shape (n, 4): two opposite corners, y1, x1, y2, x2.
      scores: of shape (n,).
      max_output_size: how many to give at most.
      iou_threshold: boxes overlap if their intersection over union is more.
      score_threshold: boxes with no more are left out.

    Returns:
      int32, the best first.

    >>> import gradtape as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]]
    >>> print(tf.image.non_max_suppression(boxes, [0.5, 0.9, 0.7], 3).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    return _suppressed(boxes, scores, max_output_size, iou_threshold, score_threshold, 0.0, name)[0]


def non_max_suppression_with_scores(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    soft_nms_sigma=0.0,
    name=None,
) -> Any:
    """As `tf.image.non_max_suppression`, with the scores; with ``soft_nms_sigma`` overlaps lower scores."""
    return _suppressed(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, name)
