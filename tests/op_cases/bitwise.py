"""Rows of ``ops/bitwise.py``."""

import numpy as np

from gradtape._src.ops import bitwise as ops

from .case import Case, const, integers

_A, _B = integers(-99, 99, 3, 4), integers(-99, 99, 4)
_FAR = [const([5, -5, 5, -5], np.int32), const([-1, -1, 40, 40], np.int32)]

CASES = [
    Case(ops.bitwise_and, [_A, _B], np.bitwise_and),
    Case(ops.bitwise_or, [_A, _B], np.bitwise_or),
    Case(ops.bitwise_xor, [_A, _B], np.bitwise_xor),
    Case(ops.left_shift, [_A, integers(0, 9, 4)], np.left_shift),
    Case(ops.left_shift, _FAR, lambda a, b: np.array([5, -5, -(2**31), -(2**31)], np.int32)),
    Case(ops.right_shift, [_A, integers(0, 9, 4)], np.right_shift),
    Case(ops.right_shift, _FAR, lambda a, b: np.array([5, -5, 0, -1], np.int32)),
    Case(ops.invert, [_A], np.invert),
]
