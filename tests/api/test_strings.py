"""``tf.strings``: what TensorFlow 2.21 answers, eagerly and in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradtape as tf

S = tf.strings

# Expressions, and what TensorFlow 2.21 gives.
ANSWERS: list[tuple[Any, Any]] = [
    (lambda: S.join(["a", ["b", "c"]], separator="-"), [b"a-b", b"a-c"]),
    (lambda: S.format("x {} y {}", [tf.range(10), tf.constant(["a"])]), b'x [0 1 2 ... 7 8 9] y ["a"]'),
    (lambda: S.format("{}", tf.constant("s")), b'"s"'),
    (lambda: S.lower("ÀB"), b"\xc3\x80b"),
    (lambda: S.lower("ÀB", "utf-8"), b"\xc3\xa0b"),
    (lambda: S.split("a b  c"), [b"a", b"b", b"c"]),
    (lambda: S.split("a,b,c", ",", maxsplit=1), [b"a", b"b,c"]),
    (lambda: S.substr("hello", -3, 2), b"ll"),
    (lambda: S.substr(["hello", "worlds"], [1, 2], [2, 3]), [b"el", b"rld"]),
    (lambda: S.substr("héllo", 1, 2, unit="UTF8_CHAR"), "él".encode()),
    (lambda: S.regex_replace("aa", "a", "b", replace_global=False), b"ba"),
    (lambda: S.regex_full_match(["ab", "b"], "a.*"), [True, False]),
    (lambda: S.to_number(["1.5", "-2e3"]), [1.5, -2000.0]),
    (lambda: S.as_string([1.5, float("nan"), float("inf")]), [b"1.500000", b"nan", b"inf"]),
    (lambda: S.as_string(3.14159, precision=2), b"3.14"),
    (lambda: S.as_string(5, width=4, fill="0"), b"0005"),
    (lambda: S.as_string([1, -2], width=5), [b"    1", b"   -2"]),
    (lambda: S.as_string(1e-7, shortest=True), b"1e-07"),
    (lambda: S.as_string(12345.678, scientific=True), b"1.234568e+04"),
    (lambda: S.as_string(1 + 2j), b"(1.000000,2.000000)"),
    (lambda: S.as_string(True), b"true"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=0, keepdims=True), [[b"ac", b"bd"]]),
]


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_answers_are_tensorflows(number: int):
    function, expected = ANSWERS[number]
    assert function().numpy().tolist() == expected if np.ndim(expected) else function().numpy() == expected
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        out = function()
        assert np.asarray(session.run(out)).tolist() == expected


def test_errors():
    for wrong, message in (
        (lambda: S.substr("ab", 5, 1), "pos 5 out of range for string b'ab'"),
        (lambda: S.to_number("x"), "could not correctly convert string: x"),
        (lambda: S.to_number("1.5", tf.int32), "could not correctly convert string: 1.5"),
        (lambda: S.to_number("3000000000", tf.int32), "could not correctly convert"),
        (lambda: S.join([["a", "b"], ["c"]]), r"Input shapes do not match: \[2\] vs. \[1\]"),
        (lambda: S.lower(tf.constant(1.0)), "string"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            wrong()
    for wrong, message in (
        (lambda: S.as_string(1.0, scientific=True, shortest=True), "both scientific and shortest"),
        (lambda: S.format("{} {}", tf.constant(1)), "does not match 1 tensor"),
        (lambda: S.length("a", unit="WORD"), "BYTE"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()


def test_placeholders():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.string, [None])
        joined = v1.string_join([x, "!"])
        assert joined.shape.as_list() == [None]
        assert session.run(joined, {x: ["a", "b"]}).tolist() == [b"a!", b"b!"]
