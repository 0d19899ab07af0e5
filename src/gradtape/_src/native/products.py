"""Products of a matrix with all steps of a sequence, and their transposes, or None where they are for NumPy to do.

So are products with few columns: they leave most of a tile empty, and BLAS is faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.native.library import WIDTH, kernels, run, suits


def products(a: Any, x: Any) -> Any:
    """``a x[t]`` for all t: (time, m, batch)."""
    if a.ndim != 2 or x.ndim != 3 or 2 * x.shape[2] <= WIDTH:
        return None
    if not suits((a, a.shape), (x, (len(x), a.shape[1], x.shape[2]))):
        return None
    out = np.empty((len(x), len(a), x.shape[2]), np.float32)
    run(kernels.products, (a, x, out), x.shape[2], out.size * a.shape[1])
    return out


def products_to_matrix(g: Any, x: Any) -> Any:
    """The sum of ``g[t] x[t]^T`` over t: (m, k)."""
    if g.ndim != 3 or x.ndim != 3 or not suits((g, (len(x), g.shape[1], x.shape[2])), (x, x.shape)):
        return None
    out = np.empty((g.shape[1], x.shape[1]), np.float32)
    run(kernels.products_to_matrix, (g, x, out), x.shape[1], g.size * x.shape[1])
    return out
