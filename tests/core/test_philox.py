"""Random bits of many keys at once are those of each of them."""

import numpy as np

from gradtape._src.core.philox import all_scrambled, blocks, blocks_of, scrambled


def test_blocks_of_several_keys():
    rng = np.random.default_rng(0)
    keys = rng.integers(1 << 64, size=5, dtype=np.uint64)
    counters = rng.integers(1 << 64, size=(5, 2), dtype=np.uint64)
    counters[:3, 0] = (1 << 64) - 2, (1 << 32) - 1, 0  # carries from each word to the next
    found = blocks_of(keys, counters, 12)
    for key, (low, high), one in zip(keys.tolist(), counters.tolist(), found, strict=True):
        np.testing.assert_array_equal(one, blocks(key, low | high << 64, 12))


def test_scrambled_seeds():
    seeds = np.random.default_rng(1).integers(-(1 << 63), (1 << 63) - 1, size=(6, 2))
    keys, counters = all_scrambled(seeds)
    for seed, key, (low, high) in zip(seeds.tolist(), keys.tolist(), counters.tolist(), strict=True):
        assert scrambled(tuple(seed)) == (key, low | high << 64)
