"""Operations on the bits of integers. They have no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.op import Binary, Unary
from gradtape._src.ops.arithmetic import INT


def _binary(name: str, kernel: Callable[[Any, Any], Any]) -> Binary:
    return Binary(name, kernel, elementwise=True, accepts=INT, same_dtype=True)


def _shift(shift: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """TensorFlow shifts by 0 for a negative number of bits, and by all but one for too large a number."""

    def kernel(a: Any, bits: Any) -> Any:
        largest = bits.dtype.type(8 * bits.dtype.itemsize - 1)
        return shift(a, np.clip(bits, bits.dtype.type(0), largest))

    return kernel


bitwise_and = _binary("BitwiseAnd", np.bitwise_and)
bitwise_or = _binary("BitwiseOr", np.bitwise_or)
bitwise_xor = _binary("BitwiseXor", np.bitwise_xor)
left_shift = _binary("LeftShift", _shift(np.left_shift))
right_shift = _binary("RightShift", _shift(np.right_shift))
invert = Unary("Invert", np.invert, elementwise=True, accepts=INT)
