"""Rows of ``ops/block_products.py``."""

import numpy as np

from gradtape._src.ops import block_products as b

from .case import Case, normal

FLOATS = ("float64", "float32", "bfloat16", "float16")


def by(text):
    return lambda *xs: np.einsum(text, *[x.astype(np.float64) for x in xs])


CASES = [
    Case(b.block_products, [normal(3, 4, 2), normal(5, 2, 6)], by("kuj,tjb->tkub"), dtypes=FLOATS),
    Case(
        b.block_products_to_sequence,
        [normal(3, 4, 2), normal(5, 3, 4, 6)],
        by("kuj,tkub->tjb"),
        dtypes=FLOATS,
    ),
    Case(
        b.block_products_to_kernel, [normal(5, 3, 4, 6), normal(5, 2, 6)], by("tkub,tjb->kuj"), dtypes=FLOATS
    ),
]
