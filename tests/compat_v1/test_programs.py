"""Programs for TensorFlow 1: sessions, variables, order, threads, modes."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.graph.verify import verify

tf1 = tf.compat.v1
SOURCE = str(Path(tf.__file__).resolve().parents[1])


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph
    verify(graph)


def test_training_a_linear_model(graph):
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(64, 3)).astype(np.float32)
    targets = inputs @ np.float32([[1.0], [-2.0], [3.0]]) + 0.5
    x, y = tf1.placeholder(tf.float32, [None, 3]), tf1.placeholder(tf.float32, [None, 1])
    w = tf1.get_variable("w", [3, 1])
    b = tf1.get_variable("b", [1], initializer=tf1.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
    steps = [v.assign_sub(0.1 * g) for v, g in zip([w, b], tf.gradients(loss, [w, b]), strict=True)]
    train = tf.group(*steps)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        for _ in range(200):
            _, value = session.run([train, loss], {x: inputs, y: targets})
        assert value < 1e-6
        np.testing.assert_allclose(session.run(w)[:, 0], [1, -2, 3], atol=1e-3)


def test_every_session_has_its_own_values(graph):
    v = tf1.Variable(1.0)
    add = v.assign_add(1.0)
    one, other = tf1.Session(), tf1.Session()
    one.run(v.initializer)
    assert one.run(add) == 2.0 and one.run(add) == 3.0
    with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value Variable.*initializer"):
        other.run(v)
    other.run(v.initializer)
    assert (one.run(v), other.run(v)) == (3.0, 1.0)


def test_what_a_session_gives_is_the_users_own(graph):
    v = tf1.Variable([1.0, 2.0])
    k = tf.constant([1.0, 2.0])
    fed = np.float32([5.0, 6.0])
    x = tf1.placeholder(tf.float32, [2])
    keep = v.assign(x)
    with tf1.Session() as session:
        session.run(v.initializer)
        for fetch in (v, k, v[:1], tf.identity(v)):
            before = session.run(fetch).copy()
            session.run(fetch)[...] = -1
            np.testing.assert_array_equal(session.run(fetch), before)
        session.run(keep, {x: fed})
        fed[...] = 0
        np.testing.assert_array_equal(session.run(v), [5, 6])


def test_random_numbers_begin_anew_in_each_session(graph):
    tf1.set_random_seed(7)
    seeded, plain = tf1.random_uniform([2], seed=3), tf1.random_normal([2])
    draws = []
    for _ in range(2):
        with tf1.Session() as session:
            draws.append([session.run([seeded, plain]) for _ in range(2)])
    np.testing.assert_array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0][0], draws[0][1])


def test_threads_run_one_session(graph):
    v = tf1.Variable(0.0)
    add = v.assign_add(1.0).op
    session = tf1.Session()
    session.run(v.initializer)
    threads = [threading.Thread(target=lambda: [session.run(add) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(v) == 200.0


def test_initial_values_from_other_variables(graph):
    v = tf1.Variable([1.0, 2.0])
    w = tf1.Variable(v * 2.0)
    u = tf1.Variable(w.initialized_value() + 1.0)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        np.testing.assert_array_equal(session.run(u), [3.0, 5.0])


def test_scatters_and_slices(graph):
    v = tf1.Variable([1.0, 2.0, 3.0])
    rows = tf1.placeholder(tf.int32, [None])
    update = tf1.scatter_add(v, rows, [10.0, 10.0])
    part = v[1:].assign([7.0, 8.0])
    with tf1.Session() as session:
        session.run(v.initializer)
        np.testing.assert_array_equal(session.run(update, {rows: [0, 0]}), [21, 2, 3])
        np.testing.assert_array_equal(session.run(part), [21, 7, 8])


@pytest.mark.parametrize("unknown", [False, True])
def test_gradients_through_control_flow(graph, unknown):
    n = tf1.placeholder(tf.int32, [])
    x = tf1.placeholder(tf.float64, None if unknown else [3])
    w = tf1.Variable(np.float64([1.0, 2.0, 3.0]))
    _, y = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * w), [0, x])
    y = tf.cond(n > 2, lambda: y * y, lambda: y)
    m = tf.map_fn(lambda a: a**2, x)
    with tf.GradientTape() as tape:
        z = w * w * x
    taped = tape.gradient(z, w)
    gx, gw = tf.gradients(y, [x, w])
    with tf1.Session() as session:
        session.run(w.initializer)
        at = np.array([1.0, 0.5, -1.0])
        found = session.run([gx, gw, tf.gradients(m, x)[0], taped], {n: 3, x: at})
        ws = np.array([1.0, 2.0, 3.0])
        np.testing.assert_allclose(found[0], 2 * at * ws**6)
        np.testing.assert_allclose(found[1], 6 * at**2 * ws**5)
        np.testing.assert_allclose(found[2], 2 * at)
        np.testing.assert_allclose(found[3], 2 * ws * at)
        np.testing.assert_allclose(session.run(gx, {n: 1, x: at}), ws)


def test_a_tape_in_a_graph_and_gradients_agree(graph):
    x = tf1.placeholder(tf.float64, [2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.map_fn(lambda a: tf.sin(a) * a, x)
        g = tape.gradient(y, x)
    (other,) = tf.gradients(y, x)
    with tf1.Session() as session:
        found = session.run([g, other, tape.gradient(g, x), tf.gradients(other, x)[0]], {x: [0.3, 2.0]})
    np.testing.assert_allclose(found[0], found[1])
    np.testing.assert_allclose(found[2], found[3])


def test_custom_getter_and_regularizer(graph):
    seen = []

    def getter(make, name, *args, **kwargs):
        seen.append(name)
        return make(name, *args, **kwargs)

    with tf1.variable_scope("a", custom_getter=getter, regularizer=lambda v: tf.reduce_sum(v * v)):
        tf1.get_variable("w", [2], initializer=tf1.constant_initializer([1.0, 2.0]))
    assert seen == ["a/w"]
    (loss,) = tf1.get_collection(tf1.GraphKeys.REGULARIZATION_LOSSES)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        assert session.run(loss) == 5.0


def test_an_interactive_session():
    graph = tf.Graph()
    session = tf1.InteractiveSession(graph=graph)
    x = tf.constant(2.0)
    assert (x * 3.0).eval() == 6.0 and tf1.get_default_session() is session
    session.close()
    assert tf1.get_default_session() is None and tf.executing_eagerly()


def test_the_default_graph_cannot_be_reset_from_inside_another(graph):
    with pytest.raises(AssertionError, match="nested graphs"):
        tf1.reset_default_graph()


# --- Which mode a program starts in -------------------------------------------------------------------------


def _run(text: str, tmp_path: Path) -> str:
    program = tmp_path / "program.py"
    program.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, env={"PYTHONPATH": SOURCE}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_for_tensorflow_1_starts_in_graph_mode(tmp_path):
    text = (
        "import gradtape.compat.v1 as tf\n"
        "x = tf.placeholder(tf.float32, [None, 2])\n"
        "print(tf.executing_eagerly(), x.shape[1].value)\n"
    )
    assert _run(text, tmp_path) == "False 2\n"
    assert _run("import numpy as np, " + text.removeprefix("import "), tmp_path) == "False 2\n"
    eager = text.splitlines()[0] + "\ntf.enable_eager_execution()\nprint(float(tf.constant(2.0)))\n"
    assert _run(eager, tmp_path) == "2.0\n"


@pytest.mark.parametrize(
    "first",
    [
        "import gradtape as tf; tf.compat.v1.Session",
        "import gradtape.compat.v1 as v1\nimport gradtape as tf",
        "import gradtape.compat.v1 as v1, gradtape as tf",
        "import os; import gradtape as tf; import gradtape.compat.v1 as v1",
        "from gradtape.compat import v1 as tf",
    ],
)
def test_other_programs_stay_eager(first, tmp_path):
    assert _run(first + "\nprint(tf.executing_eagerly())", tmp_path) == "True\n"
