"""Rows of ``ops/variables.py``."""

from gradtape._src.ops.variables import read_variable

from .case import Case, normal

CASES = [
    Case(
        read_variable,
        [normal(3, 4)],
        lambda x: x,
        dtypes=("float64", "float32", "bfloat16", "complex128", "int32"),
    ),
]
