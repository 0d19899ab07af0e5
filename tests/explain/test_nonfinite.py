"""Where numbers go bad."""

from __future__ import annotations

import inspect

import pytest
from explain.test_reports import run

import gradtape as tf


@pytest.fixture
def explanations():
    tf.debugging.enable_explanations()
    yield
    tf.debugging.disable_explanations()


def sqrt_at_zero():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(tf.sqrt(x))  # HERE
    return tape, y, x


def log_of_zero():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        h = tf.math.log(x)  # HERE
        y = tf.reduce_sum(h * x)
    return tape, y, x


def division_by_zero():
    x = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = 3.0 / x  # HERE
    return tape, y, x


def power_of_zero():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.pow(x, 0.5)  # HERE
    return tape, y, x


def arc_at_its_ends():
    x = tf.Variable([1.0, 0.5])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.acos(x)  # HERE
    return tape, y, x


def exp_overflows():
    x = tf.Variable([1000.0, 1.0])
    with tf.GradientTape() as tape:
        e = tf.exp(x)  # HERE
        y = e / tf.reduce_sum(e)
    return tape, y, x


def input_not_finite():
    x = tf.Variable(float("nan"))
    with tf.GradientTape() as tape:  # HERE
        y = x * 2.0
    return tape, y, x


@pytest.mark.parametrize(
    "program",
    [
        sqrt_at_zero,
        log_of_zero,
        division_by_zero,
        power_of_zero,
        arc_at_its_ends,
        exp_overflows,
        input_not_finite,
    ],
)
def test_cause_and_line(program, explanations):
    tape, y, x = program()
    why = tape.explain_nonfinite(y, x)
    lines, first = inspect.getsourcelines(program)
    here = next(first + i for i, line in enumerate(lines) if line.rstrip().endswith("# HERE"))
    assert (why.cause, why.line) == (program.__name__, here)


def test_a_used_tape_keeps_its_numbers_if_a_nan_came_out():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.math.log(x) * 0.0
    tape.gradient(y, x)
    assert tape.explain_nonfinite(y, x).cause == "log_of_zero"


def test_all_is_finite():
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.norm(x)
    assert tape.explain_nonfinite(y, x) is None
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="keeps no numbers"):
        tape.explain_nonfinite(y, x)


def test_enable_check_numerics():
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"tf\.math\.log"):
            tf.math.log(tf.constant([0.0, 1.0]))

        @tf.function
        def f(x):
            return 1.0 / x

        with pytest.raises(tf.errors.InvalidArgumentError, match="divide_no_nan"):
            f(tf.constant(0.0))
        assert f(tf.constant(2.0)).numpy() == 0.5
    finally:
        tf.debugging.disable_check_numerics()


def test_run_check_numerics(tmp_path):
    script = """\
import tensorflow as tf
v = tf.Variable([0.0, 1.0])
for _ in range(2):
    with tf.GradientTape() as tape:
        y = tf.sqrt(v)
    print(tape.gradient(y, v).numpy())
print(tf.exp(1000.0).numpy())
"""
    path, plain = run(tmp_path, script=script)
    _, done = run(tmp_path, "--check-numerics", script=script)
    assert done.stdout == plain.stdout and done.returncode == plain.returncode == 0
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"{path}:5: not finite: sqrt_at_zero: Backwards, in ")
    assert lines[2].startswith(f"{path}:7: not finite: exp_overflows: Forwards, in ")
    assert len(lines) == 4


@pytest.mark.parametrize("records", [False, True], ids=["tape only", "birth records"])
def test_inside_functions(records):
    @tf.function
    def arc(x):
        return tf.asin(x) * 2.0  # arc

    @tf.function
    def loop(x):
        for _ in tf.range(3):
            x = tf.exp(x)  # loop
        return x

    if records:
        tf.debugging.enable_explanations()
    try:
        for f, start, cause, way in (
            (arc, 1.0, "arc_at_its_ends", "Back"),
            (loop, 3.0, "exp_overflows", "For"),
        ):
            x = tf.Variable(start)
            with tf.GradientTape(persistent=True) as tape:
                y = f(x)
            why = tape.explain_nonfinite(y, x)
            assert why.cause == cause and why.message.startswith(way) and why.text.endswith(f"# {f._name}")
    finally:
        tf.debugging.disable_explanations()


def test_a_nan_from_outside():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(tf.constant([1.0, float("nan")]) * x)
    assert tape.explain_nonfinite(y, x).cause == "input_not_finite"


def test_check_numerics_of_graphs_names_the_operation_and_not_its_gradient(tmp_path):
    script = """\
import tensorflow as tf
@tf.function
def f(x):
    return tf.asin(x)
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, x).numpy())
y = tf.constant([float("nan")]) + 1.0
z = y * 2.0
"""
    path, done = run(tmp_path, "--check-numerics", script=script)
    arc, _, nan, _ = done.stderr.splitlines()
    assert arc.startswith(f"{path}:4: not finite: arc_at_its_ends: Backwards, in tf.asin: ")
    assert nan.startswith(f"{path}:9: not finite: input_not_finite: ")
