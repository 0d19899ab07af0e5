"""`gradtape run --explain` and `--strict`, and what errors about a None say."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
from rich.console import Console

import gradtape as tf
from gradtape._src.explain.causes import CAUSES

SOURCE = str(Path(tf.__file__).resolve().parents[1])

SCRIPT = """\
import sys
import tensorflow as tf
x, v = tf.constant(3.0), tf.Variable(2.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = x * x * v
    print(*tape.gradient(y, [x, v]))
sys.exit(7)
"""


def run(folder, *options, script=SCRIPT):
    path = folder / "script.py"
    path.write_text(script)
    command = [sys.executable, "-m", "gradtape", "run", *options, str(path)]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    return path, subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)


def test_explain_reports_once_a_line_and_changes_nothing(tmp_path):
    path, plain = run(tmp_path)
    _, explained = run(tmp_path, "--explain")
    assert (explained.stdout, explained.returncode) == (
        plain.stdout,
        plain.returncode,
    ) and plain.returncode == 7
    report, hint = explained.stderr.splitlines()
    assert report.startswith(f"{path}:6: gradient is None: source_not_watched: x is a tensor")
    assert hint.startswith("    hint: ") and "tape.watch(x)" in hint


def test_strict_raises_with_the_explanation(tmp_path):
    _, done = run(tmp_path, "--strict")
    assert done.returncode == 1 and done.stdout == ""
    assert "NoGradientError: There is no gradient." in done.stderr and "source_not_watched" in done.stderr


def test_explain_is_silent_where_all_gradients_exist(tmp_path):
    script = """\
import tensorflow as tf
v = tf.Variable(2.0)
square = tf.recompute_grad(lambda x: x * x)
with tf.GradientTape() as tape:
    y = square(v) + tf.zeros([]) * 0.0
print(tape.gradient(y, v, unconnected_gradients="zero"))
print(tape.gradient)
"""
    _, done = run(tmp_path, "--explain", script=script)
    assert done.stderr == "" and done.returncode == 0


def test_a_graph_is_explained(tmp_path):
    script = """\
import tensorflow as tf
w = tf.Variable([[1, 2]])
y = tf.matmul(w, tf.constant([[9], [10]]))
grads = tf.gradients(y, [w])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(grads)
"""
    path, done = run(tmp_path, "--explain", script=script)
    assert f"{path}:2: gradient is None: integer_dtype: w is an integer" in done.stderr
    assert 'TypeError: Argument `fetch` = None has invalid type "NoneType". Cannot be None' in done.stderr
    assert "Why the last gradient that was None is None" in done.stderr and done.returncode == 1


def none_of_an_unwatched_tensor():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda g: tf.stack([g, tf.constant(1.0)]), ValueError),
        (lambda g: tf.norm(g), ValueError),
        (lambda g: tf.add(g, 1.0), ValueError),
        (
            lambda g: tf.compat.v1.train.GradientDescentOptimizer(0.1).apply_gradients(
                [(g, tf.Variable(1.0))]
            ),
            ValueError,
        ),
        (lambda g: tf.keras.optimizers.SGD(0.1).apply_gradients([(g, tf.Variable(1.0))]), ValueError),
    ],
)
def test_errors_about_a_none_give_the_reason(use, error):
    g = none_of_an_unwatched_tensor()
    assert g is None
    with pytest.raises(error, match="source_not_watched"):
        use(g)


def test_raise():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.round(w)
    with pytest.raises(tf.debugging.NoGradientError, match="op_not_differentiable") as caught:
        tape.gradient(y, w, unconnected_gradients=tf.UnconnectedGradients.RAISE)
    assert [one.cause for one in caught.value.explanations] == ["op_not_differentiable"]


def test_raise_is_silent_about_gradients_that_exist():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * w
    assert tape.gradient(y, w, unconnected_gradients="raise").numpy() == 4.0


def test_several_sources_keep_their_structure():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = a * a
    why = tape.explain(y, {"a": a, "b": [b]})
    assert why["a"].cause == "connected" and why["b"][0].cause == "target_does_not_depend_on_source"
    assert tape.gradient(y, a).numpy() == 4.0


def test_an_explanation_is_shown():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    why = tape.explain(y, x)
    assert "source_not_watched" in str(why) and f"line {why.line}" in str(why)
    assert "source_not_watched" in why._repr_html_()
    console = Console(record=True, width=200, file=io.StringIO())
    console.print(why)
    assert "source_not_watched" in console.export_text()


def test_birth_records_keep_no_tensor_alive():
    tf.debugging.enable_explanations()
    try:
        x = tf.constant([1.0, 2.0])
        y = x * 2.0
        gone = weakref.ref(y)
        z = y + 1.0
        del y
        gc.collect()
        assert gone() is None and z is not None
    finally:
        tf.debugging.disable_explanations()


def test_every_cause_has_an_entry_and_a_program():
    text = (Path(__file__).parents[2] / "docs" / "reasons.md").read_text()
    programs = {path.stem for path in (Path(__file__).parent / "programs").glob("*.py")}
    for cause in CAUSES:
        assert f"### {cause}\n" in text
        assert cause in programs or cause == "connected"


def test_a_jacobian_that_is_none_is_explained():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.round(w)
    with pytest.raises(tf.debugging.NoGradientError, match="op_not_differentiable"):
        tape.jacobian(y, w, unconnected_gradients="raise")
