"""A random permutation of [0, max_index] whose places are computed one by one, by encryption.

The cipher is Simon (Beaulieu et al., "The Simon and Speck families of lightweight block ciphers", IACR ePrint
2013/404), with few rounds and a block just wide enough. What falls outside is encrypted again until it is
inside: Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import broadcast, in_brackets
from gradtape._src.core.values import dtype_of, shape_of

_PADDING = 498247692  # TensorFlow's first word of the key
_SEQUENCE = 0x7369F885192C0EF5  # the paper's z, one bit a round
_FEWEST_BITS = 16
_FEW = 1 << 12


def _encrypted(x: Any, keys: list[Any], bits: int) -> Any:
    """Blocks of ``2 * bits`` bits; every second round works on the other half."""
    word = np.uint64((1 << bits) - 1)

    def rotated(half: Any, by: int) -> Any:
        return (half << np.uint64(by) | half >> np.uint64(bits - by)) & word

    def mixed(half: Any) -> Any:
        return rotated(half, 1) & rotated(half, 8) ^ rotated(half, 2)

    left, right = x >> np.uint64(bits), x & word
    for i in range(0, len(keys), 2):
        left = left ^ mixed(right) ^ keys[i]
        right = right ^ mixed(left) ^ keys[i + 1]
    return left << np.uint64(bits) | right


def _round_keys(seed: Any, bits: int, rounds: int) -> list[Any]:
    """The round keys of seeds of shape [..., 2]."""
    word = np.uint64((1 << bits) - 1)
    keys = [np.uint64(_PADDING) & word, seed[..., 0] & word, seed[..., 1] & word]

    def rotated(key: Any, by: int) -> Any:
        return (key >> np.uint64(by) | key << np.uint64(bits - by)) & word

    for i in range(3, rounds):
        constant = np.uint64(0xFFFFFFFC) & word ^ np.uint64(_SEQUENCE >> (i - 3) & 1)
        keys.append(constant ^ keys[i - 3] ^ rotated(keys[-1], 3) ^ rotated(keys[-1], 4))
    return keys


def _index_shuffle(index: Any, seed: Any, max_index: Any, rounds: int) -> Any:
    shape = _shape(index, seed, max_index, rounds)
    if seed.dtype.kind not in "iu":
        raise InvalidArgumentError.of(
            f"Value for attr 'Tseed' of {seed.dtype} is not in the list of allowed values: int32, "
            "uint32, int64, uint64 [Op:RandomIndexShuffle]"
        )
    words = np.broadcast_to(seed.astype(np.uint32).astype(np.uint64), (*shape, 2)).reshape(-1, 2)
    top = np.broadcast_to(max_index, shape).reshape(-1)
    found = np.broadcast_to(index, shape).reshape(-1)
    wrong = (found < 0) | (found > top)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InvalidArgumentError.of(
            f"index must be in [0, max_index], but index = {found[i]} and max_index = {top[i]} "
            "[Op:RandomIndexShuffle]"
        )
    top, found = top.astype(np.uint64), found.astype(np.uint64)
    widths = np.array([max(int(t).bit_length() + 1, _FEWEST_BITS) // 2 for t in top.tolist()])
    few = top < _FEW
    _walk_tables(found, words, top, np.nonzero(few)[0], rounds)
    for bits in np.unique(widths[~few]).tolist():
        who = np.nonzero((widths == bits) & ~few)[0]
        while who.size:
            found[who] = _encrypted(found[who], _round_keys(words[who], bits, rounds), bits)
            who = who[found[who] > top[who]]
    return found.reshape(shape).astype(index.dtype)


def _walk_tables(found: Any, words: Any, top: Any, who: Any, rounds: int) -> None:
    """Where few of the smallest blocks are inside, and the walks are long: along a table of all blocks."""
    bits = _FEWEST_BITS // 2
    tables: dict[tuple[int, int], list[int]] = {}
    for i in who.tolist():
        seed, last = words[i], int(top[i])
        key = int(seed[0]), int(seed[1])
        if key not in tables:
            every = np.arange(1 << _FEWEST_BITS, dtype=np.uint64)
            tables[key] = _encrypted(every, _round_keys(seed, bits, rounds), bits).tolist()
        table, place = tables[key], int(found[i])
        while (place := table[place]) > last > 0:
            pass
        found[i] = place if last else 0


def _shape(index: Any, seed: Any, max_index: Any, rounds: int) -> Any:
    seeds = shape_of(seed)
    if seeds is not None and (len(seeds) not in (1, 2) or seeds[-1] not in (None, 2)):
        raise InvalidArgumentError.of(
            f"Seed must have shape [2] or [n, 2], but its shape is {in_brackets(seeds)} "
            "[Op:RandomIndexShuffle]"
        )
    return broadcast(shape_of(index), None if seeds is None else seeds[:-1], shape_of(max_index))


random_index_shuffle = Op(
    "RandomIndexShuffle",
    _index_shuffle,
    shape=_shape,
    dtype=lambda index, seed, max_index, rounds: dtype_of(index),
    accepts="int",
)
"""The places of ``index`` in random permutations of [0, max_index]."""
