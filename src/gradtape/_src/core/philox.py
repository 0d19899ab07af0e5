"""Philox 4x32-10, the counter-based generator of random bits behind all random numbers, and streams of it.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A bijection, keyed with
64 bits, turns a counter of 128 bits into a block of four random words of 32 bits. So any place of a sequence
can be computed without the places before it, and all places at once. Here a key and a counter are Python
integers; a block is a row of an array. Rests on NumPy only.
"""

from __future__ import annotations

import sys
from threading import Lock

import numpy as np

_ROUNDS = 10
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)  # added to the two halves of the key after each round
_LOW = 0xFFFFFFFF
LOW64 = (1 << 64) - 1
LOW128 = (1 << 128) - 1

_SCRAMBLER = 0x02461E293EC8F720  # the key under which seeds are scrambled

_FACTORS = np.array([[m] for m in _MULTIPLIERS], np.uint64)
_KEY_STEPS = np.array([[[i * w & _LOW] for w in _WEYL] for i in range(_ROUNDS)], np.uint32)
_LO, _HI = (0, 1) if sys.byteorder == "little" else (1, 0)  # halves of a 64-bit product, seen as 32-bit words

_CHUNK = 1 << 15  # blocks computed at a time: what fits in a processor's cache
_FEW = 8  # up to here Python's integers are faster than NumPy


def blocks(key: int, counter: int, n: int) -> np.ndarray:
    """The blocks of the counters ``counter, ..., counter + n - 1``: uint32 of shape (n, 4)."""
    if n <= _FEW:
        return np.array([block(key, counter + i) for i in range(n)], np.uint32).reshape(n, 4)
    out = np.empty((n, 4), np.uint32)
    low = counter & _LOW
    for start in range(0, n, _CHUNK):
        stop = min(n, start + _CHUNK)
        if low + stop <= _LOW:  # only the lowest word of the counter changes
            first = np.arange(low + start, low + stop, dtype=np.uint32)
            odd = np.array([[counter >> 32 & _LOW], [counter >> 96 & _LOW]], np.uint32)
            _fill(out[start:stop], key, first, counter >> 64 & _LOW, odd)
        else:
            _fill_at(out[start:stop], key, counter, np.arange(start, stop, dtype=np.uint64))
    return out


def blocks_at(key: int, counter: int, offsets: np.ndarray) -> np.ndarray:
    """The blocks of the counters ``counter + offsets``, for a vector of uint64: uint32 of shape (n, 4)."""
    out = np.empty((len(offsets), 4), np.uint32)
    for start in range(0, len(offsets), _CHUNK):
        _fill_at(out[start : start + _CHUNK], key, counter, offsets[start : start + _CHUNK])
    return out


def blocks_of(keys: np.ndarray, counters: np.ndarray, n: int) -> np.ndarray:
    """The n blocks from each of some places on: uint32 of shape (len(keys), n, 4).

    Args:
      keys: a vector of uint64.
      counters: their lower and upper halves, uint64 of shape (len(keys), 2).
    """
    low = counters[:, :1] + np.arange(n, dtype=np.uint64)
    high = counters[:, 1:] + (low < counters[:, :1])  # with the carry
    words = [half >> np.uint64(shift) & np.uint64(_LOW) for half in (low, high) for shift in (0, 32)]
    c0, c1, c2, c3 = [word.astype(np.uint32).reshape(-1) for word in words]
    halves = np.stack([keys & np.uint64(_LOW), keys >> np.uint64(32)]).astype(np.uint32)
    out = np.empty((len(c0), 4), np.uint32)
    _fill(out, np.repeat(halves, n, axis=1), c0, c2, np.stack([c1, c3]))
    return out.reshape(len(keys), n, 4)


def block(key: int, counter: int) -> tuple[int, int, int, int]:
    """One block, computed with Python's integers."""
    c0, c1, c2, c3 = counter & _LOW, counter >> 32 & _LOW, counter >> 64 & _LOW, counter >> 96 & _LOW
    k0, k1 = key & _LOW, key >> 32
    m0, m1 = _MULTIPLIERS
    w0, w1 = _WEYL
    for _ in range(_ROUNDS):
        p, q = m0 * c0, m1 * c2
        c0, c1, c2, c3 = q >> 32 ^ c1 ^ k0, q & _LOW, p >> 32 ^ c3 ^ k1, p & _LOW
        k0, k1 = k0 + w0 & _LOW, k1 + w1 & _LOW
    return c0, c1, c2, c3


def _fill(
    out: np.ndarray, key: int | np.ndarray, c0: np.ndarray, c2: np.ndarray | int, odd: np.ndarray
) -> None:
    """The blocks of counters given by words: the even ones c0 and c2, and both odd ones.

    Args:
      key: of all of them; or the halves of the key of each.
    """
    even = np.empty((2, len(out)), np.uint32)
    even[0], even[1] = c0, c2
    if isinstance(key, np.ndarray):
        keys = map(key.__add__, _KEY_STEPS)
    else:
        keys = _KEY_STEPS + np.array([[key & _LOW], [key >> 32]], np.uint32)
    for k in keys:
        product = (even * _FACTORS).view(np.uint32)[::-1]  # each half goes to the other place
        even = product[:, _HI::2] ^ odd
        even ^= k
        odd = product[:, _LO::2]
    out[:, 0::2] = even.T
    out[:, 1::2] = odd.T


def _fill_at(out: np.ndarray, key: int, counter: int, offsets: np.ndarray) -> None:
    low = offsets + np.uint64(counter & LOW64)
    high = np.uint64(counter >> 64 & LOW64) + (low < offsets)  # with the carry
    odd = np.empty((2, len(offsets)), np.uint32)
    odd[0], odd[1] = low >> np.uint64(32), high >> np.uint64(32)
    _fill(
        out, key, (low & np.uint64(_LOW)).astype(np.uint32), (high & np.uint64(_LOW)).astype(np.uint32), odd
    )


def scrambled(seed: tuple[int, int]) -> tuple[int, int]:
    """Key and counter from a pair of 64-bit seeds, none of whose bits need to be random.

    One block of the generator itself mixes them: as TensorFlow's stateless operations do, whose numbers these
    are.
    """
    s0, s1 = seed[0] & LOW64, seed[1] & LOW64
    m0, m1, m2, m3 = block(_SCRAMBLER, s0 | s1 << 64)
    return m0 | m1 << 32, (m2 | m3 << 32) << 64


def all_scrambled(seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keys and counters, as ``blocks_of`` takes them, from seeds of shape (n, 2)."""
    words = blocks_of(np.full(len(seeds), _SCRAMBLER, np.uint64), seeds.astype(np.int64).view(np.uint64), 1)
    pairs = words.astype(np.uint64).reshape(len(seeds), 2, 2)
    halves = pairs[..., 0] | pairs[..., 1] << np.uint64(32)
    return halves[:, 0], halves[:, 1:] * np.array([0, 1], np.uint64)


class Stream:
    """A place in the generator's sequence that moves on whenever numbers are taken. Threads may share it.

    Args:
      key: 64 bits.
      counter: 128 bits.
    """

    __slots__ = ("_counter", "_lock", "key")

    def __init__(self, key: int, counter: int) -> None:
        self.key = key
        self._counter = counter & LOW128
        self._lock = Lock()

    @classmethod
    def of(cls, seed: int, seed2: int) -> Stream:
        """The stream of a stateful operation with these seeds, as TensorFlow places it."""
        return cls(seed & LOW64, (seed2 & LOW64) << 64)

    def take(self, n: int) -> tuple[int, int]:
        """Key and counter, which then moves on by ``n`` blocks."""
        with self._lock:
            counter = self._counter
            self._counter = counter + n & LOW128
        return self.key, counter

    def copy(self) -> Stream:
        """A stream that gives the same numbers from here on: for another execution of the same program."""
        return Stream(self.key, self._counter)

    def __repr__(self) -> str:
        return f"Stream(key={self.key:#x}, counter={self._counter:#x})"
