"""Rows of ``ops/resizing.py``."""

import numpy as np

from gradtape._src.ops import resizing

from .case import Case


def triangle(n, m, method, antialias):
    """Linear interpolation between the centres of pixels; where it is smoothed, over a window of several."""
    found = np.zeros((m, n))
    wide = max(n / m, 1) if antialias else 1
    for i in range(m):
        centre = (i + 0.5) * n / m
        centre = centre if antialias else min(max(centre, 0.5), n - 0.5)
        for j in range(n):
            found[i, j] = max(0, 1 - abs(j + 0.5 - centre) / wide)
        found[i] /= found[i].sum()
    return found


def shares(n, m, method, antialias):
    """The mean over what a pixel of the result covers, in steps of a fine grid."""
    fine = np.arange(n * m * 4)
    found = np.zeros((m, n))
    np.add.at(found, (fine // (n * 4), fine // (m * 4)), 1 / (n * 4))
    return found


CASES = [
    Case(
        resizing.resize_weights,
        [5, 3],
        triangle,
        rtol=1e-6,
        params={"method": "bilinear", "antialias": False},
    ),
    Case(
        resizing.resize_weights,
        [3, 7],
        triangle,
        rtol=1e-6,
        params={"method": "bilinear", "antialias": False},
    ),
    Case(
        resizing.resize_weights, [7, 3], triangle, rtol=1e-6, params={"method": "bilinear", "antialias": True}
    ),
    Case(resizing.resize_weights, [5, 3], shares, rtol=1e-6, params={"method": "area", "antialias": False}),
    Case(resizing.nearest_pixels, [5, 3], lambda n, m: np.array([0, 2, 4])),
    Case(resizing.nearest_pixels, [2, 4], lambda n, m: np.array([0, 0, 1, 1])),
]
