"""Random arrays by rejection: gamma, Poisson and binomial numbers, and normal numbers between bounds.

The published algorithms, with the random bits in TensorFlow's order, so that the numbers are its numbers.
Every sample has a sequence of its own, and all samples that are not accepted yet are tried again at once.
Computed in float64, whatever the dtype, unless stated. Rests on ``core/philox.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.philox import blocks, blocks_at
from gradtape._src.ops.distributions import RESERVED, double_normals, double_uniforms, makers
from gradtape._src.ops.special import scipy_special


class _Sequences:
    """A sequence of random numbers for each of n samples, some blocks apart. ``who`` are numbers of samples.

    A block gives two numbers, of which the second is used first.
    """

    def __init__(self, key: int, counter: int, n: int, apart: int = RESERVED) -> None:
        self._key, self._counter = key, counter
        self._at = np.arange(n, dtype=np.uint64) * np.uint64(apart)
        self._kept = {
            make: (np.empty((n, 2)), np.zeros(n, np.intp)) for make in (double_uniforms, double_normals)
        }

    def uniform(self, who: Any) -> Any:
        """The next number in [0, 1) of each."""
        return self._next(double_uniforms, who)

    def normal(self, who: Any) -> Any:
        """The next normal number of each."""
        return self._next(double_normals, who)

    def _next(self, make: Any, who: Any) -> Any:
        kept, left = self._kept[make]
        empty = who[left[who] == 0]
        if empty.size:
            kept[empty] = make(blocks_at(self._key, self._counter, self._at[empty]))
            self._at[empty] += np.uint64(1)
            left[empty] = 2
        left[who] -= 1
        return kept[who, left[who]]


# --- Gamma --------------------------------------------------------------------------------------------------


def gamma(n: int, key: int, counter: int, alpha: Any) -> Any:
    """Samples of the gamma distributions with these shapes and scale 1: an array of shape (len(alpha), n).

    Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000) 363. Of a
    negative shape, or NaN, NaN.
    """
    alpha = np.repeat(np.asarray(alpha, np.float64), n)
    sequences = _Sequences(key, counter, alpha.size)
    out = np.where(alpha == np.inf, np.inf, np.where(alpha == 0, 0.0, np.nan))
    one = np.nonzero(alpha == 1)[0]
    out[one] = -np.log1p(-sequences.uniform(one))
    who = np.nonzero((alpha > 0) & (alpha != 1) & (alpha < np.inf))[0]
    boosted = alpha < 1  # to alpha + 1, and brought back by u^(1/alpha)
    d = alpha + np.where(boosted, 2 / 3, -1 / 3)
    with np.errstate(all="ignore"):
        c = 1 / (3 * np.sqrt(d))
        while who.size:
            x = sequences.normal(who)
            v = 1 + c[who] * x
            v, x, trying = v[v > 0], x[v > 0], who[v > 0]
            v = v * v * v
            u = sequences.uniform(trying)
            x *= x
            fits = (u < 1 - 0.0331 * x * x) | (np.log(u) < 0.5 * x + d[trying] * (1 - v + np.log(v)))
            accepted = trying[fits]
            out[accepted] = d[accepted] * v[fits]
            small = accepted[boosted[accepted]]
            out[small] *= np.power(sequences.uniform(small), 1 / alpha[small])
            who = _without(who, accepted)
    return out.reshape(-1, n)


def _without(who: Any, gone: Any) -> Any:
    """``who`` without ``gone``, both ascending."""
    keep = np.ones(len(who), bool)
    keep[np.searchsorted(who, gone)] = False
    return who[keep]


# --- Poisson ------------------------------------------------------------------------------------------------


def poisson(n: int, key: int, counter: int, rate: Any) -> Any:
    """Samples of the Poisson distributions with these rates: an array of shape (len(rate), n).

    Of a small rate by the product of uniform numbers (Knuth, The Art of Computer Programming 2, 3.4.1), from
    10 on by transformed rejection (Hörmann, Insurance: Mathematics and Economics 12 (1993) 39).
    """
    rate = np.repeat(np.asarray(rate, np.float64), n)
    sequences = _Sequences(key, counter, rate.size)
    out = np.where(rate == np.inf, np.inf, np.where(rate < 10, 0.0, np.nan))
    _poisson_by_product(out, sequences, rate)
    _poisson_by_rejection(out, sequences, rate)
    return out.reshape(-1, n)


def _poisson_by_product(out: Any, sequences: _Sequences, rate: Any) -> None:
    who = np.nonzero(rate < 10)[0]
    least = np.exp(-rate[who])
    product = np.ones(len(who))
    while who.size:
        product = product * sequences.uniform(who)
        going = product > least
        who, least, product = who[going], least[going], product[going]
        out[who] += 1


def _poisson_by_rejection(out: Any, sequences: _Sequences, rate: Any) -> None:
    who = np.nonzero((rate >= 10) & (rate < np.inf))[0]
    rate = rate[who]
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    quick = 0.9277 - 3.6224 / (b - 2)
    with np.errstate(all="ignore"):
        while who.size:
            u = sequences.uniform(who) - 0.5
            v = sequences.uniform(who)
            us = 0.5 - np.abs(u)
            k = np.floor((2 * a / us + b) * u + rate + 0.43)
            log_v = np.log(v * inverse_alpha / (a / (us * us) + b))
            exact = log_v <= k * np.log(rate) - rate - scipy_special().gammaln(k + 1)
            fits = (us >= 0.07) & (v <= quick) | (k >= 0) & ~((us < 0.013) & (v > us)) & exact
            out[who[fits]] = k[fits]
            who, rate, a, b = who[~fits], rate[~fits], a[~fits], b[~fits]
            inverse_alpha, quick = inverse_alpha[~fits], quick[~fits]


# --- Binomial -----------------------------------------------------------------------------------------------

_RESERVED_FOR_GAPS = 42  # blocks a sample


def binomial(n: int, key: int, counter: int, counts: Any, probs: Any) -> Any:
    """Samples of the binomial distributions with these parameters: an array of shape (len(counts), n).

    Where fewer than 10 successes are expected, from the gaps between successes (Devroye, Non-Uniform Random
    Variate Generation, 1986, X.4.3), else by transformed rejection (Hörmann, J. Statist. Comput. Simul. 46
    (1993) 101). Of a negative count or probability 0, of a probability above 1 the count. The parameters'
    dtype decides how a probability above 1/2 is rounded when it is taken from 1.
    """
    likely = probs > 0.5  # then failures are counted
    p = np.where(likely, probs.dtype.type(1) - probs, probs)
    possible = (counts > 0) & (p > 0)
    often = possible & (counts * p >= 10)
    p, seldom = p.astype(np.float64), possible & ~often
    counts, p, likely, often, seldom = (
        np.repeat(x, n) for x in (counts.astype(np.float64), p, likely, often, seldom)
    )
    out = np.where(p == p, 0.0, np.nan)
    sequences = _Sequences(key, counter, len(out), _RESERVED_FOR_GAPS)
    _binomial_by_gaps(out, sequences, counts, p, np.nonzero(seldom)[0])
    sequences = _Sequences(key, counter, len(out))
    _binomial_by_rejection(out, sequences, counts, p, np.nonzero(often)[0])
    return np.where(likely, np.maximum(counts, 0) - out, out).reshape(-1, n)


def _binomial_by_gaps(out: Any, sequences: _Sequences, counts: Any, p: Any, who: Any) -> None:
    total = np.zeros(len(who))
    while who.size:
        with np.errstate(divide="ignore"):
            total = total + np.ceil(np.log(sequences.uniform(who)) / np.log1p(-p[who]))
        going = total <= counts[who]
        who, total = who[going], total[going]
        out[who] += 1


def _binomial_by_rejection(out: Any, sequences: _Sequences, counts: Any, p: Any, who: Any) -> None:
    with np.errstate(all="ignore"):
        while who.size:
            count, prob = counts[who], p[who]
            spread = np.sqrt(count * prob * (1 - prob))
            b = 1.15 + 2.53 * spread
            a = -0.0873 + 0.0248 * b + 0.01 * prob
            u = sequences.uniform(who) - 0.5
            v = sequences.uniform(who)
            us = 0.5 - np.abs(u)
            k = np.floor((2 * a / us + b) * u + count * prob + 0.5)
            quick = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
            log_v = np.log(v * (2.83 + 5.1 / b) * spread / (a / (us * us) + b))
            fits = quick | (k >= 0) & (k <= count) & (log_v <= _log_ratio(k, count, prob))
            out[who[fits]] = k[fits]
            who = who[~fits]


def _log_ratio(k: Any, count: Any, prob: Any) -> Any:
    """log of the probability of k over that of the mode."""
    odds = prob / (1 - prob)
    m = np.floor((count + 1) * prob)
    return (
        (m + 0.5) * np.log((m + 1) / (odds * (count - m + 1)))
        + (count + 1) * np.log((count - m + 1) / (count - k + 1))
        + (k + 0.5) * np.log(odds * (count - k + 1) / (k + 1))
        + (_stirling_rest(m) + _stirling_rest(count - m) - _stirling_rest(k) - _stirling_rest(count - k))
    )


def _stirling_rest(k: Any) -> Any:
    """log k! without its main part, log sqrt(2 pi) + (k + 1/2) log(k + 1) - (k + 1)."""
    r = 1 / ((k + 1) * (k + 1))
    series = (1 / 12 - (1 / 360 - r / 1260) * r) / (k + 1)
    main = 0.5 * math.log(2 * math.pi) + (k + 0.5) * np.log(k + 1) - (k + 1)
    exact = scipy_special().gammaln(k + 1) - main
    return np.where(k > 9, series, exact)


# --- Normal between bounds ----------------------------------------------------------------------------------

_WIDE = 1.3  # standard deviations within the bounds on one side that make normal proposals worth while


def bounded_normal(n: int, key: int, counter: int, mean: Any, stddev: Any, low: Any, high: Any) -> Any:
    """Normal numbers between bounds, n for each of these parameters: an array of shape (len(mean), n).

    Robert, "Simulation of truncated normal variables", Statistics and Computing 5 (1995) 121: proposals are
    normal if the bounds leave much of the distribution, else uniform, or exponential far out in a tail. One
    sequence serves all parameters in turn. At most one bound may be infinite.
    """
    dtype = mean.dtype
    out = np.empty((len(mean), n), dtype)
    for i, (m, s, a, b) in enumerate(zip(mean, stddev, low, high)):
        if b < m or a == -np.inf:  # mirrored: the only bound, or the nearer one, becomes the lower one
            a, b, s = b, a, -s
        make, used = _proposals((a - m) / s, (b - m) / s, dtype)
        done = 0
        while done < n:
            groups = n - done  # at least
            tried, accepted = make(blocks(key, counter, groups * used))
            which = np.nonzero(accepted)[0][: n - done]
            out[i, done : done + len(which)] = tried[which] * s + m
            done += len(which)
            if done == n:
                groups = which[-1] * groups // len(tried) + 1
            counter += int(groups) * used
    return out


def _proposals(low: Any, high: Any, dtype: np.dtype) -> tuple[Callable[[Any], tuple[Any, Any]], int]:
    """How blocks become proposals and whether each is accepted, and how many blocks a group of them takes."""
    normals, uniforms = makers(dtype)
    if (low < -_WIDE and high >= 0) or (high > _WIDE and low <= 0):

        def from_normal(words: Any) -> tuple[Any, Any]:
            z = normals(words).reshape(-1)
            return z, (z >= low) & (z <= high)

        return from_normal, 1
    root = np.sqrt(low * low + 4)
    if high - low < 2 * np.exp(0.5 + low * (low - root) / 4) / (low + root):
        peak = max(low, dtype.type(0)) ** 2

        def from_uniform(words: Any) -> tuple[Any, Any]:
            z, u = uniforms(words[0::2]) * (high - low) + low, uniforms(words[1::2])
            return z.reshape(-1), (u <= np.exp((peak - z * z) / 2)).reshape(-1)

        return from_uniform, 2
    rate = (low + root) / 2

    def from_exponential(words: Any) -> tuple[Any, Any]:
        u = uniforms(words).reshape(-1, 2)
        with np.errstate(divide="ignore"):
            z = -np.log(u[:, 0]) / rate + low
        x = rate - z if low < rate else low - rate
        return z, (u[:, 1] <= np.exp(-x * x / 2)) & (z < high)

    return from_exponential, 1
