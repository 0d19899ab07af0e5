"""Rows of ``ops/morphology.py``: against a loop over the taps."""

import numpy as np

from gradtape._src.ops import morphology as m

from .case import Case, const, distinct, normal
from .convolution import linear_transpose, sliding, taps


def sums(x, w, **params):
    pads, _, places = taps(x.shape, (*w.shape, 1), **params)
    padded = np.pad(x.astype(np.float64), pads, constant_values=-np.inf)
    return np.stack([padded[where] + w[tap].astype(np.float64) for tap, where in places])


def dilation(x, w, **params):
    return sums(x, w, **params).max(0)


def pick_input(v, x, w, y, **params):
    pads, _, places = taps(x.shape, (*w.shape, 1), **params)
    padded = np.pad(v, pads)
    return np.choose(sums(x, w, **params).argmax(0), [padded[where] for _, where in places])


def pick_filter(v, x, w, y, **params):
    first = sums(x, w, **params).argmax(0)
    return np.choose(first, list(v.reshape(-1, v.shape[-1])))


def to_input(g, x, w, y, **params):
    return linear_transpose(lambda v: pick_input(v, x, w, y, **params), x.shape, g)


def to_filter(g, x, w, y, **params):
    return linear_transpose(lambda v: pick_filter(v, x, w, y, **params), w.shape, g)


def rows(shape, window, params):
    x, w = distinct(*shape), normal(*window)
    xs, ws = x(np.random.default_rng(5)), w(np.random.default_rng(6))
    y = dilation(xs, ws, **params)
    given = [const(xs), const(ws), const(y)]
    return [
        Case(m.dilation, [x, w], dilation, params, dtypes=("float64", "float32", "bfloat16", "float16")),
        Case(m.dilation_to_input, [normal(*y.shape), *given], to_input, params),
        Case(m.dilation_to_filter, [normal(*y.shape), *given], to_filter, params),
        Case(m.dilation_pick_input, [normal(*shape), *given], pick_input, params),
        Case(m.dilation_pick_filter, [normal(*window), *given], pick_filter, params),
    ]


CASES = [
    *rows((2, 4, 3, 2), (2, 2, 2), sliding(1, 1, padding="SAME")),
    *rows((1, 5, 5, 1), (2, 3, 1), sliding(2, 1)),
    *rows((1, 5, 5, 1), (2, 2, 1), sliding(1, 1, dilations=(2, 1))),
]
