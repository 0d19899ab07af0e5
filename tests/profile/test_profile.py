"""Profiles: whose time is measured, that nothing else changes, and that all hooks are taken out again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.autodiff import sweep
from gradtape._src.autodiff.recording import Recording
from gradtape._src.control.looping import Looping
from gradtape._src.core.op import Op
from gradtape._src.graph.ir import Operation
from gradtape._src.graph.plan import Plan
from gradtape._src.graph.session import BaseSession
from gradtape._src.profile import profiler, table, trace

v1 = tf.compat.v1
HERE = __file__


def line_of(text: str) -> int:
    """The line of this file that ends with a comment."""
    lines = Path(HERE).read_text().splitlines()
    (found,) = [i for i, line in enumerate(lines, 1) if line.endswith(f"# <- {text}")]
    return found


def measured(program):
    """What a profile of a program says, as {(line, operation, phase): calls}, and its result."""
    profiler.begin()
    try:
        result = program()
    finally:
        found = profiler.finish()
    calls = {}
    for key, total in found.totals.items():
        file, line = key.place.location or (None, None)
        if file == HERE:
            place = line, key.name, key.phase
            calls[place] = calls.get(place, 0) + total.calls
    return found, calls, result


def test_the_backward_rule_counts_for_the_line_of_the_operation():
    x = tf.Variable([1.0, 2.0])

    def program():
        with tf.GradientTape() as tape:
            h = tf.tanh(x)  # <- tanh
            y = tf.exp(h) * h  # <- product
        return tape.gradient(y, x)  # <- asked

    plain = program()
    _, calls, result = measured(program)
    tanh, product, asked = map(line_of, ("tanh", "product", "asked"))
    assert calls[tanh, "Tanh", "forward"] == calls[tanh, "Tanh", "backward"] == 1
    assert calls[product, "Exp", "forward"] == calls[product, "Exp", "backward"] == 1
    assert calls[product, "Mul", "backward"] == 2  # one rule an input
    assert calls[asked, "tape.gradient", "backward"] == 1
    np.testing.assert_array_equal(result, plain)


def test_a_function_is_one_entry_a_call_and_its_operations():
    x = tf.Variable([1.0, 2.0])

    @tf.function
    def f(a):
        return tf.reduce_sum(tf.sin(a) * x)  # <- inside

    def program():
        for _ in range(5):
            with tf.GradientTape() as tape:
                y = f(x)  # <- call
            g = tape.gradient(y, x)
        return g

    _, calls, result = measured(program)
    inside, call = line_of("inside"), line_of("call")
    assert calls[call, "tf.function f", "forward"] == 5
    assert calls[inside, "Sin", "forward"] == 5
    assert sum(n for (line, _, phase), n in calls.items() if (line, phase) == (inside, "backward")) >= 5
    np.testing.assert_array_equal(result, program())


@pytest.mark.parametrize("made_before", [False, True])
def test_loops_of_graphs(made_before):
    @tf.function
    def f(a):
        for _ in tf.range(4):
            a = tf.tanh(a)  # <- step
        return a

    x = tf.Variable([0.5])

    def program():
        with tf.GradientTape() as tape:
            y = f(x)
        return tape.gradient(y, x)

    if made_before:
        program()
    _, calls, result = measured(program)
    step = line_of("step")
    assert calls[step, "Tanh", "forward"] == 4
    assert sum(n for (line, _, phase), n in calls.items() if (line, phase) == (step, "backward")) >= 4
    np.testing.assert_array_equal(result, program())


def test_a_session_runs_operations_of_the_lines_that_made_them():
    with tf.Graph().as_default():
        with v1.variable_scope("net"):
            x = v1.placeholder(tf.float32, [2])
            y = tf.tanh(x)  # <- made

        def program():
            (g,) = v1.gradients(y, x)
            with v1.Session() as session:
                return [session.run(g, {x: [0.5, 1.0]}) for _ in range(4)]  # <- run

        found, calls, result = measured(program)
        made = line_of("made")
        assert calls[line_of("run"), "Session.run", "forward"] == 4
        assert calls[made, "Tanh", "forward"] == 4
        assert any((line, phase) == (made, "backward") for line, _, phase in calls)
        assert {key.place.scope for key in found.totals if key.name == "Tanh"} == {"net"}
        np.testing.assert_array_equal(result, program())


@pytest.mark.parametrize("shape", [(3,), (40,)])
def test_jacobians(shape):
    x = tf.Variable(tf.ones(shape))

    def program():
        with tf.GradientTape() as tape:
            y = tf.sin(x) * 2.0
        return tape.jacobian(y, x)  # <- jacobian

    _, calls, result = measured(program)
    assert calls[line_of("jacobian"), "tape.jacobian", "backward"] == 1
    np.testing.assert_array_equal(result, program())


def test_fit_and_its_layers():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, name="first"), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((8, 2), np.float32)
    found, calls, _ = measured(
        lambda: model.fit(x, np.ones((8, 1)), batch_size=4, epochs=2, verbose=0)  # <- fit
    )
    assert calls[line_of("fit"), "Model.fit", "forward"] == 1
    products = {
        (key.place.scope.rpartition("/")[2], key.phase): total.calls
        for key, total in found.totals.items()
        if key.name == "MatMul" and key.place.scope
    }
    assert products["first", "forward"] == 4 and products["first", "backward"] == 4


def test_bytes_are_counted_while_results_live():
    def program():
        kept = [tf.ones([1000]) * float(i) for i in range(5)]  # <- kept
        for _ in range(3):
            tf.ones([1000]) + 1.0  # <- dropped
        return kept

    found, _, _ = measured(program)
    most = {}
    for key, total in found.totals.items():
        if key.name in ("Mul", "AddV2") and key.place.location[0] == HERE:
            most[key.place.location[1]] = total.most
    assert most == {line_of("kept"): 20_000, line_of("dropped"): 4_000}
    assert found.memory.most >= 24_000


def test_own_times_add_up_to_less_than_the_whole():
    found, _, _ = measured(lambda: [tf.linalg.matmul(tf.ones([50, 50]), tf.ones([50, 50])) for _ in range(9)])
    assert 0 < sum(total.seconds for total in found.totals.values()) <= found.seconds


def test_all_hooks_are_taken_out_again():
    owners = [Op, Plan, Looping, Operation, Recording, BaseSession, tf.GradientTape, sweep]
    before = [dict(vars(owner)) for owner in owners]
    plan_of = tf.function(lambda x: tf.exp(x))

    def program():
        with pytest.raises(tf.errors.AlreadyExistsError, match="Another profiler"):
            profiler.begin()
        return [plan_of(tf.constant(1.0)) for _ in range(4)]

    found, _, _ = measured(program)
    assert [dict(vars(owner)) for owner in owners] == before
    n = len(found.events)
    plan_of(tf.constant(2.0))
    assert len(found.events) == n


def test_a_failing_program_leaves_no_open_entries():
    profiler.begin()
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    tf.exp(tf.ones([2]))
    assert profiler._running is not None and profiler._running.profile.innermost() is None
    profiler.finish()


def test_the_trace_is_what_chrome_reads(tmp_path):
    x = tf.Variable([1.0, 2.0])
    f = tf.function(lambda a: tf.exp(a) * x)

    def program():
        with tf.GradientTape() as tape, tf.profiler.experimental.Trace("step", step_num=3):
            y = f(x)
        return tape.gradient(y, x)

    found, _, _ = measured(program)
    trace.write_trace(found, str(tmp_path / "t.json"))
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    entries = [event for event in events if event["ph"] == "X"]
    assert {event["cat"] for event in entries} == {"forward", "backward"}
    assert all({"name", "ts", "dur", "pid", "tid"} <= set(event) and event["dur"] >= 0 for event in entries)
    assert [event["ts"] for event in entries] == sorted(event["ts"] for event in entries)
    (step,) = [event for event in entries if event["name"] == "step"]
    assert step["args"]["operation"] == "step_num=3"
    open_until = []  # entries of one thread lie inside each other, or apart
    for event in entries:
        while open_until and open_until[-1] <= event["ts"]:
            open_until.pop()
        end = event["ts"] + event["dur"]
        assert not open_until or end <= open_until[-1] + 1e-3
        open_until.append(end)


def test_profiles_in_the_program(tmp_path):
    with tf.profiler.experimental.Profile(tmp_path) as profile:
        tf.exp(tf.ones([3]))
    assert "Exp" in str(profile) and list(tmp_path.glob("plugins/profile/*/*.trace.json.gz"))
    tf.profiler.experimental.start(str(tmp_path / "other"))
    tf.profiler.experimental.stop(save=False)
    assert not (tmp_path / "other").exists()
    with pytest.raises(tf.errors.UnavailableError, match="No profiler is running"):
        tf.profiler.experimental.stop()
    with pytest.raises(RuntimeError, match="leave its `with` block"):
        str(tf.profiler.experimental.Profile())


def test_the_tables_name_lines_operations_and_scopes():
    found, _, _ = measured(lambda: tf.function(lambda: tf.exp(tf.zeros([2])))())
    titles = [part.title for part in table.tables(found)]
    assert titles[:2] == ["By line", "By operation"]
    text = table.text(found)
    assert "forward ms" in text and f"{HERE}:" in text


SCRIPT = """\
import sys
import tensorflow as tf
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.tanh(x)
print(tape.gradient(y, x).shape)
sys.exit(3)
"""


def test_the_command(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    out = tmp_path / "trace.json"
    source = str(Path(tf.__file__).resolve().parents[1])
    command = [
        sys.executable,
        "-m",
        "gradtape",
        "run",
        "--profile-trace",
        str(out),
        str(tmp_path / "script.py"),
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": source}, timeout=60
    )
    assert (done.stdout, done.returncode) == ("(2,)\n", 3), done.stderr
    (row,) = [line for line in done.stderr.splitlines() if "script.py:5" in line]
    assert "y = tf.tanh(x)" in row
    names = {event["name"] for event in json.loads(out.read_text())["traceEvents"]}
    assert {"Tanh", "Tanh (backward)", "tape.gradient"} <= names
