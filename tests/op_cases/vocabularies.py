"""Rows of ``ops/vocabularies.py``."""

import numpy as np

from gradtape._src.ops.vocabularies import Vocabulary, look_up, ngrams, split_rows

from .case import Case, const

TABLE = Vocabulary([(b"a", 3), (b"b", 4)], -1, np.int64)
TEXTS = const(np.array([b"a b  c", b"", b"b a"], object))
WORDS = const(np.array([[b"a", b"x"], [b"b", b""]], object))

CASES = [
    Case(look_up, [WORDS], lambda x, *, table: np.array([[3, -1], [4, -1]]), {"table": TABLE}),
    Case(
        split_rows,
        [TEXTS],
        lambda x, *, how: np.array([[b"a", b"b", b"c"], [b"", b"", b""], [b"b", b"a", b""]], object),
        {"how": "whitespace"},
        dynamic=True,
    ),
    Case(
        ngrams,
        [WORDS],
        lambda x, *, widths: np.array([[b"a", b"x", b"a x"], [b"b", b"", b""]], object),
        {"widths": (1, 2)},
        dynamic=True,
    ),
]
