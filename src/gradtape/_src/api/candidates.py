"""Public samplers of candidate classes, for losses estimated from a few classes.

Each gives a named tuple: the sampled classes (int64), and how often the true classes (of the shape of
``true_classes``) and the sampled ones are to be expected among the samples (float32). Arguments:

- true_classes: int64 of shape [rows, num_true];
- num_sampled: how many classes to sample;
- unique: whether they must differ. Then draws that come up again are dropped;
- range_max: classes are below it.

InvalidArgumentError if a true class is outside, or there are fewer classes than unique samples.
"""

from __future__ import annotations

import csv
from collections import namedtuple
from threading import Lock
from typing import Any

import numpy as np

from gradtape._src.core import seeds
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.ops import candidates as ops

_FIELDS = "sampled_candidates true_expected_count sampled_expected_count"
_Uniform = namedtuple("UniformCandidateSampler", _FIELDS)
_LogUniform = namedtuple("LogUniformCandidateSampler", _FIELDS)
_Fixed = namedtuple("FixedUnigramCandidateSampler", _FIELDS)
_Learned = namedtuple("LearnedUnigramCandidateSampler", _FIELDS)
_All = namedtuple("AllCandidateSampler", _FIELDS)


def _true(true_classes: Any, num_true: int, num_sampled: int, op: str) -> Any:
    if num_sampled < 1:
        raise InvalidArgumentError.of(
            f"Value for attr 'num_sampled' of {num_sampled} must be at least minimum 1 [Op:{op}]"
        )
    true = as_tensor(true_classes) if isinstance(true_classes, Tensor) else as_tensor(true_classes, int64)
    shape = shape_of(true)
    if shape is not None and len(shape) != 2:
        raise InvalidArgumentError.of(
            f"true_classes must be a matrix, got shape {in_brackets(shape)} [Op:{op}]"
        )
    if shape is not None and shape[1] not in (None, num_true):
        raise InvalidArgumentError.of(
            f"true_classes must have num_true columns, expected: {shape[1]} was: {num_true} [Op:{op}]"
        )
    return true


def _sampled(
    result: Any, op: Any, arguments: Any, unique: bool, n: int, seed: Any, name: Any, weights: Any = None
) -> Any:
    true_classes, num_true, num_sampled = arguments
    params = {"num_sampled": num_sampled, "unique": bool(unique), "range_max": n, "weights": weights}
    stream = seeds.stream_for(seed, op.name, num_true, num_sampled, unique, n)
    true = _true(true_classes, num_true, num_sampled, op.name)
    return result(*op.of(true, stream=stream, name=name, **params))


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Candidates of which every class is as likely.

    >>> import gradtape as tf
    >>> found = tf.random.uniform_candidate_sampler([[0]], 1, 3, False, 10)
    >>> print(found.true_expected_count.numpy())
    [[0.3]]

    As TensorFlow 2.21.
    """
    arguments = true_classes, num_true, num_sampled
    return _sampled(_Uniform, ops.uniform_candidates, arguments, unique, range_max, seed, name)


def log_uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Candidates of Zipf's distribution: P(k) = log((k + 2) / (k + 1)) / log(range_max + 1).

    >>> import gradtape as tf
    >>> found = tf.random.log_uniform_candidate_sampler([[0]], 1, 2, False, 3)
    >>> print(found.true_expected_count.numpy())
    [[1.]]

    As TensorFlow 2.21.
    """
    arguments = true_classes, num_true, num_sampled
    return _sampled(_LogUniform, ops.log_uniform_candidates, arguments, unique, range_max, seed, name)


def fixed_unigram_candidate_sampler(
    true_classes,
    num_true,
    num_sampled,
    unique,
    range_max,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=1,
    shard=0,
    unigrams=(),
    seed=None,
    name=None,
):
    """Candidates with probabilities proportional to given counts.

    vocab_file: a file of comma-separated values whose last column has the counts; or
    unigrams: the counts.
    distortion: the power to which they are raised.
    num_reserved_ids: how many classes come before them, and are never sampled.
    num_shards, shard: to sample from every num_shards-th class only, beginning with this one.

    >>> import gradtape as tf
    >>> found = tf.random.fixed_unigram_candidate_sampler([[2]], 1, 2, False, 3, unigrams=[1.0, 1.0, 2.0])
    >>> print(found.true_expected_count.numpy())
    [[1.]]

    As TensorFlow 2.21, but with other numbers.
    """
    op = ops.unigram_candidates
    if bool(vocab_file) == bool(len(unigrams)):
        raise InvalidArgumentError.of(
            f"Must provide either vocab_file or unigrams. [Op:{op.name}]: received "
            f"vocab_file={vocab_file!r}, unigrams={unigrams!r}"
        )
    counts = _counts_in(vocab_file) if vocab_file else np.asarray(unigrams, np.float64)
    weights = np.concatenate([np.zeros(num_reserved_ids), counts**distortion])
    if len(weights) != range_max:
        raise InvalidArgumentError.of(
            f"range_max is {range_max} but there are {len(weights)} classes [Op:{op.name}]"
        )
    weights[np.arange(len(weights)) % num_shards != shard] = 0
    arguments = true_classes, num_true, num_sampled
    return _sampled(_Fixed, op, arguments, unique, range_max, seed, name, weights)


def _counts_in(vocab_file: str) -> Any:
    with open(vocab_file, newline="", encoding="utf-8") as lines:
        return np.array([float(row[-1]) for row in csv.reader(lines) if row])


_lock = Lock()
_learned: dict[tuple[Any, ...], Any] = {}  # the counts so far


def learned_unigram_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Candidates with probabilities proportional to 1 + how often a class was a true one in earlier calls.

    Calls with the same ``range_max`` and ``seed`` share their counts.

    >>> import gradtape as tf
    >>> found = tf.random.learned_unigram_candidate_sampler([[1]], 1, 2, False, 4)
    >>> print(found.sampled_candidates.shape)
    (2,)

    As TensorFlow 2.21, but with other numbers.
    """
    key = range_max, seeds.as_seed(seed)
    with _lock:
        if key not in _learned:
            _learned[key] = ops.Counts(range_max)
    arguments = true_classes, num_true, num_sampled
    op = ops.learned_candidates
    return _sampled(_Learned, op, arguments, unique, range_max, seed, name, _learned[key])


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    """All classes below ``num_sampled``, each to be expected once: for tests.

    >>> import gradtape as tf
    >>> print(tf.random.all_candidate_sampler([[0]], 1, 3, True).sampled_candidates.numpy())
    [0 1 2]

    As TensorFlow 2.21.
    """
    op = ops.all_candidates
    true = _true(true_classes, num_true, num_sampled, op.name)
    return _All(*op.of(true, num_sampled=num_sampled, name=name))
