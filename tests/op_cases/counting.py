"""Rows of ``ops/counting.py``."""

import numpy as np

from gradtape._src.ops import counting as c

from .case import Case, const, normal

INF, NAN = np.inf, np.nan
VALUES = const(np.array([[1, 1, 3], [0, 4, 1]], np.int32))
LABELS, GUESSES = const(np.array([1, 2, 4, 4, 0])), const(np.array([2, 2, 4, 1, 0]))


def counts(values, low, high, by_row=False, binary=False, dtype="int32"):
    n = max(values.max() + 1, low)
    n = n if high < 0 else min(n, high)
    one = lambda v: np.array([np.sum(v == i) for i in range(n)])
    y = np.array([one(row) for row in values]) if by_row else one(values)
    return y > 0 if binary else y


def sums(values, weights, low, high, by_row=False):
    n = max(values.max() + 1, low)
    n = n if high < 0 else min(n, high)
    one = lambda v, w: np.array([np.sum(w[v == i]) for i in range(n)])
    return np.array([*map(one, values, weights)]) if by_row else one(values, weights)


def pairs(labels, guesses, weights, n=None):
    y = np.zeros((5, 5) if n is None else (n, n))
    np.add.at(y, (labels, guesses), weights)
    return y


CASES = [
    Case(c.bincount, [VALUES, 0, -1], counts),
    Case(c.bincount, [VALUES, 6, -1], counts, params={"by_row": True, "dtype": "float32"}),
    Case(c.bincount, [VALUES, 0, 3], counts, params={"by_row": True, "binary": True}),
    Case(c.weighted_bincount, [VALUES, normal(2, 3), 0, -1], sums),
    Case(c.weighted_bincount, [VALUES, normal(2, 3), 6, -1], sums, params={"by_row": True}),
    Case(c.weighted_bincount, [VALUES, normal(2, 3), 0, 3], sums),
    Case(
        c.bin_positions,
        [VALUES, const(np.zeros((2, 4)))],
        lambda v, like, by_row: [1, 1, 3, 4, -1, 5],
        {"by_row": True},
    ),
    Case(c.confusion_matrix, [LABELS, GUESSES, normal(5)], pairs),
    Case(c.confusion_matrix, [LABELS, GUESSES, normal(5), 7], pairs),
    Case(c.pair_positions, [LABELS, GUESSES, const(np.zeros((5, 5)))], lambda a, b, like: 5 * a + b),
    Case(
        c.histogram_fixed_width,
        [const([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]), const([0.0, 5.0]), 5],
        lambda *_: np.array([2, 1, 1, 0, 2]),
    ),
    Case(
        c.histogram_bins,
        [const([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0, NAN]), const([0.0, 5.0]), 5],
        lambda *_, dtype: np.array([0, 0, 1, 2, 4, 4, np.iinfo(np.int64).min]),
        params={"dtype": "int64"},
    ),
    Case(
        c.unique_with_counts,
        [const([3.0, 1.0, 3.0, NAN, NAN])],
        lambda x: (np.array([3, 1, NAN, NAN]), np.array([0, 1, 0, 2, 3]), np.array([2, 1, 1, 1])),
    ),
    Case(
        c.unique,
        [const([b"b", b"a", b"b"], object)],
        lambda x, out_idx: (np.array([b"b", b"a"], object), np.array([0, 1, 0])),
        params={"out_idx": "int64"},
    ),
    Case(
        c.list_diff,
        [const([1, 2, 2, 5]), const([5, 1])],
        lambda x, y: (np.array([2, 2]), np.array([1, 2])),
    ),
    Case(
        c.in_top_k,
        [const([[1, 3, 2], [3, 2, 1], [INF, 0, 1], [1, 1, 1]], np.float32), const([2, 2, 1, 1]), 2],
        lambda *_: np.array([True, False, False, True]),
    ),
]
