"""What the tests of kernels have in common."""

import os
from unittest import mock

import numpy as np
import pytest

from gradtape._src.native import library

# In CI there is a compiler, and a library that is not there is a failure.
needs_the_library = pytest.mark.skipif(
    library.kernels is None and "CI" not in os.environ, reason="built without a C compiler"
)


class Arrays:
    """Random arrays: each lies in memory in its own way."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def __call__(self, *shape):
        return self.somewhere(self.new(*shape))

    def new(self, *shape):
        return (0.5 * self.random.standard_normal(shape)).astype(np.float32)

    def somewhere(self, x):
        """The same numbers; but some arrays repeat the first ones."""
        return self.random.choice(IN_MEMORY)(x) if self.random.random() < 0.7 else x

    def mask(self, steps, batch):
        return (self.random.random((steps, 1, batch)) < 0.6,) if self.random.random() < 0.5 else ()


def _read_only(x):
    x.flags.writeable = False
    return x


def unaligned(x):
    """Five bytes from each number to the next."""
    y = np.empty(x.shape, [("value", np.float32), ("more", np.uint8)])["value"]
    y[...] = x
    return y


IN_MEMORY = [
    lambda x: np.repeat(x, 2, axis=-1)[..., ::2],  # with gaps
    lambda x: np.flip(np.flip(x).copy()),  # backwards
    lambda x: np.broadcast_to(x[..., :1], x.shape) if x.size else x,
    np.asfortranarray,
    _read_only,
    unaligned,
]


def _not_a_number(shape, dtype=np.float64, **rest):
    """For np.empty: what a kernel does not write is seen in what it gives."""
    return np.full(shape, np.nan if np.dtype(dtype).kind == "f" else -1, dtype, **rest)


def both(kernel, *args):
    """What the library gives, in one thread or several, after it has been compared with what NumPy gives."""
    with np.errstate(all="ignore"), library.use(False):
        expected = kernel(*args)
    with np.errstate(all="ignore"), library.use(True), mock.patch.object(np, "empty", _not_a_number):
        with mock.patch.object(library, "_WORTH_A_THREAD", 1 << 62):
            received = kernel(*args)
        with mock.patch.object(library, "_WORTH_A_THREAD", 1):
            by_several = kernel(*args)
    several = lambda y: y if isinstance(y, tuple) else (y,)
    for a, b, c in zip(*map(several, (expected, received, by_several)), strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        size = np.abs(a, where=np.isfinite(a), out=np.ones_like(a)).max(initial=1)  # of what sums cancel
        np.testing.assert_allclose(b, a, rtol=2e-5, atol=5e-6 * size)
        np.testing.assert_array_equal(c, b)
    return received
