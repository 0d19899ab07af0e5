"""Rows of ``ops/normalization.py``."""

import numpy as np

from gradtape._src.ops import normalization as n

from .case import Case, normal, uniform

FLOATS = ("float64", "float32", "bfloat16", "float16")


def batch_norm(x, scale, offset, epsilon):
    axes = tuple(range(x.ndim - 1))
    mean, variance = x.mean(axes), x.var(axes)
    return (x - mean) / np.sqrt(variance + epsilon) * scale + offset, mean, variance


def neighbours(x, radius):
    x = x.astype(np.float64)
    c = np.arange(x.shape[-1])
    return x @ (np.abs(c[:, None] - c) <= radius)


def lrn(x, depth_radius, bias, alpha, beta):
    x = x.astype(np.float64)
    return x / (bias + alpha * neighbours(x**2, depth_radius)) ** beta


CASES = [
    Case(n.batch_norm, [normal(2, 3, 2, 4), uniform(0.5, 2, 4), normal(4)], batch_norm, {"epsilon": 1e-3}),
    Case(n.batch_norm, [normal(5, 2), uniform(0.5, 2, 2), normal(2)], batch_norm, {"epsilon": 1e-3}),
    Case(n.unbiased, [normal(3), normal(2, 2, 3)], lambda v, like: v * 4 / 3, wrt=[0]),
    Case(n.row_count, [normal(2, 2, 3)], lambda like: np.array(4.0)),
    Case(n.neighbours, [normal(2, 5)], neighbours, {"radius": 1}, dtypes=FLOATS),
    Case(n.neighbours, [normal(2, 3)], neighbours, {"radius": 7}),
    Case(
        n.lrn,
        [normal(1, 2, 2, 5)],
        lrn,
        {"depth_radius": 1, "bias": 1.0, "alpha": 0.5, "beta": 0.75},
        dtypes=FLOATS,
    ),
]
