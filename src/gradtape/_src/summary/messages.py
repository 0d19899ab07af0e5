"""The messages of event files: protocol buffers, with the definitions that tensorboardX brings.

Numbers, pictures and texts become values of a `Summary` here, in the form of TensorFlow 1 (`simple_value`, `histo`,
`image`) and in that of TensorFlow 2 (a tensor, and the name of the plug-in of TensorBoard that shows it).
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.graph.tensor_messages import message_of
from gradtape._src.summary.png import encode_png


@cache
def protos() -> Any:
    """The classes of messages."""
    # start-up cost: protocol buffers are needed by programs that write summaries only
    from tensorboardX.proto import event_pb2, summary_pb2

    event: Any = event_pb2  # made when they are imported: type checkers see nothing in them
    summary: Any = summary_pb2
    return SimpleNamespace(
        Event=event.Event,
        HistogramProto=summary.HistogramProto,
        Summary=summary.Summary,
        SummaryMetadata=summary.SummaryMetadata,
        TaggedRunMetadata=event.TaggedRunMetadata,
    )


def metadata(plugin: str, description: str | None = None) -> Any:
    """What says which plug-in of TensorBoard shows a tensor."""
    kinds = protos().SummaryMetadata
    made = kinds(plugin_data=kinds.PluginData(plugin_name=plugin), summary_description=description or "")
    # TensorBoard needs to know whether to thin out values: 1 is a scalar, 2 a tensor, 3 a sequence of blobs.
    if "data_class" in kinds.DESCRIPTOR.fields_by_name:
        made.data_class = 1 if plugin == "scalars" else 3 if plugin == "images" else 2
    return made


def tensor_value(tag: str, array: Any, about: Any) -> Any:
    """A value that is a tensor, for a plug-in."""
    return protos().Summary.Value(tag=tag, tensor=message_of(array), metadata=about)


# --- Histograms ---------------------------------------------------------------------------------------------


@cache
def _limits() -> np.ndarray:
    """The upper ends of the buckets of TensorFlow 1: powers of 1.1 from 1e-12 to 1e20, and their negatives."""
    positive = []
    v = 1e-12
    while v < 1e20:
        positive.append(v)
        v *= 1.1
    positive.append(np.finfo(np.float64).max)
    return np.array([*(-x for x in reversed(positive)), 0.0, *positive])


def histogram_proto(array: Any) -> Any:
    """The histogram of TensorFlow 1: counts in buckets that grow by a tenth; runs of empty buckets are one.

    Raises:
      InvalidArgumentError: a value is not finite.
    """
    values = np.asarray(array, np.float64).reshape(-1)
    if not np.isfinite(values).all():
        kind = "Nan" if np.isnan(values).any() else "Infinity"
        raise InvalidArgumentError.of(f"{kind} in summary histogram")
    made = protos().HistogramProto(num=values.size, sum=values.sum(), sum_squares=(values**2).sum())
    limits = _limits()
    made.min, made.max = (values.min(), values.max()) if values.size else (limits[-1], -limits[-1])
    counts = np.bincount(np.searchsorted(limits, values, side="right"), minlength=len(limits))
    ends_run = (counts > 0) | np.append(counts[1:] > 0, True)
    made.bucket_limit.extend(limits[ends_run])
    made.bucket.extend(counts[ends_run])
    return made


def histogram_buckets(array: Any, buckets: int = 30) -> np.ndarray:
    """The histogram of TensorFlow 2: rows of left edge, right edge, and count; equal widths from least to greatest."""
    values = np.asarray(array, np.float64).reshape(-1)
    if not values.size or not buckets:
        return np.zeros((buckets, 3))
    low, high = values.min(), values.max()
    if low == high:
        counts = np.zeros(buckets)
        counts[-1] = values.size
        return np.stack([np.full(buckets, low), np.full(buckets, low), counts], axis=1)
    counts, _ = np.histogram(values, buckets, (low, high))
    edges = np.linspace(low, high, buckets + 1)
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


# --- Pictures -----------------------------------------------------------------------------------------------


def image_values(tag: str, images: np.ndarray, max_outputs: int, bad_color: Any = None) -> list[Any]:
    """The values of pictures in TensorFlow 1's form: floating point is stretched so that each uses all of 0 to 255.

    Pixels that are not finite get ``bad_color``, red by default.
    """
    kinds = protos().Summary
    found = []
    for i, image in enumerate(images[:max_outputs]):
        data = _stretched(np.asarray(image), bad_color) if image.dtype != np.uint8 else np.asarray(image)
        height, width, channels = data.shape
        where = f"{tag}/image" if max_outputs == 1 else f"{tag}/image/{i}"
        shown = kinds.Image(
            height=height, width=width, colorspace=channels, encoded_image_string=encode_png(data)
        )
        found.append(kinds.Value(tag=where, image=shown))
    return found


def _stretched(image: np.ndarray, bad_color: Any) -> np.ndarray:
    image = np.asarray(image, np.float32)
    bad: Any = ~np.isfinite(image).all(axis=-1)
    good = image[~bad]
    low, high = (good.min(), good.max()) if good.size else (0.0, 0.0)
    if low < 0:
        top = max(abs(low), abs(high))
        scale, offset = (0.0 if top < 1e-6 else 127.0 / top), 128.0
    else:
        scale, offset = (0.0 if high < 1e-6 else 255.0 / high), 0.0
    with np.errstate(invalid="ignore"):
        out = np.where(bad[..., None], 0, image * np.float32(scale) + np.float32(offset)).astype(np.uint8)
    if bad.any():
        color = np.array([255, 0, 0, 255] if bad_color is None else np.asarray(bad_color), np.uint8)
        out[bad] = np.resize(color, image.shape[-1])
    return out


def as_bytes(images: np.ndarray) -> np.ndarray:
    """Pictures as bytes: floating point from 0 to 1 becomes 0 to 255."""
    if images.dtype == np.uint8:
        return images
    if images.dtype.kind in "iu":
        return np.clip(images, 0, 255).astype(np.uint8)
    return np.clip(np.nan_to_num(np.asarray(images, np.float32)) * np.float32(255.5), 0, 255).astype(np.uint8)


def encoded_images(images: np.ndarray) -> np.ndarray:
    """Pictures as TensorFlow 2's plug-in takes them: width, height, and the files."""
    _, height, width, _ = images.shape
    made = [str(width).encode(), str(height).encode(), *map(encode_png, as_bytes(images))]
    out = np.empty(len(made), object)
    out[:] = made
    return out
