"""Bessel functions.

The derivatives of all kinds follow from neighbouring orders, C'_n = (C_{n-1} ± C_{n+1}) / 2, which holds at 0
too and to any order; NIST Handbook of Mathematical Functions, 10.6 and 10.29. Kernels are SciPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape._src.core.op import Op, Unary
from gradtape._src.ops.arithmetic import FLOAT
from gradtape._src.ops.complex import sign
from gradtape._src.ops.special import scipy_kernel

Slope = Callable[[int, Callable[[int], Any], Any, Any], Any]
"""``slope(n, at, y, x)``: the derivative in order n, where ``at(k)`` is the one of order k."""


def _first(n: int, at: Any, y: Any, x: Any) -> Any:
    return (at(n - 1) - at(n + 1)) * 0.5


def _modified(n: int, at: Any, y: Any, x: Any) -> Any:
    return (at(n - 1) + at(n + 1)) * 0.5


def _modified_scaled(n: int, at: Any, y: Any, x: Any) -> Any:
    return (at(n - 1) + at(n + 1)) * 0.5 - sign(x) * y


def _second_modified(n: int, at: Any, y: Any, x: Any) -> Any:
    return (at(n - 1) + at(n + 1)) * -0.5


def _second_modified_scaled(n: int, at: Any, y: Any, x: Any) -> Any:
    return y - at(1) if n == 0 else y * (1 - n / x) - at(n - 1)  # at 0 it is -inf, where K_{n+1} gives NaN


def _any_order(name: str, function: str, slope: Slope) -> Op:
    """The function of order n, a parameter."""
    kernel = scipy_kernel(function)
    op = Op(
        name,
        lambda x, n: kernel(x.dtype.type(n), x),
        vjp=lambda g, y, x, n: g * slope(n, lambda k: op(x, n=k), y, x),
        elementwise=True,
        accepts=FLOAT,
    )
    return op


def _orders_0_and_1(names: str, functions: str, family: Op, slope: Slope, mirror: int) -> tuple[Unary, Unary]:
    """The functions of orders 0 and 1, which SciPy computes faster. C_{-1} = mirror C_1."""

    def at(k: int, x: Any) -> Any:
        if k == -1:
            return one(x) if mirror > 0 else -one(x)
        return family(x, n=k) if k > 1 else one(x) if k else zero(x)

    def of_order(n: int) -> Unary:
        return Unary(
            names.split()[n],
            scipy_kernel(functions.split()[n]),
            vjp=lambda g, y, x: g * slope(n, lambda k: at(k, x), y, x),
            elementwise=True,
            accepts=FLOAT,
        )

    zero, one = of_order(0), of_order(1)
    return zero, one


bessel_j = _any_order("BesselJ", "jv", _first)
bessel_y = _any_order("BesselY", "yv", _first)
bessel_i = _any_order("BesselI", "iv", _modified)
bessel_ie = _any_order("BesselIe", "ive", _modified_scaled)
bessel_k = _any_order("BesselK", "kv", _second_modified)
bessel_ke = _any_order("BesselKe", "kve", _second_modified_scaled)

bessel_j0, bessel_j1 = _orders_0_and_1("BesselJ0 BesselJ1", "j0 j1", bessel_j, _first, -1)
bessel_y0, bessel_y1 = _orders_0_and_1("BesselY0 BesselY1", "y0 y1", bessel_y, _first, -1)
bessel_i0, bessel_i1 = _orders_0_and_1("BesselI0 BesselI1", "i0 i1", bessel_i, _modified, 1)
bessel_i0e, bessel_i1e = _orders_0_and_1("BesselI0e BesselI1e", "i0e i1e", bessel_ie, _modified_scaled, 1)
bessel_k0, bessel_k1 = _orders_0_and_1("BesselK0 BesselK1", "k0 k1", bessel_k, _second_modified, 1)
bessel_k0e, bessel_k1e = _orders_0_and_1(
    "BesselK0e BesselK1e", "k0e k1e", bessel_ke, _second_modified_scaled, 1
)
