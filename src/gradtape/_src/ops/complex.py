"""Between real and complex numbers: parts, conjugate, modulus, argument, sign.

These operations are not holomorphic: their rules say where to conjugate. A cotangent ct of a complex z means
that a step dz changes the target by Re(conj(ct) dz), TensorFlow's convention.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.dtypes import real_np
from gradtape._src.core.op import Binary, Unary
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import COMPLEX, FLOAT, SIGNED, constant
from gradtape._src.ops.arrays import broadcast_like, zeros_like


def is_complex(x: Any) -> bool:
    return dtype_of(x).kind == "c"


def _to_real(name: str, kernel: Any, vjp: Any, jvp: Any, reads: str = "") -> Unary:
    """A real function of a complex number."""
    return Unary(
        name,
        kernel,
        vjp=vjp,
        jvp=lambda ts, y, x: jvp(ts[0], y, x),
        reads=reads,
        elementwise=True,
        holomorphic=False,
        accepts=COMPLEX,
        dtype=lambda x: real_np(dtype_of(x)),
    )


# --- Parts --------------------------------------------------------------------------------------------------

_conj = Unary(
    "Conj",
    np.conjugate,
    vjp=lambda g, y, x: conj(g),
    jvp=lambda ts, y, x: conj(ts[0]),
    reads="",
    elementwise=True,
    holomorphic=False,
    accepts=COMPLEX,
)


def conj(x: Any) -> Any:
    """The complex conjugate; a real argument is returned as it is."""
    return _conj(x) if dtype_of(x).kind == "c" else x


real = _to_real(
    "Real", lambda x: x.real, lambda g, y, x: make_complex(g, zeros_like(g)), lambda t, y, x: real(t)
)
imag = _to_real(
    "Imag", lambda x: x.imag, lambda g, y, x: make_complex(zeros_like(g), g), lambda t, y, x: imag(t)
)


def _make_complex(a: Any, b: Any) -> Any:
    out = np.empty(np.broadcast(a, b).shape, np.complex64 if a.dtype.itemsize == 4 else np.complex128)
    out.real, out.imag = a, b
    return out


def _complex_tangent(ts: Any, y: Any, a: Any, b: Any) -> Any:
    s, t = ts
    total = make_complex(zeros_like(t) if s is None else s, zeros_like(s) if t is None else t)
    return total if shape_of(total) == shape_of(y) else broadcast_like(total, y)


make_complex = Binary(
    "Complex",
    _make_complex,
    vjp=(lambda g, y, a, b: real(g), lambda g, y, a, b: imag(g)),
    jvp=_complex_tangent,
    reads="",
    elementwise=True,
    holomorphic=False,
    accepts="float32 float64",
    same_dtype=True,
    dtype=lambda a, b: np.dtype(np.complex64 if dtype_of(a).itemsize == 4 else np.complex128),
)
"""a + i b"""


def _scaled(z: Any, r: Any) -> Any:
    """z r for a real r."""
    return make_complex(real(z) * r, imag(z) * r)


def _distance_rule(g: Any, difference: Any) -> Any:
    """y = |a - b|² changes by 2 Re(conj(a - b) da)."""
    return _scaled(difference + difference, real(g))


def _distance_tangent(ts: Any, y: Any, a: Any, b: Any) -> Any:
    s, t = ts
    step = -t if s is None else s if t is None else s - t
    d = a - b
    size = real(conj(d) * step)
    return make_complex(size + size, zeros_like(size))


complex_squared_difference = Binary(
    "SquaredDifference",
    lambda a, b: (a - b) * np.conjugate(a - b),
    vjp=(lambda g, y, a, b: _distance_rule(g, a - b), lambda g, y, a, b: _distance_rule(g, b - a)),
    jvp=_distance_tangent,
    reads=("a b", "a b"),
    elementwise=True,
    holomorphic=False,
    accepts=COMPLEX,
    same_dtype=True,
)
"""|a - b|², as a complex number."""


# --- Modulus, sign, argument --------------------------------------------------------------------------------

real_abs = Unary(
    "Abs",
    np.abs,
    vjp=lambda g, y, x: g * sign(x),
    reads="x",
    elementwise=True,
    accepts=f"{FLOAT} {SIGNED}",
)

complex_abs = _to_real(
    "ComplexAbs",
    np.abs,
    lambda g, y, x: _scaled(sign(x), g),
    lambda t, y, x: real(conj(sign(x)) * t),
    reads="x",
)


def absolute(x: Any) -> Any:
    """|x| of a real or complex number."""
    return complex_abs(x) if is_complex(x) else real_abs(x)


def _sign_slope(g: Any, y: Any, x: Any) -> Any:
    """What both the vjp and the jvp of sign are: its Jacobian is symmetric.

    A step along z changes z / |z| by nothing, a step across it turns it by i Im(conj(sign z) dz) / |z|.
    """
    if not is_complex(x):
        return zeros_like(g)
    turn = imag(conj(y) * g) / absolute(x)
    return make_complex(-(imag(y) * turn), real(y) * turn)


sign = Unary(
    "Sign",
    np.sign,
    vjp=_sign_slope,
    jvp=lambda ts, y, x: _sign_slope(ts[0], y, x),
    reads="y x",
    elementwise=True,
    holomorphic=False,
    accepts=f"{FLOAT} {SIGNED} {COMPLEX}",
)
"""z / |z|, and 0 at 0."""


def _angle_rule(g: Any, y: Any, x: Any) -> Any:
    r = absolute(x)
    return make_complex(-(g * (imag(x) / r) / r), g * (real(x) / r) / r)


angle = _to_real(
    "Angle", lambda x: np.arctan2(x.imag, x.real), _angle_rule, lambda t, y, x: imag(t / x), reads="x"
)

angle_of_real = Unary(
    "AngleOfReal",
    lambda x: np.where(x < 0, constant(np.pi, x.dtype), constant(0, x.dtype)),
    elementwise=True,
    accepts=FLOAT,
)
"""pi for a negative number, and 0 else."""
