"""Rows of ``ops/complex.py``."""

import numpy as np

from gradtape._src.ops.complex import (
    _conj,
    angle,
    angle_of_real,
    complex_abs,
    complex_squared_difference,
    imag,
    make_complex,
    real,
    real_abs,
    sign,
)

from .arithmetic import ALL, REAL, ZERO
from .case import Case, Make, away_from_zero, const, integers, normal

COMPLEX = ("complex128", "complex64")
ZERO_C = const([0j, 0j])


def _complex(*shape: int) -> Make:
    """Complex numbers of size 0.5 at least, in complex128 unless the test asks for a complex dtype."""

    def make(rng, dtype):
        z = (0.5 + rng.uniform(0, 1, shape)) * np.exp(1j * rng.uniform(-3, 3, shape))
        return z.astype(dtype if dtype.kind == "c" else np.complex128)

    return Make(make)


CASES = [
    Case(_conj, [_complex(3, 4)], np.conj, dtypes=COMPLEX),
    Case(real, [_complex(3, 4)], np.real, dtypes=COMPLEX),
    Case(imag, [_complex(3, 4)], np.imag, dtypes=COMPLEX),
    Case(make_complex, [normal(3, 1), normal(4)], lambda a, b: a + 1j * b),
    Case(
        complex_squared_difference,
        [_complex(3, 1), _complex(4)],
        lambda a, b: (a - b) * np.conj(a - b),
        dtypes=COMPLEX,
    ),
    Case(real_abs, [away_from_zero(3, 4)], np.abs, dtypes=REAL, edges=[[ZERO]]),
    Case(real_abs, [integers(-5, 5, 4)], np.abs),
    Case(complex_abs, [_complex(3, 4)], np.abs, dtypes=COMPLEX, edges=[[ZERO_C]]),
    Case(sign, [away_from_zero(3, 4)], np.sign, dtypes=ALL, edges=[[ZERO]]),
    Case(sign, [_complex(3, 4)], lambda z: z / np.abs(z), dtypes=COMPLEX, edges=[[ZERO_C]]),
    Case(sign, [integers(-5, 5, 4)], np.sign),
    Case(angle, [_complex(3, 4)], np.angle, dtypes=COMPLEX, edges=[[ZERO_C]]),
    Case(
        angle_of_real,
        [away_from_zero(3, 4)],
        lambda x: np.angle(x).astype(x.dtype),
        dtypes=("float64", "float32"),
    ),
]
