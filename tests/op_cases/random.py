"""Rows of ``ops/random.py``, ``stateless_random.py``, ``gamma_samples.py``, ``truncated.py``, ``candidates.py``.

What the numbers are is compared with TensorFlow's in ``tests/api/test_random.py``; here the rules are tried. A stream
that does not move makes an operation a function, whose derivatives can be checked.
"""

import numpy as np
from scipy import special, stats

from gradtape._src.core.philox import block
from gradtape._src.ops import candidates as c
from gradtape._src.ops import random as r
from gradtape._src.ops import stateless_random as s
from gradtape._src.ops.gamma_samples import random_gamma_grad
from gradtape._src.ops.index_shuffle import random_index_shuffle
from gradtape._src.ops.truncated import truncated_density, truncated_level

from .case import Case, Make, const, integers, normal, uniform


class Still:
    """A stream that gives the same numbers again and again."""

    def take(self, n):
        return 7, 11

    def __repr__(self):
        return "still"


HERE = {"stream": Still()}
KEY, COUNTER = const([7], np.uint64), const([11, 0], np.uint64)
F32, F64, I32 = (np.dtype(t) for t in (np.float32, np.float64, np.int32))
DOUBLE = ("float64",)


def _words():
    return np.array([block(7, 11), block(7, 12)])


def _uniforms(shape, *_, dtype, **params):
    return ((_words() % 2**23) / 2**23).reshape(-1)[: np.prod(shape)].reshape(shape)


def _normals(shape, *_, dtype, **params):
    u = ((_words() % 2**23) / 2**23).reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(u[:, 0])), 2 * np.pi * u[:, 1]
    out = np.stack([radius * np.sin(angle), radius * np.cos(angle)], 1)
    return out.reshape(-1)[: np.prod(shape)].reshape(shape).astype(np.float32)


def _quantile_slope(alpha, sample):
    """By central differences of SciPy's quantile, of fourth order."""
    level, h = special.gammainc(alpha, sample), 1e-3
    at = lambda e: special.gammaincinv(alpha + e, level)
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def increasing(low, step, *shape):
    """Bounds one above the other do not cross."""
    return Make(lambda rng, dtype: (low + step * rng.uniform(0, 1, size=shape)).astype(dtype))


CASES = [
    Case(r.random_uniform, [(2, 3)], _uniforms, params={"dtype": F32, **HERE}, dtypes=DOUBLE),
    Case(r.random_uniform_full_int, [(2, 3)], params={"dtype": I32, **HERE}, dtypes=DOUBLE),
    Case(
        r.random_standard_normal, [(2, 3)], _normals, params={"dtype": F32, **HERE}, rtol=1e-6, dtypes=DOUBLE
    ),
    Case(r.truncated_normal, [(2, 3)], params={"dtype": F64, **HERE}, dtypes=DOUBLE),
    Case(r.random_uniform_int, [(2, 3), const(1, I32), const(5, I32)], params=HERE, dtypes=DOUBLE),
    # A gradient moves a sample at its quantile, which a fixed proposal is not: see tests/api/test_random.py.
    Case(r.random_gamma, [(2,), uniform(0.3, 5, 3)], params=HERE, order=0),
    Case(
        r.rng_read_and_skip,
        [const(3)],
        lambda delta, stream: np.array([11, 0, 7]),
        params=HERE,
        dtypes=DOUBLE,
    ),
    Case(r.random_poisson, [(2,), uniform(0.3, 50, 3)], params={"dtype": I32, **HERE}),
    Case(
        r.random_binomial,
        [(2, 3), const([5.0, 9.0, 50.0]), const(0.3)],
        params={"dtype": I32, **HERE},
        dtypes=DOUBLE,
    ),
    Case(r.multinomial, [normal(2, 3), 4], params={"dtype": I32, **HERE}),
    Case(r.random_order, [normal(5, 2)], params=HERE),
    Case(r.permute_rows, [normal(3, 2), const([2, 0, 1])], lambda x, order: x[order]),
    Case(s.get_key_counter, [const([1, 2])], dtypes=DOUBLE),
    Case(s.stateless_uniform, [(2, 3), KEY, COUNTER], _uniforms, params={"dtype": F32}, dtypes=DOUBLE),
    Case(s.stateless_uniform_full_int, [(2, 3), KEY, COUNTER], params={"dtype": I32}, dtypes=DOUBLE),
    Case(
        s.stateless_normal, [(2, 3), KEY, COUNTER], _normals, params={"dtype": F32}, rtol=1e-6, dtypes=DOUBLE
    ),
    Case(s.stateless_truncated_normal, [(2, 3), KEY, COUNTER], params={"dtype": F64}, dtypes=DOUBLE),
    Case(s.stateless_uniform_int, [(2, 3), KEY, COUNTER, const(1, I32), const(5, I32)], dtypes=DOUBLE),
    Case(s.stateless_gamma, [(2, 3), KEY, COUNTER, uniform(0.3, 5, 3)], order=0),
    Case(s.stateless_poisson, [(2, 3), KEY, COUNTER, uniform(0.3, 50, 3)], params={"dtype": I32}),
    Case(
        s.stateless_binomial,
        [(2, 3), KEY, COUNTER, const([5.0, 9.0, 50.0]), const(0.3)],
        params={"dtype": I32},
        dtypes=DOUBLE,
    ),
    Case(
        s.stateless_parameterized_truncated_normal,
        [(4, 3), KEY, COUNTER, normal(3), uniform(0.5, 2, 3), increasing(-2, 1, 3), increasing(1, 1, 3)],
        order=0,
        dtypes=DOUBLE,
    ),
    Case(s.stateless_multinomial, [normal(2, 3), 4, KEY, COUNTER], params={"dtype": I32}),
    Case(s.stateless_order, [normal(5, 2), KEY, COUNTER]),
    Case(
        random_gamma_grad,
        [uniform(0.3, 9, 3, 4), uniform(0.1, 9, 4)],
        _quantile_slope,
        rtol=1e-8,
        dtypes=DOUBLE,
        edges=[[const([0.5, 2.0]), const([0.0, 0.0])]],
    ),
    Case(
        truncated_level,
        [uniform(-1, 1, 3), increasing(-3, 1, 3), increasing(1, 2, 3)],
        lambda z, a, b: stats.truncnorm.cdf(z.astype(float), a, b),
        rtol=1e-10,
        edges=[[const(0.5), const(-np.inf), const(1.0)], [const(-30.0), const(-31.0), const(-29.0)]],
    ),
    Case(
        truncated_density,
        [uniform(-1, 1, 3), increasing(-3, 1, 3), increasing(1, 2, 3)],
        lambda t, a, b: stats.truncnorm.pdf(t.astype(float), a, b),
        rtol=1e-10,
        edges=[[const(0.5), const(-np.inf), const(1.0)]],
    ),
    Case(
        random_index_shuffle,
        [integers(0, 9, 5), const([1, 2]), const(9, I32)],
        params={"rounds": 4},
        dtypes=DOUBLE,
    ),
    *(
        Case(
            op,
            [const([[0], [3]])],
            params={"num_sampled": 3, "unique": unique, "range_max": 5, "weights": weights, **HERE},
            dtypes=DOUBLE,
        )
        for unique in (True, False)
        for op, weights in (
            (c.uniform_candidates, None),
            (c.log_uniform_candidates, None),
            (c.unigram_candidates, np.arange(5.0)),
            (c.learned_candidates, c.Counts(5)),
        )
    ),
    Case(c.all_candidates, [const([[0], [3]])], params={"num_sampled": 5}, dtypes=DOUBLE),
]
