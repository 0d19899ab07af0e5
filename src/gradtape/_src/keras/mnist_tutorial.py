"""TensorFlow 1's ``tensorflow.examples.tutorials.mnist.input_data``: handwritten digits in batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.dtypes import as_dtype
from gradtape._src.keras.datasets import load_mnist, read_idx
from gradtape._src.keras.local_files import folders, toy_data

_SOURCE = "https://storage.googleapis.com/cvdf-datasets/mnist/"


class DataSet:
    """Images and labels, and batches of them.

    Args:
      images: of shape (n, 28, 28, 1), uint8.
      labels: the classes, or one-hot.
      fake_data, one_hot: whether ``next_batch`` gives images of ones, with such labels.
      dtype: ``tf.float32``: from 0 to 1; ``tf.uint8``: as they are.
      reshape: whether images are vectors of 784.
      seed: of the order.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = "float32",
        reshape: bool = True,
        seed: Any = None,
    ) -> None:
        dtype = as_dtype(dtype)
        if dtype.name not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        if fake_data:
            images, labels = np.ones((10000, 28, 28, 1), np.uint8) * 255, np.zeros(10000, np.uint8)
            labels = dense_to_one_hot(labels, 10) if one_hot else labels
        if len(images) != len(labels):
            raise ValueError(f"images.shape: {images.shape} labels.shape: {labels.shape}")
        if reshape:
            images = images.reshape(len(images), -1)
        if dtype.name == "float32":
            images = images.astype(np.float32) * np.float32(1 / 255)
        self._images, self._labels = images, labels
        self._rng = np.random.RandomState(seed) if seed is not None else np.random
        self._epochs_completed = self._at = 0

    @property
    def images(self) -> np.ndarray:
        """The images, in the order of this epoch."""
        return self._images

    @property
    def labels(self) -> np.ndarray:
        """The labels, in the order of this epoch."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many images there are."""
        return len(self._images)

    @property
    def epochs_completed(self) -> int:
        """How often all images were given."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """The next images and labels. Where an epoch ends in the batch, the rest comes from the next one."""
        start, n = self._at, self.num_examples
        if start == 0 and self._epochs_completed == 0 and shuffle:
            self._reorder()
        if start + batch_size <= n:
            self._at = start + batch_size
            return self._images[start : self._at], self._labels[start : self._at]
        self._epochs_completed += 1
        rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._reorder()
        self._at = batch_size - len(rest[0])
        new = self._images[: self._at], self._labels[: self._at]
        return np.concatenate([rest[0], new[0]]), np.concatenate([rest[1], new[1]])

    def _reorder(self) -> None:
        order = np.arange(self.num_examples)
        self._rng.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


class Datasets(NamedTuple):
    """The three parts of a data set."""

    train: DataSet
    validation: DataSet
    test: DataSet


def dense_to_one_hot(labels_dense: Any, num_classes: int) -> np.ndarray:
    """Classes as one-hot rows."""
    return np.eye(num_classes)[np.asarray(labels_dense)]


def read_data_sets(
    train_dir,
    fake_data=False,
    one_hot=False,
    dtype="float32",
    reshape=True,
    validation_size=5000,
    seed=None,
    source_url=_SOURCE,
):
    """The handwritten digits of MNIST in three parts: training, validation and test.

    Args:
      train_dir: the folder with the four files; else they, or Keras's mnist.npz, are looked for where
        `tf.keras.utils.get_file` looks.
      fake_data: whether images are ones.
      one_hot: whether labels are one-hot.
      dtype, reshape: of the images; see `DataSet`.
      validation_size: how many of the training images are for validation.
      seed: of the order.
      source_url: without effect: nothing is downloaded.

    Raises:
      ValueError: a validation size that is not between 0 and the number of images.
      FileNotFoundError: there is no local copy.
    """
    how = {"one_hot": one_hot, "dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:
        empty = np.zeros((0,)), np.zeros((0,))
        return Datasets(*(DataSet(*empty, fake_data=True, **how) for _ in range(3)))
    (x, y), test = _digits(Path(train_dir))
    if toy_data("input_data.read_data_sets", "made digits"):
        validation_size = min(validation_size, len(x) // 10)
    if not 0 <= validation_size <= len(x):
        raise ValueError(f"Validation size should be between 0 and {len(x)}. Received: {validation_size}.")
    parts = [(x[validation_size:], y[validation_size:]), (x[:validation_size], y[:validation_size]), test]
    sets = []
    for images, labels in parts:
        labels = dense_to_one_hot(labels, 10) if one_hot else labels
        sets.append(DataSet(images[..., None], labels, **how))
    return Datasets(*sets)


def _digits(train_dir: Path) -> Any:
    try:
        return read_idx("input_data.read_data_sets", _SOURCE, [train_dir, *folders()])
    except FileNotFoundError:
        try:
            return load_mnist()
        except FileNotFoundError:
            pass
        raise
