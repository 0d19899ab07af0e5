"""Gradients against differences of the program that was recorded."""

from __future__ import annotations

import pytest
from explain.test_reports import run

import gradtape as tf
from gradtape._src.graph import verify


@pytest.fixture
def checks(monkeypatch):
    # Replays are in float64, for which no graph was made.
    monkeypatch.setattr(verify, "during_execution", False)
    tf.debugging.enable_gradient_checks()
    yield
    tf.debugging.disable_gradient_checks()


@tf.custom_gradient
def wrong_square(x):
    return x * x, lambda dy: dy * x  # should be 2 x


def test_right(checks):
    x, w, b = tf.constant([[1.0, -2.0]]), tf.Variable([[0.5], [0.2]]), tf.Variable([0.1])
    with tf.GradientTape(persistent=True) as tape:
        h = tf.tanh(tf.matmul(x, w) + b)
        y = tf.reduce_mean(tf.nn.softplus(h) * 3.0 + tf.cast(tf.cast(h, tf.float64) ** 2, tf.float32))
    found = tape.check(y, {"w": w, "b": [b]})
    assert found["w"].ok and found["b"][0].ok and "agrees" in found["w"].message
    assert found["w"].measured != 0.0 and found["w"].given == pytest.approx(found["w"].measured, rel=1e-3)


def test_a_wrong_custom_gradient_is_named(checks):
    tf.debugging.enable_explanations()
    try:
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            h = tf.exp(v)
            y = tf.reduce_sum(wrong_square(h))
        found = tape.check(y, v)
    finally:
        tf.debugging.disable_explanations()
    assert not found.ok and "custom_gradient" in found.message
    assert found.text == "y = tf.reduce_sum(wrong_square(h))"


def test_inside_a_function(checks):
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        return tf.reduce_sum(tf.sin(x) * x)

    with tf.GradientTape() as tape:
        y = f(v)
    assert tape.check(y, v).ok


def test_kinks_are_not_wrong(checks):
    v = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.relu(v))
    assert tape.check(y, v).ok


def test_a_tape_without_numbers_says_so():
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = v + 1.0
    with pytest.raises(RuntimeError, match="enable_gradient_checks"):
        tape.check(y, v)


def test_run_check(tmp_path):
    script = """\
import tensorflow as tf
@tf.custom_gradient
def square(x):
    return x * x, lambda dy: dy * x
v = tf.Variable(3.0)
for f in (tf.sin, square):
    with tf.GradientTape() as tape:
        y = f(v)
    print(tape.gradient(y, v).numpy())
with tf.GradientTape() as tape:
    y = square(v)
print(tape.gradient(y, v).numpy())
"""
    path, plain = run(tmp_path, script=script)
    _, done = run(tmp_path, "--check", script=script)
    assert done.stdout == plain.stdout and done.returncode == 0
    first, last = done.stderr.splitlines()
    assert first.startswith(f"{path}:11: gradient by v is wrong: ") and "custom_gradient" in first
    assert last == "gradtape: 2 gradients checked, 1 wrong"


def test_a_source_that_the_tape_does_not_watch_has_no_wrong_gradient(checks):
    x, w = tf.constant(3.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * w
    assert [found.ok for found in tape.check(y, [x, w])] == [True, True]
