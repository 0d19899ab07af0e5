"""``cond``, ``case`` and ``switch_case`` in eager mode."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

X = tf.constant([1.0, 2.0])
T, F = tf.constant(True), tf.constant(False)


@pytest.mark.parametrize(
    "pred", [True, 1, T, tf.constant([[True]]), np.array(True), tf.constant(0.5), tf.constant("a")]
)
def test_truth(pred):
    assert tf.cond(pred, lambda: 1, lambda: 2) == 1


def test_the_other_branch_does_not_run():
    v = tf.Variable(1.0)
    tf.cond(F, lambda: v.assign(5.0), lambda: v.assign(7.0))
    assert float(v) == 7.0


def test_branches_may_return_anything():
    assert tf.cond(F, lambda: (X, X), lambda: None) is None
    found = tf.cond(T, lambda: {"a": [X]}, lambda: 2)
    assert found["a"][0] is X


def test_gradients():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.cond(a < b, lambda: a * a, lambda: b * 5.0)
    da, db = tape.gradient(y, [a, b])
    assert float(da) == 4.0 and db is None


def test_switch_case():
    branches = [lambda: 10, lambda: 20]
    assert tf.switch_case(tf.constant(1), branches) == 20
    assert tf.switch_case(tf.constant(7), branches) == 20
    assert tf.switch_case(tf.constant(-7), branches, default=lambda: 99) == 99
    assert tf.switch_case(tf.constant(1), {1: branches[0], 0: branches[1]}) == 10
    assert tf.switch_case(tf.constant(1), [(1, branches[0]), (0, branches[1])]) == 10


def test_case():
    assert tf.case([(F, lambda: 1), (T, lambda: 2), (T, lambda: 3)]) == 2
    assert tf.case([(F, lambda: 1)], default=lambda: 3) == 3
    assert tf.case({F.ref(): lambda: 1}, default=lambda: 3, exclusive=True) == 3


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: tf.cond(T, lambda: 1), TypeError, r"cond\(\): 'false_fn' argument required"),
        (lambda: tf.cond(T, 1, lambda: 2), TypeError, "'true_fn' must be callable"),
        (lambda: tf.cond(tf.constant([True, False]), lambda: 1, lambda: 2), ValueError, "ambiguous"),
        (lambda: tf.switch_case(1, [lambda: 1]), TypeError, "'branch_index' must be a Tensor"),
        (lambda: tf.switch_case(tf.constant(1.0), [lambda: 1]), TypeError, "must be an integer Tensor"),
        (lambda: tf.switch_case(tf.constant(1), {0: int, 2: int}), ValueError, "must form contiguous"),
        (lambda: tf.switch_case(tf.constant(1), {"a": int}), TypeError, "key must be a Python `int`"),
        (lambda: tf.switch_case(tf.constant(1), []), ValueError, "at least one item"),
        (lambda: tf.switch_case(tf.constant(1), 5), TypeError, "must be a list, tuple, or dict"),
        (lambda: tf.switch_case(tf.constant(1), [5, int]), TypeError, "must be a 2-tuple"),
        (
            lambda: tf.case([(T, int), (T, int)], exclusive=True),
            tf.errors.InvalidArgumentError,
            "Input error:",
        ),
        (lambda: tf.case([(F, int)]), tf.errors.InvalidArgumentError, "Input error:"),
        (lambda: tf.case([(True, int)]), TypeError, "pred must be a Tensor"),
        (lambda: tf.case([(tf.constant(1), int)]), TypeError, "bool"),
        (lambda: tf.case([(T, 5)]), TypeError, "must be callable"),
        (lambda: tf.case([]), ValueError, "at least one"),
        (lambda: tf.case(5), TypeError, "must be a list, tuple, or dict"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
