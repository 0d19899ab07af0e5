"""Activation functions of neural networks, as fused operations.

Piecewise ones multiply the cotangent by a mask: ten times as fast as choosing with ``np.where``, which serves
the absorbing form, where a masked infinity must not become a NaN. The others multiply it by their slope, a
function written in operations, so that every order of derivative follows.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Op, Unary
from gradtape._src.native import elementwise as native
from gradtape._src.ops.arithmetic import FLOAT, INT, NUMBER, constant
from gradtape._src.ops.elementwise import exp, rounded_once, sigmoid, tanh

# --- Piecewise linear ---------------------------------------------------------------------------------------


def _gate(
    name: str, opens: Callable[[Any], Any], compiled: Callable[[Any, Any], Any] = lambda g, y: None
) -> Binary:
    """g where ``opens(y)``, 0 elsewhere: the derivative of a function that is x there and constant elsewhere."""

    def kernel(g: Any, y: Any) -> Any:
        found = compiled(g, y)
        return g * opens(y) if found is None else found

    rules: dict[str, Any] = {
        "vjp": (lambda h, z, g, y: gate(h, y), None),
        "reads": ("y", ""),
        "vanishing": (1,),
        "elementwise": True,
        "linear": (0,),
        "accepts": FLOAT,
    }
    careful = Binary(name + "Absorbing", lambda g, y: np.where(opens(y), g, constant(0, g.dtype)), **rules)
    gate = Binary(name, kernel, absorbing=careful, **rules)
    return gate


positive_gate = _gate("ReluGrad", lambda y: y > constant(0, y.dtype), native.relu_gate)


def _relu(x: Any) -> Any:
    y = native.relu(x)
    return np.maximum(x, constant(0, x.dtype)) if y is None else y


relu = Unary(
    "Relu",
    _relu,
    vjp=lambda g, y, x: positive_gate(g, y),
    reads="y",
    elementwise=True,
    accepts=f"{FLOAT} {INT}",
)
"""max(x, 0); the slope at 0 is 0."""

between_gate = _gate("Relu6Grad", lambda y: (y > constant(0, y.dtype)) & (y < constant(6, y.dtype)))

relu6 = Unary(
    "Relu6",
    lambda x: np.minimum(np.maximum(x, constant(0, x.dtype)), constant(6, x.dtype)),
    vjp=lambda g, y, x: between_gate(g, y),
    reads="y",
    elementwise=True,
    accepts=f"{FLOAT} {INT}",
)
"""min(max(x, 0), 6); the slope at 0 and at 6 is 0."""


def _leaky_relu(x: Any, alpha: float) -> Any:
    if 0 <= alpha <= 1:
        return np.maximum(x, x * constant(alpha, x.dtype))
    return np.where(x > constant(0, x.dtype), x, x * constant(alpha, x.dtype))


def _leaky_gate(g: Any, x: Any, alpha: float) -> Any:
    slopes = np.where(x > constant(0, x.dtype), constant(1, g.dtype), constant(alpha, g.dtype))
    return np.multiply(slopes, g)


leaky_relu = Op(
    "LeakyRelu",
    _leaky_relu,
    vjp=lambda g, y, x, alpha: leaky_gate(g, x, alpha=alpha),
    reads="x",
    elementwise=True,
    accepts=FLOAT,
)
"""x where it is positive, alpha x elsewhere; the slope at 0 is alpha."""

leaky_gate = Op(
    "LeakyReluGrad",
    _leaky_gate,
    vjp=(lambda h, z, g, x, alpha: leaky_gate(h, x, alpha=alpha), None),
    reads=("x", ""),
    vanishing=(1,),
    elementwise=True,
    linear=(0,),
    accepts=FLOAT,
)


# --- Exponential units --------------------------------------------------------------------------------------

negative_gate = _gate("BelowZero", lambda x: x < constant(0, x.dtype))


def _exponential_unit(name: str, above: float, below: float) -> Unary:
    """above * x where x is positive, below * (e^x - 1) elsewhere."""

    def kernel(x: Any) -> Any:
        zero = constant(0, x.dtype)
        rest = np.expm1(np.minimum(x, zero))
        if below != 1:
            rest *= constant(below, x.dtype)
        top = np.maximum(x, zero)
        if above != 1:
            top *= constant(above, x.dtype)
        return top + rest

    def slope_kernel(x: Any) -> Any:
        zero = constant(0, x.dtype)
        slopes = np.exp(np.minimum(x, zero))
        if above != below:
            slopes *= np.where(x < zero, constant(below, x.dtype), constant(above, x.dtype))
        return slopes

    rules: dict[str, Any] = {"elementwise": True, "accepts": FLOAT}
    slope = Unary(
        name + "Slope",
        rounded_once(slope_kernel),
        lambda g, y, x: negative_gate(g * y, x),
        reads="y x",
        **rules,
    )
    return Unary(name, rounded_once(kernel), lambda g, y, x: g * slope(x), reads="x", **rules)


SELU_SCALE = 1.0507009873554804934193349852946  # Klambauer et al. 2017, equation 14
SELU_SCALE_ALPHA = 1.7580993408473768599402175208123

elu = _exponential_unit("Elu", 1.0, 1.0)
selu = _exponential_unit("Selu", SELU_SCALE, SELU_SCALE_ALPHA)


# --- A number times a sigmoid of it -------------------------------------------------------------------------


def _lowest(x: Any) -> Any:
    """The least finite number: what times 0 is 0."""
    return constant(float(np.finfo(x.dtype).min), x.dtype)


@rounded_once
def _gelu(x: Any) -> Any:
    from scipy.special import ndtr  # start-up cost: SciPy is loaded when first used

    return np.maximum(x, _lowest(x)) * ndtr(x)


@rounded_once
def _gelu_slope(x: Any) -> Any:
    from scipy.special import ndtr  # start-up cost: SciPy is loaded when first used

    near = np.clip(x, constant(-60, x.dtype), constant(60, x.dtype))  # beyond it the density is 0
    return ndtr(x) + near * np.exp(near * near * constant(-0.5, x.dtype)) * constant(
        1 / sqrt(2 * pi), x.dtype
    )


gelu = Unary("Gelu", _gelu, lambda g, y, x: g * gelu_slope(x), reads="x", elementwise=True, accepts=FLOAT)
"""x Φ(x), where Φ is the distribution function of the standard normal distribution."""

gelu_slope = Unary(
    "GeluSlope",
    _gelu_slope,
    lambda g, y, x: g * ((2 - x * x) * exp(x * x * -0.5) * (1 / sqrt(2 * pi))),
    reads="x",
    elementwise=True,
    accepts=FLOAT,
)
"""Φ(x) + x φ(x); its own slope is (2 - x²) φ(x)."""

_BEND, _CUBIC = sqrt(2 / pi), 0.044715


@rounded_once
def _gelu_tanh(x: Any) -> Any:
    bent = constant(_BEND, x.dtype) * (x + constant(_CUBIC, x.dtype) * (x * x * x))
    half = constant(0.5, x.dtype)
    return np.maximum(x, _lowest(x)) * (half + half * np.tanh(bent))


def _gelu_tanh_rule(g: Any, y: Any, x: Any) -> Any:
    square = x * x
    t = tanh(x * _BEND * (1 + _CUBIC * square))
    return g * (0.5 + 0.5 * t + x * (1 - t * t) * (0.5 * _BEND + (1.5 * _BEND * _CUBIC) * square))


gelu_tanh = Unary("GeluTanh", _gelu_tanh, _gelu_tanh_rule, reads="x", elementwise=True, accepts=FLOAT)
"""x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2"""


@rounded_once
def _silu(x: Any) -> Any:
    one = constant(1, x.dtype)
    return np.maximum(x, _lowest(x)) / (one + np.exp(-x))


def _silu_rule(g: Any, y: Any, x: Any) -> Any:
    s = sigmoid(x)
    return g * (s + x * (s - s * s))


silu = Unary("Silu", _silu, _silu_rule, reads="x", elementwise=True, accepts=FLOAT)
"""x sigmoid(x)"""


# --- Dropout ------------------------------------------------------------------------------------------------


def _dropped(x: Any, factor: Any) -> Any:
    zero = constant(0, x.dtype)
    y = x * factor + zero  # no zero is negative
    if np.isnan(y).any():  # what is dropped may be infinite
        y = np.where(factor == 0, zero, y)
    return y


dropped = Binary(
    "Dropped",
    _dropped,
    vjp=(lambda g, y, x, factor: dropped(g, factor), lambda g, y, x, factor: g * x),
    reads=("factor", "x"),
    elementwise=True,
    accepts=FLOAT,
    same_dtype=True,
)
"""x times a factor, and 0 where the factor is 0, whatever x is."""


# --- Bias ---------------------------------------------------------------------------------------------------

bias_add = Binary(
    "BiasAdd",
    np.add,
    vjp=(lambda g, y, x, bias: g, lambda g, y, x, bias: g),
    reads="",
    elementwise=True,
    linear=(0, 1),
    accepts=NUMBER,
    same_dtype=True,
)
"""The sum, of a name of its own; the bias broadcasts."""
