"""Rows of ``ops/activations.py``."""

import numpy as np
from scipy.special import expit, ndtr

from gradtape._src.ops import activations as a

from .case import Case, away_from_zero, const, normal, uniform

FLOATS = ("float64", "float32", "bfloat16", "float16")
INF = const([-np.inf, np.inf, 0.0, 1.0])


def selu(x):
    x = x.astype(np.float64)
    return a.SELU_SCALE * np.where(x > 0, x, a.SELU_SCALE_ALPHA / a.SELU_SCALE * np.expm1(np.minimum(x, 0)))


def gelu_tanh(x):
    x = x.astype(np.float64)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


wide = lambda f: lambda x, **params: f(x.astype(np.float64), **params)
leaky = lambda x, alpha: np.where(x > 0, x, alpha * x)

CASES = [
    Case(
        a.relu,
        [away_from_zero(3, 4)],
        lambda x: np.where(x > 0, x, 0),
        dtypes=(*FLOATS, "int32", "uint8"),
        edges=[[INF]],
    ),
    Case(a.relu6, [uniform(0.5, 5.5, 3, 4)], wide(lambda x: np.clip(x, 0, 6)), dtypes=FLOATS, edges=[[INF]]),
    Case(a.relu6, [uniform(6.5, 8, 3)], wide(lambda x: np.clip(x, 0, 6))),
    Case(a.relu6, [uniform(-8, -1, 3)], wide(lambda x: np.clip(x, 0, 6))),
    Case(a.leaky_relu, [away_from_zero(3, 4)], wide(leaky), {"alpha": 0.2}, dtypes=FLOATS, edges=[[INF]]),
    Case(a.leaky_relu, [away_from_zero(3, 4)], wide(leaky), {"alpha": 1.5}),
    Case(a.leaky_relu, [away_from_zero(3, 4)], wide(leaky), {"alpha": -0.5}),
    Case(
        a.elu,
        [away_from_zero(3, 4)],
        wide(lambda x: np.where(x > 0, x, np.expm1(x))),
        dtypes=FLOATS,
        edges=[[INF]],
    ),
    Case(a.selu, [away_from_zero(3, 4)], selu, dtypes=FLOATS, edges=[[INF]]),
    Case(a.gelu, [normal(3, 4)], wide(lambda x: x * ndtr(x)), dtypes=FLOATS, edges=[[INF]]),
    Case(a.gelu_slope, [normal(3, 4)], dtypes=FLOATS, edges=[[INF]]),
    Case(a.gelu_tanh, [normal(3, 4)], gelu_tanh, dtypes=FLOATS, edges=[[INF]]),
    Case(a.silu, [normal(3, 4)], wide(lambda x: x * expit(x)), dtypes=FLOATS, edges=[[INF]]),
    Case(a.bias_add, [normal(3, 4), normal(4)], np.add, dtypes=(*FLOATS, "int32", "complex128")),
    Case(
        a.dropped,
        [normal(3, 4), normal(3, 1)],
        np.multiply,
        dtypes=FLOATS,
        edges=[[INF, const([0.0, 0.0, 2.0, 2.0])]],
    ),
    Case(
        a.positive_gate,
        [normal(3, 4), away_from_zero(3, 4)],
        lambda g, y: np.where(y > 0, g, 0),
        wrt=[0],
        dtypes=FLOATS,
    ),
    Case(
        a.between_gate,
        [normal(3, 4), uniform(-2, 8, 3, 4)],
        lambda g, y: np.where((y > 0) & (y < 6), g, 0),
        wrt=[0],
    ),
    Case(a.negative_gate, [normal(3, 4), away_from_zero(3, 4)], lambda g, y: np.where(y < 0, g, 0), wrt=[0]),
    Case(
        a.leaky_gate,
        [normal(3, 4), away_from_zero(3, 4)],
        lambda g, y, alpha: np.where(y > 0, g, alpha * g),
        {"alpha": 0.2},
        wrt=[0],
    ),
]
