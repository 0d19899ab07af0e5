"""Rows of ``ops/sparse.py``."""

import numpy as np

from gradtape._src.ops.sparse import dots, matrix_product, to_dense

from .case import Case, const, normal

PLACES = [[0, 1], [0, 3], [2, 1], [2, 1], [1, 0]]  # one twice: they add up
INDICES, SIZES = const(PLACES, np.int64), const([3, 4], np.int64)
NUMBERS = ("float32", "float64", "complex64", "complex128", "int32")


def matrix(values):
    out = np.zeros((3, 4), values.dtype)
    np.add.at(out, tuple(np.array(PLACES).T), values)
    return out


def product(indices, values, sizes, b, transposed):
    return (matrix(values).T if transposed else matrix(values)) @ b


def at_places(indices, sizes, g, b, transposed):
    rows, columns = np.array(PLACES).T[:: -1 if transposed else 1]
    return np.sum(g[rows] * b[columns], 1)


def made_dense(indices, sizes, values, default, validate):
    out = np.full(sizes, default)
    out[tuple(indices.T)] = values
    return out


CASES = [
    Case(
        matrix_product,
        [INDICES, normal(5), SIZES, normal(4, 2)],
        product,
        {"transposed": False},
        dtypes=NUMBERS,
    ),
    Case(
        matrix_product,
        [INDICES, normal(5), SIZES, normal(3, 2)],
        product,
        {"transposed": True},
        dtypes=NUMBERS,
    ),
    Case(
        dots, [INDICES, SIZES, normal(3, 2), normal(4, 2)], at_places, {"transposed": False}, dtypes=NUMBERS
    ),
    Case(dots, [INDICES, SIZES, normal(4, 2), normal(3, 2)], at_places, {"transposed": True}, dtypes=NUMBERS),
    Case(
        to_dense,
        [const([[0, 1], [2, 0], [2, 3]], np.int64), SIZES, normal(3), normal()],
        made_dense,
        {"validate": True},
        dtypes=NUMBERS,
    ),
]
