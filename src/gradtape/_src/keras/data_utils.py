"""Helpers for data: labels as one-hot rows, padded sequences, batches that a program computes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape._src.core.values import Tensor


def to_categorical(y, num_classes=None, dtype=None):
    """Class numbers as one-hot rows.

    Args:
      y: integers from 0 on; a last axis of length 1 is taken away.
      num_classes: the length of the rows; by default one more than the largest number.
      dtype: of the result, float64 by default as in Keras 3.

    Returns:
      An array with one axis more than y.

    >>> import gradtape as tf
    >>> tf.keras.utils.to_categorical([0, 2], 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    y = np.asarray(y, dtype="int64")
    shape = y.shape[:-1] if len(y.shape) > 1 and y.shape[-1] == 1 else y.shape
    y = y.reshape(-1)
    classes = num_classes or int(y.max()) + 1
    out = np.zeros((y.size, classes), dtype or np.float64)
    out[np.arange(y.size), y] = 1
    return out.reshape(*shape, classes)


def normalize(x, axis=-1, order=2):
    """An array with the norm 1 along an axis.

    >>> import gradtape as tf
    >>> tf.keras.utils.normalize(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """
    x = np.asarray(x)
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0):
    """Lists of different lengths as one array.

    Args:
      sequences: lists of numbers, or of vectors of one length.
      maxlen: the length of the rows; by default that of the longest list.
      dtype: of the array.
      padding, truncating: ``"pre"`` or ``"post"``: where values are added, and where lists are cut.
      value: what is added.

    Raises:
      ValueError: a sequence that has no length, or elements of another shape.

    >>> import gradtape as tf
    >>> tf.keras.utils.pad_sequences([[1, 2, 3], [4]], maxlen=2)
    array([[2, 3],
           [0, 4]], dtype=int32)
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for word, given in (("padding", padding), ("truncating", truncating)):
        if given not in ("pre", "post"):
            raise ValueError(f'{word.capitalize()} type "{given}" not understood')
    rows = []
    for s in sequences:
        if not hasattr(s, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {s}")
        rows.append(np.asarray(s, dtype))
    longest = max((len(row) for row in rows), default=0) if maxlen is None else maxlen
    inner = next((row.shape[1:] for row in rows if len(row)), ())
    out = np.full((len(rows), longest, *inner), value, dtype)
    for i, row in enumerate(rows):
        if not len(row):
            continue
        if row.shape[1:] != inner:
            raise ValueError(
                f"Shape of sample {row.shape[1:]} of sequence at position {i} is different from expected shape {inner}"
            )
        row = row[max(len(row) - longest, 0) :] if truncating == "pre" else row[:longest]
        if padding == "post":
            out[i, : len(row)] = row
        else:
            out[i, longest - len(row) :] = row
    return out


def pack_x_y_sample_weight(x, y=None, sample_weight=None):
    """What a step of training takes: x, ``(x, y)`` or ``(x, y, sample_weight)``."""
    if y is None:
        return (x,) if isinstance(x, (tuple, list)) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def unpack_x_y_sample_weight(data):
    """x, y and the weights of what a step of training takes, with None for what is not there.

    Raises:
      ValueError: more than three parts.

    >>> import gradtape as tf
    >>> tf.keras.utils.unpack_x_y_sample_weight((1, 2))
    (1, 2, None)
    """
    data = tuple(data) if isinstance(data, list) else data
    if not isinstance(data, tuple):
        return data, None, None
    if len(data) > 3:
        raise ValueError(
            "Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found: "
            f"{data}"
        )
    return (*data, None, None)[:3]


class PyDataset:
    """Batches that a program computes: a subclass defines ``__getitem__(self, index)`` and ``__len__(self)``.

    Args:
      workers, use_multiprocessing, max_queue_size: without effect: batches are computed as they are needed.

    >>> import gradtape as tf
    >>> class Squares(tf.keras.utils.Sequence):
    ...     def __len__(self):
    ...         return 2
    ...     def __getitem__(self, index):
    ...         return np.array([index**2])
    >>> [batch.tolist() for batch in Squares()]
    [[0], [1]]
    """

    def __init__(self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10) -> None:
        self.workers, self.use_multiprocessing, self.max_queue_size = (
            workers,
            use_multiprocessing,
            max_queue_size,
        )

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__(self, index).")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__(self).")

    @property
    def num_batches(self) -> int | None:
        """How many batches there are; None if nobody knows."""
        try:
            return len(self)
        except NotImplementedError:
            return None

    def on_epoch_begin(self) -> None:
        """Is called before an epoch."""

    def on_epoch_end(self) -> None:
        """Is called after an epoch."""

    def __iter__(self) -> Any:
        for i in range(len(self)):
            yield self[i]


def split_dataset(dataset, left_size=None, right_size=None, shuffle=False, seed=None):
    """The samples of arrays in two parts, as lists of samples' arrays.

    Args:
      dataset: an array or a tensor, or a tuple or list of such of one length.
      left_size, right_size: numbers of samples, or parts of them; one may be left out.
      shuffle, seed: whether and how the order changes first.

    Returns:
      Two structures like ``dataset``, of arrays.

    Raises:
      ValueError: neither size is given, or they do not fit.

    >>> import gradtape as tf
    >>> left, right = tf.keras.utils.split_dataset(np.arange(4), left_size=0.25)
    >>> left.tolist(), right.tolist()
    ([0], [1, 2, 3])
    """
    several = isinstance(dataset, (tuple, list))
    arrays = [np.asarray(x) for x in (dataset if several else [dataset])]
    n = len(arrays[0])
    if left_size is None and right_size is None:
        raise ValueError("At least one of the `left_size` or `right_size` must be specified.")
    sizes: list[Any] = [
        math.floor(s * n + 0.5) if isinstance(s, float) else s for s in (left_size, right_size)
    ]
    left = n - sizes[1] if sizes[0] is None else sizes[0]
    right = n - left if sizes[1] is None else sizes[1]
    if left < 0 or right < 0 or left + right > n:
        raise ValueError(
            f"{n} samples cannot be split into left_size={left_size} and right_size={right_size}."
        )
    order = np.random.RandomState(seed).permutation(n) if shuffle else np.arange(n)
    parts = [[x[order[:left]] for x in arrays], [x[order[left : left + right]] for x in arrays]]
    return tuple(type(dataset)(part) if several else part[0] for part in parts)


def img_to_array(img, data_format=None, dtype=None):
    """An image, or an array of rank 2 or 3, as an array of shape (height, width, channels) of float32.

    Raises:
      ValueError: another rank.

    >>> import gradtape as tf
    >>> tf.keras.utils.img_to_array(np.zeros((2, 3))).shape
    (2, 3, 1)
    """
    x = np.asarray(img.numpy() if isinstance(img, Tensor) else img, dtype or "float32")
    if x.ndim not in (2, 3):
        raise ValueError(f"Unsupported image shape: {x.shape}")
    first = data_format == "channels_first"
    if x.ndim == 2:
        return x[None] if first else x[..., None]
    return x.transpose(2, 0, 1) if first else x
