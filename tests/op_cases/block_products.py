"""Rows of ``ops/block_products.py``."""

import numpy as np

from gradtape._src.ops import block_products as b

from .case import Case, normal

FLOATS = ("float64", "float32", "bfloat16", "float16")


def by(text):
    return lambda *xs: np.einsum(text, *[x.astype(np.float64) for x in xs])


def as_blocks(w, gates, first):
    parts = np.split(w, gates, axis=1)
    return np.stack([part.T for part in parts[first:] + parts[:first]])


CASES = [
    Case(b.as_blocks, [normal(2, 6)], as_blocks, {"gates": 3, "first": 0}),
    Case(b.as_blocks, [normal(2, 6)], as_blocks, {"gates": 3, "first": 2}),
    Case(b.from_blocks, [normal(3, 4, 2)], params={"gates": 3, "first": 2}),
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
