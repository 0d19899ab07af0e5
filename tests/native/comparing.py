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

    def __call__(self, *shape, scale=0.5):
        x = (scale * self.random.standard_normal(shape)).astype(np.float32)
        if self.random.random() < 0.3:
            x = np.repeat(x, 2, axis=-1)[..., ::2]  # with gaps
        if self.random.random() < 0.3:
            x = np.asfortranarray(x)
        return x

    def mask(self, steps, batch):
        return (self.random.random((steps, 1, batch)) < 0.6,) if self.random.random() < 0.5 else ()


def both(kernel, *args):
    """What the library gives, after it has been compared with what NumPy gives."""
    with library.use(False), np.errstate(all="ignore"):
        expected = kernel(*args)
    with library.use(True), mock.patch.object(library, "_WORTH_A_THREAD", 1):
        received = kernel(*args)
    parts = zip(*((y,) if isinstance(y, np.ndarray) else y for y in (expected, received)), strict=True)
    for a, b in parts:
        assert a.shape == b.shape and a.dtype == b.dtype
        size = np.abs(a, where=np.isfinite(a), out=np.ones_like(a)).max(initial=1)  # of what sums cancel
        np.testing.assert_allclose(b, a, rtol=2e-5, atol=5e-6 * size)
    return received
