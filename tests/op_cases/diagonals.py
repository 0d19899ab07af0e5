"""Rows of ``ops/diagonals.py``. The packed forms are compared with TensorFlow's in tests/api."""

import numpy as np

from gradtape._src.ops import diagonals

from .arrays import ALL, like
from .case import Case, const, normal

MAIN = {"k": (0, 0), "align": "RIGHT_LEFT"}
BANDS = [{"k": (-1, 1), "align": a} for a in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")]
ANY = {"rows": -1, "columns": -1}


def diag_part(x, padding, k, align):
    return x.diagonal(k[0], -2, -1)


CASES = [
    Case(
        diagonals.matrix_diag_part, [normal(2, 3, 4), normal()], diag_part, params=MAIN, dtypes=ALL, wrt=[0]
    ),
    Case(
        diagonals.matrix_diag_part,
        [normal(3, 4), normal()],
        diag_part,
        params={"k": (-2, -2), "align": "RIGHT_LEFT"},
        wrt=[0],
    ),
    *[Case(diagonals.matrix_diag_part, [normal(2, 3, 4), normal()], params=band) for band in BANDS],
    Case(diagonals.matrix_diag_part, [normal(3, 2), normal()], params=BANDS[0], dtypes=ALL),
    Case(diagonals.matrix_set_diag, [normal(2, 3, 4), normal(2, 3)], params=MAIN, dtypes=ALL),
    Case(diagonals.matrix_set_diag, [normal(3, 4), normal(2)], params={"k": (2, 2), "align": "LEFT_LEFT"}),
    *[Case(diagonals.matrix_set_diag, [normal(2, 3, 4), normal(2, 3, 3)], params=band) for band in BANDS],
    Case(
        diagonals.matrix_diag,
        [normal(3), normal()],
        lambda d, p, **_: np.diag(d) + p * (1 - np.eye(3)),
        params=MAIN | ANY,
        dtypes=ALL,
    ),
    Case(
        diagonals.matrix_diag,
        [normal(2, 3), const(0.0)],
        lambda d, p, **_: np.stack([np.diag(row, 1) for row in d]),
        params={"k": (1, 1), "align": "RIGHT_LEFT"} | ANY,
    ),
    *[Case(diagonals.matrix_diag, [normal(2, 3, 3), normal()], params=band | ANY) for band in BANDS],
    Case(
        diagonals.matrix_diag,
        [normal(2, 3), normal()],
        params={"k": (-1, 0), "align": "RIGHT_LEFT", "rows": 4, "columns": 3},
    ),
    Case(
        diagonals.matrix_diag_like,
        [normal(2, 3), like(2, 3, 3)],
        lambda d, like, **_: np.stack([np.diag(row) for row in d]),
        params=MAIN,
        wrt=[0],
        dtypes=ALL,
    ),
    Case(diagonals.matrix_diag_like, [normal(3, 3), like(3, 4)], params=BANDS[1], wrt=[0]),
    Case(diagonals.band_padding, [normal(3, 3), like(3, 4)], params=BANDS[1], wrt=[0], dtypes=ALL),
    Case(diagonals.clear_band, [normal(2, 3, 3)], lambda x, **_: x * (1 - np.eye(3)), params=MAIN),
    Case(diagonals.clear_band, [normal(3, 4)], params=BANDS[0], dtypes=ALL),
    Case(diagonals.tensor_diag, [normal(3)], np.diag, dtypes=ALL),
    Case(diagonals.tensor_diag, [normal(2, 3)], lambda x: np.diag(x.reshape(-1)).reshape(2, 3, 2, 3)),
    Case(diagonals.tensor_diag_part, [normal(3, 3)], np.diagonal, dtypes=ALL),
    Case(
        diagonals.tensor_diag_part, [normal(2, 3, 2, 3)], lambda x: x.reshape(6, 6).diagonal().reshape(2, 3)
    ),
    Case(diagonals.band_part, [normal(3, 4), 1, 0], lambda x, m, n: np.tril(np.triu(x, -1)), dtypes=ALL),
    Case(diagonals.band_part, [normal(2, 3, 3), -1, 1], lambda x, m, n: np.tril(x, 1)),
    Case(diagonals.band_part, [normal(3, 3), const(0), const(-1)], lambda x, m, n: np.triu(x)),
]
