"""Windows and pairs of words for training, as Keras 2 has them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from gradtape._src.keras.data_utils import PyDataset


class TimeseriesGenerator(PyDataset):
    """Batches of windows of a time series, each with the target of the step behind it.

    Args:
      data: an array whose first axis is time.
      targets: of the same length.
      length: how many steps a window goes over.
      sampling_rate: how far apart the values of a window are.
      stride: how far apart windows end.
      start_index, end_index: a part of the data.
      shuffle: whether windows are drawn at random.
      reverse: whether windows are backwards.
      batch_size: how many windows a batch has.

    >>> import gradtape as tf
    >>> windows = tf.keras.preprocessing.sequence.TimeseriesGenerator(np.arange(6), np.arange(6), 3, batch_size=2)
    >>> windows[0]
    (array([[0, 1, 2],
           [1, 2, 3]]), array([3, 4]))
    """

    def __init__(
        self, data, targets, length, sampling_rate=1, stride=1, start_index=0, end_index=None, shuffle=False,
        reverse=False, batch_size=128,
    ):  # fmt: skip
        super().__init__()
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while target length is "
                f"{len(targets)}"
            )
        self.data, self.targets = np.asarray(data), np.asarray(targets)
        self.length, self.sampling_rate, self.stride, self.batch_size = (
            length,
            sampling_rate,
            stride,
            batch_size,
        )
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse = shuffle, reverse
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is disallowed, as no part of "
                "the sequence would be left to be used as current step."
            )

    def __len__(self) -> int:
        return (self.end_index - self.start_index + self.batch_size * self.stride) // (
            self.batch_size * self.stride
        )

    def __getitem__(self, index: int) -> Any:
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            start = self.start_index + self.batch_size * self.stride * index
            stop = min(start + self.batch_size * self.stride, self.end_index + 1)
            rows = np.arange(start, stop, self.stride)
        samples = np.array([self.data[row - self.length : row : self.sampling_rate] for row in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), np.array(
            [self.targets[row] for row in rows]
        )


def make_sampling_table(size, sampling_factor=1e-5):
    """The probability to keep each word, by its rank, under Zipf's law: frequent words are kept less often.

    T. Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013.
    """
    rank = np.maximum(np.arange(size), 1)
    frequency = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    share = sampling_factor * frequency
    return np.minimum(1.0, share / np.sqrt(share))


def skipgrams(
    sequence, vocabulary_size, window_size=4, negative_samples=1.0, shuffle=True, categorical=False,
    sampling_table=None, seed=None,
):  # fmt: skip
    """Pairs (word, word near it) with the label 1, and pairs (word, random word) with the label 0.

    Args:
      sequence: numbers of words; 0 is none.
      vocabulary_size: random words have numbers below it.
      window_size: how far a near word may be.
      negative_samples: how many random pairs there are for each near one.
      shuffle, seed: of the order.
      categorical: whether labels are [0, 1] and [1, 0].
      sampling_table: of `make_sampling_table`.

    Returns:
      A list of pairs and a list of labels.

    T. Mikolov et al., "Efficient estimation of word representations in vector space", 2013.
    """
    couples, labels = [], []
    for i, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        n = int(len(labels) * negative_samples)
        words = [couple[0] for couple in couples]
        random.shuffle(words)
        couples += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(n)]
        labels += [[1, 0] if categorical else 0] * n
    if shuffle:
        seed = random.randint(0, 10_000_000) if seed is None else seed
        for values in (couples, labels):
            random.Random(seed).shuffle(values)
    return couples, labels
