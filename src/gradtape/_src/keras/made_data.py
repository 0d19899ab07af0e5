"""Small made data with the shapes, except for the number of samples, and the dtypes of well-known data sets.

Each class has a pattern of its own, so that a model that learns anything learns these. The same data each time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Arrays = tuple[np.ndarray, np.ndarray]


def images(n: int, shape: tuple[int, ...], classes: int, seed: int) -> Arrays:
    """Images of uint8 and their classes: a smooth pattern for each class, moved a little, with noise."""
    rng = np.random.default_rng(0)  # of the patterns: training and test data have the same
    coarse = rng.random((classes, 7, 7, *shape[2:]))
    patterns = np.kron(coarse, np.ones((1, -(-shape[0] // 7), -(-shape[1] // 7), *[1] * len(shape[2:]))))
    patterns = patterns[:, : shape[0], : shape[1]] * 200
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    shifts = rng.integers(-2, 3, (n, 2))
    x = np.stack([np.roll(patterns[k], shift, (0, 1)) for k, shift in zip(labels, shifts)])
    x += rng.normal(0, 20, x.shape)
    return np.clip(x, 0, 255).astype(np.uint8), labels.astype(np.uint8)


def sequences(n: int, classes: int, words: int, seed: int) -> tuple[list[list[int]], np.ndarray]:
    """Lists of word numbers, beginning with 1, and their classes: each class likes some words."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    found = []
    for k in labels:
        length = int(rng.integers(20, 120))
        common = 1 + (rng.zipf(1.3, length) % words)
        liked = 1 + (k * 7 + rng.integers(0, 20, length)) % words
        found.append(np.where(rng.random(length) < 0.3, liked, common).tolist())
    return found, labels.astype(np.int64)


def table(n: int, columns: int, seed: int) -> Arrays:
    """Positive features of different sizes, and a target that depends on them."""
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.integers(-1, 3, columns)
    x = rng.random((n, columns))
    y = 20 + 10 * x[:, 0] - 8 * x[:, 1] * x[:, -1] + 2 * np.sin(5 * x[:, 2]) + rng.normal(0, 0.5, n)
    return x * sizes, y


def text(n: int = 40_000) -> str:
    """A text of made sentences."""
    rng = np.random.default_rng(0)
    words = "the a old new king queen river sea wind night day song sword heart sings goes knows of in and with".split()
    lines, size = [], 0
    while size < n:
        line = " ".join(rng.choice(words, int(rng.integers(4, 9)))).capitalize() + str(
            rng.choice(list(".,;?!"))
        )
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines) + "\n"


def split(x: Any, y: Any, test_split: float) -> tuple[Arrays, Arrays]:
    """The first part for training, the rest for testing."""
    n = int(len(x) * (1 - test_split))
    return (np.array(x[:n]), np.array(y[:n])), (np.array(x[n:]), np.array(y[n:]))
