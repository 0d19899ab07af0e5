"""Rows of ``ops/comparison.py``."""

import numpy as np

from gradtape._src.ops import comparison as ops

from .arithmetic import ALL, REAL
from .case import Case, booleans, const, integers, normal

_BAD = const([np.inf, np.nan, 1.0, -np.inf])

CASES = [
    *(
        Case(op, [normal(3, 4), normal(4)], ref, dtypes=REAL)
        for op, ref in [
            (ops.less, np.less),
            (ops.less_equal, np.less_equal),
            (ops.greater, np.greater),
            (ops.greater_equal, np.greater_equal),
        ]
    ),
    Case(ops.equal, [normal(3, 4), normal(4)], np.equal, dtypes=ALL),
    Case(ops.equal, [integers(0, 3, 3, 4), integers(0, 3, 4)], np.equal),
    Case(ops.not_equal, [normal(3, 4), normal(4)], np.not_equal, dtypes=ALL),
    Case(ops.not_equal, [const([b"a", b"b"], object), const([b"a", b"c"], object)], lambda a, b: a != b),
    Case(ops.equal_or_false, [integers(0, 3, 3, 4), integers(0, 3, 4)], np.equal),
    Case(ops.equal_or_false, [integers(0, 3, 3), integers(0, 3, 4)], lambda a, b: np.False_),
    Case(ops.not_equal_or_true, [integers(0, 3, 3), integers(0, 3, 4)], lambda a, b: np.True_),
    Case(ops.logical_and, [booleans(3, 4), booleans(4)], np.logical_and),
    Case(ops.logical_or, [booleans(3, 4), booleans(4)], np.logical_or),
    Case(ops.logical_xor, [booleans(3, 4), booleans(4)], np.logical_xor),
    Case(ops.logical_not, [booleans(3, 4)], np.logical_not),
    *(
        case
        for op, ref in [(ops.is_finite, np.isfinite), (ops.is_inf, np.isinf), (ops.is_nan, np.isnan)]
        for case in (Case(op, [_BAD], ref), Case(op, [normal(3)], ref, dtypes=REAL))
    ),
]
