"""Samplers of candidate classes, for losses that are estimated from a few classes instead of all of them.

Jean et al., "On using very large target vocabulary for neural machine translation", ACL 2015, and
TensorFlow's "Candidate sampling algorithms reference". Every operation gives the sampled classes, and how
often the true classes and the sampled ones are to be expected among so many samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.philox import blocks
from gradtape._src.core.values import shape_of
from gradtape._src.ops.distributions import double_uniforms, words64

_RESERVED = 512  # blocks a sample
_AT_ONCE = 16  # blocks


class Counts:
    """How often each class was a true one so far, and once more. Threads may share it."""

    def __init__(self, n: int) -> None:
        self.values = np.ones(n)
        self._lock = Lock()

    def add(self, classes: Any) -> None:
        with self._lock:
            values = self.values.copy()
            np.add.at(values, classes, 1)
            self.values = values


def _doubles(key: int, counter: int) -> Iterator[float]:
    while True:
        yield from double_uniforms(blocks(key, counter, _AT_ONCE)).reshape(-1).tolist()
        counter += _AT_ONCE


def _integers(key: int, counter: int) -> Iterator[int]:
    while True:
        yield from words64(blocks(key, counter, _AT_ONCE)).reshape(-1).tolist()
        counter += _AT_ONCE


def _uniform(n: int, key: int, counter: int, weights: Any) -> Iterator[int]:
    return (word % n for word in _integers(key, counter))


def _log_uniform(n: int, key: int, counter: int, weights: Any) -> Iterator[int]:
    width = math.log1p(n)
    return (int(math.exp(u * width) - 1) % n for u in _doubles(key, counter))


def _weighted(n: int, key: int, counter: int, weights: Any) -> Iterator[int]:
    totals = np.cumsum(weights)
    return (int(np.searchsorted(totals, u * totals[-1], side="right")) for u in _doubles(key, counter))


def _same(classes: Any, n: int, weights: Any) -> Any:
    return np.full(classes.shape, 1 / n)


def _zipf(classes: Any, n: int, weights: Any) -> Any:
    return np.log((classes + 2) / (classes + 1)) / math.log1p(n)


def _weight(classes: Any, n: int, weights: Any) -> Any:
    return weights[classes] / np.sum(weights)


def _checked(true_classes: Any, num_sampled: int, unique: bool, range_max: int, op: str) -> None:
    wrong = (true_classes < 0) | (true_classes >= range_max)
    if wrong.any():
        raise InvalidArgumentError.of(
            f"`true_candidate` out of range [0, {range_max}), received {true_classes[wrong][0]} [Op:{op}]"
        )
    if unique and num_sampled > range_max:
        raise InvalidArgumentError.of(f"Sampler's range is too small. [Op:{op}]")


def _sampler(name: str, draw: Callable[..., Iterator[int]], probability: Callable[..., Any]) -> Op:
    """The operation ``(true_classes; num_sampled, unique, range_max, weights, stream)``.

    Args:
      draw: ``draw(n, key, counter, weights)`` gives classes below n, without end.
      probability: ``probability(classes, n, weights)`` of each class in one draw.

    ``weights`` is None, an array, or the `Counts` that the true classes are added to.
    """

    def kernel(
        true_classes: Any, num_sampled: int, unique: bool, range_max: int, weights: Any, stream: Any
    ) -> Any:
        _checked(true_classes, num_sampled, unique, range_max, name)
        counts = weights
        if isinstance(counts, Counts):
            weights = counts.values
        classes = draw(range_max, *stream.take(num_sampled * _RESERVED), weights)
        if unique:
            found: dict[int, None] = {}
            tries = 0
            while len(found) < num_sampled:
                found[next(classes)] = None
                tries += 1
        else:
            found = [next(classes) for _ in range(num_sampled)]  # type: ignore[assignment]
            tries = num_sampled

        def expected(classes: Any) -> Any:
            p = probability(classes, range_max, weights)
            often = p * num_sampled if tries == num_sampled else -np.expm1(tries * np.log1p(-p))
            return often.astype(np.float32)

        sampled = np.array(list(found), np.int64)
        with np.errstate(divide="ignore"):
            out = sampled, expected(true_classes), expected(sampled)
        if isinstance(counts, Counts):
            counts.add(true_classes)
        return out

    return Op(
        name,
        kernel,
        multi=True,
        shape=lambda true_classes, num_sampled, **_: [(num_sampled,), shape_of(true_classes), (num_sampled,)],
        dtype=lambda *_, **params: [np.int64, np.float32, np.float32],
        accepts="int64",
        stateful=True,
    )


uniform_candidates = _sampler("UniformCandidateSampler", _uniform, _same)
log_uniform_candidates = _sampler("LogUniformCandidateSampler", _log_uniform, _zipf)
unigram_candidates = _sampler("FixedUnigramCandidateSampler", _weighted, _weight)
learned_candidates = _sampler("LearnedUnigramCandidateSampler", _weighted, _weight)


def _all(true_classes: Any, num_sampled: int) -> Any:
    _checked(true_classes, num_sampled, False, num_sampled, "AllCandidateSampler")
    ones = np.ones(true_classes.shape, np.float32)
    return np.arange(num_sampled), ones, np.ones(num_sampled, np.float32)


all_candidates = Op(
    "AllCandidateSampler",
    _all,
    multi=True,
    shape=lambda true_classes, num_sampled: [(num_sampled,), shape_of(true_classes), (num_sampled,)],
    dtype=[np.int64, np.float32, np.float32],
    accepts="int64",
)
