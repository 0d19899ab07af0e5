"""Rows of ``ops/strings.py``."""

import numpy as np

from gradtape._src.ops.strings import (
    as_string,
    join_strings,
    reduce_join,
    regex_full_match,
    regex_replace,
    segment_join,
    string_join,
    string_length,
    string_lower,
    string_strip,
    string_to_number,
    string_upper,
    substr,
    to_hash_bucket,
    to_hash_bucket_strong,
)
from gradtape._src.ops.strings_cut import (
    bytes_rows,
    character_rows,
    code_point_rows,
    split_rows,
    string_ngrams,
    unicode_encode,
    unicode_transcode,
)

from .case import Case, const

A = np.array([[b"a", b"bc"]], object)

CASES = [
    Case(join_strings, [const(A), const(np.array([[b"x"], [b""]], object))], np.add),
    Case(join_strings, [const(A), const(np.array(b"!", object))], np.add),
]


def each(function, dtype=object):
    """A reference: a Python function of each element."""

    def ref(x, *more, **params):
        return np.frompyfunc(lambda *items: function(*items, **params), 1 + len(more), 1)(x, *more).astype(
            dtype
        )

    return ref


WORDS = const(np.array([[b" ab1", b"Cd2 "], [b"", "é".encode()]], object))
CASED = {"encoding": ""}
PLAIN = {"precision": -1, "scientific": False, "shortest": False, "width": -1, "fill": ""}

CASES += [
    Case(string_length, [WORDS], each(lambda s, unit: len(s), np.int32), {"unit": "BYTE"}),
    Case(string_length, [WORDS], each(lambda s, unit: len(s.decode()), np.int32), {"unit": "UTF8_CHAR"}),
    Case(string_lower, [WORDS], each(lambda s, encoding: s.lower()), CASED),
    Case(string_upper, [WORDS], each(lambda s, encoding: s.upper()), CASED),
    Case(string_upper, [WORDS], each(lambda s, encoding: s.decode().upper().encode()), {"encoding": "utf-8"}),
    Case(string_strip, [WORDS], each(bytes.strip)),
    Case(
        regex_replace,
        [WORDS],
        each(lambda s, **_: s.replace(b"1", b"<1>").replace(b"2", b"<2>")),
        {"pattern": r"(\d)", "rewrite": r"<\1>", "everywhere": True},
    ),
    Case(regex_full_match, [WORDS], each(lambda s, pattern: s == b" ab1", bool), {"pattern": r".*\d"}),
    Case(to_hash_bucket, [WORDS], None, {"buckets": 5}),
    Case(to_hash_bucket_strong, [WORDS], None, {"buckets": 5, "key": (3, 4)}),
    Case(
        string_to_number,
        [const(np.array([b"1.5", b"-2e3"], object))],
        lambda x, dtype: x.astype(dtype),
        {"dtype": np.dtype(np.float32)},
    ),
    Case(
        string_to_number,
        [const(np.array([[b"7"], [b"-3"]], object))],
        lambda x, dtype: x.astype(dtype),
        {"dtype": np.dtype(np.int64)},
    ),
    Case(as_string, [const([1.5, -2.25])], each(lambda x, **_: b"%f" % x), PLAIN),
    Case(
        as_string, [const([[5], [-7]])], each(lambda x, **_: b"%04d" % x), {**PLAIN, "width": 4, "fill": "0"}
    ),
    Case(as_string, [const([True, False])], each(lambda x, **_: str(x).lower().encode()), PLAIN),
    Case(
        substr,
        [WORDS, const(0, np.int32), const([1, 2], np.int32)],
        each(lambda s, pos, n, unit: s[pos : pos + n]),
        {"unit": "BYTE"},
    ),
    Case(string_join, [const(A), const(A)], each(lambda a, b, separator: a + b"-" + b), {"separator": "-"}),
    Case(
        string_join,
        [const(A), const(np.array(b"x", object))],
        each(lambda a, b, separator: a + b),
        {"separator": ""},
    ),
    Case(
        reduce_join,
        [WORDS],
        lambda x, axes, keepdims, separator: np.array([b"-".join(row) for row in x], object)[:, None],
        {"axes": (1,), "keepdims": True, "separator": "-"},
    ),
    Case(
        reduce_join,
        [WORDS],
        lambda x, axes, keepdims, separator: np.array(b"".join(x.reshape(-1)), object),
        {"axes": (0, 1), "keepdims": False, "separator": ""},
    ),
    Case(
        segment_join,
        [WORDS, const([1, 0], np.int32)],
        lambda x, ids, n, separator: np.concatenate([x[::-1], np.full((1, 2), b"", object)]),
        {"n": 3, "separator": "-"},
    ),
]


def rows(cut, dtype=object):
    """A reference: the pieces of each element in turn, and where they begin and end."""

    def ref(x, **params):
        found = [cut(item, **params) for item in x.reshape(-1)]
        values = np.empty(sum(map(len, found)), dtype)
        values[:] = [piece for row in found for piece in row]
        return values, np.concatenate([[0], np.cumsum([len(row) for row in found])])

    return ref


TEXTS = const(np.array([b"a,b,c", "né".encode(), b""], object))
UTF_8 = {"encoding": "utf-8", "errors": "replace", "replacement": 0xFFFD}
GRAMS = {"widths": (2,), "separator": "-", "pads": None, "padding": -1}

CASES += [
    Case(
        split_rows,
        [TEXTS],
        rows(lambda s, separator, maxsplit: s.split(b",", 1)),
        {"separator": ",", "maxsplit": 1},
        dynamic=True,
    ),
    Case(bytes_rows, [TEXTS], rows(lambda s: [bytes([b]) for b in s]), dynamic=True),
    Case(character_rows, [TEXTS], rows(lambda s, **_: [c.encode() for c in s.decode()]), UTF_8, dynamic=True),
    Case(
        code_point_rows,
        [TEXTS],
        rows(lambda s, **_: [ord(c) for c in s.decode()], np.int32),
        UTF_8,
        dynamic=True,
    ),
    Case(
        unicode_transcode,
        [TEXTS],
        each(lambda s, **_: s.decode().encode("utf-16-be")),
        {**UTF_8, "output": "utf-16-be"},
    ),
    Case(
        unicode_encode,
        [const([110, 233, 98], np.int32), const([0, 2, 2, 3], np.int64)],
        lambda codes, splits, **_: np.array(["né".encode(), b"", b"b"], object),
        {"output": "utf-8", "errors": "replace", "replacement": 0xFFFD},
    ),
    Case(
        string_ngrams,
        [const(np.array([b"a", b"b", b"c", b"d"], object)), const([0, 3, 4], np.int64)],
        lambda x, splits, **_: (np.array([b"a-b", b"b-c"], object), np.array([0, 2, 2])),
        GRAMS,
        dynamic=True,
    ),
]
