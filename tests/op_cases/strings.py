"""Rows of ``ops/strings.py``."""

import numpy as np

from gradtape._src.ops.strings import join_strings

from .case import Case, const

A = np.array([[b"a", b"bc"]], object)

CASES = [
    Case(join_strings, [const(A), const(np.array([[b"x"], [b""]], object))], np.add),
    Case(join_strings, [const(A), const(np.array(b"!", object))], np.add),
]
